/* SPDX-License-Identifier: Apache-2.0 */
/* replanner.h - plans routes during a run.  The planner stands above the networks that need it (csim/plan), so the
 * scenario that they share carries it.
 */
#ifndef UT_REPLANNER_H
#define UT_REPLANNER_H

struct ut_faults; /* faults.h */
struct ut_paths;  /* paths.h */

struct ut_replanner {
  void *self;
  /* Returns the routes for the links that are down now; they live as long as the planner, and the same links give the
   * same routes.  NULL: out of memory.  Networks of one scenario must not call it at once. */
  const struct ut_paths *(*plan)(void *self, const struct ut_faults *faults);
  void (*free)(void *self); /* NULL: there is no planner */
};

#endif
