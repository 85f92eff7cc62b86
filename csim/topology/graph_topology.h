/* SPDX-License-Identifier: Apache-2.0 */
/* graph_topology.h - makes switches, terminals and links of a graph (graph.h), and a graph of a network. */
#ifndef UT_GRAPH_TOPOLOGY_H
#define UT_GRAPH_TOPOLOGY_H

#include "error.h"
#include "topology.h"

struct ut_graph;
struct ut_scenario;

/* Makes the topology of the scenario's graph, which has been checked.  Switches with as many ports, in and out, are an
 * elaboration and are numbered together, the smallest first, in the order of the graph; terminals in the order of the
 * graph.  Returns -1 and fills *e when out of memory, when there are too many kinds of switches, ports or terminals, or
 * a channel takes other cycles than the scenario's links. */
int ut_graph_topology(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e);

/* Makes a graph of a scenario's network, with the latencies of its links: that which it was made from, or, of other
 * families, switches in their order and terminals "t0", "t1", ...  Terminals must have one link each.  NULL and *e. */
struct ut_graph *ut_topology_graph(const struct ut_scenario *scenario, const struct ut_topology *topo,
                                   struct ut_error *e);

#endif
