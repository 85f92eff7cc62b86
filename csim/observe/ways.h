/* ways.h - what a topology's ports are to those who look at packets: ways between levels, or directions of a grid. */
#ifndef UT_WAYS_H
#define UT_WAYS_H

#include "topology.h"

/* Links lead up and down between levels; else in the directions of coordinates. */
static inline bool ut_levelled(const struct ut_topology *t) {
  return t->up_ports != 0;
}

/* Switches where a packet may turn: it comes from above and goes up again. */
static inline bool ut_can_turn(const struct ut_topology *t) {
  return t->up_ports != 0;
}

/* Where an output port leads: "up", "down", "+x", "local 0"; returns text. */
const char *ut_way_text(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]);

#endif
