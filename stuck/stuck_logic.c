/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_logic.c - see stuck_logic.h */
#include "stuck_logic.h"

void ut_stuck_logic_open(struct ut_stuck_logic *logic, bool near) {
  *logic = (struct ut_stuck_logic){.solver = ccadical_init(), .variables = 1};
  ccadical_set_option(logic->solver, "quiet", 1);
  static const char *const costly[] = {"elim", "probe", "vivify", "ternary", "lucky", "walk", "rephase", "compact"};
  static const char *const for_models[] = {"stabilize", "walk", "lucky", "rephase"};
  for (size_t i = 0; near && i < sizeof costly / sizeof *costly; i++)
    ccadical_set_option(logic->solver, costly[i], 0);
  for (size_t i = 0; !near && i < sizeof for_models / sizeof *for_models; i++)
    ccadical_set_option(logic->solver, for_models[i], 0);
  ccadical_set_option(logic->solver, "forcephase", near);
  ut_stuck_logic_clause(logic, (const int[]){1}, 1);
}

void ut_stuck_logic_close(struct ut_stuck_logic *logic) {
  if (logic->solver)
    ccadical_release(logic->solver);
  logic->solver = NULL;
}

int ut_stuck_logic_variable(struct ut_stuck_logic *logic) {
  logic->variables++;
  return logic->down ? -logic->variables : logic->variables;
}

void ut_stuck_logic_clause(struct ut_stuck_logic *logic, const int *literal, size_t count) {
  for (size_t i = 0; i < count; i++)
    ccadical_add(logic->solver, literal[i]);
  ccadical_add(logic->solver, 0);
}

int ut_stuck_logic_and(struct ut_stuck_logic *logic, int a, int b) {
  const int y = ut_stuck_logic_variable(logic);
  ut_stuck_logic_clause(logic, (const int[]){-y, a}, 2);
  ut_stuck_logic_clause(logic, (const int[]){-y, b}, 2);
  ut_stuck_logic_clause(logic, (const int[]){y, -a, -b}, 3);
  return y;
}

int ut_stuck_logic_xor(struct ut_stuck_logic *logic, int a, int b) {
  const int y = ut_stuck_logic_variable(logic);
  ut_stuck_logic_clause(logic, (const int[]){-y, a, b}, 3);
  ut_stuck_logic_clause(logic, (const int[]){-y, -a, -b}, 3);
  ut_stuck_logic_clause(logic, (const int[]){y, -a, b}, 3);
  ut_stuck_logic_clause(logic, (const int[]){y, a, -b}, 3);
  return y;
}

int ut_stuck_logic_op(struct ut_stuck_logic *logic, const struct ut_op *op, const int *v) {
  switch (op->kind) {
  case UT_OP_ZERO: return -1;
  case UT_OP_ONE: return 1;
  case UT_OP_NOT: return -v[op->a];
  case UT_OP_NET: return v[op->a];
  case UT_OP_AND: return ut_stuck_logic_and(logic, v[op->a], v[op->b]);
  case UT_OP_OR: return -ut_stuck_logic_and(logic, -v[op->a], -v[op->b]);
  case UT_OP_XOR: return ut_stuck_logic_xor(logic, v[op->a], v[op->b]);
  default: return ut_stuck_logic_variable(logic);
  }
}
