/* SPDX-License-Identifier: Apache-2.0 */
/* switch_allocator.h - selects the flits that cross the crossbar, and moves them.  Twins: rtl/ut_switch_allocator.v,
 * rtl/ut_crossbar.v
 */
#ifndef UT_SWITCH_ALLOCATOR_H
#define UT_SWITCH_ALLOCATOR_H

#include "input_unit.h"
#include "output_queue.h"
#include "vc_allocator.h"

/* Moves the front flit of input VC n to its packet's output VC o: into its queue, or else onto the wire.  The caller
 * counts it as popped. */
UT_INLINE void ut_traverse(struct ut_work *work, size_t n, size_t o, const struct ut_form form) {
  const uint64_t *front = ut_front_flit(work, n, form);
  const unsigned tag = ut_input_wire(work, n, front, form);
  const size_t to = form.output_depth ? UT_NO_LANE : work->near.to[o];
  uint64_t *place = form.output_depth ? ut_queue_end(work, o, form) : ut_output_place(work, o, to, form);
  if (form.v > 1 || form.strips)
    ut_flit_move(place, front, form.words, tag);
  else
    ut_flit_copy(place, front, form.words);
  if (tag & UT_KIND_HEAD) {
    if (form.rewrites)
      place[0] = ut_header_set_rt(place[0], UT_REG(uint32_t, at_rt)[n]);
    if (form.u_turns && ut_has(work->g->up_lanes, n, form.sets) && ut_has(work->g->up_lanes, o, form.sets))
      ut_lane_switch(work, n, form)->u_turns++;
  }
  if (form.output_depth)
    ut_put(work->crossed, o, form.sets);
  else
    ut_output_drive(work, o, to, tag, form);
  if (tag & UT_KIND_TAIL) {
    UT_BRANCH;
    ut_put(work->ended, n, form.sets);
    ut_put(work->freed, o, form.sets);
  }
  ut_input_leave(work, n, form);
}

/* Returns whether a flit of an active packet may be sent.  Under wormhole it needs a credit or a place of its own, in
 * addition to that of a flit that leaves now. */
UT_INLINE bool ut_may_send(const struct ut_work *work, size_t n, const struct ut_form form) {
  const size_t o = ut_out_at(UT_REG(void, at_out), n, form);
  const unsigned places =
      form.output_depth ? form.output_depth - UT_REG(uint8_t, at_queue_count)[o] : UT_REG(uint8_t, at_credits)[o];
  return (work->fast_path || ut_has(ut_register(work->b, UT_S_OUT_UP, form), o, form.sets)) &&
         (!form.wormhole ||
          places > (form.xbar_cycles && ut_has(ut_register(work->b, UT_S_CROSS, form), n, form.sets)));
}

/* Moves the arbiters: a flit of input VC n, one of several of its port, was granted output VC o. */
UT_INLINE void ut_switch_grant(struct ut_work *work, size_t n, size_t o, const struct ut_form form) {
  const unsigned line = form.per_vc ? (unsigned)(n - ut_lane_base(n, form)) : ut_lane_port(n, form);
  ut_set_store(UT_REG(void, at_sa), ut_lane_port_index(o, form), ut_set_above(line, form), form);
  if (!form.per_vc)
    UT_REG(uint8_t, at_switch_pointer)
  [ut_lane_port_index(n, form)] = (uint8_t)ut_rr_after(ut_lane_vc(n, form), ut_mask_all(form.v));
}

/* Returns the output ports that several of these flits request, by their lanes of VC 0. */
UT_INLINE uint64_t ut_switch_contested(const struct ut_work *work, const ut_set ready, const struct ut_form form) {
  uint64_t out = 0, twice = 0;
  if (ut_lane_word_has_no_contention(ut_lane_word_of(ut_register(work->b, UT_S_OWNED, form), 0, form), form))
    return 0;
  UT_FOR_EACH_LANE (n, ready.w, form.locals) {
    const uint64_t to = ut_lane_bit(ut_lane_word_port(ut_out_at(UT_REG(void, at_out), n, form), form));
    twice |= out & to;
    out |= to;
  }
  return twice;
}

/* Returns, of these input VCs, the lanes of the switch that request this output port; port_lane: the port's lane of VC
 * 0. */
UT_INLINE ut_set ut_switch_asking(const struct ut_work *work, const ut_set ready, unsigned port_lane,
                                  const struct ut_form form) {
  const unsigned lanes = form.each_bits < 5 ? UT_LANES : 1u << form.each_bits, first = port_lane / lanes * lanes;
  ut_set asking = {{0}};
  if (UT_MANY(form)) { /* no bytes */
    UT_FOR_EACH_LANE (n, ready.w, form.locals)
      if (ut_lane_word_port(ut_out_at(UT_REG(void, at_out), n, form), form) == port_lane)
        ut_put(asking.w, n, form.locals);
    return asking;
  }
  UT_UNROLL
  for (unsigned i = first; i < first + lanes; i += UT_LANES) {
    const ut_vector out = *(const ut_vector *)(UT_REG(uint8_t, at_out) + i);
    const uint64_t same = ut_gather((ut_vector)((out & (uint8_t)ut_lane_word_port(255, form)) == (uint8_t)port_lane));
    asking.w[form.locals == 1 ? 0 : i / 64] |= same << i % 64;
  }
  return ut_set_of(ut_set_and(asking, ready, form).w, ut_lane_base(port_lane, form), form);
}

/* Returns the lane of a switch that is granted the output port. */
UT_INLINE unsigned ut_switch_pick(const struct ut_work *work, unsigned port_lane, ut_set asking,
                                  const struct ut_form form) {
  const ut_set before = ut_set_load(UT_REG(void, at_sa), ut_lane_port_index(port_lane, form), form);
  if (form.filters)
    asking = ut_request_filter(work, ut_lane_base(port_lane, form), asking, form);
  if (form.per_vc)
    return ut_set_pick(asking, before, form);
  const ut_mask ports = ut_set_ports(asking, form); /* each input port has picked one VC */
  return ut_set_first(
      ut_set_and(asking, ut_set_lanes(ut_bit(ut_rr_pick(ports, ut_set_mask(before, 0, form))), form), form), form);
}

/* Removes the flits that must wait for others.  Only contested ports need their arbiters.
 */
UT_INLINE ut_set ut_switch_arbitrate(const struct ut_work *work, ut_set ready, const struct ut_form form) {
  if (!form.per_vc) /* first stage: the crossbar has one input for each port */
    ready = ut_pick_vcs(work, ready, UT_REG(uint8_t, at_switch_pointer), form.ranks, form);
  ut_set winners = ready;
  for (uint64_t rest = ut_switch_contested(work, ready, form); rest; rest &= rest - 1) {
    const unsigned port_lane = (unsigned)__builtin_ctzll(rest), base = (unsigned)ut_lane_base(port_lane, form);
    const ut_set asking = ut_switch_asking(work, ready, port_lane, form);
    ut_block_put(winners.w, base, ut_set_but(ut_set_of(winners.w, base, form), asking, form), form);
    ut_put(winners.w, base | ut_switch_pick(work, port_lane, asking, form), form.locals);
  }
  return winners;
}

/* With a register in front of the crossbar: returns the flits that won in the last cycle and leave now, all except
 * those of packets that have been cut.  Removes VCs from `ready` whose packet has no other flit to send. */
UT_INLINE void ut_switch_cross(const struct ut_work *work, uint64_t *ready, uint64_t *cross,
                               const struct ut_form form) {
  UT_FOR_EACH_WORD (i, form.sets)
    cross[i] = ut_register(work->b, UT_S_CROSS, form)[i] & ut_register(work->b, UT_S_ACTIVE, form)[i];
  UT_FOR_EACH_LANE (n, cross, form.sets)
    if (ut_count(work, n, form) == 1 || ut_input_tag(work, n, ut_front_flit(work, n, form), form) & UT_KIND_TAIL)
      ut_take(ready, n, form.sets);
}

/* Lets flits of these input VCs leave, now or in the next cycle. */
UT_INLINE void ut_switch_send(struct ut_work *work, uint64_t *ready, const struct ut_form form) {
  uint64_t cross[UT_SET_WORDS], *leave = ready;
  if (form.xbar_cycles) {
    ut_switch_cross(work, ready, cross, form);
    leave = cross;
  }
  const ut_set all = ut_lane_word_of(ready, 0, form);
  if (form.v > 1 && ut_set_several(all, form)) { /* of one VC: an output port has one owner */
    const ut_set winners = ut_switch_arbitrate(work, all, form);
    UT_FOR_EACH_WORD (i, form.locals)
      ready[i] = winners.w[i];
  }
  if (form.xbar_cycles) {
    if (form.v > 1)
      UT_FOR_EACH_LANE (n, ready, form.sets)
        ut_switch_grant(work, n, ut_out_at(UT_REG(void, at_out), n, form), form);
    UT_FOR_EACH_WORD (i, form.sets)
      ut_register(work->b, UT_S_CROSS, form)[i] = ready[i];
  }
  UT_FOR_EACH_LANE (n, leave, form.sets) {
    const size_t o = ut_out_at(UT_REG(void, at_out), n, form);
    if (form.v > 1 && !form.xbar_cycles)
      ut_switch_grant(work, n, o, form);
    ut_traverse(work, n, o, form);
  }
  UT_FOR_EACH_WORD (i, form.sets)
    work->popped[i] |= leave[i];
}

/* Steps 3 and 4 of the cycle. */
UT_INLINE void ut_switch_allocate(struct ut_work *work, const struct ut_form form) {
  uint64_t ready[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    ready[i] = work->send[i] & ut_register(work->b, UT_S_OCCUPIED, form)[i];
  if (form.wormhole || !work->fast_path)
    UT_FOR_EACH_LANE (n, ready, form.sets)
      if (!ut_may_send(work, n, form))
        ut_take(ready, n, form.sets);
  UT_FOR_EACH_WORD (i, form.sets)
    work->ended[i] = work->freed[i] = 0;
  ut_switch_send(work, ready, form);
  UT_FOR_EACH_WORD (i, form.sets) {
    ut_register(work->b, UT_S_ACTIVE, form)[i] &= ~work->ended[i];
    ut_register(work->b, UT_S_OWNED, form)[i] &= ~work->freed[i];
  }
}

#endif
