/* SPDX-License-Identifier: Apache-2.0 */
/* planned_routes.h - the route tables that terminals load: the planner's routes as header words. */
#ifndef UT_PLANNED_ROUTES_H
#define UT_PLANNED_ROUTES_H

#include "error.h"
#include "pair_plan.h"
#include "paths.h"
#include "plan.h"

struct ut_scenario;

/* A planner that plans for one network repeatedly. */
struct ut_route_planner {
  struct ut_grid *grid;
  struct ut_plan *plan;           /* or, */
  struct ut_pair_plan *pair_plan; /* where the network is too large for it */
  unsigned local, entry_bits;
  bool one_way; /* the algorithm has one path for each pair: other paths need not work */
};

/* For a scenario with mechanisms (ut_scenario_planned()) and its network.  Returns -1 and fills *e (UT_BAD_INPUT) if
 * the planner does not support the network, or when out of memory. */
int ut_route_planner_init(struct ut_route_planner *planner, const struct ut_scenario *scenario,
                          const struct ut_topology *topo, struct ut_error *e);
void ut_route_planner_free(struct ut_route_planner *planner);

/* Returns the routes while these links are down; the caller frees them.  Those of more than UT_PLAN_MAX_NODES nodes are
 * planned when they are asked for: they keep the planner, which must be made anew to plan again.  NULL: *e says why. */
struct ut_paths *ut_route_planner_plan(struct ut_route_planner *planner, const uint32_t *down, unsigned count,
                                       struct ut_error *e);

/* Plans the routes of a scenario with mechanisms for the links that are down in its cycle 0, and leaves them in
 * scenario->paths; nothing to do for other scenarios.  -1 and *e as above. */
int ut_plan_scenario(struct ut_scenario *scenario, struct ut_error *e);

#endif
