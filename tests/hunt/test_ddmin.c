/* SPDX-License-Identifier: Apache-2.0 */
/* test_ddmin.c - delta debugging: what is left fails, and without any one of it nothing does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ddmin.h"
#include "random.h"

enum { MOST = 300 };

/* A set fails if it has one of these groups of numbers whole: several causes, each of several elements. */
struct causes {
  size_t group[3][4];
  unsigned groups, each;
  unsigned asked, stop_after; /* 0: never */
};

static bool has(const size_t *kept, size_t count, size_t number) {
  for (size_t i = 0; i < count; i++)
    if (kept[i] == number)
      return true;
  return false;
}

static bool fails(void *ctx, const size_t *kept, size_t count) {
  struct causes *c = ctx;
  for (size_t i = 1; i < count; i++)
    if (kept[i] <= kept[i - 1])
      fail_msg("asked for %zu behind %zu: not in ascending order", kept[i], kept[i - 1]);
  if (c->stop_after && c->asked >= c->stop_after)
    return false;
  c->asked++;
  for (unsigned g = 0; g < c->groups; g++) {
    bool whole = true;
    for (unsigned i = 0; i < c->each; i++)
      whole &= has(kept, count, c->group[g][i]);
    if (whole)
      return true;
  }
  return false;
}

static size_t all(size_t *kept, size_t count) {
  for (size_t i = 0; i < count; i++)
    kept[i] = i;
  return count;
}

/* Without any one of them it passes. */
static void expect_minimal(struct causes *c, const size_t *kept, size_t count) {
  size_t less[MOST];
  c->stop_after = 0;
  if (!fails(c, kept, count))
    fail_msg("the %zu elements that are left pass", count);
  for (size_t without = 0; without < count; without++) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
      if (i != without)
        less[left++] = kept[i];
    if (fails(c, less, left))
      fail_msg("element %zu of %zu is left, and not needed", kept[without], count);
  }
}

static void is_minimal(void **state) {
  (void)state;
  for (unsigned seed = 0; seed < 500; seed++) {
    struct ut_random random;
    struct causes c;
    size_t kept[MOST];
    ut_random_init(&random, seed, UT_RANDOM_TEST, 0);
    const size_t count = 1 + ut_random_below(&random, MOST);
    c = (struct causes){.groups = 1 + ut_random_below(&random, 3), .each = 1 + ut_random_below(&random, 4)};
    for (unsigned g = 0; g < c.groups; g++)
      for (unsigned i = 0; i < c.each; i++)
        c.group[g][i] = ut_random_below(&random, (uint32_t)count);
    const size_t left = ut_ddmin(kept, all(kept, count), fails, &c);
    expect_minimal(&c, kept, left);
    if (left > c.each)
      fail_msg("seed %u: %zu elements are left of %zu, of which %u are a cause", seed, left, count, c.each);
  }
}

/* Fails if it has elements 1 to 6, and element 0 as long as it has element 7. */
static bool fails_by_turns(void *ctx, const size_t *kept, size_t count) {
  (void)ctx;
  bool needed = true;
  for (size_t number = 1; number <= 6; number++)
    needed &= has(kept, count, number);
  return needed && (has(kept, count, 0) || !has(kept, count, 7));
}

/* What could not go at first is tried again when others have gone. */
static void tries_again(void **state) {
  (void)state;
  size_t kept[8];
  const size_t left = ut_ddmin(kept, all(kept, 8), fails_by_turns, NULL);
  if (left != 6 || kept[0] != 1)
    fail_msg("%zu elements are left, the first one is %zu; expected 6, from 1 on", left, kept[0]);
}

/* One cause among many is found by halves, not one by one. */
static void is_quick(void **state) {
  (void)state;
  struct causes c = {.group = {{17, 200}}, .groups = 1, .each = 2};
  size_t kept[MOST];
  assert_int_equal(ut_ddmin(kept, all(kept, MOST), fails, &c), 2);
  assert_int_equal(kept[0], 17);
  assert_int_equal(kept[1], 200);
  if (c.asked > 60)
    fail_msg("asked %u times for 2 of %d elements, at most 60 do", c.asked, MOST);
}

/* What fails by itself needs nothing; an empty set stays empty. */
static void may_be_empty(void **state) {
  (void)state;
  struct causes c = {.groups = 1, .each = 0};
  size_t kept[MOST];
  assert_int_equal(ut_ddmin(kept, all(kept, MOST), fails, &c), 0);
  assert_int_equal(ut_ddmin(kept, 0, fails, &c), 0);
}

/* Who answers "no" from some time on gets the smallest set so far. */
static void may_be_stopped(void **state) {
  (void)state;
  for (unsigned most = 1; most < 40; most++) {
    struct causes c = {.group = {{3, 150, 299}}, .groups = 1, .each = 3, .stop_after = most};
    size_t kept[MOST];
    const size_t left = ut_ddmin(kept, all(kept, MOST), fails, &c);
    c.stop_after = 0;
    if (!fails(&c, kept, left))
      fail_msg("stopped after %u answers, the %zu elements that are left pass", most, left);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_minimal),   cmocka_unit_test(tries_again),    cmocka_unit_test(is_quick),
      cmocka_unit_test(may_be_empty), cmocka_unit_test(may_be_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
