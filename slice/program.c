/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - see program.h */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Operations of a function: the time of compilers grows faster than the length of functions, and shorter functions
 * store more. */
enum { CHUNK = 1500 };

static const char arguments[] =
    "(const ut_lanes *restrict s, const ut_lanes *restrict x, ut_lanes *restrict n, ut_lanes *restrict t)";

/* A not is written where it is read: most are part of an and-not. */
static bool is_computed(const struct ut_op *op) {
  return op->kind > UT_OP_NOT;
}
static unsigned operands(const struct ut_op *op) {
  return op->kind == UT_OP_NET ? 1 : is_computed(op) ? 2 : 0;
}
static uint32_t behind_not(const struct ut_circuit *circuit, uint32_t i) {
  return circuit->op[i].kind == UT_OP_NOT ? circuit->op[i].a : i;
}
static uint32_t operand_of(const struct ut_circuit *circuit, uint32_t i, unsigned which) {
  return behind_not(circuit, which ? circuit->op[i].b : circuit->op[i].a);
}

/* Marks everything on which the targets depend, and cuts it into chunks. */
static void cut(struct ut_program *program) {
  const struct ut_op *op = program->c->op;
  uint32_t count = 0;
  memset(program->chunk, 0xff, program->c->ops * sizeof *program->chunk);
  for (size_t i = 0; i < program->targets; i++)
    program->chunk[behind_not(program->c, program->target[i])] = 0;
  for (size_t i = program->c->ops; i-- > 0;)
    for (unsigned j = 0; program->chunk[i] == 0 && j < operands(&op[i]); j++)
      program->chunk[operand_of(program->c, (uint32_t)i, j)] = 0;
  for (size_t i = 0; i < program->c->ops; i++)
    if (program->chunk[i] == 0)
      program->chunk[i] = is_computed(&op[i]) ? count++ / CHUNK : NONE;
  program->chunks = count ? (count - 1) / CHUNK + 1 : 1;
}

/* last[i]: the last chunk that reads a value of another one. */
static void find_last(const struct ut_program *program, uint32_t *last) {
  memset(last, 0xff, program->c->ops * sizeof *last);
  for (size_t i = 0; i < program->c->ops; i++)
    for (unsigned j = 0; program->chunk[i] != NONE && j < operands(&program->c->op[i]); j++) {
      const uint32_t from = operand_of(program->c, (uint32_t)i, j);
      if (program->chunk[from] != NONE && program->chunk[from] != program->chunk[i])
        last[from] = program->chunk[i];
    }
}

/* Assigns slots to values that later chunks read; a slot is free again when the last of them is done. */
static int allocate(struct ut_program *program, struct ut_error *e) {
  const size_t ops = program->c->ops;
  uint32_t *last = malloc((ops + 1) * sizeof *last), *spare = malloc((ops + 1) * sizeof *spare);
  uint32_t *next = malloc((ops + 1) * sizeof *next), *due = malloc((program->chunks + 1) * sizeof *due);
  const bool room = last && spare && next && due;
  size_t free_ones = 0;
  if (room) {
    find_last(program, last);
    memset(due, 0xff, (program->chunks + 1) * sizeof *due); /* lists of operations, by chunk */
  }
  uint32_t chunk = 0;
  for (size_t i = 0; room && i < ops; i++) {
    if (program->chunk[i] == NONE)
      continue;
    for (; chunk < program->chunk[i]; chunk++)
      for (uint32_t done = due[chunk]; done != NONE; done = next[done])
        spare[free_ones++] = program->slot[done];
    if (last[i] == NONE)
      continue;
    program->slot[i] = free_ones ? spare[--free_ones] : program->slots++;
    next[i] = due[last[i]];
    due[last[i]] = (uint32_t)i;
  }
  free(last);
  free(spare);
  free(next);
  free(due);
  return room ? 0 : ut_fail_memory(e);
}

int ut_program_make(struct ut_program *program, const struct ut_circuit *circuit, const char *name,
                    const uint32_t *target, size_t targets, struct ut_error *e) {
  *program = (struct ut_program){.c = circuit,
                                 .name = name,
                                 .target = target,
                                 .targets = targets,
                                 .chunk = malloc(circuit->ops * sizeof *program->chunk),
                                 .slot = malloc(circuit->ops * sizeof *program->slot),
                                 .first = malloc(circuit->ops * sizeof *program->first),
                                 .next = malloc((targets + 1) * sizeof *program->next)};
  if (!program->chunk || !program->slot || !program->first || !program->next)
    return ut_fail_memory(e);
  memset(program->slot, 0xff, circuit->ops * sizeof *program->slot);
  memset(program->first, 0xff, circuit->ops * sizeof *program->first);
  for (size_t i = 0; i < targets; i++) {
    uint32_t *first = &program->first[behind_not(circuit, target[i])];
    program->next[i] = *first;
    *first = (uint32_t)i;
  }
  cut(program);
  return allocate(program, e);
}

void ut_program_free(struct ut_program *program) {
  free(program->chunk);
  free(program->slot);
  free(program->first);
  free(program->next);
  *program = (struct ut_program){0};
}

/* ---- text ---- */

static void write_operand(const struct ut_program *program, uint32_t chunk, uint32_t i,
                          const struct ut_program_inputs *inputs, FILE *f) {
  const struct ut_op *op = &program->c->op[i];
  if (op->kind == UT_OP_NOT) {
    fputc('~', f);
    i = op->a;
    op = &program->c->op[i];
  }
  if (op->kind == UT_OP_ZERO || op->kind == UT_OP_ONE)
    fputs(op->kind == UT_OP_ONE ? "~(ut_lanes){0}" : "(ut_lanes){0}", f);
  else if (op->kind == UT_OP_STATE)
    fprintf(f, "s[%u]", op->a);
  else if (op->kind == UT_OP_INPUT)
    fprintf(f, "x[%u]", inputs->bit[op->a]);
  else if (op->kind == UT_OP_FRONT)
    fprintf(f, "x[%u]", inputs->fronts + op->a);
  else
    fprintf(f, program->chunk[i] == chunk ? "v%u" : "t[%u]", program->chunk[i] == chunk ? i : program->slot[i]);
}

/* The targets that an operation is. */
static void write_targets(const struct ut_program *program, uint32_t chunk, uint32_t i,
                          const struct ut_program_inputs *inputs, FILE *f) {
  for (uint32_t target = program->first[i]; target != NONE; target = program->next[target]) {
    fprintf(f, "  n[%u] = ", target);
    write_operand(program, chunk, program->target[target], inputs, f);
    fputs(";\n", f);
  }
}

static void write_op(const struct ut_program *program, uint32_t i, const struct ut_program_inputs *inputs, FILE *f) {
  static const char *const sign[] = {[UT_OP_AND] = " & ", [UT_OP_OR] = " | ", [UT_OP_XOR] = " ^ "};
  const struct ut_op *op = &program->c->op[i];
  fprintf(f, "  const ut_lanes v%u = ", i);
  write_operand(program, program->chunk[i], op->a, inputs, f);
  if (operands(op) == 2) {
    fputs(sign[op->kind], f);
    write_operand(program, program->chunk[i], op->b, inputs, f);
  }
  fputs(";\n", f);
  if (program->slot[i] != NONE)
    fprintf(f, "  t[%u] = v%u;\n", program->slot[i], i);
}

void ut_program_write_chunks(const struct ut_program *program, uint32_t first, uint32_t end,
                             const struct ut_program_inputs *inputs, FILE *f) {
  for (uint32_t chunk = first; chunk < end; chunk++) {
    fprintf(f, "void ut_gates_%s_%u%s;\nvoid ut_gates_%s_%u%s {\n  (void)s, (void)x, (void)n, (void)t;\n",
            program->name, chunk, arguments, program->name, chunk, arguments);
    for (uint32_t i = 0; i < program->c->ops; i++) {
      if (program->chunk[i] == chunk)
        write_op(program, i, inputs, f);
      if (program->chunk[i] == chunk ||
          (program->chunk[i] == NONE && chunk == 0)) /* a value that is not computed may be in any of them */
        write_targets(program, chunk, i, inputs, f);
    }
    fputs("}\n", f);
  }
}

void ut_program_write_calls(const struct ut_program *program, FILE *f) {
  for (uint32_t i = 0; i < program->chunks; i++)
    fprintf(f, "void ut_gates_%s_%u%s;\n", program->name, i, arguments);
  fprintf(f, "void ut_gates_%s%s {\n", program->name, arguments);
  for (uint32_t i = 0; i < program->chunks; i++)
    fprintf(f, "  ut_gates_%s_%u(s, x, n, t);\n", program->name, i);
  fputs("}\n", f);
}
