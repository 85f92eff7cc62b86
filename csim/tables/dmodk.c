/* SPDX-License-Identifier: Apache-2.0 */
/* dmodk.c - see dmodk.h */
#include "dmodk.h"

#include <stdlib.h>
#include <string.h>

#include "distance.h"

static const struct ut_peer *peer_of(const struct ut_dmodk *dmodk, uint32_t sw, unsigned port) {
  return &dmodk->topology->peer[(size_t)sw * dmodk->topology->po + port];
}

static bool leads_up(const struct ut_dmodk *dmodk, uint32_t sw, unsigned port) {
  const struct ut_peer *peer = peer_of(dmodk, sw, port);
  return peer->kind == UT_PEER_SWITCH && dmodk->level[peer->index] > dmodk->level[sw];
}

/* Returns the ports up; parents: how many switches they lead to. */
static ut_mask up_ports(const struct ut_dmodk *dmodk, uint32_t sw, unsigned *parents) {
  ut_mask up = 0;
  *parents = 0;
  for (unsigned port = 0; port < dmodk->topology->po; port++) {
    bool known = !leads_up(dmodk, sw, port);
    up |= known ? 0 : ut_bit(port);
    for (unsigned other = 0; other < port && !known; other++)
      known = (up >> other & 1) && peer_of(dmodk, sw, other)->index == peer_of(dmodk, sw, port)->index;
    *parents += !known;
  }
  return up;
}

static bool find_levels(struct ut_dmodk *dmodk) {
  const struct ut_topology *topo = dmodk->topology;
  uint32_t *queue = malloc(topo->switches * sizeof *queue);
  if (!queue)
    return false;
  memset(dmodk->level, 0xff, topo->switches * sizeof *dmodk->level);
  for (uint32_t i = 0; i < topo->terminals; i++)
    dmodk->level[ut_topology_attachment(topo, i).sw] = 0;
  ut_distances_spread(topo, NULL, queue, dmodk->level);
  free(queue);
  return true;
}

bool ut_dmodk_init(struct ut_dmodk *dmodk, const struct ut_topology *topo) {
  *dmodk = (struct ut_dmodk){.topology = topo,
                             .level = malloc(topo->switches * sizeof *dmodk->level),
                             .up = malloc(topo->switches * sizeof *dmodk->up)};
  if (!dmodk->level || !dmodk->up || !find_levels(dmodk)) {
    ut_dmodk_fini(dmodk);
    return false;
  }
  unsigned parents;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    dmodk->up[sw] = up_ports(dmodk, sw, &parents);
  uint32_t below = 1; /* terminals have one parent */
  for (unsigned l = 0; l < UT_DMODK_LEVELS; l++) {
    uint32_t sw = 0;
    while (sw < topo->switches && dmodk->level[sw] != l)
      sw++;
    if (sw == topo->switches)
      break;
    const ut_mask up = up_ports(dmodk, sw, &dmodk->at[l].parents);
    dmodk->at[l].cables = dmodk->at[l].parents ? (unsigned)__builtin_popcountll(up) / dmodk->at[l].parents : 1;
    dmodk->at[l].below = below;
    below *= dmodk->at[l].parents ? dmodk->at[l].parents : 1;
  }
  return true;
}

void ut_dmodk_fini(struct ut_dmodk *dmodk) {
  free(dmodk->level);
  free(dmodk->up);
  *dmodk = (struct ut_dmodk){0};
}

/* Returns the n-th port of a set, counted from 0. */
static ut_mask nth(ut_mask ports, unsigned n) {
  while (n--)
    ports &= ports - 1;
  return ports & -ports;
}

ut_mask ut_dmodk_choose(const struct ut_dmodk *dmodk, uint32_t sw, ut_mask ports, uint32_t dst) {
  if (!(ports & (ports - 1)))
    return ports;
  const bool up = ports & dmodk->up[sw];
  const unsigned l = up ? dmodk->level[sw] : dmodk->level[sw] - 1u; /* between this level and the next one */
  const unsigned parents = dmodk->at[l].parents, cables = dmodk->at[l].cables, all = parents * cables;
  const uint32_t digit = dst / dmodk->at[l].below % all;
  const uint32_t rest = dst / dmodk->at[l].below / all * dmodk->at[l].below + dst % dmodk->at[l].below;
  /* the first cable to the digit's parent, or to the child that the next hops lead to */
  const unsigned least = up ? ut_first(dmodk->up[sw]) + digit % parents * cables : ut_first(ports) / cables * cables;
  const ut_mask right = ut_bit(least + digit / parents);
  return ports & right ? right : nth(ports, (rest + sw) % (unsigned)__builtin_popcountll(ports));
}
