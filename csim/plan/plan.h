/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - off-line planner of INTERMEDIATE (sections 3 and 4): for a static set of link faults and every pair of nodes
 * the shortest route that cannot meet a fault.
 *
 * A route is a list of sub-paths with intermediate nodes between them.  A sub-path is adaptive (allowed where no fault
 * is on any minimal path), deterministic (mechanism D: no fault on that one path), or either of them after misrouting
 * (M: hops in at most three directions, in direction order, up to eight in each; then only directions may be needed
 * that do not precede the last misrouted one).  With M, deterministic paths take direction order, else dimension order.
 * Equally long routes: the first class of enum ut_plan_class; within a class the fewest sub-paths that are not
 * adaptive, then the intermediate nodes that a hash of the pair puts first, so that load is spread.
 *
 * Lengths of sub-paths stand in matrices of bytes, one row for each node, and the sets T^j, T_RS and T_D of theorem 1
 * are never made: the smallest j for which they meet is the minimum over I of row S plus row D, 32 nodes at a time.
 */
#ifndef UT_PLAN_H
#define UT_PLAN_H

#include "grid.h"

enum { UT_PLAN_MISROUTES = 3, UT_PLAN_MISROUTE_HOPS = 8, UT_PLAN_SUBPATHS = 4 };
enum { UT_PLAN_MAX_NODES = 2048, UT_PLAN_MAX_DIAMETER = 31 }; /* of matrices; beyond them: pair_plan.h */

/* What the route of a pair uses, in the order of preference among equally long ones. */
enum ut_plan_class {
  UT_PLAN_ADAPTIVE, /* no mechanism: the pair needs none */
  UT_PLAN_I,
  UT_PLAN_I2,
  UT_PLAN_I3,
  UT_PLAN_D,
  UT_PLAN_ID,
  UT_PLAN_I2D,
  UT_PLAN_IM,
  UT_PLAN_M,
  UT_PLAN_DM,
  UT_PLAN_IDM,
  UT_PLAN_NONE,      /* there is a path, but no route */
  UT_PLAN_SEPARATED, /* the faults leave no path */
  UT_PLAN_CLASSES
};
extern const char *const ut_plan_class_name[UT_PLAN_CLASSES];

/* Mechanisms that routes may use. */
struct ut_mechanisms {
  const char *name;      /* as on the command line: "I+D" */
  unsigned intermediate; /* nodes, 0..3 */
  bool deterministic, misroute;
  bool direction_order; /* order of deterministic paths; always direction order with misrouting */
};

enum { UT_MECHANISM_SETS = 10 };
extern const struct ut_mechanisms ut_mechanism_sets[UT_MECHANISM_SETS];
/* Returns the set of that name; NULL: there is none. */
const struct ut_mechanisms *ut_mechanisms_find(const char *name);
/* Returns whether routes may be of that class. */
bool ut_plan_allows(const struct ut_mechanisms *mechanisms, enum ut_plan_class class);

struct ut_subpath {
  uint32_t target;
  bool deterministic;
  uint8_t misroutes;
  struct {
    uint8_t direction, hops;
  } misroute[UT_PLAN_MISROUTES];
};

struct ut_plan_route {
  enum ut_plan_class class;
  unsigned length, subpaths; /* subpaths 0: NONE or SEPARATED */
  struct ut_subpath subpath[UT_PLAN_SUBPATHS];
};

/* Counts of pairs (from, to) with routes of each class; a node with itself counts as ADAPTIVE. */
struct ut_plan_counts {
  uint64_t pairs[UT_PLAN_CLASSES];
};

/* Makes a planner for one network and one set of mechanisms; g must stay valid until ut_plan_free().  Returns NULL and
 * fills *e (UT_BAD_INPUT) if the network is too large for it (ut_plan_fits()). */
struct ut_plan;
struct ut_plan *ut_plan_new(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms, struct ut_error *e);
void ut_plan_free(struct ut_plan *plan);
bool ut_plan_fits(const struct ut_grid *grid);

/* Sets the faults: numbers of links, each at most once. */
void ut_plan_set_faults(struct ut_plan *plan, const uint32_t *link, unsigned count);

/* Returns the class of the best route, and its length if there is a route. */
enum ut_plan_class ut_plan_classify(struct ut_plan *plan, uint32_t from, uint32_t to, unsigned *length);

/* Returns whether the deterministic path of a pair has no fault, whatever the mechanisms. */
bool ut_plan_one_way_works(const struct ut_plan *plan, uint32_t from, uint32_t to);

/* The best route itself. */
void ut_plan_route(struct ut_plan *plan, uint32_t from, uint32_t to, struct ut_plan_route *route);

/* Counts all pairs.  Returns false, with incomplete counts, at the first pair that has a path but no route. */
bool ut_plan_count(struct ut_plan *plan, struct ut_plan_counts *counts);

/* Returns node number n = 0, 1, 2 ... in the order in which intermediate nodes of a pair are tried: another one for
 * each pair, so that equally good nodes share the load.  A prime above the largest radix visits all of them. */
static inline uint32_t ut_plan_candidate(uint32_t nodes, uint32_t s, uint32_t d, uint32_t n) {
  uint32_t start = (s * UINT32_C(0x9e3779b1)) ^ (d * UINT32_C(0x85ebca77));
  start ^= start >> 15;
  return (start * UINT32_C(0xc2b2ae3d) % nodes + n * 7919) % nodes;
}

/* Bits of a terminal's table entry for the longest route that the mechanisms allow: destination, then for each sub-path
 * its target, whether there is another one, a bit for D, and for M three directions and hops of three bits each (figure
 * 8 and section 5.2).  Entries are needed for affected destinations only. */
unsigned ut_plan_entry_bits(const struct ut_grid *grid, const struct ut_mechanisms *mechanisms);

/* Returns the bits of the whole table of a node's terminal under the present faults: entries of its affected
 * destinations. */
uint64_t ut_plan_table_bits(struct ut_plan *plan, uint32_t from);

#endif
