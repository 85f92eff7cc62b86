/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util: numbers of command lines, control characters in messages, files that are whole or not there. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "number.h"
#include "output.h"

static void numbers(void **state) {
  (void)state;
  uint64_t n = 7;
  double x = 7;
  assert_true(ut_number_is("18446744073709551615", UINT64_MAX, &n) && n == UINT64_MAX);
  assert_true(ut_number_is("0", 0, &n) && n == 0);
  assert_true(ut_number_is("0010", 10, &n) && n == 10);
  static const char *const bad[] = {"", " 1", "+1", "-1", "1 ", "1x", "18446744073709551616", "99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(ut_number_is(bad[i], UINT64_MAX, &n));
  assert_false(ut_number_is("1", 0, &n));
  assert_false(ut_number_is("256", 255, &n));
  assert_true(ut_number_is("255", 255, &n) && n == 255);
  assert_true(ut_real_is(".5", &x) && x == 0.5);
  assert_true(ut_real_is("1e-3", &x) && x == 1e-3);
  static const char *const unreal[] = {"", ".", " 1", "+1", "-1", "nan", "inf", "1e999", "0x1", "1.2.3"};
  for (size_t i = 0; i < sizeof unreal / sizeof *unreal; i++)
    assert_false(ut_real_is(unreal[i], &x));
}

static void controls(void **state) {
  (void)state;
  struct ut_error e;
  ut_fail(&e, UT_BAD_INPUT, "%s",
          "a\033[31m\tb\n\177 gr\303\274n 5\302\240\302\265m \302\237 \302\233 \233 \342\202 \r");
  assert_string_equal(e.text,
                      "a\\x1b[31m\tb\n\\u007f gr\303\274n 5\302\240\302\265m \\u009f \\u009b \\x9b \\xe2\\x82 \\x0d");
  ut_fail(&e, UT_BAD_INPUT, "again: %s", e.text); /* it may be among the arguments */
  assert_true(strncmp(e.text, "again: a\\x1b[31m", 14) == 0);
  char small[6];
  ut_escape_controls(small, sizeof small, "ab\033c"); /* what does not fit is left out, never half of it */
  assert_string_equal(small, "ab");
}

static void outputs(void **state) {
  (void)state;
  struct ut_output o;
  struct ut_error e;
  char folder[] = "/tmp/test_messages.XXXXXX";
  struct stat s;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  assert_int_equal(ut_output_check("x", UT_OUTPUT_REGULAR, &e), 0);
  assert_int_equal(access("x", F_OK), -1);
  assert_int_equal(ut_output_open(&o, "x", UT_OUTPUT_REGULAR, &e), 0);
  fputs("one", o.file);
  assert_int_equal(access("x", F_OK), -1); /* not before it is complete */
  assert_int_equal(ut_output_close(&o, &e), 0);
  assert_int_equal(chmod("x", 0600), 0);
  assert_int_equal(symlink("x", "link"), 0);
  assert_int_equal(ut_output_open(&o, "link", UT_OUTPUT_REGULAR, &e), 0);
  fputs("three", o.file);
  assert_int_equal(ut_output_close(&o, &e), 0);
  assert_true(lstat("link", &s) == 0 && S_ISLNK(s.st_mode));
  assert_true(stat("x", &s) == 0 && s.st_size == 5 && (s.st_mode & 0777) == 0600);
  assert_int_equal(ut_output_open(&o, "x", UT_OUTPUT_ANY, &e), 0);
  fputs("nothing of this", o.file);
  ut_output_drop(&o);
  assert_true(stat("x", &s) == 0 && s.st_size == 5);
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_int_equal(ut_output_check("pipe", UT_OUTPUT_REGULAR, &e), -1);
  assert_int_equal(ut_output_check("pipe", UT_OUTPUT_ANY, &e), -1); /* nobody reads: it does not wait */
  assert_non_null(strstr(e.text, "nobody reads"));
  assert_int_equal(ut_output_check("/dev/null", UT_OUTPUT_ANY, &e), 0);
  assert_int_equal(ut_output_check("/dev/null", UT_OUTPUT_REGULAR, &e), -1);
  assert_true(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
  static const char *const left[] = {"x", "link", "pipe"};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    assert_int_equal(unlink(left[i]), 0);
  assert_int_equal(chdir("/"), 0);
  assert_int_equal(rmdir(folder), 0); /* nothing else is there */
}

/* Another run that makes the same file. */
static atomic_bool enough;
static void *make_it(void *path) {
  while (!atomic_load(&enough)) {
    const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0)
      close(fd);
  }
  return NULL;
}

/* A file that appears while an output looks whether it is there: replaced, like any other. */
static void appears_meanwhile(void **state) {
  (void)state;
  char path[] = "/tmp/test_messages.XXXXXX";
  struct ut_error e;
  pthread_t other;
  const int fd = mkstemp(path);
  assert_true(fd >= 0 && close(fd) == 0);
  atomic_store(&enough, false);
  assert_int_equal(pthread_create(&other, NULL, make_it, path), 0);
  unsigned refused = 0;
  for (unsigned i = 0; i < 20000; i++) {
    unlink(path);
    refused += ut_output_check(path, UT_OUTPUT_REGULAR, &e) != 0;
  }
  atomic_store(&enough, true);
  assert_int_equal(pthread_join(other, NULL), 0);
  unlink(path);
  assert_int_equal(refused, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(controls), cmocka_unit_test(outputs),
                                     cmocka_unit_test(appears_meanwhile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
