/* SPDX-License-Identifier: Apache-2.0 */
/* hop_search.c - see hop_search.h */
#include "hop_search.h"

#include <stdlib.h>
#include <string.h>

#include "distance.h"

static uint32_t state_of(uint32_t sw, unsigned bank) {
  return sw * UT_BANKS + bank;
}

/* ---- roots */

/* Marks the roots that the scenario names. */
static bool name_roots(struct ut_hop_search *hops, const struct ut_planning *planning) {
  for (uint32_t i = 0; i < planning->roots; i++)
    hops->is_root[ut_topology_switch_named(hops->topology, planning->root[i])] = true;
  return planning->roots > 0;
}

static void spread(const struct ut_hop_search *hops, const ut_mask *up) {
  ut_distances_spread(hops->topology, up, hops->queue, hops->level);
}

/* Marks the switches that are farthest from those with terminals: the top of a network of levels.  Returns whether
 * there are any: switches without terminals. */
static bool find_top(struct ut_hop_search *hops) {
  const struct ut_topology *topo = hops->topology;
  uint16_t *far = hops->level, most = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    far[sw] = hops->is_home[sw] ? 0 : UT_NO_WAY;
  spread(hops, NULL);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    most = far[sw] != UT_NO_WAY && far[sw] > most ? far[sw] : most;
  for (uint32_t sw = 0; sw < topo->switches && most; sw++)
    hops->is_root[sw] = far[sw] == most;
  return most;
}

/* Marks the switch with the least distance to the farthest one, the first of equals. */
static void find_centre(struct ut_hop_search *hops) {
  const struct ut_topology *topo = hops->topology;
  uint32_t best = 0;
  unsigned least = UINT32_MAX;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    unsigned farthest = 0;
    memset(hops->level, 0xff, topo->switches * sizeof *hops->level);
    hops->level[sw] = 0;
    spread(hops, NULL);
    for (uint32_t i = 0; i < topo->switches; i++)
      farthest = hops->level[i] > farthest ? hops->level[i] : farthest;
    if (farthest < least) {
      least = farthest;
      best = sw;
    }
  }
  hops->is_root[best] = true;
}

static bool order_serves(struct ut_hop_search *hops);

/* Whether each two switches that are connected are below a common one of several roots. */
static bool tops_serve(struct ut_hop_search *hops) {
  if (hops->planner != UT_PLANNER_UPDOWN)
    return true;
  ut_hop_search_survey(hops, hops->all);
  return order_serves(hops);
}

/* Chooses the roots: those at the top, or one from which up and down lead everywhere. */
static void find_roots(struct ut_hop_search *hops) {
  if (find_top(hops) && tops_serve(hops))
    return;
  memset(hops->is_root, 0, hops->topology->switches * sizeof *hops->is_root);
  find_centre(hops);
}

bool ut_hop_search_init(struct ut_hop_search *hops, const struct ut_topology *topo,
                        const struct ut_planning *planning) {
  const size_t states = (size_t)topo->switches * UT_BANKS;
  *hops =
      (struct ut_hop_search){.topology = topo,
                             .planner = planning->planner == UT_PLANNER_DMODK ? UT_PLANNER_UPDOWN : planning->planner,
                             .one_table = planning->one_table && planning->planner == UT_PLANNER_UPDOWN,
                             .level = calloc(topo->switches, sizeof *hops->level),
                             .is_root = calloc(topo->switches, sizeof *hops->is_root),
                             .is_home = calloc(topo->switches, sizeof *hops->is_home),
                             .all = calloc(topo->switches, sizeof *hops->all),
                             .queue = malloc(states * sizeof *hops->queue),
                             .waiting = malloc(states * sizeof *hops->waiting),
                             .distance = malloc(states * sizeof *hops->distance),
                             .ports = malloc(states * sizeof *hops->ports)};
  if (!hops->level || !hops->is_root || !hops->is_home || !hops->all || !hops->queue || !hops->waiting ||
      !hops->distance || !hops->ports) {
    ut_hop_search_fini(hops);
    return false;
  }
  for (uint32_t i = 0; i < topo->terminals; i++)
    hops->is_home[ut_topology_attachment(topo, i).sw] = true;
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++)
    hops->all[i / topo->po] |= topo->peer[i].kind != UT_PEER_NONE ? ut_bit(i % topo->po) : 0;
  if (!name_roots(hops, planning))
    find_roots(hops);
  return true;
}

void ut_hop_search_fini(struct ut_hop_search *hops) {
  free(hops->level);
  free(hops->is_root);
  free(hops->is_home);
  free(hops->all);
  free(hops->queue);
  free(hops->waiting);
  free(hops->distance);
  free(hops->ports);
  *hops = (struct ut_hop_search){0};
}

/* ---- order */

/* A part that the roots do not reach any more is ordered from its first switch. */
void ut_hop_search_survey(struct ut_hop_search *hops, const ut_mask *up) {
  const struct ut_topology *topo = hops->topology;
  hops->up = up;
  memset(hops->level, 0xff, topo->switches * sizeof *hops->level);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (hops->is_root[sw])
      hops->level[sw] = 0;
  spread(hops, up);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (hops->level[sw] == UT_NO_WAY) {
      hops->level[sw] = 0;
      spread(hops, up);
    }
}

bool ut_hop_search_down(const struct ut_hop_search *hops, uint32_t from, uint32_t to) {
  return hops->level[from] != hops->level[to] ? hops->level[from] < hops->level[to] : from < to;
}

/* Whether packets are of bank UT_BANK_DOWN behind that channel. */
static bool is_down(const struct ut_hop_search *hops, uint32_t from, uint32_t to) {
  return hops->planner == UT_PLANNER_GLOBAL_HOPS ||
         (hops->planner == UT_PLANNER_UPDOWN && ut_hop_search_down(hops, from, to));
}

unsigned ut_hop_search_bank(const struct ut_hop_search *hops, uint32_t sw, unsigned in_port) {
  const struct ut_peer from = ut_topology_source(hops->topology, sw, in_port);
  if (from.kind != UT_PEER_SWITCH)
    return UT_BANK_FREE;
  return is_down(hops, from.index, sw) ? UT_BANK_DOWN : UT_BANK_FREE;
}

/* ---- paths */

static void reach(struct ut_hop_search *hops, uint32_t state, unsigned distance, unsigned port) {
  if (hops->distance[state] == UT_NO_WAY) {
    hops->distance[state] = (uint16_t)distance;
    hops->queue[hops->reached++] = state;
  }
  if (hops->distance[state] == distance)
    hops->ports[state] |= ut_bit(port);
}

/* The same where at most one link leaves a group: before it comes one within the first group, behind it one within the
 * last.  Bank UT_BANK_DOWN has the packets that another switch has sent. */
static void go_back_to_group(struct ut_hop_search *hops, uint32_t state, const struct ut_peer *from) {
  const struct ut_topology *topo = hops->topology;
  const uint32_t sw = state / UT_BANKS;
  const unsigned bank = state % UT_BANKS, distance = hops->distance[state] + 1u;
  const bool leaves = ut_topology_leaves_group(topo, from->index, sw);
  const bool arrived = !ut_topology_leaves_group(topo, sw, hops->to);
  if (bank != UT_BANK_DOWN || (leaves && !arrived))
    return;
  reach(hops, state_of(from->index, UT_BANK_FREE), distance, from->port);
  if (leaves || sw == hops->to)
    reach(hops, state_of(from->index, UT_BANK_DOWN), distance, from->port);
}

/* Goes back from a state, whose packets know their way, over a channel that arrives there. */
static void go_back(struct ut_hop_search *hops, uint32_t state, const struct ut_peer *from) {
  const uint32_t sw = state / UT_BANKS;
  const unsigned bank = state % UT_BANKS, distance = hops->distance[state] + 1u;
  if (hops->planner == UT_PLANNER_GLOBAL_HOPS) {
    go_back_to_group(hops, state, from);
    return;
  }
  if (hops->planner != UT_PLANNER_UPDOWN) {
    for (unsigned i = 0; i < UT_BANKS && bank == UT_BANK_FREE; i++)
      reach(hops, state_of(from->index, i), distance, from->port);
    return;
  }
  if ((bank == UT_BANK_DOWN) != ut_hop_search_down(hops, from->index, sw))
    return;
  reach(hops, state_of(from->index, UT_BANK_FREE), distance, from->port);
  if (bank == UT_BANK_DOWN)
    reach(hops, state_of(from->index, UT_BANK_DOWN), distance, from->port);
}

/* ---- paths of one table */

/* Notes a first hop; a state that is reached for the first time waits. */
static void wait_at(struct ut_hop_search *hops, uint32_t state, unsigned distance, unsigned port, uint32_t *waiting,
                    uint32_t *count) {
  if (hops->distance[state] == UT_NO_WAY) {
    hops->distance[state] = (uint16_t)distance;
    waiting[(*count)++] = state;
  }
  if (hops->distance[state] == distance)
    hops->ports[state] |= ut_bit(port);
}

/* Goes back from a switch over the channels that lead down, or those that lead up to it, to switches of a bank. */
static void go_back_one(struct ut_hop_search *hops, uint32_t state, unsigned bank, uint32_t *waiting, uint32_t *count) {
  const struct ut_topology *topo = hops->topology;
  const uint32_t sw = state / UT_BANKS;
  for (unsigned port = 0; port < topo->pi; port++) {
    const struct ut_peer from = ut_topology_source(topo, sw, port);
    if (from.kind != UT_PEER_SWITCH || !(hops->up[from.index] & ut_bit(from.port)) ||
        ut_hop_search_down(hops, from.index, sw) != (bank == UT_BANK_DOWN) ||
        (bank == UT_BANK_FREE && hops->distance[state_of(from.index, UT_BANK_DOWN)] != UT_NO_WAY))
      continue;
    wait_at(hops, state_of(from.index, bank), hops->distance[state] + 1u, from.port, waiting, count);
  }
}

/* First the switches with a way down, then, nearest first, those from which a way up leads to one of both kinds. */
static void search_one_table(struct ut_hop_search *hops, uint32_t to) {
  const uint32_t switches = hops->topology->switches;
  uint32_t *down = hops->waiting, *up = hops->waiting + switches, downs = 0, ups = 0;
  hops->distance[state_of(to, UT_BANK_DOWN)] = 0;
  down[downs++] = state_of(to, UT_BANK_DOWN);
  for (uint32_t i = 0; i < downs; i++)
    go_back_one(hops, down[i], UT_BANK_DOWN, down, &downs);
  for (uint32_t i = 0, j = 0; i < downs || j < ups;) {
    const bool from_down = j == ups || (i < downs && hops->distance[down[i]] <= hops->distance[up[j]]);
    const uint32_t state = from_down ? down[i++] : up[j++];
    hops->queue[hops->reached++] = state;
    go_back_one(hops, state, UT_BANK_FREE, up, &ups);
  }
  for (uint32_t i = 0; i < downs; i++) /* the way that packets of the other bank take */
    hops->distance[down[i] - UT_BANK_DOWN + UT_BANK_FREE] = hops->distance[down[i]];
}

void ut_hop_search_towards(struct ut_hop_search *hops, uint32_t to) {
  const struct ut_topology *topo = hops->topology;
  const size_t states = (size_t)topo->switches * UT_BANKS;
  memset(hops->distance, 0xff, states * sizeof *hops->distance);
  memset(hops->ports, 0, states * sizeof *hops->ports);
  hops->reached = 0;
  hops->to = to;
  if (hops->one_table && hops->planner == UT_PLANNER_UPDOWN) {
    search_one_table(hops, to);
    return;
  }
  for (unsigned bank = 0; bank < UT_BANKS; bank++) {
    hops->distance[state_of(to, bank)] = 0;
    hops->queue[hops->reached++] = state_of(to, bank);
  }
  for (uint32_t i = 0; i < hops->reached; i++) {
    const uint32_t state = hops->queue[i], sw = state / UT_BANKS;
    for (unsigned port = 0; port < topo->pi; port++) {
      const struct ut_peer from = ut_topology_source(topo, sw, port);
      if (from.kind == UT_PEER_SWITCH && hops->up[from.index] & ut_bit(from.port))
        go_back(hops, state, &from);
    }
  }
}

/* ---- the order under faults */

/* Switches with terminals from which an allowed path leads to that one. */
static uint32_t homes_reached(struct ut_hop_search *hops, uint32_t to) {
  uint32_t count = 0;
  ut_hop_search_towards(hops, to);
  for (uint32_t sw = 0; sw < hops->topology->switches; sw++)
    count += hops->is_home[sw] && hops->distance[state_of(sw, UT_BANK_FREE)] != UT_NO_WAY;
  return count;
}

/* Whether up*-down* in the present order connects all terminals that are connected. */
static bool order_serves(struct ut_hop_search *hops) {
  uint32_t homes = 0;
  for (uint32_t sw = 0; sw < hops->topology->switches; sw++)
    homes += hops->is_home[sw];
  for (uint32_t to = 0; to < hops->topology->switches; to++) {
    const uint32_t reached = hops->is_home[to] ? homes_reached(hops, to) : homes;
    if (reached == homes)
      continue;
    hops->planner = UT_PLANNER_MINIMAL;
    const uint32_t connected = homes_reached(hops, to);
    hops->planner = UT_PLANNER_UPDOWN;
    if (reached < connected)
      return false;
  }
  return true;
}

bool ut_hop_search_order(struct ut_hop_search *hops, const ut_mask *up) {
  ut_hop_search_survey(hops, hops->all);
  hops->up = up;
  if (hops->planner != UT_PLANNER_UPDOWN || order_serves(hops))
    return false;
  ut_hop_search_survey(hops, up);
  return true;
}
