/* SPDX-License-Identifier: Apache-2.0 */
/* digraph.h - a directed graph of waiting channels: strongly connected components and shortest cycles, by igraph.  Used
 * for channels (dependency.h) and for rings (rings.h). */
#ifndef UT_DIGRAPH_H
#define UT_DIGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ut_digraph {
  uint32_t vertices;
  int64_t *arc;       /* pairs of vertices */
  size_t arcs, room;  /* numbers, two for an arc */
  int64_t *component; /* [vertices]: strongly connected component of each, after ut_digraph_cyclic */
  bool own_arc;       /* some arc leads from a vertex to itself */
  bool bad_memory;    /* out of memory: results are void */
};

/* false: out of memory; nothing is left then. */
bool ut_digraph_init(struct ut_digraph *graph, uint32_t vertices);
void ut_digraph_free(struct ut_digraph *graph);
/* No arcs. */
void ut_digraph_clear(struct ut_digraph *graph);
void ut_digraph_add(struct ut_digraph *graph, uint32_t from, uint32_t to);
/* Finds the components; returns whether there is a cycle. */
bool ut_digraph_cyclic(struct ut_digraph *graph);
/* Finds the shortest cycle (with `among`: between the vertices marked there); returns its length, 0: none.  The caller
 * frees *cycle. */
size_t ut_digraph_shortest_cycle(struct ut_digraph *graph, const bool *among, uint32_t **cycle);

#endif
