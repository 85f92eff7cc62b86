/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the memories of a circuit; a netlist has a cell for each bit of a place (cost/simple_gates.h). */
#ifndef UT_MEMORY_H
#define UT_MEMORY_H

#include "circuit.h"

/* Joins the cells of each memory: bits whose names are equal up to their numbers.  For a circuit whose operations
 * exist.  Returns 0, or -1 and fills *e: UT_BAD_INPUT for bits that do not agree, another clock, or a read address that
 * is not held in flip-flops. */
int ut_memories_find(struct ut_circuit *circuit, const char *path, const struct ut_liberty *liberty,
                     struct ut_error *e);

#endif
