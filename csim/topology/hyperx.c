/* SPDX-License-Identifier: Apache-2.0 */
/* hyperx.c - the HyperX (Ahn and others, 2009): a node for each point of a grid, joined to all others of its row in
 * each dimension.  In one dimension it is a full mesh; the flattened butterfly and the hypercube are HyperX networks,
 * too.
 *
 * The node at (x, y, ...) is "x.y...".  Its ports: terminals, then for each dimension the others of the row in their
 * order, `cables` of that dimension for each.
 */
#include <stdio.h>

#include "generated_graph.h"
#include "graph_families.h"
#include "scenario.h"
#include "scenario_refusal.h"

static unsigned cables_of(const struct ut_scenario *scenario, unsigned d) {
  return scenario->topology.cables.count ? scenario->topology.cables.value[d] : 1;
}

static unsigned ports_of(const struct ut_scenario *scenario) {
  unsigned ports = scenario->topology.local_ports;
  for (unsigned d = 0; d < scenario->topology.sizes; d++)
    ports += (scenario->topology.size[d] - 1) * cables_of(scenario, d);
  return ports;
}

static uint32_t nodes_of(const struct ut_scenario *scenario) {
  uint32_t nodes = 1;
  for (unsigned d = 0; d < scenario->topology.sizes; d++)
    nodes *= scenario->topology.size[d];
  return nodes;
}

static int check(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  if (!scenario->topology.sizes)
    return ut_impossible(check, "topology", "as in sizes: [4, 4]", "missing key 'sizes' in 'topology'");
  if (scenario->topology.cables.count && scenario->topology.cables.count != scenario->topology.sizes)
    return ut_impossible(check, "topology.cables", "give one number for each dimension",
                         "'topology.cables' has %u numbers, 'topology.sizes' %u", scenario->topology.cables.count,
                         scenario->topology.sizes);
  uint64_t terminals = scenario->topology.local_ports;
  for (unsigned d = 0; d < scenario->topology.sizes; d++)
    terminals *= scenario->topology.size[d];
  return ut_graph_check_ports(check, "topology.sizes", ports_of(scenario)) ||
                 ut_graph_check_terminals(check, "topology.sizes", terminals)
             ? -1
             : 0;
}

static void name_node(const struct ut_scenario *scenario, uint32_t node, char name[UT_GRAPH_NAME_SIZE]) {
  int end = 0;
  for (unsigned d = 0; d < scenario->topology.sizes; node /= scenario->topology.size[d++])
    end += snprintf(name + end, (size_t)(UT_GRAPH_NAME_SIZE - end), "%s%u", d ? "." : "",
                    (unsigned)(node % scenario->topology.size[d]));
}

/* Lays the cables of a node in a dimension to nodes with higher numbers.  first: the first port of that dimension. */
static void lay_row(struct ut_generation *generation, uint32_t node, uint32_t step, unsigned size, unsigned cables,
                    unsigned first) {
  const unsigned here = node / step % size;
  for (unsigned there = here + 1; there < size; there++)
    for (unsigned i = 0; i < cables; i++)
      ut_generation_cable(generation, node, first + (there - 1) * cables + i, node + (there - here) * step,
                          first + here * cables + i);
}

static struct ut_graph *generate(const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_generation generation = ut_generation_begin(scenario, e);
  const uint32_t nodes = nodes_of(scenario);
  for (uint32_t node = 0; node < nodes; node++) {
    char name[UT_GRAPH_NAME_SIZE];
    name_node(scenario, node, name);
    ut_generation_switch(&generation, name, ports_of(scenario));
  }
  for (uint32_t node = 0; node < nodes; node++)
    for (unsigned i = 0; i < scenario->topology.local_ports; i++)
      ut_generation_terminal(&generation, node, i, i);
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t step = 1;
    unsigned first = scenario->topology.local_ports;
    for (unsigned d = 0; d < scenario->topology.sizes; d++) {
      const unsigned size = scenario->topology.size[d], cables = cables_of(scenario, d);
      lay_row(&generation, node, step, size, cables, first);
      first += (size - 1) * cables;
      step *= size;
    }
  }
  return ut_generation_end(&generation);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  char sizes[UT_NETWORK_NAME_SIZE - 8];
  size_t used = 0;
  for (unsigned d = 0; d < scenario->topology.sizes; d++)
    used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%s%u", d ? "x" : "", scenario->topology.size[d]);
  snprintf(text, UT_NETWORK_NAME_SIZE, "%s HyperX", sizes);
}

/* The dimension in which it leads. */
static unsigned link_class(const struct ut_topology *topo, const struct ut_link *link, char text[UT_LINK_CLASS_SIZE]) {
  unsigned lower[UT_MOST_LINK_CLASSES], upper[UT_MOST_LINK_CLASSES], d = 0;
  const unsigned dimensions = ut_topology_name_numbers(topo, link->lower, lower, UT_MOST_LINK_CLASSES);
  ut_topology_name_numbers(topo, link->upper, upper, UT_MOST_LINK_CLASSES);
  while (d + 1 < dimensions && lower[d] == upper[d])
    d++;
  snprintf(text, UT_LINK_CLASS_SIZE, "dimension %u", d);
  return d;
}

const struct ut_family ut_family_hyperx = {UT_GRAPH_FAMILY,
                                           .kind = "hyperx",
                                           .keys = UT_KEY_SIZES | UT_KEY_CABLES | UT_KEY_TERMINALS | UT_KEY_PLANNER,
                                           .check = check,
                                           .graph = generate,
                                           .network_name = network_name,
                                           .link_class = link_class,
                                           .group_terminals = ut_graph_terminals_each};
