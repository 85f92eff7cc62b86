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
#include "program_name.h"
#include "ranks.h"
#include "runner.h"
#include "shares.h"
#include "sweep_output.h"
#include "sweep_progress.h"

struct sweep_options {
  const char *path, *results;
  unsigned jobs, patience;
  unsigned tasks;
  struct ut_share share;
  bool wait, again_failed, read, check, slurm, collect;
  struct ut_sweep_print print;
};

/* "K/N" */
static int read_share(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  const char *c = text;
  uint64_t index, count;
  if (!ut_number_read(&c, UT_MAX_SMALL_COUNT, &index) || *c++ != '/' || !ut_number_is(c, UT_MAX_SMALL_COUNT, &count) ||
      index >= count)
    return ut_fail(e, UT_BAD_INPUT, "--%s wants K/N with K below N, not '%s'", option->name, text);
  *(struct ut_share *)into = (struct ut_share){.index = (unsigned)index, .count = (unsigned)count};
  return 0;
}

#define UT_INPUT struct sweep_options
static const struct ut_option options[] = {
    {.argument = "FILE",
     .wants = "sweep",
     UT_TEXT(path),
     .missing = "which sweep?  For example experiments/examples/latency_load.yaml"},
    {"results", 0, "FILE", "the database; default: beside the sweep file, .sqlite in place of .yaml", UT_TEXT(results)},
    {"jobs", 0, "N",
     "runs at the same time; default: one for each core, under mpirun one for each rank; changes no result",
     UT_COUNT(jobs)},
    {"wait", 0, NULL, "while another sweep writes the same database, wait for it", UT_FLAG(wait)},
    {"patience", 0, "SECONDS", "under mpirun: give up a rank that is silent for so long; default: 30",
     UT_COUNT(patience)},
    {"again-failed", 0, NULL, "make the runs once more that have failed", UT_FLAG(again_failed)},
    {"check", 0, NULL, "check the file and all its points, and run nothing", UT_FLAG(check)},
    {"slurm", 0, NULL, "write a job script for Slurm and submit it, instead of running here", UT_FLAG(slurm),
     .section = 2},
    {"tasks", 0, "N", "of its array; default: one for each unit of work, at most 100", UT_COUNT(tasks), .section = 2},
    {"collect", 0, NULL, "take over what its tasks have made, say what is missing, run nothing", UT_FLAG(collect),
     .section = 2},
    {"share", 0, "K/N", "what task K (from 0) of N does: its share, into a database of its own",
     UT_OWN(read_share, share), .section = 2},
    {"read", 0, NULL, "run nothing, print what is there; FILE may be the database, too", UT_FLAG(read), .section = 1},
    {"where", 0, "EXPR", "only runs for which that is true, as in \"load < 0.3 and algorithm = 'fta'\"",
     UT_TEXT(print.where), .section = 1},
    {"show", 0, "NAME,...", "results to print, as in throughput,latency.p99", UT_TEXT(print.show), .section = 1},
    {"csv", 0, NULL, "a line for each run, all axes and results", UT_FLAG(print.csv), .section = 1},
    {"json", 0, NULL, "one JSON object on standard output, nothing else: all results of each point",
     UT_FLAG(print.json), .section = 1},
    {0},
};

static int check(void *input, struct ut_error *e) {
  const struct sweep_options *options = input;
  if (options->slurm + options->collect + options->read + options->check + (options->share.count > 0) > 1)
    return ut_fail(e, UT_BAD_INPUT, "only one of --slurm, --collect, --share, --read and --check");
  if (options->print.csv && options->print.json)
    return ut_fail(e, UT_BAD_INPUT, "--csv or --json, not both");
  return 0;
}

const struct ut_syntax ut_syntax_sweep = {
    "FILE",
    "Runs what the sweep FILE asks for, all cores at work, and keeps every result in a database; what is there already "
    "is not run again.  Then prints a table of the results.",
    options, check};

/* ---- running */

/* Says what has been done on stderr; the exit status. */
static int report(const struct ut_standing *standing, const char *results) {
  if (ut_interrupted)
    fprintf(stderr, "uturn: interrupted: %zu of %zu results are in %s; the same command makes the others\n",
            standing->done, standing->planned, results);
  if (standing->failed)
    fprintf(stderr, "uturn: %zu of %zu runs failed (--again-failed repeats them), the first one:\n%s\n",
            standing->failed, standing->done, standing->message);
  return ut_interrupted ? UT_INTERRUPTED : standing->failed ? UT_INTERNAL : UT_OK;
}

/* known: results to begin with, or NULL. */
static int run_sweep(const struct sweep_options *options, struct ut_sweep *sweep, const char *results,
                     const char *known, struct ut_error *e) {
  struct ut_sweep_progress progress = {0};
  struct ut_standing standing;
  const struct ut_runner runner = {.jobs = options->jobs ? options->jobs : ut_threads_cores(),
                                   .share = options->share,
                                   .known = known,
                                   .wait = options->wait,
                                   .again_failed = options->again_failed,
                                   .interrupted = &ut_interrupted,
                                   .watch = ut_sweep_progress_show,
                                   .ctx = &progress};
  ut_catch_interrupt();
  const int status = ut_sweep_run(sweep, results, &runner, &standing, e);
  ut_progress_end(&progress.progress);
  return status ? ut_print_error(e) : report(&standing, results);
}

static int run_share(const struct sweep_options *options, struct ut_sweep *sweep, const char *results,
                     struct ut_error *e) {
  struct stat there;
  char *own = ut_share_results(results, options->share, e);
  const bool known = !stat(results, &there) && there.st_size;
  const int status = own ? run_sweep(options, sweep, own, known ? results : NULL, e) : ut_print_error(e);
  free(own);
  return status;
}

static int submit(const struct sweep_options *options, const struct ut_sweep *sweep, const char *results,
                  struct ut_error *e) {
  enum { MOST_BY_DEFAULT = 100 };
  const size_t most = ut_shares_most(sweep), tasks = options->tasks ? options->tasks : MOST_BY_DEFAULT;
  char *job = ut_shares_write_job(options->path, results, (unsigned)(tasks < most ? tasks : most), e);
  if (!job)
    return ut_print_error(e);
  const int status = ut_shares_submit(job, e) ? ut_print_error(e) : UT_OK;
  if (!status)
    printf("%s: %zu tasks; when they have ended: %s sweep %s --collect\n", job, tasks < most ? tasks : most,
           ut_program_name(), options->path);
  free(job);
  return status;
}

static int collect(const struct sweep_options *options, struct ut_sweep *sweep, const char *results,
                   struct ut_error *e) {
  struct ut_collected collected;
  ut_catch_interrupt();
  if (ut_shares_collect(sweep, results, &ut_interrupted, &collected, e))
    return ut_print_error(e);
  fprintf(stderr, "uturn: %zu databases collected", collected.databases);
  if (collected.busy)
    fprintf(stderr, "; %zu are still being written, and were left out", collected.busy);
  if (collected.no_database)
    fprintf(stderr, "; %zu tasks have none", collected.no_database);
  fputc('\n', stderr);
  if (collected.missing)
    fprintf(stderr, "uturn: %zu of %zu are missing; this makes them: %s sweep %s\n", collected.missing,
            collected.standing.planned, ut_program_name(), options->path);
  const int status = report(&collected.standing, results);
  return status || !collected.missing ? status : UT_INTERNAL;
}

/* ---- the command */

static int check_and_run(const struct sweep_options *options, const char *results) {
  struct ut_error e;
  struct ut_sweep *sweep = ut_sweep_load(options->path, &e);
  if (!sweep)
    return ut_print_error(&e);
  int status = ut_points_check(sweep, &e) ? ut_print_error(&e) : UT_OK;
  if (!status && options->check)
    printf("%s: %zu points of %s, %u to %u repetitions each: all can be run\n", options->path, ut_points_count(sweep),
           sweep->command, sweep->stopping.least, sweep->stopping.most);
  else if (!status)
    status = options->slurm         ? submit(options, sweep, results, &e)
             : options->collect     ? collect(options, sweep, results, &e)
             : options->share.count ? run_share(options, sweep, results, &e)
                                    : run_sweep(options, sweep, results, NULL, &e);
  ut_sweep_free(sweep);
  return status;
}

static int run_and_print(struct sweep_options *options) {
  struct ut_error e;
  char results[PATH_MAX];
  if (ut_path_ends(options->path, ".sqlite"))
    options->read = true;
  if (options->results ? ut_path_set(&e, results, "%s", options->results) : ut_store_path(options->path, results, &e))
    return ut_print_error(&e);
  int status = options->read ? UT_OK : check_and_run(options, results);
  const bool print = !options->check && !options->slurm && !options->share.count &&
                     (status == UT_OK || status == UT_INTERRUPTED || status == UT_INTERNAL);
  if (print && ut_sweep_print(&options->print, results, &e)) {
    ut_print_error(&e);
    status = status ? status : (int)e.code;
  }
  return status;
}

/* A rank other than 0 of an MPI job. */
static int help(const struct sweep_options *options) {
  struct ut_error e;
  ut_catch_interrupt();
  if (ut_ranks_help(options->jobs ? options->jobs : 1, &ut_interrupted, &e))
    return ut_print_error(&e);
  return ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

int ut_cmd_sweep(int argc, char **argv) {
  struct sweep_options options = {.patience = 30};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_sweep, argc, argv, &options, &status))
    return status;
  if (ut_ranks_join(options.patience, &e))
    return ut_print_error(&e);
  if (ut_ranks_helper())
    return help(&options);
  status = run_and_print(&options);
  fflush(stdout);
  ut_ranks_leave();
  return status;
}
