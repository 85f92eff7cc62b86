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

static struct ut_estimate value_of(const struct ut_point_summary *p, struct quantity q) {
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
  for (size_t i = 0; i < s->points; i++)
    if (isnan(value_of(&s->point[i], (struct quantity){true, axis}).mean))
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

/* "destro, vcs 4": words speak for themselves, numbers stand behind the first word of their key's last part. */
static void print_value(FILE *f, const char *axis, const char *value) {
  const char *dot = strrchr(axis, '.'), *name = dot ? dot + 1 : axis;
  const bool bare =
      strspn(value, "0123456789.+-e") == strlen(value) || !strcmp(value, "true") || !strcmp(value, "false");
  if (bare)
    fprintf(f, "%.*s ", (int)strcspn(name, "_"), name);
  fputs(value, f);
}
static char *curve_title(const struct drawing *d, const char *label, const struct ut_point_summary *p) {
  char *title = NULL;
  size_t size;
  bool any = label != NULL;
  FILE *f = open_memstream(&title, &size);
  if (f && label)
    fputs(label, f);
  for (size_t i = 0; f && i < d->s->axes; i++) {
    if (!d->series[i])
      continue;
    fputs(any ? ", " : "", f);
    print_value(f, d->s->axis[i], p->value[i]);
    any = true;
  }
  return f && !fclose(f) ? title : NULL;
}

/* All points of the curve that begins with point `first`. */
static bool make_curve(const struct drawing *d, const char *label, size_t first, struct ut_curve *c) {
  const struct ut_summary *s = d->s;
  c->point = malloc(s->points * sizeof *c->point);
  c->title = curve_title(d, label, &s->point[first]);
  for (size_t i = first; c->point && i < s->points; i++) {
    if (!same_curve(d, &s->point[first], &s->point[i]))
      continue;
    const struct ut_estimate x = value_of(&s->point[i], d->x), y = value_of(&s->point[i], d->y);
    if (!isnan(x.mean) && !isnan(y.mean))
      c->point[c->points++] = (struct ut_curve_point){x.mean, y.mean, isnan(y.half_width) ? 0 : y.half_width};
  }
  return c->point && c->title;
}

/* The picture in the making. */
struct canvas {
  struct ut_curve *curve;
  size_t curves;
  bool cut;
  char title[TITLE_SIZE], x[TITLE_SIZE], y[TITLE_SIZE];
};

static void free_curve(struct ut_curve *c) {
  free((char *)c->title);
  free(c->point);
  *c = (struct ut_curve){0};
}

/* false: out of memory. */
static bool add_curves(const struct drawing *d, const char *label, struct canvas *c) {
  const struct ut_summary *s = d->s;
  struct ut_curve *more = realloc(c->curve, (c->curves + s->points) * sizeof *more);
  if (!more)
    return false;
  c->curve = more;
  for (size_t i = 0; i < s->points; i++) {
    bool new = true;
    for (size_t j = 0; j < i; j++)
      new &= !same_curve(d, &s->point[j], &s->point[i]);
    if (!new)
      continue;
    struct ut_curve *curve = &c->curve[c->curves++];
    *curve = (struct ut_curve){0};
    if (!make_curve(d, label, i, curve))
      return false;
    if (!curve->points) /* nothing of it can be drawn */
      free_curve(&c->curve[--c->curves]);
  }
  return true;
}

/* The sweep's file without its folder and ending. */
static void name_picture(const struct ut_summary *s, char title[TITLE_SIZE]) {
  const char *path = s->sweep ? s->sweep : "", *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  snprintf(title, TITLE_SIZE, "%.*s", (int)strcspn(name, "."), name);
}

static int add_summary(const struct ut_summary *s, const struct ut_plot_source *source,
                       const struct ut_results_plot *what, struct canvas *c, struct ut_error *e) {
  struct drawing d = {.s = s, .series = calloc(s->axes + 1, sizeof *d.series)};
  const bool over_load = varying(s, UT_LOAD_KEY) < s->axes;
  int status = d.series ? 0 : ut_fail(e, UT_INTERNAL, "out of memory");
  if (!status && !s->points)
    status =
        ut_fail(e, UT_BAD_INPUT, "%s: no results%s", source->results, what->where ? " for which that is true" : "");
  if (!status)
    status =
        choose_y(&d, what, over_load, e) || choose_x(&d, what, over_load, e) || choose_series(&d, what, e) ? -1 : 0;
  if (!status && !add_curves(&d, source->label, c))
    status = ut_fail(e, UT_INTERNAL, "out of memory");
  if (!status) {
    title_of(name_of(s, d.x), c->x);
    title_of(name_of(s, d.y), c->y);
    name_picture(s, c->title);
    c->cut = !d.y.axis && !strncmp(name_of(s, d.y), "latency", strlen("latency"));
  }
  free(d.series);
  return status;
}

static int add_source(const struct ut_plot_source *source, const struct ut_results_plot *what, struct canvas *c,
                      struct ut_error *e) {
  struct ut_store store;
  struct ut_summary s = {0};
  if (ut_store_read(&store, source->results, e))
    return -1;
  const int status = ut_summary_load(&s, &store, what->where, e) || add_summary(&s, source, what, c, e) ? -1 : 0;
  ut_summary_free(&s);
  ut_store_close(&store, NULL);
  return status;
}

int ut_results_plot(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                    const char *file, const struct ut_caller *caller) {
  struct canvas c = {0};
  int status = 0;
  for (size_t i = 0; i < sources && !status; i++)
    status = add_source(&source[i], what, &c, caller->e);
  const struct ut_curves curves = {
      .title = what->title ? what->title : c.title,
      .x = what->x_title ? what->x_title : c.x,
      .y = what->y_title ? what->y_title : c.y,
      .curve = c.curve,
      .curves = c.curves,
      .log_x = what->log_x,
      .log_y = what->log_y,
      .cut = c.cut,
  };
  if (!status)
    status = c.curves ? ut_curves_draw(&curves, file, caller)
                      : ut_fail(caller->e, UT_BAD_INPUT, "%s: no point has both x and y", source->results);
  for (size_t i = 0; i < c.curves; i++)
    free_curve(&c.curve[i]);
  free(c.curve);
  return status;
}
