/* quiet.h - the cycle of switches in which nothing is out of the ordinary, in one piece and for the commonest shape.
 *
 * Most switches of a run are quiet most of the time: links as they were, no drains, no re-route bits.  With one VC an
 * output port has one owner, so that the switch allocator has nothing to decide, and what leaves can be put onto the
 * wires at once.  A routing family instantiates this for its algorithms (UT_QUIET_STEPS), which puts the route function
 * into the loop.  The registers end up as ut_switch_step leaves them: tests/switch/test_quiet.c compares the two in
 * every cycle, and lockstep compares both with the RTL.
 */
#ifndef UT_QUIET_H
#define UT_QUIET_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "route_unit.h"
#include "rr_arbiter.h"
#include "switch.h"

/* A flit of one word with its tag, moved at once. */
typedef uint64_t ut_short_flit __attribute__((vector_size(16), aligned(8), may_alias));

/* ---- eight bytes at once */

#define UT_BYTE_OF_BIT(n, b) ((uint64_t)((n) >> (b)&1) << 8 * (b))
#define UT_SPREAD(n)                                                                                                   \
  (UT_BYTE_OF_BIT(n, 0) | UT_BYTE_OF_BIT(n, 1) | UT_BYTE_OF_BIT(n, 2) | UT_BYTE_OF_BIT(n, 3) | UT_BYTE_OF_BIT(n, 4) |  \
   UT_BYTE_OF_BIT(n, 5) | UT_BYTE_OF_BIT(n, 6) | UT_BYTE_OF_BIT(n, 7))
#define UT_SPREAD4(n) UT_SPREAD(n), UT_SPREAD((n) + 1), UT_SPREAD((n) + 2), UT_SPREAD((n) + 3)
#define UT_SPREAD16(n) UT_SPREAD4(n), UT_SPREAD4((n) + 4), UT_SPREAD4((n) + 8), UT_SPREAD4((n) + 12)
#define UT_SPREAD64(n) UT_SPREAD16(n), UT_SPREAD16((n) + 16), UT_SPREAD16((n) + 32), UT_SPREAD16((n) + 48)
/* Byte b of ut_spread[n] is bit b of n. */
static const uint64_t ut_spread[256] = {UT_SPREAD64(0), UT_SPREAD64(64), UT_SPREAD64(128), UT_SPREAD64(192)};

/* Bit b is the top bit of byte b. */
UT_INLINE unsigned ut_quiet_gather(uint64_t bytes) {
#ifdef __SSE2__
  return (unsigned)_mm_movemask_epi8(_mm_cvtsi64_si128((long long)bytes));
#else
  return (unsigned)((bytes >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56);
#endif
}

/* ---- the cycle */

/* Step 1: routes the heads at the front of these inputs.  false: one of them is discarded or sets a re-route bit; what
 * has been written is then written again, with the same values, by ut_switch_step. */
UT_INLINE bool ut_quiet_route(const struct ut_group *g, struct ut_switch *s, ut_mask heads, ut_route_function *route,
                              const struct ut_traits t) {
  ut_mask uses_state = 0;
  UT_FOR_EACH(ip, heads) {
    struct ut_route_result r;
    struct ut_port *port = ut_port_of(s, ip, t);
    route(g, s, ((const uint64_t *)s)[port->buffer + 2 * (size_t)ut_bytes(s, UT_B_RD, t)[ip]], ip, 0, &r);
    if (__builtin_expect(r.discard || r.set, 0))
      return false;
    *ut_cand_of(s, ip, 0, t) = r.cand[0];
    ut_bytes(s, UT_B_STATE, t)[ip] = UT_VC_STATE_WAITING;
    if (r.uses_state)
      uses_state |= UT_BIT_OF(ip);
  }
  if (t.vector) {
    ut_mask *depends = ut_masks(g, s, UT_M_DEPENDS, 1);
    *depends = (*depends & ~heads) | uses_state;
  }
  return true;
}

/* Those of several ports that have the most credits. */
UT_INLINE ut_mask ut_quiet_most_credits(struct ut_switch *s, ut_mask ports, const struct ut_traits t) {
  unsigned most = 0;
  ut_mask best = 0;
  UT_FOR_EACH(op, ports) {
    unsigned credits = ut_bytes(s, UT_B_CREDITS, t)[op];
    if (credits < most)
      continue;
    best = credits > most ? UT_BIT_OF(op) : best | UT_BIT_OF(op);
    most = credits;
  }
  return best;
}

/* The outputs whose credits reach a threshold: 128 less that number, in every byte. */
UT_INLINE ut_mask ut_quiet_at_least(struct ut_switch *s, uint64_t threshold, const struct ut_traits t) {
  const uint8_t *bytes = ut_bytes(s, UT_B_CREDITS, t);
  ut_mask reached = 0;
  for (unsigned lane = 0; lane < t.lanes; lane++) {
    uint64_t credits;
    __builtin_memcpy(&credits, bytes + 8 * lane, 8);
    reached |= ut_quiet_gather(credits + threshold) << 8 * lane;
  }
  return reached;
}

/* The output that an input bids for, one-hot; 0: none of its candidates has room. */
UT_INLINE ut_mask ut_quiet_choose(const struct ut_group *g, struct ut_switch *s, unsigned ip, ut_mask room,
                                  const struct ut_traits t) {
  ut_mask fit = *ut_cand_of(s, ip, 0, t) & room;
  if (fit & (fit - 1)) {
    ut_mask full = fit & ut_quiet_at_least(s, g->full, t);
    fit = full ? full : ut_quiet_most_credits(s, fit, t);
    ut_mask first = fit & ut_port_of(s, ip, t)->select;
    fit = first ? first : fit;
    fit &= -fit;
  }
  return fit;
}

/* An output goes to an input; both one-hot.  The head will cross the crossbar in the same cycle. */
UT_INLINE void ut_quiet_grant(const struct ut_group *g, struct ut_switch *s, ut_mask in, ut_mask out,
                              const struct ut_traits t) {
  unsigned ip = ut_first(in), op = ut_first(out);
  *ut_va_of(s, op, 0, t) = g->all_in & -(in << 1);
  ut_port_of(s, ip, t)->select = g->all_out & -(out << 1);
  *ut_cand_of(s, ip, 0, t) = out;
  s->u_turns += (g->up_ports & in) && (g->up_ports & out);
  ut_bytes(s, UT_B_OUT, t)[ip] = (uint8_t)op;
  ut_bytes(s, UT_B_STATE, t)[ip] = UT_VC_STATE_ACTIVE;
}

/* Step 2: gives free outputs with room to the inputs that bid.  Returns the inputs that got one; *taken: the outputs.
 */
UT_INLINE ut_mask ut_quiet_allocate(const struct ut_group *g, struct ut_switch *s, ut_mask bid, ut_mask room,
                                    ut_mask *taken, const struct ut_traits t) {
  ut_mask request[UT_MAX_PORTS], granted = 0, asked = 0;
  if (!(bid & (bid - 1))) {
    *taken = ut_quiet_choose(g, s, ut_first(bid), room, t);
    if (!*taken)
      return 0;
    ut_quiet_grant(g, s, bid, *taken, t);
    return bid;
  }
  UT_FOR_EACH(ip, bid) {
    ut_mask out = ut_quiet_choose(g, s, ip, room, t);
    if (!out)
      continue;
    unsigned op = ut_first(out);
    request[op] = asked & out ? request[op] | UT_BIT_OF(ip) : UT_BIT_OF(ip);
    asked |= out;
  }
  UT_FOR_EACH(op, asked) {
    ut_mask in = request[op], first = in & *ut_va_of(s, op, 0, t);
    in = first ? first : in;
    in &= -in;
    ut_quiet_grant(g, s, in, UT_BIT_OF(op), t);
    granted |= in;
  }
  *taken = asked;
  return granted;
}

/* Steps 3 and 4: the front flits of these inputs leave.  Returns the outputs that they left through. */
UT_INLINE ut_mask ut_quiet_traverse(const struct ut_group *g, struct ut_switch *s, ut_mask sending,
                                    const struct ut_wires *later, const struct ut_traits t) {
  ut_mask *m = ut_masks(g, s, 0, 1), left = 0;
  UT_FOR_EACH(ip, sending) {
    const ut_mask bit = UT_BIT_OF(ip);
    const struct ut_port *from = ut_port_of(s, ip, t);
    const size_t rd = ut_bytes(s, UT_B_RD, t)[ip], op = ut_bytes(s, UT_B_OUT, t)[ip];
    const struct ut_port *to = ut_port_of(s, (unsigned)op, t);
    const uint64_t *front = (const uint64_t *)s + from->buffer + 2 * rd;
    const unsigned tag = (unsigned)front[1];
    const ut_short_flit f = *(const ut_short_flit *)front;
    *(ut_short_flit *)ut_out_of(s, (unsigned)op, t) = f;
    *(ut_short_flit *)(later->flit + to->to_slot) = f;
    const struct ut_end on = to->to, back = from->from;
    later->box[2 * (size_t)on.node] |= on.bit;
    later->active[on.node] = 1;
    later->box[2 * (size_t)back.node + 1] |= back.bit;
    later->active[back.node] = 1;

    ut_bytes(s, UT_B_RD, t)[ip] = g->after[rd];
    if (__builtin_expect(--ut_bytes(s, UT_B_COUNT, t)[ip] == 0, 1))
      m[UT_M_OCCUPIED] ^= bit;
    const ut_mask gone = to->self;
    left |= gone;
    if (tag & UT_KIND_TAIL) {
      ut_bytes(s, UT_B_STATE, t)[ip] = UT_VC_STATE_IDLE;
      m[UT_M_ACTIVE] ^= bit;
      m[UT_M_OWNED] ^= gone;
    }
  }
  return left;
}

/* End of the cycle: flits that arrived. */
UT_INLINE void ut_quiet_arrive(const struct ut_group *g, struct ut_switch *s, ut_mask arrived,
                               const struct ut_wires *now, const struct ut_traits t) {
  ut_mask *open = ut_masks(g, s, UT_M_OPEN, 1);
  UT_FOR_EACH(ip, arrived) {
    const size_t wr = ut_bytes(s, UT_B_WR, t)[ip];
    const struct ut_port *port = ut_port_of(s, ip, t);
    const uint64_t *in = now->flit + port->from_slot;
    UT_CHECK(ut_bytes(s, UT_B_COUNT, t)[ip] < g->shape.depth && "input buffer overflow: the sender had no credit");
    *(ut_short_flit *)((uint64_t *)s + port->buffer + 2 * wr) = *(const ut_short_flit *)in;
    ut_bytes(s, UT_B_WR, t)[ip] = g->after[wr];
    ut_bytes(s, UT_B_COUNT, t)[ip]++;
    if ((in[1] + 1) & 2) /* head or tail, not both: a packet begins or ends */
      *open ^= UT_BIT_OF(ip);
  }
}

/* Credits that went and came.  Returns the outputs with room for a packet. */
UT_INLINE ut_mask ut_quiet_count_credits(const struct ut_group *g, struct ut_switch *s, ut_mask went, ut_mask came,
                                         const struct ut_traits t) {
  uint8_t *bytes = ut_bytes(s, UT_B_CREDITS, t);
  const uint64_t threshold = g->enough;
  if (t.lanes == 1 && (went > 255 || came > 255)) /* tells the compiler */
    __builtin_unreachable();
  ut_mask enough = 0;
  for (unsigned lane = 0; lane < t.lanes; lane++) {
    uint64_t credits;
    __builtin_memcpy(&credits, bytes + 8 * lane, 8);
    credits += ut_spread[came >> 8 * lane & 255] - ut_spread[went >> 8 * lane & 255];
    __builtin_memcpy(bytes + 8 * lane, &credits, 8);
    enough |= ut_quiet_gather(credits + threshold) << 8 * lane;
  }
  return enough;
}

/* One cycle of one switch.  Returns how many flits left; -1: something was out of the ordinary, do it by
 * ut_switch_step; nothing has been taken or driven. */
UT_INLINE int ut_quiet_cycle(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,
                             const struct ut_wires *later, uint8_t *next, ut_route_function *route,
                             const struct ut_traits t) {
  ut_mask *m = ut_masks(g, s, 0, 1), bid = m[UT_M_WAITING];
  const ut_mask heads = m[UT_M_OCCUPIED] & ~(bid | m[UT_M_ACTIVE]);
  if (heads) {
    if (!ut_quiet_route(g, s, heads, route, t))
      return -1;
    m[UT_M_WAITING] = bid | heads;
    if (g->shape.route_cycles == 0)
      bid |= heads;
  }
  if (bid) {
    ut_mask taken, granted = ut_quiet_allocate(g, s, bid, s->out_up & ~m[UT_M_OWNED] & m[UT_M_ENOUGH], &taken, t);
    m[UT_M_WAITING] ^= granted;
    m[UT_M_ACTIVE] ^= granted;
    m[UT_M_OWNED] ^= taken;
  }
  const ut_mask sending = m[UT_M_ACTIVE] & m[UT_M_OCCUPIED];
  ut_mask left = 0;
  if (sending)
    left = ut_quiet_traverse(g, s, sending, later, t);
  s->out_valid = left;
  m[UT_M_CREDIT] = sending;

  const uint32_t id = s->id;
  ut_mask *box = now->box + 2 * (size_t)id;
  const ut_mask arrived = box[0], credits = box[1];
  box[0] = box[1] = 0;
  if (arrived) {
    ut_quiet_arrive(g, s, arrived, now, t);
    m[UT_M_OCCUPIED] |= arrived;
  }
  m[UT_M_ENOUGH] = ut_quiet_count_credits(g, s, left, credits, t);
  if (m[UT_M_OCCUPIED] | sending) /* a flit that left is a credit that left */
    next[id] = 1;
  return __builtin_popcount(left);
}

/* Such a cycle. */
typedef int ut_quiet_way(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,
                         const struct ut_wires *later, uint8_t *next);

/* Steps the active switches: see ut_quiet_steps. */
UT_INLINE uint64_t ut_quiet_run(const struct ut_group *g, const struct ut_wires *now, const struct ut_wires *later,
                                uint8_t *next, ut_general_step *general, void *ctx, ut_quiet_way *cycle) {
  uint64_t hops = 0;
  for (uint32_t base = 0; base < g->count; base += 8) {
    uint64_t work = ut_wires_take(now, g->first + base, g->count - base);
    for (unsigned char *at = g->memory + g->stride * base; work; at += g->stride, work >>= 8) {
      if (!(work & 1))
        continue;
      struct ut_switch *s = (struct ut_switch *)at;
      int left = s->quiet ? cycle(g, s, now, later, next) : -1;
      if (left >= 0)
        hops += (unsigned)left;
      else
        general(ctx, s->id);
    }
  }
  return hops;
}

/* Defines `name` (ut_quiet_steps) for the algorithm of that route function.  The group is copied so that the compiler
 * knows that nothing changes it. */
#define UT_QUIET_WAY(name, route, lanes_)                                                                              \
  UT_INLINE int name(const struct ut_group *g, struct ut_switch *s, const struct ut_wires *now,                        \
                     const struct ut_wires *later, uint8_t *next) {                                                    \
    const struct ut_traits t = {.v = 1, .words = 1, .vector = g->traits.vector, .lanes = lanes_};                      \
    return ut_quiet_cycle(g, s, now, later, next, route, t);                                                           \
  }
#define UT_QUIET_STEPS(name, route)                                                                                    \
  UT_QUIET_WAY(name##_1, route, 1)                                                                                     \
  UT_QUIET_WAY(name##_2, route, 2)                                                                                     \
  UT_QUIET_WAY(name##_n, route, g->traits.lanes)                                                                       \
  static uint64_t name(const struct ut_group *g, const struct ut_wires *now, const struct ut_wires *later,             \
                       uint8_t *next, ut_general_step *general, void *ctx) {                                           \
    struct ut_group group;                                                                                             \
    __builtin_memcpy(&group, g, offsetof(struct ut_group, lookup));                                                    \
    const struct ut_wires from = *now, to = *later;                                                                    \
    if (group.shape.v != 1) /* tells the compiler */                                                                   \
      __builtin_unreachable();                                                                                         \
    switch (group.traits.lanes) {                                                                                      \
    case 1: return ut_quiet_run(&group, &from, &to, next, general, ctx, name##_1);                                     \
    case 2: return ut_quiet_run(&group, &from, &to, next, general, ctx, name##_2);                                     \
    default: return ut_quiet_run(&group, &from, &to, next, general, ctx, name##_n);                                    \
    }                                                                                                                  \
  }

#endif
