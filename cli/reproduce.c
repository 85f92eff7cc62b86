/* SPDX-License-Identifier: Apache-2.0 */
/* reproduce.c - `uturn reproduce`: published tables and figures, measured again, beside the values that are printed. */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache_files.h"
#include "cache_gnuplot.h"
#include "cli.h"
#include "measured.h"
#include "program_name.h"
#include "reproduce_markdown.h"
#include "result.h"
#include "runner.h"
#include "sweep_progress.h"

struct reproduce_options {
  bool full, json, markdown, no_pictures, read;
  const char *results, *experiments;
  unsigned jobs;
  struct ut_names names;
};

/* --quick, the default: takes --full back. */
static int read_quick(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  (void)option, (void)text, (void)e;
  *(bool *)into = false;
  return 0;
}

#define UT_INPUT struct reproduce_options
static const struct ut_option options[] = {
    {.argument = "NAME",
     .missing = "what?  `uturn reproduce list` names the experiments, `all` means all of them",
     UT_NAMES(names)},
    {"quick", 0, NULL, "fewer seeds, points and samples: some minutes in all; the default", UT_OWN(read_quick, full)},
    {"full", 0, NULL, "as many as the experiments ask for: hours", UT_FLAG(full)},
    {"results", 0, "FOLDER", "databases and pictures; default: reproduced", UT_TEXT(results)},
    {"experiments", 0, "FOLDER", "experiments of your own: FOLDER/PAPER/NAME.yaml and .tsv", UT_TEXT(experiments)},
    {"jobs", 0, "N", "runs at the same time; default: one for each core; changes no result", UT_COUNT(jobs)},
    {"read", 0, NULL, "run nothing, show what is there", UT_FLAG(read)},
    {"no-pictures", 0, NULL, "values only: gnuplot is not needed", UT_FLAG(no_pictures)},
    {"markdown", 0, NULL, "the table as a page of docs", UT_FLAG(markdown), .section = 1},
    {"json", 0, NULL, "one JSON object on standard output, nothing else", UT_FLAG(json), .without = "markdown",
     .section = 1},
    {0},
};

const struct ut_syntax ut_syntax_reproduce = {
    "NAME...|all|list",
    "Measures published tables and figures again (experiments/, docs/reference/reproduce.md), draws them, and shows "
    "each value that a paper prints beside the measured one.  NAME is as in reroute/figure_8; reroute means all of "
    "that paper.  What has been run is not run again.  Exit status 3: a value differs and nobody has said why.",
    options, NULL};

/* ---- one experiment */

/* Values of which one can say different things: what is counted is right or wrong, what is simulated has an interval;
 * and a wrong model may satisfy an inequality by chance. */
enum { KINDS = 4 };
static const char *const kinds[KINDS] = {"exact numbers", "exact inequalities", "simulated numbers",
                                         "simulated inequalities"};
static unsigned kind_of(const struct ut_measured *measured) {
  return 2u * measured->simulated + ut_printed_is_inequality(measured->printed);
}

/* What has come of all experiments. */
struct totals {
  size_t count[KINDS][UT_NOT_MEASURED + 1], unexplained;
  json_t *list; /* with --json */
};

static int result_path(const struct reproduce_options *options, const struct ut_experiment *experiment,
                       const char *rest, char *path, struct ut_error *e) {
  if (ut_path_set(e, path, "%s/%s", options->results, experiment->name))
    return -1;
  *strrchr(path, '/') = '\0';
  return ut_folders_make(path, 0777, e) || ut_path_set(e, path, "%s/%s%s", options->results, experiment->name, rest)
             ? -1
             : 0;
}

/* The database of a sweep, in a folder that is there. */
static int sweep_path(const struct reproduce_options *options, const struct ut_experiment *experiment,
                      const char *sweep, char *path, struct ut_error *e) {
  return result_path(options, experiment, "", path, e) || ut_measured_path(options->results, experiment, sweep, path, e)
             ? -1
             : 0;
}

/* Runs what is missing.  1: interrupted. */
static int run_sweeps(const struct reproduce_options *options, const struct ut_experiment *experiment,
                      struct ut_error *e) {
  char path[PATH_MAX];
  for (size_t i = 0; i < experiment->sweeps && !options->read; i++) {
    struct ut_sweep_progress progress = {.title = experiment->name};
    struct ut_standing standing;
    const struct ut_runner runner = {.jobs = options->jobs ? options->jobs : ut_threads_cores(),
                                     .wait = true,
                                     .interrupted = &ut_interrupted,
                                     .watch = ut_sweep_progress_show,
                                     .ctx = &progress};
    if (sweep_path(options, experiment, experiment->sweep[i].name, path, e))
      return -1;
    struct ut_sweep *sweep = ut_sweep_read(experiment->path, experiment->sweep[i].text, experiment->sweep[i].length, e);
    int status = sweep && !ut_points_check(sweep, e) ? ut_sweep_run(sweep, path, &runner, &standing, e) : -1;
    ut_progress_end(&progress.progress);
    ut_sweep_free(sweep);
    if (status)
      return -1;
    if (ut_interrupted)
      return 1;
    if (standing.failed)
      fprintf(stderr, "uturn: %s, %s: %zu of %zu runs failed, the first one:\n%s\n", experiment->name,
              experiment->sweep[i].name, standing.failed, standing.done, standing.message);
  }
  return 0;
}

/* The file of a picture; only of the first one without a number. */
static int picture_path(const struct reproduce_options *options, const struct ut_experiment *experiment, size_t picture,
                        char *path, struct ut_error *e) {
  char rest[32] = ".svg";
  if (picture)
    snprintf(rest, sizeof rest, "_%zu.svg", picture + 1);
  return result_path(options, experiment, rest, path, e);
}

static int draw_picture(const struct reproduce_options *options, const struct ut_experiment *experiment, size_t number,
                        struct ut_error *e) {
  const struct ut_experiment_picture *picture = &experiment->picture[number];
  struct ut_caller caller = {.e = e, .interrupted = &ut_interrupted, .what = "picture"};
  struct ut_results_plot plot = picture->plot;
  struct ut_measured_sources from = {0};
  char file[PATH_MAX];
  int status = picture_path(options, experiment, number, file, e) ||
                       ut_measured_sources(options->results, experiment, picture, &from, e)
                   ? -1
                   : 0;
  plot.title = plot.title ? plot.title : experiment->title;
  if (!status && ut_results_plot(from.source, from.sources, &plot, file, &caller)) {
    const struct ut_error why = *e;
    status = ut_fail(e, why.code, "%s, picture %zu: %s", experiment->name, number + 1, why.text);
  }
  ut_measured_sources_free(&from);
  return status;
}

static int draw(const struct reproduce_options *options, const struct ut_experiment *experiment, struct ut_error *e) {
  for (size_t i = 0; i < experiment->pictures && !options->no_pictures; i++)
    if (draw_picture(options, experiment, i, e))
      return -1;
  return 0;
}

/* ---- what is printed */

static const char text_layout[] = "{name}: {title} ({source})\n"
                                  "{|values}"
                                  "  <value|printed|measured|difference|<verdict|<unit\n"
                                  "{name}|{printed}|{_measured}|{_difference}|{verdict}|{unit}\n"
                                  "{?_differs}    {?reason}{reason}{:}NOT EXPLAINED{/}\n{/}"
                                  "{/}{#_pictures}"
                                  "  picture: {.}\n"
                                  "{/}\n";

static json_t *value_json(const struct ut_measured *value) {
  const struct ut_printed *printed = value->printed;
  const bool known = !isnan(value->value), differs = value->verdict == UT_DIFFERS;
  const double difference = ut_printed_difference(printed, value->value);
  char measured[UT_MEASURED_SIZE];
  return UT_OBJECT({"name", ut_string(printed->name)}, {"printed", ut_string(printed->text)},
                   {"unit", ut_string(printed->unit)}, {"tolerance", ut_string(printed->tolerance_text)},
                   {"source", ut_string(printed->source)}, {"verdict", ut_string(ut_verdict_text(value->verdict))},
                   {"simulated", json_boolean(value->simulated)}, {"measured", known ? ut_real(value->value) : NULL},
                   {"half_width", known && isfinite(value->half_width) ? ut_real(value->half_width) : NULL},
                   {"reason", differs && value->reason ? ut_string(value->reason) : NULL},
                   {"_measured", known ? ut_string(ut_measured_text(value, measured)) : json_null()},
                   {"_difference", isnan(difference) ? json_null() : ut_format("%.4g", difference)},
                   {"_differs", json_boolean(differs)});
}

static json_t *experiment_json(const struct reproduce_options *options, const struct ut_experiment *experiment,
                               const struct ut_measured *measured) {
  json_t *values = json_array(), *pictures = json_array();
  for (size_t i = 0; i < experiment->printed.values; i++)
    json_array_append_new(values, value_json(&measured[i]));
  for (size_t i = 0; i < experiment->pictures && !options->no_pictures; i++) {
    char path[PATH_MAX];
    struct ut_error e;
    if (!picture_path(options, experiment, i, path, &e))
      json_array_append_new(pictures, ut_string(path));
  }
  return UT_OBJECT({"name", ut_string(experiment->name)}, {"title", ut_string(experiment->title)},
                   {"source", ut_string(experiment->source)}, {"values", values}, {"_pictures", pictures});
}

/* ---- all of them */

/* 1: interrupted. */
static int reproduce(const struct reproduce_options *options, const char *folder, const char *name,
                     struct totals *totals, struct ut_error *e) {
  struct ut_experiment experiment;
  if (ut_experiment_load(&experiment, folder, name, !options->full, e))
    return -1;
  struct ut_measured *measured = calloc(experiment.printed.values, sizeof *measured);
  int status = measured ? run_sweeps(options, &experiment, e) : ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!status)
    status =
        ut_measured_read(options->results, &experiment, false, measured, e) || draw(options, &experiment, e) ? -1 : 0;
  for (size_t i = 0; i < experiment.printed.values && !status; i++) {
    totals->count[kind_of(&measured[i])][measured[i].verdict]++;
    totals->unexplained +=
        measured[i].verdict == UT_NOT_MEASURED || (measured[i].verdict == UT_DIFFERS && !measured[i].reason);
  }
  if (!status && options->json)
    json_array_append_new(totals->list, experiment_json(options, &experiment, measured));
  else if (!status && options->markdown)
    ut_reproduce_print_markdown(&experiment, measured);
  else if (!status)
    ut_result_print(experiment_json(options, &experiment, measured), false, 9, text_layout);
  fflush(stdout);
  free(measured);
  ut_experiment_free(&experiment);
  return status;
}

/* The experiment is asked for: by its name, its paper's, or with all others. */
static bool is_meant(const char *name, const char *word) {
  const size_t length = strlen(word);
  return !strcmp(word, "all") || (!strncmp(name, word, length) && (!name[length] || name[length] == '/'));
}

static int reproduce_all(const struct reproduce_options *options, const char *folder, char **names, size_t count,
                         struct totals *totals, struct ut_error *e) {
  for (size_t i = 0; i < options->names.count; i++) {
    bool any = false;
    for (size_t j = 0; j < count; j++)
      any |= is_meant(names[j], options->names.name[i]);
    if (!any)
      return ut_fail(e, UT_BAD_INPUT, "there is no experiment '%s'; `%s reproduce list` names them",
                     options->names.name[i], ut_program_name());
  }
  for (size_t j = 0; j < count; j++) {
    bool meant = false;
    for (size_t i = 0; i < options->names.count; i++)
      meant |= is_meant(names[j], options->names.name[i]);
    const int status = meant ? reproduce(options, folder, names[j], totals, e) : 0;
    if (status)
      return status;
  }
  return 0;
}

static int list(const char *folder, char **names, size_t count, struct ut_error *e) {
  for (size_t i = 0; i < count; i++) {
    struct ut_experiment experiment;
    if (ut_experiment_load(&experiment, folder, names[i], false, e))
      return -1;
    printf("%-26s %3zu values  %s\n", experiment.name, experiment.printed.values, experiment.title);
    ut_experiment_free(&experiment);
  }
  return 0;
}

/* How many of a kind, or with KINDS of all, have a verdict. */
static size_t count_of(const struct totals *totals, unsigned kind, enum ut_verdict v) {
  size_t sum = 0;
  for (unsigned k = 0; k < KINDS; k++)
    sum += k == kind || kind == KINDS ? totals->count[k][v] : 0;
  return sum;
}

static const char totals_layout[] =
    "{|_rows}"
    "<kind of value|equal|within tolerance|not significant|differs|not measured\n"
    "{_name}|{equal}|{within_tolerance}|{not_significant}|{differ}|{not_measured}\n"
    "{/}"
    "{not_explained} values differ without a reason{?not_measured}, or are not measured{/}\n";

static const char markdown_totals_layout[] =
    "| kind of value          |            equal | within tolerance |  not significant |          differs |     not "
    "measured |\n"
    "|---|---|---|---|---|---|\n"
    "{#_rows}"
    "| {_name:-22s} | {equal:16d} | {within_tolerance:16d} | {not_significant:16d} | {differ:16d} | {not_measured:16d} "
    "|\n"
    "{/}\n"
    "{not_explained} values differ without a reason{?not_measured}, or are not measured{/}.\n";

static json_t *counts_json(const struct totals *totals, unsigned kind) {
  uint64_t all = 0;
  for (int v = UT_EQUAL; v <= UT_NOT_MEASURED; v++)
    all += count_of(totals, kind, (enum ut_verdict)v);
  return UT_OBJECT({"values", ut_int(all)}, {"equal", ut_int(count_of(totals, kind, UT_EQUAL))},
                   {"within_tolerance", ut_int(count_of(totals, kind, UT_WITHIN))},
                   {"not_significant", ut_int(count_of(totals, kind, UT_NOT_SIGNIFICANT))},
                   {"differ", ut_int(count_of(totals, kind, UT_DIFFERS))},
                   {"not_measured", ut_int(count_of(totals, kind, UT_NOT_MEASURED))},
                   {"_name", ut_string(kind < KINDS ? kinds[kind] : "all")});
}

static void print_totals(const struct reproduce_options *options, const struct totals *totals) {
  json_t *j = UT_OBJECT({"full", json_boolean(options->full)}), *each = json_object(), *rows = json_array();
  json_object_update_new(j, counts_json(totals, KINDS));
  for (unsigned k = 0; k < KINDS; k++) {
    UT_ADD(each, {kinds[k], counts_json(totals, k)});
    json_array_append(rows, json_object_get(each, kinds[k]));
  }
  json_array_append_new(rows, counts_json(totals, KINDS));
  UT_ADD(j, {"not_explained", ut_int(totals->unexplained)}, {"kinds", each}, {"experiments", json_incref(totals->list)},
         {"_rows", rows});
  ut_result_print(j, options->json, 9, options->markdown ? markdown_totals_layout : totals_layout);
}

/* The folder of results, which is made unless they are only read. */
static int find_results(const struct reproduce_options *options, struct ut_error *e) {
  struct stat status;
  const bool exists = stat(options->results, &status) == 0;
  if (exists && !S_ISDIR(status.st_mode))
    return ut_fail(e, UT_BAD_INPUT, "--results %s: this is no folder: name another one", options->results);
  if (!exists && options->read)
    return ut_fail(e, UT_BAD_INPUT, "--results %s: there is no such folder; without --read it is made",
                   options->results);
  return exists ? 0 : ut_folders_make(options->results, 0777, e);
}

int ut_cmd_reproduce(int argc, char **argv) {
  struct reproduce_options options = {.results = "reproduced"};
  struct totals totals = {.list = json_array()};
  struct ut_error e;
  char folder[PATH_MAX];
  size_t count = 0;
  int status;
  if (ut_parse(&ut_syntax_reproduce, argc, argv, &options, &status)) {
    json_decref(totals.list);
    return status;
  }
  ut_catch_interrupt();
  char **names = (options.experiments ? ut_path_set(&e, folder, "%s", options.experiments)
                                      : ut_path_set(&e, folder, "%s/experiments", ut_root_dir()))
                     ? NULL
                     : ut_experiment_list(folder, &count, &e);
  const bool only_list = options.names.count == 1 && !strcmp(options.names.name[0], "list");
  status = !count ? -1 : only_list ? list(folder, names, count, &e) : 0;
  if (!status && !only_list) {
    char probe[PATH_MAX];
    status = find_results(&options, &e) || (!options.no_pictures &&
                                            (ut_path_set(&e, probe, "%s/x.svg", options.results) ||
                                             ut_gnuplot_check(probe, "reproduce (--no-pictures does without it)", &e)))
                 ? -1
                 : reproduce_all(&options, folder, names, count, &totals, &e);
    if (!status)
      print_totals(&options, &totals);
  }
  ut_experiment_list_free(names, count);
  json_decref(totals.list);
  if (status)
    return status > 0 ? UT_INTERRUPTED : ut_print_error(&e);
  return totals.unexplained ? UT_MISMATCH : UT_OK;
}
