/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util/estimate: against tables of Student's t. */
#include "estimate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"

static void known_intervals(void **state) {
  (void)state;
  static const double five[] = {1, 2, 3, 4, 5}, same[] = {7, 7, 7}, two[] = {1, 3};
  struct ut_estimate e = ut_estimate_of(five, 5, 0.95);
  assert_true(fabs(e.mean - 3) < 1e-12 && e.n == 5);
  assert_true(fabs(e.half_width - 2.7764451 * sqrt(2.5 / 5)) < 1e-6); /* t for 4 degrees of freedom */
  e = ut_estimate_of(five, 5, 0.99);
  assert_true(fabs(e.half_width - 4.6040949 * sqrt(2.5 / 5)) < 1e-6);
  e = ut_estimate_of(two, 2, 0.95);
  assert_true(fabs(e.mean - 2) < 1e-12 && fabs(e.half_width - 12.7062047 * sqrt(2.0 / 2)) < 1e-6);
  e = ut_estimate_of(same, 3, 0.95);
  assert_true(e.mean == 7 && e.half_width == 0);
  e = ut_estimate_of(five, 1, 0.95);
  assert_true(e.mean == 1 && isnan(e.half_width));
  e = ut_estimate_of(NULL, 0, 0.95);
  assert_true(isnan(e.mean) && isnan(e.half_width));
}

/* Of means of uniform numbers so many intervals hold the true one. */
static void intervals_hold_the_mean(void **state) {
  (void)state;
  enum { TRIES = 4000, VALUES = 6 };
  struct ut_random random;
  unsigned held = 0;
  ut_random_init(&random, 1, 0, 0);
  for (unsigned i = 0; i < TRIES; i++) {
    double value[VALUES];
    for (unsigned k = 0; k < VALUES; k++)
      value[k] = (double)ut_random_below(&random, 1000001) / 1e6;
    const struct ut_estimate e = ut_estimate_of(value, VALUES, 0.9);
    held += fabs(e.mean - 0.5) <= e.half_width;
  }
  assert_in_range(held, TRIES * 88 / 100, TRIES * 92 / 100);
}

/* Published bounds; and those of none and of all, which can be written down. */
static void shares(void **state) {
  (void)state;
  struct ut_bounds b = ut_estimate_share(5, 10, 0.95);
  assert_true(fabs(b.low - 0.187086) < 1e-6 && fabs(b.high - 0.812914) < 1e-6);
  b = ut_estimate_share(0, 20, 0.95);
  assert_true(b.low == 0 && fabs(b.high - (1 - pow(0.025, 1.0 / 20))) < 1e-9);
  b = ut_estimate_share(20, 20, 0.95);
  assert_true(b.high == 1 && fabs(b.low - pow(0.025, 1.0 / 20)) < 1e-9);
  b = ut_estimate_share(14281, 100000, 0.95); /* where an inverse of GSL does not converge */
  assert_true(fabs(b.low - 0.140645) < 1e-5 && fabs(b.high - 0.144993) < 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_intervals), cmocka_unit_test(intervals_hold_the_mean),
                                     cmocka_unit_test(shares)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
