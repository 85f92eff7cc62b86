/* SPDX-License-Identifier: Apache-2.0 */
/* graph_topology.h - makes switches, terminals and links of a graph (graph.h), and a graph of a network. */
#ifndef UT_GRAPH_TOPOLOGY_H
#define UT_GRAPH_TOPOLOGY_H

#include "error.h"
#include "graph.h"
#include "topology.h"

/* Makes the topology of a graph that has been checked.  Switches with as many ports, in and out, are an elaboration and
 * are numbered together, in the order of the graph within it, the smallest first; terminals in the order of the graph.
 * family, and level, if the caller has levels: of the graph's nodes, rising in the order of switches.  Returns -1 and
 * fills *e when out of memory, or when there are too many kinds of switches, switches, ports or terminals. */
int ut_graph_topology(const struct ut_graph *graph, const struct ut_family *family, struct ut_topology *topo,
                      struct ut_error *e);

#endif
