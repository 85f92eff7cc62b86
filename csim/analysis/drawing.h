/* drawing.h - a network as a picture in the manner of the papers: levels as rows, faults red and dashed, the hops of a
 * packet bold and numbered, one colour for each VC.  Every place is computed here; Graphviz (`neato -n2`) only draws.
 */
#ifndef UT_DRAWING_H
#define UT_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"
#include "fault_sets.h"
#include "topology.h"

/* A packet leaves a switch through an output VC. */
struct ut_drawn_hop {
  uint32_t sw;
  uint8_t port, vc;
  bool u_turn;   /* this switch is a U-turn switch of the packet */
  char note[48]; /* beside the switch; may be empty */
};

struct ut_drawing {
  const struct ut_topology *topology;
  const struct ut_fault_set *faults; /* or NULL */
  const struct ut_drawn_hop *hop;    /* numbered from 1 */
  size_t hops;
  uint32_t source, destination; /* terminals to mark; UINT32_MAX: none */
  uint32_t end;                 /* switch where the packet is discarded; UINT32_MAX: none */
  unsigned vcs;
  const char *caption;
};

/* Graphviz input, for `neato -n2`. */
void ut_drawing_dot(const struct ut_drawing *d, FILE *f);
/* Calls Graphviz.  -1 and *e when the file cannot be written or Graphviz is missing. */
int ut_drawing_svg(const struct ut_drawing *d, const char *path, struct ut_error *e);

#endif
