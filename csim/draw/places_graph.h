/* SPDX-License-Identifier: Apache-2.0 */
/* places_graph.h - what pictures of graphs share: a switch with its terminals below it is a cell; links are straight.
 *
 * A function of places takes the measures, sets the centres of all switches, and lets ut_places_cells() do the rest.
 */
#ifndef UT_PLACES_GRAPH_H
#define UT_PLACES_GRAPH_H

#include "places.h"

/* Around the centre of a switch: its box, and the room of its terminals below or above. */
struct ut_cells {
  double width, above,
      below;        /* of the widest cell: from the centre up, and down, as far for terminals on either side */
  double drop;      /* from the box to its first terminals */
  unsigned row;     /* terminals side by side */
  uint32_t *number; /* [terminals]: which of its switch's terminals it is */
  uint32_t *home;   /* [terminals]: its switch, where it injects */
  bool *up;         /* [switches]: its terminals stand above it */
};

/* Sets the width of the boxes, which follows from the names, too.  false: out of memory. */
bool ut_cells_measure(struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo, bool hops);
void ut_cells_free(struct ut_cells *cells);

/* Terminals of a switch whose links lead down rather than up stand above it. */
void ut_cells_turn(const struct ut_cells *cells, const struct ut_places *places, const struct ut_topology *topo);
/* Terminals hang below their switches, or stand above them; a terminal that receives from another switch has its number
 * there. */
void ut_cells_hang(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo);
/* Links are straight from box to box, parallel ones side by side.  false: out of memory. */
bool ut_cells_join(struct ut_places *places, const struct ut_topology *topo);
/* The bounds of the picture. */
void ut_cells_bound(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo);
/* All three. */
bool ut_places_cells(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo);

/* How many boxes there are behind which a link runs that is not theirs: each pair of a box and a link once. */
size_t ut_cells_hits(const struct ut_places *places, const struct ut_topology *topo);

/* Moves switches apart until no cell lies on another one, and, as far as that can be had, no link on a third box. */
void ut_cells_part(const struct ut_cells *cells, struct ut_places *places, const struct ut_topology *topo);

/* The levels of a network whose links lead from one level to the next, those with terminals at the bottom: level[] of
 * each switch.  Returns how many there are; 0: there are no such levels. */
unsigned ut_places_find_levels(const struct ut_topology *topo, unsigned *level);
/* Sets all places of such a network.  order: seeks an order of each level with few crossings of links. */
bool ut_places_levels(struct ut_places *places, const struct ut_topology *topo, bool hops, const unsigned *level,
                      unsigned levels, bool order);

#endif
