/* SPDX-License-Identifier: Apache-2.0 */
/* test_ways.c - csim/prove: networks whose terminals are told of ways: numbers of ways against chains of links found by
 * themselves, fault sets against `tolerance --links`, and mistakes of guide, switch and network that must be found out
 */
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

#include "family.h"
#include "faults.h"
#include "path_routes.h"
#include "path_tolerance.h"
#include "route_unit.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topology_build.h"

enum { ALL_CLASSES = UT_CLASS_NETWORK | UT_CLASS_INJECTION | UT_CLASS_EJECTION };

/* A scenario with its prover, which is opened by itself: the topology may be changed before. */
struct bench {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_prover prover;
  unsigned k, n;
  bool open;
};

static void load(struct bench *b, const char *kind, unsigned k, unsigned n, const char *routing, const char *more) {
  struct ut_error e;
  *b = (struct bench){.k = k, .n = n};
  b->scenario = test_scenario(
      "topology: {kind: %s, k: %u, n: %u}\nrouting: {algorithm: ruft%s}\ntraffic: {load_flits_per_cycle: 0.1}\n%s",
      kind, k, n, routing, more);
  if (ut_topology_init(&b->topology, b->scenario, &e))
    fail_msg("%s", e.text);
}

static void open_prover(struct bench *b) {
  struct ut_error e;
  if (ut_prover_init(&b->prover, b->scenario, &b->topology, &e))
    fail_msg("%s", e.text);
  b->open = true;
}

static void close_bench(struct bench *b) {
  if (b->open)
    ut_prover_free(&b->prover);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
}

static struct ut_verdict examine(struct bench *b, const struct ut_fault_set *set) {
  struct ut_verdict v;
  struct ut_error e;
  assert_int_equal(ut_prover_examine(&b->prover, set, &v, &e), 0);
  return v;
}

static const char *const kinds[] = {"ruft", "ruft_pl", "ft_ruft_212", "ft_ruft_222"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {4, 2}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* ---- chains of links, by the paper's sentences */

enum { MAX_CHAINS = 64, MAX_LINKS = 8 };
struct chains {
  const struct bench *b;
  uint32_t dst;
  bool apart;
  const uint64_t *up;
  uint32_t chain[MAX_CHAINS][MAX_LINKS];
  unsigned chains, length; /* links of a chain */
  uint32_t link[MAX_LINKS];
};

/* All ways on from a channel, which is the last link so far.  At level s a packet leaves by digit s of its destination;
 * where ejection links are apart, also as if it went to the terminal whose number differs in the lowest bit. */
static void go_on(struct chains *c, uint32_t channel, unsigned links) {
  const struct ut_topology *t = &c->b->topology;
  const struct ut_peer *at = &t->peer[channel];
  if (c->up && !(c->up[channel / 64] >> channel % 64 & 1))
    return;
  c->link[links++] = channel;
  if (at->kind == UT_PEER_TERMINAL) {
    if (at->index != c->dst)
      return;
    assert_true(c->chains < MAX_CHAINS);
    c->length = links;
    memcpy(c->chain[c->chains++], c->link, sizeof c->link);
    return;
  }
  uint32_t step = 1;
  const unsigned level = t->level[at->index], k = c->b->k;
  for (unsigned i = 0; i < level; i++)
    step *= k;
  for (unsigned port = 0; port < t->po; port++) {
    const uint32_t next = at->index * t->po + port, digit = c->dst / step % k, other = (c->dst ^ 1) / step % k;
    if (t->peer[next].kind == UT_PEER_TERMINAL ||
        (t->peer[next].kind == UT_PEER_SWITCH && (port % k == digit || (c->apart && port % k == other))))
      go_on(c, next, links);
  }
}

static void find_chains(struct chains *c, uint32_t src, uint32_t dst) {
  const struct ut_topology *t = &c->b->topology;
  c->dst = dst;
  c->chains = 0;
  for (unsigned link = 0; link < t->injections; link++)
    go_on(c, ut_topology_injection(t, src, link), 0);
}

/* The most chains without a common link, those of terminals left out or not. */
static unsigned most_apart(const struct chains *c, unsigned from, unsigned *chosen, unsigned count, bool whole) {
  unsigned best = count;
  for (unsigned i = from; i < c->chains; i++) {
    bool meets = false;
    for (unsigned j = 0; j < count && !meets; j++)
      for (unsigned l = whole ? 0 : 1; l < c->length - (whole ? 0 : 1); l++)
        meets |= c->chain[i][l] == c->chain[chosen[j]][l];
    if (meets)
      continue;
    chosen[count] = i;
    const unsigned found = most_apart(c, i + 1, chosen, count + 1, whole);
    best = found > best ? found : best;
  }
  return best;
}

static void numbers_of_ways(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KINDS; kind++)
    for (unsigned size = 0; size < SIZES; size++) {
      struct bench b;
      struct ut_error e;
      load(&b, kinds[kind], sizes[size][0], sizes[size][1], "", "");
      open_prover(&b);
      struct chains *c = calloc(1, sizeof *c);
      unsigned chosen[MAX_CHAINS];
      c->b = &b;
      c->apart = kind >= 2;
      assert_int_equal(b.prover.method->conclude(&b.prover, &e), 0);
      const struct ut_way_counts *counts = &ut_by_walks(&b.prover)->counts;
      /* every pair has as many: terminal 0 to all others, and all others to the last one */
      for (uint32_t i = 1; i < b.topology.terminals; i++) {
        find_chains(c, i % 2 ? 0 : i - 1, i % 2 ? i : b.topology.terminals - 1);
        assert_int_equal(counts->all.least, c->chains);
        assert_int_equal(counts->all.most, c->chains);
        assert_int_equal(counts->apart_between_switches.least, most_apart(c, 0, chosen, 0, false));
        assert_int_equal(counts->apart_between_switches.most, counts->apart_between_switches.least);
        assert_int_equal(counts->apart.least, most_apart(c, 0, chosen, 0, true));
        assert_int_equal(counts->apart.most, counts->apart.least);
      }
      /* section 4: one path, two, four, eight */
      static const unsigned paper[KINDS] = {1, 2, 4, 8};
      assert_int_equal(counts->apart_between_switches.least, paper[kind]);
      free(c);
      close_bench(&b);
    }
}

/* Static selection leaves one of two links side by side. */
static void static_selection(void **state) {
  (void)state;
  static const unsigned expected[][3] = {{2, 1, 1}, {4, 4, 2}};
  for (unsigned kind = 0; kind < 2; kind++)
    for (unsigned size = 0; size < SIZES; size++) {
      struct bench b;
      struct ut_error e;
      load(&b, kind ? "ft_ruft_222" : "ruft_pl", sizes[size][0], sizes[size][1], ", parallel_links: static", "");
      open_prover(&b);
      assert_int_equal(b.prover.method->conclude(&b.prover, &e), 0);
      const struct ut_way_counts *c = &ut_by_walks(&b.prover)->counts;
      assert_int_equal(c->all.least, expected[kind][0]);
      assert_int_equal(c->all.most, expected[kind][0]);
      assert_int_equal(c->apart_between_switches.least, expected[kind][1]);
      assert_int_equal(c->apart_between_switches.most, expected[kind][1]);
      assert_int_equal(c->apart.least, expected[kind][2]);
      assert_int_equal(c->apart.most, expected[kind][2]);
      close_bench(&b);
    }
}

/* ---- fault sets */

/* What prove finds about all sets of that many links is what tolerance counts, in code of its own. */
static void compare(const struct bench *b, unsigned classes, unsigned faults) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  const struct ut_fault_request request = {
      .links = {faults, faults}, .total = {faults, faults}, .classes = classes, .limit = UINT64_MAX};
  const struct ut_path_request same = {.faults = {faults, faults}, .limit = UINT64_MAX};
  const struct ut_parallel parallel = {.workers = 1};
  struct ut_proof proof;
  struct ut_path_routes routes;
  struct ut_path_network network;
  struct ut_path_point point;
  struct ut_error e;
  if (ut_fault_space_init(space, &b->topology, &request, &e) ||
      ut_prove(b->scenario, &b->topology, space, NULL, &parallel, &proof, &e) ||
      ut_path_routes_init(&routes, b->scenario, &b->topology, &e) ||
      ut_path_network_init(&network, &routes.source, classes, false, &e) ||
      ut_path_tolerance_run(&network, &same, &parallel, &point, &e))
    fail_msg("%s", e.text);
  assert_int_equal(proof.sets, point.sets);
  assert_int_equal(proof.connected, proof.sets);
  for (unsigned i = 0; i < UT_FAILURES; i++)
    assert_int_equal(proof.failing[i], 0);
  assert_int_equal(proof.dependency_cycles, 0);
  assert_int_equal(proof.detours, 0);
  assert_int_equal(proof.separated, point.not_tolerated);
  assert_int_equal(proof.separated_pairs, point.lost);
  assert_int_equal(proof.pairs + proof.most_separated, network.pairs);
  assert_int_equal(proof.first_separated == UINT64_MAX, point.not_tolerated == 0);
  ut_path_network_free(&network);
  ut_path_routes_free(&routes);
  free(space);
}

static void as_tolerance_counts(void **state) {
  (void)state;
  static const unsigned classes[] = {UT_CLASS_NETWORK, UT_CLASS_INJECTION, UT_CLASS_EJECTION,
                                     UT_CLASS_INJECTION | UT_CLASS_EJECTION, ALL_CLASSES};
  for (unsigned kind = 0; kind < KINDS + 2; kind++)
    for (unsigned size = 0; size < SIZES; size++) {
      struct bench b;
      const unsigned alike = kind < KINDS ? kind : kind == KINDS ? 1 : 3;
      load(&b, kinds[alike], sizes[size][0], sizes[size][1], kind < KINDS ? "" : ", parallel_links: static", "");
      for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        compare(&b, classes[i], 1);
        if (classes[i] == UT_CLASS_NETWORK || (classes[i] == ALL_CLASSES && size < 2))
          compare(&b, classes[i], 2);
      }
      close_bench(&b);
    }
  struct bench b; /* the smallest set that separates a pair of the last kind has eight links */
  load(&b, "ft_ruft_222", 2, 2, "", "");
  compare(&b, UT_CLASS_NETWORK, 7);
  compare(&b, UT_CLASS_NETWORK, 8);
  close_bench(&b);
}

/* A switch of any level fails, and a link: pairs without a way are those without a chain. */
static void failed_switches(void **state) {
  (void)state;
  struct chains *c = calloc(1, sizeof *c);
  for (unsigned kind = 0; kind < KINDS; kind++)
    for (unsigned size = 0; size < SIZES; size++) {
      struct bench b;
      load(&b, kinds[kind], sizes[size][0], sizes[size][1], "", "");
      open_prover(&b);
      c->b = &b;
      c->apart = kind >= 2;
      c->up = b.prover.explorer.works;
      for (uint32_t sw = 0; sw < b.topology.switches; sw++) {
        const struct ut_fault_set set = {.switches = 1, .sw = {sw}, .links = sw % 2, .link = {3 * sw % 7}};
        const struct ut_verdict v = examine(&b, &set);
        uint64_t separated = 0;
        for (uint32_t src = 0; src < b.topology.terminals; src++)
          for (uint32_t dst = 0; dst < b.topology.terminals; dst++) {
            find_chains(c, src, dst);
            separated += src != dst && !c->chains;
          }
        assert_int_equal(v.separated, separated);
        assert_true(ut_verdict_connected(&v));
        assert_false(v.dependency_cycle);
      }
      close_bench(&b);
    }
  free(c);
}

/* What waits for what under a fault set does so without faults: no cycle over fault sets that follow one another. */
static void dependencies_of_all_sets(void **state) {
  (void)state;
  struct bench all, some;
  load(&all, "ft_ruft_222", 2, 3, "", "");
  load(&some, "ft_ruft_222", 2, 3, "", "");
  open_prover(&all), open_prover(&some);
  struct ut_fault_set set = {0};
  examine(&all, &set);
  const struct ut_hash *known = &ut_by_walks(&all.prover)->rings.all.hash;
  const struct ut_link_range links = ut_links_of(&some.topology, ALL_CLASSES);
  set.links = 1;
  for (set.link[0] = 0; set.link[0] < links.count; set.link[0]++) {
    examine(&some, &set);
    const struct ut_hash *now = &ut_by_walks(&some.prover)->rings.all.hash;
    assert_true(now->used > 0);
    for (uint32_t i = 0; i < now->size; i++)
      if (now->entry[i].generation == now->generation)
        assert_int_equal(ut_hash_slot(known, now->entry[i].key)->generation, known->generation);
  }
  close_bench(&all), close_bench(&some);
}

/* Faults of every position that a scenario names: the channels that work are those of the simulator. */
static void scenario_faults(void **state) {
  (void)state;
  static const char faults[] = "faults:\n"
                               "  - {at: 0, link: {level: 1, switch: 5, port: 6}}\n"
                               "  - {at: 3, injection: {terminal: 9, link: 1}}\n"
                               "  - {at: 5, ejection: {terminal: 40, link: 0}}\n"
                               "  - {at: 5, until: 9, ejection: {terminal: 40, link: 1}}\n"
                               "  - {at: 7, switch: {level: 0, switch: 3}}\n";
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_faults now;
  struct ut_error e;
  struct bench b;
  load(&b, "ft_ruft_222", 4, 3, "", faults);
  open_prover(&b);
  assert_int_equal(ut_fault_space_of_scenario(space, &b.topology, b.scenario, &e), 0);
  assert_int_equal(space->fixed.links, 3);
  assert_int_equal(space->fixed.switches, 1);
  const struct ut_verdict v = examine(&b, &space->fixed);
  assert_true(ut_verdict_connected(&v));
  assert_int_equal(v.pairs, 64 * 63);
  assert_int_equal(ut_faults_init(&now, b.scenario, &b.topology, &e), 0);
  while (ut_faults_next(&now, UINT64_MAX - 1))
    ;
  const struct ut_explorer *x = &b.prover.explorer;
  for (uint32_t i = 0; i < b.topology.channels; i++)
    assert_int_equal(x->works[i / 64] >> i % 64 & 1, ut_faults_channel_up(&now, i));
  for (uint32_t sw = 0; sw < b.topology.switches; sw++) {
    assert_int_equal(x->up[sw], ut_faults_out_up(&now, sw));
    assert_int_equal(x->in_up[sw], ut_faults_in_up(&now, sw));
  }
  ut_faults_free(&now);
  close_bench(&b);
  free(space);
}

/* ---- what an explorer knows of faults */

/* The channels that work are all but those. */
static void without(const struct bench *b, const struct ut_fault_set *set,
                    bool (*out)(const struct ut_topology *, const struct ut_fault_set *, uint32_t)) {
  const struct ut_topology *t = &b->topology;
  struct ut_explorer *x = (struct ut_explorer *)&b->prover.explorer;
  ut_explorer_set_faults(x, set);
  for (uint32_t i = 0; i < t->channels; i++) {
    const bool works = t->peer[i].kind != UT_PEER_NONE && !out(t, set, i);
    if (works != (x->works[i / 64] >> i % 64 & 1))
      fail_msg("channel %u", i);
    const struct ut_peer from = ut_topology_sender(t, i), *to = &t->peer[i];
    if (from.kind == UT_PEER_SWITCH && works != (x->up[from.index] >> from.port & 1))
      fail_msg("output of channel %u", i);
    if (to->kind == UT_PEER_SWITCH && works != (x->in_up[to->index] >> to->port & 1))
      fail_msg("input of channel %u", i);
  }
}

static bool is_link(const struct ut_topology *t, const struct ut_fault_set *set, uint32_t channel) {
  return channel == ut_link_channel(t, set->link[0]);
}

static bool is_of_switch(const struct ut_topology *t, const struct ut_fault_set *set, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
  return (from.kind == UT_PEER_SWITCH && from.index == set->sw[0]) ||
         (to->kind == UT_PEER_SWITCH && to->index == set->sw[0]);
}

/* Each link alone, each switch alone: nothing of the fault before is left.  A picture shows a link of a terminal at its
 * switch. */
static void channels_that_work(void **state) {
  (void)state;
  struct bench b;
  load(&b, "ft_ruft_222", 4, 3, "", "");
  open_prover(&b);
  const struct ut_topology *t = &b.topology;
  const struct ut_link_range links = ut_links_of(t, ALL_CLASSES);
  struct ut_fault_set set = {.links = 1};
  for (uint32_t i = 0; i < links.count; i++) {
    set.link[0] = links.first + i;
    without(&b, &set, is_link);
    const uint32_t channel = ut_link_channel(t, set.link[0]);
    const struct ut_outage o = ut_outage_of_link(t, set.link[0]);
    const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
    const bool injects = from.kind == UT_PEER_TERMINAL;
    assert_true(o.channel == channel && !o.both);
    assert_true(injects ? o.sw == to->index && o.port == to->port : o.sw == from.index && o.port == from.port);
  }
  set.links = 0, set.switches = 1;
  for (set.sw[0] = 0; set.sw[0] < t->switches; set.sw[0]++)
    without(&b, &set, is_of_switch);
  close_bench(&b);
}

/* Terminals that have not been told send through no link to a switch that has failed, and none of it receives. */
static void nobody_sends_there(void **state) {
  (void)state;
  static const struct ut_fault_set nothing;
  struct bench b;
  load(&b, "ft_ruft_222", 4, 2, "", "");
  open_prover(&b);
  const struct ut_topology *t = &b.topology;
  struct ut_packet_list *list = &ut_by_walks(&b.prover)->packets;
  assert_int_equal(t->injections, 2);
  unsigned one_link = 0;
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    const struct ut_fault_set set = {.switches = 1, .sw = {sw}};
    struct ut_packets all, some;
    ut_explorer_set_faults(&b.prover.explorer, &set);
    struct ut_error e;
    assert_int_equal(ut_packet_list_plan(list, &nothing, NULL, &e), 0);
    for (uint64_t number = 0; ut_packet_list_get(list, number, &all); number++) {
      unsigned kept = 0;
      bool receives = false;
      for (unsigned link = 0; link < t->ejections; link++)
        receives |= ut_topology_sender(t, t->ejection[all.dst * t->ejections + link]).index != sw;
      some = all;
      ut_packets_leave_out(&some, &b.prover.explorer);
      for (uint32_t i = 0; receives && i < all.sources; i++) {
        unsigned left = 0;
        for (unsigned link = 0; link < 2; link++)
          if (all.link[i] >> link & 1 && t->peer[ut_topology_injection(t, all.source[i], link)].index != sw)
            left |= 1u << link;
        one_link += left != 0 && left != all.link[i];
        if (!left)
          continue;
        assert_true(kept < some.sources && some.source[kept] == all.source[i] && some.link[kept] == left);
        kept++;
      }
      assert_int_equal(some.sources, kept);
    }
  }
  assert_true(one_link > 0);
  close_bench(&b);
}

/* ---- mistakes that must be found out */

/* Of the guide: each asks the real one and changes the answer. */
static const struct ut_family *real_family;
static unsigned real_choices(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link,
                             uint32_t dst) {
  struct ut_topology real = *t;
  real.family = real_family;
  return real_family->choices(&real, up, src, link, dst);
}
static unsigned knows_no_faults(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link,
                                uint32_t dst) {
  (void)up;
  return real_choices(t, NULL, src, link, dst);
}
static unsigned forgets_the_second_link(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link,
                                        uint32_t dst) {
  return up && link ? 0 : real_choices(t, up, src, link, dst);
}
static unsigned mixes_up_the_ways(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link,
                                  uint32_t dst) {
  const unsigned c = real_choices(t, up, src, link, dst);
  return (c & 1) << 1 | c >> 1;
}
static unsigned forgets_one_pair(const struct ut_topology *t, const uint64_t *up, uint32_t src, unsigned link,
                                 uint32_t dst) {
  return src == 3 && dst == 1 ? 0 : real_choices(t, up, src, link, dst);
}

/* Of the switches. */
static ut_route_function *real_route;
static void ejects_by_the_other_half(const struct ut_group *g, const struct ut_switch *s, uint64_t header,
                                     unsigned in_port, unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->stage.last)
    r->cand[0] = (r->cand[0] << g->shape.radix | r->cand[0] >> g->shape.radix) & s->out_up;
}
static void ignores_the_header(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                               unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, ut_header_set_rt(header, 3), in_port, in_vc, r);
}

static void mutants(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    unsigned (*choices)(const struct ut_topology *, const uint64_t *, uint32_t, unsigned, uint32_t);
    ut_route_function *route;
    enum ut_link_class class; /* some fault of a link like this shows it; 0: it shows without */
    enum ut_failure failure;
  } cases[] = {
      {"ruft", knows_no_faults, NULL, UT_CLASS_NETWORK, UT_FAILURE_DISCARD},
      {"ft_ruft_212", knows_no_faults, NULL, UT_CLASS_EJECTION, UT_FAILURE_DISCARD},
      {"ft_ruft_222", forgets_the_second_link, NULL, UT_CLASS_INJECTION, UT_FAILURE_ROUTE},
      {"ruft_pl", forgets_one_pair, NULL, 0, UT_FAILURE_ROUTE},
      {"ft_ruft_212", mixes_up_the_ways, NULL, UT_CLASS_EJECTION, UT_FAILURE_DISCARD},
      {"ft_ruft_212", NULL, ejects_by_the_other_half, 0, UT_FAILURE_WRONG},
      {"ft_ruft_222", NULL, ignores_the_header, UT_CLASS_EJECTION, UT_FAILURE_DISCARD},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    load(&b, cases[i].kind, 2, 3, "", "");
    real_family = b.topology.family;
    struct ut_family family = *real_family;
    open_prover(&b);
    if (cases[i].choices) {
      family.choices = cases[i].choices;
      b.topology.family = &family;
    }
    real_route = b.prover.explorer.group[0].route;
    for (unsigned j = 0; j < b.topology.elaborations && cases[i].route; j++) {
      assert_ptr_equal(b.prover.explorer.group[j].route, real_route);
      b.prover.explorer.group[j].route = cases[i].route;
    }
    struct ut_fault_space space = {.topology = &b.topology, .count = 1, .blocks = 1, .is_fixed = true};
    const struct ut_link_range links = ut_links_of(&b.topology, cases[i].class);
    bool found = false;
    for (uint32_t link = 0; link < (cases[i].class ? links.count : 1) && !found; link++) {
      space.fixed = (struct ut_fault_set){.links = cases[i].class != 0, .link = {links.first + link}};
      found = examine(&b, &space.fixed).failure[cases[i].failure];
    }
    assert_true(found);
    struct ut_counter_example c;
    struct ut_error e;
    assert_int_equal(ut_counter_example_find(&c, &b.prover, &space, 0, cases[i].failure, &e), 0);
    assert_true(c.src != c.dst && (c.steps > 0) == (cases[i].failure != UT_FAILURE_ROUTE));
    ut_counter_example_free(&c);
    b.topology.family = real_family;
    close_bench(&b);
  }
}

/* Links that lead from the last level back to the first one: packets go round, and channels wait for each other. */
static void a_ring(void **state) {
  (void)state;
  struct bench b;
  load(&b, "ruft", 2, 2, "", "");
  for (uint32_t dst = 0; dst < b.topology.terminals; dst++) {
    const uint32_t channel = b.topology.ejection[dst];
    ut_topology_connect(&b.topology, channel / b.topology.po, channel % b.topology.po, dst / 2, dst % 2);
  }
  open_prover(&b);
  struct ut_fault_space space = {.topology = &b.topology, .count = 1, .blocks = 1, .is_fixed = true};
  const struct ut_verdict v = examine(&b, &space.fixed);
  assert_true(v.failure[UT_FAILURE_LOOP] && v.failure[UT_FAILURE_CYCLE] && v.dependency_cycle);
  close_bench(&b);
}

/* What terminals are told after each of several surveys of one network: nothing of the surveys before. */
static void each_survey_by_itself(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KINDS; kind++) {
    struct bench b;
    struct ut_reachability w;
    load(&b, kinds[kind], 2, 3, "", "");
    const struct ut_topology *t = &b.topology;
    uint64_t up[8];
    assert_true(t->channels <= 64 * sizeof up / sizeof up[0] && ut_terminals_know_ways(t) &&
                ut_reachability_init(&w, t));
    for (unsigned survey = 0; survey < 12; survey++) {
      for (uint32_t i = 0; i < 8; i++) /* all, then more and more that are down, then all again */
        up[i] = ~UINT64_C(0);
      for (uint32_t i = 0; i < t->channels; i++)
        if (survey % 6 && (i * 7 + survey) % (29 - 5 * (survey % 6)) == 0)
          up[i / 64] &= ~(UINT64_C(1) << i % 64);
      const uint64_t *const now = survey % 6 ? up : NULL;
      bool occurs[4] = {false};
      unsigned values = 0;
      assert_true(ut_reachability_survey(&w, now));
      for (uint32_t src = 0; src < t->terminals; src++)
        for (unsigned link = 0; link < t->injections; link++)
          for (uint32_t dst = 0; dst < t->terminals; dst++) {
            const unsigned ways = src == dst ? 0 : t->family->choices(t, now, src, link, dst);
            assert_int_equal(ut_reachability_of(&w, src, link, dst), ways);
            values += ways && !occurs[ways];
            occurs[ways] = true;
          }
      assert_int_equal(w.values, values);
      for (uint32_t i = 0; i < w.values; i++) {
        assert_true(w.value[i] && occurs[w.value[i]]); /* each once: */
        occurs[w.value[i]] = false;
      }
    }
    ut_reachability_free(&w);
    close_bench(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_ways),
      cmocka_unit_test(static_selection),
      cmocka_unit_test(as_tolerance_counts),
      cmocka_unit_test(failed_switches),
      cmocka_unit_test(dependencies_of_all_sets),
      cmocka_unit_test(scenario_faults),
      cmocka_unit_test(channels_that_work),
      cmocka_unit_test(nobody_sends_there),
      cmocka_unit_test(mutants),
      cmocka_unit_test(a_ring),
      cmocka_unit_test(each_survey_by_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
