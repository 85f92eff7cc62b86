/* SPDX-License-Identifier: Apache-2.0 */
/* results_plot.c - see results_plot.h */
#define _GNU_SOURCE
#include "results_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"
#include "find.h"
#include "memory_text.h"
#include "summary.h"

/* What is drawn. */
struct drawing {
  const struct ut_summary *s;
  struct ut_choice choice;
};

/* ---- curves */

static bool same_curve(const struct drawing *d, const struct ut_point_summary *a, const struct ut_point_summary *b) {
  for (size_t i = 0; i < d->s->axes; i++)
    if (d->choice.series[i] && strcmp(a->value[i], b->value[i]))
      return false;
  return true;
}

/* "destro, vcs 4" */
static char *curve_title(const struct drawing *d, const char *label, const struct ut_point_summary *p) {
  char *title = NULL;
  size_t size;
  bool any = label != NULL;
  FILE *f = ut_memory_open(&title, &size);
  if (f && label)
    fputs(label, f);
  for (size_t i = 0; f && i < d->s->axes; i++) {
    if (!d->choice.series[i])
      continue;
    fputs(any ? ", " : "", f);
    ut_quantity_put_value(f, d->s->axis[i], p->value[i]);
    any = true;
  }
  return f && !ut_memory_close(f, &title) ? title : NULL;
}

/* In some of its runs queues grew, or throughput collapsed (csim/util/stability.h). */
static bool is_unsustained(const struct ut_summary *s, const struct ut_point_summary *p) {
  bool some = false;
  for (size_t i = 0; i < s->names; i++)
    if (!strcmp(s->name[i], "stability.growing") || !strcmp(s->name[i], "stability.collapsed"))
      some |= p->estimate[i].n && p->estimate[i].mean > 0;
  return some;
}

static double value_of(const struct ut_summary *s, const struct ut_point_summary *p, const char *name) {
  for (size_t i = 0; i < s->names; i++)
    if (!strcmp(s->name[i], name) && p->estimate[i].n)
      return p->estimate[i].mean;
  return NAN;
}

/* One more point of a curve over loads; of its loads those that are not sustained come in any order. */
static void add_load(struct ut_saturation *x, const struct ut_summary *s, const struct ut_point_summary *p) {
  const double delivered = value_of(s, p, "throughput_flits_per_cycle_per_terminal");
  for (size_t i = 0; i < s->axes; i++) {
    const double load = strcmp(s->axis[i], UT_LOAD_KEY) ? NAN : strtod(p->value[i], NULL);
    if (isnan(load) || isnan(delivered) || isnan(value_of(s, p, "stability.growing")))
      continue;
    x->known = true;
    x->delivered = fmax(x->delivered, delivered);
    if (p->deadlocks || is_unsustained(s, p))
      x->unsustained = x->unsustained > 0 ? fmin(x->unsustained, load) : load;
    else if (value_of(s, p, "stability.steady") >= 0.5) /* of the others nothing is known */
      x->sustained = fmax(x->sustained, load);
  }
}

/* All points of the curve that begins with point `first`. */
static bool make_curve(const struct drawing *d, const char *label, size_t first, struct ut_curve *c) {
  const struct ut_summary *s = d->s;
  c->point = malloc(s->points * sizeof *c->point);
  c->title = curve_title(d, label, &s->point[first]);
  for (size_t i = first; c->point && i < s->points; i++) {
    if (!same_curve(d, &s->point[first], &s->point[i]))
      continue;
    add_load(&c->saturation, s, &s->point[i]);
    const struct ut_estimate x = ut_quantity_value(&s->point[i], d->choice.x),
                             y = ut_quantity_value(&s->point[i], d->choice.y);
    if (!isnan(x.mean) && !isnan(y.mean))
      c->point[c->points++] = (struct ut_curve_point){x.mean, y.mean, isnan(y.half_width) ? 0 : y.half_width, y.n,
                                                      is_unsustained(s, &s->point[i])};
  }
  return c->point && c->title;
}

static void free_curve(struct ut_curve *c) {
  free((char *)c->title);
  free(c->point);
  *c = (struct ut_curve){0};
}

/* false: out of memory. */
static bool add_curves(const struct drawing *d, const char *label, struct ut_results_curves *c) {
  const struct ut_summary *s = d->s;
  struct ut_curve *more = realloc(c->curve, (c->curves + s->points) * sizeof *more);
  if (!more)
    return false;
  c->curve = more;
  for (size_t i = 0; i < s->points; i++) {
    bool new = true;
    for (size_t j = 0; j < i && new; j++)
      new = !same_curve(d, &s->point[j], &s->point[i]);
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
static void name_picture(const struct ut_summary *s, char title[UT_QUANTITY_TITLE]) {
  const char *path = s->sweep ? s->sweep : "", *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  snprintf(title, UT_QUANTITY_TITLE, "%.*s", (int)strcspn(name, "."), name);
}

static int add_summary(const struct ut_summary *s, const struct ut_plot_source *source,
                       const struct ut_results_plot *what, struct ut_results_curves *c, struct ut_error *e) {
  struct drawing d = {.s = s};
  int status = ut_choice_make(&d.choice, s, what, source->results, e);
  if (!status && !add_curves(&d, source->label, c))
    status = ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!status) {
    ut_quantity_title(ut_quantity_name(s, d.choice.x), c->x);
    ut_quantity_title(ut_quantity_name(s, d.choice.y), c->y);
    name_picture(s, c->title);
    c->cut = !d.choice.y.axis && ut_quantity_shoots_up(ut_quantity_name(s, d.choice.y));
  }
  ut_choice_free(&d.choice);
  return status;
}

static int add_source(const struct ut_plot_source *source, const struct ut_results_plot *what,
                      struct ut_results_curves *c, struct ut_error *e) {
  struct ut_store store;
  struct ut_summary s = {0};
  if (ut_store_read(&store, source->results, e))
    return -1;
  const int status = ut_summary_load(&s, &store, what->where, e) || add_summary(&s, source, what, c, e) ? -1 : 0;
  ut_summary_free(&s);
  ut_store_close(&store, NULL);
  return status;
}

int ut_results_curves(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                      struct ut_results_curves *c, struct ut_error *e) {
  int status = 0;
  *c = (struct ut_results_curves){0};
  for (size_t i = 0; i < sources && !status; i++)
    status = add_source(&source[i], what, c, e);
  if (!status && !c->curves)
    status = ut_fail(e, UT_BAD_INPUT, "%s: no point has both x and y", source->results);
  return status;
}

void ut_results_curves_free(struct ut_results_curves *c) {
  for (size_t i = 0; i < c->curves; i++)
    free_curve(&c->curve[i]);
  free(c->curve);
  *c = (struct ut_results_curves){0};
}

void ut_results_put_saturation(FILE *f, const struct ut_results_curves *c) {
  for (size_t i = 0; i < c->curves; i++) {
    const struct ut_saturation *x = &c->curve[i].saturation;
    if (!x->known)
      continue;
    fprintf(f, "saturation: %s%s", c->curve[i].title, *c->curve[i].title ? ": " : "");
    if (!(x->unsustained > 0) && !(x->sustained > 0))
      fprintf(f, "not known, the runs are too short");
    else if (!(x->unsustained > 0))
      fprintf(f, "not reached at load %.4g", x->sustained);
    else if (x->sustained > 0 && x->sustained < x->unsustained)
      fprintf(f, "between loads %.4g and %.4g", x->sustained, x->unsustained);
    else
      fprintf(f, "below load %.4g", x->unsustained);
    fprintf(f, "; at most %.4f flits/cycle/terminal are delivered\n", x->delivered);
  }
}

struct ut_curves ut_results_picture(const struct ut_results_curves *c, const struct ut_results_plot *what) {
  return (struct ut_curves){.title = what->title ? what->title : c->title,
                            .x = what->x_title ? what->x_title : c->x,
                            .y = what->y_title ? what->y_title : c->y,
                            .curve = c->curve,
                            .curves = c->curves,
                            .log_x = what->log_x,
                            .log_y = what->log_y,
                            .cut = c->cut};
}

int ut_results_plot(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                    const char *file, const struct ut_caller *caller) {
  struct ut_results_curves c;
  int status = ut_results_curves(source, sources, what, &c, caller->e);
  if (!status) {
    const struct ut_curves curves = ut_results_picture(&c, what);
    status = ut_curves_draw(&curves, file, caller);
  }
  ut_results_curves_free(&c);
  return status;
}
