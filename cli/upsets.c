/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.c - `uturn upsets`: what becomes of a running network in which a flip-flop of the gates is flipped. */
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "sheet.h"
#include "steady.h"
#include "synthesis.h"
#include "topology_build.h"
#include "upsets_output.h"

enum { DEFAULT_COUNT = 10000, MOST_COUNT = 10000000 };

struct upsets_options {
  struct ut_scenario_options scenario;
  struct ut_device device;
  uint64_t count;
  unsigned workers;
  const char *list;
  bool once;
};

#define UT_INPUT struct upsets_options
static const struct ut_option options[] = {
    UT_ONE_SCENARIO(scenario.path),
    {"count", 0, "N", "so many injections, default 10000: cycle, switch and flip-flop by chance (run.seed)",
     UT_COUNT(count), .most = MOST_COUNT},
    {"list", 0, "FILE.csv|FILE.json", "writes every injection and what has become of it", UT_FILE(list)},
    {"workers", 0, "N", "processes that share the work, default: one for each core; the results are the same",
     UT_COUNT(workers)},
    UT_LIBERTY(device.liberty),
    UT_RTL(device.rtl_dir),
    {"once", 0, NULL, "no copy takes a second injection in a run: tests the command", UT_FLAG(once), .hidden = true},
    UT_GROUP(ut_scenario_syntax, scenario),
    {0},
};

const struct ut_syntax ut_syntax_upsets = {
    "SCENARIO",
    "Flips a flip-flop of a switch in a cycle of SCENARIO, again and again, each time of another one, and says what "
    "becomes of the network: nothing, packets that are late, corrupted or lost, or a network that is stuck; by class "
    "of registers.",
    options, NULL};

struct netlist {
  struct ut_liberty library;
  struct ut_circuit circuit;
  struct ut_flip_flop *flip_flop;
};
struct work {
  const struct upsets_options *options;
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct netlist netlist[UT_MAX_ELABORATIONS];
  struct ut_models models;
  struct ut_upset *upset;
  uint8_t *outcome;
  struct ut_upset_results results;
};

/* What can be wrong, before anything is built. */
static int prepare(struct work *work, struct ut_error *e) {
  const struct ut_scenario *scenario = work->scenario;
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_traffic traffic;
  if (ut_traffic_init(&traffic, scenario, ut_scenario_terminals(scenario), e))
    return -1;
  ut_traffic_free(&traffic);
  if (ut_scenario_elaborations(scenario, elaboration, shape, e) < 0)
    return -1;
  if (ut_pattern_is_workload(scenario->traffic.pattern))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: traffic.pattern: upsets needs traffic that does not wait for packets, as uniform",
                   scenario->path);
  if (scenario->routing.reconfiguration == UT_RECONFIGURATION_STATIC)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: routing.reconfiguration: copies of a network do not halt for one another; upsets needs dynamic",
                   scenario->path);
  if (shape->destinations || shape->exclusions)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: routing.%s: upsets cannot do what is written through the configuration port; take one without",
                   scenario->path, shape->exclusions ? "exclusion_intervals" : "algorithm");
  if (work->topology->switches > UT_MOST_TOGETHER)
    return ut_fail(e, UT_BAD_INPUT, "%s: topology: upsets takes up to %d switches, these are %u", scenario->path,
                   UT_MOST_TOGETHER, work->topology->switches);
  return work->options->list ? ut_output_check(work->options->list, UT_OUTPUT_ANY, e) : 0;
}

static int open_netlist(struct work *work, unsigned i, const struct ut_shape *shape, struct ut_error *e) {
  struct netlist *netlist = &work->netlist[i];
  const struct ut_synthesis_request request = {.shape = shape,
                                               .root_dir = ut_root_dir(),
                                               .rtl_dir = work->options->device.rtl_dir,
                                               .liberty = work->options->device.liberty,
                                               .interrupted = &ut_interrupted};
  char *path = ut_block_netlist_get(&request, ut_build_progress(), NULL, e);
  int status = path && !ut_circuit_open(&netlist->circuit, &netlist->library, path, false, e) ? 0 : -1;
  free(path);
  if (status)
    return -1;
  netlist->flip_flop = ut_flip_flops_of(&netlist->circuit);
  work->results.flip_flop[i] = netlist->flip_flop;
  work->results.flip_flops[i] = netlist->circuit.states;
  return netlist->flip_flop ? 0 : ut_fail_memory(e);
}

static int build(struct work *work, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  if (ut_models_get(work->scenario, &work->options->device, &work->models, e) ||
      ut_scenario_elaborations(work->scenario, elaboration, shape, e) < 0)
    return -1;
  for (unsigned i = 0; i < work->topology->elaborations; i++)
    if (open_netlist(work, i, &shape[i], e))
      return -1;
  return 0;
}

static void show(void *ctx, uint64_t done, uint64_t of) {
  ut_progress_items(ctx, done, of, "injections");
}

static int run(struct work *work, struct ut_error *e) {
  const size_t count = work->options->count;
  struct ut_progress progress;
  const double start = ut_seconds();
  work->upset = calloc(count, sizeof *work->upset);
  work->outcome = calloc(count, sizeof *work->outcome);
  if (!work->upset || !work->outcome)
    return ut_fail_memory(e);
  ut_upsets_draw(work->upset, count, work->scenario, work->topology, work->results.flip_flops);
  const struct ut_upset_campaign campaign = {.scenario = work->scenario,
                                             .models = &work->models,
                                             .upset = work->upset,
                                             .count = count,
                                             .workers = work->options->workers,
                                             .once = work->options->once,
                                             .interrupted = &ut_interrupted,
                                             .progress = show,
                                             .ctx = &progress};
  ut_progress_start(&progress);
  const int status = ut_upsets_run(&campaign, work->outcome, e);
  ut_progress_end(&progress);
  work->results.run_s = ut_seconds() - start;
  return status;
}

static int conclude(struct work *work, struct ut_error *e) {
  struct ut_upset_results *results = &work->results;
  results->scenario = work->scenario;
  results->topology = work->topology;
  results->library = work->netlist->library.library;
  results->upset = work->upset;
  results->outcome = work->outcome;
  results->count = work->options->count;
  ut_upsets_print(results, work->options->scenario.json);
  return work->options->list ? ut_upsets_list(results, work->options->list, e) : 0;
}

static void end(struct work *work) {
  for (unsigned i = 0; i < UT_MAX_ELABORATIONS; i++) {
    free(work->netlist[i].flip_flop);
    ut_circuit_free(&work->netlist[i].circuit);
    ut_liberty_free(&work->netlist[i].library);
  }
  ut_free_models(&work->models);
  free(work->upset);
  free(work->outcome);
}

int ut_cmd_upsets(int argc, char **argv) {
  struct upsets_options options = {.device = {.gate = true, .lanes = true, .blocks = true, .copies = UT_MOST_TOGETHER},
                                   .count = DEFAULT_COUNT};
  struct work work = {.options = &options};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_upsets, argc, argv, &options, &status))
    return status;
  struct ut_scenario *scenario = ut_open_scenario(&options.scenario, &status);
  if (!scenario)
    return status;
  work.scenario = scenario;
  work.topology = ut_scenario_topology(scenario);
  ut_catch_interrupt();
  status = prepare(&work, &e) || build(&work, &e) || run(&work, &e) || conclude(&work, &e) ? ut_print_error(&e) : UT_OK;
  end(&work);
  ut_scenario_free(scenario);
  return status;
}
