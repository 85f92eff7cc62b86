/* SPDX-License-Identifier: Apache-2.0 */
/* reachability.h - what the terminals of a network know of ways to each destination when the manager has told all of
 * them (source_routes.h): which of their injection links lead there, and what their headers say.  The code that answers
 * is the one that guides the simulator's terminals, ut_family.choices.
 */
#ifndef UT_REACHABILITY_H
#define UT_REACHABILITY_H

#include "topology.h"

struct ut_reachability {
  const struct ut_topology *topology;
  uint32_t *choices;       /* [terminals * injections * terminals]: by source, link, destination; 0: no way */
  uint32_t *value, values; /* those that occur, each once, without 0 */
  uint32_t value_room;
};

/* Whether terminals of that network are told anything. */
bool ut_terminals_know_ways(const struct ut_topology *topo);

/* false: out of memory. */
bool ut_reachability_init(struct ut_reachability *reachability, const struct ut_topology *topo);
void ut_reachability_free(struct ut_reachability *reachability);

/* Everybody knows the network with those channels up (a bitmap; NULL: all).  false: out of memory. */
bool ut_reachability_survey(struct ut_reachability *reachability, const uint64_t *up);

/* The ways through that injection link of src to dst, as its header says them; 0: none. */
static inline uint32_t ut_reachability_of(const struct ut_reachability *reachability, uint32_t src, unsigned link,
                                          uint32_t dst) {
  const struct ut_topology *topo = reachability->topology;
  return reachability->choices[((size_t)src * topo->injections + link) * topo->terminals + dst];
}

#endif
