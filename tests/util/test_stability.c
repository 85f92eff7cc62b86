/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of csim/util/stability: series whose state is known, because they were made so; figures against a plain second
 * computation. */
#include "stability.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "random.h"

enum { CYCLES = 400, OFFERED = 1000, PACKET = 4, LATENCY = 50 }; /* cycles, packets of a window; flits; cycles */

/* A normal deviate, by the sum of twelve uniform ones. */
static double noise(struct ut_random *r) {
  double sum = -6;
  for (unsigned i = 0; i < 12; i++)
    sum += ut_random_unit(r);
  return sum;
}

/* The next window of a network in which so many packets wait at its end. */
static void add(struct ut_stability_series *s, double waiting, double *before) {
  const uint64_t now = (uint64_t)(waiting > 0 ? waiting : 0), was = (uint64_t)(*before > 0 ? *before : 0);
  const uint64_t left = OFFERED + was > now ? OFFERED + was - now : 0;
  *before = waiting;
  ut_stability_add(s, &(struct ut_stability_window){.generated = OFFERED,
                                                    .left = left,
                                                    .accepted = PACKET * left,
                                                    .delivered = left,
                                                    .latency = left * LATENCY * (1 + now / OFFERED),
                                                    .waiting = now});
}

/* Packets that wait in window i of 100, without noise. */
static double flat(double i) {
  (void)i;
  return 500;
}
static double empty_at_first(double i) {
  return 500 * (1 - exp(-i / 5));
}
static double slowly(double i) {
  return 500 * (1 - exp(-i / 40));
}
static double overload(double i) {
  return 500 + 80 * i;
}
static double little_overload(double i) {
  return 500 + 10 * i;
}
static double falling(double i) {
  return 3000 - 20 * i;
}
/* Like D+M with one fault (docs/reference/steady.md): nearly all is accepted for twenty windows, in the end a third. */
static double collapse(double i) {
  return 500 + (i < 20 ? 20 * i : i < 40 ? 400 + 16 * (i - 20) * (i - 20) : 6800 + 660 * (i - 40));
}

static const struct {
  const char *name;
  double (*waiting)(double);
  unsigned from; /* the window in which the measurement begins */
  enum ut_stability state;
} known[] = {{"flat", flat, 0, UT_STABILITY_STEADY},
             {"flat, of a few windows", flat, 90, UT_STABILITY_UNKNOWN},
             {"empty at first, measured later", empty_at_first, 30, UT_STABILITY_STEADY},
             {"filling slowly", slowly, 0, UT_STABILITY_GROWING},
             {"overload", overload, 50, UT_STABILITY_GROWING},
             {"a little overload", little_overload, 30, UT_STABILITY_GROWING},
             {"collapse", collapse, 0, UT_STABILITY_COLLAPSED},
             {"collapse, measured when it is over", collapse, 60, UT_STABILITY_COLLAPSED},
             {"a queue that becomes empty", falling, 0, UT_STABILITY_UNKNOWN}};

static void make(struct ut_stability_series *s, double (*waiting)(double), double deviation, uint64_t seed) {
  struct ut_random random;
  double before = waiting(0);
  ut_random_init(&random, seed, 0, 0);
  ut_stability_begin(s, 0);
  s->cycles = CYCLES;
  for (unsigned i = 0; i < 100; i++)
    add(s, waiting(i) + deviation * noise(&random), &before);
}

static void known_series(void **state) {
  (void)state;
  static struct ut_stability_series s;
  enum { SEEDS = 200 };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    unsigned right = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      make(&s, known[k].waiting, 10, seed);
      right += ut_stability_judge(&s, known[k].from).state == known[k].state;
    }
    if (right < SEEDS * 97 / 100) /* a trend that is none may be seen in one of a hundred */
      fail_msg("%s: '%s' %u times of %d", known[k].name, ut_stability_name(known[k].state), right, SEEDS);
  }
}

/* A fault in an overloaded network: what waits already makes all later windows slow, whose latency is not that of a
 * quiet network. */
static void overload_goes_on_after_a_fault(void **state) {
  (void)state;
  static struct ut_stability_series s;
  const struct ut_stability_window quiet = {.generated = 100, .left = 100, .delivered = 100, .latency = 2000},
                                   slow = {.generated = 200, .left = 100, .delivered = 100, .latency = 100 * 400000};
  ut_stability_begin(&s, 0);
  for (unsigned i = 0; i < 40; i++)
    ut_stability_add(&s, &quiet);
  assert_false(ut_stability_overloaded(&s));
  for (unsigned fault = 0; fault < 2; fault++) {
    ut_stability_begin_anew(&s, 1000);
    for (unsigned i = 0; i < 100; i++)
      ut_stability_add(&s, &slow);
    assert_int_equal(s.begin, 1000);
    assert_true(ut_stability_overloaded(&s));
  }
  ut_stability_begin(&s, 0); /* another run */
  for (unsigned i = 0; i < 100; i++)
    ut_stability_add(&s, &slow);
  assert_false(ut_stability_overloaded(&s)); /* 100 windows are a fluctuation where a packet takes 25,000 of them */
}

/* The end of the warm-up by its definition: the standard error of the mean of what is left, for every truncation. */
static size_t plain_mser(const struct ut_stability_series *s) {
  size_t best = 0;
  double least = INFINITY;
  for (size_t d = 0; d <= s->count * 3 / 4; d++) {
    const double n = (double)(s->count - d);
    double mean = 0, error = 0;
    for (size_t i = d; i < s->count; i++)
      mean += (double)s->window[i].waiting / n;
    for (size_t i = d; i < s->count; i++)
      error += ((double)s->window[i].waiting - mean) * ((double)s->window[i].waiting - mean) / (n * n);
    if (error < least)
      least = error, best = d;
  }
  return best;
}

static void warmup_is_mser(void **state) {
  (void)state;
  static struct ut_stability_series s;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    size_t first;
    make(&s, empty_at_first, 10, seed);
    assert_true(ut_stability_warmup(&s, false, &first));
    assert_int_equal(first, plain_mser(&s));
    assert_in_range(first, 10, 50); /* within 5 % of the level after 15 windows */
    make(&s, overload, 10, seed);
    assert_false(ut_stability_warmup(&s, false, &first)); /* the queue has no level, */
    assert_true(ut_stability_overloaded(&s));
    assert_true(ut_stability_warmup(&s, true, &first)); /* what is accepted has one */
    make(&s, flat, 10, seed);
    assert_false(ut_stability_overloaded(&s));
  }
}

/* Ten batches, Student's t with nine degrees of freedom from a table; the level is known. */
static void intervals(void **state) {
  (void)state;
  static struct ut_stability_series s;
  unsigned held = 0;
  enum { SEEDS = 400 };
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct ut_random random;
    double mean = 0, squares = 0, level[10] = {0};
    ut_random_init(&random, seed, 1, 0);
    ut_stability_begin(&s, 0);
    for (unsigned i = 0; i < 100; i++) {
      const uint64_t flits = (uint64_t)(4000 + 40 * noise(&random));
      ut_stability_add(&s, &(struct ut_stability_window){.accepted = flits, .delivered = 10, .latency = flits});
      level[i / 10] += (double)flits / 10 / UT_STABILITY_FIRST_CYCLES;
    }
    for (unsigned b = 0; b < 10; b++)
      mean += level[b] / 10;
    for (unsigned b = 0; b < 10; b++)
      squares += (level[b] - mean) * (level[b] - mean) / 9;
    const struct ut_stability_verdict v = ut_stability_judge(&s, 0);
    assert_true(fabs(v.accepted.mean - mean) < 1e-9);
    assert_true(fabs(v.accepted.half_width - 2.262157 * sqrt(squares / 10)) < 1e-6 * mean);
    assert_true(fabs(v.latency.mean - mean * UT_STABILITY_FIRST_CYCLES / 10) < 1e-6 * mean);
    held += fabs(v.accepted.mean - 3999.5 / UT_STABILITY_FIRST_CYCLES) <= v.accepted.half_width;
  }
  assert_in_range(held, SEEDS * 92 / 100, SEEDS * 98 / 100);
}

/* However many windows are added, there are at most 128, and nothing is lost. */
static void windows_become_longer(void **state) {
  (void)state;
  static struct ut_stability_series s;
  uint64_t cycle = 700, packets = 0;
  ut_stability_begin(&s, cycle);
  for (unsigned i = 1; i <= 1000; i++) {
    struct ut_stability_window sum = {0};
    ut_stability_add(&s, &(struct ut_stability_window){.generated = i, .left = 2 * i, .waiting = i});
    cycle = ut_stability_end(&s);
    packets += i;
    assert_true(s.count < UT_STABILITY_WINDOWS);
    for (size_t k = 0; k < s.count; k++)
      sum.generated += s.window[k].generated, sum.left += s.window[k].left;
    assert_int_equal(sum.generated, packets);
    assert_int_equal(sum.left, 2 * packets);
    assert_int_equal(s.window[s.count - 1].waiting, i);
  }
  assert_int_equal(cycle, 700 + s.count * s.cycles);
  assert_int_equal(ut_stability_from(&s, 0), 0);
  assert_int_equal(ut_stability_from(&s, 700), 0);
  assert_int_equal(ut_stability_from(&s, 701), 1);
  assert_int_equal(ut_stability_from(&s, 700 + 2 * s.cycles), 2);
  assert_int_equal(ut_stability_from(&s, UINT64_MAX), s.count);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_series), cmocka_unit_test(overload_goes_on_after_a_fault),
                                     cmocka_unit_test(warmup_is_mser), cmocka_unit_test(intervals),
                                     cmocka_unit_test(windows_become_longer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
