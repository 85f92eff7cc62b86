/* SPDX-License-Identifier: Apache-2.0 */
/* test_search.c - sweep/: stopping, find, names */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "find.h"
#include "names.h"
#include "stopping.h"

/* ---- how often */

/* Against a table of Student's t: 4.302653 for two degrees of freedom, 95 %. */
static void interval(void **state) {
  (void)state;
  const double value[] = {10, 12, 14};
  const struct ut_estimate e = ut_estimate_of(value, 3, 0.95), one = ut_estimate_of(value, 1, 0.95);
  assert_true(e.mean == 12 && e.n == 3);
  assert_true(fabs(e.half_width - 4.302653 * 2 / sqrt(3)) < 1e-5);
  assert_true(one.mean == 10 && isnan(one.half_width));
  assert_true(isnan(ut_estimate_of(value, 0, 0.95).mean));
}

static void enough(void **state) {
  (void)state;
  struct ut_stopping s = {.least = 3, .most = 20, .result = "x", .within_percent = 42, .confidence = 0.95};
  const double value[] = {10, 12, 14}, same[] = {5, 5}, zero[] = {0, 0, 0};
  assert_true(ut_stopping_enough(&s, value, 3)); /* 4.968 of 12: 41.4 % */
  s.within_percent = 41;
  assert_false(ut_stopping_enough(&s, value, 3));
  assert_false(ut_stopping_enough(&s, value, 1));
  assert_true(ut_stopping_enough(&s, same, 2));
  assert_true(ut_stopping_enough(&s, zero, 3));
}

static void stages(void **state) {
  (void)state;
  const struct ut_stopping s = {.least = 3, .most = 20, .result = "x"}, fixed = {.least = 5, .most = 5};
  static const unsigned wanted[] = {3, 4, 6, 9, 13, 19, 20, 20};
  unsigned done = 0;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    done = ut_stopping_next_stage(&s, done);
    assert_int_equal(done, wanted[i]);
  }
  assert_int_equal(ut_stopping_next_stage(&fixed, 0), 5);
  assert_int_equal(ut_stopping_next_stage(&fixed, 5), 5);
}

/* ---- searches, on networks that are formulas */

static struct ut_answer saturates(double load, double knee, double share) {
  const double accepted = share * (load < knee ? load : knee);
  return (struct ut_answer){
      .load = load, .throughput = accepted, .latency = load < knee ? 10 / (1 - load / knee) : 1e4};
}

/* Delivers most at the load `knee`; is stuck above 0.6. */
static struct ut_answer peaks(double load, double knee, double share) {
  return (struct ut_answer){.load = load, .throughput = share - (load - knee) * (load - knee), .deadlock = load > 0.6};
}

/* Runs the search to its end; the number of runs. */
static size_t search(const struct ut_find *f, struct ut_answer (*network)(double, double, double), double knee,
                     double share, struct ut_answer *found) {
  struct ut_answer answer[64];
  size_t n = 0;
  double load;
  while (ut_find_next(f, answer, n, &load)) {
    assert_true(n < 64 && load >= f->from && load <= f->to);
    for (size_t i = 0; i < n; i++)
      assert_true(answer[i].load != load); /* nothing twice */
    answer[n++] = network(load, knee, share);
  }
  *found = *ut_find_result(f, answer, n);
  return n;
}

/* Accepts nearly all up to 1.04 times the knee, but its queues grow there. */
static struct ut_answer grows(double load, double knee, double share) {
  struct ut_answer a = saturates(load, 1.04 * knee, share);
  a.unsustained = load > knee;
  return a;
}

static void only_what_is_sustained(void **state) {
  (void)state;
  const struct ut_find f = {.what = UT_FIND_SATURATION, .from = 0.05, .to = 1, .precision = 0.005, .accepted = 0.95};
  struct ut_answer found;
  for (double knee = 0.1; knee < 0.94; knee += 0.07) {
    search(&f, grows, knee, 1, &found);
    assert_true(found.load <= knee + 1e-9 && found.load > knee - 0.005);
  }
  assert_int_equal(search(&f, grows, 0.01, 1, &found), 1); /* not even the lowest load is sustained */
  assert_true(found.load == f.from && found.unsustained);
}

static void saturation(void **state) {
  (void)state;
  struct ut_find f = {.what = UT_FIND_SATURATION, .from = 0.05, .to = 1, .precision = 0.005, .accepted = 0.95};
  struct ut_answer found;
  for (double knee = 0.1; knee < 0.94; knee += 0.07)
    for (double share = 0.5; share <= 1; share += 0.25) { /* some terminals do not send */
      assert_true(search(&f, saturates, knee, share, &found) <= 10);
      assert_true(found.load <= knee / 0.95 + 1e-9 && found.load > knee / 0.95 - 0.005);
    }
  assert_int_equal(search(&f, saturates, 5, 1, &found), 2); /* carries all there is */
  assert_true(found.load == 1);
  search(&f, saturates, 0.01, 1, &found); /* saturated already at the lowest load: nothing to compare with */
  assert_true(found.load >= 0.05);
  f.latency = 3; /* 10 / (1 - load / knee) */
  search(&f, saturates, 0.6, 1, &found);
  const double lowest = 10 / (1 - 0.05 / 0.6), limit = 0.6 * (1 - 10 / (3 * lowest));
  assert_true(found.load <= limit && found.load > limit - 0.005);
}

static void deadlocks(void **state) {
  (void)state;
  const struct ut_find f = {.what = UT_FIND_SATURATION, .from = 0.05, .to = 1, .precision = 0.01, .accepted = 0.01};
  struct ut_answer found;
  search(&f, peaks, 0.37, 2, &found);
  assert_true(found.load <= 0.6 && found.load > 0.59);
}

static void peak(void **state) {
  (void)state;
  const struct ut_find f = {.what = UT_FIND_PEAK, .from = 0.05, .to = 1, .precision = 0.005};
  struct ut_answer found;
  for (double best = 0.06; best < 0.59; best += 0.09) {
    assert_true(search(&f, peaks, best, 2, &found) <= 10 + 2 * 5);
    assert_true(fabs(found.load - best) <= 0.005);
  }
  search(&f, peaks, 0.9, 2, &found); /* where it would be best, it is stuck */
  assert_true(!found.deadlock && found.load > 0.59);
}

/* ---- names */

static void names(void **state) {
  (void)state;
  static const char *const name[] = {"latency_cycles.mean",
                                     "latency_cycles.p99",
                                     "throughput_flits_per_cycle_per_terminal",
                                     "traffic.load_flits_per_cycle",
                                     "faults",
                                     "faults.links",
                                     "points[3].not_tolerated.local"};
  enum { N = sizeof name / sizeof *name };
  struct ut_error e;
  assert_int_equal(ut_name_find(name, N, "latency.mean", &e), 0);
  assert_int_equal(ut_name_find(name, N, "p99", &e), 1);
  assert_int_equal(ut_name_find(name, N, "throughput", &e), 2);
  assert_int_equal(ut_name_find(name, N, "load", &e), 3);
  assert_int_equal(ut_name_find(name, N, "traffic.load_flits", &e), 3);
  assert_int_equal(ut_name_find(name, N, "faults", &e), 4); /* itself, before what it fits */
  assert_int_equal(ut_name_find(name, N, "points[3].not.local", &e), 6);
  assert_int_equal(ut_name_find(name, N, "lat.mean", &e), N); /* not up to an underscore */
  assert_int_equal(ut_name_find(name, N, "latency", &e), N);
  assert_int_equal(ut_name_find(name, N, "", &e), N);
  assert_int_equal(ut_name_find(name, N, "throughputt", &e), N);
  assert_int_equal(e.code, UT_BAD_INPUT);
  static const char *const two[] = {"a.mean", "b.mean"};
  assert_int_equal(ut_name_find(two, 2, "mean", &e), 2);
  assert_non_null(strstr(e.text, "a.mean, b.mean"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interval),
      cmocka_unit_test(enough),
      cmocka_unit_test(stages),
      cmocka_unit_test(saturation),
      cmocka_unit_test(only_what_is_sustained),
      cmocka_unit_test(deadlocks),
      cmocka_unit_test(peak),
      cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
