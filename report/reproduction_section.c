/* SPDX-License-Identifier: Apache-2.0 */
/* reproduction_section.c - what `reproduce` has measured, as a section of a page: each printed value beside the
 * measured one, and the curves; nothing is run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"
#include "measured.h"
#include "page_source.h"
#include "program_name.h"
#include "results_json.h"

/* ---- which experiments have results in the folder */

/* Databases of an experiment that are there; -1 and *e. */
static int count_databases(const char *results, const struct ut_experiment *x, struct ut_error *e) {
  char path[PATH_MAX];
  int there = 0;
  for (size_t i = 0; i < x->sweeps; i++) {
    if (ut_measured_path(results, x, x->sweep[i].name, path, e))
      return -1;
    there += !access(path, F_OK);
  }
  return there;
}

int ut_reproduction_check(const struct ut_page_source *s, const struct ut_page_options *o, struct ut_error *e) {
  struct ut_experiment x;
  size_t count;
  int there = 0;
  char **names = ut_experiment_list(o->experiments, &count, e);
  if (!count)
    return -1;
  for (size_t i = 0; i < count && !there; i++) {
    there = ut_experiment_load(&x, o->experiments, names[i], false, e) ? -1 : count_databases(s->path, &x, e);
    if (there >= 0)
      ut_experiment_free(&x);
  }
  ut_experiment_list_free(names, count);
  if (there)
    return there < 0 ? -1 : 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: no page can be made from this folder: it has no results of `uturn reproduce`, "
                 "PAPER/NAME.SWEEP.sqlite\n`%s reproduce all --results %s` makes them; --experiments names a "
                 "folder of your own",
                 s->path, ut_program_name(), s->path);
}

/* ---- one experiment */

static json_t *value_json(const struct ut_measured *m) {
  const struct ut_printed *p = m->printed;
  json_t *v =
      json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:i}", "name", p->name, "printed", p->text, "unit", p->unit, "tolerance",
                p->tolerance_text, "source", p->source, "query", p->query, "verdict", (int)m->verdict);
  if (isfinite(m->value)) {
    json_object_set_new(v, "measured", json_real(m->value));
    if (isfinite(m->half_width) && m->half_width > 0)
      json_object_set_new(v, "half_width", json_real(m->half_width));
    json_object_set_new(v, "difference", json_real(ut_printed_difference(p, m->value)));
  }
  if (m->verdict == UT_DIFFERS && m->reason)
    json_object_set_new(v, "reason", json_string(m->reason));
  return v;
}

static json_t *values_json(const char *results, const struct ut_experiment *x, struct ut_error *e) {
  struct ut_measured *m = calloc(x->printed.values, sizeof *m);
  json_t *list = NULL;
  if (!m) {
    ut_fail_memory(e);
  } else if (!ut_measured_read(results, x, true, m, e)) {
    list = json_array();
    for (size_t i = 0; i < x->printed.values; i++)
      json_array_append_new(list, value_json(&m[i]));
  }
  free(m);
  return list;
}

/* The pictures that can be drawn; those of sweeps without results cannot. */
static json_t *pictures_json(const char *results, const struct ut_experiment *x) {
  json_t *list = json_array();
  for (size_t i = 0; i < x->pictures; i++) {
    const struct ut_experiment_picture *p = &x->picture[i];
    struct ut_results_plot plot = p->plot;
    struct ut_measured_sources from;
    struct ut_results_curves curves = {0};
    plot.title = plot.title ? plot.title : x->title;
    if (!ut_measured_sources(results, x, p, &from, NULL) &&
        !ut_results_curves(from.source, from.sources, &plot, &curves, NULL)) {
      const struct ut_curves picture = ut_results_picture(&curves, &plot);
      json_array_append_new(list, ut_picture_json(&picture));
    }
    ut_results_curves_free(&curves);
    ut_measured_sources_free(&from);
  }
  return list;
}

/* A sweep with its results, and its text as it was run; NULL and *e on failure. */
static json_t *sweep_json(const char *path, const struct ut_experiment_sweep *sweep, enum ut_results_extent extent,
                          struct ut_error *e) {
  struct ut_store store;
  struct ut_summary s = {0};
  if (ut_store_read(&store, path, e))
    return NULL;
  json_t *o = ut_summary_load(&s, &store, NULL, e) ? NULL : ut_results_json(&store, &s, extent, e);
  char *text = ut_store_meta(&store, "text");
  if (o) {
    json_object_set_new(o, "name", json_string(sweep->name));
    json_object_set_new(o, "text", json_string(text ? text : ""));
  }
  free(text);
  ut_summary_free(&s);
  ut_store_close(&store, NULL);
  return o;
}

/* NULL and *e on failure. */
static json_t *sweeps_json(const char *results, const struct ut_experiment *x, enum ut_results_extent extent,
                           struct ut_error *e) {
  json_t *list = json_array();
  char path[PATH_MAX];
  for (size_t i = 0; i < x->sweeps && list; i++) {
    const int bad = ut_measured_path(results, x, x->sweep[i].name, path, e);
    if (!bad && access(path, F_OK))
      continue;
    json_t *sweep = bad ? NULL : sweep_json(path, &x->sweep[i], extent, e);
    if (sweep) {
      json_array_append_new(list, sweep);
    } else {
      json_decref(list);
      list = NULL;
    }
  }
  return list;
}

/* All sweeps have been run as the experiment says; quick: as its `quick` says. */
static bool is_as_written(const struct ut_experiment *x, const json_t *sweeps) {
  if (json_array_size(sweeps) != x->sweeps)
    return false;
  for (size_t i = 0; i < x->sweeps; i++)
    if (strcmp(json_string_value(json_object_get(json_array_get(sweeps, i), "text")), x->sweep[i].text))
      return false;
  return true;
}

/* "--full", "--quick", or "": as neither says now. */
static const char *scale_of(const struct ut_experiment *full, const char *folder, const json_t *sweeps) {
  struct ut_experiment quick;
  if (is_as_written(full, sweeps))
    return "--full";
  if (ut_experiment_load(&quick, folder, full->name, true, NULL))
    return "";
  const bool same = is_as_written(&quick, sweeps);
  ut_experiment_free(&quick);
  return same ? "--quick" : "";
}

struct origin {
  const char *results, *experiments;
};

/* {name, title} of one without results; else all there is of it.  NULL and *e on failure. */
static json_t *experiment_json(const struct origin *from, const struct ut_experiment *x, enum ut_results_extent extent,
                               struct ut_error *e) {
  const int there = count_databases(from->results, x, e);
  if (there <= 0)
    return there < 0 ? NULL : json_pack("{s:s,s:s}", "name", x->name, "title", x->title);
  json_t *sweeps = sweeps_json(from->results, x, extent, e);
  json_t *values = sweeps ? values_json(from->results, x, e) : NULL;
  if (!values) {
    json_decref(sweeps);
    return NULL;
  }
  return json_pack("{s:s,s:s,s:s,s:s?,s:s,s:I,s:o,s:o,s:o}", "name", x->name, "title", x->title, "source", x->source,
                   "notes", x->notes, "scale", scale_of(x, from->experiments, sweeps), "sweeps_wanted",
                   (json_int_t)x->sweeps, "sweeps", sweeps, "values", values, "pictures",
                   pictures_json(from->results, x));
}

/* ---- all of them */

static json_t *verdicts_json(void) {
  json_t *list = json_array();
  for (int v = UT_EQUAL; v <= UT_NOT_MEASURED; v++)
    json_array_append_new(list, json_string(ut_verdict_text((enum ut_verdict)v)));
  return list;
}

static json_t *make_data(void *ctx, enum ut_results_extent extent, struct ut_error *e) {
  const struct origin *from = ctx;
  json_t *list = json_array();
  size_t count;
  char **names = ut_experiment_list(from->experiments, &count, e);
  bool good = count > 0;
  for (size_t i = 0; i < count && good; i++) {
    struct ut_experiment x;
    good = !ut_experiment_load(&x, from->experiments, names[i], false, e);
    if (!good)
      break;
    json_t *one = experiment_json(from, &x, extent, e);
    good = one;
    json_array_append_new(list, one);
    ut_experiment_free(&x);
  }
  ut_experiment_list_free(names, count);
  if (good)
    return json_pack("{s:s,s:o,s:o}", "folder", from->results, "verdicts", verdicts_json(), "experiments", list);
  json_decref(list);
  return NULL;
}

int ut_reproduction_section(struct ut_html_page *p, const struct ut_page_source *s, struct ut_page_options *o,
                            struct ut_error *e) {
  char run[PATH_MAX + 48], read[PATH_MAX + 64];
  struct origin from = {s->path, o->experiments};
  snprintf(run, sizeof run, "./uturn reproduce all --results %s", s->path);
  snprintf(read, sizeof read, "./uturn reproduce all --read --json --no-pictures --results %s", s->path);
  const struct ut_html_command commands[] = {{"all experiments", run}, {"all values", read}};
  struct ut_html_section section = {
      .type = "reproductions",
      .title = "Reproductions",
      .lead = "Papers print numbers. uturn runs the experiments behind them again, and compares: each printed value "
              "stands beside the measured one. Where they differ, the reason is given.",
      .source = s->path,
      .command = commands,
      .commands = 2};
  return ut_results_section(p, s->path, &section, make_data, &from, e);
}
