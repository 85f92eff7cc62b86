/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.c - `uturn coverage`: which rules and situations runs have exercised. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_text.h"
#include "cosim.h"
#include "coverage_output.h"
#include "program_name.h"
#include "scenario.h"
#include "scenario_read.h"

struct coverage_options {
  struct ut_scenario_options scenario;
  unsigned threads;
  struct ut_names paths;
  const char *file, *html;
  struct ut_device device;
  bool missing, verbose;
};

#define UT_INPUT struct coverage_options
static const struct ut_option options[] = {
    {.argument = "SCENARIO", .wants = "scenario", UT_NAMES(paths)},
    UT_RTL(device.rtl_dir),
    {"file", 0, "FILE", "adds the hits to those that FILE holds, and shows the sum; without a SCENARIO only shows it",
     UT_TEXT(file)},
    {"missing", 0, NULL, "only the points that apply and are not hit", UT_FLAG(missing)},
    {"verbose", 0, NULL, "names the points that each scenario adds", UT_FLAG(verbose)},
    {"lines", 0, NULL, "lines and branches of the RTL, too: Verilator counts them, in models that are built for this",
     UT_FLAG(device.covered)},
    {"html", 0, "FILE.html", "also writes the same as a self-contained page", UT_FILE(html)},
    UT_GROUP(ut_scenario_syntax, scenario),
    UT_GROUP(ut_threads_syntax, threads),
    {0},
};

static int check(void *input, struct ut_error *e) {
  const struct coverage_options *options = input;
  return options->paths.count || options->file ? 0 : ut_fail(e, UT_BAD_INPUT, "%s", UT_WHICH_SCENARIO);
}

const struct ut_syntax ut_syntax_coverage = {
    "SCENARIO [SCENARIO...]",
    "Runs each SCENARIO with RTL and spec in lockstep and says which cover points it has hit: rules of the routing "
    "papers, links that fail while a packet is in this or that state, requests that meet, full buffers; which of those "
    "that the scenario could hit it has not; and what each scenario adds to those before it.",
    options, check};

/* ---- a run */

struct network {
  struct ut_scenario *scenario;
  struct ut_models models;
  struct ut_elaborator elaborator; /* none: the spec steps the golden switches */
  struct ut_threads *threads;
  struct ut_lockstep lockstep;
  bool started;
};

static int start(struct network *network, const struct coverage_options *options, struct ut_error *e) {
  struct ut_lockstep *lockstep = &network->lockstep;
  if (ut_elaborator_start(&network->elaborator, network->scenario, UT_ELABORATE_NEVER, NULL, &ut_interrupted, e) ||
      ut_models_get(network->scenario, &options->device, &network->models, e) ||
      ut_lockstep_init(lockstep, network->scenario, &network->models, e))
    return -1;
  network->started = true;
  network->threads =
      ut_threads_start(options->threads ? options->threads : ut_network_threads(&lockstep->rtl, ut_threads_cores()));
  if (network->threads && ut_lockstep_use(lockstep, network->threads) && ut_lockstep_use_spec(lockstep) &&
      ut_coverage_start(&lockstep->golden))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for threads, the spec and its counters",
                 network->scenario->path);
}

static void end(struct network *network) {
  if (network->started)
    ut_lockstep_fini(&network->lockstep);
  ut_threads_end(network->threads);
  ut_elaborate_end(&network->elaborator);
  ut_free_models(&network->models);
  ut_scenario_free(network->scenario);
}

/* What has been hit; a deadlock is a situation like others, but told. */
static int conclude(const struct network *network, const struct ut_cosim_outcome *outcome, struct ut_coverage_run *run,
                    bool *deadlock, struct ut_error *e) {
  const struct ut_network *golden = &network->lockstep.golden;
  const char *path = network->scenario->path;
  if (ut_interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted: nothing of %s is counted", path);
  if (!outcome->ok)
    return ut_fail(e, UT_MISMATCH, "%s: RTL and spec differ: %s; `%s cosim %s` says more", path,
                   network->lockstep.report ? network->lockstep.report : "", ut_program_name(), path);
  if (golden->failure || network->lockstep.rtl.failure)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the source queues; lower the load", path);
  if (outcome->deadlock)
    fprintf(stderr, "uturn: %s: deadlock in cycle %" PRIu64 "; what was hit until then counts\n", path, golden->cycle);
  *deadlock |= outcome->deadlock;
  ut_coverage_read(golden, run->hits);
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    run->applies[point] = ut_coverage_applies(network->scenario, golden->shape, golden->topology->elaborations, point);
  return 0;
}

/* What all runs have hit. */
struct found {
  struct ut_coverage_runs runs;
  struct ut_line_counts lines;
  bool deadlock;
};

static int run_scenario(const struct coverage_options *options, const char *path, struct found *found,
                        struct ut_error *e) {
  struct ut_scenario_options with = options->scenario;
  struct ut_watchdog watchdog = {0};
  struct ut_coverage_run run = {.scenario = (char *)(uintptr_t)path};
  with.path = path;
  struct network network = {.scenario = ut_scenario_open(&with, e)};
  if (!network.scenario)
    return -1;
  int status = start(&network, options, e);
  if (!status) {
    const struct ut_cosim_outcome outcome =
        ut_cosim_run(&network.lockstep, &network.elaborator, UINT64_MAX, &watchdog, NULL);
    status = conclude(&network, &outcome, &run, &found->deadlock, e);
    if (!status && options->device.covered)
      status = ut_line_counts_add(&found->lines, network.lockstep.dut, e);
  }
  ut_watchdog_free(&watchdog);
  end(&network);
  return status ? -1 : ut_coverage_add(&found->runs, &run, e);
}

/* ---- all of them */

/* The file is read again when the runs are done: others may have added to it. */
static int add_to_file(struct ut_coverage_runs *runs, const char *file, struct ut_error *e) {
  struct ut_coverage_runs all = {0};
  int status = ut_coverage_load(&all, file, e);
  for (size_t i = 0; i < runs->count && !status; i++)
    status = ut_coverage_add(&all, &runs->run[i], e);
  if (!status && runs->count)
    status = ut_coverage_save(&all, file, e);
  ut_coverage_free(runs);
  *runs = all;
  return status;
}

/* What can be wrong with files, before anything is run. */
static int check_files(const struct coverage_options *options, struct ut_error *e) {
  struct ut_coverage_runs runs = {0};
  const int status = options->file ? ut_coverage_load(&runs, options->file, e) : 0;
  const bool empty = !runs.count && !options->paths.count;
  ut_coverage_free(&runs);
  if (status)
    return -1;
  if (empty)
    return ut_fail(e, UT_BAD_INPUT, "%s: nothing is counted there yet: name scenarios to run", options->file);
  return (options->file && ut_output_check(options->file, UT_OUTPUT_REGULAR, e)) ||
                 (options->html && ut_output_check(options->html, UT_OUTPUT_ANY, e))
             ? -1
             : 0;
}

static int run_all(const struct coverage_options *options, struct found *found, struct ut_error *e) {
  for (size_t i = 0; i < options->paths.count; i++) {
    ut_progress_within("scenario", i, options->paths.count);
    if (run_scenario(options, options->paths.name[i], found, e))
      return -1;
  }
  return options->file ? add_to_file(&found->runs, options->file, e) : 0;
}

static int write_page(const struct ut_coverage_view *view, const char *path, int argc, char **argv,
                      struct ut_error *e) {
  char *command = ut_command_text("coverage", argc, argv, e);
  const int status = command ? ut_coverage_write_page(view, path, command, e) : -1;
  free(command);
  return status;
}

int ut_cmd_coverage(int argc, char **argv) {
  struct coverage_options options = {0};
  struct found found = {.deadlock = false};
  struct ut_error e;
  int status;
  if (!ut_parse(&ut_syntax_coverage, argc, argv, &options, &status)) {
    ut_catch_interrupt();
    const struct ut_coverage_view view = {.runs = &found.runs,
                                          .lines = options.device.covered ? &found.lines : NULL,
                                          .rtl_dir = options.device.rtl_dir,
                                          .root_dir = ut_root_dir(),
                                          .json = options.scenario.json,
                                          .missing = options.missing,
                                          .verbose = options.verbose};
    if (check_files(&options, &e) || run_all(&options, &found, &e)) {
      status = ut_print_error(&e);
    } else {
      ut_coverage_print(&view);
      status = found.deadlock ? UT_DEADLOCK : UT_OK;
    }
    if ((status == UT_OK || status == UT_DEADLOCK) && options.html && write_page(&view, options.html, argc, argv, &e))
      status = ut_print_error(&e);
  }
  ut_coverage_free(&found.runs);
  ut_line_counts_free(&found.lines);
  return status;
}
