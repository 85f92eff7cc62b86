/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_seen.c - states that are seen in runs, and what does not hold in them */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { STEPS = 8 }; /* of a walk */

/* Patterns that break a rule. */
void ut_reach_broken_rules(const struct ut_stuck_reach *r, const vector *op, vector *any, const char **text) {
  *any = none;
  const vector reset = op[r->faults->reset];
  for (const struct ut_stuck_rule *rule = r->rules->rule; rule < r->rules->rule + r->rules->count; rule++) {
    vector broken = rule->in_reset && rule->running ? all : rule->in_reset ? reset : ~reset;
    for (unsigned i = 0; i < rule->count; i++)
      broken &= rule->literal[i] % 2 ? ~op[rule->literal[i] / 2] : op[rule->literal[i] / 2];
    *any |= broken;
    if (text && !ut_stuck_is_zero(&broken))
      *text = rule->text;
  }
}

/* States, by the numbers of flip-flops, in which a clause does not hold. */
void ut_reach_broken(const struct ut_reach_clause *c, const vector *state, vector *v) {
  *v = c->literal[0] % 2 ? ~state[c->literal[0] / 2] : state[c->literal[0] / 2];
  for (unsigned i = 1; i < c->count; i++)
    *v &= c->literal[i] % 2 ? ~state[c->literal[i] / 2] : state[c->literal[i] / 2];
}

void ut_reach_take_states(struct ut_stuck_reach *r, const vector *op) {
  for (size_t i = 0; i < r->states; i++)
    r->next[i] = op[r->state[i]];
}

static vector *new_block(struct ut_stuck_reach *r, const vector *valid) {
  vector *b = ut_stuck_vectors(r->inputs + r->states);
  r->valid[r->blocks] = *valid;
  if (b)
    r->block[r->blocks++] = b;
  return b;
}

/* One in `stride` blocks is kept; when there are too many, every other one is forgotten. */
static void keep(struct ut_stuck_reach *r, const vector *op, const vector *valid) {
  if (r->skip++ % r->stride)
    return;
  if (r->blocks == UT_REACH_BLOCKS) {
    for (unsigned i = 0; i < UT_REACH_BLOCKS; i++)
      if (i % 2) {
        free(r->block[i]);
      } else {
        r->block[i / 2] = r->block[i];
        r->valid[i / 2] = r->valid[i];
      }
    r->blocks = UT_REACH_BLOCKS / 2;
    r->stride *= 2;
  }
  vector *b = new_block(r, valid);
  for (size_t i = 0; b && i < r->inputs; i++)
    b[i] = op[r->input[i]];
  for (size_t i = 0; b && i < r->states; i++)
    b[r->inputs + i] = op[r->state[i]];
}

void ut_stuck_reach_see(struct ut_stuck_reach *r, const vector *op, const vector *valid) {
  const vector running = *valid & ~op[r->faults->reset];
  vector wrong;
  ut_reach_broken_rules(r, op, &wrong, NULL);
  wrong &= *valid;
  if (!ut_stuck_is_zero(&wrong))
    ut_reach_broken_rules(r, op, &wrong, &r->broken);
  if (!r->proven) {
    keep(r, op, &running);
    return;
  }
  ut_reach_take_states(r, op);
  for (size_t i = 0; i < r->clauses && !r->broken; i++) {
    ut_reach_broken(&r->clause[i], r->next, &wrong);
    wrong &= running;
    if (r->clause[i].live && !ut_stuck_is_zero(&wrong))
      r->broken = "no switch gets into a state that was proven to be out of reach";
  }
}

const char *ut_stuck_reach_broken(const struct ut_stuck_reach *r) {
  return r->broken;
}

/* Refutes what does not hold in some states. */
size_t ut_reach_refute(struct ut_stuck_reach *r, const vector *state, const vector *valid) {
  size_t count = 0;
  for (size_t i = 0; i < r->clauses; i++) {
    struct ut_reach_clause *c = &r->clause[i];
    if (!c->live)
      continue;
    vector broken;
    ut_reach_broken(c, state, &broken);
    broken &= *valid;
    if (!ut_stuck_is_zero(&broken)) {
      c->live = false;
      count++;
    }
  }
  return count;
}

/* Bits of which few are 1: in each word half as many as in the one before. */
void ut_reach_choose_few(struct ut_stuck_reach *r, unsigned halves, vector *v) {
  for (unsigned w = 0; w < WORDS; w++) {
    (*v)[w] = ut_stuck_chance(&r->chance);
    for (unsigned i = 0; i < w + halves; i++)
      (*v)[w] &= ut_stuck_chance(&r->chance);
  }
}

void ut_reach_put_states(struct ut_stuck_reach *r, const vector *state) {
  for (size_t i = 0; i < r->states; i++)
    if (r->state[i] != UT_OP_ZERO)
      r->op[r->state[i]] = state[i];
}

/* From states that were seen on, with other inputs that keep the rules: what comes then can occur, too. */
void ut_reach_walk(struct ut_stuck_reach *r, unsigned from, unsigned kept) {
  vector *now = new_block(r, &r->valid[from]);
  if (!now)
    return;
  memcpy(now, r->block[from], (r->inputs + r->states) * sizeof *now);
  for (unsigned step = 0; step < STEPS; step++) {
    const vector *other = r->block[ut_stuck_chance(&r->chance) % kept];
    for (size_t i = 0; i < r->inputs; i++) {
      ut_reach_choose_few(r, 2, &now[i]);
      now[i] ^= other[i];
      r->op[r->input[i]] = now[i];
    }
    ut_reach_put_states(r, now + r->inputs);
    r->op[r->faults->reset] = none;
    ut_stuck_compute_all(r->circuit, r->op);
    vector broken;
    ut_reach_broken_rules(r, r->op, &broken, NULL);
    const vector legal = r->valid[r->blocks - 1] & ~broken;
    for (size_t i = 0; i < r->states; i++) {
      const vector change = (r->op[r->circuit->next[i]] ^ now[r->inputs + i]) & legal;
      r->moves[i] = r->moves[i] || !ut_stuck_is_zero(&change);
      now[r->inputs + i] ^= change;
    }
  }
}
