/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_proof.c - csim/prove/prove, rings and route_answers: sums over fault sets against the verdicts on each,
 * the dependencies of walks against a search from every state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "method_sets.h"
#include "method_walks.h"
#include "prover_bench.h"
#include "route_answers.h"
#include "route_unit.h"
#include "scenario_read.h"
#include "topology_build.h"

static unsigned least_links;
static uint64_t seed = 5;
static struct ut_fault_space *space_of(const struct ut_topology *t, unsigned links, unsigned switches,
                                       uint64_t samples) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_error e;
  const struct ut_fault_request request = {.links = {least_links, links},
                                           .switches = {0, switches},
                                           .total = {0, links + switches},
                                           .limit = samples,
                                           .samples = samples,
                                           .seed = seed};
  assert_non_null(space);
  assert_int_equal(ut_fault_space_init(space, t, &request, &e), 0);
  return space;
}

static const char BLOCKS[] = "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole";

/* ---- sums */

static void connected(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < UT_FAILURES; kind++) {
    struct ut_verdict v = {0};
    assert_true(ut_verdict_connected(&v));
    v.failure[kind] = true;
    assert_int_equal(ut_verdict_connected(&v), kind != UT_FAILURE_DISCARD && kind != UT_FAILURE_WRONG &&
                                                   kind != UT_FAILURE_LOOP && kind != UT_FAILURE_ROUTE);
  }
}

/* Block, then whether there is a way for each pair, then number: what is shown of one kind. */
struct shown {
  uint64_t block, index;
  bool shallow, some;
};

static bool is_better(const struct shown *a, const struct shown *b) {
  if (!b->some || a->block != b->block)
    return !b->some || a->block < b->block;
  return a->shallow != b->shallow ? b->shallow : a->index < b->index;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Some switch cannot be reached from the first one over links that work. */
static bool is_apart(const struct ut_explorer *x) {
  const struct ut_topology *t = x->topology;
  bool *seen = calloc(t->switches, sizeof *seen), more = true, apart = false;
  assert_non_null(seen);
  for (seen[0] = true; more;) {
    more = false;
    for (uint32_t channel = 0; channel < t->switches * t->po; channel++) {
      const struct ut_peer *to = &t->peer[channel];
      if (!seen[channel / t->po] || to->kind != UT_PEER_SWITCH || !(x->works[channel / 64] >> channel % 64 & 1))
        continue;
      more |= !seen[to->index];
      seen[to->index] = true;
    }
  }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    apart |= !seen[sw];
  free(seen);
  return apart;
}

/* What is said of the network as a whole. */
static void check_shallow(const struct ut_prover *p, const struct ut_verdict *v) {
  if (p->method == &ut_proof_by_walks)
    assert_int_equal(v->shallow,
                     (v->failure[UT_FAILURE_DISCARD] || v->failure[UT_FAILURE_ESCAPE]) && is_apart(&p->explorer));
}

/* Sums of all verdicts. */
static void add_verdict(struct ut_proof *sum, const struct ut_verdict *v, uint64_t index) {
  sum->pairs = sum->sets++ && sum->pairs < v->pairs ? sum->pairs : v->pairs;
  for (unsigned kind = 0; kind < UT_FAILURES; kind++)
    sum->failing[kind] += v->failure[kind];
  sum->connected += ut_verdict_connected(v), sum->dependency_cycles += v->dependency_cycle;
  sum->no_subfunction += v->no_subfunction, sum->extended_cycles += v->extended_cycle;
  sum->longest = (unsigned)larger(sum->longest, v->longest), sum->u_turns = (unsigned)larger(sum->u_turns, v->u_turns);
  sum->nodes = larger(sum->nodes, v->nodes), sum->direct = larger(sum->direct, v->direct);
  sum->detours += v->detours, sum->answers += v->answers, sum->outside += v->outside;
  sum->without_route += v->without_route > 0, sum->separated += v->separated > 0;
  sum->separated_pairs += v->separated, sum->most_separated = larger(sum->most_separated, v->separated);
  if (v->separated && sum->first_separated == UINT64_MAX)
    sum->first_separated = index;
}

static void check_sums(const struct ut_proof *proof, const struct ut_proof *sum) {
  assert_int_equal(proof->pairs, sum->pairs);
  assert_int_equal(proof->sets, sum->sets);
  assert_memory_equal(proof->failing, sum->failing, sizeof sum->failing);
  assert_int_equal(proof->connected, sum->connected);
  assert_int_equal(proof->dependency_cycles, sum->dependency_cycles);
  assert_int_equal(proof->no_subfunction, sum->no_subfunction);
  assert_int_equal(proof->extended_cycles, sum->extended_cycles);
  assert_int_equal(proof->longest, sum->longest);
  assert_int_equal(proof->u_turns, sum->u_turns);
  assert_int_equal(proof->nodes, sum->nodes);
  assert_int_equal(proof->direct, sum->direct);
  assert_int_equal(proof->detours, sum->detours);
  assert_int_equal(proof->answers, sum->answers);
  assert_int_equal(proof->outside, sum->outside);
  assert_int_equal(proof->skipped, 0);
  assert_int_equal(proof->without_route, sum->without_route);
  assert_int_equal(proof->separated, sum->separated);
  assert_int_equal(proof->separated_pairs, sum->separated_pairs);
  assert_int_equal(proof->most_separated, sum->most_separated);
  assert_int_equal(proof->first_separated, sum->first_separated);
}

static const enum ut_failure worst_first[UT_FAILURES] = {UT_FAILURE_CYCLE,   UT_FAILURE_LOOP,      UT_FAILURE_WRONG,
                                                         UT_FAILURE_DISCARD, UT_FAILURE_NUMBERING, UT_FAILURE_ESCAPE,
                                                         UT_FAILURE_BUBBLE,  UT_FAILURE_ROUTE};

static void check_shown(const struct ut_proof *proof, const struct shown *best) {
  enum ut_failure worst = UT_FAILURES;
  for (unsigned i = UT_FAILURES; i-- > 0;) {
    const enum ut_failure kind = worst_first[i];
    assert_int_equal(proof->first[kind], best[kind].some ? best[kind].index : UINT64_MAX);
    if (best[kind].some && (worst == UT_FAILURES || best[kind].block <= best[worst].block))
      worst = kind;
  }
  assert_int_equal(ut_proof_worst(proof), worst);
}

/* stale: all bits of all switches are. */
static void compare_sums(const char *topology, const char *sw, const char *routing, unsigned links, unsigned switches,
                         uint64_t samples, bool stale) {
  struct bench b;
  struct ut_error e;
  struct ut_proof proof;
  struct ut_fault_set set;
  struct shown best[UT_FAILURES] = {0};
  struct ut_proof sum = {.first_separated = UINT64_MAX};
  open_bench(&b, topology, sw, routing);
  struct ut_fault_space *space = space_of(&b.topology, links, switches, samples);
  ut_mask *bits = calloc(b.topology.switches, sizeof *bits);
  for (uint32_t i = 0; i < b.topology.switches && stale; i++)
    bits[i] = b.topology.up_ports;
  b.prover.stale = stale ? bits : NULL;
  for (uint64_t i = 0; i < space->count; i++) {
    struct ut_verdict v;
    const uint64_t block = (uint64_t)(ut_fault_space_get(space, i, &set) - space->block);
    assert_int_equal(ut_prover_examine(&b.prover, &set, &v, &e), 0);
    const bool fine = ut_verdict_connected(&v);
    add_verdict(&sum, &v, i);
    check_shallow(&b.prover, &v);
    for (unsigned kind = 0; kind < UT_FAILURES; kind++) {
      const struct shown now = {block, i, kind == UT_FAILURE_CYCLE ? !fine : v.shallow, true};
      if (v.failure[kind] && is_better(&now, &best[kind]))
        best[kind] = now;
    }
  }
  assert_int_equal(sum.sets, space->count);
  for (unsigned workers = 1; workers <= 3; workers += 2) { /* some of which find no set left */
    const struct ut_parallel parallel = {.workers = workers};
    assert_int_equal(ut_prove(b.scenario, &b.topology, space, b.prover.stale, &parallel, &proof, &e), 0);
    check_sums(&proof, &sum);
    check_shown(&proof, best);
  }
  free(space), free(bits);
  close_bench(&b);
}

static void sums_are_those_of_verdicts(void **state) {
  (void)state;
  static const char TREE[] = "kind: fat_tree, k: 2, n: 3";
  static const char PLANNED[] = "vcs: 4, depth_flits: 12, packet_flits: 4";
  least_links = 4, seed = 23; /* of cycles one without other failures is shown, here not the first one */
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_det_link", 4, 0, 8, false);
  seed = 28;
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_det_link", 4, 0, 8, false);
  least_links = 3, seed = 4; /* one pair without a route */
  compare_sums("kind: torus, sizes: [4, 3]", PLANNED, "algorithm: duato, mechanisms: {misroute: true}", 3, 0, 4, false);
  least_links = 0, seed = 5;
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_det_link", 4, 0, 30, false);
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_det_link", 3, 1, 20, false);
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_adaptive_link", 4, 1, 20, false); /* first discards, then cycles */
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_adaptive_link", 5, 3, 3, false);  /* many blocks */
  compare_sums(TREE, "vcs: 1", "algorithm: reroute_adaptive_link, reroute_clear: timer", 2, 1, 4, true);
  compare_sums("kind: fat_tree, k: 3, n: 2", "vcs: 1", "algorithm: reroute_det_link", 5, 0, 30, false);
  compare_sums(TREE, "vcs: 2", "algorithm: misroute_header", 3, 1, 10, false);
  compare_sums("kind: torus, sizes: [4, 3]", PLANNED, "algorithm: duato, mechanisms: {intermediate: 1}", 5, 0, 12,
               false);
  compare_sums("kind: mesh, sizes: [3, 2]", PLANNED, "algorithm: duato, mechanisms: {intermediate: 1}", 3, 0, 12,
               false);
  compare_sums("kind: mesh, sizes: [3, 2]", PLANNED, "algorithm: duato, mechanisms: {intermediate: 2}", 3, 0, 12,
               false);
  compare_sums("kind: mesh, sizes: [4, 4]", PLANNED, "algorithm: duato, mechanisms: {intermediate: 2}", 6, 0, 12,
               false);
  compare_sums("kind: mesh, sizes: [3, 2]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 5, 0, 40,
               false); /* some of them fall apart */
  compare_sums("kind: torus, sizes: [3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 8, 1, 12,
               false);
  compare_sums("kind: mesh, sizes: [4, 3]", BLOCKS, "algorithm: detour", 0, 3, 12, false);
  compare_sums("kind: ft_ruft_222, k: 2, n: 2", "vcs: 1", "algorithm: ruft", 4, 1, 20, false); /* no way for some */
  compare_sums("kind: ruft, k: 2, n: 2", "vcs: 1", "algorithm: ruft", 2, 0, 12, false);
}

/* Failures of two kinds, first of all sets or not: the earlier block counts, then how bad it is. */
static void worst_of_two(void **state) {
  (void)state;
  static const uint64_t low[] = {0, 1, UINT64_C(1) << 54, (UINT64_C(1) << 55) - 1}; /* below the block */
  for (unsigned a = 0; a < UT_FAILURES; a++)
    for (unsigned b = a + 1; b < UT_FAILURES; b++)
      for (unsigned i = 0; i < 3 * 3 * 4 * 4; i++) {
        const uint64_t first = i % 3, second = i / 3 % 3;
        struct ut_proof p = {.sets = 9};
        for (unsigned kind = 0; kind < UT_FAILURES; kind++)
          p.first[kind] = UINT64_MAX;
        p.first[worst_first[a]] = 3, p.rank[worst_first[a]] = (first << 55 | low[i / 9 % 4]) + 1;
        p.first[worst_first[b]] = 2, p.rank[worst_first[b]] = (second << 55 | low[i / 36]) + 1;
        assert_int_equal(ut_proof_worst(&p), worst_first[second < first ? b : a]);
      }
}

/* Of a family that no method is for. */
static void no_method(void **state) {
  (void)state;
  struct ut_error e = {0};
  struct ut_topology t;
  struct ut_prover p;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  t.kind = "ring";
  assert_int_equal(ut_prover_init(&p, s, &t, &e), -1);
  assert_string_equal(e.text, "there is no method of proof for a ring");
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* Sets outside the fault model of the nodes are left out, and counted. */
static void skipped(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_proof proof;
  struct ut_fault_set set;
  const struct ut_parallel parallel = {.workers = 1};
  open_bench(&b, "kind: mesh, sizes: [4, 3]", BLOCKS, "algorithm: detour");
  struct ut_fault_space *space = space_of(&b.topology, 0, 3, 20);
  uint64_t outside = 0;
  for (uint64_t i = 0; i < space->count; i++) {
    ut_fault_space_get(space, i, &set);
    outside += !ut_prover_obeys_model(&b.prover, &set);
  }
  assert_true(outside > 0 && outside < space->count);
  for (unsigned in_model = 0; in_model < 2; in_model++) {
    space->in_model = in_model;
    assert_int_equal(ut_prove(b.scenario, &b.topology, space, NULL, &parallel, &proof, &e), 0);
    assert_int_equal(proof.outside, outside);
    assert_int_equal(proof.skipped, in_model ? outside : 0);
    assert_int_equal(proof.sets, space->count - (in_model ? outside : 0));
  }
  free(space);
  close_bench(&b);
}

/* The bits of these sets and of no other one. */
static void stale_bits(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_fault_set set;
  open_bench(&b, "kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_adaptive_link");
  for (uint64_t samples = 1; samples < 8; samples++) {
    struct ut_fault_space *space = space_of(&b.topology, 1, 0, samples);
    ut_mask *expected = calloc(b.topology.switches, sizeof *expected);
    for (uint64_t i = 0; i < space->count; i++) {
      ut_fault_space_get(space, i, &set);
      ut_explorer_set_faults(&b.prover.explorer, &set);
      assert_int_equal(b.prover.method->add_bits(&b.prover, expected, &e), 0);
    }
    for (unsigned workers = 1; workers < 3; workers++) {
      const struct ut_parallel parallel = {.workers = workers};
      ut_mask *bits = ut_prove_stale_bits(b.scenario, &b.topology, space, &parallel, &e);
      assert_non_null(bits);
      assert_memory_equal(bits, expected, b.topology.switches * sizeof *bits);
      free(bits);
    }
    free(expected), free(space);
  }
  close_bench(&b);
}

/* ---- rings */

/* Nodes that a packet in this state can come to wait for: chosen there, or in states behind other hops. */
static void come_to(const struct ut_rings *r, const struct ut_walk *k, uint32_t place, bool *been, bool *node) {
  if (been[place])
    return;
  been[place] = true;
  for (uint32_t i = k->place[place].first; i < k->place[place].end; i++) {
    const struct ut_walk_hop *h = &k->hop[i];
    if (h->to != UT_TERMINAL && h->chosen)
      node[r->node[k->place[h->to].channel]] = true;
    else if (h->to != UT_TERMINAL)
      come_to(r, k, h->to, been, node);
  }
}

static void compare_rings(const char *topology, const char *sw, const char *routing) {
  struct bench b;
  open_bench(&b, topology, sw, routing);
  struct ut_walk *k = &ut_by_walks(&b.prover)->walk;
  struct ut_rings *r = &ut_by_walks(&b.prover)->rings;
  const struct ut_packet_list *list = &ut_by_walks(&b.prover)->packets;
  const uint32_t channels = b.prover.explorer.channels;
  bool *expected = calloc((size_t)channels * channels, sizeof *expected), *been = malloc(channels * sizeof *been);
  const struct ut_fault_set none = {0};
  assert_false(r->merged);
  ut_explorer_set_faults(&b.prover.explorer, &none);
  ut_rings_clear(r);
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t number = 0; ut_packet_list_get(list, number, &k->packets); number++) {
      assert_int_equal(ut_walk_run(k, &k->packets), 0);
      assert_true(k->places <= channels);
      if (!pass) {
        ut_rings_mark(r, k);
        continue;
      }
      ut_rings_add(r, k, number);
      for (uint32_t s = 0; s < k->places; s++) {
        memset(been, 0, channels * sizeof *been);
        if (r->escape[k->place[s].channel])
          come_to(r, k, s, been, expected + (size_t)r->node[k->place[s].channel] * channels);
      }
    }
  uint32_t arcs = 0;
  for (uint32_t from = 0; from < channels; from++)
    for (uint32_t to = 0; to < channels; to++) {
      arcs += expected[(size_t)from * channels + to];
      assert_int_equal(ut_arcs_walk(&r->extended, from, to) != UINT32_MAX, expected[(size_t)from * channels + to]);
    }
  assert_int_equal(ut_arcs_count(&r->extended), arcs);
  assert_true(arcs > ut_arcs_count(&r->direct));
  free(expected), free(been);
  close_bench(&b);
}

static void extended_dependencies(void **state) {
  (void)state;
  compare_rings("kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 12, packet_flits: 4", "algorithm: duato");
  compare_rings("kind: mesh, sizes: [3, 3, 2]", "vcs: 3, depth_flits: 12, packet_flits: 4", "algorithm: duato");
  compare_rings("kind: mesh, sizes: [9, 9]", "vcs: 2, depth_flits: 12, packet_flits: 4", "algorithm: duato");
  compare_rings("kind: mesh, sizes: [4, 3]", BLOCKS, "algorithm: adaptive_vin");
}

/* ---- rings that wait for each other, and channels that do not */

static ut_route_function *real;
static bool everywhere;

/* A 3x3 torus: packets that come to a node along dimension 1 may also go round through its row. */
static void turns_back(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                       unsigned in_vc, struct ut_route_result *r) {
  real(g, s, header, in_port, in_vc, r);
  if (in_port == 3 && (everywhere || s->id == 4))
    r->cand[0] |= ut_bit(0), r->bubble[0] |= ut_bit(0);
}

static void rings_alone(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: torus, sizes: [3, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor");
  struct ut_rings *r = &ut_by_walks(&b.prover)->rings;
  const struct ut_fault_set none = {0};
  struct ut_verdict v;
  struct ut_error e;
  assert_true(r->merged);
  real = b.prover.explorer.group[0].route;
  assert_int_equal(ut_prover_examine(&b.prover, &none, &v, &e), 0);
  assert_false(v.dependency_cycle || ut_rings_cyclic(r, &r->direct));
  b.prover.explorer.group[0].route = turns_back;
  assert_int_equal(ut_prover_examine(&b.prover, &none, &v, &e), 0);
  assert_true(ut_rings_cyclic(r, &r->direct));
  assert_false(v.dependency_cycle || v.failure[UT_FAILURE_CYCLE]);
  everywhere = true;
  assert_int_equal(ut_prover_examine(&b.prover, &none, &v, &e), 0);
  assert_true(v.dependency_cycle && v.failure[UT_FAILURE_CYCLE]);
  close_bench(&b);
}

/* Two arcs, there and back: wherever they lie in the map. */
static void every_arc_counts(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: mesh, sizes: [3, 2]", "vcs: 2, depth_flits: 12, packet_flits: 4", "algorithm: duato");
  struct ut_rings *r = &ut_by_walks(&b.prover)->rings;
  struct ut_arcs arcs = {0};
  for (uint32_t from = 0; from < 12; from++)
    for (uint32_t to = from + 1; to < r->nodes; to++) {
      bool fresh;
      ut_hash_clear(&arcs.hash);
      ut_hash_at(&arcs.hash, (uint64_t)from << 32 | to, &fresh)->value = 0;
      assert_false(ut_rings_cyclic(r, &arcs));
      ut_hash_at(&arcs.hash, (uint64_t)to << 32 | from, &fresh)->value = 0;
      assert_true(ut_rings_cyclic(r, &arcs));
    }
  ut_hash_free(&arcs.hash);
  close_bench(&b);
}

/* ---- answers */

static void answers_of_every_channel(void **state) {
  (void)state;
  struct bench b;
  struct ut_error e;
  struct ut_route_answers a;
  open_bench(&b, "kind: mesh, sizes: [3, 3]", "vcs: 2, depth_flits: 12, packet_flits: 4", "algorithm: duato");
  assert_int_equal(ut_route_answers_init(&a, b.scenario, &b.topology, &e), 0);
  assert_int_equal(ut_route_answers_all(&a, &e), 0);
  unsigned injected = 0;
  for (size_t i = 0; i < a.answers; i++)
    injected += a.answer[i].injected;
  assert_int_equal(injected, 9 * 8 * 2); /* from every terminal to every other one, in both VCs */
  ut_route_answers_free(&a);
  close_bench(&b);
}

static uint64_t place_of_answer(const struct ut_route_answer *a) {
  return (uint64_t)a->dst << 48 | (uint64_t)a->sw << 32 | (uint64_t)!a->injected << 24 | a->in_port << 16 | a->in_vc;
}

/* Each state of each walk but those that lead to a terminal only; in order. */
static void compare_answers(const char *topology, const char *sw, const char *routing, unsigned links) {
  struct bench b;
  struct ut_error e;
  struct ut_route_answers a;
  struct ut_fault_set set = {.links = links};
  uint64_t sum = 0, expected = 0, places = 0, discards = 0;
  open_bench(&b, topology, sw, routing);
  assert_int_equal(ut_route_answers_init(&a, b.scenario, &b.topology, &e), 0);
  const struct ut_explorer *x = &a.explorer;
  const struct ut_walk *k = &a.walk;
  for (unsigned i = 0; i < links; i++)
    set.link[i] = 3 * i;
  ut_explorer_set_faults(&a.explorer, &set);
  assert_int_equal(ut_packet_list_plan(&a.packets, &set, x->works, &e), 0);
  assert_int_equal(ut_route_answers_all(&a, &e), 0);
  for (size_t i = 0; i < a.answers; i++) {
    const struct ut_route_answer *is = &a.answer[i];
    const uint64_t place = place_of_answer(is), before = i ? place_of_answer(is - 1) : 0;
    assert_true(before < place || (before == place && (!i || is[-1].rt <= is->rt)));
    sum += ut_hash_mix(place + ut_hash_mix(is->rt));
  }
  for (uint64_t number = 0; ut_packet_list_get(&a.packets, number, &a.walk.packets); number++) {
    ut_packets_leave_out(&a.walk.packets, x);
    assert_int_equal(ut_walk_run(&a.walk, &k->packets), 0);
    for (uint32_t i = 0; i < k->places; i++) {
      const uint64_t header = k->header[k->place[i].header].word[0];
      const struct ut_channel *c = &x->channel[k->place[i].channel];
      bool onward = k->place[i].first == k->place[i].end;
      discards += onward;
      for (uint32_t j = k->place[i].first; j < k->place[i].end; j++)
        onward |= k->hop[j].to != UT_TERMINAL;
      const struct ut_route_answer is = {
          .dst = ut_header_dst(header), .sw = c->sw, .injected = c->injection, .in_port = c->port, .in_vc = c->vc};
      places += onward;
      expected += onward ? ut_hash_mix(place_of_answer(&is) + ut_hash_mix(ut_header_rt(header))) : 0;
    }
  }
  assert_int_equal(a.answers, places);
  assert_true(sum == expected && places > 0 && (discards > 0) == (links == 2));
  ut_route_answers_free(&a);
  close_bench(&b);
}

static void answers_are_those_of_walks(void **state) {
  (void)state;
  compare_answers("kind: mesh, sizes: [3, 3], local_ports: 2", "vcs: 2, depth_flits: 12, packet_flits: 4",
                  "algorithm: duato", 0);
  compare_answers("kind: mesh, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 2);
  compare_answers("kind: torus, k: 4, n: 2", "vcs: 5, depth_flits: 18, packet_flits: 6",
                  "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}", 3);
}

/* Of a scenario that leaves no fault set to be looked at. */
static void no_answers(void **state) {
  (void)state;
  struct ut_error e = {0};
  struct ut_topology t;
  struct ut_route_answers a;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: fta}\n"
                                        "faults: [{at: 0, switch: {level: 0, switch: 1}}]\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_not_equal(ut_route_answers_init(&a, s, &t, &e), 0);
  assert_true(e.text[0] != 0);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(connected),
      cmocka_unit_test(sums_are_those_of_verdicts),
      cmocka_unit_test(worst_of_two),
      cmocka_unit_test(no_method),
      cmocka_unit_test(skipped),
      cmocka_unit_test(stale_bits),
      cmocka_unit_test(extended_dependencies),
      cmocka_unit_test(rings_alone),
      cmocka_unit_test(every_arc_counts),
      cmocka_unit_test(answers_of_every_channel),
      cmocka_unit_test(answers_are_those_of_walks),
      cmocka_unit_test(no_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
