/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_routes.h - the routes of all pairs of terminals by tables of somebody else: whether they arrive, how far they
 * lead, and which channels wait for which (Dally and Seitz, 1987).
 *
 * One pass over the switches for each destination: its routes are a tree, or where they loop a graph with one channel
 * out of each switch.  A route begins at the switch of its terminal.  A channel is a link between two switches and a
 * VL; one waits for another where some packet comes by the first and goes on by the second.  A route that ends nowhere
 * counts up to there.
 */
#ifndef UT_FABRIC_ROUTES_H
#define UT_FABRIC_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "graph.h"
#include "path_sls.h"
#include "switch_tables.h"

struct ut_fabric {
  const struct ut_graph *graph;
  const struct ut_switch_tables *tables;
  const struct ut_switch_tables *old; /* tables that these take the place of; NULL: none (fabric_transition.h) */
  const struct ut_path_sls *sls;      /* complete ones; NULL: every packet has SL 0 */
  const struct ut_sl_vls *vls;        /* complete ones; NULL: the VL is the SL */
  bool switches;                      /* terminals send to switches, too */
};

enum ut_fabric_by { UT_BY_NEW, UT_BY_OLD, UT_BY_BOTH }; /* whose entry it is */

/* A hop of a cycle: the channel that a packet holds while it waits for the next hop's. */
struct ut_fabric_hop {
  uint32_t channel; /* of the graph, from one switch to another */
  uint8_t vl, next_vl;
  uint32_t source, destination;  /* nodes: of a packet that holds this channel and asks for the next hop's */
  enum ut_fabric_by by, next_by; /* in a transition: which tables lead it here, and on; else UT_BY_NEW */
};

/* Channels that wait for each other. */
struct ut_fabric_cycles {
  uint64_t channels;     /* that routes use */
  uint64_t dependencies; /* between them */
  uint64_t cycles;       /* strongly connected components with a cycle */
  uint64_t channels_in_cycles;
  struct ut_fabric_hop *hop; /* [hops]: a shortest cycle of one component; NULL: there is none */
  size_t hops;
};

/* A pair that is not delivered. */
struct ut_fabric_loss {
  uint32_t source, destination; /* nodes; source UT_NO_NODE: every pair is delivered */
  uint32_t at;                  /* a switch that has no way on, or is passed again and again */
  bool loops;
};

struct ut_fabric_routes {
  uint64_t pairs, unreachable, looping; /* those that loop are unreachable, too */
  uint64_t hops_sum;                    /* between switches, of the pairs that are delivered */
  unsigned hops_max, vls;               /* vls: different ones on links between switches, at least 1 */
  uint64_t load_max;                    /* pairs over the busiest link between switches */
  uint32_t busiest;                     /* that link, a channel of the graph; UT_NO_NODE: none */
  struct ut_fabric_cycles waits;
  struct ut_fabric_loss loss; /* the first one */
};

/* Finds them; to be freed.  0, or -1 and *e: out of memory. */
int ut_fabric_routes_find(struct ut_fabric_routes *routes, const struct ut_fabric *fabric, struct ut_error *e);
void ut_fabric_routes_free(struct ut_fabric_routes *routes);

#endif
