/* SPDX-License-Identifier: Apache-2.0 */
/* source_routes.h - the source route tables of the terminals: which of their links lead to a destination, and by which
 * of the routes that the header can name.
 *
 * The manager surveys the network when something changes (manager.h has the same model of time) and updates the
 * terminals one after the other; until then a terminal uses what it knew.  Faults of cycle 0 are known from the
 * beginning.  The topology's family defines what a route is (ut_family.choices).
 */
#ifndef UT_SOURCE_ROUTES_H
#define UT_SOURCE_ROUTES_H

#include "faults.h"

struct ut_source_routes {
  const struct ut_topology *topology;
  uint64_t *older, *newer; /* bitmaps of working channels; NULL: all channels */
  uint64_t *memory;        /* words of the two bitmaps */
  uint64_t delay, pace;
  bool told, round;
  uint64_t start;      /* cycle in which terminal 0 learns `newer`; every `pace` cycles another one follows */
  uint64_t next_cycle; /* no action is due before this cycle */
};

/* false: out of memory. */
bool ut_source_routes_init(struct ut_source_routes *routes, const struct ut_topology *topo, uint64_t delay,
                           uint64_t pace);
void ut_source_routes_fini(struct ut_source_routes *routes);

/* Updates all terminals to the present network at once. */
void ut_source_routes_begin(struct ut_source_routes *routes, const struct ut_faults *faults);

/* To be called when a link or switch has changed its state in this cycle. */
void ut_source_routes_tell(struct ut_source_routes *routes, uint64_t cycle);

/* Runs one cycle, which is routes->next_cycle or later. */
void ut_source_routes_step(struct ut_source_routes *routes, const struct ut_faults *faults, uint64_t cycle);

/* Returns the routes to dst that terminal src knows through one of its injection links, as a set for its header; 0:
 * none. */
unsigned ut_source_routes_choices(const struct ut_source_routes *routes, uint32_t src, unsigned link, uint32_t dst,
                                  uint64_t cycle);

#endif
