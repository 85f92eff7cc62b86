/* SPDX-License-Identifier: Apache-2.0 */
/* places_hyperx.c - places of a HyperX: small planes as such, long rows as rings; several of them stand on a circle. */
#include <math.h>

#include "places_rings.h"

enum { LARGEST_PLANE = 4 }; /* of nodes in a row or column */

/* Rows and columns are bent, so that a link along a row runs above the boxes between its ends, and one along a column
 * beside them. */
static struct ut_spot in_plane(const struct ut_ring_plan *plan, unsigned x, unsigned y) {
  const struct ut_cells *cells = &plan->cells;
  const double from_x = x - (plan->size[0] - 1) / 2.0, from_y = y - (plan->size[1] - 1) / 2.0;
  const double bend_y = plan->size[0] > 2 ? UT_BOX_HEIGHT / 2.0 + 9 : 0,
               bend_x = plan->size[1] > 2 ? cells->width / 2 + 9 : 0;
  const double column = (cells->width + 22) * plan->stretch + 0.35 * bend_x * plan->size[1],
               row = (cells->below + UT_BOX_HEIGHT) * plan->stretch + 16 + 0.35 * bend_y * plan->size[0];
  return (struct ut_spot){from_x * column - bend_x * from_y * from_y, from_y * row + bend_y * from_x * from_x};
}

static struct ut_spot spot(const struct ut_ring_plan *plan, const unsigned *number) {
  const bool flat = plan->numbers > 1 && plan->size[0] <= LARGEST_PLANE && plan->size[1] <= LARGEST_PLANE;
  const struct ut_ring row = {.radius = ut_ring_radius(plan->reach, plan->size[0]),
                              .angle = M_PI / 2 + 2 * M_PI * plan->turn / plan->size[0],
                              .members = plan->size[0]};
  const struct ut_spot at = flat ? in_plane(plan, number[0], number[1]) : ut_on_ring(&row, number[0]);
  unsigned units = 1, index = 0;
  for (unsigned d = plan->numbers; d-- > (flat ? 2 : 1);) {
    units *= plan->size[d];
    index = index * plan->size[d] + number[d];
  }
  const struct ut_spot corner = in_plane(plan, 0, 0), other = in_plane(plan, plan->size[0] - 1, plan->size[1] - 1);
  const double unit = flat ? hypot(corner.x - other.x, corner.y - other.y) / 2 : row.radius;
  const struct ut_ring all = {.radius = ut_ring_radius(unit + plan->reach, units) * plan->stretch,
                              .angle = M_PI / 2 + (flat ? 2 * M_PI * plan->turn / units : 0),
                              .members = units};
  const struct ut_spot centre = units > 1 ? ut_on_ring(&all, index) : (struct ut_spot){0, 0};
  return (struct ut_spot){at.x + centre.x, at.y + centre.y};
}

bool ut_places_hyperx(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  return ut_places_rings(places, topo, hops, spot);
}
