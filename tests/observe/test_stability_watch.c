/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the watch: its windows against what is counted here cycle by cycle; where it ends a run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "departures.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "stability_watch.h"

static const char mesh[] = "topology: {kind: mesh, k: 4, n: 2}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 4}\n"
                           "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: %s}\n%s"
                           "run: {warmup: until_stable, warmup_cycles: %u, measure_cycles: %u, max_cycles: %u, "
                           "precision: 0.05, drain: %s}\n";

static void windows_hold_what_happened(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario(mesh, "0.6", "", 1000, 10000, 20000, "false");
  struct ut_network n;
  struct ut_error e;
  static struct ut_stability_watch w;
  uint64_t latency = 0, delivered = 0, latency_seen = 0, delivered_seen = 0, flits_seen = 0;
  struct ut_departures left = {0};
  assert_int_equal(ut_network_init(&n, s, NULL, &e), 0);
  ut_departures_watch(&n);
  ut_stability_watch_start(&w, &n);
  while (n.cycle < 5000) {
    ut_network_step(&n);
    ut_stability_watch_observe(&w, &n);
    ut_departures_take(&left, &n);
    for (size_t i = 0; i < left.count; i++)
      latency += n.cycle - 1 - left.list[i].record.cycle, delivered += left.list[i].reason == UT_DELIVERED;
    if (n.cycle == ut_stability_end(&w.series) && n.cycle > 2000) {
      for (size_t i = 0; i < w.series.count; i++) {
        latency_seen += w.series.window[i].latency;
        delivered_seen += w.series.window[i].delivered;
        flits_seen += w.series.window[i].accepted;
      }
      assert_int_equal(latency_seen, latency);
      assert_int_equal(delivered_seen, delivered);
      assert_int_equal(flits_seen, n.terminals.received_flits);
      assert_int_equal(w.series.window[w.series.count - 1].waiting,
                       ut_network_outstanding(&n) + ut_terminals_queued(&n.terminals));
      latency_seen = delivered_seen = flits_seen = 0;
    }
  }
  free(left.list);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Runs it to its end. */
static struct ut_stability_verdict run(struct ut_network *n, const struct ut_scenario *s, unsigned threads) {
  static struct ut_stability_watch w;
  struct ut_error e;
  struct ut_threads *several = threads > 1 ? ut_threads_start(threads) : NULL;
  assert_int_equal(ut_network_init(n, s, NULL, &e), 0);
  assert_true(!several || ut_network_use(n, several));
  ut_stability_watch_start(&w, n);
  while (!ut_network_done(n)) {
    ut_network_step(n);
    ut_stability_watch_observe(&w, n);
  }
  assert_true(ut_network_use(n, NULL));
  ut_threads_end(several);
  return ut_stability_watch_verdict(&w, n);
}

static void ends_of_runs(void **state) {
  (void)state;
  static const char fault[] = "faults: [{at: 7000, random_links: 1}]\n";
  static const struct {
    const char *load, *faults;
    enum ut_stability state;
    uint64_t least, most; /* cycles of warm-up and measurement */
  } runs[] = {{"0", "", UT_STABILITY_STEADY, 11000, 15000},
              {"0.3", "", UT_STABILITY_STEADY, 11000, 20000},
              {"1", "", UT_STABILITY_GROWING, 11000, 40000},
              {"0.3", fault, UT_STABILITY_STEADY, 17000, 40000}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    struct ut_scenario *s = test_scenario(mesh, runs[i].load, runs[i].faults, 1000, 10000, 100000, "false");
    struct ut_network n, m;
    const struct ut_stability_verdict v = run(&n, s, 1);
    assert_string_equal(ut_stability_name(v.state), ut_stability_name(runs[i].state));
    assert_in_range(n.cycle, runs[i].least, runs[i].most);
    assert_int_equal(n.cycle, n.terminals.window_end);
    assert_true(n.terminals.window_start >= 1000 && n.cycle - n.terminals.window_start >= 10000);
    assert_true(!*runs[i].faults || n.terminals.window_start > 7000);
    assert_true(v.state != UT_STABILITY_STEADY || !(v.latency.half_width > 0.05 * v.latency.mean));
    run(&m, s, 3); /* threads change nothing */
    assert_int_equal(m.cycle, n.cycle);
    assert_int_equal(m.terminals.latency.sum, n.terminals.latency.sum);
    assert_int_equal(m.terminals.window_flits, n.terminals.window_flits);
    ut_network_fini(&n);
    ut_network_fini(&m);
    ut_scenario_free(s);
  }
}

/* What waits at a terminal that has no link is not a queue that grows. */
static void terminals_without_links(void **state) {
  (void)state;
  struct ut_scenario *s =
      test_scenario(mesh, "0.2", "faults: [{at: 0, injection: {terminal: 3}}]\n", 1000, 10000, 100000, "false");
  struct ut_network n;
  const struct ut_stability_verdict v = run(&n, s, 1);
  assert_string_equal(ut_stability_name(v.state), "steady");
  assert_true(ut_terminals_queued(&n.terminals) > 100);
  assert_true(fabs(v.growth) < 0.01);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(windows_hold_what_happened), cmocka_unit_test(ends_of_runs),
                                     cmocka_unit_test(terminals_without_links)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
