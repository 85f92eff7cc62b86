/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.c - see scenario.h */
#include "scenario.h"

const char *ut_scenario_path(const struct ut_scenario *scenario) {
  return scenario->path;
}

uint64_t ut_scenario_seed(const struct ut_scenario *scenario) {
  return scenario->run.seed;
}

struct ut_length_rule ut_scenario_lengths(const struct ut_scenario *scenario) {
  return (struct ut_length_rule){.kind = scenario->sw.distribution,
                                 .min = scenario->sw.shortest_packet_flits,
                                 .max = scenario->sw.packet_flits,
                                 .mean = scenario->sw.mean_flits,
                                 .long_fraction = scenario->sw.long_fraction};
}

bool ut_scenario_planned(const struct ut_scenario *scenario) {
  return scenario->routing.intermediate || scenario->routing.deterministic || scenario->routing.misroute;
}

bool ut_scenario_has_via(const struct ut_scenario *scenario) {
  return ut_planning_via(&scenario->routing.planning, 2, false) > 0;
}
