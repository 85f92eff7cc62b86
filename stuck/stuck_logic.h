/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_logic.h - operations of a circuit as clauses for a SAT solver (CaDiCaL). */
#ifndef UT_STUCK_LOGIC_H
#define UT_STUCK_LOGIC_H

#include <ccadical.h>
#include <stddef.h>

#include "circuit.h"

/* Literals are those of the solver; 1 is true. */
struct ut_stuck_logic {
  CCaDiCaL *solver;
  int variables;
  bool down; /* the solver should try 0 first for new variables that belong to operations */
};
enum { UT_SATISFIABLE = 10, UT_UNSATISFIABLE = 20 };

/* near: the solver searches near the values that it is told to try first, and does not rewrite clauses; otherwise it is
 * set for proofs. */
void ut_stuck_logic_open(struct ut_stuck_logic *logic, bool near);
void ut_stuck_logic_close(struct ut_stuck_logic *logic);

int ut_stuck_logic_variable(struct ut_stuck_logic *logic);
void ut_stuck_logic_clause(struct ut_stuck_logic *logic, const int *literal, size_t count);
int ut_stuck_logic_and(struct ut_stuck_logic *logic, int a, int b);
int ut_stuck_logic_xor(struct ut_stuck_logic *logic, int a, int b);
/* Returns the literal of an operation whose operands have theirs in v[]; of an input or a flip-flop, a new one. */
int ut_stuck_logic_op(struct ut_stuck_logic *logic, const struct ut_op *op, const int *v);

#endif
