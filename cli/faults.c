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

static bool is_looked_at(const struct part *p, unsigned elaboration) {
  return p->one == UINT32_MAX || ut_topology_elaboration(p->topology, p->one) == elaboration;
}

/* A clock of switches that are stepped together: only those that are looked at. */
static void see(void *ctx, uint32_t first, unsigned words, const uint64_t *inputs, const uint64_t *flip_flops,
                const uint64_t *lanes) {
  const struct work *w = ctx;
  const uint32_t one = w->now->one;
  const unsigned elaboration = ut_topology_elaboration(w->now->topology, first);
  uint64_t some[UT_MOST_TOGETHER / 64] = {0};
  if (!is_looked_at(w->now, elaboration) || (one != UINT32_MAX && one - first >= 64 * words))
    return;
  for (unsigned i = 0; i < words; i++)
    some[i] = one == UINT32_MAX ? lanes[i] : (one - first) / 64 == i ? lanes[i] & UINT64_C(1) << (one - first) % 64 : 0;
  ut_stuck_run_add(w->netlist[w->now->netlist[elaboration]].run, words, inputs, flip_flops, some);
}

/* ---- begin ---- */

static int prepare_one(struct work *w, unsigned i, struct ut_error *e) {
  struct ut_scenario_options o = w->options->scenario;
  struct part *p = &w->part[i];
  struct ut_traffic traffic;
  o.path = w->options->paths.name[i];
  p->one = UINT32_MAX;
  p->scenario = ut_scenario_open(&o, e);
  if (!p->scenario || ut_traffic_init(&traffic, p->scenario, ut_scenario_terminals(p->scenario), e))
    return -1;
  ut_traffic_free(&traffic);
  p->topology = ut_scenario_topology(p->scenario);
  if (w->options->one && !ut_parse_switch(w->options->one, p->topology, &p->one))
    return ut_fail(e, UT_BAD_INPUT, "%s: --switch: there is no switch '%s' (LEVEL.INDEX)", p->scenario->path,
                   w->options->one);
  return 0;
}

static int prepare(struct work *w, struct ut_error *e) {
  const char *list = w->options->list;
  for (unsigned i = 0; i < w->options->paths.count; i++)
    if (prepare_one(w, i, e))
      return -1;
  return list ? ut_output_check(list, UT_OUTPUT_ANY, e) : 0;
}

/* The number of the netlist of a shape, which is read if it is a new one. */
static int find_netlist(struct work *w, const struct ut_shape *shape, struct ut_error *e) {
  const struct faults_options *o = w->options;
  const struct ut_synthesis_request request = {.shape = shape,
                                               .root_dir = ut_root_dir(),
                                               .rtl_dir = o->device.rtl_dir,
                                               .liberty = o->device.liberty,
                                               .interrupted = &ut_interrupted};
  char *path = ut_block_netlist_get(&request, ut_build_progress(), NULL, e);
  if (!path)
    return -1;
  for (unsigned i = 0; i < w->netlists; i++)
    if (!strcmp(w->netlist[i].path, path)) {
      free(path);
      return (int)i;
    }
  struct netlist *n = &w->netlist[w->netlists++];
  n->path = path;
  n->shape = *shape;
  if (ut_circuit_open(&n->circuit, &n->library, path, true, e) ||
      ut_stuck_faults_make(&n->faults, &n->circuit, &n->library, e))
    return -1;
  if (o->sample && o->sample < n->faults.faults)
    ut_stuck_faults_sample(&n->faults, o->sample, w->part->scenario->run.seed);
  return (int)(w->netlists - 1);
}

static int find_netlists(struct work *w, struct part *p, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  const int count = ut_scenario_elaborations(p->scenario, elaboration, shape, e);
  for (int i = 0; i < count; i++) {
    p->netlist[i] = is_looked_at(p, (unsigned)i) ? find_netlist(w, &shape[i], e) : -1;
    if (p->netlist[i] < 0 && is_looked_at(p, (unsigned)i))
      return -1;
  }
  return count < 0 ? -1 : 0;
}

/* What the inputs of each netlist keep to, in the networks of all scenarios. */
static int find_rules(struct work *w, struct netlist *n, int number, struct ut_error *e) {
  size_t count = 0;
  for (unsigned i = 0; i < w->options->paths.count; i++)
    count += w->part[i].topology->switches;
  uint32_t terminals = 1;
  uint64_t *straps = malloc((count + 1) * sizeof *straps);
  count = 0;
  struct ut_stuck_network network[UT_STUCK_SCENARIOS];
  for (unsigned i = 0; i < w->options->paths.count && straps; i++) {
    const struct ut_topology *t = w->part[i].topology;
    network[i] = (struct ut_stuck_network){w->part[i].scenario, t, 0};
    for (unsigned k = 0; k < t->elaborations; k++)
      network[i].elaborations |= (uint32_t)(w->part[i].netlist[k] == number) << k;
    for (uint32_t sw = 0; sw < t->switches; sw++)
      if (w->part[i].netlist[ut_topology_elaboration(t, sw)] == number)
        straps[count++] = t->straps[sw];
    terminals = t->terminals > terminals ? t->terminals : terminals;
  }
  const bool room = straps && ut_stuck_rules_of_switch(&n->rules, &n->circuit, &n->shape, straps, count, terminals) &&
                    ut_stuck_headers_add(&n->rules, &n->circuit, &n->shape, network, (unsigned)w->options->paths.count);
  free(straps);
  n->reach = room ? ut_stuck_reach_open(&n->faults, &n->rules, e) : NULL;
  return n->reach ? 0 : room ? -1 : ut_fail_memory(e);
}

static int find_all_netlists(struct work *w, struct ut_error *e) {
  for (unsigned i = 0; i < w->options->paths.count; i++)
    if (find_netlists(w, &w->part[i], e))
      return -1;
  for (unsigned i = 0; i < w->netlists && w->options->prove; i++)
    if (find_rules(w, &w->netlist[i], (int)i, e))
      return -1;
  return 0;
}

/* ---- the runs ---- */

static int run(struct work *w, struct ut_models *models, struct ut_stuck_scenario *result, struct ut_error *e) {
  struct ut_lockstep l;
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog = {0};
  const struct ut_scenario *s = w->now->scenario;
  models->watcher = see;
  models->watcher_ctx = w;
  if (ut_elaborator_start(&elaborator, s, UT_ELABORATE_NEVER, NULL, &ut_interrupted, e))
    return -1;
  int status = ut_lockstep_init(&l, s, models, e);
  if (!status) {
    l.gates = true;
    const struct ut_cosim_outcome r = ut_cosim_run(&l, &elaborator, UINT64_MAX, &watchdog, NULL);
    status = ut_cosim_check(&l, &r, s->path, e);
    result->scenario = s;
    result->cycles = l.golden.cycle;
    ut_watchdog_free(&watchdog);
    ut_lockstep_fini(&l);
  }
  ut_elaborate_end(&elaborator);
  return status;
}

/* A scenario looks at all faults, whatever others have shown. */
static int begin_netlists(struct work *w, struct ut_error *e) {
  for (unsigned i = 0; i < w->now->topology->elaborations; i++)
    if (w->now->netlist[i] >= 0) {
      struct netlist *n = &w->netlist[w->now->netlist[i]];
      ut_stuck_run_close(n->run);
      n->run = ut_stuck_run_open(&n->faults, e);
      if (!n->run)
        return -1;
      ut_stuck_run_show(n->run, n->reach);
    }
  return 0;
}

static void end_netlists(struct work *w, unsigned scenario, bool again) {
  const struct part *p = w->now;
  for (unsigned i = 0; i < p->topology->elaborations; i++)
    if (p->netlist[i] >= 0) {
      struct netlist *n = &w->netlist[p->netlist[i]];
      struct ut_stuck_stimulus *s = &w->results.of[p->netlist[i]].stimulus[scenario];
      ut_stuck_run_end(n->run);
      if (again)
        continue;
      ut_stuck_faults_note(&n->faults, scenario);
      s->switches = p->one == UINT32_MAX ? p->topology->elaboration[i].count : 1;
      s->patterns = ut_stuck_run_patterns(n->run);
    }
}

/* What proofs assume of inputs, and what they say of states, must be so in all runs. */
static int check(const struct work *w, struct ut_error *e) {
  for (unsigned i = 0; i < w->netlists; i++) {
    const char *broken = w->netlist[i].reach ? ut_stuck_reach_broken(w->netlist[i].reach) : NULL;
    if (broken)
      return ut_fail(e, UT_MISMATCH, "%s: --prove: a switch does not keep to what proofs rest on: %s",
                     w->now->scenario->path, broken);
  }
  return 0;
}

/* A scenario, and what it shows. */
static int run_one(struct work *w, unsigned i, bool again, struct ut_error *e) {
  struct ut_models models = {0};
  struct ut_stuck_results *r = &w->results;
  w->now = &w->part[i];
  ut_progress_within("scenario", i, r->scenarios);
  int status = ut_models_get(w->now->scenario, &w->options->device, &models, e);
  const double start = ut_seconds();
  status = status || begin_netlists(w, e) || run(w, &models, &r->scenario[i], e) ? -1 : 0;
  if (!status) {
    end_netlists(w, i, again);
    status = check(w, e);
  }
  r->run_s += ut_seconds() - start;
  ut_free_models(&models);
  return status;
}

static int find(struct work *w, struct ut_error *e) {
  struct ut_stuck_results *r = &w->results;
  r->of = calloc(MOST_NETLISTS, sizeof *r->of);
  int status = r->of ? find_all_netlists(w, e) : ut_fail_memory(e);
  r->scenarios = (unsigned)w->options->paths.count;
  for (unsigned i = 0; i < r->scenarios && !status; i++)
    status = run_one(w, i, false, e);
  for (unsigned i = 0; i < w->netlists && !status; i++)
    ut_stuck_faults_conclude(&w->netlist[i].faults);
  return status;
}

static int choose(struct work *w, struct ut_error *e) {
  struct ut_stuck_cover cover = {0};
  bool room = true;
  for (unsigned i = 0; i < w->netlists && room; i++)
    room = ut_stuck_cover_add_faults(&cover, &w->netlist[i].faults);
  if (room)
    w->results.smallest = ut_stuck_cover_solve(&cover, STEPS);
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
static int prove_netlist(const struct work *w, struct netlist *n, struct ut_error *e) {
  const unsigned conflicts = w->options->conflicts ? w->options->conflicts : UT_STUCK_CONFLICTS;
  struct ut_progress progress;
  const struct ut_stuck_caller caller = {&ut_interrupted, show, &progress};
  ut_progress_start(&progress);
  int status = ut_stuck_prove(&n->faults, n->run, &caller, e);
  ut_progress_end(&progress);
  ut_progress_start(&progress); /* another kind of work: what is left is another matter */
  status = status || ut_stuck_reach_prove(n->reach, &n->faults, conflicts, &caller, e) ? -1 : 0;
  ut_progress_end(&progress);
  return status;
}

static int prove(struct work *w, struct ut_error *e) {
  const double start = ut_seconds();
  int status = 0;
  for (unsigned i = 0; i < w->netlists && !status && w->options->prove; i++)
    status = prove_netlist(w, &w->netlist[i], e);
  for (unsigned i = 0; i < w->options->paths.count && !status && w->options->prove; i++)
    status = run_one(w, i, true, e); /* again: all its states must be such as are not excluded */
  w->results.proven = w->options->prove;
  w->results.prove_s = ut_seconds() - start;
  return status;
}

/* ---- end ---- */

static int conclude(struct work *w, struct ut_error *e) {
  struct ut_stuck_results *r = &w->results;
  r->count = w->netlists;
  r->library = w->netlist->library.library;
  for (unsigned i = 0; i < w->netlists; i++) {
    r->of[i].shape = &w->netlist[i].shape;
    r->of[i].faults = &w->netlist[i].faults;
  }
  ut_stuck_print(r, w->options->scenario.json);
  return w->options->list ? ut_stuck_list(r, w->options->list, e) : 0;
}

static void end(struct work *w) {
  for (unsigned i = 0; i < w->netlists; i++) {
    struct netlist *n = &w->netlist[i];
    ut_stuck_run_close(n->run);
    ut_stuck_reach_close(n->reach);
    ut_stuck_rules_free(&n->rules);
    ut_stuck_faults_free(&n->faults);
    ut_circuit_free(&n->circuit);
    ut_liberty_free(&n->library);
    free(n->path);
  }
  for (unsigned i = 0; i < w->options->paths.count; i++)
    ut_scenario_free(w->part[i].scenario);
  free(w->results.of);
  free(w);
}

int ut_cmd_faults(int argc, char **argv) {
  struct faults_options o = {.device = {.gate = true, .lanes = true, .blocks = true}};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_faults, argc, argv, &o, &status))
    return status;
  struct work *w = calloc(1, sizeof *w);
  if (!w)
    return ut_print_no_memory();
  w->options = &o;
  ut_catch_interrupt();
  status =
      prepare(w, &e) || find(w, &e) || choose(w, &e) || prove(w, &e) || conclude(w, &e) ? ut_print_error(&e) : UT_OK;
  end(w);
  return status;
}
