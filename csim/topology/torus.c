/* SPDX-License-Identifier: Apache-2.0 */
/* torus.c - tori and meshes of 1 to 4 dimensions: k-ary n-cubes, and those whose dimensions differ in size.
 *
 * A node is a switch with local ports, one for each of its terminals.  Node number = x + size0 * (y + size1 * (z +
 * ...)). Port 2d leads on in dimension d, port 2d + 1 back; flits from there arrive at port 2d + 1 and 2d.  A mesh has
 * no links beyond its borders.  The local ports follow; terminal t is the one number t % L of node t / L, and has as
 * many adjacent ones as it has links.  All nodes are at level 0.  In a torus two neighbours in a dimension of size 2
 * are joined by two links.
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
  uint64_t terminals = scenario->topology.local_ports;
  if (scenario->topology.sizes == 0 || scenario->topology.n > UT_MAX_DIMENSIONS)
    return ut_impossible(checker, "topology.n", NULL, "'topology.n' is %u, must be 1..%d for torus and mesh",
                         scenario->topology.n, UT_MAX_DIMENSIONS);
  if (checker->d && !ut_check_given(checker, "topology.sizes") &&
      (scenario->topology.k < 2 || scenario->topology.k > UT_MAX_RADIX))
    return ut_impossible(checker, "topology.k", NULL, "'topology.k' is %u, must be 2..%d for torus and mesh",
                         scenario->topology.k, UT_MAX_RADIX);
  for (unsigned i = 0; i < scenario->topology.sizes; i++) {
    if (scenario->topology.size[i] < 2 || scenario->topology.size[i] > UT_MAX_RADIX)
      return ut_impossible(checker, "topology.sizes", NULL, "size %u, must be 2..%d", scenario->topology.size[i],
                           UT_MAX_RADIX);
    terminals *= scenario->topology.size[i];
  }
  if (terminals < 1 || terminals > UT_MAX_TERMINALS)
    return ut_impossible(checker, ut_check_blamed(checker, "topology.sizes", "topology.n"), "make it smaller",
                         "%llu terminals are more than %d", (unsigned long long)terminals, UT_MAX_TERMINALS);
  return ut_check_local_ports(checker, 2 * scenario->topology.sizes);
}

static void derive(struct ut_scenario *scenario) {
  while (scenario->topology.sizes < scenario->topology.n && scenario->topology.sizes < UT_MAX_DIMENSIONS)
    scenario->topology.size[scenario->topology.sizes++] = scenario->topology.k;
}

/* Makes all dimensions as long as the first one. */
static void resize(struct ut_scenario *scenario, unsigned k, unsigned n) {
  for (unsigned i = 0; k && i < scenario->topology.sizes; i++)
    scenario->topology.size[i] = k;
  if (n < 1 || n > UT_MAX_DIMENSIONS)
    return;
  for (unsigned i = 1; i < UT_MAX_DIMENSIONS; i++)
    scenario->topology.size[i] = i < n ? scenario->topology.size[0] : 0;
  scenario->topology.sizes = n;
}

static void sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  uint64_t nodes = 1;
  for (unsigned i = 0; i < scenario->topology.sizes; i++)
    nodes *= scenario->topology.size[i];
  *given = (struct ut_sizes){.switches = nodes,
                             .terminals = nodes * scenario->topology.local_ports,
                             .levels = 1,
                             .ports = 2 * scenario->topology.sizes +
                                      scenario->topology.local_ports * scenario->topology.terminal_links,
                             .terminal_links = scenario->topology.terminal_links};
}

/* Lays the links of a node towards higher numbers, in the order of its ports; returns the end of the list. */
static struct ut_link *connect_node(struct ut_topology *topo, struct ut_link *link, uint32_t node) {
  uint32_t step = 1;
  for (unsigned d = 0; d < topo->dimensions; step *= topo->size[d++])
    for (unsigned back = 0; back < 2; back++) {
      const unsigned size = topo->size[d];
      uint32_t here = node / step % size, there = back ? (here + size - 1) % size : (here + 1) % size;
      if (!topo->wrap && (back ? here == 0 : here + 1 == size))
        continue;
      uint32_t peer = node - here * step + there * step;
      uint8_t port = (uint8_t)(2 * d + back), peer_port = port ^ 1;
      ut_topology_connect(topo, node, port, peer, peer_port);
      if (node < peer)
        *link++ = (struct ut_link){.lower = node, .upper = peer, .lower_port = port, .upper_port = peer_port};
    }
  return link;
}

static int build_grid(struct ut_topology *topo, const struct ut_scenario *scenario, bool wrap, struct ut_error *e) {
  struct ut_sizes given;
  sizes(scenario, &given);
  const unsigned local = scenario->topology.local_ports, dimensions = scenario->topology.sizes;
  *topo = (struct ut_topology){.family = scenario->topology.family,
                               .dimensions = dimensions,
                               .wrap = wrap,
                               .bidirectional = true,
                               .switches = (uint32_t)given.switches,
                               .terminals = (uint32_t)given.terminals,
                               .pi = given.ports,
                               .po = given.ports,
                               .injections = given.terminal_links,
                               .ejections = given.terminal_links,
                               .levels = 1};
  for (unsigned d = 0; d < dimensions; d++) {
    topo->size[d] = scenario->topology.size[d];
    topo->links += wrap ? topo->switches : topo->switches / topo->size[d] * (topo->size[d] - 1);
  }
  if (ut_topology_allocate(topo, e))
    return -1;
  struct ut_link *link = topo->link;
  for (uint32_t node = 0; node < topo->switches; node++) {
    uint8_t place[UT_MAX_DIMENSIONS] = {0};
    for (unsigned d = 0; d < dimensions; d++)
      place[d] = (uint8_t)ut_topology_coordinate(topo, node, d);
    topo->position[node] = node;
    topo->straps[node] = ut_grid_strap_make(place[0], place[1], place[2], place[3]);
    link = connect_node(topo, link, node);
    ut_topology_attach(topo, node, local, 2 * dimensions);
  }
  return 0;
}

static int build_torus(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  return build_grid(topo, scenario, true, e);
}

static int build_mesh(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  return build_grid(topo, scenario, false, e);
}

static void elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                      struct ut_shape *shape) {
  (void)elaboration;
  shape->links = scenario->topology.terminal_links;
  for (unsigned i = 0; i < scenario->topology.sizes; i++)
    shape->size[i] = scenario->topology.size[i];
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  size_t used = 0;
  for (unsigned i = 0; i < scenario->topology.sizes; i++)
    used +=
        (size_t)snprintf(text + used, UT_NETWORK_NAME_SIZE - used, "%s%u", i ? "x" : "", scenario->topology.size[i]);
  snprintf(text + used, UT_NETWORK_NAME_SIZE - used, "%s %s", scenario->topology.sizes == 1 ? "-node" : "",
           scenario->topology.family->kind);
}

/* "(x,y,z)" */
static void switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  int end = 0;
  for (unsigned d = 0; d < topo->dimensions; d++)
    end += snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), "%c%u", d ? ',' : '(',
                    ut_topology_coordinate(topo, sw, d));
  snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), ")");
}

static void port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (port < 2 * topo->dimensions)
    snprintf(text, UT_DIRECTION_SIZE, "%c%c", port % 2 ? '-' : '+', "xyzt"[port / 2 % UT_MAX_DIMENSIONS]);
  else
    ut_topology_local_name(topo, port - 2 * topo->dimensions, text);
}

static unsigned coordinates(const struct ut_scenario *scenario, unsigned size[UT_MAX_COORDINATES]) {
  for (unsigned d = 0; d < scenario->topology.sizes; d++)
    size[d] = scenario->topology.size[d];
  return scenario->topology.sizes;
}

static unsigned apart(const struct ut_topology *topo, uint32_t a, uint32_t b) {
  unsigned most = 0;
  for (unsigned d = 0; d < topo->dimensions; a /= topo->size[d], b /= topo->size[d], d++) {
    const unsigned x = a % topo->size[d], y = b % topo->size[d];
    unsigned hops = x < y ? y - x : x - y;
    if (topo->wrap && topo->size[d] - hops < hops)
      hops = topo->size[d] - hops;
    most = hops > most ? hops : most;
  }
  return most;
}

static unsigned distance(const struct ut_topology *topo, uint32_t from, uint32_t to) {
  unsigned sum = 0;
  for (unsigned d = 0; d < topo->dimensions; d++) {
    const unsigned size = topo->size[d], a = from % size, b = to % size, straight = a < b ? b - a : a - b;
    sum += topo->wrap && straight > size / 2 ? size - straight : straight;
    from /= size;
    to /= size;
  }
  return sum;
}

/* Of DETOUR, sign, dimension and VIN: "+0.1"; in tori the class, too: "+0.1.0". */
static bool channel_name(const struct ut_topology *topo, const struct ut_shape *shape, unsigned port, unsigned vc,
                         char text[UT_CHANNEL_NAME_SIZE]) {
  const char sign = port & 1 ? '-' : '+';
  if (port >= 2 * topo->dimensions || (shape->route != UT_ROUTE_DETOUR_MESH && shape->route != UT_ROUTE_DETOUR_TORUS))
    return false;
  if (topo->wrap)
    snprintf(text, UT_CHANNEL_NAME_SIZE, "%c%u.%d.%u", sign, port / 2, vc < 2 * shape->vin1_vcs ? 1 : 2, vc & 1);
  else
    snprintf(text, UT_CHANNEL_NAME_SIZE, "%c%u.%d", sign, port / 2, vc < shape->vin1_vcs ? 1 : 2);
  return true;
}

#define GRID(name, builder, bypassed)                                                                                  \
  {                                                                                                                    \
    .kind = name, .routing = {name, "detour_" name}, .bypass = bypassed,                                               \
    .keys = UT_KEY_K | UT_KEY_N | UT_KEY_SIZES | UT_KEY_LOCAL_PORTS | UT_KEY_TERMINAL_LINKS, .check = check,           \
    .derive = derive, .resize = resize, .sizes = sizes, .build = builder, .elaborate = elaborate,                      \
    .network_name = network_name, .switch_tuple = switch_tuple, .port_name = port_name, .distance = distance,          \
    .node_rules = &ut_node_rules_grid, .channel_name = channel_name, .coordinates = coordinates, .apart = apart,       \
  }
const struct ut_family ut_family_torus = GRID("torus", build_torus, true);
const struct ut_family ut_family_mesh = GRID("mesh", build_mesh, false);
