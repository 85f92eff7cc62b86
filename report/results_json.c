/* SPDX-License-Identifier: Apache-2.0 */
/* results_json.c - see results_json.h */
#include "results_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "json_text.h"
#include "memory_text.h"

static json_t *number_json(double v) {
  return isfinite(v) ? json_real(v) : json_null(); /* JSON has no others */
}

/* ---- axes */

/* Returns the index of a value in a list of texts; adds it if it is missing. */
static size_t place_of(json_t *list, const char *text) {
  size_t i;
  json_t *known;
  json_array_foreach(list, i, known) if (!strcmp(json_string_value(known), text)) return i;
  json_array_append_new(list, json_string(text));
  return i;
}

/* Returns the name of a value in the title of a curve. */
static json_t *label_json(const char *axis, const char *value) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return json_string(value);
  ut_quantity_put_value(f, axis, value);
  json_t *label = ut_memory_close(f, &text) ? json_string(value) : json_string(text);
  free(text);
  return label;
}

/* values: each once, as text and, if all are, as numbers; at: for each point the value's place. */
static json_t *axis_json(const struct ut_summary *summary, size_t axis) {
  char title[UT_QUANTITY_TITLE];
  json_t *values = json_array(), *labels = json_array(), *numbers = json_array(), *at = json_array();
  bool all = true;
  for (size_t i = 0; i < summary->points; i++) {
    const size_t place = place_of(values, summary->point[i].value[axis]);
    const double number = ut_quantity_value(&summary->point[i], (struct ut_quantity){true, axis}).mean;
    all &= !isnan(number);
    if (place == json_array_size(numbers)) {
      json_array_append_new(numbers, number_json(number));
      json_array_append_new(labels, label_json(summary->axis[axis], summary->point[i].value[axis]));
    }
    json_array_append_new(at, json_integer((json_int_t)place));
  }
  json_t *o = json_pack("{s:s,s:s,s:o,s:o,s:o}", "name", summary->axis[axis], "title",
                        ut_quantity_title(summary->axis[axis], title), "values", values, "labels", labels, "at", at);
  if (all)
    json_object_set(o, "numbers", numbers);
  json_decref(numbers);
  return o;
}

/* ---- results */

static json_t *result_json(const struct ut_summary *stats, size_t name) {
  char title[UT_QUANTITY_TITLE];
  json_t *mean = json_array(), *half = json_array(), *n = json_array();
  bool any = false, usual = true;
  for (size_t i = 0; i < stats->points; i++) {
    const struct ut_point_summary *summary = &stats->point[i];
    const struct ut_estimate *estimate = &summary->estimate[name];
    json_array_append_new(mean, number_json(estimate->mean));
    json_array_append_new(half, number_json(estimate->half_width));
    json_array_append_new(n, json_integer((json_int_t)estimate->n));
    any |= !isnan(estimate->half_width) && estimate->half_width > 0;
    usual &= estimate->n == summary->runs - summary->failed;
  }
  json_t *o = json_pack("{s:s,s:s,s:o}", "name", stats->name[name], "title",
                        ut_quantity_title(stats->name[name], title), "mean", mean);
  if (any)
    json_object_set(o, "half", half);
  if (!usual)
    json_object_set(o, "n", n);
  if (ut_quantity_shoots_up(stats->name[name]))
    json_object_set_new(o, "cut", json_true());
  json_decref(half);
  json_decref(n);
  return o;
}

/* The results of the page, in order: first those that are looked at first, then the others. */
struct chosen {
  size_t *index; /* [names] */
  size_t count, usual;
};

static bool is_chosen(const struct chosen *chosen, size_t name) {
  for (size_t i = 0; i < chosen->count; i++)
    if (chosen->index[i] == name)
      return true;
  return false;
}

/* -1: out of memory. */
static int choose_results(const struct ut_summary *summary, const struct ut_choice *drawn,
                          enum ut_results_extent extent, struct chosen *chosen, struct ut_error *e) {
  enum { MOST = 16 };
  *chosen = (struct chosen){.index = malloc((summary->names + MOST + 2) * sizeof *chosen->index)};
  if (!chosen->index)
    return ut_fail_memory(e);
  chosen->count = chosen->usual = ut_summary_usual(summary, chosen->index, MOST);
  const struct ut_quantity must[] = {drawn->x, drawn->y};
  for (size_t i = 0; i < 2 && drawn->series; i++)
    if (!must[i].axis && !is_chosen(chosen, must[i].index))
      chosen->index[chosen->count++] = must[i].index;
  for (size_t i = 0; i < summary->names && extent == UT_RESULTS_ALL; i++)
    if (!is_chosen(chosen, i))
      chosen->index[chosen->count++] = i;
  return 0;
}

static json_t *quantity_json(const struct chosen *chosen, struct ut_quantity quantity) {
  size_t i = 0;
  while (!quantity.axis && chosen->index[i] != quantity.index)
    i++;
  return json_pack("{s:I}", quantity.axis ? "axis" : "result", (json_int_t)(quantity.axis ? quantity.index : i));
}

static json_t *choice_json(const struct ut_summary *summary, const struct ut_choice *drawn,
                           const struct chosen *chosen) {
  json_t *series = json_array();
  for (size_t i = 0; i < summary->axes; i++)
    if (drawn->series[i])
      json_array_append_new(series, json_integer((json_int_t)i));
  return json_pack("{s:o,s:o,s:o}", "x", quantity_json(chosen, drawn->x), "y", quantity_json(chosen, drawn->y),
                   "series", series);
}

/* ---- points and runs */

static void put_points(json_t *o, const struct ut_summary *summary) {
  json_t *point = json_array(), *runs = json_array(), *failed = json_array(), *deadlocks = json_array();
  for (size_t i = 0; i < summary->points; i++) {
    json_array_append_new(point, json_integer((json_int_t)summary->point[i].point));
    json_array_append_new(runs, json_integer((json_int_t)summary->point[i].runs));
    json_array_append_new(failed, json_integer((json_int_t)summary->point[i].failed));
    json_array_append_new(deadlocks, json_integer((json_int_t)summary->point[i].deadlocks));
  }
  json_object_set_new(o, "point", point);
  json_object_set_new(o, "runs", runs);
  json_object_set_new(o, "failed", failed);
  json_object_set_new(o, "deadlocks", deadlocks);
}

static const char *text_of(sqlite3_stmt *q, int column) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  return text ? text : "";
}

/* Adds the parts of a run's row with which it can be repeated and examined.  The scenario is only that of the first run
 * of a point; the others have another seed and, if faults are drawn, other faults. */
static int put_runs(json_t *o, struct ut_store *store, bool scenarios, struct ut_error *e) {
  enum { ID, POINT, SEED, STATUS, VERSION, COMMAND, SCENARIO };
  static const char all[] = "SELECT id, point, seed, status, version, command, scenario FROM main.runs WHERE point IS "
                            "NOT NULL AND NOT probe ORDER BY point, repetition";
  static const char *const names[] = {"id", "of", "seed", "status", "version", "command"};
  json_t *column[SCENARIO], *versions = json_array(), *commands = json_array(), *texts = json_array();
  int step = SQLITE_DONE;
  int64_t last = -1;
  sqlite3_stmt *q = ut_store_prepare(store, all, e);
  for (size_t i = 0; i < SCENARIO; i++)
    column[i] = json_array();
  while (q && (step = sqlite3_step(q)) == SQLITE_ROW) {
    for (int i = 0; i < VERSION; i++)
      json_array_append_new(column[i], json_integer(sqlite3_column_int64(q, i)));
    json_array_append_new(column[VERSION], json_integer((json_int_t)place_of(versions, text_of(q, VERSION))));
    json_array_append_new(column[COMMAND], json_integer((json_int_t)place_of(commands, text_of(q, COMMAND))));
    if (scenarios && sqlite3_column_int64(q, POINT) != last)
      json_array_append_new(texts, json_string(text_of(q, SCENARIO)));
    last = sqlite3_column_int64(q, POINT);
  }
  json_t *made = json_pack("{s:o,s:o}", "versions", versions, "commands", commands);
  for (size_t i = 0; i < SCENARIO; i++)
    json_object_set_new(made, names[i], column[i]);
  if (scenarios)
    json_object_set(made, "scenarios", texts);
  json_decref(texts);
  json_object_set_new(o, "made", made);
  sqlite3_finalize(q);
  return !q ? -1 : step == SQLITE_DONE ? 0 : ut_store_fail(store, "read it", e);
}

/* ---- a sweep */

static json_t *columns_json(const struct ut_summary *summary, const struct ut_choice *drawn,
                            const struct chosen *chosen) {
  json_t *axes = json_array(), *results = json_array();
  for (size_t i = 0; i < summary->axes; i++)
    json_array_append_new(axes, axis_json(summary, i));
  for (size_t i = 0; i < chosen->count; i++)
    json_array_append_new(results, result_json(summary, chosen->index[i]));
  json_t *o =
      json_pack("{s:s?,s:s?,s:f,s:I,s:o,s:o,s:I,s:I,s:{s:i,s:i}}", "command", summary->command, "find", summary->find,
                "confidence", summary->confidence, "wanted", (json_int_t)summary->wanted, "axes", axes, "results",
                results, "usual", (json_int_t)chosen->usual, "left_out", (json_int_t)(summary->names - chosen->count),
                "cut", "above", UT_CURVES_CUT_ABOVE, "at", UT_CURVES_CUT_AT);
  if (drawn->series)
    json_object_set_new(o, "choice", choice_json(summary, drawn, chosen));
  put_points(o, summary);
  return o;
}

json_t *ut_results_json(struct ut_store *store, const struct ut_summary *summary, enum ut_results_extent extent,
                        struct ut_error *e) {
  static const struct ut_results_plot usual;
  struct ut_choice drawn;
  struct chosen chosen;
  if (ut_choice_make(&drawn, summary, &usual, store->path, NULL)) /* there is nothing to draw, but there are values */
    ut_choice_free(&drawn);
  json_t *o = choose_results(summary, &drawn, extent, &chosen, e) ? NULL : columns_json(summary, &drawn, &chosen);
  if (o) {
    json_object_set_new(o, "file", ut_json_text(store->path));
    if (put_runs(o, store, extent == UT_RESULTS_ALL, e)) {
      json_decref(o);
      o = NULL;
    }
  }
  free(chosen.index);
  ut_choice_free(&drawn);
  return o;
}

/* ---- a picture */

static json_t *curve_json(const struct ut_curve *curve) {
  json_t *x = json_array(), *y = json_array(), *half = json_array(), *runs = json_array();
  for (size_t i = 0; i < curve->points; i++) {
    json_array_append_new(x, number_json(curve->point[i].x));
    json_array_append_new(y, number_json(curve->point[i].y));
    json_array_append_new(half, number_json(curve->point[i].half));
    json_array_append_new(runs, json_integer((json_int_t)curve->point[i].runs));
  }
  return json_pack("{s:s,s:o,s:o,s:o,s:o}", "title", curve->title, "x", x, "y", y, "half", half, "runs", runs);
}

json_t *ut_picture_json(const struct ut_curves *drawn) {
  json_t *curves = json_array();
  for (size_t i = 0; i < drawn->curves; i++)
    json_array_append_new(curves, curve_json(&drawn->curve[i]));
  json_t *o = json_pack("{s:s,s:s,s:s,s:b,s:b,s:o}", "title", drawn->title, "x", drawn->x, "y", drawn->y, "log_x",
                        drawn->log_x, "log_y", drawn->log_y, "curves", curves);
  if (drawn->cut)
    json_object_set_new(o, "cut", json_pack("{s:i,s:i}", "above", UT_CURVES_CUT_ABOVE, "at", UT_CURVES_CUT_AT));
  return o;
}

/* ---- room */

static json_t *make_to_fit(struct ut_html_page *page, const char *source, ut_results_maker *make, void *ctx,
                           struct ut_error *e) {
  for (int extent = UT_RESULTS_ALL; extent < UT_RESULTS_EXTENTS; extent++) {
    json_t *data = make(ctx, (enum ut_results_extent)extent, e);
    const int fits = data ? ut_html_page_holds(page, data, e) : -1;
    if (fits > 0)
      return data;
    json_decref(data);
    if (fits < 0)
      return NULL;
  }
  ut_fail(e, UT_BAD_INPUT, "%s: these results are too many for a page of %d MB\nmake a page of fewer sources", source,
          UT_HTML_PAGE_LIMIT / 1000000);
  return NULL;
}

int ut_results_section(struct ut_html_page *page, const char *source, struct ut_html_section *section,
                       ut_results_maker *make, void *ctx, struct ut_error *e) {
  json_t *data = make_to_fit(page, source, make, ctx, e);
  if (!data)
    return -1;
  section->data = data;
  const int status = ut_html_page_add(page, section, e);
  json_decref(data);
  section->data = NULL;
  return status;
}
