/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_points.h - the cover points that the scenarios of a hunt have hit (spec/cover_points.tsv), and the missing ones
 * that apply to a scenario. */
#ifndef UT_HUNT_POINTS_H
#define UT_HUNT_POINTS_H

#include <stdbool.h>

#include "cover_points.h"

struct ut_hunt_points {
  bool applies[SPEC_COVER_POINTS]; /* to a scenario that has been run */
  bool hit[SPEC_COVER_POINTS];
};

/* Adds the hits of a scenario (YAML) that has been run; json: the output of `uturn cosim --cover-points --json`. */
void ut_hunt_points_add(struct ut_hunt_points *points, const char *scenario, const char *json);
/* Returns how many points that apply to the scenario have no hit yet. */
unsigned ut_hunt_points_missing(const struct ut_hunt_points *points, const char *scenario);

#endif
