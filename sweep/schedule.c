/* SPDX-License-Identifier: Apache-2.0 */
/* schedule.c - see schedule.h */
#define _GNU_SOURCE
#include "schedule.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "find.h"
#include "names.h"

/* A repetition of a point. */
struct unit {
  enum { IDLE, RUNNING, DONE } state;
  bool failed;
  double value;             /* of the stopping rule's result; NaN: none */
  struct ut_answer *answer; /* of a search */
  size_t answers;
};

struct point {
  struct unit *unit; /* [stage] */
  unsigned stage;    /* repetitions wanted so far */
  unsigned next;     /* no unit before it is idle */
  unsigned done;
  bool complete;
};

struct ut_schedule {
  struct ut_sweep *sweep;
  struct ut_store *store;
  struct point *point;
  size_t points, complete;
  unsigned lowest; /* no idle unit has a lower repetition */
  size_t from;     /* none with that one stands at a point before */
  struct ut_share share;
  bool again_failed, any_result;
  struct ut_standing standing;
};

static int __attribute__((cold)) out_of_memory(const struct ut_schedule *schedule, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", schedule->sweep->path);
}

/* ---- stages */

static bool satisfied(const struct ut_schedule *schedule, const struct point *point) {
  double *value = malloc(point->stage * sizeof *value);
  size_t n = 0;
  for (unsigned i = 0; value && i < point->stage; i++)
    if (!isnan(point->unit[i].value))
      value[n++] = point->unit[i].value;
  const bool enough = value && ut_stopping_enough(&schedule->sweep->stopping, value, n);
  free(value);
  return enough;
}

/* Makes unit number `repetition` of a point idle (again). */
static void set_idle(struct ut_schedule *schedule, struct point *point, unsigned repetition) {
  const size_t i = (size_t)(point - schedule->point);
  if (point->next > repetition)
    point->next = repetition;
  if (repetition < schedule->lowest || (repetition == schedule->lowest && i < schedule->from)) {
    schedule->lowest = repetition;
    schedule->from = i;
  }
}

static bool is_ours(const struct ut_schedule *schedule, const struct point *here, unsigned repetition) {
  const size_t point = (size_t)(here - schedule->point);
  return (schedule->sweep->stopping.result ? point : repetition * schedule->points + point) % schedule->share.count ==
         schedule->share.index;
}

static int next_stage(struct ut_schedule *schedule, struct point *point, struct ut_error *e) {
  const unsigned stage = ut_stopping_next_stage(&schedule->sweep->stopping, point->stage);
  if (stage == point->stage || (point->stage && satisfied(schedule, point))) {
    point->complete = true;
    schedule->complete++;
    return 0;
  }
  struct unit *more = realloc(point->unit, stage * sizeof *more);
  if (!more)
    return out_of_memory(schedule, e);
  point->unit = more;
  for (unsigned i = point->stage; i < stage; i++) {
    const bool ours = is_ours(schedule, point, i);
    point->unit[i] = (struct unit){.value = NAN, .state = ours ? IDLE : DONE};
    schedule->standing.planned += ours;
    point->done += !ours;
  }
  set_idle(schedule, point, point->stage);
  point->stage = stage;
  return point->done == point->stage ? next_stage(schedule, point, e) : 0;
}

struct ut_schedule *ut_schedule_make(struct ut_sweep *sweep, struct ut_store *store, struct ut_share share,
                                     bool again_failed, struct ut_error *e) {
  struct ut_schedule *schedule = calloc(1, sizeof *schedule);
  if (!schedule) {
    ut_fail(e, UT_BAD_INPUT, "%s: out of memory", sweep->path);
    return NULL;
  }
  *schedule = (struct ut_schedule){
      .sweep = sweep, .store = store, .points = ut_points_count(sweep), .share = share, .again_failed = again_failed};
  schedule->point = calloc(schedule->points, sizeof *schedule->point);
  int status = schedule->point ? 0 : out_of_memory(schedule, e);
  for (size_t i = 0; !status && i < schedule->points; i++)
    status = next_stage(schedule, &schedule->point[i], e);
  if (!status)
    return schedule;
  ut_schedule_free(schedule);
  return NULL;
}

void ut_schedule_free(struct ut_schedule *schedule) {
  if (!schedule)
    return;
  for (size_t i = 0; schedule->point && i < schedule->points; i++) {
    for (unsigned j = 0; j < schedule->point[i].stage; j++)
      free(schedule->point[i].unit[j].answer);
    free(schedule->point[i].unit);
  }
  free(schedule->point);
  free(schedule);
}

bool ut_schedule_complete(const struct ut_schedule *schedule) {
  return schedule->complete == schedule->points;
}

void ut_schedule_standing(const struct ut_schedule *schedule, struct ut_standing *standing) {
  *standing = schedule->standing;
}

/* ---- outcomes */

struct names {
  const char **name;
  double *value;
  size_t count;
};

static int collect(void *ctx, const char *name, double value) {
  struct names *list = ctx;
  if (list->count % 64 == 0) {
    const char **names = realloc(list->name, (list->count + 64) * sizeof *names);
    list->name = names ? names : list->name;
    double *values = realloc(list->value, (list->count + 64) * sizeof *values);
    list->value = values ? values : list->value;
    if (!names || !values)
      return -1;
  }
  list->name[list->count] = strdup(name);
  list->value[list->count] = value;
  return list->name[list->count] ? (list->count++, 0) : -1;
}

/* The number of an outcome that `word` names. */
static int number_of(const struct ut_outcome *outcome, const char *word, double *value, struct ut_error *e) {
  struct names names = {0};
  int status = ut_store_numbers(outcome->json, collect, &names) ? ut_fail(e, UT_BAD_INPUT, "out of memory") : 0;
  if (!status) {
    const size_t i = ut_name_find(names.name, names.count, word, e);
    status = i < names.count ? 0 : -1;
    *value = status ? NAN : names.value[i];
  }
  for (size_t i = 0; i < names.count; i++)
    free((char *)(uintptr_t)names.name[i]);
  free(names.name);
  free(names.value);
  return status;
}

/* Whether it was a run of a network, not a proof with a counter-example. */
static bool ends_in_deadlock(const struct ut_outcome *outcome) {
  double deadlock;
  struct ut_error none;
  return !number_of(outcome, UT_DEADLOCK_RESULT, &deadlock, &none) && deadlock > 0;
}

/* Returns the messages of a run, without our program's name in front. */
static const char *said_by(const struct ut_outcome *outcome) {
  const char *text = outcome->message ? outcome->message : "without a message";
  const size_t name = strncmp(text, "uturn", strlen("uturn")) ? 0 : strcspn(text, ":\n");
  return name && !strncmp(text + name, ": ", 2) ? text + name + 2 : text;
}

/* A unit has its result, or has failed. */
static int end_unit(struct ut_schedule *schedule, const struct ut_run *run, const struct ut_outcome *outcome,
                    struct ut_error *e) {
  struct point *point = &schedule->point[run->point];
  struct unit *unit = &point->unit[run->repetition];
  struct ut_error why;
  const char *wanted = schedule->sweep->stopping.result;
  unit->state = DONE;
  unit->failed = !ut_outcome_is_result(outcome);
  if (!unit->failed && wanted && !ends_in_deadlock(outcome) && number_of(outcome, wanted, &unit->value, &why))
    return ut_fail(e, why.code, "%s: 'repeat.until.result': %s", schedule->sweep->path, why.text);
  if (unit->failed && !schedule->standing.failed++)
    snprintf(schedule->standing.message, sizeof schedule->standing.message, "%s", said_by(outcome));
  schedule->standing.done++;
  point->done++;
  return point->done == point->stage ? next_stage(schedule, point, e) : 0;
}

/* ---- searches */

static int answer_of(const struct ut_run *run, const struct ut_outcome *outcome, struct ut_answer *answer,
                     struct ut_error *e) {
  struct ut_error none;
  double growing = 0, collapsed = 0; /* missing: the run was not watched */
  number_of(outcome, "stability.growing", &growing, &none);
  number_of(outcome, "stability.collapsed", &collapsed, &none);
  *answer = (struct ut_answer){
      .load = run->load, .deadlock = outcome->status == UT_DEADLOCK, .unsustained = growing > 0 || collapsed > 0};
  if (number_of(outcome, "latency_cycles.mean", &answer->latency,
                &none)) /* no packet of the measured ones has arrived */
    answer->latency = INFINITY;
  return number_of(outcome, "throughput_flits_per_cycle_per_terminal", &answer->throughput, e);
}

static int make_none_sustained(struct ut_schedule *schedule, struct ut_outcome *outcome, struct ut_error *e) {
  *outcome = (struct ut_outcome){.status = UT_BAD_INPUT};
  const int length = asprintf(&outcome->message, "%s: 'find.from': load %g is not sustained; expected: a lower one",
                              schedule->sweep->path, schedule->sweep->find.from);
  if (length < 0)
    outcome->message = NULL;
  return outcome->message ? 0 : out_of_memory(schedule, e);
}

/* Returns the result of a search as the outcome of a run. */
static int make_found(struct ut_schedule *schedule, const struct unit *unit, struct ut_outcome *outcome,
                      struct ut_error *e) {
  const struct ut_answer *best = ut_find_result(&schedule->sweep->find, unit->answer, unit->answers);
  if (schedule->sweep->find.what == UT_FIND_SATURATION && best->unsustained)
    return make_none_sustained(schedule, outcome, e);
  json_t *j = json_pack("{s:{s:f,s:f,s:o},s:I}", schedule->sweep->find.what == UT_FIND_PEAK ? "peak" : "saturation",
                        "load_flits_per_cycle", best->load, "throughput_flits_per_cycle_per_terminal", best->throughput,
                        "latency_cycles", isinf(best->latency) ? json_null() : json_real(best->latency), "runs",
                        (json_int_t)unit->answers);
  *outcome = (struct ut_outcome){.status = best->deadlock ? UT_DEADLOCK : UT_OK};
  outcome->json = j ? json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
  json_decref(j);
  return outcome->json ? 0 : out_of_memory(schedule, e);
}

static int remember(struct ut_schedule *schedule, struct unit *unit, const struct ut_run *run,
                    const struct ut_outcome *outcome, struct ut_error *e) {
  struct ut_answer *more = realloc(unit->answer, (unit->answers + 1) * sizeof *more);
  if (!more)
    return out_of_memory(schedule, e);
  unit->answer = more;
  if (answer_of(run, outcome, &unit->answer[unit->answers], e))
    return -1;
  unit->answers++;
  return 0;
}

/* The outcome of a probe: the search goes on, or has ended.  `stored`: its row is there already. */
static int take_probe(struct ut_schedule *schedule, const struct ut_run *run, const struct ut_outcome *outcome,
                      struct ut_error *e) {
  struct unit *unit = &schedule->point[run->point].unit[run->repetition];
  double load;
  const bool failed = !ut_outcome_is_result(outcome);
  if (!failed) {
    if (remember(schedule, unit, run, outcome, e))
      return -1;
    if (ut_find_next(&schedule->sweep->find, unit->answer, unit->answers, &load)) {
      unit->state = IDLE;
      set_idle(schedule, &schedule->point[run->point], run->repetition);
      return 0;
    }
  }
  struct ut_run found = *run;
  struct ut_outcome result = {0};
  found.probe = false;
  found.scenario = NULL;
  found.arguments = NULL;
  ut_found_key(run, schedule->sweep, found.key);
  if (failed)
    result = (struct ut_outcome){.status = outcome->status, .message = outcome->message};
  else if (make_found(schedule, unit, &result, e))
    return -1;
  result.started = outcome->started;
  struct ut_outcome before;
  const int there = ut_store_get(schedule->store, &found, &before, e);
  const bool same = there == 1 && before.status == result.status;
  if (there == 1)
    ut_outcome_free(&before);
  const int status = there < 0 || (!same && ut_store_add(schedule->store, &found, &result, e)) ||
                             end_unit(schedule, &found, &result, e)
                         ? -1
                         : 0;
  if (!failed)
    ut_outcome_free(&result);
  return status;
}

/* ---- the order of runs */

static int take(struct ut_schedule *schedule, const struct ut_run *run, const struct ut_outcome *outcome,
                struct ut_error *e) {
  schedule->any_result |= ut_outcome_is_result(outcome);
  return run->probe ? take_probe(schedule, run, outcome, e) : end_unit(schedule, run, outcome, e);
}

int ut_schedule_take(struct ut_schedule *schedule, const struct ut_run *run, const struct ut_outcome *outcome,
                     struct ut_error *e) {
  char name[UT_POINT_NAME_SIZE];
  if (outcome->status == UT_BAD_INPUT && !schedule->any_result) /* then all of them would end like that */
    return ut_fail(e, UT_BAD_INPUT, "%s: the first run, at point %zu%s%.300s%s, was refused:\n%.1200s",
                   schedule->sweep->path, run->point, schedule->sweep->axes ? " (" : "",
                   ut_points_name(schedule->sweep, run->point, name), schedule->sweep->axes ? ")" : "",
                   said_by(outcome));
  schedule->standing.made++;
  return ut_store_add(schedule->store, run, outcome, e) ? -1 : take(schedule, run, outcome, e);
}

void ut_schedule_drop(struct ut_schedule *schedule, const struct ut_run *run) {
  struct point *point = &schedule->point[run->point];
  point->unit[run->repetition].state = IDLE;
  set_idle(schedule, point, run->repetition);
}

/* Returns the run that an idle unit needs next. */
static int make_run(struct ut_schedule *schedule, size_t point, unsigned repetition, struct ut_run *run,
                    struct ut_error *e) {
  const struct unit *unit = &schedule->point[point].unit[repetition];
  const bool search = schedule->sweep->find.what != UT_FIND_NOTHING;
  double load = NAN;
  if (search)
    ut_find_next(&schedule->sweep->find, unit->answer, unit->answers, &load);
  return ut_run_make(run, schedule->sweep, point, repetition, search, load, e);
}

/* Returns the idle unit with the lowest repetition, then point; false: there is none. */
static bool find_idle(struct ut_schedule *schedule, size_t *point, unsigned *repetition) {
  while (schedule->lowest < schedule->sweep->stopping.most) {
    for (; schedule->from < schedule->points; schedule->from++) {
      struct point *here = &schedule->point[schedule->from];
      while (here->next < here->stage && here->unit[here->next].state != IDLE)
        here->next++;
      if (here->next < here->stage && here->next == schedule->lowest) {
        *point = schedule->from;
        *repetition = schedule->lowest;
        return true;
      }
    }
    schedule->from = 0;
    schedule->lowest++;
  }
  return false;
}

int ut_schedule_next(struct ut_schedule *schedule, struct ut_run *run, struct ut_error *e) {
  size_t point;
  unsigned repetition;
  while (find_idle(schedule, &point, &repetition)) {
    struct ut_outcome outcome;
    if (make_run(schedule, point, repetition, run, e))
      return -1;
    const int there = ut_store_get(schedule->store, run, &outcome, e);
    if (there >= 0)
      schedule->point[point].unit[repetition].state = RUNNING;
    const bool wanted = there == 1 && !(schedule->again_failed && !ut_outcome_is_result(&outcome));
    const int status = wanted ? take(schedule, run, &outcome, e) : there < 0 ? -1 : 0;
    if (wanted && schedule->point[point].unit[repetition].state == DONE)
      schedule->standing.stored++;
    if (there == 1)
      ut_outcome_free(&outcome);
    if (!status && !wanted)
      return 1;
    ut_run_free(run);
    if (status)
      return -1;
  }
  return 0;
}
