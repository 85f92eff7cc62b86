/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_ranks.c - see certificate_ranks.h */
#include "certificate_ranks.h"

#include <string.h>

#include "walk.h"

enum { MOST_REFUSALS = 64 }; /* ranks that were not extended so often are only looked at */
#define NO_RANK UINT32_MAX

/* ---- rings */

static void find_rings(struct ut_rank_pool *p) {
  const struct ut_explorer *x = p->walk->explorer;
  const bool bubbles = x->group[0].form.bubble;
  for (uint32_t c = 0; c < x->channels; c++) {
    const ut_mask port = bubbles ? ut_explorer_straight_on(x, x->channel[c].sw, x->channel[c].port) : 0;
    p->next[c] = port ? ut_channel_behind(x, x->channel[c].sw, ut_first(port), x->channel[c].vc) : UINT32_MAX;
  }
  for (uint32_t c = 0; c < x->channels; c++) {
    uint32_t lowest = c, i = p->next[c];
    for (; i != UINT32_MAX && i != c; i = p->next[i])
      lowest = i < lowest ? i : lowest;
    p->node[c] = i == c ? lowest : c; /* where the rule holds every line is a ring */
  }
}

bool ut_rank_pool_init(struct ut_rank_pool *p, struct ut_certificate_walk *w) {
  const struct ut_explorer *x = w->explorer;
  const size_t n = x->channels;
  *p = (struct ut_rank_pool){.walk = w, .every = x->group[0].shape.switching == UT_WORMHOLE};
  p->next = calloc(n, sizeof *p->next);
  p->node = calloc(n, sizeof *p->node);
  p->open = calloc(n, sizeof *p->open);
  p->given = calloc(n, sizeof *p->given);
  p->held = calloc(n, sizeof *p->held);
  if (!p->next || !p->node || !p->open || !p->given || !p->held)
    return false;
  find_rings(p);
  return true;
}

void ut_rank_pool_free(struct ut_rank_pool *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    ut_hash_free(&p->ranks[i].clause_of);
    free(p->ranks[i].clause), free(p->ranks[i].rank);
  }
  free(p->ranks), free(p->next), free(p->node), free(p->open), free(p->given), free(p->held);
  *p = (struct ut_rank_pool){0};
}

/* A packet in channel `from` goes on in its ring. */
static bool stays(const struct ut_rank_pool *p, uint32_t from, uint32_t to) {
  return p->next[from] == to;
}

/* Rings that are entered without the rule; true: some are new. */
static bool open_rings(struct ut_rank_pool *p) {
  const struct ut_certificate_walk *w = p->walk;
  const struct ut_explorer *x = w->explorer;
  bool more = false;
  for (uint32_t i = 0; i < w->clauses; i++) {
    const uint32_t from = w->clause[i].channel;
    const struct ut_candidates *c = &w->rows.candidates[w->clause[i].candidates];
    for (unsigned vc = 0; vc < x->v; vc++)
      UT_FOR_EACH (port, c->cand[vc] & ~c->bubble[vc]) {
        const uint32_t to = ut_channel_behind(x, x->channel[from].sw, port, vc);
        if (to == UINT32_MAX || stays(p, from, to) || p->open[p->node[to]])
          continue;
        p->open[p->node[to]] = true;
        more = true;
      }
  }
  return more;
}

/* ---- clauses */

/* Packets with that clause can go on, by those ranks.  A ring that is closed was entered by the rule only (open_rings):
 * who goes on there without it stays in it. */
static bool rises(const struct ut_rank_pool *p, const struct ut_clause *clause, const uint32_t *rank) {
  const struct ut_explorer *x = p->walk->explorer;
  const uint32_t from = clause->channel;
  const struct ut_candidates *c = &p->walk->rows.candidates[clause->candidates];
  bool some = false;
  for (unsigned vc = 0; vc < x->v; vc++)
    UT_FOR_EACH (port, c->cand[vc]) {
      const uint32_t to = ut_channel_behind(x, x->channel[from].sw, port, vc);
      const bool good = to == UINT32_MAX || (rank[to] != NO_RANK && (rank[from] == NO_RANK || rank[to] > rank[from])) ||
                        (!(c->bubble[vc] >> port & 1) && !p->open[p->node[to]]);
      if (good != p->every)
        return good;
      some |= good;
    }
  return some;
}

/* Ranks for all clauses, from the top: the first round's are the highest; false: there are none. */
static bool rank_all(struct ut_rank_pool *p, struct ut_ranks *r) {
  const uint32_t channels = p->walk->explorer->channels;
  uint32_t left = channels, before = channels + 1, round = 0;
  memset(p->given, 0xff, channels * sizeof *p->given);
  for (; left && left < before; round++) {
    before = left;
    memset(p->held, 0, channels);
    for (uint32_t i = 0; i < r->clauses; i++) {
      const uint32_t node = p->node[r->clause[i].channel];
      const uint32_t by = p->open[node] ? r->clause[i].channel : node;
      if (p->given[r->clause[i].channel] == NO_RANK && !p->held[by])
        p->held[by] = !rises(p, &r->clause[i], p->given);
    }
    for (uint32_t c = 0; c < channels; c++)
      if (p->given[c] == NO_RANK && !(p->held[p->open[p->node[c]] ? c : p->node[c]] & 1)) {
        p->held[c] |= 2; /* this round */
        left--;
      }
    for (uint32_t c = 0; c < channels; c++)
      if (p->held[c] & 2)
        p->given[c] = round;
  }
  if (left)
    return false;
  for (uint32_t c = 0; c < channels; c++)
    r->rank[c] = round - 1 - p->given[c];
  return true;
}

static bool satisfied(const struct ut_rank_pool *p, const struct ut_ranks *r) {
  const struct ut_certificate_walk *w = p->walk;
  for (uint32_t i = 0; i < w->clauses; i++)
    if (!rises(p, &w->clause[i], r->rank))
      return false;
  return true;
}

/* The clauses of the fault set join; -1: out of memory, 0: then there are no ranks, and nothing has changed. */
static int extend(struct ut_rank_pool *p, struct ut_ranks *r) {
  const struct ut_certificate_walk *w = p->walk;
  const uint32_t before = r->clauses;
  bool fits = true;
  for (uint32_t i = 0; i < w->clauses; i++) {
    const struct ut_clause *c = &w->clause[i];
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&r->clause_of, (uint64_t)c->channel << 32 | c->candidates, &fresh);
    if (!entry || !ut_reserve_one(&r->clause, sizeof *r->clause, r->clauses, &r->room))
      return -1;
    if (!fresh && entry->value)
      continue;
    entry->value = true;
    r->clause[r->clauses++] = *c;
    fits &= rises(p, c, r->rank);
  }
  if (fits || rank_all(p, r)) /* as good as ranks that are made anew, also those of no clause, all 0 */
    return 1;
  while (r->clauses > before) {
    const struct ut_clause *c = &r->clause[--r->clauses];
    ut_hash_slot(&r->clause_of, (uint64_t)c->channel << 32 | c->candidates)->value = false;
  }
  r->refused++;
  return 0;
}

static struct ut_ranks *begin(struct ut_rank_pool *p, uint64_t key) {
  uint32_t *rank = calloc(p->walk->explorer->channels, sizeof *rank);
  if (!rank || !ut_reserve_one(&p->ranks, sizeof *p->ranks, p->count, &p->room)) {
    free(rank);
    return NULL;
  }
  struct ut_ranks *r = &p->ranks[p->count++];
  *r = (struct ut_ranks){.key = key, .rank = rank};
  return r;
}

uint32_t ut_rank_pool_find(struct ut_rank_pool *p, uint64_t key, bool *none) {
  *none = false;
  if (open_rings(p))
    for (uint32_t i = 0; i < p->count; i++)
      if (!rank_all(p, &p->ranks[i])) {
        *none = true;
        return UINT32_MAX;
      }
  /* the first ranks are for whom they suit, the others for those with their key */
  for (uint32_t i = 0; i < p->count; i++) {
    struct ut_ranks *r = &p->ranks[i];
    if (i && r->key != key)
      continue;
    const int status = r->refused < MOST_REFUSALS ? extend(p, r) : satisfied(p, r);
    if (status)
      return status < 0 ? UINT32_MAX : i;
  }
  struct ut_ranks *r = begin(p, key);
  const int status = r ? extend(p, r) : -1;
  *none = status == 0;
  return status > 0 ? p->count - 1 : UINT32_MAX;
}
