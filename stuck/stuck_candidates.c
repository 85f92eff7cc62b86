/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_candidates.c - clauses that may hold in every state: from states that were seen, and against one that was not
 */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { EXPECTED = 50, EXPECTED_IN_STATE = 5, TOGETHER = 3 };

/* States among which values are counted: all that were seen, or those of them that have some literals. */
struct among {
  const vector *with; /* [blocks] */
  uint32_t literal[UT_REACH_CODE];
  unsigned count;
  double states, *likely; /* likely: [states]: how likely each flip-flop is 1 */
};

/* Which values of some flip-flops have been seen together: bit i for those that are the bits of i. */
static unsigned seen_together(const struct ut_stuck_reach *r, const struct among *m, const uint32_t *flip_flop,
                              unsigned count) {
  const unsigned values = 1u << count;
  unsigned seen = 0;
  for (unsigned b = 0; b < r->blocks && seen != (1u << values) - 1; b++) {
    vector with[1 << TOGETHER] = {m->with[b]};
    for (unsigned i = 0; i < count; i++)
      for (unsigned k = 0; k < 1u << i; k++) {
        const vector x = r->block[b][r->inputs + flip_flop[i]];
        with[k | 1u << i] = with[k] & x;
        with[k] &= ~x;
      }
    for (unsigned k = 0; k < values; k++)
      seen |= (unsigned)!ut_stuck_is_zero(&with[k]) << k;
  }
  return seen;
}

static uint64_t ones_in(const vector *v) {
  uint64_t ones = 0;
  for (unsigned w = 0; w < WORDS; w++)
    ones += (unsigned)__builtin_popcountll((*v)[w]);
  return ones;
}

/* How many states there are, and how likely some flip-flops are 1 in them. */
static void count_states(const struct ut_stuck_reach *r, struct among *m, const uint32_t *flip_flop, size_t count) {
  m->states = 0;
  for (unsigned b = 0; b < r->blocks; b++)
    m->states += (double)ones_in(&m->with[b]);
  for (size_t i = 0; i < count; i++) {
    uint64_t ones = 0;
    for (unsigned b = 0; b < r->blocks; b++) {
      const vector v = r->block[b][r->inputs + flip_flop[i]] & m->with[b];
      ones += ones_in(&v);
    }
    m->likely[flip_flop[i]] = m->states > 0 ? (double)ones / m->states : 0;
  }
}

/* Values of these flip-flops that have not been seen together, though as many states as expected should have had them
 * if none hung on the others.  Where some of them have not been seen together alone, that says it already. */
static void propose_unseen(struct ut_stuck_reach *r, const struct among *m, const uint32_t *flip_flop, unsigned count) {
  const unsigned seen = seen_together(r, m, flip_flop, count);
  for (unsigned k = 0; k < 1u << count; k++) {
    bool is_new = !(seen >> k & 1);
    double expected = m->states;
    uint32_t literal[UT_REACH_CODE + TOGETHER];
    memcpy(literal, m->literal, sizeof m->literal);
    for (unsigned i = 0; i < count && is_new; i++) {
      is_new = seen >> (k ^ 1u << i) & 1;
      if (count > 1)
        expected *= k >> i & 1 ? m->likely[flip_flop[i]] : 1 - m->likely[flip_flop[i]];
      literal[m->count + i] = 2 * flip_flop[i] + !(k >> i & 1);
    }
    is_new = is_new && (m->count ? expected >= EXPECTED_IN_STATE : count == 1 || expected >= EXPECTED);
    if (is_new && !(m->count && ut_reach_is_proposed(r, literal + m->count, count)))
      ut_reach_propose(r, literal, m->count + count, false);
  }
}

/* Among all states: flip-flops with one value, pairs, and triples of those that belong together. */
static void propose_everywhere(struct ut_stuck_reach *r, double *likely, uint32_t *read) {
  struct among m = {.with = r->valid, .likely = likely};
  size_t count = 0;
  for (uint32_t i = 0; i < r->states; i++)
    if (r->state[i] != UT_OP_ZERO) /* somebody reads it */
      read[count++] = i;
  count_states(r, &m, read, count);
  for (size_t a = 0; a < count; a++) {
    propose_unseen(r, &m, &read[a], 1);
    for (size_t b = 0; b < a; b++) {
      const uint32_t pair[] = {read[b], read[a]};
      propose_unseen(r, &m, pair, 2);
      for (size_t c = 0; c < b && ut_reach_belong_together(r, pair[0], pair[1]); c++)
        if (ut_reach_belong_together(r, read[c], pair[0]))
          propose_unseen(r, &m, (const uint32_t[]){read[c], pair[0], pair[1]}, 3);
    }
  }
}

/* The literals that tell this value of a part's state from the others that were seen. */
static void choose_code(const struct ut_reach_part *p, unsigned seen, unsigned value, struct among *m) {
  unsigned mask = (1u << p->codes) - 1;
  for (unsigned i = p->codes; i-- > 0;) {
    bool tells = false;
    for (unsigned other = 0; other < 1u << p->codes; other++)
      tells = tells || (other != value && seen >> other & 1 && !((other ^ value) & mask & ~(1u << i)));
    mask &= tells ? mask : ~(1u << i);
  }
  m->count = 0;
  for (unsigned i = 0; i < p->codes; i++)
    if (mask >> i & 1)
      m->literal[m->count++] = 2 * p->code[i] + !(value >> i & 1);
}

/* In each state of a part: values and pairs of its flip-flops.  What waits has candidates that routing gives, and what
 * is active has one. */
static void propose_in_states(struct ut_stuck_reach *r, const struct ut_reach_part *p, double *likely, vector *with) {
  const struct among all_states = {.with = r->valid};
  const unsigned seen = seen_together(r, &all_states, p->code, p->codes);
  struct among m = {.with = with, .likely = likely};
  for (unsigned value = 0; value < 1u << p->codes; value++) {
    if (!(seen >> value & 1))
      continue;
    choose_code(p, seen, value, &m);
    for (unsigned b = 0; b < r->blocks; b++) {
      with[b] = r->valid[b];
      for (unsigned i = 0; i < p->codes; i++) {
        const vector x = r->block[b][r->inputs + p->code[i]];
        with[b] &= value >> i & 1 ? x : ~x;
      }
    }
    count_states(r, &m, p->member, p->members);
    for (unsigned a = 0; a < p->members; a++) {
      propose_unseen(r, &m, &p->member[a], 1);
      for (unsigned b = 0; b < a; b++)
        propose_unseen(r, &m, (const uint32_t[]){p->member[b], p->member[a]}, 2);
    }
  }
}

void ut_reach_propose_seen(struct ut_stuck_reach *r) {
  double *likely = calloc(r->states + 1, sizeof *likely);
  uint32_t *read = calloc(r->states + 1, sizeof *read);
  vector *with = ut_stuck_vectors(r->blocks + 1);
  struct ut_reach_part part;
  if (likely && read && with) {
    propose_everywhere(r, likely, read);
    for (uint32_t i = 0; i < r->states; i++)
      if (ut_reach_find_part(r, i, &part))
        propose_in_states(r, &part, likely, with);
  }
  free(likely);
  free(read);
  free(with);
}

/* ---- candidates that rule out a state ---- */

/* Patterns of r->op, which are computed here, that have the target; whether they keep the rules is another question. */
static void find_met(struct ut_stuck_reach *r, const struct ut_reach_target *t, vector *met) {
  const struct ut_circuit *c = r->circuit;
  const struct ut_stuck_faults *f = r->faults;
  vector shown = none;
  ut_stuck_compute_all(c, r->op);
  if (t->clause) {
    for (unsigned i = 0; i < t->clause->count; i++)
      r->next[t->clause->literal[i] / 2] = r->op[c->next[t->clause->literal[i] / 2]];
    ut_reach_broken(t->clause, r->next, &shown);
  } else {
    const uint32_t site = c->net[t->fault / 2];
    for (uint32_t i = 0; i < c->ops; i++) {
      if (i == site)
        r->bad[i] = t->fault % 2 ? all : none;
      else if (c->op[i].kind >= UT_OP_NOT)
        ut_stuck_compute(&c->op[i], r->bad, &r->bad[i]);
      else
        r->bad[i] = r->op[i];
      if (f->shown[i])
        shown |= (r->bad[i] ^ r->op[i]) & (f->settled[i] ? all : ~r->op[f->reset]);
    }
  }
  *met = shown;
}

/* Literals of those flip-flops of the model without which it would not do; returns how many. */
static unsigned find_critical(struct ut_stuck_reach *r, const struct ut_reach_target *t, uint32_t *critical,
                              unsigned most) {
  unsigned count = 0;
  for (size_t first = 0; first < r->states; first += PATTERNS) {
    for (size_t i = 0; i < r->inputs; i++)
      r->op[r->input[i]] = r->model[r->input[i]] ? all : none;
    for (size_t i = 0; i < r->states; i++)
      if (r->state[i] != UT_OP_ZERO) {
        vector *v = &r->op[r->state[i]];
        *v = r->model[r->state[i]] ? all : none;
        if (i >= first && i < first + PATTERNS)
          (*v)[(i - first) / 64] ^= UINT64_C(1) << (i - first) % 64;
      }
    vector met;
    find_met(r, t, &met);
    for (size_t i = first; i < r->states && i < first + PATTERNS && count < most; i++)
      if (r->moves[i] && !ut_reach_bit(&met, (unsigned)(i - first)))
        critical[count++] = 2 * (uint32_t)i + r->model[r->state[i]];
  }
  return count;
}

enum { CRITICAL = 28, CUBE = 4, CUBES = 64 };
struct miner {
  struct ut_stuck_reach *r;
  uint32_t critical[CRITICAL], chosen[CUBE], cube[CUBES][CUBE];
  unsigned count, depth, size[CUBES], cubes;
  vector *with[CUBE]; /* [blocks]: states that have all that is chosen */
};

static bool has_cube(const struct miner *m, unsigned depth) {
  for (unsigned i = 0; i < m->cubes; i++) {
    unsigned found = 0;
    for (unsigned j = 0; j < m->size[i]; j++)
      for (unsigned k = 0; k < depth; k++)
        found += m->cube[i][j] == m->chosen[k];
    if (found == m->size[i])
      return true;
  }
  return false;
}

/* Whether any state has what was chosen before and this literal. */
static bool narrow(struct miner *m, unsigned depth, bool keep_all) {
  const struct ut_stuck_reach *r = m->r;
  const uint32_t literal = m->chosen[depth];
  bool any = false;
  for (unsigned b = 0; b < r->blocks && (keep_all || !any); b++) {
    const vector x = r->block[b][r->inputs + literal / 2];
    const vector v = (literal % 2 ? x : ~x) & (depth ? m->with[depth - 1][b] : r->valid[b]);
    if (keep_all)
      m->with[depth][b] = v;
    any = any || !ut_stuck_is_zero(&v);
  }
  return any;
}

/* Sets of `size` literals that no state has, and no smaller ones that are known. */
static void mine(struct miner *m, unsigned size, unsigned depth, unsigned from) {
  for (unsigned i = from; i < m->count && m->cubes < CUBES; i++) {
    m->chosen[depth] = m->critical[i];
    const bool last = depth + 1 == size;
    if (has_cube(m, depth + 1))
      continue;
    const bool any = narrow(m, depth, !last);
    if (!last) {
      if (any)
        mine(m, size, depth + 1, i + 1);
    } else if (!any) {
      memcpy(m->cube[m->cubes], m->chosen, sizeof m->chosen);
      m->size[m->cubes++] = size;
    }
  }
}

/* Candidates that the model does not obey, and others of their kind; returns how many. */
size_t ut_reach_propose_against(struct ut_stuck_reach *r, const struct ut_reach_target *t) {
  struct miner m = {.r = r};
  size_t proposed = 0;
  bool room = true;
  m.count = find_critical(r, t, m.critical, CRITICAL);
  for (unsigned i = 0; i < CUBE; i++) {
    m.with[i] = ut_stuck_vectors(r->blocks);
    room = room && m.with[i];
  }
  for (unsigned size = 1; size <= CUBE && room; size++)
    mine(&m, size, 0, 0);
  for (unsigned i = 0; i < m.cubes; i++)
    proposed += ut_reach_propose_kind(r, m.cube[i], m.size[i]);
  for (unsigned i = 0; i < CUBE; i++)
    free(m.with[i]);
  return proposed;
}
