/* SPDX-License-Identifier: Apache-2.0 */
/* output_unit.h - owners and credits of the output VCs, output registers.  Twin: rtl/ut_output_unit.v */
#ifndef UT_OUTPUT_UNIT_H
#define UT_OUTPUT_UNIT_H

#include "block.h"
#include "packet_space.h"

/* ---- the queue of an output VC, between crossbar and link (output_queue.h) */

/* Returns a place, counted from the front; the one behind all flits is written next. */
UT_INLINE uint64_t *ut_queue_place(const struct ut_work *work, size_t o, unsigned i, const struct ut_form form) {
  const unsigned at = UT_REG(uint8_t, at_queue_read)[o] + i,
                 place = at < form.output_depth ? at : at - form.output_depth;
  return UT_REG(uint64_t, at_queue) + (o * form.output_depth + place) * (form.words + 1);
}
UT_INLINE uint64_t *ut_queue_end(const struct ut_work *work, size_t o, const struct ut_form form) {
  const unsigned count = UT_REG(uint8_t, at_queue_count)[o];
  UT_CHECK(count < form.output_depth && "a flit has entered a queue that is full");
  return ut_queue_place(work, o, count, form);
}
UT_INLINE void ut_queue_clear(struct ut_work *work, size_t o, const struct ut_form form) {
  UT_REG(uint8_t, at_queue_read)[o] = UT_REG(uint8_t, at_queue_count)[o] = 0;
  ut_take(ut_register(work->b, UT_S_QUEUED, form), o, form.sets);
}

/* ---- a flit goes on the wire */

/* Returns where the flit goes in its receiver's ring. */
UT_INLINE uint64_t *ut_output_place(const struct ut_work *work, size_t o, size_t to, const struct ut_form form) {
  UT_CHECK(UT_REG(uint8_t, at_credits)[o] && "a flit was sent without a credit");
  return work->reach.ring + (to * 2 * form.depth + ut_position_at(work->near.send, o, form.wide)) * (form.words + 1);
}
/* Counts a flit that has been written there. */
UT_INLINE void ut_output_drive(struct ut_work *work, size_t o, size_t to, unsigned wire, const struct ut_form form) {
  work->reach.flits_later[to] = (uint8_t)wire;
  ut_put(work->left, o, form.sets);
  if (form.v > 1)
    UT_REG(uint8_t, at_last)[ut_lane_port_index(o, form)] = ut_last_of(o, form);
}

/* ---- links that are down */

/* Clears credits and owners of links that are down; returns the output VCs that lose them in this cycle. */
UT_INLINE void ut_output_lost(struct ut_work *work, uint64_t *lost, const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.sets) {
    lost[i] = ut_register(work->b, UT_S_STALE_LINK, form)[i] & ~ut_register(work->b, UT_S_OUT_UP, form)[i];
    ut_register(work->b, UT_S_OWNED, form)[i] &= ~lost[i];
  }
}
/* Starts these output VCs anew, when everything else has been counted. */
UT_INLINE void ut_output_clear(struct ut_work *work, const uint64_t *lost, const struct ut_form form) {
  UT_FOR_EACH_LANE (n, lost, form.sets) {
    UT_REG(uint8_t, at_credits)[n] = 0;
    if (form.output_depth)
      ut_queue_clear(work, n, form);
    ut_output_space(work->g, work->b, n, form);
  }
}

/* Saves the flit in the output register of a port before the ring where it stands is reused. */
UT_INLINE void ut_output_save(struct ut_work *work, size_t port_index, size_t lane, const struct ut_form form) {
  const size_t o =
      form.v > 1 ? lane | (size_t)ut_last_vc(UT_REG(uint8_t, at_last)[port_index], form) << form.port_bits : lane;
  uint64_t *saved = ut_register(work->b, UT_S_SAVED, form);
  if (ut_has(saved, o, form.sets))
    return;
  const unsigned next = ut_position_at(work->near.send, o, form.wide), at = next ? next - 1 : 2 * form.depth - 1;
  ut_flit_copy(UT_REG(uint64_t, at_saved) + port_index * (form.words + 1),
               work->reach.ring + work->near.to[o] * (size_t)form.ring + at * (form.words + 1), form.words);
  for (unsigned i = 0; i < form.v; i++)
    ut_put(saved, lane | (size_t)i << form.port_bits, form.sets);
}

#endif
