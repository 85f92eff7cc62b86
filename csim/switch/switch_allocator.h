/* switch_allocator.h - who crosses the crossbar, and the crossing.  Twins: rtl/ut_switch_allocator.v, rtl/ut_crossbar.v
 */
#ifndef UT_SWITCH_ALLOCATOR_H
#define UT_SWITCH_ALLOCATOR_H

#include "input_unit.h"
#include "vc_allocator.h"

/* The front flit of input VC n goes to its packet's output VC o, and at once onto the wire.  The caller counts it as
 * popped. */
UT_INLINE void ut_traverse(struct ut_work *w, size_t n, size_t o, const struct ut_form x) {
  const uint64_t *front = ut_front_flit(w, n, x);
  const unsigned tag = ut_input_wire(w, n, front, x);
  const size_t to = w->near.to[o];
  uint64_t *place = w->reach.ring + (to * 2 * x.depth + ut_position_at(w->near.send, o, x.wide)) * (x.words + 1);
  UT_CHECK(UT_REG(uint8_t, at_credits)[o] && "a flit was sent without a credit");
  ut_flit_copy(place, front, x.words);
  if (x.v > 1 || x.strips)
    place[x.words] = ut_flit_meta(tag, ut_lane_vc(o, x));
  if (tag & UT_KIND_HEAD) {
    if (x.rewrites)
      place[0] = ut_header_set_rt(place[0], UT_REG(uint32_t, at_rt)[n]);
    if (x.u_turns && ut_has(w->g->up_lanes, n, x.sets) && ut_has(w->g->up_lanes, o, x.sets))
      ut_lane_switch(w, n, x)->u_turns++;
  }
  w->reach.flits_later[to] = (uint8_t)tag;
  ut_put(w->left, o, x.sets);
  if (x.v > 1)
    UT_REG(uint8_t, at_last)[ut_lane_gate(o, x)] = (uint8_t)ut_lane_vc(o, x);
  if (tag & UT_KIND_TAIL) {
    UT_BRANCH;
    ut_put(w->ended, n, x.sets);
    ut_put(w->freed, o, x.sets);
  }
  ut_input_leave(w, n, x);
}

/* May the front flit of an active packet be sent?  Under wormhole it needs a credit of its own. */
UT_INLINE bool ut_may_send(const struct ut_work *w, size_t n, const struct ut_form x) {
  const size_t o = UT_REG(uint8_t, at_out)[n];
  return (w->calm || ut_has(ut_register(w->b, UT_S_OUT_UP, x), o, x.sets)) &&
         (!x.wormhole || UT_REG(uint8_t, at_credits)[o] != 0);
}

/* First stage, where the crossbar has one input for each port: each port picks one of its VCs. */
UT_INLINE ut_set ut_pick_inputs(const struct ut_work *w, size_t base, const ut_set ready, const struct ut_form x) {
  ut_mask once = 0, twice = 0;
  ut_set picked = ready;
  UT_UNROLL
  for (unsigned i = 0; i < x.v; i++) {
    const ut_mask ports = ut_set_mask(ready, i, x);
    twice |= once & ports;
    once |= ports;
  }
  UT_FOR_EACH(ip, twice) {
    const ut_mask vcs = ut_set_vcs(ready, ip, x);
    const unsigned ivc = ut_rr_pick(vcs, UT_REG(uint8_t, at_switch_turn)[ut_lane_gate(base | ip, x)]);
    const unsigned lane = ivc << x.port_bits | ip;
    picked = ut_set_but(picked, ut_set_lanes(UT_BIT_OF(ip), x), x);
    picked.w[lane / 64] |= UINT64_C(1) << lane % 64;
  }
  return picked;
}

/* The flit of input VC n has been granted the way to output VC o: arbiters move, and it goes. */
UT_INLINE void ut_switch_grant(struct ut_work *w, size_t n, size_t o, const struct ut_form x) {
  if (x.v > 1) {
    const unsigned line = x.per_vc ? (unsigned)(n - ut_lane_base(n, x)) : ut_lane_port(n, x);
    ut_set_store(UT_REG(void, at_sa), ut_lane_gate(o, x), ut_set_above(line, x), x);
    if (!x.per_vc)
      UT_REG(uint8_t, at_switch_turn)[ut_lane_gate(n, x)] = (uint8_t)ut_rr_after(ut_lane_vc(n, x), ut_mask_all(x.v));
  }
  ut_traverse(w, n, o, x);
}

/* Takes out those flits of one switch, of several VCs, that must wait for others. */
UT_INLINE ut_set ut_switch_arbitrate(struct ut_work *w, size_t base, ut_set ready, const struct ut_form x) {
  ut_set request[UT_MAX_PORTS], winners = {{0}}; /* by output port: input VCs, or ports */
  uint8_t from[UT_MAX_PORTS];                    /* by input port: its lane */
  ut_mask touched = 0;
  if (!x.per_vc)
    ready = ut_pick_inputs(w, base, ready, x);
  UT_FOR_EACH_WORD(i, x.locals)
  for (uint64_t rest = ready.w[i]; rest; rest &= rest - 1) {
    const unsigned n = 64 * i + (unsigned)__builtin_ctzll(rest), ip = ut_lane_port(n, x);
    const unsigned op = ut_lane_port(UT_REG(uint8_t, at_out)[base | n], x), line = x.per_vc ? n : ip;
    if (!(touched & ut_bit(op)))
      UT_FOR_EACH_WORD(j, x.locals)
    request[op].w[j] = 0;
    touched |= ut_bit(op);
    request[op].w[line / 64] |= UINT64_C(1) << line % 64;
    from[ip] = (uint8_t)n;
  }
  UT_FOR_EACH(op, touched) {
    const ut_set all = !x.local_first                      ? request[op]
                       : x.per_vc                          ? ut_local_first(request[op], w->g->local_in, x)
                       : request[op].w[0] & w->g->local_in ? (ut_set){{request[op].w[0] & w->g->local_in}}
                                                           : request[op];
    const unsigned line = ut_set_pick(all, ut_set_load(UT_REG(void, at_sa), ut_lane_gate(base | op, x), x), x);
    const unsigned n = x.per_vc ? line : from[line];
    winners.w[n / 64] |= UINT64_C(1) << n % 64;
  }
  return winners;
}

/* Whether no port of the clump has two lanes in the set. */
UT_INLINE bool ut_clump_is_spread(const ut_set s, const struct ut_form x) {
  unsigned lanes = 0;
  UT_FOR_EACH_WORD(i, x.locals)
  lanes += (unsigned)__builtin_popcountll(s.w[i]);
  return lanes == (unsigned)__builtin_popcountll(ut_clump_ports(s, x));
}

/* Whether nobody competes: neither for a crossbar's input port nor for an output port. */
UT_INLINE bool ut_switch_is_free(const struct ut_work *w, size_t base, const ut_set ready, const struct ut_form x) {
  uint64_t out = 0, twice = 0;
  if (x.v == 1) /* an output port has one owner */
    return true;
  if (!x.per_vc && !ut_clump_is_spread(ready, x))
    return false;
  if (ut_clump_is_spread(ut_clump_of(ut_register(w->b, UT_S_OWNED, x), base, x), x))
    return true;
  UT_FOR_EACH_WORD(i, x.locals)
  for (uint64_t rest = ready.w[i]; rest; rest &= rest - 1) {
    const unsigned n = 64 * i + (unsigned)__builtin_ctzll(rest);
    const uint64_t to = UINT64_C(1) << ut_clump_gate(UT_REG(uint8_t, at_out)[base | n], x) % 64;
    twice |= out & to;
    out |= to;
  }
  return !twice;
}

/* Lets the flits of these input VCs leave. */
UT_INLINE void ut_switch_send(struct ut_work *w, uint64_t *ready, const struct ut_form x) {
  for (size_t base = 0; base < x.all; base += ut_clump_lanes(x)) {
    const ut_set all = ut_clump_of(ready, base, x);
    if (x.v > 1 && !ut_set_any(all, x))
      continue;
    if (ut_switch_is_free(w, base, all, x))
      continue;
    for (size_t each = base; each < base + ut_clump_lanes(x) && each < x.all; each += (size_t)1 << x.each_bits)
      ut_block_put(ready, each, ut_switch_arbitrate(w, each, ut_set_of(ready, each, x), x), x);
  }
  UT_FOR_EACH_LANE(n, ready, x.sets) ut_switch_grant(w, n, UT_REG(uint8_t, at_out)[n], x);
  UT_FOR_EACH_WORD(i, x.sets)
  w->popped[i] |= ready[i];
}

/* Steps 3 and 4 of the cycle. */
UT_INLINE void ut_switch_allocate(struct ut_work *w, const struct ut_form x) {
  uint64_t ready[UT_SET_WORDS];
  UT_FOR_EACH_WORD(i, x.sets)
  ready[i] = w->send[i] & ut_register(w->b, UT_S_OCCUPIED, x)[i];
  if (x.wormhole || !w->calm)
    UT_FOR_EACH_LANE(n, ready, x.sets)
  if (!ut_may_send(w, n, x))
    ut_take(ready, n, x.sets);
  UT_FOR_EACH_WORD(i, x.sets)
  w->ended[i] = w->freed[i] = 0;
  ut_switch_send(w, ready, x);
  UT_FOR_EACH_WORD(i, x.sets) {
    ut_register(w->b, UT_S_ACTIVE, x)[i] &= ~w->ended[i];
    ut_register(w->b, UT_S_OWNED, x)[i] &= ~w->freed[i];
    ut_register(w->b, UT_S_SAVED, x)[i] &= ~w->left[i];
  }
}

#endif
