/* SPDX-License-Identifier: Apache-2.0 */
/* bench_measure.c - see bench_measure.h */
#include "bench_measure.h"

#include <stdio.h>
#include <unistd.h>

#include "bench_output.h"
#include "booksim.h"
#include "cli.h"
#include "instructions.h"
#include "scenario.h"
#include "scenario_read.h"
#include "speed.h"

/* What a measurement needs beside its cases. */
struct bench {
  const struct ut_bench_request *o;
  struct ut_callgrind callgrind;
  struct ut_booksim booksim;
  char program[PATH_MAX];
  struct ut_elaborator elaborator; /* of the case */
  bool general;                    /* nothing can be compiled: measured is the golden model of any shape */
  unsigned views;                  /* of what is printed */
  json_t *results;
};

static int measure_rates(struct bench *bench, const struct ut_scenario *scenario, json_t *c, int *status) {
  struct ut_models models;
  struct ut_speed speed;
  struct ut_error e;
  if (ut_get_models(scenario, &(struct ut_device){0}, &models, status) &&
      ut_speed_measure(scenario, &bench->elaborator, &models, &ut_interrupted, &speed, &e))
    *status = ut_print_error(&e);
  ut_free_models(&models);
  if (*status != UT_OK || ut_interrupted)
    return -1;
  ut_figure_set(c, UT_GOLDEN_RATE, speed.golden);
  ut_figure_set(c, UT_HOP_RATE, speed.hops);
  ut_figure_set(c, UT_RTL_RATE, speed.rtl);
  ut_figure_set(c, UT_LOCKSTEP_RATE, speed.lockstep);
  ut_figure_set(c, UT_LOCKSTEP_RATIO, speed.lockstep / speed.rtl);
  return 0;
}

/* Lockstep in lanes beside Verilator.  The exit status. */
static int measure_lanes(struct bench *bench, const struct ut_scenario *scenario, json_t *c) {
  enum { KINDS = 4 };
  static const struct ut_device device[KINDS] = {{0}, {.lanes = true}, {.gate = true}, {.gate = true, .lanes = true}};
  static const enum ut_figure_index figure[KINDS] = {UT_RTL_IN_VERILATOR, UT_RTL_IN_LANES, UT_GATES_IN_VERILATOR,
                                                     UT_GATES_IN_LANES};
  const unsigned kinds = bench->o->gates ? KINDS : 2;
  struct ut_models models[KINDS] = {0};
  double rate[KINDS];
  struct ut_error e;
  int status = UT_OK;
  for (unsigned i = 0; i < kinds && status == UT_OK; i++)
    ut_get_models(scenario, &device[i], &models[i], &status);
  if (status == UT_OK && ut_speed_lockstep(scenario, &bench->elaborator, models, kinds, &ut_interrupted, rate, &e))
    status = ut_print_error(&e);
  for (unsigned i = 0; i < kinds; i++)
    ut_free_models(&models[i]);
  for (unsigned i = 0; i < kinds && status == UT_OK && !ut_interrupted; i++) {
    ut_figure_set(c, figure[i], rate[i]);
    if (i % 2)
      ut_figure_set(c, i == 1 ? UT_RTL_LANES_RATIO : UT_GATES_LANES_RATIO, rate[i] / rate[i - 1]);
  }
  return status;
}

static int measure_instructions(struct bench *bench, const struct ut_bench_case *bench_case,
                                const struct ut_scenario *scenario, json_t *c, struct ut_error *e) {
  double ours, theirs;
  if (ut_instructions_per_hop(&bench->callgrind, bench->program, bench_case->path, scenario, !bench->general, &ours, e))
    return -1;
  ut_figure_set(c, UT_INSTRUCTIONS, ours);
  if (!bench->o->booksim)
    return 0;
  if (ut_booksim_per_hop(&bench->booksim, &bench->callgrind, scenario, &theirs, e))
    return -1;
  ut_figure_set(c, UT_BOOKSIM_INSTRUCTIONS, theirs);
  ut_figure_set(c, UT_BOOKSIM_RATIO, theirs / ours);
  return 0;
}

/* Compiles the golden switches of a case.  Without a compiler or a cache it is measured all the same.  The exit status.
 */
static int elaborate(struct bench *bench, const struct ut_scenario *scenario) {
  struct ut_error e;
  if (bench->general ||
      !ut_elaborator_start(&bench->elaborator, scenario, UT_ELABORATE_ALWAYS, ut_build_progress(), &ut_interrupted, &e))
    return UT_OK;
  if (e.code != UT_BAD_INPUT)
    return e.code == UT_INTERRUPTED ? UT_INTERRUPTED : ut_print_error(&e);
  bench->general = true;
  fprintf(stderr, "uturn: measuring the golden model without its parameters compiled in: %s\n", e.text);
  return UT_OK;
}

/* What is measured of a case, into c.  The exit status. */
static int measure_figures(struct bench *bench, const struct ut_bench_case *bench_case,
                           const struct ut_scenario *scenario, json_t *c) {
  const struct ut_bench_request *request = bench->o;
  struct ut_error e;
  double ns;
  int status = elaborate(bench, scenario);
  if (status != UT_OK)
    return status;
  if (request->lanes) {
    status = measure_lanes(bench, scenario, c);
  } else if (bench_case->group == UT_BENCH_MEMORY) {
    if (!ut_speed_cpu(scenario, &bench->elaborator, &ut_interrupted, &ns, &e))
      ut_figure_set(c, UT_CPU_NS, ns);
    else if (!ut_interrupted)
      status = ut_print_error(&e);
  } else if (measure_instructions(bench, bench_case, scenario, c, &e)) {
    status = e.code == UT_INTERRUPTED ? UT_INTERRUPTED : ut_print_error(&e);
  } else if (!request->booksim && (request->all || (bench_case->group == UT_BENCH_RATES && !request->quick))) {
    measure_rates(bench, scenario, c, &status);
  }
  json_object_set_new(json_object_get(c, "golden"), "elaborated", json_boolean(!bench->general));
  return status;
}

/* Adds the case to the results, or leaves it out if BookSim is asked and cannot do it.  The exit status. */
static int measure(struct bench *bench, const struct ut_bench_case *bench_case) {
  const struct ut_bench_request *request = bench->o;
  struct ut_error e;
  int status = UT_OK;
  const struct ut_scenario_options how = {
      .path = bench_case->path, .load_set = !bench_case->own_load, .load = bench_case->load};
  struct ut_scenario *scenario = ut_open_scenario(&how, &status);
  if (!scenario)
    return status;
  if (request->booksim && !ut_booksim_can(scenario)) {
    ut_scenario_free(scenario);
    return UT_OK;
  }
  json_t *c = json_object();
  status = measure_figures(bench, bench_case, scenario, c);
  ut_elaborator_end(&bench->elaborator, &e);
  if (status == UT_OK && !ut_interrupted) {
    json_t *added = ut_results_add(bench->results,
                                   request->booksim ? ut_bench_view_name[UT_VIEW_BOOKSIM]
                                   : request->lanes ? ut_bench_view_name[UT_VIEW_LANES]
                                                    : ut_bench_group_name[bench_case->group],
                                   bench_case->name, scenario->traffic.load_flits_per_cycle);
    json_object_update(added, c);
    if (!request->json && json_array_size(json_object_get(bench->results, "cases")) == 1)
      ut_bench_print_head(bench->views);
    if (!request->json)
      ut_bench_print_case(added, bench->views);
  }
  json_decref(c);
  ut_scenario_free(scenario);
  return status;
}

/* The tables whose columns will have figures. */
static unsigned views_of(const struct ut_bench_request *request) {
  unsigned views = (unsigned)(request->all && !request->booksim && !request->lanes) << UT_VIEW_RATES;
  for (size_t i = 0; i < request->cases.n; i++) {
    const enum ut_bench_group group = request->cases.v[i].group;
    views |= 1u << (request->booksim ? UT_VIEW_BOOKSIM
                    : request->lanes ? UT_VIEW_LANES
                    : request->quick ? UT_VIEW_SHAPES
                                     : (enum ut_bench_view)group);
  }
  return views;
}

/* Finds program, tools and cases.  0, or -1 and *e. */
static int prepare(struct bench *bench, struct ut_bench_request *request, struct ut_error *e) {
  const bool few = request->booksim || request->lanes; /* they take long */
  const bool shapes = !few || request->only || request->all, memory = !request->quick && !few;
  const unsigned groups =
      1u << UT_BENCH_RATES | (unsigned)shapes << UT_BENCH_SHAPES | (unsigned)memory << UT_BENCH_MEMORY;
  const ssize_t length = readlink("/proc/self/exe", bench->program, sizeof bench->program - 1);
  bench->program[length > 0 ? length : 0] = '\0';
  if ((!request->lanes && ut_callgrind_find(&bench->callgrind, &ut_interrupted, e)) ||
      (request->booksim && ut_booksim_open(&bench->booksim, request->booksim, e)) ||
      (!request->cases.n && ut_bench_cases_find(&request->cases, ut_root_dir(), groups, request->only, e)))
    return -1;
  bench->views = views_of(request);
  return 0;
}

int ut_bench_measure(struct ut_bench_request *request, json_t *results) {
  struct bench bench = {.o = request, .results = results};
  struct ut_progress progress = {0};
  struct ut_error e;
  int status = prepare(&bench, request, &e) ? ut_print_error(&e) : UT_OK;
  for (size_t i = 0; i < request->cases.n && status == UT_OK && !ut_interrupted; i++) {
    if (request->json)
      ut_progress_line(&progress, "%3zu of %zu cases: %s", i, request->cases.n, request->cases.v[i].name);
    status = measure(&bench, &request->cases.v[i]);
  }
  ut_progress_end(&progress);
  if (status == UT_OK && !ut_interrupted && request->booksim && !json_array_size(json_object_get(results, "cases"))) {
    ut_fail(&e, UT_BAD_INPUT, "BookSim 2 can do none of these cases: it has no faults, planned routes, wider flits");
    status = ut_print_error(&e);
  }
  ut_booksim_close(&bench.booksim);
  return ut_interrupted ? UT_INTERRUPTED : status;
}
