/* SPDX-License-Identifier: Apache-2.0 */
/* registers_json.c - see registers_json.h */
#include "registers_json.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"

/* Where a text is written that is a register's values; NULL: out of memory. */
struct values {
  FILE *file;
  char *text;
  size_t size;
};

/* Writes "5:1f", in the first cycle "1f"; both values if they differ: "1f/1e". */
static void put_change(FILE *f, const struct ut_register_record *record, const struct ut_register_change *change) {
  if (change->cycle != record->from)
    fprintf(f, " %" PRIu64 ":", change->cycle - record->from);
  fprintf(f, "%" PRIx64, change->device);
  if (change->device != change->golden)
    fprintf(f, "/%" PRIx64, change->golden);
}

/* Behind each other: the changes of each register. */
static json_t *values_json(const struct ut_register_record *record,
                           const struct ut_recorded_registers *recorded_registers) {
  const size_t registers = recorded_registers->view.registers;
  struct values *to = calloc(registers + 1, sizeof *to);
  bool good = to != NULL;
  for (size_t i = 0; good && i < registers; i++)
    good = (to[i].file = ut_memory_open(&to[i].text, &to[i].size)) != NULL;
  for (size_t i = 0; good && i < recorded_registers->changes; i++)
    put_change(to[recorded_registers->change[i].reg].file, record, &recorded_registers->change[i]);
  json_t *array = json_array();
  for (size_t i = 0; to && i < registers; i++) {
    good &= to[i].file && !ut_memory_close(to[i].file, &to[i].text);
    if (good)
      json_array_append_new(array, json_string(to[i].text));
    free(to[i].text);
  }
  free(to);
  if (good)
    return array;
  json_decref(array);
  return NULL;
}

static bool same_names(const struct ut_register_view *a, const struct ut_register_view *b) {
  bool same = a->registers == b->registers;
  for (size_t i = 0; same && i < a->registers; i++)
    same = !strcmp(a->name[i].path, b->name[i].path);
  return same;
}

static json_t *names_json(const struct ut_register_view *view) {
  json_t *array = json_array();
  for (size_t i = 0; i < view->registers; i++)
    json_array_append_new(array, json_string(view->name[i].path));
  return array;
}

/* Returns the number of its list of names: that of the first switch with the same list. */
static json_int_t add_names(json_t *lists, const struct ut_register_record *record, unsigned n, json_int_t *list) {
  for (unsigned i = 0; i < n; i++)
    if (same_names(&record->of[i].view, &record->of[n].view))
      return list[n] = list[i];
  json_array_append_new(lists, names_json(&record->of[n].view));
  return list[n] = (json_int_t)json_array_size(lists) - 1;
}

static json_t *mismatch_json(const struct ut_register_record *record) {
  if (!record->mismatch)
    return json_null();
  const size_t length = strcspn(record->report, "\n");
  return json_pack("{s:I,s:o,s:s%}", "cycle", (json_int_t)record->cycle, "switch",
                   record->sw == UINT32_MAX ? json_null() : json_integer(record->sw), "text", record->report, length);
}

json_t *ut_registers_json(const struct ut_register_record *record) {
  json_int_t *list = calloc(record->switches + 1, sizeof *list);
  json_t *names = json_array(), *switches = json_array();
  bool good = list != NULL;
  for (unsigned i = 0; good && i < record->switches; i++) {
    json_t *values = values_json(record, &record->of[i]);
    good = values != NULL;
    if (good)
      json_array_append_new(switches, json_pack("{s:I,s:I,s:o}", "switch", (json_int_t)record->of[i].view.sw, "names",
                                                add_names(names, record, i, list), "values", values));
  }
  free(list);
  if (good)
    return json_pack("{s:I,s:I,s:s,s:s,s:o,s:o,s:o}", "from", (json_int_t)record->from, "until",
                     (json_int_t)record->until, "device", record->device, "golden", record->golden, "mismatch",
                     mismatch_json(record), "names", names, "switches", switches);
  json_decref(names);
  json_decref(switches);
  return NULL;
}
