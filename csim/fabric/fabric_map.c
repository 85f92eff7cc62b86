/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_map.c - see fabric_map.h */
#include "fabric_map.h"

#include <stdlib.h>
#include <string.h>

static void *make(size_t count, size_t size) {
  return calloc(count + 1, size);
}

/* Numbers switches and terminals, and the slots of switches. */
static void count(struct ut_fabric_map *map) {
  const struct ut_graph *graph = map->graph;
  for (uint32_t i = 0; i < graph->nodes; i++) {
    if (graph->node[i].terminal) {
      map->number[i] = map->terminals;
      map->terminal[map->terminals++] = i;
      continue;
    }
    map->number[i] = map->switches;
    map->node[map->switches++] = i;
    map->first[map->switches] = map->first[map->switches - 1] + graph->node[i].ports;
  }
}

static void lay(struct ut_fabric_map *map, uint32_t number) {
  const struct ut_graph *graph = map->graph;
  const struct ut_graph_channel *channel = &graph->channel[number];
  if (graph->node[channel->from].terminal) {
    const uint32_t terminal = map->number[channel->from];
    map->home[terminal] = map->number[channel->to];
    map->home_port[terminal] = channel->to_port;
    map->first_local[map->home[terminal] + 1]++;
    return;
  }
  map->slot[map->first[map->number[channel->from]] + channel->from_port] = (struct ut_fabric_slot){
      .channel = number,
      .to = channel->to,
      .sw = graph->node[channel->to].terminal ? UT_NO_SWITCH : map->number[channel->to],
      .in_port = channel->to_port,
  };
}

/* Lists the terminals of each switch; first_local has how many there are, one switch on. */
static void list_local(struct ut_fabric_map *map) {
  for (uint32_t sw = 0; sw < map->switches; sw++)
    map->first_local[sw + 1] += map->first_local[sw];
  for (uint32_t i = map->terminals; i-- > 0;) /* from the end of each list */
    map->local[--map->first_local[map->home[i] + 1]] = i;
  for (uint32_t sw = 0; sw < map->switches; sw++) /* which are the beginnings now, one switch on */
    map->first_local[sw] = map->first_local[sw + 1];
  map->first_local[map->switches] = map->terminals;
}

int ut_fabric_map_make(struct ut_fabric_map *map, const struct ut_graph *graph) {
  const size_t nodes = graph->nodes;
  *map = (struct ut_fabric_map){.graph = graph,
                                .node = make(nodes, sizeof *map->node),
                                .number = make(nodes, sizeof *map->number),
                                .first = make(nodes + 1, sizeof *map->first),
                                .terminal = make(nodes, sizeof *map->terminal),
                                .home = make(nodes, sizeof *map->home),
                                .home_port = make(nodes, sizeof *map->home_port),
                                .first_local = make(nodes + 1, sizeof *map->first_local),
                                .local = make(nodes, sizeof *map->local)};
  if (!map->node || !map->number || !map->first || !map->terminal || !map->home || !map->home_port ||
      !map->first_local || !map->local)
    return -1;
  count(map);
  map->slot = make(map->first[map->switches], sizeof *map->slot);
  if (!map->slot)
    return -1;
  for (uint32_t i = 0; i < map->first[map->switches]; i++)
    map->slot[i] = (struct ut_fabric_slot){.channel = UT_NO_NODE, .to = UT_NO_NODE, .sw = UT_NO_SWITCH};
  for (uint32_t i = 0; i < graph->channels; i++)
    lay(map, i);
  list_local(map);
  return 0;
}

void ut_fabric_map_free(struct ut_fabric_map *map) {
  free(map->node);
  free(map->number);
  free(map->first);
  free(map->slot);
  free(map->terminal);
  free(map->home);
  free(map->home_port);
  free(map->first_local);
  free(map->local);
}
