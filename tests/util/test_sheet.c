/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util/sheet: both formats to the letter, and what becomes of files. */
#include "sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

static const char *const column[] = {"one", "two", "three"};

static char *path_of(const char *name) {
  static char path[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static char *content_of(const char *path) {
  static char text[1 << 20];
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  return text;
}

/* Files in the folder. */
static unsigned files(void) {
  char command[64];
  unsigned count = 0;
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *f = popen(command, "r");
  assert_int_equal(fscanf(f, "%u", &count), 1);
  pclose(f);
  return count;
}

static void write_rows(struct ut_sheet *t) {
  ut_sheet_integer(t, 0);
  ut_sheet_real(t, 0.25);
  ut_sheet_word(t, "queued");
  ut_sheet_integer_if(t, true, UINT64_MAX);
  ut_sheet_integer_if(t, false, 5);
  ut_sheet_nothing(t);
}

static void both_formats(void **state) {
  (void)state;
  struct ut_sheet t;
  struct ut_error e;
  char *path = path_of("rows.csv");
  assert_int_equal(ut_sheet_open(&t, path, column, 3, &e), 0);
  write_rows(&t);
  assert_int_equal(access(path, F_OK), -1); /* not before it is complete */
  struct ut_sheet twice;
  assert_int_equal(ut_sheet_open(&twice, path, column, 3, &e), -1);
  assert_int_equal(ut_sheet_close(&t, &e), 0);
  assert_string_equal(content_of(path), "one,two,three\n0,0.25,queued\n18446744073709551615,,\n");
  struct stat s;
  const mode_t mask = umask(0);
  umask(mask);
  assert_int_equal(stat(path, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0666 & ~mask);
  path = path_of("rows.json");
  assert_int_equal(ut_sheet_open(&t, path, column, 3, &e), 0);
  write_rows(&t);
  assert_int_equal(ut_sheet_close(&t, &e), 0);
  assert_string_equal(content_of(path), "[\n{\"one\": 0, \"two\": 0.25, \"three\": \"queued\"},\n"
                                        "{\"one\": 18446744073709551615, \"two\": null, \"three\": null}\n]\n");
  assert_int_equal(ut_sheet_open(&t, path, column, 3, &e), 0);
  assert_int_equal(ut_sheet_close(&t, &e), 0);
  assert_string_equal(content_of(path), "[]\n");
  assert_int_equal(ut_sheet_close(&t, &e), 0); /* it is not open */
  assert_int_equal(files(), 2);
}

/* More than is kept before it is written. */
static void many_rows(void **state) {
  (void)state;
  struct ut_sheet t;
  struct ut_error e;
  enum { ROWS = 20000 };
  char *path = path_of("rows.csv"), line[64];
  assert_int_equal(ut_sheet_open(&t, path, column, 3, &e), 0);
  for (unsigned i = 0; i < ROWS; i++) {
    ut_sheet_integer(&t, i);
    ut_sheet_integer(&t, i % 100);
    ut_sheet_word(&t, "x");
  }
  assert_int_equal(t.rows, ROWS);
  assert_int_equal(ut_sheet_close(&t, &e), 0);
  const char *at = content_of(path) + strlen("one,two,three\n");
  for (unsigned i = 0; i < ROWS; i++) {
    const int length = snprintf(line, sizeof line, "%u,%u,x\n", i, i % 100);
    assert_memory_equal(at, line, (size_t)length);
    at += length;
  }
  assert_int_equal(*at, '\0');
}

static void given_up(void **state) {
  (void)state;
  struct ut_sheet t;
  struct ut_error e;
  char *path = path_of("rows.csv");
  const unsigned before = files();
  char *old = strdup(content_of(path));
  assert_int_equal(ut_sheet_open(&t, path, column, 3, &e), 0);
  write_rows(&t);
  ut_sheet_drop(&t);
  assert_string_equal(content_of(path), old);
  assert_int_equal(files(), before);
  free(old);
}

static void bad_files(void **state) {
  (void)state;
  struct ut_sheet t;
  struct ut_error e;
  assert_int_equal(ut_sheet_open(&t, path_of("nowhere/rows.csv"), column, 3, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, "nowhere/rows.csv: cannot be written: No such file"));
  assert_int_equal(mkdir(path_of("folder.csv"), 0777), 0);
  assert_int_equal(ut_sheet_open(&t, path_of("folder.csv"), column, 3, &e), -1);
  assert_non_null(strstr(e.text, "folder"));
  /* a device, through a link that stays */
  char *path = path_of("full.csv");
  assert_int_equal(symlink("/dev/full", path), 0);
  const unsigned before = files();
  assert_int_equal(ut_sheet_open(&t, path, column, 3, &e), 0);
  for (unsigned i = 0; i < 100000; i++)
    write_rows(&t);
  assert_false(ut_sheet_good(&t));
  assert_int_equal(ut_sheet_close(&t, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, "full.csv: cannot be written: No space left"));
  assert_int_equal(files(), before);
  struct stat s;
  assert_int_equal(lstat(path, &s), 0);
  assert_true(S_ISLNK(s.st_mode));
  /* a link to a plain file: the file is replaced, not the link */
  assert_int_equal(symlink("rows.csv", path_of("link.csv")), 0);
  assert_int_equal(ut_sheet_open(&t, path_of("link.csv"), column, 3, &e), 0);
  assert_int_equal(ut_sheet_close(&t, &e), 0);
  assert_string_equal(content_of(path_of("rows.csv")), "one,two,three\n");
}

static void names(void **state) {
  (void)state;
  assert_true(ut_sheet_is_named("a.csv") && ut_sheet_is_named("b/.x.json"));
  assert_false(ut_sheet_is_named(".csv") || ut_sheet_is_named("a.txt") || ut_sheet_is_named("csv") ||
               ut_sheet_is_named("") || ut_sheet_is_named("a.csv.gz"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_formats), cmocka_unit_test(many_rows), cmocka_unit_test(given_up),
      cmocka_unit_test(bad_files),    cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
