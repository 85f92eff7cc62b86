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

static int __attribute__((cold)) out_of_memory(const struct ut_schedule *s, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", s->sweep->path);
}

/* ---- stages */

static bool satisfied(const struct ut_schedule *s, const struct point *p) {
  double *value = malloc(p->stage * sizeof *value);
  size_t n = 0;
  for (unsigned i = 0; value && i < p->stage; i++)
    if (!isnan(p->unit[i].value))
      value[n++] = p->unit[i].value;
  const bool enough = value && ut_stopping_enough(&s->sweep->stopping, value, n);
  free(value);
  return enough;
}

/* Unit number `repetition` of a point is idle (again). */
static void set_idle(struct ut_schedule *s, struct point *p, unsigned repetition) {
  const size_t i = (size_t)(p - s->point);
  if (p->next > repetition)
    p->next = repetition;
  if (repetition < s->lowest || (repetition == s->lowest && i < s->from)) {
    s->lowest = repetition;
    s->from = i;
  }
}

static bool is_ours(const struct ut_schedule *s, const struct point *p, unsigned repetition) {
  const size_t point = (size_t)(p - s->point);
  return (s->sweep->stopping.result ? point : repetition * s->points + point) % s->share.count == s->share.index;
}

static int next_stage(struct ut_schedule *s, struct point *p, struct ut_error *e) {
  const unsigned stage = ut_stopping_next_stage(&s->sweep->stopping, p->stage);
  if (stage == p->stage || (p->stage && satisfied(s, p))) {
    p->complete = true;
    s->complete++;
    return 0;
  }
  struct unit *more = realloc(p->unit, stage * sizeof *more);
  if (!more)
    return out_of_memory(s, e);
  p->unit = more;
  for (unsigned i = p->stage; i < stage; i++) {
    const bool ours = is_ours(s, p, i);
    p->unit[i] = (struct unit){.value = NAN, .state = ours ? IDLE : DONE};
    s->standing.planned += ours;
    p->done += !ours;
  }
  set_idle(s, p, p->stage);
  p->stage = stage;
  return p->done == p->stage ? next_stage(s, p, e) : 0;
}

struct ut_schedule *ut_schedule_make(struct ut_sweep *sweep, struct ut_store *store, struct ut_share share,
                                     bool again_failed, struct ut_error *e) {
  struct ut_schedule *s = calloc(1, sizeof *s);
  if (!s) {
    ut_fail(e, UT_BAD_INPUT, "%s: out of memory", sweep->path);
    return NULL;
  }
  *s = (struct ut_schedule){
      .sweep = sweep, .store = store, .points = ut_points_count(sweep), .share = share, .again_failed = again_failed};
  s->point = calloc(s->points, sizeof *s->point);
  int status = s->point ? 0 : out_of_memory(s, e);
  for (size_t i = 0; !status && i < s->points; i++)
    status = next_stage(s, &s->point[i], e);
  if (!status)
    return s;
  ut_schedule_free(s);
  return NULL;
}

void ut_schedule_free(struct ut_schedule *s) {
  if (!s)
    return;
  for (size_t i = 0; s->point && i < s->points; i++) {
    for (unsigned j = 0; j < s->point[i].stage; j++)
      free(s->point[i].unit[j].answer);
    free(s->point[i].unit);
  }
  free(s->point);
  free(s);
}

bool ut_schedule_complete(const struct ut_schedule *s) {
  return s->complete == s->points;
}

void ut_schedule_standing(const struct ut_schedule *s, struct ut_standing *standing) {
  *standing = s->standing;
}

/* ---- outcomes */

struct names {
  const char **name;
  double *value;
  size_t count;
};

static int collect(void *ctx, const char *name, double value) {
  struct names *n = ctx;
  if (n->count % 64 == 0) {
    const char **names = realloc(n->name, (n->count + 64) * sizeof *names);
    n->name = names ? names : n->name;
    double *values = realloc(n->value, (n->count + 64) * sizeof *values);
    n->value = values ? values : n->value;
    if (!names || !values)
      return -1;
  }
  n->name[n->count] = strdup(name);
  n->value[n->count] = value;
  return n->name[n->count] ? (n->count++, 0) : -1;
}

/* The number of an outcome that `word` names. */
static int number_of(const struct ut_outcome *o, const char *word, double *value, struct ut_error *e) {
  struct names n = {0};
  int status = ut_store_numbers(o->json, collect, &n) ? ut_fail(e, UT_BAD_INPUT, "out of memory") : 0;
  if (!status) {
    const size_t i = ut_name_find(n.name, n.count, word, e);
    status = i < n.count ? 0 : -1;
    *value = status ? NAN : n.value[i];
  }
  for (size_t i = 0; i < n.count; i++)
    free((char *)(uintptr_t)n.name[i]);
  free(n.name);
  free(n.value);
  return status;
}

/* A run of the network, that is; not a proof with a counter-example. */
static bool ends_in_deadlock(const struct ut_outcome *o) {
  double deadlock;
  struct ut_error none;
  return !number_of(o, UT_DEADLOCK_RESULT, &deadlock, &none) && deadlock > 0;
}

/* What a run has said, without the name of the program in front: that is ours. */
static const char *said_by(const struct ut_outcome *o) {
  const char *text = o->message ? o->message : "without a message";
  const size_t name = strncmp(text, "uturn", strlen("uturn")) ? 0 : strcspn(text, ":\n");
  return name && !strncmp(text + name, ": ", 2) ? text + name + 2 : text;
}

/* A unit has its result, or has failed. */
static int end_unit(struct ut_schedule *s, const struct ut_run *r, const struct ut_outcome *o, struct ut_error *e) {
  struct point *p = &s->point[r->point];
  struct unit *u = &p->unit[r->repetition];
  struct ut_error why;
  const char *wanted = s->sweep->stopping.result;
  u->state = DONE;
  u->failed = !ut_outcome_is_result(o);
  if (!u->failed && wanted && !ends_in_deadlock(o) && number_of(o, wanted, &u->value, &why))
    return ut_fail(e, why.code, "%s: 'repeat.until.result': %s", s->sweep->path, why.text);
  if (u->failed && !s->standing.failed++)
    snprintf(s->standing.message, sizeof s->standing.message, "%s", said_by(o));
  s->standing.done++;
  p->done++;
  return p->done == p->stage ? next_stage(s, p, e) : 0;
}

/* ---- searches */

static int answer_of(const struct ut_run *r, const struct ut_outcome *o, struct ut_answer *a, struct ut_error *e) {
  struct ut_error none;
  double growing = 0, collapsed = 0; /* not there: nobody has watched */
  number_of(o, "stability.growing", &growing, &none);
  number_of(o, "stability.collapsed", &collapsed, &none);
  *a = (struct ut_answer){
      .load = r->load, .deadlock = o->status == UT_DEADLOCK, .unsustained = growing > 0 || collapsed > 0};
  if (number_of(o, "latency_cycles.mean", &a->latency, &none)) /* no packet of the measured ones has arrived */
    a->latency = INFINITY;
  return number_of(o, "throughput_flits_per_cycle_per_terminal", &a->throughput, e);
}

static int make_none_sustained(struct ut_schedule *s, struct ut_outcome *o, struct ut_error *e) {
  *o = (struct ut_outcome){.status = UT_BAD_INPUT};
  const int length = asprintf(&o->message, "%s: 'find.from': load %g is not sustained; expected: a lower one",
                              s->sweep->path, s->sweep->find.from);
  if (length < 0)
    o->message = NULL;
  return o->message ? 0 : out_of_memory(s, e);
}

/* What was found, as the outcome of a run. */
static int make_found(struct ut_schedule *s, const struct unit *u, struct ut_outcome *o, struct ut_error *e) {
  const struct ut_answer *best = ut_find_result(&s->sweep->find, u->answer, u->answers);
  if (s->sweep->find.what == UT_FIND_SATURATION && best->unsustained)
    return make_none_sustained(s, o, e);
  json_t *j = json_pack("{s:{s:f,s:f,s:o},s:I}", s->sweep->find.what == UT_FIND_PEAK ? "peak" : "saturation",
                        "load_flits_per_cycle", best->load, "throughput_flits_per_cycle_per_terminal", best->throughput,
                        "latency_cycles", isinf(best->latency) ? json_null() : json_real(best->latency), "runs",
                        (json_int_t)u->answers);
  *o = (struct ut_outcome){.status = best->deadlock ? UT_DEADLOCK : UT_OK};
  o->json = j ? json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
  json_decref(j);
  return o->json ? 0 : out_of_memory(s, e);
}

static int remember(struct ut_schedule *s, struct unit *u, const struct ut_run *r, const struct ut_outcome *o,
                    struct ut_error *e) {
  struct ut_answer *more = realloc(u->answer, (u->answers + 1) * sizeof *more);
  if (!more)
    return out_of_memory(s, e);
  u->answer = more;
  if (answer_of(r, o, &u->answer[u->answers], e))
    return -1;
  u->answers++;
  return 0;
}

/* The outcome of a probe: the search goes on, or has ended.  `stored`: its row is there already. */
static int take_probe(struct ut_schedule *s, const struct ut_run *r, const struct ut_outcome *o, struct ut_error *e) {
  struct unit *u = &s->point[r->point].unit[r->repetition];
  double load;
  const bool failed = !ut_outcome_is_result(o);
  if (!failed) {
    if (remember(s, u, r, o, e))
      return -1;
    if (ut_find_next(&s->sweep->find, u->answer, u->answers, &load)) {
      u->state = IDLE;
      set_idle(s, &s->point[r->point], r->repetition);
      return 0;
    }
  }
  struct ut_run found = *r;
  struct ut_outcome result = {0};
  found.probe = false;
  found.scenario = NULL;
  found.arguments = NULL;
  ut_found_key(r, s->sweep, found.key);
  if (failed)
    result = (struct ut_outcome){.status = o->status, .message = o->message};
  else if (make_found(s, u, &result, e))
    return -1;
  result.started = o->started;
  struct ut_outcome before;
  const int there = ut_store_get(s->store, &found, &before, e);
  const bool same = there == 1 && before.status == result.status;
  if (there == 1)
    ut_outcome_free(&before);
  const int status =
      there < 0 || (!same && ut_store_add(s->store, &found, &result, e)) || end_unit(s, &found, &result, e) ? -1 : 0;
  if (!failed)
    ut_outcome_free(&result);
  return status;
}

/* ---- the order of runs */

static int take(struct ut_schedule *s, const struct ut_run *r, const struct ut_outcome *o, struct ut_error *e) {
  s->any_result |= ut_outcome_is_result(o);
  return r->probe ? take_probe(s, r, o, e) : end_unit(s, r, o, e);
}

int ut_schedule_take(struct ut_schedule *s, const struct ut_run *r, const struct ut_outcome *o, struct ut_error *e) {
  char name[UT_POINT_NAME_SIZE];
  if (o->status == UT_BAD_INPUT && !s->any_result) /* then all of them would end like that */
    return ut_fail(e, UT_BAD_INPUT, "%s: the first run, at point %zu%s%.300s%s, was refused:\n%.1200s", s->sweep->path,
                   r->point, s->sweep->axes ? " (" : "", ut_points_name(s->sweep, r->point, name),
                   s->sweep->axes ? ")" : "", said_by(o));
  s->standing.made++;
  return ut_store_add(s->store, r, o, e) ? -1 : take(s, r, o, e);
}

void ut_schedule_drop(struct ut_schedule *s, const struct ut_run *r) {
  struct point *p = &s->point[r->point];
  p->unit[r->repetition].state = IDLE;
  set_idle(s, p, r->repetition);
}

/* The run that an idle unit needs now. */
static int make_run(struct ut_schedule *s, size_t point, unsigned repetition, struct ut_run *run, struct ut_error *e) {
  const struct unit *u = &s->point[point].unit[repetition];
  const bool search = s->sweep->find.what != UT_FIND_NOTHING;
  double load = NAN;
  if (search)
    ut_find_next(&s->sweep->find, u->answer, u->answers, &load);
  return ut_run_make(run, s->sweep, point, repetition, search, load, e);
}

/* The idle unit with the lowest repetition, then point; false: there is none. */
static bool find_idle(struct ut_schedule *s, size_t *point, unsigned *repetition) {
  while (s->lowest < s->sweep->stopping.most) {
    for (; s->from < s->points; s->from++) {
      struct point *p = &s->point[s->from];
      while (p->next < p->stage && p->unit[p->next].state != IDLE)
        p->next++;
      if (p->next < p->stage && p->next == s->lowest) {
        *point = s->from;
        *repetition = s->lowest;
        return true;
      }
    }
    s->from = 0;
    s->lowest++;
  }
  return false;
}

int ut_schedule_next(struct ut_schedule *s, struct ut_run *run, struct ut_error *e) {
  size_t point;
  unsigned repetition;
  while (find_idle(s, &point, &repetition)) {
    struct ut_outcome o;
    if (make_run(s, point, repetition, run, e))
      return -1;
    const int there = ut_store_get(s->store, run, &o, e);
    if (there >= 0)
      s->point[point].unit[repetition].state = RUNNING;
    const bool wanted = there == 1 && !(s->again_failed && !ut_outcome_is_result(&o));
    const int status = wanted ? take(s, run, &o, e) : there < 0 ? -1 : 0;
    if (wanted && s->point[point].unit[repetition].state == DONE)
      s->standing.stored++;
    if (there == 1)
      ut_outcome_free(&o);
    if (!status && !wanted)
      return 1;
    ut_run_free(run);
    if (status)
      return -1;
  }
  return 0;
}
