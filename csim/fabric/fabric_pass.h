/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_pass.h - the ways of packets for one destination: which slot each switch sends them to, by one table. */
#ifndef UT_FABRIC_PASS_H
#define UT_FABRIC_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric_map.h"
#include "fabric_routes.h"

enum ut_fabric_way {
  UT_WAY_NONE,    /* no entry, or one that leads to another terminal, or nowhere */
  UT_WAY_ARRIVES, /* at the destination, or is the destination itself */
  UT_WAY_GOES_ON, /* to another switch */
};

struct ut_fabric_step {
  enum ut_fabric_way way;
  uint32_t slot; /* UT_WAY_GOES_ON: between two switches */
};

/* What a switch does with packets for a node. */
static inline struct ut_fabric_step ut_fabric_step(const struct ut_fabric_map *map,
                                                   const struct ut_switch_tables *tables, uint32_t sw,
                                                   uint32_t destination) {
  const uint32_t node = map->node[sw];
  if (node == destination)
    return (struct ut_fabric_step){.way = UT_WAY_ARRIVES};
  const unsigned port = ut_switch_tables_port(tables, node, destination);
  if (port == UT_NO_TABLE_PORT || port >= ut_fabric_ports(map, sw))
    return (struct ut_fabric_step){.way = UT_WAY_NONE};
  const uint32_t slot = map->first[sw] + port;
  if (map->slot[slot].sw != UT_NO_SWITCH)
    return (struct ut_fabric_step){.way = UT_WAY_GOES_ON, .slot = slot};
  return (struct ut_fabric_step){.way = map->slot[slot].to == destination ? UT_WAY_ARRIVES : UT_WAY_NONE};
}

/* The VL behind an output port, of a packet from another port of a switch. */
static inline unsigned ut_fabric_vl(const struct ut_fabric *fabric, uint32_t node, unsigned in_port, unsigned out_port,
                                    unsigned sl) {
  return fabric->vls ? ut_sl_vl(fabric->vls, node, in_port, out_port, sl) : sl;
}

/* The SL of a terminal's packets to a node. */
static inline unsigned ut_fabric_sl(const struct ut_fabric *fabric, uint32_t terminal, uint32_t destination) {
  return fabric->sls ? ut_path_sl(fabric->sls, terminal, destination) : 0;
}

/* How many VLs there may be: one more than the highest. */
unsigned ut_fabric_most_vls(const struct ut_fabric *fabric);

#endif
