/* SPDX-License-Identifier: Apache-2.0 */
/* disjoint.c - see disjoint.h */
#include "disjoint.h"

#include <stdlib.h>

#include <igraph/igraph.h>

enum { SOURCE, SINK, FIRST_LINK }; /* vertices in pairs: 2 * i and 2 * i + 1 */
enum { MANY = UINT16_MAX };

bool ut_disjoint_init(struct ut_disjoint *disjoint, const struct ut_pair_ways *ways) {
  const uint32_t channels = ways->topology->channels;
  *disjoint = (struct ut_disjoint){.ways = ways};
  igraph_set_error_handler(igraph_error_handler_ignore); /* errors come back as codes */
  disjoint->vertex = calloc(channels, sizeof *disjoint->vertex);
  disjoint->channel = malloc((channels + FIRST_LINK) * sizeof *disjoint->channel);
  disjoint->node = malloc((channels + FIRST_LINK) * sizeof *disjoint->node);
  return disjoint->vertex && disjoint->channel && disjoint->node;
}

void ut_disjoint_free(struct ut_disjoint *disjoint) {
  free(disjoint->vertex), free(disjoint->channel), free(disjoint->node), free(disjoint->arc), free(disjoint->capacity);
  *disjoint = (struct ut_disjoint){.bad_memory = disjoint->bad_memory};
}

static void add_arc(struct ut_disjoint *disjoint, uint32_t from, uint32_t to, uint32_t capacity) {
  if (disjoint->arcs == disjoint->room) {
    const uint32_t more = 2 * disjoint->room + 64;
    int64_t *arc = realloc(disjoint->arc, 2 * (size_t)more * sizeof *arc);
    double *capacities = realloc(disjoint->capacity, more * sizeof *capacities);
    disjoint->arc = arc ? arc : disjoint->arc;
    disjoint->capacity = capacities ? capacities : disjoint->capacity;
    if (!arc || !capacities) {
      disjoint->bad_memory = true;
      return;
    }
    disjoint->room = more;
  }
  disjoint->arc[2 * disjoint->arcs] = from;
  disjoint->arc[2 * disjoint->arcs + 1] = to;
  disjoint->capacity[disjoint->arcs++] = capacity;
}

/* Returns the vertices of a link, which leads to that node. */
static uint32_t link_of(struct ut_disjoint *disjoint, uint32_t channel, uint32_t node, uint32_t room) {
  if (disjoint->vertex[channel])
    return disjoint->vertex[channel];
  const uint32_t i = disjoint->links++;
  disjoint->vertex[channel] = i;
  disjoint->channel[i] = channel;
  disjoint->node[i] = node;
  add_arc(disjoint, 2 * i, 2 * i + 1, room);
  return i;
}

/* Adds all links that packets of the pair can take; VCs of one link count once. */
static void make_graph(struct ut_disjoint *disjoint, uint32_t src, uint32_t dst, uint32_t of_terminal) {
  const struct ut_topology *topo = disjoint->ways->topology;
  const struct ut_way_graph *graph = &disjoint->ways->graph[dst];
  for (uint32_t i = FIRST_LINK; i < disjoint->links; i++)
    disjoint->vertex[disjoint->channel[i]] = 0;
  disjoint->links = FIRST_LINK;
  disjoint->arcs = 0;
  for (unsigned link = 0; link < topo->injections && !disjoint->bad_memory; link++) {
    const uint32_t entry = graph->entry[src * topo->injections + link];
    if (entry != UT_NO_NODE)
      add_arc(disjoint, 2 * SOURCE, 2 * link_of(disjoint, ut_topology_injection(topo, src, link), entry, of_terminal),
              MANY);
  }
  for (uint32_t i = FIRST_LINK; i < disjoint->links && !disjoint->bad_memory; i++) {
    const uint32_t node = disjoint->node[i];
    if (node == UT_NO_NODE) {
      add_arc(disjoint, 2 * i + 1, 2 * SINK, MANY);
      continue;
    }
    for (uint32_t j = graph->first[node]; j < graph->first[node + 1]; j++) {
      const struct ut_way_on *way = &graph->way[j];
      const uint32_t to = link_of(disjoint, way->channel, way->node, way->node == UT_NO_NODE ? of_terminal : 1);
      add_arc(disjoint, 2 * i + 1, 2 * to, MANY);
    }
  }
}

uint32_t ut_disjoint_ways(struct ut_disjoint *disjoint, uint32_t src, uint32_t dst, bool terminals) {
  igraph_t graph;
  igraph_vector_int_t arcs = {0};
  igraph_vector_t capacities = {0};
  igraph_real_t ways = 0;
  make_graph(disjoint, src, dst, terminals ? 1 : MANY);
  if (disjoint->bad_memory || !disjoint->arcs)
    return 0;
  igraph_vector_int_view(&arcs, disjoint->arc, 2 * (igraph_integer_t)disjoint->arcs);
  igraph_vector_view(&capacities, disjoint->capacity, (igraph_integer_t)disjoint->arcs);
  if (igraph_create(&graph, &arcs, 2 * (igraph_integer_t)disjoint->links, IGRAPH_DIRECTED)) {
    disjoint->bad_memory = true;
    return 0;
  }
  disjoint->bad_memory = igraph_maxflow_value(&graph, &ways, 2 * SOURCE, 2 * SINK, &capacities, NULL) != IGRAPH_SUCCESS;
  igraph_destroy(&graph);
  return (uint32_t)ways;
}
