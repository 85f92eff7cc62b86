/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of pages: what stands in the file, and what becomes of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cache_files.h"
#include "html_page.h"

static char folder[] = "/tmp/test_html_page.XXXXXX";

static char *path_of(const char *name) {
  static char path[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const struct ut_html_command command = {"all <numbers>", "./uturn run \"a.yaml\""};
static struct ut_html_section section = {.type = "player",
                                         .title = "A & B",
                                         .lead = "First `code <x>`.\nSecond.",
                                         .source = "a.yaml",
                                         .text = "k: 1 # </script>\n",
                                         .command = &command,
                                         .commands = 1};

static void page_is_self_contained(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_html_page p;
  char *text;
  size_t size;
  char *path = path_of("page.html");
  assert_int_equal(ut_html_page_open(&p, path, NULL, "9.9", "./uturn report", &e), 0);
  section.data = json_pack("{s:i}", "a", 1);
  assert_int_equal(ut_html_page_add(&p, &section, &e), 0);
  assert_int_equal(access(path, F_OK), -1); /* nothing under its name yet */
  assert_int_equal(ut_html_page_close(&p, &e), 0);
  assert_int_equal(ut_file_read(path, &text, &size), 0);
  static const char *const wanted[] = {"<title>A &amp; B - uturn</title>",
                                       "First <code>code &lt;x&gt;</code>.</p>",
                                       "<p class=\"lead\">Second.</p>",
                                       "k: 1 # &lt;/script&gt;",
                                       "all &lt;numbers&gt;",
                                       "run &quot;a.yaml&quot;",
                                       "9.9",
                                       "id=\"player-1-data\"",
                                       "uturn.define('player'"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strstr(text, wanted[i]))
      fail_msg("the page lacks %s", wanted[i]);
  assert_null(strstr(text, "{{"));
  assert_null(strstr(text, "http://"));
  assert_null(strstr(text, "https://"));
  free(text);
  json_decref((json_t *)(uintptr_t)section.data);
  section.data = NULL;
  remove(path);
}

static void dropped_page_leaves_nothing(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_html_page p;
  char *path = path_of("page.html"), *text;
  size_t size;
  assert_int_equal(ut_file_write(path, "old", 3, &e), 0);
  assert_int_equal(ut_html_page_open(&p, path, "T", "9.9", "", &e), 0);
  assert_int_equal(ut_html_page_add(&p, &section, &e), 0);
  ut_html_page_drop(&p);
  assert_int_equal(ut_file_read(path, &text, &size), 0);
  assert_string_equal(text, "old");
  free(text);
  remove(path);
  assert_int_equal(rmdir(folder), 0); /* nothing else is there */
  assert_int_equal(mkdir(folder, 0700), 0);
}

static void what_cannot_be_written_is_said(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_html_page p;
  assert_int_equal(ut_html_page_open(&p, folder, "T", "9.9", "", &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, folder));
  assert_int_equal(ut_html_page_open(&p, path_of("no/page.html"), "T", "9.9", "", &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
}

static void room_becomes_less(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_html_page p;
  enum { SIZE = 1000000 };
  char *bytes = malloc(SIZE);
  assert_non_null(bytes);
  memset(bytes, 'x', SIZE);
  assert_int_equal(ut_html_page_open(&p, path_of("page.html"), "T", "9.9", "", &e), 0);
  const size_t before = ut_html_page_room(&p);
  assert_true(before > 3000000 && before < UT_HTML_PAGE_LIMIT * 3 / 4);
  struct ut_html_section s = section;
  s.blob = bytes;
  s.size = SIZE;
  assert_int_equal(ut_html_page_add(&p, &s, &e), 0);
  assert_in_range(before - ut_html_page_room(&p), SIZE, SIZE + 4000);
  ut_html_page_drop(&p);
  free(bytes);
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}
static int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(page_is_self_contained),
      cmocka_unit_test(dropped_page_leaves_nothing),
      cmocka_unit_test(what_cannot_be_written_is_said),
      cmocka_unit_test(room_becomes_less),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
