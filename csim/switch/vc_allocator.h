/* SPDX-License-Identifier: Apache-2.0 */
/* vc_allocator.h - allocates free output VCs to waiting packets.  Twins: rtl/ut_vc_allocator.v, rtl/ut_vc_select.v */
#ifndef UT_VC_ALLOCATOR_H
#define UT_VC_ALLOCATOR_H

#include "known_policies.h"

/* The values that the selection policy compares, by output VC of the block: credits; or flits in the queue, where fewer
 * flits are more space. */
UT_INLINE const uint8_t *ut_vc_compared(const struct ut_work *work, const struct ut_form form) {
  return form.compares == 2 ? UT_REG(uint8_t, at_queue_count) : UT_REG(uint8_t, at_credits);
}
UT_INLINE unsigned ut_vc_amount(unsigned compared, const struct ut_form form) {
  return form.compares == 2 ? form.output_depth - compared : compared;
}

/* Returns those of a set of output VCs that have the most, for the switch whose lanes begin there. */
UT_INLINE ut_set ut_vc_most(const uint8_t *compared, const ut_set set, const struct ut_form form) {
  ut_set best = {{0}};
  unsigned most = 0;
  UT_FOR_EACH_WORD (i, form.locals)
    for (uint64_t rest = set.w[i]; rest; rest &= rest - 1) {
      const unsigned c = ut_vc_amount(compared[64 * i + (unsigned)__builtin_ctzll(rest)], form);
      const uint64_t bit = rest & -rest;
      if (c > most)
        for (unsigned j = 0; j < i; j++)
          best.w[j] = 0;
      best.w[i] = c > most ? bit : c == most ? best.w[i] | bit : best.w[i];
      most = c > most ? c : most;
    }
  return best;
}

/* UGAL: finds the output VCs of the block on minimal paths, those behind the first ones, and those of them that have
 * enough credits. */
UT_INLINE void ut_vc_minimal(const struct ut_work *work, uint64_t *minimal, uint64_t *enough,
                             const struct ut_form form) {
  const unsigned ports = 1u << form.port_bits; /* of a VC: 64 or fewer, a power of two */
  UT_FOR_EACH_WORD (i, form.sets)
    minimal[i] = enough[i] = 0;
  for (unsigned i = 0; i < form.all; i += ports)
    minimal[i / 64] |= ut_lane_vc(i, form) >= form.via ? ut_mask_all(ports) << i % 64 : 0;
  for (unsigned i = 0; i < form.all; i++)
    enough[i / 64] |= (uint64_t)(ut_vc_amount(ut_vc_compared(work, form)[i], form) >= form.ugal) << i % 64;
  UT_FOR_EACH_WORD (i, form.sets)
    enough[i] &= minimal[i];
}

/* UGAL: returns those of the candidates of input VC n that are on the way that it takes, minimal or not; all, if they
 * are on one way. */
UT_INLINE ut_set ut_vc_way(const struct ut_work *work, size_t n, const uint64_t *minimal, const uint64_t *enough,
                           const struct ut_form form) {
  const size_t base = ut_lane_base(n, form);
  const ut_set all = ut_set_load(UT_REG(void, at_cand), n, form), behind = ut_set_of(minimal, base, form);
  const ut_set near = ut_set_and(all, behind, form), far = ut_set_but(all, behind, form);
  if (!ut_set_any(near, form) || !ut_set_any(far, form))
    return all;
  return ut_set_any(ut_set_and(all, ut_set_of(enough, base, form), form), form) ? near : far;
}

/* The selection function: finds the output VC, among its candidates, for which input VC n bids.  space: free output VCs
 * with space for a packet; full: those with the maximum of what the selection policy compares; minimal, enough: those
 * of UGAL.  Returns false if none fits. */
UT_INLINE bool ut_vc_select(const struct ut_work *work, size_t n, const uint64_t *space, const uint64_t *full,
                            const uint64_t *minimal, const uint64_t *enough, unsigned *out, const struct ut_form form) {
  const size_t base = ut_lane_base(n, form);
  ut_set fit = ut_set_and(ut_set_load(UT_REG(void, at_cand), n, form), ut_set_of(space, base, form), form);
  if (form.bubble)
    fit = ut_set_but(fit,
                     ut_set_but(ut_set_load(UT_REG(void, at_bubble), n, form),
                                ut_set_of(ut_register(work->b, UT_S_SPACE2, form), base, form), form),
                     form);
  if (form.ugal)
    fit = ut_set_and(fit, ut_vc_way(work, n, minimal, enough, form), form);
  if (!ut_set_any(fit, form))
    return false;
  if (form.preferred) {
    const ut_set liked = ut_set_and(fit, ut_set_load(UT_REG(void, at_preferred), n, form), form);
    fit = ut_set_any(liked, form) ? liked : fit;
  }
  if (ut_set_several(fit, form)) {
    const ut_set most = ut_set_and(fit, ut_set_of(full, base, form), form);
    fit = ut_set_any(most, form) ? most : ut_vc_most(ut_vc_compared(work, form) + base, fit, form);
    const unsigned op = ut_rr_pick(ut_set_ports(fit, form), UT_REG(ut_mask, at_select)[ut_lane_port_index(n, form)]);
    if (form.v == 1) {
      *out = op;
      return true;
    }
    fit = ut_set_and(fit, ut_set_lanes(ut_bit(op), form), form);
  }
  *out = ut_set_first(fit, form);
  return true;
}

/* Finds the output VCs of the block that are preferred: those with all their credits, or with an empty queue. */
UT_INLINE void ut_vc_full(const struct ut_work *work, uint64_t *full, const struct ut_form form) {
  if (!form.compares) { /* as if all had the maximum */
    UT_FOR_EACH_WORD (i, form.sets)
      full[i] = ~UINT64_C(0);
    return;
  }
  for (unsigned i = 0; i < form.all; i += UT_LANES) {
    const ut_vector compared = *(const ut_vector *)(ut_vc_compared(work, form) + i);
    const uint64_t bits = ut_gather((ut_vector)(compared == (uint8_t)(form.compares == 2 ? 0 : form.depth)));
    full[i / 64] = i % 64 ? full[i / 64] | bits << 32 : bits;
  }
}

/* Requests of terminals go before those of other switches (DETOUR section 5, assumption P8).  Twin:
 * rtl/ut_local_first.v */
UT_INLINE ut_set ut_local_first(const ut_set requests, ut_mask local, const struct ut_form form) {
  const ut_set before = ut_set_and(requests, ut_set_lanes(local, form), form);
  return ut_set_any(before, form) ? before : requests;
}

/* Returns those of the requests (not empty), over the lanes of a switch that begin there, that its arbiters see.  Twin:
 * rtl/ut_request_filter.v */
UT_INLINE ut_set ut_request_filter(const struct ut_work *work, size_t base, const ut_set requests,
                                   const struct ut_form form) {
  const ut_set all = form.local_first ? ut_local_first(requests, work->g->local_in, form) : requests;
  ut_set kept = {{0}};
  unsigned highest = 0;
  if (!form.ranks)
    return all;
  UT_FOR_EACH_LANE (n, all.w, form.locals) {
    const unsigned rank = ut_policy_rank(work, base + n, form);
    if (rank < highest)
      continue;
    if (rank > highest)
      kept = (ut_set){{0}};
    highest = rank;
    ut_put(kept.w, n, form.locals);
  }
  return kept;
}

/* Removes the bids that lose against others.  to: the output VC of each bid. */
UT_INLINE void ut_vc_arbitrate(const struct ut_work *work, uint64_t *bids, const uint16_t *to,
                               const struct ut_form form) {
  ut_set request[UT_MAX_LANES]; /* by output VC, over the input VCs of its switch */
  uint64_t asked[UT_SET_WORDS] = {0};
  UT_FOR_EACH_LANE (n, bids, form.sets) {
    const unsigned mine = (unsigned)(n - ut_lane_base(n, form));
    ut_set *r = &request[to[n]];
    for (unsigned i = 0; i < form.locals && !ut_has(asked, to[n], form.sets); i++)
      r->w[i] = 0;
    ut_put(asked, to[n], form.sets);
    r->w[mine / 64] |= UINT64_C(1) << mine % 64;
  }
  UT_FOR_EACH_WORD (i, form.sets)
    bids[i] = 0;
  UT_FOR_EACH_LANE (o, asked, form.sets) {
    const ut_set all = form.filters ? ut_request_filter(work, ut_lane_base(o, form), request[o], form) : request[o];
    ut_put(bids, ut_lane_base(o, form) | ut_set_pick(all, ut_set_load(UT_REG(void, at_va), o, form), form), form.sets);
  }
}

/* Whether input VC n has candidates at several ports. */
UT_INLINE bool ut_vc_several_ports(const struct ut_work *work, size_t n, const struct ut_form form) {
  const ut_set all = ut_set_load(UT_REG(void, at_cand), n, form);
  const ut_mask ports = form.alike == form.v && form.locals == 1 ? ut_set_mask(all, 0, form) : ut_set_ports(all, form);
  return ports & (ports - 1);
}

/* Allocates output VC o of the block to input VC n. */
UT_INLINE void ut_vc_give(struct ut_work *work, size_t n, size_t o, const struct ut_form form) {
  const unsigned own = (1u << form.each_bits) - 1, output = (unsigned)o & own; /* lanes of the switch */
  ut_set to = {{0}};
  to.w[form.locals == 1 ? 0 : output / 64] = UINT64_C(1) << output % 64;
  ut_set_store(UT_REG(void, at_cand), n, to, form);
  ut_out_set(UT_REG(void, at_out), n, o, form);
  ut_set_store(UT_REG(void, at_va), o, ut_set_above((unsigned)n & own, form), form);
}

/* Moves the registers of selection policies for the input ports in `moved`, and their masks. */
UT_INLINE void ut_vc_move_policy(struct ut_work *work, const uint64_t *moved, const struct ut_form form) {
  UT_FOR_EACH_LANE (gate, moved, form.sets) {
    uint16_t *now = UT_REG(uint16_t, at_select_policy) + gate;
    ut_mask *mask = UT_REG(ut_mask, at_select) + gate;
    const unsigned granted =
        *mask ? ut_first(*mask) - 1 : form.po - 1; /* port behind which the rotating priority stands now */
    *now = (uint16_t)ut_selection_next(*now, granted, form);
    *mask = ut_mask_all(form.po) & ~ut_mask_all(ut_selection_start(*now, form));
  }
}

/* Step 2 of the cycle, for the input VCs that bid. */
UT_INLINE void ut_vc_allocate(struct ut_work *work, const struct ut_form form) {
  uint64_t space[UT_SET_WORDS], full[UT_SET_WORDS], minimal[UT_SET_WORDS], enough[UT_SET_WORDS];
  uint64_t bids[UT_SET_WORDS], asked[UT_SET_WORDS], moved[UT_SET_WORDS];
  uint16_t to[UT_MAX_LANES]; /* by bid: the output VC that is requested */
  uint64_t *waiting = ut_register(work->b, UT_S_WAITING, form), *active = ut_register(work->b, UT_S_ACTIVE, form);
  UT_FOR_EACH_WORD (i, form.sets) {
    space[i] = ut_register(work->b, UT_S_OUT_UP, form)[i] & ~ut_register(work->b, UT_S_OWNED, form)[i] &
               ut_register(work->b, UT_S_SPACE, form)[i];
    bids[i] = work->bid[i];
    asked[i] = moved[i] = 0;
  }
  ut_vc_full(work, full, form);
  if (form.ugal)
    ut_vc_minimal(work, minimal, enough, form);
  UT_FOR_EACH_LANE (n, work->bid, form.sets) {
    unsigned o;
    if (!ut_vc_select(work, n, space, full, minimal, enough, &o, form)) {
      ut_take(bids, n, form.sets);
      continue;
    }
    o |= (unsigned)ut_lane_base(n, form);
    to[n] = (uint16_t)o;
    ut_put(asked, o, form.sets);
  }
  unsigned more = 0; /* more bids than output VCs that are requested */
  UT_FOR_EACH_WORD (i, form.sets)
    more += (unsigned)(__builtin_popcountll(bids[i]) - __builtin_popcountll(asked[i]));
  if (more)
    ut_vc_arbitrate(work, bids, to, form);
  UT_FOR_EACH_LANE (n, bids, form.sets) {
    const size_t gate = ut_lane_port_index(n, form);
    const bool chose = ut_vc_several_ports(work, n, form);
    ut_vc_give(work, n, to[n], form);
    if (!chose)
      continue;
    /* the lowest VC of a port that is granted its choice moves the port's selection priority */
    if (form.v == 1 || !ut_has(moved, gate, form.sets))
      UT_REG(ut_mask, at_select)[gate] = ut_above(ut_lane_port(to[n], form)) & ut_mask_all(form.po);
    if (form.v > 1 || form.select_bits)
      ut_put(moved, gate, form.sets);
  }
  if (form.select_bits)
    ut_vc_move_policy(work, moved, form);
  UT_FOR_EACH_WORD (i, form.sets) {
    ut_register(work->b, UT_S_OWNED, form)[i] |= asked[i];
    waiting[i] &= ~bids[i];
    active[i] |= bids[i];
    if (form.alloc_cycles == 1)
      work->send[i] |= bids[i];
  }
}

#endif
