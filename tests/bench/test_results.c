/* SPDX-License-Identifier: Apache-2.0 */
/* test_results.c - bench/results: which figures are compared, and when one counts as slower */
#include "results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *results(double instructions, double rate) {
  json_t *r = ut_results_new("/", "0.0.1");
  json_t *c = ut_results_add(r, "shapes", "one", 0.2);
  ut_figure_set(c, UT_INSTRUCTIONS, instructions);
  ut_figure_set(c, UT_GOLDEN_RATE, rate);
  return r;
}

static void new_results(void **state) {
  (void)state;
  json_t *r = ut_results_new("/", "0.0.1"); /* no repository of git's */
  assert_string_equal(json_string_value(json_object_get(r, "version")), "0.0.1");
  assert_int_equal(strlen(json_string_value(json_object_get(r, "date"))), 10);
  assert_true(json_integer_value(json_object_get(r, "processors")) > 0);
  assert_int_equal(json_array_size(json_object_get(r, "cases")), 0);
  json_decref(r);
}

static void figures(void **state) {
  (void)state;
  json_t *r = results(100, 2e6);
  const json_t *c = json_array_get(json_object_get(r, "cases"), 0);
  assert_true(ut_figure_get(c, UT_INSTRUCTIONS) == 100 && ut_figure_get(c, UT_GOLDEN_RATE) == 2e6);
  for (enum ut_figure_index f = UT_HOP_RATE; f < UT_FIGURES; f++)
    assert_true(isnan(ut_figure_get(c, f)));
  json_decref(r);
}

/* Slower by `percent`: which of instructions and rate. */
static void check(double instructions, double rate, double percent, bool more_instructions, bool lower_rate) {
  json_t *old = results(100, 2e6), *new = results(instructions, rate), *list = ut_results_compare(old, new, percent);
  assert_int_equal(json_array_size(list), 2);
  const json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);
  assert_string_equal(json_string_value(json_object_get(first, "figure")), "golden.instructions_per_flit_hop");
  assert_string_equal(json_string_value(json_object_get(second, "figure")), "golden.switch_cycles_per_s");
  assert_true(fabs(json_number_value(json_object_get(first, "ratio")) - instructions / 100) < 1e-9);
  assert_int_equal(json_is_true(json_object_get(first, "slower")), more_instructions);
  assert_int_equal(json_is_true(json_object_get(second, "slower")), lower_rate);
  json_decref(list);
  json_decref(old);
  json_decref(new);
}

static void slower(void **state) {
  (void)state;
  check(100, 2e6, 0, false, false);
  check(104, 1.93e6, 5, false, false);
  check(104, 1.93e6, 3, true, true);
  check(50, 9e6, 5, false, false); /* better is not worse */
}

static void other_cases(void **state) {
  (void)state;
  json_t *old = results(100, 2e6), *new = ut_results_new("/", "0.0.1");
  ut_figure_set(ut_results_add(new, "shapes", "one", 0.05), UT_INSTRUCTIONS, 100);
  ut_figure_set(ut_results_add(new, "shapes", "two", 0.2), UT_INSTRUCTIONS, 100);
  ut_figure_set(ut_results_add(new, "booksim", "one", 0.2), UT_INSTRUCTIONS, 100);
  ut_results_add(new, "shapes", "one", 0.2); /* the same one, without figures */
  json_t *list = ut_results_compare(old, new, 5);
  assert_int_equal(json_array_size(list), 0);
  json_decref(list);
  /* results of the time before groups */
  json_object_del(json_array_get(json_object_get(old, "cases"), 0), "group");
  list = ut_results_compare(old, new, 5);
  assert_int_equal(json_array_size(list), 1);
  json_decref(list);
  json_decref(old);
  json_decref(new);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_results),
      cmocka_unit_test(figures),
      cmocka_unit_test(slower),
      cmocka_unit_test(other_cases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
