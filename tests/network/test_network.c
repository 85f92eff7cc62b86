/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the network with the golden model: accounts in every cycle, faults, deadlock watchdog, determinism. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "deadlock.h"
#include "network.h"
#include "planned_routes.h"
#include "registers.h"
#include "scenario_read.h"
#include "scenarios.h"

/* Flits in the buffers, one by one. */
static uint64_t flits_in_buffers(const struct ut_network *n) {
  uint64_t flits = 0;
  for (uint32_t sw = 0; sw < n->topology->switches; sw++) {
    const struct ut_group *g = ut_network_group(n, sw);
    for (unsigned ip = 0; ip < g->shape.pi; ip++)
      for (unsigned v = 0; v < n->v; v++)
        flits += ut_reg_count(g, ut_network_switch(n, sw), ip, v);
  }
  return flits;
}

/* One cycle, after which no packet may be missing. */
static void step(struct ut_network *n) {
  ut_network_step(n);
  if (n->cycle % 64 == 0)
    assert_int_equal(ut_network_buffered(n), flits_in_buffers(n));
  assert_int_equal(ut_network_in_flight(n), ut_network_outstanding(n));
}

static void finish(struct ut_network *n, struct ut_scenario *s) {
  ut_network_fini(n);
  ut_scenario_free(s);
}

/* Every fault kind at once, beyond what the algorithm tolerates: still no packet may be missing in any cycle. */
static void accounts_hold_in_every_cycle(void **state) {
  (void)state;
  uint64_t in_failed_switch = 0;
  static const char *const shapes[] = {
      "switch: {vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0}\n",
      "switch: {vcs: 2, depth_flits: 6, packet_flits: 3, route_cycles: 2, alloc_cycles: 2, crossbar: vc}\n",
      "switch: {vcs: 3, depth_flits: 2, packet_flits: 5, switching: wormhole, route_cycles: 1}\n",
  };
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    for (unsigned wire = 1; wire <= 3; wire += 2) {
      char text[2048];
      struct ut_network n;
      snprintf(text, sizeof text,
               "topology: {kind: fat_tree, k: 3, n: 3, link_cycles: %u}\n%s"
               "routing: {algorithm: reroute_adaptive_link}\n"
               "traffic: {pattern: uniform, load_flits_per_cycle: 0.5}\n"
               "faults:\n"
               "  - {at: 300, until: 301, random_links: 3}\n"
               "  - {at: 400, until: 700, random_switches: 1}\n"
               "  - {at: 500, until: 800, switch: {level: 0, switch: 2}}\n"
               "  - {at: 600, until: 650, link: {level: 0, switch: 4, port: 1}}\n"
               "  - {at: 900, random_links: 2}\n"
               "run: {warmup_cycles: 100, measure_cycles: 1500, seed: 7}\n",
               wire, shapes[i]);
      struct ut_scenario *s = test_scenario("%s", text);
      test_network(&n, s);
      while (!ut_network_done(&n))
        step(&n);
      const struct ut_accounts *a = &n.terminals.accounts;
      assert_int_equal(a->corrupt, 0);
      assert_true(a->delivered > 2000);
      assert_true(a->discarded[UT_DISCARD_CUT_BY_FAULT] > 0);
      in_failed_switch += a->discarded[UT_DISCARD_IN_FAILED_SWITCH];
      assert_int_equal(ut_network_in_flight(&n), 0);
      finish(&n, s);
    }
  assert_true(in_failed_switch > 0);
}

/* What was sent in one of the last LINK cycles comes, and nothing else does. */
static void wires_hold(const char *network) {
  enum { LINK = 3, CYCLES = 300, MOST_VCS = 3 };
  struct ut_network n;
  struct ut_scenario *s = test_scenario("%straffic: {pattern: uniform, load_flits_per_cycle: 0.2}\n"
                                        "run: {measure_cycles: %d, drain: false, seed: 3}\n",
                                        network, CYCLES);
  test_network(&n, s);
  const struct ut_topology *t = n.topology;
  ut_mask sent[6][LINK] = {{0}}, returned[6][MOST_VCS][LINK] = {{{0}}};
  unsigned flits = 0, credits = 0, none = 0;
  assert_int_equal(t->switches, 6);
  while (!ut_network_done(&n)) {
    const unsigned now = (unsigned)(n.cycle % LINK);
    step(&n);
    for (uint32_t i = 0; i < t->switches; i++) {
      const struct ut_group *g = ut_network_group(&n, i);
      sent[i][now] = ut_reg_valid(g, ut_network_switch(&n, i));
      for (unsigned v = 0; v < n.v; v++) {
        returned[i][v][now] = 0;
        for (unsigned ip = 0; ip < t->pi; ip++)
          returned[i][v][now] |= (ut_mask)ut_reg_credit(g, ut_network_switch(&n, i), ip, v) << ip;
      }
    }
    for (uint32_t i = 0; i < t->switches; i++)
      for (unsigned op = 0; op < t->po; op++) {
        const struct ut_peer from = {.kind = UT_PEER_SWITCH, .index = i, .port = (uint8_t)op};
        const struct ut_peer *to = &t->peer[i * t->po + op];
        if (to->kind != UT_PEER_SWITCH)
          continue;
        const bool flit = (sent[i][0] | sent[i][1] | sent[i][2]) >> op & 1;
        assert_int_equal(ut_network_flit_comes(&n, to), flit);
        flits += flit, none += !flit;
        for (unsigned v = 0; v < n.v; v++) {
          const ut_mask *back = returned[to->index][v];
          const bool credit = (back[0] | back[1] | back[2]) >> to->port & 1;
          assert_int_equal(ut_network_credit_comes(&n, &from, v), credit);
          credits += credit;
        }
      }
  }
  assert_true(flits > CYCLES && credits > CYCLES && none > CYCLES);
  assert_true(ut_network_states_agree(&n)); /* there are none */
  finish(&n, s);
}

static void wires_hold_what_was_sent(void **state) {
  (void)state;
  wires_hold("topology: {kind: fat_tree, k: 3, n: 2, link_cycles: 3}\n"
             "switch: {vcs: 2, depth_flits: 8, packet_flits: 3}\nrouting: {algorithm: reroute_adaptive_link}\n");
  wires_hold("topology: {kind: torus, sizes: [3, 2], local_ports: 2, link_cycles: 3}\n"
             "switch: {vcs: 3, depth_flits: 8, packet_flits: 3}\nrouting: {algorithm: duato}\n");
}

/* A repaired link to a terminal, while the next flits are already on its wire of several cycles. */
static void long_wire_to_a_terminal_comes_back(void **state) {
  (void)state;
  for (unsigned until = 520; until < 540; until++) {
    char text[1024];
    struct ut_network n;
    snprintf(
        text, sizeof text,
        "topology: {kind: fat_tree, k: 2, n: 1, link_cycles: 3}\n"
        "switch: {vcs: 3, depth_flits: 9, packet_flits: 4, switching: wormhole, route_cycles: 2, alloc_cycles: 2}\n"
        "routing: {algorithm: reroute_adaptive_link}\n"
        "traffic: {pattern: complement, load_flits_per_cycle: 1.0}\n"
        "faults: [{at: 500, until: %u, link: {level: 0, switch: 0, port: 0}}]\n"
        "run: {warmup_cycles: 0, measure_cycles: 800, seed: 4}\n",
        until);
    struct ut_scenario *s = test_scenario("%s", text);
    test_network(&n, s);
    while (!ut_network_done(&n))
      step(&n);
    assert_int_equal(n.terminals.accounts.corrupt, 0);
    finish(&n, s);
  }
}

/* A link that goes down carries nothing, and is used again when it is back. */
static void repaired_link_is_used_again(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 3}\n"
                                        "routing: {algorithm: reroute_adaptive_link}\n"
                                        "traffic: {pattern: uniform, load_flits_per_cycle: 0.3}\n"
                                        "faults:\n  - {at: 1000, until: 2000, link: {level: 1, switch: 5, port: 2}}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 3000, seed: 1}\n");
  test_network(&n, s);
  assert_true(ut_network_count_links(&n));
  size_t link = (size_t)ut_topology_switch(n.topology, 1, 5) * n.topology->po + 2;
  uint64_t at[4];
  for (unsigned i = 0; i < 3; i++) {
    at[i] = n.link_flits[link];
    while (n.cycle < (i + 1) * 1000)
      step(&n);
  }
  at[3] = n.link_flits[link];
  assert_true(at[1] - at[0] > 100);
  assert_true(at[2] - at[1] <= 1); /* what was decided in the cycle of the fault */
  assert_true(at[3] - at[2] > 100);
  assert_true(ut_network_u_turns(&n) > 0);
  assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE], 0);
  finish(&n, s);
}

/* The same scenario and seed give the same results; another seed gives others. */
static void results_depend_on_the_seed_only(void **state) {
  (void)state;
  uint64_t sum[3];
  for (unsigned i = 0; i < 3; i++) {
    char text[512];
    struct ut_network n;
    snprintf(text, sizeof text,
             "topology: {kind: fat_tree, k: 2, n: 4}\nrouting: {algorithm: fta}\n"
             "traffic: {pattern: hot_spot, load_flits_per_cycle: 0.3}\nrun: {measure_cycles: 2000, seed: %u}\n",
             i == 2 ? 9u : 4u);
    struct ut_scenario *s = test_scenario("%s", text);
    test_network(&n, s);
    while (!ut_network_done(&n))
      step(&n);
    sum[i] = n.terminals.latency.sum;
    finish(&n, s);
  }
  assert_int_equal(sum[0], sum[1]);
  assert_int_not_equal(sum[0], sum[2]);
}

/* A planted knot: two packets that each own what the other needs do not exist in a fat tree without faults, so a live
 * network under heavy load must never be taken for deadlocked. */
static void watchdog_does_not_cry_wolf(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_watchdog w = {0};
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 4}\nrouting: {algorithm: destro}\n"
                                        "traffic: {pattern: uniform, load_flits_per_cycle: 1.0}\n"
                                        "run: {measure_cycles: 1500, drain: false, seed: 2}\n");
  test_network(&n, s);
  while (!ut_network_done(&n)) {
    step(&n);
    assert_false(ut_deadlock_search(&w, &n));
  }
  ut_watchdog_free(&w);
  finish(&n, s);
}

/* Beyond k-1 faults U-turns can close a cycle: the watchdog finds it, and what it finds never moves again. */
static void watchdog_finds_a_deadlock(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_watchdog w = {0};
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 4}\nswitch: {route_cycles: 0}\n"
                                        "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 64}\n"
                                        "traffic: {pattern: uniform, load_flits_per_cycle: 1.0}\n"
                                        "faults: [{at: 500, random_links: 5}]\n"
                                        "run: {warmup_cycles: 1000, measure_cycles: 2000, seed: 4}\n");
  test_network(&n, s);
  while (n.cycle < 1000)
    step(&n);
  assert_true(ut_deadlock_search(&w, &n));
  assert_non_null(strstr(w.text, "these channels wait for each other"));
  ut_watchdog_free(&w);
  n.terminals.stop_generation = true;
  for (unsigned i = 0; i < 20000; i++)
    step(&n);
  assert_true(ut_network_in_flight(&n) > 0);
  finish(&n, s);
}

/* Neighbours that fail in the same cycle: what one of them has just sent to the other is lost, and counted, once. */
static void neighbours_fail_together(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 12; seed++) {
    struct ut_network n;
    struct ut_scenario *s = test_scenario("topology: {kind: torus, sizes: [4, 4]}\n"
                                          "switch: {vcs: 3, depth_flits: 8, packet_flits: 4}\n"
                                          "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.3}\n"
                                          "faults:\n  - {at: 60, random_switches: 7}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 100, seed: %u}\n",
                                          seed);
    test_network(&n, s);
    while (!ut_network_done(&n)) {
      ut_network_step(&n);
      assert_int_equal(n.terminals.accounts.corrupt, 0);
      assert_int_equal(ut_network_in_flight(&n), ut_network_outstanding(&n));
    }
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Header words that are stripped on the way: what follows is a head in the buffer, also of a switch that fails, and of
 * links that do. */
static void accounts_hold_on_planned_routes(void **state) {
  (void)state;
  uint64_t in_failed_switch = 0, cut = 0, unreachable = 0;
  for (unsigned seed = 1; seed <= 8; seed++) {
    struct ut_network n;
    struct ut_error e;
    struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [4, 4], link_cycles: %u}\n"
                                          "switch: {vcs: %u, depth_flits: %u, packet_flits: %u%s}\n"
                                          "routing: {algorithm: direction_order, mechanisms: {intermediate: 1}}\n"
                                          "traffic: {load_flits_per_cycle: 0.35}\nfaults:\n"
                                          "  - {at: 0, link: {level: 0, switch: 0, port: 0}}\n"
                                          "  - {at: 0, link: {level: 0, switch: 5, port: 2}}\n"
                                          "  - {at: 0, link: {level: 0, switch: 10, port: 0}}\n"
                                          "  - {at: 60, until: 64, every: 9, times: 30, random_links: 1}\n"
                                          "  - {at: 71, until: 90, every: 30, times: 9, random_switches: 2}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 350, drain: false, seed: %u}\n",
                                          1 + seed % 3, 2 + seed % 2, seed % 2 ? 12 : 4, seed % 2 ? 4 : 1 + seed % 3,
                                          seed % 2 ? "" : ", switching: wormhole", seed);
    if (ut_plan_scenario(s, &e))
      fail_msg("%s", e.text);
    test_network(&n, s);
    while (!ut_network_done(&n))
      step(&n);
    const struct ut_accounts *a = &n.terminals.accounts;
    assert_int_equal(a->corrupt, 0);
    assert_true(a->delivered > 100);
    in_failed_switch += a->discarded[UT_DISCARD_IN_FAILED_SWITCH];
    cut += a->discarded[UT_DISCARD_CUT_BY_FAULT], unreachable += a->discarded[UT_DISCARD_UNREACHABLE];
    finish(&n, s);
  }
  assert_true(in_failed_switch > 100 && cut > 100 && unreachable > 100);
}

/* A switch fails while packets are drained that nobody can get: these have been counted already, those behind them in
 * the same buffer have not. */
static void a_switch_fails_that_drains(void **state) {
  (void)state;
  enum { CENTRE = 4 };
  unsigned behind = 0;
  for (unsigned seed = 1; seed <= 6; seed++) {
    struct ut_network n;
    struct ut_scenario *s =
        test_scenario("topology: {kind: mesh, sizes: [3, 3]}\nswitch: {vcs: 1, depth_flits: 16, packet_flits: %u}\n"
                      "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 1.0}\n"
                      "faults:\n  - {at: 10, link: {level: 0, switch: 4, port: 0}}\n"
                      "  - {at: 40, until: 42, every: 22, times: 20, switch: {level: 0, switch: 4}}\n"
                      "run: {warmup_cycles: 0, measure_cycles: 450, drain: false, seed: %u}\n",
                      2 + seed % 3, seed);
    test_network(&n, s);
    const struct ut_group *g = ut_network_group(&n, CENTRE);
    const struct ut_switch *sw = ut_network_switch(&n, CENTRE);
    while (!ut_network_done(&n)) {
      const bool fails = n.cycle >= 40 && (n.cycle - 40) % 22 == 0;
      for (unsigned ip = 0; ip < g->shape.pi && fails; ip++)
        for (unsigned i = 1; i < ut_reg_count(g, sw, ip, 0) && ut_reg_state(g, sw, ip, 0) == UT_VC_STATE_DRAIN; i++)
          behind += (ut_reg_peek(g, sw, ip, 0, i)[n.words] & UT_KIND_HEAD) != 0;
      step(&n);
    }
    assert_int_equal(n.terminals.accounts.corrupt, 0);
    finish(&n, s);
  }
  assert_true(behind > 10);
}

/* ---- links and switches in one cycle, reports on long links */

/* A link goes down and, in the same cycle, the switch at its end: what arrives then is lost once, through whatever
 * port it came. */
static void link_and_switch_fail_together(void **state) {
  (void)state;
  enum { CENTRE = 4, PORTS = 5, FROM = 40, TO = 52 };
  uint64_t lost = 0;
  for (unsigned port = 0; port < PORTS; port++)
    for (unsigned at = FROM; at < TO; at++) {
      struct ut_network n;
      struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [3, 3]}\n"
                                            "switch: {vcs: 2, depth_flits: 4, packet_flits: 1}\n"
                                            "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 1.0}\n"
                                            "faults:\n  - {at: %u, link: {level: 0, switch: 4, port: %u}}\n"
                                            "  - {at: %u, until: %u, switch: {level: 0, switch: 4}}\n"
                                            "run: {warmup_cycles: 0, measure_cycles: 70, drain: false, seed: %u}\n",
                                            at, port, at, at + 1 + port, at);
      test_network(&n, s);
      while (!ut_network_done(&n)) {
        if (n.cycle == at) { /* what is on the wire to that port, and what is counted of it */
          const struct ut_peer to = {.kind = UT_PEER_SWITCH, .index = CENTRE, .port = (uint8_t)port};
          lost += ut_network_flit_at(&n, at, &to) != NULL;
        }
        step(&n);
      }
      assert_int_equal(n.terminals.accounts.corrupt, 0);
      finish(&n, s);
    }
  assert_true(lost > PORTS * (TO - FROM) / 4);
}

/* What a switch reports in a cycle its neighbours hear link_cycles later, not before: links and switches that fail and
 * come back all the time. */
static void reports_take_as_long_as_the_link(void **state) {
  (void)state;
  enum { MOST = 8, CYCLES = 400 };
  static const char *const topologies[] = {"kind: fat_tree, k: 2, n: 3", "kind: mesh, sizes: [4, 3]"};
  static const char *const rest[] = {
      "switch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: reroute_adaptive_switch}\n"
      "faults:\n  - {at: 10, until: 14, every: 5, times: 60, random_links: 3}\n"
      "  - {at: 12, until: 13, every: 3, times: 90, random_links: 2}\n"
      "  - {at: 50, until: 57, every: 21, times: 15, random_switches: 1}\n",
      "switch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
      "routing: {algorithm: detour, beyond_fault_model: true}\n"
      "faults:\n  - {at: 20, until: 60, every: 43, times: 8, random_switches: 2}\n"
      "  - {at: 21, until: 55, every: 37, times: 9, random_switches: 1}\n"};
  for (unsigned i = 0; i < 2; i++)
    for (unsigned link = 1; link < MOST; link++) {
      struct ut_scenario *s = test_scenario("topology: {%s, link_cycles: %u}\ntraffic: {load_flits_per_cycle: 0.1}\n%s"
                                            "run: {warmup_cycles: 0, measure_cycles: %u, seed: 3}\n",
                                            topologies[i], link, rest[i], CYCLES);
      struct ut_network n;
      test_network(&n, s);
      const struct ut_topology *t = n.topology;
      uint32_t reported[MOST][12] = {{0}};
      unsigned changes = 0, waiting = 0;
      assert_int_equal(t->switches, 12);
      while (n.cycle < CYCLES) {
        const uint64_t cycle = n.cycle;
        const size_t before = n.notices;
        unsigned now_changed = 0;
        step(&n);
        for (uint32_t sw = 0; sw < t->switches; sw++) {
          const uint32_t now = ut_switch_report(ut_network_group(&n, sw), ut_network_switch(&n, sw));
          now_changed += now != reported[(cycle + MOST - 1) % MOST][sw];
          reported[cycle % MOST][sw] = now;
        }
        changes += now_changed;
        waiting += n.notices > now_changed + 1 && n.notices < before + now_changed; /* some came, some are left */
        for (uint32_t channel = 0; channel < t->switches * t->po; channel++) {
          const struct ut_peer *to = &t->peer[channel];
          if (to->kind != UT_PEER_SWITCH)
            continue;
          uint32_t heard = 0;
          for (unsigned bit = 0; bit < n.reports; bit++)
            heard |= (n.report[to->index * n.reports + bit] >> ut_topology_twin(t, channel) % t->po & 1) << bit;
          assert_int_equal(heard, reported[(cycle + MOST - link) % MOST][channel / t->po]);
        }
      }
      assert_true(changes > 50);
      assert_int_equal(waiting > 10, link > 1);
      finish(&n, s);
    }
}

/* Faults of cycle 0 are known to those who tell terminals; of those in the cycle after it they are told. */
static void faults_of_the_first_cycles(void **state) {
  (void)state;
  enum { DELAY = 9, PACE = 3 };
  for (unsigned at = 0; at < 4; at++) {
    struct ut_network n;
    struct ut_scenario *s =
        test_scenario("topology: {kind: ft_ruft_222, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 2}\n"
                      "routing: {algorithm: ruft, manager_delay_cycles: %u, manager_switch_cycles: %u}\n"
                      "traffic: {load_flits_per_cycle: 0.3}\nfaults: [{at: %u, random_links: 1}]\n",
                      DELAY, PACE, at);
    test_network(&n, s);
    assert_int_equal(n.source_routes.older == NULL, at > 0); /* all works */
    while (n.cycle <= at)
      step(&n);
    assert_int_equal(n.source_routes.round, at > 0);
    assert_false(n.source_routes.told);
    if (at)
      assert_int_equal(n.source_routes.start, at + DELAY + PACE);
    assert_true((at == 0) == (n.source_routes.next_cycle == UINT64_MAX));
    finish(&n, s);

    s = test_scenario("topology: {kind: mesh, sizes: [4, 4]}\n"
                      "switch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n"
                      "routing: {algorithm: detour}\ntraffic: {load_flits_per_cycle: 0.1}\n"
                      "faults: [{at: %u, until: %u, switch: {level: 0, switch: 5}}]\n",
                      at, at + 200);
    test_network(&n, s);
    assert_int_equal(n.availability.count, at ? 16 : 15);
    while (n.cycle <= at)
      step(&n);
    assert_int_equal(n.settling.since, at);
    assert_int_equal(n.availability.model.state[5], UT_NODE_FAULTY);
    assert_int_equal(n.availability.count, 15);
    assert_false(n.purge_protocol.anew);
    assert_true(n.purge_protocol.due == (at ? at + n.purge_protocol.settle : UINT64_MAX));
    while (n.cycle <= at + 200)
      step(&n);
    assert_int_equal(n.settling.since, at + 200);
    assert_int_equal(n.availability.count, 16);
    assert_true(n.purge_protocol.anew);
    finish(&n, s);
  }
}

/* ---- what a terminal finds wrong, in flits that the test puts in front of it */

enum { WORDS = 2, DEPTH = 4, LONG = 7 };

static void open_idle(struct ut_network *n, struct ut_scenario **s) {
  *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                     "switch: {flit_bits: 128, vcs: 2, depth_flits: 4, packet_flits: 9, switching: wormhole}\n"
                     "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0}\n"
                     "run: {warmup_cycles: 0, measure_cycles: 100000, drain: false}\n");
  test_network(n, *s);
  for (unsigned i = 0; i < 2 * DEPTH; i++) /* credits of links that have just come up */
    ut_network_step(n);
}

static struct ut_record *record_of(struct ut_terminal *t, uint64_t sequence) {
  return &t->record[sequence & t->mask];
}

/* Makes a packet one of those that its source has in the network; its header. */
static uint64_t sent(struct ut_network *n, uint16_t src, uint16_t dst, uint16_t flits) {
  struct ut_terminal *t = &n->terminals.terminal[src];
  const uint64_t header = ut_header_make(dst, src, (uint8_t)t->injected, 0);
  struct ut_record *record = record_of(t, t->injected++);
  record_of(t, t->injected)->cycle = record->cycle; /* never */
  *record = (struct ut_record){n->cycle, dst, flits, true, 0};
  t->end = t->injected;
  t->drawn = t->end + 1;
  return header;
}

/* The same, but it is still in the queue. */
static uint64_t not_yet_sent(struct ut_network *n, uint16_t src, uint16_t dst, uint16_t flits) {
  struct ut_terminal *t = &n->terminals.terminal[src];
  *record_of(t, t->injected) = (struct ut_record){record_of(t, t->injected)->cycle, dst, flits, true, 0};
  return ut_header_make(dst, src, (uint8_t)t->injected, 0);
}

/* Flit i of `flits` reaches a terminal in the next cycle, with some bits of its second word turned over. */
static void put(struct ut_network *n, uint32_t terminal, unsigned vc, uint64_t header, unsigned i, unsigned flits,
                uint64_t wrong) {
  struct ut_wires *w = &n->wires;
  const uint32_t input = w->terminals + terminal * n->v + vc;
  uint64_t flit[WORDS + 1];
  for (unsigned word = 0; word < WORDS; word++)
    flit[word] = ut_body_word(ut_header_src(header), ut_header_tag(header), i * WORDS + word,
                              i + 1 == flits && (i > 0 || word > 0));
  if (i == 0)
    flit[0] = header;
  flit[1] ^= wrong;
  flit[WORDS] = ut_flit_meta((i == 0 ? UT_KIND_HEAD : 0) | (i + 1 == flits ? UT_KIND_TAIL : 0), vc);
  ut_wires_send(w, w->from[input], flit, ut_wires_flits(w, n->cycle, input) - input);
}

static void step_idle(struct ut_network *n) {
  ut_network_step(n);
  for (unsigned i = 0; i < n->wires.slots; i++) /* nobody has sent what credits come back for */
    memset(n->wires.credits[i], 0, n->wires.lanes);
}

/* One packet in which something is wrong, and at the same time a good one of the same length on another VC of a
 * terminal; then two good ones.  Only the first one is counted. */
static void terminals_find_mistakes(void **state) {
  (void)state;
  enum { WRONG_FLIT, SECOND_HEAD = LONG, WITHOUT_HEAD, ONLY_TAIL, UNKNOWN, NOBODYS, SHORT, KINDS };
  struct ut_network n;
  struct ut_scenario *s;
  open_idle(&n, &s);
  const struct ut_accounts *a = &n.terminals.accounts;
  assert_int_equal(n.words, WORDS);
  assert_int_equal(n.v, 2);
  n.terminals.watched = true; /* those that somebody has sent are told of */
  size_t told = 0;
  for (unsigned lane = 0; lane < 8; lane++)
    for (unsigned kind = 0; kind < KINDS; kind++)
      for (unsigned beside = 0; beside < 8; beside++) {
        const uint16_t dst = (uint16_t)(lane / 2), other = (uint16_t)(beside / 2);
        if (beside == lane)
          continue;
        const uint64_t corrupt = a->corrupt, delivered = a->delivered;
        const unsigned mistakes = kind == WITHOUT_HEAD ? LONG - 2 : 1; /* flits of nothing, or packets */
        const bool arrives = kind != WITHOUT_HEAD && kind != ONLY_TAIL;
        const uint64_t good = sent(&n, other ^ 1, other, LONG);
        const uint64_t bad = kind == UNKNOWN   ? not_yet_sent(&n, 1, dst, LONG)
                             : kind == NOBODYS ? ut_header_make(dst, 60000, 0, 0)
                                               : sent(&n, dst ^ 1, dst, kind == SHORT ? LONG + 1 : LONG);
        for (unsigned i = 0; i < LONG; i++) {
          if (kind == SECOND_HEAD && i == 0) {
            put(&n, dst, lane % 2, bad, 0, LONG, 0);
            step_idle(&n);
          }
          if (kind == WITHOUT_HEAD ? i > 0 && i < LONG - 1 : kind != ONLY_TAIL || i == LONG - 1)
            put(&n, dst, lane % 2, bad, i, LONG, kind < LONG && i == kind ? UINT64_C(1) << (9 * kind) : 0);
          put(&n, other, beside % 2, good, i, LONG, 0);
          step_idle(&n);
        }
        assert_int_equal(a->delivered - delivered, 1 + arrives);
        assert_int_equal(a->corrupt - corrupt, mistakes);
        if (kind == SHORT || !arrives)
          ut_terminals_discard(&n.terminals, bad, UT_DISCARD_UNREACHABLE);
        told += kind == UNKNOWN || kind == NOBODYS ? 3 : 4;
        for (unsigned round = 0; round < 2; round++) {
          const uint64_t next = sent(&n, dst ^ 1, dst, LONG);
          for (unsigned i = 0; i < LONG; i++) {
            put(&n, dst, lane % 2, next, i, LONG, 0);
            step_idle(&n);
          }
        }
        assert_int_equal(a->delivered - delivered, 3 + arrives);
        assert_int_equal(a->corrupt - corrupt, mistakes);
      }
  /* nobody has sent what is discarded */
  const uint64_t corrupt = a->corrupt;
  ut_terminals_discard(&n.terminals, not_yet_sent(&n, 1, 0, LONG), UT_DISCARD_UNREACHABLE);
  ut_terminals_discard(&n.terminals, ut_header_make(0, 60000, 0, 0), UT_DISCARD_UNREACHABLE);
  assert_int_equal(a->corrupt, corrupt + 2);
  assert_int_equal(n.terminals.range->departures.count, told);
  finish(&n, s);
}

/* Two networks that differ in one bit of what has not been read, then in what was found in it. */
static void terminals_agree(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 4; wrong++) {
    struct ut_network n[2];
    struct ut_scenario *s[2];
    uint64_t header[2];
    for (unsigned j = 0; j < 2; j++) {
      open_idle(&n[j], &s[j]);
      header[j] = sent(&n[j], 2, 3, LONG);
    }
    for (unsigned i = 0; i + 1 < LONG; i++) { /* the tail does not come */
      for (unsigned j = 0; j < 2; j++) {
        put(&n[j], 3, 1, header[j], i, LONG, i == 1 && wrong >> j & 1);
        step_idle(&n[j]);
      }
      assert_int_equal(ut_terminals_agree(&n[0].terminals, &n[1].terminals), i == 0 || wrong == 0 || wrong == 3);
    }
    for (unsigned j = 0; j < 2; j++)
      finish(&n[j], s[j]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_fail_together),
      cmocka_unit_test(accounts_hold_in_every_cycle),
      cmocka_unit_test(long_wire_to_a_terminal_comes_back),
      cmocka_unit_test(repaired_link_is_used_again),
      cmocka_unit_test(results_depend_on_the_seed_only),
      cmocka_unit_test(watchdog_does_not_cry_wolf),
      cmocka_unit_test(watchdog_finds_a_deadlock),
      cmocka_unit_test(wires_hold_what_was_sent),
      cmocka_unit_test(accounts_hold_on_planned_routes),
      cmocka_unit_test(a_switch_fails_that_drains),
      cmocka_unit_test(link_and_switch_fail_together),
      cmocka_unit_test(reports_take_as_long_as_the_link),
      cmocka_unit_test(faults_of_the_first_cycles),
      cmocka_unit_test(terminals_find_mistakes),
      cmocka_unit_test(terminals_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
