/* SPDX-License-Identifier: Apache-2.0 */
/* test_network_ends.c - csim/network/network: when a run is over, which networks cannot be built, and sizes of memory.
 */
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

/* One cycle, after which no packet may be missing. */
static void step(struct ut_network *n) {
  ut_network_step(n);
  assert_int_equal(ut_network_in_flight(n), ut_network_outstanding(n));
}

static void finish(struct ut_network *n, struct ut_scenario *s) {
  ut_network_fini(n);
  ut_scenario_free(s);
}

/* ---- when it is over */

/* A packet of cycle 0, which waits for credits when the window of one cycle ends: whichever terminal has it, and
 * through whichever of its links it goes; until that one comes back, and not if none ever does. */
static void the_last_packet_is_waited_for(void **state) {
  (void)state;
  enum { NEVER, LATER, WITHOUT_ONE, HOWS, TERMINALS = 9 };
  for (unsigned links = 1; links <= 3; links++)
    for (unsigned src = 0; src < TERMINALS; src++)
      for (unsigned how = 0; how <= HOWS; how++) {
        char path[UT_TEST_TRACE_PATH], line[32], faults[512] = "faults:\n";
        struct ut_network n;
        snprintf(line, sizeof line, "0 %u %u 1\n", src, (src + 4) % TERMINALS);
        test_write_trace(path, line);
        for (unsigned link = 0; link < links && how < HOWS; link++) {
          const size_t at = strlen(faults);
          if (how != WITHOUT_ONE || link != src % links)
            snprintf(faults + at, sizeof faults - at, "  - {at: 0%s, injection: {terminal: %u, link: %u}}\n",
                     how == LATER && link == src % links ? ", until: 50" : "", src, link);
        }
        struct ut_scenario *s =
            test_scenario("topology: {kind: mesh, sizes: [3, 3], terminal_links: %u}\n"
                          "switch: {depth_flits: 4, packet_flits: 1}\nrouting: {algorithm: dor}\n"
                          "traffic: {pattern: trace, trace_file: %s}\n%s"
                          "run: {warmup_cycles: 0, measure_cycles: 1, drain: true, drain_limit_cycles: 500}\n",
                          links, path, strlen(faults) > 8 ? faults : "");
        test_network(&n, s);
        assert_false(ut_network_done(&n));
        while (!ut_network_done(&n))
          step(&n);
        assert_int_equal(n.terminals.accounts.generated, 1);
        assert_int_equal(n.terminals.accounts.delivered, how != NEVER);
        if (how == NEVER)
          assert_int_equal(n.cycle, 1);
        else
          assert_in_range(n.cycle, how == LATER ? 50 : 3, how == LATER ? 70 : 20);
        finish(&n, s);
        remove(path);
      }
}

/* It drains until it is empty, so long at most, or not at all. */
static void draining_has_an_end(void **state) {
  (void)state;
  enum { START = 40, WINDOW = 90, LONG = 100000 };
  static const unsigned limits[] = {0, 1, 7, 60, LONG};
  for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    struct ut_network n;
    struct ut_scenario *s =
        test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 4}\n"
                      "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 1.0}\n"
                      "run: {warmup_cycles: 40, measure_cycles: 50, drain: %s, drain_limit_cycles: %u}\n",
                      limits[i] ? "true" : "false", limits[i] ? limits[i] : 5);
    test_network(&n, s);
    while (!ut_network_done(&n)) {
      assert_true(n.cycle < WINDOW + LONG);
      step(&n);
      const uint64_t in_window = n.cycle < START ? 0 : n.cycle < WINDOW ? n.cycle - START : WINDOW - START;
      assert_true(ut_network_throughput(&n) ==
                  (in_window ? (double)n.terminals.window_flits / (double)in_window / 8 : 0));
    }
    assert_true(ut_network_throughput(&n) > 0.2);
    assert_false(ut_network_incomplete(&n)); /* no workload */
    const bool empty = ut_network_outstanding(&n) == 0 && ut_terminals_queued(&n.terminals) == 0;
    assert_int_equal(empty, limits[i] == LONG);
    if (!empty)
      assert_int_equal(n.cycle, WINDOW + limits[i]);
    finish(&n, s);
  }
}

/* Messages that nobody gets: it is over although a link will fail, long after. */
static void what_is_lost_is_not_waited_for(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s =
      test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nswitch: {depth_flits: 4, packet_flits: 4}\n"
                    "routing: {algorithm: fta}\ntraffic: {pattern: all_to_all, message_bytes: 60}\n"
                    "faults: [{at: 0, ejection: {terminal: 3}}, {at: 9000, link: {level: 0, switch: 0, port: 2}}]\n");
  test_network(&n, s);
  while (!ut_network_done(&n))
    step(&n);
  assert_int_equal(n.workload->lost, 3);
  assert_int_equal(n.workload->delivered, 9);
  assert_true(ut_network_incomplete(&n));
  assert_true(n.cycle < 1000);
  s->run.drain = false;
  assert_false(ut_network_incomplete(&n)); /* nobody wants it to come to its end */
  finish(&n, s);

  s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nswitch: {depth_flits: 4, packet_flits: 4}\n"
                    "routing: {algorithm: fta}\ntraffic: {pattern: all_to_all, message_bytes: 60}\n");
  test_network(&n, s);
  assert_true(ut_network_incomplete(&n));
  while (!ut_network_done(&n))
    step(&n);
  assert_false(ut_network_incomplete(&n));
  assert_int_equal(n.cycle, n.workload->start + n.workload->completion);
  finish(&n, s);
}

/* Of a trace, what is due when the window has ended. */
static void packets_after_the_end(void **state) {
  (void)state;
  char path[UT_TEST_TRACE_PATH];
  struct ut_network n;
  test_write_trace(path, "0 0 1 1\n3 1 2 1\n9 2 3 1\n10 3 0 1\n10 0 2 1\n11 1 3 1\n500 2 0 1\n");
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                                        "switch: {depth_flits: 4, packet_flits: 1}\nrouting: {algorithm: fta}\n"
                                        "traffic: {pattern: trace, trace_file: %s}\n"
                                        "run: {warmup_cycles: 4, measure_cycles: 6}\n",
                                        path);
  assert_int_equal(ut_network_planned(s), 10);
  test_network(&n, s);
  assert_int_equal(ut_network_after_end(&n), 4);
  while (!ut_network_done(&n))
    step(&n);
  assert_int_equal(n.terminals.accounts.generated, 3);
  assert_int_equal(n.terminals.accounts.delivered, 3);
  finish(&n, s);
  remove(path);
}

/* ---- memory */

/* One lane more than 32 of terminals, and one switch more than 64: of each, the last one counts. */
static void one_more_than_a_word_holds(void **state) {
  (void)state;
  static const unsigned sizes[][2] = {{11, 3}, {13, 5}, {8, 8}};
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const unsigned last = sizes[i][0] * sizes[i][1] - 1;
    struct ut_network n;
    struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [%u, %u]}\n"
                                          "switch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: dor}\n"
                                          "traffic: {pattern: hot_spot, hot_spot_node: %u, hot_spot_fraction: 0.5, "
                                          "load_flits_per_cycle: 0.2}\n"
                                          "faults: [{at: 90, until: 110, switch: {level: 0, switch: %u}}]\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 130, seed: 2}\n",
                                          sizes[i][0], sizes[i][1], last, last);
    test_network(&n, s);
    assert_true(n.wires.lanes >= n.wires.terminals + last + 1 && n.wires.lanes % UT_LANES == 0);
    while (!ut_network_done(&n)) {
      step(&n);
      for (uint32_t sw = 0; sw <= last; sw++)
        assert_int_equal(ut_bitmap_get(n.failed, sw), sw == last && n.cycle > 90 && n.cycle <= 110);
    }
    assert_int_equal(n.terminals.accounts.corrupt, 0);
    assert_true(n.terminals.accounts.delivered > 100);
    assert_true(n.terminals.accounts.discarded[UT_DISCARD_IN_FAILED_SWITCH] > 0);
    finish(&n, s);
  }
}

static void bitmaps(void **state) {
  (void)state;
  enum { BITS = 200 };
  uint64_t map[(BITS + 63) / 64] = {0};
  bool is[BITS] = {false};
  for (unsigned i = 0; i < 3 * BITS; i++) {
    const unsigned at = i * 77 % BITS; /* each three times: set, cleared, set */
    is[at] = !is[at];
    (is[at] ? ut_bitmap_set : ut_bitmap_clear)(map, at);
    for (unsigned j = 0; j < BITS; j++)
      assert_int_equal(ut_bitmap_get(map, j), is[j]);
  }
}

/* There is no network then, and nothing is left of it. */
static void is_refused(struct ut_scenario *s, enum ut_exit code, const char *text) {
  struct ut_network n;
  struct ut_error e;
  memset(&n, 0x5a, sizeof n);
  assert_int_equal(ut_network_init(&n, s, NULL, &e), -1);
  assert_int_equal(e.code, code);
  if (!strstr(e.text, text))
    fail_msg("'%s' lacks '%s'", e.text, text);
  assert_true(!n.wires.ring && !n.partition && !n.in_up && !n.topology && !n.workload && !n.faults.event);
  ut_scenario_free(s);
}

#define MESH_OF_16                                                                                                     \
  "topology: {kind: mesh, sizes: [4, 4]}\nswitch: {vcs: 2, depth_flits: 12, packet_flits: 4}\n"                        \
  "traffic: {load_flits_per_cycle: 0.1}\nfaults: [{at: 0, link: {level: 0, switch: 0, port: 0}}]\n"

/* Where routes must be planned first; more VCs than a switch can have; no such destination; no such switch. */
static void networks_that_cannot_be_built(void **state) {
  (void)state;
  is_refused(test_scenario(MESH_OF_16 "routing: {algorithm: direction_order, mechanisms: {intermediate: 1}}\n"),
             UT_INTERNAL, "test.yaml: the routes have not been planned");
  struct ut_scenario *s = test_scenario(MESH_OF_16 "routing: {algorithm: dor}\n");
  s->sw.vcs = UT_MAX_VCS + 1;
  is_refused(s, UT_BAD_INPUT, "vcs");
  s = test_scenario(MESH_OF_16 "routing: {algorithm: dor}\n");
  s->traffic.pattern = &ut_pattern_hot_spot, s->traffic.hot_spots = (struct ut_list){1, {16}};
  is_refused(s, UT_BAD_INPUT, "terminal 16 does not exist, this network has 0..15");
  s = test_scenario(MESH_OF_16 "routing: {algorithm: dor}\n");
  s->faults[0].index = 16;
  is_refused(s, UT_BAD_INPUT, "switch 0.16 does not exist");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_packet_is_waited_for),  cmocka_unit_test(draining_has_an_end),
      cmocka_unit_test(what_is_lost_is_not_waited_for), cmocka_unit_test(packets_after_the_end),
      cmocka_unit_test(one_more_than_a_word_holds),     cmocka_unit_test(bitmaps),
      cmocka_unit_test(networks_that_cannot_be_built),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
