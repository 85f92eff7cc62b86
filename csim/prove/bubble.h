/* SPDX-License-Identifier: Apache-2.0 */
/* bubble.h - shows that a ring of escape channels never fills, by an exhaustive search of all states of one ring.
 *
 * A ring consists of buffers, one behind the other, each with space for `depth` flits.  A packet may
 *   enter     a buffer that has the space required for entering,
 *   continue  from the front of a buffer into the next one, if that has the space required for continuing,
 *   leave     the ring from the front of a buffer,
 * as the output units of rtl/ut_switch.v allow it (docs/reference/cycle-contract.md, Space).  With output queues there
 * is a queue before each buffer: packets enter queues, and continue from a queue into the buffer behind it, and from
 * there into the next queue.  A whole packet moves at a time: under virtual cut-through its space is reserved when its
 * head is granted.
 *
 * The adversary chooses the moves and, if packets differ in length, each length.  The search lets no packet leave: when
 * a packet has left, the others could have made the same moves if it had never come, so no state is missed.  A state is
 * stuck if it has packets and none of them can continue: all packets at a front that want to stay in the ring wait for
 * each other.
 */
#ifndef UT_BUBBLE_H
#define UT_BUBBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct ut_bubble_ring {
  unsigned buffers;           /* at least 2; together all places have at most 64 flits, counting one more for each */
  unsigned depth_flits;       /* of a buffer */
  unsigned longest, shortest; /* flits of packets */
  unsigned go_on, enter;      /* free flits required for these moves; for the bubble rule see ut_bubble_rule() */
  unsigned queue_flits;       /* flits of the output queue before each buffer; 0: no queues */
  unsigned queue_up;          /* flits free to continue into a queue; go_on is for buffers, enter for queues */
};

enum ut_bubble_move { UT_BUBBLE_ENTER, UT_BUBBLE_GO_ON };

struct ut_bubble_step {
  uint8_t move;   /* enum ut_bubble_move */
  uint8_t buffer; /* place entered or left; with queues, 0 is a queue, 1 the buffer behind it, ... */
  uint8_t flits;  /* of the packet */
};

struct ut_bubble_verdict {
  uint32_t states;
  unsigned least_free;         /* free flits of the whole ring in its fullest state */
  bool stuck;                  /* some state is stuck */
  struct ut_bubble_step *step; /* the fewest moves from the empty ring to a stuck state */
  size_t steps;
};

/* Fills in go_on, enter and queue_up by the bubble rule of rtl/ut_switch.v.  Returns false if the rule cannot be
 * obeyed. */
bool ut_bubble_rule(struct ut_bubble_ring *ring);

/* Searches all states.  Returns -1 and fills *e if the ring is too large, or when out of memory. */
int ut_bubble_search(const struct ut_bubble_ring *ring, struct ut_bubble_verdict *verdict, struct ut_error *e);
void ut_bubble_free(struct ut_bubble_verdict *verdict);

#endif
