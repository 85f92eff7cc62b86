/* SPDX-License-Identifier: Apache-2.0 */
/* hop_search.h - on any network: through which ports the shortest allowed paths to a switch lead, over the links that
 * work.
 *
 * minimal  every shortest path is allowed.  It may deadlock: `uturn prove` tells.
 * updown   up*-down* (Schroeder et al., Autonet, 1991): a channel leads up if it leads to a smaller key, and no channel
 *          up follows one down, so there is no cyclic dependency.  The key of a switch: its distance from the nearest
 * root, then its number.
 * hops     minimal.
 * global_hops
 *          minimal over at most one link between groups.
 *
 * Packets that have come down are a bank of their own: the answer for a switch and a destination depends on it.  Where
 * switches have no banks (planning.h: one_table), one that has a way down is in bank UT_BANK_DOWN for all packets, and
 * the others, from which only ways up begin, in bank UT_BANK_FREE: a longer way, but legal whoever takes it.
 */
#ifndef UT_HOP_SEARCH_H
#define UT_HOP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "mask.h"
#include "planning.h"
#include "topology.h"

/* The banks of packets at a switch. */
enum { UT_BANK_FREE, UT_BANK_DOWN, UT_BANKS };

struct ut_hop_search {
  const struct ut_topology *topology;
  enum ut_planner planner;
  bool one_table;
  const ut_mask *up;  /* [switches]: output links that work */
  uint16_t *level;    /* [switches]: distance from the nearest root */
  bool *is_root;      /* [switches] */
  bool *is_home;      /* [switches]: of terminals */
  ut_mask *all;       /* [switches]: output links that there are */
  uint32_t *queue;    /* [switches * banks] */
  uint32_t *waiting;  /* [switches * banks]: of one table: switches with a way down, then the others */
  uint16_t *distance; /* [switches * banks]: to the destination, UT_NO_WAY: none */
  ut_mask *ports;     /* [switches * banks]: first hops of the shortest allowed paths */
  uint32_t to;        /* the switch that the ports lead to */
  uint32_t reached;   /* entries of queue: states from which the destination is reached, nearest first */
};

/* false: out of memory. */
bool ut_hop_search_init(struct ut_hop_search *hops, const struct ut_topology *topo, const struct ut_planning *planning);
void ut_hop_search_fini(struct ut_hop_search *hops);

/* Orders the switches by the links that work now; `up` must stay until the next survey. */
void ut_hop_search_survey(struct ut_hop_search *hops, const ut_mask *up);

/* The same for the links that work, in the order without faults unless up*-down* in it loses a pair of terminals that
 * is connected.  Returns whether the order is another one. */
bool ut_hop_search_order(struct ut_hop_search *hops, const ut_mask *up);

/* Finds the ports towards a switch: hops->ports[sw * UT_BANKS + bank]; none at the switch itself. */
void ut_hop_search_towards(struct ut_hop_search *hops, uint32_t to);

/* The state of packets of a bank at a switch: which bank answers, with respect to the last search. */
static inline uint32_t ut_hop_search_state(const struct ut_hop_search *hops, uint32_t sw, unsigned bank) {
  const bool down = hops->one_table && hops->distance[sw * UT_BANKS + UT_BANK_DOWN] != UINT16_MAX;
  return sw * UT_BANKS + (down ? UT_BANK_DOWN : hops->one_table ? UT_BANK_FREE : bank);
}

/* Whether the channel out of that port leads down. */
bool ut_hop_search_down(const struct ut_hop_search *hops, uint32_t from, uint32_t to);

/* The bank of a packet that arrives at that input port. */
unsigned ut_hop_search_bank(const struct ut_hop_search *hops, uint32_t sw, unsigned in_port);

#endif
