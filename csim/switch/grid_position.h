/* SPDX-License-Identifier: Apache-2.0 */
/* grid_position.h - the common part of routing in tori and meshes: sizes, coordinates, minimal directions.  Twins:
 * rtl/ut_grid_position.v, rtl/ut_grid_links.v
 */
#ifndef UT_GRID_POSITION_H
#define UT_GRID_POSITION_H

#include "switch.h"

/* Returns the rule on sizes and ports that a shape breaks, like ut_shape_rule(). */
const char *ut_grid_rule(const struct ut_shape *shape);

/* Computes the coordinates of all terminals, and the minimal directions by the difference of coordinates.  Returns
 * false when out of memory. */
bool ut_grid_prepare(struct ut_group *group, bool wrap);

/* Returns the ports that have a link, of the switch at those coordinates: a mesh ends at its borders. */
ut_mask ut_grid_links(const struct ut_shape *shape, const uint8_t *place, bool wrap);

/* Coordinates from the straps. */
void ut_grid_strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps);

/* Returns the ports of a terminal, any of which will do at its node. */
UT_INLINE ut_mask ut_grid_exits(const struct ut_group *group, const struct ut_position *to) {
  return ut_mask_all(group->shape.links) << (2 * group->dimensions + to->terminal * group->shape.links);
}

/* Returns the minimal directions as ports, 0 at the destination's node; both directions of a ring if both are
 * minimal. */
UT_INLINE ut_mask ut_grid_minimal(const struct ut_group *group, const struct ut_switch *sw,
                                  const struct ut_position *to) {
  ut_mask ports = 0;
  for (unsigned d = 0; d < group->dimensions; d++)
    ports |= group->lookup.toward[d][256 + to->at[d] - sw->place[d]];
  return ports;
}

#endif
