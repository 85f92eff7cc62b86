/* SPDX-License-Identifier: Apache-2.0 */
/* method_walks.h - the method of proof by walks and escape channels: its data about a fault set. */
#ifndef UT_METHOD_WALKS_H
#define UT_METHOD_WALKS_H

#include "method.h"
#include "packets.h"
#include "pair_ways.h"
#include "ring_check.h"
#include "rings.h"
#include "walk.h"

struct ut_by_walks {
  struct ut_packet_list packets;
  struct ut_walk walk;   /* the last one */
  struct ut_rings rings; /* dependencies under the fault set that was examined last */
  struct ut_ring_check ring;
  /* if terminals choose among routes: */
  struct ut_pair_ways ways;
  struct ut_ways_left left;    /* by the fault set that was examined last */
  struct ut_way_counts counts; /* after conclude */
};

/* Of a prover with this method. */
static inline struct ut_by_walks *ut_by_walks(const struct ut_prover *prover) {
  return prover->own;
}

/* Returns the arcs whose cycle is a failure: direct ones; under wormhole switching those of the extended graph if
 * adaptive VCs are allocated only when they are empty, otherwise all. */
const struct ut_arcs *ut_deciding_arcs(const struct ut_prover *prover);

/* Finds a dependency of escape channels, also over adaptive hops, that does not lead to a higher number of the paper;
 * false: there is none, or they have no numbers. */
bool ut_find_falling(struct ut_prover *prover, uint32_t *from, uint32_t *to);

/* Finds counter-examples (example_walks.c). */
bool ut_example_by_walks(struct ut_prover *prover, struct ut_counter_example *example);

#endif
