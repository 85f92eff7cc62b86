/* SPDX-License-Identifier: Apache-2.0 */
/* output_queue.h - OUTPUT_DEPTH: the queue of each output VC, between crossbar and link.  Twin: rtl/ut_output_queue.v
 *
 * A queue stands in the block.  What it sends is copied from there into the receiver's ring.
 */
#ifndef UT_OUTPUT_QUEUE_H
#define UT_OUTPUT_QUEUE_H

#include "output_unit.h"
#include "port_pick.h"

/* Packets that go down with the link: those whose heads are in the queues of these output VCs. */
UT_INLINE void ut_queue_lose(struct ut_work *w, const uint64_t *lost, const struct ut_form x) {
  uint64_t set[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    set[i] = lost[i] & ut_register(w->b, UT_S_QUEUED, x)[i];
  UT_FOR_EACH_LANE (o, set, x.sets)
    for (unsigned i = 0; i < UT_REG(uint8_t, at_queue_count)[o]; i++) {
      const uint64_t *flit = ut_queue_place(w, o, i, x);
      if (flit[x.words] & UT_KIND_HEAD)
        ut_lost(w, o, *flit, x);
    }
}

/* Those of these output VCs whose front flits may be sent.  A head needs credits for its packet, which under virtual
 * cut-through are those for all that follows it; under wormhole each flit needs one. */
UT_INLINE void ut_queue_may_send(const struct ut_work *w, uint64_t *ready, const struct ut_form x) {
  uint64_t doubtful[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    doubtful[i] = ready[i] & ~ut_register(w->b, UT_S_CREDITED, x)[i];
  UT_FOR_EACH_LANE (o, doubtful, x.sets)
    if (ut_queue_place(w, o, 0, x)[x.words] & UT_KIND_HEAD || (x.wormhole && !UT_REG(uint8_t, at_credits)[o]))
      ut_take(ready, o, x.sets);
}

/* The front flit of output VC o goes on the wire. */
UT_INLINE void ut_queue_send(struct ut_work *w, size_t o, const struct ut_form x) {
  const uint64_t *front = ut_queue_place(w, o, 0, x);
  const size_t to = w->near.to[o];
  const unsigned wire = ut_flit_wire(front[x.words]);
  ut_flit_move(ut_output_place(w, o, to, x), front, x.words, wire);
  ut_output_drive(w, o, to, wire, x);
  if (x.v > 1)
    UT_REG(uint8_t, at_link_pointer)
    [ut_lane_port_index(o, x)] = (uint8_t)ut_rr_after(ut_lane_vc(o, x), ut_mask_all(x.v));
}

/* One queue of each port sends.  All registers are those of the start of the cycle. */
UT_INLINE void ut_queue_transmit(struct ut_work *w, const struct ut_form x) {
  uint64_t ready[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    ready[i] = ut_register(w->b, UT_S_QUEUED, x)[i] & ut_register(w->b, UT_S_OUT_UP, x)[i];
  ut_queue_may_send(w, ready, x);
  if (x.v > 1) {
    const ut_set one = ut_pick_vcs(w, ut_lane_word_of(ready, 0, x), UT_REG(uint8_t, at_link_pointer), false, x);
    UT_FOR_EACH_WORD (i, x.locals)
      ready[i] = one.w[i];
  }
  UT_FOR_EACH_LANE (o, ready, x.sets)
    ut_queue_send(w, o, x);
}

#endif
