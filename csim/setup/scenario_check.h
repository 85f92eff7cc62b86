/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_check.h - refuses impossible combinations of a scenario's keys. */
#ifndef UT_SCENARIO_CHECK_H
#define UT_SCENARIO_CHECK_H

#include "error.h"

struct ut_document;
struct ut_scenario;

/* Checks a scenario and builds its network, scenario->built.  document: the document of the scenario, to name the
 * place; NULL: the messages name the key only.  0, or -1 and *e. */
int ut_scenario_check(struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e);
/* Checks a load that was set after reading.  0, or -1 and *e. */
int ut_scenario_check_load(const struct ut_scenario *scenario, struct ut_error *e);
/* Checks faults that were added after reading.  Returns 0, or -1 and fills *e. */
int ut_scenario_check_faults(const struct ut_scenario *scenario, struct ut_error *e);

#endif
