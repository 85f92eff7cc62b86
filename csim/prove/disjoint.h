/* SPDX-License-Identifier: Apache-2.0 */
/* disjoint.h - counts the paths of a pair that have no link in common: a maximum flow in which each link carries one
 * unit. */
#ifndef UT_DISJOINT_H
#define UT_DISJOINT_H

#include "pair_ways.h"

/* Each link is two vertices, in and out, so that its capacity can be limited. */
struct ut_disjoint {
  const struct ut_pair_ways *ways;
  uint32_t *vertex;         /* [channels]: of this pair, 0: none yet */
  uint32_t *channel, *node; /* [channels + 2]: by vertex / 2 */
  uint32_t links;
  int64_t *arc;     /* [2 * room]: from, to; for igraph */
  double *capacity; /* [room] */
  uint32_t arcs, room;
  bool bad_memory; /* out of memory: results are void */
};

/* false: out of memory. */
bool ut_disjoint_init(struct ut_disjoint *disjoint, const struct ut_pair_ways *ways);
void ut_disjoint_free(struct ut_disjoint *disjoint);
/* terminals: links to and from terminals carry one path each, too; otherwise any number. */
uint32_t ut_disjoint_ways(struct ut_disjoint *disjoint, uint32_t src, uint32_t dst, bool terminals);

#endif
