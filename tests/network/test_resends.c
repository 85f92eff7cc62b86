/* SPDX-License-Identifier: Apache-2.0 */
/* test_resends.c - packets that are sent again after a discard: every notice is accounted for, the time of a resend and
 * the latency follow from the journey of one packet, and a source that has stopped sends nothing. */
#define _GNU_SOURCE
#include "resends.h"

#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

/* Every cycle: the accounts, and those of the notices. */
static void step(struct ut_network *n) {
  const struct ut_resends *resends = n->resends;
  ut_network_step(n);
  assert_int_equal(ut_network_in_flight(n), ut_network_outstanding(n));
  uint64_t waiting = resends->end - resends->first;
  assert_int_equal(resends->notices, resends->resent + resends->given_up + waiting);
}

static void run(struct ut_network *n) {
  while (!ut_network_done(n))
    step(n);
  assert_false(n->failure);
}

#define TREE(k, n)                                                                                                     \
  "topology: {kind: fat_tree, k: " #k ", n: " #n "}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 2}\n"

/* A 2-ary 4-tree with random faults beyond k-1, and others during the run. */
static struct ut_scenario *damaged(struct ut_network *n, const char *algorithm, const char *traffic, unsigned links) {
  struct ut_scenario *s = test_scenario(TREE(2, 4) "routing: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1%s}\n"
                                                   "faults:\n  - {at: 0, random_links: 3}\n"
                                                   "  - {at: 300, until: 420, every: 200, times: 6, random_links: %u}\n"
                                                   "run: {warmup_cycles: 0, measure_cycles: 1500, seed: 3}\n",
                                        algorithm, traffic, links);
  test_network(n, s);
  return s;
}

/* When the network has drained, each packet that was generated first is delivered, given up, discarded without a
 * notice, or not sent because its source had stopped. */
static void every_packet_is_accounted_for(void **state) {
  (void)state;
  static const char *const traffic[] = {", resend_after_cycles: 40", ", resend_after_cycles: 1, resend_limit: 2",
                                        ", resend_after_cycles: 40, resend_limit: 1, resend_cause: notice",
                                        ", resend_after_cycles: 7, resend_limit: 1, resend_stop_cycles: 300"};
  static const char *const algorithm[] = {"reroute_adaptive_link", "reroute_det_link", "fta"};
  for (unsigned a = 0; a < 3; a++)
    for (unsigned i = 0; i < sizeof traffic / sizeof *traffic; i++) {
      struct ut_network n;
      struct ut_scenario *s = damaged(&n, algorithm[a], traffic[i], 4);
      run(&n);
      const struct ut_accounts *accounts = &n.terminals.accounts;
      const struct ut_resends *resends = n.resends;
      const uint64_t lost = ut_accounts_discarded(accounts), unheard = lost - resends->notices - resends->stopped;
      assert_true(resends->notices > 0 && resends->resent > 0);
      assert_int_equal(accounts->corrupt, 0);
      assert_int_equal(accounts->generated - resends->resent,
                       accounts->delivered + resends->given_up + resends->stopped + unheard);
      assert_int_equal(unheard, i == 2 ? accounts->discarded[UT_DISCARD_CUT_BY_FAULT] : 0);
      assert_int_equal(resends->stopped > 0, i == 3);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

/* Deterministic routing takes the same way again: under permanent faults what is lost once is lost each time. */
static void the_same_way_fails_again(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = test_scenario(TREE(2, 4) "routing: {algorithm: reroute_det_link}\n"
                                                   "traffic: {load_flits_per_cycle: 0.1}\n"
                                                   "faults:\n  - {at: 0, random_links: 3}\n"
                                                   "run: {warmup_cycles: 0, measure_cycles: 1500, seed: 3}\n");
  test_network(&n, s);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  const uint64_t lost = ut_accounts_discarded(&n.terminals.accounts), delivered = n.terminals.accounts.delivered;
  assert_true(lost > 0);
  for (unsigned limit = 0; limit <= 3; limit++) {
    ut_network_fini(&n);
    s->traffic.resend_after_cycles = 50;
    s->traffic.resend_limit = limit;
    test_network(&n, s);
    run(&n);
    assert_int_equal(n.terminals.accounts.delivered, delivered);
    assert_int_equal(n.resends->given_up, lost);
    assert_int_equal(n.resends->resent, limit * lost);
    assert_int_equal(n.resends->notices, (limit + 1) * lost);
    assert_int_equal(n.resends->delivered, 0);
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Packets from terminal 0 to 5, whose ejection link is down until then; the first in cycle 100. */
static struct ut_scenario *lonely(struct ut_network *n, const char *traffic, unsigned packets, unsigned gap,
                                  unsigned long until) {
  char path[UT_TEST_TRACE_PATH], text[4096];
  size_t used = 0;
  for (unsigned i = 0; i < packets; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%u 0 5 2\n", 100 + gap * i);
  test_write_trace(path, text);
  struct ut_scenario *s = test_scenario(TREE(2, 3) "routing: {algorithm: fta}\n"
                                                   "traffic: {pattern: trace, trace_file: %s, %s}\n"
                                                   "faults:\n  - {at: 0, until: %lu, ejection: {terminal: 5}}\n"
                                                   "run: {warmup_cycles: 0, measure_cycles: 5000}\n",
                                        path, traffic, until);
  test_network(n, s);
  remove(path);
  return s;
}

/* Returns how many cycles after the first packet is generated it is discarded. */
static uint64_t journey_of(struct ut_network *n) {
  while (!ut_accounts_discarded(&n->terminals.accounts))
    step(n);
  return n->cycle - 1 - 100;
}

/* One packet, sent again each time that many cycles after its discard, until the link is back: its latency is that of
 * all its attempts. */
static void latency_counts_from_the_first(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = lonely(&n, "resend_after_cycles: 90", 1, 1, 1000);
  const uint64_t journey = journey_of(&n);
  run(&n);
  /* docs/explanation/network.md, "Zero-load latency": five switches of four cycles, two flits */
  const uint64_t flight = 1 + 5 * (1 + s->sw.route_cycles + s->sw.alloc_cycles + s->sw.xbar_cycles) + 2 - 1;
  const uint64_t attempts = (1000 - 100 - journey + journey + 90 - 1) / (journey + 90);
  assert_int_equal(n.resends->resent, attempts);
  assert_int_equal(n.resends->delivered, 1);
  assert_int_equal(n.terminals.accounts.delivered, 1);
  assert_int_equal(n.terminals.latency.max, attempts * (journey + 90) + flight);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* A source that has stopped: of packets at regular times those are sent that find it not stopped, and each of them
 * stops it again. */
static void a_stopped_source_sends_nothing(void **state) {
  (void)state;
  enum { PACKETS = 60, GAP = 50, AFTER = 30, STOP = 480 };
  struct ut_network n;
  struct ut_scenario *s =
      lonely(&n, "resend_after_cycles: 30, resend_limit: 0, resend_stop_cycles: 480", PACKETS, GAP, UINT32_MAX);
  const uint64_t journey = journey_of(&n);
  assert_true(journey + AFTER < GAP);
  run(&n);
  uint64_t until = 0, sent = 0;
  for (unsigned i = 0; i < PACKETS; i++)
    if (100 + GAP * i >= until) {
      sent++;
      until = 100 + GAP * i + journey + AFTER + STOP;
    }
  assert_int_equal(n.resends->given_up, sent);
  assert_int_equal(n.resends->stopped, PACKETS - sent);
  assert_int_equal(n.resends->resent, 0);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Cycles in which nothing happens are jumped, also those until a resend; threads and jumps change nothing. */
static void jumps_change_nothing(void **state) {
  (void)state;
  struct ut_network n;
  uint64_t latency = 0, cycles = 0;
  for (unsigned jump = 0; jump < 2; jump++) {
    struct ut_scenario *s = lonely(&n, "resend_after_cycles: 600", 3, 700, 1500);
    while (!ut_network_done(&n)) {
      if (jump)
        ut_network_skip(&n, UINT64_MAX);
      step(&n);
    }
    assert_int_equal(n.jumped > 0, jump);
    assert_int_equal(n.terminals.accounts.delivered, 3);
    if (jump) {
      assert_int_equal(n.terminals.accounts.latency, latency);
      assert_int_equal(n.cycle, cycles);
    }
    latency = n.terminals.accounts.latency;
    cycles = n.cycle;
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_packet_is_accounted_for), cmocka_unit_test(the_same_way_fails_again),
      cmocka_unit_test(latency_counts_from_the_first), cmocka_unit_test(a_stopped_source_sends_nothing),
      cmocka_unit_test(jumps_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
