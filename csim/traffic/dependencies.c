/* SPDX-License-Identifier: Apache-2.0 */
/* dependencies.c - a file of messages that wait for others: docs/reference/workloads.md has the grammar.
 *
 *   NAME SOURCE DESTINATION BYTES [after NAME...] [delay CYCLES]
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input_limits.h"
#include "pattern.h"
#include "scenario.h"
#include "task_labels.h"

enum { MAX_DELAY = 1000000000 };

struct reader {
  struct ut_workload *w;
  struct ut_lines file;
  struct ut_task_labels labels;
  const char *word; /* of the current line */
  size_t length;    /* 0: the line has ended */
  struct ut_error *e;
};

static size_t column_of(const struct reader *r) {
  return (size_t)(r->word - r->file.text) + 1;
}

static void next_word(struct reader *r) {
  r->word += r->length;
  r->word += strspn(r->word, " \t\r,");
  r->length = *r->word == '#' ? 0 : strcspn(r->word, " \t\r,#");
}

static bool word_is(const struct reader *r, const char *word) {
  return strlen(word) == r->length && !strncmp(r->word, word, r->length);
}

static int expected(const struct reader *r, const char *what) {
  return ut_lines_fail(&r->file, column_of(r), r->e,
                       "expected %s; a line is NAME SOURCE DESTINATION BYTES [after NAME...] "
                       "[delay CYCLES]",
                       what);
}

/* A number 0..most; moves behind it. */
static int number(struct reader *r, const char *what, uint64_t most, uint64_t *out) {
  char *end;
  if (!r->length || !isdigit((unsigned char)*r->word))
    return expected(r, what);
  errno = 0;
  *out = strtoull(r->word, &end, 10);
  if (end != r->word + r->length)
    return expected(r, what);
  if (errno || *out > most)
    return ut_lines_fail(&r->file, column_of(r), r->e, "expected %s: 0..%" PRIu64, what, most);
  next_word(r);
  return 0;
}

static int terminal(struct reader *r, const char *what, uint64_t *out) {
  const size_t column = column_of(r);
  if (number(r, what, UINT32_MAX, out))
    return -1;
  if (*out >= r->w->terminals)
    return ut_lines_fail(&r->file, column, r->e, "terminal %" PRIu64 " does not exist, this network has 0..%" PRIu32,
                         *out, r->w->terminals - 1);
  return 0;
}

/* The names behind `after`, which the message of label `name` waits for. */
static int read_after(struct reader *r, uint32_t name) {
  unsigned count = 0;
  for (next_word(r); r->length && !word_is(r, "delay"); next_word(r), count++) {
    const uint32_t needs = ut_task_label(&r->labels, r->word, r->length);
    if (needs == UINT32_MAX)
      return ut_fail(r->e, UT_BAD_INPUT, "%s: out of memory", r->file.path);
    if (ut_task_labels_require(&r->labels, name, needs, false, &r->file, column_of(r), r->e))
      return -1;
  }
  return count ? 0 : expected(r, "the name of a message behind 'after'");
}

/* A line that is not empty.  A delay is a task that computes, which the send waits for. */
static int read_line(struct reader *r) {
  uint64_t from, to, bytes, delay = 0;
  const size_t column = column_of(r);
  const uint32_t name = ut_task_label(&r->labels, r->word, r->length);
  if (name == UINT32_MAX)
    return ut_fail(r->e, UT_BAD_INPUT, "%s: out of memory", r->file.path);
  next_word(r);
  if (terminal(r, "the terminal that sends", &from) || terminal(r, "the terminal that receives", &to) ||
      number(r, "the bytes of the message", ut_message_most_bytes(&r->w->packing), &bytes) ||
      (word_is(r, "after") && read_after(r, name)))
    return -1;
  if (word_is(r, "delay")) {
    next_word(r);
    if (number(r, "the cycles of the delay", MAX_DELAY, &delay))
      return -1;
  }
  if (r->length)
    return expected(r, "the end of the line");
  const uint32_t send = ut_workload_message(r->w, (uint32_t)from, (uint32_t)to, bytes, r->file.line, r->e);
  if (send == UT_NO_TASK || ut_task_label_define(&r->labels, name, send, &r->file, column, r->e))
    return -1;
  if (!delay)
    return 0;
  const struct ut_task wait = {
      .amount = delay, .line = r->file.line, .terminal = (uint16_t)from, .kind = UT_TASK_COMPUTE, .cpu = UT_ANY_CPU};
  const uint32_t task = ut_workload_add(r->w, &wait, r->e); /* two behind the send */
  return task == UT_NO_TASK ? -1 : ut_workload_require(r->w, send, task, false, r->file.line, r->e);
}

/* What a message waits for: that another one has arrived at its source, or has been sent from there. */
static int resolve(struct reader *r) {
  if (ut_task_labels_check(&r->labels, r->file.path, "this file", r->e))
    return -1;
  for (uint32_t i = 0; i < r->labels.requirements; i++) {
    const struct ut_label_requirement *q = &r->labels.requirement[i];
    const uint32_t send = r->labels.label[q->task].task, needs = r->labels.label[q->needs].task;
    const struct ut_task *task = &r->w->task[send], *needed = &r->w->task[needs];
    const bool arrives = needed->peer == task->terminal, leaves = needed->terminal == task->terminal;
    if (!arrives && !leaves)
      return ut_fail(r->e, UT_BAD_INPUT,
                     "%s:%" PRIu32 ":%" PRIu32 ": terminal %u sends '%.40s', and knows nothing of '%.40s', which goes "
                     "from %u to %u\nname a message that it receives or sends",
                     r->file.path, q->line, q->column, task->terminal, ut_task_label_name(&r->labels, q->task),
                     ut_task_label_name(&r->labels, q->needs), needed->terminal, needed->peer);
    /* a delay begins when everything else is there */
    const bool delayed = send + 2 < r->w->tasks && r->w->task[send + 2].kind == UT_TASK_COMPUTE;
    if (ut_workload_require(r->w, delayed ? send + 2 : send, arrives ? needs + 1 : needs, false, q->line, r->e))
      return -1;
  }
  return 0;
}

static int read_dependencies(struct ut_workload *w, const struct ut_scenario *s, const struct ut_topology *t,
                             struct ut_error *e) {
  const char *path = s->traffic.file;
  struct reader r = {.w = w, .e = e};
  int more = ut_lines_open(&r.file, path, "dependency", UT_LIMIT_TASK_LINE_BYTES, e);
  (void)t;
  w->path = path;
  while (!more && (more = ut_lines_next(&r.file, e)) > 0) {
    r.word = r.file.text;
    r.length = 0;
    next_word(&r);
    more = r.length ? read_line(&r) : 0;
    if (more)
      break;
  }
  const int status = more ? -1 : resolve(&r);
  ut_lines_close(&r.file);
  ut_task_labels_free(&r.labels);
  return status;
}

const struct ut_pattern ut_pattern_dependencies = {
    .name = "dependencies",
    .summary = "workload, from a file: messages and what they wait for",
    .keys = {"traffic.dependency_file"},
    .tasks = read_dependencies,
};
