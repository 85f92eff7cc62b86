/* drawing.h - a network as a picture in the manner of the papers: levels as rows, faults red and dashed, the way of a
 * packet in bold with numbered hops.  Laid out here, drawn by Graphviz. */
#ifndef UT_DRAWING_H
#define UT_DRAWING_H

#include <stdio.h>

#include "counter_example.h"

/* A hop to be marked. */
struct ut_drawn_hop {
  uint32_t sw;
  uint8_t port, vc; /* output VC */
  bool u_turn;      /* the switch is a U-turn switch of this packet */
  bool last;        /* no hop: the walk ends here */
};

struct ut_drawing {
  const struct ut_topology *topology;
  const struct ut_fault_set *faults; /* or NULL */
  const struct ut_counter_example *example; /* or NULL */
};

void ut_drawing_add(struct ut_drawing *d, const struct ut_counter_example *c);
/* Graphviz input, for `neato -n2`. */
void ut_drawing_dot(const struct ut_drawing *d, FILE *f);
/* Calls Graphviz.  -1 and *e when the file cannot be written or Graphviz is missing. */
int ut_drawing_svg(const struct ut_drawing *d, const char *path, struct ut_error *e);

#endif
