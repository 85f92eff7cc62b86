/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util/tool and csim/util/picture: what counts as found, as a picture, and as a tool's first words. */
#include "tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "picture.h"

static void absolute_entries(void **state) {
  (void)state;
  char out[4096];
  const char *const none[] = {"",         ":",         ".",       "bin",
                              "../bin:.", "usr/bin::", "/nowhere"}; /* from / they would lead there */
  assert_int_equal(chdir("/"), 0);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    setenv("PATH", none[i], 1);
    if (ut_tool_find("sh", out))
      fail_msg("PATH '%s': found %s", none[i], out);
  }
  setenv("PATH", ":bin:/nowhere:/bin:.:/usr/bin:", 1);
  assert_true(ut_tool_find("sh", out));
  assert_string_equal(out, "/bin/sh");
  ut_tool_clean_environment();
  assert_string_equal(getenv("PATH"), "/nowhere:/bin:/usr/bin");
  setenv("PATH", ".:", 1);
  ut_tool_clean_environment();
  assert_null(getenv("PATH")); /* an empty one would be the current folder */
}

static void first_words(void **state) {
  (void)state;
  static const char *const said[][2] = {
      {"", ""},
      {"\n\n  boom  \nmore\n", "  boom"},
      {"note\n%Error: a.v:1: wrong\n%Error: b\n", "%Error: a.v:1: wrong"},
      {"x.c: In f:\nx.c:1: error: y\n", "x.c:1: error: y"},
      {"log\nERROR: no module\n", "ERROR: no module"},
      {"only words", "only words"},
  };
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    char line[UT_TOOL_LINE + 1];
    ut_tool_first_error(said[i][0], line);
    assert_string_equal(line, said[i][1]);
  }
}

static void pictures(void **state) {
  (void)state;
  static const char png[] = "\x89PNG\r\n\x1a\n....\0\0\0\0IEND\xae\x42\x60\x82";
  assert_true(ut_picture_is_png(png, sizeof png - 1));
  for (size_t size = 0; size < sizeof png - 1; size++)
    assert_false(ut_picture_is_png(png, size));
  assert_false(ut_picture_is_svg(png, sizeof png - 1));
  static const struct {
    const char *text;
    bool is;
  } svg[] = {{"<svg></svg>", true},
             {"<?xml version='1.0'?>\n<!-- x --><svg a='b'>\n</svg>\n\n", true},
             {"", false},
             {"</svg>", false},
             {"<svg>", false},
             {"<svg></svg", false},
             {"warning: x\n<svg></svg>", false},
             {"<?xml?></svg>", false},
             {"<svg></svg>\nwarning: x\n", false}};
  for (size_t i = 0; i < sizeof svg / sizeof *svg; i++)
    if (ut_picture_is_svg(svg[i].text, strlen(svg[i].text)) != svg[i].is)
      fail_msg("'%s': is it a picture? expected %d", svg[i].text, svg[i].is);
}

/* Arguments are words, not a command line; it is told nothing of the home and the locale; its streams are apart. */
static void words(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_tool_answer a;
  struct ut_tool t = {.command =
                          (char *[]){"/bin/sh", "-c",
                                     "cat; printf '%s|' \"$@\"; echo \"$HOME $LC_ALL\"; pwd; echo words >&2; exit 7",
                                     "sh", "a b", "$(x)", "'", NULL},
                      .folder = "/"};
  assert_int_equal(ut_tool_ask(&t, "in\n", 3, NULL, &a, &e), 0);
  assert_int_equal(a.status, 7);
  assert_string_equal(a.data, "in\na b|$(x)|'|/nonexistent C\n/\n");
  assert_string_equal(a.said, "words\n");
  ut_tool_answer_free(&a);
  t.command = (char *[]){"/nowhere/tool", NULL};
  assert_int_equal(ut_tool_ask(&t, "", 0, NULL, &a, &e), 0);
  assert_int_equal(a.status, 127);
  ut_tool_answer_free(&a);
  const volatile sig_atomic_t interrupted = 1;
  t.command = (char *[]){"/bin/sleep", "60", NULL};
  assert_int_equal(ut_tool_ask(&t, "", 0, &interrupted, &a, &e), -1);
  assert_int_equal(e.code, UT_INTERRUPTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(first_words), cmocka_unit_test(pictures),
                                     cmocka_unit_test(absolute_entries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
