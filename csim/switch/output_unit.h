/* SPDX-License-Identifier: Apache-2.0 */
/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/ut_output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include "block.h"
#include "packet_space.h"

/* ---- the queue of an output VC, between crossbar and link (output_queue.h) */

/* A place, counted from the front; behind all flits is the next one that is written. */
UT_INLINE uint64_t *ut_queue_place(const struct ut_work *w, size_t o, unsigned i, const struct ut_form x) {
  const unsigned at = UT_REG(uint8_t, at_queue_read)[o] + i, place = at < x.output_depth ? at : at - x.output_depth;
  return UT_REG(uint64_t, at_queue) + (o * x.output_depth + place) * (x.words + 1);
}
UT_INLINE uint64_t *ut_queue_end(const struct ut_work *w, size_t o, const struct ut_form x) {
  const unsigned count = UT_REG(uint8_t, at_queue_count)[o];
  UT_CHECK(count < x.output_depth && "a flit has entered a queue that is full");
  return ut_queue_place(w, o, count, x);
}
UT_INLINE void ut_queue_clear(struct ut_work *w, size_t o, const struct ut_form x) {
  UT_REG(uint8_t, at_queue_read)[o] = UT_REG(uint8_t, at_queue_count)[o] = 0;
  ut_take(ut_register(w->b, UT_S_QUEUED, x), o, x.sets);
}

/* ---- a flit goes on the wire */

/* Where it goes in the ring of its receiver. */
UT_INLINE uint64_t *ut_output_place(const struct ut_work *w, size_t o, size_t to, const struct ut_form x) {
  UT_CHECK(UT_REG(uint8_t, at_credits)[o] && "a flit was sent without a credit");
  return w->reach.ring + (to * 2 * x.depth + ut_position_at(w->near.send, o, x.wide)) * (x.words + 1);
}
/* It has been written there. */
UT_INLINE void ut_output_drive(struct ut_work *w, size_t o, size_t to, unsigned wire, const struct ut_form x) {
  w->reach.flits_later[to] = (uint8_t)wire;
  ut_put(w->left, o, x.sets);
  if (x.v > 1)
    UT_REG(uint8_t, at_last)[ut_lane_port_index(o, x)] = (uint8_t)o;
}

/* ---- links that are down */

/* What is down has neither credits nor owners: the output VCs that lose them in this cycle. */
UT_INLINE void ut_output_lost(struct ut_work *w, uint64_t *lost, const struct ut_form x) {
  UT_FOR_EACH_WORD (i, x.sets) {
    lost[i] = ut_register(w->b, UT_S_STALE_LINK, x)[i] & ~ut_register(w->b, UT_S_OUT_UP, x)[i];
    ut_register(w->b, UT_S_OWNED, x)[i] &= ~lost[i];
  }
}
/* They count anew, when all else has been counted. */
UT_INLINE void ut_output_clear(struct ut_work *w, const uint64_t *lost, const struct ut_form x) {
  UT_FOR_EACH_LANE (n, lost, x.sets) {
    UT_REG(uint8_t, at_credits)[n] = 0;
    if (x.output_depth)
      ut_queue_clear(w, n, x);
    ut_output_space(w->g, w->b, n, x);
  }
}

/* The output register of a port keeps its flit when the ring where it stands will be used otherwise. */
UT_INLINE void ut_output_save(struct ut_work *w, size_t port_index, size_t lane, const struct ut_form x) {
  const size_t o = x.v > 1 ? lane | (size_t)ut_lane_vc(UT_REG(uint8_t, at_last)[port_index], x) << x.port_bits : lane;
  uint64_t *saved = ut_register(w->b, UT_S_SAVED, x);
  if (ut_has(saved, o, x.sets))
    return;
  const unsigned next = ut_position_at(w->near.send, o, x.wide), at = next ? next - 1 : 2 * x.depth - 1;
  ut_flit_copy(UT_REG(uint64_t, at_saved) + port_index * (x.words + 1),
               w->reach.ring + w->near.to[o] * (size_t)x.ring + at * (x.words + 1), x.words);
  for (unsigned i = 0; i < x.v; i++)
    ut_put(saved, lane | (size_t)i << x.port_bits, x.sets);
}

#endif
