/* SPDX-License-Identifier: Apache-2.0 */
/* link_delays.h - links that take more cycles than the others of their kind, in networks from files.
 *
 * The wires of all links of a kind are equally long (csim/switch/wires.h).  A longer link has a line of bytes behind
 * its wire, for each VC one of flits and one of credits: what comes off the wire enters it, and what entered it
 * `cycles` cycles ago arrives.  That happens at the end of each cycle, so between two cycles the bytes of the present
 * cycle are what arrives.
 */
#ifndef UT_LINK_DELAYS_H
#define UT_LINK_DELAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ut_network;

struct ut_link_delay {
  uint32_t lane;   /* where flits, or credits, arrive */
  unsigned cycles; /* in addition to those of the wire */
  unsigned wire;
  size_t first; /* of its bytes: the one of cycle t is first + t modulo cycles */
};

struct ut_link_delays {
  struct ut_link_delay *flit, *credit; /* [count]: each sorted by lane */
  size_t count;
  unsigned longest; /* cycles of the longest of these links, its wire included */
  uint8_t *byte;    /* [bytes] */
  size_t bytes;
};

/* Builds them for the network's topology, whose lanes are known.  false: out of memory. */
bool ut_link_delays_init(struct ut_link_delays *delays, const struct ut_network *net);
void ut_link_delays_fini(struct ut_link_delays *delays);

/* Moves everything by one cycle: to the arrivals of the present cycle, which has just begun. */
void ut_link_delays_step(struct ut_network *net);

/* Whether nothing is in them. */
bool ut_link_delays_rest(const struct ut_link_delays *delays);

/* The delay of a lane, of delays->flit or delays->credit; NULL: none. */
const struct ut_link_delay *ut_link_delay_of(const struct ut_link_delays *delays, const struct ut_link_delay *list,
                                             uint32_t lane);

#endif
