/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_output.h - what the results of several commands say of a scenario: its network, switched-off planes, faults.
 */
#ifndef UT_SCENARIO_OUTPUT_H
#define UT_SCENARIO_OUTPUT_H

#include "outages.h"
#include "result.h"

struct ut_scenario;

/* A result that begins with "scenario"; for the text _network, _algorithm, _load, _vcs. */
json_t *ut_scenario_result(const struct ut_scenario *scenario);

/* The planes that were switched off; NULL: the scenario has no `plane_bypass`. */
json_t *ut_bypass_json(const struct ut_scenario *scenario);
/* The same as a text: "1 plane switched off, 4 nodes: x=1". */
enum { UT_BYPASS_SIZE = 512 };
const char *ut_bypass_text(const struct ut_scenario *scenario, char text[UT_BYPASS_SIZE]);
#define UT_BYPASS_LAYOUT "{?plane_bypass}  bypass      {plane_bypass._text}\n{/}"

/* [{"link": {"level", "switch", "port"}, "at", "until"}, {"switch": {"level", "switch"}, ...}], as in a scenario;
 * "until" is null for a permanent fault. */
json_t *ut_outages_json(const struct ut_topology *topo, const struct ut_outage *list, size_t count);
enum { UT_OUTAGE_LINE_SIZE = UT_OUTAGE_NAME_SIZE + 64 };
/* "link 0.0-1.0 from cycle 20 on" */
const char *ut_outage_line(const struct ut_topology *topo, const struct ut_outage *outage,
                           char text[UT_OUTAGE_LINE_SIZE]);
#define UT_OUTAGES_LAYOUT "  faults      {?faults}{#faults}{_text}{\n              }{/}{:}none{/}\n"

#endif
