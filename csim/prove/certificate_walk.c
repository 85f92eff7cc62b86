/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_walk.c - see certificate_walk.h */
#include "certificate_walk.h"

#include <string.h>

#include "layers.h"

enum { MOST_HOPS = 4096 };

void ut_certificate_walk_init(struct ut_certificate_walk *w, struct ut_explorer *x) {
  *w = (struct ut_certificate_walk){.explorer = x};
  ut_view_rows_init(&w->rows, x);
}

void ut_certificate_walk_free(struct ut_certificate_walk *w) {
  ut_view_rows_free(&w->rows);
  free(w->state), free(w->now), free(w->then), free(w->here), free(w->there), free(w->own), free(w->clause);
  ut_hash_free(&w->state_of), ut_hash_free(&w->own_of), ut_hash_free(&w->clause_of);
  *w = (struct ut_certificate_walk){0};
}

/* ---- states */

static ut_mask own_bits(const struct ut_certificate_walk *w, uint32_t own, uint32_t sw) {
  for (uint32_t i = 0; i < w->own[own].items; i++)
    if (w->own[own].item[i].sw == sw)
      return w->own[own].item[i].bits;
  return 0;
}

static uint32_t number_of_own(struct ut_certificate_walk *w, const struct ut_own_set *o) {
  uint64_t key = o->items;
  for (uint32_t i = 0; i < o->items; i++)
    key = ut_hash_mix(key * 31 + ((uint64_t)o->item[i].sw << 32 | o->item[i].bits));
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&w->own_of, key, &fresh);
    if (!entry || !ut_reserve_one(&w->own, sizeof *w->own, w->owns, &w->own_space)) {
      w->bad_memory = true;
      return 0;
    }
    if (fresh) {
      entry->value = w->owns;
      w->own[w->owns] = *o;
      return w->owns++;
    }
    if (!memcmp(&w->own[entry->value], o, sizeof *o))
      return entry->value;
  }
}

/* The own bits with more of them. */
static uint32_t add_own(struct ut_certificate_walk *w, uint32_t own, uint32_t sw, ut_mask bits) {
  if (!(bits & ~own_bits(w, own, sw)))
    return own;
  struct ut_own_set o = w->own[own];
  uint32_t at = 0;
  while (at < o.items && o.item[at].sw < sw)
    at++;
  if (at == o.items || o.item[at].sw != sw) {
    if (o.items == UT_OWN_ITEMS) {
      w->failure = "a packet turns back at too many switches";
      return own;
    }
    memmove(&o.item[at + 1], &o.item[at], (o.items++ - at) * sizeof o.item[0]);
    o.item[at].sw = sw;
    o.item[at].bits = 0;
  }
  o.item[at].bits |= bits;
  return number_of_own(w, &o);
}

static void nobody(uint64_t *mask, unsigned words, uint32_t state) {
  memset(mask + (size_t)state * words, 0, words * sizeof *mask);
}

static bool room_for_a_state(struct ut_certificate_walk *w) {
  const unsigned words = w->explorer->words;
  const uint32_t states = w->states;
  return ut_reserve_one(&w->state, sizeof *w->state, states, &w->state_room) &&
         ut_reserve_one(&w->now, words * sizeof *w->now, states, &w->now_room) &&
         ut_reserve_one(&w->then, words * sizeof *w->then, states, &w->then_room) &&
         ut_reserve_one(&w->here, sizeof *w->here, states, &w->here_room) &&
         ut_reserve_one(&w->there, sizeof *w->there, states, &w->there_room);
}

/* UINT32_MAX: no memory. */
static uint32_t number_of_state(struct ut_certificate_walk *w, const struct ut_walked_state *s) {
  uint64_t key = ((uint64_t)s->own << 24 | s->rt) << 24 | s->channel; /* the same of two sets that differ by 65,536 */
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&w->state_of, key, &fresh);
    if (!entry || !room_for_a_state(w)) {
      w->bad_memory = true;
      return UINT32_MAX;
    }
    if (fresh) {
      entry->value = w->states;
      w->state[w->states] = *s;
      nobody(w->now, w->explorer->words, w->states), nobody(w->then, w->explorer->words, w->states);
      return w->states++;
    }
    const struct ut_walked_state *other = &w->state[entry->value];
    if (other->channel == s->channel && other->rt == s->rt && other->own == s->own)
      return entry->value;
  }
}

/* Packets join a state that is reached with the next hop. */
static void arrive(struct ut_certificate_walk *w, uint32_t channel, uint32_t rt, uint32_t own, const uint64_t *more,
                   const uint64_t *filter) {
  const unsigned words = w->explorer->words;
  const uint32_t state = number_of_state(w, &(struct ut_walked_state){.channel = channel, .rt = rt, .own = own});
  if (state == UINT32_MAX)
    return;
  uint64_t *mask = w->then + (size_t)state * words, old = 0;
  for (unsigned i = 0; i < words; i++) {
    old |= mask[i];
    mask[i] |= filter ? more[i] & filter[i] : more[i];
  }
  if (!old)
    w->there[w->theres++] = state;
}

/* What arrived is here now. */
static void turn(struct ut_certificate_walk *w) {
  const unsigned words = w->explorer->words;
  for (uint32_t i = 0; i < w->heres; i++)
    nobody(w->now, words, w->here[i]);
  uint64_t *const mask = w->now;
  uint32_t *const list = w->here, room = w->now_room, list_room = w->here_room;
  w->now = w->then, w->now_room = w->then_room;
  w->here = w->there, w->here_room = w->there_room, w->heres = w->theres;
  w->then = mask, w->then_room = room;
  w->there = list, w->there_room = list_room, w->theres = 0;
}

/* ---- hops */

static bool meet(const uint64_t *a, const uint64_t *b, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    if (a[i] & b[i])
      return true;
  return false;
}

static void note_clause(struct ut_certificate_walk *w, uint32_t channel, uint32_t candidates) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&w->clause_of, (uint64_t)channel << 32 | candidates, &fresh);
  if (!entry || !ut_reserve_one(&w->clause, sizeof *w->clause, w->clauses, &w->clause_room)) {
    w->bad_memory = true;
    return;
  }
  if (fresh)
    w->clause[w->clauses++] = (struct ut_clause){.channel = channel, .candidates = candidates};
}

/* Packets of one group of a row take each of their candidates. */
static void hop(struct ut_certificate_walk *w, uint32_t number, uint32_t group, const uint64_t *packets) {
  const struct ut_explorer *x = w->explorer;
  const struct ut_topology *t = x->topology;
  const struct ut_walked_state s = w->state[number];
  const uint32_t sw = x->channel[s.channel].sw;
  const struct ut_row_group g = w->rows.group[group];
  const struct ut_candidates c = w->rows.candidates[g.candidates];
  const uint32_t own = add_own(w, s.own, sw, g.set & x->neighbour[sw]);
  bool some = false;
  note_clause(w, s.channel, g.candidates);
  for (unsigned vc = 0; vc < x->v && !w->bad_memory; vc++)
    UT_FOR_EACH (port, c.cand[vc]) {
      const struct ut_peer p = t->peer[(size_t)sw * t->po + port];
      some = true;
      if (!(x->up[sw] >> port & 1))
        w->failure = "a candidate leads to a link that does not work";
      else if (p.kind == UT_PEER_SWITCH)
        arrive(w, ut_explorer_channel(x, p.index, p.port, vc), g.rt, own, packets, ut_group_mask(&w->rows, group));
    }
  if (!some)
    w->failure = "a packet is discarded";
}

static void go_on(struct ut_certificate_walk *w, uint32_t number) {
  struct ut_explorer *x = w->explorer;
  const struct ut_walked_state s = w->state[number];
  const uint32_t sw = x->channel[s.channel].sw;
  const ut_mask own = own_bits(w, s.own, sw), other = x->neighbour[sw] & ~own;
  uint64_t packets[UT_MAX_PROVED_TERMINALS / 64]; /* the array may move */
  memcpy(packets, w->now + (size_t)number * x->words, x->words * sizeof *packets);
  for (ut_mask more = 0;; more = (more - other) & other) {
    const uint32_t row = ut_view_rows_get(&w->rows, s.channel, s.rt, own | more);
    if (row == UINT32_MAX) {
      w->bad_memory = true;
      return;
    }
    const struct ut_view_row r = w->rows.row[row];
    for (uint32_t g = r.first; g < r.first + r.groups; g++)
      if (meet(packets, ut_group_mask(&w->rows, g), x->words))
        hop(w, number, g, packets);
    if (more == other)
      return;
  }
}

static void inject(struct ut_certificate_walk *w) {
  const struct ut_explorer *x = w->explorer;
  const uint32_t terminals = x->topology->terminals;
  uint64_t others[UT_MAX_PROVED_TERMINALS / 64] = {0};
  for (uint32_t i = 0; i < terminals; i++)
    others[i / 64] |= UINT64_C(1) << i % 64;
  for (uint32_t i = 0; i < terminals && !w->bad_memory; i++) {
    others[i / 64] &= ~(UINT64_C(1) << i % 64);
    for (unsigned vc = 0; vc < ut_first_layer_vcs(x->v, x->layers); vc++)
      arrive(w, ut_explorer_injection(x, i, 0, vc), 0, 0, others, NULL);
    others[i / 64] |= UINT64_C(1) << i % 64;
  }
}

bool ut_certificate_walk_run(struct ut_certificate_walk *w) {
  static const struct ut_own_set none;
  w->states = w->heres = w->theres = w->owns = w->clauses = 0;
  w->failure = NULL;
  w->hops = 0;
  ut_hash_clear(&w->state_of), ut_hash_clear(&w->own_of), ut_hash_clear(&w->clause_of);
  number_of_own(w, &none);
  if (!w->bad_memory)
    inject(w);
  for (turn(w); w->heres && !w->bad_memory && !w->failure; turn(w), w->hops++) {
    for (uint32_t i = 0; i < w->heres && !w->bad_memory && !w->failure; i++)
      go_on(w, w->here[i]);
    if (w->hops == MOST_HOPS)
      w->failure = "packets go round";
  }
  w->hops -= w->hops > 0;
  return !w->bad_memory;
}
