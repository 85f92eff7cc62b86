/* SPDX-License-Identifier: Apache-2.0 */
/* vc_allocator.h - gives free output VCs to waiting packets.  Twins: rtl/ut_vc_allocator.v, rtl/ut_vc_select.v */
#ifndef UT_VC_ALLOCATOR_H
#define UT_VC_ALLOCATOR_H

#include "known_policies.h"

/* What the selection policy compares, by output VC of the block: credits, or flits in the queue, where fewer are more
 * room. */
UT_INLINE const uint8_t *ut_vc_compared(const struct ut_work *w, const struct ut_form x) {
  return x.compares == 2 ? UT_REG(uint8_t, at_queue_count) : UT_REG(uint8_t, at_credits);
}
UT_INLINE unsigned ut_vc_amount(unsigned compared, const struct ut_form x) {
  return x.compares == 2 ? x.output_depth - compared : compared;
}

/* Those of a set of output VCs, of the switch whose lanes begin there, that have the most of it. */
UT_INLINE ut_set ut_vc_most(const uint8_t *compared, const ut_set set, const struct ut_form x) {
  ut_set best = {{0}};
  unsigned most = 0;
  UT_FOR_EACH_WORD (i, x.locals)
    for (uint64_t rest = set.w[i]; rest; rest &= rest - 1) {
      const unsigned c = ut_vc_amount(compared[64 * i + (unsigned)__builtin_ctzll(rest)], x);
      const uint64_t bit = rest & -rest;
      if (c > most)
        for (unsigned j = 0; j < i; j++)
          best.w[j] = 0;
      best.w[i] = c > most ? bit : c == most ? best.w[i] | bit : best.w[i];
      most = c > most ? c : most;
    }
  return best;
}

/* The selection function: the output VC that input VC n bids for among its candidates.  room: free output VCs with room
 * for a packet; full: those with all that the selection policy compares.  false: none fits. */
UT_INLINE bool ut_vc_select(const struct ut_work *w, size_t n, const uint64_t *room, const uint64_t *full,
                            unsigned *out, const struct ut_form x) {
  const size_t base = ut_lane_base(n, x);
  ut_set fit = ut_set_and(ut_set_load(UT_REG(void, at_cand), n, x), ut_set_of(room, base, x), x);
  if (x.bubble)
    fit = ut_set_but(fit,
                     ut_set_but(ut_set_load(UT_REG(void, at_bubble), n, x),
                                ut_set_of(ut_register(w->b, UT_S_SPACE2, x), base, x), x),
                     x);
  if (!ut_set_any(fit, x))
    return false;
  if (x.preferred) {
    const ut_set liked = ut_set_and(fit, ut_set_load(UT_REG(void, at_preferred), n, x), x);
    fit = ut_set_any(liked, x) ? liked : fit;
  }
  if (ut_set_several(fit, x)) {
    const ut_set most = ut_set_and(fit, ut_set_of(full, base, x), x);
    fit = ut_set_any(most, x) ? most : ut_vc_most(ut_vc_compared(w, x) + base, fit, x);
    const unsigned op = ut_rr_pick(ut_set_ports(fit, x), UT_REG(ut_mask, at_select)[ut_lane_port_index(n, x)]);
    if (x.v == 1) {
      *out = op;
      return true;
    }
    fit = ut_set_and(fit, ut_set_lanes(ut_bit(op), x), x);
  }
  *out = ut_set_first(fit, x);
  return true;
}

/* The output VCs of the block that come before others: those that have all their credits, or an empty queue. */
UT_INLINE void ut_vc_full(const struct ut_work *w, uint64_t *full, const struct ut_form x) {
  if (!x.compares) { /* as if all had */
    UT_FOR_EACH_WORD (i, x.sets)
      full[i] = ~UINT64_C(0);
    return;
  }
  for (unsigned i = 0; i < x.all; i += UT_LANES) {
    const ut_vector compared = *(const ut_vector *)(ut_vc_compared(w, x) + i);
    const uint64_t bits = ut_gather((ut_vector)(compared == (uint8_t)(x.compares == 2 ? 0 : x.depth)));
    full[i / 64] = i % 64 ? full[i / 64] | bits << 32 : bits;
  }
}

/* Requests of terminals go before those of other switches (DETOUR section 5, assumption P8).  Twin:
 * rtl/ut_local_first.v */
UT_INLINE ut_set ut_local_first(const ut_set requests, ut_mask local, const struct ut_form x) {
  const ut_set before = ut_set_and(requests, ut_set_lanes(local, x), x);
  return ut_set_any(before, x) ? before : requests;
}

/* Of requests, not none, over the lanes of a switch that begin there, those that its arbiters see.  Twin:
 * rtl/ut_request_filter.v */
UT_INLINE ut_set ut_request_filter(const struct ut_work *w, size_t base, const ut_set requests,
                                   const struct ut_form x) {
  const ut_set all = x.local_first ? ut_local_first(requests, w->g->local_in, x) : requests;
  ut_set kept = {{0}};
  unsigned highest = 0;
  if (!x.ranks)
    return all;
  UT_FOR_EACH_LANE (n, all.w, x.locals) {
    const unsigned rank = ut_policy_rank(w, base + n, x);
    if (rank < highest)
      continue;
    if (rank > highest)
      kept = (ut_set){{0}};
    highest = rank;
    ut_put(kept.w, n, x.locals);
  }
  return kept;
}

/* Takes out the bids that lose against others.  to: the output VC that each is for. */
UT_INLINE void ut_vc_arbitrate(const struct ut_work *w, uint64_t *bids, const uint8_t *to, const struct ut_form x) {
  ut_set request[UT_MAX_LANES]; /* by output VC, over the input VCs of its switch */
  uint64_t asked[UT_SET_WORDS] = {0};
  UT_FOR_EACH_LANE (n, bids, x.sets) {
    const unsigned mine = (unsigned)(n - ut_lane_base(n, x));
    ut_set *r = &request[to[n]];
    for (unsigned i = 0; i < x.locals && !ut_has(asked, to[n], x.sets); i++)
      r->w[i] = 0;
    ut_put(asked, to[n], x.sets);
    r->w[mine / 64] |= UINT64_C(1) << mine % 64;
  }
  UT_FOR_EACH_WORD (i, x.sets)
    bids[i] = 0;
  UT_FOR_EACH_LANE (o, asked, x.sets) {
    const ut_set all = x.filters ? ut_request_filter(w, ut_lane_base(o, x), request[o], x) : request[o];
    ut_put(bids, ut_lane_base(o, x) | ut_set_pick(all, ut_set_load(UT_REG(void, at_va), o, x), x), x.sets);
  }
}

/* Input VC n has candidates at several ports. */
UT_INLINE bool ut_vc_several_ports(const struct ut_work *w, size_t n, const struct ut_form x) {
  const ut_set all = ut_set_load(UT_REG(void, at_cand), n, x);
  const ut_mask ports = x.alike == x.v && x.locals == 1 ? ut_set_mask(all, 0, x) : ut_set_ports(all, x);
  return ports & (ports - 1);
}

/* Output VC o of the block goes to input VC n. */
UT_INLINE void ut_vc_give(struct ut_work *w, size_t n, size_t o, const struct ut_form x) {
  const unsigned own = (1u << x.each_bits) - 1, output = (unsigned)o & own; /* lanes of the switch */
  ut_set to = {{0}};
  to.w[x.locals == 1 ? 0 : output / 64] = UINT64_C(1) << output % 64;
  ut_set_store(UT_REG(void, at_cand), n, to, x);
  UT_REG(uint8_t, at_out)[n] = (uint8_t)o;
  ut_set_store(UT_REG(void, at_va), o, ut_set_above((unsigned)n & own, x), x);
}

/* The selection policies with registers of their own: moves those of the input ports in `moved`, and their masks. */
UT_INLINE void ut_vc_move_policy(struct ut_work *w, const uint64_t *moved, const struct ut_form x) {
  UT_FOR_EACH_LANE (gate, moved, x.sets) {
    uint16_t *now = UT_REG(uint16_t, at_select_policy) + gate;
    ut_mask *mask = UT_REG(ut_mask, at_select) + gate;
    const unsigned granted = *mask ? ut_first(*mask) - 1 : x.po - 1; /* behind which the rotating priority stands now */
    *now = (uint16_t)ut_selection_next(*now, granted, x);
    *mask = ut_mask_all(x.po) & ~ut_mask_all(ut_selection_start(*now, x));
  }
}

/* Step 2 of the cycle, for the input VCs that bid. */
UT_INLINE void ut_vc_allocate(struct ut_work *w, const struct ut_form x) {
  uint64_t room[UT_SET_WORDS], full[UT_SET_WORDS];
  uint64_t bids[UT_SET_WORDS], asked[UT_SET_WORDS], moved[UT_SET_WORDS];
  uint8_t to[UT_MAX_LANES]; /* by bid: the output VC that it is for */
  uint64_t *waiting = ut_register(w->b, UT_S_WAITING, x), *active = ut_register(w->b, UT_S_ACTIVE, x);
  UT_FOR_EACH_WORD (i, x.sets) {
    room[i] = ut_register(w->b, UT_S_OUT_UP, x)[i] & ~ut_register(w->b, UT_S_OWNED, x)[i] &
              ut_register(w->b, UT_S_SPACE, x)[i];
    bids[i] = w->bid[i];
    asked[i] = moved[i] = 0;
  }
  ut_vc_full(w, full, x);
  UT_FOR_EACH_LANE (n, w->bid, x.sets) {
    unsigned o;
    if (!ut_vc_select(w, n, room, full, &o, x)) {
      ut_take(bids, n, x.sets);
      continue;
    }
    o |= (unsigned)ut_lane_base(n, x);
    to[n] = (uint8_t)o;
    ut_put(asked, o, x.sets);
  }
  unsigned more = 0; /* bids than output VCs that are asked for */
  UT_FOR_EACH_WORD (i, x.sets)
    more += (unsigned)(__builtin_popcountll(bids[i]) - __builtin_popcountll(asked[i]));
  if (more)
    ut_vc_arbitrate(w, bids, to, x);
  UT_FOR_EACH_LANE (n, bids, x.sets) {
    const size_t gate = ut_lane_port_index(n, x);
    const bool chose = ut_vc_several_ports(w, n, x);
    ut_vc_give(w, n, to[n], x);
    if (!chose)
      continue;
    /* the lowest VC of a port that is granted what it chose moves the port's selection priority */
    if (x.v == 1 || !ut_has(moved, gate, x.sets))
      UT_REG(ut_mask, at_select)[gate] = ut_above(ut_lane_port(to[n], x)) & ut_mask_all(x.po);
    if (x.v > 1 || x.select_bits)
      ut_put(moved, gate, x.sets);
  }
  if (x.select_bits)
    ut_vc_move_policy(w, moved, x);
  UT_FOR_EACH_WORD (i, x.sets) {
    ut_register(w->b, UT_S_OWNED, x)[i] |= asked[i];
    waiting[i] &= ~bids[i];
    active[i] |= bids[i];
    if (x.alloc_cycles == 1)
      w->send[i] |= bids[i];
  }
}

#endif
