/* SPDX-License-Identifier: Apache-2.0 */
/* places_rings.c - see places_rings.h */
#include "places_rings.h"

#include <math.h>
#include <stdlib.h>

enum { TURNS = 6, STRETCHES = 3 };
static const double most_work = 4e6;

struct ut_spot ut_on_ring(const struct ut_ring *ring, unsigned member) {
  const double angle = ring->angle + 2 * M_PI * member / ring->members;
  return (struct ut_spot){ring->centre.x + ring->radius * cos(angle), ring->centre.y + ring->radius * sin(angle)};
}

double ut_ring_radius(double reach, unsigned members) {
  return members < 2 ? 0 : reach * fmax(1.1, 1 / sin(M_PI / members));
}

/* How many numbers the names have, and how many values each of them takes. */
static void find_sizes(struct ut_ring_plan *plan) {
  unsigned number[UT_MOST_NUMBERS];
  for (unsigned d = 0; d < UT_MOST_NUMBERS; d++)
    plan->size[d] = 1;
  for (uint32_t sw = 0; sw < plan->topo->switches; sw++) {
    plan->numbers = ut_topology_name_numbers(plan->topo, sw, number, UT_MOST_NUMBERS);
    for (unsigned d = 0; d < plan->numbers; d++)
      plan->size[d] = number[d] >= plan->size[d] ? number[d] + 1 : plan->size[d];
  }
}

static void put_all(struct ut_ring_plan *plan, ut_ring_spot *spot) {
  unsigned number[UT_MOST_NUMBERS] = {0};
  for (uint32_t sw = 0; sw < plan->topo->switches; sw++) {
    ut_topology_name_numbers(plan->topo, sw, number, UT_MOST_NUMBERS);
    plan->places->sw[sw] = spot(plan, number);
  }
}

/* Takes the first of the turns and widths with the fewest links behind boxes. */
static void choose(struct ut_ring_plan *plan, ut_ring_spot *spot) {
  const double work = (double)plan->topo->links * plan->topo->switches;
  size_t fewest = SIZE_MAX;
  double turn = 0, stretch = 1;
  for (unsigned i = 0; i < TURNS * STRETCHES && fewest && work < most_work; i++) {
    plan->turn = (double)(i % TURNS) / TURNS;
    plan->stretch = 1 + 0.2 * (i / TURNS);
    put_all(plan, spot);
    const size_t hits = ut_cells_hits(plan->places, plan->topo);
    if (hits < fewest) {
      fewest = hits;
      turn = plan->turn;
      stretch = plan->stretch;
    }
  }
  plan->turn = turn;
  plan->stretch = stretch;
  put_all(plan, spot);
}

bool ut_places_rings(struct ut_places *places, const struct ut_topology *topo, bool hops, ut_ring_spot *spot) {
  struct ut_ring_plan plan = {.topo = topo, .places = places};
  if (!ut_cells_measure(&plan.cells, places, topo, hops))
    return false;
  plan.reach = hypot(plan.cells.width, plan.cells.above + plan.cells.below) / 2 + 4;
  find_sizes(&plan);
  choose(&plan, spot);
  const bool ok = ut_places_cells(&plan.cells, places, topo);
  ut_cells_free(&plan.cells);
  return ok;
}
