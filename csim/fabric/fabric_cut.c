/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_cut.c - see fabric_cut.h */
#include "fabric_cut.h"

#include <stdlib.h>
#include <string.h>

#include "fabric_map.h"
#include "fabric_pass.h"

struct cutting {
  const struct ut_fabric *fabric;
  struct ut_fabric_map map;
  struct ut_switch_tables *entries; /* of the whole fabric: those that are kept */
  bool *keeps;                      /* [nodes] */
  bool *used;                       /* [channels] */
  uint32_t *from;                   /* [slots]: the slot before, on the way from a source; UT_NO_NODE: not seen */
  uint32_t *queue;                  /* [slots] */
  uint32_t *number;                 /* [nodes]: in the cut */
  uint8_t *port;                    /* [slots]: the port of the cut that it has become; UT_NO_TABLE_PORT: none */
  struct ut_error *e;
};

/* ---- routes */

/* Keeps an entry of a switch.  0, or -1 and *e: another one is kept already. */
static int keep(struct cutting *cutting, uint32_t sw, uint32_t destination, unsigned port) {
  const struct ut_fabric_map *map = &cutting->map;
  const struct ut_graph *graph = map->graph;
  uint8_t *entry = &cutting->entries->of[map->node[sw]].port[destination];
  const struct ut_fabric_slot *slot = &map->slot[map->first[sw] + port];
  if (*entry != UT_NO_TABLE_PORT && *entry != port)
    return ut_fail(cutting->e, UT_BAD_INPUT,
                   "the packets of this cycle need the old and the new entry of '%s' to '%s' at once: tables that stay "
                   "as they are do not show it",
                   graph->node[map->node[sw]].name, graph->node[destination].name);
  *entry = (uint8_t)port;
  cutting->keeps[map->node[sw]] = cutting->keeps[slot->to] = true;
  cutting->used[slot->channel] = true;
  return 0;
}

static bool is_seen(const struct cutting *cutting, uint32_t slot) {
  return cutting->from[slot] != UT_NO_NODE;
}

/* The slots by which packets may leave a switch, old and new. */
static void leave(struct cutting *cutting, uint32_t sw, uint32_t destination, uint32_t before, uint32_t *queued) {
  const struct ut_switch_tables *const tables[] = {cutting->fabric->tables, cutting->fabric->old};
  for (unsigned i = 0; i < 2 && tables[i]; i++) {
    const struct ut_fabric_step step = ut_fabric_step(&cutting->map, tables[i], sw, destination);
    if (step.way != UT_WAY_GOES_ON || is_seen(cutting, step.slot))
      continue;
    cutting->from[step.slot] = before == UT_NO_NODE ? step.slot : before; /* the first one is before itself */
    cutting->queue[(*queued)++] = step.slot;
  }
}

/* Keeps the entries from a source to the end of a slot. */
static int keep_way(struct cutting *cutting, uint32_t source, uint32_t destination, uint32_t slot) {
  const struct ut_fabric_map *map = &cutting->map;
  uint32_t queued = 0;
  memset(cutting->from, 0xff, map->first[map->switches] * sizeof *cutting->from); /* UT_NO_NODE */
  leave(cutting, map->home[map->number[source]], destination, UT_NO_NODE, &queued);
  for (uint32_t i = 0; i < queued && !is_seen(cutting, slot); i++)
    leave(cutting, map->slot[cutting->queue[i]].sw, destination, cutting->queue[i], &queued);
  for (uint32_t at = slot;; at = cutting->from[at]) {
    const struct ut_graph_channel *channel = &map->graph->channel[map->slot[at].channel];
    if (keep(cutting, map->number[channel->from], destination, channel->from_port))
      return -1;
    if (cutting->from[at] == at || !is_seen(cutting, at))
      return 0;
  }
}

/* Keeps the entries from a switch on, until the packet arrives, or comes to where it has been led before. */
static int keep_rest(struct cutting *cutting, uint32_t sw, uint32_t destination) {
  const struct ut_fabric_map *map = &cutting->map;
  while (map->node[sw] != destination &&
         ut_switch_tables_port(cutting->entries, map->node[sw], destination) == UT_NO_TABLE_PORT) {
    const struct ut_fabric_step step = ut_fabric_step(map, cutting->fabric->tables, sw, destination);
    if (step.way == UT_WAY_NONE)
      return 0;
    if (keep(cutting, sw, destination, ut_switch_tables_port(cutting->fabric->tables, map->node[sw], destination)))
      return -1;
    if (step.way == UT_WAY_ARRIVES)
      return 0;
    sw = map->slot[step.slot].sw;
  }
  return 0;
}

static uint32_t slot_of(const struct ut_fabric_map *map, uint32_t number) {
  const struct ut_graph_channel *channel = &map->graph->channel[number];
  return map->first[map->number[channel->from]] + channel->from_port;
}

static int keep_hop(struct cutting *cutting, const struct ut_fabric_hop *hop, const struct ut_fabric_hop *next) {
  const struct ut_fabric_map *map = &cutting->map;
  const struct ut_fabric_slot *asked = &map->slot[slot_of(map, next->channel)];
  const uint32_t held = slot_of(map, hop->channel);
  cutting->keeps[hop->source] = cutting->keeps[hop->destination] = true;
  if (!map->graph->node[hop->destination].terminal)
    return ut_fail(cutting->e, UT_BAD_INPUT, "packets of this cycle go to '%s', a switch, which a replay does not show",
                   map->graph->node[hop->destination].name);
  const uint32_t last = map->number[hop->destination]; /* its switch needs a table, even if no packet comes there */
  if (keep(cutting, map->home[last], hop->destination, map->home_port[last]))
    return -1;
  if (keep_way(cutting, hop->source, hop->destination, held) ||
      keep(cutting, map->slot[held].sw, hop->destination, map->graph->channel[next->channel].from_port))
    return -1;
  return keep_rest(cutting, asked->sw, hop->destination);
}

/* ---- the graph */

static int add_nodes(struct cutting *cutting, struct ut_graph *cut) {
  const struct ut_graph *graph = cutting->map.graph;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    if (!cutting->keeps[i])
      continue;
    const struct ut_graph_node node = {.name = graph->node[i].name, .terminal = graph->node[i].terminal};
    cutting->number[i] = ut_graph_add(cut, &node, cutting->e);
    if (cutting->number[i] == UT_NO_NODE)
      return -1;
  }
  return 0;
}

/* A port of a node in the fabric, as one of all ports of switches; UT_NO_NODE: of a terminal. */
static uint32_t port_at(const struct cutting *cutting, uint32_t node, unsigned port) {
  const struct ut_fabric_map *map = &cutting->map;
  return map->graph->node[node].terminal ? UT_NO_NODE : map->first[map->number[node]] + port;
}

/* Adds a cable at the next ports of its two ends; one that leads back is there already. */
static int add_cable(const struct cutting *cutting, struct ut_graph *cut, const struct ut_graph_channel *channel) {
  const uint32_t from = cutting->number[channel->from], to = cutting->number[channel->to],
                 here = port_at(cutting, channel->from, channel->from_port),
                 there = port_at(cutting, channel->to, channel->to_port);
  const struct ut_graph_channel cable = {
      .from = from, .to = to, .from_port = (uint8_t)cut->node[from].ports, .to_port = (uint8_t)cut->node[to].ports};
  if ((here == UT_NO_NODE || cutting->port[here] != UT_NO_TABLE_PORT) &&
      (there == UT_NO_NODE || cutting->port[there] != UT_NO_TABLE_PORT))
    return 0;
  if (here != UT_NO_NODE)
    cutting->port[here] = cable.from_port;
  if (there != UT_NO_NODE)
    cutting->port[there] = cable.to_port;
  return ut_graph_join(cut, &cable, cutting->e);
}

/* Terminals are kept with their switches. */
static void keep_homes(const struct cutting *cutting) {
  const struct ut_graph *graph = cutting->map.graph;
  for (uint32_t i = 0; i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    if (graph->node[channel->from].terminal && cutting->keeps[channel->from])
      cutting->used[i] = cutting->keeps[channel->to] = true;
  }
}

static int make_graph(struct cutting *cutting, struct ut_fabric_cut *cut) {
  const struct ut_graph *graph = cutting->map.graph;
  keep_homes(cutting);
  cut->graph = ut_graph_new(graph->path);
  if (!cut->graph)
    return ut_fail_memory(cutting->e);
  cut->graph->first_port = graph->first_port;
  int result = add_nodes(cutting, cut->graph);
  for (uint32_t i = 0; !result && i < graph->channels; i++)
    if (cutting->used[i])
      result = add_cable(cutting, cut->graph, &graph->channel[i]);
  return result;
}

static int make_tables(const struct cutting *cutting, struct ut_fabric_cut *cut) {
  const struct ut_graph *graph = cutting->map.graph;
  cut->tables = ut_switch_tables_new(cut->graph);
  if (!cut->tables)
    return ut_fail_memory(cutting->e);
  for (uint32_t sw = 0; sw < graph->nodes; sw++)
    for (uint32_t to = 0; cutting->keeps[sw] && !graph->node[sw].terminal && to < graph->nodes; to++) {
      const unsigned port = ut_switch_tables_port(cutting->entries, sw, to);
      if (port != UT_NO_TABLE_PORT)
        cut->tables->of[cutting->number[sw]].port[cutting->number[to]] = cutting->port[port_at(cutting, sw, port)];
    }
  return 0;
}

/* ---- */

/* What one VC can show: packets that stay on one VL. */
static int check_lanes(const struct ut_fabric_cycles *cycles, struct ut_error *e) {
  for (size_t i = 0; i < cycles->hops; i++)
    if (cycles->hop[i].vl != cycles->hop[0].vl)
      return ut_fail(e, UT_BAD_INPUT,
                     "the packets of this cycle change from VL %u to VL %u, which a replay does not show",
                     cycles->hop[0].vl, cycles->hop[i].vl);
  return 0;
}

static int make(struct cutting *cutting) {
  const struct ut_graph *graph = cutting->fabric->graph;
  if (ut_fabric_map_make(&cutting->map, graph))
    return -1;
  const size_t slots = cutting->map.first[cutting->map.switches] + 1;
  cutting->entries = ut_switch_tables_new(graph);
  cutting->keeps = calloc(graph->nodes + 1, sizeof *cutting->keeps);
  cutting->used = calloc(graph->channels + 1, sizeof *cutting->used);
  cutting->number = calloc(graph->nodes + 1, sizeof *cutting->number);
  cutting->from = calloc(slots, sizeof *cutting->from);
  cutting->queue = calloc(slots, sizeof *cutting->queue);
  cutting->port = malloc(slots);
  if (!cutting->entries || !cutting->keeps || !cutting->used || !cutting->number || !cutting->from || !cutting->queue ||
      !cutting->port)
    return -1;
  memset(cutting->port, UT_NO_TABLE_PORT, slots);
  return 0;
}

static void unmake(struct cutting *cutting) {
  ut_fabric_map_free(&cutting->map);
  ut_switch_tables_free(cutting->entries);
  free(cutting->keeps);
  free(cutting->used);
  free(cutting->number);
  free(cutting->from);
  free(cutting->queue);
  free(cutting->port);
}

int ut_fabric_cut_make(struct ut_fabric_cut *cut, const struct ut_fabric *fabric, const struct ut_fabric_cycles *cycles,
                       struct ut_error *e) {
  struct cutting cutting = {.fabric = fabric, .e = e};
  *cut = (struct ut_fabric_cut){0};
  int result = make(&cutting) ? ut_fail_memory(e) : check_lanes(cycles, e);
  for (size_t i = 0; !result && i < cycles->hops; i++)
    result = keep_hop(&cutting, &cycles->hop[i], &cycles->hop[(i + 1) % cycles->hops]);
  if (!result)
    result = make_graph(&cutting, cut) || make_tables(&cutting, cut) ? -1 : 0;
  unmake(&cutting);
  if (result)
    ut_fabric_cut_free(cut);
  return result;
}

void ut_fabric_cut_free(struct ut_fabric_cut *cut) {
  ut_switch_tables_free(cut->tables);
  ut_graph_free(cut->graph);
  *cut = (struct ut_fabric_cut){0};
}
