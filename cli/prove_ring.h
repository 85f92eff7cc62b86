/* prove_ring.h - the bubble rule's own check in the output of `prove`: one small ring of a torus (bubble.h). */
#ifndef UT_PROVE_RING_H
#define UT_PROVE_RING_H

#include <jansson.h>

#include "bubble.h"
#include "scenario.h"

struct ut_ring_check {
  bool present;                          /* a torus under virtual cut-through */
  bool rule;                             /* its algorithm obeys the bubble rule */
  bool mixed;                            /* packets of different lengths, header words included */
  struct ut_bubble_ring ring;            /* what was searched: packets of one length */
  struct ut_bubble_verdict result;       /* under the scenario's rule */
  struct ut_bubble_verdict without;      /* entered with room for one packet */
  struct ut_bubble_verdict flits, slots; /* packets of two lengths, the rule counted in flits and in slots */
};

int ut_ring_check_run(struct ut_ring_check *c, const struct ut_scenario *s, struct ut_error *e);
void ut_ring_check_free(struct ut_ring_check *c);
void ut_ring_check_print(const struct ut_ring_check *c);
/* Key bubble_rule of the object. */
void ut_ring_check_json(const struct ut_ring_check *c, json_t *object);

#endif
