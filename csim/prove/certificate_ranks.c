/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_ranks.c - see certificate_ranks.h */
#include "certificate_ranks.h"

#include <string.h>

#include "walk.h"

enum { MOST_REFUSALS = 64 }; /* ranks that were extended fewer times are only looked at */
#define NO_RANK UINT32_MAX

/* ---- rings */

static void find_rings(struct ut_rank_pool *pool) {
  const struct ut_explorer *explorer = pool->walk->explorer;
  const bool bubbles = explorer->group[0].form.bubble;
  for (uint32_t c = 0; c < explorer->channels; c++) {
    const ut_mask port =
        bubbles ? ut_explorer_straight_on(explorer, explorer->channel[c].sw, explorer->channel[c].port) : 0;
    pool->next[c] = port ? ut_channel_behind(explorer, explorer->channel[c].sw, ut_first(port), explorer->channel[c].vc)
                         : UINT32_MAX;
  }
  for (uint32_t c = 0; c < explorer->channels; c++) {
    uint32_t lowest = c, i = pool->next[c];
    for (; i != UINT32_MAX && i != c; i = pool->next[i])
      lowest = i < lowest ? i : lowest;
    pool->node[c] = i == c ? lowest : c; /* with the bubble rule every line is a ring */
  }
}

bool ut_rank_pool_init(struct ut_rank_pool *pool, struct ut_certificate_walk *walk) {
  const struct ut_explorer *explorer = walk->explorer;
  const size_t n = explorer->channels;
  *pool = (struct ut_rank_pool){.walk = walk, .every = explorer->group[0].shape.switching == UT_WORMHOLE};
  pool->next = calloc(n, sizeof *pool->next);
  pool->node = calloc(n, sizeof *pool->node);
  pool->open = calloc(n, sizeof *pool->open);
  pool->given = calloc(n, sizeof *pool->given);
  pool->held = calloc(n, sizeof *pool->held);
  if (!pool->next || !pool->node || !pool->open || !pool->given || !pool->held)
    return false;
  find_rings(pool);
  return true;
}

void ut_rank_pool_free(struct ut_rank_pool *pool) {
  for (uint32_t i = 0; i < pool->count; i++) {
    ut_hash_free(&pool->ranks[i].clause_of);
    free(pool->ranks[i].clause), free(pool->ranks[i].rank);
  }
  free(pool->ranks), free(pool->next), free(pool->node), free(pool->open), free(pool->given), free(pool->held);
  *pool = (struct ut_rank_pool){0};
}

/* Returns whether a packet in channel `from` continues in its ring. */
static bool stays(const struct ut_rank_pool *pool, uint32_t from, uint32_t to) {
  return pool->next[from] == to;
}

/* Marks rings that are entered without the rule; returns whether some are new. */
static bool open_rings(struct ut_rank_pool *pool) {
  const struct ut_certificate_walk *walk = pool->walk;
  const struct ut_explorer *explorer = walk->explorer;
  bool more = false;
  for (uint32_t i = 0; i < walk->clauses; i++) {
    const uint32_t from = walk->clause[i].channel;
    const struct ut_candidates *candidates = &walk->rows.candidates[walk->clause[i].candidates];
    for (unsigned vc = 0; vc < explorer->v; vc++)
      UT_FOR_EACH (port, candidates->cand[vc] & ~candidates->bubble[vc]) {
        const uint32_t to = ut_channel_behind(explorer, explorer->channel[from].sw, port, vc);
        if (to == UINT32_MAX || stays(pool, from, to) || pool->open[pool->node[to]])
          continue;
        pool->open[pool->node[to]] = true;
        more = true;
      }
  }
  return more;
}

/* ---- clauses */

/* Returns whether packets with that clause can continue, by these ranks.  A ring that is not in open_rings was entered
 * by the rule only: a packet that continues there without the rule stays in the ring. */
static bool rises(const struct ut_rank_pool *pool, const struct ut_clause *clause, const uint32_t *rank) {
  const struct ut_explorer *explorer = pool->walk->explorer;
  const uint32_t from = clause->channel;
  const struct ut_candidates *candidates = &pool->walk->rows.candidates[clause->candidates];
  bool some = false;
  for (unsigned vc = 0; vc < explorer->v; vc++)
    UT_FOR_EACH (port, candidates->cand[vc]) {
      const uint32_t to = ut_channel_behind(explorer, explorer->channel[from].sw, port, vc);
      const bool good = to == UINT32_MAX || (rank[to] != NO_RANK && (rank[from] == NO_RANK || rank[to] > rank[from])) ||
                        (!(candidates->bubble[vc] >> port & 1) && !pool->open[pool->node[to]]);
      if (good != pool->every)
        return good;
      some |= good;
    }
  return some;
}

/* Computes ranks for all clauses, from the top: those of the first round are the highest.  Returns false if there are
 * none. */
static bool rank_all(struct ut_rank_pool *pool, struct ut_ranks *ranks) {
  const uint32_t channels = pool->walk->explorer->channels;
  uint32_t left = channels, before = channels + 1, round = 0;
  memset(pool->given, 0xff, channels * sizeof *pool->given);
  for (; left && left < before; round++) {
    before = left;
    memset(pool->held, 0, channels);
    for (uint32_t i = 0; i < ranks->clauses; i++) {
      const uint32_t node = pool->node[ranks->clause[i].channel];
      const uint32_t by = pool->open[node] ? ranks->clause[i].channel : node;
      if (pool->given[ranks->clause[i].channel] == NO_RANK && !pool->held[by])
        pool->held[by] = !rises(pool, &ranks->clause[i], pool->given);
    }
    for (uint32_t c = 0; c < channels; c++)
      if (pool->given[c] == NO_RANK && !(pool->held[pool->open[pool->node[c]] ? c : pool->node[c]] & 1)) {
        pool->held[c] |= 2; /* this round */
        left--;
      }
    for (uint32_t c = 0; c < channels; c++)
      if (pool->held[c] & 2)
        pool->given[c] = round;
  }
  if (left)
    return false;
  for (uint32_t c = 0; c < channels; c++)
    ranks->rank[c] = round - 1 - pool->given[c];
  return true;
}

static bool satisfied(const struct ut_rank_pool *pool, const struct ut_ranks *ranks) {
  const struct ut_certificate_walk *walk = pool->walk;
  for (uint32_t i = 0; i < walk->clauses; i++)
    if (!rises(pool, &walk->clause[i], ranks->rank))
      return false;
  return true;
}

/* Adds the clauses of the fault set.  Returns -1 when out of memory, 0 if there are no ranks then; nothing changes in
 * that case. */
static int extend(struct ut_rank_pool *pool, struct ut_ranks *ranks) {
  const struct ut_certificate_walk *walk = pool->walk;
  const uint32_t before = ranks->clauses;
  bool fits = true;
  for (uint32_t i = 0; i < walk->clauses; i++) {
    const struct ut_clause *clause = &walk->clause[i];
    bool fresh;
    struct ut_hash_entry *entry =
        ut_hash_at(&ranks->clause_of, (uint64_t)clause->channel << 32 | clause->candidates, &fresh);
    if (!entry || !ut_reserve_one(&ranks->clause, sizeof *ranks->clause, ranks->clauses, &ranks->room))
      return -1;
    if (!fresh && entry->value)
      continue;
    entry->value = true;
    ranks->clause[ranks->clauses++] = *clause;
    fits &= rises(pool, clause, ranks->rank);
  }
  if (fits || rank_all(pool, ranks)) /* as good as new ranks, also those that no clause uses, all 0 */
    return 1;
  while (ranks->clauses > before) {
    const struct ut_clause *clause = &ranks->clause[--ranks->clauses];
    ut_hash_slot(&ranks->clause_of, (uint64_t)clause->channel << 32 | clause->candidates)->value = false;
  }
  ranks->refused++;
  return 0;
}

static struct ut_ranks *begin(struct ut_rank_pool *pool, uint64_t key) {
  uint32_t *rank = calloc(pool->walk->explorer->channels, sizeof *rank);
  if (!rank || !ut_reserve_one(&pool->ranks, sizeof *pool->ranks, pool->count, &pool->room)) {
    free(rank);
    return NULL;
  }
  struct ut_ranks *ranks = &pool->ranks[pool->count++];
  *ranks = (struct ut_ranks){.key = key, .rank = rank};
  return ranks;
}

uint32_t ut_rank_pool_find(struct ut_rank_pool *pool, uint64_t key, bool *none) {
  *none = false;
  if (open_rings(pool))
    for (uint32_t i = 0; i < pool->count; i++)
      if (!rank_all(pool, &pool->ranks[i])) {
        *none = true;
        return UINT32_MAX;
      }
  /* the first ranks are for any fault set that they suit, the others for sets with their key */
  for (uint32_t i = 0; i < pool->count; i++) {
    struct ut_ranks *ranks = &pool->ranks[i];
    if (i && ranks->key != key)
      continue;
    const int status = ranks->refused < MOST_REFUSALS ? extend(pool, ranks) : satisfied(pool, ranks);
    if (status)
      return status < 0 ? UINT32_MAX : i;
  }
  struct ut_ranks *ranks = begin(pool, key);
  const int status = ranks ? extend(pool, ranks) : -1;
  *none = status == 0;
  return status > 0 ? pool->count - 1 : UINT32_MAX;
}
