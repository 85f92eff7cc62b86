/* SPDX-License-Identifier: Apache-2.0 */
/* task_labels.c - see task_labels.h */
#include "task_labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

void ut_task_labels_free(struct ut_task_labels *l) {
  free(l->names);
  free(l->label);
  free(l->requirement);
  ut_hash_free(&l->hash);
  *l = (struct ut_task_labels){0};
}

void ut_task_labels_clear(struct ut_task_labels *l) {
  l->used = 0;
  l->labels = l->requirements = 0;
  ut_hash_clear(&l->hash);
}

static uint64_t key_of(const char *name, size_t length) {
  uint64_t key = length;
  for (size_t i = 0; i < length; i++)
    key = ut_hash_mix(key ^ (unsigned char)name[i]);
  return key;
}

static bool make_room(struct ut_task_labels *l, size_t letters) {
  if (l->used + letters > l->room) {
    const size_t room = 2 * (l->used + letters) + 256;
    char *bigger = realloc(l->names, room);
    if (!bigger)
      return false;
    l->names = bigger;
    l->room = room;
  }
  if (l->labels == l->label_room) {
    const uint32_t room = l->label_room ? 2 * l->label_room : 64;
    struct ut_label *bigger = realloc(l->label, room * sizeof *bigger);
    if (!bigger)
      return false;
    l->label = bigger;
    l->label_room = room;
  }
  return true;
}

uint32_t ut_task_label(struct ut_task_labels *l, const char *name, size_t length) {
  for (uint64_t key = key_of(name, length);; key++) { /* another name may have the same key */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(&l->hash, key, &fresh);
    if (!entry || (fresh && !make_room(l, length + 1)))
      return UINT32_MAX;
    if (fresh) {
      entry->value = l->labels;
      l->label[l->labels++] = (struct ut_label){l->used, UT_NO_TASK, 0};
      memcpy(l->names + l->used, name, length);
      l->names[l->used + length] = '\0';
      l->used += length + 1;
    }
    const char *known = ut_task_label_name(l, entry->value);
    if (!strncmp(known, name, length) && !known[length])
      return entry->value;
  }
}

int ut_task_label_define(struct ut_task_labels *l, uint32_t label, uint32_t task, const struct ut_lines *f,
                         size_t column, struct ut_error *e) {
  if (l->label[label].task != UT_NO_TASK)
    return ut_lines_fail(f, column, e, "'%.40s' stands in line %" PRIu32 " already: choose another name",
                         ut_task_label_name(l, label), l->label[label].line);
  l->label[label].task = task;
  l->label[label].line = f->line;
  return 0;
}

int ut_task_labels_require(struct ut_task_labels *l, uint32_t task, uint32_t needs, bool begun,
                           const struct ut_lines *f, size_t column, struct ut_error *e) {
  if (task == needs)
    return ut_lines_fail(f, column, e, "'%.40s' waits for itself, so it never begins: leave that away",
                         ut_task_label_name(l, task));
  if (l->requirements == l->requirement_room) {
    const uint32_t room = l->requirement_room ? 2 * l->requirement_room : 64;
    struct ut_label_requirement *bigger = realloc(l->requirement, room * sizeof *bigger);
    if (!bigger)
      return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", f->path);
    l->requirement = bigger;
    l->requirement_room = room;
  }
  l->requirement[l->requirements++] = (struct ut_label_requirement){task, needs, f->line, (uint32_t)column, begun};
  return 0;
}

int ut_task_labels_check(const struct ut_task_labels *l, const char *path, const char *where, struct ut_error *e) {
  for (uint32_t i = 0; i < l->requirements; i++) {
    const struct ut_label_requirement *r = &l->requirement[i];
    const uint32_t unknown = l->label[r->task].task == UT_NO_TASK ? r->task : r->needs;
    if (l->label[unknown].task != UT_NO_TASK)
      continue;
    const char **names = malloc(l->labels * sizeof *names), *name = ut_task_label_name(l, unknown), *near = NULL;
    size_t known = 0;
    for (uint32_t k = 0; names && k < l->labels; k++)
      if (l->label[k].task != UT_NO_TASK)
        names[known++] = ut_task_label_name(l, k);
    if (names)
      near = ut_nearest(name, names, known);
    free(names);
    return ut_fail(e, UT_BAD_INPUT, "%s:%" PRIu32 ":%" PRIu32 ": there is no '%.40s' in %s%s%.40s%s", path, r->line,
                   r->column, name, where, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  return 0;
}
