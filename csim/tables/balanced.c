/* SPDX-License-Identifier: Apache-2.0 */
/* balanced.c - see balanced.h */
#include "balanced.h"

#include <stdlib.h>
#include <string.h>

#include "distance.h"

/* Sweeps that improve a plan; more change little. */
enum { SWEEPS = 3 };

/* ---- one destination */

/* The state of a packet that leaves a state through a port. */
static uint32_t next_state(const struct ut_balanced *balanced, uint32_t state, unsigned port) {
  const uint32_t sw = state / UT_BANKS;
  const struct ut_peer *peer = &balanced->topology->peer[(size_t)sw * balanced->topology->po + port];
  const bool down = balanced->hops.planner == UT_PLANNER_UPDOWN && ut_hop_search_down(&balanced->hops, sw, peer->index);
  return ut_hop_search_state(&balanced->hops, peer->index, down ? UT_BANK_DOWN : UT_BANK_FREE);
}

/* Each terminal has a packet at its switch. */
static void start_flow(struct ut_balanced *balanced) {
  memset(balanced->flow, 0, balanced->states * sizeof *balanced->flow);
  for (uint32_t sw = 0; sw < balanced->topology->switches; sw++)
    balanced->flow[ut_hop_search_state(&balanced->hops, sw, UT_BANK_FREE)] = balanced->local[sw];
}

static uint32_t *load_of(const struct ut_balanced *balanced, uint32_t state, unsigned port) {
  return &balanced->load[(size_t)(state / UT_BANKS) * balanced->topology->po + port];
}

/* Lets all terminals send one packet to a destination over the ports of its states, and adds `sign` for each to the
 * channels that it takes.  The hops are those towards the destination's switch. */
static void send_all(struct ut_balanced *balanced, const uint8_t *port, int sign) {
  const struct ut_hop_search *hops = &balanced->hops;
  start_flow(balanced);
  for (uint32_t i = hops->reached; i-- > 0;) { /* the farthest first */
    const uint32_t state = hops->queue[i];
    if (!hops->ports[state] || port[state] == UT_NO_PORT)
      continue;
    *load_of(balanced, state, port[state]) += (uint32_t)sign * balanced->flow[state];
    balanced->flow[next_state(balanced, state, port[state])] += balanced->flow[state];
  }
}

/* The port of the set whose channel carries least, the first of equals. */
static uint8_t idlest(const struct ut_balanced *balanced, uint32_t state, ut_mask ports) {
  unsigned best = ut_first(ports);
  UT_FOR_EACH (port, ports) {
    if (*load_of(balanced, state, port) < *load_of(balanced, state, best))
      best = port;
  }
  return (uint8_t)best;
}

/* What a way costs: pairs over its first channel, over its busiest one, and over all. */
struct cost {
  uint32_t first, most, sum;
};

static bool is_less(struct cost a, struct cost b) {
  return a.first != b.first ? a.first < b.first : a.most != b.most ? a.most < b.most : a.sum < b.sum;
}

/* The cost of the way through a port of a state and then through the idlest ports, with what is to go that way already.
 */
static struct cost cost_of(const struct ut_balanced *balanced, uint32_t state, unsigned port) {
  struct cost cost = {.first = *load_of(balanced, state, port)};
  for (;;) {
    const uint32_t load = *load_of(balanced, state, port) + balanced->flow[state];
    cost.most = load > cost.most ? load : cost.most;
    cost.sum += load;
    state = next_state(balanced, state, port);
    if (!balanced->hops.ports[state])
      return cost;
    port = balanced->idlest[state];
  }
}

/* The cheapest port of a state. */
static uint8_t cheapest(const struct ut_balanced *balanced, uint32_t state, ut_mask ports) {
  unsigned best = ut_first(ports);
  struct cost least = {.first = UINT32_MAX};
  UT_FOR_EACH (port, ports & (ports - 1) ? ports : 0) {
    const struct cost cost = cost_of(balanced, state, port);
    if (is_less(cost, least)) {
      least = cost;
      best = port;
    }
  }
  return (uint8_t)best;
}

/* Chooses the ports of all states towards a terminal, farthest first.  keep: those that are there stay, and the few
 * others look at the whole way.  Else the first of equals is taken, so that the switches of a level agree, which in
 * trees leaves every channel with the same load. */
static void choose(struct ut_balanced *balanced, uint32_t terminal, uint8_t *port, bool keep) {
  const struct ut_hop_search *hops = &balanced->hops;
  const struct ut_attachment at = ut_topology_attachment(balanced->topology, terminal);
  start_flow(balanced);
  if (!keep)
    memset(port, UT_NO_PORT, balanced->states);
  for (uint32_t i = 0; keep && i < hops->reached; i++) {
    const uint32_t state = hops->queue[i];
    if (hops->ports[state])
      balanced->idlest[state] = port[state] != UT_NO_PORT ? port[state] : idlest(balanced, state, hops->ports[state]);
  }
  for (uint32_t i = hops->reached; i-- > 0;) {
    const uint32_t state = hops->queue[i];
    if (!hops->ports[state])
      continue;
    balanced->fresh[state] = port[state] == UT_NO_PORT;
    if (balanced->fresh[state])
      port[state] = keep ? cheapest(balanced, state, hops->ports[state]) : idlest(balanced, state, hops->ports[state]);
    *load_of(balanced, state, port[state]) += balanced->flow[state];
    balanced->flow[next_state(balanced, state, port[state])] += balanced->flow[state];
  }
  const bool arrives = hops->up[at.sw] & ut_bit(at.out_port);
  for (unsigned bank = 0; bank < UT_BANKS; bank++)
    port[at.sw * UT_BANKS + bank] = arrives ? at.out_port : UT_NO_PORT;
}

/* Adds pairs to all channels, and states, on the way from a state; negative: takes them away. */
static void send(struct ut_balanced *balanced, uint32_t state, const uint8_t *port, uint32_t pairs) {
  while (balanced->hops.ports[state]) {
    *load_of(balanced, state, port[state]) += pairs;
    balanced->flow[state] += pairs;
    state = next_state(balanced, state, port[state]);
  }
}

/* Pairs over the busiest channel of the way through a port of a state and the ports chosen from there. */
static uint32_t busiest_on(const struct ut_balanced *balanced, uint32_t state, unsigned first, const uint8_t *port) {
  uint32_t most = 0;
  for (unsigned out = first; balanced->hops.ports[state]; out = port[state]) {
    const uint32_t load = *load_of(balanced, state, out);
    most = load > most ? load : most;
    state = next_state(balanced, state, out);
    if (!balanced->hops.ports[state])
      break;
  }
  return most;
}

/* Moves the fresh ports of a plan, one after the other, to where the busiest channel on the way is less busy. */
static void refine(struct ut_balanced *balanced, uint8_t *port) {
  const struct ut_hop_search *hops = &balanced->hops;
  for (uint32_t i = hops->reached; i-- > 0;) {
    const uint32_t state = hops->queue[i], pairs = balanced->flow[state];
    if (!hops->ports[state] || !balanced->fresh[state] || !pairs)
      continue;
    send(balanced, state, port, -pairs);
    uint32_t least = busiest_on(balanced, state, port[state], port);
    UT_FOR_EACH (other, hops->ports[state]) {
      const uint32_t most = busiest_on(balanced, state, other, port);
      if (most < least) {
        least = most;
        port[state] = (uint8_t)other;
      }
    }
    send(balanced, state, port, pairs);
  }
}

/* Removes the ports of a plan that do not lead to the destination any more. */
static void drop_lost(const struct ut_balanced *balanced, uint8_t *port, uint32_t to) {
  for (uint32_t state = 0; state < balanced->states; state++)
    if (state / UT_BANKS != to && port[state] != UT_NO_PORT && !(balanced->hops.ports[state] & ut_bit(port[state])))
      port[state] = UT_NO_PORT;
}

/* Whether no state is without a port that could have one. */
static bool is_complete(const struct ut_balanced *balanced, const uint8_t *port, uint32_t to) {
  for (uint32_t state = 0; state < balanced->states; state++)
    if (state / UT_BANKS != to && balanced->hops.ports[state] && port[state] == UT_NO_PORT)
      return false;
  return true;
}

/* ---- all destinations */

static uint32_t home_of(const struct ut_balanced *balanced, uint32_t terminal) {
  return ut_topology_attachment(balanced->topology, terminal).sw;
}

/* Aims the hops at the switch of a terminal, unless they are already. */
static void aim(struct ut_balanced *balanced, uint32_t terminal, uint32_t *at) {
  const uint32_t to = home_of(balanced, terminal);
  if (*at != to)
    ut_hop_search_towards(&balanced->hops, to);
  *at = to;
}

static void plan_first(struct ut_balanced *balanced) {
  const struct ut_topology *topo = balanced->topology;
  uint32_t at = UINT32_MAX;
  for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
    for (uint32_t i = 0; i < topo->terminals; i++) {
      uint8_t *port = balanced->first + (size_t)i * balanced->states;
      aim(balanced, i, &at);
      if (sweep)
        send_all(balanced, port, -1);
      choose(balanced, i, port, false);
    }
}

void ut_balanced_survey(struct ut_balanced *balanced, const ut_mask *link_up) {
  const struct ut_topology *topo = balanced->topology;
  uint32_t at = UINT32_MAX;
  memcpy(balanced->up, link_up, topo->switches * sizeof *balanced->up);
  ut_hop_search_order(&balanced->hops, balanced->up);
  memset(balanced->load, 0, (size_t)topo->switches * topo->po * sizeof *balanced->load);
  memcpy(balanced->now, balanced->first, (size_t)topo->terminals * balanced->states);
  for (uint32_t i = 0; i < topo->terminals; i++) { /* what stays as it was */
    uint8_t *port = balanced->now + (size_t)i * balanced->states;
    aim(balanced, i, &at);
    drop_lost(balanced, port, at);
    send_all(balanced, port, 1);
  }
  for (uint32_t i = 0; i < topo->terminals; i++) {
    uint8_t *port = balanced->now + (size_t)i * balanced->states;
    aim(balanced, i, &at);
    if (!is_complete(balanced, port, at)) {
      send_all(balanced, port, -1);
      choose(balanced, i, port, true);
      for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
        refine(balanced, port);
    } else if (!(link_up[at] & ut_bit(ut_topology_attachment(topo, i).out_port))) {
      port[at * UT_BANKS + UT_BANK_FREE] = port[at * UT_BANKS + UT_BANK_DOWN] = UT_NO_PORT;
    }
  }
}

bool ut_balanced_init(struct ut_balanced *balanced, const struct ut_topology *topo,
                      const struct ut_planning *planning) {
  const uint32_t states = topo->switches * UT_BANKS;
  *balanced = (struct ut_balanced){.topology = topo,
                                   .states = states,
                                   .local = calloc(topo->switches, sizeof *balanced->local),
                                   .first = malloc((size_t)topo->terminals * states),
                                   .now = malloc((size_t)topo->terminals * states),
                                   .up = calloc(topo->switches, sizeof *balanced->up),
                                   .load = calloc((size_t)topo->switches * topo->po, sizeof *balanced->load),
                                   .flow = malloc(states * sizeof *balanced->flow),
                                   .idlest = malloc(states),
                                   .fresh = calloc(states, 1)};
  if (!balanced->local || !balanced->first || !balanced->now || !balanced->up || !balanced->load || !balanced->flow ||
      !balanced->idlest || !balanced->fresh || !ut_hop_search_init(&balanced->hops, topo, planning)) {
    ut_balanced_fini(balanced);
    return false;
  }
  for (uint32_t i = 0; i < topo->terminals; i++)
    balanced->local[home_of(balanced, i)]++;
  ut_hop_search_survey(&balanced->hops, balanced->hops.all);
  plan_first(balanced);
  return true;
}

void ut_balanced_fini(struct ut_balanced *balanced) {
  ut_hop_search_fini(&balanced->hops);
  free(balanced->local);
  free(balanced->first);
  free(balanced->now);
  free(balanced->up);
  free(balanced->load);
  free(balanced->flow);
  free(balanced->idlest);
  free(balanced->fresh);
  *balanced = (struct ut_balanced){0};
}

unsigned ut_balanced_port(const struct ut_balanced *balanced, uint32_t sw, unsigned bank, uint32_t terminal) {
  return balanced->now[(size_t)terminal * balanced->states + sw * UT_BANKS + bank];
}

uint32_t ut_balanced_busiest(const struct ut_balanced *balanced) {
  const struct ut_topology *topo = balanced->topology;
  uint32_t most = 0;
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++)
    if (topo->peer[i].kind == UT_PEER_SWITCH && balanced->load[i] > most)
      most = balanced->load[i];
  return most;
}
