/* stuck_candidates.c - clauses that may hold in every state: from states that were seen, and against one that was not
 */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

enum { EXPECTED = 50 };

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

/* Which values of two flip-flops have been seen together: bit 2 * a + b. */
static unsigned seen_together(const struct ut_stuck_reach *r, size_t a, size_t b) {
  unsigned seen = 0;
  for (unsigned i = 0; i < r->blocks && seen != 15; i++) {
    const vector *x = r->block[i] + r->inputs, valid = r->valid[i];
    const vector both[4] = {~x[a] & ~x[b] & valid, ~x[a] & x[b] & valid, x[a] & ~x[b] & valid, x[a] & x[b] & valid};
    for (unsigned k = 0; k < 4; k++)
      seen |= (unsigned)!ut_stuck_is_zero(&both[k]) << k;
  }
  return seen;
}

/* In how many states a flip-flop is 1, and how many there are. */
static uint64_t count_states(const struct ut_stuck_reach *r, size_t flip_flop, uint64_t *all_states) {
  uint64_t count = 0;
  *all_states = 0;
  for (unsigned i = 0; i < r->blocks; i++)
    for (unsigned w = 0; w < WORDS; w++) {
      count += (unsigned)__builtin_popcountll(r->block[i][r->inputs + flip_flop][w] & r->valid[i][w]);
      *all_states += (unsigned)__builtin_popcountll(r->valid[i][w]);
    }
  return count;
}

/* Flip-flops that have one value, and pairs of values that have not been seen together, though as many states as
 * EXPECTED should have had both if one did not hang on the other. */
void ut_reach_propose_pairs(struct ut_stuck_reach *r) {
  bool *constant = calloc(r->states + 1, sizeof *constant);
  uint64_t *ones = calloc(r->states + 1, sizeof *ones), states = 0;
  for (size_t a = 0; ones && a < r->states; a++)
    ones[a] = count_states(r, a, &states);
  for (size_t a = 0; constant && a < r->states; a++) {
    const unsigned seen = seen_together(r, a, a);
    constant[a] = seen != 9;
    if (constant[a] && r->state[a] != UT_OP_ZERO)
      ut_reach_propose(r, (const uint32_t[]){2 * (uint32_t)a + (seen >> 3)}, 1, false);
  }
  for (uint32_t a = 0; constant && a < r->states; a++)
    for (uint32_t b = 0; b < a && !constant[a]; b++) {
      if (constant[b] || r->state[a] == UT_OP_ZERO || r->state[b] == UT_OP_ZERO)
        continue;
      const unsigned seen = seen_together(r, a, b);
      for (unsigned k = 0; k < 4; k++)
        if (!(seen >> k & 1) && ones &&
            (double)(k / 2 ? ones[a] : states - ones[a]) * (double)(k % 2 ? ones[b] : states - ones[b]) >=
                EXPECTED * (double)states)
          ut_reach_propose(r, (const uint32_t[]){2 * a + !(k / 2), 2 * b + !(k % 2)}, 2, false);
    }
  free(constant);
  free(ones);
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
