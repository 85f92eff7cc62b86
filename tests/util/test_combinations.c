/* SPDX-License-Identifier: Apache-2.0 */
/* test_combinations.c - csim/util/combinations */
#include "combinations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 100 };

/* Pascal's triangle, where a number that is too large stays so. */
static void triangle(void **state) {
  (void)state;
  uint64_t row[ROWS + 1] = {1};
  for (unsigned n = 0; n < ROWS; n++) {
    for (unsigned r = 0; r <= n + 3; r++)
      assert_int_equal(ut_binomial(n, r), r <= n ? row[r] : 0);
    for (unsigned r = n + 1; r > 0; r--)
      if (__builtin_add_overflow(row[r], row[r - 1], &row[r]))
        row[r] = UINT64_MAX;
  }
}

/* A few of very many, and all but a few: that is no more work. */
static void of_many(void **state) {
  (void)state;
  static const uint64_t many[] = {65536,
                                  UINT32_MAX / 2,
                                  UINT32_C(1) << 31,
                                  UINT32_MAX,
                                  UINT64_C(1) << 32,
                                  (UINT64_C(1) << 32) + 1,
                                  (UINT64_C(1) << 33) - 1,
                                  UINT64_C(1) << 33,
                                  UINT64_C(1) << 34,
                                  UINT64_C(1) << 40,
                                  UINT64_MAX / 2,
                                  UINT64_MAX - 1};
  for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
    const uint64_t n = many[i];
    const unsigned __int128 pairs = (unsigned __int128)n * (n - 1) / 2, most = UINT64_MAX;
    const unsigned __int128 triples = pairs < most ? pairs * (n - 2) / 3 : most;
    const unsigned __int128 wanted[] = {1, n, pairs, triples};
    for (unsigned r = 0; r < 4; r++) {
      const uint64_t value = wanted[r] < most ? (uint64_t)wanted[r] : UINT64_MAX;
      assert_int_equal(ut_binomial(n, r), value);
      assert_int_equal(ut_binomial(n, n - r), value);
    }
    assert_int_equal(ut_binomial(n, n + 1), 0);
  }
}

/* All combinations, in their order. */
static void in_order(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 7; n++)
    for (unsigned r = 1; r <= n; r++) {
      uint32_t set[8], last[8];
      uint64_t all = ut_binomial(n, r);
      for (uint64_t i = 0; i < all; i++) {
        ut_combination_get(i, n, r, set);
        unsigned same = 0;
        for (unsigned j = 0; j < r; j++)
          assert_true(set[j] < n && (!j || set[j] > set[j - 1]));
        for (; i && same < r && set[same] == last[same]; same++)
          ;
        assert_true(!i || (same < r && set[same] > last[same]));
        for (unsigned j = 0; j < r; j++)
          last[j] = set[j];
      }
    }
}

/* Every one as often as the others. */
static void drawn(void **state) {
  (void)state;
  struct ut_random random;
  unsigned seen[32] = {0};
  ut_random_init(&random, 5, UT_RANDOM_TEST, 0);
  for (unsigned i = 0; i < 10000; i++) {
    uint32_t set[3];
    ut_combination_draw(&random, 5, 3, set);
    assert_true(set[0] < set[1] && set[1] < set[2] && set[2] < 5);
    seen[1u << set[0] | 1u << set[1] | 1u << set[2]]++;
  }
  for (unsigned i = 0; i < 32; i++)
    if (__builtin_popcount(i) == 3)
      assert_in_range(seen[i], 880, 1120); /* 1000, standard deviation 30 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle),
      cmocka_unit_test(of_many),
      cmocka_unit_test(in_order),
      cmocka_unit_test(drawn),
  };
  return cmocka_run_group_tests_name("combinations", tests, NULL, NULL);
}
