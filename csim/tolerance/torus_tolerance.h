/* SPDX-License-Identifier: Apache-2.0 */
/* torus_tolerance.h - how many combinations of link faults the mechanisms of INTERMEDIATE do not tolerate, and which
 * mechanisms the affected paths use (tables 2 and 3; docs/results/torus_tolerance.md).
 *
 * A fault set is tolerated when every pair of nodes that it does not separate has a route.  Up to 128 links and nodes
 * fault sets are enumerated as a tree, one more fault at a time: lists of routes (route_lists.h) tell for every pair in
 * a step or two whether the route that it uses is the next fault's victim, and what it uses instead.  In a torus all
 * pairs of the same offset share a list.  Of the sets that symmetries of network and mechanisms (symmetry.h) make of
 * each other only the lexicographically first is looked at, and counted as often as there are such sets; because the
 * beginning of such a set is one, too, whole branches of the tree are left out.  Larger networks are planned set by set
 * (plan.h).
 */
#ifndef UT_TORUS_TOLERANCE_H
#define UT_TORUS_TOLERANCE_H

#include "parallel.h"
#include "plan.h"

enum { UT_TORUS_MAX_FAULTS = 64 };

enum ut_fault_model {
  UT_MODEL_EXHAUSTIVE, /* all sets of links */
  UT_MODEL_REGION,     /* all sets of the links of the nodes one hop from a node, which is node 0; tori only */
  UT_MODEL_SAMPLED,    /* random sets of links */
  UT_MODEL_REGION_SAMPLED,
  UT_FAULT_MODELS
};

struct ut_torus_request {
  const struct ut_mechanisms *mechanisms;
  enum ut_fault_model model;
  unsigned faults[2]; /* from, to */
  uint64_t samples;   /* for each number of faults */
  uint64_t seed;
  bool no_symmetry; /* every set itself; for tests */
  bool no_lists;    /* the planner for every set; for tests */
};

/* One number of faults. */
struct ut_torus_point {
  uint64_t sets, not_tolerated;
  uint64_t pairs[UT_PLAN_CLASSES]; /* of all tolerated sets together: pairs whose best route is of that class */
};
struct ut_torus_tolerance {
  struct ut_torus_point point[UT_TORUS_MAX_FAULTS + 1]; /* by number of faults */
};

/* Writes the numbers of the links that can fail in the model into link[grid->links]; returns how many. */
unsigned ut_torus_links(const struct ut_grid *grid, enum ut_fault_model model, uint32_t *link);

/* Returns the fault sets with that number of faults in that model; UINT64_MAX: that many or more. */
uint64_t ut_torus_sets(const struct ut_grid *grid, const struct ut_torus_request *request, unsigned faults);

/* Draws sample number i, of that many of the model's links, ascending: a pure function of seed, number of faults and
 * i. */
void ut_torus_draw(uint64_t seed, unsigned faults, uint64_t i, unsigned links, uint32_t *chosen);

/* Of `parallel`, workers, stop, progress and ctx are used.  Returns -1 and fills *e (UT_BAD_INPUT) for an impossible
 * request. */
int ut_torus_tolerance_run(const struct ut_grid *grid, const struct ut_torus_request *request,
                           const struct ut_parallel *parallel, struct ut_torus_tolerance *result, struct ut_error *e);

#endif
