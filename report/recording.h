/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - the packets of a run, with their paths: the input of a page's player (docs/reference/report.md).
 *
 * The golden network is read between its steps, through csim/observe; a run without a recording does none of this.  All
 * packets that are in the network in some cycle of a window are recorded, with their whole path up to the window's end.
 */
#ifndef UT_RECORDING_H
#define UT_RECORDING_H

#include "packet_log.h"

/* A head on a wire: first on that of its terminal, then behind each switch. */
struct ut_recorded_move {
  uint64_t head, tail; /* cycles in which they were put onto it; tail UT_NEVER: it never was */
  uint32_t channel;
  uint8_t vc;
  bool u_turn, detour, stripped;
};

struct ut_recorded_packet {
  struct ut_packet what;
  struct ut_recorded_move *move; /* [moves]; none: its source has discarded it */
  uint32_t moves, room;
};

struct ut_recording {
  uint64_t from, until; /* the window: cycles from..until-1 */
  struct ut_recorded_packet *packet;
  size_t packets, room;
  bool failure; /* out of memory */
  /* private */
  const struct ut_network *network;
  struct ut_packet_log log;
  struct ut_packet_watch watch;
  struct ut_departures left;
  struct ut_under_way *under_way; /* [terminals] */
  struct ut_sending *sending;     /* [lanes] */
};

/* Before the first step of the network.  false: out of memory. */
bool ut_recording_init(struct ut_recording *recording, struct ut_network *net, uint64_t from, uint64_t until);
/* After each step.  false: out of memory. */
bool ut_recording_observe(struct ut_recording *recording, struct ut_network *net);
/* To be called after the last step: completes the packets, in the order in which they were sent; packets that their
 * source discarded, in the order of that.  Returns false when out of memory. */
bool ut_recording_end(struct ut_recording *recording);
void ut_recording_free(struct ut_recording *recording);

/* Returns the cycle by which a packet is ordered. */
static inline uint64_t ut_recorded_start(const struct ut_packet *packet) {
  return packet->injected != UT_NEVER ? packet->injected : packet->ended;
}

/* Writes the packets as a stream of columns (docs/reference/report.md); malloc'd.  NULL: out of memory. */
void *ut_recording_encode(const struct ut_recording *recording, size_t *size);

#endif
