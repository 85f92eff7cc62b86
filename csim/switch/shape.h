/* shape.h - the elaboration parameters of a switch, the same set and the same names as rtl/ut_switch.v.
 *
 * Depends on nothing.  A shape is constant for a whole network: ONE Verilated class and ONE shape serve every switch,
 * what differs between switches arrives through the straps.
 */
#ifndef UT_SHAPE_H
#define UT_SHAPE_H

#include <stdint.h>

enum { UT_MAX_PORTS = 32, UT_MAX_VCS = 8, UT_MAX_DEPTH = 255, UT_MAX_FLIT_WORDS = 8, UT_MAX_ROUTE_CYCLES = 4 };
enum { UT_MAX_DESTINATIONS = 1024, UT_MAX_DIMENSIONS = 4, UT_MAX_RADIX = 256, UT_MAX_SUB_PATHS = 4 };

enum ut_switching { UT_VCT = 0, UT_WORMHOLE = 1 };
enum ut_xbar { UT_XBAR_PORT = 0, UT_XBAR_VC = 1 };

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
  unsigned xbar;                    /* enum ut_xbar */
  unsigned escapes;                 /* of tori and meshes, 1..UT_MAX_SUB_PATHS: one more than intermediate nodes */
  unsigned deterministic;           /* 1: mechanism D of INTERMEDIATE */
  unsigned misroute;                /* 1: mechanism M */
  unsigned destinations;            /* of forwarding tables, 1..UT_MAX_DESTINATIONS; 0 for other algorithms */
  unsigned size[UT_MAX_DIMENSIONS]; /* nodes in each dimension of a torus or mesh, 2..UT_MAX_RADIX; 0: no such one */
};

#endif
