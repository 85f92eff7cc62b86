/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `uturn run`: the golden model alone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "comparison.h"
#include "deadlock.h"
#include "inside.h"
#include "scenario.h"
#include "scenario_read.h"
#include "steady.h"
#include "without_faults.h"

enum { SEEDS = 5 };

struct run_options {
  struct ut_scenario_options scenario;
  enum ut_elaborate_when elaborate;
  unsigned threads;
  struct ut_inside_options inside;
  bool compare, check;
  struct ut_names paths;
  unsigned seeds;
};

#define UT_INPUT struct run_options
static const struct ut_option options[] = {
    UT_SCENARIOS(paths, UT_MAX_COMPARED),
    {"compare", 0, NULL,
     "runs several scenarios with the same seeds, as many runs at once as --threads says (default: a core each), and "
     "prints their results side by side with confidence intervals",
     UT_FLAG(compare)},
    {"seeds", 0, "N", "the seeds of --compare: N from --seed, or from run.seed of the first scenario; default 5",
     UT_COUNT(seeds), .most = UT_MAX_SEEDS},
    {"check", 0, "spec",
     "steps the plain switch of spec/ beside the model and compares all registers in every cycle; the first difference "
     "ends the run with exit status 3",
     UT_ONE_WORD, UT_GIVEN(check)},
    UT_GROUP(ut_scenario_syntax, scenario),
    UT_GROUP(ut_elaborate_syntax, elaborate),
    UT_GROUP(ut_threads_syntax, threads),
    UT_GROUP(ut_inside_syntax, inside),
    {0},
};

static int check(void *input, struct ut_error *e) {
  struct run_options *options = input;
  options->scenario.path = options->paths.name[0];
  if (options->paths.count > 1 && !options->compare)
    return ut_fail(e, UT_BAD_INPUT, "one scenario at a time: '%s' is too many; --compare takes several",
                   options->paths.name[1]);
  if (options->compare && options->paths.count < 2)
    return ut_fail(e, UT_BAD_INPUT, "--compare wants at least two scenarios");
  if (options->compare && (options->inside.histogram || options->inside.packets || options->inside.timeline))
    return ut_fail(e, UT_BAD_INPUT, "--histogram, --packets and --timeline look into one run: leave out --compare");
  if (options->compare && options->check)
    return ut_fail(e, UT_BAD_INPUT, "--check looks into one run: leave out --compare");
  if (options->seeds && !options->compare)
    return ut_fail(e, UT_BAD_INPUT, "--seeds is for --compare; for one run there is --seed");
  return 0;
}

const struct ut_syntax ut_syntax_run = {"SCENARIO [SCENARIO... --compare]", "Simulates SCENARIO with the model alone.",
                                        options, check};

/* The network, what steps its switches, and its threads; the elaborator is to be ended also after -1 and *e. */
static int start(struct ut_network *net, struct ut_elaborator *elaborator, struct ut_threads **threads,
                 const struct ut_scenario *scenario, const struct run_options *options, struct ut_error *e) {
  if (ut_elaborator_start(elaborator, scenario, options->elaborate, ut_build_progress(), &ut_interrupted, e) ||
      ut_network_init(net, scenario, NULL, e))
    return -1;
  if (options->check && ut_network_unmodelled(net)) {
    ut_fail(e, UT_BAD_INPUT, "%s: --check spec: the model does not know this '%s' yet, the spec runs in its place",
            scenario->path, ut_network_unmodelled(net));
    ut_network_fini(net);
    return -1;
  }
  *threads = ut_threads_start(options->threads ? options->threads : ut_network_threads(net, ut_threads_cores()));
  if (*threads && ut_network_use(net, *threads) && (!options->check || ut_network_use_spec(net, UT_SPEC_CHECKS)))
    return 0;
  ut_network_fini(net);
  ut_threads_end(*threads);
  return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for threads%s", scenario->path,
                 options->check ? " and the spec" : "");
}

/* Steps the network until the scenario, or something else, ends it. */
static void simulate(struct ut_report *report, struct ut_network *net, struct ut_elaborator *elaborator,
                     struct ut_watchdog *watchdog, struct ut_inside *inside) {
  struct ut_progress progress;
  bool good = true;
  ut_stability_watch_start(&report->stability, net);
  ut_progress_start(&progress);
  while (!ut_network_done(net) && !ut_interrupted && !net->failure && !report->deadlock && !report->differs && good) {
    ut_elaborator_use(elaborator, net);
    ut_network_skip(net, ut_earlier(report->stability.next, ut_inside_next(inside)));
    ut_network_step(net);
    ut_stability_watch_observe(&report->stability, net);
    good = ut_inside_observe(inside);
    report->deadlock = ut_watchdog_check(watchdog, net);
    report->differs = report->checked && ut_network_spec_differing(net) != UINT32_MAX;
    ut_progress_show(&progress, net->cycle, net->terminals.window_end);
  }
  ut_progress_end(&progress);
  report->wall_s = ut_seconds() - progress.start;
  net->failure |= !ut_network_use(net, NULL); /* all latencies in one place */
  report->interrupted = ut_interrupted;
}

/* The workload of the same scenario where nothing fails, for its slowdown. */
struct other_run {
  const struct run_options *options;
  bool whole;
};

static int run_to_completion(void *ctx, const struct ut_scenario *scenario, uint64_t *completion, struct ut_error *e) {
  struct other_run *run = ctx;
  struct ut_network net;
  struct ut_elaborator elaborator;
  struct ut_threads *threads = NULL;
  struct ut_watchdog watchdog = {0};
  struct ut_inside inside = {0};
  const int status = start(&net, &elaborator, &threads, scenario, run->options, e);
  if (!status) {
    struct ut_report other = {.network = &net, .checked = run->options->check};
    simulate(&other, &net, &elaborator, &watchdog, &inside);
    run->whole = !other.interrupted && !net.failure;
    *completion = net.workload->completion;
    ut_watchdog_free(&watchdog);
    ut_network_fini(&net);
    ut_threads_end(threads);
  }
  ut_elaborate_end(&elaborator);
  return status;
}

static int run_without_faults(struct ut_report *report, const struct run_options *options, struct ut_error *e) {
  struct other_run run = {options, true};
  if (ut_without_faults(report->network, run_to_completion, &run, &report->without_faults, e))
    return -1;
  report->compared = run.whole;
  return 0;
}

/* The registers of the first switch where model and spec differ. */
struct difference {
  const char *name;
  uint64_t cycle;
  unsigned count;
};

static void print_difference(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  struct difference *difference = ctx;
  if (difference->count++ == 0)
    fprintf(stderr, "cycle %" PRIu64 ": switch %s %s: model holds 0x%" PRIx64 ", spec expected 0x%" PRIx64 "\n",
            difference->cycle, difference->name, path, model, spec);
  else
    fprintf(stderr, "    also %-28s model 0x%" PRIx64 "   spec 0x%" PRIx64 "\n", path, model, spec);
}

static void print_differences(const struct ut_network *net) {
  const uint32_t sw = ut_network_spec_differing(net);
  char name[UT_SWITCH_NAME_SIZE];
  struct difference difference = {ut_topology_switch_name(net->topology, sw, name), net->cycle - 1, 0};
  unsigned differ;
  ut_spec_compare(ut_network_group(net, sw), sw, print_difference, &difference, &differ);
  if (!differ)
    fprintf(stderr,
            "cycle %" PRIu64 ": switch %s: model and spec differ in no register, but in wires, discarded or lost "
            "packets, or what they count\n",
            difference.cycle, difference.name);
}

/* Prints the results; returns the exit status. */
static int conclude(const struct ut_report *report, const struct ut_watchdog *watchdog, bool json) {
  const struct ut_network *net = report->network;
  ut_report_print(report, json);
  if (report->deadlock)
    ut_watchdog_print(watchdog, stderr);
  if (net->failure)
    fprintf(stderr, "uturn: not enough memory for the source queues; lower the load or the number of cycles\n");
  if (net->failure)
    return UT_BAD_INPUT;
  if (report->differs)
    print_differences(net);
  return report->differs                   ? UT_MISMATCH
         : report->deadlock                ? UT_DEADLOCK
         : ut_interrupted                  ? UT_INTERRUPTED
         : net->terminals.accounts.corrupt ? UT_INTERNAL
         : ut_network_incomplete(net)      ? UT_INCOMPLETE
                                           : UT_OK;
}

int ut_cmd_run(int argc, char **argv) {
  struct run_options options = {0};
  struct ut_network net;
  struct ut_elaborator elaborator;
  struct ut_threads *threads = NULL;
  struct ut_inside inside = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_run, argc, argv, &options, &status))
    return status;
  if (options.compare)
    return ut_compare(&(struct ut_compare_options){&options.scenario, options.paths.name, (unsigned)options.paths.count,
                                                   options.seeds ? options.seeds : SEEDS, options.elaborate,
                                                   options.threads});
  struct ut_scenario *scenario = ut_open_scenario(&options.scenario, &status);
  if (!scenario)
    return status;
  ut_catch_interrupt();
  if (start(&net, &elaborator, &threads, scenario, &options, &e)) {
    status = ut_print_error(&e);
    ut_elaborate_end(&elaborator);
    ut_scenario_free(scenario);
    return status;
  }
  struct ut_report report = {.network = &net, .checked = options.check};
  struct ut_watchdog watchdog = {0};
  const bool ready = ut_inside_start(&inside, &options.inside, &net, &e) == 0;
  if (ready)
    simulate(&report, &net, &elaborator, &watchdog, &inside);
  const bool compare = ready && net.workload && scenario->fault_count && !report.interrupted && !net.failure;
  const bool whole = ready && (!compare || run_without_faults(&report, &options, &e) == 0);
  const bool written = ut_inside_end(&inside, whole ? &e : NULL) == 0;
  status = whole && written ? conclude(&report, &watchdog, options.scenario.json) : ut_print_error(&e);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&net);
  ut_threads_end(threads);
  ut_elaborate_end(&elaborator);
  ut_scenario_free(scenario);
  return status;
}
