/* SPDX-License-Identifier: Apache-2.0 */
/* registers.h - the registers of a golden switch by the names and index spaces of the RTL, for whoever looks at a
 * switch or sets one up for a test; the cycle itself does not go through here.
 *
 * ip, ivc: input port and VC; op, ovc: output port and VC, which the switch must have.  ut_reg_x() reads register x_q,
 * or what the comment names; one that the shape does not have reads 0.  ut_set_x() writes it, and what the golden model
 * derives from it.  Nothing else outside csim/switch knows where a register lies; those of a whole switch that have no
 * lanes are members of struct ut_switch (vector, timer, ...) and of struct ut_node_states.
 *
 * For tb/shim_view.h, which shows all of them in every cycle, there is a second set: its switch and form are
 * constants, ut_at_x(p, ...) with a ut_site.
 */
#ifndef UT_REGISTERS_H
#define UT_REGISTERS_H

#include "node_states.h"
#include "packet_space.h"

/* Where the registers of a switch are. */
struct ut_site {
  struct ut_block *b;
  const struct ut_wires *wires; /* NULL: no buffers, no positions, no output registers */
  struct ut_switch *s;
  unsigned base, port_index; /* its first lane; the place of its first port in arrays by port */
};
static inline struct ut_site ut_site_of(const struct ut_group *g, const struct ut_switch *s) {
  const unsigned base = ut_lane_of(g, s);
  return UT_STRUCT(ut_site){ut_block_of(g, s), g->wires, (struct ut_switch *)(uintptr_t)s, base,
                            base >> g->form.each_bits << g->form.port_bits};
}
UT_INLINE unsigned ut_at_lane(const struct ut_site p, unsigned port, unsigned vc, const struct ut_form x) {
  return p.base + (vc << x.port_bits | port);
}

/* ---- one bit a VC */

UT_INLINE bool ut_at_bit(const struct ut_site p, enum ut_register r, unsigned port, unsigned vc,
                         const struct ut_form x) {
  return ut_has(ut_register(p.b, r, x), ut_at_lane(p, port, vc, x), x.sets);
}
/* Of a port: any of its VCs. */
UT_INLINE ut_mask ut_at_ports(const struct ut_site p, enum ut_register r, const struct ut_form x) {
  ut_mask ports = 0;
  for (unsigned i = 0; i < x.v; i++) {
    const unsigned lane = ut_at_lane(p, 0, i, x);
    ports |= (ut_mask)(ut_register(p.b, r, x)[lane / 64] >> lane % 64) & ut_mask_all(1u << x.port_bits);
  }
  return ports;
}
#define UT_REG_BIT(name, set)                                                                                          \
  static inline bool ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned port, unsigned vc) {  \
    return ut_at_bit(ut_site_of(g, s), set, port, vc, g->form);                                                        \
  }
UT_REG_BIT(open, UT_S_OPEN)
UT_REG_BIT(cut, UT_S_CUT)           /* g_cut.cut_q */
UT_REG_BIT(credit, UT_S_CREDIT)     /* on the wire */
UT_REG_BIT(depends, UT_S_DEPENDS)   /* g_depends.depends_q */
UT_REG_BIT(stripped, UT_S_STRIPPED) /* g_strip.stripped_q */
UT_REG_BIT(old, UT_S_OLD)           /* g_purge.old_q */
UT_REG_BIT(cross, UT_S_CROSS)       /* g_cross.cross_q */
UT_REG_BIT(owned, UT_S_OWNED)
UT_REG_BIT(space, UT_S_SPACE)   /* no registers: credits, or places of the queue, reach `need`, */
UT_REG_BIT(space2, UT_S_SPACE2) /* or `need2` where some candidates obey the bubble rule */

/* Ports, as masks: with a flit on the wire (valid_q), whose up_q is 1, whose discard_q is 1. */
#define UT_REG_PORTS(name, set)                                                                                        \
  static inline ut_mask ut_reg_##name(const struct ut_group *g, const struct ut_switch *s) {                           \
    return ut_at_ports(ut_site_of(g, s), set, g->form);                                                                \
  }
UT_REG_PORTS(valid, UT_S_VALID)
UT_REG_PORTS(in_up, UT_S_IN_UP)
UT_REG_PORTS(discard, UT_S_DISCARD)

static inline bool ut_reg_stale_link(const struct ut_group *g, const struct ut_switch *s) {
  return ut_at_ports(ut_site_of(g, s), UT_S_STALE_LINK, g->form) != 0;
}

/* ---- numbers of an input VC */

UT_INLINE unsigned ut_at_state(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return ut_at_bit(p, UT_S_ROUTING, ip, ivc, x) * UT_VC_STATE_ROUTING +
         ut_at_bit(p, UT_S_WAITING, ip, ivc, x) * UT_VC_STATE_WAITING +
         ut_at_bit(p, UT_S_ACTIVE, ip, ivc, x) * UT_VC_STATE_ACTIVE +
         ut_at_bit(p, UT_S_DRAIN, ip, ivc, x) * UT_VC_STATE_DRAIN;
}
UT_INLINE unsigned ut_at_read(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return ut_position_at(UT_IN_BLOCK(void, p.b, x.at_rd), ut_at_lane(p, ip, ivc, x), x.wide);
}
UT_INLINE unsigned ut_at_write(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return p.wires ? ut_position_at(p.wires->write, p.b->lane + ut_at_lane(p, ip, ivc, x), x.wide) : 0;
}
UT_INLINE unsigned ut_at_rd(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  const unsigned at = ut_at_read(p, ip, ivc, x);
  return at < x.depth ? at : at - x.depth;
}
UT_INLINE unsigned ut_at_wr(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  const unsigned at = ut_at_write(p, ip, ivc, x);
  return at < x.depth ? at : at - x.depth;
}
UT_INLINE unsigned ut_at_count(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return ut_position_count(ut_at_read(p, ip, ivc, x), ut_at_write(p, ip, ivc, x), x.depth);
}
UT_INLINE unsigned ut_at_pending_credits(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return UT_IN_BLOCK(uint8_t, p.b, x.at_pending_credits)[ut_at_lane(p, ip, ivc, x)];
}
/* g_wait.wait_q */
UT_INLINE unsigned ut_at_wait(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return x.route_cycles > 2 ? UT_IN_BLOCK(uint8_t, p.b, x.at_wait)[ut_at_lane(p, ip, ivc, x)] : 0;
}
/* The register of the arbitration policy, u_policy; 0 where it has none. */
UT_INLINE unsigned ut_at_policy(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return x.policy_bits ? UT_IN_BLOCK(uint8_t, p.b, x.at_policy)[ut_at_lane(p, ip, ivc, x)] : 0;
}
/* g_rewrite.rt_q */
UT_INLINE uint32_t ut_at_rt(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return x.rewrites ? UT_IN_BLOCK(uint32_t, p.b, x.at_rt)[ut_at_lane(p, ip, ivc, x)] : 0;
}
/* The output VC that an active packet owns, or that the last one had: cand_q as two numbers. */
UT_INLINE unsigned ut_at_out_port(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return UT_IN_BLOCK(uint8_t, p.b, x.at_out)[ut_at_lane(p, ip, ivc, x)] & ((1u << x.port_bits) - 1);
}
UT_INLINE unsigned ut_at_out_vc(const struct ut_site p, unsigned ip, unsigned ivc, const struct ut_form x) {
  return (unsigned)UT_IN_BLOCK(uint8_t, p.b, x.at_out)[ut_at_lane(p, ip, ivc, x)] >> x.port_bits &
         ((1u << (x.each_bits - x.port_bits)) - 1);
}
UT_INLINE unsigned ut_at_credits(const struct ut_site p, unsigned op, unsigned ovc, const struct ut_form x) {
  return UT_IN_BLOCK(uint8_t, p.b, x.at_credits)[ut_at_lane(p, op, ovc, x)];
}
/* offer_q: {thresholds that the credits reach, room for two packets, room}; derived from owner and credits. */
UT_INLINE unsigned ut_at_offer(const struct ut_site p, unsigned op, unsigned ovc, const struct ut_form x) {
  const unsigned credits = ut_at_credits(p, op, ovc, x);
  const bool is_free = ut_at_bit(p, UT_S_OUT_UP, op, ovc, x) && !ut_at_bit(p, UT_S_OWNED, op, ovc, x);
  unsigned offer = is_free && ut_at_bit(p, UT_S_SPACE, op, ovc, x);
  if (x.bubble)
    offer |= (unsigned)(is_free && ut_at_bit(p, UT_S_SPACE2, op, ovc, x)) << 1;
  for (unsigned i = 1; i <= x.levels; i++)
    offer |= (unsigned)(credits >= x.least + i) << (x.bubble + i);
  return offer;
}
/* Of the queue of an output VC: u_queue.g_fifo[].u_fifo.rd_q and .count_q; 0 without OUTPUT_DEPTH. */
UT_INLINE unsigned ut_at_queue_rd(const struct ut_site p, unsigned op, unsigned ovc, const struct ut_form x) {
  return x.output_depth ? UT_IN_BLOCK(uint8_t, p.b, x.at_queue_read)[ut_at_lane(p, op, ovc, x)] : 0;
}
UT_INLINE unsigned ut_at_queue_count(const struct ut_site p, unsigned op, unsigned ovc, const struct ut_form x) {
  return x.output_depth ? UT_IN_BLOCK(uint8_t, p.b, x.at_queue_count)[ut_at_lane(p, op, ovc, x)] : 0;
}
UT_INLINE unsigned ut_at_queue_wr(const struct ut_site p, unsigned op, unsigned ovc, const struct ut_form x) {
  const unsigned end = ut_at_queue_rd(p, op, ovc, x) + ut_at_queue_count(p, op, ovc, x);
  return end < x.output_depth ? end : end - x.output_depth;
}
#define UT_REG_NUMBER(name)                                                                                            \
  static inline unsigned ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned port,             \
                                       unsigned vc) {                                                                  \
    return ut_at_##name(ut_site_of(g, s), port, vc, g->form);                                                          \
  }
UT_REG_NUMBER(state) /* enum ut_vc_state */
UT_REG_NUMBER(count) /* u_fifo.count_q */
UT_REG_NUMBER(rd)    /* u_fifo.rd_q */
UT_REG_NUMBER(wr)    /* u_fifo.wr_q */
UT_REG_NUMBER(pending_credits)
UT_REG_NUMBER(wait)
UT_REG_NUMBER(policy)
UT_REG_NUMBER(rt)
UT_REG_NUMBER(out_port)
UT_REG_NUMBER(out_vc)
UT_REG_NUMBER(credits) /* of an output VC */
UT_REG_NUMBER(offer)
UT_REG_NUMBER(queue_rd)
UT_REG_NUMBER(queue_wr)
UT_REG_NUMBER(queue_count)

/* ---- sets of ports, of one VC each */

/* Of the n-th set of an array in the block. */
UT_INLINE ut_mask ut_at_part(const struct ut_site p, unsigned array, size_t n, unsigned vc, const struct ut_form x) {
  const unsigned lane = vc << x.port_bits;
  const ut_set set = ut_set_load(UT_IN_BLOCK(void, p.b, array), n, x);
  return (ut_mask)(set.w[lane / 64] >> lane % 64) & ut_mask_all(1u << x.port_bits);
}
UT_INLINE ut_mask ut_at_cand(const struct ut_site p, unsigned ip, unsigned ivc, unsigned ovc, const struct ut_form x) {
  return ut_at_part(p, x.at_cand, ut_at_lane(p, ip, ivc, x), ovc, x);
}
UT_INLINE ut_mask ut_at_bubble(const struct ut_site p, unsigned ip, unsigned ivc, unsigned ovc,
                               const struct ut_form x) {
  return x.bubble ? ut_at_part(p, x.at_bubble, ut_at_lane(p, ip, ivc, x), ovc, x) : 0;
}
UT_INLINE ut_mask ut_at_preferred(const struct ut_site p, unsigned ip, unsigned ivc, unsigned ovc,
                                  const struct ut_form x) {
  return x.preferred ? ut_at_part(p, x.at_preferred, ut_at_lane(p, ip, ivc, x), ovc, x) : 0;
}
/* ... gives output VC (op, ovc): what stands there for VC ivc, over input ports */
UT_INLINE ut_mask ut_at_va(const struct ut_site p, unsigned op, unsigned ovc, unsigned ivc, const struct ut_form x) {
  return ut_at_part(p, x.at_va, ut_at_lane(p, op, ovc, x), ivc, x) & ut_mask_all(x.pi);
}
#define UT_REG_SET(name)                                                                                               \
  static inline ut_mask ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned port, unsigned vc, \
                                      unsigned part) {                                                                 \
    return ut_at_##name(ut_site_of(g, s), port, vc, part, g->form);                                                    \
  }
/* A packet that waits may take these; of an active packet the one that it owns. */
UT_REG_SET(cand)
UT_REG_SET(bubble)    /* g_bubble.bubble_q */
UT_REG_SET(preferred) /* g_preferred.preferred_q */
UT_REG_SET(va)        /* the arbiter that gives output VC (port, vc): its mask for VC `part`, over input ports */

/* ---- arbiters: masks of the one that ... */

/* ... picks among equal candidates of input port ip: u_vc_allocator.select_q, over output ports */
UT_INLINE ut_mask ut_at_select(const struct ut_site p, unsigned ip, const struct ut_form x) {
  return UT_IN_BLOCK(ut_mask, p.b, x.at_select)[p.port_index + ip];
}
/* The register that the selection policy has for input port ip in the place of that mask, which then follows from it.
 */
UT_INLINE unsigned ut_at_select_policy(const struct ut_site p, unsigned ip, const struct ut_form x) {
  return x.select_bits ? UT_IN_BLOCK(uint16_t, p.b, x.at_select_policy)[p.port_index + ip] : 0;
}
/* ... of several VCs lets one input through to output port op: over input ports, for VC w with XBAR vc, else w = 0 */
UT_INLINE ut_mask ut_at_sa(const struct ut_site p, unsigned op, unsigned w, const struct ut_form x) {
  return x.v > 1 ? ut_at_part(p, x.at_sa, p.port_index + op, w, x) & ut_mask_all(x.pi) : 0;
}
/* ... says which of several VCs of a port has the route unit, and which has the crossbar input: over VCs */
UT_INLINE unsigned ut_at_route_pointer(const struct ut_site p, unsigned ip, const struct ut_form x) {
  return x.v > 1 ? UT_IN_BLOCK(uint8_t, p.b, x.at_route_pointer)[p.port_index + ip] : 0;
}
UT_INLINE unsigned ut_at_switch_pointer(const struct ut_site p, unsigned ip, const struct ut_form x) {
  return x.v > 1 ? UT_IN_BLOCK(uint8_t, p.b, x.at_switch_pointer)[p.port_index + ip] : 0;
}
/* ... says which of several VCs of an output port sends from its queue: u_queue.u_link's, over VCs */
UT_INLINE unsigned ut_at_link_pointer(const struct ut_site p, unsigned op, const struct ut_form x) {
  return x.v > 1 && x.output_depth ? UT_IN_BLOCK(uint8_t, p.b, x.at_link_pointer)[p.port_index + op] : 0;
}
static inline ut_mask ut_reg_select(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return ut_at_select(ut_site_of(g, s), ip, g->form);
}
static inline unsigned ut_reg_select_policy(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return ut_at_select_policy(ut_site_of(g, s), ip, g->form);
}
static inline ut_mask ut_reg_sa(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned w) {
  return ut_at_sa(ut_site_of(g, s), op, w, g->form);
}
static inline unsigned ut_reg_route_pointer(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return ut_at_route_pointer(ut_site_of(g, s), ip, g->form);
}
static inline unsigned ut_reg_switch_pointer(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return ut_at_switch_pointer(ut_site_of(g, s), ip, g->form);
}
static inline unsigned ut_reg_link_pointer(const struct ut_group *g, const struct ut_switch *s, unsigned op) {
  return ut_at_link_pointer(ut_site_of(g, s), op, g->form);
}

/* ---- flits: words, then tag and VC */

/* A place of the buffer, u_fifo.data_q and tag_q. */
UT_INLINE uint64_t *ut_at_place(const struct ut_site p, unsigned ip, unsigned ivc, unsigned place,
                                const struct ut_form x) {
  const unsigned at = ut_position_of_place(place, ut_at_write(p, ip, ivc, x), x.depth);
  return p.wires->ring + (p.b->lane + ut_at_lane(p, ip, ivc, x)) * (size_t)x.ring + at * (x.words + 1);
}
/* A place of the queue of an output VC, u_queue.g_fifo[].u_fifo.data_q and tag_q. */
UT_INLINE uint64_t *ut_at_queue_place(const struct ut_site p, unsigned op, unsigned ovc, unsigned place,
                                      const struct ut_form x) {
  return UT_IN_BLOCK(uint64_t, p.b, x.at_queue) +
         ((size_t)ut_at_lane(p, op, ovc, x) * x.output_depth + place) * (x.words + 1);
}
static inline uint64_t *ut_reg_queue_place(const struct ut_group *g, const struct ut_switch *s, unsigned op,
                                           unsigned ovc, unsigned place) {
  return ut_at_queue_place(ut_site_of(g, s), op, ovc, place, g->form);
}
/* The output register of a port, data_q, kind_q, bad_q and vc_q: what was last sent, in the receiver's ring, or saved.
 */
UT_INLINE const uint64_t *ut_at_flit(const struct ut_site p, unsigned op, const struct ut_form x) {
  const unsigned vc = x.v > 1 ? ut_lane_vc(UT_IN_BLOCK(uint8_t, p.b, x.at_last)[p.port_index + op], x) : 0;
  if (ut_at_bit(p, UT_S_SAVED, op, vc, x))
    return UT_IN_BLOCK(uint64_t, p.b, x.at_saved) + (p.port_index + op) * (x.words + 1);
  const uint32_t lane = p.b->lane + ut_at_lane(p, op, vc, x);
  const unsigned next = ut_position_at(p.wires->send, lane, x.wide), at = next ? next - 1 : 2 * x.depth - 1;
  return p.wires->ring + p.wires->to[lane] * (size_t)x.ring + at * (x.words + 1);
}
static inline const uint64_t *ut_reg_place(const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                           unsigned ivc, unsigned place) {
  return ut_at_place(ut_site_of(g, s), ip, ivc, place, g->form);
}
/* The i-th flit from the front, i < count. */
static inline const uint64_t *ut_reg_peek(const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                          unsigned ivc, unsigned i) {
  const unsigned place = ut_reg_rd(g, s, ip, ivc) + i, depth = g->shape.depth;
  return ut_reg_place(g, s, ip, ivc, place < depth ? place : place - depth);
}
/* The same of an output queue. */
static inline const uint64_t *ut_reg_queue_peek(const struct ut_group *g, const struct ut_switch *s, unsigned op,
                                                unsigned ovc, unsigned i) {
  const unsigned place = ut_reg_queue_rd(g, s, op, ovc) + i, depth = g->shape.output_depth;
  return ut_reg_queue_place(g, s, op, ovc, place < depth ? place : place - depth);
}
/* Whether the flit at the front, which must be there, begins a packet: as it arrived, or what was before it has been
 * stripped. */
static inline bool ut_reg_front_is_head(const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                        unsigned ivc) {
  const uint64_t tag = ut_reg_peek(g, s, ip, ivc, 0)[g->form.words];
  return tag & UT_KIND_HEAD || (ut_reg_stripped(g, s, ip, ivc) && !(tag & UT_BAD));
}
static inline const uint64_t *ut_reg_flit(const struct ut_group *g, const struct ut_switch *s, unsigned op) {
  return ut_at_flit(ut_site_of(g, s), op, g->form);
}

/* The entry of the forwarding table for a destination, u_route.table_q: valid, VC, port. */
static inline unsigned ut_reg_table(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc,
                                    unsigned dst) {
  return g->form.tables ? ut_table_of(g, (struct ut_switch *)(uintptr_t)s, ip, ivc)[dst] : 0;
}

/* Exclusion interval n of all up ports, u_exclusions.g_interval[n].interval_q: the last destination above the first. */
static inline uint32_t ut_reg_interval(const struct ut_group *g, const struct ut_switch *s, unsigned n) {
  return ut_exclusions_of(g, (struct ut_switch *)(uintptr_t)s, 0)[n];
}

/* ---- what the switch says of itself */

/* idle_o: nothing will change without an event from outside (docs/reference/cycle-contract.md, idle). */
UT_INLINE bool ut_at_idle(const struct ut_site p, const struct ut_form x) {
  const unsigned lanes = 1u << x.each_bits, words = lanes < 64 ? 1 : lanes / 64;
  const uint64_t *set = (const uint64_t *)ut_register(p.b, UT_S_OCCUPIED, x) + p.base / 64;
  const struct ut_node_states *nodes = (const struct ut_node_states *)((unsigned char *)p.s + x.at_node);
  uint64_t busy = 0;
  for (unsigned i = 0; i < words; i++, set++) {
    const uint64_t dead = ~set[UT_S_IN_UP * x.sets] | (x.wormhole ? set[UT_S_CUT * x.sets] : 0);
    busy |= set[UT_S_OCCUPIED * x.sets] | set[UT_S_QUEUED * x.sets] | set[UT_S_VALID * x.sets] |
            set[UT_S_CREDIT * x.sets] | set[UT_S_DISCARD * x.sets] | set[UT_S_STALE_LINK * x.sets] |
            (dead & set[UT_S_OPEN * x.sets]) | (~dead & set[UT_S_PENDING_CREDITS * x.sets]);
  }
  if (lanes < 64)
    busy = busy >> p.base % 64 & ((UINT64_C(1) << lanes % 64) - 1);
  busy |= p.s->stale_state;
  if (x.vector) /* no branches: lockstep asks in every cycle */
    busy |= p.s->vector & -(uint32_t)(p.s->stage.timeout != 0);
  if (x.states)
    busy |= nodes->purge;
  return !busy;
}
static inline bool ut_reg_idle(const struct ut_group *g, const struct ut_switch *s) {
  return ut_at_idle(ut_site_of(g, s), g->form);
}

/* ---- set up: payload that the RTL starts with; registers for a test */

UT_INLINE void ut_at_set_part(const struct ut_site p, unsigned array, size_t n, unsigned vc, ut_mask ports,
                              const struct ut_form x) {
  const unsigned lane = vc << x.port_bits;
  ut_set set = ut_set_load(UT_IN_BLOCK(void, p.b, array), n, x);
  set.w[lane / 64] &= ~((uint64_t)ut_mask_all(1u << x.port_bits) << lane % 64);
  set.w[lane / 64] |= (uint64_t)ports << lane % 64;
  ut_set_store(UT_IN_BLOCK(void, p.b, array), n, set, x);
}
/* The output register keeps its own flit. */
UT_INLINE uint64_t *ut_at_set_flit(const struct ut_site p, unsigned op, const struct ut_form x) {
  for (unsigned i = 0; i < x.v; i++)
    ut_put(ut_register(p.b, UT_S_SAVED, x), ut_at_lane(p, op, i, x), x.sets);
  return UT_IN_BLOCK(uint64_t, p.b, x.at_saved) + (p.port_index + op) * (x.words + 1);
}

static inline void ut_set_bit(const struct ut_group *g, struct ut_switch *s, enum ut_register r, unsigned port,
                              unsigned vc, bool value) {
  const struct ut_site p = ut_site_of(g, s);
  ut_assign(ut_register(p.b, r, g->form), ut_at_lane(p, port, vc, g->form), value, g->form.sets);
}
static inline void ut_set_state(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                unsigned state) {
  ut_set_bit(g, s, UT_S_ROUTING, ip, ivc, state == UT_VC_STATE_ROUTING);
  ut_set_bit(g, s, UT_S_WAITING, ip, ivc, state == UT_VC_STATE_WAITING);
  ut_set_bit(g, s, UT_S_ACTIVE, ip, ivc, state == UT_VC_STATE_ACTIVE);
  ut_set_bit(g, s, UT_S_DRAIN, ip, ivc, state == UT_VC_STATE_DRAIN);
}
/* Front and flits of a buffer. */
static inline void ut_set_buffer(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned rd,
                                 unsigned count) {
  const struct ut_site p = ut_site_of(g, s);
  const unsigned lane = ut_at_lane(p, ip, ivc, g->form);
  ut_position_set(UT_IN_BLOCK(void, p.b, g->form.at_rd), lane, rd, g->form.wide);
  ut_position_set(g->wires->write, p.b->lane + lane, rd + count, g->form.wide);
  ut_set_bit(g, s, UT_S_OCCUPIED, ip, ivc, count > 0);
}
/* A flit: its words, then tag and VC. */
static inline void ut_set_place(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                unsigned place, const uint64_t *flit) {
  ut_flit_copy(ut_at_place(ut_site_of(g, s), ip, ivc, place, g->form), flit, g->form.words);
}
#define UT_SET_SET(name)                                                                                               \
  static inline void ut_set_##name(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,           \
                                   unsigned ovc, ut_mask ports) {                                                      \
    const struct ut_site p = ut_site_of(g, s);                                                                         \
    ut_at_set_part(p, g->form.at_##name, ut_at_lane(p, ip, ivc, g->form), ovc, ports, g->form);                        \
  }
UT_SET_SET(cand)
UT_SET_SET(bubble)
UT_SET_SET(preferred)
/* The output VC that an active packet owns: ut_reg_out_port(), ut_reg_out_vc() and cand_q. */
static inline void ut_set_out(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned op,
                              unsigned ovc) {
  const struct ut_site p = ut_site_of(g, s);
  UT_IN_BLOCK(uint8_t, p.b, g->form.at_out)[ut_at_lane(p, ip, ivc, g->form)] = (uint8_t)ut_at_lane(p, op, ovc, g->form);
  for (unsigned o = 0; o < g->form.v; o++)
    ut_set_cand(g, s, ip, ivc, o, o == ovc ? ut_bit(op) : 0);
}
static inline void ut_set_owned(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc, bool owned) {
  ut_set_bit(g, s, UT_S_OWNED, op, ovc, owned);
}
static inline void ut_set_credits(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                  unsigned credits) {
  const struct ut_site p = ut_site_of(g, s);
  const unsigned lane = ut_at_lane(p, op, ovc, g->form);
  UT_IN_BLOCK(uint8_t, p.b, g->form.at_credits)[lane] = (uint8_t)credits;
  ut_output_space(g, p.b, lane, g->form);
}
/* Front and flits of an output queue. */
static inline void ut_set_queue(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc, unsigned rd,
                                unsigned count) {
  const struct ut_site p = ut_site_of(g, s);
  const unsigned lane = ut_at_lane(p, op, ovc, g->form);
  UT_IN_BLOCK(uint8_t, p.b, g->form.at_queue_read)[lane] = (uint8_t)rd;
  UT_IN_BLOCK(uint8_t, p.b, g->form.at_queue_count)[lane] = (uint8_t)count;
  ut_set_bit(g, s, UT_S_QUEUED, op, ovc, count > 0);
  ut_output_space(g, p.b, lane, g->form);
}

#endif
