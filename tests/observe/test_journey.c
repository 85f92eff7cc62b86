/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the journey of one packet: walks by hand, and all packets of a run against the accounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "deadlock.h"
#include "journey.h"
#include "packet_search.h"
#include "planned_routes.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

/* ---- one packet alone */

/* A file with packets of two flits from terminal src to dst in cycle 10; it is to be removed, its name to be freed. */
static char *packets_of(unsigned src, unsigned dst, unsigned count) {
  char *name = strdup("/tmp/test_journey.XXXXXX");
  int file = mkstemp(name);
  assert_true(file >= 0);
  FILE *f = fdopen(file, "w");
  for (unsigned i = 0; i < count; i++)
    fprintf(f, "10 %u %u 2\n", src, dst);
  assert_int_equal(fclose(f), 0);
  return name;
}

struct walk {
  const char *tree, *sw, *algorithm, *faults; /* parts of the scenario */
  unsigned src, dst;
  unsigned sequence; /* so many others like it go before the packet */
};

/* The journey of that packet, of which the caller frees the hops. */
static void travel(const struct walk *w, struct ut_journey *j, struct ut_network *n, struct ut_scenario **s) {
  char text[1024], *trace = packets_of(w->src, w->dst, w->sequence + 1);
  snprintf(text, sizeof text,
           "topology: {kind: fat_tree, %s}\nswitch: {%s}\nrouting: {algorithm: %s}\n"
           "traffic: {pattern: trace, trace_file: %s}\nfaults: [%s]\n"
           "run: {warmup_cycles: 0, measure_cycles: 500, watchdog_cycles: 0}\n",
           w->tree, w->sw, w->algorithm, trace, w->faults);
  *s = test_scenario("%s", text);
  test_network(n, *s);
  ut_journey_init(j, w->src, w->sequence);
  while (!ut_network_done(n) && !ut_journey_over(j)) {
    ut_network_step(n);
    ut_journey_observe(j, n);
  }
  remove(trace);
  free(trace);
}

static void finish(struct ut_journey *j, struct ut_network *n, struct ut_scenario *s) {
  ut_journey_free(j);
  ut_network_fini(n);
  ut_scenario_free(s);
}

/* level, index, ports and VCs in and out, cycle in which the head comes. */
struct expected_hop {
  unsigned level, index, in, out, ovc;
  uint64_t arrived;
  bool u_turn;
  unsigned vector, rt; /* as it leaves; over up ports */
};

static void assert_hops(const struct ut_journey *j, const struct ut_network *n, const struct expected_hop *e,
                        size_t count) {
  assert_int_equal(j->hops, count);
  for (size_t i = 0; i < count; i++) {
    const struct ut_hop *h = &j->hop[i];
    assert_int_equal(h->sw, ut_topology_switch(n->topology, e[i].level, e[i].index));
    assert_int_equal(h->in_port, e[i].in);
    assert_int_equal(h->out_port, e[i].out);
    assert_int_equal(h->out_vc, e[i].ovc);
    assert_int_equal(h->arrived, e[i].arrived);
    assert_int_equal(h->waited, 0);
    assert_int_equal(h->behind, 0);
    assert_int_equal(ut_hop_u_turn(h), e[i].u_turn);
    assert_int_equal(h->vector_out >> n->group->k, e[i].vector);
    assert_int_equal(h->rt_out, e[i].rt);
  }
}

/* destro from 6 to 1 in the 2-ary 3-tree: up by the digits of the destination (1, 0), then down; 3 cycles a hop with
 * one routing cycle.  Generated in 10, on the wire in 11; the tail follows the head. */
static void deterministic_walk(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(&(struct walk){"k: 2, n: 3", "route_cycles: 1", "destro", "", 6, 1, 0}, &j, &n, &s);
  static const struct expected_hop hops[] = {
      {0, 3, 0, 3, 0, 11, false, 0, 0}, {1, 3, 1, 2, 0, 14, false, 0, 0}, {2, 1, 1, 0, 0, 17, false, 0, 0},
      {1, 1, 2, 0, 0, 20, false, 0, 0}, {0, 0, 3, 1, 0, 23, false, 0, 0},
  };
  assert_hops(&j, &n, hops, 5);
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  assert_int_equal(j.dst, 1);
  assert_int_equal(j.flits, 2);
  assert_int_equal(j.generated, 10);
  assert_int_equal(j.injected, 11);
  assert_int_equal(j.ended, 27);
  assert_int_equal(ut_journey_u_turns(&j), 0);
  assert_int_equal(ut_journey_links(&j, n.topology), 4);
  char place[UT_OUTAGE_NAME_SIZE] = "-";
  assert_string_equal(ut_place_text(n.topology, &j.where, place), ""); /* it was lost nowhere */
  finish(&j, &n, s);
}

/* The same with wires of 5 cycles: a hop takes 4 cycles more, and so does the way from and to the terminals. */
static void long_wires(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(&(struct walk){"k: 2, n: 3, link_cycles: 5", "route_cycles: 1", "destro", "", 6, 1, 0}, &j, &n, &s);
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  assert_int_equal(j.hops, 5);
  assert_int_equal(j.injected, 11);
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(j.hop[i].arrived, 15 + 7 * i);
  assert_int_equal(j.ended, 27 + 6 * 4);
  finish(&j, &n, s);
}

/* One switch only: a tree of one level. */
static void one_switch(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(&(struct walk){"k: 4, n: 1", "route_cycles: 0", "fta", "", 3, 0, 0}, &j, &n, &s);
  static const struct expected_hop hops[] = {{0, 0, 3, 0, 0, 11, false, 0, 0}};
  assert_hops(&j, &n, hops, 1);
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  assert_int_equal(j.ended, 14);
  assert_int_equal(ut_journey_links(&j, n.topology), 0);
  finish(&j, &n, s);
}

/* The second of two packets finds the tail of the first one before it in the first buffer: one cycle. */
static void second_packet_waits_behind_the_first(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(&(struct walk){"k: 2, n: 3", "depth_flits: 8, route_cycles: 1", "destro", "", 6, 1, 1}, &j, &n, &s);
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  assert_int_equal(j.generated, 10);
  assert_int_equal(j.injected, 13);
  for (unsigned i = 0; i < 5; i++) {
    assert_int_equal(j.hop[i].waited, i == 0);
    assert_int_equal(j.hop[i].behind, i == 0);
  }
  assert_int_equal(j.ended, 27 + 2 + 1);
  finish(&j, &n, s);
}

/* From 2 to 1 in the 2-ary 2-tree with a faulty link 0.0-1.1.  The destination's digit is 1, so reroute_det_link goes
 * up through port 3 to root 1.1, which sends the packet back to leaf 0.1: there it turns round, and goes up in the
 * re-routing layer, VC 1.  Two cycles a hop without a routing cycle. */
static void u_turn_in_the_second_layer(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(&(struct walk){"k: 2, n: 2", "vcs: 2, route_cycles: 0", "reroute_det_link",
                        "{at: 0, link: {level: 0, switch: 0, port: 3}}", 2, 1, 0},
         &j, &n, &s);
  static const struct expected_hop hops[] = {
      {0, 1, 0, 3, 0, 11, false, 0, 0}, {1, 1, 1, 1, 0, 13, false, 0, 0}, {0, 1, 3, 2, 1, 15, true, 0, 0},
      {1, 0, 1, 0, 1, 17, false, 0, 0}, {0, 0, 2, 1, 0, 19, false, 0, 0},
  };
  assert_hops(&j, &n, hops, 5);
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  assert_int_equal(j.ended, 22);
  assert_int_equal(ut_journey_u_turns(&j), 1);
  finish(&j, &n, s);
}

/* The same with the adaptive algorithms, which choose the opposite port first (input 0: output 2) and so need the fault
 * at the other root.  The switch's re-route vector, or the header's misroute vector, then holds port 2. */
static void u_turn_leaves_its_bit(void **state) {
  (void)state;
  for (unsigned header = 0; header < 2; header++) {
    struct ut_journey j;
    struct ut_network n;
    struct ut_scenario *s;
    travel(&(struct walk){"k: 2, n: 2", "route_cycles: 0", header ? "misroute_header" : "reroute_adaptive_link",
                          "{at: 0, link: {level: 0, switch: 0, port: 2}}", 2, 1, 0},
           &j, &n, &s);
    const struct expected_hop hops[] = {
        {0, 1, 0, 2, 0, 11, false, 0, 0},
        {1, 0, 1, 1, 0, 13, false, 0, 0},
        {0, 1, 2, 3, 0, 15, true, header ? 0 : 1, header},
        {1, 1, 1, 0, 0, 17, false, 0, 0},
        {0, 0, 3, 1, 0, 19, false, 0, 0},
    };
    assert_hops(&j, &n, hops, 5);
    assert_int_equal(j.hop[2].vector_in, 0);
    assert_int_equal(j.hop[3].rt_in, header);
    assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
    finish(&j, &n, s);
  }
}

/* fta knows no U-turn: the packet is discarded where the only link down is missing. */
static void discarded_in_a_switch(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(
      &(struct walk){"k: 2, n: 2", "route_cycles: 0", "fta", "{at: 0, link: {level: 0, switch: 0, port: 2}}", 2, 1, 0},
      &j, &n, &s);
  assert_int_equal(j.state, UT_JOURNEY_DISCARDED);
  assert_int_equal(j.reason, UT_DISCARD_UNREACHABLE);
  assert_int_equal(j.where.kind, UT_PLACE_SWITCH);
  assert_int_equal(j.where.sw, ut_topology_switch(n.topology, 1, 0));
  assert_int_equal(j.hops, 2);
  assert_false(j.hop[1].gone);
  finish(&j, &n, s);
}

/* A link that goes down in each cycle of the journey: the head is lost on it, or the tail is and the rest is discarded
 * at the terminal; in either case that link is to blame. */
static void link_that_goes_down(void **state) {
  (void)state;
  unsigned lost = 0, cut = 0, delivered = 0;
  for (unsigned at = 11; at < 40; at++) {
    struct ut_journey j;
    struct ut_network n;
    struct ut_scenario *s;
    char fault[96];
    snprintf(fault, sizeof fault, "{at: %u, link: {level: 1, switch: 3, port: 2}}", at); /* 1.3-2.1 */
    travel(&(struct walk){"k: 2, n: 3, link_cycles: 2", "route_cycles: 1", "destro", fault, 6, 1, 0}, &j, &n, &s);
    if (j.state == UT_JOURNEY_DELIVERED) {
      delivered++;
    } else {
      assert_int_equal(j.state, UT_JOURNEY_DISCARDED);
      if (j.reason == UT_DISCARD_CUT_BY_FAULT) {
        assert_int_equal(j.where.kind, UT_PLACE_LINK);
        assert_int_equal(j.where.sw, ut_topology_switch(n.topology, 1, 3));
        assert_int_equal(j.where.port, 2);
        lost += j.hops == 2;
        cut += j.hops == 5;
      }
    }
    finish(&j, &n, s);
  }
  /* the head is on that wire, or was decided to be, in 3 cycles; then the tail alone in one more */
  assert_int_equal(lost, 3);
  assert_int_equal(cut, 1);
  assert_true(delivered > 10);
}

/* The same with a link that goes down behind the packet at the same time: that one is not to blame. */
static void link_that_was_crossed(void **state) {
  (void)state;
  unsigned here = 0, behind = 0;
  for (unsigned at = 11; at < 40; at++) {
    struct ut_journey j;
    struct ut_network n;
    struct ut_scenario *s;
    char faults[160];
    snprintf(faults, sizeof faults,
             "{at: %u, link: {level: 1, switch: 3, port: 2}}, {at: %u, link: {level: 0, switch: 3, port: 3}}", at, at);
    travel(&(struct walk){"k: 2, n: 3, link_cycles: 2", "route_cycles: 1", "destro", faults, 6, 1, 0}, &j, &n, &s);
    if (j.state == UT_JOURNEY_DISCARDED && j.reason == UT_DISCARD_CUT_BY_FAULT) {
      assert_int_equal(j.where.kind, UT_PLACE_LINK);
      here += j.where.sw == ut_topology_switch(n.topology, 1, 3);
      behind += j.where.sw == ut_topology_switch(n.topology, 0, 3);
    }
    finish(&j, &n, s);
  }
  assert_int_equal(here, 4); /* as without the other one */
  assert_true(behind > 0);
}

/* A switch that fails with the packet in it. */
static void failed_switch(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel(&(struct walk){"k: 2, n: 3", "route_cycles: 4", "destro", "{at: 25, switch: {level: 2, switch: 1}}", 6, 1, 0},
         &j, &n, &s);
  assert_int_equal(j.hops, 3); /* six cycles a hop: it is at the root from cycle 23 on */
  assert_int_equal(j.hop[2].arrived, 23);
  assert_int_equal(j.state, UT_JOURNEY_DISCARDED);
  assert_int_equal(j.reason, UT_DISCARD_IN_FAILED_SWITCH);
  assert_int_equal(j.where.kind, UT_PLACE_SWITCH);
  assert_int_equal(j.where.sw, ut_topology_switch(n.topology, 2, 1));
  assert_int_equal(j.ended, 25);
  finish(&j, &n, s);
}

/* Whoever has not looked for a cycle or more finds the tail on the wire, or nothing: no journey is made up. */
static void not_looked_at(void **state) {
  (void)state;
  for (unsigned late = 0; late < 6; late++) {
    struct ut_journey j;
    struct ut_network n;
    char *trace = packets_of(6, 1, 1);
    struct ut_scenario *s =
        test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: destro}\n"
                      "traffic: {pattern: trace, trace_file: %s}\nrun: {warmup_cycles: 0, measure_cycles: 500}\n",
                      trace);
    test_network(&n, s);
    ut_journey_init(&j, 6, 0);
    while (!n.terminals.accounts.injected)
      ut_network_step(&n);
    for (unsigned i = 0; i < late; i++)
      ut_network_step(&n);
    ut_journey_observe(&j, &n);
    assert_int_equal(j.state, late ? UT_JOURNEY_LOST_SIGHT : UT_JOURNEY_ON_WIRE);
    assert_int_equal(j.hops, 0);
    remove(trace);
    free(trace);
    finish(&j, &n, s);
  }
}

/* ---- one packet with several header words */

/* Packets of four flits from node 0 to node 27 of an 8x8 mesh in cycle 40, when all credits are there, by way of nodes
 * 2 and 18; the journey of the last one.  A mesh: no bubble rule that keeps packets apart. */
static void travel_by_stops(unsigned route_cycles, unsigned alloc_cycles, unsigned count, const char *faults,
                            struct ut_journey *j, struct ut_network *n, struct ut_scenario **s) {
  char text[1024], name[] = "/tmp/test_journey.XXXXXX";
  int file = mkstemp(name);
  assert_true(file >= 0);
  for (unsigned i = 0; i < count; i++)
    dprintf(file, "40 0 27 4\n");
  close(file);
  snprintf(text, sizeof text,
           "topology: {kind: mesh, k: 8, n: 2}\n"
           "switch: {vcs: 3, depth_flits: 16, packet_flits: 4, route_cycles: %u, alloc_cycles: %u}\n"
           "routing: {algorithm: dor, mechanisms: {intermediate: 2}}\n"
           "traffic: {pattern: trace, trace_file: %s}\nfaults: [%s]\n"
           "run: {warmup_cycles: 0, measure_cycles: 300}\n",
           route_cycles, alloc_cycles, name, faults);
  const struct ut_path path = {3,
                               {2, 18, 0},
                               {(uint32_t)ut_rt_path_make(0, 1, 0, 0, 0, 0, 0),
                                (uint32_t)ut_rt_path_make(1, 1, 0, 0, 0, 0, 0),
                                (uint32_t)ut_rt_path_make(2, 0, 0, 0, 0, 0, 0)}};
  *s = test_scenario("%s", text);
  (*s)->paths = ut_paths_new(64, 1);
  assert_true(ut_paths_add((*s)->paths, 0, 27, &path));
  test_network(n, *s);
  ut_journey_init(j, 0, count - 1);
  while (!ut_network_done(n) && !ut_journey_over(j)) {
    ut_network_step(n);
    ut_journey_observe(j, n);
  }
  remove(name);
}

/* Two hops on each sub-path.  At its stop a header word waits for the next one, which is right behind it on the wire,
 * and is then stripped: two cycles that are no waiting. */
static void header_words_stripped(void **state) {
  (void)state;
  static const unsigned nodes[] = {0, 1, 2, 10, 18, 19, 27}, out[] = {0, 0, 2, 2, 0, 2, 4};
  static const unsigned stop[] = {2, 2, 18, 18, 27, 27, 27}, vc[] = {0, 0, 1, 1, 2, 2};
  for (unsigned route = 0; route <= 4; route++)
    for (unsigned alloc = 1; alloc <= 2; alloc++) {
      struct ut_journey j;
      struct ut_network n;
      struct ut_scenario *s;
      travel_by_stops(route, alloc, 1, "", &j, &n, &s);
      assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
      assert_int_equal(j.flits, 4);
      assert_int_equal(j.headers, 3);
      assert_int_equal(j.injected, 41);
      assert_int_equal(j.hops, 7);
      uint64_t arrived = 41;
      for (unsigned i = 0; i < 7; i++) {
        const struct ut_hop *h = &j.hop[i];
        const bool strips = nodes[i] == 2 || nodes[i] == 18;
        assert_int_equal(h->sw, nodes[i]);
        assert_int_equal(h->out_port, out[i]);
        assert_int_equal(h->stop, stop[i]);
        assert_int_equal(h->stripped, strips);
        assert_int_equal(h->strip, strips ? 2 : 0);
        assert_int_equal(h->waited, 0);
        assert_int_equal(h->arrived, arrived);
        arrived += 1 + route + alloc + (strips ? 2 : 0);
        assert_int_equal(h->left, arrived);
        assert_int_equal(ut_rt_path_sub_path(h->rt_in), i > 4 ? 2 : i > 2);
        assert_int_equal(ut_rt_path_sub_path(h->rt_out), i > 3 ? 2 : i > 1);
        if (i < 6)
          assert_int_equal(h->out_vc, vc[i]);
      }
      assert_int_equal(j.ended, arrived + 3); /* last header word and three more flits */
      assert_int_equal(ut_journey_stripped(&j), 2);
      finish(&j, &n, s);
    }
}

/* The next packet catches up with the first one by the flit and the two cycles that this one loses at node 2, and finds
 * its tail there.  Then its own second header word is already behind the first one: stripping takes one cycle. */
static void header_word_stripped_behind_a_packet(void **state) {
  (void)state;
  struct ut_journey j;
  struct ut_network n;
  struct ut_scenario *s;
  travel_by_stops(0, 1, 2, "", &j, &n, &s);
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  assert_int_equal(j.injected, 47); /* six flits behind */
  assert_int_equal(j.hop[2].arrived, 51);
  assert_int_equal(j.hop[2].behind, 1);
  assert_int_equal(j.hop[2].waited, 1);
  assert_int_equal(j.hop[2].strip, 1);
  assert_int_equal(j.hop[2].left, 55);
  finish(&j, &n, s);
}

/* The link from node 1 to node 2 goes down in each cycle: what is behind a header word at node 2 may be a bad tail. */
static void packet_cut_between_header_words(void **state) {
  (void)state;
  unsigned stripped = 0;
  for (unsigned at = 41; at < 60; at++) {
    struct ut_journey j;
    struct ut_network n;
    struct ut_scenario *s;
    char fault[96];
    snprintf(fault, sizeof fault, "{at: %u, link: {level: 0, switch: 1, port: 0}}", at);
    travel_by_stops(0, 1, 1, fault, &j, &n, &s);
    if (j.state == UT_JOURNEY_DISCARDED && j.reason == UT_DISCARD_CUT_BY_FAULT) {
      assert_int_equal(j.where.kind, UT_PLACE_LINK);
      assert_int_equal(j.where.sw, 1);
      assert_int_equal(j.where.port, 0);
      stripped += j.hops == 3 && !j.hop[2].gone; /* ends at node 2 */
      assert_int_equal(n.terminals.accounts.discarded[UT_DISCARD_CUT_BY_FAULT], 1);
    }
    finish(&j, &n, s);
  }
  assert_true(stripped > 0);
}

/* ---- all packets of a run */

static const char *const shapes[] = {
    "switch: {vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0}\n",
    "switch: {vcs: 1, depth_flits: 4, packet_flits: 1, route_cycles: 1}\n",
    "switch: {vcs: 3, depth_flits: 6, packet_flits: 3, route_cycles: 2, alloc_cycles: 2, crossbar: vc}\n",
    "switch: {vcs: 4, depth_flits: 2, packet_flits: 5, flit_bits: 128, switching: wormhole, route_cycles: 1}\n",
};
static const char *const algorithms[] = {"fta",
                                         "destro",
                                         "reroute_adaptive_link",
                                         "reroute_det_link",
                                         "reroute_det_switch",
                                         "reroute_adaptive_switch",
                                         "misroute_header"};

/* What all runs together have shown. */
struct totals {
  uint64_t delivered, discarded[UT_DISCARD_REASONS], u_turns, stripped, unsent;
};

/* Follows every packet of a run; what becomes of them all must be what the network has counted. */
static void follow_all(const char *text, struct totals *totals) {
  struct ut_network n;
  struct ut_scenario *s = test_scenario("%s", text);
  struct ut_watchdog watchdog = {0};
  struct ut_error e;
  assert_int_equal(ut_plan_scenario(s, &e), 0);
  test_network(&n, s);
  enum { MOST = 4000 };
  struct ut_journey *j = calloc(MOST, sizeof *j);
  uint64_t *next = calloc(n.topology->terminals, sizeof *next);
  uint64_t delivered = 0, discarded[UT_DISCARD_REASONS] = {0}, latency = 0, u_turns = 0;
  size_t active = 0;
  for (uint32_t i = 0; i < n.topology->terminals; i++)
    ut_journey_init(&j[active++], i, next[i]++);
  while (!ut_network_done(&n) && !ut_watchdog_check(&watchdog, &n)) {
    ut_network_step(&n);
    for (size_t i = 0; i < active; i++) {
      bool queued = j[i].state == UT_JOURNEY_QUEUED;
      ut_journey_observe(&j[i], &n);
      if (queued && j[i].state != UT_JOURNEY_QUEUED) {
        assert_true(active < MOST);
        ut_journey_init(&j[active++], j[i].src, next[j[i].src]++);
      }
      if (!ut_journey_over(&j[i]))
        continue;
      assert_int_not_equal(j[i].state, UT_JOURNEY_LOST_SIGHT);
      for (size_t k = 0; k < j[i].hops && j[i].hop[k].gone; k++)
        assert_true(j[i].hop[k].waited >= j[i].hop[k].behind && j[i].hop[k].waited <= j[i].hop[k].left);
      assert_false(j[i].failure);
      if (j[i].state == UT_JOURNEY_DELIVERED) {
        delivered++;
        latency += j[i].ended - j[i].generated;
        assert_int_equal(j[i].to.index, j[i].dst);
        assert_int_equal(ut_journey_stripped(&j[i]), j[i].headers - 1);
        totals->stripped += j[i].headers - 1;
      } else {
        discarded[j[i].reason]++;
        assert_int_equal(j[i].where.kind == UT_PLACE_TERMINAL, j[i].headers == 0);
        totals->unsent += j[i].headers == 0;
        assert_int_not_equal(j[i].where.kind, UT_PLACE_NONE);
      }
      u_turns += ut_journey_u_turns(&j[i]);
      ut_journey_free(&j[i]);
      j[i--] = j[--active];
    }
    assert_int_equal(delivered, n.terminals.accounts.delivered);
    for (unsigned r = 0; r < UT_DISCARD_REASONS; r++)
      assert_int_equal(discarded[r], n.terminals.accounts.discarded[r]);
  }
  assert_true(delivered > 100);
  for (size_t i = 0; i < active; i++) {
    u_turns += ut_journey_u_turns(&j[i]);
    ut_journey_free(&j[i]);
  }
  assert_int_equal(u_turns, ut_network_u_turns(&n));
  assert_int_equal(n.terminals.latency.count, delivered);
  assert_true(ut_histogram_mean(&n.terminals.latency) * (double)delivered - (double)latency < 0.5);
  assert_true(ut_histogram_mean(&n.terminals.latency) * (double)delivered - (double)latency > -0.5);
  totals->delivered += delivered;
  totals->u_turns += u_turns;
  for (unsigned r = 0; r < UT_DISCARD_REASONS; r++)
    totals->discarded[r] += discarded[r];
  free(j);
  free(next);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void all_journeys_agree_with_the_accounts(void **state) {
  (void)state;
  struct totals totals = {0};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    for (unsigned a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++)
      for (unsigned wire = 1; wire <= 4; wire += 3) {
        char text[2048];
        if (i < 2 && strstr(algorithms[a], "_det_"))
          continue; /* needs more VCs */
        snprintf(text, sizeof text,
                 "topology: {kind: fat_tree, k: 3, n: 3, link_cycles: %u}\n%s"
                 "routing: {algorithm: %s}\n"
                 "traffic: {pattern: uniform, load_flits_per_cycle: 0.3}\n"
                 "faults:\n"
                 "  - {at: 0, random_links: 1}\n"
                 "  - {at: 100, until: 101, random_links: 3}\n"
                 "  - {at: 200, until: 400, random_switches: 1}\n"
                 "  - {at: 250, until: 500, switch: {level: 0, switch: 2}}\n"
                 "  - {at: 300, until: 350, link: {level: 0, switch: 4, port: 1}}\n"
                 "  - {at: 400, until: 401, link: {level: 0, switch: 5, port: 0}}\n"
                 "run: {warmup_cycles: 0, measure_cycles: 600, watchdog_cycles: 200, seed: %u}\n",
                 wire, shapes[i], algorithms[a], 7 + a);
        follow_all(text, &totals);
      }
  assert_true(totals.delivered > 20000 && totals.u_turns > 200);
  for (unsigned r = 0; r < UT_DISCARD_PURGED; r++)
    assert_true(totals.discarded[r] > 20);
}

static const char *const direct_networks[] = {
    "topology: {kind: torus, k: 4, n: 2, local_ports: 2, link_cycles: %u}\n",
    "topology: {kind: torus, k: 3, n: 3, link_cycles: %u}\n",
    "topology: {kind: mesh, sizes: [3, 2, 2, 2], link_cycles: %u}\n",
    "topology: {kind: torus, k: 9, n: 1, local_ports: 3, link_cycles: %u}\n",
};
static const char *const direct_routings[] = {
    "switch: {vcs: 1, depth_flits: 8, packet_flits: 4, route_cycles: 0}\nrouting: {algorithm: dor}\n",
    "switch: {vcs: 3, depth_flits: 4, packet_flits: 2, route_cycles: 2, crossbar: vc}\nrouting: {algorithm: duato}\n",
    "switch: {vcs: 3, depth_flits: 12, packet_flits: 4, route_cycles: 1}\n"
    "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}}\n",
    "switch: {vcs: 5, depth_flits: 16, packet_flits: 5, route_cycles: 0, alloc_cycles: 2, crossbar: vc}\n"
    "routing: {algorithm: dor, mechanisms: {intermediate: 3}}\n",
    "switch: {vcs: 4, depth_flits: 16, packet_flits: 4, route_cycles: 3}\n"
    "routing: {algorithm: duato, mechanisms: {intermediate: 2, deterministic: true}}\n",
    "switch: {vcs: 2, depth_flits: 8, packet_flits: 4, route_cycles: 1}\n"
    "routing: {algorithm: direction_order, mechanisms: {misroute: true}}\n",
};

/* Routes are planned for the faults of cycle 0; the later ones cut packets anywhere, between header words too.  Loads
 * are low enough that the rings, whose escape channels the later faults take away, do not fill for ever. */
static void all_journeys_in_tori_and_meshes(void **state) {
  (void)state;
  struct totals totals = {0};
  for (unsigned i = 0; i < sizeof direct_networks / sizeof direct_networks[0]; i++)
    for (unsigned a = 0; a < sizeof direct_routings / sizeof direct_routings[0]; a++)
      for (unsigned wire = 1; wire <= 4; wire += 3) {
        char text[2048];
        int end = snprintf(text, sizeof text, direct_networks[i], wire);
        snprintf(text + end, sizeof text - (size_t)end,
                 "%s"
                 "traffic: {pattern: uniform, load_flits_per_cycle: 0.2}\n"
                 "faults:\n"
                 "  - {at: 0, random_links: 2}\n"
                 "  - {at: 0, link: {level: 0, switch: 1, port: 1}}\n"
                 "  - {at: 200, until: 201, random_links: 2}\n"
                 "  - {at: 300, until: 400, random_switches: 1}\n"
                 "  - {at: 350, until: 500, link: {level: 0, switch: 4, port: 0}}\n"
                 "  - {at: 420, until: 421, random_links: 3}\n"
                 "run: {warmup_cycles: 0, measure_cycles: 700, watchdog_cycles: 200, seed: %u}\n",
                 direct_routings[a], 7 + a);
        follow_all(text, &totals);
      }
  assert_true(totals.delivered > 20000 && totals.stripped > 1000 && totals.unsent > 50);
  for (unsigned r = 0; r < UT_DISCARD_PURGED; r++)
    assert_true(totals.discarded[r] > 20);
}

/* ---- the choice of a packet, and the list of faults */

/* No earlier packet has a planned route that does something; this one has, and goes that way. */
static void first_planned_route(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_error e;
  struct ut_packet_search search = {0};
  struct ut_scenario *s =
      test_scenario("topology: {kind: torus, k: 4, n: 2}\n"
                    "switch: {vcs: 3, depth_flits: 10, packet_flits: 4}\n"
                    "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}}\n"
                    "traffic: {pattern: uniform, load_flits_per_cycle: 0.2}\n"
                    "faults: [{at: 0, random_links: 1}]\n"
                    "run: {warmup_cycles: 0, measure_cycles: 500, seed: 5}\n");
  assert_int_equal(ut_plan_scenario(s, &e), 0);
  test_network(&n, s);
  unsigned others = 0;
  do {
    uint64_t before = n.terminals.accounts.injected;
    ut_network_step(&n);
    others += !search.candidates && n.terminals.accounts.injected > before;
  } while (!ut_packet_search_observe(&search, &n));
  ut_packet_search_free(&search);
  ut_network_fini(&n);
  assert_true(search.any);
  assert_int_equal(search.candidates, 1);
  assert_true(others > 1); /* the first packet is an ordinary one */
  struct ut_journey j;
  test_network(&n, s);
  ut_journey_init(&j, search.candidate[0].src, search.candidate[0].sequence);
  while (!ut_journey_over(&j)) {
    ut_network_step(&n);
    ut_journey_observe(&j, &n);
  }
  const struct ut_path *path = ut_paths_find(s->paths, j.src, j.dst);
  assert_non_null(path);
  assert_true(path->headers > 1 || ut_rt_path_deterministic(path->rt[0]));
  assert_int_equal(j.state, UT_JOURNEY_DELIVERED);
  finish(&j, &n, s);
}

/* ---- the choice of a packet, once more */

/* Plans by hand for packets from node 0 of a line of four: what is looked at is the first packet, one with a route
 * rather than one without, and the first one of a mechanism before all. */
static void which_planned_route(void **state) {
  (void)state;
  enum { PLAIN, NONE, ORDINARY, DETERMINISTIC, MISROUTE, STOPS };
  static const struct {
    unsigned route[3];         /* of the packets to nodes 1, 2, 3, which are sent in that order */
    unsigned first, candidate; /* 3: none */
    bool no_route;
  } cases[] = {
      {{PLAIN, ORDINARY, STOPS}, 0, 2, false},
      {{NONE, ORDINARY, STOPS}, 1, 2, false},
      {{NONE, PLAIN, STOPS}, 1, 2, false},
      {{NONE, NONE, DETERMINISTIC}, 2, 2, false},
      {{NONE, NONE, NONE}, 0, 3, true},
      {{ORDINARY, NONE, MISROUTE}, 0, 2, false},
      {{ORDINARY, DETERMINISTIC, STOPS}, 0, 1, false},
      {{MISROUTE, NONE, NONE}, 0, 0, false},
      {{PLAIN, ORDINARY, NONE}, 0, 3, false},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_network n;
    struct ut_packet_search search = {0};
    char name[UT_TEST_TRACE_PATH];
    test_write_trace(name, "40 0 1 4\n50 0 2 4\n60 0 3 4\n");
    struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [4]}\n"
                                          "switch: {vcs: 3, depth_flits: 16, packet_flits: 4}\n"
                                          "routing: {algorithm: dor, mechanisms: {intermediate: 1, misroute: true, "
                                          "deterministic: true}}\n"
                                          "traffic: {pattern: trace, trace_file: %s}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 300}\n",
                                          name);
    s->paths = ut_paths_new(4, 1);
    for (unsigned k = 0; k < 3; k++) {
      struct ut_path path = {.headers = 1};
      switch (cases[i].route[k]) {
      case PLAIN: continue;
      case NONE: path.headers = 0; break;
      case DETERMINISTIC: path.rt[0] = (uint32_t)ut_rt_path_make(0, 0, 1, 0, 0, 0, 0); break;
      case MISROUTE: path.rt[0] = (uint32_t)ut_rt_path_make(0, 0, 0, 1, 0, 1, 0); break;
      case STOPS: path = (struct ut_path){2, {1}, {(uint32_t)ut_rt_path_make(0, 1, 0, 0, 0, 0, 0), 1}}; break;
      }
      assert_true(ut_paths_add(s->paths, 0, k + 1, &path));
    }
    test_network(&n, s);
    bool found = false;
    while (!found && n.cycle < 100) {
      ut_network_step(&n);
      found = ut_packet_search_observe(&search, &n);
    }
    assert_true(search.any && !search.turned && !search.failure);
    assert_int_equal(search.no_route, cases[i].no_route);
    assert_int_equal(search.first.src, 0);
    assert_int_equal(search.first.sequence, cases[i].first);
    assert_int_equal(found, cases[i].candidate < 3);
    assert_int_equal(search.candidates, cases[i].candidate < 3);
    if (search.candidates)
      assert_int_equal(search.candidate[0].sequence, cases[i].candidate);
    ut_packet_search_free(&search);
    ut_network_fini(&n);
    ut_scenario_free(s);
    remove(name);
  }
}

/* The same after more packets than their source remembers at once. */
static void planned_route_of_a_late_packet(void **state) {
  (void)state;
  enum { BEFORE = 200 };
  struct ut_network n;
  struct ut_packet_search search = {0};
  char name[UT_TEST_TRACE_PATH], trace[32 * (BEFORE + 1)], *at = trace;
  for (unsigned i = 0; i <= BEFORE; i++)
    at += sprintf(at, "%u 0 %u 4\n", 10 + 20 * i, i < BEFORE ? 1 + i % 2 : 3);
  test_write_trace(name, trace);
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [4]}\n"
                                        "switch: {vcs: 3, depth_flits: 16, packet_flits: 4}\n"
                                        "routing: {algorithm: dor, mechanisms: {deterministic: true}}\n"
                                        "traffic: {pattern: trace, trace_file: %s}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 5000}\n",
                                        name);
  s->paths = ut_paths_new(4, 1);
  const struct ut_path path = {.headers = 1, .rt = {(uint32_t)ut_rt_path_make(0, 0, 1, 0, 0, 0, 0)}};
  assert_true(ut_paths_add(s->paths, 0, 3, &path));
  test_network(&n, s);
  bool found = false;
  while (!found && n.cycle < 5000) {
    ut_network_step(&n);
    found = ut_packet_search_observe(&search, &n);
  }
  assert_true(found && n.terminals.terminal[0].mask < BEFORE);
  assert_int_equal(search.candidates, 1);
  assert_int_equal(search.candidate[0].sequence, BEFORE);
  assert_int_equal(search.first.sequence, 0);
  ut_packet_search_free(&search);
  ut_network_fini(&n);
  ut_scenario_free(s);
  remove(name);
}

static void first_u_turn(void **state) {
  (void)state;
  static const char text[] = "topology: {kind: fat_tree, k: 3, n: 3}\n"
                             "routing: {algorithm: reroute_adaptive_link}\n"
                             "traffic: {pattern: uniform, load_flits_per_cycle: 0.4}\n"
                             "faults: [{at: 50, link: {level: 0, switch: 1, port: 4}}]\n"
                             "run: {warmup_cycles: 0, measure_cycles: 500, seed: 5}\n";
  struct ut_network n;
  struct ut_scenario *s = test_scenario(text);
  struct ut_packet_search search = {0};
  test_network(&n, s);
  while (!ut_network_done(&n)) {
    ut_network_step(&n);
    bool found = ut_packet_search_observe(&search, &n);
    assert_int_equal(found, ut_network_u_turns(&n) > 0);
    if (found)
      break;
  }
  assert_true(search.any);
  assert_true(search.candidates > 0);
  ut_network_fini(&n);
  unsigned turned = 0;
  for (unsigned i = 0; i < search.candidates; i++) {
    struct ut_journey j;
    test_network(&n, s);
    ut_journey_init(&j, search.candidate[i].src, search.candidate[i].sequence);
    while (!ut_journey_over(&j)) {
      ut_network_step(&n);
      ut_journey_observe(&j, &n);
    }
    turned += ut_packet_search_is(&search, &j);
    ut_journey_free(&j);
    ut_network_fini(&n);
  }
  assert_int_equal(turned, 1);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deterministic_walk),
      cmocka_unit_test(long_wires),
      cmocka_unit_test(one_switch),
      cmocka_unit_test(second_packet_waits_behind_the_first),
      cmocka_unit_test(u_turn_in_the_second_layer),
      cmocka_unit_test(u_turn_leaves_its_bit),
      cmocka_unit_test(discarded_in_a_switch),
      cmocka_unit_test(link_that_goes_down),
      cmocka_unit_test(link_that_was_crossed),
      cmocka_unit_test(failed_switch),
      cmocka_unit_test(not_looked_at),
      cmocka_unit_test(header_words_stripped),
      cmocka_unit_test(header_word_stripped_behind_a_packet),
      cmocka_unit_test(packet_cut_between_header_words),
      cmocka_unit_test(all_journeys_agree_with_the_accounts),
      cmocka_unit_test(all_journeys_in_tori_and_meshes),
      cmocka_unit_test(first_u_turn),
      cmocka_unit_test(first_planned_route),
      cmocka_unit_test(which_planned_route),
      cmocka_unit_test(planned_route_of_a_late_packet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
