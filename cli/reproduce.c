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
static int read_quick(const struct ut_option *o, void *into, const char *text, struct ut_error *e) {
  (void)o, (void)text, (void)e;
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
static unsigned kind_of(const struct ut_measured *m) {
  return 2u * m->simulated + ut_printed_is_inequality(m->printed);
}

/* What has come of all experiments. */
struct totals {
  size_t count[KINDS][UT_NOT_MEASURED + 1], unexplained;
  json_t *list; /* with --json */
};

static int result_path(const struct reproduce_options *o, const struct ut_experiment *x, const char *rest, char *path,
                       struct ut_error *e) {
  if (ut_path_set(e, path, "%s/%s", o->results, x->name))
    return -1;
  *strrchr(path, '/') = '\0';
  return ut_folders_make(path, 0777, e) || ut_path_set(e, path, "%s/%s%s", o->results, x->name, rest) ? -1 : 0;
}

/* The database of a sweep, in a folder that is there. */
static int sweep_path(const struct reproduce_options *o, const struct ut_experiment *x, const char *sweep, char *path,
                      struct ut_error *e) {
  return result_path(o, x, "", path, e) || ut_measured_path(o->results, x, sweep, path, e) ? -1 : 0;
}

/* Runs what is missing.  1: interrupted. */
static int run_sweeps(const struct reproduce_options *o, const struct ut_experiment *x, struct ut_error *e) {
  char path[PATH_MAX];
  for (size_t i = 0; i < x->sweeps && !o->read; i++) {
    struct ut_sweep_progress progress = {.title = x->name};
    struct ut_standing standing;
    const struct ut_runner runner = {.jobs = o->jobs ? o->jobs : ut_threads_cores(),
                                     .wait = true,
                                     .interrupted = &ut_interrupted,
                                     .watch = ut_sweep_progress_show,
                                     .ctx = &progress};
    if (sweep_path(o, x, x->sweep[i].name, path, e))
      return -1;
    struct ut_sweep *sweep = ut_sweep_read(x->path, x->sweep[i].text, x->sweep[i].length, e);
    int status = sweep && !ut_points_check(sweep, e) ? ut_sweep_run(sweep, path, &runner, &standing, e) : -1;
    ut_progress_end(&progress.progress);
    ut_sweep_free(sweep);
    if (status)
      return -1;
    if (ut_interrupted)
      return 1;
    if (standing.failed)
      fprintf(stderr, "uturn: %s, %s: %zu of %zu runs failed, the first one:\n%s\n", x->name, x->sweep[i].name,
              standing.failed, standing.done, standing.message);
  }
  return 0;
}

/* The file of a picture; only of the first one without a number. */
static int picture_path(const struct reproduce_options *o, const struct ut_experiment *x, size_t picture, char *path,
                        struct ut_error *e) {
  char rest[32] = ".svg";
  if (picture)
    snprintf(rest, sizeof rest, "_%zu.svg", picture + 1);
  return result_path(o, x, rest, path, e);
}

static int draw_picture(const struct reproduce_options *o, const struct ut_experiment *x, size_t number,
                        struct ut_error *e) {
  const struct ut_experiment_picture *p = &x->picture[number];
  struct ut_caller caller = {.e = e, .interrupted = &ut_interrupted, .what = "picture"};
  struct ut_results_plot plot = p->plot;
  struct ut_measured_sources from = {0};
  char file[PATH_MAX];
  int status = picture_path(o, x, number, file, e) || ut_measured_sources(o->results, x, p, &from, e) ? -1 : 0;
  plot.title = plot.title ? plot.title : x->title;
  if (!status && ut_results_plot(from.source, from.sources, &plot, file, &caller)) {
    const struct ut_error why = *e;
    status = ut_fail(e, why.code, "%s, picture %zu: %s", x->name, number + 1, why.text);
  }
  ut_measured_sources_free(&from);
  return status;
}

static int draw(const struct reproduce_options *o, const struct ut_experiment *x, struct ut_error *e) {
  for (size_t i = 0; i < x->pictures && !o->no_pictures; i++)
    if (draw_picture(o, x, i, e))
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

static json_t *value_json(const struct ut_measured *m) {
  const struct ut_printed *p = m->printed;
  const bool known = !isnan(m->value), differs = m->verdict == UT_DIFFERS;
  const double difference = ut_printed_difference(p, m->value);
  char measured[UT_MEASURED_SIZE];
  return UT_OBJECT({"name", ut_string(p->name)}, {"printed", ut_string(p->text)}, {"unit", ut_string(p->unit)},
                   {"tolerance", ut_string(p->tolerance_text)}, {"source", ut_string(p->source)},
                   {"verdict", ut_string(ut_verdict_text(m->verdict))}, {"simulated", json_boolean(m->simulated)},
                   {"measured", known ? ut_real(m->value) : NULL},
                   {"half_width", known && isfinite(m->half_width) ? ut_real(m->half_width) : NULL},
                   {"reason", differs && m->reason ? ut_string(m->reason) : NULL},
                   {"_measured", known ? ut_string(ut_measured_text(m, measured)) : json_null()},
                   {"_difference", isnan(difference) ? json_null() : ut_format("%.4g", difference)},
                   {"_differs", json_boolean(differs)});
}

static json_t *experiment_json(const struct reproduce_options *o, const struct ut_experiment *x,
                               const struct ut_measured *m) {
  json_t *values = json_array(), *pictures = json_array();
  for (size_t i = 0; i < x->printed.values; i++)
    json_array_append_new(values, value_json(&m[i]));
  for (size_t i = 0; i < x->pictures && !o->no_pictures; i++) {
    char path[PATH_MAX];
    struct ut_error e;
    if (!picture_path(o, x, i, path, &e))
      json_array_append_new(pictures, ut_string(path));
  }
  return UT_OBJECT({"name", ut_string(x->name)}, {"title", ut_string(x->title)}, {"source", ut_string(x->source)},
                   {"values", values}, {"_pictures", pictures});
}

/* ---- all of them */

/* 1: interrupted. */
static int reproduce(const struct reproduce_options *o, const char *folder, const char *name, struct totals *t,
                     struct ut_error *e) {
  struct ut_experiment x;
  if (ut_experiment_load(&x, folder, name, !o->full, e))
    return -1;
  struct ut_measured *m = calloc(x.printed.values, sizeof *m);
  int status = m ? run_sweeps(o, &x, e) : ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!status)
    status = ut_measured_read(o->results, &x, false, m, e) || draw(o, &x, e) ? -1 : 0;
  for (size_t i = 0; i < x.printed.values && !status; i++) {
    t->count[kind_of(&m[i])][m[i].verdict]++;
    t->unexplained += m[i].verdict == UT_NOT_MEASURED || (m[i].verdict == UT_DIFFERS && !m[i].reason);
  }
  if (!status && o->json)
    json_array_append_new(t->list, experiment_json(o, &x, m));
  else if (!status && o->markdown)
    ut_reproduce_print_markdown(&x, m);
  else if (!status)
    ut_result_print(experiment_json(o, &x, m), false, 9, text_layout);
  fflush(stdout);
  free(m);
  ut_experiment_free(&x);
  return status;
}

/* The experiment is asked for: by its name, its paper's, or with all others. */
static bool is_meant(const char *name, const char *word) {
  const size_t length = strlen(word);
  return !strcmp(word, "all") || (!strncmp(name, word, length) && (!name[length] || name[length] == '/'));
}

static int reproduce_all(const struct reproduce_options *o, const char *folder, char **names, size_t count,
                         struct totals *t, struct ut_error *e) {
  for (size_t i = 0; i < o->names.count; i++) {
    bool any = false;
    for (size_t j = 0; j < count; j++)
      any |= is_meant(names[j], o->names.name[i]);
    if (!any)
      return ut_fail(e, UT_BAD_INPUT, "there is no experiment '%s'; `%s reproduce list` names them", o->names.name[i],
                     ut_program_name());
  }
  for (size_t j = 0; j < count; j++) {
    bool meant = false;
    for (size_t i = 0; i < o->names.count; i++)
      meant |= is_meant(names[j], o->names.name[i]);
    const int status = meant ? reproduce(o, folder, names[j], t, e) : 0;
    if (status)
      return status;
  }
  return 0;
}

static int list(const char *folder, char **names, size_t count, struct ut_error *e) {
  for (size_t i = 0; i < count; i++) {
    struct ut_experiment x;
    if (ut_experiment_load(&x, folder, names[i], false, e))
      return -1;
    printf("%-26s %3zu values  %s\n", x.name, x.printed.values, x.title);
    ut_experiment_free(&x);
  }
  return 0;
}

/* How many of a kind, or with KINDS of all, have a verdict. */
static size_t count_of(const struct totals *t, unsigned kind, enum ut_verdict v) {
  size_t sum = 0;
  for (unsigned k = 0; k < KINDS; k++)
    sum += k == kind || kind == KINDS ? t->count[k][v] : 0;
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

static json_t *counts_json(const struct totals *t, unsigned kind) {
  uint64_t all = 0;
  for (int v = UT_EQUAL; v <= UT_NOT_MEASURED; v++)
    all += count_of(t, kind, (enum ut_verdict)v);
  return UT_OBJECT({"values", ut_int(all)}, {"equal", ut_int(count_of(t, kind, UT_EQUAL))},
                   {"within_tolerance", ut_int(count_of(t, kind, UT_WITHIN))},
                   {"not_significant", ut_int(count_of(t, kind, UT_NOT_SIGNIFICANT))},
                   {"differ", ut_int(count_of(t, kind, UT_DIFFERS))},
                   {"not_measured", ut_int(count_of(t, kind, UT_NOT_MEASURED))},
                   {"_name", ut_string(kind < KINDS ? kinds[kind] : "all")});
}

static void print_totals(const struct reproduce_options *o, const struct totals *t) {
  json_t *j = UT_OBJECT({"full", json_boolean(o->full)}), *each = json_object(), *rows = json_array();
  json_object_update_new(j, counts_json(t, KINDS));
  for (unsigned k = 0; k < KINDS; k++) {
    UT_ADD(each, {kinds[k], counts_json(t, k)});
    json_array_append(rows, json_object_get(each, kinds[k]));
  }
  json_array_append_new(rows, counts_json(t, KINDS));
  UT_ADD(j, {"not_explained", ut_int(t->unexplained)}, {"kinds", each}, {"experiments", json_incref(t->list)},
         {"_rows", rows});
  ut_result_print(j, o->json, 9, o->markdown ? markdown_totals_layout : totals_layout);
}

/* The folder of results, which is made unless they are only read. */
static int find_results(const struct reproduce_options *o, struct ut_error *e) {
  struct stat s;
  const bool exists = stat(o->results, &s) == 0;
  if (exists && !S_ISDIR(s.st_mode))
    return ut_fail(e, UT_BAD_INPUT, "--results %s: this is no folder: name another one", o->results);
  if (!exists && o->read)
    return ut_fail(e, UT_BAD_INPUT, "--results %s: there is no such folder; without --read it is made", o->results);
  return exists ? 0 : ut_folders_make(o->results, 0777, e);
}

int ut_cmd_reproduce(int argc, char **argv) {
  struct reproduce_options o = {.results = "reproduced"};
  struct totals totals = {.list = json_array()};
  struct ut_error e;
  char folder[PATH_MAX];
  size_t count = 0;
  int status;
  if (ut_parse(&ut_syntax_reproduce, argc, argv, &o, &status)) {
    json_decref(totals.list);
    return status;
  }
  ut_catch_interrupt();
  char **names = (o.experiments ? ut_path_set(&e, folder, "%s", o.experiments)
                                : ut_path_set(&e, folder, "%s/experiments", ut_root_dir()))
                     ? NULL
                     : ut_experiment_list(folder, &count, &e);
  const bool only_list = o.names.count == 1 && !strcmp(o.names.name[0], "list");
  status = !count ? -1 : only_list ? list(folder, names, count, &e) : 0;
  if (!status && !only_list) {
    char probe[PATH_MAX];
    status = find_results(&o, &e) ||
                     (!o.no_pictures && (ut_path_set(&e, probe, "%s/x.svg", o.results) ||
                                         ut_gnuplot_check(probe, "reproduce (--no-pictures does without it)", &e)))
                 ? -1
                 : reproduce_all(&o, folder, names, count, &totals, &e);
    if (!status)
      print_totals(&o, &totals);
  }
  ut_experiment_list_free(names, count);
  json_decref(totals.list);
  if (status)
    return status > 0 ? UT_INTERRUPTED : ut_print_error(&e);
  return totals.unexplained ? UT_MISMATCH : UT_OK;
}
