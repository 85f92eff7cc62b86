/* SPDX-License-Identifier: Apache-2.0 */
/* choice.c - see choice.h */
#define _GNU_SOURCE
#include "choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

#define THROUGHPUT "throughput_flits_per_cycle_per_terminal"
#define LATENCY "latency_cycles.mean"

/* How axes of pictures are called; others by their names. */
static const struct {
  const char *name, *title;
} titles[] = {
    {UT_LOAD_KEY, "offered load, flits per cycle and terminal"},
    {THROUGHPUT, "accepted load, flits per cycle and terminal"},
    {LATENCY, "mean latency, cycles"},
    {"latency_cycles.p99", "p99 latency, cycles"},
    {"saturation.load_flits_per_cycle", "saturation, flits per cycle and terminal"},
    {"saturation." THROUGHPUT, "throughput at saturation, flits per cycle and terminal"},
    {"peak.load_flits_per_cycle", "load with the highest throughput, flits per cycle and terminal"},
    {"peak." THROUGHPUT, "highest throughput, flits per cycle and terminal"},
    {UT_AXIS_FAULTY_LINKS, "faulty links"},
    {UT_AXIS_FAULTY_SWITCHES, "faulty switches"},
    {"nand2_equivalents", "area, two-input NANDs"},
};

char *ut_quantity_title(const char *name, char title[UT_QUANTITY_TITLE]) {
  snprintf(title, UT_QUANTITY_TITLE, "%s", name);
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (!strcmp(name, titles[i].name))
      return snprintf(title, UT_QUANTITY_TITLE, "%s", titles[i].title), title;
  for (char *c = title; *c; c++)
    *c = *c == '_' ? ' ' : *c;
  return title;
}

bool ut_quantity_shoots_up(const char *name) {
  return !strncmp(name, "latency", strlen("latency"));
}

void ut_quantity_put_value(FILE *f, const char *axis, const char *value) {
  const char *dot = strrchr(axis, '.'), *name = dot ? dot + 1 : axis;
  const bool bare =
      strspn(value, "0123456789.+-e") == strlen(value) || !strcmp(value, "true") || !strcmp(value, "false");
  if (bare)
    fprintf(f, "%.*s ", (int)strcspn(name, "_"), name);
  fputs(value, f);
}

const char *ut_quantity_name(const struct ut_summary *s, struct ut_quantity q) {
  return q.axis ? s->axis[q.index] : s->name[q.index];
}

struct ut_estimate ut_quantity_value(const struct ut_point_summary *p, struct ut_quantity q) {
  char *end;
  if (!q.axis)
    return p->estimate[q.index];
  const double value = strtod(p->value[q.index], &end);
  return (struct ut_estimate){end == p->value[q.index] || *end || !isfinite(value) ? NAN : value, NAN, 1};
}

/* ---- what suits the sweep */

static bool varies(const struct ut_summary *s, size_t axis) {
  for (size_t i = 1; i < s->points; i++)
    if (strcmp(s->point[i].value[axis], s->point[0].value[axis]))
      return true;
  return false;
}

static bool is_number(const struct ut_summary *s, size_t axis) {
  for (size_t i = 0; i < s->points; i++)
    if (isnan(ut_quantity_value(&s->point[i], (struct ut_quantity){true, axis}).mean))
      return false;
  return true;
}

/* The axis of that name, if it varies; s->axes: it does not. */
static size_t varying(const struct ut_summary *s, const char *name) {
  const size_t axis = ut_summary_axis(s, name, NULL);
  return axis < s->axes && !strcmp(s->axis[axis], name) && varies(s, axis) ? axis : s->axes;
}

/* The axis that a result is drawn over: faults, else the first one that has numbers. */
static size_t usual_axis(const struct ut_summary *s) {
  static const char *const first[] = {UT_AXIS_FAULTY_LINKS, UT_AXIS_FAULTY_SWITCHES, UT_LOAD_KEY};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (varying(s, first[i]) < s->axes)
      return varying(s, first[i]);
  for (size_t i = 0; i < s->axes; i++)
    if (varies(s, i) && is_number(s, i))
      return i;
  return s->axes;
}

static int choose_y(struct ut_choice *c, const struct ut_summary *s, const struct ut_results_plot *what, bool over_load,
                    struct ut_error *e) {
  c->y = (struct ut_quantity){false, s->names};
  if (what->y) {
    c->y.index = ut_summary_result(s, what->y, e);
  } else if (over_load) {
    c->y.index = ut_summary_result(s, LATENCY, e);
  } else if (!ut_summary_usual(s, &c->y.index, 1)) {
    ut_fail(e, UT_BAD_INPUT, "%s: there is no result to draw", s->sweep);
  }
  return c->y.index < s->names ? 0 : -1;
}

static int choose_x(struct ut_choice *c, const struct ut_summary *s, const struct ut_results_plot *what, bool over_load,
                    struct ut_error *e) {
  if (what->x) {
    struct ut_error none;
    c->x = (struct ut_quantity){true, ut_summary_axis(s, what->x, &none)};
    if (c->x.index == s->axes)
      c->x = (struct ut_quantity){false, ut_summary_result(s, what->x, e)};
    return c->x.axis || c->x.index < s->names ? 0 : -1;
  }
  const size_t result = over_load && !what->y ? ut_summary_result(s, THROUGHPUT, NULL) : s->names;
  c->x = result < s->names ? (struct ut_quantity){false, result} : (struct ut_quantity){true, usual_axis(s)};
  return !c->x.axis || c->x.index < s->axes
             ? 0
             : ut_fail(e, UT_BAD_INPUT, "%s: no axis has numbers to draw a result over; --x names a result", s->sweep);
}

static int choose_series(struct ut_choice *c, const struct ut_summary *s, const struct ut_results_plot *what,
                         struct ut_error *e) {
  const size_t load = varying(s, UT_LOAD_KEY);
  for (size_t i = 0; i < s->axes && !what->series; i++)
    c->series[i] = varies(s, i) && !(c->x.axis && i == c->x.index) && !(!c->x.axis && i == load);
  char *copy = what->series ? strdup(what->series) : NULL, *rest = copy;
  int status = what->series && !copy ? ut_fail(e, UT_BAD_INPUT, "out of memory") : 0;
  for (char *word; !status && (word = strsep(&rest, ", "));) {
    const size_t axis = *word ? ut_summary_axis(s, word, e) : s->axes;
    if (axis < s->axes)
      c->series[axis] = true;
    else if (*word)
      status = -1;
  }
  free(copy);
  return status;
}

int ut_choice_make(struct ut_choice *c, const struct ut_summary *s, const struct ut_results_plot *what,
                   const char *results, struct ut_error *e) {
  const bool over_load = varying(s, UT_LOAD_KEY) < s->axes;
  *c = (struct ut_choice){.series = calloc(s->axes + 1, sizeof *c->series)};
  if (!c->series)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!s->points)
    return ut_fail(e, UT_BAD_INPUT, "%s: no results%s", results, what->where ? " for which that is true" : "");
  return choose_y(c, s, what, over_load, e) || choose_x(c, s, what, over_load, e) || choose_series(c, s, what, e) ? -1
                                                                                                                  : 0;
}

void ut_choice_free(struct ut_choice *c) {
  free(c->series);
  *c = (struct ut_choice){0};
}
