/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_map.h - where the ports of a fabric's switches lead: a graph with numbers for its switches and their ports.
 *
 * A slot is an output port of a switch; the slots of switch s are first[s] .. first[s + 1] - 1.
 */
#ifndef UT_FABRIC_MAP_H
#define UT_FABRIC_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "graph.h"

#define UT_NO_SWITCH UINT32_MAX

struct ut_fabric_slot {
  uint32_t channel; /* of the graph; UT_NO_NODE: no cable */
  uint32_t to;      /* the node at its end; UT_NO_NODE: none */
  uint32_t sw;      /* the switch at its end; UT_NO_SWITCH: none */
  uint32_t in_port; /* there */
};

struct ut_fabric_map {
  const struct ut_graph *graph;
  uint32_t switches, terminals;
  uint32_t *node;   /* [switches] */
  uint32_t *number; /* [nodes]: of a switch or a terminal, each from 0 on */
  uint32_t *first;  /* [switches + 1]: slots */
  struct ut_fabric_slot *slot;
  uint32_t *terminal;            /* [terminals]: their nodes */
  uint32_t *home, *home_port;    /* [terminals]: where a terminal's packets enter: a switch, and its port */
  uint32_t *first_local, *local; /* [switches + 1], [terminals]: the terminals that send into each switch */
};

/* 0, or -1 when out of memory; to be freed in both cases.  The graph has been checked, and must outlive it. */
int ut_fabric_map_make(struct ut_fabric_map *map, const struct ut_graph *graph);
void ut_fabric_map_free(struct ut_fabric_map *map);

static inline uint32_t ut_fabric_ports(const struct ut_fabric_map *map, uint32_t sw) {
  return map->first[sw + 1] - map->first[sw];
}

#endif
