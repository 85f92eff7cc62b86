/* SPDX-License-Identifier: Apache-2.0 */
/* packet_log.h - all packets of a run: what became of each, and how it travelled.
 *
 * The golden network is read between its steps: the heads that were put onto wires in the last cycle, and the packets
 * that have left.  A packet is reported when it leaves; within a cycle by source and number.  At the end of a run the
 * packets in the network or in queues follow, in the same order.  So memory holds only the packets in flight, whatever
 * the length of the run.
 */
#ifndef UT_PACKET_LOG_H
#define UT_PACKET_LOG_H

#include "departures.h"

/* The outcome of a packet: enum ut_discard_reason, UT_DELIVERED, or one of these. */
enum { UT_PACKET_IN_FLIGHT = UT_DELIVERED + 1, UT_PACKET_QUEUED };
#define UT_NEVER UINT64_MAX

struct ut_packet {
  uint64_t sequence; /* number at its source, from 0 */
  uint64_t generated;
  uint64_t injected; /* the cycle in which its head was on the wire; UT_NEVER: its source has not sent it */
  uint64_t ended;    /* delivered or discarded in that cycle; UT_NEVER: neither */
  uint32_t hops;     /* switches that its head has left */
  uint32_t u_turns;  /* hops that went up again after coming from above */
  uint32_t detours;  /* hops that lead no nearer to the destination; 0 if packets go from level to level */
  uint16_t src, dst, flits;
  uint8_t fate;
};
/* "delivered", "discarded", "in_flight", "queued" */
const char *ut_packet_result(const struct ut_packet *packet);
typedef void ut_packet_sink(void *ctx, const struct ut_packet *p);

/* A head has been put onto a wire, to arrive at its other end, or to be on its way, from the network's present cycle
 * on. */
struct ut_packet_move {
  uint64_t sequence;
  uint32_t src;
  uint32_t channel; /* topology.h */
  uint32_t
      lane; /* of the sender, on the wires: the packet's other flits go through it, and no others before its tail */
  uint8_t vc;
  bool u_turn, detour; /* as counted above */
  bool stripped;       /* of a planned route: in the switch that it leaves the header word ended that led there */
};
/* An observer of packets. */
struct ut_packet_watch {
  void (*move)(void *ctx, const struct ut_packet_move *m);
  void (*tail)(void *ctx, uint32_t lane); /* after the moves of a cycle: a tail has been sent by that lane */
  void *ctx;
};

struct ut_packet_log {
  ut_packet_sink *sink;
  const struct ut_packet_watch *watch; /* NULL: none; may be set after init */
  void *ctx;
  struct ut_packet_window *window; /* [terminals] */
  uint32_t terminals;
  uint8_t *row;    /* [lanes] */
  uint64_t strays; /* heads that belong to no packet: a bug of the model or of packet_log.c */
};

/* Before the first step.  false: out of memory. */
bool ut_packet_log_init(struct ut_packet_log *packet_log, const struct ut_network *net, ut_packet_sink *sink,
                        void *ctx);
void ut_packet_log_free(struct ut_packet_log *packet_log);
/* To be called after each step, with the packets that have left.  Returns false when out of memory. */
bool ut_packet_log_observe(struct ut_packet_log *packet_log, const struct ut_network *net,
                           const struct ut_departures *left);
/* Reports the packets that are left. */
void ut_packet_log_end(struct ut_packet_log *packet_log, const struct ut_network *net);

#endif
