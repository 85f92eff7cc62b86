/* SPDX-License-Identifier: Apache-2.0 */
/* hypercube.c - the binary n-cube: node i is joined to the node whose number differs in bit d, through port d, for each
 * dimension d.  Local ports follow as in tori (torus.c).
 */
#include <stdio.h>

#include "family.h"
#include "family_check.h"
#include "layout.h"
#include "node_model.h"
#include "scenario.h"
#include "scenario_refusal.h"

static int check(const struct ut_check *checker) {
  const struct ut_scenario *scenario = checker->s;
  const unsigned n = scenario->topology.n;
  if (n < 1 || n > UT_MAX_CUBE)
    return ut_impossible(checker, "topology.n", NULL, "'topology.n' is %u, a hypercube has 1..%d dimensions", n,
                         UT_MAX_CUBE);
  if ((uint64_t)scenario->topology.local_ports << n > UT_MAX_TERMINALS)
    return ut_impossible(checker, "topology.local_ports", "make it smaller", "%u terminals are more than %d",
                         scenario->topology.local_ports << n, UT_MAX_TERMINALS);
  return ut_check_local_ports(checker, n);
}

static void sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  const unsigned n = scenario->topology.n < 32 ? scenario->topology.n : 32;
  *given = (struct ut_sizes){.switches = UINT64_C(1) << n,
                             .terminals = (uint64_t)scenario->topology.local_ports << n,
                             .levels = 1,
                             .ports = scenario->topology.n +
                                      scenario->topology.local_ports * scenario->topology.terminal_links,
                             .terminal_links = scenario->topology.terminal_links};
}

static void resize(struct ut_scenario *scenario, unsigned k, unsigned n) {
  (void)k;
  scenario->topology.n = n ? n : scenario->topology.n;
}

static int build(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_sizes given;
  sizes(scenario, &given);
  const unsigned local = scenario->topology.local_ports, n = scenario->topology.n;
  *topo = (struct ut_topology){.family = scenario->topology.family,
                               .cube = n,
                               .bidirectional = true,
                               .switches = (uint32_t)given.switches,
                               .terminals = (uint32_t)given.terminals,
                               .pi = given.ports,
                               .po = given.ports,
                               .injections = given.terminal_links,
                               .ejections = given.terminal_links,
                               .levels = 1,
                               .links = (size_t)n << n >> 1};
  if (ut_topology_allocate(topo, e))
    return -1;
  struct ut_link *link = topo->link;
  for (uint32_t node = 0; node < topo->switches; node++) {
    topo->position[node] = node;
    topo->straps[node] = ut_cube_strap_make((uint16_t)node);
    for (unsigned d = 0; d < n; d++) {
      const uint32_t peer = node ^ UINT32_C(1) << d;
      ut_topology_connect(topo, node, d, peer, d);
      if (node < peer)
        *link++ = (struct ut_link){.lower = node, .upper = peer, .lower_port = (uint8_t)d, .upper_port = (uint8_t)d};
    }
    ut_topology_attach(topo, node, local, n);
  }
  return 0;
}

static void elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                      struct ut_shape *shape) {
  (void)elaboration;
  shape->cube = scenario->topology.n;
  shape->links = scenario->topology.terminal_links;
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "%u-cube", scenario->topology.n);
}

/* The coordinates, the highest dimension first, as the paper writes them: "0110". */
static void switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  for (unsigned i = 0; i < topo->cube; i++)
    text[i] = (char)('0' + (sw >> (topo->cube - 1 - i) & 1));
  text[topo->cube] = '\0';
}

static void port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (port < topo->cube)
    snprintf(text, UT_DIRECTION_SIZE, "dim %u", port);
  else
    ut_topology_local_name(topo, port - topo->cube, text);
}

static unsigned coordinates(const struct ut_scenario *scenario, unsigned size[UT_MAX_COORDINATES]) {
  for (unsigned d = 0; d < scenario->topology.n; d++)
    size[d] = 2;
  return scenario->topology.n;
}

static unsigned distance(const struct ut_topology *topo, uint32_t from, uint32_t to) {
  (void)topo;
  return (unsigned)__builtin_popcount(from ^ to);
}

/* Dimension and VIN: "3.2". */
static bool channel_name(const struct ut_topology *topo, const struct ut_shape *shape, unsigned port, unsigned vc,
                         char text[UT_CHANNEL_NAME_SIZE]) {
  if (port >= topo->cube)
    return false;
  snprintf(text, UT_CHANNEL_NAME_SIZE, "%u.%d", port, vc < shape->vin1_vcs ? 1 : 2);
  return true;
}

const struct ut_family ut_family_hypercube = {
    .kind = "hypercube",
    .routing = {"detour_cube"},
    .keys = UT_KEY_N | UT_KEY_LOCAL_PORTS | UT_KEY_TERMINAL_LINKS,
    .check = check,
    .sizes = sizes,
    .resize = resize,
    .build = build,
    .elaborate = elaborate,
    .network_name = network_name,
    .switch_tuple = switch_tuple,
    .port_name = port_name,
    .coordinates = coordinates,
    .distance = distance,
    .node_rules = &ut_node_rules_cube,
    .channel_name = channel_name,
};
