/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include "switch.h"

/* A credit has arrived, so many are there now: the masks change where that crosses a threshold. */
UT_INLINE void ut_output_credit(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                unsigned credits, const struct ut_traits t) {
  UT_CHECK(credits <= g->shape.depth && "more credits than the buffer has flits");
  if (credits == g->need)
    ut_masks(g, s, UT_M_ENOUGH, t.v)[ovc] |= ut_bit(op);
  if (t.bubble && credits == g->need2)
    ut_masks(g, s, UT_M_ENOUGH2, t.v)[ovc] |= ut_bit(op);
}

/* A flit leaves: spends a credit of an output VC; to: its port as a mask. */
UT_INLINE void ut_output_spend(const struct ut_group *g, struct ut_switch *s, ut_mask to, unsigned ovc,
                               uint8_t *credits, const struct ut_traits t) {
  UT_CHECK(*credits && "a flit was sent without a credit");
  const unsigned had = (*credits)--;
  if (!g->lookup.mark[had])
    return;
  if (had == g->need)
    ut_masks(g, s, UT_M_ENOUGH, t.v)[ovc] &= ~to;
  if (t.bubble && had == g->need2)
    ut_masks(g, s, UT_M_ENOUGH2, t.v)[ovc] &= ~to;
}

/* End of the cycle: credits that arrived, link states. */
UT_INLINE void ut_output_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                                const struct ut_traits t) {
  const unsigned v = t.v;
  for (unsigned o = 0; o < v; o++) {
    UT_FOR_EACH(op, in->credit[o] & s->out_up)
    ut_output_credit(g, s, op, o, ++*ut_credits_of(s, op, o, t), t);
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
