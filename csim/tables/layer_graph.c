/* SPDX-License-Identifier: Apache-2.0 */
/* layer_graph.c - see layer_graph.h */
#include "layer_graph.h"

#include <stdlib.h>
#include <string.h>

static uint32_t channels_of(const struct ut_layer_graph *graph) {
  return graph->topology->switches * graph->topology->po;
}

bool ut_layer_graph_init(struct ut_layer_graph *graph, const struct ut_topology *topo) {
  const size_t channels = (size_t)topo->switches * topo->po;
  *graph = (struct ut_layer_graph){.topology = topo,
                                   .next = calloc(channels, sizeof *graph->next),
                                   .rank = calloc(channels, sizeof *graph->rank),
                                   .found = calloc(channels, sizeof *graph->found),
                                   .stack = calloc(channels, sizeof *graph->stack),
                                   .places = calloc(channels, sizeof *graph->places),
                                   .seen = calloc(channels, 1)};
  if (!graph->next || !graph->rank || !graph->found || !graph->stack || !graph->places || !graph->seen) {
    ut_layer_graph_fini(graph);
    return false;
  }
  ut_layer_graph_clear(graph);
  return true;
}

void ut_layer_graph_fini(struct ut_layer_graph *graph) {
  free(graph->next);
  free(graph->rank);
  free(graph->found);
  free(graph->stack);
  free(graph->places);
  free(graph->seen);
  *graph = (struct ut_layer_graph){0};
}

void ut_layer_graph_clear(struct ut_layer_graph *graph) {
  memset(graph->next, 0, channels_of(graph) * sizeof *graph->next);
  for (uint32_t i = 0; i < channels_of(graph); i++)
    graph->rank[i] = i;
}

/* A search from a channel over those whose rank is within a range; adds to the list of those found. */
struct search {
  struct ut_layer_graph *graph;
  uint32_t least, most, found, waiting;
};

static void visit(struct search *search, uint32_t channel) {
  struct ut_layer_graph *graph = search->graph;
  const uint32_t rank = graph->rank[channel];
  if (graph->seen[channel] || rank < search->least || rank > search->most)
    return;
  graph->seen[channel] = true;
  graph->found[search->found++] = channel;
  graph->stack[search->waiting++] = channel;
}

static void go_on(struct search *search, uint32_t channel) {
  const struct ut_topology *topo = search->graph->topology;
  UT_FOR_EACH (port, search->graph->next[channel])
    visit(search, topo->peer[channel].index * topo->po + port);
}

static void go_back(struct search *search, uint32_t channel) {
  const struct ut_topology *topo = search->graph->topology;
  const uint32_t sw = channel / topo->po;
  for (unsigned port = 0; port < topo->pi; port++) {
    const uint32_t before = topo->feeder[(size_t)sw * topo->pi + port];
    if (before < channels_of(search->graph) && ut_layer_graph_has(search->graph, before, channel % topo->po))
      visit(search, before);
  }
}

static void walk(struct search *search, uint32_t from, void (*step)(struct search *search, uint32_t channel)) {
  visit(search, from);
  while (search->waiting)
    step(search, search->graph->stack[--search->waiting]);
}

static void sort_by_rank(const struct ut_layer_graph *graph, uint32_t *channel, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t moved = channel[i];
    uint32_t at = i;
    for (; at && graph->rank[channel[at - 1]] > graph->rank[moved]; at--)
      channel[at] = channel[at - 1];
    channel[at] = moved;
  }
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Gives the channels found the ranks that they have together: first those that lead to `from`, then those behind `to`.
 */
static void reorder(struct ut_layer_graph *graph, uint32_t before, uint32_t count) {
  sort_by_rank(graph, graph->found, before);
  sort_by_rank(graph, graph->found + before, count - before);
  for (uint32_t i = 0; i < count; i++)
    graph->places[i] = graph->rank[graph->found[i]];
  qsort(graph->places, count, sizeof *graph->places, by_number);
  for (uint32_t i = 0; i < count; i++)
    graph->rank[graph->found[i]] = graph->places[i];
}

bool ut_layer_graph_add(struct ut_layer_graph *graph, uint32_t channel, unsigned port) {
  const struct ut_topology *topo = graph->topology;
  const uint32_t to = topo->peer[channel].index * topo->po + port;
  bool acyclic = true;
  if (ut_layer_graph_has(graph, channel, port))
    return true;
  if (graph->rank[to] <= graph->rank[channel]) {
    struct search search = {.graph = graph, .least = graph->rank[to], .most = graph->rank[channel]};
    walk(&search, to, go_on);
    acyclic = !graph->seen[channel];
    const uint32_t behind = search.found;
    for (uint32_t i = 0; i < behind; i++)
      graph->seen[graph->found[i]] = false;
    if (acyclic) { /* found again, so that those before stand first */
      search.found = 0;
      walk(&search, channel, go_back);
      const uint32_t before = search.found;
      walk(&search, to, go_on);
      for (uint32_t i = 0; i < search.found; i++)
        graph->seen[graph->found[i]] = false;
      reorder(graph, before, search.found);
    }
  }
  if (acyclic)
    graph->next[channel] |= ut_bit(port);
  return acyclic;
}

void ut_layer_graph_remove(struct ut_layer_graph *graph, uint32_t channel, unsigned port) {
  graph->next[channel] &= ~ut_bit(port);
}
