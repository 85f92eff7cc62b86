/* SPDX-License-Identifier: Apache-2.0 */
/* test_tally.c - what a hunt adds up, and which cover points it looks for: from JSON and scenarios written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coverage.h"
#include "hunt_points.h"
#include "tally.h"

static const char reroute[] = "topology: {kind: fat_tree, k: 2, n: 2}\n"
                              "routing: {algorithm: reroute_adaptive_link}\n"
                              "traffic: {load_flits_per_cycle: 0.1}\n"
                              "faults: [{at: 5, link: {level: 0, switch: 1, port: 2}}]\n";
static const char plain[] = "topology: {kind: fat_tree, k: 2, n: 2}\n"
                            "routing: {algorithm: destro}\n"
                            "traffic: {load_flits_per_cycle: 0.1}\n";

static void assert_count(const char *what, double is, double wanted) {
  if (is != wanted)
    fail_msg("%s: %.0f, expected %.0f", what, is, wanted);
}

/* A switch of 100 bits is compared in 7 cycles, one of 20 bits in 30. */
static void sums(void **state) {
  (void)state;
  static const char *const runs[] = {
      "{\"cycles\": 10, \"compared_state_bits_per_switch\": 100, \"compared_switch_states\": 7, "
      "\"delivered_packets\": 4, \"discarded_packets\": {\"cut_by_fault\": 1, \"unreachable\": 2, \"purged\": 3}, "
      "\"u_turns\": 5}",
      "{\"cycles\": 15, \"compared_state_bits_per_switch\": 20, \"compared_switch_states\": 30, "
      "\"delivered_packets\": 6, \"discarded_packets\": {\"in_failed_switch\": 8, \"purged\": 9}, \"deadlock\": true}"};
  struct ut_hunt_tally t;
  assert_true(ut_hunt_tally_start(&t));
  for (unsigned i = 0; i < 4; i++) {
    struct ut_hunt_numbers n;
    assert_int_equal(ut_hunt_numbers_read(&n, runs[i % 2]), 0);
    ut_hunt_tally_add(&t, i % 2, &n);
  }
  assert_count("scenarios", (double)t.scenarios, 4);
  assert_count("switches", t.shapes, 2);
  assert_count("cycles", t.sum.cycles, 2 * (10 + 15));
  assert_count("states", t.sum.states, 2 * (7 + 30));
  assert_count("bits", t.sum.bits, 2 * (7 * 100 + 30 * 20));
  assert_count("delivered", t.sum.delivered, 2 * (4 + 6));
  assert_count("cut by a fault", t.sum.cut_by_fault, 2 * 1);
  assert_count("in a failed switch", t.sum.in_failed_switch, 2 * 8);
  assert_count("unreachable", t.sum.unreachable, 2 * 2);
  assert_count("purged", t.sum.purged, 2 * (3 + 9));
  assert_count("U-turns", t.sum.u_turns, 2 * 5);
  assert_count("deadlocks", t.sum.deadlocks, 2 * 1);
  ut_hunt_tally_end(&t);
}

static bool is_set(const bool set[SPEC_COVER_POINTS], const char *name) {
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    if (!strcmp(spec_cover_texts[i].name, name))
      return set[i];
  fail_msg("no cover point %s", name);
  return false;
}

static unsigned count(const bool set[SPEC_COVER_POINTS]) {
  unsigned n = 0;
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    n += set[i];
  return n;
}

/* A point that was hit is not looked for any more; those that apply are those of all scenarios. */
static void missing(void **state) {
  (void)state;
  static struct ut_hunt_points p;
  const unsigned all = ut_hunt_points_missing(&p, reroute);
  ut_hunt_points_add(&p, reroute, "{\"cover_points\": {\"grant_alone\": 3, \"u_turn_leaves\": 1}}");
  assert_count("points that apply are those that were missing", count(p.applies), all);
  assert_count("points hit", count(p.hit), 2);
  assert_count("grant_alone is hit", is_set(p.hit, "grant_alone"), true);
  assert_count("u_turn_leaves is hit", is_set(p.hit, "u_turn_leaves"), true);
  assert_count("points missing when two of them are hit", ut_hunt_points_missing(&p, reroute), all - 2);
  ut_hunt_points_add(&p, plain, "{\"cover_points\": {\"up_deterministic\": 1}}");
  assert_count("a point of the first scenario still applies", is_set(p.applies, "u_turn_leaves"), true);
  assert_count("a point of the second one does, too", is_set(p.applies, "up_deterministic"), true);
  assert_count("points missing of the first one", ut_hunt_points_missing(&p, reroute), all - 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(missing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
