/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include <assert.h>

#include "switch.h"

/* Sets the masks that follow from a credit count. */
static inline void ut_output_credits_changed(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                             unsigned v) {
  unsigned credits = *ut_credits_at(g, s, op, ovc);
  ut_mask bit = ut_bit(op);
  ut_mask *enough = ut_masks(g, s, UT_M_ENOUGH, v) + ovc;
  *enough = credits >= g->need ? *enough | bit : *enough & ~bit;
  if (g->shape.switching == UT_WORMHOLE) {
    ut_mask *some = ut_masks(g, s, UT_M_SOME, v) + ovc;
    *some = credits ? *some | bit : *some & ~bit;
  }
  if (g->bubble) {
    ut_mask *enough2 = ut_masks(g, s, UT_M_ENOUGH2, v) + ovc;
    *enough2 = credits >= g->need2 ? *enough2 | bit : *enough2 & ~bit;
  }
}

/* A flit leaves through output VC (op, ovc): its credit, its owner. */
static inline void ut_output_send(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                  unsigned tag, unsigned v) {
  uint8_t *credits = ut_credits_at(g, s, op, ovc);
  assert(*credits && "a flit was sent without a credit");
  --*credits;
  ut_output_credits_changed(g, s, op, ovc, v);
  if (tag & UT_KIND_TAIL)
    ut_masks(g, s, UT_M_OWNED, v)[ovc] &= ~ut_bit(op);
}

/* End of the cycle: credits that arrived, link states. */
static inline void ut_output_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                                    unsigned v) {
  for (unsigned o = 0; o < v; o++) {
    UT_FOR_EACH(op, in->credit[o] & s->out_up) {
      ++*ut_credits_at(g, s, op, o);
      assert(*ut_credits_at(g, s, op, o) <= g->shape.depth && "more credits than the buffer has flits");
      ut_output_credits_changed(g, s, op, o, v);
    }
    if (s->stale_link) { /* what is down has neither credits nor owners */
      ut_mask down = g->all_out & ~s->out_up;
      ut_masks(g, s, UT_M_OWNED, v)[o] &= ~down;
      UT_FOR_EACH(op, down) {
        *ut_credits_at(g, s, op, o) = 0;
        ut_output_credits_changed(g, s, op, o, v);
      }
    }
  }
  s->stale_link = s->out_up != in->out_up;
  s->out_up = in->out_up;
}

#endif
