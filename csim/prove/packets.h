/* SPDX-License-Identifier: Apache-2.0 */
/* packets.h - the packets that are walked through a network: header words, destination, sources. */
#ifndef UT_PACKETS_H
#define UT_PACKETS_H

#include "explorer.h"
#include "planned_routes.h"
#include "reachability.h"

enum { UT_MAX_HEADERS = UT_MAX_SUB_PATHS };

/* Packets that are walked together. */
struct ut_packets {
  uint64_t header[UT_MAX_HEADERS]; /* the first one is routed first */
  unsigned headers;
  uint32_t dst; /* the terminal where they must arrive */
  uint32_t source[UT_MAX_PROVED_TERMINALS], sources;
  uint8_t link[UT_MAX_PROVED_TERMINALS]; /* by source: set of the injection links that it uses */
};

/* All packets of a network under some faults.  For each terminal those with the plain header, then, if routes are
 * planned, those of each planned pair of switches.  If terminals choose among routes: for each terminal those with each
 * header that its senders may use; if the planner of tables has layers, those of each layer.  If packets have an
 * intermediate terminal: for each terminal those with each of the intermediate terminals that switches tell from each
 * other, one of each switch. */
struct ut_packet_list {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct ut_route_planner planner;
  bool planned, told;
  uint16_t *via; /* [vias]: intermediate terminals; vias 0: packets have none */
  uint32_t vias;
  struct ut_reachability ways;     /* the routes that they know */
  const struct ut_next_hops *hops; /* tables whose planner says in which layer packets are; NULL: none does */
  struct ut_paths *paths;
  uint32_t *entry; /* [paths->count]: the pair of each entry, from * nodes + to */
};

int ut_packet_list_init(struct ut_packet_list *list, const struct ut_scenario *scenario, const struct ut_topology *topo,
                        struct ut_error *e);
/* Lets the tables of the explorer say what sources write into headers. */
void ut_packet_list_ask_tables(struct ut_packet_list *list, const struct ut_explorer *explorer);
/* Whether each terminal, but for these two, sends to both of them in the same layer. */
bool ut_packet_list_alike(const struct ut_packet_list *list, uint32_t dst, uint32_t other);
void ut_packet_list_free(struct ut_packet_list *list);

/* Sets the faults, and the channels that are up (a bitmap; NULL: all): plans routes anew, and updates the routes that
 * terminals know.  Returns -1 and fills *e (UT_BAD_INPUT) when out of memory, or if routes cannot be planned around so
 * many faults. */
int ut_packet_list_plan(struct ut_packet_list *list, const struct ut_fault_set *set, const uint64_t *up,
                        struct ut_error *e);

/* Returns packets number 0, 1, 2 ...; packets without a route have no sources.  false: there are no more. */
bool ut_packet_list_get(const struct ut_packet_list *list, uint64_t number, struct ut_packets *packets);

/* Returns how many numbers they have; of networks without planned routes. */
uint64_t ut_packet_list_count(const struct ut_packet_list *list);

/* Removes the packets of nodes that do not communicate: none goes to or from a node that has failed or is treated as
 * failed (DETOUR, assumption A5). */
void ut_packets_leave_out(struct ut_packets *packets, const struct ut_explorer *explorer);

#endif
