/* SPDX-License-Identifier: Apache-2.0 */
/* test_local_first.c - key switch.local_first: packets of terminals go before those that are under way */
#include "network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scenario_read.h"
#include "scenarios.h"

/* Packets that are gone from terminal 0 and from terminal 1, both of which send to terminal 2 of a row as fast as they
 * can. */
static void row(const char *keys, bool first, uint64_t gone[2]) {
  struct ut_scenario *s = test_scenario(
      "topology: {kind: mesh, sizes: [3]}\nswitch: {%s, route_cycles: 0, local_first: %s}\nrouting: {algorithm: dor}\n"
      "traffic: {pattern: hot_spot, hot_spot_fraction: 1, hot_spot_node: 2, load_flits_per_cycle: 1}\n"
      "run: {warmup_cycles: 0, measure_cycles: 2000, seed: 1}\n",
      keys, first ? "true" : "false");
  struct ut_network n;
  test_network(&n, s);
  for (unsigned i = 0; i < 2000; i++) {
    ut_network_step(&n);
    assert_int_equal(ut_network_in_flight(&n), ut_network_outstanding(&n));
  }
  for (unsigned i = 0; i < 2; i++)
    gone[i] = n.terminals.terminal[i].base;
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Both packets want the same link: by turns, or those of the terminal beside it for ever. */
static void others_starve(void **state) {
  (void)state;
  static const struct {
    const char *keys;
    bool half; /* without the key each gets half of the link */
  } cases[] = {
      {"vcs: 1, depth_flits: 8, packet_flits: 2", true},
      {"vcs: 1, depth_flits: 4, packet_flits: 5, switching: wormhole", true},
      {"vcs: 2, depth_flits: 8, packet_flits: 4, crossbar: port", true},
      {"vcs: 2, depth_flits: 8, packet_flits: 4, crossbar: vc", true},
      {"vcs: 2, depth_flits: 8, packet_flits: 4, crossbar: vc, alloc_cycles: 2", true},
      {"vcs: 4, depth_flits: 4, packet_flits: 7, crossbar: vc, switching: wormhole", false},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint64_t gone[2];
    row(cases[i].keys, false, gone);
    assert_true(gone[0] > 75 && gone[1] > 75);
    if (cases[i].half)
      assert_in_range(gone[0] + 2, gone[1], gone[1] + 4);
    row(cases[i].keys, true, gone);
    assert_true(gone[0] < 10 && gone[1] > 250); /* what had the link before terminal 1 came, and its buffers */
  }
}

/* Mean cycles of a packet in a source queue of an 8x8 mesh (Little's law: mean length by rate). */
static double wait(double load, bool first, unsigned seed) {
  enum { CYCLES = 10000 };
  struct ut_scenario *s =
      test_scenario("topology: {kind: mesh, k: 8, n: 2}\nswitch: {local_first: %s}\nrouting: {algorithm: dor}\n"
                    "traffic: {load_flits_per_cycle: %.2f}\nrun: {warmup_cycles: 0, measure_cycles: %d, seed: %u}\n",
                    first ? "true" : "false", load, (int)CYCLES, seed);
  struct ut_network n;
  uint64_t queued = 0;
  test_network(&n, s);
  for (unsigned i = 0; i < CYCLES; i++) {
    ut_network_step(&n);
    queued += ut_terminals_queued(&n.terminals);
  }
  const double mean = (double)queued / (double)n.terminals.accounts.generated;
  ut_network_fini(&n);
  ut_scenario_free(s);
  return mean;
}

/* Below saturation packets get into the network sooner; at saturation it is full, and letting more in does not help:
 * with UTURN_SHOW, which the documentation quotes, loads beyond it, too. */
static void sources_wait_less(void **state) {
  (void)state;
  static const double loads[] = {0.12, 0.14, 0.10, 0.16, 0.18, 0.20};
  const unsigned count = getenv("UTURN_SHOW") ? sizeof loads / sizeof loads[0] : 2;
  for (unsigned i = 0; i < count; i++) {
    double mean[2] = {0, 0};
    for (unsigned seed = 1; seed <= 3; seed++)
      for (unsigned first = 0; first < 2; first++)
        mean[first] += wait(loads[i], first, seed) / 3;
    print_message("load %.2f: %.3f cycles in a source queue, terminals first %.3f\n", loads[i], mean[0], mean[1]);
    if (loads[i] < 0.15)
      assert_true(mean[1] < 0.95 * mean[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(others_starve),
      cmocka_unit_test(sources_wait_less),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
