/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_query.c - see stuck_query.h */
#include "stuck_query.h"

#include <stdlib.h>

#include "stuck_vector.h"

bool ut_stuck_query_open(struct ut_stuck_query *q, const struct ut_stuck_faults *f) {
  const size_t ops = f->circuit->ops;
  *q = (struct ut_stuck_query){.faults = f,
                               .changes = calloc(ops, sizeof *q->changes),
                               .needed = calloc(ops, sizeof *q->needed),
                               .good = calloc(ops, sizeof *q->good),
                               .bad = calloc(ops, sizeof *q->bad),
                               .active = calloc(ops, sizeof *q->active),
                               .reader = calloc(2 * ops + 1, sizeof *q->reader),
                               .readers = calloc(ops + 2, sizeof *q->readers),
                               .some = calloc(ops + 3, sizeof *q->some)};
  if (!q->changes || !q->needed || !q->good || !q->bad || !q->active || !q->reader || !q->readers || !q->some)
    return false;
  ut_stuck_find_readers(f->circuit, q->reader, q->readers);
  return true;
}

void ut_stuck_query_free(struct ut_stuck_query *q) {
  free(q->changes);
  free(q->needed);
  free(q->good);
  free(q->bad);
  free(q->active);
  free(q->reader);
  free(q->readers);
  free(q->some);
}

void ut_stuck_query_complete(struct ut_stuck_query *q) {
  const struct ut_circuit *c = q->faults->circuit;
  for (size_t i = c->ops; i-- > 0;) {
    const struct ut_op *op = &c->op[i];
    if (q->needed[i] && ut_stuck_operands(op) > 0)
      q->needed[op->a] = true;
    if (q->needed[i] && ut_stuck_operands(op) == 2)
      q->needed[op->b] = true;
  }
}

void ut_stuck_query_cone(struct ut_stuck_query *q, uint32_t fault) {
  const struct ut_circuit *c = q->faults->circuit;
  const uint32_t site = c->net[fault / 2];
  for (uint32_t i = 0; i < c->ops; i++) {
    const struct ut_op *op = &c->op[i];
    const unsigned operands = ut_stuck_operands(op);
    q->changes[i] = i == site || (operands > 0 && q->changes[op->a]) || (operands == 2 && q->changes[op->b]);
    q->needed[i] = i == q->faults->reset || i == site || (q->changes[i] && q->faults->shown[i]);
  }
  ut_stuck_query_complete(q);
}

/* An operation on the path differs, and so does one of its readers, which is on it, too; unless it is seen itself. */
static void add_step(struct ut_stuck_query *q, struct ut_stuck_logic *l, uint32_t op) {
  const struct ut_stuck_faults *f = q->faults;
  size_t count = 0;
  ut_stuck_logic_clause(l, (const int[]){-q->active[op], q->good[op], q->bad[op]}, 3);
  ut_stuck_logic_clause(l, (const int[]){-q->active[op], -q->good[op], -q->bad[op]}, 3);
  if (f->shown[op] && f->settled[op])
    return;
  q->some[count++] = -q->active[op];
  if (f->shown[op])
    q->some[count++] = -q->good[f->reset];
  for (uint32_t i = q->readers[op]; i < q->readers[op + 1]; i++)
    if (q->needed[q->reader[i]])
      q->some[count++] = q->active[q->reader[i]];
  ut_stuck_logic_clause(l, q->some, count);
}

void ut_stuck_query_add(struct ut_stuck_query *q, struct ut_stuck_logic *l, uint32_t fault, const bool *first) {
  const struct ut_stuck_faults *f = q->faults;
  const struct ut_circuit *c = f->circuit;
  const uint32_t site = c->net[fault / 2];
  for (uint32_t i = 0; i < c->ops; i++) {
    if (!q->needed[i])
      continue;
    l->down = first && !first[i];
    q->good[i] = ut_stuck_logic_op(l, &c->op[i], q->good);
    q->bad[i] = i == site ? (fault % 2 ? 1 : -1) : q->changes[i] ? ut_stuck_logic_op(l, &c->op[i], q->bad) : q->good[i];
    l->down = first != NULL;
    if (q->changes[i])
      q->active[i] = i == site ? 1 : ut_stuck_logic_variable(l);
    l->down = false;
  }
  for (uint32_t i = site; i < c->ops; i++)
    if (q->needed[i] && q->changes[i])
      add_step(q, l, i);
}
