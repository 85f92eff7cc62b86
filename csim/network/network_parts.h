/* SPDX-License-Identifier: Apache-2.0 */
/* network_parts.h - what the files of a network need of each other; not for other files. */
#ifndef UT_NETWORK_PARTS_H
#define UT_NETWORK_PARTS_H

#include "network.h"

/* The wires of what arrives `cycles` cycles from now at that lane. */
static inline uint8_t *ut_network_flit_in(const struct ut_network *net, unsigned cycles, uint32_t lane) {
  return ut_wires_flits(&net->wires, net->cycle + cycles, lane);
}
static inline uint8_t *ut_network_credit_in(const struct ut_network *net, unsigned cycles, uint32_t lane) {
  return ut_wires_credits(&net->wires, net->cycle + cycles, lane);
}

/* ---- network.c */

/* The parts of a cycle: before terminals and switches are stepped; the terminals of a range; after all have been
 * stepped. */
void ut_network_begin_cycle(struct ut_network *net);
void ut_network_step_terminals(struct ut_network *net, unsigned range);
void ut_network_end_cycle(struct ut_network *net);

/* ---- network_partitions.c */

/* Divides the network into partitions; the lists of the old ones must be empty.  Returns false when out of memory. */
bool ut_network_divide(struct ut_network *net, unsigned partitions);
void ut_network_free_partitions(struct ut_partition *partition, unsigned partitions);

/* ---- network_links.c */

/* Applies the link and switch events of this cycle, and clears what the events of the last cycle left on the wires. */
void ut_network_apply_faults(struct ut_network *net);
/* Makes the ends of channels that have come back agree about the position of the next flit. */
void ut_network_resume(struct ut_network *net);
/* A switch reports something else to its neighbours from now on; and reports that have arrived reach the neighbours. */
void ut_network_report(struct ut_network *net, uint32_t s, uint32_t reports);
void ut_network_deliver_reports(struct ut_network *net);

/* ---- network_orders.c */

/* One cycle of the fault manager: it writes forwarding tables, or sends an order about node states to all switches. */
void ut_network_step_manager(struct ut_network *net);
void ut_network_step_purges(struct ut_network *net);

/* ---- network_contents.c */

/* The bytes of what arrives `cycles` cycles from now at a lane, less than ut_network_ahead(); with a lane of
 * ut_network_ahead() of the flits, or of the credits, that arrive there (net->delays). */
unsigned ut_network_ahead(const struct ut_network *net, const struct ut_link_delay *list, uint32_t lane);
uint8_t *ut_network_flit_coming(const struct ut_network *net, unsigned cycles, uint32_t lane);
uint8_t *ut_network_credit_coming(const struct ut_network *net, unsigned cycles, uint32_t lane);

/* The flits on the way to an input VC, this cycle's first; they stand before the position that the sender writes
 * next. */
unsigned ut_network_flits_under_way(const struct ut_network *net, uint32_t to);
const uint64_t *ut_network_flit_under_way(const struct ut_network *net, uint32_t to, unsigned index);

#endif
