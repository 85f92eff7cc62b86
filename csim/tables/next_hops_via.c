/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops_via.c - the planner of next hops of Valiant's routing and of UGAL (planners valiant, ugal): in a first
 * phase towards an intermediate terminal, in a second one to the destination.  Bank 0 leads to a destination, bank 1 to
 * where the first phase ends: 0 there.
 *
 * A network of groups (Kim, Dally, Scott and Abts, 2008, section 4): the first phase ends in the group of the
 * intermediate terminal.  Each phase has at most one link between groups.  A switch that has such a link to where it
 * must go takes it, another one takes a link within its group to one that has: l-g, then l-g-l.  Any other network: the
 * first phase ends at the switch of the intermediate terminal, and both take shortest paths (hop_search.h).
 *
 * VCs: with groups there are three classes of VCs: class 0 for the first phase, class 1 for the second one up to its
 * link between groups, class 2 behind that.  Otherwise the first half of the VCs are those of the first phase, and each
 * link takes the VC behind that of the last one.
 */
#include <stdlib.h>
#include <string.h>

#include "hop_search.h"
#include "next_hops.h"
#include "shape.h"

struct by_via {
  const struct ut_topology *topology;
  const struct ut_planning *planning;
  unsigned vcs;
  struct ut_hop_search hops;
  ut_mask *up;    /* [switches]: output links of the last survey */
  ut_mask *ports; /* [homes][switches]: towards a switch with terminals, the second phase */
  ut_mask *first; /* [groups][switches]: towards a group; NULL: there are no groups */
  uint32_t *home; /* [switches]: which of those with terminals it is */
  bool *near;     /* [switches]: those from which one link more, or none, leads where the search goes to */
  uint32_t homes, groups;
  unsigned classes, each, via; /* classes of VCs, VCs of each, classes of the first phase */
};

static void close_planner(void *planner) {
  struct by_via *by = planner;
  ut_hop_search_fini(&by->hops);
  free(by->up);
  free(by->ports);
  free(by->first);
  free(by->home);
  free(by->near);
  free(by);
}

/* Numbers the switches with terminals, and counts the groups. */
static void number(struct by_via *by) {
  const struct ut_topology *topo = by->topology;
  by->homes = ut_topology_homes(topo, by->home);
  for (uint32_t sw = 0; topo->group && sw < topo->switches; sw++)
    by->groups = topo->group[sw] >= by->groups ? topo->group[sw] + 1 : by->groups;
}

/* Divides the VCs into classes of equal size: three in a network of groups, if there are as many; else one for each
 * VC. */
static void classify(struct by_via *by) {
  by->classes = by->groups && by->vcs >= 3 ? 3 : by->vcs;
  by->each = by->vcs / by->classes;
  by->via = ut_planning_via(by->planning, by->vcs, by->groups) / by->each;
}

static void *open_planner(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs) {
  struct by_via *by = calloc(1, sizeof *by);
  const struct ut_planning minimal = {.planner = UT_PLANNER_MINIMAL};
  if (!by)
    return NULL;
  *by = (struct by_via){.topology = topo,
                        .planning = planning,
                        .vcs = vcs,
                        .up = calloc(topo->switches, sizeof *by->up),
                        .home = calloc(topo->switches, sizeof *by->home),
                        .near = calloc(topo->switches, sizeof *by->near)};
  if (by->home)
    number(by);
  classify(by);
  by->ports = calloc((size_t)by->homes * topo->switches + 1, sizeof *by->ports);
  by->first = calloc((size_t)by->groups * topo->switches + 1, sizeof *by->first);
  if (by->up && by->home && by->near && by->ports && by->first && ut_hop_search_init(&by->hops, topo, &minimal))
    return by;
  close_planner(by);
  return NULL;
}

/* Returns the ports of a switch, of those that are up, that lead to near switches of its own group, or of others. */
static ut_mask to_near(const struct by_via *by, uint32_t sw, bool other_group) {
  const struct ut_topology *topo = by->topology;
  ut_mask ports = 0;
  for (ut_mask up = by->up[sw]; up; up &= up - 1) {
    const unsigned port = (unsigned)__builtin_ctzll(up);
    const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
    if (peer->kind == UT_PEER_SWITCH && by->near[peer->index] &&
        ut_topology_leaves_group(topo, sw, peer->index) == other_group)
      ports |= ut_bit(port);
  }
  return ports;
}

/* Fills in the ports of the switches outside a group to its near switches: over a link between groups, or over a link
 * to one that has such a link. */
static void search_outside(struct by_via *by, uint32_t group, ut_mask *ports) {
  const struct ut_topology *topo = by->topology;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (topo->group[sw] != group)
      ports[sw] = to_near(by, sw, true);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    by->near[sw] = topo->group[sw] != group && ports[sw];
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (topo->group[sw] != group && !ports[sw])
      ports[sw] = to_near(by, sw, false);
}

/* Towards any switch of a group. */
static void search_group(struct by_via *by, uint32_t group) {
  const struct ut_topology *topo = by->topology;
  ut_mask *ports = by->first + (size_t)group * topo->switches;
  memset(ports, 0, topo->switches * sizeof *ports);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    by->near[sw] = topo->group[sw] == group;
  search_outside(by, group, ports);
}

/* Towards a switch in a network of groups: within its group over one link or, where that is down, two. */
static void search_switch(struct by_via *by, uint32_t to, ut_mask *ports) {
  const struct ut_topology *topo = by->topology;
  const uint32_t group = topo->group[to];
  memset(ports, 0, topo->switches * sizeof *ports);
  memset(by->near, 0, topo->switches * sizeof *by->near);
  by->near[to] = true;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (topo->group[sw] == group && sw != to)
      ports[sw] = to_near(by, sw, false);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    by->near[sw] = topo->group[sw] == group && ports[sw];
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (topo->group[sw] == group && sw != to && !ports[sw])
      ports[sw] = to_near(by, sw, false);
  by->near[to] = true;
  search_outside(by, group, ports);
}

static void survey(void *planner, const ut_mask *link_up) {
  struct by_via *by = planner;
  const struct ut_topology *topo = by->topology;
  memcpy(by->up, link_up, topo->switches * sizeof *by->up);
  ut_hop_search_order(&by->hops, by->up);
  for (uint32_t group = 0; group < by->groups; group++)
    search_group(by, group);
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    ut_mask *ports = by->ports + (size_t)by->home[sw] * topo->switches;
    if (by->home[sw] == UINT32_MAX)
      continue;
    if (by->groups) {
      search_switch(by, sw, ports);
      continue;
    }
    ut_hop_search_towards(&by->hops, sw);
    for (uint32_t from = 0; from < topo->switches; from++)
      ports[from] = by->hops.ports[from * UT_BANKS + UT_BANK_FREE];
  }
}

static ut_mask next_hops(const void *planner, uint32_t sw, unsigned bank, uint32_t dst) {
  const struct by_via *by = planner;
  const struct ut_attachment at = ut_topology_attachment(by->topology, dst);
  if (bank && by->groups)
    return by->first[(size_t)by->topology->group[at.sw] * by->topology->switches + sw];
  if (at.sw == sw)
    return bank ? 0 : ut_bit(at.out_port) & by->up[sw];
  return by->ports[(size_t)by->home[at.sw] * by->topology->switches + sw];
}

/* Entries of bank 1 are read by themselves. */
static unsigned bank(const void *planner, uint32_t sw, unsigned in_port) {
  (void)planner, (void)sw, (void)in_port;
  return 0;
}

/* The VCs of a class: each has as many, the last one those that are left. */
static unsigned class_vcs(const struct by_via *by, unsigned number) {
  const unsigned all = (1u << by->vcs) - 1, first = number * by->each;
  return number + 1 == by->classes ? all & ~((1u << first) - 1) : ((1u << by->each) - 1) << first;
}

/* The class behind that one; behind the last one of its phase there is none, or it is shared. */
static unsigned next_class(const struct by_via *by, unsigned number, unsigned end) {
  if (number + 1 < end)
    return class_vcs(by, number + 1);
  return by->planning->too_few_vcs == UT_TOO_FEW_SHARE ? class_vcs(by, number) : 0;
}

/* Of a network of groups: l and g of the first phase are of class 0; of the second one l and g are of class 1, and of
 * class 2 the links within a group that follow. */
static unsigned grouped(const struct by_via *by, unsigned number, bool global) {
  if (number < by->via)
    return global ? class_vcs(by, number) : next_class(by, number, by->via);
  if (global)
    return number == by->via ? class_vcs(by, number) : 0;
  return next_class(by, number, by->classes);
}

static unsigned vcs(const void *planner, uint32_t sw, unsigned row, unsigned out_port) {
  const struct by_via *by = planner;
  const struct ut_topology *topo = by->topology;
  const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + out_port];
  const unsigned most = by->classes - 1, of = (row - UT_MAX_VC_MAP) / by->each, number = of < most ? of : most;
  if (peer->kind != UT_PEER_SWITCH)
    return peer->kind == UT_PEER_TERMINAL ? (1u << by->vcs) - 1 : 0;
  if (row < UT_MAX_VC_MAP)
    return class_vcs(by, row ? 0 : by->via); /* the last row is that of the first phase */
  if (by->groups)
    return grouped(by, number, ut_topology_leaves_group(topo, sw, peer->index));
  return next_class(by, number, number < by->via ? by->via : by->classes);
}

const struct ut_next_hop_planner ut_next_hops_via = {
    .open = open_planner, .close = close_planner, .survey = survey, .next_hops = next_hops, .bank = bank, .vcs = vcs};
