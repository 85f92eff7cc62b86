/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.h - a terminal (NIC): unbounded source queue, injection under the switch's own link protocol, and a sink
 * that checks every bit of every packet.
 *
 * It has one or several injection links, each sending a packet of its own, and as many or other ejection links.  Of
 * several free injection links the next packet takes the one whose switch has most free space, ties at random
 * (RUFT section 4.2.1).
 *
 * Timing is that of a switch: what a terminal decides in cycle t is on its wire in t+1; its buffer is always empty, it
 * returns each credit one cycle after the flit.  A link fault at a terminal obeys the rules of the switch
 * (docs/explanation/faults.md).
 */
#ifndef UT_TERMINAL_H
#define UT_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "accounting.h"
#include "lanes.h"
#include "node_availability.h"
#include "paths.h"
#include "releases.h"
#include "source_routes.h"
#include "statistics.h"
#include "switch.h"
#include "topology.h"
#include "traffic.h"

/* A packet from its generation, or as it is drawn before that, until it is delivered or discarded. */
struct ut_record {
  uint64_t cycle; /* of generation */
  uint16_t dst, flits;
  bool live;
};

/* A packet on its way into a terminal on one VC, as far as it has been read. */
struct ut_reception {
  uint64_t header, body; /* body: of its last word so far */
  uint32_t flits;
  uint8_t pending_credits; /* credits that the switch has not been told of since the link came up */
};
/* Of 32 lanes: those with such a packet; where something was wrong in it. */
struct ut_receptions {
  uint32_t open, corrupt;
};

/* Of 32 lanes: those with flits of a packet that stand in their place already and are still to be sent; where the first
 * of these is its head; where the last of these is its tail; where more of the packet must be written behind them. */
struct ut_transmissions {
  uint32_t sending, head, tail, more;
};

/* A link into the network, and the packet that is being sent through it. */
struct ut_injection {
  uint32_t lane;      /* its first one, of those of the terminals */
  uint32_t unwritten; /* flits that do not stand in their place yet; of packets that are not written whole at once */
  uint64_t header;    /* the last header word */
  uint64_t body;      /* of the last word so far */
  const struct ut_path *path; /* of the other header words */
  uint32_t output;            /* lane on the wires: of its VC */
  bool link_up, up;           /* link state now and in the last cycle */
  bool sending;               /* the tail has not been sent */
  uint8_t headers;            /* header words still to be written behind the last one */
};

/* A link from the network. */
struct ut_ejection {
  uint32_t lane;           /* its first one, of those of the terminals */
  ut_mask pending_credits; /* VCs whose reception's `pending` is not 0 */
  bool link_up, up;
};

/* Records base..injected-1 are in the network, injected..end-1 wait in the source queue; end..drawn-1, at least one
 * unless a workload releases packets, will be generated: drawn some at a time, the last one with UT_NO_PACKET as its
 * cycle if there are no more.  Ring of capacity `mask`+1. */
enum { UT_AHEAD = 8 };
#define UT_NO_PACKET UINT64_MAX
struct ut_terminal {
  struct ut_record *record;
  uint64_t base, injected, end, drawn;
  uint32_t mask;
};

/* A packet that has left the network: delivered to a terminal, or discarded. */
struct ut_leaving {
  uint64_t header;
  uint32_t flits; /* of one that was delivered */
  uint8_t reason; /* enum ut_discard_reason, or UT_DELIVERED */
  bool corrupt;
};
enum { UT_DELIVERED = UT_DISCARD_REASONS };

/* The same, found in the in-flight table of its source: for those who look at packets. */
struct ut_departure {
  struct ut_record record;
  uint64_t sequence; /* number at its source, from 0 */
  uint16_t src;
  uint8_t reason;
};
struct ut_departures {
  struct ut_departure *list;
  size_t count, room;
};
bool ut_departures_add(struct ut_departures *departures, const struct ut_departure *what);

/* Some of the terminals, which one thread moves and nobody else writes to.  Packets from one to another are off the
 * in-flight tables when they arrive; others that have left the network through these terminals are listed in this
 * cycle. */
struct ut_terminal_range {
  uint32_t first, end;          /* multiples of 64, but for the last one's end */
  struct ut_accounts *accounts; /* generated, injected; of packets that they sent: the rest.  Of the first range those
                                   of all; of the others of this cycle */
  struct ut_accounts own_accounts; /* of the others */
  uint64_t received;               /* flits, in this cycle */
  struct ut_leaving *leaving;
  size_t leavings;
  struct ut_histogram *latency;    /* of packets that they sent; of the first range that of all */
  struct ut_histogram own;         /* of the others */
  struct ut_departures departures; /* of packets that they sent */
  bool failure;                    /* out of memory during a step */
} __attribute__((aligned(64)));

/* Sets of 64 terminals; cache lines of their own, because each thread writes those of its terminals all the time. */
enum { UT_WHEEL = 64 };
struct ut_roll {
  uint64_t wheel[UT_WHEEL]; /* who generates a packet in cycle t % UT_WHEEL */
  uint64_t waiting;         /* who has packets in the queue */
  uint64_t middle;          /* who has begun a packet, and not ended it; where they have one link */
  uint64_t unusual;         /* a link is not up, has just come up, or not all free room has been told */
} __attribute__((aligned(64)));

/* What follows from the parameters of the switches: constants, where they are. */
struct ut_terminal_form {
  unsigned v, words, depth, need;
  unsigned inject; /* new packets go into VCs 0..inject-1 */
  bool whole;      /* a packet that is begun has room for all its flits */
};
/* A range's cycle, and the wires, by lane: of those that come in only the terminals'. */
struct ut_terminals;
struct ut_terminal_cycle {
  struct ut_terminals *t;
  struct ut_terminal_range *r;
  uint64_t cycle;
  uint8_t *flits_in, *credits_in, *flits_out, *credits_out;
};

/* The cycle; [1]: of terminals whose packets need nothing to be asked before (UT_PLAIN).  elaborated_terminals.c has it
 * with the shape as constants. */
typedef void ut_terminal_step(const struct ut_terminal_cycle *c);
struct ut_terminal_steps {
  ut_terminal_step *step[2];
};
/* What it calls in other files. */
struct ut_terminal_calls {
  ut_terminal_step *release, *begin; /* packets of a workload; of terminals that are not plain */
  void (*unusual)(const struct ut_terminal_cycle *c, uint32_t id); /* a terminal with a link that is */
  bool (*draw)(struct ut_terminals *t, uint32_t id);               /* packets, all of which have been generated */
  bool (*serve)(struct ut_terminals *t, uint32_t id, struct ut_record *next);
  void (*note)(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t header, const struct ut_record *record,
               unsigned reason); /* lists a packet whose record has just been taken off the in-flight table */
  bool (*add_far)(struct ut_histogram *h, uint64_t cycles);
};

/* What all terminals of a network share. */
struct ut_terminals {
  struct ut_terminal *terminal;
  struct ut_record *first_records;  /* those of all, until one has more */
  struct ut_traffic_source *source; /* [count] */
  struct ut_injection *injection;   /* [count * injections] */
  struct ut_ejection *ejection;     /* [count * ejections] */
  unsigned injections, ejections;   /* of a terminal */
  uint32_t count;
  unsigned links; /* that have lanes */
  uint32_t lanes; /* of the terminals; the first one on the wires is wires->terminals */
  struct ut_wires *wires;
  /* of injection links */
  uint8_t *credits;                       /* [lanes] */
  uint8_t *ahead;                         /* [lanes]: flits that stand in their place and are still to be sent */
  uint32_t *link;                         /* [lanes]: the injection link */
  struct ut_transmissions *transmissions; /* [lanes / 32] */
  /* of ejection links */
  uint16_t *at;                     /* [lanes]: the terminal */
  uint8_t *unread;                  /* [lanes]: flits that have come and have not been read, the last ones there */
  struct ut_reception *rx;          /* [lanes] */
  struct ut_receptions *receptions; /* [lanes / 32] */
  struct ut_terminal_form form;
  const struct ut_terminal_steps *steps;
  const struct ut_terminal_calls *calls;
  const struct ut_traffic *traffic;
  const struct ut_paths *paths;                 /* planned routes, or NULL */
  const struct ut_source_routes *source_routes; /* where terminals choose ways, or NULL */
  struct ut_node_availability *availability;    /* where nobody sends to nodes that have failed, or NULL */
  struct ut_random *tie;                        /* [count], where there are several injection links */
  const struct ut_releases *releases;           /* of a workload, in place of what sources generate; or NULL */
  bool stop_generation;
  bool watched; /* departures are listed; who looks at them takes them off the lists after each cycle */
  bool shared;  /* and somebody does so beside the workload */
  bool account; /* false: only the end-to-end check; the network under test cannot tell what it discards */
  struct ut_accounts accounts __attribute__((aligned(64)));       /* which the thread of the first range writes */
  uint64_t window_start __attribute__((aligned(64))), window_end; /* measurement window, cycles */
  uint64_t window_flits;                                          /* flits received in it */
  uint64_t received_flits;                                        /* in all */
  struct ut_histogram latency; /* of packets generated in it: generation to arrival of the tail; where there are
                                  several ranges, all of them only after these are one again */
  struct ut_roll *roll;        /* [rolls] */
  uint32_t rolls;
  struct ut_terminal_range *range;
  unsigned ranges;
  bool failure; /* out of memory during a step */
};

/* paths: planned routes, or NULL. */
bool ut_terminals_init(struct ut_terminals *terminals, const struct ut_traffic *traffic,
                       const struct ut_topology *topology, const struct ut_shape *shape, const struct ut_paths *paths,
                       bool account);
void ut_terminals_fini(struct ut_terminals *terminals);

/* Gives them the wires, which have `links * v` lanes for each. */
void ut_terminals_join(struct ut_terminals *terminals, struct ut_wires *wires);

/* Divides them into that many ranges, fewer if there are not so many rolls; after init there is one.  Latencies of the
 * former ranges are counted together.  false: out of memory, and nothing can go on. */
bool ut_terminals_divide(struct ut_terminals *terminals, unsigned ranges);

/* The state of a link has changed. */
void ut_terminals_disturb(struct ut_terminals *terminals, uint32_t id);

/* One cycle of the terminals of a range: each takes what is on its wires now, by lane, and puts what it drives onto the
 * wires of the cycle in which it arrives: flits onto `flits`, credits onto `credits`.  Ranges may be moved at once. */
void ut_terminals_step(struct ut_terminals *terminals, unsigned range, uint64_t cycle, uint8_t *flits_now,
                       uint8_t *credits_now, uint8_t *flits, uint8_t *credits);

/* When all ranges have been moved: takes what is listed off the in-flight table of a range's terminals, or of all of
 * them. Ranges may be settled at once. */
void ut_terminals_settle(struct ut_terminals *terminals, unsigned range, uint64_t cycle);
void ut_terminals_settle_all(struct ut_terminals *terminals, uint64_t cycle);
/* Packets to be settled. */
size_t ut_terminals_leaving(const struct ut_terminals *terminals);
/* When all are settled: ends the cycle. */
void ut_terminals_account(struct ut_terminals *terminals, uint64_t cycle);

/* The measurement window begins in that cycle, and what was measured before is forgotten; between two cycles. */
void ut_terminals_measure_anew(struct ut_terminals *terminals, uint64_t cycle);

/* The packet with that header is gone for that reason. */
void ut_terminals_discard(struct ut_terminals *terminals, uint64_t header, enum ut_discard_reason reason);

/* Of a network in which nothing is under way: whether a cycle in which no packet is generated changes no terminal; the
 * cycle in which a source generates the next packet, UINT64_MAX: there is none; and their next cycle is that one. */
bool ut_terminals_rest(const struct ut_terminals *terminals);
uint64_t ut_terminals_next_packet(const struct ut_terminals *terminals);
void ut_terminals_jump(struct ut_terminals *terminals, uint64_t cycle);

/* Packets that wait in the source queues; packets whose head has arrived and whose tail has not. */
uint64_t ut_terminals_queued(const struct ut_terminals *terminals);
uint64_t ut_terminals_receiving(const struct ut_terminals *terminals);

/* Whether terminals of two networks of one scenario will do the same from now on, if the same comes to them: they send
 * the same flits and wait for the same.  What has arrived before may differ, and so may the in-flight tables. */
bool ut_terminals_agree(const struct ut_terminals *a, const struct ut_terminals *b);

/* It is sending one of these packets: of those with the same tag the newest one counts that it has begun to send. */
static inline bool ut_terminal_is_sending_packets(const struct ut_terminals *terminals, uint32_t i, uint64_t first,
                                                  uint64_t last) {
  const struct ut_injection *link = &terminals->injection[(size_t)i * terminals->injections];
  const uint64_t newest = terminals->terminal[i].injected - 1;
  for (unsigned j = 0; j < terminals->injections; j++) {
    const uint64_t sequence = newest - (uint8_t)(newest - ut_header_tag(link[j].header));
    if (link[j].sending && first <= sequence && sequence <= last)
      return true;
  }
  return false;
}

#endif
