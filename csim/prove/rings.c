/* SPDX-License-Identifier: Apache-2.0 */
/* rings.c - see rings.h */
#include "rings.h"

#include <string.h>

/* ---- nodes */

/* Returns the next channel in the ring of a channel; UINT32_MAX: none, because a terminal feeds it. */
static uint32_t next_in_ring(const struct ut_explorer *explorer, uint32_t channel) {
  const struct ut_channel *chan = &explorer->channel[channel];
  ut_mask port = ut_explorer_straight_on(explorer, chan->sw, chan->port);
  return port ? ut_channel_behind(explorer, chan->sw, ut_first(port), chan->vc) : UINT32_MAX;
}

bool ut_rings_closed(const struct ut_rings *rings) {
  const struct ut_explorer *explorer = rings->explorer;
  for (uint32_t c = 0; c < explorer->channels; c++) {
    uint32_t next = next_in_ring(explorer, c);
    for (uint32_t i = 0; i < explorer->channels && next != UINT32_MAX && next != c; i++)
      next = next_in_ring(explorer, next);
    if (next == c)
      return true;
  }
  return false;
}

static void number_nodes(struct ut_rings *rings) {
  const struct ut_explorer *explorer = rings->explorer;
  memset(rings->node, 0xff, explorer->channels * sizeof *rings->node);
  for (uint32_t c = 0; c < explorer->channels; c++) {
    if (rings->node[c] != UINT32_MAX)
      continue;
    for (uint32_t i = c; i != UINT32_MAX && rings->node[i] == UINT32_MAX;
         i = rings->merged ? next_in_ring(explorer, i) : UINT32_MAX)
      rings->node[i] = rings->nodes;
    rings->nodes++;
  }
}

int ut_rings_init(struct ut_rings *rings, struct ut_explorer *explorer, struct ut_error *e) {
  *rings = (struct ut_rings){.explorer = explorer, .merged = explorer->group[0].form.bubble};
  rings->node = calloc(explorer->channels, sizeof *rings->node);
  rings->escape = calloc(explorer->channels, sizeof *rings->escape);
  rings->local = calloc(explorer->channels, sizeof *rings->local);
  rings->local_node = calloc(explorer->channels, sizeof *rings->local_node);
  if (rings->node && rings->escape && rings->local && rings->local_node &&
      ut_digraph_init(&rings->graph, explorer->channels)) {
    number_nodes(rings);
    return 0;
  }
  ut_rings_free(rings);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the dependency graph");
}

void ut_rings_free(struct ut_rings *rings) {
  free(rings->node), free(rings->escape), free(rings->local), free(rings->local_node), free(rings->set);
  ut_hash_free(&rings->direct.hash), ut_hash_free(&rings->extended.hash), ut_hash_free(&rings->all.hash);
  ut_digraph_free(&rings->graph);
  *rings = (struct ut_rings){0};
}

void ut_rings_clear(struct ut_rings *rings) {
  memset(rings->escape, 0, rings->explorer->channels * sizeof *rings->escape);
  ut_hash_clear(&rings->direct.hash), ut_hash_clear(&rings->extended.hash), ut_hash_clear(&rings->all.hash);
}

uint32_t ut_rings_count(const struct ut_rings *rings) {
  uint32_t count = 0;
  bool *seen = calloc(rings->nodes, sizeof *seen);
  for (uint32_t c = 0; seen && c < rings->explorer->channels; c++)
    if (rings->escape[c] && !seen[rings->node[c]]) {
      seen[rings->node[c]] = true;
      count++;
    }
  free(seen);
  return count;
}

/* ---- arcs */

static void add_arc(struct ut_rings *rings, struct ut_arcs *arcs, uint32_t from, uint32_t to, uint32_t walk) {
  bool fresh;
  struct ut_hash_entry *entry = ut_hash_at(&arcs->hash, (uint64_t)from << 32 | to, &fresh);
  if (!entry)
    rings->explorer->bad_memory = true;
  else if (fresh)
    entry->value = walk;
}

uint32_t ut_arcs_walk(const struct ut_arcs *arcs, uint32_t from, uint32_t to) {
  if (!arcs->hash.size)
    return UINT32_MAX;
  const struct ut_hash_entry *entry = ut_hash_slot(&arcs->hash, (uint64_t)from << 32 | to);
  return entry->generation == arcs->hash.generation ? entry->value : UINT32_MAX;
}

const struct ut_arcs *ut_rings_deciding(const struct ut_rings *rings, const struct ut_group *group) {
  if (group->shape.switching != UT_WORMHOLE)
    return &rings->direct;
  return group->form.preferred ? &rings->extended
                               : &rings->all; /* adaptive VCs are given away empty: Duato's theorem */
}

bool ut_rings_cyclic(struct ut_rings *rings, const struct ut_arcs *arcs) {
  ut_digraph_clear(&rings->graph);
  for (uint32_t i = 0; i < arcs->hash.size; i++)
    if (arcs->hash.entry[i].generation == arcs->hash.generation)
      ut_digraph_add(&rings->graph, (uint32_t)(arcs->hash.entry[i].key >> 32), (uint32_t)arcs->hash.entry[i].key);
  bool cyclic = ut_digraph_cyclic(&rings->graph);
  rings->explorer->bad_memory |= rings->graph.bad_memory;
  return cyclic;
}

bool ut_rings_excused(const struct ut_rings *rings, uint32_t from, uint32_t to) {
  return rings->merged && rings->node[from] == rings->node[to];
}

/* ---- one walk */

void ut_rings_mark(struct ut_rings *rings, const struct ut_walk *walk) {
  for (uint32_t i = 0; i < walk->hops; i++)
    if (walk->hop[i].chosen && walk->hop[i].to != UT_TERMINAL)
      rings->escape[walk->place[walk->hop[i].to].channel] = true;
}

/* The escape nodes of this walk get numbers of their own, from 1. */
static void number_locally(struct ut_rings *rings, const struct ut_walk *walk) {
  for (uint32_t i = 0; i < rings->locals; i++)
    rings->local[rings->local_node[i]] = 0;
  rings->locals = 0;
  for (uint32_t i = 0; i < walk->hops; i++) {
    const struct ut_walk_hop *hop = &walk->hop[i];
    if (hop->to == UT_TERMINAL || !hop->chosen)
      continue;
    uint32_t node = rings->node[walk->place[hop->to].channel];
    if (!rings->local[node]) {
      rings->local_node[rings->locals] = node;
      rings->local[node] = ++rings->locals;
    }
  }
}

/* Adds the direct dependencies, and those of all channels. */
static void add_direct(struct ut_rings *rings, const struct ut_walk *walk, uint32_t number) {
  const struct ut_explorer *explorer = rings->explorer;
  for (uint32_t s = 0; s < walk->places; s++) {
    uint32_t channel = walk->place[s].channel;
    if (explorer->channel[channel].injection)
      continue;
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end; i++) {
      const struct ut_walk_hop *hop = &walk->hop[i];
      if (hop->to == UT_TERMINAL)
        continue;
      uint32_t next = walk->place[hop->to].channel;
      add_arc(rings, &rings->all, channel, next, number);
      if (hop->chosen && rings->escape[channel] && !ut_rings_excused(rings, channel, next))
        add_arc(rings, &rings->direct, rings->node[channel], rings->node[next], number);
    }
  }
}

static void or_into(uint64_t *to, const uint64_t *from, size_t words) {
  for (size_t i = 0; i < words; i++)
    to[i] |= from[i];
}

/* Computes the sets of escape nodes, backwards from the ends of the walk: those chosen in the state, and those of the
 * states behind its other hops. */
static bool gather(struct ut_rings *rings, const struct ut_walk *walk, size_t words) {
  if (words * walk->places > rings->set_room) {
    free(rings->set);
    rings->set_room = words * walk->places * 2;
    rings->set = malloc(rings->set_room * sizeof *rings->set);
  }
  if (!rings->set) {
    rings->set_room = 0;
    rings->explorer->bad_memory = true;
    return false;
  }
  for (uint32_t i = 0; i < walk->ordered; i++) {
    uint32_t s = walk->order[i];
    uint64_t *set = rings->set + s * words;
    memset(set, 0, words * sizeof *set);
    for (uint32_t j = walk->place[s].first; j < walk->place[s].end; j++) {
      const struct ut_walk_hop *hop = &walk->hop[j];
      if (hop->to == UT_TERMINAL)
        continue;
      if (hop->chosen) {
        uint32_t local = rings->local[rings->node[walk->place[hop->to].channel]] - 1;
        set[local / 64] |= UINT64_C(1) << local % 64;
      } else {
        or_into(set, rings->set + hop->to * words, words);
      }
    }
  }
  return true;
}

/* Whether the subfunction chooses every candidate of a walk: then it waits for nothing after adaptive hops. */
static bool chooses_all(const struct ut_walk *walk) {
  bool all = true;
  for (uint32_t i = 0; i < walk->hops; i++)
    all &= walk->hop[i].chosen || walk->hop[i].to == UT_TERMINAL;
  return all;
}

/* The direct dependencies, as those of the extended graph. */
static void add_same(struct ut_rings *rings, const struct ut_walk *walk, uint32_t number) {
  for (uint32_t s = 0; s < walk->places; s++) {
    const uint32_t channel = walk->place[s].channel;
    for (uint32_t i = walk->place[s].first; i < walk->place[s].end && rings->escape[channel]; i++)
      if (walk->hop[i].to != UT_TERMINAL)
        add_arc(rings, &rings->extended, rings->node[channel], rings->node[walk->place[walk->hop[i].to].channel],
                number);
  }
}

/* The extended graph; of walks that do not loop. */
static void add_extended(struct ut_rings *rings, const struct ut_walk *walk, uint32_t number) {
  size_t words = (rings->locals + 63) / 64;
  if (walk->ordered == walk->places && chooses_all(walk)) {
    add_same(rings, walk, number);
    return;
  }
  if (!words || walk->ordered < walk->places || !gather(rings, walk, words))
    return;
  for (uint32_t s = 0; s < walk->places; s++) {
    uint32_t channel = walk->place[s].channel;
    if (!rings->escape[channel]) /* as do those of injection links */
      continue;
    for (size_t i = 0; i < words; i++)
      for (uint64_t rest = rings->set[s * words + i]; rest; rest &= rest - 1)
        add_arc(rings, &rings->extended, rings->node[channel],
                rings->local_node[i * 64 + (size_t)__builtin_ctzll(rest)], number);
  }
}

void ut_rings_add(struct ut_rings *rings, const struct ut_walk *walk, uint32_t number) {
  number_locally(rings, walk);
  add_direct(rings, walk, number);
  if (!rings->merged)
    add_extended(rings, walk, number);
}
