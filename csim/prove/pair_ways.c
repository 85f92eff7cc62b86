/* SPDX-License-Identifier: Apache-2.0 */
/* pair_ways.c - see pair_ways.h */
#include "pair_ways.h"

#include <stdlib.h>
#include <string.h>

#include "disjoint.h"

int ut_pair_ways_init(struct ut_pair_ways *w, const struct ut_topology *t, struct ut_error *e) {
  const size_t entries = (size_t)t->terminals * t->injections;
  *w = (struct ut_pair_ways){.topology = t, .graph = calloc(t->terminals, sizeof *w->graph)};
  bool good = w->graph != NULL;
  for (uint32_t dst = 0; good && dst < t->terminals; dst++) {
    struct ut_way_graph *g = &w->graph[dst];
    g->entry = malloc(entries * sizeof *g->entry);
    g->first = calloc(1, sizeof *g->first);
    good = g->entry && g->first;
    if (g->entry)
      memset(g->entry, 0xff, entries * sizeof *g->entry); /* UT_NO_NODE */
  }
  if (good)
    return 0;
  ut_pair_ways_free(w);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of %u terminals", (unsigned)t->terminals);
}

void ut_pair_ways_free(struct ut_pair_ways *w) {
  for (uint32_t dst = 0; w->graph && dst < w->topology->terminals; dst++)
    free(w->graph[dst].first), free(w->graph[dst].way), free(w->graph[dst].entry);
  free(w->graph), free(w->works);
  *w = (struct ut_pair_ways){0};
}

/* ---- ways */

/* The links that a packet may take from a state and that lead on: each once, whatever its VC. */
static void add_links(struct ut_way_graph *g, const struct ut_walk *k, const struct ut_walk_state *s,
                      const uint32_t *node) {
  const struct ut_topology *t = k->explorer->topology;
  const uint32_t sw = k->explorer->channel[s->channel].sw;
  ut_mask seen = 0;
  for (uint32_t i = s->first; i < s->end; i++) {
    const struct ut_walk_hop *h = &k->hop[i];
    const uint32_t channel = sw * t->po + h->port;
    const struct ut_peer *to = &t->peer[channel];
    const bool arrives = h->to == UT_TERMINAL && to->kind == UT_PEER_TERMINAL && to->index == k->packets.dst;
    if (seen & ut_bit(h->port) || (!arrives && (h->to == UT_TERMINAL || node[h->to] == UT_NO_NODE)))
      continue;
    seen |= ut_bit(h->port);
    g->way[g->first[g->nodes]++] = (struct ut_way_on){arrives ? UT_NO_NODE : node[h->to], channel};
  }
}

bool ut_pair_ways_add(struct ut_pair_ways *w, const struct ut_walk *k) {
  const struct ut_explorer *x = k->explorer;
  struct ut_way_graph *g = &w->graph[k->packets.dst];
  uint32_t *first = realloc(g->first, (g->nodes + k->ordered + 1) * sizeof *first);
  g->first = first ? first : g->first;
  struct ut_way_on *way = realloc(g->way, (g->first[g->nodes] + k->hops + 1) * sizeof *way);
  g->way = way ? way : g->way;
  uint32_t *node = malloc((k->places + 1) * sizeof *node);
  if (!first || !way || !node) {
    free(node);
    return false;
  }
  memset(node, 0xff, k->places * sizeof *node); /* UT_NO_NODE; so stay those that can go round for ever */
  for (uint32_t i = 0; i < k->ordered; i++) {   /* what a state leads to comes before it */
    const uint32_t begin = g->first[g->nodes];
    add_links(g, k, &k->place[k->order[i]], node);
    if (g->first[g->nodes] == begin)
      continue;
    node[k->order[i]] = g->nodes++;
    g->first[g->nodes] = g->first[g->nodes - 1];
    g->first[g->nodes - 1] = begin;
  }
  if (g->nodes > w->most_nodes)
    w->most_nodes = g->nodes;
  for (uint32_t s = 0; s < k->places && k->place[s].from == UT_NO_STATE; s++) { /* injected states are the first ones */
    const struct ut_channel *c = &x->channel[k->place[s].channel];
    const struct ut_peer from = ut_explorer_feeder(x, c->sw, c->port);
    if (from.kind == UT_PEER_TERMINAL && node[s] != UT_NO_NODE)
      g->entry[from.index * w->topology->injections + from.port] = node[s];
  }
  free(node);
  return true;
}

/* ---- what faults leave */

static bool is_up(const uint64_t *up, uint32_t channel) {
  return up[channel / 64] >> channel % 64 & 1;
}

static void check_pair(const struct ut_pair_ways *w, const struct ut_reachability *told, const uint64_t *up,
                       uint32_t src, uint32_t dst, struct ut_ways_left *left) {
  const struct ut_topology *t = w->topology;
  const struct ut_way_graph *g = &w->graph[dst];
  bool way = false, sends = false;
  for (unsigned link = 0; link < t->injections; link++) {
    const uint32_t entry = g->entry[src * t->injections + link];
    way |= entry != UT_NO_NODE && w->works[entry] && is_up(up, ut_topology_injection(t, src, link));
    sends |= ut_reachability_of(told, src, link, dst) != 0;
  }
  left->told += sends;
  if (!way && !left->separated++)
    left->separated_pair[0] = src, left->separated_pair[1] = dst;
  if (way && !sends && !left->untold++)
    left->untold_pair[0] = src, left->untold_pair[1] = dst;
}

bool ut_pair_ways_check(struct ut_pair_ways *w, const struct ut_reachability *told, const uint64_t *up,
                        struct ut_ways_left *left) {
  *left = (struct ut_ways_left){0};
  if (!w->works)
    w->works = calloc(w->most_nodes + 1, sizeof *w->works);
  if (!w->works)
    return false;
  for (uint32_t dst = 0; dst < w->topology->terminals; dst++) {
    const struct ut_way_graph *g = &w->graph[dst];
    for (uint32_t i = 0; i < g->nodes; i++) {
      w->works[i] = false;
      for (uint32_t j = g->first[i]; j < g->first[i + 1] && !w->works[i]; j++)
        w->works[i] = is_up(up, g->way[j].channel) && (g->way[j].node == UT_NO_NODE || w->works[g->way[j].node]);
    }
    for (uint32_t src = 0; src < w->topology->terminals; src++)
      if (src != dst)
        check_pair(w, told, up, src, dst, left);
  }
  return true;
}

/* ---- numbers of ways */

static void widen(struct ut_way_range *r, uint64_t number) {
  r->least = number < r->least ? number : r->least;
  r->most = number > r->most ? number : r->most;
}

/* Ways from each node: into number[nodes]. */
static void number_ways(const struct ut_way_graph *g, uint64_t *number) {
  for (uint32_t i = 0; i < g->nodes; i++) {
    number[i] = 0;
    for (uint32_t j = g->first[i]; j < g->first[i + 1]; j++)
      number[i] += g->way[j].node == UT_NO_NODE ? 1 : number[g->way[j].node];
  }
}

bool ut_pair_ways_count(const struct ut_pair_ways *w, struct ut_way_counts *c) {
  const struct ut_topology *t = w->topology;
  const struct ut_way_range none = {UINT64_MAX, 0};
  struct ut_disjoint d;
  uint64_t *number = malloc((w->most_nodes + 1) * sizeof *number);
  bool good = ut_disjoint_init(&d, w) && number;
  *c = (struct ut_way_counts){none, none, none};
  for (uint32_t dst = 0; good && dst < t->terminals; dst++) {
    const struct ut_way_graph *g = &w->graph[dst];
    number_ways(g, number);
    for (uint32_t src = 0; src < t->terminals; src++) {
      uint64_t ways = 0;
      if (src == dst)
        continue;
      for (unsigned link = 0; link < t->injections; link++) {
        const uint32_t entry = g->entry[src * t->injections + link];
        ways += entry == UT_NO_NODE ? 0 : number[entry];
      }
      widen(&c->all, ways);
      widen(&c->apart_between_switches, ut_disjoint_ways(&d, src, dst, false));
      widen(&c->apart, ut_disjoint_ways(&d, src, dst, true));
    }
  }
  ut_disjoint_free(&d);
  free(number);
  return good && !d.bad_memory;
}
