/* SPDX-License-Identifier: Apache-2.0 */
/* switch_tables.h - forwarding tables of somebody else: through which port each switch of a graph sends packets for
 * each other node.
 *
 * One file holds the tables of all switches; which of these forms it has is told from its content:
 *
 *   dump of tables  "Unicast lids [0-15] of switch Lid 2 guid 0x0000000000200000 ('ring0'):", below it "0x0001 001 #":
 *                   OpenSM's opensm-lfts.dump, and what dump_lfts.sh prints
 *   fdbs            "dump_ucast_routes: Switch 0x0000000000200000", below it "0x0001 : 001 : 01 : yes": OpenSM,
 *                   ibdiagnet, older ones "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000200000"
 *   CSV             "switch,destination,port" and rows of names: of any network
 *
 * The first two name a switch by its GUID, or else its name, and destinations by LIDs, so the network must be a node
 * list that has them.
 */
#ifndef UT_SWITCH_TABLES_H
#define UT_SWITCH_TABLES_H

#include "error.h"
#include "graph.h"

enum { UT_NO_TABLE_PORT = 0xff };

struct ut_switch_table {
  uint8_t *port; /* [nodes]: to each node, counted from 0; UT_NO_TABLE_PORT: there is no way.  NULL: a terminal */
  unsigned line; /* where the table begins */
};

struct ut_switch_tables {
  const struct ut_graph *graph;
  struct ut_switch_table *of; /* [nodes of the graph] */
};

/* Reads the tables of all switches of a graph, which must outlive them.  Rows of LIDs that no node has are left out.
 * NULL and *e (UT_BAD_INPUT): with the file, the line and the remedy. */
struct ut_switch_tables *ut_switch_tables_read(const char *path, const struct ut_graph *graph, struct ut_error *e);
/* The same of tables from before the network was changed: entries that lead into a port without a cable, and tables
 * that switches do not have, are no way; those of switches that the network does not have are left out. */
struct ut_switch_tables *ut_switch_tables_read_old(const char *path, const struct ut_graph *graph, struct ut_error *e);
/* Tables without entries, to be filled.  NULL: out of memory. */
struct ut_switch_tables *ut_switch_tables_new(const struct ut_graph *graph);
void ut_switch_tables_free(struct ut_switch_tables *tables);

/* Returns the port of a switch to a node, counted from 0; UT_NO_TABLE_PORT: none. */
static inline unsigned ut_switch_tables_port(const struct ut_switch_tables *tables, uint32_t sw, uint32_t to) {
  return tables->of[sw].port[to];
}

#endif
