/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_reach.c - see stuck_reach.h */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { FEW_CONFLICTS = 400, QUICK_CONFLICTS = 1000, LOOKED_AT = 60, SMALL = 400, ROUNDS = 3 };

/* ---- faults ---- */

/* Rules that say something of what is needed, and do not need much more. */
static void choose_rules(struct ut_stuck_reach *r) {
  for (size_t i = 0; i < r->rules->count; i++) {
    const struct ut_stuck_rule *rule = &r->rules->rule[i];
    bool there = true;
    for (unsigned n = 0; n < rule->count; n++)
      there = there && r->query.needed[rule->literal[n] / 2];
    r->chosen[i] = there;
    for (uint32_t k = r->cone_begin[i]; k < r->cone_begin[i + 1] && !r->chosen[i]; k++)
      r->chosen[i] = r->query.needed[r->cone[k]];
  }
  for (size_t i = 0; i < r->rules->count; i++)
    for (unsigned n = 0; n < r->rules->rule[i].count && r->chosen[i]; n++)
      r->query.needed[r->rules->rule[i].literal[n] / 2] = true;
  ut_stuck_query_complete(&r->query);
}

/* The flip-flops on which each rule hangs, where its cone is small. */
static bool find_cones(struct ut_stuck_reach *r) {
  const struct ut_circuit *c = r->circuit;
  r->cone_begin = calloc(r->rules->count + 1, sizeof *r->cone_begin);
  r->cone = malloc((r->rules->count * SMALL + 1) * sizeof *r->cone);
  r->chosen = calloc(r->rules->count + 1, sizeof *r->chosen);
  if (!r->cone_begin || !r->cone || !r->chosen)
    return false;
  for (size_t i = 0; i < r->rules->count; i++) {
    uint32_t n = r->cone_begin[i];
    unsigned size = 0;
    memset(r->query.needed, 0, c->ops * sizeof *r->query.needed);
    for (unsigned k = 0; k < r->rules->rule[i].count; k++)
      r->query.needed[r->rules->rule[i].literal[k] / 2] = true;
    ut_stuck_query_complete(&r->query);
    for (uint32_t op = 0; op < c->ops; op++)
      size += r->query.needed[op];
    for (uint32_t op = 0; op < c->ops && size <= SMALL; op++)
      if (r->query.needed[op] && c->op[op].kind == UT_OP_STATE)
        r->cone[n++] = op;
    r->cone_begin[i + 1] = n;
  }
  return true;
}

/* Whether some state of the invariant shows a fault with inputs that keep the rules, as the solver's answer; a model is
 * in r->model.  near: a model that is near the sample is soon found; otherwise there is more effort for a proof. */
static int solve(struct ut_stuck_reach *r, uint32_t fault, unsigned conflicts, bool near) {
  struct ut_stuck_logic l;
  ut_stuck_query_cone(&r->query, fault);
  choose_rules(r);
  ut_stuck_logic_open(&l, near);
  ut_stuck_query_add(&r->query, &l, fault, r->sampled);
  for (size_t i = 0; i < r->rules->count; i++)
    if (r->chosen[i])
      ut_reach_add_rule(r, &l, &r->rules->rule[i]);
  for (const struct ut_reach_clause *k = r->clause; k < r->clause + r->settled; k++) {
    bool there = k->live;
    for (unsigned n = 0; n < k->count && there; n++)
      there = r->query.needed[r->state[k->literal[n] / 2]];
    if (there)
      ut_reach_add_clause(r, &l, k, 0);
  }
  ccadical_limit(l.solver, "conflicts", (int)conflicts);
  const int result = ccadical_solve(l.solver);
  for (size_t i = 0; i < r->inputs + r->states && result == UT_SATISFIABLE; i++) {
    const uint32_t op = i < r->inputs ? r->input[i] : r->state[i - r->inputs];
    if (op != UT_OP_ZERO)
      r->model[op] = r->query.needed[op] ? ccadical_val(l.solver, r->query.good[op]) > 0 : r->sampled[op];
  }
  ut_stuck_logic_close(&l);
  return result;
}

/* Whether the model breaks a candidate that has been proposed since the invariant was found. */
static bool is_ruled_out(const struct ut_stuck_reach *r) {
  for (const struct ut_reach_clause *k = r->clause + r->settled; k < r->clause + r->clauses; k++) {
    unsigned n = 0;
    while (n < k->count && r->query.needed[r->state[k->literal[n] / 2]] &&
           r->model[r->state[k->literal[n] / 2]] != (k->literal[n] % 2))
      n++;
    if (n == k->count)
      return true;
  }
  return false;
}

/* So that all kinds have their turn. */
static void shuffle(struct ut_stuck_reach *r, uint32_t *list, size_t count) {
  for (size_t i = count; i-- > 1;) {
    const size_t other = ut_stuck_chance(&r->chance) % (i + 1);
    const uint32_t swap = list[i];
    list[i] = list[other];
    list[other] = swap;
  }
}

/* Whether something shows a fault, as the solver's answer.  Most is soon decided near a sample; else the solver begins
 * anew, with more effort.  What is found to be out of reach stays so, whatever the invariant becomes. */
static int look(struct ut_stuck_reach *r, struct ut_stuck_faults *f, uint32_t fault, unsigned conflicts) {
  ut_reach_try_sample(r);
  int result = solve(r, fault, conflicts < QUICK_CONFLICTS ? conflicts : QUICK_CONFLICTS, true);
  if (result != UT_UNSATISFIABLE && result != UT_SATISFIABLE && conflicts > QUICK_CONFLICTS)
    result = solve(r, fault, conflicts, false);
  if (result == UT_UNSATISFIABLE)
    f->verdict[fault] = UT_STUCK_UNREACHABLE;
  return result;
}

/* Looks at faults of the list until some are found that the invariant does not hide, and proposes what would; returns
 * how many candidates that are. */
static size_t strengthen(struct ut_stuck_reach *r, struct ut_stuck_faults *f, uint32_t *list, size_t count) {
  size_t proposed = 0;
  unsigned looked_at = 0;
  r->settled = r->clauses;
  shuffle(r, list, count);
  for (size_t i = 0; i < count && looked_at < LOOKED_AT && !ut_reach_is_interrupted(r); i++) {
    if (r->in_vain[list[i]] || f->verdict[list[i]] == UT_STUCK_UNREACHABLE)
      continue;
    if (look(r, f, list[i], FEW_CONFLICTS) != UT_SATISFIABLE || is_ruled_out(r))
      continue;
    const struct ut_reach_target target = {.fault = list[i]};
    const size_t more = ut_reach_propose_against(r, &target);
    proposed += more;
    r->in_vain[list[i]] = !more;
    looked_at++;
  }
  return proposed;
}

/* With the invariant that there is. */
static void decide(struct ut_stuck_reach *r, struct ut_stuck_faults *f, const uint32_t *list, size_t count,
                   unsigned conflicts) {
  r->settled = r->clauses;
  for (size_t i = 0; i < count && ut_stuck_caller_waits(r->caller, "faults by the invariant", i, count); i++)
    if (f->verdict[list[i]] == UT_STUCK_TESTABLE)
      look(r, f, list[i], conflicts);
}

int ut_stuck_reach_prove(struct ut_stuck_reach *r, struct ut_stuck_faults *f, unsigned conflicts,
                         const struct ut_stuck_caller *caller, struct ut_error *e) {
  uint32_t *list = malloc((f->classes + 1) * sizeof *list);
  const size_t count = list ? ut_stuck_faults_list(f, UT_STUCK_TESTABLE, list) : 0;
  const unsigned kept = r->blocks;
  r->caller = caller;
  for (unsigned i = 0; i < kept; i++)
    ut_reach_walk(r, i, kept);
  ut_reach_propose_seen(r);
  bool room = list && ut_reach_settle(r);
  for (unsigned round = 0; round < ROUNDS && room && strengthen(r, f, list, count); round++)
    room = ut_reach_settle(r);
  if (room)
    decide(r, f, list, count, conflicts);
  r->proven = true;
  free(list);
  if (ut_reach_is_interrupted(r))
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  return room ? 0 : ut_fail_memory(e);
}

size_t ut_stuck_reach_clauses(const struct ut_stuck_reach *r) {
  size_t count = 0;
  for (size_t i = 0; i < r->clauses; i++)
    count += r->clause[i].live;
  return count;
}

/* ---- begin and end ---- */

static bool make_room(struct ut_stuck_reach *r) {
  const struct ut_circuit *c = r->circuit;
  r->input = malloc((c->gates.bits + 1) * sizeof *r->input);
  r->state = calloc(c->states + 1, sizeof *r->state);
  r->op = ut_stuck_vectors(c->ops);
  r->bad = ut_stuck_vectors(c->ops);
  r->next = ut_stuck_vectors(c->states);
  r->clause = malloc(UT_REACH_CLAUSES * sizeof *r->clause);
  r->places = 1u << 20;
  r->place = malloc(r->places * sizeof *r->place);
  r->model = calloc(c->ops, sizeof *r->model);
  r->in_vain = calloc(2 * c->gates.nets + 1, sizeof *r->in_vain);
  r->moves = calloc(c->states + 1, sizeof *r->moves);
  r->sampled = calloc(c->ops, sizeof *r->sampled);
  return r->input && r->state && r->op && r->bad && r->next && r->clause && r->place && r->model && r->moves &&
         r->in_vain && r->sampled && ut_stuck_query_open(&r->query, r->faults) && ut_reach_find_names(r) &&
         find_cones(r);
}

struct ut_stuck_reach *ut_stuck_reach_open(const struct ut_stuck_faults *f, const struct ut_stuck_rules *rules,
                                           struct ut_error *e) {
  const struct ut_circuit *c = f->circuit;
  const size_t size = (sizeof(struct ut_stuck_reach) + sizeof(vector) - 1) / sizeof(vector) * sizeof(vector);
  struct ut_stuck_reach *r = aligned_alloc(sizeof(vector), size);
  if (r) {
    memset(r, 0, size);
    r->faults = f;
    r->circuit = c;
    r->rules = rules;
    r->stride = r->chance = 1;
    r->states = c->states;
  }
  if (!r || !make_room(r)) {
    ut_fail_memory(e);
    ut_stuck_reach_close(r);
    return NULL;
  }
  memset(r->place, 0xff, r->places * sizeof *r->place);
  memset(r->op, 0, c->ops * sizeof *r->op);
  r->op[UT_OP_ONE] = all;
  for (uint32_t i = 0; i < c->ops; i++)
    if (c->op[i].kind == UT_OP_INPUT)
      r->input[r->inputs++] = i;
    else if (c->op[i].kind == UT_OP_STATE)
      r->state[c->op[i].a] = i;
  return r;
}

void ut_stuck_reach_close(struct ut_stuck_reach *r) {
  if (!r)
    return;
  for (unsigned i = 0; i < r->blocks; i++)
    free(r->block[i]);
  ut_reach_free_names(r);
  ut_stuck_query_free(&r->query);
  free(r->input);
  free(r->state);
  free(r->op);
  free(r->bad);
  free(r->next);
  free(r->clause);
  free(r->place);
  free(r->model);
  free(r->chosen);
  free(r->cone);
  free(r->cone_begin);
  free(r->moves);
  free(r->in_vain);
  free(r->sampled);
  free(r);
}
