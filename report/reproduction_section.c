/* SPDX-License-Identifier: Apache-2.0 */
/* reproduction_section.c - the results of `reproduce` as a section of a page: each printed value next to the measured
 * one, and the curves; nothing is run. */
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
static int count_databases(const char *results, const struct ut_experiment *experiment, struct ut_error *e) {
  char path[PATH_MAX];
  int there = 0;
  for (size_t i = 0; i < experiment->sweeps; i++) {
    if (ut_measured_path(results, experiment, experiment->sweep[i].name, path, e))
      return -1;
    there += !access(path, F_OK);
  }
  return there;
}

int ut_reproduction_check(const struct ut_page_source *source, const struct ut_page_options *options,
                          struct ut_error *e) {
  struct ut_experiment experiment;
  size_t count;
  int there = 0;
  char **names = ut_experiment_list(options->experiments, &count, e);
  if (!count)
    return -1;
  for (size_t i = 0; i < count && !there; i++) {
    there = ut_experiment_load(&experiment, options->experiments, names[i], false, e)
                ? -1
                : count_databases(source->path, &experiment, e);
    if (there >= 0)
      ut_experiment_free(&experiment);
  }
  ut_experiment_list_free(names, count);
  if (there)
    return there < 0 ? -1 : 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: no page can be made from this folder: it has no results of `uturn reproduce`, "
                 "PAPER/NAME.SWEEP.sqlite\n`%s reproduce all --results %s` makes them; --experiments names a "
                 "folder of your own",
                 source->path, ut_program_name(), source->path);
}

/* ---- one experiment */

static json_t *value_json(const struct ut_measured *measured) {
  const struct ut_printed *printed = measured->printed;
  json_t *v = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:i}", "name", printed->name, "printed", printed->text, "unit",
                        printed->unit, "tolerance", printed->tolerance_text, "source", printed->source, "query",
                        printed->query, "verdict", (int)measured->verdict);
  if (isfinite(measured->value)) {
    json_object_set_new(v, "measured", json_real(measured->value));
    if (isfinite(measured->half_width) && measured->half_width > 0)
      json_object_set_new(v, "half_width", json_real(measured->half_width));
    json_object_set_new(v, "difference", json_real(ut_printed_difference(printed, measured->value)));
  }
  if (measured->verdict == UT_DIFFERS && measured->reason)
    json_object_set_new(v, "reason", json_string(measured->reason));
  return v;
}

static json_t *values_json(const char *results, const struct ut_experiment *experiment, struct ut_error *e) {
  struct ut_measured *measured = calloc(experiment->printed.values, sizeof *measured);
  json_t *list = NULL;
  if (!measured) {
    ut_fail_memory(e);
  } else if (!ut_measured_read(results, experiment, true, measured, e)) {
    list = json_array();
    for (size_t i = 0; i < experiment->printed.values; i++)
      json_array_append_new(list, value_json(&measured[i]));
  }
  free(measured);
  return list;
}

/* Adds the pictures that can be drawn; those of sweeps without results cannot. */
static json_t *pictures_json(const char *results, const struct ut_experiment *experiment) {
  json_t *list = json_array();
  for (size_t i = 0; i < experiment->pictures; i++) {
    const struct ut_experiment_picture *experiment_picture = &experiment->picture[i];
    struct ut_results_plot plot = experiment_picture->plot;
    struct ut_measured_sources from;
    struct ut_results_curves curves = {0};
    plot.title = plot.title ? plot.title : experiment->title;
    if (!ut_measured_sources(results, experiment, experiment_picture, &from, NULL) &&
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
  struct ut_summary summary = {0};
  if (ut_store_read(&store, path, e))
    return NULL;
  json_t *o = ut_summary_load(&summary, &store, NULL, e) ? NULL : ut_results_json(&store, &summary, extent, e);
  char *text = ut_store_meta(&store, "text");
  if (o) {
    json_object_set_new(o, "name", json_string(sweep->name));
    json_object_set_new(o, "text", json_string(text ? text : ""));
  }
  free(text);
  ut_summary_free(&summary);
  ut_store_close(&store, NULL);
  return o;
}

/* NULL and *e on failure. */
static json_t *sweeps_json(const char *results, const struct ut_experiment *experiment, enum ut_results_extent extent,
                           struct ut_error *e) {
  json_t *list = json_array();
  char path[PATH_MAX];
  for (size_t i = 0; i < experiment->sweeps && list; i++) {
    const int bad = ut_measured_path(results, experiment, experiment->sweep[i].name, path, e);
    if (!bad && access(path, F_OK))
      continue;
    json_t *sweep = bad ? NULL : sweep_json(path, &experiment->sweep[i], extent, e);
    if (sweep) {
      json_array_append_new(list, sweep);
    } else {
      json_decref(list);
      list = NULL;
    }
  }
  return list;
}

/* Returns whether all sweeps have been run as the experiment says; quick: as its `quick` says. */
static bool is_as_written(const struct ut_experiment *experiment, const json_t *sweeps) {
  if (json_array_size(sweeps) != experiment->sweeps)
    return false;
  for (size_t i = 0; i < experiment->sweeps; i++)
    if (strcmp(json_string_value(json_object_get(json_array_get(sweeps, i), "text")), experiment->sweep[i].text))
      return false;
  return true;
}

/* Returns "--full", "--quick", or "": as neither says now. */
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

/* Returns {name, title} of an experiment without results, otherwise everything about it.  NULL and *e on failure. */
static json_t *experiment_json(const struct origin *from, const struct ut_experiment *experiment,
                               enum ut_results_extent extent, struct ut_error *e) {
  const int there = count_databases(from->results, experiment, e);
  if (there <= 0)
    return there < 0 ? NULL : json_pack("{s:s,s:s}", "name", experiment->name, "title", experiment->title);
  json_t *sweeps = sweeps_json(from->results, experiment, extent, e);
  json_t *values = sweeps ? values_json(from->results, experiment, e) : NULL;
  if (!values) {
    json_decref(sweeps);
    return NULL;
  }
  return json_pack("{s:s,s:s,s:s,s:s?,s:s,s:I,s:o,s:o,s:o}", "name", experiment->name, "title", experiment->title,
                   "source", experiment->source, "notes", experiment->notes, "scale",
                   scale_of(experiment, from->experiments, sweeps), "sweeps_wanted", (json_int_t)experiment->sweeps,
                   "sweeps", sweeps, "values", values, "pictures", pictures_json(from->results, experiment));
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
    struct ut_experiment experiment;
    good = !ut_experiment_load(&experiment, from->experiments, names[i], false, e);
    if (!good)
      break;
    json_t *one = experiment_json(from, &experiment, extent, e);
    good = one;
    json_array_append_new(list, one);
    ut_experiment_free(&experiment);
  }
  ut_experiment_list_free(names, count);
  if (good)
    return json_pack("{s:s,s:o,s:o}", "folder", from->results, "verdicts", verdicts_json(), "experiments", list);
  json_decref(list);
  return NULL;
}

int ut_reproduction_section(struct ut_html_page *page, const struct ut_page_source *source,
                            struct ut_page_options *options, struct ut_error *e) {
  char run[PATH_MAX + 48], read[PATH_MAX + 64];
  struct origin from = {source->path, options->experiments};
  snprintf(run, sizeof run, "./uturn reproduce all --results %s", source->path);
  snprintf(read, sizeof read, "./uturn reproduce all --read --json --no-pictures --results %s", source->path);
  const struct ut_html_command commands[] = {{"all experiments", run}, {"all values", read}};
  struct ut_html_section section = {
      .type = "reproductions",
      .title = "Reproductions",
      .lead = "Papers print numbers. uturn runs the experiments behind them again, and compares: each printed value "
              "stands beside the measured one. Where they differ, the reason is given.",
      .source = source->path,
      .command = commands,
      .commands = 2};
  return ut_results_section(page, source->path, &section, make_data, &from, e);
}
