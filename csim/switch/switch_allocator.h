/* SPDX-License-Identifier: Apache-2.0 */
/* switch_allocator.h - who crosses the crossbar, and the crossing.  Twins: rtl/ut_switch_allocator.v, rtl/ut_crossbar.v
 */
#ifndef UT_SWITCH_ALLOCATOR_H
#define UT_SWITCH_ALLOCATOR_H

#include "input_unit.h"
#include "output_queue.h"
#include "vc_allocator.h"

/* The front flit of input VC n goes to its packet's output VC o: into its queue, else at once onto the wire.  The
 * caller counts it as popped. */
UT_INLINE void ut_traverse(struct ut_work *w, size_t n, size_t o, const struct ut_form x) {
  const uint64_t *front = ut_front_flit(w, n, x);
  const unsigned tag = ut_input_wire(w, n, front, x);
  const size_t to = x.output_depth ? UT_NO_LANE : w->near.to[o];
  uint64_t *place = x.output_depth ? ut_queue_end(w, o, x) : ut_output_place(w, o, to, x);
  if (x.v > 1 || x.strips)
    ut_flit_move(place, front, x.words, tag);
  else
    ut_flit_copy(place, front, x.words);
  if (tag & UT_KIND_HEAD) {
    if (x.rewrites)
      place[0] = ut_header_set_rt(place[0], UT_REG(uint32_t, at_rt)[n]);
    if (x.u_turns && ut_has(w->g->up_lanes, n, x.sets) && ut_has(w->g->up_lanes, o, x.sets))
      ut_lane_switch(w, n, x)->u_turns++;
  }
  if (x.output_depth)
    ut_put(w->crossed, o, x.sets);
  else
    ut_output_drive(w, o, to, tag, x);
  if (tag & UT_KIND_TAIL) {
    UT_BRANCH;
    ut_put(w->ended, n, x.sets);
    ut_put(w->freed, o, x.sets);
  }
  ut_input_leave(w, n, x);
}

/* May a flit of an active packet be sent?  Under wormhole it needs a credit or a place of its own, besides that of a
 * flit that leaves now. */
UT_INLINE bool ut_may_send(const struct ut_work *w, size_t n, const struct ut_form x) {
  const size_t o = UT_REG(uint8_t, at_out)[n];
  const unsigned places =
      x.output_depth ? x.output_depth - UT_REG(uint8_t, at_queue_count)[o] : UT_REG(uint8_t, at_credits)[o];
  return (w->fast_path || ut_has(ut_register(w->b, UT_S_OUT_UP, x), o, x.sets)) &&
         (!x.wormhole || places > (x.xbar_cycles && ut_has(ut_register(w->b, UT_S_CROSS, x), n, x.sets)));
}

/* A flit of input VC n, one of several of its port, has been granted the way to output VC o: arbiters move. */
UT_INLINE void ut_switch_grant(struct ut_work *w, size_t n, size_t o, const struct ut_form x) {
  const unsigned line = x.per_vc ? (unsigned)(n - ut_lane_base(n, x)) : ut_lane_port(n, x);
  ut_set_store(UT_REG(void, at_sa), ut_lane_port_index(o, x), ut_set_above(line, x), x);
  if (!x.per_vc)
    UT_REG(uint8_t, at_switch_pointer)
  [ut_lane_port_index(n, x)] = (uint8_t)ut_rr_after(ut_lane_vc(n, x), ut_mask_all(x.v));
}

/* Output ports that several of these flits want: their lanes of VC 0. */
UT_INLINE uint64_t ut_switch_contested(const struct ut_work *w, const ut_set ready, const struct ut_form x) {
  uint64_t out = 0, twice = 0;
  if (ut_lane_word_has_no_contention(ut_lane_word_of(ut_register(w->b, UT_S_OWNED, x), 0, x), x))
    return 0;
  UT_FOR_EACH_LANE (n, ready.w, x.locals) {
    const uint64_t to = ut_lane_bit(ut_lane_word_port(UT_REG(uint8_t, at_out)[n], x));
    twice |= out & to;
    out |= to;
  }
  return twice;
}

/* Of these input VCs, the lanes of the switch that want its output port; port_lane: the port's lane of VC 0. */
UT_INLINE ut_set ut_switch_asking(const struct ut_work *w, const ut_set ready, unsigned port_lane,
                                  const struct ut_form x) {
  const unsigned lanes = x.each_bits < 5 ? UT_LANES : 1u << x.each_bits, first = port_lane / lanes * lanes;
  ut_set asking = {{0}};
  UT_UNROLL
  for (unsigned i = first; i < first + lanes; i += UT_LANES) {
    const ut_vector out = *(const ut_vector *)(UT_REG(uint8_t, at_out) + i);
    const uint64_t same = ut_gather((ut_vector)((out & (uint8_t)ut_lane_word_port(255, x)) == (uint8_t)port_lane));
    asking.w[x.locals == 1 ? 0 : i / 64] |= same << i % 64;
  }
  return ut_set_of(ut_set_and(asking, ready, x).w, ut_lane_base(port_lane, x), x);
}

/* The one of these lanes of a switch that is granted the output port. */
UT_INLINE unsigned ut_switch_pick(const struct ut_work *w, unsigned port_lane, ut_set asking, const struct ut_form x) {
  const ut_set before = ut_set_load(UT_REG(void, at_sa), ut_lane_port_index(port_lane, x), x);
  if (x.filters)
    asking = ut_request_filter(w, ut_lane_base(port_lane, x), asking, x);
  if (x.per_vc)
    return ut_set_pick(asking, before, x);
  const ut_mask ports = ut_set_ports(asking, x); /* each has picked one VC */
  return ut_set_first(ut_set_and(asking, ut_set_lanes(ut_bit(ut_rr_pick(ports, ut_set_mask(before, 0, x))), x), x), x);
}

/* Takes out those flits, of several VCs, that must wait for others.  Only ports that are contested need their arbiters.
 */
UT_INLINE ut_set ut_switch_arbitrate(const struct ut_work *w, ut_set ready, const struct ut_form x) {
  if (!x.per_vc) /* first stage: the crossbar has one input for each port */
    ready = ut_pick_vcs(w, ready, UT_REG(uint8_t, at_switch_pointer), x.ranks, x);
  ut_set winners = ready;
  for (uint64_t rest = ut_switch_contested(w, ready, x); rest; rest &= rest - 1) {
    const unsigned port_lane = (unsigned)__builtin_ctzll(rest), base = (unsigned)ut_lane_base(port_lane, x);
    const ut_set asking = ut_switch_asking(w, ready, port_lane, x);
    ut_block_put(winners.w, base, ut_set_but(ut_set_of(winners.w, base, x), asking, x), x);
    ut_put(winners.w, base | ut_switch_pick(w, port_lane, asking, x), x.locals);
  }
  return winners;
}

/* With a register in front of the crossbar: which flits that won in the last cycle leave now, all but those of packets
 * that have been cut.  Takes out of `ready` VCs whose packet has no other flit to send. */
UT_INLINE void ut_switch_cross(const struct ut_work *w, uint64_t *ready, uint64_t *cross, const struct ut_form x) {
  UT_FOR_EACH_WORD (i, x.sets)
    cross[i] = ut_register(w->b, UT_S_CROSS, x)[i] & ut_register(w->b, UT_S_ACTIVE, x)[i];
  UT_FOR_EACH_LANE (n, cross, x.sets)
    if (ut_count(w, n, x) == 1 || ut_input_tag(w, n, ut_front_flit(w, n, x), x) & UT_KIND_TAIL)
      ut_take(ready, n, x.sets);
}

/* Lets flits of these input VCs leave, or have them do so in the next cycle. */
UT_INLINE void ut_switch_send(struct ut_work *w, uint64_t *ready, const struct ut_form x) {
  uint64_t cross[UT_SET_WORDS], *leave = ready;
  if (x.xbar_cycles) {
    ut_switch_cross(w, ready, cross, x);
    leave = cross;
  }
  const ut_set all = ut_lane_word_of(ready, 0, x);
  if (x.v > 1 && ut_set_several(all, x)) { /* of one VC: an output port has one owner */
    const ut_set winners = ut_switch_arbitrate(w, all, x);
    UT_FOR_EACH_WORD (i, x.locals)
      ready[i] = winners.w[i];
  }
  if (x.xbar_cycles) {
    if (x.v > 1)
      UT_FOR_EACH_LANE (n, ready, x.sets)
        ut_switch_grant(w, n, UT_REG(uint8_t, at_out)[n], x);
    UT_FOR_EACH_WORD (i, x.sets)
      ut_register(w->b, UT_S_CROSS, x)[i] = ready[i];
  }
  UT_FOR_EACH_LANE (n, leave, x.sets) {
    const size_t o = UT_REG(uint8_t, at_out)[n];
    if (x.v > 1 && !x.xbar_cycles)
      ut_switch_grant(w, n, o, x);
    ut_traverse(w, n, o, x);
  }
  UT_FOR_EACH_WORD (i, x.sets)
    w->popped[i] |= leave[i];
}

/* Steps 3 and 4 of the cycle. */
UT_INLINE void ut_switch_allocate(struct ut_work *w, const struct ut_form x) {
  uint64_t ready[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    ready[i] = w->send[i] & ut_register(w->b, UT_S_OCCUPIED, x)[i];
  if (x.wormhole || !w->fast_path)
    UT_FOR_EACH_LANE (n, ready, x.sets)
      if (!ut_may_send(w, n, x))
        ut_take(ready, n, x.sets);
  UT_FOR_EACH_WORD (i, x.sets)
    w->ended[i] = w->freed[i] = 0;
  ut_switch_send(w, ready, x);
  UT_FOR_EACH_WORD (i, x.sets) {
    ut_register(w->b, UT_S_ACTIVE, x)[i] &= ~w->ended[i];
    ut_register(w->b, UT_S_OWNED, x)[i] &= ~w->freed[i];
  }
}

#endif
