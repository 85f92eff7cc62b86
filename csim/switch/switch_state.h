/* SPDX-License-Identifier: Apache-2.0 */
/* switch_state.h - the state of one switch that is not stored in lanes.  It is followed, if the form says so, by the
 * node states and the forwarding tables. */
#ifndef UT_SWITCH_STATE_H
#define UT_SWITCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "mask.h"
#include "shape.h"

/* Straps of a switch in a network of levels, decoded (rtl/header.tsv). */
struct ut_stage {
  uint32_t base, step;
  uint16_t timeout;
  uint8_t level, below; /* below: bits of the digits below this level, where k is a power of two */
  uint8_t low;          /* the lowest digit of the switch's index */
  bool repair, first, last;
};

/* Where a terminal of a grid is. */
struct ut_position {
  uint8_t at[UT_MAX_DIMENSIONS]; /* coordinates of its node */
  uint8_t terminal;              /* its number at that node */
};

/* The node states around a switch (node_states.h); ports: those that lead to other nodes. */
struct ut_node_states {
  ut_mask bad;       /* ports to bad nodes: faulty, unsafe or disabled */
  uint32_t diagonal; /* of a grid: bad nodes across a corner, ut_diagonal() */
  uint8_t border;    /* of a grid with borders, bit 0 the plus side of the highest dimension: the bad nodes there reach
                        the right border of dimension 0 */
  uint8_t corner;    /* the same bits of the neighbour in +0, then of the one in -0 */
  bool unsafe, disabled; /* this node */
  /* orders of the manager (order_kind of rtl/header.tsv) */
  uint16_t refused;           /* packets to this terminal are discarded, if `refuses` */
  bool refuses, purge;        /* purge: in this cycle */
  ut_mask purged[UT_MAX_VCS]; /* by VC, over input ports: heads that this cycle's purge has met; not a register */
  bool changed;               /* the states known in the last cycle; not a register */
  bool restart;               /* no node is unsafe until the manager says resume */
  /* from the straps */
  ut_mask exists; /* ports with a link */
  uint8_t edge;   /* 3: this node is at the right border */
};

struct ut_switch {
  ut_mask out_up;            /* link states as the route units see them: up_q of the output units */
  ut_mask vector, neighbour; /* over output ports */
  ut_mask set;               /* bits of the vector that this cycle's heads set; not a register */
  ut_mask banks;             /* of the forwarding table, over input ports */
  ut_mask begins;            /* VC map, escape VC: input ports where packets begin */
  uint16_t timer;
  bool fault, far; /* report to the neighbours */
  bool stale_state;
  bool held;         /* in reset */
  uint32_t u_turns;  /* statistics: heads that came from above and left upwards */
  uint32_t expiries; /* statistics: how often the timer of the re-route vector has expired */
  uint32_t id;
  uint64_t straps;
  struct ut_stage stage;            /* in a network of levels */
  uint8_t place[UT_MAX_DIMENSIONS]; /* in a grid: coordinates */
  uint16_t node;                    /* in a hypercube: all coordinates, a bit each */
};

#endif
