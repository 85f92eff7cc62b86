/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.h - terminals (network interfaces): an unbounded source queue, injection under the link protocol of a
 * switch, and a sink that checks every bit of every packet.
 *
 * Purpose: a terminal has one or several injection links, each of which sends a packet of its own, and one or several
 * ejection links.  Of several free injection links the next packet takes the one whose switch has most free space; ties
 * are broken at random (RUFT section 4.2.1).
 *
 * Interface: ut_terminals_init(), ut_terminals_join(); then in each cycle ut_terminals_step() for every range,
 * ut_terminals_settle() for every range, ut_terminals_account() once.  ut_terminals_divide() gives each thread a range.
 *
 * Timing is that of a switch: what a terminal decides in cycle t is on its wire in t+1.  Its receive buffer is always
 * empty: it returns each credit one cycle after the flit.  A link fault at a terminal obeys the rules of the switch
 * (docs/explanation/faults.md).
 *
 * Invariants: a packet has a record in its source's in-flight table from its injection until it is delivered or
 * discarded; records leave the table in no particular order, but `base` moves only behind the oldest one.
 *
 * Mistakes that a caller can make: settling before all ranges have been stepped; changing a link state without
 * ut_terminals_disturb(); reading `latency` while there are several ranges; setting `watched` without emptying the
 * departures after each cycle.
 */
#ifndef UT_TERMINAL_H
#define UT_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "accounting.h"
#include "lanes.h"
#include "next_hops.h"
#include "node_availability.h"
#include "paths.h"
#include "releases.h"
#include "source_routes.h"
#include "statistics.h"
#include "switch.h"
#include "topology.h"
#include "traffic.h"

/* A packet: from its generation, or from the time it is drawn ahead, until it is delivered or discarded. */
struct ut_record {
  uint64_t cycle; /* of generation */
  uint16_t dst, flits;
  bool live;
  uint8_t again; /* how often it has been sent again before, if not by a workload; or UT_STOPPED */
};
enum { UT_STOPPED = 255 }; /* its source has stopped sending to that destination: it is discarded there */

/* A packet that is arriving at a terminal on one VC, as far as it has been read. */
struct ut_reception {
  uint64_t header, body; /* body: value from which its last word was computed */
  uint32_t flits;
  uint8_t pending_credits; /* credits that the switch has not received since the link came up */
};
/* Of 32 lanes: those on which a packet is arriving; those whose packet has had an error. */
struct ut_receptions {
  uint32_t open, corrupt;
};

/* Sets of 32 lanes.  sending: flits of a packet are written to their places and wait to be sent; head: the first of
 * them is the head; tail: the last of them is the tail; more: the packet has flits that are not written yet. */
struct ut_transmissions {
  uint32_t sending, head, tail, more;
};

/* An injection link, and the packet that is being sent through it. */
struct ut_injection {
  uint32_t lane;              /* its first lane, counted among the terminals' lanes */
  uint32_t unwritten;         /* flits that are not written to their places yet, where packets are not written whole */
  uint64_t header;            /* the last header word */
  uint64_t body;              /* value from which the last word was computed */
  const struct ut_path *path; /* path with the other header words */
  uint32_t output;            /* lane of its VC on the wires */
  bool link_up, up;           /* link state in this and in the last cycle */
  bool sending;               /* the tail has not been sent */
  uint8_t headers;            /* header words that are still to be written after the last one */
};

/* An ejection link. */
struct ut_ejection {
  uint32_t lane;           /* its first lane, counted among the terminals' lanes */
  ut_mask pending_credits; /* VCs whose reception has pending credits */
  bool link_up, up;
};

/* Packets of one source, in a ring of `mask` + 1 records.  Records base..injected-1 are in the network, injected..end-1
 * wait in the source queue, and end..drawn-1 will be generated.  Packets are drawn some at a time; there is at least
 * one drawn record, unless a workload releases the packets.  The last one has UT_NO_PACKET as its cycle if the source
 * generates no more. */
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

/* A packet that has left the network, with its record from the in-flight table of its source; for observers. */
struct ut_departure {
  struct ut_record record;
  uint64_t sequence; /* number of the packet at its source, from 0 */
  uint16_t src;
  uint8_t reason;
};
struct ut_departures {
  struct ut_departure *list;
  size_t count, room;
};
bool ut_departures_add(struct ut_departures *departures, const struct ut_departure *what);

/* Packets that are put into the source queues again in `cycle`, by source (resends.h). */
struct ut_resend;
struct ut_resend_list {
  struct ut_resend *resend;
  size_t count;
  uint64_t cycle;
};

/* Destinations to which a source sends nothing in cycles from..until-1. */
struct ut_stop {
  uint64_t from, until;
  uint16_t dst;
};
struct ut_stops {
  struct ut_stop *stop;
  size_t count, room;
};

/* A range of terminals, which one thread moves and no other thread writes to.  A packet between two terminals of the
 * range leaves the in-flight table when it arrives; other packets that leave the network at these terminals are listed
 * in this cycle and settled later. */
struct ut_terminal_range {
  uint32_t first, end;          /* multiples of 64, except for the last range's end */
  struct ut_accounts *accounts; /* the packets that these terminals generated and injected, and what became of them: of
                                   the first range in total, of the others in this cycle */
  struct ut_accounts own_accounts; /* storage for `accounts`, except of the first range */
  uint64_t received;               /* flits received in this cycle */
  struct ut_leaving *leaving;
  size_t leavings;
  struct ut_histogram *latency;    /* of packets that these terminals sent; of the first range that of all terminals */
  struct ut_histogram own;         /* storage for `latency`, except of the first range */
  struct ut_departures departures; /* of packets that these terminals sent */
  bool failure;                    /* out of memory during a step */
} __attribute__((aligned(64)));

/* Sets of 64 terminals.  Each has cache lines of its own, because each thread writes those of its terminals all the
 * time. */
enum { UT_WHEEL = 64 };
struct ut_roll {
  uint64_t wheel[UT_WHEEL]; /* terminals that generate a packet in cycle t % UT_WHEEL */
  uint64_t waiting;         /* terminals with packets in the queue */
  uint64_t middle;          /* terminals that have begun a packet and not ended it, if they have one link */
  uint64_t unusual;         /* terminals with a link that is down, has just come up, or has pending credits */
} __attribute__((aligned(64)));

/* What follows from the parameters of the switches; constants where the shape is known. */
struct ut_terminal_form {
  unsigned v, words, depth, need;
  unsigned inject; /* new packets go into VCs 0..inject-1 */
  bool whole;      /* a packet that is begun has space for all its flits */
};
/* One cycle of a range, and its wires by lane; flits_in and credits_in begin at the terminals' first lane. */
struct ut_terminals;
struct ut_terminal_cycle {
  struct ut_terminals *t;
  struct ut_terminal_range *r;
  uint64_t cycle;
  uint8_t *flits_in, *credits_in, *flits_out, *credits_out;
};

/* The cycle of a range: [0] in general, [1] for terminals that need no decision before a packet (UT_PLAIN).
 * elaborated_terminals.c has it with the shape as constants. */
typedef void ut_terminal_step(const struct ut_terminal_cycle *c);
struct ut_terminal_steps {
  ut_terminal_step *step[2];
};
/* Functions of other files that the cycle calls. */
struct ut_terminal_calls {
  ut_terminal_step *release, *begin; /* release: packets of a workload; begin: for terminals that are not plain */
  ut_terminal_step *resend;
  void (*unusual)(const struct ut_terminal_cycle *c, uint32_t id); /* one cycle of a terminal in the set `unusual` */
  bool (*draw)(struct ut_terminals *t, uint32_t id);               /* draws packets, when all drawn ones are
                                                                      generated */
  bool (*serve)(struct ut_terminals *t, uint32_t id, struct ut_record *next);
  void (*note)(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t header, const struct ut_record *record,
               unsigned reason); /* lists a packet whose record has just left the in-flight table */
  bool (*add_far)(struct ut_histogram *h, uint64_t cycles);
};

/* All terminals of a network, and what they share. */
struct ut_terminals {
  struct ut_terminal *terminal;
  struct ut_record *first_records;  /* memory for the first records of all terminals, until one needs more */
  struct ut_traffic_source *source; /* [count] */
  struct ut_injection *injection;   /* [count * injections] */
  struct ut_ejection *ejection;     /* [count * ejections] */
  unsigned injections, ejections;   /* of a terminal */
  uint32_t count;
  unsigned links; /* links that have lanes */
  uint32_t lanes; /* lanes of the terminals, which begin at wires->terminals */
  struct ut_wires *wires;
  /* of injection links */
  uint8_t *credits;                       /* [lanes] */
  uint8_t *ahead;                         /* [lanes]: flits that are written to their places and wait to be sent */
  uint32_t *link;                         /* [lanes]: the injection link */
  struct ut_transmissions *transmissions; /* [lanes / 32] */
  /* of ejection links */
  uint16_t *at;                     /* [lanes]: the terminal */
  uint8_t *unread;                  /* [lanes]: arrived flits that have not been read, the last in the ring */
  struct ut_reception *rx;          /* [lanes] */
  struct ut_receptions *receptions; /* [lanes / 32] */
  struct ut_terminal_form form;
  const struct ut_terminal_steps *steps;
  const struct ut_terminal_calls *calls;
  const struct ut_traffic *traffic;
  const struct ut_paths *paths; /* planned routes, or NULL */
  const struct ut_next_hops
      *next_hops; /* if the tables' planner says what sources write into headers, otherwise NULL */
  const struct ut_source_routes *source_routes; /* if terminals choose among routes, otherwise NULL */
  struct ut_node_availability *availability;    /* if terminals send to no failed node, otherwise NULL */
  struct ut_random *tie;                        /* [count]: breaks ties between injection links, if there are several */
  const struct ut_releases *releases;           /* packets of a workload, in place of generated ones; or NULL */
  const struct ut_resend_list *resends;         /* [2]: packets that are sent again in cycle t, by t % 2; or NULL */
  const struct ut_stops *stops;                 /* [count]; NULL: no source stops */
  bool stop_generation;
  bool halts;   /* `halted` may be set: set before the first cycle */
  bool halted;  /* no packet is begun; those that are generated wait */
  bool watched; /* departures are listed; the observer empties the lists after each cycle */
  bool shared;  /* an observer other than the workload does so */
  bool account; /* false: only the end-to-end check; the network under test does not tell what it discards */
  struct ut_accounts accounts __attribute__((aligned(64)));       /* written by the thread of the first range */
  uint64_t window_start __attribute__((aligned(64))), window_end; /* measurement window, cycles */
  uint64_t window_flits;                                          /* flits received in it */
  uint64_t received_flits;                                        /* in all */
  struct ut_histogram latency; /* generation to arrival of the tail, of packets generated in the window; complete only
                                  when there is one range */
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

/* Gives the terminals their wires, which have `links * v` lanes for each of the two directions. */
void ut_terminals_join(struct ut_terminals *terminals, struct ut_wires *wires);

/* Divides the terminals into `ranges` ranges, or fewer if there are not as many sets of 64; after init there is one.
 * Adds up the latencies of the old ranges.  Returns false when out of memory; the terminals cannot be used any more
 * then. */
bool ut_terminals_divide(struct ut_terminals *terminals, unsigned ranges);

/* To be called when the state of a link of terminal `id` has changed. */
void ut_terminals_disturb(struct ut_terminals *terminals, uint32_t id);

/* Steps the terminals of a range by one cycle.  Each reads its wires of this cycle and puts what it drives onto the
 * wires of the cycle in which it arrives: flits onto `flits`, credits onto `credits`.  Several ranges may be stepped at
 * once. */
void ut_terminals_step(struct ut_terminals *terminals, unsigned range, uint64_t cycle, uint8_t *flits_now,
                       uint8_t *credits_now, uint8_t *flits, uint8_t *credits);

/* Removes the packets that were listed in this cycle from the in-flight tables of a range's terminals, or of all of
 * them. To be called when all ranges have been stepped.  Several ranges may be settled at once. */
void ut_terminals_settle(struct ut_terminals *terminals, unsigned range, uint64_t cycle);
void ut_terminals_settle_all(struct ut_terminals *terminals, uint64_t cycle);
/* Returns how many listed packets are to be settled. */
size_t ut_terminals_leaving(const struct ut_terminals *terminals);
/* Ends the cycle, when all ranges are settled. */
void ut_terminals_account(struct ut_terminals *terminals, uint64_t cycle);

/* Begins the measurement window in `cycle` and forgets earlier measurements; to be called between two cycles. */
void ut_terminals_measure_anew(struct ut_terminals *terminals, uint64_t cycle);

/* Discards the packet with this header, for this reason. */
void ut_terminals_discard(struct ut_terminals *terminals, uint64_t header, enum ut_discard_reason reason);

/* For a network with nothing in flight.  ut_terminals_rest(): whether a cycle in which no packet is generated changes
 * no terminal.  ut_terminals_next_packet(): the cycle in which a source generates the next packet; UINT64_MAX: none.
 * ut_terminals_jump(): makes `cycle` their next cycle. */
bool ut_terminals_rest(const struct ut_terminals *terminals);
/* Returns whether a terminal is sending or receiving a packet. */
bool ut_terminals_busy(const struct ut_terminals *terminals);
uint64_t ut_terminals_next_packet(const struct ut_terminals *terminals);
void ut_terminals_jump(struct ut_terminals *terminals, uint64_t cycle);

/* Return the packets that wait in the source queues, and those whose head has arrived and whose tail has not. */
uint64_t ut_terminals_queued(const struct ut_terminals *terminals);
uint64_t ut_terminals_receiving(const struct ut_terminals *terminals);

/* Returns whether the terminals of two networks of one scenario will act alike from now on, given the same arrivals:
 * they send the same flits and expect the same flits.  What has arrived before, and the accounts, may differ. */
bool ut_terminals_agree(const struct ut_terminals *a, const struct ut_terminals *b);

/* Returns whether terminal i is sending one of its packets first..last.  Of packets with the same tag, the newest one
 * that it has begun is meant. */
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
