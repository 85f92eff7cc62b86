/* SPDX-License-Identifier: Apache-2.0 */
/* drawing.h - a network as a picture.  Faults are red and dashed, the hops of a packet bold and numbered, one colour
 * for each VC; or the loads of the links are width and colour.  Every place is computed in places.h; Graphviz (`neato
 * -n2`) only draws.
 */
#ifndef UT_DRAWING_H
#define UT_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"
#include "node_model.h"
#include "outages.h"
#include "topology.h"

/* More is a carpet. */
enum { UT_MAX_DRAWN_TERMINALS = 4096 };

/* A packet leaves a switch through an output VC. */
struct ut_drawn_hop {
  uint32_t sw;
  uint8_t port, vc;
  bool marked;   /* this switch is to stand out: see mark below */
  bool away;     /* it leads no nearer to the destination */
  bool lost;     /* on the link behind it */
  char note[48]; /* in the switch, below its name; may be empty */
};

struct ut_drawing {
  const struct ut_topology *topology;
  const struct ut_outage *outage; /* what is marked as faulty */
  size_t outages;
  const struct ut_drawn_hop *hop; /* numbered from 1 */
  size_t hops;
  uint32_t source, destination; /* terminals to mark; UINT32_MAX: none */
  bool injected;                /* the path from the source into its switch is drawn, too, */
  unsigned injection;           /* ... over this one of its links */
  uint32_t end;                 /* switch where the packet ends; UINT32_MAX: none */
  const char *end_text;         /* why; NULL: "discarded" */
  const char *mark;             /* what the marked switches are: "U-turn switch" */
  unsigned vcs;
  const uint8_t *state; /* [switches]: enum ut_node_state, or NULL: there are none */
  const double *load;   /* [switches * po]: flits per cycle sent through each output port, or NULL */
  const char *caption;  /* lines */
};

/* Graphviz input, for `neato -n2`. */
void ut_drawing_dot(const struct ut_drawing *drawing, FILE *f);
/* Calls Graphviz.  Returns -1 and fills *e if the network is too large, the file cannot be written (nothing is left of
 * it then), or Graphviz is missing. */
int ut_drawing_svg(const struct ut_drawing *drawing, const char *path, struct ut_error *e);
/* Checks only whether the network can be drawn at all, before a long run. */
int ut_drawing_check(const struct ut_topology *topo, struct ut_error *e);

#endif
