/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of results side by side. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "comparison.h"
#include "scenario_read.h"
#include "scenarios.h"

/* Runs to the end; the network stays, for who wants to look at it. */
static struct ut_sample to_the_end(struct ut_network *n, struct ut_scenario *s) {
  struct ut_sample sample = {0};
  test_network(n, s);
  while (!ut_network_done(n))
    ut_network_step(n);
  ut_sample_take(&sample, n);
  return sample;
}

/* What is common to two runs of a seed does not blur their difference. */
static void differences_are_paired(void **state) {
  (void)state;
  static const double noise[] = {10, -20, 30, 5, -25}, more[] = {1.0, 1.1, 0.9, 1.05, 0.95};
  struct ut_sample a[5] = {0}, b[5] = {0};
  for (unsigned i = 0; i < 5; i++) {
    a[i].value[UT_RESULT_LATENCY] = 100 + noise[i];
    b[i].value[UT_RESULT_LATENCY] = 100 + noise[i] + more[i];
  }
  const struct ut_estimate alone = ut_sample_estimate(b, 5, UT_RESULT_LATENCY),
                           difference = ut_sample_difference(a, b, 5, UT_RESULT_LATENCY),
                           none = ut_sample_difference(a, b, 5, UT_RESULT_P99);
  assert_true(fabs(alone.mean - 101) < 1e-9 && alone.half_width > 20);
  assert_true(fabs(difference.mean - 1) < 1e-9 && difference.half_width < 0.2);
  assert_true(ut_estimate_is_not_0(&difference));
  assert_false(ut_estimate_is_not_0(&none));
  const struct ut_estimate one = ut_sample_difference(a, b, 1, UT_RESULT_LATENCY);
  assert_true(fabs(one.mean - 1) < 1e-9 && isnan(one.half_width) && !ut_estimate_is_not_0(&one));
}

/* A run that has delivered nothing has no latency: it counts neither as 0 nor at all. */
static void what_is_not_measured_does_not_count(void **state) {
  (void)state;
  struct ut_sample a[3] = {0}, b[3] = {0};
  for (unsigned i = 0; i < 3; i++) {
    a[i].value[UT_RESULT_LATENCY] = 10;
    b[i].value[UT_RESULT_LATENCY] = i == 1 ? NAN : 12;
  }
  const struct ut_estimate mean = ut_sample_estimate(b, 3, UT_RESULT_LATENCY),
                           difference = ut_sample_difference(a, b, 3, UT_RESULT_LATENCY),
                           nothing = ut_sample_estimate(b + 1, 1, UT_RESULT_LATENCY);
  assert_true(mean.mean == 12 && mean.n == 2);
  assert_true(difference.mean == 2 && difference.n == 2);
  assert_true(isnan(nothing.mean) && nothing.n == 0);

  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                                        "routing: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 10}\n");
  struct ut_network n;
  const struct ut_sample sample = to_the_end(&n, s);
  assert_true(isnan(sample.value[UT_RESULT_LATENCY]) && isnan(sample.value[UT_RESULT_P50]));
  assert_true(sample.value[UT_RESULT_THROUGHPUT] == 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void results_of_a_run(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\n"
                                        "routing: {algorithm: reroute_adaptive_link}\n"
                                        "traffic: {load_flits_per_cycle: 0.3}\n"
                                        "faults: [{at: 200, link: {level: 0, switch: 0, port: 2}}]\n"
                                        "run: {warmup_cycles: 100, measure_cycles: 400}\n");
  struct ut_network n;
  const struct ut_sample sample = to_the_end(&n, s);
  assert_true(sample.there);
  assert_true(fabs(sample.value[UT_RESULT_THROUGHPUT] - (double)n.terminals.window_flits / 400 / 8) < 1e-12);
  assert_true(sample.value[UT_RESULT_LATENCY] == ut_histogram_mean(&n.terminals.latency));
  assert_true(sample.value[UT_RESULT_P50] <= sample.value[UT_RESULT_P99]);
  assert_true(sample.value[UT_RESULT_DISCARDED] == (double)ut_accounts_discarded(&n.terminals.accounts));
  assert_true(sample.value[UT_RESULT_U_TURNS] > 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Packets are lost without rerouting, all of them in one place of the sample. */
static void discarded_packets(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                                        "routing: {algorithm: destro}\n"
                                        "traffic: {load_flits_per_cycle: 0.3}\n"
                                        "faults: [{at: 10, link: {level: 0, switch: 0, port: 2}}]\n"
                                        "run: {warmup_cycles: 100, measure_cycles: 400}\n");
  struct ut_network n;
  const struct ut_sample sample = to_the_end(&n, s);
  assert_true(sample.value[UT_RESULT_DISCARDED] > 10);
  assert_true(sample.value[UT_RESULT_DISCARDED] == (double)ut_accounts_discarded(&n.terminals.accounts));
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Of one value nothing is known, however narrow the interval is. */
static void one_value_is_no_difference(void **state) {
  (void)state;
  for (unsigned count = 0; count < 3; count++)
    assert_int_equal(ut_estimate_is_not_0(&(struct ut_estimate){.mean = -5, .half_width = 1, .n = count}), count > 1);
  assert_false(ut_estimate_is_not_0(&(struct ut_estimate){.mean = 5, .half_width = 5, .n = 3}));
}

/* Of a workload the cycle in which it is complete; of one that is not, and without one, nothing. */
static void completion_of_a_workload(void **state) {
  (void)state;
  double cycles[2];
  for (unsigned i = 0; i < 2; i++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                          "traffic: {pattern: all_to_all, message_bytes: 64}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 1000}\n");
    struct ut_network n;
    struct ut_sample sample = {0};
    if (i) {
      test_network(&n, s);
      for (uint64_t k = 0; k + 1 < (uint64_t)cycles[0]; k++)
        ut_network_step(&n);
      ut_sample_take(&sample, &n);
    } else {
      sample = to_the_end(&n, s);
      assert_int_equal(n.terminals.accounts.delivered, n.workload->workload.packets);
    }
    cycles[i] = sample.value[UT_RESULT_COMPLETION];
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_true(cycles[0] > 10 && cycles[0] < 1000);
  assert_true(isnan(cycles[1]));
}

/* Packets of a trace that are behind the end of the run are in the sample. */
static void packets_after_the_end(void **state) {
  (void)state;
  char trace[UT_TEST_TRACE_PATH];
  test_write_trace(trace, "10 0 1 2\n20 1 0 2\n99 2 0 2\n100 3 0 2\n101 0 3 2\n200 1 2 2\n");
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {pattern: trace, trace_file: %s}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 100}\n",
                                        trace);
  struct ut_network n;
  const struct ut_sample sample = to_the_end(&n, s);
  assert_int_equal(sample.after_end, 3);
  assert_int_equal(n.terminals.accounts.delivered, 3);
  ut_network_fini(&n);
  ut_scenario_free(s);
  remove(trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_are_paired),     cmocka_unit_test(what_is_not_measured_does_not_count),
      cmocka_unit_test(results_of_a_run),           cmocka_unit_test(discarded_packets),
      cmocka_unit_test(one_value_is_no_difference), cmocka_unit_test(completion_of_a_workload),
      cmocka_unit_test(packets_after_the_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
