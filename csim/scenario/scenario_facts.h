/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_facts.h - what rooms ask of a scenario that need not know its keys.  Its network: topology_build.h; its
 * switches: scenario_switches.h. */
#ifndef UT_SCENARIO_FACTS_H
#define UT_SCENARIO_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct ut_scenario;

/* Its file, as given: for messages. */
const char *ut_scenario_path(const struct ut_scenario *scenario);
uint64_t ut_scenario_seed(const struct ut_scenario *scenario);
/* Whether routes must be planned (ut_plan_scenario()) before a network is made. */
bool ut_scenario_planned(const struct ut_scenario *scenario);

/* Whether packets go to an intermediate terminal first (planners valiant, ugal). */
bool ut_scenario_has_via(const struct ut_scenario *scenario);

#endif
