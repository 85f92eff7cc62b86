/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.c - `uturn tolerance`: probability of staying connected against the number of link faults; the common
 * part.  With --mechanisms: mechanism_options.h, with --links: link_options.h. */
#include <stdlib.h>

#include "cli.h"
#include "family.h"
#include "link_classes.h"
#include "link_options.h"
#include "mechanism_options.h"
#include "scenario.h"
#include "scenario_output.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "steady.h"
#include "tolerance.h"
#include "topology.h"
#include "topology_build.h"
#include "ways.h"

enum { DEFAULT_LIMIT = 500000, DEFAULT_SAMPLES = 20000 };
static const double confidence = 0.95;

struct tolerance_options {
  const char *path, *links;
  const char *mechanisms, *model, *order; /* of grids */
  unsigned faults[2], switches[2], levels[2];
  bool faults_given, switches_given, levels_given, directed, exhaustive, json, seed_given;
  uint64_t samples, seed;
  unsigned workers;
};

#define UT_INPUT struct tolerance_options
static const struct ut_option options[] = {
    UT_ONE_SCENARIO(path),
    {"faults", 0, "N|A..B", "link faults at a time; default 0..10, with --mechanisms 1..5, with --switch-faults 0",
     UT_RANGE(faults), UT_GIVEN(faults_given)},
    {"exhaustive", 0, NULL, "all fault sets, however many there are (where there is a limit)", UT_FLAG(exhaustive),
     .without = "samples"},
    {"samples", 0, "N",
     "so many random fault sets for each number of faults; of levels where there are more, default: 20000 "
     "where there are more than 500000",
     UT_COUNT(samples)},
    {"links", 0, UT_LINK_WORDS,
     "only these fail: network (between switches), injection, ejection, terminal (both) or all; counts pairs without a "
     "fault-free way, for algorithms without detours.  Random fault sets: 1000000 where there are more than that",
     UT_WORD(links), .without = "mechanisms"},
    {"directed", 0, NULL, "with --links: single directions fail, not cables", UT_FLAG(directed), .with = "links"},
    {"switch-faults", 0, "N|A..B",
     "with --links: faulty switches, beside the links; a faulty switch is all links of it, so that terminals which "
     "have no other are cut off",
     UT_RANGE(switches), UT_GIVEN(switches_given)},
    {"switch-levels", 0, "N|A..B", "with --switch-faults: only switches of these levels fail", UT_RANGE(levels),
     UT_GIVEN(levels_given), .with = "switch-faults"},
    {"mechanisms", 0, "I|D|M|I+D|I+M|D+M|I+D+M|I2|I3|I2+D",
     "of a grid: intermediate nodes (I), deterministic sub-paths (D), misrouting (M)", UT_TEXT(mechanisms)},
    {"model", 0, "exhaustive|region|sampled",
     "with --mechanisms: all sets (default), those of links of the nodes one hop from a node (random ones of them with "
     "--samples), or random ones",
     UT_TEXT(model), .with = "mechanisms"},
    {"order", 0, "dimension|direction",
     "with --mechanisms: the order of deterministic paths; default dimension, with M always direction", UT_TEXT(order),
     .with = "mechanisms"},
    {"seed", 0, "N", "of the random fault sets, instead of run.seed of the scenario", UT_NUMBER(seed),
     UT_GIVEN(seed_given)},
    UT_JSON(json),
    {"workers", 0, "N", "processes; default: one for each core; changes no result", UT_COUNT(workers)},
    {0},
};

static int check_sets(void *input, struct ut_error *e) {
  struct tolerance_options *options = input;
  if (options->exhaustive && options->mechanisms)
    return ut_fail(e, UT_BAD_INPUT, "with --mechanisms it is --model exhaustive, not --exhaustive");
  if (options->switches_given && !options->links)
    return ut_fail(e, UT_BAD_INPUT, "--switch-faults is for --links: which links fail beside the switches?");
  if (options->switches_given && !options->faults_given)
    options->faults[1] = 0;
  return 0;
}

const struct ut_syntax ut_syntax_tolerance = {
    "SCENARIO",
    "Counts the sets of link faults that disconnect some pair of terminals: with the scenario's algorithm, with tables "
    "computed for the surviving network, and physically.  Of a grid, with --mechanisms: the sets under which "
    "the mechanisms give some pair no route, and which mechanisms the affected paths use.",
    options, check_sets};

/* Every fault set of the block was looked at; false also after an interruption. */
static bool complete(const struct ut_fault_space *space, const struct ut_tolerance *tolerance, unsigned b) {
  return space->block[b].exhaustive && tolerance->sets[b] == space->block[b].count;
}

static const char layout[] =
    "{scenario}: {_network}, {_switches} switches, {_terminals} terminals, {_links} links between switches, "
    "{_algorithm}\n"
    "probability that every pair of terminals stays connected; where only samples were taken, with its 95 % confidence "
    "interval\n"
    "  local            by the algorithm, {_by_itself}\n"
    "  shared vectors   by the algorithm, with all bits that other packets can have left behind\n"
    "  reconfiguration  by new tables: some way {_way}\n"
    "  physical         by any way at all\n\n"
    "{|points}"
    "faults|fault sets|<|<local|<shared vectors|<reconfiguration|<physical\n"
    "{faults}|{fault_sets}|({_which})|{_connected.local}|{_connected.local_shared_vectors}|{_connected.reconfiguration}"
    "|"
    "{_connected.physical}\n"
    "{/}\n"
    "{_sets} fault sets in {wall_s:.2f} s\n";

/* A number of faults: by how many sets of them a pair is cut off, by each method. */
static json_t *point_json(const struct ut_fault_space *space, const struct ut_tolerance *tolerance, unsigned b) {
  json_t *failed = json_object(), *interval = json_object(), *connected = json_object();
  const bool all = complete(space, tolerance, b), exhaustive = space->block[b].exhaustive;
  const double sets = (double)tolerance->sets[b];
  for (unsigned m = 0; m < UT_METHODS; m++) {
    const uint64_t not_tolerated = tolerance->not_tolerated[b][m];
    const double share = 1 - (double)not_tolerated / sets;
    double low, high;
    ut_confidence(not_tolerated, tolerance->sets[b], confidence, &low, &high);
    UT_ADD(failed, {ut_method_name[m], ut_int(not_tolerated)});
    UT_ADD(interval, {ut_method_name[m], json_pack("[f,f]", low, high)});
    UT_ADD(connected, {ut_method_name[m], exhaustive ? ut_format("%.6f", share)
                                                     : ut_format("%.6f  %.6f..%.6f", share, 1 - high, 1 - low)});
  }
  if (exhaustive) { /* exact, or, interrupted, no sample of anything */
    json_decref(interval);
    interval = NULL;
  }
  return UT_OBJECT({"faults", ut_int(space->block[b].links)}, {"fault_sets", ut_int(tolerance->sets[b])},
                   {"exhaustive", json_boolean(all)}, {"not_tolerated", failed},
                   {"not_tolerated_probability_95", interval}, {"_connected", connected},
                   {"_which", ut_string(all          ? "all"
                                        : exhaustive ? "first"
                                                     : "random")});
}

static void print(const struct tolerance_options *options, const struct ut_scenario *scenario,
                  const struct ut_topology *topo, const struct ut_fault_space *space,
                  const struct ut_tolerance *tolerance, double seconds) {
  json_t *points = json_array(), *j = ut_scenario_result(scenario);
  uint64_t sets = 0;
  for (unsigned b = 0; b < space->blocks; b++) {
    sets += tolerance->sets[b];
    if (tolerance->sets[b]) /* else interrupted before */
      json_array_append_new(points, point_json(space, tolerance, b));
  }
  UT_ADD(
      j, {"_switches", ut_int(topo->switches)}, {"_terminals", ut_int(topo->terminals)},
      {"_links", ut_int(topo->links)},
      {"_by_itself", ut_string(topo->family->any_form ? "with the tables of the network without faults"
                                                      : "each packet with its own bits of the re-route vectors only")},
      {"_way", ut_string(topo->family->any_form ? "that the planner allows" : "goes up, then down")},
      {"points", points}, {"_sets", ut_int(sets)}, {"wall_s", ut_real(seconds)});
  ut_result_print(j, options->json, 9, layout);
}

static int run(const struct tolerance_options *options, const struct ut_scenario *scenario,
               const struct ut_topology *topo, struct ut_fault_space *space, struct ut_tolerance *result) {
  struct ut_error e;
  struct ut_progress progress;
  struct ut_fault_request request = {
      .links = {options->faults[0], options->faults[1]},
      .total = {options->faults[0], options->faults[1]},
      .limit = options->exhaustive ? UINT64_MAX
               : options->samples  ? options->samples
                                   : DEFAULT_LIMIT,
      .samples = options->samples ? options->samples : DEFAULT_SAMPLES,
      .seed = options->seed_given ? options->seed : scenario->run.seed,
  };
  struct ut_parallel parallel = {
      .workers = options->workers, .stop = &ut_interrupted, .progress = ut_progress_fault_sets, .ctx = &progress};
  if (ut_fault_space_init(space, topo, &request, &e))
    return ut_print_error(&e);
  ut_catch_interrupt();
  ut_progress_start(&progress);
  int failed = ut_tolerance_run(scenario, topo, space, &parallel, result, &e);
  ut_progress_end(&progress);
  if (failed)
    return ut_print_error(&e);
  double seconds = ut_seconds() - progress.start;
  print(options, scenario, topo, space, result, seconds);
  return ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

/* The network and the options must be of one kind: grids have mechanisms, trees ways up and down, networks of any form
 * a planner, other networks links only. */
static int check_kind(const struct tolerance_options *options, const struct ut_scenario *scenario,
                      const struct ut_topology *topo, struct ut_error *e) {
  char name[UT_NETWORK_NAME_SIZE];
  const bool grid = !ut_levelled(topo) && !topo->family->any_form;
  if (options->links ||
      (grid ? options->mechanisms != NULL : (topo->up_ports || topo->family->any_form) && !options->mechanisms))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "%s: %s, %s", options->path, ut_scenario_network(scenario, name),
                 options->mechanisms ? "but --mechanisms are those of grids; leave the option out"
                 : grid ? "of which mechanisms?  --mechanisms I, D, M, I+D, I+M, D+M, I+D+M, I2, I3 or I2+D"
                        : "of which links?  --links network, injection, ejection, terminal or all");
}

static int run_mechanisms(const struct tolerance_options *options, const struct ut_scenario *scenario,
                          const struct ut_topology *topo) {
  struct ut_mechanism_options options_ = {.path = options->path,
                                          .mechanisms = options->mechanisms,
                                          .model = options->model,
                                          .order = options->order,
                                          .faults_given = options->faults_given,
                                          .json = options->json,
                                          .faults = {options->faults[0], options->faults[1]},
                                          .workers = options->workers,
                                          .samples = options->samples,
                                          .seed = options->seed_given ? options->seed : scenario->run.seed};
  return ut_tolerance_of_mechanisms(&options_, scenario, topo);
}

static int run_links(const struct tolerance_options *options, const struct ut_scenario *scenario,
                     const struct ut_topology *topo) {
  struct ut_link_options links = {.path = options->path,
                                  .links = options->links,
                                  .directed = options->directed,
                                  .switches_fail = options->switches_given,
                                  .levels_given = options->levels_given,
                                  .exhaustive = options->exhaustive,
                                  .json = options->json,
                                  .faults = {options->faults[0], options->faults[1]},
                                  .switches = {options->switches[0], options->switches[1]},
                                  .levels = {options->levels[0], options->levels[1]},
                                  .workers = options->workers,
                                  .samples = options->samples,
                                  .seed = options->seed_given ? options->seed : scenario->run.seed};
  return ut_tolerance_of_links(&links, scenario, topo);
}

static int run_tree(const struct tolerance_options *options, const struct ut_scenario *scenario,
                    const struct ut_topology *topo) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_tolerance *result = calloc(1, sizeof *result);
  int status = space && result ? run(options, scenario, topo, space, result) : ut_print_no_memory();
  free(space);
  free(result);
  return status;
}

int ut_cmd_tolerance(int argc, char **argv) {
  struct tolerance_options options = {.faults = {0, 10}};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_tolerance, argc, argv, &options, &status))
    return status;
  struct ut_scenario *scenario = ut_scenario_load(options.path, &e);
  if (!scenario)
    return ut_print_error(&e);
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  status = check_kind(&options, scenario, topo, &e) ? ut_print_error(&e)
           : options.links                          ? run_links(&options, scenario, topo)
           : options.mechanisms                     ? run_mechanisms(&options, scenario, topo)
                                                    : run_tree(&options, scenario, topo);
  ut_scenario_free(scenario);
  return status;
}
