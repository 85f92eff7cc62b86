/* test_tree_questions.c - what csim/tolerance/tree_symmetry asks a route function: all states of a switch where they
 * are few, for all destinations; where they are many, those that were recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"
#include "recorded.h"
#include "tree_symmetry.h"

enum { MOST_RTS = 64, LOST = 9999 };

static struct {
  unsigned k, levels, v, rts, step; /* answers bring these values of the rt field: 0, step, 2 * step ... */
  uint32_t terminals;
  const ut_mask *all_up;
  uint64_t hash, asked, last; /* after the last question all answers differ */
  unsigned wrong;
  uint8_t *state;           /* of switch 0 of a level: asked */
  bool to[8][64], rt[1024]; /* the same of a terminal, at each level; of a value of the rt field */
} seen;

static uint32_t power(unsigned k, unsigned n) {
  return n ? k * power(k, n - 1) : 1;
}

static size_t states(void) {
  return (size_t)2 * seen.k * seen.v * (seen.k + 1) * seen.rts << 4 * seen.k;
}

/* Marks the state in which the first switch of a level is. */
static void mark(const struct ut_switch *s, uint32_t dst, uint32_t rt, unsigned in_port, unsigned in_vc) {
  const unsigned k = seen.k, level = s->stage.level;
  const uint32_t below = power(k, level);
  size_t i = (size_t)level * 2 * k + in_port;
  i = i * seen.v + in_vc;
  i = i * (k + 1) + (dst < below * k ? dst / below : k);
  i = i * seen.rts + rt / seen.step;
  i = i << 2 * k | s->out_up;
  i = i << k | s->neighbour >> k;
  i = i << k | s->vector >> k;
  seen.state[i] = 1;
}

static void answer(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *r) {
  (void)g;
  const uint32_t dst = ut_header_dst(header), rt = ut_header_rt(header);
  const ut_mask above = ut_mask_all(seen.k) << seen.k;
  const uint64_t word[] = {s->stage.level, s->stage.base, dst, rt, in_port, in_vc, s->out_up, s->neighbour, s->vector};
  record_words(&seen.hash, word, sizeof word / sizeof *word);
  const bool right = s->stage.level < seen.levels && dst < seen.terminals && in_port < 2 * seen.k && in_vc < seen.v &&
                     rt % seen.step == 0 && rt / seen.step < seen.rts && !((s->neighbour | s->vector) & ~above) &&
                     !(s->out_up & ~seen.all_up[s->stage.level * power(seen.k, seen.levels - 1)]);
  seen.wrong += !right;
  if (right)
    seen.rt[rt] = true;
  if (right && seen.state && seen.asked % 2 == 0) { /* the other questions go to any switch */
    seen.to[s->stage.level][dst] = true;
    mark(s, dst, rt, in_port, in_vc);
  }
  r->rt = rt + seen.step < seen.step * seen.rts ? rt + seen.step : 0;
  r->discard = seen.asked >= seen.last && seen.asked % 2;
  if (in_port == 0 && in_vc == 0 && s->vector) { /* what a lost packet would carry is no value of the field */
    r->discard ^= true;
    r->rt = LOST;
  }
  seen.asked++;
}

/* All that can be: a root has no links up, and every destination is below it. */
static void is_complete(void) {
  const unsigned k = seen.k, n = seen.levels;
  size_t marked = 0, root = (size_t)2 * k * seen.v * k * seen.rts << 3 * k;
  for (size_t i = 0; i < n * states(); i++)
    marked += seen.state[i];
  assert_int_equal(marked, (n - 1) * states() + root);
  for (unsigned level = 0; level < n; level++)
    for (uint32_t dst = 0; dst < seen.terminals; dst++)
      assert_true(seen.to[level][dst]);
}

static const struct {
  unsigned k, n;
  const char *algorithm;
  unsigned v, rts, step;
  bool all;          /* every state is asked */
  unsigned last;     /* thousands of questions, 0: all */
  uint64_t recorded; /* tests/record test_tree_questions */
} cases[] = {
    {2, 2, "fta", 1, 1, 1, true, 0, 0x444f7b1d1ee62f73},
    {2, 3, "reroute_det_link", 2, 3, 5, true, 0, 0x731eb9e60498b338},
    {2, 2, "reroute_det_switch", 3, 5, 1, true, 0, 0xfb4e174d43c4518e},
    {2, 2, "fta", 1, 80, 7, false, 270, 0x1a3b616b3af1695f},
    {3, 2, "reroute_det_link", 2, 1, 1, false, 270, 0xd83de49983a5c7a0},
    {5, 2, "fta", 1, 2, 1, false, 140, 0xcd4cd61e7f432993},
    {7, 2, "fta", 1, 1, 1, false, 140, 0xe79f1796a99736c6},
    {8, 2, "reroute_det_link", 2, 1, 1, false, 140, 0x157b68fd2ae2a926},
    {9, 2, "fta", 1, 3, 1, false, 140, 0xa6d6de63f9d3a644},
    {10, 2, "fta", 1, 1, 1, false, 40, 0x065b61148b1b4840},
    {15, 2, "fta", 1, 1, 1, false, 40, 0xf91e2ff1145850e3},
    {16, 2, "fta", 1, 2, 1, false, 140, 0xb41ddc592cab66e0},
};

static void questions(void **state) {
  (void)state;
  unsigned differences = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const unsigned k = cases[i].k, n = cases[i].n, v = cases[i].v;
    struct ut_scenario *s = oracle_scenario(k, n, cases[i].algorithm, v, "");
    struct ut_topology t;
    struct ut_explorer w;
    struct ut_error e;
    struct ut_tree_symmetry x;
    char what[64];
    assert_non_null(s);
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_explorer_init(&w, s, &t, &e), 0);
    assert_int_equal(w.v, v);
    memset(&seen, 0, sizeof seen);
    seen.k = k, seen.levels = n, seen.v = v, seen.rts = cases[i].rts, seen.step = cases[i].step;
    seen.terminals = t.terminals, seen.all_up = w.all_up;
    seen.last = cases[i].last ? cases[i].last * 1000 : UINT64_MAX;
    if (cases[i].all)
      seen.state = calloc(n, states());
    w.group[0].route = answer;
    w.group[0].form.rewrites = 1;
    ut_tree_symmetry_find(&x, &w);
    assert_int_equal(seen.wrong, 0);
    if (cases[i].all)
      is_complete();
    unsigned values = 0;
    for (size_t rt = 0; rt < sizeof seen.rt / sizeof *seen.rt; rt++)
      values += seen.rt[rt];
    assert_int_equal(values, seen.rts < MOST_RTS ? seen.rts : MOST_RTS);
    record(&seen.hash, seen.asked), record(&seen.hash, x.positions), record(&seen.hash, x.choices);
    snprintf(what, sizeof what, "%u-ary %u-tree, %u VCs, %u values", k, n, v, seen.rts);
    recorded_is(what, seen.hash, cases[i].recorded, &differences);
    free(seen.state);
    ut_explorer_free(&w);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(questions)};
  return cmocka_run_group_tests_name("tree_questions", tests, NULL, NULL);
}
