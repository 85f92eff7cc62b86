/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - see compare.h */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "comparison.h"
#include "deadlock.h"
#include "parallel.h"
#include "pattern.h"
#include "result.h"
#include "run_warnings.h"
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

static struct ut_scenario *open_run(const struct comparison *comparison, unsigned path, unsigned seed,
                                    struct ut_error *e) {
  struct ut_scenario_options options = *comparison->o->scenario;
  options.path = comparison->o->path[path];
  options.seed = comparison->seed + seed;
  options.seed_set = true;
  return ut_scenario_open(&options, e);
}

static void take(struct ut_sample *sample, const struct ut_network *net, const struct ut_stability_watch *stability) {
  const struct ut_stability_verdict verdict = ut_stability_watch_verdict(stability, net);
  char text[UT_WARNING_SIZE];
  ut_sample_take(sample, net);
  for (unsigned w = 0; w < UT_RUN_WARNINGS && !sample->deadlock; w++)
    sample->warnings |= (unsigned)ut_run_warns(w, net, &verdict, text) << w;
}

static int simulate(const struct comparison *comparison, const struct ut_scenario *scenario, struct ut_sample *sample,
                    struct ut_error *e) {
  struct ut_elaborator elaborator;
  struct ut_watchdog watchdog = {0};
  struct ut_network net;
  struct ut_error ignored; /* of the compiler: the run was slower */
  if (ut_elaborator_start(&elaborator, scenario, comparison->o->elaborate, NULL, &ut_interrupted, e) ||
      ut_network_init(&net, scenario, NULL, e)) {
    ut_elaborator_end(&elaborator, &ignored);
    return -1;
  }
  struct ut_stability_watch stability;
  ut_stability_watch_start(&stability, &net);
  while (!ut_network_done(&net) && !ut_interrupted && !net.failure && !sample->deadlock) {
    ut_elaborator_use(&elaborator, &net);
    ut_network_skip(&net, stability.next);
    ut_network_step(&net);
    ut_stability_watch_observe(&stability, &net);
    sample->deadlock = ut_watchdog_check(&watchdog, &net);
  }
  int status = 0;
  if (net.failure)
    status =
        ut_fail(e, UT_BAD_INPUT, "not enough memory for the source queues; lower the load or the number of cycles");
  else if (net.terminals.accounts.corrupt)
    status = ut_fail(e, UT_INTERNAL, "%s, seed %" PRIu64 ": %" PRIu64 " packets arrived corrupt", scenario->path,
                     scenario->run.seed, net.terminals.accounts.corrupt);
  else if (!ut_interrupted)
    take(sample, &net, &stability);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&net);
  ut_elaborator_end(&elaborator, &ignored);
  return status;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct comparison *comparison = ctx;
  struct ut_sample *sample = result;
  uint64_t from, to;
  while (ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to; i++) {
      struct ut_scenario *scenario =
          open_run(comparison, (unsigned)(i / comparison->o->seeds), (unsigned)(i % comparison->o->seeds), e);
      const int status = scenario ? simulate(comparison, scenario, &sample[i], e) : -1;
      ut_scenario_free(scenario);
      if (status)
        return -1;
    }
  return 0;
}

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  struct comparison *comparison = ctx;
  ut_progress_items(&comparison->progress, done, items, "runs");
}

/* All runs.  -1 and *e. */
static int run_all(struct comparison *comparison, struct ut_error *e) {
  const size_t runs = (size_t)comparison->o->paths * comparison->o->seeds;
  struct ut_parallel parallel = {.workers = comparison->o->workers,
                                 .items = runs,
                                 .chunk = 1,
                                 .result_size = runs * sizeof *comparison->sample,
                                 .stop = &ut_interrupted,
                                 .progress = show_progress,
                                 .ctx = comparison};
  struct ut_sample *part = calloc(ut_parallel_workers(&parallel), parallel.result_size);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory for %zu runs", runs);
  ut_progress_start(&comparison->progress);
  const int status = ut_parallel_run(&parallel, work, part, e);
  ut_progress_end(&comparison->progress);
  for (size_t i = 0; i < ut_parallel_workers(&parallel) * runs; i++)
    if (part[i].there)
      comparison->sample[i % runs] = part[i];
  free(part);
  return status;
}

/* Each scenario once, before all runs: what is wrong is said at once. */
static int look_at_scenarios(struct comparison *comparison, struct ut_error *e) {
  for (unsigned i = 0; i < comparison->o->paths; i++) {
    struct ut_scenario_options options = *comparison->o->scenario;
    char network[UT_NETWORK_NAME_SIZE];
    options.path = comparison->o->path[i];
    options.seed = i ? comparison->seed : options.seed;
    options.seed_set |= i > 0;
    struct ut_scenario *scenario = ut_scenario_open(&options, e);
    if (!scenario)
      return -1;
    comparison->seed = scenario->run.seed;
    comparison->turns |= ut_can_turn(ut_scenario_topology(scenario));
    comparison->workloads |= ut_pattern_is_workload(scenario->traffic.pattern);
    const int used = snprintf(comparison->name[i], sizeof comparison->name[i], "%s, %s",
                              ut_scenario_network(scenario, network), scenario->routing.algorithm);
    if (ut_pattern_has_load(scenario->traffic.pattern))
      snprintf(comparison->name[i] + used, sizeof comparison->name[i] - (size_t)used, ", load %.4g",
               scenario->traffic.load_flits_per_cycle);
    else
      snprintf(comparison->name[i] + used, sizeof comparison->name[i] - (size_t)used, ", %s",
               scenario->traffic.pattern->name);
    ut_scenario_free(scenario);
  }
  return 0;
}

/* ---- what is printed */

static const struct ut_sample *samples_of(const struct comparison *comparison, unsigned path) {
  return comparison->sample + (size_t)path * comparison->o->seeds;
}

/* The seeds of a scenario whose runs have a warning. */
static json_t *warned_seeds(const struct comparison *comparison, unsigned path, enum ut_run_warning warning) {
  json_t *seeds = json_array();
  for (unsigned k = 0; k < comparison->o->seeds; k++)
    if (samples_of(comparison, path)[k].warnings & 1u << warning)
      json_array_append_new(seeds, ut_int(comparison->seed + k));
  return seeds;
}

/* The warnings of a scenario's runs: by name the seeds, {"saturated": [1, 2]}; lines of text into `lines`. */
static json_t *warnings_json(const struct comparison *comparison, unsigned path, json_t *lines) {
  json_t *warnings = json_object();
  for (unsigned w = 0; w < UT_RUN_WARNINGS; w++) {
    json_t *seeds = warned_seeds(comparison, path, w);
    if (json_array_size(seeds)) {
      json_array_append_new(lines, ut_format("warning of %c: %s in %zu of %u runs: %s", 'A' + (int)path,
                                             ut_run_warning_name[w], json_array_size(seeds), comparison->o->seeds,
                                             ut_run_warning_meaning[w]));
      json_object_set(warnings, ut_run_warning_name[w], seeds);
    }
    json_decref(seeds);
  }
  return warnings;
}

static const char layout[] =
    "{#scenarios}{_letter}  {scenario}: {_name}\n{/}"
    "seed{?_several}s{/} {_seed}{?_several} to {_last_seed}: means with {confidence_percent} % confidence intervals; "
    "differences of runs with the same seed, * not 0{/}\n\n"
    "{|_rows}"
    "<|throughput|latency, mean|latency, p50|latency, p99|discarded|U-turns|completion\n"
    "{name}|{throughput_flits_per_cycle_per_terminal}|{latency_mean_cycles}|{latency_p50_cycles}|{latency_p99_cycles}"
    "|{discarded_packets}|{u_turns}|{completion_cycles}\n"
    "{/}{#scenarios}{?trace_packets_after_end}"
    "trace of {_letter}: {trace_packets_after_end} packets are due when no more are sent; lengthen run.measure_cycles\n"
    "{/}{/}{#_warnings}{.}\n{/}";

/* Results that some of the scenarios have. */
static bool is_there(const struct comparison *comparison, enum ut_result result) {
  return (result != UT_RESULT_U_TURNS || comparison->turns) &&
         (result != UT_RESULT_COMPLETION || comparison->workloads);
}

static json_t *estimate_json(const struct ut_estimate *estimate) {
  return UT_OBJECT({"mean", ut_real(estimate->mean)}, {"half_width", ut_real(estimate->half_width)});
}

/* "0.2998 ± 0.0004"; a difference: "* +1.20 ± 0.31". */
static json_t *estimate_text(const struct ut_estimate *estimate, bool difference, enum ut_result result) {
  static const int digits[UT_RESULTS] = {
      [UT_RESULT_THROUGHPUT] = 4, [UT_RESULT_LATENCY] = 2, [UT_RESULT_P50] = 1,       [UT_RESULT_P99] = 1,
      [UT_RESULT_DISCARDED] = 1,  [UT_RESULT_U_TURNS] = 1, [UT_RESULT_COMPLETION] = 1};
  char interval[48] = "";
  if (isnan(estimate->mean))
    return json_null();
  if (estimate->n > 1)
    snprintf(interval, sizeof interval, " ± %.*f", digits[result], estimate->half_width);
  return difference ? ut_format("%s%+.*f%s", ut_estimate_is_not_0(estimate) ? "* " : "", digits[result], estimate->mean,
                                interval)
                    : ut_format("%.*f%s", digits[result], estimate->mean, interval);
}

/* A row of the table: a scenario, or its difference to the first one. */
static void add_row(json_t *rows, const struct comparison *comparison, unsigned path, bool difference) {
  const struct ut_sample *sample = samples_of(comparison, path);
  const char letter = (char)('A' + (int)path);
  json_t *row = UT_OBJECT({"name", difference ? ut_format("%c - A", letter) : ut_format("%c", letter)});
  for (unsigned r = 0; r < UT_RESULTS; r++) {
    const struct ut_estimate estimate =
        difference ? ut_sample_difference(samples_of(comparison, 0), sample, comparison->o->seeds, r)
                   : ut_sample_estimate(sample, comparison->o->seeds, r);
    UT_ADD(row, {ut_result_name[r], is_there(comparison, r) ? estimate_text(&estimate, difference, r) : NULL});
  }
  json_array_append_new(rows, row);
}

/* warnings: lines of text that say what to think of the runs. */
static json_t *scenario_json(const struct comparison *comparison, unsigned path, json_t *warnings) {
  json_t *results = json_object(), *differences = json_object(), *deadlocks = json_array();
  const struct ut_sample *sample = samples_of(comparison, path);
  for (unsigned r = 0; r < UT_RESULTS; r++) {
    if (r == UT_RESULT_COMPLETION && !comparison->workloads)
      continue;
    const struct ut_estimate e = ut_sample_estimate(sample, comparison->o->seeds, r),
                             d = ut_sample_difference(samples_of(comparison, 0), sample, comparison->o->seeds, r);
    json_t *values = json_array();
    for (unsigned k = 0; k < comparison->o->seeds; k++)
      json_array_append_new(values, ut_real(sample[k].value[r]));
    UT_ADD(results, {ut_result_name[r], UT_ADD(estimate_json(&e), {"values", values})});
    UT_ADD(differences, {ut_result_name[r], estimate_json(&d)});
  }
  for (unsigned k = 0; k < comparison->o->seeds; k++)
    if (sample[k].deadlock)
      json_array_append_new(deadlocks, ut_int(comparison->seed + k));
  return UT_OBJECT({"scenario", ut_string(comparison->o->path[path])}, {"_letter", ut_format("%c", 'A' + (int)path)},
                   {"_name", ut_string(comparison->name[path])}, {"results", results},
                   {path ? "differences" : "_differences", differences}, {"deadlock_seeds", deadlocks},
                   {"warning_seeds", warnings_json(comparison, path, warnings)},
                   {"trace_packets_after_end", sample->after_end ? ut_int(sample->after_end) : NULL});
}

static void print(const struct comparison *comparison) {
  json_t *seeds = json_array(), *list = json_array(), *rows = json_array(), *warnings = json_array();
  for (unsigned i = 0; i < comparison->o->seeds; i++)
    json_array_append_new(seeds, ut_int(comparison->seed + i));
  for (unsigned i = 0; i < comparison->o->paths; i++) {
    json_array_append_new(list, scenario_json(comparison, i, warnings));
    add_row(rows, comparison, i, false);
  }
  for (unsigned i = 1; i < comparison->o->paths; i++)
    add_row(rows, comparison, i, true);
  json_t *o = UT_OBJECT({"seeds", seeds}, {"confidence_percent", ut_int(UT_CONFIDENCE_PERCENT)}, {"scenarios", list},
                        {"_rows", rows}, {"_warnings", warnings}, {"_seed", ut_int(comparison->seed)},
                        {"_last_seed", ut_int(comparison->seed + comparison->o->seeds - 1)},
                        {"_several", json_boolean(comparison->o->seeds > 1)});
  ut_result_print(o, comparison->o->scenario->json, 9, layout);
}

/* Says which runs end in a deadlock. */
static bool report_deadlocks(const struct comparison *comparison) {
  bool any = false;
  for (unsigned i = 0; i < comparison->o->paths * comparison->o->seeds; i++)
    if (comparison->sample[i].deadlock) {
      fprintf(stderr, "uturn: %s, seed %" PRIu64 ": deadlock; its results are those so far\n",
              comparison->o->path[i / comparison->o->seeds], comparison->seed + i % comparison->o->seeds);
      any = true;
    }
  return any;
}

int ut_compare(const struct ut_compare_options *options) {
  struct comparison comparison = {.o = options};
  struct ut_error e;
  int status = UT_OK;
  ut_catch_interrupt();
  comparison.sample = calloc((size_t)options->paths * options->seeds, sizeof *comparison.sample);
  comparison.name = calloc(options->paths, sizeof *comparison.name);
  if (!comparison.sample || !comparison.name) {
    ut_fail(&e, UT_BAD_INPUT, "not enough memory for %u runs", options->paths * options->seeds);
    status = ut_print_error(&e);
  } else if (look_at_scenarios(&comparison, &e) || run_all(&comparison, &e)) {
    status = ut_interrupted ? UT_INTERRUPTED : ut_print_error(&e);
  } else if (ut_interrupted) {
    fprintf(stderr, "uturn: interrupted before all runs were done: there is nothing to compare\n");
    status = UT_INTERRUPTED;
  } else {
    print(&comparison);
    status = report_deadlocks(&comparison) ? UT_DEADLOCK : UT_OK;
  }
  free(comparison.sample);
  free(comparison.name);
  return status;
}
