/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c - `uturn faults`: which stuck-at faults of the gates a run would have shown. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "excerpt.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "sheet.h"
#include "steady.h"
#include "stuck_cover.h"
#include "stuck_headers.h"
#include "stuck_output.h"
#include "stuck_prove.h"
#include "synthesis.h"
#include "topology_build.h"

struct faults_options {
  struct ut_scenario_options scenario;
  struct ut_device device;
  uint64_t sample;    /* 0: all */
  unsigned conflicts; /* of the solver, before it gives up a fault; 0: as many as usual */
  const char *one, *list;
  struct ut_names paths;
  bool prove;
};

#define UT_INPUT struct faults_options
static const struct ut_option options[] = {
    UT_SCENARIOS(paths, UT_STUCK_SCENARIOS),
    {"sample", 0, "N", "only so many faults of each netlist, chosen by chance (run.seed)", UT_COUNT(sample)},
    {"switch", 0, "L.I", "only what this switch sees (level.index); default: all switches", UT_TEXT(one)},
    {"prove", 0, NULL,
     "proves of the faults that the run does not show that no state and no inputs of a switch show them, or none that "
     "can occur",
     UT_FLAG(prove)},
    {"conflicts", 0, "N",
     "of --prove: gives up a fault that may be out of reach after so many conflicts of the solver, default 3000",
     UT_COUNT(conflicts), .with = "prove"},
    {"list", 0, "FILE.csv|FILE.json", "writes the faults that the run does not show", UT_FILE(list)},
    UT_LIBERTY(device.liberty),
    UT_RTL(device.rtl_dir),
    UT_GROUP(ut_scenario_syntax, scenario),
    {0},
};

const struct ut_syntax ut_syntax_faults = {
    "SCENARIO...",
    "Says which stuck-at faults of the netlist the traffic of SCENARIO would have shown: every net stuck at 0 and at "
    "1, a difference at an output or in a flip-flop of a switch.  The netlist runs in lockstep with the golden model.  "
    "Of several scenarios: what they show together, what each adds, and the smallest set of them that shows as much.",
    options, NULL};

/* The netlist of an elaboration, of one scenario or of several. */
struct netlist {
  char *path; /* in the cache: the same one for the same switch, cells and RTL */
  struct ut_shape shape;
  struct ut_liberty library;
  struct ut_circuit circuit;
  struct ut_stuck_faults faults;
  struct ut_stuck_run *run; /* of the scenario that is being run */
  struct ut_stuck_rules rules;
  struct ut_stuck_reach *reach; /* NULL: nothing is to be proven */
};
enum { MOST_NETLISTS = UT_STUCK_SCENARIOS * UT_MAX_ELABORATIONS, STEPS = 10000000 /* of the search */ };
struct part {
  struct ut_scenario *scenario;
  const struct ut_topology *topology;
  uint32_t one;                     /* the only switch that is looked at; UINT32_MAX: all */
  int netlist[UT_MAX_ELABORATIONS]; /* -1: not looked at */
};
struct work {
  const struct faults_options *options;
  struct part part[UT_STUCK_SCENARIOS], *now;
  struct netlist netlist[MOST_NETLISTS];
  unsigned netlists;
  struct ut_stuck_results results;
};

static bool is_looked_at(const struct part *part, unsigned elaboration) {
  return part->one == UINT32_MAX || ut_topology_elaboration(part->topology, part->one) == elaboration;
}

/* A clock of switches that are stepped together: only those that are looked at. */
static void see(void *ctx, uint32_t first, unsigned words, const uint64_t *inputs, const uint64_t *flip_flops,
                const uint64_t *lanes) {
  const struct work *work = ctx;
  const uint32_t one = work->now->one;
  const unsigned elaboration = ut_topology_elaboration(work->now->topology, first);
  uint64_t some[UT_MOST_TOGETHER / 64] = {0};
  if (!is_looked_at(work->now, elaboration) || (one != UINT32_MAX && one - first >= 64 * words))
    return;
  for (unsigned i = 0; i < words; i++)
    some[i] = one == UINT32_MAX ? lanes[i] : (one - first) / 64 == i ? lanes[i] & UINT64_C(1) << (one - first) % 64 : 0;
  ut_stuck_run_add(work->netlist[work->now->netlist[elaboration]].run, words, inputs, flip_flops, some);
}

/* ---- begin ---- */

static int prepare_one(struct work *work, unsigned i, struct ut_error *e) {
  struct ut_scenario_options options = work->options->scenario;
  struct part *part = &work->part[i];
  struct ut_traffic traffic;
  options.path = work->options->paths.name[i];
  part->one = UINT32_MAX;
  part->scenario = ut_scenario_open(&options, e);
  if (!part->scenario || ut_traffic_init(&traffic, part->scenario, ut_scenario_terminals(part->scenario), e))
    return -1;
  ut_traffic_free(&traffic);
  part->topology = ut_scenario_topology(part->scenario);
  if (work->options->one && !ut_parse_switch(work->options->one, part->topology, &part->one))
    return ut_fail(e, UT_BAD_INPUT, "%s: --switch: there is no switch '%s' (LEVEL.INDEX)", part->scenario->path,
                   work->options->one);
  return 0;
}

static int prepare(struct work *work, struct ut_error *e) {
  const char *list = work->options->list;
  for (unsigned i = 0; i < work->options->paths.count; i++)
    if (prepare_one(work, i, e))
      return -1;
  return list ? ut_output_check(list, UT_OUTPUT_ANY, e) : 0;
}

/* The number of the netlist of a shape, which is read if it is a new one. */
static int find_netlist(struct work *work, const struct ut_shape *shape, struct ut_error *e) {
  const struct faults_options *options = work->options;
  const struct ut_synthesis_request request = {.shape = shape,
                                               .root_dir = ut_root_dir(),
                                               .rtl_dir = options->device.rtl_dir,
                                               .liberty = options->device.liberty,
                                               .interrupted = &ut_interrupted};
  char *path = ut_block_netlist_get(&request, ut_build_progress(), NULL, e);
  if (!path)
    return -1;
  for (unsigned i = 0; i < work->netlists; i++)
    if (!strcmp(work->netlist[i].path, path)) {
      free(path);
      return (int)i;
    }
  struct netlist *netlist = &work->netlist[work->netlists++];
  netlist->path = path;
  netlist->shape = *shape;
  if (ut_circuit_open(&netlist->circuit, &netlist->library, path, true, e) ||
      ut_stuck_faults_make(&netlist->faults, &netlist->circuit, &netlist->library, e))
    return -1;
  if (options->sample && options->sample < netlist->faults.faults)
    ut_stuck_faults_sample(&netlist->faults, options->sample, work->part->scenario->run.seed);
  return (int)(work->netlists - 1);
}

static int find_netlists(struct work *work, struct part *part, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  const int count = ut_scenario_elaborations(part->scenario, elaboration, shape, e);
  for (int i = 0; i < count; i++) {
    part->netlist[i] = is_looked_at(part, (unsigned)i) ? find_netlist(work, &shape[i], e) : -1;
    if (part->netlist[i] < 0 && is_looked_at(part, (unsigned)i))
      return -1;
  }
  return count < 0 ? -1 : 0;
}

/* What the inputs of each netlist keep to, in the networks of all scenarios. */
static int find_rules(struct work *work, struct netlist *netlist, int number, struct ut_error *e) {
  size_t count = 0;
  for (unsigned i = 0; i < work->options->paths.count; i++)
    count += work->part[i].topology->switches;
  uint32_t terminals = 1;
  uint64_t *straps = malloc((count + 1) * sizeof *straps);
  count = 0;
  struct ut_stuck_network network[UT_STUCK_SCENARIOS];
  for (unsigned i = 0; i < work->options->paths.count && straps; i++) {
    const struct ut_topology *topo = work->part[i].topology;
    network[i] = (struct ut_stuck_network){work->part[i].scenario, topo, 0};
    for (unsigned k = 0; k < topo->elaborations; k++)
      network[i].elaborations |= (uint32_t)(work->part[i].netlist[k] == number) << k;
    for (uint32_t sw = 0; sw < topo->switches; sw++)
      if (work->part[i].netlist[ut_topology_elaboration(topo, sw)] == number)
        straps[count++] = topo->straps[sw];
    terminals = topo->terminals > terminals ? topo->terminals : terminals;
  }
  const bool room =
      straps &&
      ut_stuck_rules_of_switch(&netlist->rules, &netlist->circuit, &netlist->shape, straps, count, terminals) &&
      ut_stuck_headers_add(&netlist->rules, &netlist->circuit, &netlist->shape, network,
                           (unsigned)work->options->paths.count);
  free(straps);
  netlist->reach = room ? ut_stuck_reach_open(&netlist->faults, &netlist->rules, e) : NULL;
  return netlist->reach ? 0 : room ? -1 : ut_fail_memory(e);
}

static int find_all_netlists(struct work *work, struct ut_error *e) {
  for (unsigned i = 0; i < work->options->paths.count; i++)
    if (find_netlists(work, &work->part[i], e))
      return -1;
  for (unsigned i = 0; i < work->netlists && work->options->prove; i++)
    if (find_rules(work, &work->netlist[i], (int)i, e))
      return -1;
  return 0;
}

/* ---- the runs ---- */

static int run(struct work *work, struct ut_models *models, struct ut_stuck_scenario *result, struct ut_error *e) {
  struct ut_lockstep lockstep;
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog = {0};
  const struct ut_scenario *scenario = work->now->scenario;
  models->watcher = see;
  models->watcher_ctx = work;
  if (ut_elaborator_start(&elaborator, scenario, UT_ELABORATE_NEVER, NULL, &ut_interrupted, e))
    return -1;
  int status = ut_lockstep_init(&lockstep, scenario, models, e);
  if (!status) {
    lockstep.gates = true;
    const struct ut_cosim_outcome outcome = ut_cosim_run(&lockstep, &elaborator, UINT64_MAX, &watchdog, NULL);
    status = ut_cosim_check(&lockstep, &outcome, scenario->path, e);
    result->scenario = scenario;
    result->cycles = lockstep.golden.cycle;
    ut_watchdog_free(&watchdog);
    ut_lockstep_fini(&lockstep);
  }
  ut_elaborate_end(&elaborator);
  return status;
}

/* A scenario looks at all faults, whatever others have shown. */
static int begin_netlists(struct work *work, struct ut_error *e) {
  for (unsigned i = 0; i < work->now->topology->elaborations; i++)
    if (work->now->netlist[i] >= 0) {
      struct netlist *netlist = &work->netlist[work->now->netlist[i]];
      ut_stuck_run_close(netlist->run);
      netlist->run = ut_stuck_run_open(&netlist->faults, e);
      if (!netlist->run)
        return -1;
      ut_stuck_run_show(netlist->run, netlist->reach);
    }
  return 0;
}

static void end_netlists(struct work *work, unsigned scenario, bool again) {
  const struct part *part = work->now;
  for (unsigned i = 0; i < part->topology->elaborations; i++)
    if (part->netlist[i] >= 0) {
      struct netlist *netlist = &work->netlist[part->netlist[i]];
      struct ut_stuck_stimulus *stimulus = &work->results.of[part->netlist[i]].stimulus[scenario];
      ut_stuck_run_end(netlist->run);
      if (again)
        continue;
      ut_stuck_faults_note(&netlist->faults, scenario);
      stimulus->switches = part->one == UINT32_MAX ? part->topology->elaboration[i].count : 1;
      stimulus->patterns = ut_stuck_run_patterns(netlist->run);
    }
}

/* What proofs assume of inputs, and what they say of states, must be so in all runs. */
static int check(const struct work *work, struct ut_error *e) {
  for (unsigned i = 0; i < work->netlists; i++) {
    const char *broken = work->netlist[i].reach ? ut_stuck_reach_broken(work->netlist[i].reach) : NULL;
    if (broken)
      return ut_fail(e, UT_MISMATCH, "%s: --prove: a switch does not keep to what proofs rest on: %s",
                     work->now->scenario->path, broken);
  }
  return 0;
}

/* A scenario, and what it shows. */
static int run_one(struct work *work, unsigned i, bool again, struct ut_error *e) {
  struct ut_models models = {0};
  struct ut_stuck_results *results = &work->results;
  work->now = &work->part[i];
  ut_progress_within("scenario", i, results->scenarios);
  int status = ut_models_get(work->now->scenario, &work->options->device, &models, e);
  const double start = ut_seconds();
  status = status || begin_netlists(work, e) || run(work, &models, &results->scenario[i], e) ? -1 : 0;
  if (!status) {
    end_netlists(work, i, again);
    status = check(work, e);
  }
  results->run_s += ut_seconds() - start;
  ut_free_models(&models);
  return status;
}

static int find(struct work *work, struct ut_error *e) {
  struct ut_stuck_results *results = &work->results;
  results->of = calloc(MOST_NETLISTS, sizeof *results->of);
  int status = results->of ? find_all_netlists(work, e) : ut_fail_memory(e);
  results->scenarios = (unsigned)work->options->paths.count;
  for (unsigned i = 0; i < results->scenarios && !status; i++)
    status = run_one(work, i, false, e);
  for (unsigned i = 0; i < work->netlists && !status; i++)
    ut_stuck_faults_conclude(&work->netlist[i].faults);
  return status;
}

static int choose(struct work *work, struct ut_error *e) {
  struct ut_stuck_cover cover = {0};
  bool room = true;
  for (unsigned i = 0; i < work->netlists && room; i++)
    room = ut_stuck_cover_add_faults(&cover, &work->netlist[i].faults);
  if (room)
    work->results.smallest = ut_stuck_cover_solve(&cover, STEPS);
  ut_stuck_cover_free(&cover);
  return room ? 0 : ut_fail_memory(e);
}

static void show(void *ctx, const char *what, uint64_t done, uint64_t of) {
  if (of)
    ut_progress_items(ctx, done, of, what);
  else
    ut_progress_line(ctx, "%" PRIu64 " %s so far", done, what);
}

/* What becomes of the faults of a netlist that no run has shown. */
static int prove_netlist(const struct work *work, struct netlist *netlist, struct ut_error *e) {
  const unsigned conflicts = work->options->conflicts ? work->options->conflicts : UT_STUCK_CONFLICTS;
  struct ut_progress progress;
  const struct ut_stuck_caller caller = {&ut_interrupted, show, &progress};
  ut_progress_start(&progress);
  int status = ut_stuck_prove(&netlist->faults, netlist->run, &caller, e);
  ut_progress_end(&progress);
  ut_progress_start(&progress); /* another kind of work: what is left is another matter */
  status = status || ut_stuck_reach_prove(netlist->reach, &netlist->faults, conflicts, &caller, e) ? -1 : 0;
  ut_progress_end(&progress);
  return status;
}

static int prove(struct work *work, struct ut_error *e) {
  const double start = ut_seconds();
  int status = 0;
  for (unsigned i = 0; i < work->netlists && !status && work->options->prove; i++)
    status = prove_netlist(work, &work->netlist[i], e);
  for (unsigned i = 0; i < work->options->paths.count && !status && work->options->prove; i++)
    status = run_one(work, i, true, e); /* again: all its states must be such as are not excluded */
  work->results.proven = work->options->prove;
  work->results.prove_s = ut_seconds() - start;
  return status;
}

/* ---- end ---- */

static int conclude(struct work *work, struct ut_error *e) {
  struct ut_stuck_results *results = &work->results;
  results->count = work->netlists;
  results->library = work->netlist->library.library;
  for (unsigned i = 0; i < work->netlists; i++) {
    results->of[i].shape = &work->netlist[i].shape;
    results->of[i].faults = &work->netlist[i].faults;
  }
  ut_stuck_print(results, work->options->scenario.json);
  return work->options->list ? ut_stuck_list(results, work->options->list, e) : 0;
}

static void end(struct work *work) {
  for (unsigned i = 0; i < work->netlists; i++) {
    struct netlist *netlist = &work->netlist[i];
    ut_stuck_run_close(netlist->run);
    ut_stuck_reach_close(netlist->reach);
    ut_stuck_rules_free(&netlist->rules);
    ut_stuck_faults_free(&netlist->faults);
    ut_circuit_free(&netlist->circuit);
    ut_liberty_free(&netlist->library);
    free(netlist->path);
  }
  for (unsigned i = 0; i < work->options->paths.count; i++)
    ut_scenario_free(work->part[i].scenario);
  free(work->results.of);
  free(work);
}

int ut_cmd_faults(int argc, char **argv) {
  struct faults_options options = {.device = {.gate = true, .lanes = true, .blocks = true}};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_faults, argc, argv, &options, &status))
    return status;
  struct work *work = calloc(1, sizeof *work);
  if (!work)
    return ut_print_no_memory();
  work->options = &options;
  ut_catch_interrupt();
  status = prepare(work, &e) || find(work, &e) || choose(work, &e) || prove(work, &e) || conclude(work, &e)
               ? ut_print_error(&e)
               : UT_OK;
  end(work);
  return status;
}
