/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the memories of a circuit, of which a netlist has a cell for each bit of a place (cost/simple_gates.h). */
#ifndef UT_MEMORY_H
#define UT_MEMORY_H

#include "circuit.h"

/* Puts together what belongs to a memory: bits with one name before their numbers.  For a circuit whose operations are
 * there.  0, or -1 after filling *e: UT_BAD_INPUT for bits that do not agree, another clock, or an address to read from
 * that is not what flip-flops hold. */
int ut_memories_find(struct ut_circuit *circuit, const char *path, const struct ut_liberty *liberty,
                     struct ut_error *e);

#endif
