/* SPDX-License-Identifier: Apache-2.0 */
/* form.h - where the registers of a switch lie, and the shape as its cycle wants it: what follows from the parameters,
 * constants where they are.
 *
 * Also for C++ (tb/shim_view.h), where the parameters are constants too.
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

/* Registers of one bit, by input VC unless it says otherwise; in a block in this order. */
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
  UT_S_PENDING_CREDITS, /* owed != 0 */
  UT_S_STRIPPED,        /* stripped_q: a header word was stripped, the front is the head */
  UT_S_OLD,             /* old_q */
  UT_S_CROSS,           /* cross_q: the front flit has won the crossbar, and leaves now */
  UT_S_DISCARD,         /* discard_q, of the port */
  UT_S_IN_UP,           /* up_q of the input port */
  UT_S_IN_FELL,         /* it has just fallen; derived, saves work on dead ports */
  /* by output VC */
  UT_S_OWNED,    /* owned_q */
  UT_S_SPACE,    /* has credits, or places in its queue, for another packet (docs/reference/cycle-contract.md, room) */
  UT_S_SPACE2,   /* for two packets; only where some candidates obey the bubble rule */
  UT_S_QUEUED,   /* its output queue has a flit, */
  UT_S_CREDITED, /* and credits let it send a head */
  UT_S_VALID,    /* valid_q: sent the flit that is in the output register */
  UT_S_OUT_UP,   /* up_q of the output port */
  UT_S_SAVED,    /* the output register, if this VC sent last, stands in the block, no longer in the receiver's ring */
  /* of the switch, in all its lanes */
  UT_S_STALE_LINK,
  UT_S_STALE_STATE,
  UT_SETS
};

/* What stands in a block before its sets. */
struct ut_block {
  uint32_t lane;      /* the number of its first lane on the wires */
  uint32_t first;     /* the number of its first switch in the group */
  uint32_t unsettled; /* a bit for each switch whose family state may change, */
  uint32_t timed;     /* and for those of them where nothing but a timer moves */
  bool slow_path;     /* links, neighbours or something in it are not as they were: see ut_block_step */
} __attribute__((aligned(UT_LANES)));

struct ut_form {
  unsigned pi, po, v, depth, output_depth, words, route_cycles, alloc_cycles, xbar_cycles;
  unsigned wormhole, per_vc;       /* per_vc: a crossbar input for each input VC, of several */
  unsigned arbitration, selection; /* policies */
  unsigned filters;                /* arbiters do not see all requests: local_first, ranks */
  unsigned local_first, ranks;     /* ranks: packets have ranks; */
  unsigned policy_bits;            /* bits of the register of the arbitration policy, by input VC, */
  unsigned select_bits;            /* and of that of the selection policy, by input port; */
  unsigned compares;               /* what it looks at: 1 credits, 2 free places of output queues */
  /* what the algorithm uses */
  unsigned vector, far, rewrites, strips, tables, bubble, preferred, states, atomic;
  unsigned u_turns;    /* they may be counted */
  unsigned port_bits;  /* log2 of the ports of a switch that have lanes, */
  unsigned each_bits;  /* of its lanes, */
  unsigned block_bits; /* and of the switches of a block */
  unsigned all;        /* lanes of a block, */
  unsigned sets;       /* words of a set of them, */
  unsigned locals;     /* and of one of a switch's lanes */
  unsigned wide;       /* positions in a ring have 16 bits: buffers of 128 flits and more */
  unsigned ring;       /* words of the ring of an input VC */
  unsigned least;      /* credits that an output VC with room has at least, */
  unsigned alike;      /* VCs from VC 0 on that every packet has as candidates together or not at all */
  unsigned levels;     /* and thresholds of the credits above them, in offer_q; 0: nobody compares, or too many */
  /* bytes from a block to its registers: by input VC; by output VC; by port */
  unsigned at_rd, at_out, at_pending_credits, at_wait, at_policy, at_cand, at_bubble, at_preferred, at_rt;
  unsigned at_credits, at_va, at_queue, at_queue_read, at_queue_count;
  unsigned at_select, at_select_policy, at_sa, at_route_pointer, at_switch_pointer, at_link_pointer, at_last, at_saved;
  unsigned stride;                          /* of blocks */
  unsigned at_node, at_table, at_exclusion; /* from a switch to its node states, its tables, its exclusion intervals, */
  unsigned switch_stride;                   /* and to the next one */
};

UT_CONSTEXPR unsigned ut_bits_of(unsigned n) { /* of a number below n */
  unsigned bits = 0;
  while ((1u << bits) < n)
    bits++;
  return bits;
}

/* Room for so many bytes behind what is there, where a vector can be loaded. */
UT_CONSTEXPR unsigned ut_form_reserve(unsigned *end, unsigned bytes) {
  const unsigned at = *end;
  *end = (at + bytes + UT_LANES - 1) / UT_LANES * UT_LANES;
  return at;
}

/* VCs from VC 0 on that every packet has as candidates together or not at all. */
UT_CONSTEXPR unsigned ut_alike_of(const struct ut_shape p) {
  const unsigned layers = p.v < UT_ALG_LAYERS(p.route, p.algorithm) ? 1 : UT_ALG_LAYERS(p.route, p.algorithm);
  const unsigned separate = layers - 1 + p.escapes - 1 + UT_ALG_PREFERRED(p.route, p.algorithm);
  return UT_ALG_ALIKE(p.route, p.algorithm) && p.v > separate ? p.v - separate : 1;
}

/* A packet has candidates at one port only, VCs that are alike or one. */
UT_CONSTEXPR bool ut_single_of(const struct ut_shape p) {
  return p.links == 1 && p.v <= UT_ALG_SINGLE(p.route, p.algorithm);
}

UT_CONSTEXPR struct ut_form ut_form_of(const struct ut_shape p) {
  struct ut_form x = {};
  x.pi = p.pi, x.po = p.po, x.v = p.v, x.depth = p.depth, x.output_depth = p.output_depth, x.words = p.w / 64;
  x.route_cycles = p.route_cycles, x.alloc_cycles = p.alloc_cycles, x.xbar_cycles = p.xbar_cycles;
  x.wormhole = p.switching == UT_WORMHOLE, x.local_first = p.local_first;
  x.arbitration = p.arbitration, x.selection = p.selection;
  x.ranks = UT_ARBITRATION_RANK(p.arbitration), x.filters = x.local_first || x.ranks;
  x.policy_bits = UT_ARBITRATION_BITS(p.arbitration), x.select_bits = UT_SELECTION_BITS(p.selection);
  x.compares = UT_SELECTION_COMPARES(p.selection);
  x.per_vc = p.xbar == UT_XBAR_VC && p.v > 1;
  x.vector = UT_ALG_VECTOR(p.route, p.algorithm), x.far = UT_ALG_FAR(p.route, p.algorithm);
  x.rewrites = UT_ALG_REWRITES(p.route, p.algorithm) || p.misroute, x.strips = p.escapes > 1;
  x.tables = UT_ALG_TABLES(p.route, p.algorithm), x.bubble = UT_ALG_BUBBLE(p.route, p.algorithm);
  x.preferred = UT_ALG_PREFERRED(p.route, p.algorithm), x.states = UT_ALG_STATES(p.route, p.algorithm);
  x.atomic = UT_ALG_ATOMIC(p.route, p.algorithm);
  x.u_turns = !p.size[0] && !p.cube && !p.radix; /* ports of the others do not lead up and down */
  x.port_bits = ut_bits_of(p.pi > p.po ? p.pi : p.po);
  x.each_bits = x.port_bits + ut_bits_of(p.v);
  x.block_bits = x.each_bits < 6 ? (x.each_bits < 1 ? 5 : 6 - x.each_bits) : 0; /* a word of each set */
  x.all = 1u << (x.each_bits + x.block_bits);
  x.sets = (x.all + 63) / 64;
  x.locals = x.each_bits > 6 ? 1u << (x.each_bits - 6) : 1;
  x.wide = p.depth > 127;
  x.ring = 2 * p.depth * (x.words + 1);
  x.least = x.atomic ? p.depth : x.wormhole ? 1 : p.max_packet;
  x.alike = ut_alike_of(p);
  const bool nobody = !x.compares || x.output_depth || (ut_single_of(p) && x.alike == 1);
  const unsigned more = nobody ? 0 : p.depth - x.least;
  x.levels = more < 8 - x.bubble ? more : 0;
  const unsigned ports = 1u << (x.port_bits + x.block_bits), set = x.each_bits > 3 ? 1u << (x.each_bits - 3) : 1;
  unsigned end = (unsigned)sizeof(struct ut_block);
  ut_form_reserve(&end, UT_SETS * x.sets * 8);
  x.at_rd = ut_form_reserve(&end, x.all << x.wide);
  x.at_credits = ut_form_reserve(&end, x.all);
  x.at_queue_read = ut_form_reserve(&end, x.output_depth ? x.all : 0);
  x.at_queue_count = ut_form_reserve(&end, x.output_depth ? x.all : 0);
  x.at_out = ut_form_reserve(&end, x.all);
  x.at_last = ut_form_reserve(&end, p.v > 1 ? ports : 0);
  x.at_cand = ut_form_reserve(&end, x.all * set);
  x.at_va = ut_form_reserve(&end, x.all * set);
  x.at_select = ut_form_reserve(&end, ports * 4);
  x.at_sa = ut_form_reserve(&end, p.v > 1 ? ports * set : 0);
  x.at_route_pointer = ut_form_reserve(&end, p.v > 1 ? ports : 0);
  x.at_switch_pointer = ut_form_reserve(&end, p.v > 1 ? ports : 0);
  x.at_link_pointer = ut_form_reserve(&end, x.output_depth && p.v > 1 ? ports : 0);
  x.at_bubble = ut_form_reserve(&end, x.bubble ? x.all * set : 0);
  x.at_preferred = ut_form_reserve(&end, x.preferred ? x.all * set : 0);
  x.at_rt = ut_form_reserve(&end, x.rewrites ? x.all * 4 : 0);
  x.at_wait = ut_form_reserve(&end, x.route_cycles > 2 ? x.all : 0);
  x.at_policy = ut_form_reserve(&end, x.policy_bits ? x.all : 0);
  x.at_select_policy = ut_form_reserve(&end, x.select_bits ? ports * 2 : 0);
  x.at_pending_credits = ut_form_reserve(&end, x.all);
  x.at_saved = ut_form_reserve(&end, ports * (x.words + 1) * 8);
  x.at_queue = ut_form_reserve(&end, x.all * x.output_depth * (x.words + 1) * 8);
  x.stride = (end + 63) / 64 * 64;
  x.at_node = sizeof(struct ut_switch);
  x.at_table = x.at_node + (x.states ? sizeof(struct ut_node_states) : 0);
  const unsigned round = x.each_bits > 6 ? 1u << x.each_bits : 64; /* a multiple of its lanes, too: ut_lane_switch() */
  x.at_exclusion = x.at_table + (x.tables ? 2 * p.pi * p.v * p.destinations : 0);
  x.switch_stride = (x.at_exclusion + 4 * p.po / 2 * p.exclusions + round - 1) / round * round;
  return x;
}

/* The port and the VC of a lane of a block. */
UT_INLINE unsigned ut_lane_port(uint64_t n, const struct ut_form x) {
  return (unsigned)n & ((1u << x.port_bits) - 1);
}
UT_INLINE unsigned ut_lane_vc(uint64_t n, const struct ut_form x) {
  return (unsigned)n >> x.port_bits & ((1u << (x.each_bits - x.port_bits)) - 1);
}

#endif
