/* SPDX-License-Identifier: Apache-2.0 */
/* network_parts.h - what the files of a network need of each other; nobody else includes it. */
#ifndef UT_NETWORK_PARTS_H
#define UT_NETWORK_PARTS_H

#include "network.h"

/* What arrives so many cycles from now at that lane. */
static inline uint8_t *ut_network_flit_in(const struct ut_network *net, unsigned cycles, uint32_t lane) {
  return ut_wires_flits(&net->wires, net->cycle + cycles, lane);
}
static inline uint8_t *ut_network_credit_in(const struct ut_network *net, unsigned cycles, uint32_t lane) {
  return ut_wires_credits(&net->wires, net->cycle + cycles, lane);
}

/* ---- network.c */

/* What happens in a cycle before terminals and switches are stepped, the terminals of a range, and what happens when
 * all of them have been stepped. */
void ut_network_begin_cycle(struct ut_network *net);
void ut_network_step_terminals(struct ut_network *net, unsigned range);
void ut_network_end_cycle(struct ut_network *net);

/* ---- network_partitions.c */

/* Divides all that moves; the lists of before must be empty.  false: out of memory. */
bool ut_network_divide(struct ut_network *net, unsigned partitions);
void ut_network_free_partitions(struct ut_partition *partition, unsigned partitions);

/* ---- network_links.c */

/* Links and switches that change in this cycle, and what those of the last cycle have left on the wires. */
void ut_network_apply_faults(struct ut_network *net);
/* The ends of channels that have come back agree where the next flit goes. */
void ut_network_resume(struct ut_network *net);
/* A switch tells its neighbours something else from now on; and what has come reaches them. */
void ut_network_report(struct ut_network *net, uint32_t s, uint32_t reports);
void ut_network_deliver_reports(struct ut_network *net);

/* ---- network_contents.c */

/* The flits on the way to an input VC, this cycle's first; they stand before the position that the sender will write
 * next. */
unsigned ut_network_flits_under_way(const struct ut_network *net, uint32_t to);
const uint64_t *ut_network_flit_under_way(const struct ut_network *net, uint32_t to, unsigned index);

#endif
