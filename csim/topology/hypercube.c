/* SPDX-License-Identifier: Apache-2.0 */
/* hypercube.c - the binary n-cube: node i is joined to the node whose number differs in bit d, through port d, for each
 * dimension d.  Local ports follow as in tori (torus.c).
 */
#include <stdio.h>

#include "family.h"
#include "family_check.h"
#include "layout.h"
#include "node_model.h"
#include "scenario_refusal.h"

static int check(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const unsigned n = s->topology.n;
  if (n < 1 || n > UT_MAX_CUBE)
    return ut_impossible(c, "topology.n", NULL, "'topology.n' is %u, a hypercube has 1..%d dimensions", n, UT_MAX_CUBE);
  if ((uint64_t)s->topology.local_ports << n > UT_MAX_TERMINALS)
    return ut_impossible(c, "topology.local_ports", "make it smaller", "%u terminals are more than %d",
                         s->topology.local_ports << n, UT_MAX_TERMINALS);
  return ut_check_local_ports(c, n);
}

static void sizes(const struct ut_scenario *s, struct ut_sizes *z) {
  const unsigned n = s->topology.n < 32 ? s->topology.n : 32;
  *z = (struct ut_sizes){.switches = UINT64_C(1) << n,
                         .terminals = (uint64_t)s->topology.local_ports << n,
                         .levels = 1,
                         .ports = s->topology.n + s->topology.local_ports * s->topology.terminal_links,
                         .terminal_links = s->topology.terminal_links};
}

static void resize(struct ut_scenario *s, unsigned k, unsigned n) {
  (void)k;
  s->topology.n = n ? n : s->topology.n;
}

static int build(struct ut_topology *t, const struct ut_scenario *s, struct ut_error *e) {
  struct ut_sizes z;
  sizes(s, &z);
  const unsigned local = s->topology.local_ports, n = s->topology.n;
  *t = (struct ut_topology){.family = s->topology.family,
                            .cube = n,
                            .bidirectional = true,
                            .switches = (uint32_t)z.switches,
                            .terminals = (uint32_t)z.terminals,
                            .pi = z.ports,
                            .po = z.ports,
                            .injections = z.terminal_links,
                            .ejections = z.terminal_links,
                            .levels = 1,
                            .links = (size_t)n << n >> 1};
  if (ut_topology_allocate(t, e))
    return -1;
  struct ut_link *link = t->link;
  for (uint32_t node = 0; node < t->switches; node++) {
    t->position[node] = node;
    t->straps[node] = ut_cube_strap_make((uint16_t)node);
    for (unsigned d = 0; d < n; d++) {
      const uint32_t peer = node ^ UINT32_C(1) << d;
      ut_topology_connect(t, node, d, peer, d);
      if (node < peer)
        *link++ = (struct ut_link){.lower = node, .upper = peer, .lower_port = (uint8_t)d, .upper_port = (uint8_t)d};
    }
    ut_topology_attach(t, node, local, n);
  }
  return 0;
}

static void elaborate(const struct ut_scenario *s, const struct ut_elaboration *e, struct ut_shape *shape) {
  (void)e;
  shape->cube = s->topology.n;
  shape->links = s->topology.terminal_links;
}

static void network_name(const struct ut_scenario *s, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "%u-cube", s->topology.n);
}

/* The coordinates, the highest dimension first, as the paper writes them: "0110". */
static void switch_tuple(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  for (unsigned i = 0; i < t->cube; i++)
    text[i] = (char)('0' + (sw >> (t->cube - 1 - i) & 1));
  text[t->cube] = '\0';
}

static void port_name(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (port < t->cube)
    snprintf(text, UT_DIRECTION_SIZE, "dim %u", port);
  else
    ut_topology_local_name(t, port - t->cube, text);
}

static unsigned coordinates(const struct ut_scenario *s, unsigned size[UT_MAX_COORDINATES]) {
  for (unsigned d = 0; d < s->topology.n; d++)
    size[d] = 2;
  return s->topology.n;
}

static unsigned distance(const struct ut_topology *t, uint32_t from, uint32_t to) {
  (void)t;
  return (unsigned)__builtin_popcount(from ^ to);
}

/* Dimension and VIN: "3.2". */
static bool channel_name(const struct ut_topology *t, const struct ut_shape *shape, unsigned port, unsigned vc,
                         char text[UT_CHANNEL_NAME_SIZE]) {
  if (port >= t->cube)
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
