/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_plan.h - which random scenario is next: families in turn, and of each family its shapes in the order of
 * shapes.c.
 *
 * A shape costs a model of the RTL, which takes as long to build as some hundred scenarios: once it is there, several
 * scenarios follow at once.  When all shapes have had theirs, it begins anew with other seeds. */
#ifndef UT_HUNT_PLAN_H
#define UT_HUNT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "shapes.h"

/* A scenario: its seed is the first one of the hunt + `number`. */
struct ut_hunt_ticket {
  unsigned shape, number;
};

struct ut_hunt_plan {
  unsigned families; /* set of families, by their numbers */
  unsigned beside;   /* shapes that are built at the same time: as many as there are jobs */
  unsigned at_once;  /* scenarios of a shape, one after the other */
  bool once;         /* then it is over; or it begins anew with other seeds */
  unsigned *order;   /* [shapes]: families in turn */
  bool *left_out;    /* [ut_hunt_shape_count] */
  unsigned shapes;
  uint64_t next;
};

/* most: only so many shapes, 0: all; each: scenarios of each, then it is over, 0: never.  false: out of memory. */
bool ut_hunt_plan_start(struct ut_hunt_plan *plan, unsigned families, unsigned beside, unsigned most, unsigned each);
void ut_hunt_plan_end(struct ut_hunt_plan *plan);
/* false: every shape is left out, or has had its scenarios. */
bool ut_hunt_plan_next(struct ut_hunt_plan *plan, struct ut_hunt_ticket *ticket);
/* No scenarios of it any more. */
void ut_hunt_plan_leave_out(struct ut_hunt_plan *plan, unsigned shape);

#endif
