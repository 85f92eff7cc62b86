/* SPDX-License-Identifier: Apache-2.0 */
/* explorer.h - a network with a fault set, explored by calling the route function of the golden model.
 *
 * Purpose: proofs ask where packets can go.  The answers come from the route function that the simulator runs: there is
 * no second implementation of any routing rule.
 *
 * Terms: a channel is an input VC of a switch (switch, input port, VC), that is the buffer behind a link.  Channels are
 * numbered so that fault-free routing only goes to higher numbers: first the channels that are entered from below,
 * level by level upwards, then those entered from above, level by level downwards.  Packets for different destinations
 * are explored together: a set of destinations is a bit mask of `words` words.  A row is the answer of the route
 * function in one channel, for one value of the header's rt field, for all destinations: the channels where the packet
 * can be next, each with the set of destinations for which it can.  The re-route vector of a switch is any set between
 * the bits that the packet itself has set there (`own`) and these together with the bits that other packets may have
 * set (`shared`); a row covers all of these vectors.
 *
 * Interface: ut_explorer_init(), then for each fault set ut_explorer_set_faults() and any number of questions.  Rows
 * are computed on demand and kept, also across fault sets: the answers of a switch depend only on its own ports, its
 * neighbours' reports and its re-route vector.
 *
 * Mistakes that a caller can make: keeping a row across ut_explorer_grow(), ut_explorer_forget() or ut_explorer_trim();
 * taking a NULL row for "no memory" without looking at rt_overflow, which asks for ut_explorer_grow() and a new start;
 * using results after `bad_memory` was set.
 */
#ifndef UT_EXPLORER_H
#define UT_EXPLORER_H

#include "exclusions.h"
#include "fault_sets.h"
#include "forwarding.h"
#include "hash.h"
#include "held_words.h"
#include "switch.h"
#include "table_changes.h"
#include "topology.h"

struct ut_scenario;

/* A walk to each terminal starts at all of them: work grows with the square. */
enum { UT_MAX_PROVED_TERMINALS = 16384 };

struct ut_channel {
  uint32_t sw;
  uint8_t port, vc;
  uint8_t layer; /* virtual layer of the VC */
  bool from_above;
  bool injection; /* a terminal feeds it */
};

/* A hop of a packet to another switch through an output VC. */
struct ut_edge {
  uint32_t channel; /* channel behind the hop */
  uint32_t rt;      /* number of its rt field behind the hop */
  ut_mask set;      /* bits of this switch's re-route vector that the packet sets */
  uint8_t port, vc;
  bool u_turn; /* the packet came from above and goes up */
};

/* Masks of a row, of `words` words each: first these, then two for each edge. */
enum { UT_ROW_DISCARDED, UT_ROW_DELIVERED, UT_ROW_WRONG, UT_ROW_EDGES };

struct ut_row {
  unsigned edges;
  bool u_turns; /* some edge is a U-turn */
  uint64_t *mask;
  struct ut_edge edge[];
};

/* The answers of one switch in one state. */
struct ut_switch_view {
  uint32_t sw;
  ut_mask up, neighbour, own, shared;
  uint32_t rts;        /* length of the last dimension of `row` */
  struct ut_row **row; /* [(in_port * v + vc) * rts + rt] */
};

struct ut_explorer {
  const struct ut_topology *topology;
  struct ut_group group[UT_MAX_ELABORATIONS]; /* by elaboration; the first one is used where ports do not matter */
  unsigned k, v, words;                       /* words: of a mask of destinations */
  unsigned layers;                            /* virtual layers; packets start in the first one */
  uint32_t channels;
  struct ut_channel *channel;
  uint32_t *channel_of;                   /* [(sw * pi + port) * v + vc] */
  bool bad_memory;                        /* out of memory: results are void */
  struct ut_forwarding forwarding;        /* of forwarding tables, if the algorithm has tables */
  struct ut_held_words held;              /* of those tables */
  const struct ut_table_changes *changes; /* tables that are being changed (mixture.h); NULL: none are */
  struct ut_exclusions exclusions;        /* of exclusion intervals, if it has intervals */
  bool repair;  /* a bit of a re-route vector is kept only while the neighbour reports a fault */
  bool replans; /* planned for the fault set, not for the fault-free network */

  /* the fault set */
  ut_mask *all_up;         /* [switches]: output ports with a link, fault-free */
  ut_mask *all_in;         /* [switches]: input ports with a link, fault-free */
  ut_mask *onward;         /* [switches]: output ports that lead to another switch */
  ut_mask *up, *neighbour; /* [switches] now */
  ut_mask *in_up;          /* [switches]: input ports whose link is up */
  uint64_t *works;         /* bitmap over the topology's channels: those that are up */
  uint64_t *all_work;      /* the same in the fault-free network */
  ut_mask *near, *far;     /* [switches]: neighbours' reports */
  ut_mask *report;         /* [switches * bits]: reports of the neighbours, if switches keep node states */
  ut_mask *shared;         /* [switches]: bits that other packets may have set */
  bool *dead;              /* [switches] */
  const uint8_t *state;    /* [switches]: enum ut_node_state according to the manager; NULL: it does not know states */
  uint32_t *touched;       /* switches that differ from the fault-free network */
  uint32_t touched_count;
  bool *is_touched;

  /* values of the rt field, numbered in the order of their appearance; 0 is value 0 */
  uint32_t *rt_value, rts, rt_room;
  bool rt_overflow; /* more than rt_room values: grow and start again */
  struct ut_hash rt_hash;

  /* rows */
  struct ut_switch_view **view; /* all views that have been made */
  uint32_t views, view_room;
  struct ut_switch_view **current; /* [switches]: view for own = 0; NULL: to be looked up */
  struct ut_hash view_hash;
  uint64_t *scratch; /* masks under construction */
};

int ut_explorer_init(struct ut_explorer *explorer, const struct ut_scenario *scenario, const struct ut_topology *topo,
                     struct ut_error *e);
void ut_explorer_free(struct ut_explorer *explorer);

/* Sets the faults of the network, in place of earlier ones; clears the shared bits. */
void ut_explorer_set_faults(struct ut_explorer *explorer, const struct ut_fault_set *set);
/* Writes word i of a switch's tables. */
void ut_explorer_write(struct ut_explorer *explorer, uint32_t sw, uint32_t i, uint64_t word);
/* Returns whether packets may start and end at that switch: it works, and neither the switch itself nor the manager has
 * disabled it. */
bool ut_explorer_serves(const struct ut_explorer *explorer, uint32_t sw);
/* Adds bits that other packets may have set; returns whether some are new.  Bits that the switch itself would not keep
 * (strap repair) are ignored. */
bool ut_explorer_share(struct ut_explorer *explorer, uint32_t sw, ut_mask bits);
/* Returns those of the bits that the switch keeps. */
ut_mask ut_explorer_kept(const struct ut_explorer *explorer, uint32_t sw, ut_mask bits);

/* ---- rows (rows.c) */

/* Returns the row of a channel, for rt number `rt` and own vector bits.  NULL: out of memory, or rt_overflow. */
const struct ut_row *ut_explorer_row(struct ut_explorer *explorer, uint32_t channel, uint32_t rt, ut_mask own);
/* Doubles the room for values of rt; all rows, and the channels' numbers of states, become invalid. */
bool ut_explorer_grow(struct ut_explorer *explorer);
/* Frees all rows. */
void ut_explorer_forget(struct ut_explorer *explorer);
/* Frees all rows if there are too many; only between two fault sets. */
void ut_explorer_trim(struct ut_explorer *explorer);

/* Return the destinations for which an edge can be taken with some vector; with every vector. */
static inline const uint64_t *ut_row_any(const struct ut_explorer *explorer, const struct ut_row *row, unsigned edge) {
  return row->mask + (UT_ROW_EDGES + 2 * edge) * explorer->words;
}
static inline const uint64_t *ut_row_all(const struct ut_explorer *explorer, const struct ut_row *row, unsigned edge) {
  return row->mask + (UT_ROW_EDGES + 2 * edge + 1) * explorer->words;
}

/* ---- questions */

/* Asks the route function once: for a packet to `dst` with rt value `rt` in that channel, under re-route vector
 * `vector`. *route receives the answer.  A packet without candidates is discarded. */
struct ut_route_result;
void ut_explorer_ask(struct ut_explorer *explorer, uint32_t channel, uint32_t dst, uint32_t rt, ut_mask vector,
                     struct ut_route_result *route);
/* Asks the same for a whole header word; route->rt is its rt field afterwards. */
void ut_explorer_ask_header(struct ut_explorer *explorer, uint32_t channel, uint64_t header, ut_mask vector,
                            struct ut_route_result *route);

/* Returns whether packets for two terminals of one switch go the same ways under the present tables: all other switches
 * have the same entries for both, and their own one sends each to its terminal. */
bool ut_explorer_alike(struct ut_explorer *explorer, uint32_t dst, uint32_t other);

/* ---- channels */

/* Returns the group of a switch's elaboration. */
static inline const struct ut_group *ut_explorer_group(const struct ut_explorer *explorer, uint32_t sw) {
  return &explorer->group[ut_topology_elaboration(explorer->topology, sw)];
}

static inline uint32_t ut_explorer_channel(const struct ut_explorer *explorer, uint32_t sw, unsigned in_port,
                                           unsigned vc) {
  return explorer->channel_of[((size_t)sw * explorer->topology->pi + in_port) * explorer->v + vc];
}

/* Return the number of injection links of a terminal; the channel where its packets start, by link and VC; the switch
 * from which one of its ejection links comes. */
unsigned ut_explorer_injections(const struct ut_explorer *explorer);
uint32_t ut_explorer_injection(const struct ut_explorer *explorer, uint32_t terminal, unsigned link, unsigned vc);
uint32_t ut_explorer_home(const struct ut_explorer *explorer, uint32_t terminal, unsigned link);
/* Returns the sender of an input port. */
struct ut_peer ut_explorer_feeder(const struct ut_explorer *explorer, uint32_t sw, unsigned in_port);

/* Returns the channel behind output VC (port, vc) of a switch; UINT32_MAX: the VC leads to a terminal or nowhere. */
uint32_t ut_channel_behind(const struct ut_explorer *explorer, uint32_t sw, unsigned port, unsigned vc);

#endif
