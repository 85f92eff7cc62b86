/* SPDX-License-Identifier: Apache-2.0 */
/* form.h - where the registers of a switch lie, and everything that its cycle derives from the parameters: constants
 * where the parameters are constants.
 *
 * Also for C++ (tb/shim_view.h), where the parameters are constants, too.
 */
#ifndef UT_FORM_H
#define UT_FORM_H

#include "algorithms.h"
#include "lanes.h"
#include "shape.h"
#include "switch_state.h"

#ifdef __cplusplus
#define UT_CONSTEXPR static constexpr
#define UT_STRUCT(name) name
#else
#define UT_CONSTEXPR UT_INLINE
#define UT_STRUCT(name) (struct name)
#endif

/* Registers of one bit, by input VC unless stated otherwise, in their order in a block. */
enum ut_register {
  UT_S_OCCUPIED, /* has a flit */
  UT_S_ROUTING,
  UT_S_WAITING,
  UT_S_ACTIVE,
  UT_S_DRAIN,
  UT_S_OPEN,            /* open_q */
  UT_S_CUT,             /* cut_q */
  UT_S_DEPENDS,         /* depends_q */
  UT_S_CREDIT,          /* credit_q: a credit is on the wire */
  UT_S_PENDING_CREDITS, /* pending_credits_q != 0 */
  UT_S_STRIPPED,        /* stripped_q: a header word was stripped, the front is the head */
  UT_S_OLD,             /* old_q */
  UT_S_CROSS,           /* cross_q: the front flit has won the crossbar, and leaves now */
  UT_S_DISCARD,         /* discard_q, of the port */
  UT_S_IN_UP,           /* up_q of the input port */
  UT_S_IN_FELL,         /* its link has just gone down; derived, saves work on dead ports */
  /* by output VC */
  UT_S_OWNED,    /* owned_q */
  UT_S_SPACE,    /* has space for a packet (docs/reference/cycle-contract.md, Space) */
  UT_S_SPACE2,   /* has space for two packets; only if some candidates obey the bubble rule */
  UT_S_QUEUED,   /* its output queue has a flit, */
  UT_S_CREDITED, /* its credits allow the queue to send a head */
  UT_S_VALID,    /* valid_q: sent the flit that is in the output register */
  UT_S_OUT_UP,   /* up_q of the output port */
  UT_S_SAVED,    /* the output register, if this VC sent last, is in the block, not in the ring */
  /* of the switch, in all its lanes */
  UT_S_STALE_LINK,
  UT_S_STALE_STATE,
  UT_SETS
};

/* The members of a block before its sets. */
struct ut_block {
  uint32_t lane;      /* the number of its first lane on the wires */
  uint32_t first;     /* the number of its first switch in the group */
  uint32_t unsettled; /* set of switches whose family state may change */
  uint32_t timed;     /* set of those in which only a timer runs */
  bool slow_path;     /* the next cycle takes the slow path: see ut_block_step() */
} __attribute__((aligned(UT_LANES)));

struct ut_form {
  unsigned pi, po, v, depth, output_depth, words, route_cycles, alloc_cycles, xbar_cycles;
  unsigned wormhole, per_vc;       /* per_vc: a crossbar input for each input VC, of several */
  unsigned arbitration, selection; /* policies */
  unsigned filters;                /* arbiters do not see all requests: local_first, ranks */
  unsigned local_first, ranks;     /* ranks: packets have ranks; */
  unsigned policy_bits;            /* bits of the register of the arbitration policy, by input VC */
  unsigned select_bits;            /* bits of the register of the selection policy, by input port */
  unsigned via, ugal;              /* UGAL: VCs of the way to an intermediate terminal; credits for the minimal way */
  unsigned compares;               /* what the selection compares: 1 credits, 2 free places of output queues */
  /* properties of the algorithm */
  unsigned vector, far, rewrites, strips, tables, bubble, preferred, states, atomic;
  unsigned u_turns;    /* U-turns can be counted */
  unsigned port_bits;  /* log2 of the ports of a switch, rounded up to a power of two */
  unsigned each_bits;  /* log2 of the lanes of a switch */
  unsigned block_bits; /* log2 of the switches of a block */
  unsigned all;        /* lanes of a block */
  unsigned sets;       /* words of a set over a block */
  unsigned locals;     /* words of a set over one switch */
  unsigned wide;       /* positions in a ring have 16 bits: buffers of 128 flits and more */
  unsigned many;       /* numbers of lanes have 16 bits: more than 256 lanes */
  unsigned ring;       /* words of the ring of an input VC */
  unsigned least;      /* minimum of the credits of an output VC with space */
  unsigned alike;      /* VCs from VC 0 on that form one class: candidates together or not at all */
  unsigned levels;     /* thresholds above `least` in offer_q; 0: they are not compared, or are too many */
  /* offsets of registers in a block, in bytes: by input VC; by output VC; by port */
  unsigned at_rd, at_out, at_pending_credits, at_wait, at_policy, at_cand, at_bubble, at_preferred, at_rt;
  unsigned at_credits, at_va, at_queue, at_queue_read, at_queue_count;
  unsigned at_select, at_select_policy, at_sa, at_route_pointer, at_switch_pointer, at_link_pointer, at_last, at_saved;
  unsigned stride; /* of blocks */
  /* from a switch to its node states, next-hop groups, VC map, forwarding table, exclusion intervals */
  unsigned at_node, at_groups, at_vc_map, at_table, at_exclusion;
  unsigned switch_stride; /* ... and to the next switch */
};

UT_CONSTEXPR unsigned ut_bits_of(unsigned n) { /* of a number below n */
  unsigned bits = 0;
  while ((1u << bits) < n)
    bits++;
  return bits;
}

/* Reserves `bytes` bytes at the end, aligned for vectors; returns their offset. */
UT_CONSTEXPR unsigned ut_form_reserve(unsigned *end, unsigned bytes) {
  const unsigned at = *end;
  *end = (at + bytes + UT_LANES - 1) / UT_LANES * UT_LANES;
  return at;
}

/* Returns the number of escape VCs: the last ones.  An escape channel of rings with datelines is two VCs. */
UT_CONSTEXPR unsigned ut_escape_vcs_of(const struct ut_shape shape) {
  return shape.escapes << UT_ALG_DATELINE(shape.route, shape.algorithm);
}

/* Returns the number of VCs from VC 0 on that every packet has as candidates together or not at all. */
UT_CONSTEXPR unsigned ut_alike_of(const struct ut_shape shape) {
  const unsigned layers =
      shape.v < UT_ALG_LAYERS(shape.route, shape.algorithm) ? 1 : UT_ALG_LAYERS(shape.route, shape.algorithm);
  const unsigned separate = layers - 1 + ut_escape_vcs_of(shape) - 1 + UT_ALG_PREFERRED(shape.route, shape.algorithm);
  return UT_ALG_ALIKE(shape.route, shape.algorithm) && !shape.vc_map && shape.v > separate ? shape.v - separate : 1;
}

/* Returns whether all candidates of a packet are at one port, and are one VC or one class. */
UT_CONSTEXPR bool ut_single_of(const struct ut_shape shape) {
  return shape.links == 1 && shape.v <= UT_ALG_SINGLE(shape.route, shape.algorithm);
}

/* Returns 1 if a forwarding table has a row of its own for adaptive VCs: the last VC is an escape VC then; else 0. */
UT_CONSTEXPR unsigned ut_escape_table_of(const struct ut_shape shape) {
  return UT_ALG_TABLES(shape.route, shape.algorithm) && UT_ALG_PREFERRED(shape.route, shape.algorithm);
}

/* Returns the row of the forwarding table for a bank and an input VC; a row has an entry for each destination.  Entries
 * that name next-hop groups serve all VCs, but with an escape VC row 2 serves the others. */
UT_CONSTEXPR unsigned ut_table_row(const struct ut_shape shape, unsigned bank, unsigned in_vc) {
  if (!shape.groups)
    return bank * shape.v + in_vc;
  return ut_escape_table_of(shape) && in_vc % 2 ? 2 : bank;
}

/* Returns the entries of the forwarding table. */
UT_CONSTEXPR unsigned ut_entries_of(const struct ut_shape shape) {
  return (shape.groups ? 2 + ut_escape_table_of(shape) : 2 * shape.v) * shape.destinations;
}

/* Returns the rows of the VC map: one for each layer, then one for each input VC. */
UT_CONSTEXPR unsigned ut_vc_rows_of(const struct ut_shape shape) {
  return shape.vc_map ? shape.vc_map + shape.v : 0;
}

UT_CONSTEXPR struct ut_form ut_form_of(const struct ut_shape shape) {
  struct ut_form form = {};
  form.pi = shape.pi, form.po = shape.po, form.v = shape.v, form.depth = shape.depth,
  form.output_depth = shape.output_depth, form.words = shape.w / 64;
  form.route_cycles = shape.route_cycles, form.alloc_cycles = shape.alloc_cycles, form.xbar_cycles = shape.xbar_cycles;
  form.wormhole = shape.switching == UT_WORMHOLE, form.local_first = shape.local_first;
  form.arbitration = shape.arbitration, form.selection = shape.selection;
  form.ranks = UT_ARBITRATION_RANK(shape.arbitration), form.filters = form.local_first || form.ranks;
  form.policy_bits = UT_ARBITRATION_BITS(shape.arbitration), form.select_bits = UT_SELECTION_BITS(shape.selection);
  form.via = shape.via, form.ugal = shape.ugal;
  form.compares = UT_SELECTION_COMPARES(shape.selection);
  form.per_vc = shape.xbar == UT_XBAR_VC && shape.v > 1;
  form.vector = UT_ALG_VECTOR(shape.route, shape.algorithm), form.far = UT_ALG_FAR(shape.route, shape.algorithm);
  form.rewrites = UT_ALG_REWRITES(shape.route, shape.algorithm) || shape.misroute || shape.misroute_hops;
  form.strips = shape.escapes > 1;
  form.tables = UT_ALG_TABLES(shape.route, shape.algorithm), form.bubble = UT_ALG_BUBBLE(shape.route, shape.algorithm);
  form.preferred = UT_ALG_PREFERRED(shape.route, shape.algorithm),
  form.states = UT_ALG_STATES(shape.route, shape.algorithm);
  form.atomic = UT_ALG_ATOMIC(shape.route, shape.algorithm);
  form.u_turns = !shape.size[0] && !shape.cube && !shape.radix; /* ports of other networks do not lead up and down */
  form.port_bits = ut_bits_of(shape.pi > shape.po ? shape.pi : shape.po);
  form.each_bits = form.port_bits + ut_bits_of(shape.v);
  form.block_bits = form.each_bits < 6 ? (form.each_bits < 1 ? 5 : 6 - form.each_bits) : 0; /* a word of each set */
  form.all = 1u << (form.each_bits + form.block_bits);
  form.sets = (form.all + 63) / 64;
  form.locals = form.each_bits > 6 ? 1u << (form.each_bits - 6) : 1;
  form.wide = shape.depth > 127;
  form.many = form.all > 256;
  form.ring = 2 * shape.depth * (form.words + 1);
  form.least = form.atomic ? shape.depth : form.wormhole ? 1 : shape.max_packet;
  form.alike = ut_alike_of(shape);
  const bool nobody = !form.compares || form.output_depth || (ut_single_of(shape) && form.alike == 1);
  const unsigned more = nobody ? 0 : shape.depth - form.least;
  form.levels = more < 8 - form.bubble ? more : 0;
  const unsigned ports = 1u << (form.port_bits + form.block_bits),
                 set = form.each_bits > 3 ? 1u << (form.each_bits - 3) : 1;
  unsigned end = (unsigned)sizeof(struct ut_block);
  ut_form_reserve(&end, UT_SETS * form.sets * 8);
  form.at_rd = ut_form_reserve(&end, form.all << form.wide);
  form.at_credits = ut_form_reserve(&end, form.all);
  form.at_queue_read = ut_form_reserve(&end, form.output_depth ? form.all : 0);
  form.at_queue_count = ut_form_reserve(&end, form.output_depth ? form.all : 0);
  form.at_out = ut_form_reserve(&end, form.all << form.many);
  form.at_last = ut_form_reserve(&end, shape.v > 1 ? ports : 0);
  form.at_cand = ut_form_reserve(&end, form.all * set);
  form.at_va = ut_form_reserve(&end, form.all * set);
  form.at_select = ut_form_reserve(&end, ports * sizeof(ut_mask));
  form.at_sa = ut_form_reserve(&end, shape.v > 1 ? ports * set : 0);
  form.at_route_pointer = ut_form_reserve(&end, shape.v > 1 ? ports : 0);
  form.at_switch_pointer = ut_form_reserve(&end, shape.v > 1 ? ports : 0);
  form.at_link_pointer = ut_form_reserve(&end, form.output_depth && shape.v > 1 ? ports : 0);
  form.at_bubble = ut_form_reserve(&end, form.bubble ? form.all * set : 0);
  form.at_preferred = ut_form_reserve(&end, form.preferred ? form.all * set : 0);
  form.at_rt = ut_form_reserve(&end, form.rewrites ? form.all * 4 : 0);
  form.at_wait = ut_form_reserve(&end, form.route_cycles > 2 ? form.all : 0);
  form.at_policy = ut_form_reserve(&end, form.policy_bits ? form.all : 0);
  form.at_select_policy = ut_form_reserve(&end, form.select_bits ? ports * 2 : 0);
  form.at_pending_credits = ut_form_reserve(&end, form.all);
  form.at_saved = ut_form_reserve(&end, ports * (form.words + 1) * 8);
  form.at_queue = ut_form_reserve(&end, form.all * form.output_depth * (form.words + 1) * 8);
  form.stride = (end + 63) / 64 * 64;
  form.at_node = sizeof(struct ut_switch);
  form.at_groups = form.at_node + (form.states ? (unsigned)sizeof(struct ut_node_states) : 0);
  form.at_vc_map = form.at_groups + shape.groups * (unsigned)sizeof(ut_mask);
  form.at_table = form.at_vc_map + ut_vc_rows_of(shape) * shape.v * (unsigned)sizeof(ut_mask);
  const unsigned round =
      form.each_bits > 6 ? 1u << form.each_bits : 64; /* a multiple of its lanes, too: ut_lane_switch() */
  form.at_exclusion = form.at_table + (form.tables ? 2 * ut_entries_of(shape) : 0);
  form.switch_stride = (form.at_exclusion + 4 * shape.po / 2 * shape.exclusions + round - 1) / round * round;
  return form;
}

/* The port and the VC of a lane of a block. */
UT_INLINE unsigned ut_lane_port(uint64_t n, const struct ut_form form) {
  return (unsigned)n & ((1u << form.port_bits) - 1);
}
UT_INLINE unsigned ut_lane_vc(uint64_t n, const struct ut_form form) {
  return (unsigned)n >> form.port_bits & ((1u << (form.each_bits - form.port_bits)) - 1);
}

/* Whether numbers of lanes have 16 bits; never where sets have the four words of 256 lanes. */
#define UT_MANY(form) (UT_LOCAL_WORDS > 4 && (form).many)

/* Numbers of lanes in the registers of a block.  at_out: the output VC that an active packet owns, by input VC. */
UT_INLINE unsigned ut_out_at(const void *outs, size_t n, const struct ut_form form) {
  return UT_MANY(form) ? ((const uint16_t *)outs)[n] : ((const uint8_t *)outs)[n];
}
UT_INLINE void ut_out_set(void *outs, size_t n, size_t o, const struct ut_form form) {
  if (UT_MANY(form))
    ((uint16_t *)outs)[n] = (uint16_t)o;
  else
    ((uint8_t *)outs)[n] = (uint8_t)o;
}
/* at_last: a byte by output port, for the output VC that sent last; its VC. */
UT_INLINE uint8_t ut_last_of(size_t o, const struct ut_form form) {
  return (uint8_t)(UT_MANY(form) ? ut_lane_vc(o, form) : o);
}
UT_INLINE unsigned ut_last_vc(uint8_t last, const struct ut_form form) {
  return UT_MANY(form) ? last : ut_lane_vc(last, form);
}

#endif
