/* shape.h - the elaboration parameters of a switch, the same set and the same names as rtl/ut_switch.v.
 *
 * Depends on nothing.  ONE Verilated class and ONE shape serve all switches of an elaboration, mostly those of a whole
 * network; what differs between them arrives through the straps.
 */
#ifndef UT_SHAPE_H
#define UT_SHAPE_H

#include <stdint.h>

enum { UT_MAX_PORTS = 32, UT_MAX_VCS = 8, UT_MAX_DEPTH = 255, UT_MAX_FLIT_WORDS = 8, UT_MAX_ROUTE_CYCLES = 4 };
enum { UT_MAX_DESTINATIONS = 1024, UT_MAX_DIMENSIONS = 4, UT_MAX_RADIX = 256, UT_MAX_SUB_PATHS = 4, UT_MAX_CUBE = 12 };
enum { UT_MAX_TERMINAL_LINKS = 8 };

/* Deep buffers are most of a switch, and hardly any of their places holds a flit.  Up to so many places lockstep
 * compares all in every cycle; of deeper buffers those that hold flits, and so many places of one buffer, in turn. What
 * is in an empty place can have no effect before it is overwritten, because pointers and counts are compared in every
 * cycle. Simple gates have memories in place of the deeper ones (cost/simple_gates.h). */
enum { UT_WHOLE_BUFFER = 8 };

enum ut_switching { UT_VCT = 0, UT_WORMHOLE = 1 };
enum ut_xbar { UT_XBAR_PORT = 0, UT_XBAR_VC = 1 };
enum ut_side_by_side { UT_PARALLEL_NONE = 0, UT_PARALLEL_STATIC = 1, UT_PARALLEL_DYNAMIC = 2 };

/* Parameters of rtl/ut_switch.v.  `route` and `algorithm` are codes of rtl/algorithms.tsv. */
struct ut_shape {
  unsigned pi;                      /* input ports, 1..UT_MAX_PORTS */
  unsigned po;                      /* output ports, 1..UT_MAX_PORTS */
  unsigned v;                       /* virtual channels of a port, 1..UT_MAX_VCS */
  unsigned depth;                   /* flits of an input VC, 1..UT_MAX_DEPTH */
  unsigned w;                       /* flit bits: a multiple of 64, 64..512 */
  unsigned max_packet;              /* flits of the longest packet, 1..depth under VCT */
  unsigned min_packet;              /* of the shortest one; matters to the bubble rule only */
  unsigned switching;               /* enum ut_switching */
  unsigned route;                   /* routing family */
  unsigned algorithm;               /* algorithm within the family */
  unsigned route_cycles;            /* 0..UT_MAX_ROUTE_CYCLES */
  unsigned alloc_cycles;            /* 1 or 2 */
  unsigned xbar_cycles;             /* 0 or 1 */
  unsigned xbar;                    /* enum ut_xbar */
  unsigned escapes;                 /* escape VCs, 1..UT_MAX_SUB_PATHS: one more than intermediate nodes */
  unsigned deterministic;           /* 1: mechanism D of INTERMEDIATE */
  unsigned misroute;                /* 1: mechanism M */
  unsigned destinations;            /* of forwarding tables, 1..UT_MAX_DESTINATIONS; 0 for other algorithms */
  unsigned size[UT_MAX_DIMENSIONS]; /* nodes in each dimension of a grid, 2..UT_MAX_RADIX; 0: no such one */
  unsigned cube;                    /* bits of a node's number in a hypercube; 0: it is none */
  unsigned radix;    /* k of a network of levels whose links are chosen by bits: a power of two; else 0 */
  unsigned parallel; /* enum ut_side_by_side: which of two links side by side a packet takes */
  unsigned apart;    /* 1: terminals have two ejection links, which lead from different switches */
  unsigned halves;   /* 1: each half of the input ports serves half of the digits */
  unsigned links; /* of a terminal each way, to the same switch, 1..UT_MAX_TERMINAL_LINKS; 1 but in direct networks */
  unsigned local_first; /* 1: packets of terminals go before others in allocation; direct networks only */
};

/* Cycles in which a head goes through an idle switch: from its arrival until it is on the wire behind. */
static inline unsigned ut_shape_hop(const struct ut_shape *p) {
  return 2 + p->route_cycles + p->alloc_cycles - 1 + p->xbar_cycles;
}

#endif
