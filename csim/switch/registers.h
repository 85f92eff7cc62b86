/* SPDX-License-Identifier: Apache-2.0 */
/* registers.h - the registers of a model switch, under the names and index spaces of the RTL.
 *
 * Purpose: for observers that read a switch and for tests that set one up.  The cycle itself does not use this file.
 * No code outside csim/switch knows where a register lies.
 *
 * Interface: ip and ivc are an input port and VC, op and ovc an output port and VC.  ut_reg_x() reads register x_q, or
 * the register that the comment names; it returns 0 where the shape has no such register.  ut_set_x() writes the
 * register and everything that the model derives from it.  Registers of a whole switch are members of struct ut_switch
 * (vector, timer, ...) and of struct ut_node_states.  A second set, ut_at_x(site, ..., form), is for tb/shim_view.h,
 * which reads all registers in every cycle: site and form are constants there.
 *
 * Mistakes that a caller can make: a port or VC that the switch does not have (not checked); writing a register of a
 * struct directly where a ut_set_x() exists, so that derived bits such as "has space" become wrong.
 */
#ifndef UT_REGISTERS_H
#define UT_REGISTERS_H

#include "node_states.h"
#include "packet_space.h"

/* Where the registers of one switch are stored. */
struct ut_site {
  struct ut_block *b;
  const struct ut_wires *wires; /* NULL: the switch has no buffers, positions and output registers yet */
  struct ut_switch *s;
  unsigned base, port_index; /* its first lane in the block; index of its first port in arrays by port */
};
static inline struct ut_site ut_site_of(const struct ut_group *group, const struct ut_switch *sw) {
  const unsigned base = ut_lane_of(group, sw);
  return UT_STRUCT(ut_site){ut_block_of(group, sw), group->wires, (struct ut_switch *)(uintptr_t)sw, base,
                            base >> group->form.each_bits << group->form.port_bits};
}
UT_INLINE unsigned ut_at_lane(const struct ut_site site, unsigned port, unsigned vc, const struct ut_form form) {
  return site.base + (vc << form.port_bits | port);
}

/* ---- one bit a VC */

UT_INLINE bool ut_at_bit(const struct ut_site site, enum ut_register r, unsigned port, unsigned vc,
                         const struct ut_form form) {
  return ut_has(ut_register(site.b, r, form), ut_at_lane(site, port, vc, form), form.sets);
}
/* Mask of the ports that have the bit set in any of their VCs. */
UT_INLINE ut_mask ut_at_ports(const struct ut_site site, enum ut_register r, const struct ut_form form) {
  ut_mask ports = 0;
  for (unsigned i = 0; i < form.v; i++) {
    const unsigned lane = ut_at_lane(site, 0, i, form);
    ports |= (ut_mask)(ut_register(site.b, r, form)[lane / 64] >> lane % 64) & ut_mask_all(1u << form.port_bits);
  }
  return ports;
}
#define UT_REG_BIT(name, set)                                                                                          \
  static inline bool ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned port, unsigned vc) {  \
    return ut_at_bit(ut_site_of(g, s), set, port, vc, g->form);                                                        \
  }
UT_REG_BIT(open, UT_S_OPEN)
UT_REG_BIT(cut, UT_S_CUT)           /* g_cut.cut_q */
UT_REG_BIT(credit, UT_S_CREDIT)     /* a credit is on the wire */
UT_REG_BIT(depends, UT_S_DEPENDS)   /* g_depends.depends_q */
UT_REG_BIT(stripped, UT_S_STRIPPED) /* g_strip.stripped_q */
UT_REG_BIT(old, UT_S_OLD)           /* g_purge.old_q */
UT_REG_BIT(cross, UT_S_CROSS)       /* g_cross.cross_q */
UT_REG_BIT(owned, UT_S_OWNED)
UT_REG_BIT(space, UT_S_SPACE)   /* not registers: the credits, or free places of the queue, reach `need` */
UT_REG_BIT(space2, UT_S_SPACE2) /* ... or `need2`, where some candidates obey the bubble rule */

/* Masks of ports: those with a flit on the wire (valid_q), those whose up_q is 1, those whose discard_q is 1. */
#define UT_REG_PORTS(name, set)                                                                                        \
  static inline ut_mask ut_reg_##name(const struct ut_group *g, const struct ut_switch *s) {                           \
    return ut_at_ports(ut_site_of(g, s), set, g->form);                                                                \
  }
UT_REG_PORTS(valid, UT_S_VALID)
UT_REG_PORTS(in_up, UT_S_IN_UP)
UT_REG_PORTS(discard, UT_S_DISCARD)

static inline bool ut_reg_stale_link(const struct ut_group *group, const struct ut_switch *sw) {
  return ut_at_ports(ut_site_of(group, sw), UT_S_STALE_LINK, group->form) != 0;
}

/* ---- numbers of an input VC */

UT_INLINE unsigned ut_at_state(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return ut_at_bit(site, UT_S_ROUTING, ip, ivc, form) * UT_VC_STATE_ROUTING +
         ut_at_bit(site, UT_S_WAITING, ip, ivc, form) * UT_VC_STATE_WAITING +
         ut_at_bit(site, UT_S_ACTIVE, ip, ivc, form) * UT_VC_STATE_ACTIVE +
         ut_at_bit(site, UT_S_DRAIN, ip, ivc, form) * UT_VC_STATE_DRAIN;
}
UT_INLINE unsigned ut_at_read(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return ut_position_at(UT_IN_BLOCK(void, site.b, form.at_rd), ut_at_lane(site, ip, ivc, form), form.wide);
}
UT_INLINE unsigned ut_at_write(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return site.wires ? ut_position_at(site.wires->write, site.b->lane + ut_at_lane(site, ip, ivc, form), form.wide) : 0;
}
UT_INLINE unsigned ut_at_rd(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  const unsigned at = ut_at_read(site, ip, ivc, form);
  return at < form.depth ? at : at - form.depth;
}
UT_INLINE unsigned ut_at_wr(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  const unsigned at = ut_at_write(site, ip, ivc, form);
  return at < form.depth ? at : at - form.depth;
}
UT_INLINE unsigned ut_at_count(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return ut_position_count(ut_at_read(site, ip, ivc, form), ut_at_write(site, ip, ivc, form), form.depth);
}
UT_INLINE unsigned ut_at_pending_credits(const struct ut_site site, unsigned ip, unsigned ivc,
                                         const struct ut_form form) {
  return UT_IN_BLOCK(uint8_t, site.b, form.at_pending_credits)[ut_at_lane(site, ip, ivc, form)];
}
/* g_wait.wait_q */
UT_INLINE unsigned ut_at_wait(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return form.route_cycles > 2 ? UT_IN_BLOCK(uint8_t, site.b, form.at_wait)[ut_at_lane(site, ip, ivc, form)] : 0;
}
/* The register of the arbitration policy, u_policy; 0 if the policy has none. */
UT_INLINE unsigned ut_at_policy(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return form.policy_bits ? UT_IN_BLOCK(uint8_t, site.b, form.at_policy)[ut_at_lane(site, ip, ivc, form)] : 0;
}
/* g_rewrite.rt_q */
UT_INLINE uint32_t ut_at_rt(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return form.rewrites ? UT_IN_BLOCK(uint32_t, site.b, form.at_rt)[ut_at_lane(site, ip, ivc, form)] : 0;
}
/* The output VC that an active packet owns, or that the last packet owned: cand_q as two numbers. */
UT_INLINE unsigned ut_at_out_port(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return ut_lane_port(ut_out_at(UT_IN_BLOCK(void, site.b, form.at_out), ut_at_lane(site, ip, ivc, form), form), form);
}
UT_INLINE unsigned ut_at_out_vc(const struct ut_site site, unsigned ip, unsigned ivc, const struct ut_form form) {
  return ut_lane_vc(ut_out_at(UT_IN_BLOCK(void, site.b, form.at_out), ut_at_lane(site, ip, ivc, form), form), form);
}
UT_INLINE unsigned ut_at_credits(const struct ut_site site, unsigned op, unsigned ovc, const struct ut_form form) {
  return UT_IN_BLOCK(uint8_t, site.b, form.at_credits)[ut_at_lane(site, op, ovc, form)];
}
/* offer_q: {thresholds that the credits reach, space for two packets, space for one}; derived from owner and
 * credits. */
UT_INLINE unsigned ut_at_offer(const struct ut_site site, unsigned op, unsigned ovc, const struct ut_form form) {
  const unsigned credits = ut_at_credits(site, op, ovc, form);
  const bool is_free = ut_at_bit(site, UT_S_OUT_UP, op, ovc, form) && !ut_at_bit(site, UT_S_OWNED, op, ovc, form);
  unsigned offer = is_free && ut_at_bit(site, UT_S_SPACE, op, ovc, form);
  if (form.bubble)
    offer |= (unsigned)(is_free && ut_at_bit(site, UT_S_SPACE2, op, ovc, form)) << 1;
  for (unsigned i = 1; i <= form.levels; i++)
    offer |= (unsigned)(credits >= form.least + i) << (form.bubble + i);
  return offer;
}
/* Registers of an output VC's queue: u_queue.g_fifo[].u_fifo.rd_q and count_q; 0 without OUTPUT_DEPTH. */
UT_INLINE unsigned ut_at_queue_rd(const struct ut_site site, unsigned op, unsigned ovc, const struct ut_form form) {
  return form.output_depth ? UT_IN_BLOCK(uint8_t, site.b, form.at_queue_read)[ut_at_lane(site, op, ovc, form)] : 0;
}
UT_INLINE unsigned ut_at_queue_count(const struct ut_site site, unsigned op, unsigned ovc, const struct ut_form form) {
  return form.output_depth ? UT_IN_BLOCK(uint8_t, site.b, form.at_queue_count)[ut_at_lane(site, op, ovc, form)] : 0;
}
UT_INLINE unsigned ut_at_queue_wr(const struct ut_site site, unsigned op, unsigned ovc, const struct ut_form form) {
  const unsigned end = ut_at_queue_rd(site, op, ovc, form) + ut_at_queue_count(site, op, ovc, form);
  return end < form.output_depth ? end : end - form.output_depth;
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

/* VC `vc` of the n-th set of an array in the block, as a mask of ports. */
UT_INLINE ut_mask ut_at_part(const struct ut_site site, unsigned array, size_t n, unsigned vc,
                             const struct ut_form form) {
  const unsigned lane = vc << form.port_bits;
  const ut_set set = ut_set_load(UT_IN_BLOCK(void, site.b, array), n, form);
  return (ut_mask)(set.w[lane / 64] >> lane % 64) & ut_mask_all(1u << form.port_bits);
}
UT_INLINE ut_mask ut_at_cand(const struct ut_site site, unsigned ip, unsigned ivc, unsigned ovc,
                             const struct ut_form form) {
  return ut_at_part(site, form.at_cand, ut_at_lane(site, ip, ivc, form), ovc, form);
}
UT_INLINE ut_mask ut_at_bubble(const struct ut_site site, unsigned ip, unsigned ivc, unsigned ovc,
                               const struct ut_form form) {
  return form.bubble ? ut_at_part(site, form.at_bubble, ut_at_lane(site, ip, ivc, form), ovc, form) : 0;
}
UT_INLINE ut_mask ut_at_preferred(const struct ut_site site, unsigned ip, unsigned ivc, unsigned ovc,
                                  const struct ut_form form) {
  return form.preferred ? ut_at_part(site, form.at_preferred, ut_at_lane(site, ip, ivc, form), ovc, form) : 0;
}
/* Mask, over input ports, for input VC ivc, of the arbiter that allocates output VC (op, ovc). */
UT_INLINE ut_mask ut_at_va(const struct ut_site site, unsigned op, unsigned ovc, unsigned ivc,
                           const struct ut_form form) {
  return ut_at_part(site, form.at_va, ut_at_lane(site, op, ovc, form), ivc, form) & ut_mask_all(form.pi);
}
#define UT_REG_SET(name)                                                                                               \
  static inline ut_mask ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned port, unsigned vc, \
                                      unsigned part) {                                                                 \
    return ut_at_##name(ut_site_of(g, s), port, vc, part, g->form);                                                    \
  }
/* Output VCs that a waiting packet may take; for an active packet, the one that it owns. */
UT_REG_SET(cand)
UT_REG_SET(bubble)    /* g_bubble.bubble_q */
UT_REG_SET(preferred) /* g_preferred.preferred_q */
UT_REG_SET(va)        /* the arbiter that allocates output VC (port, vc): its mask for VC `part`, over input ports */

/* ---- masks and pointers of the arbiters */

/* Arbiter that picks among equal candidates of input port ip, u_vc_allocator.select_q: mask over output ports. */
UT_INLINE ut_mask ut_at_select(const struct ut_site site, unsigned ip, const struct ut_form form) {
  return UT_IN_BLOCK(ut_mask, site.b, form.at_select)[site.port_index + ip];
}
/* Register of a selection policy at input port ip, which replaces that mask; the mask is derived from it.
 */
UT_INLINE unsigned ut_at_select_policy(const struct ut_site site, unsigned ip, const struct ut_form form) {
  return form.select_bits ? UT_IN_BLOCK(uint16_t, site.b, form.at_select_policy)[site.port_index + ip] : 0;
}
/* Arbiter that lets one input through to output port op: mask over input ports, for VC w with XBAR vc, otherwise w =
 * 0. */
UT_INLINE ut_mask ut_at_sa(const struct ut_site site, unsigned op, unsigned w, const struct ut_form form) {
  return form.v > 1 ? ut_at_part(site, form.at_sa, site.port_index + op, w, form) & ut_mask_all(form.pi) : 0;
}
/* Arbiters that give one of several VCs of an input port the route unit, and the crossbar input: VC numbers. */
UT_INLINE unsigned ut_at_route_pointer(const struct ut_site site, unsigned ip, const struct ut_form form) {
  return form.v > 1 ? UT_IN_BLOCK(uint8_t, site.b, form.at_route_pointer)[site.port_index + ip] : 0;
}
UT_INLINE unsigned ut_at_switch_pointer(const struct ut_site site, unsigned ip, const struct ut_form form) {
  return form.v > 1 ? UT_IN_BLOCK(uint8_t, site.b, form.at_switch_pointer)[site.port_index + ip] : 0;
}
/* Arbiter that picks the VC that sends from the queues of an output port, u_queue.u_link: a VC number. */
UT_INLINE unsigned ut_at_link_pointer(const struct ut_site site, unsigned op, const struct ut_form form) {
  return form.v > 1 && form.output_depth ? UT_IN_BLOCK(uint8_t, site.b, form.at_link_pointer)[site.port_index + op] : 0;
}
static inline ut_mask ut_reg_select(const struct ut_group *group, const struct ut_switch *sw, unsigned ip) {
  return ut_at_select(ut_site_of(group, sw), ip, group->form);
}
static inline unsigned ut_reg_select_policy(const struct ut_group *group, const struct ut_switch *sw, unsigned ip) {
  return ut_at_select_policy(ut_site_of(group, sw), ip, group->form);
}
static inline ut_mask ut_reg_sa(const struct ut_group *group, const struct ut_switch *sw, unsigned op, unsigned w) {
  return ut_at_sa(ut_site_of(group, sw), op, w, group->form);
}
static inline unsigned ut_reg_route_pointer(const struct ut_group *group, const struct ut_switch *sw, unsigned ip) {
  return ut_at_route_pointer(ut_site_of(group, sw), ip, group->form);
}
static inline unsigned ut_reg_switch_pointer(const struct ut_group *group, const struct ut_switch *sw, unsigned ip) {
  return ut_at_switch_pointer(ut_site_of(group, sw), ip, group->form);
}
static inline unsigned ut_reg_link_pointer(const struct ut_group *group, const struct ut_switch *sw, unsigned op) {
  return ut_at_link_pointer(ut_site_of(group, sw), op, group->form);
}

/* ---- flits: their words, then one word with tag and VC */

/* A place of an input buffer, u_fifo.data_q and tag_q. */
UT_INLINE uint64_t *ut_at_place(const struct ut_site site, unsigned ip, unsigned ivc, unsigned place,
                                const struct ut_form form) {
  const unsigned at = ut_position_of_place(place, ut_at_write(site, ip, ivc, form), form.depth);
  return site.wires->ring + (site.b->lane + ut_at_lane(site, ip, ivc, form)) * (size_t)form.ring +
         at * (form.words + 1);
}
/* A place of an output VC's queue, u_queue.g_fifo[].u_fifo.data_q and tag_q. */
UT_INLINE uint64_t *ut_at_queue_place(const struct ut_site site, unsigned op, unsigned ovc, unsigned place,
                                      const struct ut_form form) {
  return UT_IN_BLOCK(uint64_t, site.b, form.at_queue) +
         ((size_t)ut_at_lane(site, op, ovc, form) * form.output_depth + place) * (form.words + 1);
}
static inline uint64_t *ut_reg_queue_place(const struct ut_group *group, const struct ut_switch *sw, unsigned op,
                                           unsigned ovc, unsigned place) {
  return ut_at_queue_place(ut_site_of(group, sw), op, ovc, place, group->form);
}
/* The output register of a port (data_q, kind_q, bad_q, vc_q): the flit that was sent last.  It stands in the
 * receiver's ring, or in the block if it had to be saved.
 */
UT_INLINE const uint64_t *ut_at_flit(const struct ut_site site, unsigned op, const struct ut_form form) {
  const unsigned vc =
      form.v > 1 ? ut_last_vc(UT_IN_BLOCK(uint8_t, site.b, form.at_last)[site.port_index + op], form) : 0;
  if (ut_at_bit(site, UT_S_SAVED, op, vc, form))
    return UT_IN_BLOCK(uint64_t, site.b, form.at_saved) + (site.port_index + op) * (form.words + 1);
  const uint32_t lane = site.b->lane + ut_at_lane(site, op, vc, form);
  const unsigned next = ut_position_at(site.wires->send, lane, form.wide), at = next ? next - 1 : 2 * form.depth - 1;
  return site.wires->ring + site.wires->to[lane] * (size_t)form.ring + at * (form.words + 1);
}
static inline const uint64_t *ut_reg_place(const struct ut_group *group, const struct ut_switch *sw, unsigned ip,
                                           unsigned ivc, unsigned place) {
  return ut_at_place(ut_site_of(group, sw), ip, ivc, place, group->form);
}
/* The i-th flit from the front of an input buffer, i < count. */
static inline const uint64_t *ut_reg_peek(const struct ut_group *group, const struct ut_switch *sw, unsigned ip,
                                          unsigned ivc, unsigned i) {
  const unsigned place = ut_reg_rd(group, sw, ip, ivc) + i, depth = group->shape.depth;
  return ut_reg_place(group, sw, ip, ivc, place < depth ? place : place - depth);
}
/* The i-th flit from the front of an output queue. */
static inline const uint64_t *ut_reg_queue_peek(const struct ut_group *group, const struct ut_switch *sw, unsigned op,
                                                unsigned ovc, unsigned i) {
  const unsigned place = ut_reg_queue_rd(group, sw, op, ovc) + i, depth = group->shape.output_depth;
  return ut_reg_queue_place(group, sw, op, ovc, place < depth ? place : place - depth);
}
/* Whether the front flit, which must exist, begins a packet: it arrived as a head, or the header word before it was
 * stripped. */
static inline bool ut_reg_front_is_head(const struct ut_group *group, const struct ut_switch *sw, unsigned ip,
                                        unsigned ivc) {
  const uint64_t tag = ut_reg_peek(group, sw, ip, ivc, 0)[group->form.words];
  return tag & UT_KIND_HEAD || (ut_reg_stripped(group, sw, ip, ivc) && !(tag & UT_BAD));
}
static inline const uint64_t *ut_reg_flit(const struct ut_group *group, const struct ut_switch *sw, unsigned op) {
  return ut_at_flit(ut_site_of(group, sw), op, group->form);
}

/* The forwarding table entry for a destination, u_tables.table_q: valid, VC, port. */
static inline unsigned ut_reg_table(const struct ut_group *group, const struct ut_switch *sw, unsigned bank,
                                    unsigned ivc, unsigned dst) {
  return group->form.tables ? ut_table_of(group, (struct ut_switch *)(uintptr_t)sw, bank, ivc)[dst] : 0;
}

/* Exclusion interval n, numbered over all up ports, u_exclusions.g_interval[n].interval_q: the last destination above
 * the first. */
static inline uint32_t ut_reg_interval(const struct ut_group *group, const struct ut_switch *sw, unsigned n) {
  return ut_exclusions_of(group, (struct ut_switch *)(uintptr_t)sw, 0)[n];
}

/* ---- whether the switch is idle */

/* idle_o: no register will change without an event from outside (docs/reference/cycle-contract.md, idle). */
UT_INLINE bool ut_at_idle(const struct ut_site site, const struct ut_form form) {
  const unsigned lanes = 1u << form.each_bits, words = lanes < 64 ? 1 : lanes / 64;
  const uint64_t *set = (const uint64_t *)ut_register(site.b, UT_S_OCCUPIED, form) + site.base / 64;
  const struct ut_node_states *nodes = (const struct ut_node_states *)((unsigned char *)site.s + form.at_node);
  uint64_t busy = 0;
  for (unsigned i = 0; i < words; i++, set++) {
    const uint64_t dead = ~set[UT_S_IN_UP * form.sets] | (form.wormhole ? set[UT_S_CUT * form.sets] : 0);
    busy |= set[UT_S_OCCUPIED * form.sets] | set[UT_S_QUEUED * form.sets] | set[UT_S_VALID * form.sets] |
            set[UT_S_CREDIT * form.sets] | set[UT_S_DISCARD * form.sets] | set[UT_S_STALE_LINK * form.sets] |
            (dead & set[UT_S_OPEN * form.sets]) | (~dead & set[UT_S_PENDING_CREDITS * form.sets]);
  }
  if (lanes < 64)
    busy = busy >> site.base % 64 & ((UINT64_C(1) << lanes % 64) - 1);
  busy |= site.s->stale_state;
  if (form.vector) /* no branches: lockstep evaluates this in every cycle */
    busy |= site.s->vector & -(ut_mask)(site.s->stage.timeout != 0);
  if (form.states)
    busy |= nodes->purge;
  return !busy;
}
static inline bool ut_reg_idle(const struct ut_group *group, const struct ut_switch *sw) {
  return ut_at_idle(ut_site_of(group, sw), group->form);
}

/* ---- setting registers: payload that the RTL starts with; any register in tests */

UT_INLINE void ut_at_set_part(const struct ut_site site, unsigned array, size_t n, unsigned vc, ut_mask ports,
                              const struct ut_form form) {
  const unsigned lane = vc << form.port_bits;
  ut_set set = ut_set_load(UT_IN_BLOCK(void, site.b, array), n, form);
  set.w[lane / 64] &= ~((uint64_t)ut_mask_all(1u << form.port_bits) << lane % 64);
  set.w[lane / 64] |= (uint64_t)ports << lane % 64;
  ut_set_store(UT_IN_BLOCK(void, site.b, array), n, set, form);
}
/* Gives the output register its own copy of its flit, and returns that copy. */
UT_INLINE uint64_t *ut_at_set_flit(const struct ut_site site, unsigned op, const struct ut_form form) {
  for (unsigned i = 0; i < form.v; i++)
    ut_put(ut_register(site.b, UT_S_SAVED, form), ut_at_lane(site, op, i, form), form.sets);
  return UT_IN_BLOCK(uint64_t, site.b, form.at_saved) + (site.port_index + op) * (form.words + 1);
}

static inline void ut_set_bit(const struct ut_group *group, struct ut_switch *sw, enum ut_register r, unsigned port,
                              unsigned vc, bool value) {
  const struct ut_site site = ut_site_of(group, sw);
  ut_assign(ut_register(site.b, r, group->form), ut_at_lane(site, port, vc, group->form), value, group->form.sets);
}
static inline void ut_set_state(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc,
                                unsigned state) {
  ut_set_bit(group, sw, UT_S_ROUTING, ip, ivc, state == UT_VC_STATE_ROUTING);
  ut_set_bit(group, sw, UT_S_WAITING, ip, ivc, state == UT_VC_STATE_WAITING);
  ut_set_bit(group, sw, UT_S_ACTIVE, ip, ivc, state == UT_VC_STATE_ACTIVE);
  ut_set_bit(group, sw, UT_S_DRAIN, ip, ivc, state == UT_VC_STATE_DRAIN);
}
/* Sets read position and number of flits of an input buffer. */
static inline void ut_set_buffer(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc,
                                 unsigned rd, unsigned count) {
  const struct ut_site site = ut_site_of(group, sw);
  const unsigned lane = ut_at_lane(site, ip, ivc, group->form);
  ut_position_set(UT_IN_BLOCK(void, site.b, group->form.at_rd), lane, rd, group->form.wide);
  ut_position_set(group->wires->write, site.b->lane + lane, rd + count, group->form.wide);
  ut_set_bit(group, sw, UT_S_OCCUPIED, ip, ivc, count > 0);
}
/* Sets a place of an input buffer; `flit`: its words, then tag and VC. */
static inline void ut_set_place(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc,
                                unsigned place, const uint64_t *flit) {
  ut_flit_copy(ut_at_place(ut_site_of(group, sw), ip, ivc, place, group->form), flit, group->form.words);
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
/* Sets the output VC that an active packet owns: ut_reg_out_port(), ut_reg_out_vc() and cand_q. */
static inline void ut_set_out(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc,
                              unsigned op, unsigned ovc) {
  const struct ut_site site = ut_site_of(group, sw);
  ut_out_set(UT_IN_BLOCK(void, site.b, group->form.at_out), ut_at_lane(site, ip, ivc, group->form),
             ut_at_lane(site, op, ovc, group->form), group->form);
  for (unsigned o = 0; o < group->form.v; o++)
    ut_set_cand(group, sw, ip, ivc, o, o == ovc ? ut_bit(op) : 0);
}
static inline void ut_set_owned(const struct ut_group *group, struct ut_switch *sw, unsigned op, unsigned ovc,
                                bool owned) {
  ut_set_bit(group, sw, UT_S_OWNED, op, ovc, owned);
}
static inline void ut_set_credits(const struct ut_group *group, struct ut_switch *sw, unsigned op, unsigned ovc,
                                  unsigned credits) {
  const struct ut_site site = ut_site_of(group, sw);
  const unsigned lane = ut_at_lane(site, op, ovc, group->form);
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_credits)[lane] = (uint8_t)credits;
  ut_output_space(group, site.b, lane, group->form);
}
/* Sets read position and number of flits of an output queue. */
static inline void ut_set_queue(const struct ut_group *group, struct ut_switch *sw, unsigned op, unsigned ovc,
                                unsigned rd, unsigned count) {
  const struct ut_site site = ut_site_of(group, sw);
  const unsigned lane = ut_at_lane(site, op, ovc, group->form);
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_queue_read)[lane] = (uint8_t)rd;
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_queue_count)[lane] = (uint8_t)count;
  ut_set_bit(group, sw, UT_S_QUEUED, op, ovc, count > 0);
  ut_output_space(group, site.b, lane, group->form);
}

#endif
