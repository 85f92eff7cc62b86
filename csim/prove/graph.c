/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - see graph.h */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include <igraph/igraph.h>

_Static_assert(sizeof(igraph_integer_t) == sizeof(int64_t), "igraph with 64-bit numbers");

bool ut_graph_init(struct ut_graph *g, uint32_t vertices) {
  *g = (struct ut_graph){.vertices = vertices, .room = 1024};
  igraph_set_error_handler(igraph_error_handler_ignore); /* errors come back as codes */
  g->arc = calloc(g->room, sizeof *g->arc);
  g->component = calloc(vertices, sizeof *g->component);
  if (g->arc && g->component)
    return true;
  ut_graph_free(g);
  return false;
}

void ut_graph_free(struct ut_graph *g) {
  free(g->arc), free(g->component);
  *g = (struct ut_graph){0};
}

void ut_graph_clear(struct ut_graph *g) {
  g->arcs = 0;
  g->own_arc = false;
}

void ut_graph_add(struct ut_graph *g, uint32_t from, uint32_t to) {
  if (g->arcs + 2 > g->room) {
    int64_t *larger = realloc(g->arc, 2 * g->room * sizeof *larger);
    if (!larger) {
      g->bad_memory = true;
      return;
    }
    g->arc = larger;
    g->room *= 2;
  }
  g->own_arc |= from == to;
  g->arc[g->arcs++] = from;
  g->arc[g->arcs++] = to;
}

/* The arcs as igraph wants them; false: out of memory. */
static bool make(struct ut_graph *g, igraph_t *graph) {
  igraph_vector_int_t arcs = {0};
  igraph_vector_int_view(&arcs, g->arc, (igraph_integer_t)g->arcs);
  if (igraph_create(graph, &arcs, g->vertices, IGRAPH_DIRECTED) == IGRAPH_SUCCESS)
    return true;
  g->bad_memory = true;
  return false;
}

bool ut_graph_cyclic(struct ut_graph *g) {
  igraph_t graph;
  igraph_vector_int_t component;
  igraph_integer_t components = g->vertices;
  if (igraph_vector_int_init(&component, 0)) {
    g->bad_memory = true;
    return false;
  }
  if (make(g, &graph)) {
    if (igraph_connected_components(&graph, &component, NULL, &components, IGRAPH_STRONG))
      g->bad_memory = true;
    else if (g->vertices)
      memcpy(g->component, VECTOR(component), g->vertices * sizeof *g->component);
    igraph_destroy(&graph);
  }
  igraph_vector_int_destroy(&component);
  return components < g->vertices || g->own_arc;
}

/* The shortest path as a list; false: out of memory. */
static bool copy_path(const igraph_vector_int_t *path, uint32_t **list) {
  size_t length = (size_t)igraph_vector_int_size(path);
  uint32_t *found = malloc(length * sizeof *found);
  if (!found)
    return false;
  for (size_t j = 0; j < length; j++)
    found[j] = (uint32_t)VECTOR(*path)[j];
  free(*list);
  *list = found;
  return true;
}

size_t ut_graph_shortest_cycle(struct ut_graph *g, const bool *among, uint32_t **cycle) {
  igraph_t graph;
  igraph_vector_int_t path;
  size_t best = 0;
  *cycle = NULL;
  if (!ut_graph_cyclic(g) || !make(g, &graph))
    return 0;
  if (igraph_vector_int_init(&path, 0)) {
    igraph_destroy(&graph);
    g->bad_memory = true;
    return 0;
  }
  for (size_t i = 0; i < g->arcs; i += 2) {
    int64_t from = g->arc[i], to = g->arc[i + 1];
    if (g->component[from] != g->component[to] || (among && !(among[from] && among[to])))
      continue;
    if (igraph_get_shortest_path(&graph, &path, NULL, to, from, IGRAPH_OUT))
      break;
    size_t length = (size_t)igraph_vector_int_size(&path);
    if (best && length >= best)
      continue;
    if (!copy_path(&path, cycle))
      break;
    best = length;
  }
  igraph_vector_int_destroy(&path);
  igraph_destroy(&graph);
  return best;
}
