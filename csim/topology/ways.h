/* SPDX-License-Identifier: Apache-2.0 */
/* ways.h - what a topology's links are to those who look at packets. */
#ifndef UT_WAYS_H
#define UT_WAYS_H

#include "topology.h"

/* Links lead from level to level; else in the directions of coordinates. */
static inline bool ut_levelled(const struct ut_topology *topo) {
  return topo->up_ports || topo->levels > 1;
}

/* A packet may turn: it comes from above and goes up again. */
static inline bool ut_can_turn(const struct ut_topology *topo) {
  return topo->up_ports != 0;
}

#endif
