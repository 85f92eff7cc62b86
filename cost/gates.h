/* gates.h - a mapped netlist as Yosys writes it in Verilog, flat: its cells, who is connected to whom.
 *
 * The nets are numbered in the order in which pins of cells name them: so who simulates the netlist and who knows its
 * cells speak of the same nets.
 */
#ifndef UT_GATES_H
#define UT_GATES_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define UT_GATE_CONSTANT UINT32_MAX /* in place of a net */

struct ut_gate_pin {
  const char *name;
  uint32_t net;
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

struct ut_gates {
  char *text; /* names of cells and pins lie in it */
  struct ut_gate *gate;
  struct ut_gate_pin *pin;
  struct ut_gate_net *net;
  size_t gates, pins, nets;
};

/* Reads a netlist of one module; `path` is for messages.  Returns 0, or -1 after filling *e; free in both cases. */
int ut_gates_read(struct ut_gates *g, const char *text, const char *path, struct ut_error *e);
void ut_gates_free(struct ut_gates *g);

#endif
