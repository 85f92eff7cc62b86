/* SPDX-License-Identifier: Apache-2.0 */
/* layered.h - shortest paths, one for each pair of a switch and a terminal, in virtual layers without cyclic
 * dependencies.
 *
 * Next hops towards a terminal are a tree, one port for each switch.  Each path is in the first layer in which its
 * dependencies close no cycle (LASH: Skeie, Lysne and Theiss, 2002).  How many layers that takes depends on the trees,
 * so they are made in several ways; of the plans that the switches have enough VCs for that one is taken whose busiest
 * channel is the least busy.  Then paths are spread over the layers where that closes no cycle.
 */
#ifndef UT_LAYERED_H
#define UT_LAYERED_H

#include "hop_search.h"
#include "layer_graph.h"

/* UT_NO_LAYER: there is no path, or no layer has room for it. */
enum { UT_MOST_LAYERS = 15, UT_NO_LAYER = 15 };

struct ut_layer_plan {
  uint8_t *port;  /* [terminals * switches]: next hop; UT_NO_PORT: none */
  uint8_t *layer; /* [switches * terminals]: of packets that begin at the switch */
  unsigned layers;
  uint32_t busiest; /* pairs of terminals over the busiest channel */
};

struct ut_layered {
  const struct ut_topology *topology;
  struct ut_hop_search hops;
  unsigned vcs; /* layers that the switches have */
  bool share;   /* paths that no layer has room for are in the last one */
  ut_mask *up;  /* [switches]: output links of the last survey */
  uint32_t *local, *load, *flow;
  struct ut_layer_graph graph[UT_MOST_LAYERS];
  unsigned needed;                 /* layers, of the plan with fewest */
  struct ut_layer_plan plan, next; /* in force, and under construction */
};

/* false: out of memory. */
bool ut_layered_init(struct ut_layered *layers, const struct ut_topology *topo, const struct ut_planning *planning,
                     unsigned vcs);
void ut_layered_fini(struct ut_layered *layers);
/* Plans all paths for the output links that are up, by switch. */
void ut_layered_survey(struct ut_layered *layers, const ut_mask *link_up);

/* Puts the shortest paths of somebody else, over the links of the last survey, into layers in place of its own if the
 * plan is better by that.  port: [terminals * switches], as in struct ut_layer_plan. */
void ut_layered_offer(struct ut_layered *layers, const uint8_t *port);

static inline unsigned ut_layered_port(const struct ut_layered *layers, uint32_t sw, uint32_t terminal) {
  return layers->plan.port[(size_t)terminal * layers->topology->switches + sw];
}
static inline unsigned ut_layered_of(const struct ut_layered *layers, uint32_t sw, uint32_t terminal) {
  return layers->plan.layer[(size_t)sw * layers->topology->terminals + terminal];
}

#endif
