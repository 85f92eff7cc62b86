/* SPDX-License-Identifier: Apache-2.0 */
/* forwarding.c - see forwarding.h */
#include "forwarding.h"

#include <stdlib.h>
#include <string.h>

#include "route_unit.h"

bool ut_forwarding_init(struct ut_forwarding *forwarding, const struct ut_topology *topo,
                        const struct ut_shape *shape) {
  struct ut_shape asked = *shape;
  *forwarding = (struct ut_forwarding){.topology = topo};
  forwarding->local = shape->algorithm != UT_TABLE_TABLE;
  forwarding->layers = shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK;
  forwarding->adaptive = shape->algorithm == UT_TABLE_TABLE_REROUTE_ADAPTIVE_LINK;
  asked.route = UT_ROUTE_FATTREE;
  asked.algorithm = UT_FATTREE_REROUTE_DET_LINK;
  asked.destinations = 0;
  if (!forwarding->layers) /* without virtual layers */
    asked.v = 1;
  forwarding->up = calloc(topo->switches, sizeof *forwarding->up);
  if (forwarding->up && ut_up_down_init(&forwarding->up_down, topo) && ut_group_init(&forwarding->group, &asked, 0, 1))
    return true;
  ut_forwarding_fini(forwarding);
  return false;
}

void ut_forwarding_fini(struct ut_forwarding *forwarding) {
  free(forwarding->up);
  ut_up_down_fini(&forwarding->up_down);
  ut_group_fini(&forwarding->group);
  memset(forwarding, 0, sizeof *forwarding);
}

void ut_forwarding_survey(struct ut_forwarding *forwarding, const ut_mask *link_up) {
  memcpy(forwarding->up, link_up, forwarding->topology->switches * sizeof *forwarding->up);
  ut_up_down_survey(&forwarding->up_down, forwarding->up);
}

/* Returns the usable up ports if destro's port is among them; otherwise one of them, which rotates over the
 * destinations whose port that would be, so that no port carries all the load of another one (REROUTE algorithm 1, line
 * 10). */
static ut_mask balanced(const struct ut_topology *topo, ut_mask usable, uint32_t sw, uint32_t dst) {
  const uint32_t k = topo->po / 2;
  uint32_t step = 1; /* of the level's digit */
  for (unsigned level = 0; level < topo->level[sw]; level++)
    step *= k;
  if (usable >> (k + dst / step % k) & 1)
    return usable;
  const uint32_t number = dst / (k * step) * step + dst % step; /* without the digit of this level */
  for (uint32_t skipped = number % (uint32_t)__builtin_popcountll(usable); skipped; skipped--)
    usable &= usable - 1;
  return usable & -usable;
}

/* Returns the ports of a switch for which a packet may be planned: up ports without a path are left out, or, if no up
 * port has one, none is. */
static ut_mask usable(const struct ut_forwarding *forwarding, uint32_t sw, uint32_t leaf, uint32_t dst) {
  const struct ut_topology *topo = forwarding->topology;
  const ut_mask up_ports = ut_topology_up_ports(topo, sw);
  ut_mask good = 0;
  UT_FOR_EACH (port, forwarding->up[sw] & up_ports) {
    if (ut_up_down_reaches(&forwarding->up_down, topo->peer[(size_t)sw * topo->po + port].index, leaf))
      good |= ut_bit(port);
  }
  return good ? balanced(topo, good, sw, dst) | (forwarding->up[sw] & ~up_ports) : forwarding->up[sw];
}

uint64_t ut_forwarding_entry(struct ut_forwarding *forwarding, uint32_t sw, unsigned in_port, unsigned in_vc,
                             uint16_t dst) {
  const struct ut_topology *topo = forwarding->topology;
  const uint32_t leaf = ut_topology_attachment(topo, dst).sw;
  struct ut_switch *asked = ut_switch_of(&forwarding->group, 0);
  struct ut_route_result route;
  if (asked->straps != topo->straps[sw])
    ut_switch_reset(&forwarding->group, asked, topo->straps[sw]);
  const ut_mask up_ports = ut_topology_up_ports(topo, sw);
  bool from_above = up_ports >> in_port & 1, down = ut_up_down_below(&forwarding->up_down, sw, leaf);
  asked->out_up = from_above ? forwarding->up[sw] : usable(forwarding, sw, leaf, dst);
  if (forwarding->adaptive) /* down, and where to turn: as without faults; the switch finds the way around */
    asked->out_up |= from_above ? forwarding->group.all_out : forwarding->group.all_out & ~up_ports;
  forwarding->group.route(&forwarding->group, asked, ut_header_make(dst, 0, 0, 0), in_port,
                          forwarding->layers ? in_vc : 0, &route);
  ut_mask ports = 0;
  unsigned vc = in_vc;
  for (unsigned v = forwarding->group.shape.v; v-- > 0;)
    if (route.cand[v]) {
      ports = route.cand[v];
      vc = forwarding->layers ? v : in_vc;
    }
  if (!forwarding->local && (from_above || !ut_up_down_reaches(&forwarding->up_down, sw, leaf)) &&
      !down) /* up*-down* only */
    ports = 0;
  unsigned port = ports ? ut_first(ports) : 0;
  return ut_config_make(dst, (uint8_t)in_port, (uint8_t)in_vc, (uint8_t)port, (uint8_t)vc, ports != 0, true);
}
