/* SPDX-License-Identifier: Apache-2.0 */
/* test_pair_plan.c - the planner of single pairs: the routes of the planner with matrices, which test_plan.c compares
 * with plain walks, in every network that both can have; beyond, plain walks here. */
#include "pair_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topologies.h"

enum { MAX_FAULTS = 20, MAX_NODES = 4096, FAR = 1000 };

struct net {
  struct ut_topology topology;
  struct ut_grid grid;
};

static void net_init(struct net *x, unsigned dimensions, const unsigned *size, bool wrap) {
  struct ut_error e;
  assert_int_equal(test_grid(&x->topology, size, dimensions, 1, wrap, &e), 0);
  assert_int_equal(ut_grid_init(&x->grid, &x->topology, &e), 0);
}

static void net_free(struct net *x) {
  ut_grid_free(&x->grid);
  ut_topology_free(&x->topology);
}

static uint32_t draw(uint64_t *state, uint32_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((*state >> 33) % below);
}

/* Different links. */
static void draw_faults(const struct net *x, uint64_t *state, unsigned count, uint32_t *link) {
  for (unsigned i = 0; i < count; i++) {
    link[i] = draw(state, x->grid.links);
    for (unsigned j = 0; j < i; j++)
      if (link[j] == link[i])
        i--, j = i;
  }
}

/* ---- the same as with matrices */

static uint64_t seen[UT_PLAN_CLASSES];

static void same_route(const struct ut_plan_route *a, const struct ut_plan_route *b, const char *name, uint32_t s,
                       uint32_t d) {
  if (a->class != b->class || a->length != b->length || a->subpaths != b->subpaths)
    fail_msg("%s, %u to %u: %s, %u hops, %u sub-paths; with matrices %s, %u hops, %u sub-paths", name, s, d,
             ut_plan_class_name[b->class], b->length, b->subpaths, ut_plan_class_name[a->class], a->length,
             a->subpaths);
  for (unsigned i = 0; i < a->subpaths; i++)
    if (a->subpath[i].target != b->subpath[i].target || a->subpath[i].deterministic != b->subpath[i].deterministic)
      fail_msg("%s, %u to %u, sub-path %u: to %u%s, with matrices to %u%s", name, s, d, i, b->subpath[i].target,
               b->subpath[i].deterministic ? " (D)" : "", a->subpath[i].target,
               a->subpath[i].deterministic ? " (D)" : "");
}

static void same_plans(const struct net *x, struct ut_plan *with, struct ut_pair_plan *without,
                       const struct ut_mechanisms *m, uint32_t step) {
  struct ut_plan_counts counts = {0};
  struct ut_pair_plan_tally tally;
  struct ut_error e;
  uint64_t most = 0;
  for (uint32_t s = 0; s < x->grid.nodes; s += step) {
    for (uint32_t d = 0; d < x->grid.nodes; d++) {
      struct ut_plan_route a, b;
      ut_plan_route(with, s, d, &a);
      ut_pair_plan_route(without, s, d, &b);
      same_route(&a, &b, m->name, s, d);
      counts.pairs[a.class]++;
      assert_int_equal(ut_pair_plan_one_way_works(without, s, d), ut_plan_one_way_works(with, s, d));
      assert_int_equal(ut_pair_plan_affected(without, false, s, d), a.class != UT_PLAN_ADAPTIVE);
      assert_int_equal(ut_pair_plan_affected(without, true, s, d),
                       a.class != UT_PLAN_ADAPTIVE && !ut_plan_one_way_works(with, s, d));
      seen[a.class]++;
    }
    const uint64_t bits = ut_plan_table_bits(with, s);
    most = bits > most ? bits : most;
  }
  if (step > 1)
    return;
  assert_int_equal(ut_pair_plan_tally(without, false, &tally, &e), 0);
  for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
    assert_int_equal(tally.counts.pairs[c], counts.pairs[c]);
  if (!counts.pairs[UT_PLAN_NONE] && !counts.pairs[UT_PLAN_SEPARATED])
    assert_int_equal((uint64_t)tally.most_entries * ut_plan_entry_bits(&x->grid, m), most);
}

static void compare(unsigned dimensions, const unsigned *size, bool wrap, unsigned rounds, unsigned most_faults,
                    uint32_t step) {
  struct net x;
  struct ut_error e;
  net_init(&x, dimensions, size, wrap);
  for (unsigned i = 0; i < 2 * UT_MECHANISM_SETS; i++) {
    struct ut_mechanisms m = ut_mechanism_sets[i / 2];
    m.direction_order |= i % 2;
    if (m.misroute || (i % 2 && !m.deterministic) || (step > 1 && strcmp(m.name, "I+D") != 0))
      continue;
    struct ut_plan *with = ut_plan_new(&x.grid, &m, &e);
    struct ut_pair_plan *without = ut_pair_plan_new(&x.grid, &m, &e);
    assert_true(with && without);
    uint64_t state = 7 + i;
    for (unsigned round = 0; round < rounds; round++) {
      uint32_t link[MAX_FAULTS];
      const unsigned count = most_faults * (round + 1) / rounds;
      draw_faults(&x, &state, count, link);
      ut_plan_set_faults(with, link, count);
      assert_int_equal(ut_pair_plan_set_faults(without, link, count, &e), 0);
      same_plans(&x, with, without, &m, step);
    }
    ut_pair_plan_free(without);
    ut_plan_free(with);
  }
  net_free(&x);
}

static void routes_as_with_matrices(void **state) {
  (void)state;
  compare(3, (const unsigned[]){3, 3, 3}, true, 6, 20, 1);
  compare(3, (const unsigned[]){4, 4, 4}, true, 2, 14, 1);
  compare(2, (const unsigned[]){5, 4}, true, 6, 14, 1);
  compare(1, (const unsigned[]){11}, true, 3, 3, 1);
  compare(2, (const unsigned[]){2, 4}, true, 6, 8, 1); /* two links between neighbours */
  compare(4, (const unsigned[]){3, 2, 2, 3}, true, 2, 16, 1);
  compare(2, (const unsigned[]){5, 3}, false, 6, 8, 1);
  compare(3, (const unsigned[]){4, 3, 2}, false, 3, 12, 1);
  compare(3, (const unsigned[]){8, 8, 8}, true, 1, 14, 61);
  for (enum ut_plan_class c = UT_PLAN_ADAPTIVE; c < UT_PLAN_CLASSES; c++)
    if (!seen[c] && (c <= UT_PLAN_I2D || c >= UT_PLAN_NONE))
      fail_msg("no route of class %s was seen", ut_plan_class_name[c]);
}

/* ---- 16x16x16 nodes: plain walks */

/* What can be known from one node by walking all links. */
struct view {
  int hops[MAX_NODES];
  bool adaptive[MAX_NODES]; /* no fault on any minimal path */
};

static bool faulty[MAX_NODES][6];

static void look(const struct net *x, uint32_t from, struct view *view) {
  uint32_t queue[MAX_NODES], tail = 0;
  for (unsigned i = 0; i < MAX_NODES; i++)
    view->hops[i] = FAR, view->adaptive[i] = true;
  view->hops[queue[tail++] = from] = 0;
  for (uint32_t head = 0; head < tail; head++)
    for (unsigned port = 0; port < 6; port++) {
      const uint32_t next = x->topology.peer[queue[head] * x->topology.po + port].index;
      if (view->hops[next] == FAR)
        view->hops[queue[tail++] = next] = view->hops[queue[head]] + 1;
      if (view->hops[next] == view->hops[queue[head]] + 1)
        view->adaptive[next] &= view->adaptive[queue[head]] && !faulty[queue[head]][port];
    }
}

/* X, Y, Z, and on where both ways round are equally long. */
static bool det_works(const struct net *x, uint32_t at, uint32_t to) {
  for (unsigned d = 0; d < 3; d++)
    for (unsigned on; (on = ((to >> 4 * d) - (at >> 4 * d)) & 15);) {
      const unsigned port = 2 * d + (on > 8);
      if (faulty[at][port])
        return false;
      at = x->topology.peer[at * x->topology.po + port].index;
    }
  return true;
}

/* The class of I+D and its length, by corollary 1. */
static enum ut_plan_class true_class(const struct net *x, const struct view *s, const struct view *d, uint32_t from,
                                     uint32_t to, int *length) {
  int i_length = FAR, id_length = FAR;
  *length = s->hops[to];
  if (s->adaptive[to])
    return UT_PLAN_ADAPTIVE;
  for (uint32_t i = 0; i < MAX_NODES; i++) {
    const int sum = s->hops[i] + d->hops[i];
    if (sum < i_length && s->adaptive[i] && d->adaptive[i])
      i_length = sum;
    if (sum < id_length && det_works(x, from, i) && det_works(x, i, to))
      id_length = sum;
  }
  const enum ut_plan_class short_one = det_works(x, from, to) ? UT_PLAN_D : UT_PLAN_ID;
  if (i_length <= id_length)
    return *length = i_length, UT_PLAN_I;
  return *length = id_length, id_length == s->hops[to] ? short_one : UT_PLAN_ID;
}

static void routes_by_plain_walks(void **state) {
  (void)state;
  enum { PAIRS = 120, FAULTS = 14 };
  struct net x;
  struct ut_error e;
  uint32_t link[FAULTS];
  uint64_t random = 5;
  unsigned affected = 0;
  static struct view s, d;
  net_init(&x, 3, (const unsigned[]){16, 16, 16}, true);
  struct ut_pair_plan *plan = ut_pair_plan_new(&x.grid, ut_mechanisms_find("I+D"), &e);
  assert_non_null(plan);
  draw_faults(&x, &random, FAULTS, link);
  for (unsigned i = 0; i < FAULTS; i++) {
    const struct ut_link *l = &x.topology.link[link[i]];
    faulty[l->lower][l->lower_port] = faulty[l->upper][l->upper_port] = true;
  }
  assert_int_equal(ut_pair_plan_set_faults(plan, link, FAULTS, &e), 0);
  for (unsigned i = 0; i < PAIRS; i++) {
    const struct ut_link *l = &x.topology.link[link[i % FAULTS]]; /* every other pair is at a fault */
    const uint32_t from = i % 2 ? draw(&random, MAX_NODES) : l->lower;
    const uint32_t to = i % 2 ? draw(&random, MAX_NODES) : i % 4 ? l->upper : (l->upper + draw(&random, 3)) % MAX_NODES;
    struct ut_plan_route route;
    int length;
    look(&x, from, &s);
    look(&x, to, &d);
    const enum ut_plan_class class = true_class(&x, &s, &d, from, to, &length);
    ut_pair_plan_route(plan, from, to, &route);
    if (route.class != class || route.length != (unsigned)length)
      fail_msg("%u to %u: planned %s with %u hops, expected %s with %d", from, to, ut_plan_class_name[route.class],
               route.length, ut_plan_class_name[class], length);
    affected += class != UT_PLAN_ADAPTIVE;
    uint32_t at = from;
    for (unsigned p = 0; p < route.subpaths; at = route.subpath[p++].target) {
      look(&x, at, &s);
      assert_true(route.subpath[p].deterministic ? det_works(&x, at, route.subpath[p].target)
                                                 : s.adaptive[route.subpath[p].target]);
    }
    assert_int_equal(at, to);
  }
  assert_in_range(affected, PAIRS / 2, PAIRS - 1);
  ut_pair_plan_free(plan);
  net_free(&x);
}

/* ---- limits */

static void what_is_not_planned(void **state) {
  (void)state;
  struct net x;
  struct ut_error e;
  uint32_t link[65];
  for (uint32_t i = 0; i < 65; i++)
    link[i] = i;
  net_init(&x, 3, (const unsigned[]){16, 16, 16}, true);
  assert_null(ut_pair_plan_new(&x.grid, ut_mechanisms_find("I+M"), &e));
  assert_non_null(strstr(e.text, "4096 nodes, diameter 24: routes with misrouting"));
  for (unsigned order = 0; order < 2; order++) {
    const struct ut_mechanisms m = {"", 1, true, false, order};
    struct ut_pair_plan *plan = ut_pair_plan_new(&x.grid, &m, &e);
    const unsigned most = order ? 32 : 64;
    assert_non_null(plan);
    assert_int_equal(ut_pair_plan_set_faults(plan, link, most, &e), 0);
    assert_false(ut_pair_plan_one_way_works(plan, 0, 1)); /* link 0 */
    assert_int_equal(ut_pair_plan_set_faults(plan, link, most + 1, &e), -1);
    assert_non_null(strstr(e.text, order ? "33 faulty links" : "65 faulty links"));
    ut_pair_plan_free(plan);
  }
  net_free(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(routes_as_with_matrices), cmocka_unit_test(routes_by_plain_walks),
                                     cmocka_unit_test(what_is_not_planned)};
  return cmocka_run_group_tests_name("pair_plan", tests, NULL, NULL);
}
