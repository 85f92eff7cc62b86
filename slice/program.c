/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - see program.h */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Operations of a function: compilers take more than proportionally longer for longer ones, and shorter ones store
 * more. */
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
static uint32_t behind_not(const struct ut_circuit *c, uint32_t i) {
  return c->op[i].kind == UT_OP_NOT ? c->op[i].a : i;
}
static uint32_t operand_of(const struct ut_circuit *c, uint32_t i, unsigned which) {
  return behind_not(c, which ? c->op[i].b : c->op[i].a);
}

/* Marks what the targets follow from, and cuts it. */
static void cut(struct ut_program *p) {
  const struct ut_op *op = p->c->op;
  uint32_t count = 0;
  memset(p->chunk, 0xff, p->c->ops * sizeof *p->chunk);
  for (size_t i = 0; i < p->targets; i++)
    p->chunk[behind_not(p->c, p->target[i])] = 0;
  for (size_t i = p->c->ops; i-- > 0;)
    for (unsigned j = 0; p->chunk[i] == 0 && j < operands(&op[i]); j++)
      p->chunk[operand_of(p->c, (uint32_t)i, j)] = 0;
  for (size_t i = 0; i < p->c->ops; i++)
    if (p->chunk[i] == 0)
      p->chunk[i] = is_computed(&op[i]) ? count++ / CHUNK : NONE;
  p->chunks = count ? (count - 1) / CHUNK + 1 : 1;
}

/* last[i]: the last chunk that reads what another one has computed. */
static void find_last(const struct ut_program *p, uint32_t *last) {
  memset(last, 0xff, p->c->ops * sizeof *last);
  for (size_t i = 0; i < p->c->ops; i++)
    for (unsigned j = 0; p->chunk[i] != NONE && j < operands(&p->c->op[i]); j++) {
      const uint32_t from = operand_of(p->c, (uint32_t)i, j);
      if (p->chunk[from] != NONE && p->chunk[from] != p->chunk[i])
        last[from] = p->chunk[i];
    }
}

/* Gives slots to what is read by later chunks; one is free again when the last of them is done. */
static int allocate(struct ut_program *p, struct ut_error *e) {
  const size_t ops = p->c->ops;
  uint32_t *last = malloc((ops + 1) * sizeof *last), *spare = malloc((ops + 1) * sizeof *spare);
  uint32_t *next = malloc((ops + 1) * sizeof *next), *due = malloc((p->chunks + 1) * sizeof *due);
  const bool room = last && spare && next && due;
  size_t free_ones = 0;
  if (room) {
    find_last(p, last);
    memset(due, 0xff, (p->chunks + 1) * sizeof *due); /* lists of operations, by chunk */
  }
  uint32_t chunk = 0;
  for (size_t i = 0; room && i < ops; i++) {
    if (p->chunk[i] == NONE)
      continue;
    for (; chunk < p->chunk[i]; chunk++)
      for (uint32_t done = due[chunk]; done != NONE; done = next[done])
        spare[free_ones++] = p->slot[done];
    if (last[i] == NONE)
      continue;
    p->slot[i] = free_ones ? spare[--free_ones] : p->slots++;
    next[i] = due[last[i]];
    due[last[i]] = (uint32_t)i;
  }
  free(last);
  free(spare);
  free(next);
  free(due);
  return room ? 0 : ut_fail_memory(e);
}

int ut_program_make(struct ut_program *p, const struct ut_circuit *c, const char *name, const uint32_t *target,
                    size_t targets, struct ut_error *e) {
  *p = (struct ut_program){.c = c,
                           .name = name,
                           .target = target,
                           .targets = targets,
                           .chunk = malloc(c->ops * sizeof *p->chunk),
                           .slot = malloc(c->ops * sizeof *p->slot),
                           .first = malloc(c->ops * sizeof *p->first),
                           .next = malloc((targets + 1) * sizeof *p->next)};
  if (!p->chunk || !p->slot || !p->first || !p->next)
    return ut_fail_memory(e);
  memset(p->slot, 0xff, c->ops * sizeof *p->slot);
  memset(p->first, 0xff, c->ops * sizeof *p->first);
  for (size_t i = 0; i < targets; i++) {
    uint32_t *first = &p->first[behind_not(c, target[i])];
    p->next[i] = *first;
    *first = (uint32_t)i;
  }
  cut(p);
  return allocate(p, e);
}

void ut_program_free(struct ut_program *p) {
  free(p->chunk);
  free(p->slot);
  free(p->first);
  free(p->next);
  *p = (struct ut_program){0};
}

/* ---- text ---- */

static void write_operand(const struct ut_program *p, uint32_t chunk, uint32_t i, const struct ut_program_inputs *x,
                          FILE *f) {
  const struct ut_op *op = &p->c->op[i];
  if (op->kind == UT_OP_NOT) {
    fputc('~', f);
    i = op->a;
    op = &p->c->op[i];
  }
  if (op->kind == UT_OP_ZERO || op->kind == UT_OP_ONE)
    fputs(op->kind == UT_OP_ONE ? "~(ut_lanes){0}" : "(ut_lanes){0}", f);
  else if (op->kind == UT_OP_STATE)
    fprintf(f, "s[%u]", op->a);
  else if (op->kind == UT_OP_INPUT)
    fprintf(f, "x[%u]", x->bit[op->a]);
  else if (op->kind == UT_OP_FRONT)
    fprintf(f, "x[%u]", x->fronts + op->a);
  else
    fprintf(f, p->chunk[i] == chunk ? "v%u" : "t[%u]", p->chunk[i] == chunk ? i : p->slot[i]);
}

/* The targets that an operation is. */
static void write_targets(const struct ut_program *p, uint32_t chunk, uint32_t i, const struct ut_program_inputs *x,
                          FILE *f) {
  for (uint32_t target = p->first[i]; target != NONE; target = p->next[target]) {
    fprintf(f, "  n[%u] = ", target);
    write_operand(p, chunk, p->target[target], x, f);
    fputs(";\n", f);
  }
}

static void write_op(const struct ut_program *p, uint32_t i, const struct ut_program_inputs *x, FILE *f) {
  static const char *const sign[] = {[UT_OP_AND] = " & ", [UT_OP_OR] = " | ", [UT_OP_XOR] = " ^ "};
  const struct ut_op *op = &p->c->op[i];
  fprintf(f, "  const ut_lanes v%u = ", i);
  write_operand(p, p->chunk[i], op->a, x, f);
  if (operands(op) == 2) {
    fputs(sign[op->kind], f);
    write_operand(p, p->chunk[i], op->b, x, f);
  }
  fputs(";\n", f);
  if (p->slot[i] != NONE)
    fprintf(f, "  t[%u] = v%u;\n", p->slot[i], i);
}

void ut_program_write_chunks(const struct ut_program *p, uint32_t first, uint32_t end,
                             const struct ut_program_inputs *x, FILE *f) {
  for (uint32_t chunk = first; chunk < end; chunk++) {
    fprintf(f, "void ut_gates_%s_%u%s;\nvoid ut_gates_%s_%u%s {\n  (void)s, (void)x, (void)n, (void)t;\n", p->name,
            chunk, arguments, p->name, chunk, arguments);
    for (uint32_t i = 0; i < p->c->ops; i++) {
      if (p->chunk[i] == chunk)
        write_op(p, i, x, f);
      if (p->chunk[i] == chunk || (p->chunk[i] == NONE && chunk == 0)) /* what is not computed is as good in any */
        write_targets(p, chunk, i, x, f);
    }
    fputs("}\n", f);
  }
}

void ut_program_write_calls(const struct ut_program *p, FILE *f) {
  for (uint32_t i = 0; i < p->chunks; i++)
    fprintf(f, "void ut_gates_%s_%u%s;\n", p->name, i, arguments);
  fprintf(f, "void ut_gates_%s%s {\n", p->name, arguments);
  for (uint32_t i = 0; i < p->chunks; i++)
    fprintf(f, "  ut_gates_%s_%u(s, x, n, t);\n", p->name, i);
  fputs("}\n", f);
}
