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

static int measure_rates(struct bench *b, const struct ut_scenario *s, json_t *c, int *status) {
  struct ut_models models;
  struct ut_speed speed;
  struct ut_error e;
  if (ut_get_models(s, &(struct ut_device){0}, &models, status) &&
      ut_speed_measure(s, &b->elaborator, &models, &ut_interrupted, &speed, &e))
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
static int measure_lanes(struct bench *b, const struct ut_scenario *s, json_t *c) {
  enum { KINDS = 4 };
  static const struct ut_device device[KINDS] = {{0}, {.lanes = true}, {.gate = true}, {.gate = true, .lanes = true}};
  static const enum ut_figure_index figure[KINDS] = {UT_RTL_IN_VERILATOR, UT_RTL_IN_LANES, UT_GATES_IN_VERILATOR,
                                                     UT_GATES_IN_LANES};
  const unsigned kinds = b->o->gates ? KINDS : 2;
  struct ut_models models[KINDS] = {0};
  double rate[KINDS];
  struct ut_error e;
  int status = UT_OK;
  for (unsigned i = 0; i < kinds && status == UT_OK; i++)
    ut_get_models(s, &device[i], &models[i], &status);
  if (status == UT_OK && ut_speed_lockstep(s, &b->elaborator, models, kinds, &ut_interrupted, rate, &e))
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

static int measure_instructions(struct bench *b, const struct ut_bench_case *k, const struct ut_scenario *s, json_t *c,
                                struct ut_error *e) {
  double ours, theirs;
  if (ut_instructions_per_hop(&b->callgrind, b->program, k->path, s, !b->general, &ours, e))
    return -1;
  ut_figure_set(c, UT_INSTRUCTIONS, ours);
  if (!b->o->booksim)
    return 0;
  if (ut_booksim_per_hop(&b->booksim, &b->callgrind, s, &theirs, e))
    return -1;
  ut_figure_set(c, UT_BOOKSIM_INSTRUCTIONS, theirs);
  ut_figure_set(c, UT_BOOKSIM_RATIO, theirs / ours);
  return 0;
}

/* Compiles the golden switches of a case.  Without a compiler or a cache it is measured all the same.  The exit status.
 */
static int elaborate(struct bench *b, const struct ut_scenario *s) {
  struct ut_error e;
  if (b->general ||
      !ut_elaborator_start(&b->elaborator, s, UT_ELABORATE_ALWAYS, ut_build_progress(), &ut_interrupted, &e))
    return UT_OK;
  if (e.code != UT_BAD_INPUT)
    return e.code == UT_INTERRUPTED ? UT_INTERRUPTED : ut_print_error(&e);
  b->general = true;
  fprintf(stderr, "uturn: measuring the golden model without its parameters compiled in: %s\n", e.text);
  return UT_OK;
}

/* What is measured of a case, into c.  The exit status. */
static int measure_figures(struct bench *b, const struct ut_bench_case *k, const struct ut_scenario *s, json_t *c) {
  const struct ut_bench_request *o = b->o;
  struct ut_error e;
  double ns;
  int status = elaborate(b, s);
  if (status != UT_OK)
    return status;
  if (o->lanes) {
    status = measure_lanes(b, s, c);
  } else if (k->group == UT_BENCH_MEMORY) {
    if (!ut_speed_cpu(s, &b->elaborator, &ut_interrupted, &ns, &e))
      ut_figure_set(c, UT_CPU_NS, ns);
    else if (!ut_interrupted)
      status = ut_print_error(&e);
  } else if (measure_instructions(b, k, s, c, &e)) {
    status = e.code == UT_INTERRUPTED ? UT_INTERRUPTED : ut_print_error(&e);
  } else if (!o->booksim && (o->all || (k->group == UT_BENCH_RATES && !o->quick))) {
    measure_rates(b, s, c, &status);
  }
  json_object_set_new(json_object_get(c, "golden"), "elaborated", json_boolean(!b->general));
  return status;
}

/* Adds the case to the results, or leaves it out if BookSim is asked and cannot do it.  The exit status. */
static int measure(struct bench *b, const struct ut_bench_case *k) {
  const struct ut_bench_request *o = b->o;
  struct ut_error e;
  int status = UT_OK;
  const struct ut_scenario_options how = {.path = k->path, .load_set = !k->own_load, .load = k->load};
  struct ut_scenario *s = ut_open_scenario(&how, &status);
  if (!s)
    return status;
  if (o->booksim && !ut_booksim_can(s)) {
    ut_scenario_free(s);
    return UT_OK;
  }
  json_t *c = json_object();
  status = measure_figures(b, k, s, c);
  ut_elaborator_end(&b->elaborator, &e);
  if (status == UT_OK && !ut_interrupted) {
    json_t *added = ut_results_add(b->results,
                                   o->booksim ? ut_bench_view_name[UT_VIEW_BOOKSIM]
                                   : o->lanes ? ut_bench_view_name[UT_VIEW_LANES]
                                              : ut_bench_group_name[k->group],
                                   k->name, s->traffic.load_flits_per_cycle);
    json_object_update(added, c);
    if (!o->json && json_array_size(json_object_get(b->results, "cases")) == 1)
      ut_bench_print_head(b->views);
    if (!o->json)
      ut_bench_print_case(added, b->views);
  }
  json_decref(c);
  ut_scenario_free(s);
  return status;
}

/* The tables whose columns will have figures. */
static unsigned views_of(const struct ut_bench_request *o) {
  unsigned views = (unsigned)(o->all && !o->booksim && !o->lanes) << UT_VIEW_RATES;
  for (size_t i = 0; i < o->cases.n; i++) {
    const enum ut_bench_group group = o->cases.v[i].group;
    views |= 1u << (o->booksim ? UT_VIEW_BOOKSIM
                    : o->lanes ? UT_VIEW_LANES
                    : o->quick ? UT_VIEW_SHAPES
                               : (enum ut_bench_view)group);
  }
  return views;
}

/* Finds program, tools and cases.  0, or -1 and *e. */
static int prepare(struct bench *b, struct ut_bench_request *o, struct ut_error *e) {
  const bool few = o->booksim || o->lanes; /* they take long */
  const bool shapes = !few || o->only || o->all, memory = !o->quick && !few;
  const unsigned groups =
      1u << UT_BENCH_RATES | (unsigned)shapes << UT_BENCH_SHAPES | (unsigned)memory << UT_BENCH_MEMORY;
  const ssize_t length = readlink("/proc/self/exe", b->program, sizeof b->program - 1);
  b->program[length > 0 ? length : 0] = '\0';
  if ((!o->lanes && ut_callgrind_find(&b->callgrind, &ut_interrupted, e)) ||
      (o->booksim && ut_booksim_open(&b->booksim, o->booksim, e)) ||
      (!o->cases.n && ut_bench_cases_find(&o->cases, ut_root_dir(), groups, o->only, e)))
    return -1;
  b->views = views_of(o);
  return 0;
}

int ut_bench_measure(struct ut_bench_request *o, json_t *results) {
  struct bench b = {.o = o, .results = results};
  struct ut_progress progress = {0};
  struct ut_error e;
  int status = prepare(&b, o, &e) ? ut_print_error(&e) : UT_OK;
  for (size_t i = 0; i < o->cases.n && status == UT_OK && !ut_interrupted; i++) {
    if (o->json)
      ut_progress_line(&progress, "%3zu of %zu cases: %s", i, o->cases.n, o->cases.v[i].name);
    status = measure(&b, &o->cases.v[i]);
  }
  ut_progress_end(&progress);
  if (status == UT_OK && !ut_interrupted && o->booksim && !json_array_size(json_object_get(results, "cases"))) {
    ut_fail(&e, UT_BAD_INPUT, "BookSim 2 can do none of these cases: it has no faults, planned routes, wider flits");
    status = ut_print_error(&e);
  }
  ut_booksim_close(&b.booksim);
  return ut_interrupted ? UT_INTERRUPTED : status;
}
