/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c - `uturn sweep`: many runs into a database, and what they say. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache_files.h"
#include "cli.h"
#include "number.h"
#include "ranks.h"
#include "runner.h"
#include "shares.h"
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
  KEY_PATIENCE,
  KEY_SLURM,
  KEY_TASKS,
  KEY_COLLECT,
  KEY_SHARE
};

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "FILE", 0, "the database; default: beside the sweep file, .sqlite in place of .yaml", 0},
    {"jobs", KEY_JOBS, "N", 0,
     "runs at the same time; default: one for each core, under mpirun one for each rank; changes no result", 0},
    {"wait", KEY_WAIT, 0, 0, "while another sweep writes the same database, wait for it", 0},
    {"patience", KEY_PATIENCE, "SECONDS", 0, "under mpirun: give up a rank that is silent for so long; default: 30", 0},
    {"again-failed", KEY_AGAIN, 0, 0, "make the runs once more that have failed", 0},
    {"check", KEY_CHECK, 0, 0, "check the file and all its points, and run nothing", 0},
    {"slurm", KEY_SLURM, 0, 0, "write a job script for Slurm and submit it, instead of running here", 2},
    {"tasks", KEY_TASKS, "N", 0, "of its array; default: one for each unit of work, at most 100", 2},
    {"collect", KEY_COLLECT, 0, 0, "take over what its tasks have made, say what is missing, run nothing", 2},
    {"share", KEY_SHARE, "K/N", 0, "what task K (from 0) of N does: its share, into a database of its own", 2},
    {"read", KEY_READ, 0, 0, "run nothing, print what is there; FILE may be the database, too", 1},
    {"where", KEY_WHERE, "EXPR", 0, "only runs for which that is true, as in \"load < 0.3 and algorithm = 'fta'\"", 1},
    {"show", KEY_SHOW, "NAME,...", 0, "results to print, as in throughput,latency.p99", 1},
    {"csv", KEY_CSV, 0, 0, "a line for each run, all axes and results", 1},
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else: all results of each point", 1},
    {0},
};

struct sweep_options {
  const char *path, *results;
  unsigned jobs, patience;
  unsigned tasks;
  struct ut_share share;
  bool wait, again_failed, read, check, slurm, collect;
  struct ut_sweep_print print;
};

/* "K/N" */
static bool parse_share(struct ut_share *share, const char *text) {
  uint64_t index, count;
  if (!ut_number_read(&text, UT_MAX_SMALL_COUNT, &index) || *text++ != '/' ||
      !ut_number_is(text, UT_MAX_SMALL_COUNT, &count) || index >= count)
    return false;
  share->index = (unsigned)index;
  share->count = (unsigned)count;
  return true;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct sweep_options *o = state->input;
  switch (key) {
  case KEY_RESULTS: o->results = arg; break;
  case KEY_JOBS: o->jobs = ut_parse_small_count(arg, "--jobs", state); break;
  case KEY_PATIENCE: o->patience = ut_parse_small_count(arg, "--patience", state); break;
  case KEY_SLURM: o->slurm = true; break;
  case KEY_TASKS: o->tasks = ut_parse_small_count(arg, "--tasks", state); break;
  case KEY_COLLECT: o->collect = true; break;
  case KEY_SHARE:
    if (!parse_share(&o->share, arg))
      argp_error(state, "--share wants K/N with K below N, not '%s'", arg);
    break;
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
    if (o->slurm + o->collect + o->read + o->check + (o->share.count > 0) > 1)
      argp_error(state, "only one of --slurm, --collect, --share, --read and --check");
    if (o->print.csv && o->print.json)
      argp_error(state, "--csv or --json, not both");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_argp_sweep = {
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

/* known: results to begin with, or NULL. */
static int run_sweep(const struct sweep_options *o, struct ut_sweep *sweep, const char *results, const char *known,
                     struct ut_error *e) {
  struct ut_sweep_progress progress = {0};
  struct ut_standing standing;
  const struct ut_runner runner = {.jobs = o->jobs ? o->jobs : ut_threads_cores(),
                                   .share = o->share,
                                   .known = known,
                                   .wait = o->wait,
                                   .again_failed = o->again_failed,
                                   .interrupted = &ut_interrupted,
                                   .watch = ut_sweep_progress_show,
                                   .ctx = &progress};
  ut_catch_interrupt();
  const int status = ut_sweep_run(sweep, results, &runner, &standing, e);
  ut_progress_end(&progress.progress);
  return status ? ut_print_error(e) : report(&standing, results);
}

static int run_share(const struct sweep_options *o, struct ut_sweep *sweep, const char *results, struct ut_error *e) {
  struct stat there;
  char *own = ut_share_results(results, o->share, e);
  const bool known = !stat(results, &there) && there.st_size;
  const int status = own ? run_sweep(o, sweep, own, known ? results : NULL, e) : ut_print_error(e);
  free(own);
  return status;
}

static int submit(const struct sweep_options *o, const struct ut_sweep *sweep, const char *results,
                  struct ut_error *e) {
  enum { MOST_BY_DEFAULT = 100 };
  const size_t most = ut_shares_most(sweep), tasks = o->tasks ? o->tasks : MOST_BY_DEFAULT;
  char *job = ut_shares_write_job(o->path, results, (unsigned)(tasks < most ? tasks : most), e);
  if (!job)
    return ut_print_error(e);
  const int status = ut_shares_submit(job, e) ? ut_print_error(e) : UT_OK;
  if (!status)
    printf("%s: %zu tasks; when they have ended: uturn sweep %s --collect\n", job, tasks < most ? tasks : most,
           o->path);
  free(job);
  return status;
}

static int collect(const struct sweep_options *o, struct ut_sweep *sweep, const char *results, struct ut_error *e) {
  struct ut_collected c;
  ut_catch_interrupt();
  if (ut_shares_collect(sweep, results, &ut_interrupted, &c, e))
    return ut_print_error(e);
  fprintf(stderr, "uturn: %zu databases collected", c.databases);
  if (c.busy)
    fprintf(stderr, "; %zu are still being written, and were left out", c.busy);
  if (c.no_database)
    fprintf(stderr, "; %zu tasks have none", c.no_database);
  fputc('\n', stderr);
  if (c.missing)
    fprintf(stderr, "uturn: %zu of %zu are missing; this makes them: uturn sweep %s\n", c.missing, c.standing.planned,
            o->path);
  const int status = report(&c.standing, results);
  return status || !c.missing ? status : UT_INTERNAL;
}

/* ---- the command */

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
    status = o->slurm         ? submit(o, sweep, results, &e)
             : o->collect     ? collect(o, sweep, results, &e)
             : o->share.count ? run_share(o, sweep, results, &e)
                              : run_sweep(o, sweep, results, NULL, &e);
  ut_sweep_free(sweep);
  return status;
}

static int run_and_print(struct sweep_options *o) {
  struct ut_error e;
  char results[PATH_MAX];
  if (ut_path_ends(o->path, ".sqlite"))
    o->read = true;
  if (o->results ? ut_path_set(&e, results, "%s", o->results) : ut_store_path(o->path, results, &e))
    return ut_print_error(&e);
  int status = o->read ? UT_OK : check_and_run(o, results);
  const bool print = !o->check && !o->slurm && !o->share.count &&
                     (status == UT_OK || status == UT_INTERRUPTED || status == UT_INTERNAL);
  if (print && ut_sweep_print(&o->print, results, &e)) {
    ut_print_error(&e);
    status = status ? status : (int)e.code;
  }
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
  if (ut_parse(&ut_argp_sweep, argc, argv, &o, &status))
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
