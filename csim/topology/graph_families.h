/* SPDX-License-Identifier: Apache-2.0 */
/* graph_families.h - what families of networks that are graphs share (graph.h). */
#ifndef UT_GRAPH_FAMILIES_H
#define UT_GRAPH_FAMILIES_H

#include "family.h"
#include "graph_topology.h"

/* Members of struct ut_family. */
void ut_graph_sizes(const struct ut_scenario *scenario, struct ut_sizes *given);
void ut_graph_elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                        struct ut_shape *shape);
void ut_graph_switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]);
void ut_graph_port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]);

unsigned ut_graph_link_class(const struct ut_topology *topo, const struct ut_link *link, char text[UT_LINK_CLASS_SIZE]);
/* Returns the terminals of each switch, where all have as many. */
uint32_t ut_graph_terminals_each(const struct ut_scenario *scenario);

/* Refuses a switch of that many ports; path: the key to blame. */
int ut_graph_check_ports(const struct ut_check *check, const char *path, uint64_t ports);
/* Refuses that many terminals. */
int ut_graph_check_terminals(const struct ut_check *check, const char *path, uint64_t terminals);

/* Without the classes of links, which some families have of their own. */
#define UT_GRAPH_FAMILY UT_GRAPH_FAMILY_BUILT_BY(ut_graph_topology)
#define UT_GRAPH_FAMILY_BUILT_BY(function)                                                                             \
  .tables = true, .any_form = true, .sizes = ut_graph_sizes, .build = (function), .elaborate = ut_graph_elaborate,     \
  .switch_tuple = ut_graph_switch_tuple, .port_name = ut_graph_port_name, .routing = {"graph"}

#endif
