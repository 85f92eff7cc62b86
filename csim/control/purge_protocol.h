/* SPDX-License-Identifier: Apache-2.0 */
/* purge_protocol.h - the purge protocol: how the manager removes packets from a network whose nodes have just failed
 * (docs/explanation/route_detour.md).
 *
 * DETOUR assumes that nodes are faulty before packets are sent.  If a node fails later, some packets are at places
 * where they could not be under the new node states.  Some have a destination that cannot be reached any more, and
 * would search for it for ever; others hold channels in an order that is not valid any more, and could wait for each
 * other.  So the manager sends orders to all switches, when the states have had time to become stable:
 *   - for each unavailable terminal: refuse it, for as long as a head can take to the next switch;
 *   - then: accept;
 *   - then: several purges, `timeout` cycles apart.  A packet that has been waiting from one purge to the next is
 * discarded. A packet that is stuck waits; others mostly do not. Another fault starts the protocol again.  When a node
 * has come back, the states are computed anew first.
 */
#ifndef UT_PURGE_PROTOCOL_H
#define UT_PURGE_PROTOCOL_H

#include "node_availability.h"

struct ut_purge_protocol {
  const struct ut_node_availability *availability;
  uint64_t word;       /* order to all switches in this cycle; 0: none */
  uint64_t due;        /* cycle of the next order */
  uint64_t next_cycle; /* no action is due before this cycle */
  unsigned settle, dwell, timeout;
  bool anew, stopped; /* states must be computed anew; they have been stopped for that */
  uint32_t next;      /* terminal to refuse; after the last one: number of purges sent */
};

enum { UT_PURGE_ORDERS = 4 };

/* link_cycles: cycles on a wire. */
void ut_purge_init(struct ut_purge_protocol *protocol, const struct ut_node_availability *availability,
                   unsigned link_cycles, unsigned timeout);

/* To be called when a node has failed, or (up) has come back. */
void ut_purge_tell(struct ut_purge_protocol *protocol, uint64_t cycle, bool up);

/* Runs one cycle, which is protocol->next_cycle or later: sets protocol->word. */
void ut_purge_step(struct ut_purge_protocol *protocol, uint64_t cycle);

#endif
