/* SPDX-License-Identifier: Apache-2.0 */
/* circuit.h - a mapped netlist as a circuit of simple operations on bits: the next value of each flip-flop as a
 * function of the present values of all flip-flops and of the inputs.
 *
 * Functions of cells are those of the Liberty file.  Operations are ordered such that each needs only earlier ones,
 * cone by cone: related operations are close together.  Equal operations exist once.
 */
#ifndef UT_CIRCUIT_H
#define UT_CIRCUIT_H

#include "gates.h"
#include "liberty.h"

enum ut_op_kind {
  UT_OP_ZERO,
  UT_OP_ONE,
  UT_OP_INPUT,
  UT_OP_STATE,
  UT_OP_FRONT,
  UT_OP_NOT,
  UT_OP_AND,
  UT_OP_OR,
  UT_OP_XOR,
  UT_OP_NET
};
struct ut_op {
  enum ut_op_kind kind;
  /* operations; of an input: where in gates.bit[]; of a state: its number; of a front: the number of a memory's bit; of
   * a net: what drives it, and its number */
  uint32_t a, b;
};

/* A memory of the simple gates (cost/simple_gates.h): it shows the place that flip-flops address, its front, and writes
 * a place at the rising clock edge. */
enum { UT_MEMORY_ADDRESS = 8 /* bits, at most */ };
struct ut_memory {
  const char *name; /* as in the file, not ended */
  size_t length;
  uint32_t front;   /* of its bits, the first one's number among those of all memories */
  unsigned width;   /* bits of a place */
  unsigned address; /* bits: as many places as they can count */
  uint32_t read[UT_MEMORY_ADDRESS], write[UT_MEMORY_ADDRESS]; /* read: flip-flops; write: operations */
  uint32_t enable;                                            /* an operation: a place is written */
};

struct ut_circuit {
  struct ut_gates gates;
  struct ut_op *op; /* the first two are ZERO and ONE */
  uint32_t *net;    /* [gates.nets]: the operation of the net; ZERO if it has no driver */
  uint32_t *bit;    /* [gates.bits]: the same of every name's bits */
  uint32_t *next;   /* [states]: the value that the flip-flop samples at the rising clock edge */
  struct ut_memory *memory;
  uint32_t *data; /* [fronts]: the value that is written into that bit of its memory */
  size_t ops, states, memories, fronts;
};

/* Reads a netlist of one module, whose only clock is clk_i; `path` is for messages.  Returns 0, or -1 after filling *e:
 * UT_BAD_INPUT for a cell that the library lacks, one without a function, a latch, an asynchronous set or reset,
 * another clock, a loop of gates, a memory that is not read where flip-flops point.  Free in both cases. */
int ut_circuit_read(struct ut_circuit *circuit, const char *text, const char *path, const struct ut_liberty *liberty,
                    struct ut_error *e);
/* Does the same with an operation of its own, UT_OP_NET, for each net: changing it changes what the net's readers see,
 * and nothing else. */
int ut_circuit_read_nets(struct ut_circuit *circuit, const char *text, const char *path,
                         const struct ut_liberty *liberty, struct ut_error *e);
/* Either of a file, and the library beside it, cells.lib.  Free both in both cases. */
int ut_circuit_open(struct ut_circuit *circuit, struct ut_liberty *liberty, const char *netlist, bool nets,
                    struct ut_error *e);
void ut_circuit_free(struct ut_circuit *circuit);
/* The message for a cell that cannot run in lanes; returns -1. */
int ut_circuit_refuse(const char *path, const struct ut_gate *gate, const char *what, struct ut_error *e);

/* Returns the operation of which one is a copy, through nets and nots; *inverse: whether it is its inverse. */
uint32_t ut_circuit_source(const struct ut_circuit *circuit, uint32_t op, uint32_t *inverse);

#endif
