/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_candidates.c - clauses that may hold in every state: from states that were seen, and against a state that was
 * not
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
static unsigned seen_together(const struct ut_stuck_reach *reach, const struct among *among, const uint32_t *flip_flop,
                              unsigned count) {
  const unsigned values = 1u << count;
  unsigned seen = 0;
  for (unsigned b = 0; b < reach->blocks && seen != (1u << values) - 1; b++) {
    vector with[1 << TOGETHER] = {among->with[b]};
    for (unsigned i = 0; i < count; i++)
      for (unsigned k = 0; k < 1u << i; k++) {
        const vector x = reach->block[b][reach->inputs + flip_flop[i]];
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
static void count_states(const struct ut_stuck_reach *reach, struct among *among, const uint32_t *flip_flop,
                         size_t count) {
  among->states = 0;
  for (unsigned b = 0; b < reach->blocks; b++)
    among->states += (double)ones_in(&among->with[b]);
  for (size_t i = 0; i < count; i++) {
    uint64_t ones = 0;
    for (unsigned b = 0; b < reach->blocks; b++) {
      const vector v = reach->block[b][reach->inputs + flip_flop[i]] & among->with[b];
      ones += ones_in(&v);
    }
    among->likely[flip_flop[i]] = among->states > 0 ? (double)ones / among->states : 0;
  }
}

/* Proposes clauses against values of these flip-flops that have not been seen together, although as many states as
 * expected should have had them if they were independent.  If some of them have not been seen together by themselves,
 * that says it already. */
static void propose_unseen(struct ut_stuck_reach *reach, const struct among *among, const uint32_t *flip_flop,
                           unsigned count) {
  const unsigned seen = seen_together(reach, among, flip_flop, count);
  for (unsigned k = 0; k < 1u << count; k++) {
    bool is_new = !(seen >> k & 1);
    double expected = among->states;
    uint32_t literal[UT_REACH_CODE + TOGETHER];
    memcpy(literal, among->literal, sizeof among->literal);
    for (unsigned i = 0; i < count && is_new; i++) {
      is_new = seen >> (k ^ 1u << i) & 1;
      if (count > 1)
        expected *= k >> i & 1 ? among->likely[flip_flop[i]] : 1 - among->likely[flip_flop[i]];
      literal[among->count + i] = 2 * flip_flop[i] + !(k >> i & 1);
    }
    is_new = is_new && (among->count ? expected >= EXPECTED_IN_STATE : count == 1 || expected >= EXPECTED);
    if (is_new && !(among->count && ut_reach_is_proposed(reach, literal + among->count, count)))
      ut_reach_propose(reach, literal, among->count + count, false);
  }
}

/* From all states: flip-flops with one value, pairs, and triples of related flip-flops. */
static void propose_everywhere(struct ut_stuck_reach *reach, double *likely, uint32_t *read) {
  struct among among = {.with = reach->valid, .likely = likely};
  size_t count = 0;
  for (uint32_t i = 0; i < reach->states; i++)
    if (reach->state[i] != UT_OP_ZERO) /* some operation reads it */
      read[count++] = i;
  count_states(reach, &among, read, count);
  for (size_t a = 0; a < count; a++) {
    propose_unseen(reach, &among, &read[a], 1);
    for (size_t b = 0; b < a; b++) {
      const uint32_t pair[] = {read[b], read[a]};
      propose_unseen(reach, &among, pair, 2);
      for (size_t c = 0; c < b && ut_reach_belong_together(reach, pair[0], pair[1]); c++)
        if (ut_reach_belong_together(reach, read[c], pair[0]))
          propose_unseen(reach, &among, (const uint32_t[]){read[c], pair[0], pair[1]}, 3);
    }
  }
}

/* Chooses the literals that distinguish this value of a part's state from the others that were seen. */
static void choose_code(const struct ut_reach_part *part, unsigned seen, unsigned value, struct among *among) {
  unsigned mask = (1u << part->codes) - 1;
  for (unsigned i = part->codes; i-- > 0;) {
    bool tells = false;
    for (unsigned other = 0; other < 1u << part->codes; other++)
      tells = tells || (other != value && seen >> other & 1 && !((other ^ value) & mask & ~(1u << i)));
    mask &= tells ? mask : ~(1u << i);
  }
  among->count = 0;
  for (unsigned i = 0; i < part->codes; i++)
    if (mask >> i & 1)
      among->literal[among->count++] = 2 * part->code[i] + !(value >> i & 1);
}

/* In each state of a part: values and pairs of its flip-flops.  A waiting packet has candidates that routing gives, and
 * an active one has one. */
static void propose_in_states(struct ut_stuck_reach *reach, const struct ut_reach_part *part, double *likely,
                              vector *with) {
  const struct among all_states = {.with = reach->valid};
  const unsigned seen = seen_together(reach, &all_states, part->code, part->codes);
  struct among among = {.with = with, .likely = likely};
  for (unsigned value = 0; value < 1u << part->codes; value++) {
    if (!(seen >> value & 1))
      continue;
    choose_code(part, seen, value, &among);
    for (unsigned b = 0; b < reach->blocks; b++) {
      with[b] = reach->valid[b];
      for (unsigned i = 0; i < part->codes; i++) {
        const vector x = reach->block[b][reach->inputs + part->code[i]];
        with[b] &= value >> i & 1 ? x : ~x;
      }
    }
    count_states(reach, &among, part->member, part->members);
    for (unsigned a = 0; a < part->members; a++) {
      propose_unseen(reach, &among, &part->member[a], 1);
      for (unsigned b = 0; b < a; b++)
        propose_unseen(reach, &among, (const uint32_t[]){part->member[b], part->member[a]}, 2);
    }
  }
}

void ut_reach_propose_seen(struct ut_stuck_reach *reach) {
  double *likely = calloc(reach->states + 1, sizeof *likely);
  uint32_t *read = calloc(reach->states + 1, sizeof *read);
  vector *with = ut_stuck_vectors(reach->blocks + 1);
  struct ut_reach_part part;
  if (likely && read && with) {
    propose_everywhere(reach, likely, read);
    for (uint32_t i = 0; i < reach->states; i++)
      if (ut_reach_find_part(reach, i, &part))
        propose_in_states(reach, &part, likely, with);
  }
  free(likely);
  free(read);
  free(with);
}

/* ---- candidates that rule out a state ---- */

/* Patterns of reach->op, which are computed here, that have the target; whether they keep the rules is another
 * question. */
static void find_met(struct ut_stuck_reach *reach, const struct ut_reach_target *target, vector *met) {
  const struct ut_circuit *circuit = reach->circuit;
  const struct ut_stuck_faults *faults = reach->faults;
  vector shown = none;
  ut_stuck_compute_all(circuit, reach->op);
  if (target->clause) {
    for (unsigned i = 0; i < target->clause->count; i++)
      reach->next[target->clause->literal[i] / 2] = reach->op[circuit->next[target->clause->literal[i] / 2]];
    ut_reach_broken(target->clause, reach->next, &shown);
  } else {
    const uint32_t site = circuit->net[target->fault / 2];
    for (uint32_t i = 0; i < circuit->ops; i++) {
      if (i == site)
        reach->bad[i] = target->fault % 2 ? all : none;
      else if (circuit->op[i].kind >= UT_OP_NOT)
        ut_stuck_compute(&circuit->op[i], reach->bad, &reach->bad[i]);
      else
        reach->bad[i] = reach->op[i];
      if (faults->shown[i])
        shown |= (reach->bad[i] ^ reach->op[i]) & (faults->settled[i] ? all : ~reach->op[faults->reset]);
    }
  }
  *met = shown;
}

/* Returns the literals of those flip-flops of the model that are necessary for it, and their number. */
static unsigned find_critical(struct ut_stuck_reach *reach, const struct ut_reach_target *target, uint32_t *critical,
                              unsigned most) {
  unsigned count = 0;
  for (size_t first = 0; first < reach->states; first += PATTERNS) {
    for (size_t i = 0; i < reach->inputs; i++)
      reach->op[reach->input[i]] = reach->model[reach->input[i]] ? all : none;
    for (size_t i = 0; i < reach->states; i++)
      if (reach->state[i] != UT_OP_ZERO) {
        vector *v = &reach->op[reach->state[i]];
        *v = reach->model[reach->state[i]] ? all : none;
        if (i >= first && i < first + PATTERNS)
          (*v)[(i - first) / 64] ^= UINT64_C(1) << (i - first) % 64;
      }
    vector met;
    find_met(reach, target, &met);
    for (size_t i = first; i < reach->states && i < first + PATTERNS && count < most; i++)
      if (reach->moves[i] && !ut_reach_bit(&met, (unsigned)(i - first)))
        critical[count++] = 2 * (uint32_t)i + reach->model[reach->state[i]];
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

static bool has_cube(const struct miner *miner, unsigned depth) {
  for (unsigned i = 0; i < miner->cubes; i++) {
    unsigned found = 0;
    for (unsigned j = 0; j < miner->size[i]; j++)
      for (unsigned k = 0; k < depth; k++)
        found += miner->cube[i][j] == miner->chosen[k];
    if (found == miner->size[i])
      return true;
  }
  return false;
}

/* Whether any state has what was chosen before and this literal. */
static bool narrow(struct miner *miner, unsigned depth, bool keep_all) {
  const struct ut_stuck_reach *reach = miner->r;
  const uint32_t literal = miner->chosen[depth];
  bool any = false;
  for (unsigned b = 0; b < reach->blocks && (keep_all || !any); b++) {
    const vector x = reach->block[b][reach->inputs + literal / 2];
    const vector v = (literal % 2 ? x : ~x) & (depth ? miner->with[depth - 1][b] : reach->valid[b]);
    if (keep_all)
      miner->with[depth][b] = v;
    any = any || !ut_stuck_is_zero(&v);
  }
  return any;
}

/* Sets of `size` literals that no state has, and no smaller ones that are known. */
static void mine(struct miner *miner, unsigned size, unsigned depth, unsigned from) {
  for (unsigned i = from; i < miner->count && miner->cubes < CUBES; i++) {
    miner->chosen[depth] = miner->critical[i];
    const bool last = depth + 1 == size;
    if (has_cube(miner, depth + 1))
      continue;
    const bool any = narrow(miner, depth, !last);
    if (!last) {
      if (any)
        mine(miner, size, depth + 1, i + 1);
    } else if (!any) {
      memcpy(miner->cube[miner->cubes], miner->chosen, sizeof miner->chosen);
      miner->size[miner->cubes++] = size;
    }
  }
}

/* Adds candidates that the model violates, and others of their kind; returns how many. */
size_t ut_reach_propose_against(struct ut_stuck_reach *reach, const struct ut_reach_target *target) {
  struct miner miner = {.r = reach};
  size_t proposed = 0;
  bool room = true;
  miner.count = find_critical(reach, target, miner.critical, CRITICAL);
  for (unsigned i = 0; i < CUBE; i++) {
    miner.with[i] = ut_stuck_vectors(reach->blocks);
    room = room && miner.with[i];
  }
  for (unsigned size = 1; size <= CUBE && room; size++)
    mine(&miner, size, 0, 0);
  for (unsigned i = 0; i < miner.cubes; i++)
    proposed += ut_reach_propose_kind(reach, miner.cube[i], miner.size[i]);
  for (unsigned i = 0; i < CUBE; i++)
    free(miner.with[i]);
  return proposed;
}
