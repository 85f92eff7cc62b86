/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_questions.c - what csim/tolerance/tree_symmetry asks a route function: all states of a switch where they
 * are few, for all destinations; where they are many, some that are spread over all of them. */
#include <math.h>
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
#include "scenario_read.h"
#include "topology_build.h"
#include "tree_symmetry.h"

enum { MOST_RTS = 64, LOST = 9999 };

static struct {
  unsigned k, levels, v, rts, step; /* answers bring these values of the rt field: 0, step, 2 * step ... */
  uint32_t terminals;
  const ut_mask *all_up;
  uint64_t asked, last; /* after the last question all answers differ */
  unsigned wrong;
  uint8_t *state;           /* of switch 0 of a level: asked */
  bool to[8][64], rt[1024]; /* the same of a terminal, at each level; of a value of the rt field */
  struct ut_hash known;     /* questions to the first switch of a level */
  struct {
    ut_mask up[2], neighbour[2], vector[2]; /* bits that were 0, that were 1 */
    uint32_t in_ports, vcs, towards;        /* sets of those that were asked about */
    uint32_t asked, different;
  } level[8]; /* the first switch of it */
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
  seen.to[level][dst] = true;
}

static void note_bits(ut_mask bits[2], ut_mask value) {
  bits[0] |= ~value, bits[1] |= value;
}

static void note_question(const struct ut_switch *s, uint32_t dst, uint32_t rt, unsigned in_port, unsigned in_vc) {
  const uint32_t below = power(seen.k, s->stage.level), towards = dst < below * seen.k ? dst / below : seen.k;
  const uint64_t word[] = {s->stage.level, towards, rt, in_port, in_vc, s->out_up, s->neighbour, s->vector};
  uint64_t key = 0;
  bool fresh = false;
  for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
    key = ut_hash_mix(key ^ word[i]);
  assert_non_null(ut_hash_at(&seen.known, key, &fresh));
  note_bits(seen.level[s->stage.level].up, s->out_up);
  note_bits(seen.level[s->stage.level].neighbour, s->neighbour);
  note_bits(seen.level[s->stage.level].vector, s->vector);
  seen.level[s->stage.level].in_ports |= 1u << in_port, seen.level[s->stage.level].vcs |= 1u << in_vc;
  seen.level[s->stage.level].towards |= 1u << towards;
  seen.level[s->stage.level].asked++, seen.level[s->stage.level].different += fresh;
}

static void answer(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *r) {
  (void)g;
  const uint32_t dst = ut_header_dst(header), rt = ut_header_rt(header);
  const ut_mask above = ut_mask_all(seen.k) << seen.k;
  const bool right = s->stage.level < seen.levels && dst < seen.terminals && in_port < 2 * seen.k && in_vc < seen.v &&
                     rt % seen.step == 0 && rt / seen.step < seen.rts && !((s->neighbour | s->vector) & ~above) &&
                     !(s->out_up & ~seen.all_up[s->stage.level * power(seen.k, seen.levels - 1)]);
  seen.wrong += !right;
  if (right)
    seen.rt[rt] = true;
  if (right && seen.asked % 2 == 0) { /* the other questions go to any switch */
    note_question(s, dst, rt, in_port, in_vc);
    if (seen.state)
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

/* Each port, VC and destination, each bit in both states; and as few are asked twice as of questions that are drawn
 * with equal chances. */
static void is_spread(unsigned level) {
  const unsigned k = seen.k, root = level + 1 == seen.levels;
  const ut_mask above = ut_mask_all(k) << k, all_up = seen.all_up[level * power(k, seen.levels - 1)];
  const double all = ldexp(2.0 * k * seen.v * (root ? k : k + 1) * seen.rts, (int)(root ? 3 * k : 4 * k));
  const double expected = -all * expm1(seen.level[level].asked / -all), is = seen.level[level].different;
  for (unsigned value = 0; value < 2; value++) {
    assert_int_equal(seen.level[level].up[value] & all_up, all_up);
    assert_int_equal(seen.level[level].neighbour[value] & above, above);
    assert_int_equal(seen.level[level].vector[value] & above, above);
  }
  assert_int_equal(seen.level[level].in_ports, ut_mask_all(2 * k));
  assert_int_equal(seen.level[level].vcs, ut_mask_all(seen.v));
  assert_int_equal(seen.level[level].towards, ut_mask_all(root ? k : k + 1));
  if (seen.rts < MOST_RTS && fabs(is - expected) > 0.02 * expected) /* with many values there are few at first */
    fail_msg("%u-ary, level %u: %.0f of %u questions differ, %.0f expected", k, level, is, seen.level[level].asked,
             expected);
}

static const struct {
  unsigned k, n;
  const char *algorithm;
  unsigned v, rts, step;
  unsigned last; /* thousands of questions that are answered alike; 0: all, and every state is asked */
} cases[] = {
    {2, 2, "fta", 1, 1, 1, 0},
    {2, 3, "reroute_det_link", 2, 3, 5, 0},
    {2, 2, "reroute_det_switch", 3, 5, 1, 0},
    {2, 2, "fta", 1, 80, 7, 270},
    {3, 2, "reroute_det_link", 2, 1, 1, 270},
    {5, 2, "fta", 1, 2, 1, 140},
    {7, 2, "fta", 1, 1, 1, 140},
    {8, 2, "reroute_det_link", 2, 1, 1, 140},
    {9, 2, "fta", 1, 3, 1, 140},
    {10, 2, "fta", 1, 1, 1, 40},
    {15, 2, "fta", 1, 1, 1, 40},
    {16, 2, "fta", 1, 2, 1, 140},
};

static void questions(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const unsigned k = cases[i].k, n = cases[i].n, v = cases[i].v;
    struct ut_scenario *s = oracle_scenario(k, n, cases[i].algorithm, v, "");
    struct ut_topology t;
    struct ut_explorer w;
    struct ut_error e;
    struct ut_tree_symmetry x;
    assert_non_null(s);
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_explorer_init(&w, s, &t, &e), 0);
    assert_int_equal(w.v, v);
    memset(&seen, 0, sizeof seen);
    seen.k = k, seen.levels = n, seen.v = v, seen.rts = cases[i].rts, seen.step = cases[i].step;
    seen.terminals = t.terminals, seen.all_up = w.all_up;
    seen.last = cases[i].last ? cases[i].last * 1000 : UINT64_MAX;
    if (!cases[i].last)
      seen.state = calloc(n, states());
    w.group[0].route = answer;
    w.group[0].form.rewrites = 1;
    ut_tree_symmetry_find(&x, &w);
    assert_int_equal(seen.wrong, 0);
    if (!cases[i].last)
      is_complete();
    unsigned values = 0;
    for (size_t rt = 0; rt < sizeof seen.rt / sizeof *seen.rt; rt++)
      values += seen.rt[rt];
    assert_int_equal(values, seen.rts < MOST_RTS ? seen.rts : MOST_RTS);
    for (unsigned level = 0; level < n && cases[i].last && seen.level[level].asked; level++)
      is_spread(level);
    if (cases[i].last) /* no more after the first answer that differs */
      assert_in_range(seen.asked, seen.last, seen.last + 2);
    assert_false(x.positions); /* what comes in at port 0 is answered in another way */
    assert_int_equal(x.choices, !cases[i].last);
    free(seen.state), ut_hash_free(&seen.known);
    ut_explorer_free(&w);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(questions)};
  return cmocka_run_group_tests_name("tree_questions", tests, NULL, NULL);
}
