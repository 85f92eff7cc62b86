/* SPDX-License-Identifier: Apache-2.0 */
/* stability_watch.c - see stability_watch.h */
#include "stability_watch.h"

#include <math.h>

#include "pattern.h"
#include "scenario.h"

enum {
  FIRST_LOOK = UT_STABILITY_WINDOWS / 2, /* windows */
  LOOK_EVERY = UT_STABILITY_WINDOWS / 8,
  LATENCIES = 100, /* 99th percentiles that are measured at least: waits that are rare must have come often enough */
};

/* ---- windows */

/* Packets that wait at terminals none of whose links is up: nobody offers them to the network. */
static uint64_t waiting_outside(const struct ut_network *n) {
  const unsigned links = n->topology.injections;
  uint64_t sum = 0;
  for (uint32_t i = 0; n->faults.failures && i < n->topology.terminals; i++) {
    bool up = false;
    for (unsigned k = 0; k < links; k++)
      up |= ut_faults_channel_up(&n->faults, ut_topology_injection(&n->topology, 0, 0) + i * links + k);
    if (!up)
      sum += n->terminals.terminal[i].end - n->terminals.terminal[i].injected;
  }
  return sum;
}

/* Sums from cycle 0 on. */
static struct ut_stability_window count(const struct ut_network *n) {
  const struct ut_accounts *a = &n->terminals.accounts;
  const uint64_t generated = a->generated - waiting_outside(n), left = a->delivered + ut_accounts_discarded(a);
  return (struct ut_stability_window){.generated = generated,
                                      .left = left,
                                      .accepted = n->terminals.received_flits,
                                      .delivered = a->delivered,
                                      .latency = a->latency,
                                      .waiting = generated - left};
}

static void begin(struct ut_stability_watch *w, const struct ut_network *n) {
  ut_stability_begin(&w->series, n->cycle);
  w->next = n->cycle + w->series.cycles;
  w->next_fault = ut_faults_next_cycle(&n->faults);
  w->before = count(n);
}

static void end_window(struct ut_stability_watch *w, const struct ut_network *n) {
  const struct ut_stability_window now = count(n), *before = &w->before;
  const struct ut_stability_window step = {.generated = now.generated - before->generated,
                                           .left = now.left - before->left,
                                           .accepted = now.accepted - before->accepted,
                                           .delivered = now.delivered - before->delivered,
                                           .latency = now.latency - before->latency,
                                           .waiting = now.waiting};
  ut_stability_add(&w->series, &step);
  w->before = now;
  w->next = n->cycle + w->series.cycles;
}

/* ---- the end of warm-up and measurement */

static bool is_known(const struct ut_estimate *e, double precision) {
  return !(e->mean > 0) || e->half_width <= precision * e->mean;
}

/* The 99th percentile of what was measured so far, whatever the number of threads. */
static uint64_t long_latency(struct ut_network *n) {
  struct ut_histogram all;
  bool good = ut_histogram_init(&all);
  for (unsigned i = 0; good && i < n->terminals.ranges; i++)
    good = ut_histogram_merge(&all, n->terminals.range[i].latency);
  const uint64_t cycles = good ? ut_histogram_percentile(&all, 99) : 0;
  n->failure |= !good;
  ut_histogram_free(&all);
  return cycles;
}

static bool is_enough(const struct ut_stability_watch *w, struct ut_network *n, bool overloaded) {
  const struct ut_scenario *s = n->scenario;
  const struct ut_stability_verdict v = ut_stability_watch_verdict(w, n);
  const uint64_t cycles = n->cycle - n->terminals.window_start;
  if (cycles < s->run.measure_cycles || !is_known(&v.accepted, s->run.precision))
    return false;
  if (overloaded)
    return v.accepted_level;
  return v.state == UT_STABILITY_STEADY && is_known(&v.latency, s->run.precision) &&
         cycles >= LATENCIES * long_latency(n);
}

/* From time to time: begins the measurement, or begins it anew if the warm-up was longer than it seemed, or ends it. */
static void look(struct ut_stability_watch *w, struct ut_network *n) {
  const struct ut_scenario *s = n->scenario;
  const bool overloaded = ut_stability_overloaded(&w->series), last = n->cycle >= s->run.max_cycles / 2;
  size_t first;
  const bool over = ut_stability_warmup(&w->series, overloaded, &first);
  const uint64_t warmup = w->series.begin + first * w->series.cycles;
  if (n->cycle < s->run.warmup_cycles || w->next_fault != UINT64_MAX)
    return;
  if (w->measuring && over && warmup <= n->terminals.window_start) {
    if (is_enough(w, n, overloaded))
      n->terminals.window_end = n->cycle;
  } else if ((over && !last) || (last && !w->measuring)) {
    w->measuring = true;
    ut_terminals_measure_anew(&n->terminals, n->cycle);
  }
}

/* ---- the watch */

void ut_stability_watch_start(struct ut_stability_watch *w, struct ut_network *n) {
  const struct ut_scenario *s = n->scenario;
  *w = (struct ut_stability_watch){.next = UINT64_MAX, .watched = ut_pattern_has_load(s->traffic.pattern)};
  if (!w->watched)
    return;
  begin(w, n);
  if (s->run.warmup == UT_WARMUP_UNTIL_STABLE) {
    n->terminals.window_start = 0;
    n->terminals.window_end = s->run.max_cycles;
  }
}

void ut_stability_watch_window(struct ut_stability_watch *w, struct ut_network *n) {
  if (n->cycle > n->terminals.window_end) {
    w->next = UINT64_MAX;
    return;
  }
  if (ut_faults_next_cycle(&n->faults) != w->next_fault) {
    begin(w, n);
    return;
  }
  end_window(w, n);
  const size_t windows = w->series.count;
  if (n->scenario->run.warmup == UT_WARMUP_UNTIL_STABLE && windows >= FIRST_LOOK && windows % LOOK_EVERY == 0)
    look(w, n);
}

struct ut_stability_verdict ut_stability_watch_verdict(const struct ut_stability_watch *w, const struct ut_network *n) {
  return ut_stability_judge(&w->series, w->watched ? ut_stability_from(&w->series, n->terminals.window_start) : 0);
}
