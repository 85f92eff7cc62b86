/* SPDX-License-Identifier: Apache-2.0 */
/* test_theorem.c - theorems for every k and n: the hops that packets make in small trees, found by the explorer, are of
 * the kinds of hops that the theorems have, and lead to higher ranks; what is proven holds for small numbers, one by
 * one. */
#include <string.h>

#include "drawn_sets.h"
#include "method_sets.h"
#include "nonnegative.h"
#include "prover_bench.h"
#include "theorem.h"

enum { LEAST = -1 };

static const struct ut_theorem *theorem(const char *algorithm, const char *paper) {
  const struct ut_theorem *t = ut_theorems;
  while (t->algorithm && (strcmp(t->algorithm, algorithm) || strcmp(t->paper, paper)))
    t++;
  if (!t->algorithm)
    fail_msg("no %s of %s", paper, algorithm);
  return t;
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

/* Whether KIND(POLYNOMIAL, ...) is that place. */
static bool is_place(const char *text, const struct place *place, const char *names, const int *value) {
  const size_t length = strcspn(text, "(");
  if (strlen(place->kind) != length || strncmp(text, place->kind, length))
    return false;
  unsigned i = 0;
  for (text = strchr(text, '('); text && i < UT_MOST_ARGUMENTS; text = strchr(text, ','), i++)
    if (value_of(text + 1, names, value) != place->argument[i])
      return false;
    else
      text++;
  return true;
}

/* Looks for numbers 0..most of the hop's names that make it the hop between two places. */
static bool is_hop(const struct ut_theorem *t, const struct ut_theorem_hop *hop, const struct place *from,
                   const struct place *to, const int *given, int most) {
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

/* ---- all hops under drawn fault sets */

static const struct tree {
  const char *topology, *sw, *algorithm, *paper;
  unsigned links, switches, samples;
} trees[] = {
    {"k: 2, n: 3", "vcs: 2", "reroute_det_link", "REROUTE theorem 1", 1, 0, 16},
    {"k: 2, n: 4", "vcs: 2", "reroute_det_link", "REROUTE theorem 1", 3, 0, 20}, /* the numbers hold beyond k - 1 */
    {"k: 3, n: 2", "vcs: 2", "reroute_det_link", "REROUTE theorem 1", 2, 0, 40}, /* all there are */
    {"k: 3, n: 3", "vcs: 3", "reroute_det_link", "REROUTE theorem 1", 2, 0, 20},
    {"k: 2, n: 4", "vcs: 3", "reroute_det_switch", "REROUTE theorem 3", 1, 1, 20},
    {"k: 3, n: 2", "vcs: 3", "reroute_det_switch", "REROUTE theorem 3", 2, 0, 40},
    {"k: 3, n: 3", "vcs: 3", "reroute_det_switch", "REROUTE theorem 3", 1, 1, 20},
    {"k: 2, n: 4", "vcs: 1", "reroute_adaptive_link", "REROUTE theorem 5", 1, 0, 20},
    {"k: 3, n: 3", "vcs: 1", "reroute_adaptive_link", "REROUTE theorem 5", 2, 0, 20},
    {"k: 2, n: 4", "vcs: 1", "reroute_adaptive_switch", "REROUTE theorem 5", 0, 1, 20},
    {"k: 3, n: 3", "vcs: 1", "reroute_adaptive_switch", "REROUTE theorem 5", 1, 1, 20},
    {"k: 3, n: 3", "vcs: 1", "misroute_header", "MISROUTE theorem 2", 2, 0, 20},
};

/* Which hops were seen in some tree: one flag for each hop of each theorem. */
static bool hop_seen[16][32];

/* Every arc of the graph is a hop of the theorem; marks which ones were seen. */
static unsigned check_graph(struct bench *b, const struct tree *tree, const unsigned *digit, bool *seen) {
  const struct ut_theorem *t = theorem(tree->algorithm, tree->paper);
  const struct ut_digraph *g = &ut_by_sets(&b->prover)->dependencies.graph;
  const int given[] = {(int)b->prover.explorer.k, (int)b->topology.levels, (int)(tree->links + tree->switches)};
  for (size_t i = 0; i < g->arcs; i += 2) {
    const uint32_t one = (uint32_t)g->arc[i], other = (uint32_t)g->arc[i + 1];
    const struct place from = digit ? plane_place(b, one, digit) : numbered_place(b, one),
                       to = digit ? plane_place(b, other, digit) : numbered_place(b, other);
    unsigned hop = 0;
    while (t->hop[hop].name && !is_hop(t, &t->hop[hop], &from, &to, given, 4))
      hop++;
    if (!t->hop[hop].name)
      fail_msg("%s %s: no hop from %s(%d, %d) to %s(%d, %d)", tree->topology, tree->algorithm, from.kind,
               from.argument[0], from.argument[1], to.kind, to.argument[0], to.argument[1]);
    seen[hop] = true;
  }
  return (unsigned)g->arcs / 2;
}

static unsigned check_set(struct bench *b, const struct tree *tree, const struct ut_fault_set *set, bool *seen) {
  unsigned digit[UT_MAX_LEVELS];
  struct ut_verdict v;
  struct ut_error e;
  assert_int_equal(ut_prover_examine(&b->prover, set, &v, &e), 0);
  struct ut_dependencies *d = &ut_by_sets(&b->prover)->dependencies;
  ut_dependencies_cycle(d);
  if (!strstr(tree->paper, "REROUTE theorem 5") && !strstr(tree->paper, "MISROUTE"))
    return check_graph(b, tree, NULL, seen);
  ut_choose_planes(&b->prover.explorer, set, digit);
  assert_false(ut_dependencies_extended_cycle(d, set));
  return check_graph(b, tree, digit, seen);
}

static void hops_of_packets(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof trees / sizeof trees[0]; i++) {
    const struct ut_fault_request request = drawn_sets(trees[i].links, trees[i].switches, trees[i].samples);
    const struct ut_theorem *t = theorem(trees[i].algorithm, trees[i].paper);
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
      arcs += check_set(&b, &trees[i], &set, hop_seen[t - ut_theorems]);
    }
    assert_true(arcs > 100);
    close_bench(&b);
  }
  for (unsigned i = 0; i < sizeof trees / sizeof trees[0]; i++) {
    const struct ut_theorem *t = theorem(trees[i].algorithm, trees[i].paper);
    for (unsigned hop = 0; t->hop[hop].name; hop++)
      if (!hop_seen[t - ut_theorems][hop])
        fail_msg("%s: no packet makes hop %s", trees[i].algorithm, t->hop[hop].name);
  }
  free(space);
}

/* ---- proofs */

static void proven_or_not(void **state) {
  (void)state;
  for (const struct ut_theorem *t = ut_theorems; t->algorithm; t++) {
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
                                     cmocka_unit_test(hops_of_packets)};
  return cmocka_run_group_tests_name("theorems", tests, NULL, NULL);
}
