/* SPDX-License-Identifier: Apache-2.0 */
/* graph_family.c - a network of any form, from a file (csim/graph), and what all families of graphs share. */
#include <stdio.h>
#include <string.h>

#include "graph.h"
#include "graph_families.h"
#include "graph_read.h"
#include "graph_topology.h"
#include "scenario.h"
#include "scenario_refusal.h"

/* ---- of all families */

/* Numbers of switches and terminals, and the most ports of a switch in one direction. */
void ut_graph_sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  const struct ut_graph *graph = scenario->topology.graph;
  *given = (struct ut_sizes){.levels = 1, .terminal_links = 1};
  for (uint32_t i = 0; graph && i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    given->terminals += node->terminal;
    given->switches += !node->terminal;
    if (!node->terminal && node->ports > given->ports)
      given->ports = node->ports;
  }
}

void ut_graph_elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                        struct ut_shape *shape) {
  (void)scenario, (void)elaboration, (void)shape; /* ports say all */
}

void ut_graph_switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  (void)topo, (void)sw;
  *text = '\0'; /* the name says all */
}

void ut_graph_port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  snprintf(text, UT_DIRECTION_SIZE, "port %u", (port + topo->first_port) % 1000);
}

uint32_t ut_graph_terminals_each(const struct ut_scenario *scenario) {
  return scenario->topology.local_ports;
}

unsigned ut_graph_link_class(const struct ut_topology *topo, const struct ut_link *link,
                             char text[UT_LINK_CLASS_SIZE]) {
  (void)topo, (void)link;
  snprintf(text, UT_LINK_CLASS_SIZE, "between switches");
  return 0;
}

int ut_graph_check_ports(const struct ut_check *check, const char *path, uint64_t ports) {
  return ports <= UT_MAX_PORTS ? 0
                               : ut_impossible(check, path, "make it smaller", "%llu ports, a switch has at most %d",
                                               (unsigned long long)ports, UT_MAX_PORTS);
}

int ut_graph_check_terminals(const struct ut_check *check, const char *path, uint64_t terminals) {
  return terminals <= UT_MAX_TERMINALS
             ? 0
             : ut_impossible(check, path, "make it smaller", "%llu terminals are more than %d",
                             (unsigned long long)terminals, UT_MAX_TERMINALS);
}

/* ---- from a file */

static int check(const struct ut_check *checker) {
  return checker->s->topology.file
             ? 0
             : ut_impossible(checker, "topology", "as in file: fabric.net", "missing key 'file' in 'topology'");
}

static struct ut_graph *read_file(const struct ut_scenario *scenario, struct ut_error *e) {
  return ut_graph_read(scenario->topology.file, scenario->topology.local_ports, e);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  const char *slash = strrchr(scenario->topology.file, '/');
  snprintf(text, UT_NETWORK_NAME_SIZE, "graph %.40s", slash ? slash + 1 : scenario->topology.file);
}

const struct ut_family ut_family_graph = {UT_GRAPH_FAMILY,
                                          .kind = "graph",
                                          .keys = UT_KEY_FILE | UT_KEY_TERMINALS | UT_KEY_PLANNER,
                                          .check = check,
                                          .graph = read_file,
                                          .network_name = network_name,
                                          .link_class = ut_graph_link_class};
