/* SPDX-License-Identifier: Apache-2.0 */
/* test_printed.c - reproduce/: printed values and verdicts, and the experiments that there are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "experiment.h"
#include "points.h"
#include "printed.h"
#include "sweep_file.h"

#define HEAD "name\tprinted\tunit\ttolerance\tsource\tquery\n"

/* Writes a table to a file, reads it; its status. */
static int load(struct ut_printed_table *t, const char *text, struct ut_error *e) {
  char path[] = "/tmp/test_printed.XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  const int status = ut_printed_load(t, path, e);
  unlink(path);
  return status;
}

static enum ut_verdict verdict_of(const char *printed, const char *tolerance, double measured, double half) {
  struct ut_printed_table t;
  struct ut_error e;
  char text[256];
  snprintf(text, sizeof text, HEAD "a\t%s\t\t%s\tfigure 1\tSELECT 1\n", printed, tolerance);
  assert_int_equal(load(&t, text, &e), 0);
  const enum ut_verdict v = ut_printed_verdict(&t.value[0], measured, half);
  ut_printed_free(&t);
  return v;
}

static enum ut_verdict verdict(const char *printed, const char *tolerance, double measured) {
  return verdict_of(printed, tolerance, measured, 0);
}

static void verdicts(void **state) {
  (void)state;
  assert_int_equal(verdict("0.35", "0", 0.354), UT_EQUAL); /* as many digits as are printed */
  assert_int_equal(verdict("0.35", "0", 0.355), UT_EQUAL);
  assert_int_equal(verdict("0.35", "0", 0.3551), UT_DIFFERS);
  assert_int_equal(verdict("0.35", "0.02", 0.37), UT_WITHIN);
  assert_int_equal(verdict("0.35", "0.02", 0.3701), UT_DIFFERS);
  assert_int_equal(verdict("200", "5%", 191), UT_WITHIN);
  assert_int_equal(verdict("200", "5%", 189), UT_DIFFERS);
  assert_int_equal(verdict("-40", "5%", -42), UT_WITHIN);
  assert_int_equal(verdict("48", "0", 48.4), UT_EQUAL);
  assert_int_equal(verdict("<0.1", "0", -5), UT_EQUAL);
  assert_int_equal(verdict("<0.1", "0", 0.2), UT_DIFFERS);
  assert_int_equal(verdict(">5", "1", 4.5), UT_WITHIN);
  assert_int_equal(verdict(">0", "0", 0), UT_DIFFERS);
  assert_int_equal(verdict("10..12", "0", 12), UT_EQUAL);
  assert_int_equal(verdict("10..12", "10%", 13.1), UT_WITHIN); /* of the larger end: 1.2 */
  assert_int_equal(verdict("10..12", "10%", 13.3), UT_DIFFERS);
  assert_int_equal(verdict("-5..0", "0", -6), UT_DIFFERS);
  assert_int_equal(verdict("1", "1", NAN), UT_NOT_MEASURED);
}

/* What is drawn at random has an interval, which decides. */
static void verdicts_of_intervals(void **state) {
  (void)state;
  static const struct {
    const char *printed, *tolerance;
    double measured, half;
    enum ut_verdict verdict;
  } cases[] = {
      {"0.35", "0.02", 0.36, 0.01, UT_EQUAL},           /* the number lies in the interval */
      {"0.35", "0.02", 0.36, 0.009, UT_WITHIN},         /* beside it */
      {"0.4", "0", 0.3639, 0.01, UT_WITHIN},            /* rounding is no equality */
      {"0.35", "0.02", 0.36, 0.03, UT_WITHIN},          /* an interval that is too wide shows no equality */
      {"0.35", "0.02", 0.38, 0.02, UT_NOT_SIGNIFICANT}, /* it may be within the tolerance */
      {"0.35", "0.02", 0.38, 0.009, UT_DIFFERS},
      {">0", "0", 0.5, 0.4, UT_EQUAL},
      {">0", "0", 0.5, 0.6, UT_NOT_SIGNIFICANT},
      {">0", "0", -0.5, 0.6, UT_NOT_SIGNIFICANT},
      {">0", "0", -0.5, 0.4, UT_DIFFERS},
      {">0", "1", -0.5, 0.4, UT_WITHIN},
      {"10..12", "0", 11, 0.5, UT_EQUAL},
      {"10..12", "0", 11.8, 0.5, UT_NOT_SIGNIFICANT},
      {"10..12", "0", 13, 0.5, UT_DIFFERS},
      {">0", "0", 5, INFINITY, UT_NOT_SIGNIFICANT}, /* one run shows nothing */
      {"5", "1", 5, INFINITY, UT_WITHIN},
      {"5", "1", 9, INFINITY, UT_NOT_SIGNIFICANT},
      {"5", "1", NAN, 0, UT_NOT_MEASURED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const enum ut_verdict v = verdict_of(cases[i].printed, cases[i].tolerance, cases[i].measured, cases[i].half);
    if (v != cases[i].verdict)
      fail_msg("printed %s, tolerance %s, measured %g +- %g: verdict %d, expected %d", cases[i].printed,
               cases[i].tolerance, cases[i].measured, cases[i].half, (int)v, (int)cases[i].verdict);
  }
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"name\tprinted\n", "six columns"},
      {"name\tvalue\tunit\ttolerance\tsource\tquery\n", "column 2 must be named 'printed'"},
      {HEAD, "no value"},
      {HEAD "a\t1\t\t0\tx\n", ":2: six columns"},
      {HEAD "a\tabout 1\t\t0\tx\tSELECT 1\n", "is not a printed value"},
      {HEAD "a\t12..10\t\t0\tx\tSELECT 1\n", "is not a printed value"},
      {HEAD "a\tnan\t\t0\tx\tSELECT 1\n", "is not a printed value"},
      {HEAD "a\t1\t\t-1\tx\tSELECT 1\n", "is no tolerance"},
      {HEAD "a\t1\t\t5 %\tx\tSELECT 1\n", "is no tolerance"},
      {HEAD "a\t1\t\t0\tx\tSELECT 1\na\t2\t\t0\tx\tSELECT 1\n", "name of line 2 already"},
      {HEAD "a\t1\t\t0\tx\t\n", "needs a name and a query"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct ut_printed_table t;
    struct ut_error e;
    assert_int_equal(load(&t, bad[i].text, &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    if (!strstr(e.text, bad[i].says))
      fail_msg("'%s' lacks '%s'", e.text, bad[i].says);
  }
}

/* Every experiment of the tree can be read, quick and full; reasons are those of values. */
static void experiments(void **state) {
  (void)state;
  struct ut_error e;
  size_t count;
  char **names = ut_experiment_list(UTURN_SOURCE_DIR "/experiments", &count, &e);
  assert_true(count >= 20);
  for (size_t i = 0; i < 2 * count; i++) {
    struct ut_experiment x;
    if (ut_experiment_load(&x, UTURN_SOURCE_DIR "/experiments", names[i / 2], i % 2, &e))
      fail_msg("%s", e.text);
    assert_true(x.sweeps > 0 && x.printed.values > 0);
    for (size_t j = 0; j < x.sweeps; j++) {
      struct ut_sweep *s = ut_sweep_read(x.path, x.sweep[j].text, x.sweep[j].length, &e);
      if (!s)
        fail_msg("%s, %s: %s", x.name, x.sweep[j].name, e.text);
      if (ut_points_check(s, &e))
        fail_msg("%s, %s: %s", x.name, x.sweep[j].name, e.text);
      ut_sweep_free(s);
    }
    ut_experiment_free(&x);
  }
  ut_experiment_list_free(names, count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verdicts),
      cmocka_unit_test(verdicts_of_intervals),
      cmocka_unit_test(refused),
      cmocka_unit_test(experiments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
