/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_example.c - see fabric_example.h.  From each terminal a breadth-first search over states of its packets, each
 * a channel and its VL; with one table a state has one next state. */
#include "fabric_example.h"

#include <stdlib.h>
#include <string.h>

#include "fabric_pass.h"

struct wait { /* a hop of the cycle, and the next one, as slots */
  uint32_t slot, next_slot;
  unsigned vl, next_vl;
};

struct search {
  const struct ut_fabric *fabric;
  const struct ut_fabric_map *map;
  struct wait wait;
  uint8_t *seen;   /* [slots * UT_SLS] */
  uint32_t *state; /* [slots * UT_SLS]: those seen, slot * UT_SLS + VL */
};

/* Returns whether a table leads from a switch to that slot. */
static bool leads(const struct search *search, const struct ut_switch_tables *tables, uint32_t sw, uint32_t destination,
                  uint32_t slot) {
  const struct ut_fabric_step step = ut_fabric_step(search->map, tables, sw, destination);
  return step.way == UT_WAY_GOES_ON && step.slot == slot;
}

static bool may_lead(const struct search *search, uint32_t sw, uint32_t destination, uint32_t slot) {
  return leads(search, search->fabric->tables, sw, destination, slot) ||
         (search->fabric->old && leads(search, search->fabric->old, sw, destination, slot));
}

/* Whose entry leads there; some table's does. */
static enum ut_fabric_by leads_by(const struct search *search, uint32_t sw, uint32_t destination, uint32_t slot) {
  const bool now = leads(search, search->fabric->tables, sw, destination, slot);
  if (!search->fabric->old || !leads(search, search->fabric->old, sw, destination, slot))
    return UT_BY_NEW;
  return now ? UT_BY_BOTH : UT_BY_OLD;
}

static uint32_t switch_before(const struct ut_fabric_map *map, uint32_t slot) {
  return map->number[map->graph->channel[map->slot[slot].channel].from];
}

static void enter(struct search *search, uint32_t *states, uint32_t slot, unsigned vl) {
  const uint32_t state = slot * UT_SLS + vl;
  if (search->seen[state])
    return;
  search->seen[state] = 1;
  search->state[(*states)++] = state;
}

/* The slots by which packets may leave a switch that they enter by that port. */
static void leave(struct search *search, uint32_t *states, uint32_t sw, unsigned in_port, uint32_t destination,
                  unsigned sl) {
  const struct ut_switch_tables *const tables[] = {search->fabric->tables, search->fabric->old};
  for (unsigned i = 0; i < 2 && tables[i]; i++) {
    const struct ut_fabric_step step = ut_fabric_step(search->map, tables[i], sw, destination);
    if (step.way == UT_WAY_GOES_ON)
      enter(search, states, step.slot,
            ut_fabric_vl(search->fabric, search->map->node[sw], in_port, step.slot - search->map->first[sw], sl));
  }
}

/* Returns whether packets of a terminal come to the channel that is held, and then ask for the other one. */
static bool waits(struct search *search, uint32_t terminal, uint32_t destination) {
  const struct ut_fabric_map *map = search->map;
  const struct wait *wait = &search->wait;
  const unsigned sl = ut_fabric_sl(search->fabric, terminal, destination);
  const struct ut_fabric_slot *held = &map->slot[wait->slot];
  uint32_t states = 0;
  if (ut_fabric_vl(search->fabric, map->node[held->sw], held->in_port, wait->next_slot - map->first[held->sw], sl) !=
      wait->next_vl)
    return false;
  leave(search, &states, map->home[terminal], map->home_port[terminal], destination, sl);
  for (uint32_t i = 0; i < states; i++) {
    const struct ut_fabric_slot *slot = &map->slot[search->state[i] / UT_SLS];
    leave(search, &states, slot->sw, slot->in_port, destination, sl);
  }
  const bool found = search->seen[wait->slot * UT_SLS + wait->vl];
  for (uint32_t i = 0; i < states; i++)
    search->seen[search->state[i]] = 0;
  return found;
}

static bool find(struct search *search, struct ut_fabric_hop *hop, uint32_t destination) {
  const struct ut_fabric_map *map = search->map;
  const struct wait *wait = &search->wait;
  const uint32_t before = switch_before(map, wait->slot), sw = map->slot[wait->slot].sw;
  if (!may_lead(search, before, destination, wait->slot) || !may_lead(search, sw, destination, wait->next_slot))
    return false;
  for (uint32_t terminal = 0; terminal < map->terminals; terminal++)
    if (map->terminal[terminal] != destination && waits(search, terminal, destination)) {
      hop->source = map->terminal[terminal];
      hop->destination = destination;
      hop->by = leads_by(search, before, destination, wait->slot);
      hop->next_by = leads_by(search, sw, destination, wait->next_slot);
      return true;
    }
  return false;
}

static uint32_t slot_of(const struct ut_fabric_map *map, uint32_t number) {
  const struct ut_graph_channel *channel = &map->graph->channel[number];
  return map->first[map->number[channel->from]] + channel->from_port;
}

int ut_fabric_explain(struct ut_fabric_cycles *cycles, const struct ut_fabric *fabric,
                      const struct ut_fabric_map *map) {
  const size_t states = (size_t)map->first[map->switches] * UT_SLS + 1;
  struct search search = {.fabric = fabric, .map = map};
  if (!cycles->hops)
    return 0;
  search.seen = calloc(states, sizeof *search.seen);
  search.state = malloc(states * sizeof *search.state);
  for (size_t i = 0; search.seen && search.state && i < cycles->hops; i++) {
    struct ut_fabric_hop *hop = &cycles->hop[i];
    search.wait = (struct wait){.slot = slot_of(map, hop->channel),
                                .next_slot = slot_of(map, cycles->hop[(i + 1) % cycles->hops].channel),
                                .vl = hop->vl,
                                .next_vl = hop->next_vl};
    for (uint32_t node = 0; node < map->graph->nodes; node++)
      if ((map->graph->node[node].terminal || fabric->switches) && find(&search, hop, node))
        break;
  }
  const bool enough = search.seen && search.state;
  free(search.seen);
  free(search.state);
  return enough ? 0 : -1;
}
