/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_prove.c - see stuck_prove.h */
#include "stuck_prove.h"

#include <stdlib.h>
#include <string.h>

#include "stuck_query.h"

enum { GUESSES = 8, CONFLICTS = 100000 };

struct prover {
  struct ut_stuck_query query;
  bool *value;    /* [ops]: inputs and flip-flops that show a fault */
  uint32_t *list; /* [classes]: of open faults */
};

static bool is_free(const struct ut_op *op) {
  return op->kind == UT_OP_INPUT || op->kind == UT_OP_STATE;
}

static enum ut_stuck_verdict prove(struct prover *prover, uint32_t fault) {
  const struct ut_circuit *circuit = prover->query.faults->circuit;
  struct ut_stuck_logic logic;
  ut_stuck_query_cone(&prover->query, fault);
  ut_stuck_logic_open(&logic, false);
  ut_stuck_query_add(&prover->query, &logic, fault, NULL);
  ccadical_limit(logic.solver, "conflicts", CONFLICTS);
  const int result = ccadical_solve(logic.solver);
  for (uint32_t i = 0; i < circuit->ops && result == UT_SATISFIABLE; i++)
    prover->value[i] =
        prover->query.needed[i] && is_free(&circuit->op[i]) && ccadical_val(logic.solver, prover->query.good[i]) > 0;
  ut_stuck_logic_close(&logic);
  return result == UT_UNSATISFIABLE ? UT_STUCK_UNTESTABLE
         : result == UT_SATISFIABLE ? UT_STUCK_TESTABLE
                                    : UT_STUCK_OPEN;
}

/* Random values first, which are enough for most faults. */
static void guess(struct ut_stuck_run *run) {
  for (unsigned in_vain = 0; in_vain < GUESSES && ut_stuck_run_left(run);) {
    const size_t before = ut_stuck_run_left(run);
    ut_stuck_run_guess(run, NULL);
    in_vain = ut_stuck_run_left(run) < before ? 0 : in_vain + 1;
  }
}

static int prove_all(struct prover *prover, struct ut_stuck_faults *faults, struct ut_stuck_run *run,
                     const struct ut_stuck_caller *caller, struct ut_error *e) {
  guess(run);
  const size_t count = ut_stuck_faults_open(faults, prover->list);
  for (size_t i = 0; i < count; i++) {
    if (faults->verdict[prover->list[i]] != UT_STUCK_OPEN)
      continue;
    if (!ut_stuck_caller_waits(caller, "faults", i, count))
      return ut_fail(e, UT_INTERRUPTED, "interrupted");
    faults->verdict[prover->list[i]] = prove(prover, prover->list[i]);
    if (faults->verdict[prover->list[i]] == UT_STUCK_TESTABLE) /* a pattern that shows this fault shows others */
      ut_stuck_run_guess(run, prover->value);
  }
  return ut_stuck_caller_waits(caller, NULL, 0, 0) ? 0 : ut_fail(e, UT_INTERRUPTED, "interrupted");
}

int ut_stuck_prove(struct ut_stuck_faults *faults, struct ut_stuck_run *run, const struct ut_stuck_caller *caller,
                   struct ut_error *e) {
  struct prover prover = {.value = calloc(faults->circuit->ops, sizeof *prover.value),
                          .list = calloc(faults->classes + 1, sizeof *prover.list)};
  const bool room = ut_stuck_query_open(&prover.query, faults) && prover.value && prover.list;
  const int status = room ? prove_all(&prover, faults, run, caller, e) : ut_fail_memory(e);
  ut_stuck_query_free(&prover.query);
  free(prover.value);
  free(prover.list);
  return status;
}
