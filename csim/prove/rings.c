/* SPDX-License-Identifier: Apache-2.0 */
/* rings.c - see rings.h */
#include "rings.h"

#include <string.h>

/* ---- nodes */

/* The channel that comes next in the ring of a channel; UINT32_MAX: none, it belongs to a terminal. */
static uint32_t next_in_ring(const struct ut_explorer *x, uint32_t channel) {
  const struct ut_channel *c = &x->channel[channel];
  ut_mask port = ut_explorer_straight_on(x, c->sw, c->port);
  return port ? ut_channel_behind(x, c->sw, ut_first(port), c->vc) : UINT32_MAX;
}

bool ut_rings_closed(const struct ut_rings *r) {
  const struct ut_explorer *x = r->explorer;
  for (uint32_t c = 0; c < x->channels; c++) {
    uint32_t next = next_in_ring(x, c);
    for (uint32_t i = 0; i < x->channels && next != UINT32_MAX && next != c; i++)
      next = next_in_ring(x, next);
    if (next == c)
      return true;
  }
  return false;
}

static void number_nodes(struct ut_rings *r) {
  const struct ut_explorer *x = r->explorer;
  memset(r->node, 0xff, x->channels * sizeof *r->node);
  for (uint32_t c = 0; c < x->channels; c++) {
    if (r->node[c] != UINT32_MAX)
      continue;
    for (uint32_t i = c; i != UINT32_MAX && r->node[i] == UINT32_MAX; i = r->merged ? next_in_ring(x, i) : UINT32_MAX)
      r->node[i] = r->nodes;
    r->nodes++;
  }
}

int ut_rings_init(struct ut_rings *r, struct ut_explorer *x, struct ut_error *e) {
  *r = (struct ut_rings){.explorer = x, .merged = x->group[0].form.bubble};
  r->node = calloc(x->channels, sizeof *r->node);
  r->escape = calloc(x->channels, sizeof *r->escape);
  r->local = calloc(x->channels, sizeof *r->local);
  r->local_node = calloc(x->channels, sizeof *r->local_node);
  if (r->node && r->escape && r->local && r->local_node && ut_graph_init(&r->graph, x->channels)) {
    number_nodes(r);
    return 0;
  }
  ut_rings_free(r);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the dependency graph");
}

void ut_rings_free(struct ut_rings *r) {
  free(r->node), free(r->escape), free(r->local), free(r->local_node), free(r->set);
  ut_hash_free(&r->direct.hash), ut_hash_free(&r->extended.hash), ut_hash_free(&r->all.hash);
  ut_graph_free(&r->graph);
  *r = (struct ut_rings){0};
}

void ut_rings_clear(struct ut_rings *r) {
  memset(r->escape, 0, r->explorer->channels * sizeof *r->escape);
  ut_hash_clear(&r->direct.hash), ut_hash_clear(&r->extended.hash), ut_hash_clear(&r->all.hash);
}

uint32_t ut_rings_count(const struct ut_rings *r) {
  uint32_t count = 0;
  bool *seen = calloc(r->nodes, sizeof *seen);
  for (uint32_t c = 0; seen && c < r->explorer->channels; c++)
    if (r->escape[c] && !seen[r->node[c]]) {
      seen[r->node[c]] = true;
      count++;
    }
  free(seen);
  return count;
}

/* ---- arcs */

static void add_arc(struct ut_rings *r, struct ut_arcs *a, uint32_t from, uint32_t to, uint32_t walk) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&a->hash, (uint64_t)from << 32 | to, &fresh);
  if (!entry)
    r->explorer->bad_memory = true;
  else if (fresh)
    entry->value = walk;
}

uint32_t ut_arcs_walk(const struct ut_arcs *a, uint32_t from, uint32_t to) {
  if (!a->hash.size)
    return UINT32_MAX;
  const struct ut_hash_entry *entry = ut_hash_slot(&a->hash, (uint64_t)from << 32 | to);
  return entry->generation == a->hash.generation ? entry->value : UINT32_MAX;
}

bool ut_rings_cyclic(struct ut_rings *r, const struct ut_arcs *arcs) {
  ut_graph_clear(&r->graph);
  for (uint32_t i = 0; i < arcs->hash.size; i++)
    if (arcs->hash.entry[i].generation == arcs->hash.generation)
      ut_graph_add(&r->graph, (uint32_t)(arcs->hash.entry[i].key >> 32), (uint32_t)arcs->hash.entry[i].key);
  bool cyclic = ut_graph_cyclic(&r->graph);
  r->explorer->bad_memory |= r->graph.bad_memory;
  return cyclic;
}

bool ut_rings_excused(const struct ut_rings *r, uint32_t from, uint32_t to) {
  return r->merged && r->node[from] == r->node[to];
}

/* ---- one walk */

void ut_rings_mark(struct ut_rings *r, const struct ut_walk *k) {
  for (uint32_t i = 0; i < k->hops; i++)
    if (k->hop[i].chosen && k->hop[i].to != UT_TERMINAL)
      r->escape[k->place[k->hop[i].to].channel] = true;
}

/* The escape nodes of this walk get numbers of their own, from 1. */
static void number_locally(struct ut_rings *r, const struct ut_walk *k) {
  for (uint32_t i = 0; i < r->locals; i++)
    r->local[r->local_node[i]] = 0;
  r->locals = 0;
  for (uint32_t i = 0; i < k->hops; i++) {
    const struct ut_walk_hop *h = &k->hop[i];
    if (h->to == UT_TERMINAL || !h->chosen)
      continue;
    uint32_t node = r->node[k->place[h->to].channel];
    if (!r->local[node]) {
      r->local_node[r->locals] = node;
      r->local[node] = ++r->locals;
    }
  }
}

/* Direct dependencies, and those of all channels. */
static void add_direct(struct ut_rings *r, const struct ut_walk *k, uint32_t number) {
  const struct ut_explorer *x = r->explorer;
  for (uint32_t s = 0; s < k->places; s++) {
    uint32_t channel = k->place[s].channel;
    if (x->channel[channel].injection)
      continue;
    for (uint32_t i = k->place[s].first; i < k->place[s].end; i++) {
      const struct ut_walk_hop *h = &k->hop[i];
      if (h->to == UT_TERMINAL)
        continue;
      uint32_t next = k->place[h->to].channel;
      add_arc(r, &r->all, channel, next, number);
      if (h->chosen && r->escape[channel] && !ut_rings_excused(r, channel, next))
        add_arc(r, &r->direct, r->node[channel], r->node[next], number);
    }
  }
}

static void or_into(uint64_t *to, const uint64_t *from, size_t words) {
  for (size_t i = 0; i < words; i++)
    to[i] |= from[i];
}

/* The sets of escape nodes, from the ends of the walk backwards: those chosen in the state, and those of the states
 * behind its other hops. */
static bool gather(struct ut_rings *r, const struct ut_walk *k, size_t words) {
  if (words * k->places > r->set_room) {
    free(r->set);
    r->set_room = words * k->places * 2;
    r->set = malloc(r->set_room * sizeof *r->set);
  }
  if (!r->set) {
    r->set_room = 0;
    r->explorer->bad_memory = true;
    return false;
  }
  for (uint32_t i = 0; i < k->ordered; i++) {
    uint32_t s = k->order[i];
    uint64_t *set = r->set + s * words;
    memset(set, 0, words * sizeof *set);
    for (uint32_t j = k->place[s].first; j < k->place[s].end; j++) {
      const struct ut_walk_hop *h = &k->hop[j];
      if (h->to == UT_TERMINAL)
        continue;
      if (h->chosen) {
        uint32_t local = r->local[r->node[k->place[h->to].channel]] - 1;
        set[local / 64] |= UINT64_C(1) << local % 64;
      } else {
        or_into(set, r->set + h->to * words, words);
      }
    }
  }
  return true;
}

/* The extended graph; of walks that do not loop. */
static void add_extended(struct ut_rings *r, const struct ut_walk *k, uint32_t number) {
  size_t words = (r->locals + 63) / 64;
  if (!words || k->ordered < k->places || !gather(r, k, words))
    return;
  for (uint32_t s = 0; s < k->places; s++) {
    uint32_t channel = k->place[s].channel;
    if (!r->escape[channel]) /* as are those of injection links */
      continue;
    for (size_t i = 0; i < words; i++)
      for (uint64_t rest = r->set[s * words + i]; rest; rest &= rest - 1)
        add_arc(r, &r->extended, r->node[channel], r->local_node[i * 64 + (size_t)__builtin_ctzll(rest)], number);
  }
}

void ut_rings_add(struct ut_rings *r, const struct ut_walk *k, uint32_t number) {
  number_locally(r, k);
  add_direct(r, k, number);
  if (!r->merged)
    add_extended(r, k, number);
}
