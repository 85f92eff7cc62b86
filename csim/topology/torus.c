/* SPDX-License-Identifier: Apache-2.0 */
/* torus.c - tori and meshes of 1 to 4 dimensions: k-ary n-cubes, and those whose dimensions differ in size.
 *
 * A node is a switch with local ports, one for each of its terminals.  Node number = x + size0 * (y + size1 * (z +
 * ...)). Port 2d leads on in dimension d, port 2d + 1 back; flits from there arrive at port 2d + 1 and 2d.  A mesh has
 * no links beyond its borders.  The local ports follow; terminal t is the one number t % L of node t / L, and has so
 * many of them side by side as it has links.  All nodes are at level 0.  In a torus two neighbours in a dimension of
 * size 2 are joined by two links.
 */
#include <stdio.h>

#include "family.h"
#include "family_check.h"
#include "layout.h"
#include "node_model.h"
#include "scenario_refusal.h"

static int check(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  uint64_t terminals = s->topology.local_ports;
  if (s->topology.sizes == 0 || s->topology.n > UT_MAX_DIMENSIONS)
    return ut_impossible(c, "topology.n", NULL, "'topology.n' is %u, must be 1..%d for torus and mesh", s->topology.n,
                         UT_MAX_DIMENSIONS);
  if (c->d && !ut_check_given(c, "topology.sizes") && (s->topology.k < 2 || s->topology.k > UT_MAX_RADIX))
    return ut_impossible(c, "topology.k", NULL, "'topology.k' is %u, must be 2..%d for torus and mesh", s->topology.k,
                         UT_MAX_RADIX);
  for (unsigned i = 0; i < s->topology.sizes; i++) {
    if (s->topology.size[i] < 2 || s->topology.size[i] > UT_MAX_RADIX)
      return ut_impossible(c, "topology.sizes", NULL, "size %u, must be 2..%d", s->topology.size[i], UT_MAX_RADIX);
    terminals *= s->topology.size[i];
  }
  if (terminals < 1 || terminals > UT_MAX_TERMINALS)
    return ut_impossible(c, ut_check_blamed(c, "topology.sizes", "topology.n"), "make it smaller",
                         "%llu terminals are more than %d", (unsigned long long)terminals, UT_MAX_TERMINALS);
  return ut_check_local_ports(c, 2 * s->topology.sizes);
}

static void derive(struct ut_scenario *s) {
  while (s->topology.sizes < s->topology.n && s->topology.sizes < UT_MAX_DIMENSIONS)
    s->topology.size[s->topology.sizes++] = s->topology.k;
}

/* All dimensions are as long as the first one. */
static void resize(struct ut_scenario *s, unsigned k, unsigned n) {
  for (unsigned i = 0; k && i < s->topology.sizes; i++)
    s->topology.size[i] = k;
  if (n < 1 || n > UT_MAX_DIMENSIONS)
    return;
  for (unsigned i = 1; i < UT_MAX_DIMENSIONS; i++)
    s->topology.size[i] = i < n ? s->topology.size[0] : 0;
  s->topology.sizes = n;
}

static void sizes(const struct ut_scenario *s, struct ut_sizes *z) {
  uint64_t nodes = 1;
  for (unsigned i = 0; i < s->topology.sizes; i++)
    nodes *= s->topology.size[i];
  *z = (struct ut_sizes){.switches = nodes,
                         .terminals = nodes * s->topology.local_ports,
                         .levels = 1,
                         .ports = 2 * s->topology.sizes + s->topology.local_ports * s->topology.terminal_links,
                         .terminal_links = s->topology.terminal_links};
}

/* The links of a node towards higher numbers, in the order of its ports; returns behind the last. */
static struct ut_link *connect_node(struct ut_topology *t, struct ut_link *link, uint32_t node) {
  uint32_t step = 1;
  for (unsigned d = 0; d < t->dimensions; step *= t->size[d++])
    for (unsigned back = 0; back < 2; back++) {
      const unsigned size = t->size[d];
      uint32_t here = node / step % size, there = back ? (here + size - 1) % size : (here + 1) % size;
      if (!t->wrap && (back ? here == 0 : here + 1 == size))
        continue;
      uint32_t peer = node - here * step + there * step;
      uint8_t port = (uint8_t)(2 * d + back), peer_port = port ^ 1;
      ut_topology_connect(t, node, port, peer, peer_port);
      if (node < peer)
        *link++ = (struct ut_link){.lower = node, .upper = peer, .lower_port = port, .upper_port = peer_port};
    }
  return link;
}

static int build_grid(struct ut_topology *t, const struct ut_scenario *s, bool wrap, struct ut_error *e) {
  struct ut_sizes z;
  sizes(s, &z);
  const unsigned local = s->topology.local_ports, dimensions = s->topology.sizes;
  *t = (struct ut_topology){.family = s->topology.family,
                            .dimensions = dimensions,
                            .wrap = wrap,
                            .bidirectional = true,
                            .switches = (uint32_t)z.switches,
                            .terminals = (uint32_t)z.terminals,
                            .pi = z.ports,
                            .po = z.ports,
                            .injections = z.terminal_links,
                            .ejections = z.terminal_links,
                            .levels = 1};
  for (unsigned d = 0; d < dimensions; d++) {
    t->size[d] = s->topology.size[d];
    t->links += wrap ? t->switches : t->switches / t->size[d] * (t->size[d] - 1);
  }
  if (ut_topology_allocate(t, e))
    return -1;
  struct ut_link *link = t->link;
  for (uint32_t node = 0; node < t->switches; node++) {
    uint8_t place[UT_MAX_DIMENSIONS] = {0};
    for (unsigned d = 0; d < dimensions; d++)
      place[d] = (uint8_t)ut_topology_coordinate(t, node, d);
    t->position[node] = node;
    t->straps[node] = ut_grid_strap_make(place[0], place[1], place[2], place[3]);
    link = connect_node(t, link, node);
    ut_topology_attach(t, node, local, 2 * dimensions);
  }
  return 0;
}

static int build_torus(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e) {
  return build_grid(t, s, true, e);
}

static int build_mesh(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e) {
  return build_grid(t, s, false, e);
}

static void elaborate(const struct ut_scenario *s, const struct ut_elaboration *e, struct ut_shape *shape) {
  (void)e;
  shape->links = s->topology.terminal_links;
  for (unsigned i = 0; i < s->topology.sizes; i++)
    shape->size[i] = s->topology.size[i];
}

static void network_name(const struct ut_scenario *s, char text[UT_NETWORK_NAME_SIZE]) {
  size_t used = 0;
  for (unsigned i = 0; i < s->topology.sizes; i++)
    used += (size_t)snprintf(text + used, UT_NETWORK_NAME_SIZE - used, "%s%u", i ? "x" : "", s->topology.size[i]);
  snprintf(text + used, UT_NETWORK_NAME_SIZE - used, "%s %s", s->topology.sizes == 1 ? "-node" : "",
           s->topology.family->kind);
}

/* "(x,y,z)" */
static void switch_tuple(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  int end = 0;
  for (unsigned d = 0; d < t->dimensions; d++)
    end += snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), "%c%u", d ? ',' : '(',
                    ut_topology_coordinate(t, sw, d));
  snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), ")");
}

static void port_name(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (port < 2 * t->dimensions)
    snprintf(text, UT_DIRECTION_SIZE, "%c%c", port % 2 ? '-' : '+', "xyzt"[port / 2 % UT_MAX_DIMENSIONS]);
  else
    ut_topology_local_name(t, port - 2 * t->dimensions, text);
}

static unsigned coordinates(const struct ut_scenario *s, unsigned size[UT_MAX_COORDINATES]) {
  for (unsigned d = 0; d < s->topology.sizes; d++)
    size[d] = s->topology.size[d];
  return s->topology.sizes;
}

static unsigned apart(const struct ut_topology *t, uint32_t a, uint32_t b) {
  unsigned most = 0;
  for (unsigned d = 0; d < t->dimensions; a /= t->size[d], b /= t->size[d], d++) {
    const unsigned x = a % t->size[d], y = b % t->size[d];
    unsigned hops = x < y ? y - x : x - y;
    if (t->wrap && t->size[d] - hops < hops)
      hops = t->size[d] - hops;
    most = hops > most ? hops : most;
  }
  return most;
}

static unsigned distance(const struct ut_topology *t, uint32_t from, uint32_t to) {
  unsigned sum = 0;
  for (unsigned d = 0; d < t->dimensions; d++) {
    const unsigned size = t->size[d], a = from % size, b = to % size, straight = a < b ? b - a : a - b;
    sum += t->wrap && straight > size / 2 ? size - straight : straight;
    from /= size;
    to /= size;
  }
  return sum;
}

/* Of DETOUR, sign, dimension and VIN: "+0.1"; in tori the class, too: "+0.1.0". */
static bool channel_name(const struct ut_topology *t, const struct ut_shape *shape, unsigned port, unsigned vc,
                         char text[UT_CHANNEL_NAME_SIZE]) {
  const char sign = port & 1 ? '-' : '+';
  if (port >= 2 * t->dimensions || (shape->route != UT_ROUTE_DETOUR_MESH && shape->route != UT_ROUTE_DETOUR_TORUS))
    return false;
  if (t->wrap)
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
