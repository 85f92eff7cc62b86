/* SPDX-License-Identifier: Apache-2.0 */
/* distance.h - links between switches on the shortest way, by a search through the network. */
#ifndef UT_DISTANCE_H
#define UT_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "mask.h"
#include "topology.h"

#define UT_NO_WAY UINT16_MAX

/* From one switch to every other, [switches].  up: output ports with a link that works, by switch; NULL: all of them.
 * false: out of memory. */
bool ut_distances(const struct ut_topology *topo, const ut_mask *up, uint32_t from, uint16_t *distance);

#endif
