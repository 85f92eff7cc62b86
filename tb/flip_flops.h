/* SPDX-License-Identifier: Apache-2.0 */
/* flip_flops.h - classifies the flip-flops of a netlist by their purpose. */
#ifndef UT_FLIP_FLOPS_H
#define UT_FLIP_FLOPS_H

#include "circuit.h"

enum ut_flip_flop_class {
  UT_FLIP_DATA,       /* words of flits, in buffers and output registers */
  UT_FLIP_KIND,       /* flit control: head, tail, bad, VC, and the valid bits on wires */
  UT_FLIP_BUFFER,     /* positions and counts of buffers */
  UT_FLIP_STATE,      /* state of an input VC */
  UT_FLIP_CANDIDATES, /* route of its packet: candidates, output VC, rewritten header */
  UT_FLIP_CREDITS,
  UT_FLIP_OWNERS, /* of output VCs */
  UT_FLIP_ARBITERS,
  UT_FLIP_REROUTE, /* fault state of a switch: re-route vector, node states, link states */
  UT_FLIP_STRAPS,
  UT_FLIP_REST, /* other registers, error_q among them */
  UT_FLIP_CLASSES
};

struct ut_flip_flop {
  char name[80]; /* name of its register, with the bit */
  enum ut_flip_flop_class class;
};

/* "data", "buffer_control", ... */
const char *ut_flip_flop_class_name(enum ut_flip_flop_class class);

/* Classifies all flip-flops of a circuit, by their numbers; to be freed.  NULL: out of memory. */
struct ut_flip_flop *ut_flip_flops_of(const struct ut_circuit *circuit);

#endif
