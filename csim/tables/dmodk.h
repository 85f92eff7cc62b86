/* SPDX-License-Identifier: Apache-2.0 */
/* dmodk.h - D-mod-K: of several next hops in a network of levels, whose switches have several parents, the one that the
 * destination's number selects (Zahavi and others, Concurrency and Computation, 2010).
 *
 * A switch of level l sends packets for terminal j up through port floor(j / (w_1 ... w_l)) mod (w_{l+1} p_{l+1}), of
 * the w parents and p cables to each: cable by cable, in each of these parent by parent.  Cables down are chosen in the
 * same way.  Where that port is not among the next hops, the destinations that share it are spread over the others in
 * turn, in the order of their other digits, and from switch to switch beginning with another one: all sources of one
 * destination would meet on the way down otherwise.
 */
#ifndef UT_DMODK_H
#define UT_DMODK_H

#include <stdbool.h>
#include <stdint.h>

#include "mask.h"
#include "topology.h"

enum { UT_DMODK_LEVELS = 24 };

struct ut_dmodk {
  const struct ut_topology *topology;
  uint16_t *level; /* [switches]: links to the nearest switch with terminals */
  ut_mask *up;     /* [switches]: ports to parents */
  struct {
    uint32_t below;           /* product of the parents of all levels below: w_1 ... w_l */
    unsigned parents, cables; /* of a switch of this level; cables: to each */
  } at[UT_DMODK_LEVELS];
};

/* false: out of memory. */
bool ut_dmodk_init(struct ut_dmodk *dmodk, const struct ut_topology *topo);
void ut_dmodk_fini(struct ut_dmodk *dmodk);

/* Returns one of the next hops of a switch, which are all to parents, or all to one child: one-hot. */
ut_mask ut_dmodk_choose(const struct ut_dmodk *dmodk, uint32_t sw, ut_mask ports, uint32_t dst);

#endif
