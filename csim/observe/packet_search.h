/* SPDX-License-Identifier: Apache-2.0 */
/* packet_search.h - which packet of a run is worth following: the first one that makes a U-turn, or whose route was
 * planned around faults. */
#ifndef UT_PACKET_SEARCH_H
#define UT_PACKET_SEARCH_H

#include "journey.h"

/* A packet, as its source numbers it. */
struct ut_packet_id {
  uint32_t src;
  uint64_t sequence;
};

/* Where packets can turn: looks for the first switch that sends a head upwards that came from above.  Several heads may
 * leave upwards in that cycle; a second run, with a journey for each of them, tells which one turned.  Elsewhere: looks
 * for the first packet with a planned route; there is one candidate. */
enum { UT_SEARCH_CANDIDATES = UT_MAX_PORTS * UT_MAX_VCS };
struct ut_packet_search {
  struct ut_packet_id first; /* the first packet that was injected */
  bool any;                  /* there is such a packet */
  bool turned;               /* the candidates are of a U-turn, not of a planned route */
  bool no_route;             /* it was discarded by its source, and nothing better has been seen */
  struct ut_packet_id candidate[UT_SEARCH_CANDIDATES];
  unsigned candidates; /* 0: nothing found yet */
  uint32_t sw;         /* U-turn: where, and in which cycle, the candidates are behind its crossbar */
  uint64_t cycle;
  uint64_t *seen; /* planned routes: packets of each source that have been looked at */
  bool failure;   /* out of memory */
};

void ut_packet_search_free(struct ut_packet_search *search);

/* To be called after each step, from the first one on, until it returns true: there are candidates, or
 * nothing more to be found. */
bool ut_packet_search_observe(struct ut_packet_search *search, const struct ut_network *net);
/* The candidate that made the U-turn. */
bool ut_packet_search_is(const struct ut_packet_search *search, const struct ut_journey *journey);

#endif
