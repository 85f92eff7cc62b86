/* SPDX-License-Identifier: Apache-2.0 */
/* test_theorem.c - theorems for every k and n: the hops that packets make in small trees and hypercubes, found by the
 * explorer, are of the kinds of hops that the theorems have, and lead to higher ranks; what is proven holds for small
 * numbers, one by one. */
#include <string.h>

#include "drawn_sets.h"
#include "method_sets.h"
#include "method_walks.h"
#include "node_states.h"
#include "nonnegative.h"
#include "prover_bench.h"
#include "theorem.h"

enum { LEAST = -1 };

/* The number of a theorem. */
static unsigned theorem_number(const char *algorithm, const char *paper) {
  unsigned i = 0;
  const struct ut_theorem *t = ut_theorem_at(0);
  while (t && (strcmp(t->algorithm, algorithm) || strcmp(t->paper, paper)))
    t = ut_theorem_at(++i);
  if (!t)
    fail_msg("no %s of %s", paper, algorithm);
  return i;
}

/* ---- states with numbers */

struct place {
  char kind[16];
  int argument[UT_MOST_ARGUMENTS];
};

/* Of names that are numbers. */
static int64_t value_of(const char *text, const char *names, const int *value) {
  struct ut_polynomial p;
  const struct ut_scope scope = {.names = names};
  const char *end = ut_polynomial_read(&p, text, &scope);
  assert_true(end && (*end == '\0' || *end == ',' || *end == ')'));
  return ut_polynomial_value(&p, value);
}

static bool is_kind(const char *text, const struct place *place) {
  const size_t length = strcspn(text, "(");
  return strlen(place->kind) == length && strncmp(text, place->kind, length) == 0;
}

/* Whether KIND(POLYNOMIAL, ...), whose kind it is, is that place. */
static bool is_place(const char *text, const struct place *place, const char *names, const int *value) {
  unsigned i = 0;
  if (strstr(text, "()"))
    return true;
  for (text = strchr(text, '('); text && i < UT_MOST_ARGUMENTS; text = strchr(text, ','), i++)
    if (value_of(text + 1, names, value) != place->argument[i])
      return false;
    else
      text++;
  return true;
}

/* Looks for numbers 0..most of the names that make it the hop between two places. */
static bool is_hop(const struct ut_theorem *t, const struct ut_theorem_hop *hop, const struct place *from,
                   const struct place *to, const int *given, int most) {
  if (!is_kind(hop->from, from) || !is_kind(hop->to, to))
    return false;
  char names[80];
  int value[UT_MOST_NAMES] = {0};
  const unsigned first = ut_word_count(t->given), last = first + ut_word_count(t->names);
  memcpy(value, given, first * sizeof *value);
  snprintf(names, sizeof names, "%s %s", t->given, t->names);
  for (unsigned i = first; i >= first;) {
    bool holds = is_place(hop->from, from, names, value) && is_place(hop->to, to, names, value);
    for (unsigned w = 0; holds && w < UT_MOST_CONDITIONS && hop->when[w]; w++)
      holds = value_of(hop->when[w], names, value) >= 0;
    if (holds)
      return true;
    for (i = last - 1; i >= first && value[i] == most; i--)
      value[i] = 0;
    if (i >= first)
      value[i]++;
  }
  return false;
}

/* ---- channels of trees as places */

static unsigned digit_of(const struct bench *b, uint32_t sw, unsigned level) {
  const unsigned k = b->prover.explorer.k;
  uint32_t digits = sw % (b->topology.switches / b->topology.levels);
  while (level--)
    digits /= k;
  return digits % k;
}

/* By the papers' numbers: layers, tiers, indices. */
static struct place numbered_place(const struct bench *b, uint32_t channel) {
  static const char *const down[] = {"nl_down", "m1_down", "m2_down"}, *const up[] = {"nl_up", "m1_up", "m2_up"};
  const struct ut_explorer *x = &b->prover.explorer;
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer peer = ut_explorer_feeder(x, c->sw, c->port);
  const uint32_t lower = c->from_above ? c->sw : peer.index, upper = c->from_above ? peer.index : c->sw;
  const unsigned level = b->topology.level[lower];
  struct place place = {.argument = {(int)b->topology.levels - 2 - (int)level, LEAST, LEAST}};
  const char *name = (c->from_above ? down : up)[c->layer];
  if (c->layer == 1 && x->layers == 2)
    name = c->from_above ? "ml_down" : "ml_up";
  if (c->layer > 0) /* of m2 the index below its lower switch, which is a digit of it */
    place.argument[1] = (int)(c->layer == 2 ? digit_of(b, lower, level - 1) : digit_of(b, upper, level));
  snprintf(place.kind, sizeof place.kind, "%s", name);
  return place;
}

/* By planes. */
static struct place plane_place(const struct bench *b, uint32_t channel, const unsigned *digit) {
  const struct ut_explorer *x = &b->prover.explorer;
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer peer = ut_explorer_feeder(x, c->sw, c->port);
  const uint32_t lower = c->from_above ? c->sw : peer.index, upper = c->from_above ? peer.index : c->sw;
  const unsigned level = b->topology.level[lower];
  unsigned m = 0;
  while (m <= level && digit_of(b, upper, m) != digit[m])
    m++;
  struct place place = {.argument = {(int)level, m <= level ? (int)m : LEAST, LEAST}};
  snprintf(place.kind, sizeof place.kind, "%s", !c->from_above ? "up" : m <= level ? "down_in" : "down_out");
  return place;
}

/* Of one link fault: by level and whether the upper switch is in the plane of the fault, digit t. */
static struct place fault_place(const struct bench *b, uint32_t channel, int t, unsigned digit) {
  const struct ut_explorer *x = &b->prover.explorer;
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer peer = ut_explorer_feeder(x, c->sw, c->port);
  const uint32_t lower = c->from_above ? c->sw : peer.index, upper = c->from_above ? peer.index : c->sw;
  const int level = b->topology.level[lower];
  struct place place = {.argument = {level, LEAST, LEAST}};
  snprintf(place.kind, sizeof place.kind, "%s_%s", c->from_above ? "down" : "up",
           level < t                                  ? "below"
           : digit_of(b, upper, (unsigned)t) == digit ? "in"
                                                      : "out");
  return place;
}

/* ---- all hops under drawn fault sets */

enum numbers { TIERS, PLANES, ONE_FAULT };
static const struct tree {
  const char *topology, *sw, *algorithm, *paper;
  enum numbers numbers;
  unsigned links, switches, samples;
} trees[] = {
    {"k: 2, n: 3", "vcs: 2", "reroute_det_link", "REROUTE theorem 1", TIERS, 1, 0, 16},
    {"k: 2, n: 4", "vcs: 2", "reroute_det_link", "REROUTE theorem 1", TIERS, 3, 0, 20}, /* also beyond k - 1 */
    {"k: 3, n: 2", "vcs: 2", "reroute_det_link", "REROUTE theorem 1", TIERS, 2, 0, 40}, /* all there are */
    {"k: 3, n: 3", "vcs: 3", "reroute_det_link", "REROUTE theorem 1", TIERS, 2, 0, 20},
    {"k: 2, n: 4", "vcs: 3", "reroute_det_switch", "REROUTE theorem 3", TIERS, 1, 1, 20},
    {"k: 3, n: 2", "vcs: 3", "reroute_det_switch", "REROUTE theorem 3", TIERS, 2, 0, 40},
    {"k: 3, n: 3", "vcs: 3", "reroute_det_switch", "REROUTE theorem 3", TIERS, 1, 1, 20},
    {"k: 2, n: 4", "vcs: 1", "reroute_adaptive_link", "REROUTE theorems 4 and 5", PLANES, 1, 0, 20},
    {"k: 3, n: 3", "vcs: 1", "reroute_adaptive_link", "REROUTE theorems 4 and 5", PLANES, 2, 0, 20},
    {"k: 2, n: 4", "vcs: 1", "reroute_adaptive_switch", "REROUTE theorems 4 and 5", PLANES, 0, 1, 20},
    {"k: 3, n: 3", "vcs: 1", "reroute_adaptive_switch", "REROUTE theorems 4 and 5", PLANES, 1, 1, 20},
    {"k: 3, n: 3", "vcs: 1", "misroute_header", "MISROUTE theorem 2", PLANES, 2, 0, 20},
    {"k: 2, n: 4", "vcs: 1", "reroute_det_link_one_fault", "REROUTE theorem 2", ONE_FAULT, 1, 0, 20},
    {"k: 3, n: 3", "vcs: 1", "reroute_det_link_one_fault", "REROUTE theorem 2", ONE_FAULT, 1, 0, 20},
    {"k: 2, n: 4", "vcs: 1", "reroute_adaptive_link_one_fault", "REROUTE theorem 2", ONE_FAULT, 1, 0, 20},
    {"k: 3, n: 3", "vcs: 1", "reroute_adaptive_link_one_fault", "REROUTE theorem 2", ONE_FAULT, 1, 0, 20},
};

/* Which hops were seen somewhere: one flag for each hop of each theorem. */
static bool hop_seen[32][32];

/* The arc is a hop of the theorem; marks which one. */
static void check_arc(unsigned theorem, const struct place *from, const struct place *to, const int *given) {
  const struct ut_theorem *t = ut_theorem_at(theorem);
  unsigned hop = 0;
  while (t->hop[hop].name && !is_hop(t, &t->hop[hop], from, to, given, 4))
    hop++;
  if (!t->hop[hop].name)
    fail_msg("%s: no hop from %s(%d, %d) to %s(%d, %d)", t->algorithm, from->kind, from->argument[0], from->argument[1],
             to->kind, to->argument[0], to->argument[1]);
  hop_seen[theorem][hop] = true;
}

static void every_hop_was_seen(unsigned theorem) {
  const struct ut_theorem *t = ut_theorem_at(theorem);
  for (unsigned hop = 0; t->hop[hop].name; hop++)
    if (!hop_seen[theorem][hop])
      fail_msg("%s: no packet makes hop %s", t->algorithm, t->hop[hop].name);
}

/* Every arc of the graph is a hop of the theorem. */
static unsigned check_graph(struct bench *b, const struct tree *tree, const struct ut_fault_set *set) {
  const unsigned theorem = theorem_number(tree->algorithm, tree->paper);
  const struct ut_digraph *g = &ut_by_sets(&b->prover)->dependencies.graph;
  int given[] = {(int)b->prover.explorer.k, (int)b->topology.levels, (int)(tree->links + tree->switches)};
  unsigned digit[UT_MAX_LEVELS] = {0};
  if (tree->numbers == PLANES)
    ut_choose_planes(&b->prover.explorer, set, digit);
  if (tree->numbers == ONE_FAULT) {
    const uint32_t upper = b->topology.link[set->link[0]].upper;
    given[2] = b->topology.level[upper] - 1;
    digit[0] = digit_of(b, upper, (unsigned)given[2]);
  }
  for (size_t i = 0; i < g->arcs; i += 2) {
    struct place place[2];
    for (unsigned end = 0; end < 2; end++) {
      const uint32_t channel = (uint32_t)g->arc[i + end];
      place[end] = tree->numbers == TIERS    ? numbered_place(b, channel)
                   : tree->numbers == PLANES ? plane_place(b, channel, digit)
                                             : fault_place(b, channel, given[2], digit[0]);
    }
    check_arc(theorem, &place[0], &place[1], given);
  }
  return (unsigned)g->arcs / 2;
}

static unsigned check_set(struct bench *b, const struct tree *tree, const struct ut_fault_set *set) {
  struct ut_verdict v;
  struct ut_error e;
  assert_int_equal(ut_prover_examine(&b->prover, set, &v, &e), 0);
  struct ut_dependencies *d = &ut_by_sets(&b->prover)->dependencies;
  ut_dependencies_cycle(d);
  if (tree->numbers == PLANES)
    assert_false(ut_dependencies_extended_cycle(d, set));
  return check_graph(b, tree, set);
}

static void hops_of_packets(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof trees / sizeof trees[0]; i++) {
    const struct ut_fault_request request = drawn_sets(trees[i].links, trees[i].switches, trees[i].samples);
    char topology[80], routing[80];
    unsigned arcs = 0;
    struct bench b;
    struct ut_error e;
    snprintf(topology, sizeof topology, "kind: fat_tree, %s", trees[i].topology);
    snprintf(routing, sizeof routing, "algorithm: %s", trees[i].algorithm);
    open_bench(&b, topology, trees[i].sw, routing);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    for (uint64_t index = 0; index < space->count; index++) {
      struct ut_fault_set set;
      ut_fault_space_get(space, index, &set);
      arcs += check_set(&b, &trees[i], &set);
    }
    assert_true(arcs > 100);
    close_bench(&b);
  }
  for (unsigned i = 0; i < sizeof trees / sizeof trees[0]; i++)
    every_hop_was_seen(theorem_number(trees[i].algorithm, trees[i].paper));
  free(space);
}

/* ---- hypercubes */

/* An escape channel by the nodes that it joins; "free", "inside": it should be none. */
static struct place cube_place(const struct bench *b, uint32_t channel) {
  const struct ut_explorer *x = &b->prover.explorer;
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_peer from = ut_explorer_feeder(x, c->sw, c->port);
  assert_int_equal(from.kind, UT_PEER_SWITCH);
  const struct ut_group *group = ut_explorer_group(x, from.index);
  const struct ut_node_states *states = ut_node_states_of(group, ut_switch_of(group, from.index));
  const bool into_bad = states->bad >> from.port & 1;
  const unsigned lowest = states->bad ? (unsigned)__builtin_ctz(states->bad) : from.port;
  if (states->unsafe)
    return (struct place){.kind = "leave"};
  if (into_bad)
    return (struct place){.kind = "enter"};
  if (c->vc == 0)
    return (struct place){.kind = "first", .argument = {(int)from.port}};
  if (lowest < from.port)
    return (struct place){.kind = "detour", .argument = {(int)lowest, (int)from.port}};
  return (struct place){.kind = "free"};
}

static void open_cube(struct bench *b, unsigned n) {
  char topology[80];
  snprintf(topology, sizeof topology, "kind: hypercube, n: %u", n);
  open_bench(b, topology, "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour");
}

static void check_cube(struct bench *b, unsigned theorem, int n, const struct ut_fault_set *set) {
  struct ut_verdict v;
  struct ut_error e;
  assert_int_equal(ut_prover_examine(&b->prover, set, &v, &e), 0);
  const struct ut_hash *arcs = &ut_by_walks(&b->prover)->rings.extended.hash;
  for (uint32_t i = 0; i < arcs->size; i++)
    if (arcs->entry[i].generation == arcs->generation) {
      const struct place from = cube_place(b, (uint32_t)(arcs->entry[i].key >> 32)),
                         to = cube_place(b, (uint32_t)arcs->entry[i].key);
      check_arc(theorem, &from, &to, &n);
    }
}

/* Which channels a packet can wait for that holds an escape channel, also over free ones. */
static void hops_in_cubes(void **state) {
  (void)state;
  static const unsigned cubes[][3] = {{3, 0, 1}, {3, 1, 8}, {3, 2, 28}, {4, 2, 40}, {4, 3, 40}, {4, 4, 40}};
  const unsigned theorem = theorem_number("detour", "DETOUR theorem 3, deadlock");
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof cubes / sizeof cubes[0]; i++) {
    const struct ut_fault_request request = drawn_sets(0, cubes[i][1], cubes[i][2]);
    struct bench b;
    struct ut_error e;
    open_cube(&b, cubes[i][0]);
    assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
    for (uint64_t index = 0; index < space->count; index++) {
      struct ut_fault_set set;
      ut_fault_space_get(space, index, &set);
      if (ut_prover_obeys_model(&b.prover, &set))
        check_cube(&b, theorem, (int)cubes[i][0], &set);
    }
    close_bench(&b);
  }
  /* detour(0, 1) around node 1, free channels to node 7, detour(3, 4) around node 15 */
  struct bench b;
  open_cube(&b, 5);
  check_cube(&b, theorem, 5, &(struct ut_fault_set){.switches = 2, .sw = {1, 15}});
  close_bench(&b);
  every_hop_was_seen(theorem);
  free(space);
}

/* Definition 1 until nothing changes: nodes with two or more bad neighbours.  A bit a node. */
static uint32_t bad_nodes(unsigned n, uint32_t bad) {
  for (uint32_t before = 0; before != bad;) {
    before = bad;
    for (unsigned node = 0; node < 1u << n; node++) {
      unsigned neighbours = 0;
      for (unsigned d = 0; d < n; d++)
        neighbours += bad >> (node ^ 1u << d) & 1;
      bad |= (uint32_t)(neighbours >= 2) << node;
    }
  }
  return bad;
}

/* The bad nodes that bad ones join to this one. */
static uint32_t block_of(unsigned n, uint32_t bad, unsigned node) {
  uint32_t block = UINT32_C(1) << node;
  for (uint32_t before = 0; before != block;) {
    before = block;
    for (unsigned i = 0; i < 1u << n; i++)
      for (unsigned d = 0; d < n && before >> i & 1; d++)
        block |= bad & UINT32_C(1) << (i ^ 1u << d);
  }
  return block;
}

/* Every block is a subcube; g faults make one of 2 * g - 2 dimensions at most, and each of its nodes has a safe
 * neighbour in every other dimension.  Returns the dimensions of the largest. */
static unsigned check_blocks(unsigned n, uint32_t faults) {
  const uint32_t bad = bad_nodes(n, faults);
  unsigned most = 0;
  for (unsigned node = 0; node < 1u << n; node++) {
    if (!(bad >> node & 1))
      continue;
    const uint32_t block = block_of(n, bad, node);
    unsigned differ = 0, outside = 0;
    for (unsigned i = 0; i < 1u << n; i++)
      differ |= block >> i & 1 ? i ^ node : 0;
    for (unsigned d = 0; d < n; d++)
      outside += !(bad >> (node ^ 1u << d) & 1);
    const unsigned s = (unsigned)__builtin_popcount(differ);
    assert_int_equal(__builtin_popcount(block), 1 << s);
    assert_in_range(s, 0, 2 * __builtin_popcount(block & faults) - 2);
    assert_int_equal(outside, n - s);
    most = s > most ? s : most;
  }
  return most;
}

/* The claims about subcubes, of all sets of up to three faults. */
static void subcubes_of_faults(void **state) {
  (void)state;
  for (unsigned n = 2; n <= 5; n++) {
    unsigned most[4] = {0};
    const unsigned nodes = 1u << n;
    for (unsigned a = 0; a < nodes; a++)
      for (unsigned b = a; b < nodes; b++)
        for (unsigned c = b; c < nodes; c++) {
          const uint32_t faults = UINT32_C(1) << a | UINT32_C(1) << b | UINT32_C(1) << c;
          const unsigned g = (unsigned)__builtin_popcount(faults), s = check_blocks(n, faults);
          most[g] = s > most[g] ? s : most[g];
        }
    for (unsigned g = 1; g < 4; g++) /* no claim is weaker than need be */
      assert_int_equal(most[g], 2 * g - 2 < n ? 2 * g - 2 : n);
  }
}

/* ---- proofs */

static void proven_or_not(void **state) {
  (void)state;
  const struct ut_theorem *t;
  for (unsigned i = 0; (t = ut_theorem_at(i)); i++) {
    struct ut_theorem_proof proof;
    struct ut_error e;
    if (ut_theorem_prove(t, NULL, &proof, &e))
      fail_msg("%s: %s", t->paper, e.text);
    const bool literal = strstr(t->algorithm, "_literal");
    if (proof.proven == literal || (literal && !*proof.example))
      fail_msg("%s, %s: proven %d, %s %s", t->algorithm, t->paper, proof.proven, proof.failing, proof.example);
    assert_true(proof.hops + proof.claims > 0);
  }
}

/* Sums are what they should be, and found where there is one. */
static void combinations(void **state) {
  (void)state;
  static const struct {
    const char *goal, *assumption[4];
    bool holds;
  } cases[] = {
      {"x", {"x"}, true},
      {"x-1", {"x"}, false},
      {"2*x+3*y-5", {"x-1", "y-1"}, true},
      {"x*y", {"x", "y"}, true},
      {"x*y-1", {"x", "y"}, false},
      {"x*y-x-y+1", {"x-1", "y-1"}, true},
      {"(x-y)*(x-y)", {"x"}, false}, /* true, but no such sum */
      {"x-z", {"2*x-y", "y-2*z"}, true},
      {"0-1", {"x-2", "1-x"}, true}, /* nothing satisfies these */
      {"0", {"x"}, true},
  };
  const struct ut_scope scope = {.names = "x y z"};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct ut_polynomial goal, assumption[4], sum = {0};
    struct ut_combination c;
    unsigned count = 0;
    assert_non_null(ut_polynomial_read(&goal, cases[i].goal, &scope));
    for (; count < 4 && cases[i].assumption[count]; count++)
      assert_non_null(ut_polynomial_read(&assumption[count], cases[i].assumption[count], &scope));
    if (ut_combination_find(&c, &goal, assumption, count) != cases[i].holds)
      fail_msg("%s: expected %d", cases[i].goal, cases[i].holds);
    for (unsigned j = 0; cases[i].holds && j < c.count; j++) {
      struct ut_polynomial one = {1, {{0, 1}}}, product = one, next;
      assert_true(c.part[j].factor > 0 && c.divisor > 0);
      if (c.part[j].first != UT_NO_ASSUMPTION)
        product = assumption[c.part[j].first];
      if (c.part[j].second != UT_NO_ASSUMPTION &&
          ut_polynomial_multiply(&next, &product, &assumption[c.part[j].second]))
        product = next;
      assert_true(ut_polynomial_add(&sum, &product, c.part[j].factor));
    }
    if (cases[i].holds && (!ut_polynomial_add(&sum, &goal, -c.divisor) || sum.count))
      fail_msg("%s: the sum is another polynomial", cases[i].goal);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(combinations), cmocka_unit_test(proven_or_not),
                                     cmocka_unit_test(hops_of_packets), cmocka_unit_test(hops_in_cubes),
                                     cmocka_unit_test(subcubes_of_faults)};
  return cmocka_run_group_tests_name("theorems", tests, NULL, NULL);
}
