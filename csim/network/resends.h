/* SPDX-License-Identifier: Apache-2.0 */
/* resends.h - packets of traffic with a load, or of a trace, that are sent again after a discard: REROUTE VI.A, VI.B
 * and VII, "may inform the source node of the failure".
 *
 * The notice of a discard reaches the source beside the network, as the manager's orders do, some cycles after the
 * discard.  The source puts the packet behind those in its queue, as a packet with a sequence number of its own, whose
 * latency counts from the generation of the first one.  After some resends it gives the packet up, and may stop sending
 * to that destination for some time ("to prevent it from transmitting more packets").
 *
 * After each cycle the packets that have left the network are read, and the resends of the next cycle are listed;
 * terminals read that list in that cycle.  Both networks of a lockstep read the lists of the golden one.  The result
 * does not depend on threads.  A workload resends by itself (workload_run.h).
 *
 * Invariant: notices = resent + given_up + waiting.
 */
#ifndef UT_RESENDS_H
#define UT_RESENDS_H

#include "terminal.h"

struct ut_scenario;

/* A packet that was discarded. */
struct ut_resend {
  uint64_t cycle;    /* in which it is put into the source queue again */
  uint64_t sequence; /* number of the discarded packet at its source */
  struct ut_record record;
  uint16_t src;
};

struct ut_resends {
  uint64_t after;            /* cycles from a discard until the packet is sent again */
  unsigned limit;            /* resends of a packet */
  bool told_only;            /* the source learns only of the discards that a switch makes and tells */
  struct ut_resend *waiting; /* waiting[first..end-1], by cycle, source and number */
  size_t first, end, room;
  struct ut_resend_list now[2]; /* those of cycle t, by t % 2 */
  size_t now_room[2];
  uint64_t stop_cycles;   /* for which a source sends nothing to a destination after it has given a packet up */
  struct ut_stops *stops; /* [terminals]; NULL if it is 0 */
  uint32_t terminals;
  uint64_t notices, resent, delivered, given_up; /* packets; delivered: of those that were resent */
  uint64_t stopped;                              /* packets that were discarded at their sources, which had stopped */
  bool failure;                                  /* out of memory */
};

/* Returns false when out of memory. */
bool ut_resends_init(struct ut_resends *resends, const struct ut_scenario *scenario, uint32_t terminals);
void ut_resends_fini(struct ut_resends *resends);

/* To be called after a cycle: takes the departures of the terminals off their lists, unless an observer reads them,
 * too, and lists the resends of the next cycle. */
void ut_resends_step(struct ut_resends *resends, struct ut_terminals *terminals, uint64_t cycle);

/* Returns the packets that wait to be sent again and are in no source queue yet. */
static inline uint64_t ut_resends_waiting(const struct ut_resends *resends) {
  return resends->notices - resends->given_up - resends->resent;
}

/* Returns the next cycle that must be simulated because of them, given an empty network; UINT64_MAX: none. */
uint64_t ut_resends_next_cycle(const struct ut_resends *resends, uint64_t cycle);

/* Returns whether the source learns of a discard for that reason. */
static inline bool ut_resend_hears(bool told_only, unsigned reason) {
  return !told_only || reason == UT_DISCARD_UNREACHABLE || reason == UT_DISCARD_PURGED;
}

#endif
