/* SPDX-License-Identifier: Apache-2.0 */
/* places_rings.h - places of networks whose switches are groups with numbers in their names: each group is a ring. */
#ifndef UT_PLACES_RINGS_H
#define UT_PLACES_RINGS_H

#include "places_graph.h"

enum { UT_MOST_NUMBERS = 16 };

/* A group of switches on a ring around a centre; the first one at an angle, the next ones against the clock. */
struct ut_ring {
  struct ut_spot centre;
  double radius, angle;
  unsigned members;
};

/* What the places of a network's switches follow from. */
struct ut_ring_plan {
  const struct ut_topology *topo;
  struct ut_places *places;
  struct ut_cells cells;
  unsigned size[UT_MOST_NUMBERS], numbers; /* of the names: values of each number, how many numbers */
  double reach;                            /* from the centre of a cell to its corner, with a gap */
  /* What is chosen so that few links run behind boxes: how far rings are turned, in parts of the angle between two
   * members, and how much the picture is wider than need be. */
  double turn, stretch;
};

struct ut_spot ut_on_ring(const struct ut_ring *ring, unsigned member);
/* The radius of a ring on which so many members do not overlap, each of which reaches so far from its centre. */
double ut_ring_radius(double reach, unsigned members);

/* The place of the switch with these numbers. */
typedef struct ut_spot ut_ring_spot(const struct ut_ring_plan *plan, const unsigned *number);
/* Sets all places.  false: out of memory. */
bool ut_places_rings(struct ut_places *places, const struct ut_topology *topo, bool hops, ut_ring_spot *spot);

#endif
