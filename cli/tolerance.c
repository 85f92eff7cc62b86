/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.c - `uturn tolerance`: probability of staying connected against the number of link faults; the common
 * part.  With --mechanisms: mechanism_options.h, with --links: link_options.h. */
#include <stdlib.h>

#include "cli.h"
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
  struct tolerance_options *o = input;
  if (o->exhaustive && o->mechanisms)
    return ut_fail(e, UT_BAD_INPUT, "with --mechanisms it is --model exhaustive, not --exhaustive");
  if (o->switches_given && !o->links)
    return ut_fail(e, UT_BAD_INPUT, "--switch-faults is for --links: which links fail beside the switches?");
  if (o->switches_given && !o->faults_given)
    o->faults[1] = 0;
  return 0;
}

const struct ut_syntax ut_syntax_tolerance = {
    "SCENARIO",
    "Counts the sets of link faults that disconnect some pair of terminals: with the scenario's algorithm, with tables "
    "computed for the surviving network, and physically.  Of a grid, with --mechanisms: the sets under which "
    "the mechanisms give some pair no route, and which mechanisms the affected paths use.",
    options, check_sets};

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets");
}

/* Every fault set of the block was looked at; false also after an interruption. */
static bool complete(const struct ut_fault_space *space, const struct ut_tolerance *r, unsigned b) {
  return space->block[b].exhaustive && r->sets[b] == space->block[b].count;
}

static const char layout[] =
    "{scenario}: {_network}, {_switches} switches, {_terminals} terminals, {_links} links between switches, "
    "{_algorithm}\n"
    "probability that every pair of terminals stays connected; where only samples were taken, with its 95 % confidence "
    "interval\n"
    "  local            by the algorithm, each packet with its own bits of the re-route vectors only\n"
    "  shared vectors   by the algorithm, with all bits that other packets can have left behind\n"
    "  reconfiguration  by new tables: some way goes up, then down\n"
    "  physical         by any way at all\n\n"
    "{|points}"
    "faults|fault sets|<|<local|<shared vectors|<reconfiguration|<physical\n"
    "{faults}|{fault_sets}|({_which})|{_connected.local}|{_connected.local_shared_vectors}|{_connected.reconfiguration}"
    "|"
    "{_connected.physical}\n"
    "{/}\n"
    "{_sets} fault sets in {wall_s:.2f} s\n";

/* A number of faults: by how many sets of them a pair is cut off, by each method. */
static json_t *point_json(const struct ut_fault_space *space, const struct ut_tolerance *r, unsigned b) {
  json_t *failed = json_object(), *interval = json_object(), *connected = json_object();
  const bool all = complete(space, r, b), exhaustive = space->block[b].exhaustive;
  const double sets = (double)r->sets[b];
  for (unsigned m = 0; m < UT_METHODS; m++) {
    const uint64_t not_tolerated = r->not_tolerated[b][m];
    const double share = 1 - (double)not_tolerated / sets;
    double low, high;
    ut_confidence(not_tolerated, r->sets[b], confidence, &low, &high);
    UT_ADD(failed, {ut_method_name[m], ut_int(not_tolerated)});
    UT_ADD(interval, {ut_method_name[m], json_pack("[f,f]", low, high)});
    UT_ADD(connected, {ut_method_name[m], exhaustive ? ut_format("%.6f", share)
                                                     : ut_format("%.6f  %.6f..%.6f", share, 1 - high, 1 - low)});
  }
  if (exhaustive) { /* exact, or, interrupted, no sample of anything */
    json_decref(interval);
    interval = NULL;
  }
  return UT_OBJECT({"faults", ut_int(space->block[b].links)}, {"fault_sets", ut_int(r->sets[b])},
                   {"exhaustive", json_boolean(all)}, {"not_tolerated", failed},
                   {"not_tolerated_probability_95", interval}, {"_connected", connected},
                   {"_which", ut_string(all          ? "all"
                                        : exhaustive ? "first"
                                                     : "random")});
}

static void print(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                  const struct ut_fault_space *space, const struct ut_tolerance *r, double seconds) {
  json_t *points = json_array(), *j = ut_scenario_result(s);
  uint64_t sets = 0;
  for (unsigned b = 0; b < space->blocks; b++) {
    sets += r->sets[b];
    if (r->sets[b]) /* else interrupted before */
      json_array_append_new(points, point_json(space, r, b));
  }
  UT_ADD(j, {"_switches", ut_int(t->switches)}, {"_terminals", ut_int(t->terminals)}, {"_links", ut_int(t->links)},
         {"points", points}, {"_sets", ut_int(sets)}, {"wall_s", ut_real(seconds)});
  ut_result_print(j, o->json, 9, layout);
}

static int run(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t,
               struct ut_fault_space *space, struct ut_tolerance *result) {
  struct ut_error e;
  struct ut_progress progress;
  struct ut_fault_request request = {
      .links = {o->faults[0], o->faults[1]},
      .total = {o->faults[0], o->faults[1]},
      .limit = o->exhaustive ? UINT64_MAX
               : o->samples  ? o->samples
                             : DEFAULT_LIMIT,
      .samples = o->samples ? o->samples : DEFAULT_SAMPLES,
      .seed = o->seed_given ? o->seed : s->run.seed,
  };
  struct ut_parallel parallel = {
      .workers = o->workers, .stop = &ut_interrupted, .progress = show_progress, .ctx = &progress};
  if (ut_fault_space_init(space, t, &request, &e))
    return ut_print_error(&e);
  ut_catch_interrupt();
  ut_progress_start(&progress);
  int failed = ut_tolerance_run(s, t, space, &parallel, result, &e);
  ut_progress_end(&progress);
  if (failed)
    return ut_print_error(&e);
  double seconds = ut_seconds() - progress.start;
  print(o, s, t, space, result, seconds);
  return ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

/* The network and the options must be of one kind: grids have mechanisms, trees ways up and down, other networks links
 * only. */
static int check_kind(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                      struct ut_error *e) {
  char name[UT_NETWORK_NAME_SIZE];
  if (o->links || (!ut_levelled(t) ? o->mechanisms != NULL : t->up_ports && !o->mechanisms))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "%s: %s, %s", o->path, ut_scenario_network(s, name),
                 ut_levelled(t) && o->mechanisms ? "but --mechanisms are those of grids; leave the option out"
                 : !ut_levelled(t) ? "of which mechanisms?  --mechanisms I, D, M, I+D, I+M, D+M, I+D+M, I2, I3 or I2+D"
                                   : "of which links?  --links network, injection, ejection, terminal or all");
}

static int run_mechanisms(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_mechanism_options options_ = {.path = o->path,
                                          .mechanisms = o->mechanisms,
                                          .model = o->model,
                                          .order = o->order,
                                          .faults_given = o->faults_given,
                                          .json = o->json,
                                          .faults = {o->faults[0], o->faults[1]},
                                          .workers = o->workers,
                                          .samples = o->samples,
                                          .seed = o->seed_given ? o->seed : s->run.seed};
  return ut_tolerance_of_mechanisms(&options_, s, t);
}

static int run_links(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_link_options links = {.path = o->path,
                                  .links = o->links,
                                  .directed = o->directed,
                                  .switches_fail = o->switches_given,
                                  .levels_given = o->levels_given,
                                  .exhaustive = o->exhaustive,
                                  .json = o->json,
                                  .faults = {o->faults[0], o->faults[1]},
                                  .switches = {o->switches[0], o->switches[1]},
                                  .levels = {o->levels[0], o->levels[1]},
                                  .workers = o->workers,
                                  .samples = o->samples,
                                  .seed = o->seed_given ? o->seed : s->run.seed};
  return ut_tolerance_of_links(&links, s, t);
}

static int run_tree(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_tolerance *result = calloc(1, sizeof *result);
  int status = space && result ? run(o, s, t, space, result) : ut_print_no_memory();
  free(space);
  free(result);
  return status;
}

int ut_cmd_tolerance(int argc, char **argv) {
  struct tolerance_options o = {.faults = {0, 10}};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_tolerance, argc, argv, &o, &status))
    return status;
  struct ut_scenario *s = ut_scenario_load(o.path, &e);
  if (!s)
    return ut_print_error(&e);
  const struct ut_topology *t = ut_scenario_topology(s);
  status = check_kind(&o, s, t, &e) ? ut_print_error(&e)
           : o.links                ? run_links(&o, s, t)
           : o.mechanisms           ? run_mechanisms(&o, s, t)
                                    : run_tree(&o, s, t);
  ut_scenario_free(s);
  return status;
}
