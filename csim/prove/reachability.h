/* SPDX-License-Identifier: Apache-2.0 */
/* reachability.h - the routes to each destination that the terminals of a network know when the manager has updated all
 * of them (source_routes.h): which of their injection links lead there, and what their headers say.  The answers come
 * from the code that the simulator's terminals use, ut_family.choices.
 */
#ifndef UT_REACHABILITY_H
#define UT_REACHABILITY_H

#include "topology.h"

struct ut_reachability {
  const struct ut_topology *topology;
  uint32_t *choices;       /* [terminals * injections * terminals]: by source, link, destination; 0: no route */
  uint32_t *value, values; /* the values that occur, each once, without 0 */
  uint32_t value_room;
};

/* Returns whether terminals of that network choose among routes. */
bool ut_terminals_know_ways(const struct ut_topology *topo);

/* false: out of memory. */
bool ut_reachability_init(struct ut_reachability *reachability, const struct ut_topology *topo);
void ut_reachability_free(struct ut_reachability *reachability);

/* Updates all terminals to the network with those channels up (a bitmap; NULL: all).  Returns false when out of
 * memory. */
bool ut_reachability_survey(struct ut_reachability *reachability, const uint64_t *up);

/* Returns the routes through that injection link of src to dst, as its header says them; 0: none. */
static inline uint32_t ut_reachability_of(const struct ut_reachability *reachability, uint32_t src, unsigned link,
                                          uint32_t dst) {
  const struct ut_topology *topo = reachability->topology;
  return reachability->choices[((size_t)src * topo->injections + link) * topo->terminals + dst];
}

#endif
