/* SPDX-License-Identifier: Apache-2.0 */
/* faults_output.c - the faults of a scenario as text and as JSON, for `trace` and `net`. */
#include <inttypes.h>
#include <stdio.h>

#include "faults_output.h"

#include "fault_entry.h"

json_t *ut_outages_json(const struct ut_topology *t, const struct ut_outage *list, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct ut_outage *o = &list[i];
    json_t *place = json_pack("{s:i,s:i}", "level", (int)t->level[o->sw], "switch", (int)t->position[o->sw]);
    if (o->kind == UT_FAULT_LINK)
      json_object_set_new(place, "port", json_integer(o->port));
    json_t *entry =
        json_pack("{s:o,s:I}", o->kind == UT_FAULT_LINK ? "link" : "switch", place, "at", (json_int_t)o->from);
    json_object_set_new(entry, "until", o->until == UINT64_MAX ? json_null() : json_integer((json_int_t)o->until));
    json_array_append_new(array, entry);
  }
  return array;
}

const char *ut_outage_line(const struct ut_topology *t, const struct ut_outage *o, char text[UT_OUTAGE_LINE_SIZE]) {
  char name[UT_OUTAGE_NAME_SIZE];
  ut_outage_name(t, o, name);
  if (o->until == UINT64_MAX)
    snprintf(text, UT_OUTAGE_LINE_SIZE, "%s from cycle %" PRIu64 " on", name, o->from);
  else
    snprintf(text, UT_OUTAGE_LINE_SIZE, "%s in cycles %" PRIu64 "-%" PRIu64, name, o->from, o->until - 1);
  return text;
}

void ut_outages_print(const struct ut_topology *t, const struct ut_outage *list, size_t count) {
  char text[UT_OUTAGE_LINE_SIZE];
  if (!count)
    printf("  faults      none\n");
  for (size_t i = 0; i < count; i++)
    printf("  %-11s %s\n", i ? "" : "faults", ut_outage_line(t, &list[i], text));
}
