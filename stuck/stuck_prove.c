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

static enum ut_stuck_verdict prove(struct prover *p, uint32_t fault) {
  const struct ut_circuit *c = p->query.faults->circuit;
  struct ut_stuck_logic l;
  ut_stuck_query_cone(&p->query, fault);
  ut_stuck_logic_open(&l, false);
  ut_stuck_query_add(&p->query, &l, fault, NULL);
  ccadical_limit(l.solver, "conflicts", CONFLICTS);
  const int result = ccadical_solve(l.solver);
  for (uint32_t i = 0; i < c->ops && result == UT_SATISFIABLE; i++)
    p->value[i] = p->query.needed[i] && is_free(&c->op[i]) && ccadical_val(l.solver, p->query.good[i]) > 0;
  ut_stuck_logic_close(&l);
  return result == UT_UNSATISFIABLE ? UT_STUCK_UNTESTABLE
         : result == UT_SATISFIABLE ? UT_STUCK_TESTABLE
                                    : UT_STUCK_OPEN;
}

/* First by chance, which is enough for most. */
static void guess(struct ut_stuck_run *r) {
  for (unsigned in_vain = 0; in_vain < GUESSES && ut_stuck_run_left(r);) {
    const size_t before = ut_stuck_run_left(r);
    ut_stuck_run_guess(r, NULL);
    in_vain = ut_stuck_run_left(r) < before ? 0 : in_vain + 1;
  }
}

static int prove_all(struct prover *p, struct ut_stuck_faults *f, struct ut_stuck_run *r,
                     const struct ut_stuck_caller *caller, struct ut_error *e) {
  guess(r);
  const size_t count = ut_stuck_faults_open(f, p->list);
  for (size_t i = 0; i < count; i++) {
    if (f->verdict[p->list[i]] != UT_STUCK_OPEN)
      continue;
    if (!ut_stuck_caller_waits(caller, "faults", i, count))
      return ut_fail(e, UT_INTERRUPTED, "interrupted");
    f->verdict[p->list[i]] = prove(p, p->list[i]);
    if (f->verdict[p->list[i]] == UT_STUCK_TESTABLE) /* what shows this one shows others */
      ut_stuck_run_guess(r, p->value);
  }
  return ut_stuck_caller_waits(caller, NULL, 0, 0) ? 0 : ut_fail(e, UT_INTERRUPTED, "interrupted");
}

int ut_stuck_prove(struct ut_stuck_faults *f, struct ut_stuck_run *r, const struct ut_stuck_caller *caller,
                   struct ut_error *e) {
  struct prover p = {.value = calloc(f->circuit->ops, sizeof *p.value), .list = calloc(f->classes + 1, sizeof *p.list)};
  const bool room = ut_stuck_query_open(&p.query, f) && p.value && p.list;
  const int status = room ? prove_all(&p, f, r, caller, e) : ut_fail_memory(e);
  ut_stuck_query_free(&p.query);
  free(p.value);
  free(p.list);
  return status;
}
