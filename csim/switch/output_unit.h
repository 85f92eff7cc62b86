/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/ut_output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include "switch.h"

/* The masks that follow from a credit count, which has become one more or one less: they change where that crosses a
 * threshold. */
UT_INLINE void ut_output_more(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                              unsigned credits, const struct ut_traits t) {
  UT_CHECK(credits <= g->shape.depth && "more credits than the buffer has flits");
  if (credits == g->need[ovc])
    ut_masks(g, s, UT_M_ENOUGH, t.v)[ovc] |= ut_bit(op);
  if (t.bubble && credits == g->need2[ovc])
    ut_masks(g, s, UT_M_ENOUGH2, t.v)[ovc] |= ut_bit(op);
}
UT_INLINE void ut_output_less(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                              unsigned credits, const struct ut_traits t) {
  if (credits + 1 == g->need[ovc])
    ut_masks(g, s, UT_M_ENOUGH, t.v)[ovc] &= ~ut_bit(op);
  if (t.bubble && credits + 1 == g->need2[ovc])
    ut_masks(g, s, UT_M_ENOUGH2, t.v)[ovc] &= ~ut_bit(op);
}

/* The packet of an input VC, by number in a set of VCs, begins or ends to go to an output port: for the short way of
 * several VCs. */
UT_INLINE void ut_owner_add(struct ut_switch *s, unsigned op, unsigned n, const struct ut_traits t) {
  uint64_t *owners = ut_owners_of(s, op, t);
  if (*owners)
    s->shared |= ut_bit(op);
  *owners |= UINT64_C(1) << n;
}
UT_INLINE void ut_owner_remove(struct ut_switch *s, unsigned op, unsigned n, const struct ut_traits t) {
  uint64_t *owners = ut_owners_of(s, op, t);
  *owners ^= UINT64_C(1) << n;
  if (!(*owners & (*owners - 1)))
    s->shared &= ~ut_bit(op);
}

/* End of the cycle: credits that arrived, link states. */
UT_INLINE void ut_output_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                                const struct ut_traits t) {
  const unsigned v = t.v;
  for (unsigned o = 0; o < v; o++) {
    UT_FOR_EACH(op, in->credit[o] & s->out_up)
    ut_output_more(g, s, op, o, ++*ut_credits_of(s, op, o, t), t);
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
