/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_query.c - see stuck_query.h */
#include "stuck_query.h"

#include <stdlib.h>

#include "stuck_vector.h"

bool ut_stuck_query_open(struct ut_stuck_query *query, const struct ut_stuck_faults *faults) {
  const size_t ops = faults->circuit->ops;
  *query = (struct ut_stuck_query){.faults = faults,
                                   .changes = calloc(ops, sizeof *query->changes),
                                   .needed = calloc(ops, sizeof *query->needed),
                                   .good = calloc(ops, sizeof *query->good),
                                   .bad = calloc(ops, sizeof *query->bad),
                                   .active = calloc(ops, sizeof *query->active),
                                   .reader = calloc(2 * ops + 1, sizeof *query->reader),
                                   .readers = calloc(ops + 2, sizeof *query->readers),
                                   .some = calloc(ops + 3, sizeof *query->some)};
  if (!query->changes || !query->needed || !query->good || !query->bad || !query->active || !query->reader ||
      !query->readers || !query->some)
    return false;
  ut_stuck_find_readers(faults->circuit, query->reader, query->readers);
  return true;
}

void ut_stuck_query_free(struct ut_stuck_query *query) {
  free(query->changes);
  free(query->needed);
  free(query->good);
  free(query->bad);
  free(query->active);
  free(query->reader);
  free(query->readers);
  free(query->some);
}

void ut_stuck_query_complete(struct ut_stuck_query *query) {
  const struct ut_circuit *circuit = query->faults->circuit;
  for (size_t i = circuit->ops; i-- > 0;) {
    const struct ut_op *op = &circuit->op[i];
    if (query->needed[i] && ut_stuck_operands(op) > 0)
      query->needed[op->a] = true;
    if (query->needed[i] && ut_stuck_operands(op) == 2)
      query->needed[op->b] = true;
  }
}

void ut_stuck_query_cone(struct ut_stuck_query *query, uint32_t fault) {
  const struct ut_circuit *circuit = query->faults->circuit;
  const uint32_t site = circuit->net[fault / 2];
  for (uint32_t i = 0; i < circuit->ops; i++) {
    const struct ut_op *op = &circuit->op[i];
    const unsigned operands = ut_stuck_operands(op);
    query->changes[i] =
        i == site || (operands > 0 && query->changes[op->a]) || (operands == 2 && query->changes[op->b]);
    query->needed[i] = i == query->faults->reset || i == site || (query->changes[i] && query->faults->shown[i]);
  }
  ut_stuck_query_complete(query);
}

/* An operation on the path differs, and so does one of its readers, which is on it, too; unless it is seen itself. */
static void add_step(struct ut_stuck_query *query, struct ut_stuck_logic *logic, uint32_t op) {
  const struct ut_stuck_faults *faults = query->faults;
  size_t count = 0;
  ut_stuck_logic_clause(logic, (const int[]){-query->active[op], query->good[op], query->bad[op]}, 3);
  ut_stuck_logic_clause(logic, (const int[]){-query->active[op], -query->good[op], -query->bad[op]}, 3);
  if (faults->shown[op] && faults->settled[op])
    return;
  query->some[count++] = -query->active[op];
  if (faults->shown[op])
    query->some[count++] = -query->good[faults->reset];
  for (uint32_t i = query->readers[op]; i < query->readers[op + 1]; i++)
    if (query->needed[query->reader[i]])
      query->some[count++] = query->active[query->reader[i]];
  ut_stuck_logic_clause(logic, query->some, count);
}

void ut_stuck_query_add(struct ut_stuck_query *query, struct ut_stuck_logic *logic, uint32_t fault, const bool *first) {
  const struct ut_stuck_faults *faults = query->faults;
  const struct ut_circuit *circuit = faults->circuit;
  const uint32_t site = circuit->net[fault / 2];
  for (uint32_t i = 0; i < circuit->ops; i++) {
    if (!query->needed[i])
      continue;
    logic->down = first && !first[i];
    query->good[i] = ut_stuck_logic_op(logic, &circuit->op[i], query->good);
    query->bad[i] = i == site           ? (fault % 2 ? 1 : -1)
                    : query->changes[i] ? ut_stuck_logic_op(logic, &circuit->op[i], query->bad)
                                        : query->good[i];
    logic->down = first != NULL;
    if (query->changes[i])
      query->active[i] = i == site ? 1 : ut_stuck_logic_variable(logic);
    logic->down = false;
  }
  for (uint32_t i = site; i < circuit->ops; i++)
    if (query->needed[i] && query->changes[i])
      add_step(query, logic, i);
}
