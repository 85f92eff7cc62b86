/* SPDX-License-Identifier: Apache-2.0 */
/* task_labels.h - names of tasks in a file, and the requirements between names, until all tasks are known. */
#ifndef UT_TASK_LABELS_H
#define UT_TASK_LABELS_H

#include "hash.h"
#include "lines.h"
#include "workload.h"

struct ut_label {
  size_t name;    /* place in `names` */
  uint32_t task;  /* UT_NO_TASK: not yet known */
  uint32_t waits; /* of dependencies: the task that waits for what the label requires */
  uint32_t line;  /* of the task */
};

/* "label `task` requires label `needs`", and its place in the file. */
struct ut_label_requirement {
  uint32_t task, needs;
  uint32_t line, column;
  bool begun;
};

struct ut_task_labels {
  char *names;
  size_t used, room;
  struct ut_label *label;
  uint32_t labels, label_room;
  struct ut_label_requirement *requirement;
  uint32_t requirements, requirement_room;
  struct ut_hash hash;
};

void ut_task_labels_free(struct ut_task_labels *labels);
/* Forgets all labels and keeps the memory. */
void ut_task_labels_clear(struct ut_task_labels *labels);

/* Returns the number of a name of `length` letters; makes it if it is new; UINT32_MAX: out of memory. */
uint32_t ut_task_label(struct ut_task_labels *labels, const char *name, size_t length);
static inline const char *ut_task_label_name(const struct ut_task_labels *labels, uint32_t label) {
  return labels->names + labels->label[label].name;
}

/* Gives a label its task; -1 and *e: it has one already. */
int ut_task_label_define(struct ut_task_labels *labels, uint32_t label, uint32_t task, const struct ut_lines *lines,
                         size_t column, struct ut_error *e);
/* Adds a requirement; -1 and *e: a task would require itself, or out of memory. */
int ut_task_labels_require(struct ut_task_labels *labels, uint32_t task, uint32_t needs, bool begun,
                           const struct ut_lines *lines, size_t column, struct ut_error *e);

/* To be called after the last label: -1 and *e at the first one that is required and has no task. */
int ut_task_labels_check(const struct ut_task_labels *labels, const char *path, const char *where, struct ut_error *e);

#endif
