/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util/output: what takes the name of a file while that is being written is not replaced by it, and what
 * was read is not replaced at all. */
#include "output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "input.h"

static char path[64];

static void opened(struct ut_output *o, const char *name) {
  struct ut_error e;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(ut_output_open(o, path, UT_OUTPUT_ANY, &e), 0);
  fputs("new\n", o->file);
}

/* It cannot be completed, for this reason; the file beside it is gone. */
static void refused(struct ut_output *o, const char *why) {
  struct ut_error e;
  char part[128];
  snprintf(part, sizeof part, "%s", o->part);
  assert_int_equal(access(part, F_OK), 0);
  assert_int_equal(ut_output_close(o, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, why));
  assert_non_null(strstr(e.text, path));
  assert_null(o->file);
  assert_int_not_equal(access(part, F_OK), 0);
}

static mode_t kind(void) {
  struct stat s;
  assert_int_equal(lstat(path, &s), 0);
  return s.st_mode & S_IFMT;
}

static void pipe_in_between(void **state) {
  (void)state;
  struct ut_output o;
  opened(&o, "pipe");
  assert_int_equal(mkfifo(path, 0600), 0);
  refused(&o, "this is a pipe");
  assert_int_equal(kind(), S_IFIFO);
}

static void link_in_between(void **state) {
  (void)state;
  struct ut_output o;
  opened(&o, "link");
  assert_int_equal(symlink("/dev/null", path), 0);
  refused(&o, "this is a symbolic link");
  assert_int_equal(kind(), S_IFLNK);
}

static void folder_in_between(void **state) {
  (void)state;
  struct ut_output o;
  opened(&o, "folder");
  assert_int_equal(mkdir(path, 0700), 0);
  refused(&o, "this is a folder");
  assert_int_equal(kind(), S_IFDIR);
}

/* A file that another run has completed meanwhile is replaced: the last one counts. */
static void file_in_between(void **state) {
  (void)state;
  struct ut_output o;
  struct ut_error e;
  opened(&o, "file");
  FILE *other = fopen(path, "w");
  fputs("a longer line\n", other);
  fclose(other);
  assert_int_equal(ut_output_close(&o, &e), 0);
  struct stat s;
  assert_int_equal(stat(path, &s), 0);
  assert_int_equal(s.st_size, 4);
}

/* What was read is not replaced, by whatever name; what was read to be written anew is. */
static void what_was_read(void **state) {
  (void)state;
  struct ut_output o;
  struct ut_error e;
  char other[80];
  opened(&o, "scenario");
  assert_int_equal(ut_output_close(&o, &e), 0);
  FILE *f = ut_input_open(path, "scenario", UT_INPUT_REPLACED, &e);
  fclose(f);
  assert_int_equal(ut_output_check(path, UT_OUTPUT_ANY, &e), 0);
  f = ut_input_open(path, "scenario", UT_INPUT_ONCE, &e);
  fclose(f);
  snprintf(other, sizeof other, "%s.link", path);
  assert_int_equal(link(path, other), 0);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(ut_output_open(&o, i ? other : path, UT_OUTPUT_ANY, &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    assert_non_null(strstr(e.text, "cannot be written: this command reads it"));
  }
  assert_int_equal(access(path, R_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_read), cmocka_unit_test(pipe_in_between),
                                     cmocka_unit_test(link_in_between), cmocka_unit_test(folder_in_between),
                                     cmocka_unit_test(file_in_between)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
