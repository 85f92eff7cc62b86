/* SPDX-License-Identifier: Apache-2.0 */
/* faults_output.h - the faults of a scenario as text and as JSON, for `trace` and `net`. */
#ifndef UT_FAULTS_OUTPUT_H
#define UT_FAULTS_OUTPUT_H

#include <jansson.h>

#include "outages.h"

/* [{"link": {"level", "switch", "port"}, "at", "until"}, {"switch": {"level", "switch"}, ...}], as in a scenario;
 * "until" is null for a permanent fault. */
json_t *ut_outages_json(const struct ut_topology *t, const struct ut_outage *list, size_t count);

enum { UT_OUTAGE_LINE_SIZE = 128 };
/* "link 0.0-1.0 from cycle 20 on" */
const char *ut_outage_line(const struct ut_topology *t, const struct ut_outage *o, char text[UT_OUTAGE_LINE_SIZE]);
/* The list on standard output, a fault a line. */
void ut_outages_print(const struct ut_topology *t, const struct ut_outage *list, size_t count);

#endif
