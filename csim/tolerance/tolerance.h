/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.h - how many link faults a network tolerates: the share of fault sets that disconnect some pair, for the
 * scenario's algorithm, for reconfiguration, and physically (REROUTE figure 11; docs/reference/tolerance.md). */
#ifndef UT_TOLERANCE_H
#define UT_TOLERANCE_H

#include "fault_sets.h"
#include "parallel.h"

struct ut_scenario;

enum ut_method {
  UT_LOCAL,           /* the algorithm; other packets have set no bits of the re-route vectors */
  UT_LOCAL_SHARED,    /* ... with any bits that other packets can have set, and never cleared */
  UT_RECONFIGURATION, /* new tables give some pair no path: in a tree none goes up, then down */
  UT_PHYSICAL,        /* some pair has no path at all */
  UT_METHODS
};
extern const char *const ut_method_name[UT_METHODS];

struct ut_tolerance {
  uint64_t sets[UT_MAX_BLOCKS];
  uint64_t not_tolerated[UT_MAX_BLOCKS][UT_METHODS]; /* by block of the space */
};

/* Examines all fault sets of the space; of `parallel`, workers, stop, progress and ctx are used. */
int ut_tolerance_run(const struct ut_scenario *scenario, const struct ut_topology *topo,
                     const struct ut_fault_space *space, const struct ut_parallel *parallel,
                     struct ut_tolerance *result, struct ut_error *e);

/* Clopper-Pearson interval of a probability of which `hits` of `trials` were seen. */
void ut_confidence(uint64_t hits, uint64_t trials, double level, double *low, double *high);

/* Returns, for one fault set, which methods fail.  Used by ut_tolerance_run() and by tests. */
struct ut_tolerance_test;
struct ut_tolerance_test *ut_tolerance_test_new(const struct ut_scenario *scenario, const struct ut_topology *topo,
                                                struct ut_error *e);
int ut_tolerance_test_set(struct ut_tolerance_test *test, const struct ut_fault_set *set, bool fails[UT_METHODS],
                          struct ut_error *e);
void ut_tolerance_test_free(struct ut_tolerance_test *test);

#endif
