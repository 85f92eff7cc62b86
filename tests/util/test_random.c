/* SPDX-License-Identifier: Apache-2.0 */
/* test_random.c - csim/util/random */
#include "random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Published, not recorded: the known answer of Random123 1.14 (tests/kat_vectors, threefry2x64 20 rounds, counter and
 * key 0). */
static void first_block_is_threefry(void **state) {
  (void)state;
  struct ut_random r;
  ut_random_init(&r, 0, (enum ut_random_purpose)0, 0);
  uint64_t high = ut_random_u32(&r);
  assert_int_equal(high << 32 | ut_random_u32(&r), UINT64_C(0x6f81ed42f350084d));
  high = ut_random_u32(&r);
  assert_int_equal(high << 32 | ut_random_u32(&r), UINT64_C(0xc2b6e3a8c2c69865));
}

static void streams_are_reproducible_and_differ(void **state) {
  (void)state;
  struct ut_random a, b, other[4];
  ut_random_init(&a, 7, UT_RANDOM_TEST, 3);
  ut_random_init(&b, 7, UT_RANDOM_TEST, 3);
  ut_random_init(&other[0], 8, UT_RANDOM_TEST, 3);
  ut_random_init(&other[1], 7, UT_RANDOM_FAULTS, 3);
  ut_random_init(&other[2], 7, UT_RANDOM_TEST, 4);
  ut_random_init(&other[3], 7 + (UINT64_C(1) << 32), UT_RANDOM_TEST, 3);
  unsigned same[4] = {0};
  for (unsigned i = 0; i < 1000; i++) {
    uint32_t word = ut_random_u32(&a);
    assert_int_equal(word, ut_random_u32(&b));
    for (unsigned j = 0; j < 4; j++)
      same[j] += word == ut_random_u32(&other[j]);
  }
  for (unsigned j = 0; j < 4; j++)
    assert_true(same[j] <= 1);
}

static void below_is_uniform(void **state) {
  (void)state;
  enum { DRAWS = 70000 };
  struct ut_random r;
  ut_random_init(&r, 1, UT_RANDOM_TEST, 0);
  unsigned seen[7] = {0};
  for (unsigned i = 0; i < DRAWS; i++) {
    uint32_t x = ut_random_below(&r, 7);
    assert_true(x < 7);
    seen[x]++;
  }
  for (unsigned i = 0; i < 7; i++)
    assert_in_range(seen[i], 9600, 10400); /* 10000, standard deviation 93 */
  for (unsigned i = 0; i < 100; i++)
    assert_int_equal(ut_random_below(&r, 1), 0);
}

/* With n = 3 * 2^30 the multiply-shift method without rejection gives multiples of 3 twice as often as the others. */
static void below_rejects(void **state) {
  (void)state;
  struct ut_random r;
  ut_random_init(&r, 2, UT_RANDOM_TEST, 0);
  unsigned seen[3] = {0};
  for (unsigned i = 0; i < 30000; i++)
    seen[ut_random_below(&r, UINT32_C(3) << 30) % 3]++;
  for (unsigned i = 0; i < 3; i++)
    assert_in_range(seen[i], 9600, 10400);
}

static void unit_lies_in_half_open_interval(void **state) {
  (void)state;
  struct ut_random r = {.word = {0xffffffff, 0xffffffff, 0, 0}, .left = 4};
  assert_true(ut_random_unit(&r) == 0x1p-53);
  assert_true(ut_random_unit(&r) == 1.0);
  ut_random_init(&r, 3, UT_RANDOM_TEST, 0);
  double sum = 0;
  for (unsigned i = 0; i < 100000; i++) {
    double x = ut_random_unit(&r);
    assert_true(x > 0 && x <= 1);
    sum += x;
  }
  assert_true(sum > 49600 && sum < 50400); /* standard deviation 91 */
}

static bool near(double a, double b) {
  double difference = a > b ? a - b : b - a;
  return difference <= 1e-15 * (b < 0 ? -b : b);
}

static void logarithm(void **state) {
  (void)state;
  assert_true(ut_minus_log(1) == 0);
  assert_true(near(ut_minus_log(0.5), 0.69314718055994530942));
  assert_true(near(ut_minus_log(0x1p-53), 36.7368005696771013991));
  assert_true(near(ut_minus_log(0.1), 2.30258509299404568402));
  assert_true(near(ut_minus_log(0.75), 0.28768207245178092744));
  assert_true(near(ut_minus_log(0.70710678118654757), 0.34657359027997261)); /* at the change of the exponent */
  assert_true(near(ut_minus_log(1 - 0x1p-53), 1.1102230246251565e-16));
  assert_true(near(ut_minus_log(10), -2.30258509299404568402));
}

/* Between powers of two: every part of the table, and both ends of each. */
static void logarithms(void **state) {
  (void)state;
  for (int exponent = -54; exponent < 54; exponent += exponent < -4 || exponent > 4 ? 10 : 1)
    for (unsigned i = 0; i < 512; i++)
      for (int side = 0; side < 2; side++) {
        const double x = ldexp(1 + (i + (side ? 1 - 0x1p-30 : 0)) / 512.0, exponent), log = (double)-logl(x);
        const double error = fabs(ut_minus_log(x) - log);
        assert_true(error <= 4e-16 + 3e-16 * fabs(log));
      }
  for (unsigned i = 1; i < 1024; i++) /* the first part, where the value itself is small */
    assert_true(near(ut_minus_log(1 + i * 0x1p-16), (double)-logl(1 + i * 0x1p-16L)));
}

/* Pairs side by side are those of Random123, one after the other. */
static void pairs_are_in_order(void **state) {
  (void)state;
  struct ut_random one, many;
  for (uint32_t stream = 0; stream < 100; stream++) {
    ut_random_init(&one, UINT64_C(0x9e3779b97f4a7c15) * stream, UT_RANDOM_TEST, stream);
    many = one;
    for (unsigned i = 0; i < 5; i++) {
      uint64_t pair[2], pairs[2 * UT_RANDOM_PAIRS];
      ut_random_pairs(&many, pairs);
      for (unsigned j = 0; j < UT_RANDOM_PAIRS; j++) {
        ut_random_pair(&one, pair);
        assert_memory_equal(pair, pairs + 2 * j, sizeof pair);
      }
    }
    assert_int_equal(ut_random_u32(&one), ut_random_u32(&many));
  }
}

static void exponential(void **state) {
  (void)state;
  struct ut_random r;
  ut_random_init(&r, 4, UT_RANDOM_TEST, 0);
  double sum = 0;
  unsigned above_2 = 0;
  for (unsigned i = 0; i < 100000; i++) {
    uint64_t pair[2];
    ut_random_pair(&r, pair);
    double x = ut_exponential_of(pair[0] >> 24);
    assert_true(x >= 0);
    sum += x;
    above_2 += x > 2;
  }
  assert_true(sum > 98700 && sum < 101300); /* standard deviation 316 */
  assert_in_range(above_2, 13100, 13970);   /* 100000 / e^2 = 13534, standard deviation 108 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_block_is_threefry),
      cmocka_unit_test(streams_are_reproducible_and_differ),
      cmocka_unit_test(below_is_uniform),
      cmocka_unit_test(below_rejects),
      cmocka_unit_test(logarithm),
      cmocka_unit_test(logarithms),
      cmocka_unit_test(unit_lies_in_half_open_interval),
      cmocka_unit_test(pairs_are_in_order),
      cmocka_unit_test(exponential),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
