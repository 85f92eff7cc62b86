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

const char *ut_quantity_name(const struct ut_summary *summary, struct ut_quantity quantity) {
  return quantity.axis ? summary->axis[quantity.index] : summary->name[quantity.index];
}

struct ut_estimate ut_quantity_value(const struct ut_point_summary *summary, struct ut_quantity quantity) {
  char *end;
  if (!quantity.axis)
    return summary->estimate[quantity.index];
  const double value = strtod(summary->value[quantity.index], &end);
  return (struct ut_estimate){end == summary->value[quantity.index] || *end || !isfinite(value) ? NAN : value, NAN, 1};
}

/* ---- what suits the sweep */

static bool varies(const struct ut_summary *summary, size_t axis) {
  for (size_t i = 1; i < summary->points; i++)
    if (strcmp(summary->point[i].value[axis], summary->point[0].value[axis]))
      return true;
  return false;
}

static bool is_number(const struct ut_summary *summary, size_t axis) {
  for (size_t i = 0; i < summary->points; i++)
    if (isnan(ut_quantity_value(&summary->point[i], (struct ut_quantity){true, axis}).mean))
      return false;
  return true;
}

/* The axis of that name, if it varies; summary->axes: it does not. */
static size_t varying(const struct ut_summary *summary, const char *name) {
  const size_t axis = ut_summary_axis(summary, name, NULL);
  return axis < summary->axes && !strcmp(summary->axis[axis], name) && varies(summary, axis) ? axis : summary->axes;
}

/* The axis that a result is drawn over: faults, else the first one that has numbers. */
static size_t usual_axis(const struct ut_summary *summary) {
  static const char *const first[] = {UT_AXIS_FAULTY_LINKS, UT_AXIS_FAULTY_SWITCHES, UT_LOAD_KEY};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (varying(summary, first[i]) < summary->axes)
      return varying(summary, first[i]);
  for (size_t i = 0; i < summary->axes; i++)
    if (varies(summary, i) && is_number(summary, i))
      return i;
  return summary->axes;
}

static int choose_y(struct ut_choice *choice, const struct ut_summary *summary, const struct ut_results_plot *what,
                    bool over_load, struct ut_error *e) {
  choice->y = (struct ut_quantity){false, summary->names};
  if (what->y) {
    choice->y.index = ut_summary_result(summary, what->y, e);
  } else if (over_load) {
    choice->y.index = ut_summary_result(summary, LATENCY, e);
  } else if (!ut_summary_usual(summary, &choice->y.index, 1)) {
    ut_fail(e, UT_BAD_INPUT, "%s: there is no result to draw", summary->sweep);
  }
  return choice->y.index < summary->names ? 0 : -1;
}

static int choose_x(struct ut_choice *choice, const struct ut_summary *summary, const struct ut_results_plot *what,
                    bool over_load, struct ut_error *e) {
  if (what->x) {
    struct ut_error none;
    choice->x = (struct ut_quantity){true, ut_summary_axis(summary, what->x, &none)};
    if (choice->x.index == summary->axes)
      choice->x = (struct ut_quantity){false, ut_summary_result(summary, what->x, e)};
    return choice->x.axis || choice->x.index < summary->names ? 0 : -1;
  }
  const size_t result = over_load && !what->y ? ut_summary_result(summary, THROUGHPUT, NULL) : summary->names;
  choice->x =
      result < summary->names ? (struct ut_quantity){false, result} : (struct ut_quantity){true, usual_axis(summary)};
  return !choice->x.axis || choice->x.index < summary->axes
             ? 0
             : ut_fail(e, UT_BAD_INPUT, "%s: no axis has numbers to draw a result over; --x names a result",
                       summary->sweep);
}

static int choose_series(struct ut_choice *choice, const struct ut_summary *summary, const struct ut_results_plot *what,
                         struct ut_error *e) {
  const size_t load = varying(summary, UT_LOAD_KEY);
  for (size_t i = 0; i < summary->axes && !what->series; i++)
    choice->series[i] =
        varies(summary, i) && !(choice->x.axis && i == choice->x.index) && !(!choice->x.axis && i == load);
  char *copy = what->series ? strdup(what->series) : NULL, *rest = copy;
  int status = what->series && !copy ? ut_fail(e, UT_BAD_INPUT, "out of memory") : 0;
  for (char *word; !status && (word = strsep(&rest, ", "));) {
    const size_t axis = *word ? ut_summary_axis(summary, word, e) : summary->axes;
    if (axis < summary->axes)
      choice->series[axis] = true;
    else if (*word)
      status = -1;
  }
  free(copy);
  return status;
}

int ut_choice_make(struct ut_choice *choice, const struct ut_summary *summary, const struct ut_results_plot *what,
                   const char *results, struct ut_error *e) {
  const bool over_load = varying(summary, UT_LOAD_KEY) < summary->axes;
  *choice = (struct ut_choice){.series = calloc(summary->axes + 1, sizeof *choice->series)};
  if (!choice->series)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!summary->points)
    return ut_fail(e, UT_BAD_INPUT, "%s: no results%s", results, what->where ? " for which that is true" : "");
  return choose_y(choice, summary, what, over_load, e) || choose_x(choice, summary, what, over_load, e) ||
                 choose_series(choice, summary, what, e)
             ? -1
             : 0;
}

void ut_choice_free(struct ut_choice *choice) {
  free(choice->series);
  *choice = (struct ut_choice){0};
}
