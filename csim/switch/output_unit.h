/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include "switch.h"

/* The masks that follow from a credit count, after it went up or down by one: only crossing a threshold changes them.
 */
UT_INLINE void ut_output_credit_up(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                   unsigned credits, const struct ut_traits t) {
  if (credits == g->need[ovc])
    ut_masks(g, s, UT_M_ENOUGH, t.v)[ovc] |= ut_bit(op);
  if (t.bubble && credits == g->need2[ovc])
    ut_masks(g, s, UT_M_ENOUGH2, t.v)[ovc] |= ut_bit(op);
}
UT_INLINE void ut_output_credit_down(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                     unsigned credits, const struct ut_traits t) {
  if (credits + 1 == g->need[ovc])
    ut_masks(g, s, UT_M_ENOUGH, t.v)[ovc] &= ~ut_bit(op);
  if (t.bubble && credits + 1 == g->need2[ovc])
    ut_masks(g, s, UT_M_ENOUGH2, t.v)[ovc] &= ~ut_bit(op);
}

/* A credit has arrived. */
UT_INLINE void ut_output_credit(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                const struct ut_traits t) {
  unsigned credits = ++*ut_credits_of(s, op, ovc, t);
  UT_CHECK(credits <= g->shape.depth && "more credits than the buffer has flits");
  if (g->mark[credits])
    ut_output_credit_up(g, s, op, ovc, credits, t);
}

/* A flit leaves through output VC (op, ovc): its credit, its owner. */
UT_INLINE void ut_output_send(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc, unsigned tag,
                              const struct ut_traits t) {
  uint8_t *credits = ut_credits_of(s, op, ovc, t);
  UT_CHECK(*credits && "a flit was sent without a credit");
  if (g->mark[(*credits)--])
    ut_output_credit_down(g, s, op, ovc, *credits, t);
  if (tag & UT_KIND_TAIL)
    ut_masks(g, s, UT_M_OWNED, t.v)[ovc] &= ~ut_bit(op);
}

/* End of the cycle: credits that arrived, link states. */
UT_INLINE void ut_output_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                                const struct ut_traits t) {
  const unsigned v = t.v;
  for (unsigned o = 0; o < v; o++) {
    UT_FOR_EACH(op, in->credit[o] & s->out_up) ut_output_credit(g, s, op, o, t);
    if (s->stale_link) { /* what is down has neither credits nor owners */
      ut_mask down = g->all_out & ~s->out_up;
      ut_masks(g, s, UT_M_OWNED, v)[o] &= ~down;
      ut_masks(g, s, UT_M_ENOUGH, v)[o] &= ~down;
      ut_masks(g, s, UT_M_ENOUGH2, v)[o] &= ~down;
      UT_FOR_EACH(op, down) * ut_credits_of(s, op, o, t) = 0;
    }
  }
  s->stale_link = s->out_up != in->out_up;
  s->out_up = in->out_up;
}

#endif
