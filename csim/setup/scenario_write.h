/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_write.h - a scenario as the text of a file, that describes it completely: reading the text gives an equal
 * scenario (tests/setup/test_scenario_write.c). */
#ifndef UT_SCENARIO_WRITE_H
#define UT_SCENARIO_WRITE_H

#include <stdio.h>

struct ut_scenario;

/* Writes all sections, one key in a line: those keys that the scenario's topology, algorithm and pattern accept, in the
 * order of scenario_keys.h.  The traffic's file is named relative to the folder of scenario->path.  Planes that have
 * been switched off (scenario->bypass) are no longer there. */
void ut_scenario_write(FILE *f, const struct ut_scenario *scenario);
/* Writes the same without keys that have their defaults. */
void ut_scenario_write_short(FILE *f, const struct ut_scenario *scenario);

#endif
