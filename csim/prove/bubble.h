/* SPDX-License-Identifier: Apache-2.0 */
/* bubble.h - why a ring of escape channels never fills: every state of one ring, searched exhaustively.
 *
 * A ring of buffers, one behind the other, each with room for so many flits.  A packet may
 *   enter  a buffer that has so much room,
 *   go on  from the front of a buffer into the next one, if that has so much room,
 *   leave  the ring from the front of a buffer,
 * as the output units of rtl/ut_switch.v let it (docs/reference/cycle-contract.md, Room).  With output queues a queue
 * stands before each buffer: packets enter queues, and go on from a queue into the buffer behind it, and from there
 * into the next queue.  A whole packet moves at a time: under virtual cut-through its room is reserved when its head is
 * granted. The adversary chooses the moves and, where packets have different lengths, each length.
 *
 * The search lets nobody leave: where a packet has left, the others could have made the same moves had it never come,
 * so no state is missed.
 *
 * Stuck is a state with packets none of which can go on: all that are at a front and want to stay wait for each other.
 */
#ifndef UT_BUBBLE_H
#define UT_BUBBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct ut_bubble_ring {
  unsigned buffers;           /* 2 and more; with one more for each, the flits of all places are at most 64 */
  unsigned depth_flits;       /* of a buffer */
  unsigned longest, shortest; /* flits of packets */
  unsigned go_on, enter;      /* flits of space for that; the bubble rule: see ut_bubble_rule() */
  unsigned queue_flits;       /* of the output queue before each buffer; 0: there are none */
  unsigned queue_up;          /* flits of room to go on into a queue; go_on is of buffers, enter of queues */
};

enum ut_bubble_move { UT_BUBBLE_ENTER, UT_BUBBLE_GO_ON };

struct ut_bubble_step {
  uint8_t move;   /* enum ut_bubble_move */
  uint8_t buffer; /* into which, or from which; with queues: place 0 is a queue, 1 the buffer behind it, and so on */
  uint8_t flits;  /* of the packet */
};

struct ut_bubble_verdict {
  uint32_t states;
  unsigned least_free;         /* flits of room in the whole ring, in the state that has least of it */
  bool stuck;                  /* some state is stuck */
  struct ut_bubble_step *step; /* the fewest moves to a stuck state, from the empty ring */
  size_t steps;
};

/* The rule of rtl/ut_switch.v for a ring: fills in go_on, enter and queue_up.  false: it cannot be obeyed. */
bool ut_bubble_rule(struct ut_bubble_ring *ring);

/* Searches all states.  -1 and *e: a ring that is too large, out of memory. */
int ut_bubble_search(const struct ut_bubble_ring *ring, struct ut_bubble_verdict *verdict, struct ut_error *e);
void ut_bubble_free(struct ut_bubble_verdict *verdict);

#endif
