/* SPDX-License-Identifier: Apache-2.0 */
/* graph_family.c - a network of any form, from a file (csim/graph). */
#include <stdio.h>
#include <string.h>

#include "family.h"
#include "graph.h"
#include "graph_topology.h"
#include "scenario.h"
#include "scenario_refusal.h"

/* Numbers of switches and terminals, and the most ports of a switch in one direction. */
static void count(const struct ut_graph *graph, struct ut_sizes *given) {
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    given->terminals += node->terminal;
    given->switches += !node->terminal;
    if (!node->terminal && node->ports > given->ports)
      given->ports = node->ports;
  }
}

static void sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  *given = (struct ut_sizes){.levels = 1, .terminal_links = 1};
  if (scenario->topology.graph)
    count(scenario->topology.graph, given);
}

static int check(const struct ut_check *check) {
  if (!check->s->topology.graph)
    return ut_impossible(check, "topology", "as in file: fabric.net", "missing key 'file' in 'topology'");
  const struct ut_planning *planning = &check->s->routing.planning;
  for (uint32_t i = 0; i < planning->roots; i++) {
    const uint32_t node = ut_graph_find(check->s->topology.graph, planning->root[i]);
    if (node == UT_NO_NODE || check->s->topology.graph->node[node].terminal)
      return ut_impossible(check, "routing.roots", "the names are those of the network's file",
                           "there is no switch '%s' in %s", planning->root[i], check->s->topology.file);
  }
  return 0;
}

static int build(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  return ut_graph_topology(scenario->topology.graph, scenario->topology.family, topo, e);
}

static void elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                      struct ut_shape *shape) {
  (void)scenario, (void)elaboration, (void)shape; /* ports say all */
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  const char *slash = strrchr(scenario->topology.file, '/');
  snprintf(text, UT_NETWORK_NAME_SIZE, "graph %.40s", slash ? slash + 1 : scenario->topology.file);
}

static void switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  snprintf(text, UT_SWITCH_TUPLE_SIZE, "%s", topo->switch_label[sw]);
}

static void port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  snprintf(text, UT_DIRECTION_SIZE, "port %u", (port + topo->first_port) % 1000);
}

const struct ut_family ut_family_graph = {
    .kind = "graph",
    .routing = {"graph"},
    .tables = true,
    .any_form = true,
    .keys = UT_KEY_FILE | UT_KEY_LOCAL_PORTS,
    .check = check,
    .sizes = sizes,
    .build = build,
    .elaborate = elaborate,
    .network_name = network_name,
    .switch_tuple = switch_tuple,
    .port_name = port_name,
};
