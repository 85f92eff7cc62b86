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

static struct ut_device device_of(const struct ut_energy_request *r) {
  return (struct ut_device){.rtl_dir = r->rtl, .liberty = r->liberty, .gate = true, .blocks = true, .counted = true};
}

/* ---- the run ---- */

/* Warm-up, then the window that is counted. */
static int run(struct ut_lockstep *l, const char *label, uint64_t *hops, struct ut_error *e) {
  const struct ut_scenario *s = l->golden.scenario;
  const uint64_t end[2] = {s->run.warmup_cycles, ut_network_planned(s)};
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog = {0};
  int status = ut_elaborator_start(&elaborator, s, UT_ELABORATE_NEVER, NULL, &ut_interrupted, e);
  for (int part = 0; part < 2 && !status; part++) {
    const uint64_t before = l->golden.flit_hops;
    ut_rtl_forget(l->dut);
    if (!end[part])
      continue;
    const struct ut_cosim_outcome r = ut_cosim_run(l, &elaborator, end[part] - 1, &watchdog, NULL);
    status = ut_cosim_check(l, &r, label, e);
    *hops = l->golden.flit_hops - before;
  }
  ut_watchdog_free(&watchdog);
  ut_elaborate_end(&elaborator);
  return status;
}

/* ---- what it cost ---- */

static void add_check(struct ut_energy_run *r, const struct ut_energy_check *c, uint64_t cycles, uint64_t switches) {
  for (int i = 0; i < 2; i++) {
    r->check.switching[i] += c->switching[i] * (double)cycles;
    r->check.internal[i] += c->internal[i] * (double)cycles;
    r->check.leakage_uw[i] += c->leakage_uw[i] * (double)switches;
  }
  r->checked = true;
}

static int check(const struct ut_energy_model *m, const uint64_t *toggles, uint64_t cycles, uint64_t switches,
                 struct ut_energy_run *r, struct ut_error *e) {
  struct ut_energy_check one;
  struct ut_caller c = {.progress = ut_build_progress(), .interrupted = &ut_interrupted, .e = e, .what = "energy"};
  if (ut_energy_check(m, toggles, cycles, &one, &c))
    return -1;
  add_check(r, &one, cycles, switches);
  return 0;
}

/* The switches of one elaboration. */
static int add_class(const struct work *w, const struct ut_lockstep *l, const struct ut_shape *shape, unsigned number,
                     struct ut_energy_run *r, struct ut_error *e) {
  const struct ut_synthesis_request request = {.shape = shape,
                                               .root_dir = ut_root_dir(),
                                               .rtl_dir = w->request->rtl,
                                               .liberty = w->request->liberty,
                                               .interrupted = &ut_interrupted};
  uint64_t *toggles = calloc(ut_rtl_nets(l->dut, number), sizeof *toggles), cycles = 0, switches = 0;
  if (!toggles)
    return ut_fail_memory(e);
  char *netlist = ut_block_netlist_get(&request, NULL, NULL, e);
  struct ut_energy_model *m = netlist ? ut_energy_open(netlist, e) : NULL;
  for (uint32_t i = 0; i < l->golden.topology->switches; i++)
    switches += ut_topology_elaboration(l->golden.topology, i) == number;
  int status = m ? 0 : -1;
  if (m) {
    struct ut_energy of[UT_BLOCKS + 1] = {0};
    ut_rtl_toggles(l->dut, number, toggles, &cycles);
    ut_energy_add(m, toggles, cycles, of);
    for (int b = 0; b <= UT_BLOCKS; b++) {
      struct ut_energy *sum = &r->of[b];
      sum->clock += of[b].clock;
      sum->internal += of[b].internal;
      sum->switching += of[b].switching;
      sum->leakage_uw += of[b].leakage_uw * (double)switches;
      sum->cells += of[b].cells * switches;
      sum->toggles += of[b].toggles;
    }
    r->cycles += cycles;
    r->switches += switches;
    r->voltage = ut_energy_voltage(m);
    snprintf(r->liberty, sizeof r->liberty, "%s", ut_energy_library(m));
    status = w->request->check ? check(m, toggles, cycles, switches, r, e) : 0;
  }
  ut_energy_close(m);
  free(netlist);
  free(toggles);
  return status;
}

static int measure(const struct work *w, const struct ut_cost_row *row, struct ut_energy_run *r, struct ut_error *e) {
  const struct ut_device device = device_of(w->request);
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_models models;
  struct ut_lockstep l;
  const int count = ut_scenario_elaborations(row->scenario, elaboration, shape, e);
  if (count < 0 || ut_models_get(row->scenario, &device, &models, e))
    return -1;
  int status = ut_lockstep_init(&l, row->scenario, &models, e);
  ut_free_models(&models);
  if (status)
    return -1;
  l.gates = true;
  status = run(&l, row->label, &r->flit_hops, e);
  r->load = row->scenario->traffic.load_flits_per_cycle;
  r->accepted = ut_network_throughput(&l.golden);
  r->u_turns = ut_network_u_turns(&l.golden);
  for (int i = 0; i < count && !status; i++)
    status = add_class(w, &l, &shape[i], (unsigned)i, r, e);
  r->done = !status;
  ut_lockstep_fini(&l);
  return status;
}

/* ---- all rows ---- */

static int build_some(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct work *w = ctx;
  const struct ut_device device = device_of(w->request);
  (void)result;
  for (uint64_t i, end; ut_item_source_take(source, &i, &end);) {
    struct ut_models models;
    const int status = ut_models_get(w->t->row[i].scenario, &device, &models, e);
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
  const struct work *w = ctx;
  struct ut_energy_run *energy = result;
  for (uint64_t i, end; ut_item_source_take(source, &i, &end);)
    if (measure(w, &w->t->row[i], &energy[i], e)) {
      atomic_store(&source->stopped, true);
      return -1;
    }
  return 0;
}

int ut_energy_measure(const struct ut_energy_request *request, const struct ut_cost_table *t,
                      struct ut_energy_run *energy, struct ut_error *e) {
  struct work w = {request, t};
  struct ut_parallel p = {
      .workers = request->workers, .items = t->rows, .chunk = 1, .stop = &ut_interrupted, .ctx = &w};
  if (ut_energy_liberty(request->liberty, e))
    return -1;
  for (size_t i = 0; i < t->rows; i++)
    if (ut_bypass_planes(t->row[i].scenario, e) || ut_plan_scenario(t->row[i].scenario, e))
      return -1;
  if (ut_parallel_run(&p, build_some, &p, e)) /* no results: they are in the cache */
    return -1;
  p.result_size = t->rows * sizeof *energy;
  const unsigned workers = ut_parallel_workers(&p);
  struct ut_energy_run *all = calloc((size_t)workers * t->rows, sizeof *all);
  if (!all)
    return ut_fail_memory(e);
  const int status = ut_parallel_run(&p, measure_some, all, e);
  for (size_t i = 0; i < workers * t->rows; i++)
    if (all[i].done)
      energy[i % t->rows] = all[i];
  free(all);
  return status;
}

struct ut_energy_figures ut_energy_figures(const struct ut_energy_run *r) {
  struct ut_energy_figures f = {0};
  const double cycles = r->cycles ? (double)r->cycles : 1, hops = (double)r->flit_hops;
  for (int b = 0; b <= UT_BLOCKS; b++) {
    f.clock += r->of[b].clock / cycles;
    f.internal += r->of[b].internal / cycles;
    f.switching += r->of[b].switching / cycles;
  }
  f.cycle = f.clock + f.internal + f.switching;
  if (hops > 0) {
    f.hop = f.cycle * cycles / hops;
    f.hop_above_idle = (f.cycle - f.clock) * cycles / hops;
  }
  return f;
}
