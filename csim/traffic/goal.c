/* SPDX-License-Identifier: Apache-2.0 */
/* goal.c - schedules of the Group Operation Assembly Language in its text form, as Schedgen writes them and LogGOPSim
 * takes them: docs/reference/workloads.md says what of it is read.
 *
 *   num_ranks N
 *   rank R {
 *     l1: send 100b to 1 tag 5
 *     l2: recv 100b from 1 tag 6
 *     l3: calc 1000
 *     l3 requires l2
 *     l1 irequires l3
 *   }
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input_limits.h"
#include "pattern.h"
#include "scenario.h"
#include "task_labels.h"

#define MAX_CALC (UINT64_C(1) << 50)
#define MAX_CALC_CYCLES 1e12 /* so many of UT_MAX_TASKS, one after the other, are still a number of 64 bits */
enum { MAX_TAG = 0x7fffffff };

enum token { END_OF_FILE, END_OF_LINE, NUMBER, NAME, SIGN };

struct parser {
  struct ut_workload *w;
  struct ut_lines file;
  struct ut_task_labels labels;
  double cycles_per_calc;
  const char *word; /* the token, in the current line */
  size_t length;
  enum token token;
  bool failed; /* the file cannot be read; *e is filled */
  uint64_t value;
  uint32_t ranks, rank;
  uint32_t *line_of; /* [ranks]: where each stands, 0: not yet */
  struct ut_error *e;
};

/* ---- words */

static size_t column_of(const struct parser *p) {
  return p->file.text ? (size_t)(p->word - p->file.text) + 1 : 1;
}

static int fail_here(const struct parser *p, const char *what) {
  const int length = p->length < 40 ? (int)p->length : 40;
  return p->failed                 ? -1
         : p->token == END_OF_FILE ? ut_fail(p->e, UT_BAD_INPUT, "%s:%u: the file ends here, expected %s", p->file.path,
                                             p->file.line ? p->file.line : 1, what)
         : p->token == END_OF_LINE
             ? ut_lines_fail(&p->file, column_of(p), p->e, "expected %s, the line ends", what)
             : ut_lines_fail(&p->file, column_of(p), p->e, "expected %s, not '%.*s'", what, length, p->word);
}

/* Behind a comment that begins with slash and star, which may go on for lines; NULL: it does not end. */
static const char *skip_comment(struct parser *p, const char *c) {
  const char *end;
  const unsigned begins = p->file.line;
  for (c += 2; !(end = strstr(c, "*/")); c = p->file.text) {
    const int more = ut_lines_next(&p->file, p->e);
    p->failed = more <= 0;
    if (more == 0)
      ut_fail(p->e, UT_BAD_INPUT, "%s:%u: this comment does not end: */ is missing", p->file.path, begins);
    if (more <= 0)
      return NULL;
  }
  return end + 2;
}

static bool at_end(const char *c) {
  return *c == '\0' || (c[0] == '/' && c[1] == '/');
}

static enum token end_of_file(struct parser *p, int more) {
  p->failed = more < 0;
  return END_OF_FILE;
}

/* Finds the next token; a line is read when the token at the end of the last one has been passed. */
static enum token find(struct parser *p) {
  const char *c = p->word + p->length;
  if (p->token == END_OF_FILE)
    return END_OF_FILE;
  if (p->token == END_OF_LINE && at_end(p->word)) {
    const int more = ut_lines_next(&p->file, p->e);
    if (more <= 0)
      return end_of_file(p, more);
    c = p->file.text;
  }
  for (c += strspn(c, " \t\r"); c[0] == '/' && c[1] == '*'; c += strspn(c, " \t\r"))
    if (!(c = skip_comment(p, c)))
      return END_OF_FILE;
  p->word = c;
  p->length = 1;
  if (at_end(c) || *c == ';') {
    p->length = *c == ';';
    return END_OF_LINE;
  }
  if (isdigit((unsigned char)*c)) {
    char *end;
    errno = 0;
    p->value = strtoull(c, &end, 10);
    p->value = errno ? UINT64_MAX : p->value;
    p->length = (size_t)(end - c);
    return NUMBER;
  }
  if (!isalpha((unsigned char)*c))
    return SIGN;
  while (isalnum((unsigned char)c[p->length]) || c[p->length] == '_')
    p->length++;
  return NAME;
}

static void next(struct parser *p) {
  p->token = find(p);
}

static bool is(const struct parser *p, const char *word) {
  return (p->token == NAME || p->token == SIGN) && strlen(word) == p->length && !strncmp(p->word, word, p->length);
}

static void skip_empty(struct parser *p) {
  while (p->token == END_OF_LINE)
    next(p);
}

static int take(struct parser *p, const char *word) {
  char what[24];
  snprintf(what, sizeof what, "'%s'", word);
  if (!is(p, word))
    return fail_here(p, what);
  next(p);
  return 0;
}

static int take_number(struct parser *p, const char *what, uint64_t most, uint64_t *out) {
  if (p->token != NUMBER)
    return fail_here(p, what);
  if (p->value > most)
    return ut_lines_fail(&p->file, column_of(p), p->e, "expected %s: 0..%" PRIu64, what, most);
  *out = p->value;
  next(p);
  return 0;
}

/* ---- tasks */

/* -1, which LogGOPSim takes for any source or tag, or what that is in 32 bits. */
static bool is_any(const struct parser *p) {
  return is(p, "-") || (p->token == NUMBER && p->value == UINT32_MAX);
}

static int take_rank(struct parser *p, bool receives, uint64_t *out) {
  const size_t column = column_of(p);
  if (receives && is_any(p))
    return ut_lines_fail(&p->file, column, p->e, "a receive from any source (-1) is not supported: name the source");
  if (take_number(p, receives ? "the rank that sends" : "the rank that receives", UINT32_MAX, out))
    return -1;
  return *out < p->ranks ? 0
                         : ut_lines_fail(&p->file, column, p->e,
                                         "rank %" PRIu64 " does not exist, num_ranks is %" PRIu32, *out, p->ranks);
}

/* "tag T", "cpu C" and "nic N" behind a task, each at most once. */
static int take_options(struct parser *p, struct ut_task *task) {
  static const char *const names[] = {"tag", "cpu", "nic"};
  uint64_t value[3] = {0};
  for (unsigned i = 0; i < 3; i++) {
    if (!is(p, names[i]) || (i != 1 && task->kind == UT_TASK_COMPUTE))
      continue;
    next(p);
    if (i == 0 && task->kind == UT_TASK_RECEIVE && is_any(p))
      return ut_lines_fail(&p->file, column_of(p), p->e, "a receive with any tag (-1) is not supported: name the tag");
    if (take_number(p,
                    i == 0   ? "a tag"
                    : i == 1 ? "a processor"
                             : "a network interface",
                    i == 1 ? UT_ANY_CPU - 1 : MAX_TAG, &value[i]))
      return -1;
  }
  task->tag = (uint32_t)value[0];
  task->cpu = (uint8_t)value[1];
  return 0;
}

static int take_message(struct parser *p, struct ut_task *task) {
  const bool send = task->kind == UT_TASK_SEND;
  uint64_t peer;
  const uint64_t most = ut_message_most_bytes(&p->w->packing);
  if (take_number(p, "the bytes of the message, as in 100b", most, &task->amount) || take(p, "b") ||
      take(p, send ? "to" : "from") || take_rank(p, !send, &peer))
    return -1;
  task->peer = (uint16_t)peer;
  return take_options(p, task);
}

static int take_calc(struct parser *p, struct ut_task *task) {
  const size_t column = column_of(p);
  uint64_t amount;
  if (take_number(p, "how long it computes", MAX_CALC, &amount))
    return -1;
  const double cycles = ceil((double)amount * p->cycles_per_calc);
  if (cycles > MAX_CALC_CYCLES)
    return ut_lines_fail(&p->file, column, p->e,
                         "that are %.0f cycles, more than %.0f; is traffic.cycles_per_calc right?", cycles,
                         MAX_CALC_CYCLES);
  task->amount = (uint64_t)cycles;
  return take_options(p, task);
}

/* send, recv or calc, behind its label: UINT32_MAX, it has none. */
static int read_task(struct parser *p, uint32_t label, size_t column) {
  static const char *const names[] = {[UT_TASK_SEND] = "send", [UT_TASK_RECEIVE] = "recv", [UT_TASK_COMPUTE] = "calc"};
  struct ut_task task = {.other = UT_NO_TASK, .line = p->file.line, .terminal = (uint16_t)p->rank};
  while (task.kind <= UT_TASK_COMPUTE && !is(p, names[task.kind]))
    task.kind++;
  if (task.kind > UT_TASK_COMPUTE)
    return fail_here(p, "'send', 'recv' or 'calc'");
  next(p);
  if (task.kind == UT_TASK_COMPUTE ? take_calc(p, &task) : take_message(p, &task))
    return -1;
  const uint32_t number = ut_workload_add(p->w, &task, p->e);
  if (number == UT_NO_TASK)
    return -1;
  return label == UINT32_MAX ? 0 : ut_task_label_define(&p->labels, label, number, &p->file, column, p->e);
}

/* "LABEL requires LABEL", or irequires, behind the first label. */
static int read_requirement(struct parser *p, uint32_t label) {
  const bool begun = is(p, "irequires");
  next(p);
  const size_t column = column_of(p);
  if (p->token != NAME)
    return fail_here(p, "the label of a task");
  const uint32_t needs = ut_task_label(&p->labels, p->word, p->length);
  if (needs == UINT32_MAX)
    return ut_fail(p->e, UT_BAD_INPUT, "%s: out of memory", p->file.path);
  next(p);
  return ut_task_labels_require(&p->labels, label, needs, begun, &p->file, column, p->e);
}

static int read_statement(struct parser *p) {
  const size_t column = column_of(p);
  if (is(p, "send") || is(p, "recv") || is(p, "calc"))
    return read_task(p, UINT32_MAX, column);
  if (p->token != NAME)
    return fail_here(p, "a label, 'send', 'recv', 'calc' or '}'");
  const uint32_t label = ut_task_label(&p->labels, p->word, p->length);
  if (label == UINT32_MAX)
    return ut_fail(p->e, UT_BAD_INPUT, "%s: out of memory", p->file.path);
  next(p);
  if (is(p, "requires") || is(p, "irequires"))
    return read_requirement(p, label);
  if (!is(p, ":"))
    return fail_here(p, "':', 'requires' or 'irequires'");
  next(p);
  return read_task(p, label, column);
}

/* ---- ranks */

static int resolve(struct parser *p) {
  char where[24];
  snprintf(where, sizeof where, "rank %" PRIu32, p->rank);
  if (ut_task_labels_check(&p->labels, p->file.path, where, p->e))
    return -1;
  for (uint32_t i = 0; i < p->labels.requirements; i++) {
    const struct ut_label_requirement *q = &p->labels.requirement[i];
    const struct ut_label *label = p->labels.label;
    if (ut_workload_require(p->w, label[q->task].task, label[q->needs].task, q->begun, q->line, p->e))
      return -1;
  }
  ut_task_labels_clear(&p->labels);
  return 0;
}

static int read_rank(struct parser *p) {
  const size_t column = column_of(p);
  uint64_t rank;
  if (take(p, "rank") || take_rank(p, "the number of a rank", &rank))
    return -1;
  if (p->line_of[rank])
    return ut_lines_fail(&p->file, column, p->e, "rank %" PRIu64 " stands in line %" PRIu32 " already", rank,
                         p->line_of[rank]);
  p->line_of[rank] = p->file.line;
  p->rank = (uint32_t)rank;
  skip_empty(p);
  if (take(p, "{"))
    return -1;
  for (skip_empty(p); !is(p, "}"); skip_empty(p))
    if (read_statement(p) || (p->token != END_OF_LINE && !is(p, "}") && fail_here(p, "the end of the line")))
      return -1;
  next(p);
  return resolve(p);
}

static int read_ranks(struct parser *p) {
  uint64_t ranks;
  skip_empty(p);
  const size_t column = column_of(p);
  if (take(p, "num_ranks") || take_number(p, "the number of ranks", UINT32_MAX, &ranks))
    return -1;
  if (!ranks || ranks > p->w->terminals)
    return ut_lines_fail(&p->file, column, p->e,
                         "%" PRIu64 " ranks: rank r is terminal r, and this network has %" PRIu32 " terminals", ranks,
                         p->w->terminals);
  p->ranks = (uint32_t)ranks;
  p->line_of = calloc(p->ranks, sizeof *p->line_of);
  if (!p->line_of)
    return ut_fail(p->e, UT_BAD_INPUT, "%s: out of memory", p->file.path);
  for (skip_empty(p); p->token != END_OF_FILE; skip_empty(p))
    if (read_rank(p))
      return -1;
  return p->failed ? -1 : 0;
}

static int read_goal(struct ut_workload *w, const struct ut_scenario *s, const struct ut_topology *t,
                     struct ut_error *e) {
  const char *path = s->traffic.file;
  struct parser p = {.w = w, .cycles_per_calc = s->traffic.cycles_per_calc, .word = "", .token = END_OF_LINE, .e = e};
  (void)t;
  w->path = path;
  int status = ut_lines_open(&p.file, path, "GOAL", UT_LIMIT_TASK_LINE_BYTES, e);
  if (!status) {
    next(&p);
    status = p.failed ? -1 : read_ranks(&p);
  }
  ut_lines_close(&p.file);
  ut_task_labels_free(&p.labels);
  free(p.line_of);
  return status;
}

const struct ut_pattern ut_pattern_goal = {
    .name = "goal",
    .summary = "workload, from a file: a schedule in GOAL text form",
    .keys = {"traffic.goal_file", "traffic.cycles_per_calc"},
    .tasks = read_goal,
};
