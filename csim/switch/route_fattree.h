/* SPDX-License-Identifier: Apache-2.0 */
/* route_fattree.h - the code that forwarding tables in fat trees (route_table.c) share with the other algorithms
 * there. */
#ifndef UT_ROUTE_FATTREE_H
#define UT_ROUTE_FATTREE_H

#include "route_unit.h"

/* Returns the up ports that a U-turn of a packet from port `from` avoids: `from` and those of the re-route vector; with
 * strap `repair` only while their switch reports a fault (docs/explanation/reroute_vector.md). */
UT_INLINE ut_mask ut_tree_avoided(const struct ut_switch *sw, ut_mask from) {
  return (sw->vector | from) & (sw->stage.repair ? sw->neighbour : ~(ut_mask)0);
}

bool ut_tree_prepare(struct ut_group *group);
void ut_tree_strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps);
const char *ut_tree_rule(const struct ut_shape *shape);

#endif
