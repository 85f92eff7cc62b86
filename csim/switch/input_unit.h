/* SPDX-License-Identifier: Apache-2.0 */
/* input_unit.h - input buffers, packets' states, credits back.  Twins: rtl/ut_input_port.v, rtl/ut_input_vc.v,
 * rtl/ut_fifo.v */
#ifndef UT_INPUT_UNIT_H
#define UT_INPUT_UNIT_H

#include "block.h"

/* Returns the announcing byte of the front flit, and its tag; after a strip the flit is a head. */
UT_INLINE unsigned ut_input_wire(const struct ut_work *work, size_t n, const uint64_t *front,
                                 const struct ut_form form) {
  const unsigned wire = ut_flit_wire(front[form.words]);
  return form.strips && ut_has(ut_register(work->b, UT_S_STRIPPED, form), n, form.sets) ? wire | UT_KIND_HEAD : wire;
}
UT_INLINE unsigned ut_input_tag(const struct ut_work *work, size_t n, const uint64_t *front,
                                const struct ut_form form) {
  return ut_flit_tag(ut_input_wire(work, n, front, form));
}

/* Returns whether the front flit, which must exist, begins the packet of an active VC: it arrived as a head, or the
 * header word before it was stripped.  A bad tail behind a header word never makes a VC active. */
UT_INLINE bool ut_input_has_head(const struct ut_work *work, size_t n, const struct ut_form form) {
  const unsigned tag = (unsigned)ut_front_flit(work, n, form)[form.words];
  return tag & UT_KIND_HEAD || (form.strips && ut_has(ut_register(work->b, UT_S_STRIPPED, form), n, form.sets));
}

/* Sends a credit for an input VC. */
UT_INLINE void ut_input_return(const struct ut_work *work, size_t n) {
  work->reach.credits_later[work->near.from[n]] = 0xff;
}

/* Removes the front flit, which is in work->popped.  Its credit is sent; on the slow path only at the end of the cycle,
 * when it is known whether the link is up. */
UT_INLINE void ut_input_leave(struct ut_work *work, size_t n, const struct ut_form form) {
  if (work->fast_path)
    ut_input_return(work, n);
  if (form.strips)
    ut_take(ut_register(work->b, UT_S_STRIPPED, form), n, form.sets);
}
UT_INLINE void ut_input_pop(struct ut_work *work, size_t n, const struct ut_form form) {
  ut_put(work->popped, n, form.sets);
  ut_input_leave(work, n, form);
}

/* Removes the front flit without sending it on. */
UT_INLINE void ut_input_drop(struct ut_work *work, size_t n, const struct ut_form form) {
  if (ut_input_tag(work, n, ut_front_flit(work, n, form), form) & UT_KIND_TAIL) {
    ut_take(ut_register(work->b, UT_S_DRAIN, form), n, form.sets);
    if (form.policy_bits)
      ut_put(work->dropped, n, form.sets);
  }
  ut_input_pop(work, n, form);
}

/* Strips the front header word once the next flit, which becomes the head, is behind it. */
UT_INLINE void ut_input_strip(struct ut_work *work, size_t n, const struct ut_form form) {
  if (ut_count(work, n, form) < 2)
    return;
  const unsigned front = ut_front(work, n, form);
  const uint64_t header = *ut_flit_of(work, n, front, form);
  if (form.policy_bits && ut_input_tag(work, n, ut_front_flit(work, n, form), form) & UT_KIND_TAIL)
    ut_put(work->dropped, n, form.sets);
  ut_input_pop(work, n, form);
  ut_put(ut_register(work->b, UT_S_STRIPPED, form), n, form.sets);
  if (ut_flit_of(work, n, ut_position_next(front, form.depth), form)[form.words] & UT_BAD)
    ut_dropped(work, n, header, UT_DROPPED_CUT, form);
}

/* Removes bad tails behind stripped header words from the buffers of idle VCs, and these VCs from `idle`. */
UT_INLINE void ut_input_stray_tails(struct ut_work *work, uint64_t *idle, const struct ut_form form) {
  const uint64_t *stripped = ut_register(work->b, UT_S_STRIPPED, form);
  uint64_t suspects[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    suspects[i] = idle[i] & stripped[i];
  UT_FOR_EACH_LANE (n, suspects, form.sets)
    if (ut_front_flit(work, n, form)[form.words] & UT_BAD) {
      ut_input_pop(work, n, form);
      if (form.policy_bits)
        ut_put(work->dropped, n, form.sets);
      ut_take(idle, n, form.sets);
    }
}

/* Stores the answer of the route unit for one VC. */
UT_INLINE void ut_input_routed(struct ut_work *work, size_t n, const struct ut_route_result *route,
                               const struct ut_form form) {
  ut_set_store(UT_REG(void, at_cand), n, ut_set_candidates(route->cand, form), form);
  if (form.bubble)
    ut_set_store(UT_REG(void, at_bubble), n, ut_set_join(route->bubble, form), form);
  if (form.preferred)
    ut_set_store(UT_REG(void, at_preferred), n, ut_set_join(route->preferred, form), form);
  if (form.rewrites)
    UT_REG(uint32_t, at_rt)[n] = route->rt;
  if (form.vector && route->uses_state) {
    UT_BRANCH;
    ut_put(work->depends, n, form.sets);
    ut_lane_switch(work, n, form)->set |= route->set;
    work->turned |= (route->set != 0) << (n >> form.each_bits);
  }
  if (form.route_cycles > 2) /* with any answer, as in the RTL */
    UT_REG(uint8_t, at_wait)[n] = (uint8_t)(form.route_cycles - 2);
  if (form.strips && route->strip) {
    ut_input_strip(work, n, form);
    return;
  }
  if (__builtin_expect(route->discard, 0)) {
    ut_put(ut_register(work->b, UT_S_DRAIN, form), n, form.sets);
    ut_put(ut_register(work->b, UT_S_DISCARD, form), n, form.sets);
    ut_dropped(work, n, *ut_front_flit(work, n, form), UT_DROPPED_UNREACHABLE, form);
    return;
  }
  ut_put(work->routed, n, form.sets);
}

/* Invalidates stale candidate sets: VCs that wait, or are being routed, ask for the route unit again. */
UT_INLINE void ut_input_stale(struct ut_work *work, uint64_t *want, const struct ut_form form) {
  uint64_t *routing = ut_register(work->b, UT_S_ROUTING, form), *waiting = ut_register(work->b, UT_S_WAITING, form);
  const uint64_t *link = ut_register(work->b, UT_S_STALE_LINK, form),
                 *state = ut_register(work->b, UT_S_STALE_STATE, form);
  const uint64_t *depends = ut_register(work->b, UT_S_DEPENDS, form);
  UT_FOR_EACH_WORD (i, form.sets) {
    /* states of nodes are part of every answer */
    const uint64_t stale =
        (routing[i] | waiting[i]) & (link[i] | (state[i] & (form.states ? ~UINT64_C(0) : depends[i])));
    want[i] |= stale;
    routing[i] &= ~stale;
    waiting[i] &= ~stale;
  }
}

/* Purges heads: those that were waiting at the last purge already, and still wait, go to drain.  held: VCs that waited
 * at the start of the cycle. */
UT_INLINE void ut_input_purge(struct ut_work *work, const uint64_t *held, const struct ut_form form) {
  uint64_t *waiting = ut_register(work->b, UT_S_WAITING, form), *old = ut_register(work->b, UT_S_OLD, form);
  uint64_t hit[UT_SET_WORDS], purge[UT_SET_WORDS] = {0};
  for (unsigned i = 0; !work->fast_path && i < ut_block_switches(work, form); i++) {
    struct ut_switch *sw = ut_lane_switch(work, (size_t)i << form.each_bits, form);
    struct ut_node_states *states = ut_node_states_of(work->g, sw);
    if (states->purge)
      ut_block_put(purge, (size_t)i << form.each_bits, ut_set_lanes(~(ut_mask)0 & work->g->all_in, form), form);
    for (unsigned v = 0; v < form.v; v++)
      states->purged[v] = ut_set_mask(ut_set_and(ut_set_of(waiting, (size_t)i << form.each_bits, form),
                                                 ut_set_and(ut_set_of(old, (size_t)i << form.each_bits, form),
                                                            ut_set_of(purge, (size_t)i << form.each_bits, form), form),
                                                 form),
                                      v, form);
  }
  UT_FOR_EACH_WORD (i, form.sets) {
    hit[i] = purge[i] & old[i] & waiting[i];
    old[i] = held[i] & (purge[i] | old[i]);
    waiting[i] &= ~hit[i];
    ut_register(work->b, UT_S_DRAIN, form)[i] |= hit[i];
    ut_register(work->b, UT_S_DISCARD, form)[i] |= hit[i];
  }
  if (!work->fast_path)
    UT_FOR_EACH_LANE (states, hit, form.sets)
      ut_dropped(work, states, *ut_front_flit(work, states, form), UT_DROPPED_PURGED, form);
}

/* Routes one VC of a port. */
UT_INLINE void ut_input_ask(struct ut_work *work, size_t n, ut_route_function *route, const struct ut_form form) {
  struct ut_route_result result;
  const struct ut_switch *sw = ut_lane_switch(work, n, form);
  const uint64_t header = *ut_front_flit(work, n, form);
  route(work->g, sw, header, ut_lane_port(n, form), ut_lane_vc(n, form), &result);
  if (form.states)
    result.discard |= ut_node_refuses(work->g, sw, header);
  ut_input_routed(work, n, &result, form);
}

/* Step 1 of the cycle: stale sets are invalidated, and each port's route unit serves one of its VCs.  Fills
 * work->bid. */
UT_INLINE void ut_input_route(struct ut_work *work, ut_route_function *route, const struct ut_form form) {
  uint64_t *occupied = ut_register(work->b, UT_S_OCCUPIED, form), *routing = ut_register(work->b, UT_S_ROUTING, form);
  uint64_t *waiting = ut_register(work->b, UT_S_WAITING, form), *active = ut_register(work->b, UT_S_ACTIVE, form);
  uint64_t *drain = ut_register(work->b, UT_S_DRAIN, form);
  uint64_t want[UT_SET_WORDS], counting[UT_SET_WORDS], held[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets) {
    want[i] = occupied[i] & ~(routing[i] | waiting[i] | active[i] | drain[i]);
    counting[i] = routing[i];
    held[i] = waiting[i];
  }
  if (form.strips)
    ut_input_stray_tails(work, want, form);
  if (!work->fast_path)
    ut_input_stale(work, want, form);
  if (form.states)
    ut_input_purge(work, held, form);
  UT_FOR_EACH_WORD (i, form.sets) {
    work->bid[i] = waiting[i];
    work->asked[i] = form.v == 1 ? want[i] : 0;
    work->routed[i] = work->depends[i] = 0;
  }
  if (form.v == 1) {
    UT_FOR_EACH_LANE (n, want, form.sets)
      ut_input_ask(work, n, route, form);
  } else {
    for (size_t base = 0; base < form.all; base += ut_lane_word_size(form)) {
      const ut_set all = ut_lane_word_of(want, base, form);
      if (!ut_set_any(all, form))
        continue;
      for (uint64_t ports = ut_lane_word_ports(all, form); ports; ports &= ports - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(ports);
        uint8_t *pointer = UT_REG(uint8_t, at_route_pointer) + ut_lane_port_index(base | port, form);
        const unsigned ivc = ut_rr_pick(ut_set_vcs(all, port, form), *pointer);
        const size_t n = base | ivc << form.port_bits | port;
        *pointer = (uint8_t)ut_rr_after(ivc, ut_mask_all(form.v));
        ut_input_ask(work, n, route, form);
        ut_put(work->asked, n, form.sets);
      }
    }
  }
  UT_FOR_EACH_WORD (i, form.sets) {
    counting[i] &= ~work->asked[i];
    if (form.vector) {
      uint64_t *depends = &ut_register(work->b, UT_S_DEPENDS, form)[i];
      *depends = (*depends & ~work->asked[i]) | work->depends[i];
    }
    (form.route_cycles > 1 ? routing : waiting)[i] |= work->routed[i];
    if (form.route_cycles == 0)
      work->bid[i] |= work->routed[i];
  }
  if (form.route_cycles > 1)
    UT_FOR_EACH_LANE (n, counting, form.sets) {
      if (form.route_cycles > 2 && UT_REG(uint8_t, at_wait)[n]) {
        UT_REG(uint8_t, at_wait)[n]--;
      } else if (ut_has(routing, n, form.sets)) {
        ut_take(routing, n, form.sets);
        ut_put(waiting, n, form.sets);
      }
    }
}

/* Discards one flit of every packet that was in drain at the start of the cycle. */
UT_INLINE void ut_input_drain(struct ut_work *work, const struct ut_form form) {
  uint64_t set[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    set[i] = work->drain[i] & ut_register(work->b, UT_S_OCCUPIED, form)[i];
  UT_FOR_EACH_LANE (n, set, form.sets)
    ut_input_drop(work, n, form);
}

/* Handles packets whose output link has just failed: those that have begun to leave are drained, the others routed
 * again. */
UT_INLINE void ut_input_cut(struct ut_work *work, const struct ut_form form) {
  uint64_t set[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets)
    set[i] = work->active[i] & ut_register(work->b, UT_S_STALE_LINK, form)[i];
  UT_FOR_EACH_LANE (n, set, form.sets) {
    if (ut_has(ut_register(work->b, UT_S_OUT_UP, form), ut_out_at(UT_REG(void, at_out), n, form), form.sets))
      continue;
    ut_take(ut_register(work->b, UT_S_ACTIVE, form), n, form.sets);
    if (!ut_has(ut_register(work->b, UT_S_OCCUPIED, form), n, form.sets) ||
        !ut_input_has_head(work, n, form)) /* begun */
      ut_put(ut_register(work->b, UT_S_DRAIN, form), n, form.sets);
  }
}

/* Ends the packet that was arriving by a bad tail. */
UT_INLINE void ut_input_push_bad_tail(struct ut_work *work, size_t n, const struct ut_form form) {
  const unsigned at = ut_position_at(work->near.write, n, form.wide);
  uint64_t *flit = ut_flit_of(work, n, at, form);
  for (unsigned i = 0; i < form.words; i++)
    flit[i] = 0;
  flit[form.words] = ut_flit_meta(UT_KIND_TAIL | UT_BAD, ut_lane_vc(n, form));
  ut_position_set(work->near.write, n, ut_position_next(at, form.depth), form.wide);
  ut_put(ut_register(work->b, UT_S_OCCUPIED, form), n, form.sets);
}

/* The part that only faults and the first cycles after them need, when flits have left and arrived: bad tails, pending
 * credits, link states. */
UT_INLINE void ut_input_mend(struct ut_work *work, const struct ut_form form) {
  uint64_t *open = ut_register(work->b, UT_S_OPEN, form), *cut = ut_register(work->b, UT_S_CUT, form);
  uint64_t *pending = ut_register(work->b, UT_S_PENDING_CREDITS, form),
           *credit = ut_register(work->b, UT_S_CREDIT, form);
  const uint64_t *up = ut_register(work->b, UT_S_IN_UP, form), *fell = ut_register(work->b, UT_S_IN_FELL, form);
  uint64_t due[UT_SET_WORDS], told[UT_SET_WORDS], anew[UT_SET_WORDS];
  UT_FOR_EACH_WORD (i, form.sets) {
    const uint64_t dead = ~up[i] | (form.wormhole ? cut[i] : 0);
    credit[i] = ~dead & (work->popped[i] | pending[i]);
    due[i] = dead & open[i];
    told[i] = pending[i] & ~dead & ~work->popped[i];
    anew[i] = dead & (work->popped[i] | fell[i]);
  }
  UT_FOR_EACH_LANE (n, due, form.sets) {
    /* the space before this cycle's pop, as the RTL sees it */
    if (form.wormhole && ut_count(work, n, form) + ut_has(work->popped, n, form.sets) == form.depth) {
      ut_put(cut, n, form.sets);
      continue;
    }
    ut_input_push_bad_tail(work, n, form);
    ut_take(open, n, form.sets);
    ut_take(cut, n, form.sets);
    ut_put(anew, n, form.sets);
  }
  UT_FOR_EACH_LANE (n, told, form.sets) {
    if (--UT_REG(uint8_t, at_pending_credits)[n] == 0)
      ut_take(pending, n, form.sets);
  }
  /* free places of a port that is down, counted anew where they changed */
  UT_FOR_EACH_LANE (n, anew, form.sets) {
    const unsigned waiting = form.depth - ut_count(work, n, form);
    UT_REG(uint8_t, at_pending_credits)[n] = (uint8_t)waiting;
    ut_assign(pending, n, waiting != 0, form.sets);
  }
}

#endif
