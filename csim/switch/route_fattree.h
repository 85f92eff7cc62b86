/* SPDX-License-Identifier: Apache-2.0 */
/* route_fattree.h - the code that forwarding tables in fat trees (route_table.c) share with the other algorithms
 * there. */
#ifndef UT_ROUTE_FATTREE_H
#define UT_ROUTE_FATTREE_H

#include "route_unit.h"

bool ut_tree_prepare(struct ut_group *group);
void ut_tree_strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps);
const char *ut_tree_rule(const struct ut_shape *shape);

#endif
