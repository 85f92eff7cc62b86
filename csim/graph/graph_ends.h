/* SPDX-License-Identifier: Apache-2.0 */
/* graph_ends.h - the channels at each port of a graph: the one that leaves, and the one that arrives. */
#ifndef UT_GRAPH_ENDS_H
#define UT_GRAPH_ENDS_H

#include <stddef.h>

#include "graph.h"

struct ut_graph_ends {
  const struct ut_graph *graph;
  size_t *first;      /* [nodes]: of its ports */
  uint32_t *out, *in; /* channels; UT_NO_NODE: none.  Of several at one port the first one */
};

/* 0, or -1 when out of memory; nothing is kept then. */
int ut_graph_ends_find(struct ut_graph_ends *ends, const struct ut_graph *graph);
void ut_graph_ends_free(struct ut_graph_ends *ends);

static inline uint32_t ut_graph_out_of(const struct ut_graph_ends *ends, uint32_t node, unsigned port) {
  return ends->out[ends->first[node] + port];
}

static inline uint32_t ut_graph_into(const struct ut_graph_ends *ends, uint32_t node, unsigned port) {
  return ends->in[ends->first[node] + port];
}

/* The channel back between the same two ports; UT_NO_NODE: there is none. */
uint32_t ut_graph_twin(const struct ut_graph_ends *ends, uint32_t channel);

#endif
