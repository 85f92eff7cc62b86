/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_output.c - see scenario_output.h */
#include "scenario_output.h"
#include "scenario.h"

#include <inttypes.h>

#include "scenario_switches.h"

json_t *ut_scenario_result(const struct ut_scenario *scenario) {
  char name[UT_NETWORK_NAME_SIZE];
  return UT_OBJECT(
      {"scenario", ut_string(scenario->path)}, {"_network", ut_string(ut_scenario_network(scenario, name))},
      {"_algorithm", ut_string(scenario->routing.algorithm)},
      {"_load", ut_format("%.4g", scenario->traffic.load_flits_per_cycle)}, {"_vcs", ut_int(scenario->sw.vcs)});
}

/* ---- planes */

const char *ut_bypass_text(const struct ut_scenario *scenario, char text[UT_BYPASS_SIZE]) {
  int used = snprintf(text, UT_BYPASS_SIZE, "%u plane%s switched off, %u nodes:", scenario->bypass.count,
                      scenario->bypass.count == 1 ? "" : "s", scenario->bypass.nodes_off);
  for (unsigned i = 0; i < scenario->bypass.count && used < UT_BYPASS_SIZE; i++)
    used += snprintf(text + used, (size_t)(UT_BYPASS_SIZE - used), " %c=%u",
                     "xyzt"[scenario->bypass.plane[i].dimension], scenario -> bypass.plane[i].coordinate);
  return text;
}

json_t *ut_bypass_json(const struct ut_scenario *scenario) {
  char text[UT_BYPASS_SIZE];
  if (!scenario->routing.plane_bypass)
    return NULL;
  json_t *planes = json_array();
  for (unsigned i = 0; i < scenario->bypass.count; i++)
    json_array_append_new(planes, UT_OBJECT({"dimension", ut_int(scenario->bypass.plane[i].dimension)},
                                            {"coordinate", ut_int(scenario->bypass.plane[i].coordinate)}));
  return UT_OBJECT({"planes", planes}, {"nodes_off", ut_int(scenario->bypass.nodes_off)},
                   {"_text", ut_string(ut_bypass_text(scenario, text))});
}

/* ---- faults */

const char *ut_outage_line(const struct ut_topology *topo, const struct ut_outage *outage,
                           char text[UT_OUTAGE_LINE_SIZE]) {
  char name[UT_OUTAGE_NAME_SIZE];
  ut_outage_name(topo, outage, name);
  if (outage->until == UINT64_MAX)
    snprintf(text, UT_OUTAGE_LINE_SIZE, "%s from cycle %" PRIu64 " on", name, outage->from);
  else
    snprintf(text, UT_OUTAGE_LINE_SIZE, "%s in cycles %" PRIu64 "-%" PRIu64, name, outage->from, outage->until - 1);
  return text;
}

json_t *ut_outages_json(const struct ut_topology *topo, const struct ut_outage *list, size_t count) {
  char text[UT_OUTAGE_LINE_SIZE];
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct ut_outage *outage = &list[i];
    const bool link = outage->kind == UT_FAULT_LINK;
    json_t *place =
        UT_OBJECT({"level", ut_int(topo->level[outage->sw])}, {"switch", ut_int(topo->position[outage->sw])},
                  {"port", link ? ut_int(outage->port) : NULL});
    json_array_append_new(array, UT_OBJECT({link ? "link" : "switch", place}, {"at", ut_int(outage->from)},
                                           {"until", ut_int_if(outage->until != UINT64_MAX, outage->until)},
                                           {"_text", ut_string(ut_outage_line(topo, outage, text))}));
  }
  return array;
}
