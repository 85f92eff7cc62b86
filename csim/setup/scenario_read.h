/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_read.h - reads a scenario file into the values of scenario.h (docs/reference/scenario.md).
 *
 * Unknown keys, wrong types and impossible combinations are errors with file, line, column, the offending line and the
 * nearest known name.
 */
#ifndef UT_SCENARIO_READ_H
#define UT_SCENARIO_READ_H

#include <stddef.h>

#include "error.h"

struct ut_scenario;

/* Reads and checks `path`.  NULL and *e on failure (UT_BAD_INPUT). */
struct ut_scenario *ut_scenario_load(const char *path, struct ut_error *e);
/* Reads the same from memory; `path` is used in messages and to resolve file names. */
struct ut_scenario *ut_scenario_parse(const char *text, size_t length, const char *path, struct ut_error *e);
void ut_scenario_free(struct ut_scenario *scenario);

#endif
