/* quiet_vcs.h - the short way (quiet.h) of switches with several VCs.
 *
 * Here packets compete for the crossbar, so that the allocators remain; what goes away are the loops over VCs and ports
 * in which nothing happens.  A set of VCs of the whole switch is one word, and what is in no set costs nothing.  What
 * is done with a flit, a credit, a head or a grant is done by the functions of the blocks.  tests/switch/test_quiet.c
 * compares the registers with those that ut_switch_step leaves.
 */
#ifndef UT_QUIET_VCS_H
#define UT_QUIET_VCS_H

#include "input_unit.h"
#include "output_unit.h"
#include "quiet.h"
#include "switch_allocator.h"
#include "vc_allocator.h"

/* ---- sets of VCs */

/* Input or output VCs of a switch: bit vc * t.lane + port, which is the order in which the arbiters count. */
typedef uint64_t ut_vc_set;

#define UT_VC(port, vc, t) ((ut_vc_set)1 << ((vc) * (t).lane + (port)))

/* The loop body sees each member of the set, in ascending order. */
#define UT_FOR_EACH_VC(n, set)                                                                                         \
  for (ut_vc_set n##_rest = (set), n; n##_rest && (n = (ut_vc_set)__builtin_ctzll(n##_rest), 1);                       \
       n##_rest &= n##_rest - 1)

UT_INLINE unsigned ut_vc_port(const struct ut_group *g, ut_vc_set n) {
  return g->lookup.port[n];
}
UT_INLINE unsigned ut_vc_number(const struct ut_group *g, ut_vc_set n) {
  return g->lookup.vc[n];
}
/* Its place in the arrays of bytes. */
UT_INLINE size_t ut_vc_flat(const struct ut_group *g, ut_vc_set n) {
  return g->lookup.flat[n];
}

/* From V masks over ports. */
UT_INLINE ut_vc_set ut_vc_set_of(const ut_mask *masks, const struct ut_traits t) {
  ut_vc_set set = 0;
#ifdef __SSE2__
  if (t.v == 4 && t.lane == 8) {
    __m128i m = _mm_loadu_si128((const __m128i *)masks);
    m = _mm_packs_epi32(m, _mm_setzero_si128());
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(m, m));
  }
#endif
  for (unsigned i = 0; i < t.v; i++)
    set |= (ut_vc_set)masks[i] << i * t.lane;
  return set;
}
UT_INLINE void ut_vc_set_store(ut_mask *masks, ut_vc_set set, const struct ut_traits t) {
#ifdef __SSE2__
  if (t.v == 4 && t.lane == 8) {
    const __m128i zero = _mm_setzero_si128(), m = _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)set), zero);
    _mm_storeu_si128((__m128i *)masks, _mm_unpacklo_epi16(m, zero));
    return;
  }
#endif
  for (unsigned i = 0; i < t.v; i++)
    masks[i] = (ut_mask)(set >> i * t.lane) & ut_mask_all(t.lane);
}

/* All VCs of these ports. */
UT_INLINE ut_vc_set ut_vc_set_all(ut_mask ports, const struct ut_traits t) {
  ut_vc_set first = 0; /* of each VC port 0 */
  for (unsigned i = 0; i < t.v; i++)
    first |= (ut_vc_set)1 << i * t.lane;
  return first * ports;
}

/* The ports that have a VC in the set. */
UT_INLINE ut_mask ut_vc_set_ports(ut_vc_set set, const struct ut_traits t) {
  ut_mask ports = 0;
  for (unsigned i = 0; i < t.v; i++)
    ports |= (ut_mask)(set >> i * t.lane);
  return ports & ut_mask_all(t.lane);
}

/* Round robin over the VCs of a port that are in the set (at least one); mask as in rr_arbiter.h. */
UT_INLINE unsigned ut_vc_pick_at(const struct ut_group *g, ut_vc_set set, unsigned port, ut_mask mask,
                                 const struct ut_traits t) {
  const ut_vc_set column = set & ut_vc_set_all(ut_bit(port), t);
  if (!(column & (column - 1)))
    return ut_vc_number(g, (ut_vc_set)__builtin_ctzll(column));
  ut_mask vcs = 0;
  UT_FOR_EACH_VC(n, column) vcs |= ut_bit(ut_vc_number(g, n));
  return ut_rr_pick(vcs, mask);
}

/* Round robin over a set of requests (not empty), mask as in rr_arbiter.h in V words. */
UT_INLINE ut_vc_set ut_vc_pick(ut_vc_set requests, const ut_mask *mask, const struct ut_traits t) {
  ut_vc_set first = requests;
  if (requests & (requests - 1)) {
    first = requests & ut_vc_set_of(mask, t);
    first = first ? first : requests;
  }
  return (ut_vc_set)__builtin_ctzll(first);
}
/* The mask after a grant. */
UT_INLINE void ut_vc_move(const struct ut_group *g, ut_mask *mask, ut_vc_set granted, const struct ut_traits t) {
  __builtin_memcpy(mask, g->lookup.behind[granted], t.v * sizeof *mask);
}

/* ---- the cycle */

/* Step 1: each port routes one of its heads.  Returns those that were routed; 0: one of them is discarded or stripped
 * or sets a re-route bit, and nothing has been done. */
UT_INLINE ut_vc_set ut_vcs_route(const struct ut_group *g, struct ut_switch *s, ut_vc_set heads,
                                 ut_route_function *route, const struct ut_traits t) {
  struct ut_input_changes ch; /* none: nothing is stripped */
  struct ut_route_result result[UT_MAX_PORTS], *r = result;
  uint8_t vc[UT_MAX_PORTS];
  const ut_mask ports = ut_vc_set_ports(heads, t);
  ut_vc_set routed = 0;
  UT_FOR_EACH(ip, ports) {
    const unsigned ivc = ut_vc_pick_at(g, heads, ip, *ut_route_mask_of(s, ip, t), t), flat = ip * t.v + ivc;
    if (g->shape.v != t.v) /* tells the compiler */
      __builtin_unreachable();
    route(g, s, *ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t), ip, ivc, r);
    if (__builtin_expect(r->discard || r->set || (t.strips && r->strip), 0))
      return 0;
    vc[ip] = (uint8_t)ivc;
    r++;
  }
  r = result;
  UT_FOR_EACH(ip, ports) {
    *ut_route_mask_of(s, ip, t) = (uint8_t)ut_rr_after(vc[ip], ut_mask_all(t.v));
    ut_input_routed(g, s, ip, vc[ip], r++, &ch, t);
    routed |= UT_VC(ip, vc[ip], t);
  }
  return routed;
}

/* Those of a set of output VCs that have the most credits. */
UT_INLINE ut_vc_set ut_vcs_most_credits(const struct ut_group *g, struct ut_switch *s, ut_vc_set set,
                                        const struct ut_traits t) {
  unsigned most = 0;
  ut_vc_set best = 0;
  UT_FOR_EACH_VC(n, set) {
    const unsigned credits = ut_bytes(s, UT_B_CREDITS, t)[ut_vc_flat(g, n)];
    const ut_vc_set bit = n_rest & -n_rest;
    best = credits > most ? bit : credits == most ? best | bit : best;
    most = credits > most ? credits : most;
  }
  return best;
}

/* The selection function: the output VC that an input VC bids for, alone in its set; 0: none of its candidates has
 * room. enough2: those with room for two packets. */
UT_INLINE ut_vc_set ut_vcs_select(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                  ut_vc_set room, ut_vc_set enough2, const struct ut_traits t) {
  const unsigned flat = ip * t.v + ivc;
  ut_vc_set fit = ut_vc_set_of(ut_cand_of(s, ip, ivc, t), t) & room;
  if (t.bubble)
    fit &= enough2 | ~ut_vc_set_of(UT_AT(ut_mask, g, s, bubble) + flat * t.v, t);
  if (t.preferred) {
    const ut_vc_set liked = fit & ut_vc_set_of(UT_AT(ut_mask, g, s, preferred) + flat * t.v, t);
    fit = liked ? liked : fit;
  }
  if (!(fit & (fit - 1)))
    return fit;
  fit = ut_vcs_most_credits(g, s, fit, t);
  const unsigned op = ut_rr_pick(ut_vc_set_ports(fit, t), ut_port_of(s, ip, t)->select);
  fit &= ut_vc_set_all(ut_bit(op), t);
  return fit & -fit;
}

/* Step 2: gives free output VCs with room to the input VCs that bid. */
UT_INLINE void ut_vcs_allocate(const struct ut_group *g, struct ut_switch *s, ut_vc_set bid, const struct ut_traits t) {
  const ut_mask *m = ut_masks(g, s, 0, t.v);
  const ut_vc_set enough2 = t.bubble ? ut_vc_set_of(m + UT_M_ENOUGH2 * t.v, t) : 0;
  const ut_vc_set room =
      ut_vc_set_all(s->out_up, t) & ut_vc_set_of(m + UT_M_ENOUGH * t.v, t) & ~ut_vc_set_of(m + UT_M_OWNED * t.v, t);
  ut_vc_set request[64], asked = 0;
  UT_FOR_EACH_VC(n, bid) {
    const ut_vc_set out = ut_vcs_select(g, s, ut_vc_port(g, n), ut_vc_number(g, n), room, enough2, t);
    if (!out)
      continue;
    ut_vc_set *r = request + __builtin_ctzll(out);
    *r = (asked & out ? *r : 0) | (ut_vc_set)1 << n;
    asked |= out;
  }
  struct ut_vc_grants grants;
  grants.ports = 0;
  UT_FOR_EACH_VC(o, asked) {
    const unsigned op = ut_vc_port(g, o), ovc = ut_vc_number(g, o);
    ut_mask *mask = ut_va_of(s, op, ovc, t);
    const ut_vc_set n = ut_vc_pick(request[o], mask, t);
    ut_vc_move(g, mask, n, t);
    ut_vc_give(g, s, ut_vc_port(g, n), ut_vc_number(g, n), op, ovc, &grants, t);
    ut_owner_add(s, op, (unsigned)n, t);
  }
}

/* Steps 1 and 2, where there are heads to route or VCs that bid.  false: see ut_vcs_route. */
UT_INLINE bool ut_vcs_decide(const struct ut_group *g, struct ut_switch *s, ut_vc_set heads, ut_vc_set bid,
                             ut_route_function *route, const struct ut_traits t) {
  if (heads) {
    const ut_vc_set routed = ut_vcs_route(g, s, heads, route, t);
    if (!routed)
      return false;
    if (g->shape.route_cycles == 0)
      bid |= routed;
  }
  if (bid)
    ut_vcs_allocate(g, s, bid, t);
  return true;
}
typedef bool ut_vcs_decision(const struct ut_group *g, struct ut_switch *s, ut_vc_set heads, ut_vc_set bid);

/* Step 3, first stage, where the crossbar has one input for each port: each port picks one of its VCs. */
UT_INLINE ut_vc_set ut_vcs_pick_inputs(const struct ut_group *g, struct ut_switch *s, ut_vc_set ready,
                                       const struct ut_traits t) {
  ut_mask once = 0, twice = 0;
  for (unsigned i = 0; i < t.v; i++) {
    const ut_mask ports = (ut_mask)(ready >> i * t.lane) & ut_mask_all(t.lane);
    twice |= once & ports;
    once |= ports;
  }
  UT_FOR_EACH(ip, twice) {
    const unsigned ivc = ut_vc_pick_at(g, ready, ip, *ut_sa_in_of(s, ip, t), t);
    ready = (ready & ~ut_vc_set_all(ut_bit(ip), t)) | UT_VC(ip, ivc, t);
  }
  return ready;
}

/* Step 3: those of the ready VCs that cross the crossbar, one for each output port. */
UT_INLINE ut_vc_set ut_vcs_cross(const struct ut_group *g, struct ut_switch *s, ut_vc_set ready,
                                 const struct ut_traits t) {
  if (!t.per_vc && (ready & (ready - 1)))
    ready = ut_vcs_pick_inputs(g, s, ready, t);
  UT_FOR_EACH(op, s->shared) {
    const ut_vc_set wanted = ready & *ut_owners_of(s, op, t);
    const ut_mask *mask = ut_sa_of(s, op, t);
    if (!(wanted & (wanted - 1)))
      continue;
    ready &= ~wanted;
    if (t.per_vc)
      ready |= (ut_vc_set)1 << ut_vc_pick(wanted, mask, t);
    else
      ready |= wanted & ut_vc_set_all(ut_bit(ut_rr_pick(ut_vc_set_ports(wanted, t), *mask)), t);
  }
  return ready;
}

/* Steps 3 and 4: a front flit leaves, its credit too.  Returns its output port as a mask. */
UT_INLINE ut_mask ut_vcs_traverse(const struct ut_group *g, struct ut_switch *s, ut_vc_set n, ut_vc_set *occupied,
                                  const struct ut_wires *later, const struct ut_traits t) {
  const size_t flat = ut_vc_flat(g, n), rd = ut_bytes(s, UT_B_RD, t)[flat];
  const struct ut_transfer *way = ut_transfer_of(s, flat, t);
  struct ut_port *output = (struct ut_port *)((unsigned char *)s + way->output);
  const uint64_t *front = (const uint64_t *)s + g->lookup.buffer[n] + 2 * rd;
  const unsigned tag = ut_flit_tag(front[1]);
  uint64_t word = front[0];
  if (tag & UT_KIND_HEAD)
    word = ut_head_leaves(g, s, word, ut_vc_port(g, n), ut_vc_number(g, n), ut_first(output->self), t);
  uint64_t *place = (uint64_t *)((unsigned char *)output + ut_port_out(t));
  place[0] = word;
  place[1] = ut_flit_meta(tag, way->output_vc);
  place = later->flit + way->slot;
  place[0] = word;
  place[1] = ut_flit_meta(tag, way->output_vc);
  ut_mask *arbiter = (ut_mask *)((unsigned char *)output + ut_port_sa(t));
  if (t.per_vc) {
    ut_vc_move(g, arbiter, n, t);
  } else {
    *arbiter = ut_rr_after(ut_vc_port(g, n), g->all_in);
    *ut_sa_in_of(s, ut_vc_port(g, n), t) = (uint8_t)ut_rr_after(ut_vc_number(g, n), ut_mask_all(t.v));
  }
  later->box[way->box] |= way->bit;
  later->box[way->credit_box] |= way->credit_bit;
  later->active[way->node] = later->active[way->credit_node] = 1;
  uint8_t *credits = &ut_bytes(s, UT_B_CREDITS, t)[way->credits];
  if (g->lookup.mark[(*credits)--])
    ut_output_less(g, s, ut_first(output->self), way->output_vc, *credits, t);
  ut_bytes(s, UT_B_RD, t)[flat] = g->after[rd];
  const bool empty = --ut_bytes(s, UT_B_COUNT, t)[flat] == 0;
  *occupied ^= (ut_vc_set)empty << n;
  if (tag & UT_KIND_TAIL) {
    ut_input_end(g, s, ut_vc_port(g, n), ut_vc_number(g, n), flat, t);
    ut_masks(g, s, UT_M_OWNED, t.v)[way->output_vc] ^= output->self;
    ut_owner_remove(s, ut_first(output->self), (unsigned)n, t);
  }
  return output->self;
}

/* End of the cycle: flits that have arrived.  Returns the VCs that have them. */
UT_INLINE ut_vc_set ut_vcs_accept(const struct ut_group *g, struct ut_switch *s, ut_mask arrived,
                                  const struct ut_wires *now, const struct ut_traits t) {
  const uint64_t *flits = now->flit + ut_port_of(s, 0, t)->from_slot;
  ut_vc_set full = 0;
  UT_FOR_EACH(ip, arrived) {
    const uint64_t *flit = flits + 2 * (size_t)ip, meta = flit[1];
    const size_t n = ut_flit_vc(meta) * t.lane + ip, flat = ut_vc_flat(g, n), wr = ut_bytes(s, UT_B_WR, t)[flat];
    UT_CHECK(ut_bytes(s, UT_B_COUNT, t)[flat] < g->shape.depth && "input buffer overflow: the sender had no credit");
    *(ut_short_flit *)((uint64_t *)s + g->lookup.buffer[n] + 2 * wr) = *(const ut_short_flit *)flit;
    ut_bytes(s, UT_B_WR, t)[flat] = g->after[wr];
    ut_bytes(s, UT_B_COUNT, t)[flat]++;
    full |= (ut_vc_set)1 << n;
    if ((meta + 1) & 2) /* head or tail, not both: a packet begins or ends */
      ut_masks(g, s, UT_M_OPEN, t.v)[ut_vc_number(g, n)] ^= ut_bit(ip);
  }
  return full;
}

/* And credits. */
UT_INLINE void ut_vcs_credit(const struct ut_group *g, struct ut_switch *s, ut_vc_set credits,
                             const struct ut_traits t) {
  UT_FOR_EACH_VC(n, credits) {
    const unsigned count = ++ut_bytes(s, UT_B_CREDITS, t)[ut_vc_flat(g, n)];
    if (g->lookup.mark[count])
      ut_output_more(g, s, ut_vc_port(g, n), ut_vc_number(g, n), count, t);
  }
}

/* ---- large networks
 *
 * Memory does not fit into the inner caches.  What the cycle of a switch will need is asked for while those before it
 * in the same cycle are at work; in a small network that would cost more than it saves. */

/* Asks for what stands before the records of packets and ports. */
UT_INLINE void ut_vcs_fetch_state(struct ut_switch *s, const struct ut_traits t) {
  for (size_t at = 0; at < ut_transfers_begin(t); at += 64)
    __builtin_prefetch((unsigned char *)s + at, 1);
  __builtin_prefetch(ut_owners_of(s, 0, t), 1);
}

/* Asks for what moves: where its flits leave, and where those on the wires will be put. */
UT_INLINE void ut_vcs_fetch_flits(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,
                                  const struct ut_traits t) {
  const uint64_t *flits = now->flit + ut_port_of(s, 0, t)->from_slot;
  const ut_mask *m = ut_masks(g, s, 0, t.v);
  const ut_vc_set occupied = ut_vc_set_of(m + UT_M_OCCUPIED * t.v, t), active = ut_vc_set_of(m + UT_M_ACTIVE * t.v, t);
  UT_FOR_EACH_VC(n, occupied & ~active) { /* heads */
    const size_t flat = ut_vc_flat(g, n);
    __builtin_prefetch((const uint64_t *)s + g->lookup.buffer[n] + 2 * ut_bytes(s, UT_B_RD, t)[flat], 0);
    __builtin_prefetch(ut_cand_of(s, ut_vc_port(g, n), ut_vc_number(g, n), t), 1);
    __builtin_prefetch(UT_AT(ut_mask, g, s, bubble) + flat * t.v, 1);
    __builtin_prefetch(UT_AT(ut_mask, g, s, preferred) + flat * t.v, 1);
  }
  UT_FOR_EACH_VC(n, occupied & active) {
    const size_t flat = ut_vc_flat(g, n);
    const unsigned char *output = (unsigned char *)ut_port_of(s, ut_out_port(ut_bytes(s, UT_B_OUT, t)[flat], t.v), t);
    __builtin_prefetch(ut_transfer_of(s, flat, t), 0);
    __builtin_prefetch((const uint64_t *)s + g->lookup.buffer[n] + 2 * ut_bytes(s, UT_B_RD, t)[flat], 0);
    __builtin_prefetch(output, 1);
    __builtin_prefetch(output + 64, 1);
  }
  UT_FOR_EACH(ip, now->box[(size_t)s->id * (1 + t.v)]) {
    const size_t n = ut_flit_vc(flits[2 * (size_t)ip + 1]) * t.lane + ip;
    __builtin_prefetch((const uint64_t *)s + g->lookup.buffer[n] + 2 * ut_bytes(s, UT_B_WR, t)[ut_vc_flat(g, n)], 1);
  }
}

/* One cycle of one switch: see ut_quiet_cycle. */
UT_INLINE int ut_vcs_cycle(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,
                           const struct ut_wires *later, uint8_t *next, ut_vcs_decision *decide,
                           const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask *m = ut_masks(g, s, 0, v);
  if (g->far) {
    unsigned char *ahead = (unsigned char *)s;
    ut_vcs_fetch_state((struct ut_switch *)(ahead + UT_FETCH_AHEAD * g->stride), t);
    ut_vcs_fetch_flits(g, (struct ut_switch *)(ahead + UT_FETCH_AHEAD / 2 * g->stride), now, t);
  }
  ut_vc_set occupied = ut_vc_set_of(m + UT_M_OCCUPIED * v, t), active = ut_vc_set_of(m + UT_M_ACTIVE * v, t);
  const ut_vc_set bid = ut_vc_set_of(m + UT_M_WAITING * v, t);
  const ut_vc_set heads = occupied & ~(bid | active);
  if (heads | bid) {
    if (!decide(g, s, heads, bid))
      return -1;
    active = ut_vc_set_of(m + UT_M_ACTIVE * v, t);
  }
  const ut_vc_set leaving = ut_vcs_cross(g, s, active & occupied, t);
  ut_vc_set_store(m + UT_M_CREDIT * v, leaving, t);
  ut_mask left = 0;
  UT_FOR_EACH_VC(n, leaving) left |= ut_vcs_traverse(g, s, n, &occupied, later, t);
  s->out_valid = left;

  const uint32_t id = s->id;
  ut_mask *box = now->box + (size_t)id * (1 + v);
  const ut_mask arrived = box[0];
  const ut_vc_set credits = ut_vc_set_of(box + 1, t);
  for (unsigned i = 0; i <= v; i++)
    box[i] = 0;
  ut_vcs_credit(g, s, credits, t);
  occupied |= ut_vcs_accept(g, s, arrived, now, t);
  ut_vc_set_store(m + UT_M_OCCUPIED * v, occupied, t);
  if (occupied || left) /* a flit that left is a credit that left */
    next[id] = 1;
  return __builtin_popcount(left);
}

/* Defines `name` (ut_quiet_steps) for these traits, constants where the expression is one. */
#define UT_VCS_STEPS(name, function, traits)                                                                           \
  static __attribute__((noinline)) bool name##_decide(const struct ut_group *g, struct ut_switch *s, ut_vc_set heads,  \
                                                      ut_vc_set bid) {                                                 \
    return ut_vcs_decide(g, s, heads, bid, function, traits);                                                          \
  }                                                                                                                    \
  UT_INLINE int name##_cycle(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,                \
                             const struct ut_wires *later, uint8_t *next) {                                            \
    return ut_vcs_cycle(g, s, now, later, next, name##_decide, traits);                                                \
  }                                                                                                                    \
  static uint64_t name(const struct ut_group *g, const struct ut_wires *now, const struct ut_wires *later,             \
                       uint8_t *next, ut_general_step *general, void *ctx) {                                           \
    const struct ut_wires from = *now, to = *later;                                                                    \
    return ut_quiet_run(g, &from, &to, next, general, ctx, name##_cycle);                                              \
  }

#define UT_VCS_TRAITS(route_code, algorithm_code, planned, vcs, lanes_, lane_, per_vc_)                                \
  ((struct ut_traits){.v = vcs,                                                                                        \
                      .words = 1,                                                                                      \
                      .lanes = lanes_,                                                                                 \
                      .lane = lane_,                                                                                   \
                      .per_vc = per_vc_,                                                                               \
                      .alloc_cycles = 1,                                                                               \
                      .vector = UT_ALG_VECTOR(route_code, algorithm_code),                                             \
                      .rewrites = UT_ALG_REWRITES(route_code, algorithm_code) || (planned && g->shape.misroute),       \
                      .strips = planned && g->shape.escapes > 1,                                                       \
                      .bubble = UT_ALG_BUBBLE(route_code, algorithm_code),                                             \
                      .preferred = UT_ALG_PREFERRED(route_code, algorithm_code)})

/* The same for the algorithm of that route function, with several VCs; the commonest shapes are constants.  planned:
 * with mechanisms of INTERMEDIATE. */
#define UT_QUIET_VCS_STEPS(name, function, route_code, algorithm_code, planned)                                        \
  UT_VCS_STEPS(name##_2, function, UT_VCS_TRAITS(route_code, algorithm_code, planned, 2, 1, 8, g->traits.per_vc))      \
  UT_VCS_STEPS(name##_3, function, UT_VCS_TRAITS(route_code, algorithm_code, planned, 3, 1, 8, g->traits.per_vc))      \
  UT_VCS_STEPS(name##_4_vc, function, UT_VCS_TRAITS(route_code, algorithm_code, planned, 4, 1, 8, true))               \
  UT_VCS_STEPS(name##_4_port, function, UT_VCS_TRAITS(route_code, algorithm_code, planned, 4, 1, 8, false))            \
  UT_VCS_STEPS(name##_any, function,                                                                                   \
               UT_VCS_TRAITS(route_code, algorithm_code, planned, g->traits.v, g->traits.lanes, g->traits.lane,        \
                             g->traits.per_vc))                                                                        \
  static ut_quiet_steps *name(const struct ut_shape *shape) {                                                          \
    switch (shape->po <= 8 ? shape->v : 0) {                                                                           \
    case 2: return name##_2;                                                                                           \
    case 3: return name##_3;                                                                                           \
    case 4: return shape->xbar == UT_XBAR_VC ? name##_4_vc : name##_4_port;                                            \
    default: return name##_any;                                                                                        \
    }                                                                                                                  \
  }

#endif
