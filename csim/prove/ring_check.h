/* SPDX-License-Identifier: Apache-2.0 */
/* ring_check.h - the bubble rule by itself: one small ring of escape channels, every state of it (bubble.h). */
#ifndef UT_RING_CHECK_H
#define UT_RING_CHECK_H

#include <stdio.h>

#include "bubble.h"
#include "shape.h"

struct json_t;

struct ut_ring_check {
  bool present;                          /* there was something to check */
  bool rule;                             /* the algorithm obeys the bubble rule */
  bool mixed;                            /* packets of different lengths, header words included: only under the rule */
  struct ut_bubble_ring ring;            /* what was searched: packets of one length */
  struct ut_bubble_verdict result;       /* result under the scenario's rule */
  struct ut_bubble_verdict without;      /* result if packets enter with space for one packet */
  struct ut_bubble_verdict flits, slots; /* packets of two lengths, the rule counted in flits and in slots */
};

/* Checks a ring under virtual cut-through that represents those of a network with such switches.  Returns -1 and fills
 * *e when out of memory. */
int ut_ring_check_run(struct ut_ring_check *check, const struct ut_shape *shape, struct ut_error *e);
void ut_ring_check_free(struct ut_ring_check *check);
/* Lines of text; key bubble_rule of an object. */
void ut_ring_check_print(const struct ut_ring_check *check, FILE *f);
void ut_ring_check_json(const struct ut_ring_check *check, struct json_t *object);

#endif
