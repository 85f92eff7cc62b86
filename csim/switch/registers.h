/* registers.h - the registers of a golden switch by the names and index spaces of the RTL, for whoever looks at a
 * switch or sets one up for a test; the cycle itself does not go through here.
 *
 * ip, ivc: input port and VC; op, ovc: output port and VC.  ut_reg_x() reads register x_q, or what the comment names;
 * one that the shape does not have reads 0.  ut_set_x() writes it, and what the golden model derives from it.  Nothing
 * else outside csim/switch knows where a register lies; those of a whole switch, and of a bit a port, are members of
 * struct ut_switch (in_up, discard, vector, ...) and of struct ut_node_states.
 */
#ifndef UT_REGISTERS_H
#define UT_REGISTERS_H

#include "node_states.h"
#include "switch.h"

/* Who only looks holds a constant switch; the places of registers are those of one that can be written. */
static inline struct ut_switch *ut_reg_switch(const struct ut_switch *s) {
  return (struct ut_switch *)(uintptr_t)s;
}
static inline unsigned ut_reg_flat(const struct ut_group *g, unsigned port, unsigned vc) {
  return port * g->traits.v + vc;
}

/* ---- input VC */

#define UT_REG_NUMBER(name, bytes)                                                                                     \
  static inline unsigned ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned ip,               \
                                       unsigned ivc) {                                                                 \
    return ut_bytes(ut_reg_switch(s), bytes, g->traits)[ut_reg_flat(g, ip, ivc)];                                      \
  }
UT_REG_NUMBER(state, UT_B_STATE) /* enum ut_vc_state */
UT_REG_NUMBER(count, UT_B_COUNT) /* u_fifo.count_q */
UT_REG_NUMBER(rd, UT_B_RD)       /* u_fifo.rd_q */
UT_REG_NUMBER(wr, UT_B_WR)       /* u_fifo.wr_q */
UT_REG_NUMBER(owed, UT_B_OWED)

#define UT_REG_BIT(name, mask)                                                                                         \
  static inline bool ut_reg_##name(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc) {   \
    return ut_masks(g, ut_reg_switch(s), mask, g->traits.v)[ivc] >> ip & 1;                                            \
  }
UT_REG_BIT(open, UT_M_OPEN)
UT_REG_BIT(cut, UT_M_CUT)           /* g_cut.cut_q */
UT_REG_BIT(credit, UT_M_CREDIT)     /* on the wire */
UT_REG_BIT(depends, UT_M_DEPENDS)   /* g_depends.depends_q */
UT_REG_BIT(promoted, UT_M_PROMOTED) /* g_strip.promoted_q */

/* g_purge.old_q */
static inline bool ut_reg_old(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc) {
  return g->traits.states && ut_node_states_of(g, s)->old[ivc] >> ip & 1;
}
/* g_wait.wait_q */
static inline unsigned ut_reg_wait(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc) {
  return g->traits.pipelined ? UT_AT(uint8_t, g, ut_reg_switch(s), wait)[ut_reg_flat(g, ip, ivc)] : 0;
}
/* g_rewrite.rt_q */
static inline uint32_t ut_reg_rt(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc) {
  return g->traits.rewrites ? UT_AT(uint32_t, g, ut_reg_switch(s), rt)[ut_reg_flat(g, ip, ivc)] : 0;
}

/* Sets of output ports, of one output VC each: a packet that waits may take these; of an active packet the one that it
 * owns. */
static inline ut_mask ut_reg_cand(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc,
                                  unsigned ovc) {
  return ut_cand_of(ut_reg_switch(s), ip, ivc, g->traits)[ovc];
}
/* g_bubble.bubble_q */
static inline ut_mask ut_reg_bubble(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc,
                                    unsigned ovc) {
  const unsigned v = g->traits.v;
  return g->traits.bubble ? UT_AT(ut_mask, g, ut_reg_switch(s), bubble)[ut_reg_flat(g, ip, ivc) * v + ovc] : 0;
}
/* g_preferred.preferred_q */
static inline ut_mask ut_reg_preferred(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc,
                                       unsigned ovc) {
  const unsigned v = g->traits.v;
  return g->traits.preferred ? UT_AT(ut_mask, g, ut_reg_switch(s), preferred)[ut_reg_flat(g, ip, ivc) * v + ovc] : 0;
}
/* The output VC that an active packet owns, or that the last one had: cand_q as two numbers. */
static inline unsigned ut_reg_out_port(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc) {
  return ut_out_port(ut_bytes(ut_reg_switch(s), UT_B_OUT, g->traits)[ut_reg_flat(g, ip, ivc)], g->traits.v);
}
static inline unsigned ut_reg_out_vc(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc) {
  return ut_out_vc(ut_bytes(ut_reg_switch(s), UT_B_OUT, g->traits)[ut_reg_flat(g, ip, ivc)], g->traits.v);
}

/* A place of the buffer, u_fifo.data_q and tag_q: the words of a flit, then tag and VC. */
static inline const uint64_t *ut_reg_place(const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                           unsigned ivc, unsigned place) {
  return ut_fifo_of(g, ut_reg_switch(s), ut_reg_flat(g, ip, ivc), place, g->traits);
}
/* The i-th flit from the front, i < count. */
static inline const uint64_t *ut_reg_peek(const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                          unsigned ivc, unsigned i) {
  const unsigned place = ut_reg_rd(g, s, ip, ivc) + i, depth = g->shape.depth;
  return ut_reg_place(g, s, ip, ivc, place < depth ? place : place - depth);
}
/* Whether the flit at the front, which must be there, begins a packet. */
static inline bool ut_reg_front_is_head(const struct ut_group *g, const struct ut_switch *s, unsigned ip,
                                        unsigned ivc) {
  return ut_front_is_head(g, ut_reg_switch(s), ip, ivc);
}

/* The entry of the forwarding table for a destination, u_route.table_q: valid, VC, port. */
static inline unsigned ut_reg_table(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc,
                                    unsigned dst) {
  return g->traits.tables ? ut_table_of(g, ut_reg_switch(s), ip, ivc)[dst] : 0;
}

/* ---- output port and output VC */

static inline bool ut_reg_owned(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned ovc) {
  return ut_masks(g, ut_reg_switch(s), UT_M_OWNED, g->traits.v)[ovc] >> op & 1;
}
static inline unsigned ut_reg_credits(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned ovc) {
  return *ut_credits_of(ut_reg_switch(s), op, ovc, g->traits);
}
/* No registers: the credits reach `need`, or `need2` where some candidates obey the bubble rule. */
static inline bool ut_reg_enough(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned ovc) {
  return ut_masks(g, ut_reg_switch(s), UT_M_ENOUGH, g->traits.v)[ovc] >> op & 1;
}
static inline bool ut_reg_enough2(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned ovc) {
  return g->traits.bubble && ut_masks(g, ut_reg_switch(s), UT_M_ENOUGH2, g->traits.v)[ovc] >> op & 1;
}

/* Output ports with a flit on the wire: valid_q of all. */
static inline ut_mask ut_reg_valid(const struct ut_group *g, const struct ut_switch *s) {
  (void)g;
  return s->out_valid;
}
/* The output register, data_q, kind_q, bad_q and vc_q: the words of a flit, then tag and VC. */
static inline const uint64_t *ut_reg_flit(const struct ut_group *g, const struct ut_switch *s, unsigned op) {
  return ut_out_of(ut_reg_switch(s), op, g->traits);
}

/* ---- arbiters: mask_q of the one that ... */

/* ... picks among equal candidates of input port ip: u_vc_allocator.select_q, over output ports */
static inline ut_mask ut_reg_select(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return ut_port_of(ut_reg_switch(s), ip, g->traits)->select;
}
/* ... gives output VC (op, ovc): what stands there for VC ivc, over input ports */
static inline ut_mask ut_reg_va(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned ovc,
                                unsigned ivc) {
  return ut_va_of(ut_reg_switch(s), op, ovc, g->traits)[ivc];
}
/* ... of several VCs lets one input through to output port op: over input ports, for VC w with XBAR vc, else w = 0 */
static inline ut_mask ut_reg_sa(const struct ut_group *g, const struct ut_switch *s, unsigned op, unsigned w) {
  return g->traits.v > 1 ? ut_sa_of(ut_reg_switch(s), op, g->traits)[w] : 0;
}
/* ... says which of several VCs of a port has the route unit, and which has the crossbar input: over VCs */
static inline unsigned ut_reg_route_turn(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return g->traits.v > 1 ? *ut_route_mask_of(ut_reg_switch(s), ip, g->traits) : 0;
}
static inline unsigned ut_reg_switch_turn(const struct ut_group *g, const struct ut_switch *s, unsigned ip) {
  return g->traits.v > 1 ? *ut_sa_in_of(ut_reg_switch(s), ip, g->traits) : 0;
}

/* ---- set up for a test */

static inline void ut_reg_put(const struct ut_group *g, struct ut_switch *s, enum ut_switch_masks mask, unsigned port,
                              unsigned vc, bool value) {
  ut_mask *m = ut_masks(g, s, mask, g->traits.v) + vc;
  *m = value ? *m | ut_bit(port) : *m & ~ut_bit(port);
}

static inline void ut_set_state(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                unsigned state) {
  ut_bytes(s, UT_B_STATE, g->traits)[ut_reg_flat(g, ip, ivc)] = (uint8_t)state;
  ut_reg_put(g, s, UT_M_ROUTING, ip, ivc, state == UT_VC_STATE_ROUTING);
  ut_reg_put(g, s, UT_M_WAITING, ip, ivc, state == UT_VC_STATE_WAITING);
  ut_reg_put(g, s, UT_M_ACTIVE, ip, ivc, state == UT_VC_STATE_ACTIVE);
  ut_reg_put(g, s, UT_M_DRAIN, ip, ivc, state == UT_VC_STATE_DRAIN);
}
static inline void ut_set_count(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                unsigned count) {
  ut_bytes(s, UT_B_COUNT, g->traits)[ut_reg_flat(g, ip, ivc)] = (uint8_t)count;
  ut_reg_put(g, s, UT_M_OCCUPIED, ip, ivc, count > 0);
}
static inline void ut_set_rd(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned rd) {
  ut_bytes(s, UT_B_RD, g->traits)[ut_reg_flat(g, ip, ivc)] = (uint8_t)rd;
}
/* A flit: its words, then tag and VC. */
static inline void ut_set_place(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                unsigned place, const uint64_t *flit) {
  ut_flit_copy(ut_fifo_of(g, s, ut_reg_flat(g, ip, ivc), place, g->traits), flit, g->traits.words);
}
static inline void ut_set_cand(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned ovc,
                               ut_mask ports) {
  ut_cand_of(s, ip, ivc, g->traits)[ovc] = ports;
}
static inline void ut_set_bubble(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned ovc,
                                 ut_mask ports) {
  UT_AT(ut_mask, g, s, bubble)[ut_reg_flat(g, ip, ivc) * g->traits.v + ovc] = ports;
}
static inline void ut_set_preferred(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                                    unsigned ovc, ut_mask ports) {
  UT_AT(ut_mask, g, s, preferred)[ut_reg_flat(g, ip, ivc) * g->traits.v + ovc] = ports;
}
/* The output VC that an active packet owns: ut_reg_out_port(), ut_reg_out_vc() and cand_q. */
static inline void ut_set_out(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned op,
                              unsigned ovc) {
  ut_bytes(s, UT_B_OUT, g->traits)[ut_reg_flat(g, ip, ivc)] = ut_out_name(op, ovc);
  for (unsigned o = 0; o < g->traits.v; o++)
    ut_set_cand(g, s, ip, ivc, o, o == ovc ? ut_bit(op) : 0);
}
static inline void ut_set_owned(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc, bool owned) {
  ut_reg_put(g, s, UT_M_OWNED, op, ovc, owned);
}
static inline void ut_set_credits(const struct ut_group *g, struct ut_switch *s, unsigned op, unsigned ovc,
                                  unsigned credits) {
  *ut_credits_of(s, op, ovc, g->traits) = (uint8_t)credits;
  ut_reg_put(g, s, UT_M_ENOUGH, op, ovc, credits >= g->need[ovc]);
  ut_reg_put(g, s, UT_M_ENOUGH2, op, ovc, credits >= g->need2[ovc]);
}

#endif
