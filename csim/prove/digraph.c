/* SPDX-License-Identifier: Apache-2.0 */
/* digraph.c - see digraph.h */
#include "digraph.h"

#include <stdlib.h>
#include <string.h>

#include <igraph/igraph.h>

_Static_assert(sizeof(igraph_integer_t) == sizeof(int64_t), "igraph with 64-bit numbers");

bool ut_digraph_init(struct ut_digraph *graph, uint32_t vertices) {
  *graph = (struct ut_digraph){.vertices = vertices, .room = 1024};
  igraph_set_error_handler(igraph_error_handler_ignore); /* errors come back as codes */
  graph->arc = calloc(graph->room, sizeof *graph->arc);
  graph->component = calloc(vertices, sizeof *graph->component);
  if (graph->arc && graph->component)
    return true;
  ut_digraph_free(graph);
  return false;
}

void ut_digraph_free(struct ut_digraph *graph) {
  free(graph->arc), free(graph->component);
  *graph = (struct ut_digraph){0};
}

void ut_digraph_clear(struct ut_digraph *graph) {
  graph->arcs = 0;
  graph->own_arc = false;
}

void ut_digraph_add(struct ut_digraph *graph, uint32_t from, uint32_t to) {
  if (graph->arcs + 2 > graph->room) {
    int64_t *larger = realloc(graph->arc, 2 * graph->room * sizeof *larger);
    if (!larger) {
      graph->bad_memory = true;
      return;
    }
    graph->arc = larger;
    graph->room *= 2;
  }
  graph->own_arc |= from == to;
  graph->arc[graph->arcs++] = from;
  graph->arc[graph->arcs++] = to;
}

/* The arcs as igraph wants them; false: out of memory. */
static bool make(struct ut_digraph *dependencies, igraph_t *graph) {
  igraph_vector_int_t arcs = {0};
  igraph_vector_int_view(&arcs, dependencies->arc, (igraph_integer_t)dependencies->arcs);
  if (igraph_create(graph, &arcs, dependencies->vertices, IGRAPH_DIRECTED) == IGRAPH_SUCCESS)
    return true;
  dependencies->bad_memory = true;
  return false;
}

bool ut_digraph_cyclic(struct ut_digraph *dependencies) {
  igraph_t graph;
  igraph_vector_int_t component;
  igraph_integer_t components = dependencies->vertices;
  if (igraph_vector_int_init(&component, 0)) {
    dependencies->bad_memory = true;
    return false;
  }
  if (make(dependencies, &graph)) {
    if (igraph_connected_components(&graph, &component, NULL, &components, IGRAPH_STRONG))
      dependencies->bad_memory = true;
    else if (dependencies->vertices)
      memcpy(dependencies->component, VECTOR(component), dependencies->vertices * sizeof *dependencies->component);
    igraph_destroy(&graph);
  }
  igraph_vector_int_destroy(&component);
  return components < dependencies->vertices || dependencies->own_arc;
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

size_t ut_digraph_shortest_cycle(struct ut_digraph *dependencies, const bool *among, uint32_t **cycle) {
  igraph_t graph;
  igraph_vector_int_t path;
  size_t best = 0;
  *cycle = NULL;
  if (!ut_digraph_cyclic(dependencies) || !make(dependencies, &graph))
    return 0;
  if (igraph_vector_int_init(&path, 0)) {
    igraph_destroy(&graph);
    dependencies->bad_memory = true;
    return 0;
  }
  for (size_t i = 0; i < dependencies->arcs; i += 2) {
    int64_t from = dependencies->arc[i], to = dependencies->arc[i + 1];
    if (dependencies->component[from] != dependencies->component[to] || (among && !(among[from] && among[to])))
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
