/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_points.c - see hunt_points.h */
#include "hunt_points.h"

#include <string.h>

#include "coverage.h"
#include "scenario_read.h"
#include "store.h"
#include "topology_build.h"

static int take(void *ctx, const char *name, double value) {
  static const char group[] = "cover_points.";
  struct ut_hunt_points *points = ctx;
  const bool is_point = !strncmp(name, group, strlen(group)) && value > 0;
  for (unsigned i = 0; is_point && i < SPEC_COVER_POINTS; i++)
    if (!strcmp(name + strlen(group), spec_cover_texts[i].name))
      points->hit[i] = points->applies[i] = true;
  return 0;
}

/* By point; false: nothing can be said of the scenario. */
static bool find_applicable(const char *text, bool applies[SPEC_COVER_POINTS]) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_scenario *scenario = ut_scenario_parse(text, strlen(text), "hunt", NULL);
  const int count = scenario ? ut_scenario_elaborations(scenario, elaboration, shape, NULL) : -1;
  for (unsigned i = 0; count > 0 && i < SPEC_COVER_POINTS; i++)
    applies[i] = ut_coverage_applies(scenario, shape, (unsigned)count, i);
  ut_scenario_free(scenario);
  return count > 0;
}

void ut_hunt_points_add(struct ut_hunt_points *points, const char *scenario, const char *json) {
  bool applies[SPEC_COVER_POINTS];
  if (find_applicable(scenario, applies))
    for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
      points->applies[i] |= applies[i];
  ut_store_numbers(json, take, points);
}

unsigned ut_hunt_points_missing(const struct ut_hunt_points *points, const char *scenario) {
  bool applies[SPEC_COVER_POINTS];
  unsigned missing = 0;
  if (find_applicable(scenario, applies))
    for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
      missing += applies[i] && !points->hit[i];
  return missing;
}
