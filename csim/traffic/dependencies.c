/* SPDX-License-Identifier: Apache-2.0 */
/* dependencies.c - a file of messages that wait for others: docs/reference/workloads.md has the grammar.
 *
 *   NAME SOURCE DESTINATION BYTES [after NAME...] [delay CYCLES] [at CYCLE]
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
static const uint64_t max_cycle = UINT64_C(1) << 40;

struct reader {
  struct ut_workload *w;
  struct ut_lines file;
  struct ut_task_labels labels;
  const char *word; /* of the current line */
  size_t length;    /* 0: the line has ended */
  struct ut_error *e;
};

static size_t column_of(const struct reader *reader) {
  return (size_t)(reader->word - reader->file.text) + 1;
}

static void next_word(struct reader *reader) {
  reader->word += reader->length;
  reader->word += strspn(reader->word, " \t\r,");
  reader->length = *reader->word == '#' ? 0 : strcspn(reader->word, " \t\r,#");
}

static bool word_is(const struct reader *reader, const char *word) {
  return strlen(word) == reader->length && !strncmp(reader->word, word, reader->length);
}

static int expected(const struct reader *reader, const char *what) {
  return ut_lines_fail(&reader->file, column_of(reader), reader->e,
                       "expected %s; a line is NAME SOURCE DESTINATION BYTES [after NAME...] "
                       "[delay CYCLES] [at CYCLE]",
                       what);
}

/* Reads a number 0..most and moves behind it. */
static int number(struct reader *reader, const char *what, uint64_t most, uint64_t *out) {
  char *end;
  if (!reader->length || !isdigit((unsigned char)*reader->word))
    return expected(reader, what);
  errno = 0;
  *out = strtoull(reader->word, &end, 10);
  if (end != reader->word + reader->length)
    return expected(reader, what);
  if (errno || *out > most)
    return ut_lines_fail(&reader->file, column_of(reader), reader->e, "expected %s: 0..%" PRIu64, what, most);
  next_word(reader);
  return 0;
}

static int terminal(struct reader *reader, const char *what, uint64_t *out) {
  const size_t column = column_of(reader);
  if (number(reader, what, UINT32_MAX, out))
    return -1;
  if (*out >= reader->w->terminals)
    return ut_lines_fail(&reader->file, column, reader->e,
                         "terminal %" PRIu64 " does not exist, this network has 0..%" PRIu32, *out,
                         reader->w->terminals - 1);
  return 0;
}

/* Reads the names behind `after`, for which the message of label `name` waits. */
static int read_after(struct reader *reader, uint32_t name) {
  unsigned count = 0;
  for (next_word(reader); reader->length && !word_is(reader, "delay") && !word_is(reader, "at");
       next_word(reader), count++) {
    const uint32_t needs = ut_task_label(&reader->labels, reader->word, reader->length);
    if (needs == UINT32_MAX)
      return ut_fail(reader->e, UT_BAD_INPUT, "%s: out of memory", reader->file.path);
    if (ut_task_labels_require(&reader->labels, name, needs, false, &reader->file, column_of(reader), reader->e))
      return -1;
  }
  return count ? 0 : expected(reader, "the name of a message behind 'after'");
}

/* Reads the number behind a word that may be left away. */
static int option(struct reader *reader, const char *word, const char *what, uint64_t most, uint64_t *out) {
  if (!word_is(reader, word))
    return 0;
  next_word(reader);
  return number(reader, what, most, out);
}

/* Makes a message wait for so many cycles, which begin when the task that is returned may begin: at the start, unless
 * others are put before it. */
static uint32_t add_wait(struct reader *reader, uint32_t send, uint64_t cycles) {
  const struct ut_task wait = {.amount = cycles,
                               .line = reader->file.line,
                               .terminal = reader->w->task[send].terminal,
                               .kind = UT_TASK_COMPUTE,
                               .cpu = UT_ANY_CPU};
  const uint32_t task = ut_workload_add(reader->w, &wait, reader->e);
  return task == UT_NO_TASK || ut_workload_require(reader->w, send, task, false, reader->file.line, reader->e)
             ? UT_NO_TASK
             : task;
}

/* Reads a line that is not empty. */
static int read_line(struct reader *reader) {
  uint64_t from, to, bytes, delay = 0, at = 0;
  const size_t column = column_of(reader);
  const uint32_t name = ut_task_label(&reader->labels, reader->word, reader->length);
  if (name == UINT32_MAX)
    return ut_fail(reader->e, UT_BAD_INPUT, "%s: out of memory", reader->file.path);
  next_word(reader);
  if (terminal(reader, "the terminal that sends", &from) || terminal(reader, "the terminal that receives", &to) ||
      number(reader, "the bytes of the message", ut_message_most_bytes(&reader->w->packing), &bytes) ||
      (word_is(reader, "after") && read_after(reader, name)) ||
      option(reader, "delay", "the cycles of the delay", MAX_DELAY, &delay) ||
      option(reader, "at", "the cycle from which it may be sent", max_cycle, &at))
    return -1;
  if (reader->length)
    return expected(reader, "the end of the line");
  const uint32_t send =
      ut_workload_message(reader->w, (uint32_t)from, (uint32_t)to, bytes, reader->file.line, reader->e);
  if (send == UT_NO_TASK || ut_task_label_define(&reader->labels, name, send, &reader->file, column, reader->e))
    return -1;
  const uint32_t waits = delay ? add_wait(reader, send, delay) : send;
  reader->labels.label[name].waits = waits;
  return waits == UT_NO_TASK || (at && add_wait(reader, send, at) == UT_NO_TASK) ? -1 : 0;
}

/* Adds what a message waits for: that another one has arrived at its source, or has been sent from there. */
static int resolve(struct reader *reader) {
  if (ut_task_labels_check(&reader->labels, reader->file.path, "this file", reader->e))
    return -1;
  for (uint32_t i = 0; i < reader->labels.requirements; i++) {
    const struct ut_label_requirement *requirement = &reader->labels.requirement[i];
    const uint32_t send = reader->labels.label[requirement->task].task,
                   needs = reader->labels.label[requirement->needs].task;
    const struct ut_task *task = &reader->w->task[send], *needed = &reader->w->task[needs];
    const bool arrives = needed->peer == task->terminal, leaves = needed->terminal == task->terminal;
    if (!arrives && !leaves)
      return ut_fail(reader->e, UT_BAD_INPUT,
                     "%s:%" PRIu32 ":%" PRIu32 ": terminal %u sends '%.40s', and knows nothing of '%.40s', which goes "
                     "from %u to %u\nname a message that it receives or sends",
                     reader->file.path, requirement->line, requirement->column, task->terminal,
                     ut_task_label_name(&reader->labels, requirement->task),
                     ut_task_label_name(&reader->labels, requirement->needs), needed->terminal, needed->peer);
    if (ut_workload_require(reader->w, reader->labels.label[requirement->task].waits, arrives ? needs + 1 : needs,
                            false, requirement->line, reader->e))
      return -1;
  }
  return 0;
}

static int read_dependencies(struct ut_workload *workload, const struct ut_scenario *scenario,
                             const struct ut_topology *topo, struct ut_error *e) {
  const char *path = scenario->traffic.file;
  struct reader reader = {.w = workload, .e = e};
  int more = ut_lines_open(&reader.file, path, "dependency", UT_LIMIT_TASK_LINE_BYTES, e);
  (void)topo;
  workload->path = path;
  while (!more && (more = ut_lines_next(&reader.file, e)) > 0) {
    reader.word = reader.file.text;
    reader.length = 0;
    next_word(&reader);
    more = reader.length ? read_line(&reader) : 0;
    if (more)
      break;
  }
  const int status = more ? -1 : resolve(&reader);
  ut_lines_close(&reader.file);
  ut_task_labels_free(&reader.labels);
  return status;
}

const struct ut_pattern ut_pattern_dependencies = {
    .name = "dependencies",
    .summary = "workload, from a file: messages and what they wait for",
    .keys = {"traffic.dependency_file"},
    .tasks = read_dependencies,
};
