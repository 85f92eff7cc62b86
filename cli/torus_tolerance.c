/* SPDX-License-Identifier: Apache-2.0 */
/* torus_tolerance.c - `uturn tolerance --mechanisms`: link-fault combinations that the mechanisms of INTERMEDIATE do
 * not tolerate, and what the affected paths use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "mechanism_options.h"
#include "nearest.h"
#include "scenario_output.h"
#include "steady.h"
#include "tolerance.h"
#include "torus_tolerance.h"

enum { DEFAULT_SAMPLES = 20000 };
static const double confidence = 0.95;

struct report {
  const struct ut_mechanism_options *options;
  const struct ut_scenario *scenario;
  const struct ut_grid *grid;
  const struct ut_torus_request *request;
  const struct ut_torus_tolerance *result;
  unsigned links; /* of the model */
  double seconds;
};

/* ---- reading the options */

static int unknown(struct ut_error *e, const char *option, const char *word, const char *const *name, size_t names) {
  char list[256] = "";
  const char *near = ut_nearest(word, name, names);
  for (size_t i = 0; i < names; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", name[i]);
  return ut_fail(e, UT_BAD_INPUT, "%s: there is no '%s'%s%s%s; known: %s", option, word, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "", list);
}

static int read_mechanisms(const struct ut_mechanism_options *options, struct ut_mechanisms *mechanisms,
                           struct ut_error *e) {
  static const char *const orders[] = {"dimension", "direction"};
  const char *name[UT_MECHANISM_SETS];
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++)
    name[i] = ut_mechanism_sets[i].name;
  const struct ut_mechanisms *found = ut_mechanisms_find(options->mechanisms);
  if (!found)
    return unknown(e, "--mechanisms", options->mechanisms, name, UT_MECHANISM_SETS);
  *mechanisms = *found;
  if (!options->order)
    return 0;
  bool direction = !strcmp(options->order, orders[1]);
  if (!direction && strcmp(options->order, orders[0]))
    return unknown(e, "--order", options->order, orders, 2);
  if (!mechanisms->deterministic || (mechanisms->misroute && !direction))
    return ut_fail(e, UT_BAD_INPUT, "--order %s: %s %s; leave --order out", options->order, mechanisms->name,
                   mechanisms->deterministic ? "needs direction order, because it misroutes"
                                             : "has no deterministic paths");
  mechanisms->direction_order = direction;
  return 0;
}

static int read_model(const struct ut_mechanism_options *options, struct ut_torus_request *request,
                      struct ut_error *e) {
  static const char *const names[] = {"exhaustive", "region", "sampled"};
  const char *model = options->model ? options->model : options->samples ? "sampled" : "exhaustive";
  request->samples = options->samples ? options->samples : DEFAULT_SAMPLES;
  if (!strcmp(model, "sampled"))
    request->model = UT_MODEL_SAMPLED;
  else if (!strcmp(model, "region"))
    request->model = options->samples ? UT_MODEL_REGION_SAMPLED : UT_MODEL_REGION;
  else if (strcmp(model, "exhaustive"))
    return unknown(e, "--model", model, names, 3);
  else if (options->samples)
    return ut_fail(e, UT_BAD_INPUT, "--model exhaustive tries all fault sets: leave --samples out, or --model sampled");
  return 0;
}

static bool sampled(const struct report *report) {
  return report->request->model == UT_MODEL_SAMPLED || report->request->model == UT_MODEL_REGION_SAMPLED;
}

static const char *model_name(const struct report *report) {
  static const char *const name[UT_FAULT_MODELS] = {"exhaustive", "region", "sampled", "region"};
  return name[report->request->model];
}

/* ---- what was found */

/* Every fault set there is was looked at. */
static bool complete(const struct report *report, unsigned faults) {
  return !sampled(report) && report->result->point[faults].sets == ut_torus_sets(report->grid, report->request, faults);
}

static const char layout[] =
    "{scenario}: {_network}, {_nodes} nodes, faults among {links} links, mechanisms {mechanisms}{?_deterministic}, "
    "deterministic paths in order of {order}s{/}\n"
    "routing table of a terminal: {table_entry_bits} bits for each affected destination, at most {_table_bits} bits\n\n"
    "not tolerated: some pair of nodes has no way; percent: of the sets; affected: paths that a fault is on, of all "
    "paths of all pairs\n"
    "{|points}"
    "faults|fault sets|<|not tolerated|percent|<95 % confidence|affected %|<of these, % by mechanism\n"
    "{faults}|{fault_sets}|({_which})|{not_tolerated}|{percent:.6f}|{_percent_95}|{affected_path_percent:.4f}"
    "|{#mechanism_shares}{@} {.:.5f}{  }{/}{?separated_path_percent}  (separated {separated_path_percent:.5f} % of all "
    "paths){/}\n"
    "{/}\n"
    "{_sets} fault sets in {wall_s:.2f} s\n";

static double percent(uint64_t some, double all) {
  return 100 * (double)some / all;
}

static json_t *point_json(const struct report *report, unsigned faults) {
  const struct ut_torus_point *torus_point = &report->result->point[faults];
  const uint64_t tolerated = torus_point->sets - torus_point->not_tolerated;
  /* of the tolerated fault sets only: without any, there is no such figure */
  const double pairs = tolerated ? (double)tolerated * report->grid->nodes * report->grid->nodes : NAN;
  const bool all = complete(report, faults);
  uint64_t affected = 0;
  double low, high;
  json_t *shares = json_object();
  for (unsigned c = UT_PLAN_ADAPTIVE + 1; c < UT_PLAN_NONE; c++)
    affected += torus_point->pairs[c];
  for (unsigned c = UT_PLAN_ADAPTIVE + 1; c < UT_PLAN_NONE; c++)
    UT_ADD(shares, {ut_plan_class_name[c],
                    torus_point->pairs[c] ? ut_real(percent(torus_point->pairs[c], (double)affected)) : NULL});
  json_t *point = UT_OBJECT({"faults", ut_int(faults)}, {"fault_sets", ut_int(torus_point->sets)},
                            {"exhaustive", json_boolean(all)}, {"not_tolerated", ut_int(torus_point->not_tolerated)},
                            {"percent", ut_real(percent(torus_point->not_tolerated, (double)torus_point->sets))},
                            {"_which", ut_string(all               ? "all"
                                                 : sampled(report) ? "random"
                                                                   : "first")});
  ut_confidence(torus_point->not_tolerated, torus_point->sets, confidence, &low, &high);
  if (sampled(report))
    UT_ADD(point, {"percent_95", json_pack("[f,f]", 100 * low, 100 * high)},
           {"_percent_95", ut_format("%.4f..%.4f", 100 * low, 100 * high)});
  return UT_ADD(point, {"affected_path_percent", ut_real(percent(affected, pairs))},
                {"separated_path_percent", ut_real(percent(torus_point->pairs[UT_PLAN_SEPARATED], pairs))},
                {"mechanism_shares", shares});
}

static void print(const struct report *report) {
  const struct ut_mechanisms *mechanisms = report->request->mechanisms;
  const unsigned bits = ut_plan_entry_bits(report->grid, mechanisms);
  json_t *points = json_array(), *j = ut_scenario_result(report->scenario);
  uint64_t sets = 0;
  for (unsigned f = report->request->faults[0]; f <= report->request->faults[1]; f++) {
    sets += report->result->point[f].sets;
    if (report->result->point[f].sets) /* else interrupted before */
      json_array_append_new(points, point_json(report, f));
  }
  UT_ADD(j, {"_nodes", ut_int(report->grid->nodes)}, {"mechanisms", ut_string(mechanisms->name)},
         {"order", ut_string(mechanisms->direction_order ? "direction" : "dimension")},
         {"_deterministic", json_boolean(mechanisms->deterministic)}, {"model", ut_string(model_name(report))},
         {"links", ut_int(report->links)}, {"table_entry_bits", ut_int(bits)},
         {"_table_bits", ut_int(bits * (report->grid->nodes - 1))}, {"points", points}, {"_sets", ut_int(sets)},
         {"wall_s", ut_real(report->seconds)});
  ut_result_print(j, report->options->json, 9, layout);
}

/* ---- the command */

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets");
}

static int count(struct report *report, struct ut_torus_tolerance *result) {
  struct ut_error e;
  struct ut_progress progress;
  struct ut_parallel parallel = {
      .workers = report->options->workers, .stop = &ut_interrupted, .progress = show_progress, .ctx = &progress};
  uint32_t *link = malloc(report->grid->links * sizeof *link);
  report->links = link ? ut_torus_links(report->grid, report->request->model, link) : 0;
  free(link);
  ut_catch_interrupt();
  ut_progress_start(&progress);
  int failed = ut_torus_tolerance_run(report->grid, report->request, &parallel, result, &e);
  ut_progress_end(&progress);
  if (failed)
    return ut_print_error(&e);
  report->seconds = ut_seconds() - progress.start;
  print(report);
  return ut_interrupted ? UT_INTERRUPTED : UT_OK;
}

int ut_tolerance_of_mechanisms(const struct ut_mechanism_options *options, const struct ut_scenario *scenario,
                               const struct ut_topology *topo) {
  struct ut_error e;
  struct ut_grid grid;
  struct ut_mechanisms mechanisms;
  struct ut_torus_request request = {.mechanisms = &mechanisms, .seed = options->seed, .faults = {1, 5}};
  if (options->faults_given)
    memcpy(request.faults, options->faults, sizeof request.faults);
  else if (topo->links < request.faults[1])
    request.faults[1] = (unsigned)topo->links;
  if (read_mechanisms(options, &mechanisms, &e) || read_model(options, &request, &e))
    return ut_print_error(&e);
  if (ut_grid_init(&grid, topo, &e))
    return ut_print_error(&e);
  struct ut_torus_tolerance *result = calloc(1, sizeof *result);
  struct report report = {
      .options = options, .scenario = scenario, .grid = &grid, .request = &request, .result = result};
  int status = result ? count(&report, result) : ut_print_no_memory();
  free(result);
  ut_grid_free(&grid);
  return status;
}
