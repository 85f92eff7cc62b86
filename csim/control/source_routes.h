/* SPDX-License-Identifier: Apache-2.0 */
/* source_routes.h - what terminals know of the network: which of their links lead to a destination, and by which of the
 * ways that the header may name.
 *
 * The manager (manager.h has the same model of time) surveys the network when something changes, and tells the
 * terminals one after the other; until then they act on what they knew.  Faults of cycle 0 are known from the
 * beginning.  What a way is says the topology's family (ut_family.choices).
 */
#ifndef UT_SOURCE_ROUTES_H
#define UT_SOURCE_ROUTES_H

#include "faults.h"

struct ut_source_routes {
  const struct ut_topology *topology;
  uint64_t *older, *newer; /* bitmaps over channels: those that work; NULL: all of them */
  uint64_t *memory;        /* of two such */
  uint64_t delay, pace;
  bool told, round;
  uint64_t start;      /* cycle in which terminal 0 learns of `newer`; then every `pace` cycles another one does */
  uint64_t next_cycle; /* nothing to do before */
};

/* false: out of memory. */
bool ut_source_routes_init(struct ut_source_routes *routes, const struct ut_topology *topo, uint64_t delay,
                           uint64_t pace);
void ut_source_routes_fini(struct ut_source_routes *routes);

/* Everybody knows the network as it is now. */
void ut_source_routes_begin(struct ut_source_routes *routes, const struct ut_faults *faults);

/* A link or switch has changed its state in this cycle. */
void ut_source_routes_tell(struct ut_source_routes *routes, uint64_t cycle);

/* One cycle, which is routes->next_cycle or later. */
void ut_source_routes_step(struct ut_source_routes *routes, const struct ut_faults *faults, uint64_t cycle);

/* The ways to dst that terminal src knows through one of its injection links, as a set for its header; 0: none. */
unsigned ut_source_routes_choices(const struct ut_source_routes *routes, uint32_t src, unsigned link, uint32_t dst,
                                  uint64_t cycle);

#endif
