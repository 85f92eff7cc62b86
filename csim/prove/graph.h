/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - a directed graph of waiting channels: strongly connected components and shortest cycles, by igraph.  Used
 * for channels (dependency.h) and for rings (rings.h). */
#ifndef UT_GRAPH_H
#define UT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ut_graph {
  uint32_t vertices;
  int64_t *arc;       /* pairs of vertices */
  size_t arcs, room;  /* numbers, two for an arc */
  int64_t *component; /* [vertices]: strongly connected component of each, after ut_graph_cyclic */
  bool own_arc;       /* some arc leads from a vertex to itself */
  bool bad_memory;    /* out of memory: results are void */
};

/* false: out of memory; nothing is left then. */
bool ut_graph_init(struct ut_graph *graph, uint32_t vertices);
void ut_graph_free(struct ut_graph *graph);
/* No arcs. */
void ut_graph_clear(struct ut_graph *graph);
void ut_graph_add(struct ut_graph *graph, uint32_t from, uint32_t to);
/* Finds the components; returns whether there is a cycle. */
bool ut_graph_cyclic(struct ut_graph *graph);
/* Finds the shortest cycle (with `among`: between the vertices marked there); returns its length, 0: none.  The caller
 * frees *cycle. */
size_t ut_graph_shortest_cycle(struct ut_graph *graph, const bool *among, uint32_t **cycle);

#endif
