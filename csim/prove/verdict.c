/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c - examines one fault set, and what verdicts mean: see prove.h */
#include "prove.h"

#include "method.h"

const char *const ut_failure_name[UT_FAILURES + 1] = {"discard", "wrong_terminal", "loop",  "cycle",    "numbering",
                                                      "escape",  "bubble",         "route", "separated"};

bool ut_verdict_connected(const struct ut_verdict *verdict) {
  return !verdict->failure[UT_FAILURE_DISCARD] && !verdict->failure[UT_FAILURE_WRONG] &&
         !verdict->failure[UT_FAILURE_LOOP] && !verdict->failure[UT_FAILURE_ROUTE];
}

bool ut_prover_obeys_model(struct ut_prover *prover, const struct ut_fault_set *set) {
  ut_node_model_set(&prover->model, set->sw, set->switches);
  return !set->links && ut_node_model_obeyed(&prover->model);
}

int ut_prover_examine(struct ut_prover *prover, const struct ut_fault_set *set, struct ut_verdict *verdict,
                      struct ut_error *e) {
  *verdict = (struct ut_verdict){0};
  ut_explorer_trim(&prover->explorer);
  ut_explorer_set_faults(&prover->explorer, set);
  if (prover->modelled) {
    verdict->outside = !ut_prover_obeys_model(prover, set);
    prover->explorer.state = prover->model.state;
  }
  if (prover->method->examine(prover, set, verdict, e))
    return -1;
  return prover->explorer.bad_memory ? ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis") : 0;
}
