/* SPDX-License-Identifier: Apache-2.0 */
/* input_unit.h - input buffers, packets' states, credits back.  Twins: rtl/ut_input_port.v, rtl/ut_input_vc.v,
 * rtl/ut_fifo.v */
#ifndef UT_INPUT_UNIT_H
#define UT_INPUT_UNIT_H

#include "block.h"

/* The front flit as a wire tells of it, and its tag; a stripped one is a head. */
UT_INLINE unsigned ut_input_wire(const struct ut_work *w, size_t n, const uint64_t *front, const struct ut_form x) {
  const unsigned wire = ut_flit_wire(front[x.words]);
  return x.strips && ut_has(ut_register(w->b, UT_S_STRIPPED, x), n, x.sets) ? wire | UT_KIND_HEAD : wire;
}
UT_INLINE unsigned ut_input_tag(const struct ut_work *w, size_t n, const uint64_t *front, const struct ut_form x) {
  return ut_flit_tag(ut_input_wire(w, n, front, x));
}

/* Whether the front flit, which must be there, begins the packet of an active VC: as it arrived, or what was before it
 * has been stripped.  A bad tail behind a header word never makes a VC active. */
UT_INLINE bool ut_input_has_head(const struct ut_work *w, size_t n, const struct ut_form x) {
  const unsigned tag = (unsigned)ut_front_flit(w, n, x)[x.words];
  return tag & UT_KIND_HEAD || (x.strips && ut_has(ut_register(w->b, UT_S_STRIPPED, x), n, x.sets));
}

/* The credit of an input VC goes back. */
UT_INLINE void ut_input_return(const struct ut_work *w, size_t n) {
  w->reach.credits_later[w->near.from[n]] = 0xff;
}

/* The front flit leaves, which is in w->popped.  Its credit goes back; on the slow path at the end, when it is known
 * whether the link is up. */
UT_INLINE void ut_input_leave(struct ut_work *w, size_t n, const struct ut_form x) {
  if (w->fast_path)
    ut_input_return(w, n);
  if (x.strips)
    ut_take(ut_register(w->b, UT_S_STRIPPED, x), n, x.sets);
}
UT_INLINE void ut_input_pop(struct ut_work *w, size_t n, const struct ut_form x) {
  ut_put(w->popped, n, x.sets);
  ut_input_leave(w, n, x);
}

/* The front flit goes nowhere. */
UT_INLINE void ut_input_drop(struct ut_work *w, size_t n, const struct ut_form x) {
  if (ut_input_tag(w, n, ut_front_flit(w, n, x), x) & UT_KIND_TAIL) {
    ut_take(ut_register(w->b, UT_S_DRAIN, x), n, x.sets);
    if (x.policy_bits)
      ut_put(w->dropped, n, x.sets);
  }
  ut_input_pop(w, n, x);
}

/* Strips the front header word once the next flit, which becomes the head, is behind it. */
UT_INLINE void ut_input_strip(struct ut_work *w, size_t n, const struct ut_form x) {
  if (ut_count(w, n, x) < 2)
    return;
  const unsigned front = ut_front(w, n, x);
  const uint64_t header = *ut_flit_of(w, n, front, x);
  if (x.policy_bits && ut_input_tag(w, n, ut_front_flit(w, n, x), x) & UT_KIND_TAIL)
    ut_put(w->dropped, n, x.sets);
  ut_input_pop(w, n, x);
  ut_put(ut_register(w->b, UT_S_STRIPPED, x), n, x.sets);
  if (ut_flit_of(w, n, ut_position_next(front, x.depth), x)[x.words] & UT_BAD)
    ut_dropped(w, n, header, UT_DROPPED_CUT, x);
}

/* Bad tails behind header words that were stripped leave the buffers of idle VCs; takes those out of `idle`. */
UT_INLINE void ut_input_stray_tails(struct ut_work *w, uint64_t *idle, const struct ut_form x) {
  const uint64_t *stripped = ut_register(w->b, UT_S_STRIPPED, x);
  uint64_t suspects[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    suspects[i] = idle[i] & stripped[i];
  UT_FOR_EACH_LANE (n, suspects, x.sets)
    if (ut_front_flit(w, n, x)[x.words] & UT_BAD) {
      ut_input_pop(w, n, x);
      if (x.policy_bits)
        ut_put(w->dropped, n, x.sets);
      ut_take(idle, n, x.sets);
    }
}

/* Takes the answer of the route unit for one VC. */
UT_INLINE void ut_input_routed(struct ut_work *w, size_t n, const struct ut_route_result *r, const struct ut_form x) {
  ut_set_store(UT_REG(void, at_cand), n, ut_set_candidates(r->cand, x), x);
  if (x.bubble)
    ut_set_store(UT_REG(void, at_bubble), n, ut_set_join(r->bubble, x), x);
  if (x.preferred)
    ut_set_store(UT_REG(void, at_preferred), n, ut_set_join(r->preferred, x), x);
  if (x.rewrites)
    UT_REG(uint32_t, at_rt)[n] = r->rt;
  if (x.vector && r->uses_state) {
    UT_BRANCH;
    ut_put(w->depends, n, x.sets);
    ut_lane_switch(w, n, x)->set |= r->set;
    w->turned |= (r->set != 0) << (n >> x.each_bits);
  }
  if (x.route_cycles > 2) /* with whatever answer, as in the RTL */
    UT_REG(uint8_t, at_wait)[n] = (uint8_t)(x.route_cycles - 2);
  if (x.strips && r->strip) {
    ut_input_strip(w, n, x);
    return;
  }
  if (__builtin_expect(r->discard, 0)) {
    ut_put(ut_register(w->b, UT_S_DRAIN, x), n, x.sets);
    ut_put(ut_register(w->b, UT_S_DISCARD, x), n, x.sets);
    ut_dropped(w, n, *ut_front_flit(w, n, x), UT_DROPPED_UNREACHABLE, x);
    return;
  }
  ut_put(w->routed, n, x.sets);
}

/* Stale sets go back: those that wait or are on their way there want the route unit again. */
UT_INLINE void ut_input_stale(struct ut_work *w, uint64_t *want, const struct ut_form x) {
  uint64_t *routing = ut_register(w->b, UT_S_ROUTING, x), *waiting = ut_register(w->b, UT_S_WAITING, x);
  const uint64_t *link = ut_register(w->b, UT_S_STALE_LINK, x), *state = ut_register(w->b, UT_S_STALE_STATE, x);
  const uint64_t *depends = ut_register(w->b, UT_S_DEPENDS, x);
  UT_FOR_EACH_WORD (i, x.sets) {
    /* states of nodes are part of every answer */
    const uint64_t stale = (routing[i] | waiting[i]) & (link[i] | (state[i] & (x.states ? ~UINT64_C(0) : depends[i])));
    want[i] |= stale;
    routing[i] &= ~stale;
    waiting[i] &= ~stale;
  }
}

/* Where the manager has heads purged: those that waited at the last purge already, and wait still, go to drain.  held:
 * VCs that waited at the start of the cycle. */
UT_INLINE void ut_input_purge(struct ut_work *w, const uint64_t *held, const struct ut_form x) {
  uint64_t *waiting = ut_register(w->b, UT_S_WAITING, x), *old = ut_register(w->b, UT_S_OLD, x);
  uint64_t hit[UT_SET_WORDS], purge[UT_SET_WORDS] = {0};
  for (unsigned i = 0; !w->fast_path && i < ut_block_switches(w, x); i++) {
    struct ut_switch *s = ut_lane_switch(w, (size_t)i << x.each_bits, x);
    struct ut_node_states *n = ut_node_states_of(w->g, s);
    if (n->purge)
      ut_block_put(purge, (size_t)i << x.each_bits, ut_set_lanes(~(ut_mask)0 & w->g->all_in, x), x);
    for (unsigned v = 0; v < x.v; v++)
      n->purged[v] = ut_set_mask(ut_set_and(ut_set_of(waiting, (size_t)i << x.each_bits, x),
                                            ut_set_and(ut_set_of(old, (size_t)i << x.each_bits, x),
                                                       ut_set_of(purge, (size_t)i << x.each_bits, x), x),
                                            x),
                                 v, x);
  }
  UT_FOR_EACH_WORD (i, x.sets) {
    hit[i] = purge[i] & old[i] & waiting[i];
    old[i] = held[i] & (purge[i] | old[i]);
    waiting[i] &= ~hit[i];
    ut_register(w->b, UT_S_DRAIN, x)[i] |= hit[i];
    ut_register(w->b, UT_S_DISCARD, x)[i] |= hit[i];
  }
  if (!w->fast_path)
    UT_FOR_EACH_LANE (n, hit, x.sets)
      ut_dropped(w, n, *ut_front_flit(w, n, x), UT_DROPPED_PURGED, x);
}

/* The route unit of a port works for one VC. */
UT_INLINE void ut_input_ask(struct ut_work *w, size_t n, ut_route_function *route, const struct ut_form x) {
  struct ut_route_result r;
  const struct ut_switch *s = ut_lane_switch(w, n, x);
  const uint64_t header = *ut_front_flit(w, n, x);
  route(w->g, s, header, ut_lane_port(n, x), ut_lane_vc(n, x), &r);
  if (x.states)
    r.discard |= ut_node_refuses(w->g, s, header);
  ut_input_routed(w, n, &r, x);
}

/* Step 1 of the cycle: stale sets go back, each port's route unit works for one of its VCs.  Fills w->bid. */
UT_INLINE void ut_input_route(struct ut_work *w, ut_route_function *route, const struct ut_form x) {
  uint64_t *occupied = ut_register(w->b, UT_S_OCCUPIED, x), *routing = ut_register(w->b, UT_S_ROUTING, x);
  uint64_t *waiting = ut_register(w->b, UT_S_WAITING, x), *active = ut_register(w->b, UT_S_ACTIVE, x);
  uint64_t *drain = ut_register(w->b, UT_S_DRAIN, x);
  uint64_t want[UT_SET_WORDS], counting[UT_SET_WORDS], held[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets) {
    want[i] = occupied[i] & ~(routing[i] | waiting[i] | active[i] | drain[i]);
    counting[i] = routing[i];
    held[i] = waiting[i];
  }
  if (x.strips)
    ut_input_stray_tails(w, want, x);
  if (!w->fast_path)
    ut_input_stale(w, want, x);
  if (x.states)
    ut_input_purge(w, held, x);
  UT_FOR_EACH_WORD (i, x.sets) {
    w->bid[i] = waiting[i];
    w->asked[i] = x.v == 1 ? want[i] : 0;
    w->routed[i] = w->depends[i] = 0;
  }
  if (x.v == 1) {
    UT_FOR_EACH_LANE (n, want, x.sets)
      ut_input_ask(w, n, route, x);
  } else {
    for (size_t base = 0; base < x.all; base += ut_lane_word_size(x)) {
      const ut_set all = ut_lane_word_of(want, base, x);
      if (!ut_set_any(all, x))
        continue;
      for (uint64_t ports = ut_lane_word_ports(all, x); ports; ports &= ports - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(ports);
        uint8_t *turn = UT_REG(uint8_t, at_route_pointer) + ut_lane_port_index(base | port, x);
        const unsigned ivc = ut_rr_pick(ut_set_vcs(all, port, x), *turn);
        const size_t n = base | ivc << x.port_bits | port;
        *turn = (uint8_t)ut_rr_after(ivc, ut_mask_all(x.v));
        ut_input_ask(w, n, route, x);
        ut_put(w->asked, n, x.sets);
      }
    }
  }
  UT_FOR_EACH_WORD (i, x.sets) {
    counting[i] &= ~w->asked[i];
    if (x.vector) {
      uint64_t *depends = &ut_register(w->b, UT_S_DEPENDS, x)[i];
      *depends = (*depends & ~w->asked[i]) | w->depends[i];
    }
    (x.route_cycles > 1 ? routing : waiting)[i] |= w->routed[i];
    if (x.route_cycles == 0)
      w->bid[i] |= w->routed[i];
  }
  if (x.route_cycles > 1)
    UT_FOR_EACH_LANE (n, counting, x.sets) {
      if (x.route_cycles > 2 && UT_REG(uint8_t, at_wait)[n]) {
        UT_REG(uint8_t, at_wait)[n]--;
      } else if (ut_has(routing, n, x.sets)) {
        ut_take(routing, n, x.sets);
        ut_put(waiting, n, x.sets);
      }
    }
}

/* Discards one flit of every packet that was in drain at the start of the cycle. */
UT_INLINE void ut_input_drain(struct ut_work *w, const struct ut_form x) {
  uint64_t set[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    set[i] = w->drain[i] & ut_register(w->b, UT_S_OCCUPIED, x)[i];
  UT_FOR_EACH_LANE (n, set, x.sets)
    ut_input_drop(w, n, x);
}

/* Packets whose output link has just gone down: begun ones are drained, the others routed again. */
UT_INLINE void ut_input_cut(struct ut_work *w, const struct ut_form x) {
  uint64_t set[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets)
    set[i] = w->active[i] & ut_register(w->b, UT_S_STALE_LINK, x)[i];
  UT_FOR_EACH_LANE (n, set, x.sets) {
    if (ut_has(ut_register(w->b, UT_S_OUT_UP, x), UT_REG(uint8_t, at_out)[n], x.sets))
      continue;
    ut_take(ut_register(w->b, UT_S_ACTIVE, x), n, x.sets);
    if (!ut_has(ut_register(w->b, UT_S_OCCUPIED, x), n, x.sets) || !ut_input_has_head(w, n, x)) /* begun */
      ut_put(ut_register(w->b, UT_S_DRAIN, x), n, x.sets);
  }
}

/* A bad tail ends the packet that was arriving. */
UT_INLINE void ut_input_push_bad_tail(struct ut_work *w, size_t n, const struct ut_form x) {
  const unsigned at = ut_position_at(w->near.write, n, x.wide);
  uint64_t *flit = ut_flit_of(w, n, at, x);
  for (unsigned i = 0; i < x.words; i++)
    flit[i] = 0;
  flit[x.words] = ut_flit_meta(UT_KIND_TAIL | UT_BAD, ut_lane_vc(n, x));
  ut_position_set(w->near.write, n, ut_position_next(at, x.depth), x.wide);
  ut_put(ut_register(w->b, UT_S_OCCUPIED, x), n, x.sets);
}

/* What only faults and the first cycles after them need, once flits have left and arrived: bad tails, free space that
 * the sender has not been told of; link states. */
UT_INLINE void ut_input_mend(struct ut_work *w, const struct ut_form x) {
  uint64_t *open = ut_register(w->b, UT_S_OPEN, x), *cut = ut_register(w->b, UT_S_CUT, x);
  uint64_t *owing = ut_register(w->b, UT_S_PENDING_CREDITS, x), *credit = ut_register(w->b, UT_S_CREDIT, x);
  const uint64_t *up = ut_register(w->b, UT_S_IN_UP, x), *fell = ut_register(w->b, UT_S_IN_FELL, x);
  uint64_t due[UT_SET_WORDS], told[UT_SET_WORDS], anew[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, x.sets) {
    const uint64_t dead = ~up[i] | (x.wormhole ? cut[i] : 0);
    credit[i] = ~dead & (w->popped[i] | owing[i]);
    due[i] = dead & open[i];
    told[i] = owing[i] & ~dead & ~w->popped[i];
    anew[i] = dead & (w->popped[i] | fell[i]);
  }
  UT_FOR_EACH_LANE (n, due, x.sets) {
    /* the room is that before this cycle's pop, as the RTL sees it */
    if (x.wormhole && ut_count(w, n, x) + ut_has(w->popped, n, x.sets) == x.depth) {
      ut_put(cut, n, x.sets);
      continue;
    }
    ut_input_push_bad_tail(w, n, x);
    ut_take(open, n, x.sets);
    ut_take(cut, n, x.sets);
    ut_put(anew, n, x.sets);
  }
  UT_FOR_EACH_LANE (n, told, x.sets) {
    if (--UT_REG(uint8_t, at_pending_credits)[n] == 0)
      ut_take(owing, n, x.sets);
  }
  /* free space of a dead port, counted anew where it changed */
  UT_FOR_EACH_LANE (n, anew, x.sets) {
    const unsigned owed = x.depth - ut_count(w, n, x);
    UT_REG(uint8_t, at_pending_credits)[n] = (uint8_t)owed;
    ut_assign(owing, n, owed != 0, x.sets);
  }
}

#endif
