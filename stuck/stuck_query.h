/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_query.h - one stuck-at fault as a question for the solver: which state and inputs show it? */
#ifndef UT_STUCK_QUERY_H
#define UT_STUCK_QUERY_H

#include "stuck_faults.h"
#include "stuck_logic.h"

struct ut_stuck_query {
  const struct ut_stuck_faults *faults;
  bool *changes;              /* [ops]: can differ with the fault */
  bool *needed;               /* [ops]: has literals: affects where the fault is observed */
  int *good, *bad;            /* [ops]: literals without the fault and with it */
  int *active;                /* [ops]: literals: on the path that the difference is followed on */
  uint32_t *reader, *readers; /* of operation i: reader[readers[i]] to reader[readers[i + 1] - 1] */
  int *some;                  /* [ops]: literals of a clause */
};

/* false: out of memory.  Free in both cases. */
bool ut_stuck_query_open(struct ut_stuck_query *query, const struct ut_stuck_faults *faults);
void ut_stuck_query_free(struct ut_stuck_query *query);

/* Finds the operations that the fault changes, where they are observed, and everything on which that depends, the reset
 * included. */
void ut_stuck_query_cone(struct ut_stuck_query *query, uint32_t fault);
/* Marks the operands of needed operations as needed. */
void ut_stuck_query_complete(struct ut_stuck_query *query);
/* Asserts everything that is needed, and that the fault is observed: at an output, or in the present or next value of a
 * flip-flop; in a reset only if the state before it does not matter.  There is a path of differing operations from the
 * fault to there.  first: [ops], values that the solver tries first, or NULL. */
void ut_stuck_query_add(struct ut_stuck_query *query, struct ut_stuck_logic *logic, uint32_t fault, const bool *first);

#endif
