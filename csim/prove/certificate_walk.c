/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_walk.c - see certificate_walk.h */
#include "certificate_walk.h"

#include <string.h>

#include "layers.h"

enum { MOST_HOPS = 4096 };

void ut_certificate_walk_init(struct ut_certificate_walk *walk, struct ut_explorer *explorer) {
  *walk = (struct ut_certificate_walk){.explorer = explorer};
  ut_view_rows_init(&walk->rows, explorer);
}

void ut_certificate_walk_free(struct ut_certificate_walk *walk) {
  ut_view_rows_free(&walk->rows);
  free(walk->state), free(walk->now), free(walk->then), free(walk->here), free(walk->there), free(walk->own),
      free(walk->clause);
  ut_hash_free(&walk->state_of), ut_hash_free(&walk->own_of), ut_hash_free(&walk->clause_of);
  *walk = (struct ut_certificate_walk){0};
}

/* ---- states */

static ut_mask own_bits(const struct ut_certificate_walk *walk, uint32_t own, uint32_t sw) {
  for (uint32_t i = 0; i < walk->own[own].items; i++)
    if (walk->own[own].item[i].sw == sw)
      return walk->own[own].item[i].bits;
  return 0;
}

static uint32_t number_of_own(struct ut_certificate_walk *walk, const struct ut_own_set *set) {
  uint64_t key = set->items;
  for (uint32_t i = 0; i < set->items; i++)
    key = ut_hash_mix(key * 31 + ((uint64_t)set->item[i].sw << 32 | set->item[i].bits));
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&walk->own_of, key, &fresh);
    if (!entry || !ut_reserve_one(&walk->own, sizeof *walk->own, walk->owns, &walk->own_space)) {
      walk->bad_memory = true;
      return 0;
    }
    if (fresh) {
      entry->value = walk->owns;
      walk->own[walk->owns] = *set;
      return walk->owns++;
    }
    if (!memcmp(&walk->own[entry->value], set, sizeof *set))
      return entry->value;
  }
}

/* The own bits with more of them. */
static uint32_t add_own(struct ut_certificate_walk *walk, uint32_t own, uint32_t sw, ut_mask bits) {
  if (!(bits & ~own_bits(walk, own, sw)))
    return own;
  struct ut_own_set set = walk->own[own];
  uint32_t at = 0;
  while (at < set.items && set.item[at].sw < sw)
    at++;
  if (at == set.items || set.item[at].sw != sw) {
    if (set.items == UT_OWN_ITEMS) {
      walk->failure = "a packet turns back at too many switches";
      return own;
    }
    memmove(&set.item[at + 1], &set.item[at], (set.items++ - at) * sizeof set.item[0]);
    set.item[at].sw = sw;
    set.item[at].bits = 0;
  }
  set.item[at].bits |= bits;
  return number_of_own(walk, &set);
}

static void nobody(uint64_t *mask, unsigned words, uint32_t state) {
  memset(mask + (size_t)state * words, 0, words * sizeof *mask);
}

static bool room_for_a_state(struct ut_certificate_walk *walk) {
  const unsigned words = walk->explorer->words;
  const uint32_t states = walk->states;
  return ut_reserve_one(&walk->state, sizeof *walk->state, states, &walk->state_room) &&
         ut_reserve_one(&walk->now, words * sizeof *walk->now, states, &walk->now_room) &&
         ut_reserve_one(&walk->then, words * sizeof *walk->then, states, &walk->then_room) &&
         ut_reserve_one(&walk->here, sizeof *walk->here, states, &walk->here_room) &&
         ut_reserve_one(&walk->there, sizeof *walk->there, states, &walk->there_room);
}

/* UINT32_MAX: no memory. */
static uint32_t number_of_state(struct ut_certificate_walk *walk, const struct ut_walked_state *state) {
  uint64_t key =
      ((uint64_t)state->own << 24 | state->rt) << 24 | state->channel; /* the same of two sets that differ by 65,536 */
  for (;; key++) {
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&walk->state_of, key, &fresh);
    if (!entry || !room_for_a_state(walk)) {
      walk->bad_memory = true;
      return UINT32_MAX;
    }
    if (fresh) {
      entry->value = walk->states;
      walk->state[walk->states] = *state;
      nobody(walk->now, walk->explorer->words, walk->states), nobody(walk->then, walk->explorer->words, walk->states);
      return walk->states++;
    }
    const struct ut_walked_state *other = &walk->state[entry->value];
    if (other->channel == state->channel && other->rt == state->rt && other->own == state->own)
      return entry->value;
  }
}

/* Adds packets to a state that is reached with the next hop. */
static void arrive(struct ut_certificate_walk *walk, uint32_t channel, uint32_t rt, uint32_t own, const uint64_t *more,
                   const uint64_t *filter) {
  const unsigned words = walk->explorer->words;
  const uint32_t state = number_of_state(walk, &(struct ut_walked_state){.channel = channel, .rt = rt, .own = own});
  if (state == UINT32_MAX)
    return;
  uint64_t *mask = walk->then + (size_t)state * words, old = 0;
  for (unsigned i = 0; i < words; i++) {
    old |= mask[i];
    mask[i] |= filter ? more[i] & filter[i] : more[i];
  }
  if (!old)
    walk->there[walk->theres++] = state;
}

/* Makes the packets of the next hop the present ones. */
static void turn(struct ut_certificate_walk *walk) {
  const unsigned words = walk->explorer->words;
  for (uint32_t i = 0; i < walk->heres; i++)
    nobody(walk->now, words, walk->here[i]);
  uint64_t *const mask = walk->now;
  uint32_t *const list = walk->here, room = walk->now_room, list_room = walk->here_room;
  walk->now = walk->then, walk->now_room = walk->then_room;
  walk->here = walk->there, walk->here_room = walk->there_room, walk->heres = walk->theres;
  walk->then = mask, walk->then_room = room;
  walk->there = list, walk->there_room = list_room, walk->theres = 0;
}

/* ---- hops */

static bool meet(const uint64_t *a, const uint64_t *b, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    if (a[i] & b[i])
      return true;
  return false;
}

static void note_clause(struct ut_certificate_walk *walk, uint32_t channel, uint32_t candidates) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&walk->clause_of, (uint64_t)channel << 32 | candidates, &fresh);
  if (!entry || !ut_reserve_one(&walk->clause, sizeof *walk->clause, walk->clauses, &walk->clause_room)) {
    walk->bad_memory = true;
    return;
  }
  if (fresh)
    walk->clause[walk->clauses++] = (struct ut_clause){.channel = channel, .candidates = candidates};
}

/* Moves the packets of one group of a row to each of their candidates. */
static void hop(struct ut_certificate_walk *walk, uint32_t number, uint32_t group, const uint64_t *packets) {
  const struct ut_explorer *explorer = walk->explorer;
  const struct ut_topology *topo = explorer->topology;
  const struct ut_walked_state state = walk->state[number];
  const uint32_t sw = explorer->channel[state.channel].sw;
  const struct ut_row_group row_group = walk->rows.group[group];
  const struct ut_candidates candidates = walk->rows.candidates[row_group.candidates];
  const uint32_t own = add_own(walk, state.own, sw, row_group.set & explorer->neighbour[sw]);
  bool some = false;
  note_clause(walk, state.channel, row_group.candidates);
  for (unsigned vc = 0; vc < explorer->v && !walk->bad_memory; vc++)
    UT_FOR_EACH (port, candidates.cand[vc]) {
      const struct ut_peer peer = topo->peer[(size_t)sw * topo->po + port];
      some = true;
      if (!(explorer->up[sw] >> port & 1))
        walk->failure = "a candidate leads to a link that does not work";
      else if (peer.kind == UT_PEER_SWITCH)
        arrive(walk, ut_explorer_channel(explorer, peer.index, peer.port, vc), row_group.rt, own, packets,
               ut_group_mask(&walk->rows, group));
    }
  if (!some)
    walk->failure = "a packet is discarded";
}

static void go_on(struct ut_certificate_walk *walk, uint32_t number) {
  struct ut_explorer *explorer = walk->explorer;
  const struct ut_walked_state state = walk->state[number];
  const uint32_t sw = explorer->channel[state.channel].sw;
  const ut_mask own = own_bits(walk, state.own, sw), other = explorer->neighbour[sw] & ~own;
  uint64_t packets[UT_MAX_PROVED_TERMINALS / 64]; /* the array may have moved */
  memcpy(packets, walk->now + (size_t)number * explorer->words, explorer->words * sizeof *packets);
  for (ut_mask more = 0;; more = (more - other) & other) {
    const uint32_t row = ut_view_rows_get(&walk->rows, state.channel, state.rt, own | more);
    if (row == UINT32_MAX) {
      walk->bad_memory = true;
      return;
    }
    const struct ut_view_row view_row = walk->rows.row[row];
    for (uint32_t g = view_row.first; g < view_row.first + view_row.groups; g++)
      if (meet(packets, ut_group_mask(&walk->rows, g), explorer->words))
        hop(walk, number, g, packets);
    if (more == other)
      return;
  }
}

static void inject(struct ut_certificate_walk *walk) {
  const struct ut_explorer *explorer = walk->explorer;
  const uint32_t terminals = explorer->topology->terminals;
  uint64_t others[UT_MAX_PROVED_TERMINALS / 64] = {0};
  for (uint32_t i = 0; i < terminals; i++)
    others[i / 64] |= UINT64_C(1) << i % 64;
  for (uint32_t i = 0; i < terminals && !walk->bad_memory; i++) {
    others[i / 64] &= ~(UINT64_C(1) << i % 64);
    for (unsigned vc = 0; vc < ut_first_layer_vcs(explorer->v, explorer->layers); vc++)
      arrive(walk, ut_explorer_injection(explorer, i, 0, vc), 0, 0, others, NULL);
    others[i / 64] |= UINT64_C(1) << i % 64;
  }
}

bool ut_certificate_walk_run(struct ut_certificate_walk *walk) {
  static const struct ut_own_set none;
  walk->states = walk->heres = walk->theres = walk->owns = walk->clauses = 0;
  walk->failure = NULL;
  walk->hops = 0;
  ut_hash_clear(&walk->state_of), ut_hash_clear(&walk->own_of), ut_hash_clear(&walk->clause_of);
  number_of_own(walk, &none);
  if (!walk->bad_memory)
    inject(walk);
  for (turn(walk); walk->heres && !walk->bad_memory && !walk->failure; turn(walk), walk->hops++) {
    for (uint32_t i = 0; i < walk->heres && !walk->bad_memory && !walk->failure; i++)
      go_on(walk, walk->here[i]);
    if (walk->hops == MOST_HOPS)
      walk->failure = "packets go round";
  }
  walk->hops -= walk->hops > 0;
  return !walk->bad_memory;
}
