/* SPDX-License-Identifier: Apache-2.0 */
/* pair_ways.c - see pair_ways.h */
#include "pair_ways.h"

#include <stdlib.h>
#include <string.h>

#include "disjoint.h"

int ut_pair_ways_init(struct ut_pair_ways *ways, const struct ut_topology *topo, struct ut_error *e) {
  const size_t entries = (size_t)topo->terminals * topo->injections;
  *ways = (struct ut_pair_ways){.topology = topo, .graph = calloc(topo->terminals, sizeof *ways->graph)};
  bool good = ways->graph != NULL;
  for (uint32_t dst = 0; good && dst < topo->terminals; dst++) {
    struct ut_way_graph *graph = &ways->graph[dst];
    graph->entry = malloc(entries * sizeof *graph->entry);
    graph->first = calloc(1, sizeof *graph->first);
    good = graph->entry && graph->first;
    if (graph->entry)
      memset(graph->entry, 0xff, entries * sizeof *graph->entry); /* UT_NO_NODE */
  }
  if (good)
    return 0;
  ut_pair_ways_free(ways);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of %u terminals", (unsigned)topo->terminals);
}

void ut_pair_ways_free(struct ut_pair_ways *ways) {
  for (uint32_t dst = 0; ways->graph && dst < ways->topology->terminals; dst++)
    free(ways->graph[dst].first), free(ways->graph[dst].way), free(ways->graph[dst].entry);
  free(ways->graph), free(ways->works);
  *ways = (struct ut_pair_ways){0};
}

/* ---- ways */

/* Collects the links that a packet may take from a state and that lead on: each once, whatever its VC. */
static void add_links(struct ut_way_graph *graph, const struct ut_walk *walk, const struct ut_walk_state *state,
                      const uint32_t *node) {
  const struct ut_topology *topo = walk->explorer->topology;
  const uint32_t sw = walk->explorer->channel[state->channel].sw;
  ut_mask seen = 0;
  for (uint32_t i = state->first; i < state->end; i++) {
    const struct ut_walk_hop *hop = &walk->hop[i];
    const uint32_t channel = sw * topo->po + hop->port;
    const struct ut_peer *to = &topo->peer[channel];
    const bool arrives = hop->to == UT_TERMINAL && to->kind == UT_PEER_TERMINAL && to->index == walk->packets.dst;
    if (seen & ut_bit(hop->port) || (!arrives && (hop->to == UT_TERMINAL || node[hop->to] == UT_NO_NODE)))
      continue;
    seen |= ut_bit(hop->port);
    graph->way[graph->first[graph->nodes]++] = (struct ut_way_on){arrives ? UT_NO_NODE : node[hop->to], channel};
  }
}

bool ut_pair_ways_add(struct ut_pair_ways *ways, const struct ut_walk *walk) {
  const struct ut_explorer *explorer = walk->explorer;
  struct ut_way_graph *graph = &ways->graph[walk->packets.dst];
  uint32_t *first = realloc(graph->first, (graph->nodes + walk->ordered + 1) * sizeof *first);
  graph->first = first ? first : graph->first;
  struct ut_way_on *way = realloc(graph->way, (graph->first[graph->nodes] + walk->hops + 1) * sizeof *way);
  graph->way = way ? way : graph->way;
  uint32_t *node = malloc((walk->places + 1) * sizeof *node);
  if (!first || !way || !node) {
    free(node);
    return false;
  }
  memset(node, 0xff, walk->places * sizeof *node); /* UT_NO_NODE; states that can go round for ever keep it */
  for (uint32_t i = 0; i < walk->ordered; i++) {   /* states that it leads to come before it */
    const uint32_t begin = graph->first[graph->nodes];
    add_links(graph, walk, &walk->place[walk->order[i]], node);
    if (graph->first[graph->nodes] == begin)
      continue;
    node[walk->order[i]] = graph->nodes++;
    graph->first[graph->nodes] = graph->first[graph->nodes - 1];
    graph->first[graph->nodes - 1] = begin;
  }
  if (graph->nodes > ways->most_nodes)
    ways->most_nodes = graph->nodes;
  for (uint32_t s = 0; s < walk->places && walk->place[s].from == UT_NO_STATE;
       s++) { /* injected states are the first ones */
    const struct ut_channel *channel = &explorer->channel[walk->place[s].channel];
    const struct ut_peer from = ut_explorer_feeder(explorer, channel->sw, channel->port);
    if (from.kind == UT_PEER_TERMINAL && node[s] != UT_NO_NODE)
      graph->entry[from.index * ways->topology->injections + from.port] = node[s];
  }
  free(node);
  return true;
}

/* ---- paths that faults leave */

static bool is_up(const uint64_t *up, uint32_t channel) {
  return up[channel / 64] >> channel % 64 & 1;
}

static void check_pair(const struct ut_pair_ways *ways, const struct ut_reachability *told, const uint64_t *up,
                       uint32_t src, uint32_t dst, struct ut_ways_left *left) {
  const struct ut_topology *topo = ways->topology;
  const struct ut_way_graph *graph = &ways->graph[dst];
  bool way = false, sends = false;
  for (unsigned link = 0; link < topo->injections; link++) {
    const uint32_t entry = graph->entry[src * topo->injections + link];
    way |= entry != UT_NO_NODE && ways->works[entry] && is_up(up, ut_topology_injection(topo, src, link));
    sends |= ut_reachability_of(told, src, link, dst) != 0;
  }
  left->told += sends;
  if (!way && !left->separated++)
    left->separated_pair[0] = src, left->separated_pair[1] = dst;
  if (way && !sends && !left->untold++)
    left->untold_pair[0] = src, left->untold_pair[1] = dst;
}

bool ut_pair_ways_check(struct ut_pair_ways *ways, const struct ut_reachability *told, const uint64_t *up,
                        struct ut_ways_left *left) {
  *left = (struct ut_ways_left){0};
  if (!ways->works)
    ways->works = calloc(ways->most_nodes + 1, sizeof *ways->works);
  if (!ways->works)
    return false;
  for (uint32_t dst = 0; dst < ways->topology->terminals; dst++) {
    const struct ut_way_graph *graph = &ways->graph[dst];
    for (uint32_t i = 0; i < graph->nodes; i++) {
      ways->works[i] = false;
      for (uint32_t j = graph->first[i]; j < graph->first[i + 1] && !ways->works[i]; j++)
        ways->works[i] =
            is_up(up, graph->way[j].channel) && (graph->way[j].node == UT_NO_NODE || ways->works[graph->way[j].node]);
    }
    for (uint32_t src = 0; src < ways->topology->terminals; src++)
      if (src != dst)
        check_pair(ways, told, up, src, dst, left);
  }
  return true;
}

/* ---- numbers of ways */

static void widen(struct ut_way_range *range, uint64_t number) {
  range->least = number < range->least ? number : range->least;
  range->most = number > range->most ? number : range->most;
}

/* Counts the paths from each node, into number[nodes]. */
static void number_ways(const struct ut_way_graph *graph, uint64_t *number) {
  for (uint32_t i = 0; i < graph->nodes; i++) {
    number[i] = 0;
    for (uint32_t j = graph->first[i]; j < graph->first[i + 1]; j++)
      number[i] += graph->way[j].node == UT_NO_NODE ? 1 : number[graph->way[j].node];
  }
}

bool ut_pair_ways_count(const struct ut_pair_ways *pair_ways, struct ut_way_counts *counts) {
  const struct ut_topology *topo = pair_ways->topology;
  const struct ut_way_range none = {UINT64_MAX, 0};
  struct ut_disjoint disjoint;
  uint64_t *number = malloc((pair_ways->most_nodes + 1) * sizeof *number);
  bool good = ut_disjoint_init(&disjoint, pair_ways) && number;
  *counts = (struct ut_way_counts){none, none, none};
  for (uint32_t dst = 0; good && dst < topo->terminals; dst++) {
    const struct ut_way_graph *graph = &pair_ways->graph[dst];
    number_ways(graph, number);
    for (uint32_t src = 0; src < topo->terminals; src++) {
      uint64_t ways = 0;
      if (src == dst)
        continue;
      for (unsigned link = 0; link < topo->injections; link++) {
        const uint32_t entry = graph->entry[src * topo->injections + link];
        ways += entry == UT_NO_NODE ? 0 : number[entry];
      }
      widen(&counts->all, ways);
      widen(&counts->apart_between_switches, ut_disjoint_ways(&disjoint, src, dst, false));
      widen(&counts->apart, ut_disjoint_ways(&disjoint, src, dst, true));
    }
  }
  ut_disjoint_free(&disjoint);
  free(number);
  return good && !disjoint.bad_memory;
}
