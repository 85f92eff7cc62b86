/* SPDX-License-Identifier: Apache-2.0 */
/* stability_watch.c - see stability_watch.h */
#include "stability_watch.h"

#include <math.h>

#include "pattern.h"
#include "scenario.h"

enum {
  FIRST_LOOK = UT_STABILITY_WINDOWS / 2, /* windows */
  LOOK_EVERY = UT_STABILITY_WINDOWS / 8,
  LATENCIES = 100, /* least number of 99th percentiles: rare waits must have occurred often enough */
};

/* ---- windows */

/* Returns the packets that wait at terminals none of whose links is up: they are not offered to the network. */
static uint64_t waiting_outside(const struct ut_network *net) {
  const unsigned links = net->topology->injections;
  uint64_t sum = 0;
  for (uint32_t i = 0; net->faults.failures && i < net->topology->terminals; i++) {
    bool up = false;
    for (unsigned k = 0; k < links; k++)
      up |= ut_faults_channel_up(&net->faults, ut_topology_injection(net->topology, 0, 0) + i * links + k);
    if (!up)
      sum += net->terminals.terminal[i].end - net->terminals.terminal[i].injected;
  }
  return sum;
}

/* Sums from cycle 0 on. */
static struct ut_stability_window count(const struct ut_network *net) {
  const struct ut_accounts *accounts = &net->terminals.accounts;
  const uint64_t generated = accounts->generated - waiting_outside(net),
                 left = accounts->delivered + ut_accounts_discarded(accounts);
  return (struct ut_stability_window){.generated = generated,
                                      .left = left,
                                      .accepted = net->terminals.received_flits,
                                      .delivered = accounts->delivered,
                                      .latency = accounts->latency,
                                      .waiting = generated - left};
}

static void begin(struct ut_stability_watch *watch, const struct ut_network *net) {
  ut_stability_begin_anew(&watch->series, net->cycle);
  watch->next = net->cycle + watch->series.cycles;
  watch->next_fault = ut_faults_next_cycle(&net->faults);
  watch->before = count(net);
}

static void end_window(struct ut_stability_watch *watch, const struct ut_network *net) {
  const struct ut_stability_window now = count(net), *before = &watch->before;
  const struct ut_stability_window step = {.generated = now.generated - before->generated,
                                           .left = now.left - before->left,
                                           .accepted = now.accepted - before->accepted,
                                           .delivered = now.delivered - before->delivered,
                                           .latency = now.latency - before->latency,
                                           .waiting = now.waiting};
  ut_stability_add(&watch->series, &step);
  watch->before = now;
  watch->next = net->cycle + watch->series.cycles;
}

/* ---- the end of warm-up and measurement */

static bool is_known(const struct ut_estimate *estimate, double precision) {
  return !(estimate->mean > 0) || estimate->half_width <= precision * estimate->mean;
}

/* Returns the 99th percentile of the measurement so far, whatever the number of threads. */
static uint64_t long_latency(struct ut_network *net) {
  struct ut_histogram all;
  bool good = ut_histogram_init(&all);
  for (unsigned i = 0; good && i < net->terminals.ranges; i++)
    good = ut_histogram_merge(&all, net->terminals.range[i].latency);
  const uint64_t cycles = good ? ut_histogram_percentile(&all, 99) : 0;
  net->failure |= !good;
  ut_histogram_free(&all);
  return cycles;
}

static bool is_enough(const struct ut_stability_watch *watch, struct ut_network *net, bool overloaded) {
  const struct ut_scenario *scenario = net->scenario;
  const struct ut_stability_verdict verdict = ut_stability_watch_verdict(watch, net);
  const uint64_t cycles = net->cycle - net->terminals.window_start;
  if (cycles < scenario->run.measure_cycles || !is_known(&verdict.accepted, scenario->run.precision))
    return false;
  if (overloaded)
    return verdict.accepted_level;
  return verdict.state == UT_STABILITY_STEADY && is_known(&verdict.latency, scenario->run.precision) &&
         cycles >= LATENCIES * long_latency(net);
}

/* From time to time: begins the measurement, begins it anew if the warm-up was longer than it seemed, or ends it. */
static void look(struct ut_stability_watch *watch, struct ut_network *net) {
  const struct ut_scenario *scenario = net->scenario;
  const bool overloaded = ut_stability_overloaded(&watch->series), last = net->cycle >= scenario->run.max_cycles / 2;
  size_t first;
  const bool over = ut_stability_warmup(&watch->series, overloaded, &first);
  const uint64_t warmup = watch->series.begin + first * watch->series.cycles;
  if (net->cycle < scenario->run.warmup_cycles || watch->next_fault != UINT64_MAX)
    return;
  if (watch->measuring && over && warmup <= net->terminals.window_start) {
    if (is_enough(watch, net, overloaded))
      net->terminals.window_end = net->cycle;
  } else if ((over && !last) || (last && !watch->measuring)) {
    watch->measuring = true;
    ut_terminals_measure_anew(&net->terminals, net->cycle);
  }
}

/* ---- the watch */

void ut_stability_watch_start(struct ut_stability_watch *watch, struct ut_network *net) {
  const struct ut_scenario *scenario = net->scenario;
  *watch = (struct ut_stability_watch){.next = UINT64_MAX, .watched = ut_pattern_has_load(scenario->traffic.pattern)};
  if (!watch->watched)
    return;
  ut_stability_begin(&watch->series, net->cycle);
  begin(watch, net);
  if (scenario->run.warmup == UT_WARMUP_UNTIL_STABLE) {
    net->terminals.window_start = 0;
    net->terminals.window_end = scenario->run.max_cycles;
  }
}

void ut_stability_watch_window(struct ut_stability_watch *watch, struct ut_network *net) {
  if (net->cycle > net->terminals.window_end) {
    watch->next = UINT64_MAX;
    return;
  }
  if (ut_faults_next_cycle(&net->faults) != watch->next_fault) {
    begin(watch, net);
    return;
  }
  end_window(watch, net);
  const size_t windows = watch->series.count;
  if (net->scenario->run.warmup == UT_WARMUP_UNTIL_STABLE && windows >= FIRST_LOOK && windows % LOOK_EVERY == 0)
    look(watch, net);
}

struct ut_stability_verdict ut_stability_watch_verdict(const struct ut_stability_watch *watch,
                                                       const struct ut_network *net) {
  return ut_stability_judge(&watch->series,
                            watch->watched ? ut_stability_from(&watch->series, net->terminals.window_start) : 0);
}
