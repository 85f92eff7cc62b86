/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.c - `uturn coverage`: which rules and situations runs have exercised. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_text.h"
#include "cosim.h"
#include "coverage_output.h"
#include "scenario_read.h"

enum { KEY_RTL = 0x740, KEY_FILE, KEY_MISSING, KEY_VERBOSE, KEY_HTML, KEY_LINES };
static const struct argp_option options[] = {
    {"rtl", KEY_RTL, "DIR", 0, "folder of ut_switch.v, instead of rtl/: your own changed RTL", 0},
    {"file", KEY_FILE, "FILE", 0,
     "adds the hits to those that FILE holds, and shows the sum; without a SCENARIO only shows it", 0},
    {"missing", KEY_MISSING, 0, 0, "only the points that apply and are not hit", 0},
    {"verbose", KEY_VERBOSE, 0, 0, "names the points that each scenario adds", 0},
    {"lines", KEY_LINES, 0, 0,
     "lines and branches of the RTL, too: Verilator counts them, in models that are built for this", 0},
    {"html", KEY_HTML, "FILE", 0, "writes the same as a page that is self-contained, too", 0},
    {0},
};

struct coverage_options {
  struct ut_scenario_options scenario;
  unsigned threads;
  const char **path;
  size_t paths;
  const char *file, *html;
  struct ut_device device;
  bool missing, verbose;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct coverage_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->scenario;
    state->child_inputs[1] = &o->threads;
    return 0;
  case KEY_RTL: o->device.rtl_dir = arg; return 0;
  case KEY_FILE: o->file = arg; return 0;
  case KEY_LINES: o->device.covered = true; return 0;
  case KEY_MISSING: o->missing = true; return 0;
  case KEY_VERBOSE: o->verbose = true; return 0;
  case KEY_HTML: o->html = ut_parse_file(arg, "--html", ".html", state); return 0;
  case ARGP_KEY_ARG:
    o->path[o->paths++] = arg;
    o->scenario.path = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    if (o->file)
      o->scenario.path = o->file; /* so that nobody asks for a scenario */
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {{&ut_scenario_argp, 0, NULL, 0}, {&ut_threads_argp, 0, NULL, 0}, {0}};
const struct argp ut_argp_coverage = {
    options,
    parse,
    "SCENARIO [SCENARIO...]",
    "Runs each SCENARIO with RTL and spec in lockstep and says which cover points it has hit: rules of the routing "
    "papers, links that fail while a packet is in this or that state, requests that meet, full buffers; which of those "
    "that the scenario could hit it has not; and what each scenario adds to those before it.",
    children,
    0,
    0};

/* ---- a run */

struct network {
  struct ut_scenario *scenario;
  struct ut_models models;
  struct ut_elaborator elaborator; /* none: the spec steps the golden switches */
  struct ut_threads *threads;
  struct ut_lockstep lockstep;
  bool started;
};

static int start(struct network *n, const struct coverage_options *o, struct ut_error *e) {
  struct ut_lockstep *l = &n->lockstep;
  if (ut_elaborator_start(&n->elaborator, n->scenario, UT_ELABORATE_NEVER, NULL, &ut_interrupted, e) ||
      ut_models_get(n->scenario, &o->device, &n->models, e) || ut_lockstep_init(l, n->scenario, &n->models, e))
    return -1;
  n->started = true;
  n->threads = ut_threads_start(o->threads ? o->threads : ut_network_threads(&l->rtl, ut_threads_cores()));
  if (n->threads && ut_lockstep_use(l, n->threads) && ut_lockstep_use_spec(l) && ut_coverage_start(&l->golden))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for threads, the spec and its counters", n->scenario->path);
}

static void end(struct network *n) {
  if (n->started)
    ut_lockstep_fini(&n->lockstep);
  ut_threads_end(n->threads);
  ut_elaborate_end(&n->elaborator);
  ut_free_models(&n->models);
  ut_scenario_free(n->scenario);
}

/* What has been hit; a deadlock is a situation like others, but told. */
static int conclude(const struct network *n, const struct ut_cosim_outcome *r, struct ut_coverage_run *run,
                    bool *deadlock, struct ut_error *e) {
  const struct ut_network *golden = &n->lockstep.golden;
  const char *path = n->scenario->path;
  if (ut_interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted: nothing of %s is counted", path);
  if (!r->ok)
    return ut_fail(e, UT_MISMATCH, "%s: RTL and spec differ: %s; `./uturn cosim %s` says more", path,
                   n->lockstep.report ? n->lockstep.report : "", path);
  if (golden->failure || n->lockstep.rtl.failure)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the source queues; lower the load", path);
  if (r->deadlock)
    fprintf(stderr, "uturn: %s: deadlock in cycle %" PRIu64 "; what was hit until then counts\n", path, golden->cycle);
  *deadlock |= r->deadlock;
  ut_coverage_read(golden, run->hits);
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    run->applies[point] = ut_coverage_applies(n->scenario, golden->shape, golden->topology.elaborations, point);
  return 0;
}

/* What all runs have hit. */
struct found {
  struct ut_coverage_runs runs;
  struct ut_line_counts lines;
  bool deadlock;
};

static int run_scenario(const struct coverage_options *o, const char *path, struct found *found, struct ut_error *e) {
  struct ut_scenario_options with = o->scenario;
  struct ut_watchdog watchdog = {0};
  struct ut_coverage_run run = {.scenario = (char *)(uintptr_t)path};
  with.path = path;
  struct network n = {.scenario = ut_scenario_open(&with, e)};
  if (!n.scenario)
    return -1;
  int status = start(&n, o, e);
  if (!status) {
    const struct ut_cosim_outcome r = ut_cosim_run(&n.lockstep, &n.elaborator, UINT64_MAX, &watchdog, NULL);
    status = conclude(&n, &r, &run, &found->deadlock, e);
    if (!status && o->device.covered)
      status = ut_line_counts_add(&found->lines, n.lockstep.dut, e);
  }
  ut_watchdog_free(&watchdog);
  end(&n);
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
static int check_files(const struct coverage_options *o, struct ut_error *e) {
  struct ut_coverage_runs runs = {0};
  const int status = o->file ? ut_coverage_load(&runs, o->file, e) : 0;
  const bool empty = !runs.count && !o->paths;
  ut_coverage_free(&runs);
  if (status)
    return -1;
  if (empty)
    return ut_fail(e, UT_BAD_INPUT, "%s: nothing is counted there yet: name scenarios to run", o->file);
  return (o->file && ut_output_check(o->file, UT_OUTPUT_REGULAR, e)) ||
                 (o->html && ut_output_check(o->html, UT_OUTPUT_ANY, e))
             ? -1
             : 0;
}

static int run_all(const struct coverage_options *o, struct found *found, struct ut_error *e) {
  for (size_t i = 0; i < o->paths; i++)
    if (run_scenario(o, o->path[i], found, e))
      return -1;
  return o->file ? add_to_file(&found->runs, o->file, e) : 0;
}

static int write_page(const struct ut_coverage_view *v, const char *path, int argc, char **argv, struct ut_error *e) {
  char *command = ut_command_text("coverage", argc, argv, e);
  const int status = command ? ut_coverage_write_page(v, path, command, e) : -1;
  free(command);
  return status;
}

int ut_cmd_coverage(int argc, char **argv) {
  struct coverage_options o = {.path = calloc((size_t)argc, sizeof *o.path)};
  struct found found = {.deadlock = false};
  struct ut_error e;
  int status;
  if (!o.path)
    return ut_print_no_memory();
  if (!ut_parse(&ut_argp_coverage, argc, argv, &o, &status)) {
    ut_catch_interrupt();
    const struct ut_coverage_view view = {.runs = &found.runs,
                                          .lines = o.device.covered ? &found.lines : NULL,
                                          .rtl_dir = o.device.rtl_dir,
                                          .root_dir = ut_root_dir(),
                                          .missing = o.missing,
                                          .verbose = o.verbose};
    if (check_files(&o, &e) || run_all(&o, &found, &e)) {
      status = ut_print_error(&e);
    } else {
      (o.scenario.json ? ut_coverage_print_json : ut_coverage_print_text)(&view);
      status = found.deadlock ? UT_DEADLOCK : UT_OK;
    }
    if ((status == UT_OK || status == UT_DEADLOCK) && o.html && write_page(&view, o.html, argc, argv, &e))
      status = ut_print_error(&e);
  }
  ut_coverage_free(&found.runs);
  ut_line_counts_free(&found.lines);
  free(o.path);
  return status;
}
