/* SPDX-License-Identifier: Apache-2.0 */
/* output_queue.h - OUTPUT_DEPTH: the queue of each output VC, between crossbar and link.  Twin: rtl/ut_output_queue.v
 *
 * A queue is stored in the block.  When it sends a flit, the flit is copied into the receiver's ring.
 */
#ifndef UT_OUTPUT_QUEUE_H
#define UT_OUTPUT_QUEUE_H

#include "output_unit.h"
#include "port_pick.h"

/* Reports the packets that a failed link destroys: those whose heads are in the queues of these output VCs. */
UT_INLINE void ut_queue_lose(struct ut_work *work, const uint64_t *lost, const struct ut_form form) {
  uint64_t set[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    set[i] = lost[i] & ut_register(work->b, UT_S_QUEUED, form)[i];
  UT_FOR_EACH_LANE (o, set, form.sets)
    for (unsigned i = 0; i < UT_REG(uint8_t, at_queue_count)[o]; i++) {
      const uint64_t *flit = ut_queue_place(work, o, i, form);
      if (flit[form.words] & UT_KIND_HEAD)
        ut_lost(work, o, *flit, form);
    }
}

/* Finds those of these output VCs whose front flits may be sent.  A head needs credits for its packet: under virtual
 * cut-through these are enough for all flits that follow; under wormhole each flit needs one. */
UT_INLINE void ut_queue_may_send(const struct ut_work *work, uint64_t *ready, const struct ut_form form) {
  uint64_t doubtful[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    doubtful[i] = ready[i] & ~ut_register(work->b, UT_S_CREDITED, form)[i];
  UT_FOR_EACH_LANE (o, doubtful, form.sets)
    if (ut_queue_place(work, o, 0, form)[form.words] & UT_KIND_HEAD ||
        (form.wormhole && !UT_REG(uint8_t, at_credits)[o]))
      ut_take(ready, o, form.sets);
}

/* Sends the front flit of output VC o. */
UT_INLINE void ut_queue_send(struct ut_work *work, size_t o, const struct ut_form form) {
  const uint64_t *front = ut_queue_place(work, o, 0, form);
  const size_t to = work->near.to[o];
  const unsigned wire = ut_flit_wire(front[form.words]);
  ut_flit_move(ut_output_place(work, o, to, form), front, form.words, wire);
  ut_output_drive(work, o, to, wire, form);
  if (form.v > 1)
    UT_REG(uint8_t, at_link_pointer)
  [ut_lane_port_index(o, form)] = (uint8_t)ut_rr_after(ut_lane_vc(o, form), ut_mask_all(form.v));
}

/* Sends from one queue of each port.  All registers are those of the start of the cycle. */
UT_INLINE void ut_queue_transmit(struct ut_work *work, const struct ut_form form) {
  uint64_t ready[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    ready[i] = ut_register(work->b, UT_S_QUEUED, form)[i] & ut_register(work->b, UT_S_OUT_UP, form)[i];
  ut_queue_may_send(work, ready, form);
  if (form.v > 1) {
    const ut_set one =
        ut_pick_vcs(work, ut_lane_word_of(ready, 0, form), UT_REG(uint8_t, at_link_pointer), false, form);
    UT_FOR_EACH_WORD (i, form.locals)
      ready[i] = one.w[i];
  }
  UT_FOR_EACH_LANE (o, ready, form.sets)
    ut_queue_send(work, o, form);
}

#endif
