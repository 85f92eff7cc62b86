/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops_levels.c - the planner of next hops in a network of levels: see next_hops.h.  A packet goes up through any
 * port behind which a way down begins, or a way that goes on up to one, then down through the only port there is. */
#include "next_hops.h"
#include "up_down.h"

#include <stdlib.h>
#include <string.h>

struct by_levels {
  struct ut_up_down ways;
  ut_mask *up; /* output links that are up, by switch */
};

static void close_planner(void *planner) {
  struct by_levels *levels = planner;
  ut_up_down_fini(&levels->ways);
  free(levels->up);
  free(levels);
}

static void *open_planner(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs) {
  (void)planning, (void)vcs;
  struct by_levels *levels = calloc(1, sizeof *levels);
  if (!levels)
    return NULL;
  levels->up = calloc(topo->switches, sizeof *levels->up);
  if (levels->up && ut_up_down_init(&levels->ways, topo))
    return levels;
  free(levels->up);
  free(levels);
  return NULL;
}

static void survey(void *planner, const ut_mask *link_up) {
  struct by_levels *levels = planner;
  memcpy(levels->up, link_up, levels->ways.topology->switches * sizeof *levels->up);
  ut_up_down_survey(&levels->ways, levels->up);
}

/* Returns whether a terminal can be reached through that port, in that direction. */
static bool leads(const struct by_levels *levels, uint32_t sw, unsigned port, uint32_t dst, bool up) {
  const struct ut_topology *topo = levels->ways.topology;
  const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
  const uint32_t leaf = ut_topology_attachment(topo, dst).sw;
  if (peer->kind == UT_PEER_TERMINAL)
    return peer->index == dst;
  if (peer->kind != UT_PEER_SWITCH)
    return false;
  return up ? ut_up_down_reaches(&levels->ways, peer->index, leaf) : ut_up_down_below(&levels->ways, peer->index, leaf);
}

static ut_mask next_hops(const void *planner, uint32_t sw, unsigned bank, uint32_t dst) {
  const struct by_levels *levels = planner;
  const struct ut_topology *topo = levels->ways.topology;
  const bool below = ut_up_down_below(&levels->ways, sw, ut_topology_attachment(topo, dst).sw);
  const ut_mask up_ports = (ut_mask)ut_topology_up_ports(topo, sw);
  ut_mask ports = 0;
  if (!below && bank)
    return 0;
  UT_FOR_EACH (port, levels->up[sw] & (below ? ~up_ports : up_ports)) {
    if (leads(levels, sw, port, dst, !below))
      ports |= ut_bit(port);
  }
  return ports;
}

static unsigned bank(const void *planner, uint32_t sw, unsigned in_port) {
  const struct by_levels *levels = planner;
  return ut_topology_up_ports(levels->ways.topology, sw) >> in_port & 1;
}

const struct ut_next_hop_planner ut_next_hops_by_levels = {
    .open = open_planner, .close = close_planner, .survey = survey, .next_hops = next_hops, .bank = bank};
