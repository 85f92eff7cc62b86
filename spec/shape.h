/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - the elaboration parameters of a switch: struct ut_shape, with the names of the parameters of
 * rtl/ut_switch.v.
 *
 * It depends on no other file.  parameters.h is generated from rtl/parameters.tsv.  ONE Verilated class and ONE shape
 * serve all switches of an elaboration, mostly those of a whole network; the differences between them arrive through
 * the straps.
 */
#ifndef UT_SHAPE_H
#define UT_SHAPE_H

#include <stdint.h>

#include "parameters.h"

enum {
  UT_MAX_FLIT_WORDS = UT_MAX_FLIT_BITS / 64,
  UT_MAX_DIMENSIONS = sizeof((struct ut_shape *)0)->size / sizeof(unsigned)
};
enum { UT_VCT = UT_SWITCHING_VCT, UT_WORMHOLE = UT_SWITCHING_WORMHOLE };

/* Deep buffers are most of a switch, and few of their places hold a flit.  Up to this depth lockstep compares all
 * places in every cycle; of deeper buffers it compares the places that hold flits, and this many empty places of one
 * buffer, in turn. The contents of an empty place have no effect before it is overwritten, because pointers and counts
 * are compared in every cycle.  Simple gates replace the deeper ones by memories (cost/simple_gates.h). */
enum { UT_WHOLE_BUFFER = 8 };

/* The same of forwarding tables: up to this many entries are compared in every cycle; of larger tables the entry that
 * was written, and this many others, in turn. */
enum { UT_WHOLE_TABLE = 512 };

/* Cycles that a head takes through an idle switch: from its arrival until it is on the wire behind it. */
static inline unsigned ut_shape_hop(const struct ut_shape *shape) {
  return 2 + shape->route_cycles + shape->alloc_cycles - 1 + shape->xbar_cycles + (shape->output_depth > 0);
}

#endif
