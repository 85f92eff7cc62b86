/* SPDX-License-Identifier: Apache-2.0 */
/* task_labels.c - see task_labels.h */
#include "task_labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

void ut_task_labels_free(struct ut_task_labels *labels) {
  free(labels->names);
  free(labels->label);
  free(labels->requirement);
  ut_hash_free(&labels->hash);
  *labels = (struct ut_task_labels){0};
}

void ut_task_labels_clear(struct ut_task_labels *labels) {
  labels->used = 0;
  labels->labels = labels->requirements = 0;
  ut_hash_clear(&labels->hash);
}

static uint64_t key_of(const char *name, size_t length) {
  uint64_t key = length;
  for (size_t i = 0; i < length; i++)
    key = ut_hash_mix(key ^ (unsigned char)name[i]);
  return key;
}

static bool make_room(struct ut_task_labels *labels, size_t letters) {
  if (labels->used + letters > labels->room) {
    const size_t room = 2 * (labels->used + letters) + 256;
    char *bigger = realloc(labels->names, room);
    if (!bigger)
      return false;
    labels->names = bigger;
    labels->room = room;
  }
  if (labels->labels == labels->label_room) {
    const uint32_t room = labels->label_room ? 2 * labels->label_room : 64;
    struct ut_label *bigger = realloc(labels->label, room * sizeof *bigger);
    if (!bigger)
      return false;
    labels->label = bigger;
    labels->label_room = room;
  }
  return true;
}

uint32_t ut_task_label(struct ut_task_labels *labels, const char *name, size_t length) {
  for (uint64_t key = key_of(name, length);; key++) { /* another name may have the same key */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&labels->hash, key, &fresh);
    if (!entry || (fresh && !make_room(labels, length + 1)))
      return UINT32_MAX;
    if (fresh) {
      entry->value = labels->labels;
      labels->label[labels->labels++] = (struct ut_label){.name = labels->used, .task = UT_NO_TASK};
      memcpy(labels->names + labels->used, name, length);
      labels->names[labels->used + length] = '\0';
      labels->used += length + 1;
    }
    const char *known = ut_task_label_name(labels, entry->value);
    if (!strncmp(known, name, length) && !known[length])
      return entry->value;
  }
}

int ut_task_label_define(struct ut_task_labels *labels, uint32_t label, uint32_t task, const struct ut_lines *lines,
                         size_t column, struct ut_error *e) {
  if (labels->label[label].task != UT_NO_TASK)
    return ut_lines_fail(lines, column, e, "'%.40s' stands in line %" PRIu32 " already: choose another name",
                         ut_task_label_name(labels, label), labels->label[label].line);
  labels->label[label].task = task;
  labels->label[label].line = lines->line;
  return 0;
}

int ut_task_labels_require(struct ut_task_labels *labels, uint32_t task, uint32_t needs, bool begun,
                           const struct ut_lines *lines, size_t column, struct ut_error *e) {
  if (task == needs)
    return ut_lines_fail(lines, column, e, "'%.40s' waits for itself, so it never begins: leave that away",
                         ut_task_label_name(labels, task));
  if (labels->requirements == labels->requirement_room) {
    const uint32_t room = labels->requirement_room ? 2 * labels->requirement_room : 64;
    struct ut_label_requirement *bigger = realloc(labels->requirement, room * sizeof *bigger);
    if (!bigger)
      return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", lines->path);
    labels->requirement = bigger;
    labels->requirement_room = room;
  }
  labels->requirement[labels->requirements++] =
      (struct ut_label_requirement){task, needs, lines->line, (uint32_t)column, begun};
  return 0;
}

int ut_task_labels_check(const struct ut_task_labels *labels, const char *path, const char *where, struct ut_error *e) {
  for (uint32_t i = 0; i < labels->requirements; i++) {
    const struct ut_label_requirement *requirement = &labels->requirement[i];
    const uint32_t unknown =
        labels->label[requirement->task].task == UT_NO_TASK ? requirement->task : requirement->needs;
    if (labels->label[unknown].task != UT_NO_TASK)
      continue;
    const char **names = malloc(labels->labels * sizeof *names), *name = ut_task_label_name(labels, unknown),
               *near = NULL;
    size_t known = 0;
    for (uint32_t k = 0; names && k < labels->labels; k++)
      if (labels->label[k].task != UT_NO_TASK)
        names[known++] = ut_task_label_name(labels, k);
    if (names)
      near = ut_nearest(name, names, known);
    free(names);
    return ut_fail(e, UT_BAD_INPUT, "%s:%" PRIu32 ":%" PRIu32 ": there is no '%.40s' in %s%s%.40s%s", path,
                   requirement->line, requirement->column, name, where, near ? "; did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
  }
  return 0;
}
