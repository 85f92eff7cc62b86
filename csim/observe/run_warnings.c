/* SPDX-License-Identifier: Apache-2.0 */
/* run_warnings.c - see run_warnings.h */
#include "run_warnings.h"

#include <inttypes.h>
#include <stdio.h>

#include "family.h"
#include "route_unit.h"
#include "scenario.h"
#include "scenario_switches.h"

const char *const ut_run_warning_name[UT_RUN_WARNINGS] = {[UT_WARNING_SATURATED] = "saturated",
                                                          [UT_WARNING_NO_ANSWER] = "no_answer_to_faults",
                                                          [UT_WARNING_NO_PACKETS] = "no_packets_measured"};

const char *const ut_run_warning_meaning[UT_RUN_WARNINGS] = {
    [UT_WARNING_SATURATED] = "less is delivered than is offered; latency has no mean",
    [UT_WARNING_NO_ANSWER] = ("the algorithm does not route around faults: packets that have no other way are "
                              "discarded, or wait"),
    [UT_WARNING_NO_PACKETS] = "no packet generated in the measurement window has arrived, so there is no latency"};

/* Whether switches, terminals or the manager route around faults: the algorithm has a state for it or says so, routes
 * are planned, tables or intervals are written anew, terminals are told other ways, or planes are switched off. */
static bool has_answer(const struct ut_network *net) {
  const struct ut_scenario *scenario = net->scenario;
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  const struct ut_routing *routing = ut_routing_find(net->shape->route);
  return algorithm->vector || algorithm->layers > 1 || algorithm->rewrites || algorithm->states ||
         (routing->goes_around && routing->goes_around(net->shape)) || ut_scenario_planned(scenario) ||
         scenario->routing.plane_bypass || (net->manager.entries && net->manager.rule.active) ||
         net->topology->family->choices;
}

static bool is_saturated(const struct ut_network *net, const struct ut_stability_verdict *verdict,
                         char text[UT_WARNING_SIZE]) {
  snprintf(text, UT_WARNING_SIZE, "%.4g flits/cycle/terminal are offered and %.4f delivered; latency has no mean",
           net->scenario->traffic.load_flits_per_cycle, ut_network_throughput(net));
  return verdict->state == UT_STABILITY_GROWING || verdict->state == UT_STABILITY_COLLAPSED;
}

static bool is_without_answer(const struct ut_network *net, char text[UT_WARNING_SIZE]) {
  const uint64_t faults = net->faults.failures;
  snprintf(text, UT_WARNING_SIZE,
           "%" PRIu64 " fault%s, to which %s has no answer: packets that have no other way are discarded, or wait",
           faults, faults == 1 ? "" : "s", net->scenario->routing.algorithm);
  return faults && !has_answer(net);
}

static bool is_without_packets(const struct ut_network *net, char text[UT_WARNING_SIZE]) {
  const struct ut_terminals *terminals = &net->terminals;
  snprintf(text, UT_WARNING_SIZE,
           "no packet generated in cycles %" PRIu64 " to %" PRIu64 " has arrived, so there is no latency",
           terminals->window_start, terminals->window_end - 1);
  return !terminals->latency.count && !net->workload &&
         net->cycle >= terminals->window_end; /* not of a run that ended before */
}

bool ut_run_warns(enum ut_run_warning which, const struct ut_network *net, const struct ut_stability_verdict *verdict,
                  char text[UT_WARNING_SIZE]) {
  switch (which) {
  case UT_WARNING_SATURATED: return is_saturated(net, verdict, text);
  case UT_WARNING_NO_ANSWER: return is_without_answer(net, text);
  default: return is_without_packets(net, text);
  }
}
