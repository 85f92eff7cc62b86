/* SPDX-License-Identifier: Apache-2.0 */
/* zero_load.h - the latency of a packet that is alone in the network, from the cycle contract
 * (docs/reference/cycle-contract.md).
 *
 * A packet that is generated in cycle t is on its terminal's wire in t + 1.  Its head takes ut_shape_hop() cycles for
 * each switch, and for each link the cycles that it has more than one; its tail comes one cycle later for each flit
 * between.  That holds where the whole packet fits into each buffer: else its flits wait for credits.
 */
#ifndef UT_ZERO_LOAD_H
#define UT_ZERO_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct ut_network;

/* Over all pairs of different terminals that have a path, each by its fastest one. */
struct ut_zero_load {
  double mean; /* cycles from generation to the arrival of the tail */
  uint64_t most;
  uint64_t pairs;
};

/* Finds it for packets of so many flits, without faults.  false: out of memory. */
bool ut_zero_load_find(struct ut_zero_load *load, const struct ut_network *net, unsigned flits);

#endif
