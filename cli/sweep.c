/* sweep.c - `uturn sweep`: many runs into a database, and what they say. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "ranks.h"
#include "runner.h"
#include "sweep_output.h"
#include "sweep_progress.h"

enum {
  KEY_JSON = 0x300,
  KEY_RESULTS,
  KEY_JOBS,
  KEY_WAIT,
  KEY_READ,
  KEY_AGAIN,
  KEY_WHERE,
  KEY_CSV,
  KEY_SHOW,
  KEY_CHECK,
  KEY_PATIENCE
};

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "FILE", 0, "the database; default: beside the sweep file, .sqlite in place of .yaml", 0},
    {"jobs", KEY_JOBS, "N", 0,
     "runs at the same time; default: one for each core, under mpirun one for each rank; changes no result", 0},
    {"wait", KEY_WAIT, 0, 0, "while another sweep writes the same database, wait for it", 0},
    {"patience", KEY_PATIENCE, "SECONDS", 0, "under mpirun: give up a rank that is silent for so long; default: 30", 0},
    {"again-failed", KEY_AGAIN, 0, 0, "make the runs once more that have failed", 0},
    {"check", KEY_CHECK, 0, 0, "check the file and all its points, and run nothing", 0},
    {"read", KEY_READ, 0, 0, "run nothing, print what is there; FILE may be the database, too", 1},
    {"where", KEY_WHERE, "EXPR", 0, "only runs for which that is true, as in 'load < 0.3 and algorithm = ''fta'''", 1},
    {"show", KEY_SHOW, "NAME,...", 0, "results to print, as in throughput,latency.p99", 1},
    {"csv", KEY_CSV, 0, 0, "a line for each run, all axes and results", 1},
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else: all results of each point", 1},
    {0},
};

struct sweep_options {
  const char *path, *results;
  unsigned jobs, patience;
  bool wait, again_failed, read, check;
  struct ut_sweep_print print;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct sweep_options *o = state->input;
  switch (key) {
  case KEY_RESULTS: o->results = arg; break;
  case KEY_JOBS: o->jobs = (unsigned)ut_parse_count(arg, "--jobs", state); break;
  case KEY_PATIENCE: o->patience = (unsigned)ut_parse_count(arg, "--patience", state); break;
  case KEY_WAIT: o->wait = true; break;
  case KEY_AGAIN: o->again_failed = true; break;
  case KEY_CHECK: o->check = true; break;
  case KEY_READ: o->read = true; break;
  case KEY_WHERE: o->print.where = arg; break;
  case KEY_SHOW: o->print.show = arg; break;
  case KEY_CSV: o->print.csv = true; break;
  case KEY_JSON: o->print.json = true; break;
  case ARGP_KEY_ARG:
    if (o->path)
      argp_error(state, "one sweep at a time: '%s' is too many", arg);
    o->path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->path)
      argp_error(state, "which sweep?  For example experiments/examples/latency_load.yaml");
    if (o->print.csv && o->print.json)
      argp_error(state, "--csv or --json, not both");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    options,
    parse,
    "FILE",
    "Runs what the sweep FILE asks for, all cores at work, and keeps every result in a database; what is there already "
    "is not run again.  Then prints a table of the results.",
    0,
    0,
    0};

/* ---- running */

/* Says what has been done on stderr; the exit status. */
static int report(const struct ut_standing *s, const char *results) {
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted: %zu of %zu results are in %s; the same command makes the others\n", s->done,
            s->planned, results);
  if (s->failed)
    fprintf(stderr, "uturn: %zu of %zu runs failed (--again-failed repeats them), the first one:\n%s\n", s->failed,
            s->done, s->message);
  return ut_interrupted ? UT_INTERRUPTED : s->failed ? UT_INTERNAL : UT_OK;
}

static int run_sweep(const struct sweep_options *o, struct ut_sweep *sweep, const char *results, struct ut_error *e) {
  struct ut_sweep_progress progress = {0};
  struct ut_standing standing;
  const struct ut_runner runner = {.jobs = o->jobs ? o->jobs : ut_threads_cores(),
                                   .wait = o->wait,
                                   .again_failed = o->again_failed,
                                   .interrupted = &ut_interrupted,
                                   .watch = ut_sweep_progress_show,
                                   .ctx = &progress};
  ut_catch_interrupt();
  const int status = ut_sweep_run(sweep, results, &runner, &standing, e);
  ut_sweep_progress_end(&progress);
  return status ? ut_print_error(e) : report(&standing, results);
}

/* ---- the command */

static bool ends_in(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

/* The database of a sweep file (malloc'd); NULL: out of memory. */
static char *results_of(const struct sweep_options *o) {
  char *name = NULL;
  if (o->results)
    return strdup(o->results);
  const int end = ends_in(o->path, ".yaml") ? 5 : ends_in(o->path, ".yml") ? 4 : ends_in(o->path, ".sqlite") ? 7 : 0;
  return asprintf(&name, "%.*s.sqlite", (int)strlen(o->path) - end, o->path) < 0 ? NULL : name;
}

static int check_and_run(const struct sweep_options *o, const char *results) {
  struct ut_error e;
  struct ut_sweep *sweep = ut_sweep_load(o->path, &e);
  if (!sweep)
    return ut_print_error(&e);
  int status = ut_points_check(sweep, &e) ? ut_print_error(&e) : UT_OK;
  if (!status && o->check)
    printf("%s: %zu points of %s, %u to %u repetitions each: all can be run\n", o->path, ut_points_count(sweep),
           sweep->command, sweep->stopping.least, sweep->stopping.most);
  else if (!status)
    status = run_sweep(o, sweep, results, &e);
  ut_sweep_free(sweep);
  return status;
}

static int run_and_print(struct sweep_options *o) {
  struct ut_error e;
  if (ends_in(o->path, ".sqlite"))
    o->read = true;
  char *results = results_of(o);
  if (!results)
    return UT_INTERNAL;
  int status = o->read ? UT_OK : check_and_run(o, results);
  const bool print = !o->check && (status == UT_OK || status == UT_INTERRUPTED || status == UT_INTERNAL);
  if (print && ut_sweep_print(&o->print, results, &e)) {
    ut_print_error(&e);
    status = status ? status : (int)e.code;
  }
  free(results);
  return status;
}

/* A rank other than 0 of an MPI job. */
static int help(const struct sweep_options *o) {
  struct ut_error e;
  ut_catch_interrupt();
  if (ut_ranks_help(o->jobs ? o->jobs : 1, &ut_interrupted, &e))
    return ut_print_error(&e);
  return ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

int ut_cmd_sweep(int argc, char **argv) {
  struct sweep_options o = {.patience = 30};
  struct ut_error e;
  int status;
  if (ut_parse(&argp, argc, argv, &o, &status))
    return status;
  if (ut_ranks_join(o.patience, &e))
    return ut_print_error(&e);
  if (ut_ranks_helper())
    return help(&o);
  status = run_and_print(&o);
  fflush(stdout);
  ut_ranks_leave();
  return status;
}
