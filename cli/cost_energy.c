/* SPDX-License-Identifier: Apache-2.0 */
/* cost_energy.c - see cost_energy.h */
#include "cost_energy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "cosim.h"
#include "parallel.h"
#include "plane_bypass.h"
#include "planned_routes.h"
#include "scenario.h"
#include "topology_build.h"

struct work {
  const struct ut_energy_request *request;
  const struct ut_cost_table *t;
};

static struct ut_device device_of(const struct ut_energy_request *request) {
  return (struct ut_device){
      .rtl_dir = request->rtl, .liberty = request->liberty, .gate = true, .blocks = true, .counted = true};
}

/* ---- the run ---- */

/* Warm-up, then the window that is counted. */
static int run(struct ut_lockstep *lockstep, const char *label, uint64_t *hops, struct ut_error *e) {
  const struct ut_scenario *scenario = lockstep->golden.scenario;
  const uint64_t end[2] = {scenario->run.warmup_cycles, ut_network_planned(scenario)};
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog = {0};
  int status = ut_elaborator_start(&elaborator, scenario, UT_ELABORATE_NEVER, NULL, &ut_interrupted, e);
  for (int part = 0; part < 2 && !status; part++) {
    const uint64_t before = lockstep->golden.flit_hops;
    ut_rtl_forget(lockstep->dut);
    if (!end[part])
      continue;
    const struct ut_cosim_outcome outcome = ut_cosim_run(lockstep, &elaborator, end[part] - 1, &watchdog, NULL);
    status = ut_cosim_check(lockstep, &outcome, label, e);
    *hops = lockstep->golden.flit_hops - before;
  }
  ut_watchdog_free(&watchdog);
  ut_elaborate_end(&elaborator);
  return status;
}

/* ---- what it cost ---- */

static void add_check(struct ut_energy_run *run, const struct ut_energy_check *check, uint64_t cycles,
                      uint64_t switches) {
  for (int i = 0; i < 2; i++) {
    run->check.switching[i] += check->switching[i] * (double)cycles;
    run->check.internal[i] += check->internal[i] * (double)cycles;
    run->check.leakage_uw[i] += check->leakage_uw[i] * (double)switches;
  }
  run->checked = true;
}

static int check(const struct ut_energy_model *model, const uint64_t *toggles, uint64_t cycles, uint64_t switches,
                 struct ut_energy_run *run, struct ut_error *e) {
  struct ut_energy_check one;
  struct ut_caller caller = {.progress = ut_build_progress(), .interrupted = &ut_interrupted, .e = e, .what = "energy"};
  if (ut_energy_check(model, toggles, cycles, &one, &caller))
    return -1;
  add_check(run, &one, cycles, switches);
  return 0;
}

/* The switches of one elaboration. */
static int add_class(const struct work *work, const struct ut_lockstep *lockstep, const struct ut_shape *shape,
                     unsigned number, struct ut_energy_run *run, struct ut_error *e) {
  const struct ut_synthesis_request request = {.shape = shape,
                                               .root_dir = ut_root_dir(),
                                               .rtl_dir = work->request->rtl,
                                               .liberty = work->request->liberty,
                                               .interrupted = &ut_interrupted};
  uint64_t *toggles = calloc(ut_rtl_nets(lockstep->dut, number), sizeof *toggles), cycles = 0, switches = 0;
  if (!toggles)
    return ut_fail_memory(e);
  char *netlist = ut_block_netlist_get(&request, NULL, NULL, e);
  struct ut_energy_model *model = netlist ? ut_energy_open(netlist, e) : NULL;
  for (uint32_t i = 0; i < lockstep->golden.topology->switches; i++)
    switches += ut_topology_elaboration(lockstep->golden.topology, i) == number;
  int status = model ? 0 : -1;
  if (model) {
    struct ut_energy of[UT_BLOCKS + 1] = {0};
    ut_rtl_toggles(lockstep->dut, number, toggles, &cycles);
    ut_energy_add(model, toggles, cycles, of);
    for (int b = 0; b <= UT_BLOCKS; b++) {
      struct ut_energy *sum = &run->of[b];
      sum->clock += of[b].clock;
      sum->internal += of[b].internal;
      sum->switching += of[b].switching;
      sum->leakage_uw += of[b].leakage_uw * (double)switches;
      sum->cells += of[b].cells * switches;
      sum->toggles += of[b].toggles;
    }
    run->cycles += cycles;
    run->switches += switches;
    run->voltage = ut_energy_voltage(model);
    snprintf(run->liberty, sizeof run->liberty, "%s", ut_energy_library(model));
    status = work->request->check ? check(model, toggles, cycles, switches, run, e) : 0;
  }
  ut_energy_close(model);
  free(netlist);
  free(toggles);
  return status;
}

static int measure(const struct work *work, const struct ut_cost_row *row, struct ut_energy_run *energy_run,
                   struct ut_error *e) {
  const struct ut_device device = device_of(work->request);
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_models models;
  struct ut_lockstep lockstep;
  const int count = ut_scenario_elaborations(row->scenario, elaboration, shape, e);
  if (count < 0 || ut_models_get(row->scenario, &device, &models, e))
    return -1;
  int status = ut_lockstep_init(&lockstep, row->scenario, &models, e);
  ut_free_models(&models);
  if (status)
    return -1;
  lockstep.gates = true;
  status = run(&lockstep, row->label, &energy_run->flit_hops, e);
  energy_run->load = row->scenario->traffic.load_flits_per_cycle;
  energy_run->accepted = ut_network_throughput(&lockstep.golden);
  energy_run->u_turns = ut_network_u_turns(&lockstep.golden);
  for (int i = 0; i < count && !status; i++)
    status = add_class(work, &lockstep, &shape[i], (unsigned)i, energy_run, e);
  energy_run->done = !status;
  ut_lockstep_fini(&lockstep);
  return status;
}

/* ---- all rows ---- */

static int build_some(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct work *work = ctx;
  const struct ut_device device = device_of(work->request);
  (void)result;
  for (uint64_t i, end; ut_item_source_take(source, &i, &end);) {
    struct ut_models models;
    const int status = ut_models_get(work->t->row[i].scenario, &device, &models, e);
    ut_free_models(&models);
    if (status) {
      atomic_store(&source->stopped, true);
      return -1;
    }
  }
  return 0;
}

/* A worker's results: those of all rows, its own are done. */
static int measure_some(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct work *work = ctx;
  struct ut_energy_run *energy = result;
  for (uint64_t i, end; ut_item_source_take(source, &i, &end);)
    if (measure(work, &work->t->row[i], &energy[i], e)) {
      atomic_store(&source->stopped, true);
      return -1;
    }
  return 0;
}

int ut_energy_measure(const struct ut_energy_request *request, const struct ut_cost_table *table,
                      struct ut_energy_run *energy, struct ut_error *e) {
  struct work work = {request, table};
  struct ut_parallel parallel = {
      .workers = request->workers, .items = table->rows, .chunk = 1, .stop = &ut_interrupted, .ctx = &work};
  if (ut_energy_liberty(request->liberty, e))
    return -1;
  for (size_t i = 0; i < table->rows; i++)
    if (ut_bypass_planes(table->row[i].scenario, e) || ut_plan_scenario(table->row[i].scenario, e))
      return -1;
  if (ut_parallel_run(&parallel, build_some, &parallel, e)) /* no results: they are in the cache */
    return -1;
  parallel.result_size = table->rows * sizeof *energy;
  const unsigned workers = ut_parallel_workers(&parallel);
  struct ut_energy_run *all = calloc((size_t)workers * table->rows, sizeof *all);
  if (!all)
    return ut_fail_memory(e);
  const int status = ut_parallel_run(&parallel, measure_some, all, e);
  for (size_t i = 0; i < workers * table->rows; i++)
    if (all[i].done)
      energy[i % table->rows] = all[i];
  free(all);
  return status;
}

struct ut_energy_figures ut_energy_figures(const struct ut_energy_run *run) {
  struct ut_energy_figures figures = {0};
  const double cycles = run->cycles ? (double)run->cycles : 1, hops = (double)run->flit_hops;
  for (int b = 0; b <= UT_BLOCKS; b++) {
    figures.clock += run->of[b].clock / cycles;
    figures.internal += run->of[b].internal / cycles;
    figures.switching += run->of[b].switching / cycles;
  }
  figures.cycle = figures.clock + figures.internal + figures.switching;
  if (hops > 0) {
    figures.hop = figures.cycle * cycles / hops;
    figures.hop_above_idle = (figures.cycle - figures.clock) * cycles / hops;
  }
  return figures;
}
