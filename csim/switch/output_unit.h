/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/ut_output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include "block.h"

/* What is down has neither credits nor owners: the output VCs that lose them in this cycle. */
UT_INLINE void ut_output_lost(struct ut_work *w, uint64_t *lost, const struct ut_form x) {
  UT_FOR_EACH_WORD (i, x.sets) {
    lost[i] = ut_register(w->b, UT_S_STALE_LINK, x)[i] & ~ut_register(w->b, UT_S_OUT_UP, x)[i];
    ut_register(w->b, UT_S_OWNED, x)[i] &= ~lost[i];
  }
}

/* The output register of a port keeps its flit when the ring where it stands will be used otherwise. */
UT_INLINE void ut_output_save(struct ut_work *w, size_t gate, size_t lane, const struct ut_form x) {
  const size_t o = x.v > 1 ? lane | (size_t)ut_lane_vc(UT_REG(uint8_t, at_last)[gate], x) << x.port_bits : lane;
  uint64_t *saved = ut_register(w->b, UT_S_SAVED, x);
  if (ut_has(saved, o, x.sets))
    return;
  const unsigned next = ut_position_at(w->near.send, o, x.wide), at = next ? next - 1 : 2 * x.depth - 1;
  ut_flit_copy(UT_REG(uint64_t, at_saved) + gate * (x.words + 1),
               w->reach.ring + w->near.to[o] * (size_t)x.ring + at * (x.words + 1), x.words);
  for (unsigned i = 0; i < x.v; i++)
    ut_put(saved, lane | (size_t)i << x.port_bits, x.sets);
}

#endif
