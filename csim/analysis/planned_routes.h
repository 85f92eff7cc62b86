/* planned_routes.h - what terminals load: the planner's routes as header words. */
#ifndef UT_PLANNED_ROUTES_H
#define UT_PLANNED_ROUTES_H

#include "error.h"
#include "scenario.h"

/* Plans the routes of a scenario with mechanisms (INTERMEDIATE) for the links that are down in its cycle 0, and leaves
 * them in s->paths; nothing to do for other scenarios.  -1 and *e (UT_BAD_INPUT) when the planner does not know such a
 * network, or memory ran out. */
int ut_plan_scenario(struct ut_scenario *s, struct ut_error *e);

#endif
