/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_example.h - packets that make the channels of a cycle wait for each other. */
#ifndef UT_FABRIC_EXAMPLE_H
#define UT_FABRIC_EXAMPLE_H

#include "fabric_map.h"
#include "fabric_routes.h"

/* Finds for each hop of the cycle a source and a destination whose packets hold this channel and ask for the next
 * one, and by which tables where there are old ones, too.  0, or -1 when out of memory. */
int ut_fabric_explain(struct ut_fabric_cycles *cycles, const struct ut_fabric *fabric, const struct ut_fabric_map *map);

#endif
