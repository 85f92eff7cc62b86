/* SPDX-License-Identifier: Apache-2.0 */
/* places_slim_fly.c - places of a Slim Fly: its groups are rings; each half of them is a column, for all links between
 * groups lead from one half to the other.
 */
#include <math.h>

#include "places_rings.h"

static struct ut_spot spot(const struct ut_ring_plan *plan, const unsigned *number) {
  const unsigned q = plan->size[1];
  const double own = ut_ring_radius(plan->reach, q), row = 2 * (own + plan->reach), side = number[0] ? 1 : -1;
  const struct ut_ring ring = {
      .centre = {side * fmax(row * q * 0.42, row) * plan->stretch, ((q - 1) / 2.0 - number[1]) * row},
      .radius = own,
      .angle = M_PI / 2 + side * 2 * M_PI * plan->turn / q,
      .members = q};
  return ut_on_ring(&ring, number[2]);
}

bool ut_places_slim_fly(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  return ut_places_rings(places, topo, hops, spot);
}
