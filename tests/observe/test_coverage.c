/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of cover points: what is counted in the spec is what the network counts by itself; a point is said to apply
 * only where it can be hit; and what cannot happen has no hits. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coverage.h"
#include "scenario_read.h"
#include "scenarios.h"

static uint64_t hits[SPEC_COVER_POINTS];

/* Runs the scenario by the spec, and reads the hits. */
static void run(struct ut_network *n, struct ut_scenario *s) {
  test_network(n, s);
  assert_true(ut_network_use_spec(n, UT_SPEC_STEPS) && ut_coverage_start(n));
  while (!ut_network_done(n))
    ut_network_step(n);
  ut_coverage_read(n, hits);
}

static bool applies(const struct ut_network *n, enum spec_cover_point point) {
  return ut_coverage_applies(n->scenario, n->shape, n->topology->elaborations, point);
}

/* A point that is hit applies. */
static void check_hits_apply(const struct ut_network *n) {
  for (unsigned p = 0; p < SPEC_COVER_POINTS; p++)
    if (hits[p] && !applies(n, p))
      fail_msg("%s: %" PRIu64 " hits, but it applies only where: %s", spec_cover_texts[p].name, hits[p],
               spec_cover_texts[p].where);
}

static struct ut_scenario *tree(const char *algorithm, const char *timeout, const char *faults) {
  return test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\n"
                       "switch: {depth_flits: 4, packet_flits: 2}\n"
                       "routing: {algorithm: %s, reroute_timeout_cycles: %s}\n"
                       "traffic: {load_flits_per_cycle: 0.7}\nfaults: [%s]\n"
                       "run: {warmup_cycles: 0, measure_cycles: 4000, drain: true, seed: 3}\n",
                       algorithm, timeout, faults);
}

#define LINK "{at: 100, until: 2000, link: {level: 1, switch: 1, port: 2}}"
#define SWITCH "{at: 500, until: 1500, switch: {level: 1, switch: 2}}"

static void knows_the_words(void **state) {
  (void)state;
  const char *unknown = ut_coverage_unknown_word();
  if (unknown)
    fail_msg("spec/cover_points.tsv: nobody knows the word at '%s'", unknown);
}

static void counts_what_the_network_counts(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = tree("reroute_adaptive_link", "8", LINK ", " SWITCH);
  run(&n, s);
  const uint64_t *discarded = n.terminals.accounts.discarded;
  assert_int_equal(hits[COVER_U_TURN_LEAVES], ut_network_u_turns(&n));
  assert_int_equal(hits[COVER_TIMER_EXPIRES], ut_network_expiries(&n));
  assert_int_equal(hits[COVER_PACKET_UNREACHABLE], discarded[UT_DISCARD_UNREACHABLE]);
  assert_true(hits[COVER_U_TURN_LEAVES] && hits[COVER_TIMER_EXPIRES] && hits[COVER_PACKET_UNREACHABLE]);
  check_hits_apply(&n);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void no_faults_no_u_turns(void **state) {
  (void)state;
  static const enum spec_cover_point never[] = {COVER_REROUTE_U_TURN, COVER_U_TURN_LEAVES,       COVER_VECTOR_SET,
                                                COVER_TIMER_RUNS,     COVER_ACTIVE_OUTPUT_FAILS, COVER_DISCARD_CUT};
  struct ut_network n;
  struct ut_scenario *s = tree("reroute_adaptive_link", "8", "");
  run(&n, s);
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
    assert_int_equal(hits[never[i]], 0);
    assert_false(applies(&n, never[i]));
  }
  assert_true(hits[COVER_REROUTE_UP] && hits[COVER_REROUTE_DOWN]);
  assert_true(hits[COVER_GRANT_OF_TWO] && hits[COVER_CREDIT_RETURNED]);
  check_hits_apply(&n);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* One output VC and one packet: what happens can be counted by hand.  Terminals 0 and 1 of a switch with two ports on
 * each side send a packet of two flits each to terminal 2, of another switch, in the same cycle. */
static void counts_planted_situations(void **state) {
  (void)state;
  char path[UT_TEST_TRACE_PATH];
  struct ut_network n;
  test_write_trace(path, "10 0 2 2\n10 1 2 2\n");
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                                        "switch: {depth_flits: 4, packet_flits: 2}\n"
                                        "routing: {algorithm: destro}\n"
                                        "traffic: {pattern: trace, trace_file: %s}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 200}\n",
                                        path);
  run(&n, s);
  unlink(path);
  assert_int_equal(hits[COVER_UP_DETERMINISTIC], 2);
  assert_int_equal(hits[COVER_DOWN_DETERMINISTIC], 4); /* at the root and at the last switch */
  assert_int_equal(hits[COVER_GRANT_OF_TWO], 1);       /* both bid for the same up port: one waits, then goes alone */
  assert_int_equal(hits[COVER_GRANT_ALONE], 5);
  assert_int_equal(hits[COVER_GRANT_OF_THREE], 0);
  assert_int_equal(hits[COVER_BUFFER_FULL], 0);
  assert_int_equal(hits[COVER_CREDIT_RETURNED], 12 * 4 + 2 * 3 * 2); /* 12 links come up, 2 packets leave 3 switches */
  check_hits_apply(&n);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* In all families, with links and switches that fail and come back. */
static void what_is_hit_applies(void **state) {
  (void)state;
  static const struct {
    const char *topology, *algorithm, *sw;
    bool switches_only;
  } networks[] = {
      {"kind: fat_tree, k: 2, n: 3", "fta, exclusion_intervals: 2", "", false},
      {"kind: fat_tree, k: 2, n: 3", "reroute_adaptive_switch, reroute_timeout_cycles: 20, reroute_clear: repair", "",
       false},
      {"kind: fat_tree, k: 2, n: 3", "reroute_det_switch", ", output_depth_flits: 4, route_cycles: 3", false},
      {"kind: fat_tree, k: 2, n: 3", "misroute_header", ", switching: wormhole", false},
      {"kind: fat_tree, k: 2, n: 3", "table_reroute_det_link", "", false},
      {"kind: fat_tree, k: 2, n: 3", "table_reroute_adaptive_link", "", false},
      {"kind: fat_tree, k: 3, n: 3", "reroute_det_switch_one_fault", "", false},
      {"kind: torus, sizes: [4, 3]", "duato", ", arbitration: priority", false},
      {"kind: mesh, sizes: [3, 3]", "dor", ", xbar_cycles: 1", false},
      {"kind: mesh, sizes: [4, 4]", "detour", "", true},
      {"kind: torus, sizes: [4, 4]", "adaptive_vin", "", true},
      {"kind: hypercube, n: 3", "detour", "", true},
      {"kind: ft_ruft_222, k: 2, n: 3", "ruft", "", false},
  };
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    struct ut_network n;
    struct ut_scenario *s =
        test_scenario("topology: {%s}\nswitch: {depth_flits: 4, packet_flits: 2%s}\nrouting: {algorithm: %s}\n"
                      "traffic: {load_flits_per_cycle: 0.6}\n"
                      "faults:\n  - {at: 300, until: 900, switch: {level: 0, switch: 1}}\n"
                      "  - {at: 200, until: 700, every: 1200, times: 3, %s: 1}\n"
                      "run: {warmup_cycles: 0, measure_cycles: 4000, drain: false, seed: 3}\n",
                      networks[i].topology, networks[i].sw, networks[i].algorithm,
                      networks[i].switches_only ? "random_switches" : "random_links");
    run(&n, s);
    check_hits_apply(&n);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(knows_the_words), cmocka_unit_test(counts_what_the_network_counts),
      cmocka_unit_test(no_faults_no_u_turns), cmocka_unit_test(counts_planted_situations),
      cmocka_unit_test(what_is_hit_applies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
