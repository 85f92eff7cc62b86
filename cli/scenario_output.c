/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_output.c - see scenario_output.h */
#include "scenario_output.h"
#include "scenario.h"

#include <inttypes.h>

#include "scenario_switches.h"

json_t *ut_scenario_result(const struct ut_scenario *s) {
  char name[UT_NETWORK_NAME_SIZE];
  return UT_OBJECT({"scenario", ut_string(s->path)}, {"_network", ut_string(ut_scenario_network(s, name))},
                   {"_algorithm", ut_string(s->routing.algorithm)},
                   {"_load", ut_format("%.4g", s->traffic.load_flits_per_cycle)}, {"_vcs", ut_int(s->sw.vcs)});
}

/* ---- planes */

const char *ut_bypass_text(const struct ut_scenario *s, char text[UT_BYPASS_SIZE]) {
  int used = snprintf(text, UT_BYPASS_SIZE, "%u plane%s switched off, %u nodes:", s->bypass.count,
                      s->bypass.count == 1 ? "" : "s", s->bypass.nodes_off);
  for (unsigned i = 0; i < s->bypass.count && used < UT_BYPASS_SIZE; i++)
    used += snprintf(text + used, (size_t)(UT_BYPASS_SIZE - used), " %c=%u", "xyzt"[s->bypass.plane[i].dimension],
                     s -> bypass.plane[i].coordinate);
  return text;
}

json_t *ut_bypass_json(const struct ut_scenario *s) {
  char text[UT_BYPASS_SIZE];
  if (!s->routing.plane_bypass)
    return NULL;
  json_t *planes = json_array();
  for (unsigned i = 0; i < s->bypass.count; i++)
    json_array_append_new(planes, UT_OBJECT({"dimension", ut_int(s->bypass.plane[i].dimension)},
                                            {"coordinate", ut_int(s->bypass.plane[i].coordinate)}));
  return UT_OBJECT({"planes", planes}, {"nodes_off", ut_int(s->bypass.nodes_off)},
                   {"_text", ut_string(ut_bypass_text(s, text))});
}

/* ---- faults */

const char *ut_outage_line(const struct ut_topology *t, const struct ut_outage *o, char text[UT_OUTAGE_LINE_SIZE]) {
  char name[UT_OUTAGE_NAME_SIZE];
  ut_outage_name(t, o, name);
  if (o->until == UINT64_MAX)
    snprintf(text, UT_OUTAGE_LINE_SIZE, "%s from cycle %" PRIu64 " on", name, o->from);
  else
    snprintf(text, UT_OUTAGE_LINE_SIZE, "%s in cycles %" PRIu64 "-%" PRIu64, name, o->from, o->until - 1);
  return text;
}

json_t *ut_outages_json(const struct ut_topology *t, const struct ut_outage *list, size_t count) {
  char text[UT_OUTAGE_LINE_SIZE];
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct ut_outage *o = &list[i];
    const bool link = o->kind == UT_FAULT_LINK;
    json_t *place = UT_OBJECT({"level", ut_int(t->level[o->sw])}, {"switch", ut_int(t->position[o->sw])},
                              {"port", link ? ut_int(o->port) : NULL});
    json_array_append_new(array, UT_OBJECT({link ? "link" : "switch", place}, {"at", ut_int(o->from)},
                                           {"until", ut_int_if(o->until != UINT64_MAX, o->until)},
                                           {"_text", ut_string(ut_outage_line(t, o, text))}));
  }
  return array;
}
