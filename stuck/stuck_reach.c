/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_reach.c - see stuck_reach.h */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { FEW_CONFLICTS = 400, QUICK_CONFLICTS = 1000, LOOKED_AT = 60, SMALL = 400, ROUNDS = 3 };

/* ---- faults ---- */

/* Adds rules that constrain what is needed, and do not need much more. */
static void choose_rules(struct ut_stuck_reach *reach) {
  for (size_t i = 0; i < reach->rules->count; i++) {
    const struct ut_stuck_rule *rule = &reach->rules->rule[i];
    bool there = true;
    for (unsigned n = 0; n < rule->count; n++)
      there = there && reach->query.needed[rule->literal[n] / 2];
    reach->chosen[i] = there;
    for (uint32_t k = reach->cone_begin[i]; k < reach->cone_begin[i + 1] && !reach->chosen[i]; k++)
      reach->chosen[i] = reach->query.needed[reach->cone[k]];
  }
  for (size_t i = 0; i < reach->rules->count; i++)
    for (unsigned n = 0; n < reach->rules->rule[i].count && reach->chosen[i]; n++)
      reach->query.needed[reach->rules->rule[i].literal[n] / 2] = true;
  ut_stuck_query_complete(&reach->query);
}

/* The flip-flops on which each rule hangs, where its cone is small. */
static bool find_cones(struct ut_stuck_reach *reach) {
  const struct ut_circuit *circuit = reach->circuit;
  reach->cone_begin = calloc(reach->rules->count + 1, sizeof *reach->cone_begin);
  reach->cone = malloc((reach->rules->count * SMALL + 1) * sizeof *reach->cone);
  reach->chosen = calloc(reach->rules->count + 1, sizeof *reach->chosen);
  if (!reach->cone_begin || !reach->cone || !reach->chosen)
    return false;
  for (size_t i = 0; i < reach->rules->count; i++) {
    uint32_t n = reach->cone_begin[i];
    unsigned size = 0;
    memset(reach->query.needed, 0, circuit->ops * sizeof *reach->query.needed);
    for (unsigned k = 0; k < reach->rules->rule[i].count; k++)
      reach->query.needed[reach->rules->rule[i].literal[k] / 2] = true;
    ut_stuck_query_complete(&reach->query);
    for (uint32_t op = 0; op < circuit->ops; op++)
      size += reach->query.needed[op];
    for (uint32_t op = 0; op < circuit->ops && size <= SMALL; op++)
      if (reach->query.needed[op] && circuit->op[op].kind == UT_OP_STATE)
        reach->cone[n++] = op;
    reach->cone_begin[i + 1] = n;
  }
  return true;
}

/* Asks whether some state of the invariant shows a fault with inputs that obey the rules; the model is left in
 * reach->model.  near: looks for a model near the sample, which is soon found; otherwise spends more effort on a
 * proof. */
static int solve(struct ut_stuck_reach *reach, uint32_t fault, unsigned conflicts, bool near) {
  struct ut_stuck_logic logic;
  ut_stuck_query_cone(&reach->query, fault);
  choose_rules(reach);
  ut_stuck_logic_open(&logic, near);
  ut_stuck_query_add(&reach->query, &logic, fault, reach->sampled);
  for (size_t i = 0; i < reach->rules->count; i++)
    if (reach->chosen[i])
      ut_reach_add_rule(reach, &logic, &reach->rules->rule[i]);
  for (const struct ut_reach_clause *clause = reach->clause; clause < reach->clause + reach->settled; clause++) {
    bool there = clause->live;
    for (unsigned n = 0; n < clause->count && there; n++)
      there = reach->query.needed[reach->state[clause->literal[n] / 2]];
    if (there)
      ut_reach_add_clause(reach, &logic, clause, 0);
  }
  ccadical_limit(logic.solver, "conflicts", (int)conflicts);
  const int result = ccadical_solve(logic.solver);
  for (size_t i = 0; i < reach->inputs + reach->states && result == UT_SATISFIABLE; i++) {
    const uint32_t op = i < reach->inputs ? reach->input[i] : reach->state[i - reach->inputs];
    if (op != UT_OP_ZERO)
      reach->model[op] =
          reach->query.needed[op] ? ccadical_val(logic.solver, reach->query.good[op]) > 0 : reach->sampled[op];
  }
  ut_stuck_logic_close(&logic);
  return result;
}

/* Whether the model violates a candidate that has been proposed since the invariant was found. */
static bool is_ruled_out(const struct ut_stuck_reach *reach) {
  for (const struct ut_reach_clause *clause = reach->clause + reach->settled; clause < reach->clause + reach->clauses;
       clause++) {
    unsigned n = 0;
    while (n < clause->count && reach->query.needed[reach->state[clause->literal[n] / 2]] &&
           reach->model[reach->state[clause->literal[n] / 2]] != (clause->literal[n] % 2))
      n++;
    if (n == clause->count)
      return true;
  }
  return false;
}

/* Chooses so that all kinds take turns. */
static void shuffle(struct ut_stuck_reach *reach, uint32_t *list, size_t count) {
  for (size_t i = count; i-- > 1;) {
    const size_t other = ut_stuck_chance(&reach->chance) % (i + 1);
    const uint32_t swap = list[i];
    list[i] = list[other];
    list[other] = swap;
  }
}

/* Asks whether anything shows a fault.  Most faults are soon decided near a sample; otherwise the solver starts anew,
 * with more effort.  A fault that is found to be out of reach stays so, however the invariant grows. */
static int look(struct ut_stuck_reach *reach, struct ut_stuck_faults *faults, uint32_t fault, unsigned conflicts) {
  ut_reach_try_sample(reach);
  int result = solve(reach, fault, conflicts < QUICK_CONFLICTS ? conflicts : QUICK_CONFLICTS, true);
  if (result != UT_UNSATISFIABLE && result != UT_SATISFIABLE && conflicts > QUICK_CONFLICTS)
    result = solve(reach, fault, conflicts, false);
  if (result == UT_UNSATISFIABLE)
    faults->verdict[fault] = UT_STUCK_UNREACHABLE;
  return result;
}

/* Examines faults of the list until some are found that the invariant does not hide, and proposes candidates that
 * would; returns how many candidates. */
static size_t strengthen(struct ut_stuck_reach *reach, struct ut_stuck_faults *faults, uint32_t *list, size_t count) {
  size_t proposed = 0;
  unsigned looked_at = 0;
  reach->settled = reach->clauses;
  shuffle(reach, list, count);
  for (size_t i = 0; i < count && looked_at < LOOKED_AT && !ut_reach_is_interrupted(reach); i++) {
    if (reach->in_vain[list[i]] || faults->verdict[list[i]] == UT_STUCK_UNREACHABLE)
      continue;
    if (look(reach, faults, list[i], FEW_CONFLICTS) != UT_SATISFIABLE || is_ruled_out(reach))
      continue;
    const struct ut_reach_target target = {.fault = list[i]};
    const size_t more = ut_reach_propose_against(reach, &target);
    proposed += more;
    reach->in_vain[list[i]] = !more;
    looked_at++;
  }
  return proposed;
}

/* With the invariant that there is. */
static void decide(struct ut_stuck_reach *reach, struct ut_stuck_faults *faults, const uint32_t *list, size_t count,
                   unsigned conflicts) {
  reach->settled = reach->clauses;
  for (size_t i = 0; i < count && ut_stuck_caller_waits(reach->caller, "faults by the invariant", i, count); i++)
    if (faults->verdict[list[i]] == UT_STUCK_TESTABLE)
      look(reach, faults, list[i], conflicts);
}

int ut_stuck_reach_prove(struct ut_stuck_reach *reach, struct ut_stuck_faults *faults, unsigned conflicts,
                         const struct ut_stuck_caller *caller, struct ut_error *e) {
  uint32_t *list = malloc((faults->classes + 1) * sizeof *list);
  const size_t count = list ? ut_stuck_faults_list(faults, UT_STUCK_TESTABLE, list) : 0;
  const unsigned kept = reach->blocks;
  reach->caller = caller;
  for (unsigned i = 0; i < kept; i++)
    ut_reach_walk(reach, i, kept);
  ut_reach_propose_seen(reach);
  bool room = list && ut_reach_settle(reach);
  for (unsigned round = 0; round < ROUNDS && room && strengthen(reach, faults, list, count); round++)
    room = ut_reach_settle(reach);
  if (room)
    decide(reach, faults, list, count, conflicts);
  reach->proven = true;
  free(list);
  if (ut_reach_is_interrupted(reach))
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  return room ? 0 : ut_fail_memory(e);
}

size_t ut_stuck_reach_clauses(const struct ut_stuck_reach *reach) {
  size_t count = 0;
  for (size_t i = 0; i < reach->clauses; i++)
    count += reach->clause[i].live;
  return count;
}

/* ---- begin and end ---- */

static bool make_room(struct ut_stuck_reach *reach) {
  const struct ut_circuit *circuit = reach->circuit;
  reach->input = malloc((circuit->gates.bits + 1) * sizeof *reach->input);
  reach->state = calloc(circuit->states + 1, sizeof *reach->state);
  reach->op = ut_stuck_vectors(circuit->ops);
  reach->bad = ut_stuck_vectors(circuit->ops);
  reach->next = ut_stuck_vectors(circuit->states);
  reach->clause = malloc(UT_REACH_CLAUSES * sizeof *reach->clause);
  reach->places = 1u << 20;
  reach->place = malloc(reach->places * sizeof *reach->place);
  reach->model = calloc(circuit->ops, sizeof *reach->model);
  reach->in_vain = calloc(2 * circuit->gates.nets + 1, sizeof *reach->in_vain);
  reach->moves = calloc(circuit->states + 1, sizeof *reach->moves);
  reach->sampled = calloc(circuit->ops, sizeof *reach->sampled);
  return reach->input && reach->state && reach->op && reach->bad && reach->next && reach->clause && reach->place &&
         reach->model && reach->moves && reach->in_vain && reach->sampled &&
         ut_stuck_query_open(&reach->query, reach->faults) && ut_reach_find_names(reach) && find_cones(reach);
}

struct ut_stuck_reach *ut_stuck_reach_open(const struct ut_stuck_faults *faults, const struct ut_stuck_rules *rules,
                                           struct ut_error *e) {
  const struct ut_circuit *circuit = faults->circuit;
  const size_t size = (sizeof(struct ut_stuck_reach) + sizeof(vector) - 1) / sizeof(vector) * sizeof(vector);
  struct ut_stuck_reach *reach = aligned_alloc(sizeof(vector), size);
  if (reach) {
    memset(reach, 0, size);
    reach->faults = faults;
    reach->circuit = circuit;
    reach->rules = rules;
    reach->stride = reach->chance = 1;
    reach->states = circuit->states;
  }
  if (!reach || !make_room(reach)) {
    ut_fail_memory(e);
    ut_stuck_reach_close(reach);
    return NULL;
  }
  memset(reach->place, 0xff, reach->places * sizeof *reach->place);
  memset(reach->op, 0, circuit->ops * sizeof *reach->op);
  reach->op[UT_OP_ONE] = all;
  for (uint32_t i = 0; i < circuit->ops; i++)
    if (circuit->op[i].kind == UT_OP_INPUT)
      reach->input[reach->inputs++] = i;
    else if (circuit->op[i].kind == UT_OP_STATE)
      reach->state[circuit->op[i].a] = i;
  return reach;
}

void ut_stuck_reach_close(struct ut_stuck_reach *reach) {
  if (!reach)
    return;
  for (unsigned i = 0; i < reach->blocks; i++)
    free(reach->block[i]);
  ut_reach_free_names(reach);
  ut_stuck_query_free(&reach->query);
  free(reach->input);
  free(reach->state);
  free(reach->op);
  free(reach->bad);
  free(reach->next);
  free(reach->clause);
  free(reach->place);
  free(reach->model);
  free(reach->chosen);
  free(reach->cone);
  free(reach->cone_begin);
  free(reach->moves);
  free(reach->in_vain);
  free(reach->sampled);
  free(reach);
}
