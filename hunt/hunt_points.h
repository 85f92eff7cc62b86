/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_points.h - which cover points the scenarios of a hunt have hit (spec/cover_points.tsv), and which of those that
 * apply to one are missing yet. */
#ifndef UT_HUNT_POINTS_H
#define UT_HUNT_POINTS_H

#include <stdbool.h>

#include "cover_points.h"

struct ut_hunt_points {
  bool applies[SPEC_COVER_POINTS]; /* to a scenario that has been run */
  bool hit[SPEC_COVER_POINTS];
};

/* Of a scenario (YAML) that has been run: json, what `uturn cosim --cover-points --json` says of it. */
void ut_hunt_points_add(struct ut_hunt_points *points, const char *scenario, const char *json);
/* How many points apply to the scenario that nothing has hit. */
unsigned ut_hunt_points_missing(const struct ut_hunt_points *points, const char *scenario);

#endif
