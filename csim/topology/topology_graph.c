/* SPDX-License-Identifier: Apache-2.0 */
/* topology_graph.c - a graph (graph.h) of a network of any family, for those who write it to a file. */
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"
#include "graph_topology.h"
#include "scenario.h"

/* ---- of families that are graphs: a copy */

static int copy_nodes(struct ut_graph *copy, const struct ut_graph *graph, struct ut_error *e) {
  for (uint32_t i = 0; i < graph->nodes; i++)
    if (ut_graph_add(copy, &graph->node[i], e) == UT_NO_NODE)
      return -1;
  for (uint32_t i = 0; i < graph->channels; i++)
    if (ut_graph_lay(copy, &graph->channel[i], e))
      return -1;
  copy->first_port = graph->first_port;
  return 0;
}

/* ---- of the others */

static int add_nodes(struct ut_graph *graph, const struct ut_topology *topo, struct ut_error *e) {
  char name[UT_SWITCH_NAME_SIZE];
  struct ut_graph_node node = {.name = name};
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    const struct ut_elaboration *kind = &topo->elaboration[ut_topology_elaboration(topo, sw)];
    ut_topology_switch_name(topo, sw, name);
    node.ports = kind->pi > kind->po ? kind->pi : kind->po;
    if (ut_graph_add(graph, &node, e) == UT_NO_NODE)
      return -1;
  }
  node = (struct ut_graph_node){.name = name, .terminal = true};
  for (uint32_t i = 0; i < topo->terminals; i++) {
    snprintf(name, sizeof name, "t%u", (unsigned)i);
    if (ut_graph_add(graph, &node, e) == UT_NO_NODE)
      return -1;
  }
  return 0;
}

/* The node of one end of a channel. */
static uint32_t node_of(const struct ut_topology *topo, const struct ut_peer *end) {
  return end->kind == UT_PEER_TERMINAL ? topo->switches + end->index : end->index;
}

static int lay_channels(struct ut_graph *graph, const struct ut_topology *topo, struct ut_error *e) {
  for (uint32_t i = 0; i < topo->channels; i++) {
    const struct ut_peer from = ut_topology_sender(topo, i), *to = &topo->peer[i];
    if (to->kind == UT_PEER_NONE)
      continue;
    const struct ut_graph_channel channel = {
        .from = node_of(topo, &from), .to = node_of(topo, to), .from_port = from.port, .to_port = to->port};
    if (ut_graph_lay(graph, &channel, e))
      return -1;
  }
  return 0;
}

static int make(struct ut_graph *graph, const struct ut_topology *topo, struct ut_error *e) {
  if (topo->injections > 1 || topo->ejections > 1)
    return ut_fail(e, UT_BAD_INPUT,
                   "terminals with %u links in and %u out: in files of networks a terminal has one, so this network "
                   "cannot be written",
                   topo->injections, topo->ejections);
  return add_nodes(graph, topo, e) || lay_channels(graph, topo, e) ? -1 : 0;
}

/* Those of channels that do not say theirs. */
static void set_cycles(struct ut_graph *graph, const struct ut_scenario *scenario) {
  for (uint32_t i = 0; i < graph->channels; i++) {
    struct ut_graph_channel *channel = &graph->channel[i];
    if (channel->cycles)
      continue;
    channel->cycles = (uint8_t)(graph->node[channel->from].terminal ? scenario->topology.injection_cycles
                                : graph->node[channel->to].terminal ? scenario->topology.ejection_cycles
                                                                    : scenario->topology.link_cycles);
  }
}

struct ut_graph *ut_topology_graph(const struct ut_scenario *scenario, const struct ut_topology *topo,
                                   struct ut_error *e) {
  const struct ut_graph *own = scenario->topology.graph;
  struct ut_graph *graph = ut_graph_new(scenario->path ? scenario->path : "scenario");
  if (!graph) {
    ut_fail_memory(e);
    return NULL;
  }
  if (own ? copy_nodes(graph, own, e) : make(graph, topo, e)) {
    ut_graph_free(graph);
    return NULL;
  }
  set_cycles(graph, scenario);
  return graph;
}
