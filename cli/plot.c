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

enum { KEY_X = 0x300, KEY_Y, KEY_SERIES, KEY_WHERE, KEY_LOG, KEY_TITLE, KEY_LOADS, KEY_SEEDS, KEY_JOBS };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "the picture, .svg or .png; default: that of the first FILE, .svg", 0},
    {"x", KEY_X, "NAME", 0, "an axis of the sweep, or a result; short names as in `sweep --show`", 0},
    {"y", KEY_Y, "NAME", 0, "a result", 0},
    {"series", KEY_SERIES, "NAME,...", 0, "axes whose values make the curves; default: all but x", 0},
    {"where", KEY_WHERE, "EXPR", 0, "only runs for which that is true, as in 'load < 0.3'", 0},
    {"log", KEY_LOG, "xy", 0, "logarithmic axes: x, y or xy", 0},
    {"title", KEY_TITLE, "TEXT", 0, "above the picture", 0},
    {"loads", KEY_LOADS, "FROM:TO:STEP", 0, "of scenarios: the loads to run; default 0.05:1:0.05", 1},
    {"seeds", KEY_SEEDS, "N", 0, "of scenarios: runs of each load; default 3", 1},
    {"jobs", KEY_JOBS, "N", 0, "runs at the same time; default: one for each core; changes no result", 1},
    {0},
};

struct plot_options {
  char **files;
  size_t count;
  const char *output, *log;
  struct ut_load_range loads;
  unsigned seeds, jobs;
  struct ut_results_plot plot;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct plot_options *o = state->input;
  switch (key) {
  case 'o': o->output = arg; break;
  case KEY_X: o->plot.x = arg; break;
  case KEY_Y: o->plot.y = arg; break;
  case KEY_SERIES: o->plot.series = arg; break;
  case KEY_WHERE: o->plot.where = arg; break;
  case KEY_TITLE: o->plot.title = arg; break;
  case KEY_LOG:
    if (strcmp(arg, "x") && strcmp(arg, "y") && strcmp(arg, "xy"))
      argp_error(state, "--log %s: x, y or xy is expected", arg);
    o->plot.log_x = strchr(arg, 'x');
    o->plot.log_y = strchr(arg, 'y');
    break;
  case KEY_LOADS: ut_parse_loads(arg, "--loads", &o->loads, state); break;
  case KEY_SEEDS: o->seeds = ut_parse_small_count(arg, "--seeds", state); break;
  case KEY_JOBS: o->jobs = ut_parse_small_count(arg, "--jobs", state); break;
  case ARGP_KEY_ARGS:
    o->files = state->argv + state->next;
    o->count = (size_t)(state->argc - state->next);
    break;
  case ARGP_KEY_END:
    if (!o->count)
      argp_error(state, "which results?  For example scenarios/demo.yaml, or a sweep");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_argp_plot = {
    options,
    parse,
    "FILE...",
    "Draws the results of sweeps (a sweep file or its database), or of scenarios, which are run over a range of loads "
    "(FILE.load.sqlite keeps what has been run).  Without options: latency over throughput where the load varies, else "
    "the sweep's first result over faults or the first axis that has numbers.",
    0,
    0,
    0};

/* ---- where results come from */

/* The text of a sweep of the scenario over loads (malloc'd); beyond saturation a run would not drain, and near it no
 * number of cycles is enough: until stable, unless the scenario says what ends the warm-up.  NULL: out of memory. */
static char *sweep_over_loads(const struct plot_options *o, const char *scenario, bool until_stable) {
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
          o->loads.from, o->loads.to, o->loads.step, until_stable ? "  - run.warmup: [until_stable]\n" : "", o->seeds);
  return ut_memory_close(f, &text) ? NULL : text;
}

static int run_sweep(const struct plot_options *o, struct ut_sweep *sweep, const char *results, struct ut_error *e) {
  struct ut_sweep_progress progress = {.title = sweep->path};
  struct ut_standing standing;
  const struct ut_runner runner = {.jobs = o->jobs ? o->jobs : ut_threads_cores(),
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
  struct ut_document d;
  size_t length;
  char *text = ut_input_read(path, "sweep or scenario", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &length, e);
  if (!text)
    return -1;
  const int status = ut_document_load(&d, text, length, path, e);
  if (!status) {
    *sweep = ut_document_find(&d, NULL, "base");
    *own = ut_document_find(&d, NULL, "run.warmup");
    ut_document_free(&d);
  }
  free(text);
  return status;
}

/* The database of a file, with all that is missing run. */
static int results_of(const struct plot_options *o, const char *path, char results[PATH_MAX], struct ut_error *e) {
  bool sweep, own;
  if (ut_path_ends(path, ".sqlite"))
    return ut_path_set(e, results, "%s", path);
  const int stem = (int)strlen(path) - (ut_path_ends(path, ".yaml") ? 5 : 0);
  if (is_sweep(path, &sweep, &own, e) ||
      (sweep ? ut_store_path(path, results, e) : ut_path_set(e, results, "%.*s.load.sqlite", stem, path)))
    return -1;
  char *text = sweep ? NULL : sweep_over_loads(o, path, !own);
  struct ut_sweep *s = sweep  ? ut_sweep_load(path, e)
                       : text ? ut_sweep_read_over(path, text, strlen(text), path, e)
                              : NULL;
  const int status = s ? run_sweep(o, s, results, e) : -1;
  ut_sweep_free(s);
  free(text);
  return status;
}

/* ---- the command */

static int plot(const struct plot_options *o, const char *output, struct ut_error *e) {
  char(*path)[PATH_MAX] = calloc(o->count, sizeof *path);
  struct ut_plot_source *source = calloc(o->count, sizeof *source);
  struct ut_caller caller = {.e = e, .interrupted = &ut_interrupted, .what = "picture"};
  int status = path && source ? 0 : ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (size_t i = 0; i < o->count && !status; i++) {
    status = results_of(o, o->files[i], path[i], e);
    source[i] = (struct ut_plot_source){path[i], o->count > 1 ? o->files[i] : NULL};
  }
  struct ut_results_curves curves = {0};
  if (!status)
    status = ut_results_curves(source, o->count, &o->plot, &curves, e);
  if (!status) {
    const struct ut_curves picture = ut_results_picture(&curves, &o->plot);
    status = ut_curves_draw(&picture, output, &caller);
  }
  if (!status) {
    printf("picture: %s\n", output);
    for (size_t i = 0; i < o->count; i++)
      printf("results: %s\n", path[i]);
    ut_results_put_saturation(stdout, &curves);
  }
  ut_results_curves_free(&curves);
  free(source);
  free(path);
  return status;
}

int ut_cmd_plot(int argc, char **argv) {
  struct plot_options o = {.loads = {0.05, 1, 0.05}, .seeds = 3};
  char output[PATH_MAX];
  struct ut_error e;
  int status;
  if (ut_parse(&ut_argp_plot, argc, argv, &o, &status))
    return status;
  ut_catch_interrupt();
  const char *first = o.files[0], *dot = strrchr(first, '.');
  if (o.output ? ut_path_set(&e, output, "%s", o.output)
               : ut_path_set(&e, output, "%.*s.svg", dot && !strchr(dot, '/') ? (int)(dot - first) : (int)strlen(first),
                             first))
    return ut_print_error(&e);
  if (ut_gnuplot_check(output, "-o", &e) || plot(&o, output, &e))
    return ut_print_error(&e);
  return UT_OK;
}
