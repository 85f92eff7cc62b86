/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_seen.c - states that are seen in runs, and the clauses that do not hold in them */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { STEPS = 8 }; /* of a walk */

/* Patterns that break a rule. */
void ut_reach_broken_rules(const struct ut_stuck_reach *reach, const vector *op, vector *any, const char **text) {
  *any = none;
  const vector reset = op[reach->faults->reset];
  for (const struct ut_stuck_rule *rule = reach->rules->rule; rule < reach->rules->rule + reach->rules->count; rule++) {
    vector broken = rule->in_reset && rule->running ? all : rule->in_reset ? reset : ~reset;
    for (unsigned i = 0; i < rule->count; i++)
      broken &= rule->literal[i] % 2 ? ~op[rule->literal[i] / 2] : op[rule->literal[i] / 2];
    *any |= broken;
    if (text && !ut_stuck_is_zero(&broken))
      *text = rule->text;
  }
}

/* States, by the numbers of flip-flops, in which a clause does not hold. */
void ut_reach_broken(const struct ut_reach_clause *clause, const vector *state, vector *v) {
  *v = clause->literal[0] % 2 ? ~state[clause->literal[0] / 2] : state[clause->literal[0] / 2];
  for (unsigned i = 1; i < clause->count; i++)
    *v &= clause->literal[i] % 2 ? ~state[clause->literal[i] / 2] : state[clause->literal[i] / 2];
}

void ut_reach_take_states(struct ut_stuck_reach *reach, const vector *op) {
  for (size_t i = 0; i < reach->states; i++)
    reach->next[i] = op[reach->state[i]];
}

static vector *new_block(struct ut_stuck_reach *reach, const vector *valid) {
  vector *b = ut_stuck_vectors(reach->inputs + reach->states);
  reach->valid[reach->blocks] = *valid;
  if (b)
    reach->block[reach->blocks++] = b;
  return b;
}

/* One in `stride` blocks is kept; when there are too many, every other one is forgotten. */
static void keep(struct ut_stuck_reach *reach, const vector *op, const vector *valid) {
  if (reach->skip++ % reach->stride)
    return;
  if (reach->blocks == UT_REACH_BLOCKS) {
    for (unsigned i = 0; i < UT_REACH_BLOCKS; i++)
      if (i % 2) {
        free(reach->block[i]);
      } else {
        reach->block[i / 2] = reach->block[i];
        reach->valid[i / 2] = reach->valid[i];
      }
    reach->blocks = UT_REACH_BLOCKS / 2;
    reach->stride *= 2;
  }
  vector *b = new_block(reach, valid);
  for (size_t i = 0; b && i < reach->inputs; i++)
    b[i] = op[reach->input[i]];
  for (size_t i = 0; b && i < reach->states; i++)
    b[reach->inputs + i] = op[reach->state[i]];
}

void ut_stuck_reach_see(struct ut_stuck_reach *reach, const vector *op, const vector *valid) {
  const vector running = *valid & ~op[reach->faults->reset];
  vector wrong;
  ut_reach_broken_rules(reach, op, &wrong, NULL);
  wrong &= *valid;
  if (!ut_stuck_is_zero(&wrong))
    ut_reach_broken_rules(reach, op, &wrong, &reach->broken);
  if (!reach->proven) {
    keep(reach, op, &running);
    return;
  }
  ut_reach_take_states(reach, op);
  for (size_t i = 0; i < reach->clauses && !reach->broken; i++) {
    ut_reach_broken(&reach->clause[i], reach->next, &wrong);
    wrong &= running;
    if (reach->clause[i].live && !ut_stuck_is_zero(&wrong))
      reach->broken = "no switch gets into a state that was proven to be out of reach";
  }
}

const char *ut_stuck_reach_broken(const struct ut_stuck_reach *reach) {
  return reach->broken;
}

/* Refutes clauses that do not hold in some states. */
size_t ut_reach_refute(struct ut_stuck_reach *reach, const vector *state, const vector *valid) {
  size_t count = 0;
  for (size_t i = 0; i < reach->clauses; i++) {
    struct ut_reach_clause *clause = &reach->clause[i];
    if (!clause->live)
      continue;
    vector broken;
    ut_reach_broken(clause, state, &broken);
    broken &= *valid;
    if (!ut_stuck_is_zero(&broken)) {
      clause->live = false;
      count++;
    }
  }
  return count;
}

/* Chooses bits of which few are 1: in each word half as many as in the one before. */
void ut_reach_choose_few(struct ut_stuck_reach *reach, unsigned halves, vector *v) {
  for (unsigned w = 0; w < WORDS; w++) {
    (*v)[w] = ut_stuck_chance(&reach->chance);
    for (unsigned i = 0; i < w + halves; i++)
      (*v)[w] &= ut_stuck_chance(&reach->chance);
  }
}

void ut_reach_put_states(struct ut_stuck_reach *reach, const vector *state) {
  for (size_t i = 0; i < reach->states; i++)
    if (reach->state[i] != UT_OP_ZERO)
      reach->op[reach->state[i]] = state[i];
}

/* Walks from states that were seen, with other inputs that obey the rules: the resulting states can occur, too. */
void ut_reach_walk(struct ut_stuck_reach *reach, unsigned from, unsigned kept) {
  vector *now = new_block(reach, &reach->valid[from]);
  if (!now)
    return;
  memcpy(now, reach->block[from], (reach->inputs + reach->states) * sizeof *now);
  for (unsigned step = 0; step < STEPS; step++) {
    const vector *other = reach->block[ut_stuck_chance(&reach->chance) % kept];
    for (size_t i = 0; i < reach->inputs; i++) {
      ut_reach_choose_few(reach, 2, &now[i]);
      now[i] ^= other[i];
      reach->op[reach->input[i]] = now[i];
    }
    ut_reach_put_states(reach, now + reach->inputs);
    reach->op[reach->faults->reset] = none;
    ut_stuck_compute_all(reach->circuit, reach->op);
    vector broken;
    ut_reach_broken_rules(reach, reach->op, &broken, NULL);
    const vector legal = reach->valid[reach->blocks - 1] & ~broken;
    for (size_t i = 0; i < reach->states; i++) {
      const vector change = (reach->op[reach->circuit->next[i]] ^ now[reach->inputs + i]) & legal;
      reach->moves[i] = reach->moves[i] || !ut_stuck_is_zero(&change);
      now[reach->inputs + i] ^= change;
    }
  }
}
