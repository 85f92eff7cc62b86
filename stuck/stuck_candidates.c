/* stuck_candidates.c - clauses that may hold in every state: from states that were seen, and against one that was not
 */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { EXPECTED = 50, TOGETHER = 3 };

static int compare_literals(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t *place_of(struct ut_stuck_reach *r, const struct ut_reach_clause *c) {
  uint64_t hash = c->count;
  for (unsigned i = 0; i < c->count; i++)
    hash = (hash ^ c->literal[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
  for (;; hash++) {
    uint32_t *at = &r->place[hash & (r->places - 1)];
    if (*at == UINT32_MAX ||
        (r->clause[*at].count == c->count && !memcmp(r->clause[*at].literal, c->literal, sizeof c->literal)))
      return at;
  }
}

/* A new candidate; false: it is there already, or there are too many. */
bool ut_reach_propose(struct ut_stuck_reach *r, const uint32_t *literal, unsigned count, bool wanted) {
  struct ut_reach_clause c = {.count = (uint8_t)count, .live = true, .wanted = wanted};
  memcpy(c.literal, literal, count * sizeof *literal);
  qsort(c.literal, count, sizeof *c.literal, compare_literals);
  uint32_t *at = place_of(r, &c);
  if (*at != UINT32_MAX || r->clauses == UT_REACH_CLAUSES)
    return false;
  *at = (uint32_t)r->clauses;
  r->clause[r->clauses++] = c;
  return true;
}

/* Which values of some flip-flops have been seen together: bit i for those that are the bits of i. */
static unsigned seen_together(const struct ut_stuck_reach *r, const uint32_t *flip_flop, unsigned count) {
  const unsigned values = 1u << count;
  unsigned seen = 0;
  for (unsigned b = 0; b < r->blocks && seen != (1u << values) - 1; b++) {
    vector with[1 << TOGETHER] = {r->valid[b]};
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

/* How likely each flip-flop is 1 in a state that was seen; returns how many states there are. */
static double count_states(const struct ut_stuck_reach *r, double *likely) {
  uint64_t states = 0;
  for (unsigned b = 0; b < r->blocks; b++)
    for (unsigned w = 0; w < WORDS; w++)
      states += (unsigned)__builtin_popcountll(r->valid[b][w]);
  for (size_t i = 0; i < r->states; i++) {
    uint64_t ones = 0;
    for (unsigned b = 0; b < r->blocks; b++)
      for (unsigned w = 0; w < WORDS; w++)
        ones += (unsigned)__builtin_popcountll(r->block[b][r->inputs + i][w] & r->valid[b][w]);
    likely[i] = states ? (double)ones / (double)states : 0;
  }
  return (double)states;
}

/* Values of these flip-flops that have not been seen together, though as many states as EXPECTED should have had them
 * if none hung on the others.  Where some of them have not been seen together alone, that says it already. */
static void propose_unseen(struct ut_stuck_reach *r, const uint32_t *flip_flop, unsigned count, const double *likely,
                           double states) {
  const unsigned seen = seen_together(r, flip_flop, count);
  for (unsigned k = 0; k < 1u << count; k++) {
    bool is_new = !(seen >> k & 1);
    double expected = states;
    uint32_t literal[TOGETHER];
    for (unsigned i = 0; i < count && is_new; i++) {
      is_new = seen >> (k ^ 1u << i) & 1;
      expected *= k >> i & 1 ? likely[flip_flop[i]] : 1 - likely[flip_flop[i]];
      literal[i] = 2 * flip_flop[i] + !(k >> i & 1);
    }
    if (is_new && (count == 1 || expected >= EXPECTED))
      ut_reach_propose(r, literal, count, false);
  }
}

/* Flip-flops that have one value, pairs of values that have not been seen together, and triples of flip-flops that
 * belong together. */
void ut_reach_propose_seen(struct ut_stuck_reach *r) {
  double *likely = calloc(r->states + 1, sizeof *likely);
  uint32_t *read = malloc((r->states + 1) * sizeof *read); /* flip-flops that somebody reads */
  size_t count = 0;
  const double states = likely ? count_states(r, likely) : 0;
  for (uint32_t i = 0; read && i < r->states; i++)
    if (r->state[i] != UT_OP_ZERO)
      read[count++] = i;
  for (size_t a = 0; a < count && likely; a++) {
    propose_unseen(r, &read[a], 1, likely, states);
    for (size_t b = 0; b < a; b++) {
      const uint32_t pair[] = {read[b], read[a]};
      propose_unseen(r, pair, 2, likely, states);
      for (size_t c = 0; c < b && ut_reach_belong_together(r, pair[0], pair[1]); c++)
        if (ut_reach_belong_together(r, read[c], pair[0]))
          propose_unseen(r, (const uint32_t[]){read[c], pair[0], pair[1]}, 3, likely, states);
    }
  }
  free(likely);
  free(read);
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
