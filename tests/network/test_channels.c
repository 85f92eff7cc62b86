/* SPDX-License-Identifier: Apache-2.0 */
/* test_channels.c - a link's two directions: each fails, is repaired and counts its credits by itself, and credits
 * come back over the same length. */
#define _GNU_SOURCE
#include "network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "deadlock.h"
#include "registers.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topology_build.h"

#define FAT_TREE "topology: {kind: fat_tree, k: 4, n: 2}\nrouting: {algorithm: reroute_adaptive_link}\n"
#define TORUS "topology: {kind: torus, k: 4, n: 2}\nrouting: {algorithm: dor}\n"
#define SMALL_TORUS "topology: {kind: torus, sizes: [2, 3], local_ports: 2}\nrouting: {algorithm: duato}\n"

/* What the two ends of a channel see of it. */
static bool sender_sees(const struct ut_network *n, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(n->topology, channel);
  if (from.kind == UT_PEER_TERMINAL)
    return n->terminals.injection[from.index * n->topology->injections + from.port].link_up;
  return n->out_up[from.index] >> from.port & 1;
}
static bool receiver_sees(const struct ut_network *n, uint32_t channel) {
  const struct ut_peer *to = &n->topology->peer[channel];
  if (to->kind == UT_PEER_TERMINAL)
    return n->terminals.ejection[to->index * n->topology->ejections + to->port].link_up;
  return n->in_up[to->index] >> to->port & 1;
}

/* Channels that are down now; both ends of each must know. */
static unsigned channels_down(const struct ut_network *n) {
  unsigned down = 0;
  for (uint32_t i = 0; i < n->topology->channels; i++) {
    if (n->topology->peer[i].kind == UT_PEER_NONE)
      continue;
    const bool up = ut_faults_channel_up(&n->faults, i);
    if (up != sender_sees(n, i) || up != receiver_sees(n, i))
      fail_msg("cycle %llu: channel %u is %s, its ends see %d and %d", (unsigned long long)n->cycle, (unsigned)i,
               up ? "up" : "down", sender_sees(n, i), receiver_sees(n, i));
    down += !up;
  }
  return down;
}

/* One cycle, after which no packet may be missing. */
static void step(struct ut_network *n) {
  ut_network_step(n);
  assert_int_equal(ut_network_in_flight(n), ut_network_outstanding(n));
}

/* In an empty network every sender of a channel that works knows that its receiver's buffer is empty. */
static void all_credits_are_back(struct ut_network *n) {
  const struct ut_topology *t = n->topology;
  for (unsigned i = 0; i < 2 * n->wires.slots + UT_MAX_DEPTH; i++) /* the last ones under way */
    step(n);
  for (uint32_t i = 0; i < t->channels; i++) {
    const struct ut_peer from = ut_topology_sender(t, i);
    const struct ut_group *g = from.kind == UT_PEER_SWITCH ? ut_network_group(n, from.index) : NULL;
    if (t->peer[i].kind == UT_PEER_NONE || !ut_faults_channel_up(&n->faults, i))
      continue;
    for (unsigned v = 0; v < n->v; v++) {
      unsigned credits =
          g ? ut_reg_credits(g, ut_network_switch(n, from.index), from.port, v)
            : n->terminals.credits[n->terminals.injection[from.index * t->injections + from.port].lane + v];
      if (credits != n->shape->depth)
        fail_msg("channel %u, VC %u: %u credits of %u", (unsigned)i, v, credits, n->shape->depth);
    }
  }
}

/* ---- faults of one direction */

/* A run with one fault, of which we know what it hits. */
struct one_fault {
  const char *network;
  const char *fault;   /* what follows `at` and `until` */
  unsigned from, port; /* the channel that fails: an output port of that switch ... */
  int terminal;        /* ... or, if not negative, that terminal's injection */
  bool harmless;       /* nothing but what is under way gets lost */
};

static void run_one_fault(const struct one_fault *f, const char *sw, const char *until) {
  struct ut_scenario *s = test_scenario("%s"
                                        "switch: {vcs: 3, %s}\n"
                                        "traffic: {load_flits_per_cycle: 0.3}\n"
                                        "faults: [{at: 400, %s%s}]\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 1500, seed: 5}\n",
                                        f->network, sw, until, f->fault);
  struct ut_network n;
  test_network(&n, s);
  assert_true(ut_network_count_links(&n));
  const struct ut_topology *t = n.topology;
  const uint32_t channel =
      f->terminal < 0 ? f->from * t->po + f->port : ut_topology_injection(t, (uint32_t)f->terminal, 0);
  const uint32_t twin = ut_topology_twin(t, channel);
  assert_int_equal(ut_topology_twin(t, twin), channel);
  uint64_t sent[2] = {0, 0}, back[2] = {0, 0}; /* flits through the channel and its twin: at 401, at 1000 */
  uint64_t unreachable[2] = {0, 0};
  while (!ut_network_done(&n)) {
    step(&n);
    const bool down = n.cycle > 400 && (!*until || n.cycle <= 1000);
    assert_int_equal(channels_down(&n), down);
    assert_int_equal(ut_faults_channel_up(&n.faults, channel), !down);
    assert_true(ut_faults_channel_up(&n.faults, twin));
    if (n.cycle != 402 && n.cycle != 1000)
      continue;
    const unsigned i = n.cycle == 1000;
    const uint32_t outputs = t->switches * t->po;
    sent[i] = channel < outputs ? n.link_flits[channel] : n.terminals.terminal[channel - outputs].injected;
    back[i] = twin < outputs ? n.link_flits[twin] : n.terminals.terminal[twin - outputs].injected;
    unreachable[i] = n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE];
  }
  assert_int_equal(sent[1], sent[0]);
  assert_true(back[1] > back[0] + 20);
  if (f->harmless)
    assert_int_equal(unreachable[1], 0);
  else if (f->terminal < 0 && unreachable[1] <= unreachable[0])
    fail_msg("%s %s: nothing is unreachable", f->network, f->fault);
  const struct ut_accounts *a = &n.terminals.accounts;
  assert_int_equal(a->corrupt, 0);
  assert_int_equal(ut_network_in_flight(&n), 0);
  assert_true(n.cycle < n.terminals.window_end + 2000);
  assert_int_equal(a->injected, a->delivered + ut_accounts_discarded(a));
  if (*until)
    assert_int_equal(a->generated, a->injected);
  all_credits_are_back(&n);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void one_direction_fails(void **state) {
  (void)state;
  /* 4-ary 2-tree: leaf 0.1 is switch 1, its up port 6 leads to root 1.2, switch 6, which is left by port 1.  4x4
   * torus: node 5's port 0 leads to node 6, port 1 there leads back.  2x3 torus: nodes 2 and 3 have two links, port
   * 0 of either leads to port 1 of the other, so that duato has another way. */
  static const struct one_fault faults[] = {
      {FAT_TREE, "link: {level: 0, switch: 1, port: 6}, direction: out", 1, 6, -1, true},
      {FAT_TREE, "link: {level: 0, switch: 1, port: 6}, direction: in", 6, 1, -1, true},
      {FAT_TREE, "link: {level: 1, switch: 2, port: 1}, direction: out", 6, 1, -1, true},
      {FAT_TREE, "link: {level: 1, switch: 2, port: 1}, direction: in", 1, 6, -1, true},
      {FAT_TREE, "link: {level: 0, switch: 1, port: 3}, direction: out", 1, 3, -1, false},
      {FAT_TREE, "link: {level: 0, switch: 1, port: 3}, direction: in", 0, 0, 7, false},
      {FAT_TREE, "ejection: {terminal: 7}", 1, 3, -1, false},
      {FAT_TREE, "injection: {terminal: 7}", 0, 0, 7, false},
      {TORUS, "link: {level: 0, switch: 5, port: 0}, direction: out", 5, 0, -1, false},
      {TORUS, "link: {level: 0, switch: 5, port: 0}, direction: in", 6, 1, -1, false},
      {TORUS, "link: {level: 0, switch: 5, port: 4}, direction: out", 5, 4, -1, false},
      {TORUS, "link: {level: 0, switch: 5, port: 4}, direction: in", 0, 0, 5, false},
      {SMALL_TORUS, "link: {level: 0, switch: 2, port: 0}, direction: out", 2, 0, -1, true},
      {SMALL_TORUS, "link: {level: 0, switch: 2, port: 0}, direction: in", 3, 1, -1, true},
      {SMALL_TORUS, "ejection: {terminal: 9, link: 0}", 4, 5, -1, false},
      {SMALL_TORUS, "injection: {terminal: 9, link: 0}", 0, 0, 9, false},
  };
  static const char *const shapes[] = {"depth_flits: 4, packet_flits: 2, route_cycles: 0",
                                       "depth_flits: 8, packet_flits: 4, route_cycles: 2, alloc_cycles: 2"};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    for (unsigned shape = 0; shape < 2; shape++) {
      run_one_fault(&faults[i], shapes[shape], "");
      run_one_fault(&faults[i], shapes[shape], "until: 1000, ");
    }
}

/* Wormhole, long wires of three lengths, and repair in every phase of what is under way. */
static void repair_in_every_phase(void **state) {
  (void)state;
  static const char *const places[] = {
      "link: {level: 0, switch: 1, port: 2}, direction: out", "link: {level: 0, switch: 1, port: 2}, direction: in",
      "link: {level: 0, switch: 1, port: 1}, direction: out", "link: {level: 0, switch: 1, port: 1}, direction: in"};
  for (unsigned place = 0; place < 4; place++)
    for (unsigned until = 301; until < 330; until++) {
      struct ut_scenario *s = test_scenario(
          "topology: {kind: fat_tree, k: 2, n: 2, link_cycles: 3, injection_cycles: 5, ejection_cycles: 2}\n"
          "switch: {vcs: 2, depth_flits: 3, packet_flits: 5, switching: wormhole}\n"
          "routing: {algorithm: reroute_adaptive_link}\n"
          "traffic: {load_flits_per_cycle: 0.8}\n"
          "faults: [{at: 300, until: %u, every: 50, times: 4, %s}]\n"
          "run: {warmup_cycles: 0, measure_cycles: 600, seed: %u}\n",
          until, places[place], until);
      struct ut_network n;
      test_network(&n, s);
      while (!ut_network_done(&n)) {
        step(&n);
        channels_down(&n);
      }
      assert_int_equal(n.terminals.accounts.corrupt, 0);
      assert_int_equal(n.terminals.accounts.injected, n.terminals.accounts.generated);
      assert_int_equal(ut_network_in_flight(&n), 0);
      all_credits_are_back(&n);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

/* Many of everything at once, beyond what is tolerated. */
static void accounts_hold_in_every_cycle(void **state) {
  (void)state;
  static const char *const networks[] = {
      "topology: {kind: fat_tree, k: 3, n: 3}\nrouting: {algorithm: fta}\n",
      "topology: {kind: fat_tree, k: 2, n: 3, link_cycles: 2}\nrouting: {algorithm: table, manager_delay_cycles: 50}\n",
      "topology: {kind: fat_tree, k: 4, n: 2, ejection_cycles: 3}\nrouting: {algorithm: reroute_det_link}\n",
      "topology: {kind: torus, k: 4, n: 2, injection_cycles: 4}\nrouting: {algorithm: duato}\n",
      "topology: {kind: mesh, sizes: [3, 4], local_ports: 2}\nrouting: {algorithm: direction_order}\n",
      "topology: {kind: mesh, sizes: [4, 3], terminal_links: 3}\nrouting: {algorithm: duato}\n",
      "topology: {kind: torus, sizes: [3, 3], local_ports: 2, terminal_links: 2}\nrouting: {algorithm: dor}\n",
  };
  for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++)
    for (unsigned seed = 1; seed <= 4; seed++) {
      struct ut_scenario *s = test_scenario("%s"
                                            "switch: {vcs: 2, depth_flits: 6, packet_flits: 3}\n"
                                            "traffic: {load_flits_per_cycle: 0.4}\n"
                                            "faults:\n"
                                            "  - {at: 200, until: 500, random_links: 3, direction: out}\n"
                                            "  - {at: 300, until: 301, random_links: 4, direction: in}\n"
                                            "  - {at: 350, until: 800, random_links: 1}\n"
                                            "  - {at: 400, until: 700, random_terminal_links: 2}\n"
                                            "  - {at: 450, until: 460, every: 30, times: 9, injection: {terminal: 1}}\n"
                                            "  - {at: 455, until: 470, every: 30, times: 9, ejection: {terminal: 1}}\n"
                                            "  - {at: 500, until: 600, switch: {level: 0, switch: 2}}\n"
                                            "run: {warmup_cycles: 0, measure_cycles: 1000, seed: %u}\n",
                                            networks[i], seed);
      struct ut_network n;
      struct ut_watchdog w = {0};
      test_network(&n, s);
      while (!ut_network_done(&n)) {
        step(&n);
        channels_down(&n);
      }
      const struct ut_accounts *a = &n.terminals.accounts;
      assert_int_equal(a->corrupt, 0);
      assert_true(a->delivered > 300);
      assert_true(a->discarded[UT_DISCARD_CUT_BY_FAULT] > 0);
      assert_int_equal(a->generated, a->injected);
      assert_false(ut_deadlock_search(&w, &n));
      assert_int_equal(ut_network_in_flight(&n), 0);
      all_credits_are_back(&n);
      ut_watchdog_free(&w);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

/* ---- the schedule */

/* The link 0.1 port 6 to 1.2 port 1 by its directions: one overlaps with the whole link, then with a switch. */
static void directions_overlap(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario(FAT_TREE "traffic: {load_flits_per_cycle: 0.1}\n"
                                                 "faults:\n"
                                                 "  - {at: 10, until: 30, link: {level: 0, switch: 1, port: 6}}\n"
                                                 "  - {at: 20, until: 40, link: {level: 1, switch: 2, port: 1}, "
                                                 "direction: in}\n"
                                                 "  - {at: 25, until: 35, link: {level: 1, switch: 2, port: 1}, "
                                                 "direction: out}\n"
                                                 "  - {at: 50, until: 70, switch: {level: 1, switch: 2}}\n"
                                                 "  - {at: 60, until: 80, link: {level: 0, switch: 1, port: 6}, "
                                                 "direction: out}\n");
  struct ut_network n;
  test_network(&n, s);
  const uint32_t up = 1 * n.topology->po + 6, down = 6 * n.topology->po + 1;
  for (uint64_t c = 0; c < 100; c++) {
    step(&n);
    channels_down(&n);
    assert_int_equal(ut_faults_channel_up(&n.faults, up), c < 10 || (c >= 40 && c < 50) || c >= 80);
    assert_int_equal(ut_faults_channel_up(&n.faults, down), c < 10 || (c >= 35 && c < 50) || c >= 70);
    assert_int_equal(n.out_up[1] >> 6 & 1, n.in_up[6] >> 1 & 1);
    assert_int_equal(n.out_up[6] >> 1 & 1, n.in_up[1] >> 6 & 1);
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* The channels that are down in the first cycle, as a list; returns how many. */
static unsigned drawn(struct ut_topology *t, struct ut_faults *f, struct ut_scenario *s, uint32_t *channel) {
  struct ut_error e;
  unsigned count = 0;
  assert_int_equal(ut_topology_init(t, s, &e), 0);
  if (ut_faults_init(f, s, t, &e))
    fail_msg("%s", e.text);
  while (ut_faults_next(f, 0))
    ;
  for (uint32_t i = 0; i < t->channels; i++)
    if (t->peer[i].kind != UT_PEER_NONE && !ut_faults_channel_up(f, i))
      channel[count++] = i;
  return count;
}

static bool contains(const uint32_t *list, unsigned count, uint32_t value) {
  for (unsigned i = 0; i < count; i++)
    if (list[i] == value)
      return true;
  return false;
}

/* The same seed draws the same links, of which the one or the other direction fails, or both. */
static void random_directions(void **state) {
  (void)state;
  static const char *const networks[] = {FAT_TREE, TORUS, SMALL_TORUS};
  static const char *const directions[] = {"both", "out", "in"};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned seed = 1; seed <= 20; seed++) {
      uint32_t channel[3][64];
      for (unsigned d = 0; d < 3; d++) {
        struct ut_scenario *s = test_scenario("%straffic: {load_flits_per_cycle: 0.1}\n"
                                              "faults: [{at: 0, random_links: 6, direction: %s}]\n"
                                              "run: {seed: %u}\n",
                                              networks[i], directions[d], seed);
        struct ut_topology t;
        struct ut_faults f;
        assert_int_equal(drawn(&t, &f, s, channel[d]), d ? 6 : 12);
        assert_int_equal(f.failures, 6);
        for (unsigned j = 0; j < (d ? 6 : 12); j++) {
          const struct ut_peer from = ut_topology_sender(&t, channel[d][j]), to = t.peer[channel[d][j]];
          const uint32_t twin = ut_topology_twin(&t, channel[d][j]);
          assert_true(from.kind == UT_PEER_SWITCH && to.kind == UT_PEER_SWITCH);
          assert_true(contains(channel[0], 12, channel[d][j]));
          assert_int_equal(contains(channel[d], d ? 6 : 12, twin), d == 0);
          if (d == 1)
            assert_true(from.index < to.index);
          if (d == 2)
            assert_true(contains(channel[1], 6, twin));
        }
        ut_faults_free(&f);
        ut_topology_free(&t);
        ut_scenario_free(s);
      }
    }
}

/* Both directions of a terminal's link, each terminal about equally often; all of them at most; not one that fails by
 * itself at that time. */
static void random_terminal_links(void **state) {
  (void)state;
  unsigned often[16] = {0};
  uint32_t channel[64];
  for (unsigned seed = 0; seed < 400; seed++) {
    struct ut_scenario *s = test_scenario(FAT_TREE "traffic: {load_flits_per_cycle: 0.1}\n"
                                                   "faults: [{at: 0, random_terminal_links: 4}, "
                                                   "{at: 5, injection: {terminal: 3}}]\nrun: {seed: %u}\n",
                                          seed);
    struct ut_topology t;
    struct ut_faults f;
    assert_int_equal(drawn(&t, &f, s, channel), 8);
    for (uint32_t p = 0; p < 16; p++) {
      const bool out = contains(channel, 8, ut_topology_injection(&t, p, 0));
      assert_int_equal(out, contains(channel, 8, t.ejection[p]));
      often[p] += out;
    }
    ut_faults_free(&f);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  for (unsigned p = 0; p < 16; p++) /* 4 of the 15 others: 107, standard deviation 9 */
    assert_in_range(often[p], p == 3 ? 0 : 70, p == 3 ? 0 : 145);
  struct ut_error e;
  const char *all = FAT_TREE "traffic: {load_flits_per_cycle: 0.1}\nfaults: [{at: 0, random_terminal_links: 16}]\n";
  struct ut_scenario *s = test_scenario("%s", all);
  struct ut_topology t;
  struct ut_faults f;
  assert_int_equal(drawn(&t, &f, s, channel), 32);
  s->faults[0].count = 17;
  struct ut_faults none;
  assert_int_equal(ut_faults_init(&none, s, &t, &e), -1);
  assert_non_null(strstr(e.text, "17 random links of terminals wanted, this network has 16"));
  ut_faults_free(&f);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* ---- lengths */

/* Runs a trace; the latencies' sum and greatest. */
static void run_trace(const char *topology, const char *algorithm, const char *sw, const char *trace, uint64_t *sum,
                      uint64_t *max) {
  char path[UT_TEST_TRACE_PATH];
  struct ut_network n;
  test_write_trace(path, trace);
  struct ut_scenario *s = test_scenario("topology: {%s}\nswitch: {route_cycles: 0, %s}\nrouting: {algorithm: %s}\n"
                                        "traffic: {pattern: trace, trace_file: %s}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 400}\n",
                                        topology, sw, algorithm, path);
  test_network(&n, s);
  while (!ut_network_done(&n))
    step(&n);
  assert_int_equal(n.terminals.accounts.delivered, n.terminals.accounts.generated);
  assert_int_equal(n.terminals.accounts.corrupt, 0);
  *sum = n.terminals.latency.sum;
  *max = n.terminals.latency.max;
  ut_network_fini(&n);
  ut_scenario_free(s);
  remove(path);
}

/* Credits come back over the same length.  With room for one flit the next one leaves a round trip later: from a
 * terminal there, a cycle in the switch, back, and seen in the cycle after; to a terminal, whose buffer is always
 * empty, there, back, and seen in the cycle after.  The slowest of both paces the second packet. */
static void credits_have_the_same_way(void **state) {
  (void)state;
  static const unsigned lengths[][2] = {{1, 1}, {4, 1}, {9, 1}, {1, 6}, {1, 12}, {5, 5}};
  for (unsigned j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
    const unsigned injection = lengths[j][0], ejection = lengths[j][1];
    const unsigned there = 2 * injection + 2, out = 2 * ejection + 1;
    char topology[128];
    uint64_t one, two, max;
    snprintf(topology, sizeof topology, "kind: fat_tree, k: 2, n: 1, injection_cycles: %u, ejection_cycles: %u",
             injection, ejection);
    run_trace(topology, "fta", "depth_flits: 1, packet_flits: 1", "200 0 1 1\n", &one, &max);
    run_trace(topology, "fta", "depth_flits: 1, packet_flits: 1", "200 0 1 1\n200 0 1 1\n", &two, &max);
    assert_int_equal(one, injection + 1 + ejection);
    assert_int_equal(two - 2 * one, there > out ? there : out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_direction_fails),
      cmocka_unit_test(repair_in_every_phase),
      cmocka_unit_test(accounts_hold_in_every_cycle),
      cmocka_unit_test(directions_overlap),
      cmocka_unit_test(random_directions),
      cmocka_unit_test(random_terminal_links),
      cmocka_unit_test(credits_have_the_same_way),
  };
  return cmocka_run_group_tests_name("channels", tests, NULL, NULL);
}
