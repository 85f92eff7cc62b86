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

static bool same_curve(const struct drawing *drawing, const struct ut_point_summary *a,
                       const struct ut_point_summary *b) {
  for (size_t i = 0; i < drawing->s->axes; i++)
    if (drawing->choice.series[i] && strcmp(a->value[i], b->value[i]))
      return false;
  return true;
}

/* "destro, vcs 4" */
static char *curve_title(const struct drawing *drawing, const char *label, const struct ut_point_summary *summary) {
  char *title = NULL;
  size_t size;
  bool any = label != NULL;
  FILE *f = ut_memory_open(&title, &size);
  if (f && label)
    fputs(label, f);
  for (size_t i = 0; f && i < drawing->s->axes; i++) {
    if (!drawing->choice.series[i])
      continue;
    fputs(any ? ", " : "", f);
    ut_quantity_put_value(f, drawing->s->axis[i], summary->value[i]);
    any = true;
  }
  return f && !ut_memory_close(f, &title) ? title : NULL;
}

/* In some of its runs queues grew, or throughput collapsed (csim/util/stability.h). */
static bool is_unsustained(const struct ut_summary *stats, const struct ut_point_summary *summary) {
  bool some = false;
  for (size_t i = 0; i < stats->names; i++)
    if (!strcmp(stats->name[i], "stability.growing") || !strcmp(stats->name[i], "stability.collapsed"))
      some |= summary->estimate[i].n && summary->estimate[i].mean > 0;
  return some;
}

static double value_of(const struct ut_summary *stats, const struct ut_point_summary *summary, const char *name) {
  for (size_t i = 0; i < stats->names; i++)
    if (!strcmp(stats->name[i], name) && summary->estimate[i].n)
      return summary->estimate[i].mean;
  return NAN;
}

/* One more point of a curve over loads; of its loads those that are not sustained come in any order. */
static void add_load(struct ut_saturation *saturation, const struct ut_summary *stats,
                     const struct ut_point_summary *summary) {
  const double delivered = value_of(stats, summary, "throughput_flits_per_cycle_per_terminal");
  for (size_t i = 0; i < stats->axes; i++) {
    const double load = strcmp(stats->axis[i], UT_LOAD_KEY) ? NAN : strtod(summary->value[i], NULL);
    if (isnan(load) || isnan(delivered) || isnan(value_of(stats, summary, "stability.growing")))
      continue;
    saturation->known = true;
    saturation->delivered = fmax(saturation->delivered, delivered);
    if (summary->deadlocks || is_unsustained(stats, summary))
      saturation->unsustained = saturation->unsustained > 0 ? fmin(saturation->unsustained, load) : load;
    else if (value_of(stats, summary, "stability.steady") >= 0.5) /* of the others nothing is known */
      saturation->sustained = fmax(saturation->sustained, load);
  }
}

/* All points of the curve that begins with point `first`. */
static bool make_curve(const struct drawing *drawing, const char *label, size_t first, struct ut_curve *curve) {
  const struct ut_summary *summary = drawing->s;
  curve->point = malloc(summary->points * sizeof *curve->point);
  curve->title = curve_title(drawing, label, &summary->point[first]);
  for (size_t i = first; curve->point && i < summary->points; i++) {
    if (!same_curve(drawing, &summary->point[first], &summary->point[i]))
      continue;
    add_load(&curve->saturation, summary, &summary->point[i]);
    const struct ut_estimate x = ut_quantity_value(&summary->point[i], drawing->choice.x),
                             y = ut_quantity_value(&summary->point[i], drawing->choice.y);
    if (!isnan(x.mean) && !isnan(y.mean))
      curve->point[curve->points++] = (struct ut_curve_point){x.mean, y.mean, isnan(y.half_width) ? 0 : y.half_width,
                                                              y.n, is_unsustained(summary, &summary->point[i])};
  }
  return curve->point && curve->title;
}

static void free_curve(struct ut_curve *curve) {
  free((char *)curve->title);
  free(curve->point);
  *curve = (struct ut_curve){0};
}

/* false: out of memory. */
static bool add_curves(const struct drawing *drawing, const char *label, struct ut_results_curves *curves) {
  const struct ut_summary *summary = drawing->s;
  struct ut_curve *more = realloc(curves->curve, (curves->curves + summary->points) * sizeof *more);
  if (!more)
    return false;
  curves->curve = more;
  for (size_t i = 0; i < summary->points; i++) {
    bool new = true;
    for (size_t j = 0; j < i && new; j++)
      new = !same_curve(drawing, &summary->point[j], &summary->point[i]);
    if (!new)
      continue;
    struct ut_curve *curve = &curves->curve[curves->curves++];
    *curve = (struct ut_curve){0};
    if (!make_curve(drawing, label, i, curve))
      return false;
    if (!curve->points) /* nothing of it can be drawn */
      free_curve(&curves->curve[--curves->curves]);
  }
  return true;
}

/* The sweep's file without its folder and ending. */
static void name_picture(const struct ut_summary *summary, char title[UT_QUANTITY_TITLE]) {
  const char *path = summary->sweep ? summary->sweep : "", *slash = strrchr(path, '/'),
             *name = slash ? slash + 1 : path;
  snprintf(title, UT_QUANTITY_TITLE, "%.*s", (int)strcspn(name, "."), name);
}

static int add_summary(const struct ut_summary *summary, const struct ut_plot_source *source,
                       const struct ut_results_plot *what, struct ut_results_curves *curves, struct ut_error *e) {
  struct drawing drawing = {.s = summary};
  int status = ut_choice_make(&drawing.choice, summary, what, source->results, e);
  if (!status && !add_curves(&drawing, source->label, curves))
    status = ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!status) {
    ut_quantity_title(ut_quantity_name(summary, drawing.choice.x), curves->x);
    ut_quantity_title(ut_quantity_name(summary, drawing.choice.y), curves->y);
    name_picture(summary, curves->title);
    curves->cut = !drawing.choice.y.axis && ut_quantity_shoots_up(ut_quantity_name(summary, drawing.choice.y));
  }
  ut_choice_free(&drawing.choice);
  return status;
}

static int add_source(const struct ut_plot_source *source, const struct ut_results_plot *what,
                      struct ut_results_curves *curves, struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary = {0};
  if (ut_store_read(&store, source->results, e))
    return -1;
  const int status =
      ut_summary_load(&summary, &store, what->where, e) || add_summary(&summary, source, what, curves, e) ? -1 : 0;
  ut_summary_free(&summary);
  ut_store_close(&store, NULL);
  return status;
}

int ut_results_curves(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                      struct ut_results_curves *curves, struct ut_error *e) {
  int status = 0;
  *curves = (struct ut_results_curves){0};
  for (size_t i = 0; i < sources && !status; i++)
    status = add_source(&source[i], what, curves, e);
  if (!status && !curves->curves)
    status = ut_fail(e, UT_BAD_INPUT, "%s: no point has both x and y", source->results);
  return status;
}

void ut_results_curves_free(struct ut_results_curves *curves) {
  for (size_t i = 0; i < curves->curves; i++)
    free_curve(&curves->curve[i]);
  free(curves->curve);
  *curves = (struct ut_results_curves){0};
}

void ut_results_put_saturation(FILE *f, const struct ut_results_curves *curves) {
  for (size_t i = 0; i < curves->curves; i++) {
    const struct ut_saturation *saturation = &curves->curve[i].saturation;
    if (!saturation->known)
      continue;
    fprintf(f, "saturation: %s%s", curves->curve[i].title, *curves->curve[i].title ? ": " : "");
    if (!(saturation->unsustained > 0) && !(saturation->sustained > 0))
      fprintf(f, "not known, the runs are too short");
    else if (!(saturation->unsustained > 0))
      fprintf(f, "not reached at load %.4g", saturation->sustained);
    else if (saturation->sustained > 0 && saturation->sustained < saturation->unsustained)
      fprintf(f, "between loads %.4g and %.4g", saturation->sustained, saturation->unsustained);
    else
      fprintf(f, "below load %.4g", saturation->unsustained);
    fprintf(f, "; at most %.4f flits/cycle/terminal are delivered\n", saturation->delivered);
  }
}

struct ut_curves ut_results_picture(const struct ut_results_curves *curves, const struct ut_results_plot *what) {
  return (struct ut_curves){.title = what->title ? what->title : curves->title,
                            .x = what->x_title ? what->x_title : curves->x,
                            .y = what->y_title ? what->y_title : curves->y,
                            .curve = curves->curve,
                            .curves = curves->curves,
                            .log_x = what->log_x,
                            .log_y = what->log_y,
                            .cut = curves->cut};
}

int ut_results_plot(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                    const char *file, const struct ut_caller *caller) {
  struct ut_results_curves results_curves;
  int status = ut_results_curves(source, sources, what, &results_curves, caller->e);
  if (!status) {
    const struct ut_curves curves = ut_results_picture(&results_curves, what);
    status = ut_curves_draw(&curves, file, caller);
  }
  ut_results_curves_free(&results_curves);
  return status;
}
