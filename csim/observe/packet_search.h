/* SPDX-License-Identifier: Apache-2.0 */
/* packet_search.h - finds a packet of a run that is worth following: the first one that makes a U-turn, or whose route
 * was planned around faults. */
#ifndef UT_PACKET_SEARCH_H
#define UT_PACKET_SEARCH_H

#include "journey.h"

/* A packet, as its source numbers it. */
struct ut_packet_id {
  uint32_t src;
  uint64_t sequence;
};

/* If packets can turn: searches for the first switch that sends a head upwards that came from above.  If several heads
 * leave upwards in that cycle, a second run, with a journey for each of them, finds the one that turned.  Otherwise:
 * searches for the first packet with a planned route; there is one candidate. */
enum { UT_SEARCH_CANDIDATES = UT_MAX_PORTS * UT_MAX_VCS };
struct ut_packet_search {
  struct ut_packet_id first; /* the first packet that was injected */
  bool any;                  /* there is such a packet */
  bool turned;               /* the candidates are of a U-turn, not of a planned route */
  bool no_route;             /* its source discarded it, and no better packet has been seen */
  struct ut_packet_id candidate[UT_SEARCH_CANDIDATES];
  unsigned candidates; /* 0: nothing found yet */
  uint32_t sw;         /* U-turn: where, and in which cycle, the candidates are behind its crossbar */
  uint64_t cycle;
  uint64_t *seen; /* planned routes: packets of each source that have been looked at */
  bool failure;   /* out of memory */
};

void ut_packet_search_free(struct ut_packet_search *search);

/* To be called after each step, from the first one on, until it returns true: there are candidates, or nothing more can
 * be found. */
bool ut_packet_search_observe(struct ut_packet_search *search, const struct ut_network *net);
/* Returns the candidate that made the U-turn. */
bool ut_packet_search_is(const struct ut_packet_search *search, const struct ut_journey *journey);

#endif
