/* SPDX-License-Identifier: Apache-2.0 */
/* reach.h - the states in which packets can be in a network with faults, whatever an adversary chooses.
 *
 * A state is a channel, a value of the header's rt field, and the bits that the packet itself has set in the re-route
 * vectors on its way (its own bits), which permanent faults never clear.  At every hop the adversary chooses among the
 * candidates, and chooses the vector anew: any set between the packet's own bits and these together with the switch's
 * shared bits.
 *
 * A state holds a set of destinations.  Packets start at every terminal, in every VC of the first virtual layer, for
 * every other terminal.
 */
#ifndef UT_REACH_H
#define UT_REACH_H

#include "explorer.h"

/* For each state, the destinations of the packets that can be there. */
struct ut_field {
  uint64_t *mask; /* [states * words] */
  uint32_t *touched, count;
};

/* Bits that a packet has set itself: a sorted list of (switch, bits); set 0 is empty. */
struct ut_own {
  uint32_t first, count; /* in ut_reach.own_item */
};
struct ut_own_item {
  uint32_t sw;
  ut_mask bits;
};

struct ut_reach {
  struct ut_explorer *explorer;
  const ut_mask *stale; /* [switches]: bits that were set under other faults, repaired since; NULL: none */
  uint32_t base;        /* states without own bits: channel * rt_room + rt */
  uint32_t states, room;
  struct { /* of the states with own bits, from `base` on */
    uint32_t state, own;
  } * extra;
  struct ut_hash extra_hash, own_hash;
  struct ut_own *own;
  uint32_t owns, own_space;
  struct ut_own_item *own_item;
  uint32_t own_items, item_room;

  struct ut_field reached, a, b;
  uint64_t *delta;             /* [states * words]: not yet propagated */
  uint64_t *work;              /* base states with a delta, one bit each */
  uint32_t work_words, lowest; /* no word before this one has work */
  uint32_t *stack, stacked;    /* other states with a delta */
  bool *on_stack;

  /* results, sets of destinations */
  uint64_t *discarded, *wrong, *looping, *back;
};

int ut_reach_init(struct ut_reach *reach, struct ut_explorer *explorer, struct ut_error *e);
void ut_reach_free(struct ut_reach *reach);

/* Explores the network with its faults, after ut_explorer_set_faults(); fills `reached`, `discarded`, `wrong`,
 * `looping`. Other packets set no vector bits.  Returns -1 when out of memory. */
int ut_reach_run(struct ut_reach *reach);
/* To be called after that: does the same while other packets may have set any bits that a packet can set, which it
 * finds as a fixpoint and leaves in the explorer; stale bits may be set, too. */
int ut_reach_run_shared(struct ut_reach *reach);
/* Returns whether every packet arrives, whatever the adversary chooses. */
bool ut_reach_connected(const struct ut_reach *reach);
bool ut_reach_loops(const struct ut_reach *reach);

/* After ut_reach_run() without loops: the links between switches on the longest walk; the most U-turns of a walk. */
unsigned ut_reach_longest(struct ut_reach *reach);
unsigned ut_reach_u_turns(struct ut_reach *reach);

/* ---- for readers of states */
static inline uint32_t ut_reach_base_state(const struct ut_reach *reach, uint32_t state) {
  return state < reach->base ? state : reach->extra[state - reach->base].state;
}
static inline uint32_t ut_reach_channel(const struct ut_reach *reach, uint32_t state) {
  return ut_reach_base_state(reach, state) / reach->explorer->rt_room;
}
static inline uint32_t ut_reach_rt(const struct ut_reach *reach, uint32_t state) {
  return ut_reach_base_state(reach, state) % reach->explorer->rt_room;
}
/* Returns its own bits in the vector of the switch where it is. */
ut_mask ut_reach_own_bits(const struct ut_reach *reach, uint32_t state);
/* NULL: out of memory. */
const struct ut_row *ut_reach_row(struct ut_reach *reach, uint32_t state);
/* Returns the state behind that edge of the state's row, which must not lead to a terminal; UINT32_MAX: out of
 * memory. */
uint32_t ut_reach_target(struct ut_reach *reach, uint32_t state, const struct ut_edge *edge);
/* Returns the states where packets of that terminal start. */
uint32_t ut_reach_start(const struct ut_reach *reach, uint32_t terminal, unsigned link, unsigned vc);

static inline bool ut_mask_any(const uint64_t *mask, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    if (mask[i])
      return true;
  return false;
}

static inline bool ut_mask_meet(const uint64_t *a, const uint64_t *b, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    if (a[i] & b[i])
      return true;
  return false;
}

#endif
