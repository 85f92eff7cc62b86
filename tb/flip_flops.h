/* SPDX-License-Identifier: Apache-2.0 */
/* flip_flops.h - the flip-flops of a netlist by what they are for. */
#ifndef UT_FLIP_FLOPS_H
#define UT_FLIP_FLOPS_H

#include "circuit.h"

enum ut_flip_flop_class {
  UT_FLIP_DATA,       /* words of flits, in buffers and output registers */
  UT_FLIP_KIND,       /* what the flits are: head, tail, bad, VC, and that there is one on the wire */
  UT_FLIP_BUFFER,     /* positions and counts of buffers */
  UT_FLIP_STATE,      /* what an input VC is about */
  UT_FLIP_CANDIDATES, /* where its packet may go, or goes; its rewritten header */
  UT_FLIP_CREDITS,
  UT_FLIP_OWNERS, /* of output VCs */
  UT_FLIP_ARBITERS,
  UT_FLIP_REROUTE, /* what a switch knows of faults: re-route vector, states of nodes, links that are up */
  UT_FLIP_STRAPS,
  UT_FLIP_REST, /* error_q among them */
  UT_FLIP_CLASSES
};

struct ut_flip_flop {
  char name[80]; /* of its register, with the bit */
  enum ut_flip_flop_class class;
};

/* "data", "buffer_control", ... */
const char *ut_flip_flop_class_name(enum ut_flip_flop_class class);

/* All of a circuit, by their numbers; to be freed.  NULL: out of memory. */
struct ut_flip_flop *ut_flip_flops_of(const struct ut_circuit *circuit);

#endif
