/* SPDX-License-Identifier: Apache-2.0 */
/* distance.h - the number of links between switches on the shortest path, by a search through the network. */
#ifndef UT_DISTANCE_H
#define UT_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "mask.h"
#include "topology.h"

#define UT_NO_WAY UINT16_MAX

/* Computes the distances from one switch to every other, [switches].  up: output ports with a working link, by switch;
 * NULL: all of them.  Returns false when out of memory. */
bool ut_distances(const struct ut_topology *topo, const ut_mask *up, uint32_t from, uint16_t *distance);

/* The same from the nearest one of all switches whose distance is 0 before; that of the others is UT_NO_WAY then.
 * queue: room for all switches. */
void ut_distances_spread(const struct ut_topology *topo, const ut_mask *up, uint32_t *queue, uint16_t *distance);

#endif
