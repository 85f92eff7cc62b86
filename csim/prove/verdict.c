/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c - examines one fault set, and what verdicts mean: see prove.h */
#include "prove.h"

#include "method.h"

const char *const ut_failure_name[UT_FAILURES + 1] = {"discard", "wrong_terminal", "loop",  "cycle",    "numbering",
                                                      "escape",  "bubble",         "route", "separated"};

bool ut_verdict_connected(const struct ut_verdict *v) {
  return !v->failure[UT_FAILURE_DISCARD] && !v->failure[UT_FAILURE_WRONG] && !v->failure[UT_FAILURE_LOOP] &&
         !v->failure[UT_FAILURE_ROUTE];
}

bool ut_prover_obeys_model(struct ut_prover *p, const struct ut_fault_set *set) {
  ut_node_model_set(&p->model, set->sw, set->switches);
  return !set->links && ut_node_model_obeyed(&p->model);
}

int ut_prover_examine(struct ut_prover *p, const struct ut_fault_set *set, struct ut_verdict *v, struct ut_error *e) {
  *v = (struct ut_verdict){0};
  ut_explorer_trim(&p->explorer);
  ut_explorer_set_faults(&p->explorer, set);
  if (p->modelled) {
    v->outside = !ut_prover_obeys_model(p, set);
    p->explorer.state = p->model.state;
  }
  if (p->method->examine(p, set, v, e))
    return -1;
  return p->explorer.bad_memory ? ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis") : 0;
}
