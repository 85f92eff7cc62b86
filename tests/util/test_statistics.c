/* SPDX-License-Identifier: Apache-2.0 */
/* test_statistics.c - csim/util/statistics */
#include "statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static int setup(void **state) {
  struct ut_histogram *h = malloc(sizeof *h);
  *state = h;
  return h && ut_histogram_init(h) ? 0 : -1;
}

static int teardown(void **state) {
  ut_histogram_free(*state);
  free(*state);
  return 0;
}

static void empty(void **state) {
  const struct ut_histogram *h = *state;
  assert_int_equal(h->count, 0);
  assert_int_equal(h->max, 0);
  assert_true(ut_histogram_mean(h) == 0);
  assert_int_equal(ut_histogram_percentile(h, 50), 0);
}

static void nearest_rank(void **state) {
  struct ut_histogram *h = *state;
  static const uint64_t values[] = {50, 15, 40, 20, 35};
  for (unsigned i = 0; i < 5; i++)
    assert_true(ut_histogram_add(h, values[i]));
  assert_int_equal(h->count, 5);
  assert_int_equal(h->sum, 160);
  assert_int_equal(h->max, 50);
  assert_true(ut_histogram_mean(h) == 32);
  assert_int_equal(ut_histogram_percentile(h, 0), 15);
  assert_int_equal(ut_histogram_percentile(h, 5), 15);
  assert_int_equal(ut_histogram_percentile(h, 20), 15);
  assert_int_equal(ut_histogram_percentile(h, 20.1), 20);
  assert_int_equal(ut_histogram_percentile(h, 30), 20);
  assert_int_equal(ut_histogram_percentile(h, 40), 20);
  assert_int_equal(ut_histogram_percentile(h, 50), 35);
  assert_int_equal(ut_histogram_percentile(h, 100), 50);
}

static void percentages_without_an_exact_double(void **state) {
  struct ut_histogram *h = *state;
  for (uint64_t i = 1; i <= 1000; i++) {
    assert_true(ut_histogram_add(h, i));
    assert_int_equal(h->max, i);
  }
  assert_int_equal(ut_histogram_percentile(h, 99), 990);
  assert_int_equal(ut_histogram_percentile(h, 99.9), 999);
  assert_int_equal(ut_histogram_percentile(h, 99.99), 1000);
  assert_int_equal(ut_histogram_percentile(h, 0.1), 1);
  assert_int_equal(ut_histogram_percentile(h, 0.7), 7);
  for (unsigned i = 1; i <= 1000; i++)
    assert_int_equal(ut_histogram_percentile(h, i / 10.0), i);
}

static void pages(void **state) {
  struct ut_histogram *h = *state;
  static const uint64_t values[] = {4095, 4096, 8191, 8192, 1000000, 40000, 0};
  for (unsigned i = 0; i < 7; i++)
    assert_true(ut_histogram_add(h, values[i]));
  assert_int_equal(h->count, 7);
  assert_int_equal(h->sum, 4095 + 4096 + 8191 + 8192 + 1000000 + 40000);
  assert_int_equal(h->max, 1000000);
  static const uint64_t sorted[] = {0, 4095, 4096, 8191, 8192, 40000, 1000000};
  for (unsigned i = 0; i < 7; i++)
    assert_int_equal(ut_histogram_percentile(h, (i + 1) * 100 / 7.0), sorted[i]);
}

/* A page behind many that are missing, and one a little behind it: what is in both is found. */
static void distant_pages(void **state) {
  (void)state;
  for (uint64_t a = 1; a <= 12; a++)
    for (uint64_t b = a + 1; b <= 30; b++) {
      struct ut_histogram h;
      assert_true(ut_histogram_init(&h));
      const uint64_t values[] = {a * 4096 - 1, a * 4096, b * 4096, b * 4096 + 4094, b * 4096 + 4095};
      for (unsigned i = 0; i < 5; i++)
        assert_true(ut_histogram_add(&h, values[i]));
      for (unsigned i = 0; i < 5; i++)
        assert_int_equal(ut_histogram_percentile(&h, 20 * i + 10), values[i]);
      assert_true(h.pages >= b);
      assert_int_equal(h.max, values[4]);
      ut_histogram_free(&h);
    }
}

static void an_impossible_size_is_refused(void **state) {
  struct ut_histogram *h = *state;
  assert_true(ut_histogram_add(h, 5));
  assert_false(ut_histogram_add(h, UINT64_MAX));
  assert_false(ut_histogram_add(h, UT_HISTOGRAM_LIMIT));
  assert_int_equal(h->count, 1);
  assert_int_equal(h->max, 5);
}

/* Merging in any order equals adding everything to one, to the last page: the largest value comes first. */
static void merge(void **state) {
  struct ut_histogram *all = *state, part[2], sum;
  assert_true(ut_histogram_init(&part[0]) && ut_histogram_init(&part[1]) && ut_histogram_init(&sum));
  for (uint64_t i = 0; i < 3000; i++) {
    const uint64_t value = i < 2 ? 30010 : i * i % 30011;
    assert_true(ut_histogram_add(all, value));
    assert_true(ut_histogram_add(&part[i % 3 == 0], value));
  }
  assert_true(ut_histogram_merge(&sum, &part[1]));
  assert_true(ut_histogram_merge(&sum, &part[0]));
  assert_int_equal(sum.count, all->count);
  assert_int_equal(sum.sum, all->sum);
  assert_int_equal(sum.max, all->max);
  for (unsigned percent = 0; percent <= 100; percent++)
    assert_int_equal(ut_histogram_percentile(&sum, percent), ut_histogram_percentile(all, percent));
  ut_histogram_free(&part[0]);
  ut_histogram_free(&part[1]);
  ut_histogram_free(&sum);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(empty),         TEST(nearest_rank), TEST(percentages_without_an_exact_double), TEST(pages),
      TEST(distant_pages), TEST(merge),        TEST(an_impossible_size_is_refused),
  };
  return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
