/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops_search.c - the planner of next hops in a network of any form: see next_hops.h.  Every shortest allowed way
 * (hop_search.h); of planner dmodk one of them (dmodk.h). */
#include "distance.h"
#include "dmodk.h"
#include "hop_search.h"
#include "next_hops.h"
#include "vc_rows.h"

#include <stdlib.h>
#include <string.h>

struct by_search {
  struct ut_hop_search search;
  bool chooses;
  struct ut_dmodk dmodk; /* how it chooses */
  ut_mask *up;           /* [switches]: output links of the last survey */
  ut_mask *ports;        /* [homes][switches * UT_BANKS] */
  uint32_t *home;        /* [switches]: ut_topology_homes() */
  const struct ut_planning *planning;
  unsigned vcs, needed;
};

static void close_planner(void *planner) {
  struct by_search *by = planner;
  ut_hop_search_fini(&by->search);
  ut_dmodk_fini(&by->dmodk);
  free(by->up);
  free(by->ports);
  free(by->home);
  free(by);
}

static size_t states_of(const struct by_search *by) {
  return (size_t)by->search.topology->switches * UT_BANKS;
}

static void *open_planner(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs) {
  struct by_search *by = calloc(1, sizeof *by);
  if (!by)
    return NULL;
  by->planning = planning;
  by->vcs = vcs;
  by->home = malloc(topo->switches * sizeof *by->home);
  const uint32_t homes = by->home ? ut_topology_homes(topo, by->home) : 0;
  by->up = calloc(topo->switches, sizeof *by->up);
  by->ports = calloc(homes, (size_t)topo->switches * UT_BANKS * sizeof *by->ports);
  by->chooses = planning->planner == UT_PLANNER_DMODK;
  if (by->home && by->up && by->ports && ut_hop_search_init(&by->search, topo, planning) &&
      (!by->chooses || ut_dmodk_init(&by->dmodk, topo)))
    return by;
  close_planner(by);
  return NULL;
}

/* VCs that packets need to the switch of the last search: one for each link of their way, or two for two links or more.
 */
static unsigned vcs_needed_now(const struct by_search *by) {
  const struct ut_topology *topo = by->search.topology;
  unsigned most = 1;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    const unsigned hops = by->search.distance[sw * UT_BANKS + UT_BANK_FREE];
    if (!by->search.is_home[sw] || hops == UT_NO_WAY)
      continue;
    if (by->planning->planner == UT_PLANNER_HOPS)
      most = hops > most ? hops : most;
    if (by->planning->planner == UT_PLANNER_GLOBAL_HOPS && hops > 1)
      most = 2;
  }
  return most;
}

static void survey(void *planner, const ut_mask *link_up) {
  struct by_search *by = planner;
  const struct ut_topology *topo = by->search.topology;
  memcpy(by->up, link_up, topo->switches * sizeof *by->up);
  ut_hop_search_order(&by->search, by->up);
  by->needed = 1;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    if (by->home[sw] == UINT32_MAX)
      continue;
    ut_hop_search_towards(&by->search, sw);
    const unsigned needed = vcs_needed_now(by);
    by->needed = needed > by->needed ? needed : by->needed;
    memcpy(by->ports + by->home[sw] * states_of(by), by->search.ports, states_of(by) * sizeof *by->ports);
  }
}

static ut_mask next_hops(const void *planner, uint32_t sw, unsigned bank, uint32_t dst) {
  const struct by_search *by = planner;
  const struct ut_attachment at = ut_topology_attachment(by->search.topology, dst);
  if (at.sw == sw)
    return ut_bit(at.out_port) & by->up[sw];
  const ut_mask ports = by->ports[by->home[at.sw] * states_of(by) + sw * UT_BANKS + bank];
  return by->chooses ? ut_dmodk_choose(&by->dmodk, sw, ports, dst) : ports;
}

static unsigned bank(const void *planner, uint32_t sw, unsigned in_port) {
  const struct by_search *by = planner;
  return ut_hop_search_bank(&by->search, sw, in_port);
}

static unsigned vcs(const void *planner, uint32_t sw, unsigned row, unsigned out_port) {
  const struct by_search *by = planner;
  return ut_vc_row_at(by->search.topology, by->planning, by->vcs, row, sw, out_port);
}

static unsigned vcs_needed(const void *planner) {
  const struct by_search *by = planner;
  return by->needed;
}

const struct ut_next_hop_planner ut_next_hops_by_search = {.open = open_planner,
                                                           .close = close_planner,
                                                           .survey = survey,
                                                           .next_hops = next_hops,
                                                           .bank = bank,
                                                           .vcs = vcs,
                                                           .vcs_needed = vcs_needed};
