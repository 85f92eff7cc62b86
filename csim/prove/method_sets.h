/* SPDX-License-Identifier: Apache-2.0 */
/* method_sets.h - the method of proof by sets of destinations: its data about a fault set. */
#ifndef UT_METHOD_SETS_H
#define UT_METHOD_SETS_H

#include "dependency.h"
#include "method.h"
#include "up_down.h"

struct ut_by_sets {
  struct ut_reach reach; /* of the fault set that was examined last */
  struct ut_dependencies dependencies;
  struct ut_up_down up_down;
};

/* Of a prover with this method. */
static inline struct ut_by_sets *ut_by_sets(const struct ut_prover *prover) {
  return prover->own;
}

/* Finds counter-examples (example_sets.c). */
bool ut_example_by_sets(struct ut_prover *prover, struct ut_counter_example *example);

#endif
