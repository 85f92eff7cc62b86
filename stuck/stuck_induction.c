/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_induction.c - the greatest set of candidates that holds by induction */
#include <stdlib.h>

#include "stuck_reach_parts.h"

enum { CHUNK = 64, ASSUMED = 4000, PATIENCE = 4 };

/* Loads a state that was seen, with its inputs, and evaluates all operations; returns which of the patterns it is. */
static unsigned put_sample(struct ut_stuck_reach *reach) {
  const unsigned b = reach->blocks ? (unsigned)(ut_stuck_chance(&reach->chance) % reach->blocks) : 0;
  unsigned lane = (unsigned)(ut_stuck_chance(&reach->chance) % PATTERNS);
  for (unsigned i = 0; reach->blocks && i < PATTERNS && !ut_reach_bit(&reach->valid[b], lane); i++)
    lane = (lane + 1) % PATTERNS;
  for (size_t i = 0; i < reach->inputs && reach->blocks; i++)
    reach->op[reach->input[i]] = reach->block[b][i];
  if (reach->blocks)
    ut_reach_put_states(reach, reach->block[b] + reach->inputs);
  ut_stuck_compute_all(reach->circuit, reach->op);
  return lane;
}

/* Makes the solver first try the values of a state that was seen. */
void ut_reach_try_sample(struct ut_stuck_reach *reach) {
  const unsigned lane = put_sample(reach);
  for (size_t i = 0; i < reach->circuit->ops; i++)
    reach->sampled[i] = ut_reach_bit(&reach->op[i], lane);
}

void ut_reach_add_rule(const struct ut_stuck_reach *reach, struct ut_stuck_logic *logic,
                       const struct ut_stuck_rule *rule) {
  int clause[UT_STUCK_RULE_LITERALS + 1];
  const int reset = reach->query.good[reach->faults->reset];
  unsigned n = 0;
  for (; n < rule->count; n++)
    clause[n] =
        rule->literal[n] % 2 ? reach->query.good[rule->literal[n] / 2] : -reach->query.good[rule->literal[n] / 2];
  if (!rule->in_reset || !rule->running)
    clause[n++] = rule->running ? reset : -reset;
  ut_stuck_logic_clause(logic, clause, n);
}

/* Asserts a clause outside of reset; assumption: 0, or the literal under which it is asserted. */
void ut_reach_add_clause(const struct ut_stuck_reach *reach, struct ut_stuck_logic *logic,
                         const struct ut_reach_clause *reach_clause, int assumption) {
  int clause[UT_REACH_LITERALS + 2];
  unsigned n = 0;
  for (; n < reach_clause->count; n++) {
    const int x = reach->query.good[reach->state[reach_clause->literal[n] / 2]];
    clause[n] = reach_clause->literal[n] % 2 ? x : -x;
  }
  clause[n++] = reach->query.good[reach->faults->reset];
  if (assumption)
    clause[n++] = -assumption;
  ut_stuck_logic_clause(logic, clause, n);
}

/* Asserts the circuit, the rules, and the present candidates. */
static void encode(struct ut_stuck_reach *reach, struct ut_stuck_logic *logic, bool assumed) {
  const struct ut_circuit *circuit = reach->circuit;
  ut_stuck_logic_open(logic, false);
  ut_reach_try_sample(reach);
  for (size_t i = 0; i < circuit->ops; i++) {
    logic->down = !reach->sampled[i];
    reach->query.good[i] = ut_stuck_logic_op(logic, &circuit->op[i], reach->query.good);
  }
  logic->down = false;
  for (size_t i = 0; i < reach->rules->count; i++)
    ut_reach_add_rule(reach, logic, &reach->rules->rule[i]);
  for (struct ut_reach_clause *clause = reach->clause; clause < reach->clause + reach->clauses; clause++) {
    clause->assumption = assumed && clause->live ? ut_stuck_logic_variable(logic) : 0;
    if (clause->live)
      ut_reach_add_clause(reach, logic, clause, clause->assumption);
  }
}

static void take_model(struct ut_stuck_reach *reach, const struct ut_stuck_logic *logic) {
  for (size_t i = 0; i < reach->inputs; i++)
    reach->model[reach->input[i]] = ccadical_val(logic->solver, reach->query.good[reach->input[i]]) > 0;
  for (size_t i = 0; i < reach->states; i++)
    if (reach->state[i] != UT_OP_ZERO)
      reach->model[reach->state[i]] = ccadical_val(logic->solver, reach->query.good[reach->state[i]]) > 0;
}

/* Loads the solver's model as pattern 0, and similar ones as the others. */
static void put_model(struct ut_stuck_reach *reach) {
  for (size_t i = 0; i < reach->inputs + reach->states; i++) {
    const uint32_t op = i < reach->inputs ? reach->input[i] : reach->state[i - reach->inputs];
    if (op == UT_OP_ZERO)
      continue;
    vector flips;
    ut_reach_choose_few(reach, i < reach->inputs ? 2 : 4, &flips);
    flips[0] &= ~UINT64_C(1);
    reach->op[op] = reach->model[op] ? ~flips : flips;
  }
}

/* Patterns of reach->op that keep rules and hypothesis: clauses of the list. */
static void find_legal(struct ut_stuck_reach *reach, const uint32_t *hypothesis, size_t count, vector *legal) {
  vector wrong = none, broken;
  ut_reach_take_states(reach, reach->op);
  for (size_t i = 0; i < count; i++)
    if (reach->clause[hypothesis[i]].live || !reach->clause[hypothesis[i]].assumption) {
      ut_reach_broken(&reach->clause[hypothesis[i]], reach->next, &broken);
      wrong |= broken;
    }
  ut_reach_broken_rules(reach, reach->op, &broken, NULL);
  *legal = ~(wrong & ~reach->op[reach->faults->reset]) & ~broken;
}

/* Refutes clauses by the solver's model; returns how many. */
static size_t refute_by_model(struct ut_stuck_reach *reach, struct ut_stuck_logic *logic, const uint32_t *hypothesis,
                              size_t count) {
  take_model(reach, logic);
  put_model(reach);
  ut_stuck_compute_all(reach->circuit, reach->op);
  vector valid;
  find_legal(reach, hypothesis, count, &valid);
  for (size_t i = 0; i < reach->states; i++)
    reach->next[i] = reach->op[reach->circuit->next[i]];
  return ut_reach_refute(reach, reach->next, &valid);
}

/* Refutes clauses of the list that need not hold after a clock; returns how many. */
static size_t settle_chunk(struct ut_stuck_reach *reach, struct ut_stuck_logic *logic, const uint32_t *list,
                           size_t count, const uint32_t *hypothesis, size_t hypotheses) {
  int broken[CHUNK], clause[CHUNK + 1];
  size_t refuted = 0;
  for (size_t i = 0; i < count; i++) {
    const struct ut_reach_clause *reach_clause = &reach->clause[list[i]];
    broken[i] = ut_stuck_logic_variable(logic);
    for (unsigned n = 0; n < reach_clause->count; n++) {
      const int x = reach->query.good[reach->circuit->next[reach_clause->literal[n] / 2]];
      ut_stuck_logic_clause(logic, (const int[]){-broken[i], reach_clause->literal[n] % 2 ? -x : x}, 2);
    }
  }
  while (!ut_reach_is_interrupted(reach)) {
    const int guard = ut_stuck_logic_variable(logic);
    size_t n = 0;
    clause[n++] = -guard;
    for (size_t i = 0; i < count; i++)
      if (reach->clause[list[i]].live)
        clause[n++] = broken[i];
    if (n == 1)
      break;
    ut_stuck_logic_clause(logic, clause, n);
    ccadical_assume(logic->solver, guard);
    for (size_t i = 0; i < hypotheses; i++)
      if (reach->clause[hypothesis[i]].live && reach->clause[hypothesis[i]].assumption)
        ccadical_assume(logic->solver, reach->clause[hypothesis[i]].assumption);
    ccadical_limit(logic->solver, "conflicts", UT_STUCK_CONFLICTS);
    const int result = ccadical_solve(logic->solver);
    const size_t more = result == UT_SATISFIABLE ? refute_by_model(reach, logic, hypothesis, hypotheses) : 0;
    refuted += more;
    for (size_t i = 0; i < count && more && reach->patience; i++) { /* the condition under which it would hold */
      struct ut_reach_clause *reach_clause = &reach->clause[list[i]];
      if (reach_clause->live || !reach_clause->wanted || reach_clause->revived >= 3 ||
          ccadical_val(logic->solver, broken[i]) <= 0)
        continue;
      const struct ut_reach_clause copy = *reach_clause;
      const struct ut_reach_target target = {.clause = &copy};
      if (ut_reach_propose_against(reach, &target)) {
        reach_clause->revived++;
        reach_clause->live = ut_reach_is_unseen(reach, reach_clause);
      }
      break;
    }
    for (size_t i = 0; i < count && result != UT_UNSATISFIABLE && !more; i++) { /* given up */
      refuted += reach->clause[list[i]].live;
      reach->clause[list[i]].live = false;
    }
    ut_stuck_logic_clause(logic, (const int[]){-guard}, 1);
    if (result == UT_UNSATISFIABLE)
      break;
  }
  return refuted;
}

/* Finds the greatest set of candidates that holds by induction. */
bool ut_reach_settle(struct ut_stuck_reach *reach) {
  uint32_t *list = malloc(UT_REACH_CLAUSES * sizeof *list); /* some are added while others are examined */
  size_t refuted = 1;
  reach->patience = PATIENCE;
  while (list && refuted && !ut_reach_is_interrupted(reach)) {
    struct ut_stuck_logic logic;
    size_t count = 0;
    for (uint32_t i = 0; i < reach->clauses; i++)
      if (reach->clause[i].live)
        list[count++] = i;
    encode(reach, &logic, count < ASSUMED);
    refuted = 0;
    reach->patience -= reach->patience > 0;
    for (size_t i = 0; i < count; i += CHUNK)
      refuted += settle_chunk(reach, &logic, list + i, count - i < CHUNK ? count - i : CHUNK, list, count);
    ut_stuck_logic_close(&logic);
  }
  free(list);
  return list;
}
