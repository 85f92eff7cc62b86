/* SPDX-License-Identifier: Apache-2.0 */
/* test_walks.c - csim/prove: tori and meshes: walks, rings, the bubble rule, counter-examples; and mistakes
 * in the routing code that must be found out */
#include "method_walks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bubble.h"
#include "counter_example.h"
#include "prover_bench.h"
#include "random.h"
#include "ring_check.h"
#include "route_unit.h"
#include "scenario.h"
#include "share.h"

static void open_walks(struct bench *b, const char *topology, const char *sw, const char *algorithm) {
  char routing[128];
  snprintf(routing, sizeof routing, "algorithm: %s", algorithm);
  open_bench(b, topology, sw, routing);
}

static struct ut_verdict examine(struct bench *b) {
  struct ut_fault_set set = {0};
  struct ut_verdict v;
  struct ut_error e;
  assert_int_equal(ut_prover_examine(&b->prover, &set, &v, &e), 0);
  return v;
}

static struct ut_verdict verdict(const char *topology, const char *sw, const char *algorithm) {
  struct bench b;
  open_walks(&b, topology, sw, algorithm);
  struct ut_verdict v = examine(&b);
  close_bench(&b);
  return v;
}

/* Exactly these failures, as bits. */
static void fails_with(const struct ut_verdict *v, unsigned failures) {
  for (unsigned i = 0; i < UT_FAILURES; i++)
    if (v->failure[i] != (failures >> i & 1))
      fail_msg("%s: %d, expected %u", ut_failure_name[i], v->failure[i], failures >> i & 1);
}

static const char one_vc[] = "vcs: 1, depth_flits: 4, packet_flits: 2";
static const char two_vcs[] = "vcs: 2, depth_flits: 4, packet_flits: 2";
static const char three_vcs[] = "vcs: 3, depth_flits: 4, packet_flits: 2";

/* ---- claims */

static void tori_hold(void **state) {
  (void)state;
  static const struct {
    const char *sizes;
    uint64_t pairs;
    unsigned hops;
    uint32_t rings, direct; /* of one escape VC; by hand, from the sizes */
  } tori[] = {
      /* lines of X: 16, two directions; from a ring of X to both rings of Y and of Z at each of its four nodes, of Y to
         Z */
      {"sizes: [4, 4, 4]", 4032, 6, 96, 32 * 16 + 32 * 8},
      {"sizes: [3, 3, 3]", 702, 3, 54, 18 * 12 + 18 * 6},
      {"sizes: [8, 8]", 4032, 8, 32, 16 * 16},
      {"sizes: [3, 3, 3, 3]", 6480, 4, 216, 54 * (18 + 12 + 6)},
      {"sizes: [9]", 72, 4, 2, 0},
      {"sizes: [6, 2], local_ports: 2", 552, 4, 16, 0}, /* in a ring of two no packet goes back */
      {"sizes: [8, 8], terminal_links: 3", 4032, 8, 32, 16 * 16},
  };
  for (unsigned i = 0; i < sizeof tori / sizeof tori[0]; i++)
    for (unsigned a = i % SHARE; a < 4; a += SHARE) {
      char topology[64];
      snprintf(topology, sizeof topology, "kind: torus, %s", tori[i].sizes);
      static const char *const algorithm[] = {"dor", "direction_order", "duato", "duato"};
      const char *sw = a < 2 ? one_vc : a == 2 ? two_vcs : three_vcs;
      struct ut_verdict v = verdict(topology, sw, algorithm[a]);
      fails_with(&v, 0);
      assert_false(v.detours);
      assert_int_equal(v.pairs, tori[i].pairs);
      assert_int_equal(v.longest, tori[i].hops);
      assert_true(v.answers > v.pairs);
      if (tori[i].hops == 4 && tori[i].pairs == 552)
        continue;
      assert_int_equal(v.nodes, tori[i].rings);
      assert_int_equal(v.direct, tori[i].direct);
    }
}

static void meshes_hold(void **state) {
  (void)state;
  struct ut_verdict v = verdict("kind: mesh, k: 4, n: 2", one_vc, "dor");
  fails_with(&v, 0);
  assert_false(v.dependency_cycle);
  assert_int_equal(v.nodes, 48); /* 24 links, both directions */
  /* straight on: two in each of 8 lines, both ways; turns: 6 channels a row, to one Y channel in the outer rows, two in
   * the others */
  assert_int_equal(v.direct, 32 + 6 * (1 + 2 + 2 + 1));
  assert_int_equal(v.longest, 6);
  v = verdict("kind: mesh, k: 4, n: 2", one_vc, "direction_order");
  fails_with(&v, 0);
  assert_false(v.dependency_cycle);
  for (unsigned vcs = 2; vcs < 4; vcs++) {
    v = verdict("kind: mesh, sizes: [4, 3, 2]", vcs == 2 ? two_vcs : three_vcs, "duato");
    fails_with(&v, 0);
    assert_true(v.dependency_cycle); /* of the adaptive channels */
    assert_false(v.extended_cycle);
  }
}

/* Several deterministic VCs: a packet may change between them, but need not. */
static void many_deterministic_vcs(void **state) {
  (void)state;
  struct ut_verdict v = verdict("kind: torus, k: 4, n: 2", three_vcs, "dor");
  fails_with(&v, 0);
  assert_int_equal(v.nodes, 3 * 16);
  v = verdict("kind: mesh, k: 4, n: 2", three_vcs, "dor");
  fails_with(&v, 0);
}

static void without_the_rule(void **state) {
  (void)state;
  struct ut_verdict v = verdict("kind: torus, k: 4, n: 1", one_vc, "dor_without_bubble");
  fails_with(&v, 1 << UT_FAILURE_CYCLE);
  v = verdict("kind: torus, k: 8, n: 2", two_vcs, "dor_without_bubble");
  fails_with(&v, 1 << UT_FAILURE_CYCLE);
  /* in a ring of three a packet makes one hop: nothing goes straight on */
  v = verdict("kind: torus, k: 3, n: 3", one_vc, "dor_without_bubble");
  fails_with(&v, 0);
  assert_false(v.dependency_cycle);
  /* worms in rings */
  v = verdict("kind: torus, k: 4, n: 1", "vcs: 1, depth_flits: 4, packet_flits: 2, switching: wormhole",
              "dor_without_bubble");
  fails_with(&v, 1 << UT_FAILURE_CYCLE);
  v = verdict("kind: mesh, k: 4, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2, switching: wormhole", "dor");
  fails_with(&v, 0);
}

/* Datelines: no cycle at all among deterministic channels; none of escape channels beside adaptive ones.  A wrap link
 * has channels of class 0 only. */
static void datelines_hold(void **state) {
  (void)state;
  static const char *const worms[] = {"vcs: 2, depth_flits: 4, packet_flits: 5, switching: wormhole",
                                      "vcs: 3, depth_flits: 4, packet_flits: 5, switching: wormhole",
                                      "vcs: 5, depth_flits: 4, packet_flits: 4"};
  static const char *const sizes[] = {"sizes: [9]", "sizes: [8, 8]", "sizes: [5, 2, 4]"};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned j = i % SHARE; j < 3; j += SHARE) {
      char topology[64];
      snprintf(topology, sizeof topology, "kind: torus, %s", sizes[i]);
      struct ut_verdict v = verdict(topology, worms[j], "dor_dateline");
      fails_with(&v, 0);
      assert_false(v.dependency_cycle);
      v = verdict(topology, "vcs: 3, depth_flits: 4, packet_flits: 5, switching: wormhole", "duato_dateline");
      fails_with(&v, 0);
      assert_false(v.extended_cycle);
    }
  /* Class 0 serves all links, class 1 all but wrap links. */
  struct ut_verdict v = verdict("kind: torus, sizes: [9]", worms[0], "dor_dateline");
  assert_int_equal(v.nodes, 18 + 16);
}

/* ---- states: the same as one packet at a time */

enum { COUNTS = 8 }; /* values of the rt field of packets that count their hops in it */

static ut_route_function *real_route;

static void counts_hops(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r) {
  assert_int_equal(s->vector, 0); /* these networks have none */
  real_route(g, s, header, in_port, in_vc, r);
  r->rt = (ut_header_rt(header) + 1) % COUNTS;
}

static void visit(struct ut_explorer *w, uint32_t channel, uint32_t dst, uint32_t rt, bool *seen) {
  struct ut_route_result r;
  const struct ut_channel *c = &w->channel[channel];
  if (seen[channel * COUNTS + rt])
    return;
  seen[channel * COUNTS + rt] = true;
  ut_explorer_ask(w, channel, dst, rt, 0, &r);
  for (unsigned v = 0; v < w->v; v++)
    UT_FOR_EACH (port, r.cand[v]) {
      const struct ut_peer *p = &w->topology->peer[(size_t)c->sw * w->topology->po + port];
      if (p->kind == UT_PEER_SWITCH)
        visit(w, w->channel_of[((size_t)p->index * w->topology->pi + p->port) * w->v + v], dst, r.rt, seen);
    }
}

static void every_state(void **state) {
  (void)state;
  static const char *const topologies[] = {
      "kind: torus, sizes: [4, 5]", "kind: mesh, sizes: [3, 2, 3], local_ports: 2", "kind: torus, sizes: [2, 3, 4]",
      "kind: mesh, sizes: [3, 3], local_ports: 2, terminal_links: 2", "kind: mesh, sizes: [4, 3]"};
  for (unsigned i = 0; i < 5; i++) {
    struct bench b;
    open_walks(&b, topologies[i], three_vcs, "duato");
    struct ut_explorer *w = &b.prover.explorer;
    struct ut_walk *k = &ut_by_walks(&b.prover)->walk;
    bool *seen = calloc(w->channels * COUNTS, sizeof *seen);
    if (i == 4) { /* in one channel there are packets that have made more hops and others */
      real_route = w->group[0].route;
      w->group[0].route = counts_hops;
      w->group[0].form.rewrites = true;
    }
    for (uint64_t dst = 0; ut_packet_list_get(&ut_by_walks(&b.prover)->packets, dst, &k->packets); dst++) {
      assert_int_equal(ut_walk_run(k, &k->packets), 0);
      memset(seen, 0, w->channels * COUNTS * sizeof *seen);
      for (uint32_t src = 0; src < b.topology.terminals; src++)
        for (unsigned v = 0; v < w->v && src != dst; v++)
          for (unsigned link = 0; link < b.topology.injections; link++) {
            const struct ut_attachment a = ut_topology_attachment(&b.topology, src);
            const uint32_t first = w->channel_of[((size_t)a.sw * b.topology.pi + a.in_port + link) * w->v + v];
            visit(w, first, (uint32_t)dst, 0, seen);
          }
      uint32_t count = 0;
      for (uint32_t c = 0; c < w->channels * COUNTS; c++)
        count += seen[c];
      assert_int_equal(k->places, count);
      for (uint32_t s = 0; s < k->places; s++)
        assert_true(seen[k->place[s].channel * COUNTS + ut_header_rt(k->header[k->place[s].header].word[0])]);
      assert_int_equal(k->ordered, k->places);
    }
    free(seen);
    close_bench(&b);
  }
}

/* ---- planned routes */

/* Fault sets drawn at random: whatever has a route arrives by it, never meets a fault, and nothing waits in a cycle. */
static void planned_routes(void **state) {
  (void)state;
  static const struct {
    const char *topology, *algorithm;
    unsigned faults;
  } cases[] = {
      {"kind: torus, k: 3, n: 3", "duato, mechanisms: {intermediate: 1}", 3},
      {"kind: torus, k: 3, n: 3", "duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}", 7},
      {"kind: torus, k: 3, n: 3", "duato, mechanisms: {misroute: true}", 5},
      {"kind: torus, k: 3, n: 3", "duato, mechanisms: {deterministic: true}", 2},
      {"kind: torus, k: 4, n: 2", "duato, mechanisms: {intermediate: 2, deterministic: true}", 4},
      {"kind: torus, sizes: [5, 4], local_ports: 2", "duato, mechanisms: {intermediate: 3}", 4},
      {"kind: torus, k: 4, n: 3", "dor, mechanisms: {intermediate: 2}", 4},
      {"kind: mesh, k: 4, n: 2", "duato, mechanisms: {intermediate: 1, misroute: true}", 3},
      {"kind: mesh, k: 4, n: 2", "duato, mechanisms: {deterministic: true, misroute: true}", 3},
  };
  struct ut_random random;
  ut_random_init(&random, 1, UT_RANDOM_TEST, 0);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    struct ut_error e;
    open_walks(&b, cases[i].topology, "vcs: 5, depth_flits: 18, packet_flits: 6", cases[i].algorithm);
    const unsigned terminals = b.topology.terminals, local = b.scenario->topology.local_ports;
    for (unsigned n = 0; n < 12; n += SHARE) {
      struct ut_fault_set set = {.links = 1 + n % cases[i].faults};
      struct ut_verdict v;
      for (unsigned f = 0; f < set.links; f++)
        set.link[f] = ut_random_below(&random, (uint32_t)b.topology.links);
      assert_int_equal(ut_prover_examine(&b.prover, &set, &v, &e), 0);
      fails_with(&v, v.without_route ? 1 << UT_FAILURE_ROUTE : 0);
      assert_int_equal(v.pairs, terminals * (terminals - 1) - (v.separated + v.without_route) * local * local);
    }
    close_bench(&b);
  }
}

/* ---- mutants */

/* The bubble set of the candidates as it should be. */
static void set_bubbles(const struct ut_group *g, unsigned in_port, unsigned in_vc, struct ut_route_result *r) {
  for (unsigned v = 0; v < g->shape.v; v++) {
    ut_mask straight = in_port < 2 * g->dimensions && in_vc == v ? ut_bit(in_port ^ 1) : 0;
    r->bubble[v] = r->cand[v] & ~r->preferred[v] & ut_mask_all(2 * g->dimensions) & ~straight;
  }
}

/* A packet that turns from X into Y is taken for one that stays. */
static void forgets_a_turn(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (in_port < 2)
    for (unsigned v = 0; v < g->shape.v; v++)
      r->bubble[v] &= ~(ut_mask)0xc;
}

/* A packet that leaves an adaptive channel for the escape channel straight on is taken for one that stays. */
static void forgets_the_class(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                              unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (in_port < 2 * g->dimensions)
    r->bubble[g->shape.v - 1] &= ~ut_bit(in_port ^ 1);
}

/* All sub-paths use the first one's escape channel. */
static void forgets_the_sub_path(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                                 unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, ut_header_set_rt(header, (uint32_t)ut_rt_path_set_sub_path(ut_header_rt(header), 0)), in_port, in_vc,
             r);
  r->rt = ut_header_rt(header);
}

/* The rule is asked of everybody. */
static void asks_too_much(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                          unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  for (unsigned v = 0; v < g->shape.v; v++)
    r->bubble[v] = r->cand[v] & ~r->preferred[v] & ut_mask_all(2 * g->dimensions);
}

/* Escape channels in the order of the dimensions at some nodes, against it at others. */
static void cyclic_order(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                         unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->place[0] & 1)
    r->cand[g->shape.v - 1] = ut_bit(63 - (unsigned)__builtin_clzll(r->cand[0]));
  set_bubbles(g, in_port, in_vc, r);
}

/* No escape channel at one node. */
static void strands(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                    unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->id == 5 && ut_header_dst(header) == 2)
    r->cand[g->shape.v - 1] = r->bubble[g->shape.v - 1] = 0;
}

/* Sends back what comes from a lower node, on its way to terminal 3. */
static void sends_back(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                       unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->place[0] == 2 && s->place[1] == 0 && ut_header_dst(header) == 3)
    r->cand[0] = ut_bit(1);
}

/* Mixes up the two terminals of a node. */
static void wrong_exit(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                       unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (r->cand[0] > ut_mask_all(2 * g->dimensions))
    r->cand[0] ^= (ut_mask)3 << 2 * g->dimensions;
}

/* Takes the long way round where X is three or more. */
static void long_way(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                     unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (r->cand[0] == ut_bit(1))
    r->cand[0] = ut_bit(0);
  set_bubbles(g, in_port, in_vc, r);
}

/* What is said of ports that are not offered does not count. */
static void bubbles_beyond(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  for (unsigned v = 0; v < g->shape.v; v++)
    r->bubble[v] |= ~r->cand[v];
}

static struct ut_verdict examine_mutant(struct bench *b, ut_route_function *mutant) {
  real_route = b->prover.explorer.group[0].route;
  b->prover.explorer.group[0].route = mutant;
  return examine(b);
}

/* The steps of a counter-example follow one another, and each is what the route function answers. */
static void check_example(struct bench *b, enum ut_failure kind, size_t steps) {
  struct ut_explorer *w = &b->prover.explorer;
  struct ut_fault_space space = {.topology = &b->topology, .count = 1, .blocks = 1, .is_fixed = true};
  struct ut_counter_example c;
  struct ut_error e;
  if (ut_counter_example_find(&c, &b->prover, &space, 0, kind, &e))
    fail_msg("%s", e.text);
  if (steps)
    assert_int_equal(c.steps, steps);
  for (size_t i = 0; i < c.steps; i++) {
    const struct ut_step *s = &c.step[i];
    struct ut_route_result r;
    uint32_t channel = w->channel_of[((size_t)s->sw * b->topology.pi + s->in_port) * w->v + s->in_vc];
    ut_explorer_ask(w, channel, s->dst, s->rt, 0, &r);
    assert_memory_equal(r.cand, s->cand, sizeof r.cand);
    if (!s->leaves) {
      assert_int_equal(i + 1, c.steps);
      continue;
    }
    assert_true(r.cand[s->out_vc] & ut_bit(s->out_port));
    const struct ut_step *next = &c.step[i + 1 < c.steps ? i + 1 : kind == UT_FAILURE_LOOP ? c.back_to : 0];
    uint32_t behind = ut_channel_behind(w, s->sw, s->out_port, s->out_vc);
    uint32_t there = w->channel_of[((size_t)next->sw * b->topology.pi + next->in_port) * w->v + next->in_vc];
    if (c.rings)
      assert_int_equal(ut_by_walks(&b->prover)->rings.node[behind], ut_by_walks(&b->prover)->rings.node[there]);
    else
      assert_int_equal(behind, there);
  }
  ut_counter_example_free(&c);
}

static void mutants(void **state) {
  (void)state;
  static const char torus[] = "kind: torus, k: 4, n: 2", mesh[] = "kind: mesh, k: 4, n: 2";
  static const struct {
    const char *topology, *sw, *algorithm;
    ut_route_function *mutant;
    unsigned failures;
    size_t steps; /* of the first failure's counter-example; 0: any */
  } cases[] = {
      {torus, one_vc, "dor", forgets_a_turn, 1 << UT_FAILURE_BUBBLE, 2},
      {torus, two_vcs, "duato", forgets_a_turn, 1 << UT_FAILURE_BUBBLE, 2},
      {torus, two_vcs, "duato", forgets_the_class, 1 << UT_FAILURE_BUBBLE, 2},
      {torus, one_vc, "dor", asks_too_much, 1 << UT_FAILURE_BUBBLE, 2},
      {torus, two_vcs, "duato", cyclic_order, 1 << UT_FAILURE_CYCLE, 2},
      {mesh, two_vcs, "duato", cyclic_order, 1 << UT_FAILURE_CYCLE, 0},
      {torus, two_vcs, "duato", strands, 1 << UT_FAILURE_ESCAPE, 1},
      {mesh, one_vc, "dor", sends_back, 1 << UT_FAILURE_LOOP | 1 << UT_FAILURE_CYCLE, 3},
      {"kind: mesh, k: 3, n: 2, local_ports: 2", one_vc, "dor", wrong_exit, 1 << UT_FAILURE_WRONG, 1},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    open_walks(&b, cases[i].topology, cases[i].sw, cases[i].algorithm);
    struct ut_verdict v = examine_mutant(&b, cases[i].mutant);
    fails_with(&v, cases[i].failures);
    check_example(&b, (enum ut_failure)__builtin_ctz(cases[i].failures), cases[i].steps);
    close_bench(&b);
  }
}

/* Each sub-path needs an escape channel of its own. */
static void one_escape_for_all(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_random random;
  unsigned cycles = 0;
  open_walks(&b, "kind: torus, k: 4, n: 2", "vcs: 3, depth_flits: 8, packet_flits: 3",
             "duato, mechanisms: {intermediate: 1}");
  real_route = b.prover.explorer.group[0].route;
  b.prover.explorer.group[0].route = forgets_the_sub_path;
  ut_random_init(&random, 2, UT_RANDOM_TEST, 0);
  for (unsigned n = 0; n < 20; n++) {
    struct ut_fault_set set = {.links = 4};
    struct ut_verdict v;
    for (unsigned f = 0; f < set.links; f++)
      set.link[f] = ut_random_below(&random, (uint32_t)b.topology.links);
    assert_int_equal(ut_prover_examine(&b.prover, &set, &v, &e), 0);
    fails_with(&v, (v.failure[UT_FAILURE_CYCLE] ? 1 << UT_FAILURE_CYCLE : 0) |
                       (v.without_route ? 1 << UT_FAILURE_ROUTE : 0));
    cycles += v.failure[UT_FAILURE_CYCLE];
  }
  assert_true(cycles > 0);
  close_bench(&b);
}

/* A rule that is not minimal is no failure, but it is said. */
static void detours(void **state) {
  (void)state;
  struct bench b;
  open_walks(&b, "kind: torus, k: 5, n: 2", one_vc, "dor");
  struct ut_verdict v = examine_mutant(&b, long_way);
  fails_with(&v, 0);
  assert_true(v.detours);
  assert_int_equal(v.longest, 6); /* up to four in X, two in Y */
  close_bench(&b);
}

static void bubbles_of_candidates_alone(void **state) {
  (void)state;
  for (unsigned adaptive = 0; adaptive < 2; adaptive++) {
    struct bench b;
    open_walks(&b, "kind: torus, k: 4, n: 2", adaptive ? two_vcs : one_vc, adaptive ? "duato" : "dor");
    struct ut_verdict v = examine_mutant(&b, bubbles_beyond);
    fails_with(&v, 0);
    close_bench(&b);
  }
}

static void shown_without_the_rule(void **state) {
  (void)state;
  struct bench b;
  open_walks(&b, "kind: torus, sizes: [5, 8]", one_vc, "dor_without_bubble");
  check_example(&b, UT_FAILURE_CYCLE, 5);
  close_bench(&b);
}

/* ---- faults: without planned routes a packet that meets one is discarded */

static void faults(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_fault_request request = {.links = {0, 1}, .total = {0, 1}, .limit = UINT64_MAX};
  struct ut_parallel parallel = {.workers = 2};
  struct ut_proof proof;
  struct ut_error e;
  struct bench b;
  open_walks(&b, "kind: torus, k: 4, n: 2", two_vcs, "duato");
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
  assert_int_equal(ut_prove(b.scenario, &b.topology, space, NULL, &parallel, &proof, &e), 0);
  assert_int_equal(proof.sets, 33);
  assert_int_equal(proof.connected, 1);
  assert_int_equal(proof.failing[UT_FAILURE_ESCAPE], 32);
  assert_int_equal(proof.failing[UT_FAILURE_CYCLE], 0);
  assert_int_equal(proof.pairs, 240);
  assert_int_equal(proof.nodes, 16);
  assert_int_equal(proof.longest, 4);
  close_bench(&b);
  free(space);
}

/* ---- one ring */

/* Follows the way to a stuck state packet by packet. */
static void replay(const struct ut_bubble_ring *ring, const struct ut_bubble_verdict *v) {
  unsigned packet[16][16] = {{0}}, count[16] = {0}, used[16] = {0};
  for (size_t i = 0; i < v->steps; i++) {
    const struct ut_bubble_step *s = &v->step[i];
    unsigned from = s->buffer, to = s->move == UT_BUBBLE_ENTER ? from : (from + 1) % ring->buffers;
    if (s->move != UT_BUBBLE_ENTER) {
      assert_true(count[from] > 0);
      assert_int_equal(packet[from][0], s->flits);
      memmove(packet[from], packet[from] + 1, --count[from] * sizeof packet[0][0]);
      used[from] -= s->flits;
    }
    unsigned need = s->move == UT_BUBBLE_ENTER ? ring->enter : ring->go_on;
    assert_true(ring->depth_flits - used[to] >= need);
    packet[to][count[to]++] = s->flits;
    used[to] += s->flits;
  }
  for (unsigned i = 0; i < ring->buffers; i++) {
    assert_true(count[i] > 0);
    assert_true(ring->depth_flits - used[i] < ring->go_on);
  }
}

static void one_ring(void **state) {
  (void)state;
  struct ut_bubble_verdict v;
  struct ut_error e;
  for (unsigned k = 2; k < 7; k++)
    for (unsigned packets = 2; packets < 4; packets++)
      for (unsigned flits = 1; flits < 3; flits++) {
        struct ut_bubble_ring ring = {k, packets * flits, flits, flits, flits, 2 * flits, 0, 0};
        if (k * (ring.depth_flits + 1) > 64)
          continue;
        assert_int_equal(ut_bubble_search(&ring, &v, &e), 0);
        unsigned all = 1;
        for (unsigned i = 0; i < k; i++)
          all *= packets + 1;
        assert_int_equal(v.states, all - 1); /* all but the full ring */
        assert_int_equal(v.least_free, flits);
        assert_false(v.stuck);
        ring.enter = flits;
        assert_int_equal(ut_bubble_search(&ring, &v, &e), 0);
        assert_int_equal(v.states, all);
        assert_int_equal(v.least_free, 0);
        assert_true(v.stuck);
        assert_int_equal(v.steps, k * packets);
        replay(&ring, &v);
        ut_bubble_free(&v);
      }
}

/* Counted in flits, the rule fails where lengths differ: there is space for a packet in the ring, but in pieces.  With
 * channels seen as slots it holds, for every depth and every lengths for which the switch can be elaborated. */
static void different_lengths(void **state) {
  (void)state;
  struct ut_bubble_verdict v;
  struct ut_error e;
  unsigned stuck = 0, held = 0, impossible = 0;
  for (unsigned longest = 2; longest < 6; longest++)
    for (unsigned shortest = 1; shortest < longest; shortest++)
      for (unsigned depth = 2 * longest; depth < 13; depth++)
        for (unsigned k = 2; k * (depth + 1) <= 30; k++) {
          struct ut_bubble_ring ring = {k, depth, longest, shortest, longest, 2 * longest, 0, 0};
          assert_int_equal(ut_bubble_search(&ring, &v, &e), 0);
          if (v.stuck) {
            stuck++;
            assert_true(v.least_free >= longest);
            replay(&ring, &v);
          }
          ut_bubble_free(&v);
          if (!ut_bubble_rule(&ring)) {
            impossible++;
            assert_true(2 * shortest <= longest);
            continue;
          }
          held++;
          assert_true(ring.go_on >= longest && ring.enter <= depth);
          assert_int_equal(ut_bubble_search(&ring, &v, &e), 0);
          assert_false(v.stuck);
          ut_bubble_free(&v);
        }
  assert_true(stuck > 20 && held > 20 && impossible > 20);
  struct ut_bubble_ring large = {9, 8, 1, 1, 1, 2, 0, 0};
  assert_int_equal(ut_bubble_search(&large, &v, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
}

/* A buffer without room for two of the longest packets cannot obey the rule. */
static void too_small_for_the_rule(void **state) {
  (void)state;
  for (unsigned longest = 1; longest < 6; longest++) {
    struct ut_bubble_ring ring = {3, 2 * longest - 1, longest, longest, 99, 98, 0, 0};
    assert_false(ut_bubble_rule(&ring));
    assert_int_equal(ring.go_on, 0);
    ring.depth_flits++;
    assert_true(ut_bubble_rule(&ring));
    assert_true(ring.go_on == longest && ring.enter == 2 * longest);
  }
}

/* What the check by itself says, in words. */
static void ring_in_words(void **state) {
  (void)state;
  static const struct {
    const char *sw, *algorithm;
    unsigned packets; /* in a buffer of the ring: as many as in the switch's, up to three */
    bool rule, mixed;
  } cases[] = {
      {"vcs: 1, depth_flits: 4, packet_flits: 2", "dor", 2, true, false},
      {"vcs: 1, depth_flits: 30, packet_flits: 2", "dor", 3, true, false},
      {"vcs: 1, depth_flits: 4, packet_flits: 4", "dor_without_bubble", 1, false, false},
      {"vcs: 1, depth_flits: 8, packet_flits: 3, shortest_packet_flits: 2", "dor", 2, true, true},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench b;
    struct ut_ring_check c;
    struct ut_error e;
    char text[2048] = "", line[256];
    open_walks(&b, "kind: torus, k: 4, n: 1", cases[i].sw, cases[i].algorithm);
    assert_int_equal(ut_ring_check_run(&c, &b.prover.explorer.group[0].shape, &e), 0);
    assert_true(c.present && c.rule == cases[i].rule && c.mixed == cases[i].mixed && c.without.stuck);
    assert_int_equal(c.result.stuck, !cases[i].rule);
    for (unsigned slots = 0; slots < 2; slots++) { /* as it is, and as it would say if slots were wrong, too */
      FILE *f = fmemopen(text, sizeof text, "w");
      c.slots.stuck = slots;
      c.without.stuck = !slots;
      ut_ring_check_print(&c, f);
      fclose(f);
      snprintf(line, sizeof line,
               "  one ring    4 buffers of %u packets, entered with space for %u: ", cases[i].packets,
               cases[i].rule ? 2 : 1);
      assert_memory_equal(text, line, strlen(line));
      assert_int_equal(strstr(text, "it fills: into ") != NULL, !slots);
      assert_int_equal(strstr(text, "by slots: ") != NULL, cases[i].mixed);
      if (cases[i].mixed) {
        const char *second = strstr(text, "by slots: ");
        assert_int_equal(strstr(second, "packets can be stuck") != NULL, slots);
        assert_non_null(strstr(second, "the rule would fail: into "));
      }
    }
    ut_ring_check_free(&c);
    close_bench(&b);
  }
  struct ut_ring_check none = {0};
  char text[64] = "";
  FILE *f = fmemopen(text, sizeof text, "w");
  ut_ring_check_print(&none, f);
  fclose(f);
  assert_string_equal(text, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tori_hold),
      cmocka_unit_test(meshes_hold),
      cmocka_unit_test(without_the_rule),
      cmocka_unit_test(datelines_hold),
      cmocka_unit_test(many_deterministic_vcs),
      cmocka_unit_test(every_state),
      cmocka_unit_test(planned_routes),
      cmocka_unit_test(mutants),
      cmocka_unit_test(one_escape_for_all),
      cmocka_unit_test(detours),
      cmocka_unit_test(bubbles_of_candidates_alone),
      cmocka_unit_test(shown_without_the_rule),
      cmocka_unit_test(faults),
      cmocka_unit_test(too_small_for_the_rule),
      cmocka_unit_test(ring_in_words),
      cmocka_unit_test(one_ring),
      cmocka_unit_test(different_lengths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
