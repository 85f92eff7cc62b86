/* SPDX-License-Identifier: Apache-2.0 */
/* cosim.c - `uturn cosim`: RTL and golden model in lockstep. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_text.h"
#include "cosim.h"
#include "cosim_page.h"
#include "coverage.h"
#include "inject.h"
#include "memory_text.h"
#include "mismatch.h"
#include "program_name.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "shrink_print.h"
#include "steady.h"
#include "wave_dump.h"

enum { SMALL = 64 }; /* switches: of a network of so many a page has the registers of all */

struct cosim_options {
  struct ut_scenario_options scenario;
  struct ut_device device;
  bool spec, cover_points;
  enum ut_elaborate_when elaborate;
  unsigned threads;
  struct ut_excerpt_options wave, page;
  const char *injected_bug;
  bool shrink;
  const char *shrink_to;   /* NULL: not given */
  uint64_t shrink_seconds; /* 0: not given */
  struct ut_inside_options inside;
};

#define UT_INPUT struct cosim_options
static const struct ut_option options[] = {
    UT_ONE_SCENARIO(scenario.path),
    {"dut", 0, "rtl|gate",
     "device under test: the Verilog RTL (default), or the netlist of standard cells that it is synthesized to",
     UT_CHOICE(device.gate)},
    {"golden", 0, "model|spec", "what it is compared with: the fast model (default), or the plain switch of spec/",
     UT_CHOICE(spec)},
    {"engine", 0, "verilator|lanes",
     "what runs it: Verilator (default), or as gates many switches at once, each a bit of vectors",
     UT_CHOICE(device.lanes)},
    {"liberty", 0, "osu018|osu035|FILE", "the cells of --dut gate, default osu018", UT_TEXT(device.liberty)},
    UT_RTL(device.rtl_dir),
    {"inject", 0, "CYCLE:L.I:REGISTER:BIT",
     "a mistake on purpose, which must be found: flip a bit of the RTL in that cycle; CYCLE:L.I:credit: lose a credit; "
     "list: print the registers, without a run",
     UT_TEXT(injected_bug)},
    {"cover-points", 0, NULL, "with --golden spec and --json: the hits of each cover point, too (uturn coverage)",
     UT_FLAG(cover_points)},
    {"shrink", 0, NULL,
     "of a scenario with a mismatch: looks for the smallest one that fails in the same register, and writes it with "
     "its packets to mismatch.yaml and mismatch.trace",
     UT_FLAG(shrink)},
    {"shrink-to", 0, "PREFIX", "with --shrink: writes PREFIX.yaml and PREFIX.trace", UT_TEXT(shrink_to),
     .with = "shrink"},
    {"shrink-seconds", 0, "N", "with --shrink: looks for so long, default 120", UT_COUNT(shrink_seconds),
     .with = "shrink"},
    UT_GROUP(ut_scenario_syntax, scenario),
    UT_GROUP(ut_elaborate_syntax, elaborate),
    UT_GROUP(ut_threads_syntax, threads),
    UT_GROUP(ut_inside_syntax, inside),
    UT_GROUP(ut_wave_syntax, wave),
    UT_GROUP(ut_cosim_page_syntax, page),
    {0},
};

static int check_options(void *input, struct ut_error *e) {
  const struct cosim_options *options = input;
  /* the search makes many runs of other scenarios: what looks into one run has no meaning there */
  if (options->shrink && options->injected_bug)
    return ut_fail(e, UT_BAD_INPUT,
                   "--inject names a switch and a cycle, which a smaller scenario does not have: leave out --shrink");
  if (options->shrink && (options->wave.path || options->page.path || options->inside.histogram ||
                          options->inside.packets || options->inside.timeline))
    return ut_fail(e, UT_BAD_INPUT,
                   "--wave, --report, --histogram, --packets and --timeline look into one run: leave out --shrink");
  if (options->cover_points && (!options->spec || !options->scenario.json))
    return ut_fail(e, UT_BAD_INPUT, "--cover-points needs --golden spec, which counts them, and --json");
  if (options->device.gate && options->wave.path)
    return ut_fail(e, UT_BAD_INPUT, "--wave shows the RTL; the gates behave alike, so leave out --dut gate");
  if (options->device.liberty && !options->device.gate)
    return ut_fail(e, UT_BAD_INPUT, "--liberty is for --dut gate");
  return 0;
}

const struct ut_syntax ut_syntax_cosim = {
    "SCENARIO",
    "Simulates SCENARIO with RTL and model side by side and compares every register of "
    "every switch in every cycle.  The first difference ends the run with exit status 3.",
    options, check_options};

/* The cycle in which somebody looks next, or the run ends. */
static uint64_t next_look(const struct ut_cosim_outcome *outcome, const struct ut_inside *inside, uint64_t last) {
  const uint64_t look = ut_earlier(outcome->stability.next, inside ? ut_inside_next(inside) : UINT64_MAX);
  return ut_earlier(look, last < UINT64_MAX ? last + 1 : UINT64_MAX);
}

struct ut_cosim_outcome ut_cosim_run(struct ut_lockstep *lockstep, struct ut_elaborator *elaborator, uint64_t last,
                                     struct ut_watchdog *watchdog, struct ut_inside *inside) {
  struct ut_cosim_outcome outcome = {.ok = true, .stability.next = UINT64_MAX};
  bool good = true;
  struct ut_progress progress;
  if (lockstep->golden.cycle == 0)
    ut_stability_watch_start(&outcome.stability, &lockstep->golden);
  ut_progress_start(&progress);
  while (outcome.ok && good && !outcome.deadlock && !ut_interrupted && !ut_network_done(&lockstep->golden) &&
         lockstep->golden.cycle <= last && !lockstep->golden.failure && !lockstep->rtl.failure) {
    ut_elaborator_use(elaborator, &lockstep->golden);
    lockstep->rtl.terminals.window_end = lockstep->golden.terminals.window_end; /* both stop sending then */
    ut_lockstep_skip(lockstep, next_look(&outcome, inside, last));
    outcome.ok = ut_lockstep_step(lockstep);
    ut_stability_watch_observe(&outcome.stability, &lockstep->golden);
    ut_exercise_observe(&outcome.exercise, &lockstep->golden);
    good = !inside || ut_inside_observe(inside);
    outcome.deadlock = outcome.ok && ut_watchdog_check(watchdog, &lockstep->golden);
    ut_progress_show(&progress, lockstep->golden.cycle, lockstep->golden.terminals.window_end);
  }
  ut_progress_end(&progress);
  outcome.wall_s = ut_seconds() - progress.start;
  lockstep->golden.failure |= !ut_lockstep_use(lockstep, NULL); /* all latencies in one place */
  return outcome;
}

int ut_cosim_check(const struct ut_lockstep *lockstep, const struct ut_cosim_outcome *outcome, const char *label,
                   struct ut_error *e) {
  if (ut_interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  if (!outcome->ok)
    return ut_fail(e, UT_MISMATCH, "%s: netlist and golden model differ: %s", label,
                   lockstep->report ? lockstep->report : "");
  if (outcome->deadlock)
    return ut_fail(e, UT_DEADLOCK, "%s: deadlock in cycle %" PRIu64, label, lockstep->golden.cycle);
  if (lockstep->golden.failure || lockstep->rtl.failure)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the source queues; lower the load", label);
  return 0;
}

static void put_device(FILE *f, const struct cosim_options *options) {
  if (options->device.liberty)
    fprintf(f, " --liberty %s", options->device.liberty);
  if (options->spec)
    fprintf(f, " --golden spec");
  if (options->device.lanes)
    fprintf(f, " --engine lanes");
  if (options->device.gate)
    fprintf(f, " --dut gate");
}

/* The command that does the same again; to be freed, NULL: out of memory. */
static char *command_again(const struct cosim_options *options, const struct ut_scenario *scenario) {
  char *text;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  fprintf(f, "%s cosim %s --seed %" PRIu64, ut_program_name(), options->scenario.path, scenario->run.seed);
  if (options->scenario.load_set)
    fprintf(f, " --load %g", options->scenario.load);
  if (options->scenario.cycles)
    fprintf(f, " --cycles %" PRIu64, options->scenario.cycles);
  if (options->device.rtl_dir)
    fprintf(f, " --rtl %s", options->device.rtl_dir);
  if (options->injected_bug)
    fprintf(f, " --inject %s", options->injected_bug);
  put_device(f, options);
  if (!options->device.gate)
    fprintf(f, " --wave mismatch.fst --wave-window mismatch");
  ut_memory_close(f, &text);
  return text;
}

/* What can be wrong with the options and files, before anything is built for them. */
static int check(const struct cosim_options *options, const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_traffic traffic;
  if (ut_traffic_init(&traffic, scenario, ut_scenario_terminals(scenario), e))
    return -1;
  ut_traffic_free(&traffic);
  return ut_excerpt_check(&options->wave, scenario, e) || ut_cosim_page_check(&options->page, scenario, e) ? -1 : 0;
}

/* Both networks, with threads. */
static int start(struct ut_lockstep *lockstep, struct ut_threads **threads, const struct ut_scenario *scenario,
                 const struct ut_models *models, const struct cosim_options *options, struct ut_error *e) {
  if (ut_lockstep_init(lockstep, scenario, models, e))
    return -1;
  *threads =
      ut_threads_start(options->threads ? options->threads : ut_network_threads(&lockstep->rtl, ut_threads_cores()));
  if (*threads && ut_lockstep_use(lockstep, *threads) && (!options->spec || ut_lockstep_use_spec(lockstep)) &&
      (!options->cover_points || ut_coverage_start(&lockstep->golden)))
    return 0;
  ut_lockstep_fini(lockstep);
  ut_threads_end(*threads);
  return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for threads%s", scenario->path,
                 options->spec ? " and the spec" : "");
}

static void print_report(const struct ut_lockstep *lockstep, const struct ut_cosim_outcome *outcome,
                         const struct cosim_options *options) {
  struct ut_mismatch mismatch = {0};
  char *again = NULL;
  struct ut_report report = {.network = &lockstep->golden,
                             .lockstep = lockstep,
                             .deadlock = outcome->deadlock,
                             .interrupted = ut_interrupted,
                             .wall_s = outcome->wall_s,
                             .cover_points = options->cover_points,
                             .stability = outcome->stability};
  if (outcome->ok && !outcome->deadlock && !ut_interrupted)
    report.exercise = &outcome->exercise;
  if (!outcome->ok) {
    ut_mismatch_find(&mismatch, lockstep);
    again = command_again(options, lockstep->golden.scenario);
    report.mismatch = &mismatch;
    report.again = again ? again : "";
  }
  ut_report_print(&report, options->scenario.json);
  ut_mismatch_free(&mismatch);
  free(again);
}

/* Prints the results; returns the exit status. */
static int conclude(const struct ut_lockstep *lockstep, const struct ut_cosim_outcome *outcome,
                    const struct ut_watchdog *watchdog, const struct cosim_options *options) {
  const uint64_t corrupt = lockstep->golden.terminals.accounts.corrupt + lockstep->rtl.terminals.accounts.corrupt;
  print_report(lockstep, outcome, options);
  if (!outcome->ok)
    return UT_MISMATCH;
  if (outcome->deadlock) {
    ut_watchdog_print(watchdog, stderr);
    return UT_DEADLOCK;
  }
  if (lockstep->golden.failure || lockstep->rtl.failure) {
    fprintf(stderr, "uturn: not enough memory for the source queues; lower the load or the number of cycles\n");
    return UT_BAD_INPUT;
  }
  if (corrupt) {
    fprintf(stderr, "uturn: %" PRIu64 " packets arrived corrupt\n", corrupt);
    return UT_MISMATCH;
  }
  return ut_interrupted ? UT_INTERRUPTED : ut_network_incomplete(&lockstep->golden) ? UT_INCOMPLETE : UT_OK;
}

/* Whether what was planted has been in the run; else the status after saying why not. */
static int check_planted(const struct ut_lockstep *lockstep, const struct cosim_options *options, int status) {
  if (lockstep->injected_bug.missed) {
    fprintf(stderr, "uturn: --inject '%s': synthesis has made no flip-flop of that bit\n", options->injected_bug);
    return UT_BAD_INPUT;
  }
  if (options->injected_bug && status == UT_OK && lockstep->injected_bug.cycle >= lockstep->golden.cycle) {
    fprintf(stderr, "uturn: --inject '%s': the run has ended in cycle %" PRIu64 ", before it\n", options->injected_bug,
            lockstep->golden.cycle);
    return UT_BAD_INPUT;
  }
  return status;
}

/* The run with all that is wanted of it; returns the exit status. */
static int simulate(struct ut_lockstep *lockstep, struct ut_elaborator *elaborator, const struct ut_scenario *scenario,
                    const struct cosim_options *options, struct ut_cosim_page *page) {
  struct ut_watchdog watchdog = {0};
  struct ut_inside inside = {0};
  struct ut_cosim_outcome outcome = {.ok = true};
  struct ut_error e;
  const bool ready = (!options->injected_bug || !ut_inject_parse(options->injected_bug, lockstep, &e)) &&
                     !ut_inside_start(&inside, &options->inside, &lockstep->golden, &e);
  if (ready)
    outcome = ut_cosim_run(lockstep, elaborator, UINT64_MAX, &watchdog, &inside);
  const bool written = !ut_inside_end(&inside, ready ? &e : NULL) && ready;
  int status = written ? UT_OK : ut_print_error(&e);
  if (written || !outcome.ok)
    status = conclude(lockstep, &outcome, &watchdog, options);
  if (ready)
    status = check_planted(lockstep, options, status);
  if (options->wave.path && ready) {
    const int dumped = ut_wave_dump(&options->wave, &options->device, scenario, lockstep);
    status = dumped != UT_OK ? dumped : status;
  }
  if (options->page.path && ready && !ut_interrupted && ut_cosim_page_choose(page, &options->page, lockstep, &e))
    status = ut_print_error(&e);
  ut_watchdog_free(&watchdog);
  return status;
}

/* --report, when the lockstep has ended: the exit status if it fails, else that of the run.  Frees the page. */
static int write_page(struct ut_cosim_page *page, const struct cosim_options *options,
                      const struct ut_scenario *scenario, int argc, char **argv, int status) {
  struct ut_error e;
  char *typed = page->report ? ut_command_text("cosim", argc, argv, &e) : NULL;
  if (typed) {
    const int written = ut_cosim_page_write(page, options->page.path, &options->device, scenario, typed);
    status = written != UT_OK ? written : status;
  } else if (page->report) {
    status = ut_print_error(&e);
  }
  free(typed);
  ut_cosim_page_free(page);
  return status;
}

/* ---- --shrink */

/* What shows the mismatch of the smaller scenario; to be freed, NULL: out of memory. */
static char *command_shrunk(const struct cosim_options *options, const char *prefix) {
  char *text;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  fprintf(f, "%s cosim %s.yaml", ut_program_name(), prefix);
  if (options->device.rtl_dir)
    fprintf(f, " --rtl %s", options->device.rtl_dir);
  put_device(f, options);
  ut_memory_close(f, &text);
  return text;
}

/* The search, its files and its report; returns the exit status. */
static int shrink(struct cosim_options *options, const struct ut_scenario *scenario) {
  struct ut_shrink_search search = {.scenario = scenario,
                                    .device = &options->device,
                                    .spec = options->spec,
                                    .seconds = options->shrink_seconds,
                                    .prefix = options->shrink_to ? options->shrink_to : "mismatch"};
  struct ut_shrink_result result = {0};
  struct ut_error e;
  char *command = command_shrunk(options, search.prefix);
  search.command = command;
  const int failed = command ? ut_shrink_search(&search, &result, &e) : ut_fail_memory(&e);
  if (!failed)
    ut_shrink_print(&result, &search, options->scenario.json);
  const int status = !result.fails ? UT_OK : result.end == UT_SHRINK_STOPPED ? UT_INTERRUPTED : UT_MISMATCH;
  ut_shrink_free(&result);
  free(command);
  return failed ? ut_print_error(&e) : status;
}

int ut_cmd_cosim(int argc, char **argv) {
  struct cosim_options options = {.wave.option = "--wave", .page = {.option = "--report", .all_up_to = SMALL}};
  struct ut_lockstep lockstep;
  struct ut_error e;
  struct ut_models models = {0};
  struct ut_cosim_page page = {0};
  struct ut_elaborator elaborator;
  struct ut_threads *threads = NULL;
  int status;
  if (ut_parse(&ut_syntax_cosim, argc, argv, &options, &status))
    return status;
  struct ut_scenario *scenario = ut_open_scenario(&options.scenario, &status);
  if (!scenario)
    return status;
  if (check(&options, scenario, &e)) {
    ut_scenario_free(scenario);
    return ut_print_error(&e);
  }
  ut_catch_interrupt();
  if (options.shrink) {
    status = shrink(&options, scenario);
    ut_scenario_free(scenario);
    return status;
  }
  if (ut_elaborator_start(&elaborator, scenario, options.elaborate, ut_build_progress(), &ut_interrupted, &e))
    status = ut_print_error(&e);
  const bool built = status == UT_OK && ut_get_models(scenario, &options.device, &models, &status);
  if (!built || start(&lockstep, &threads, scenario, &models, &options, &e)) {
    ut_elaborate_end(&elaborator);
    ut_free_models(&models);
    ut_scenario_free(scenario);
    return built ? ut_print_error(&e) : status;
  }
  ut_free_models(&models);
  lockstep.gates = options.device.gate;
  if (options.injected_bug && ut_inject_is_list(options.injected_bug))
    ut_inject_list(&lockstep, stdout);
  else
    status = simulate(&lockstep, &elaborator, scenario, &options, &page);
  ut_lockstep_fini(&lockstep);
  ut_threads_end(threads);
  status = write_page(&page, &options, scenario, argc, argv, status);
  ut_elaborate_end(&elaborator);
  ut_scenario_free(scenario);
  return status;
}
