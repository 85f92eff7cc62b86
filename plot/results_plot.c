/* results_plot.c - see results_plot.h */
#define _GNU_SOURCE
#include "results_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"
#include "find.h"
#include "summary.h"

#define THROUGHPUT "throughput_flits_per_cycle_per_terminal"
#define LATENCY "latency_cycles.mean"
enum { TITLE_SIZE = 160 };

/* How axes of pictures are called; others by their names. */
static const struct {
  const char *name, *title;
} titles[] = {
    {UT_LOAD_KEY, "offered load, flits per cycle and terminal"},
    {THROUGHPUT, "accepted load, flits per cycle and terminal"},
    {LATENCY, "mean latency, cycles"},
    {"latency_cycles.p99", "latency that 99 % stay below, cycles"},
    {"saturation." UT_LOAD_KEY, "saturation, flits per cycle and terminal"},
    {"saturation." THROUGHPUT, "throughput at saturation, flits per cycle and terminal"},
    {"peak." THROUGHPUT, "highest throughput, flits per cycle and terminal"},
    {UT_AXIS_FAULTY_LINKS, "faulty links"},
    {UT_AXIS_FAULTY_SWITCHES, "faulty switches"},
    {"nand2_equivalents", "area, two-input NANDs"},
};

static char *title_of(const char *name, char title[TITLE_SIZE]) {
  snprintf(title, TITLE_SIZE, "%s", name);
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (!strcmp(name, titles[i].name))
      return snprintf(title, TITLE_SIZE, "%s", titles[i].title), title;
  for (char *c = title; *c; c++)
    *c = *c == '_' ? ' ' : *c;
  return title;
}

/* An axis of the sweep, or a result. */
struct quantity {
  bool axis;
  size_t index;
};
static const char *name_of(const struct ut_summary *s, struct quantity q) {
  return q.axis ? s->axis[q.index] : s->name[q.index];
}

/* What is drawn. */
struct drawing {
  const struct ut_summary *s;
  struct quantity x, y;
  bool *series; /* [axes]: makes the curves */
};

static struct ut_estimate value_of(const struct drawing *d, const struct ut_point_summary *p, struct quantity q) {
  char *end;
  if (!q.axis)
    return p->estimate[q.index];
  const double value = strtod(p->value[q.index], &end);
  return (struct ut_estimate){end == p->value[q.index] || *end ? NAN : value, NAN, 1};
}

/* ---- what suits the sweep */

static bool varies(const struct ut_summary *s, size_t axis) {
  for (size_t i = 1; i < s->points; i++)
    if (strcmp(s->point[i].value[axis], s->point[0].value[axis]))
      return true;
  return false;
}

static bool is_number(const struct ut_summary *s, size_t axis) {
  const struct drawing d = {.s = s};
  for (size_t i = 0; i < s->points; i++)
    if (isnan(value_of(&d, &s->point[i], (struct quantity){true, axis}).mean))
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

static int choose_y(struct drawing *d, const struct ut_results_plot *what, bool over_load, struct ut_error *e) {
  const struct ut_summary *s = d->s;
  d->y = (struct quantity){false, s->names};
  if (what->y) {
    d->y.index = ut_summary_result(s, what->y, e);
  } else if (over_load) {
    d->y.index = ut_summary_result(s, LATENCY, e);
  } else if (!ut_summary_usual(s, &d->y.index, 1)) {
    ut_fail(e, UT_BAD_INPUT, "%s: there is no result to draw", s->sweep);
  }
  return d->y.index < s->names ? 0 : -1;
}

static int choose_x(struct drawing *d, const struct ut_results_plot *what, bool over_load, struct ut_error *e) {
  const struct ut_summary *s = d->s;
  if (what->x) {
    struct ut_error none;
    d->x = (struct quantity){true, ut_summary_axis(s, what->x, &none)};
    if (d->x.index == s->axes)
      d->x = (struct quantity){false, ut_summary_result(s, what->x, e)};
    return d->x.axis || d->x.index < s->names ? 0 : -1;
  }
  const size_t result = over_load && !what->y ? ut_summary_result(s, THROUGHPUT, NULL) : s->names;
  d->x = result < s->names ? (struct quantity){false, result} : (struct quantity){true, usual_axis(s)};
  return !d->x.axis || d->x.index < s->axes
             ? 0
             : ut_fail(e, UT_BAD_INPUT, "%s: no axis has numbers to draw a result over; --x names a result", s->sweep);
}

static int choose_series(struct drawing *d, const struct ut_results_plot *what, struct ut_error *e) {
  const struct ut_summary *s = d->s;
  const size_t load = varying(s, UT_LOAD_KEY);
  for (size_t i = 0; i < s->axes && !what->series; i++)
    d->series[i] = varies(s, i) && !(d->x.axis && i == d->x.index) && !(!d->x.axis && i == load);
  char *copy = what->series ? strdup(what->series) : NULL, *rest = copy;
  int status = what->series && !copy ? ut_fail(e, UT_INTERNAL, "out of memory") : 0;
  for (char *word; !status && (word = strsep(&rest, ", "));) {
    const size_t axis = *word ? ut_summary_axis(s, word, e) : s->axes;
    if (axis < s->axes)
      d->series[axis] = true;
    else if (*word)
      status = -1;
  }
  free(copy);
  return status;
}

/* ---- curves */

static bool same_curve(const struct drawing *d, const struct ut_point_summary *a, const struct ut_point_summary *b) {
  for (size_t i = 0; i < d->s->axes; i++)
    if (d->series[i] && strcmp(a->value[i], b->value[i]))
      return false;
  return true;
}

/* "destro, 4 vcs": words speak for themselves, numbers with the last part of their key. */
static char *curve_title(const struct drawing *d, const struct ut_point_summary *p) {
  char *title = NULL;
  size_t size;
  bool any = false;
  FILE *f = open_memstream(&title, &size);
  for (size_t i = 0; f && i < d->s->axes; i++) {
    if (!d->series[i])
      continue;
    const char *dot = strrchr(d->s->axis[i], '.'), *name = dot ? dot + 1 : d->s->axis[i];
    fputs(any ? ", " : "", f);
    fputs(p->value[i], f);
    if (strspn(p->value[i], "0123456789.+-e") == strlen(p->value[i]) || !strcmp(p->value[i], "true") ||
        !strcmp(p->value[i], "false"))
      for (fputc(' ', f); *name; name++)
        fputc(*name == '_' ? ' ' : *name, f);
    any = true;
  }
  return f && !fclose(f) ? title : NULL;
}

/* All points of the curve that begins with point `first`. */
static bool make_curve(const struct drawing *d, size_t first, struct ut_curve *c) {
  const struct ut_summary *s = d->s;
  c->point = malloc(s->points * sizeof *c->point);
  c->title = curve_title(d, &s->point[first]);
  for (size_t i = first; c->point && i < s->points; i++) {
    if (!same_curve(d, &s->point[first], &s->point[i]))
      continue;
    const struct ut_estimate x = value_of(d, &s->point[i], d->x), y = value_of(d, &s->point[i], d->y);
    if (!isnan(x.mean) && !isnan(y.mean))
      c->point[c->points++] = (struct ut_curve_point){x.mean, y.mean, isnan(y.half_width) ? 0 : y.half_width};
  }
  return c->point && c->title;
}

static int draw_curves(const struct drawing *d, const struct ut_results_plot *what, const char *file,
                       const struct ut_caller *caller) {
  const struct ut_summary *s = d->s;
  struct ut_curve *curve = calloc(s->points + 1, sizeof *curve);
  size_t curves = 0;
  bool there = curve;
  for (size_t i = 0; there && i < s->points; i++) {
    bool new = true;
    for (size_t j = 0; j < i; j++)
      new &= !same_curve(d, &s->point[j], &s->point[i]);
    if (!new)
      continue;
    there = make_curve(d, i, &curve[curves++]);
    if (there && !curve[curves - 1].points) /* nothing of it can be drawn */
      free((char *)curve[--curves].title), free(curve[curves].point), curve[curves] = (struct ut_curve){0};
  }
  char x[TITLE_SIZE], y[TITLE_SIZE];
  const char *slash = s->sweep ? strrchr(s->sweep, '/') : NULL, *name = slash ? slash + 1 : s->sweep ? s->sweep : "";
  char title[TITLE_SIZE];
  snprintf(title, sizeof title, "%.*s", (int)strcspn(name, "."), name);
  const struct ut_curves c = {
      .title = what->title ? what->title : title,
      .x = what->x_title ? what->x_title : title_of(name_of(s, d->x), x),
      .y = what->y_title ? what->y_title : title_of(name_of(s, d->y), y),
      .curve = curve,
      .curves = curves,
      .log_x = what->log_x,
      .log_y = what->log_y,
  };
  const int status = !there    ? ut_fail(caller->e, UT_INTERNAL, "out of memory")
                     : !curves ? ut_fail(caller->e, UT_BAD_INPUT, "%s: no point has both %s and %s", s->sweep,
                                         name_of(s, d->x), name_of(s, d->y))
                               : ut_curves_draw(&c, file, caller);
  for (size_t i = 0; curve && i < curves; i++)
    free((char *)curve[i].title), free(curve[i].point);
  free(curve);
  return status;
}

int ut_results_plot(const char *results, const struct ut_results_plot *what, const char *file,
                    const struct ut_caller *caller) {
  struct ut_store store;
  struct ut_summary s = {0};
  struct ut_error *e = caller->e, last;
  if (ut_store_read(&store, results, e))
    return -1;
  int status = ut_summary_load(&s, &store, what->where, e);
  struct drawing d = {.s = &s, .series = calloc(s.axes + 1, sizeof *d.series)};
  if (!status && !d.series)
    status = ut_fail(e, UT_INTERNAL, "out of memory");
  if (!status && !s.points)
    status = ut_fail(e, UT_BAD_INPUT, "%s: no results%s", results, what->where ? " for which that is true" : "");
  const bool over_load = !status && varying(&s, UT_LOAD_KEY) < s.axes;
  if (!status)
    status = choose_y(&d, what, over_load, e) || choose_x(&d, what, over_load, e) || choose_series(&d, what, e) ? -1 : 0;
  if (!status)
    status = draw_curves(&d, what, file, caller);
  free(d.series);
  ut_summary_free(&s);
  ut_store_close(&store, &last);
  return status;
}
