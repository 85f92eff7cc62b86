/* SPDX-License-Identifier: Apache-2.0 */
/* test_literal.c - the papers' text taken literally: routing code changed back to it, and what the prover finds then
 * (docs/results/claims.md, table of claims; the numbers of the readings are those there).  Run with UTURN_SHOW=1 it
 * prints the counter-examples. */
#include "method_sets.h"

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
#include "share.h"
#include "topology_build.h"

static ut_route_function *real_route;

/* Where a packet is: its field, destination below this switch, and the only way down. */
struct view {
  bool below, from_above, faulty; /* faulty: the way down */
  unsigned digit, field;
  ut_mask above;
};

static struct view view_of(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port) {
  uint32_t dst = ut_header_dst(header);
  struct view v = {.from_above = in_port >= g->k, .field = ut_rt_port_port(ut_header_rt(header))};
  v.below = dst >= s->stage.base && dst < s->stage.base + g->k * s->stage.step;
  v.digit = dst / s->stage.step % g->k;
  v.faulty = v.below && !(s->out_up & ut_bit(v.digit));
  v.above = s->out_up & ~ut_mask_all(g->k);
  return v;
}

#define LITERAL(name)                                                                                                  \
  static void name(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,             \
                   unsigned in_vc, struct ut_route_result *r)

static void move(struct ut_route_result *r, unsigned from, unsigned to) {
  r->cand[to] |= r->cand[from];
  r->cand[from] = 0;
}

/* Reading 1.  VI.A step 2b: a packet that is re-routed back down is forwarded in ML, also one that comes from NL. */
LITERAL(step_2b_enters_ml) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (v.faulty && !v.from_above && in_vc == 0)
    move(r, 0, 1);
}

/* Reading 2.  Appendix B: "the incoming ports as the output port when a faulty link is encountered and the packet is in
 * ML", also for a packet from above. */
LITERAL(back_up_from_above) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (v.faulty && v.from_above && in_vc == 1) {
    r->cand[0] = 0;
    r->cand[1] = ut_bit(in_port);
    r->discard = false;
  }
}

/* Reading 3.  VI.A step 3a: "the first upward link in D", were it the arrival port. */
LITERAL(first_of_d) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (!v.below && v.from_above && in_vc == 0)
    r->cand[1] = v.above & (~v.above + 1);
}

/* Reading 4.  A port of D that is down is replaced by some other one, not by the next one. */
LITERAL(any_other_port) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  unsigned next = in_port + 1;
  if (!v.below && v.from_above && in_vc == 1 && next < 2 * g->k && !(s->out_up & ut_bit(next))) {
    ut_mask others = v.above & ~ut_bit(in_port);
    r->cand[1] = others & (~others + 1);
    r->discard = !r->cand[1];
  }
}

/* Reading 5.  Some lower switches of a group have another D. */
LITERAL(several_sequences) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (v.below || !v.from_above || s->stage.base / (g->k * s->stage.step) % 2 == 0)
    return;
  ut_mask others = v.above & ~ut_bit(in_port); /* from the highest port to the lowest */
  if (in_vc == 1)
    others &= ut_bit(in_port) - 1;
  r->cand[1] = others ? ut_bit(63 - (unsigned)__builtin_clzll(others)) : 0;
  r->discard = !others;
}

/* Reading 6.  VI.B step 3b: "The packet is forwarded in ML2", also one that comes from NL. */
LITERAL(step_3b_enters_ml2) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (v.faulty && !v.from_above && in_vc == 0)
    move(r, 0, 2);
}

/* Reading 8.  VI.B never resets the port field. */
LITERAL(field_is_kept) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (v.below)
    r->rt = ut_header_rt(header);
}

/* ... and 4a does not set it to -2. */
LITERAL(field_is_not_set) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (!v.below && v.from_above && v.field == UT_PORT_FIELD_NONE)
    r->rt = (uint32_t)ut_rt_port_make(UT_PORT_FIELD_NONE);
}

/* Both. */
LITERAL(field_as_listed) {
  field_is_kept(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (!v.below && v.from_above && v.field == UT_PORT_FIELD_NONE)
    r->rt = (uint32_t)ut_rt_port_make(UT_PORT_FIELD_NONE);
}

/* Reading 9.  VII.B step 4c: a switch of the bottom tier sets the field to -1, also where it was -2. */
LITERAL(bottom_tier_resets) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (!v.below && v.from_above && s->stage.level == 0)
    r->rt = (uint32_t)ut_rt_port_make(UT_PORT_FIELD_NONE);
}

/* VI.A, last paragraph: "deterministically selecting the same downward re-routing link", also for a packet from below,
 * which step 2b sends back where it came from. */
LITERAL(same_link_down) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (v.faulty && !v.from_above && s->stage.level > 0)
    r->cand[0] = ut_mask_first_from(s->out_up & ut_mask_all(g->k), v.digit);
}

/* VII, second paragraph: "an arbitrary upward link from the U-turn switch", were it the arrival port. */
LITERAL(any_link_up) {
  real_route(g, s, header, in_port, in_vc, r);
  struct view v = view_of(g, s, header, in_port);
  if (!v.below && v.from_above)
    r->cand[0] = v.above;
}

/* ---- */

struct literal {
  const char *reading, *algorithm;
  ut_route_function *route;
  unsigned k, n, links, switches; /* at most k-1 faults of each kind, k-1 together */
  const char *expected;           /* kinds of failure, in order of enum ut_failure; "" : the claim holds all the same */
};

static const struct literal literals[] = {
    {"1", "reroute_det_link", step_2b_enters_ml, 2, 3, 1, 0, "discard"},
    {"2", "reroute_det_link", back_up_from_above, 3, 3, 2, 0, "loop cycle numbering"},
    {"3", "reroute_det_link", first_of_d, 3, 3, 2, 0, ""},
    {"4", "reroute_det_link", any_other_port, 4, 2, 3, 0, "loop cycle numbering"},
    {"5", "reroute_det_link", several_sequences, 3, 3, 2, 0, "numbering"},
    {"6", "reroute_det_switch", step_3b_enters_ml2, 3, 3, 2, 2, "discard cycle numbering"},
    {"8", "reroute_det_switch", field_is_kept, 3, 3, 2, 2, ""},
    {"8", "reroute_det_switch", field_is_not_set, 3, 3, 2, 2, "loop cycle numbering"},
    {"8", "reroute_det_switch", field_as_listed, 3, 3, 2, 2, "loop cycle numbering"},
    {"9", "reroute_adaptive_switch", bottom_tier_resets, 3, 3, 2, 2, "loop"},
    {"one fault", "reroute_det_link_one_fault", same_link_down, 2, 4, 1, 0, ""},
    {"one fault", "reroute_adaptive_link_one_fault", any_link_up, 2, 3, 1, 0, "loop"},
};
enum { LITERALS = sizeof literals / sizeof literals[0] };

static void show(const struct ut_explorer *w, const struct ut_counter_example *c) {
  const struct ut_topology *t = w->topology;
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE];
  printf("  %s:", ut_failure_name[c->kind]);
  for (unsigned i = 0; i < c->set.links; i++)
    printf(" link %s-%s", ut_topology_switch_name(t, t->link[c->set.link[i]].lower, name),
           ut_topology_switch_name(t, t->link[c->set.link[i]].upper, other));
  for (unsigned i = 0; i < c->set.switches; i++)
    printf(" switch %s", ut_topology_switch_name(t, c->set.sw[i], name));
  printf("; %u to %u:", (unsigned)c->src, (unsigned)c->dst);
  for (size_t i = 0; i < c->steps; i++) {
    const struct ut_step *s = &c->step[i];
    printf(" %s", ut_topology_switch_name(t, s->sw, name));
    if (s->leaves)
      printf(" -%u/%u->", s->out_port, s->out_vc);
  }
  if (c->kind == UT_FAILURE_LOOP)
    printf(" back to %zu", c->back_to + 1);
  printf("\n");
}

/* Proves all fault sets below k with the changed code; the kinds of failures as text. */
static void run_literal(const struct literal *l, char kinds[64]) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_fault_request request = {
      .links = {0, l->links}, .switches = {0, l->switches}, .total = {0, l->k - 1}, .limit = UINT64_MAX};
  struct ut_scenario *s = oracle_scenario(l->k, l->n, l->algorithm, 0, "");
  struct ut_topology t;
  struct ut_prover p;
  struct ut_error e;
  uint64_t first[UT_FAILURES] = {0}, failing[UT_FAILURES] = {0};
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_prover_init(&p, s, &t, &e), 0);
  assert_int_equal(ut_fault_space_init(space, &t, &request, &e), 0);
  real_route = p.explorer.group[0].route;
  p.explorer.group[0].route = l->route;
  for (uint64_t i = 0; i < space->count; i++) {
    struct ut_fault_set set;
    struct ut_verdict v;
    ut_fault_space_get(space, i, &set);
    assert_int_equal(ut_prover_examine(&p, &set, &v, &e), 0);
    for (unsigned f = 0; f < UT_FAILURES; f++) {
      if (v.failure[f] && !failing[f]++)
        first[f] = i;
    }
  }
  kinds[0] = '\0';
  if (getenv("UTURN_SHOW"))
    printf("reading %s, %s, %u-ary %u-tree, %llu fault sets\n", l->reading, l->algorithm, l->k, l->n,
           (unsigned long long)space->count);
  for (unsigned f = 0; f < UT_FAILURES; f++) {
    if (!failing[f])
      continue;
    snprintf(kinds + strlen(kinds), 64 - strlen(kinds), "%s%s", kinds[0] ? " " : "", ut_failure_name[f]);
    struct ut_counter_example c;
    assert_int_equal(ut_counter_example_find(&c, &p, space, first[f], (enum ut_failure)f, &e), 0);
    if (getenv("UTURN_SHOW")) {
      printf("  %llu sets:", (unsigned long long)failing[f]);
      show(&p.explorer, &c);
    }
    ut_counter_example_free(&c);
  }
  ut_prover_free(&p);
  ut_topology_free(&t);
  ut_scenario_free(s);
  free(space);
}

static void text_taken_literally(void **state) {
  (void)state;
  for (unsigned i = 0; i < LITERALS; i++) {
    char kinds[64];
    run_literal(&literals[i], kinds);
    if (strcmp(kinds, literals[i].expected))
      print_error("reading %s (%u): '%s', expected '%s'\n", literals[i].reading, i, kinds, literals[i].expected);
    assert_true(getenv("UTURN_SHOW") || !strcmp(kinds, literals[i].expected));
  }
}

/* ---- claims about more or other faults than k-1 */

struct claim_bench {
  struct ut_scenario *s;
  struct ut_topology t;
  struct ut_prover p;
  struct ut_fault_space *space;
};

static void open_claim(struct claim_bench *b, unsigned k, unsigned n, const char *algorithm, unsigned from,
                       unsigned to) {
  struct ut_error e;
  struct ut_fault_request request = {.links = {from, to}, .total = {from, to}, .limit = UINT64_MAX};
  b->s = oracle_scenario(k, n, algorithm, 0, "");
  b->space = calloc(1, sizeof *b->space);
  assert_int_equal(ut_topology_init(&b->t, b->s, &e), 0);
  assert_int_equal(ut_prover_init(&b->p, b->s, &b->t, &e), 0);
  assert_int_equal(ut_fault_space_init(b->space, &b->t, &request, &e), 0);
}

static void close_claim(struct claim_bench *b) {
  ut_prover_free(&b->p);
  ut_topology_free(&b->t);
  ut_scenario_free(b->s);
  free(b->space);
}

/* Returns how many sets of so many faults do not hold: of all; with two faults of every sixteenth. */
static unsigned failing_sets(unsigned k, unsigned n, const char *algorithm, bool switches, unsigned from, unsigned to) {
  struct ut_fault_request request = {.links = {0, to}, .total = {from, to}, .limit = UINT64_MAX};
  struct claim_bench b;
  struct ut_error e;
  unsigned failing = 0;
  open_claim(&b, k, n, algorithm, 0, 0);
  if (switches)
    request.switches[1] = to;
  memset(b.space, 0, sizeof *b.space);
  assert_int_equal(ut_fault_space_init(b.space, &b.t, &request, &e), 0);
  const unsigned stride = from > 1 ? 16 : 1;
  for (uint64_t i = 0; i < b.space->count; i += stride) {
    struct ut_fault_set set;
    struct ut_verdict v;
    ut_fault_space_get(b.space, i, &set);
    assert_int_equal(ut_prover_examine(&b.p, &set, &v, &e), 0);
    bool bad = false;
    for (unsigned f = 0; f < UT_FAILURES; f++)
      bad |= v.failure[f];
    failing += bad;
  }
  close_claim(&b);
  return failing;
}

/* REROUTE VI.A, VI.B, VII: what is enough for one fault is so for every one there is, and not for two of k - 1. */
static void one_fault_variants(void **state) {
  (void)state;
  static const char *const names[] = {"reroute_det_link_one_fault", "reroute_adaptive_link_one_fault",
                                      "reroute_det_switch_one_fault", "reroute_adaptive_switch_one_fault"};
  for (unsigned i = 0; i < 4; i++) {
    const bool switches = i >= 2;
    assert_int_equal(failing_sets(2, 4, names[i], switches, 0, 1), 0);
    assert_int_equal(failing_sets(3, 3, names[i], switches, 0, 1), 0);
    assert_int_equal(failing_sets(4, 2, names[i], switches, 0, 1), 0);
    const unsigned two = failing_sets(3, 3, names[i], switches, 2, 2);
    if (!two)
      print_error("%s: no set of two faults fails\n", names[i]);
    assert_true(two > 0);
  }
}

/* The most faults in one switch group (REROUTE definition 10): links whose lower ends differ in one digit only. */
static unsigned most_in_a_group(const struct ut_topology *t, unsigned k, const struct ut_fault_set *set) {
  unsigned most = 0;
  for (unsigned i = 0; i < set->links; i++) {
    unsigned count = 0;
    for (unsigned j = 0; j < set->links; j++) {
      uint32_t a = t->link[set->link[i]].lower, b = t->link[set->link[j]].lower, step = 1;
      for (unsigned l = 0; l < t->level[a]; l++)
        step *= k;
      uint32_t pa = t->position[a], pb = t->position[b];
      count += t->level[a] == t->level[b] && pa % step == pb % step && pa / (step * k) == pb / (step * k);
    }
    most = count > most ? count : most;
  }
  return most;
}

/* REROUTE lemma 9: connected and free of livelock with fewer than k faults in every switch group, however many there
 * are in all. */
static void fewer_than_k_in_every_group(void **state) {
  (void)state;
  static const char *const names[] = {"reroute_adaptive_link", "reroute_det_link", "misroute_header"};
  for (unsigned a = 0; a < 3; a++) {
    struct claim_bench b;
    uint64_t covered = 0;
    open_claim(&b, 2, 4, names[a], 0, 3); /* 48 links, 18,473 fault sets */
    for (uint64_t i = 0; i < b.space->count; i++) {
      struct ut_fault_set set;
      struct ut_verdict v;
      struct ut_error e;
      ut_fault_space_get(b.space, i, &set);
      if (most_in_a_group(&b.t, 2, &set) > 1)
        continue;
      if (covered++ % SHARE)
        continue;
      assert_int_equal(ut_prover_examine(&b.p, &set, &v, &e), 0);
      assert_false(v.failure[UT_FAILURE_DISCARD] || v.failure[UT_FAILURE_LOOP] || v.failure[UT_FAILURE_WRONG]);
    }
    /* 12 groups of 4 links */
    assert_int_equal(covered, 1 + 48 + 66 * 16 + 220 * 64);
    close_claim(&b);
  }
}

/* MISROUTE lemma 3 says that a dependency cycle has two or more U-turn switches.  It can have one. */
static void one_u_turn_switch(void **state) {
  (void)state;
  struct claim_bench b;
  unsigned fewest = UINT32_MAX;
  open_claim(&b, 3, 2, "misroute_header", 0, 2);
  for (uint64_t i = 0; i < b.space->count && fewest > 1; i++) {
    struct ut_fault_set set;
    struct ut_verdict v;
    struct ut_error e;
    uint32_t *cycle;
    ut_fault_space_get(b.space, i, &set);
    assert_int_equal(ut_prover_examine(&b.p, &set, &v, &e), 0);
    if (!v.dependency_cycle)
      continue;
    assert_true(ut_dependencies_cycle(&ut_by_sets(&b.p)->dependencies));
    size_t length = ut_dependencies_shortest_cycle(&ut_by_sets(&b.p)->dependencies, NULL, &cycle);
    assert_true(length > 0);
    unsigned turns = 0;
    for (size_t j = 0; j < length; j++) {
      const struct ut_channel *here = &b.p.explorer.channel[cycle[j]],
                              *next = &b.p.explorer.channel[cycle[(j + 1) % length]];
      bool turn = here->from_above && !next->from_above, again = false;
      for (size_t m = 0; m < j && turn; m++)
        again |= b.p.explorer.channel[cycle[m]].sw == here->sw && b.p.explorer.channel[cycle[m]].from_above &&
                 !b.p.explorer.channel[cycle[m + 1]].from_above;
      turns += turn && !again;
    }
    if (turns < fewest) {
      fewest = turns;
      if (getenv("UTURN_SHOW")) {
        char name[UT_SWITCH_NAME_SIZE];
        printf("set %llu, %u U-turn switches:", (unsigned long long)i, turns);
        for (unsigned j = 0; j < set.links; j++)
          printf(" link %u", (unsigned)set.link[j]);
        for (size_t j = 0; j < length; j++)
          printf(" %s.in%u", ut_topology_switch_name(&b.t, b.p.explorer.channel[cycle[j]].sw, name),
                 b.p.explorer.channel[cycle[j]].port);
        printf("\n");
      }
    }
    free(cycle);
  }
  assert_int_equal(fewest, 1);
  close_claim(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_taken_literally),
      cmocka_unit_test(fewer_than_k_in_every_group),
      cmocka_unit_test(one_u_turn_switch),
      cmocka_unit_test(one_fault_variants),
  };
  return cmocka_run_group_tests_name("literal", tests, NULL, NULL);
}
