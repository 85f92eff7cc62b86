/* SPDX-License-Identifier: Apache-2.0 */
/* ways.h - properties of a topology's links for observers of packets. */
#ifndef UT_WAYS_H
#define UT_WAYS_H

#include "topology.h"

/* Returns whether links lead from level to level; otherwise they lead in the directions of coordinates. */
static inline bool ut_levelled(const struct ut_topology *topo) {
  return topo->up_ports || topo->levels > 1;
}

/* Returns whether switches have coordinates: those of networks from files have names in their place. */
static inline bool ut_has_coordinates(const struct ut_topology *topo) {
  return !ut_levelled(topo) && !topo->switch_label;
}

/* Returns whether a packet may turn: it comes from above and goes up again. */
static inline bool ut_can_turn(const struct ut_topology *topo) {
  return topo->up_ports != 0;
}

#endif
