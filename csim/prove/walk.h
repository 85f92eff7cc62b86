/* SPDX-License-Identifier: Apache-2.0 */
/* walk.h - the states in which packets with given header words can be, whatever an adversary chooses at every hop.
 *
 * A walk covers all packets with the same header words for the same terminal, from all terminals that send them.  Its
 * states are a channel (an input VC of a switch) and the header words that are left when those that end there are
 * stripped; its hops are the candidates that the route function of the golden model answers there.  States are found in
 * the order of their distance from the sources.
 *
 * Candidates that are not in the preferred class are escape channels.  Of these the routing subfunction (Duato) chooses
 * those that stay in the ring of the packet's channel, if the bubble rule holds and there are such channels; otherwise
 * all.
 */
#ifndef UT_WALK_H
#define UT_WALK_H

#include "mixture.h"
#include "packets.h"

/* A candidate. */
struct ut_walk_hop {
  uint32_t to; /* state; UT_TERMINAL: the destination */
  uint8_t port, vc;
  bool escape; /* not in the preferred class */
  bool chosen; /* chosen by the subfunction */
  uint8_t met; /* enum ut_tables_met */
};
enum { UT_TERMINAL = UINT32_MAX, UT_NO_STATE = UINT32_MAX };

struct ut_walk_state {
  uint32_t channel;
  uint32_t header;     /* number of the header words that are left */
  uint32_t from;       /* previous state on a shortest walk; UT_NO_STATE: packets are injected here */
  uint32_t hop;        /* the hop that led here */
  uint32_t src;        /* terminal where that walk starts */
  uint32_t first, end; /* its hops */
  bool discards;       /* with some tables: */
  uint8_t discards_by; /* enum ut_tables_met */
};

/* Packets that are on their way when a walk begins. */
struct ut_walk_seed {
  uint64_t header; /* their only word */
  uint32_t channel, src;
};

struct ut_header_words {
  uint64_t word[UT_MAX_HEADERS];
  unsigned words;
};

/* Failures of a state. */
enum ut_walk_fault {
  UT_WALK_DISCARDS,
  UT_WALK_WRONG,   /* a candidate leads to a wrong terminal, or nowhere */
  UT_WALK_LOOPS,   /* the state can come again, or leads to a state that can */
  UT_WALK_STRANDS, /* there is no escape channel */
  UT_WALK_BUBBLE,  /* wrong bubble set: right are escape channels that leave their ring or VC */
  UT_WALK_DETOURS, /* a hop leads no nearer to the destination; not a failure */
  UT_WALK_FAULTS
};

struct ut_walk {
  struct ut_explorer *explorer;
  uint16_t *distance; /* [switches * switches], from and to: hops without faults */
  struct ut_packets packets;
  struct ut_walk_state *place;
  struct ut_walk_hop *hop;
  struct ut_header_words *header;
  uint32_t injected; /* places of packets that begin; behind them those that others reach */
  uint32_t places, place_room, hops, hop_room, headers, header_room;
  struct ut_hash place_of, header_of;
  /* states ordered such that each comes after all that it leads to; looping states are not in it */
  uint32_t *order, ordered;
  uint32_t *left, *before, *before_first; /* used to compute the order */
  uint32_t order_room, before_room;
  uint32_t *depth;                /* [places]: links on the longest walk from there; of states in the order */
  uint32_t first[UT_WALK_FAULTS]; /* first state with that failure; UT_NO_STATE: none */
  unsigned longest;               /* links between switches, of a walk that ends */
  uint64_t answers;               /* bubble sets that were compared, of all walks */
};

int ut_walk_init(struct ut_walk *walk, struct ut_explorer *explorer, struct ut_error *e);
void ut_walk_free(struct ut_walk *walk);
/* Explores the packets under the explorer's faults.  Returns -1 when out of memory (world->bad_memory). */
int ut_walk_run(struct ut_walk *walk, const struct ut_packets *packets);
/* The same, with others of these packets that are on their way already. */
int ut_walk_run_on(struct ut_walk *walk, const struct ut_packets *packets, const struct ut_walk_seed *seed,
                   uint32_t seeds);

/* Returns the candidates in an output VC that are escape channels: not in the preferred class, or all of them. */
ut_mask ut_escape_of(const struct ut_explorer *explorer, const struct ut_route_result *route, unsigned vc);
/* Returns the output port that goes straight on from an input port, as a mask: a line leaves all its switches through
 * ports of one number.  0 for a terminal's port. */
ut_mask ut_explorer_straight_on(const struct ut_explorer *explorer, uint32_t sw, unsigned in_port);

#endif
