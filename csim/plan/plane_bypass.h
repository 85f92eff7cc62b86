/* SPDX-License-Identifier: Apache-2.0 */
/* plane_bypass.h - the rival of INTERMEDIATE section 5.3, fault tolerance as in the BlueGene/L: planes of nodes are
 * switched off until they hold all faults, and their links bridged, so that a smaller torus without faults remains.
 */
#ifndef UT_PLANE_BYPASS_H
#define UT_PLANE_BYPASS_H

#include "error.h"

struct ut_scenario;

/* Carries out routing.plane_bypass; nothing to do for scenarios without it.  Planes are chosen for the links,
 * those of terminals too, and switches that are down in cycle 0, always the one next that covers most of what is left
 * for each node that it takes, then the one with fewest nodes, then the lowest dimension and coordinate.  Takes the
 * planes out of scenario->topology and its network, the faults out of scenario->faults, and says in
 * scenario->bypass what it did. -1 and *e (UT_BAD_INPUT): no torus would be left, or memory ran out. */
int ut_bypass_planes(struct ut_scenario *scenario, struct ut_error *e);

#endif
