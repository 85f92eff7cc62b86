/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_plan.h - the order of random scenarios: families in turn, and within each family its shapes in the order of
 * shapes.c.
 *
 * A shape needs a model of the RTL, which takes as long to build as some hundred scenarios: once it exists, several
 * scenarios of the shape follow.  After the last shape the plan begins again with other seeds. */
#ifndef UT_HUNT_PLAN_H
#define UT_HUNT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "shapes.h"

/* A scenario; its seed is the hunt's first seed + `number`. */
struct ut_hunt_ticket {
  unsigned shape, number;
};

struct ut_hunt_plan {
  unsigned families; /* set of families, by their numbers */
  unsigned beside;   /* shapes that are built at the same time: as many as there are jobs */
  unsigned at_once;  /* scenarios of a shape, one after the other */
  bool once;         /* the plan ends then; otherwise it begins again with other seeds */
  unsigned *order;   /* [shapes]: families in turn */
  bool *left_out;    /* [ut_hunt_shape_count] */
  unsigned shapes;
  uint64_t next;
};

/* most: limit on the number of shapes, 0: all; each: scenarios of each shape, after which the plan ends, 0: it never
 * ends. Returns false when out of memory. */
bool ut_hunt_plan_start(struct ut_hunt_plan *plan, unsigned families, unsigned beside, unsigned most, unsigned each);
void ut_hunt_plan_end(struct ut_hunt_plan *plan);
/* Returns false when every shape is left out, or has had its scenarios. */
bool ut_hunt_plan_next(struct ut_hunt_plan *plan, struct ut_hunt_ticket *ticket);
/* Leaves out the remaining scenarios of a shape. */
void ut_hunt_plan_leave_out(struct ut_hunt_plan *plan, unsigned shape);

#endif
