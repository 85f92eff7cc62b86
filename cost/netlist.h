/* SPDX-License-Identifier: Apache-2.0 */
/* netlist.h - the contents of a netlist that Yosys wrote as JSON: cells, registers and their purposes, memories, and
 * the crosspoints that really exist.
 */
#ifndef UT_NETLIST_H
#define UT_NETLIST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "liberty.h"
#include "shape.h"

/* The purpose of a flip-flop, by the name of its register. */
enum ut_state {
  UT_STATE_INPUT_BUFFER,    /* flits of an input VC */
  UT_STATE_OUTPUT_QUEUE,    /* flits of an output VC */
  UT_STATE_OUTPUT_REGISTER, /* the flit of an output register */
  UT_STATE_CONTROL,
  UT_STATE_TABLE,   /* forwarding tables */
  UT_STATE_REROUTE, /* only needed to find paths around faults */
  UT_STATES
};

/* `name`: a register of the RTL as a netlist calls it, or the output port that shows it; `bit` of it. */
enum ut_state ut_state_of(const char *name, unsigned bit, const struct ut_shape *shape);

struct ut_counts {
  uint64_t cells;
  double area;
  uint64_t flip_flops[UT_STATES], memory_bits[UT_STATES];
  uint64_t *kind; /* [cells of the library] */
};

/* The module of that name in what write_json wrote; NULL: there is none. */
json_t *ut_netlist_module(json_t *design, const char *name);
/* The name of each net's bit in a module, that of a register where it has one. */
struct ut_net_name {
  const char *name; /* of the module's JSON; NULL: it has none that is not hidden */
  unsigned index, width;
};
/* [*bits], by the bit's number; free() it.  NULL: out of memory. */
struct ut_net_name *ut_netlist_names(json_t *module, size_t *bits);
/* The number of a net's bit, 0 for a constant. */
size_t ut_netlist_bit(const json_t *bit);

/* Counts the cells of the library and the memories of one module; cells of other kinds are not looked at.  instance:
 * how the RTL calls the module where it is used, which stands before the names of registers; "": the switch itself.
 * counts->kind has room.  Returns 0, or -1 after filling *e. */
int ut_netlist_count(json_t *module, const char *instance, const struct ut_liberty *liberty,
                     const struct ut_shape *shape, struct ut_counts *counts, struct ut_error *e);

/* The pairs (input of the crossbar, output port) of the flat netlist with a way for a flit's bits from the input's
 * buffer to the output register, through output queues where there are any.  Returns the number, or -1 after filling
 * *e. */
int ut_netlist_crosspoints(json_t *module, const struct ut_liberty *liberty, const struct ut_shape *shape,
                           struct ut_error *e);

#endif
