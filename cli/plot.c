/* SPDX-License-Identifier: Apache-2.0 */
/* plot.c - `uturn plot`: results as curves, from sweeps or straight from scenarios. */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_gnuplot.h"
#include "cli.h"
#include "input.h"
#include "input_limits.h"
#include "memory_text.h"
#include "results_plot.h"
#include "runner.h"
#include "sweep_progress.h"
#include "yaml_edit.h"

struct plot_options {
  struct ut_names files;
  const char *output, *log;
  struct ut_load_range loads;
  unsigned seeds, jobs;
  struct ut_results_plot plot;
};

#define UT_INPUT struct plot_options
static const struct ut_option options[] = {
    {.argument = "FILE", .missing = "which results?  For example scenarios/demo.yaml, or a sweep", UT_NAMES(files)},
    {"output", 'o', "FILE", "the picture, .svg or .png; default: that of the first FILE, .svg", UT_TEXT(output)},
    {"x", 0, "NAME", "an axis of the sweep, or a result; short names as in `sweep --show`", UT_TEXT(plot.x)},
    {"y", 0, "NAME", "a result", UT_TEXT(plot.y)},
    {"series", 0, "NAME,...", "axes whose values make the curves; default: all but x", UT_TEXT(plot.series)},
    {"where", 0, "EXPR", "only runs for which that is true, as in 'load < 0.3'", UT_TEXT(plot.where)},
    {"log", 0, "x|y|xy", "logarithmic axes", UT_WORD(log)},
    {"title", 0, "TEXT", "above the picture", UT_TEXT(plot.title)},
    {"loads", 0, "FROM:TO:STEP", "of scenarios: the loads to run; default 0.05:1:0.05", UT_LOADS(loads), .section = 1},
    {"seeds", 0, "N", "of scenarios: runs of each load; default 3", UT_COUNT(seeds), .section = 1},
    {"jobs", 0, "N", "runs at the same time; default: one for each core; changes no result", UT_COUNT(jobs),
     .section = 1},
    {0},
};

static int set_axes(void *input, struct ut_error *e) {
  struct plot_options *options = input;
  (void)e;
  options->plot.log_x = options->log && strchr(options->log, 'x');
  options->plot.log_y = options->log && strchr(options->log, 'y');
  return 0;
}

const struct ut_syntax ut_syntax_plot = {
    "FILE...",
    "Draws the results of sweeps (a sweep file or its database), or of scenarios, which are run over a range of loads "
    "(FILE.load.sqlite keeps what has been run).  Without options: latency over throughput where the load varies, else "
    "the sweep's first result over faults or the first axis that has numbers.",
    options, set_axes};

/* ---- where results come from */

/* The text of a sweep of the scenario over loads (malloc'd); beyond saturation a run would not drain, and near it no
 * number of cycles is enough: until stable, unless the scenario says what ends the warm-up.  NULL: out of memory. */
static char *sweep_over_loads(const struct plot_options *options, const char *scenario, bool until_stable) {
  const char *slash = strrchr(scenario, '/');
  char *text;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  fputs("base: ", f);
  ut_yaml_put_name(f, slash ? slash + 1 : scenario);
  fprintf(f,
          "\naxes:\n  - traffic.load_flits_per_cycle: {from: %.9g, to: %.9g, step: %.9g}\n"
          "  - run.drain: [false]\n%srepeat: %u\n",
          options->loads.from, options->loads.to, options->loads.step,
          until_stable ? "  - run.warmup: [until_stable]\n" : "", options->seeds);
  return ut_memory_close(f, &text) ? NULL : text;
}

static int run_sweep(const struct plot_options *options, struct ut_sweep *sweep, const char *results,
                     struct ut_error *e) {
  struct ut_sweep_progress progress = {.title = sweep->path};
  struct ut_standing standing;
  const struct ut_runner runner = {.jobs = options->jobs ? options->jobs : ut_threads_cores(),
                                   .wait = true,
                                   .interrupted = &ut_interrupted,
                                   .watch = ut_sweep_progress_show,
                                   .ctx = &progress};
  const int status = ut_points_check(sweep, e) ? -1 : ut_sweep_run(sweep, results, &runner, &standing, e);
  ut_progress_end(&progress.progress);
  if (status)
    return -1;
  if (standing.failed)
    return ut_fail(e, UT_INTERNAL, "%s: %zu of %zu runs failed, the first one:\n%s", sweep->path, standing.failed,
                   standing.done, standing.message);
  return ut_interrupted ? ut_fail(e, UT_INTERRUPTED, "interrupted; the same command goes on") : 0;
}

/* A sweep has a base.  own: a scenario says itself what ends its warm-up. */
static int is_sweep(const char *path, bool *sweep, bool *own, struct ut_error *e) {
  struct ut_document document;
  size_t length;
  char *text = ut_input_read(path, "sweep or scenario", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &length, e);
  if (!text)
    return -1;
  const int status = ut_document_load(&document, text, length, path, e);
  if (!status) {
    *sweep = ut_document_find(&document, NULL, "base");
    *own = ut_document_find(&document, NULL, "run.warmup");
    ut_document_free(&document);
  }
  free(text);
  return status;
}

/* The database of a file, with all that is missing run. */
static int results_of(const struct plot_options *options, const char *path, char results[PATH_MAX],
                      struct ut_error *e) {
  bool sweep, own;
  if (ut_path_ends(path, ".sqlite"))
    return ut_path_set(e, results, "%s", path);
  const int stem = (int)strlen(path) - (ut_path_ends(path, ".yaml") ? 5 : 0);
  if (is_sweep(path, &sweep, &own, e) ||
      (sweep ? ut_store_path(path, results, e) : ut_path_set(e, results, "%.*s.load.sqlite", stem, path)))
    return -1;
  char *text = sweep ? NULL : sweep_over_loads(options, path, !own);
  struct ut_sweep *axes = sweep  ? ut_sweep_load(path, e)
                          : text ? ut_sweep_read_over(path, text, strlen(text), path, e)
                                 : NULL;
  const int status = axes ? run_sweep(options, axes, results, e) : -1;
  ut_sweep_free(axes);
  free(text);
  return status;
}

/* ---- the command */

static int plot(const struct plot_options *options, const char *output, struct ut_error *e) {
  char(*path)[PATH_MAX] = calloc(options->files.count, sizeof *path);
  struct ut_plot_source *source = calloc(options->files.count, sizeof *source);
  struct ut_caller caller = {.e = e, .interrupted = &ut_interrupted, .what = "picture"};
  int status = path && source ? 0 : ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (size_t i = 0; i < options->files.count && !status; i++) {
    status = results_of(options, options->files.name[i], path[i], e);
    source[i] = (struct ut_plot_source){path[i], options->files.count > 1 ? options->files.name[i] : NULL};
  }
  struct ut_results_curves curves = {0};
  if (!status)
    status = ut_results_curves(source, options->files.count, &options->plot, &curves, e);
  if (!status) {
    const struct ut_curves picture = ut_results_picture(&curves, &options->plot);
    status = ut_curves_draw(&picture, output, &caller);
  }
  if (!status) {
    printf("picture: %s\n", output);
    for (size_t i = 0; i < options->files.count; i++)
      printf("results: %s\n", path[i]);
    ut_results_put_saturation(stdout, &curves);
  }
  ut_results_curves_free(&curves);
  free(source);
  free(path);
  return status;
}

int ut_cmd_plot(int argc, char **argv) {
  struct plot_options options = {.loads = {0.05, 1, 0.05}, .seeds = 3};
  char output[PATH_MAX];
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_plot, argc, argv, &options, &status))
    return status;
  ut_catch_interrupt();
  const char *first = options.files.name[0], *dot = strrchr(first, '.');
  if (options.output ? ut_path_set(&e, output, "%s", options.output)
                     : ut_path_set(&e, output, "%.*s.svg",
                                   dot && !strchr(dot, '/') ? (int)(dot - first) : (int)strlen(first), first))
    return ut_print_error(&e);
  if (ut_gnuplot_check(output, "-o", &e) || plot(&options, output, &e))
    return ut_print_error(&e);
  return UT_OK;
}
