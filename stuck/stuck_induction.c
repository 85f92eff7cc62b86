/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_induction.c - the greatest set of candidates that holds by induction */
#include <stdlib.h>

#include "stuck_reach_parts.h"

enum { CHUNK = 64, ASSUMED = 4000, PATIENCE = 4 };

/* A state that was seen, with its inputs, and what they make of all operations; returns which of the patterns it is. */
static unsigned put_sample(struct ut_stuck_reach *r) {
  const unsigned b = r->blocks ? (unsigned)(ut_stuck_chance(&r->chance) % r->blocks) : 0;
  unsigned lane = (unsigned)(ut_stuck_chance(&r->chance) % PATTERNS);
  for (unsigned i = 0; r->blocks && i < PATTERNS && !ut_reach_bit(&r->valid[b], lane); i++)
    lane = (lane + 1) % PATTERNS;
  for (size_t i = 0; i < r->inputs && r->blocks; i++)
    r->op[r->input[i]] = r->block[b][i];
  if (r->blocks)
    ut_reach_put_states(r, r->block[b] + r->inputs);
  ut_stuck_compute_all(r->circuit, r->op);
  return lane;
}

/* Values of a state that was seen are those that the solver tries first. */
void ut_reach_try_sample(struct ut_stuck_reach *r) {
  const unsigned lane = put_sample(r);
  for (size_t i = 0; i < r->circuit->ops; i++)
    r->sampled[i] = ut_reach_bit(&r->op[i], lane);
}

void ut_reach_add_rule(const struct ut_stuck_reach *r, struct ut_stuck_logic *l, const struct ut_stuck_rule *rule) {
  int clause[UT_STUCK_RULE_LITERALS + 1];
  const int reset = r->query.good[r->faults->reset];
  unsigned n = 0;
  for (; n < rule->count; n++)
    clause[n] = rule->literal[n] % 2 ? r->query.good[rule->literal[n] / 2] : -r->query.good[rule->literal[n] / 2];
  if (!rule->in_reset || !rule->running)
    clause[n++] = rule->running ? reset : -reset;
  ut_stuck_logic_clause(l, clause, n);
}

/* A clause holds where there is no reset; assumption: 0, or only where that is assumed. */
void ut_reach_add_clause(const struct ut_stuck_reach *r, struct ut_stuck_logic *l, const struct ut_reach_clause *k,
                         int assumption) {
  int clause[UT_REACH_LITERALS + 2];
  unsigned n = 0;
  for (; n < k->count; n++) {
    const int x = r->query.good[r->state[k->literal[n] / 2]];
    clause[n] = k->literal[n] % 2 ? x : -x;
  }
  clause[n++] = r->query.good[r->faults->reset];
  if (assumption)
    clause[n++] = -assumption;
  ut_stuck_logic_clause(l, clause, n);
}

/* The circuit, the rules, and the candidates of now. */
static void encode(struct ut_stuck_reach *r, struct ut_stuck_logic *l, bool assumed) {
  const struct ut_circuit *c = r->circuit;
  ut_stuck_logic_open(l, false);
  ut_reach_try_sample(r);
  for (size_t i = 0; i < c->ops; i++) {
    l->down = !r->sampled[i];
    r->query.good[i] = ut_stuck_logic_op(l, &c->op[i], r->query.good);
  }
  l->down = false;
  for (size_t i = 0; i < r->rules->count; i++)
    ut_reach_add_rule(r, l, &r->rules->rule[i]);
  for (struct ut_reach_clause *k = r->clause; k < r->clause + r->clauses; k++) {
    k->assumption = assumed && k->live ? ut_stuck_logic_variable(l) : 0;
    if (k->live)
      ut_reach_add_clause(r, l, k, k->assumption);
  }
}

static void take_model(struct ut_stuck_reach *r, const struct ut_stuck_logic *l) {
  for (size_t i = 0; i < r->inputs; i++)
    r->model[r->input[i]] = ccadical_val(l->solver, r->query.good[r->input[i]]) > 0;
  for (size_t i = 0; i < r->states; i++)
    if (r->state[i] != UT_OP_ZERO)
      r->model[r->state[i]] = ccadical_val(l->solver, r->query.good[r->state[i]]) > 0;
}

/* What the solver has found, as pattern 0; others near it. */
static void put_model(struct ut_stuck_reach *r) {
  for (size_t i = 0; i < r->inputs + r->states; i++) {
    const uint32_t op = i < r->inputs ? r->input[i] : r->state[i - r->inputs];
    if (op == UT_OP_ZERO)
      continue;
    vector flips;
    ut_reach_choose_few(r, i < r->inputs ? 2 : 4, &flips);
    flips[0] &= ~UINT64_C(1);
    r->op[op] = r->model[op] ? ~flips : flips;
  }
}

/* Patterns of r->op that keep rules and hypothesis: clauses of the list. */
static void find_legal(struct ut_stuck_reach *r, const uint32_t *hypothesis, size_t count, vector *legal) {
  vector wrong = none, broken;
  ut_reach_take_states(r, r->op);
  for (size_t i = 0; i < count; i++)
    if (r->clause[hypothesis[i]].live || !r->clause[hypothesis[i]].assumption) {
      ut_reach_broken(&r->clause[hypothesis[i]], r->next, &broken);
      wrong |= broken;
    }
  ut_reach_broken_rules(r, r->op, &broken, NULL);
  *legal = ~(wrong & ~r->op[r->faults->reset]) & ~broken;
}

/* Refutes clauses by what the solver has found; returns how many. */
static size_t refute_by_model(struct ut_stuck_reach *r, struct ut_stuck_logic *l, const uint32_t *hypothesis,
                              size_t count) {
  take_model(r, l);
  put_model(r);
  ut_stuck_compute_all(r->circuit, r->op);
  vector valid;
  find_legal(r, hypothesis, count, &valid);
  for (size_t i = 0; i < r->states; i++)
    r->next[i] = r->op[r->circuit->next[i]];
  return ut_reach_refute(r, r->next, &valid);
}

/* Clauses of the list that need not hold behind a clock are refuted; returns how many. */
static size_t settle_chunk(struct ut_stuck_reach *r, struct ut_stuck_logic *l, const uint32_t *list, size_t count,
                           const uint32_t *hypothesis, size_t hypotheses) {
  int broken[CHUNK], clause[CHUNK + 1];
  size_t refuted = 0;
  for (size_t i = 0; i < count; i++) {
    const struct ut_reach_clause *k = &r->clause[list[i]];
    broken[i] = ut_stuck_logic_variable(l);
    for (unsigned n = 0; n < k->count; n++) {
      const int x = r->query.good[r->circuit->next[k->literal[n] / 2]];
      ut_stuck_logic_clause(l, (const int[]){-broken[i], k->literal[n] % 2 ? -x : x}, 2);
    }
  }
  while (!ut_reach_is_interrupted(r)) {
    const int guard = ut_stuck_logic_variable(l);
    size_t n = 0;
    clause[n++] = -guard;
    for (size_t i = 0; i < count; i++)
      if (r->clause[list[i]].live)
        clause[n++] = broken[i];
    if (n == 1)
      break;
    ut_stuck_logic_clause(l, clause, n);
    ccadical_assume(l->solver, guard);
    for (size_t i = 0; i < hypotheses; i++)
      if (r->clause[hypothesis[i]].live && r->clause[hypothesis[i]].assumption)
        ccadical_assume(l->solver, r->clause[hypothesis[i]].assumption);
    ccadical_limit(l->solver, "conflicts", UT_STUCK_CONFLICTS);
    const int result = ccadical_solve(l->solver);
    const size_t more = result == UT_SATISFIABLE ? refute_by_model(r, l, hypothesis, hypotheses) : 0;
    refuted += more;
    for (size_t i = 0; i < count && more && r->patience; i++) { /* what would have to hold for it to hold */
      struct ut_reach_clause *k = &r->clause[list[i]];
      if (k->live || !k->wanted || k->revived >= 3 || ccadical_val(l->solver, broken[i]) <= 0)
        continue;
      const struct ut_reach_clause copy = *k;
      const struct ut_reach_target target = {.clause = &copy};
      if (ut_reach_propose_against(r, &target)) {
        k->revived++;
        k->live = ut_reach_is_unseen(r, k);
      }
      break;
    }
    for (size_t i = 0; i < count && result != UT_UNSATISFIABLE && !more; i++) { /* given up */
      refuted += r->clause[list[i]].live;
      r->clause[list[i]].live = false;
    }
    ut_stuck_logic_clause(l, (const int[]){-guard}, 1);
    if (result == UT_UNSATISFIABLE)
      break;
  }
  return refuted;
}

/* The greatest set of candidates that holds by induction. */
bool ut_reach_settle(struct ut_stuck_reach *r) {
  uint32_t *list = malloc(UT_REACH_CLAUSES * sizeof *list); /* some come while others are looked at */
  size_t refuted = 1;
  r->patience = PATIENCE;
  while (list && refuted && !ut_reach_is_interrupted(r)) {
    struct ut_stuck_logic l;
    size_t count = 0;
    for (uint32_t i = 0; i < r->clauses; i++)
      if (r->clause[i].live)
        list[count++] = i;
    encode(r, &l, count < ASSUMED);
    refuted = 0;
    r->patience -= r->patience > 0;
    for (size_t i = 0; i < count; i += CHUNK)
      refuted += settle_chunk(r, &l, list + i, count - i < CHUNK ? count - i : CHUNK, list, count);
    ut_stuck_logic_close(&l);
  }
  free(list);
  return list;
}
