/* SPDX-License-Identifier: Apache-2.0 */
/* places_dragonfly.c - places of a dragonfly: its groups are rings, which stand on a circle. */
#include <math.h>

#include "places_rings.h"

static struct ut_spot spot(const struct ut_ring_plan *plan, const unsigned *number) {
  const unsigned groups = plan->size[0], members = plan->size[1];
  const double own = ut_ring_radius(plan->reach, members), angle = 2 * M_PI * number[0] / groups + M_PI / 2;
  const double all = ut_ring_radius(own + plan->reach, groups) * plan->stretch;
  /* the first links lead to the next groups, so the middle of the ring's numbers looks to the centre */
  const struct ut_ring ring = {.centre = {all * cos(angle), all * sin(angle)},
                               .radius = own,
                               .angle = angle + M_PI - M_PI * (members - 1 - 2 * plan->turn) / members,
                               .members = members};
  return ut_on_ring(&ring, number[1]);
}

bool ut_places_dragonfly(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  return ut_places_rings(places, topo, hops, spot);
}
