/* SPDX-License-Identifier: Apache-2.0 */
/* layer_graph.h - the channel dependency graph of a virtual layer, which is kept free of cycles.
 *
 * A dependency is a channel and the port by which packets go on at its end.  The channels stand in an order in which
 * every dependency leads forwards; a dependency that leads backwards reorders those between (Pearce and Kelly, 2006),
 * or closes a cycle and is refused.
 */
#ifndef UT_LAYER_GRAPH_H
#define UT_LAYER_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "mask.h"
#include "topology.h"

struct ut_layer_graph {
  const struct ut_topology *topology;
  ut_mask *next;                    /* [switches * po]: ports by which packets of a channel go on at its end */
  uint32_t *rank;                   /* [switches * po]: place in the order */
  uint32_t *found, *stack, *places; /* [switches * po]: channels of a search, and their ranks */
  uint8_t *seen;                    /* [switches * po] */
};

/* false: out of memory. */
bool ut_layer_graph_init(struct ut_layer_graph *graph, const struct ut_topology *topo);
void ut_layer_graph_fini(struct ut_layer_graph *graph);
/* Forgets all dependencies. */
void ut_layer_graph_clear(struct ut_layer_graph *graph);

/* Whether a dependency of a channel (switch * po + port) on that output port of the switch behind it is there. */
static inline bool ut_layer_graph_has(const struct ut_layer_graph *graph, uint32_t channel, unsigned port) {
  return graph->next[channel] >> port & 1;
}
/* Adds it; false: it would close a cycle, and is not added. */
bool ut_layer_graph_add(struct ut_layer_graph *graph, uint32_t channel, unsigned port);
/* Takes one away. */
void ut_layer_graph_remove(struct ut_layer_graph *graph, uint32_t channel, unsigned port);

#endif
