/* SPDX-License-Identifier: Apache-2.0 */
/* journey.h - one packet on its way through the golden model, switch by switch.
 *
 * A packet is where its head is: on a wire, in an input buffer, in an output queue if the switches have queues, or at
 * the terminal that waits for its tail.  Of several header words the first one is the head, until it is stripped at its
 * intermediate node.
 *
 * The network is read between its steps and knows nothing of the journey, so that a run without a journey costs
 * nothing.
 */
#ifndef UT_JOURNEY_H
#define UT_JOURNEY_H

#include "network.h"
#include "outages.h"

/* The packet at one switch.  Cycles are those in which the head is on a wire, `valid` at the port. */
struct ut_hop {
  uint64_t arrived, left;
  uint64_t waited;   /* cycles more than an idle switch needs */
  uint64_t behind;   /* of these: behind other packets in the input buffer */
  uint64_t strip;    /* cycles of stripping header words: 1 each, plus the delay of the next flit */
  uint64_t switched; /* cycle from which the head is behind the crossbar: in a queue, or on the wire; 0: not yet */
  uint64_t crossed;  /* cycle in which the tail followed, or its rest was cut off; 0: not yet */
  uint32_t sw;
  uint32_t rt_in, rt_out;        /* the header's rt field: on arrival, and as it left or is now */
  ut_mask vector_in, vector_out; /* re-route vector when the head came, and when it left or was discarded */
  uint8_t in_port, in_vc, out_port, out_vc;
  uint8_t stripped; /* header words that were stripped here */
  uint32_t stop;    /* terminal that the header word then at the front names */
  bool from_above, goes_up;
  bool emptied, followed; /* the input buffer has no more of it; nor had the output queue when the head left */
  bool gone; /* it has left; only then are left, waited and rt_out known; out_port, out_vc and goes_up since `switched`
              */
};

enum ut_journey_state {
  UT_JOURNEY_QUEUED, /* in the source queue, or not generated yet */
  UT_JOURNEY_ON_WIRE,
  UT_JOURNEY_IN_SWITCH,
  UT_JOURNEY_IN_QUEUE, /* an output queue */
  UT_JOURNEY_ARRIVING, /* the head is at the terminal, the tail is not */
  UT_JOURNEY_DELIVERED,
  UT_JOURNEY_DISCARDED,
  UT_JOURNEY_LOST_SIGHT /* the packet is not where it must be: a bug of the model or of journey.c */
};

/* Where something happened. */
enum ut_place_kind { UT_PLACE_NONE, UT_PLACE_SWITCH, UT_PLACE_LINK, UT_PLACE_TERMINAL };
struct ut_place {
  enum ut_place_kind kind;
  uint32_t sw;      /* or the terminal */
  uint8_t port;     /* the link at that port of the switch */
  uint32_t channel; /* of it */
};

struct ut_journey {
  uint32_t src, dst;
  uint64_t sequence; /* number of the packet at its source, from 0; its tag is that modulo 256 */
  unsigned flits;    /* without the header words that will be stripped */
  unsigned headers;  /* header words; 0: no route, discarded by its source */
  enum ut_journey_state state;
  uint64_t generated, injected, ended; /* cycles; injected: the head is on the wire; ended: the tail has arrived */
  struct ut_hop *hop;
  size_t hops;
  enum ut_discard_reason reason; /* if discarded */
  struct ut_place where;         /* it was discarded, or the link that cut it */
  bool failure;                  /* out of memory */

  /* private */
  size_t room;
  uint64_t key, arrival; /* last header word without rt; cycle of arrival of the head that is on a wire */
  struct ut_peer to;     /* where that wire ends */
  unsigned vc;           /* of that flit */
  uint32_t first;        /* injection channel, once it has been injected */
  struct ut_place cut;   /* link that went down while the packet was on it */
  uint64_t sent;         /* cycle in which the source sent the last flit; 0: not yet */
  bool up;               /* link to the destination in the last cycle */
  unsigned last;         /* tag of the flit of this packet that reaches the terminal next; 0: none */
};

/* Follows packet number `sequence` of terminal src from its injection on; it must not have been injected yet. */
void ut_journey_init(struct ut_journey *journey, uint32_t src, uint64_t sequence);
void ut_journey_free(struct ut_journey *journey);

/* To be called after each step of the network, which must be a golden one. */
void ut_journey_observe(struct ut_journey *journey, const struct ut_network *net);

/* Returns whether the packet's journey has ended. */
static inline bool ut_journey_over(const struct ut_journey *journey) {
  return journey->state >= UT_JOURNEY_DELIVERED;
}

static inline bool ut_hop_u_turn(const struct ut_hop *hop) {
  return hop->gone && hop->from_above && hop->goes_up;
}
/* The switch of the terminal that the header word names. */
uint32_t ut_journey_stop(const struct ut_network *net, const struct ut_hop *hop);
unsigned ut_journey_u_turns(const struct ut_journey *journey);
/* Header words that were stripped, each at an intermediate node. */
unsigned ut_journey_stripped(const struct ut_journey *journey);
/* Return the links between switches that it has used; those of the shortest path without faults, UINT16_MAX: out of
 * memory. */
unsigned ut_journey_links(const struct ut_journey *journey, const struct ut_topology *topo);
unsigned ut_journey_shortest(const struct ut_journey *journey, const struct ut_topology *topo);
/* Returns the cycles that it has waited in switches. */
uint64_t ut_journey_waited(const struct ut_journey *journey);

/* Writes the place like ut_outage_name(), or "terminal 5"; "" for none. */
const char *ut_place_text(const struct ut_topology *topo, const struct ut_place *place, char text[UT_OUTAGE_NAME_SIZE]);
/* The re-route vector as k digits, lowest up port first. */
const char *ut_vector_text(ut_mask vector, unsigned k, char text[UT_MAX_PORTS / 2 + 1]);

#endif
