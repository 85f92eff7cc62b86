/* SPDX-License-Identifier: Apache-2.0 */
/* drain.h - whether all packets that had been begun by some cycle have left the network: delivered, or discarded.
 *
 * Each source keeps a record of a packet until it has left, so a source is done when its oldest record is of a packet
 * that it has begun later.  A chip would need a bit in the header that sources turn over in that cycle, and two
 * counters at each source, sink and place of discard; the sums tell the manager.
 */
#ifndef UT_DRAIN_H
#define UT_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

struct ut_terminals;

struct ut_drain {
  uint64_t *begun; /* [terminals]: packets that the source had begun */
  uint32_t done;   /* the first sources, which are done */
};

/* false: out of memory. */
bool ut_drain_init(struct ut_drain *drain, uint32_t terminals);
void ut_drain_fini(struct ut_drain *drain);

/* Waits from now on for the packets that have been begun. */
void ut_drain_begin(struct ut_drain *drain, const struct ut_terminals *terminals);

/* Whether all of them have left. */
bool ut_drain_done(struct ut_drain *drain, const struct ut_terminals *terminals);

#endif
