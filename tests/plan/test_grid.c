/* SPDX-License-Identifier: Apache-2.0 */
/* test_grid.c - the grid of the planner against coordinates: neighbours, links, minimal paths, the largest distance. */
#include "grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "topologies.h"

static const struct {
  unsigned dimensions, size[UT_MAX_DIMENSIONS];
  bool wrap;
} grids[] = {
    {1, {2}, true},        {1, {3}, true},        {1, {8}, true},           {1, {9}, true},
    {2, {2, 2}, true},     {2, {2, 5}, true},     {2, {4, 3}, true},        {2, {6, 4}, true},
    {3, {3, 4, 5}, true},  {3, {4, 2, 4}, true},  {3, {4, 4, 4}, true},     {1, {2}, false},
    {1, {7}, false},       {2, {2, 2}, false},    {2, {5, 3}, false},       {2, {3, 5}, false},
    {3, {2, 3, 4}, false}, {3, {4, 3, 2}, false}, {4, {3, 2, 2, 3}, false}, {4, {3, 3, 2, 3}, true},
};

static unsigned coordinate(const struct ut_grid *g, uint32_t node, unsigned d) {
  for (unsigned i = 0; i < d; i++)
    node /= g->size[i];
  return node % g->size[d];
}

/* UT_GRID_NONE beyond a border. */
static uint32_t neighbour(const struct ut_grid *g, uint32_t node, unsigned direction) {
  const unsigned d = direction / 2, k = g->size[d], here = coordinate(g, node, d);
  uint32_t step = 1;
  for (unsigned i = 0; i < d; i++)
    step *= g->size[i];
  if (!g->wrap && here == (direction % 2 ? 0 : k - 1))
    return UT_GRID_NONE;
  return node - here * step + (here + (direction % 2 ? k - 1 : 1)) % k * step;
}

/* Hops in that direction alone until the coordinate is that of the other node. */
static unsigned hops(const struct ut_grid *g, uint32_t from, uint32_t to, unsigned direction) {
  unsigned count = 0;
  for (; from != UT_GRID_NONE && coordinate(g, from, direction / 2) != coordinate(g, to, direction / 2); count++)
    from = neighbour(g, from, direction);
  return from == UT_GRID_NONE ? 1000 : count;
}

static void check_links(const struct ut_grid *g, const struct ut_topology *t) {
  unsigned ends = 0;
  assert_true(g->nodes == t->switches && g->links == t->links && g->directions == 2 * g->dimensions);
  for (uint32_t n = 0; n < g->nodes; n++)
    for (unsigned p = 0; p < g->directions; p++) {
      const uint32_t at = n * g->directions + p, next = neighbour(g, n, p), link = g->link[at];
      assert_int_equal(g->next[at], next);
      assert_int_equal(link == UT_GRID_NONE, next == UT_GRID_NONE);
      if (link == UT_GRID_NONE)
        continue;
      assert_true(link < g->links);
      const uint32_t *end = g->end[link];
      assert_true(end[0] == at || end[1] == at);
      assert_int_equal(end[0] == at ? end[1] : end[0], next * g->directions + (p ^ 1));
      assert_true(t->link[link].lower * g->directions + t->link[link].lower_port == end[0]);
      ends++;
    }
  assert_int_equal(ends, 2 * g->links);
}

/* The shorter way round of each dimension; of a tie both. */
static void check_ways(const struct ut_grid *g, uint32_t from, uint32_t to, unsigned *farthest) {
  unsigned distance = 0, mask = 0, first[2] = {g->directions, g->directions};
  for (unsigned p = 0; p < g->directions; p += 2) {
    const unsigned plus = hops(g, from, to, p), minus = hops(g, from, to, p + 1);
    distance += plus < minus ? plus : minus;
    mask |= (plus && plus <= minus ? 1u : 0) << p | (minus && minus <= plus ? 2u : 0) << p;
  }
  for (unsigned p = g->directions; p-- > 0;)
    first[0] = mask >> p & 1 ? p : first[0];
  for (unsigned minus = 2; minus-- > 0;)
    for (unsigned d = g->dimensions; d-- > 0;)
      first[1] = mask >> (2 * d + minus) & 1 ? 2 * d + minus : first[1];
  assert_int_equal(ut_grid_distance(g, from, to), distance);
  assert_int_equal(ut_grid_profitable(g, from, to), mask);
  assert_int_equal(ut_grid_first(g, from, to, false), first[0]);
  assert_int_equal(ut_grid_first(g, from, to, true), first[1]);
  *farthest = distance > *farthest ? distance : *farthest;
}

static void grids_are_as_their_coordinates(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof grids / sizeof *grids; i++)
    for (unsigned local = 1; local <= 2; local++) { /* ports of terminals are no directions */
      struct ut_topology t;
      struct ut_grid g;
      struct ut_error e;
      unsigned farthest = 0, x[UT_MAX_DIMENSIONS];
      assert_int_equal(test_grid(&t, grids[i].size, grids[i].dimensions, local, grids[i].wrap, &e), 0);
      assert_int_equal(ut_grid_init(&g, &t, &e), 0);
      assert_int_equal(g.dimensions, grids[i].dimensions);
      assert_int_equal(g.wrap, grids[i].wrap);
      for (unsigned d = 0; d < UT_MAX_DIMENSIONS; d++)
        assert_int_equal(g.size[d], d < g.dimensions ? grids[i].size[d] : 0);
      check_links(&g, &t);
      for (uint32_t from = 0; from < g.nodes; from++) {
        ut_grid_coordinates(&g, from, x);
        for (unsigned d = 0; d < g.dimensions; d++)
          assert_int_equal(x[d], coordinate(&g, from, d));
        assert_int_equal(ut_grid_node(&g, x), from);
        for (uint32_t to = 0; to < g.nodes; to++)
          check_ways(&g, from, to, &farthest);
      }
      assert_int_equal(g.diameter, farthest);
      ut_grid_free(&g);
      assert_true(!g.next && !g.link && !g.end && !g.nodes);
      ut_topology_free(&t);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grids_are_as_their_coordinates)};
  return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
