/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - see compare.h */
#include "compare.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "comparison.h"
#include "deadlock.h"
#include "json_text.h"
#include "parallel.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"
#include "ways.h"

struct comparison {
  const struct ut_compare_options *o;
  uint64_t seed;            /* the first one */
  struct ut_sample *sample; /* [paths * seeds] */
  char (*name)[UT_NETWORK_NAME_SIZE + UT_NETWORK_NAME_SIZE];
  bool turns;     /* packets of some network may turn */
  bool workloads; /* of some of them: completion times */
  struct ut_progress progress;
};

/* ---- the runs */

static struct ut_scenario *open_run(const struct comparison *c, unsigned path, unsigned seed, struct ut_error *e) {
  struct ut_scenario_options o = *c->o->scenario;
  o.path = c->o->path[path];
  o.seed = c->seed + seed;
  o.seed_set = true;
  return ut_scenario_open(&o, e);
}

static int simulate(const struct comparison *c, const struct ut_scenario *s, struct ut_sample *sample,
                    struct ut_error *e) {
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog = {0};
  struct ut_network n;
  struct ut_error ignored; /* of the compiler: the run was slower */
  if (ut_elaborator_start(&elaborator, s, c->o->elaborate, NULL, &ut_interrupted, e) ||
      ut_network_init(&n, s, NULL, e)) {
    ut_elaborator_end(&elaborator, &ignored);
    return -1;
  }
  struct ut_stability_watch stability;
  ut_stability_watch_start(&stability, &n);
  while (!ut_network_done(&n) && !ut_interrupted && !n.failure && !sample->deadlock) {
    ut_elaborator_use(&elaborator, &n);
    ut_network_skip(&n, stability.next);
    ut_network_step(&n);
    ut_stability_watch_observe(&stability, &n);
    sample->deadlock = ut_watchdog_check(&watchdog, &n);
  }
  int status = 0;
  if (n.failure)
    status =
        ut_fail(e, UT_BAD_INPUT, "not enough memory for the source queues; lower the load or the number of cycles");
  else if (n.terminals.accounts.corrupt)
    status = ut_fail(e, UT_INTERNAL, "%s, seed %" PRIu64 ": %" PRIu64 " packets arrived corrupt", s->path, s->run.seed,
                     n.terminals.accounts.corrupt);
  else if (!ut_interrupted)
    ut_sample_take(sample, &n);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&n);
  ut_elaborator_end(&elaborator, &ignored);
  return status;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct comparison *c = ctx;
  struct ut_sample *sample = result;
  uint64_t from, to;
  while (ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to; i++) {
      struct ut_scenario *s = open_run(c, (unsigned)(i / c->o->seeds), (unsigned)(i % c->o->seeds), e);
      const int status = s ? simulate(c, s, &sample[i], e) : -1;
      ut_scenario_free(s);
      if (status)
        return -1;
    }
  return 0;
}

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  struct comparison *c = ctx;
  ut_progress_items(&c->progress, done, items, "runs");
}

/* All runs.  -1 and *e. */
static int run_all(struct comparison *c, struct ut_error *e) {
  const size_t runs = (size_t)c->o->paths * c->o->seeds;
  struct ut_parallel p = {.workers = c->o->workers,
                          .items = runs,
                          .chunk = 1,
                          .result_size = runs * sizeof *c->sample,
                          .stop = &ut_interrupted,
                          .progress = show_progress,
                          .ctx = c};
  struct ut_sample *part = calloc(ut_parallel_workers(&p), p.result_size);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory for %zu runs", runs);
  ut_progress_start(&c->progress);
  const int status = ut_parallel_run(&p, work, part, e);
  ut_progress_end(&c->progress);
  for (size_t i = 0; i < ut_parallel_workers(&p) * runs; i++)
    if (part[i].there)
      c->sample[i % runs] = part[i];
  free(part);
  return status;
}

/* Each scenario once, before all runs: what is wrong is said at once. */
static int look_at_scenarios(struct comparison *c, struct ut_error *e) {
  for (unsigned i = 0; i < c->o->paths; i++) {
    struct ut_scenario_options o = *c->o->scenario;
    char network[UT_NETWORK_NAME_SIZE];
    o.path = c->o->path[i];
    o.seed = i ? c->seed : o.seed;
    o.seed_set |= i > 0;
    struct ut_scenario *s = ut_scenario_open(&o, e);
    if (!s)
      return -1;
    c->seed = s->run.seed;
    c->turns |= ut_can_turn(ut_scenario_topology(s));
    c->workloads |= ut_pattern_is_workload(s->traffic.pattern);
    const int used =
        snprintf(c->name[i], sizeof c->name[i], "%s, %s", ut_scenario_network(s, network), s->routing.algorithm);
    if (ut_pattern_has_load(s->traffic.pattern))
      snprintf(c->name[i] + used, sizeof c->name[i] - (size_t)used, ", load %.4g", s->traffic.load_flits_per_cycle);
    else
      snprintf(c->name[i] + used, sizeof c->name[i] - (size_t)used, ", %s", s->traffic.pattern->name);
    ut_scenario_free(s);
  }
  return 0;
}

/* ---- what is printed */

static const struct ut_sample *samples_of(const struct comparison *c, unsigned path) {
  return c->sample + (size_t)path * c->o->seeds;
}

static struct ut_estimate difference(const struct comparison *c, unsigned path, enum ut_result result) {
  return ut_sample_difference(samples_of(c, 0), samples_of(c, path), c->o->seeds, result);
}

/* What nobody has measured is null. */
static json_t *number_json(double v) {
  return isnan(v) ? json_null() : json_real(v);
}

/* Results that some of the scenarios have. */
static bool is_there(const struct comparison *c, enum ut_result result) {
  return (result != UT_RESULT_U_TURNS || c->turns) && (result != UT_RESULT_COMPLETION || c->workloads);
}

static json_t *estimate_json(const struct ut_estimate *e) {
  return json_pack("{s:o,s:o}", "mean", number_json(e->mean), "half_width", number_json(e->half_width));
}

static void print_json(const struct comparison *c) {
  json_t *o = json_object(), *seeds = json_array(), *list = json_array();
  for (unsigned i = 0; i < c->o->seeds; i++)
    json_array_append_new(seeds, json_integer((json_int_t)(c->seed + i)));
  for (unsigned i = 0; i < c->o->paths; i++) {
    json_t *one = json_object(), *results = json_object(), *differences = json_object(), *deadlocks = json_array();
    const struct ut_sample *s = samples_of(c, i);
    for (unsigned r = 0; r < UT_RESULTS; r++) {
      if (r == UT_RESULT_COMPLETION && !c->workloads)
        continue;
      const struct ut_estimate e = ut_sample_estimate(s, c->o->seeds, r), d = difference(c, i, r);
      json_t *result = estimate_json(&e), *values = json_array();
      for (unsigned k = 0; k < c->o->seeds; k++)
        json_array_append_new(values, number_json(s[k].value[r]));
      json_object_set_new(result, "values", values);
      json_object_set_new(results, ut_result_name[r], result);
      json_object_set_new(differences, ut_result_name[r], estimate_json(&d));
    }
    for (unsigned k = 0; k < c->o->seeds; k++)
      if (s[k].deadlock)
        json_array_append_new(deadlocks, json_integer((json_int_t)(c->seed + k)));
    json_object_set_new(one, "scenario", ut_json_text(c->o->path[i]));
    json_object_set_new(one, "results", results);
    if (i)
      json_object_set_new(one, "differences", differences);
    else
      json_decref(differences);
    json_object_set_new(one, "deadlock_seeds", deadlocks);
    if (s->after_end)
      json_object_set_new(one, "trace_packets_after_end", json_integer((json_int_t)s->after_end));
    json_array_append_new(list, one);
  }
  json_object_set_new(o, "seeds", seeds);
  json_object_set_new(o, "confidence_percent", json_integer(UT_CONFIDENCE_PERCENT));
  json_object_set_new(o, "scenarios", list);
  json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(o);
}

/* One cell of the table; "±" has two bytes. */
static void print_estimate(const struct ut_estimate *e, bool difference, int digits) {
  char text[96];
  if (isnan(e->mean)) {
    printf("  %23s", difference ? "-  " : "-");
    return;
  }
  int length = snprintf(text, sizeof text, difference ? "%+.*f" : "%.*f", digits, e->mean);
  const bool interval = e->n > 1;
  if (interval)
    length += snprintf(text + length, sizeof text - (size_t)length, " ± %.*f", digits, e->half_width);
  if (difference)
    snprintf(text + length, sizeof text - (size_t)length, ut_estimate_is_not_0(e) ? " *" : "  ");
  printf("  %*s", interval ? 24 : 23, text);
}

static void print_text(const struct comparison *c) {
  static const struct {
    const char *name;
    int digits;
  } row[UT_RESULTS] = {[UT_RESULT_THROUGHPUT] = {"throughput", 4}, [UT_RESULT_LATENCY] = {"latency, mean", 2},
                       [UT_RESULT_P50] = {"latency, p50", 1},      [UT_RESULT_P99] = {"latency, p99", 1},
                       [UT_RESULT_DISCARDED] = {"discarded", 1},   [UT_RESULT_U_TURNS] = {"U-turns", 1},
                       [UT_RESULT_COMPLETION] = {"completion", 1}};
  const unsigned paths = c->o->paths;
  for (unsigned i = 0; i < paths; i++)
    printf("%c  %s: %s\n", 'A' + (int)i, c->o->path[i], c->name[i]);
  printf("seed%s %" PRIu64, c->o->seeds > 1 ? "s" : "", c->seed);
  if (c->o->seeds > 1)
    printf(" to %" PRIu64 ": means with %d %% confidence intervals; differences of runs with the same seed, * not 0",
           c->seed + c->o->seeds - 1, UT_CONFIDENCE_PERCENT);
  printf("\n\n%-13s", "");
  for (unsigned i = 0; i < paths; i++)
    printf("  %23c", 'A' + (int)i);
  for (unsigned i = 1; i < paths; i++)
    printf("  %17c - A  ", 'A' + (int)i);
  putchar('\n');
  for (unsigned r = 0; r < UT_RESULTS; r++) {
    if (!is_there(c, r))
      continue;
    printf("%-13s", row[r].name);
    for (unsigned i = 0; i < paths; i++) {
      const struct ut_estimate e = ut_sample_estimate(samples_of(c, i), c->o->seeds, r);
      print_estimate(&e, false, row[r].digits);
    }
    for (unsigned i = 1; i < paths; i++) {
      const struct ut_estimate e = difference(c, i, r);
      print_estimate(&e, true, row[r].digits);
    }
    putchar('\n');
  }
  for (unsigned i = 0; i < paths; i++) {
    const uint64_t late = samples_of(c, i)->after_end;
    if (late)
      printf("trace of %c: %" PRIu64 " packets are due when no more are sent; lengthen run.measure_cycles\n",
             'A' + (int)i, late);
  }
}

/* Says which runs end in a deadlock. */
static bool report_deadlocks(const struct comparison *c) {
  bool any = false;
  for (unsigned i = 0; i < c->o->paths * c->o->seeds; i++)
    if (c->sample[i].deadlock) {
      fprintf(stderr, "uturn: %s, seed %" PRIu64 ": deadlock; its results are those so far\n",
              c->o->path[i / c->o->seeds], c->seed + i % c->o->seeds);
      any = true;
    }
  return any;
}

int ut_compare(const struct ut_compare_options *o) {
  struct comparison c = {.o = o};
  struct ut_error e;
  int status = UT_OK;
  ut_catch_interrupt();
  c.sample = calloc((size_t)o->paths * o->seeds, sizeof *c.sample);
  c.name = calloc(o->paths, sizeof *c.name);
  if (!c.sample || !c.name) {
    ut_fail(&e, UT_BAD_INPUT, "not enough memory for %u runs", o->paths * o->seeds);
    status = ut_print_error(&e);
  } else if (look_at_scenarios(&c, &e) || run_all(&c, &e)) {
    status = ut_interrupted ? UT_INTERRUPTED : ut_print_error(&e);
  } else if (ut_interrupted) {
    fprintf(stderr, "uturn: interrupted before all runs were done: there is nothing to compare\n");
    status = UT_INTERRUPTED;
  } else {
    (o->scenario->json ? print_json : print_text)(&c);
    status = report_deadlocks(&c) ? UT_DEADLOCK : UT_OK;
  }
  free(c.sample);
  free(c.name);
  return status;
}
