/* SPDX-License-Identifier: Apache-2.0 */
/* disjoint.c - see disjoint.h */
#include "disjoint.h"

#include <stdlib.h>

#include <igraph/igraph.h>

enum { SOURCE, SINK, FIRST_LINK }; /* vertices in pairs: 2 * i and 2 * i + 1 */
enum { MANY = UINT16_MAX };

bool ut_disjoint_init(struct ut_disjoint *d, const struct ut_pair_ways *w) {
  const uint32_t channels = w->topology->channels;
  *d = (struct ut_disjoint){.ways = w};
  igraph_set_error_handler(igraph_error_handler_ignore); /* errors come back as codes */
  d->vertex = calloc(channels, sizeof *d->vertex);
  d->channel = malloc((channels + FIRST_LINK) * sizeof *d->channel);
  d->node = malloc((channels + FIRST_LINK) * sizeof *d->node);
  return d->vertex && d->channel && d->node;
}

void ut_disjoint_free(struct ut_disjoint *d) {
  free(d->vertex), free(d->channel), free(d->node), free(d->arc), free(d->capacity);
  *d = (struct ut_disjoint){.bad_memory = d->bad_memory};
}

static void add_arc(struct ut_disjoint *d, uint32_t from, uint32_t to, uint32_t capacity) {
  if (d->arcs == d->room) {
    const uint32_t more = 2 * d->room + 64;
    int64_t *arc = realloc(d->arc, 2 * (size_t)more * sizeof *arc);
    double *capacities = realloc(d->capacity, more * sizeof *capacities);
    d->arc = arc ? arc : d->arc;
    d->capacity = capacities ? capacities : d->capacity;
    if (!arc || !capacities) {
      d->bad_memory = true;
      return;
    }
    d->room = more;
  }
  d->arc[2 * d->arcs] = from;
  d->arc[2 * d->arcs + 1] = to;
  d->capacity[d->arcs++] = capacity;
}

/* The vertices of a link, which leads to that node. */
static uint32_t link_of(struct ut_disjoint *d, uint32_t channel, uint32_t node, uint32_t room) {
  if (d->vertex[channel])
    return d->vertex[channel];
  const uint32_t i = d->links++;
  d->vertex[channel] = i;
  d->channel[i] = channel;
  d->node[i] = node;
  add_arc(d, 2 * i, 2 * i + 1, room);
  return i;
}

/* All links that packets of the pair can take; links with the same channel are one. */
static void make_graph(struct ut_disjoint *d, uint32_t src, uint32_t dst, uint32_t of_terminal) {
  const struct ut_topology *t = d->ways->topology;
  const struct ut_way_graph *g = &d->ways->graph[dst];
  for (uint32_t i = FIRST_LINK; i < d->links; i++)
    d->vertex[d->channel[i]] = 0;
  d->links = FIRST_LINK;
  d->arcs = 0;
  for (unsigned link = 0; link < t->injections && !d->bad_memory; link++) {
    const uint32_t entry = g->entry[src * t->injections + link];
    if (entry != UT_NO_NODE)
      add_arc(d, 2 * SOURCE, 2 * link_of(d, ut_topology_injection(t, src, link), entry, of_terminal), MANY);
  }
  for (uint32_t i = FIRST_LINK; i < d->links && !d->bad_memory; i++) {
    const uint32_t node = d->node[i];
    if (node == UT_NO_NODE) {
      add_arc(d, 2 * i + 1, 2 * SINK, MANY);
      continue;
    }
    for (uint32_t j = g->first[node]; j < g->first[node + 1]; j++) {
      const struct ut_way_on *way = &g->way[j];
      const uint32_t to = link_of(d, way->channel, way->node, way->node == UT_NO_NODE ? of_terminal : 1);
      add_arc(d, 2 * i + 1, 2 * to, MANY);
    }
  }
}

uint32_t ut_disjoint_ways(struct ut_disjoint *d, uint32_t src, uint32_t dst, bool terminals) {
  igraph_t graph;
  igraph_vector_int_t arcs = {0};
  igraph_vector_t capacities = {0};
  igraph_real_t ways = 0;
  make_graph(d, src, dst, terminals ? 1 : MANY);
  if (d->bad_memory || !d->arcs)
    return 0;
  igraph_vector_int_view(&arcs, d->arc, 2 * (igraph_integer_t)d->arcs);
  igraph_vector_view(&capacities, d->capacity, (igraph_integer_t)d->arcs);
  if (igraph_create(&graph, &arcs, 2 * (igraph_integer_t)d->links, IGRAPH_DIRECTED)) {
    d->bad_memory = true;
    return 0;
  }
  d->bad_memory = igraph_maxflow_value(&graph, &ways, 2 * SOURCE, 2 * SINK, &capacities, NULL) != IGRAPH_SUCCESS;
  igraph_destroy(&graph);
  return (uint32_t)ways;
}
