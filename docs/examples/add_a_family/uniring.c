/* uniring.c - the unidirectional ring: N nodes, each a switch with one terminal, each with one link to the next.
 *
 * Port 0 is the terminal's; output port 1 of node i leads to input port 1 of node (i + 1) mod N.  Terminal t is at node
 * t.  The link from node N-1 back to node 0 is the dateline: route_uniring.c.
 */
#include <stdio.h>

#include "family.h"
#include "layout.h"
#include "scenario.h"
#include "scenario_refusal.h"

enum { LOCAL = 0, NEXT = 1, PORTS = 2 };

static int check(const struct ut_check *checker) {
  const unsigned *size = checker->s->topology.size;
  if (size[0] < 2 || size[0] > UT_MAX_RADIX || checker->s->topology.sizes != 1)
    return ut_impossible(checker, "topology.sizes", "as in sizes: [8]", "a uniring has one size, 2..%d", UT_MAX_RADIX);
  return 0;
}

static void sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  const unsigned nodes = scenario->topology.size[0];
  *given = (struct ut_sizes){.switches = nodes, .terminals = nodes, .levels = 1, .ports = PORTS, .terminal_links = 1};
}

static int build(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  const unsigned nodes = scenario->topology.size[0];
  *topo = (struct ut_topology){.family = scenario->topology.family,
                               .switches = nodes,
                               .terminals = nodes,
                               .pi = PORTS,
                               .po = PORTS,
                               .injections = 1,
                               .ejections = 1,
                               .levels = 1,
                               .links = nodes};
  if (ut_topology_allocate(topo, e))
    return -1;
  for (uint32_t node = 0; node < nodes; node++) {
    const uint32_t next = (node + 1) % nodes;
    topo->position[node] = node;
    topo->straps[node] = ut_uniring_strap_make((uint16_t)node);
    ut_topology_inject(topo, node, 0, node, LOCAL);
    ut_topology_eject(topo, node, LOCAL, node, 0);
    ut_topology_connect(topo, node, NEXT, next, NEXT);
    topo->link[node] = (struct ut_link){.lower = node, .lower_port = NEXT, .upper = next, .upper_port = NEXT};
  }
  return 0;
}

static void elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                      struct ut_shape *shape) {
  (void)scenario, (void)elaboration, (void)shape; /* ports say all */
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "%u-node uniring", scenario->topology.size[0]);
}

static void switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  snprintf(text, UT_SWITCH_TUPLE_SIZE, "(%u)", (unsigned)topo->position[sw]);
}

static void port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  (void)topo;
  snprintf(text, UT_DIRECTION_SIZE, "%s", port == NEXT ? "next" : "local");
}

const struct ut_family ut_family_uniring = {
    .kind = "uniring",
    .routing = {"uniring"},
    .keys = UT_KEY_SIZES,
    .check = check,
    .sizes = sizes,
    .build = build,
    .elaborate = elaborate,
    .network_name = network_name,
    .switch_tuple = switch_tuple,
    .port_name = port_name,
};
