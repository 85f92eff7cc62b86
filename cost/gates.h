/* SPDX-License-Identifier: Apache-2.0 */
/* gates.h - a mapped netlist in Verilog as Yosys writes it, flat: its cells, their connections, and all names.
 *
 * The nets are numbered in the order in which pins of cells name them, so that the simulator of the netlist and the
 * code that knows its cells use the same numbers.
 */
#ifndef UT_GATES_H
#define UT_GATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define UT_GATE_CONSTANT UINT32_MAX /* in place of a net */

struct ut_gate_pin {
  const char *name;
  uint32_t net;
  bool one; /* the value of a constant; an unconnected input is 0 */
};

struct ut_gate {
  const char *type, *name;
  const char *block; /* its attribute UT_BLOCK_ATTRIBUTE; NULL: it has none */
  size_t pin, pins;  /* the first one in ut_gates.pin[] */
};

struct ut_gate_net {
  char *name;       /* of one bit, as in the file */
  unsigned outputs; /* bits of output ports that it drives */
};

/* A wire or a port.  Its bits are the nets that cells drive or read there, whatever names lie between; UT_GATE_CONSTANT
 * for bits that no cell names. */
enum ut_gate_kind { UT_GATE_WIRE, UT_GATE_INPUT, UT_GATE_OUTPUT };
struct ut_gate_bit {
  uint32_t net;
  uint32_t bit; /* the bit in ut_gates.bit[] that all these names stand for: of an input, if it drives the net */
  bool one;     /* the value of a constant */
};
struct ut_gate_name {
  const char *name;   /* as in the file, not ended */
  size_t length, bit; /* bit: number 0 in ut_gates.bit[] */
  unsigned width;
  enum ut_gate_kind kind;
};

struct ut_gates {
  char *text; /* names of cells, pins and wires lie in it */
  struct ut_gate *gate;
  struct ut_gate_pin *pin;
  struct ut_gate_net *net;
  struct ut_gate_name *name;
  struct ut_gate_bit *bit;
  size_t gates, pins, nets, names, bits;
};

/* Reads a netlist of one module; `path` is for messages.  Returns 0, or -1 after filling *e; free in both cases. */
int ut_gates_read(struct ut_gates *gates, const char *text, const char *path, struct ut_error *e);
void ut_gates_free(struct ut_gates *gates);

/* Returns a port or a wire; NULL: synthesis has removed it. */
const struct ut_gate_name *ut_gates_name(const struct ut_gates *gates, const char *name);

#endif
