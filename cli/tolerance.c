/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.c - `uturn tolerance`: probability of staying connected against the number of link faults; the common
 * part.  With --mechanisms: mechanism_options.h, with --links: link_options.h. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "json_text.h"
#include "link_classes.h"
#include "link_options.h"
#include "mechanism_options.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "steady.h"
#include "tolerance.h"
#include "topology.h"
#include "topology_build.h"
#include "ways.h"

enum {
  KEY_FAULTS = 0x300,
  KEY_EXHAUSTIVE,
  KEY_SAMPLES,
  KEY_SEED,
  KEY_JSON,
  KEY_WORKERS,
  KEY_LINKS,
  KEY_DIRECTED,
  KEY_SWITCH_FAULTS,
  KEY_SWITCH_LEVELS,
  KEY_MECHANISMS,
  KEY_MODEL,
  KEY_ORDER
};
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

static const struct argp_option options[] = {
    {"faults", KEY_FAULTS, "N|A..B", 0,
     "link faults at a time; default 0..10, with --mechanisms 1..5, with --switch-faults 0", 0},
    {"exhaustive", KEY_EXHAUSTIVE, 0, 0, "all fault sets, however many there are (where there is a limit)", 0},
    {"samples", KEY_SAMPLES, "N", 0,
     "so many random fault sets for each number of faults; of levels where there are more, default: 20000 "
     "where there are more than 500000",
     0},
    {"links", KEY_LINKS, UT_LINK_WORDS, 0,
     "only these fail: network (between switches), injection, ejection, terminal (both) or all; counts pairs without a "
     "fault-free way, for algorithms without detours.  Random fault sets: 1000000 where there are more than that",
     0},
    {"directed", KEY_DIRECTED, 0, 0, "with --links: single directions fail, not cables", 0},
    {"switch-faults", KEY_SWITCH_FAULTS, "N|A..B", 0,
     "with --links: faulty switches, beside the links; a faulty switch is all links of it, so that terminals which "
     "have no "
     "other are cut off",
     0},
    {"switch-levels", KEY_SWITCH_LEVELS, "N|A..B", 0, "with --switch-faults: only switches of these levels fail", 0},
    {"mechanisms", KEY_MECHANISMS, "I|D|M|I+D|I+M|D+M|I+D+M|I2|I3|I2+D", 0,
     "of a grid: intermediate nodes (I), deterministic sub-paths (D), misrouting (M)", 0},
    {"model", KEY_MODEL, "exhaustive|region|sampled", 0,
     "with --mechanisms: all sets (default), those of links of the nodes one hop from a node (random ones of them with "
     "--samples), or random ones",
     0},
    {"order", KEY_ORDER, "dimension|direction", 0,
     "with --mechanisms: the order of deterministic paths; default dimension, with M always direction", 0},
    {"seed", KEY_SEED, "N", 0, "of the random fault sets, instead of run.seed of the scenario", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else", 0},
    {"workers", KEY_WORKERS, "N", 0, "processes; default: one for each core; changes no result", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct tolerance_options *o = state->input;
  switch (key) {
  case KEY_FAULTS: ut_parse_range(arg, "--faults", o->faults, state), o->faults_given = true; break;
  case KEY_EXHAUSTIVE: o->exhaustive = true; break;
  case KEY_SAMPLES: o->samples = ut_parse_count(arg, "--samples", state); break;
  case KEY_SEED: o->seed = ut_parse_number(arg, "--seed", state), o->seed_given = true; break;
  case KEY_JSON: o->json = true; break;
  case KEY_WORKERS: o->workers = ut_parse_small_count(arg, "--workers", state); break;
  case KEY_LINKS:
    if (!ut_link_classes(arg, &(unsigned){0}))
      argp_error(state, "--links %s: choose network, injection, ejection, terminal or all", arg);
    o->links = arg;
    break;
  case KEY_DIRECTED: o->directed = true; break;
  case KEY_SWITCH_FAULTS: ut_parse_range(arg, "--switch-faults", o->switches, state), o->switches_given = true; break;
  case KEY_SWITCH_LEVELS: ut_parse_range(arg, "--switch-levels", o->levels, state), o->levels_given = true; break;
  case KEY_MECHANISMS: o->mechanisms = arg; break;
  case KEY_MODEL: o->model = arg; break;
  case KEY_ORDER: o->order = arg; break;
  case ARGP_KEY_ARG:
    if (o->path)
      argp_error(state, "one scenario at a time: '%s' is too many", arg);
    o->path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->path)
      argp_error(state, "which scenario?  For example scenarios/demo.yaml");
    if (o->exhaustive && o->samples)
      argp_error(state, "--exhaustive or --samples, not both");
    if (o->exhaustive && o->mechanisms)
      argp_error(state, "with --mechanisms it is --model exhaustive, not --exhaustive");
    if (o->links && o->mechanisms)
      argp_error(state, "--links or --mechanisms, not both");
    if (o->directed && !o->links)
      argp_error(state, "--directed goes with --links only");
    if (o->switches_given && !o->links)
      argp_error(state, "--switch-faults goes with --links only: which links fail beside the switches?");
    if (o->levels_given && !o->switches_given)
      argp_error(state, "--switch-levels goes with --switch-faults only");
    if (o->switches_given && !o->faults_given)
      o->faults[1] = 0;
    if (!o->mechanisms && (o->model || o->order))
      argp_error(state, "%s goes with --mechanisms only", o->model ? "--model" : "--order");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_argp_tolerance = {
    options,
    parse,
    "SCENARIO",
    "Counts the sets of link faults that disconnect some pair of terminals: with the scenario's algorithm, with tables "
    "computed for the surviving network, and physically.  Of a grid, with --mechanisms: the sets under which "
    "the mechanisms give some pair no route, and which mechanisms the affected paths use.",
    0,
    0,
    0};

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets");
}

/* Every fault set of the block was looked at; false also after an interruption. */
static bool complete(const struct ut_fault_space *space, const struct ut_tolerance *r, unsigned b) {
  return space->block[b].exhaustive && r->sets[b] == space->block[b].count;
}

static void print_text(const struct tolerance_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                       const struct ut_fault_space *space, const struct ut_tolerance *r, double seconds) {
  printf("%s: %u-ary %u-tree, %u switches, %u terminals, %zu links between switches, %s\n", o->path, s->topology.k,
         s->topology.n, (unsigned)t->switches, (unsigned)t->terminals, t->links, s->routing.algorithm);
  printf("probability that every pair of terminals stays connected; below it, where only samples were taken, its 95 %% "
         "confidence interval\n"
         "  local            by the algorithm, each packet with its own bits of the re-route vectors only\n"
         "  shared vectors   by the algorithm, with all bits that other packets can have left behind\n"
         "  reconfiguration  by new tables: some way goes up, then down\n"
         "  physical         by any way at all\n\n");
  printf("faults  fault sets            %-19s %-19s %-19s %-19s\n", "local", "shared vectors", "reconfiguration",
         "physical");
  uint64_t sets = 0;
  for (unsigned b = 0; b < space->blocks; b++) {
    const struct ut_fault_block *block = &space->block[b];
    sets += r->sets[b];
    if (!r->sets[b])
      continue;
    printf("%6u  %10" PRIu64 " %-10s", block->links, r->sets[b],
           complete(space, r, b) ? "(all)"
           : block->exhaustive   ? "(first)"
                                 : "(random)");
    for (unsigned m = 0; m < UT_METHODS; m++)
      printf(" %-19.6f", 1 - (double)r->not_tolerated[b][m] / (double)r->sets[b]);
    printf("\n");
    if (block->exhaustive) /* exact, or, interrupted, no sample of anything */
      continue;
    printf("%29s", "");
    for (unsigned m = 0; m < UT_METHODS; m++) {
      double low, high;
      ut_confidence(r->sets[b] - r->not_tolerated[b][m], r->sets[b], confidence, &low, &high);
      printf(" %.6f..%.6f ", low, high);
    }
    printf("\n");
  }
  printf("\n%" PRIu64 " fault sets in %.2f s\n", sets, seconds);
}

static void print_json(const struct tolerance_options *o, const struct ut_fault_space *space,
                       const struct ut_tolerance *r, double seconds) {
  json_t *points = json_array();
  for (unsigned b = 0; b < space->blocks; b++) {
    if (!r->sets[b]) /* interrupted before */
      continue;
    json_t *failed = json_object(), *interval = json_object();
    for (unsigned m = 0; m < UT_METHODS; m++) {
      double low, high;
      ut_confidence(r->not_tolerated[b][m], r->sets[b], confidence, &low, &high);
      json_object_set_new(failed, ut_method_name[m], json_integer((json_int_t)r->not_tolerated[b][m]));
      json_object_set_new(interval, ut_method_name[m], json_pack("[f,f]", low, high));
    }
    json_t *point = json_pack("{s:i,s:I,s:b,s:o}", "faults", (int)space->block[b].links, "fault_sets",
                              (json_int_t)r->sets[b], "exhaustive", complete(space, r, b), "not_tolerated", failed);
    if (space->block[b].exhaustive)
      json_decref(interval);
    else
      json_object_set_new(point, "not_tolerated_probability_95", interval);
    json_array_append_new(points, point);
  }
  json_t *j = json_pack("{s:o,s:o,s:f}", "scenario", ut_json_text(o->path), "points", points, "wall_s", seconds);
  json_dumpf(j, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(j);
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
  if (o->json)
    print_json(o, space, result, seconds);
  else
    print_text(o, s, t, space, result, seconds);
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
  if (ut_parse(&ut_argp_tolerance, argc, argv, &o, &status))
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
