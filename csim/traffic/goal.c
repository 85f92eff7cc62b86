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
#define MAX_CALC_CYCLES 1e12 /* UT_MAX_TASKS tasks of this length, one after the other, take fewer than 2^64 cycles */
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

static size_t column_of(const struct parser *parser) {
  return parser->file.text ? (size_t)(parser->word - parser->file.text) + 1 : 1;
}

static int fail_here(const struct parser *parser, const char *what) {
  const int length = parser->length < 40 ? (int)parser->length : 40;
  return parser->failed                 ? -1
         : parser->token == END_OF_FILE ? ut_fail(parser->e, UT_BAD_INPUT, "%s:%u: the file ends here, expected %s",
                                                  parser->file.path, parser->file.line ? parser->file.line : 1, what)
         : parser->token == END_OF_LINE
             ? ut_lines_fail(&parser->file, column_of(parser), parser->e, "expected %s, the line ends", what)
             : ut_lines_fail(&parser->file, column_of(parser), parser->e, "expected %s, not '%.*s'", what, length,
                             parser->word);
}

/* Returns the text behind a C comment, which may extend over lines; NULL: it does not end. */
static const char *skip_comment(struct parser *parser, const char *c) {
  const char *end;
  const unsigned begins = parser->file.line;
  for (c += 2; !(end = strstr(c, "*/")); c = parser->file.text) {
    const int more = ut_lines_next(&parser->file, parser->e);
    parser->failed = more <= 0;
    if (more == 0)
      ut_fail(parser->e, UT_BAD_INPUT, "%s:%u: this comment does not end: */ is missing", parser->file.path, begins);
    if (more <= 0)
      return NULL;
  }
  return end + 2;
}

static bool at_end(const char *c) {
  return *c == '\0' || (c[0] == '/' && c[1] == '/');
}

static enum token end_of_file(struct parser *parser, int more) {
  parser->failed = more < 0;
  return END_OF_FILE;
}

/* Finds the next token; a new line is read when the last token of a line has been passed. */
static enum token find(struct parser *parser) {
  const char *c = parser->word + parser->length;
  if (parser->token == END_OF_FILE)
    return END_OF_FILE;
  if (parser->token == END_OF_LINE && at_end(parser->word)) {
    const int more = ut_lines_next(&parser->file, parser->e);
    if (more <= 0)
      return end_of_file(parser, more);
    c = parser->file.text;
  }
  for (c += strspn(c, " \t\r"); c[0] == '/' && c[1] == '*'; c += strspn(c, " \t\r"))
    if (!(c = skip_comment(parser, c)))
      return END_OF_FILE;
  parser->word = c;
  parser->length = 1;
  if (at_end(c) || *c == ';') {
    parser->length = *c == ';';
    return END_OF_LINE;
  }
  if (isdigit((unsigned char)*c)) {
    char *end;
    errno = 0;
    parser->value = strtoull(c, &end, 10);
    parser->value = errno ? UINT64_MAX : parser->value;
    parser->length = (size_t)(end - c);
    return NUMBER;
  }
  if (!isalpha((unsigned char)*c))
    return SIGN;
  while (isalnum((unsigned char)c[parser->length]) || c[parser->length] == '_')
    parser->length++;
  return NAME;
}

static void next(struct parser *parser) {
  parser->token = find(parser);
}

static bool is(const struct parser *parser, const char *word) {
  return (parser->token == NAME || parser->token == SIGN) && strlen(word) == parser->length &&
         !strncmp(parser->word, word, parser->length);
}

static void skip_empty(struct parser *parser) {
  while (parser->token == END_OF_LINE)
    next(parser);
}

static int take(struct parser *parser, const char *word) {
  char what[24];
  snprintf(what, sizeof what, "'%s'", word);
  if (!is(parser, word))
    return fail_here(parser, what);
  next(parser);
  return 0;
}

static int take_number(struct parser *parser, const char *what, uint64_t most, uint64_t *out) {
  if (parser->token != NUMBER)
    return fail_here(parser, what);
  if (parser->value > most)
    return ut_lines_fail(&parser->file, column_of(parser), parser->e, "expected %s: 0..%" PRIu64, what, most);
  *out = parser->value;
  next(parser);
  return 0;
}

/* ---- tasks */

/* Whether the number is -1, which LogGOPSim takes for any source or tag, or its value in 32 bits. */
static bool is_any(const struct parser *parser) {
  return is(parser, "-") || (parser->token == NUMBER && parser->value == UINT32_MAX);
}

static int take_rank(struct parser *parser, bool receives, uint64_t *out) {
  const size_t column = column_of(parser);
  if (receives && is_any(parser))
    return ut_lines_fail(&parser->file, column, parser->e,
                         "a receive from any source (-1) is not supported: name the source");
  if (take_number(parser, receives ? "the rank that sends" : "the rank that receives", UINT32_MAX, out))
    return -1;
  return *out < parser->ranks
             ? 0
             : ut_lines_fail(&parser->file, column, parser->e, "rank %" PRIu64 " does not exist, num_ranks is %" PRIu32,
                             *out, parser->ranks);
}

/* "tag T", "cpu C" and "nic N" behind a task, each at most once. */
static int take_options(struct parser *parser, struct ut_task *task) {
  static const char *const names[] = {"tag", "cpu", "nic"};
  uint64_t value[3] = {0};
  for (unsigned i = 0; i < 3; i++) {
    if (!is(parser, names[i]) || (i != 1 && task->kind == UT_TASK_COMPUTE))
      continue;
    next(parser);
    if (i == 0 && task->kind == UT_TASK_RECEIVE && is_any(parser))
      return ut_lines_fail(&parser->file, column_of(parser), parser->e,
                           "a receive with any tag (-1) is not supported: name the tag");
    if (take_number(parser,
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

static int take_message(struct parser *parser, struct ut_task *task) {
  const bool send = task->kind == UT_TASK_SEND;
  uint64_t peer;
  const uint64_t most = ut_message_most_bytes(&parser->w->packing);
  if (take_number(parser, "the bytes of the message, as in 100b", most, &task->amount) || take(parser, "b") ||
      take(parser, send ? "to" : "from") || take_rank(parser, !send, &peer))
    return -1;
  task->peer = (uint16_t)peer;
  return take_options(parser, task);
}

static int take_calc(struct parser *parser, struct ut_task *task) {
  const size_t column = column_of(parser);
  uint64_t amount;
  if (take_number(parser, "how long it computes", MAX_CALC, &amount))
    return -1;
  const double cycles = ceil((double)amount * parser->cycles_per_calc);
  if (cycles > MAX_CALC_CYCLES)
    return ut_lines_fail(&parser->file, column, parser->e,
                         "that are %.0f cycles, more than %.0f; is traffic.cycles_per_calc right?", cycles,
                         MAX_CALC_CYCLES);
  task->amount = (uint64_t)cycles;
  return take_options(parser, task);
}

/* Reads send, recv or calc, behind its label; UINT32_MAX: it has no label. */
static int read_task(struct parser *parser, uint32_t label, size_t column) {
  static const char *const names[] = {[UT_TASK_SEND] = "send", [UT_TASK_RECEIVE] = "recv", [UT_TASK_COMPUTE] = "calc"};
  struct ut_task task = {.other = UT_NO_TASK, .line = parser->file.line, .terminal = (uint16_t)parser->rank};
  while (task.kind <= UT_TASK_COMPUTE && !is(parser, names[task.kind]))
    task.kind++;
  if (task.kind > UT_TASK_COMPUTE)
    return fail_here(parser, "'send', 'recv' or 'calc'");
  next(parser);
  if (task.kind == UT_TASK_COMPUTE ? take_calc(parser, &task) : take_message(parser, &task))
    return -1;
  const uint32_t number = ut_workload_add(parser->w, &task, parser->e);
  if (number == UT_NO_TASK)
    return -1;
  return label == UINT32_MAX ? 0
                             : ut_task_label_define(&parser->labels, label, number, &parser->file, column, parser->e);
}

/* "LABEL requires LABEL", or irequires, behind the first label. */
static int read_requirement(struct parser *parser, uint32_t label) {
  const bool begun = is(parser, "irequires");
  next(parser);
  const size_t column = column_of(parser);
  if (parser->token != NAME)
    return fail_here(parser, "the label of a task");
  const uint32_t needs = ut_task_label(&parser->labels, parser->word, parser->length);
  if (needs == UINT32_MAX)
    return ut_fail(parser->e, UT_BAD_INPUT, "%s: out of memory", parser->file.path);
  next(parser);
  return ut_task_labels_require(&parser->labels, label, needs, begun, &parser->file, column, parser->e);
}

static int read_statement(struct parser *parser) {
  const size_t column = column_of(parser);
  if (is(parser, "send") || is(parser, "recv") || is(parser, "calc"))
    return read_task(parser, UINT32_MAX, column);
  if (parser->token != NAME)
    return fail_here(parser, "a label, 'send', 'recv', 'calc' or '}'");
  const uint32_t label = ut_task_label(&parser->labels, parser->word, parser->length);
  if (label == UINT32_MAX)
    return ut_fail(parser->e, UT_BAD_INPUT, "%s: out of memory", parser->file.path);
  next(parser);
  if (is(parser, "requires") || is(parser, "irequires"))
    return read_requirement(parser, label);
  if (!is(parser, ":"))
    return fail_here(parser, "':', 'requires' or 'irequires'");
  next(parser);
  return read_task(parser, label, column);
}

/* ---- ranks */

static int resolve(struct parser *parser) {
  char where[24];
  snprintf(where, sizeof where, "rank %" PRIu32, parser->rank);
  if (ut_task_labels_check(&parser->labels, parser->file.path, where, parser->e))
    return -1;
  for (uint32_t i = 0; i < parser->labels.requirements; i++) {
    const struct ut_label_requirement *requirement = &parser->labels.requirement[i];
    const struct ut_label *label = parser->labels.label;
    if (ut_workload_require(parser->w, label[requirement->task].task, label[requirement->needs].task,
                            requirement->begun, requirement->line, parser->e))
      return -1;
  }
  ut_task_labels_clear(&parser->labels);
  return 0;
}

static int read_rank(struct parser *parser) {
  const size_t column = column_of(parser);
  uint64_t rank;
  if (take(parser, "rank") || take_rank(parser, "the number of a rank", &rank))
    return -1;
  if (parser->line_of[rank])
    return ut_lines_fail(&parser->file, column, parser->e, "rank %" PRIu64 " stands in line %" PRIu32 " already", rank,
                         parser->line_of[rank]);
  parser->line_of[rank] = parser->file.line;
  parser->rank = (uint32_t)rank;
  skip_empty(parser);
  if (take(parser, "{"))
    return -1;
  for (skip_empty(parser); !is(parser, "}"); skip_empty(parser))
    if (read_statement(parser) ||
        (parser->token != END_OF_LINE && !is(parser, "}") && fail_here(parser, "the end of the line")))
      return -1;
  next(parser);
  return resolve(parser);
}

static int read_ranks(struct parser *parser) {
  uint64_t ranks;
  skip_empty(parser);
  const size_t column = column_of(parser);
  if (take(parser, "num_ranks") || take_number(parser, "the number of ranks", UINT32_MAX, &ranks))
    return -1;
  if (!ranks || ranks > parser->w->terminals)
    return ut_lines_fail(&parser->file, column, parser->e,
                         "%" PRIu64 " ranks: rank r is terminal r, and this network has %" PRIu32 " terminals", ranks,
                         parser->w->terminals);
  parser->ranks = (uint32_t)ranks;
  parser->line_of = calloc(parser->ranks, sizeof *parser->line_of);
  if (!parser->line_of)
    return ut_fail(parser->e, UT_BAD_INPUT, "%s: out of memory", parser->file.path);
  for (skip_empty(parser); parser->token != END_OF_FILE; skip_empty(parser))
    if (read_rank(parser))
      return -1;
  return parser->failed ? -1 : 0;
}

static int read_goal(struct ut_workload *workload, const struct ut_scenario *scenario, const struct ut_topology *topo,
                     struct ut_error *e) {
  const char *path = scenario->traffic.file;
  struct parser parser = {
      .w = workload, .cycles_per_calc = scenario->traffic.cycles_per_calc, .word = "", .token = END_OF_LINE, .e = e};
  (void)topo;
  workload->path = path;
  int status = ut_lines_open(&parser.file, path, "GOAL", UT_LIMIT_TASK_LINE_BYTES, e);
  if (!status) {
    next(&parser);
    status = parser.failed ? -1 : read_ranks(&parser);
  }
  ut_lines_close(&parser.file);
  ut_task_labels_free(&parser.labels);
  free(parser.line_of);
  return status;
}

const struct ut_pattern ut_pattern_goal = {
    .name = "goal",
    .summary = "workload, from a file: a schedule in GOAL text form",
    .keys = {"traffic.goal_file", "traffic.cycles_per_calc"},
    .tasks = read_goal,
};
