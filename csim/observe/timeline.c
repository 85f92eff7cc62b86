/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.c - see timeline.h */
#include "timeline.h"

#include <stdlib.h>

#include "fault_entry.h"

bool ut_timeline_init(struct ut_timeline *timeline, const struct ut_network *net, uint64_t every,
                      ut_interval_sink *sink, void *ctx) {
  *timeline = (struct ut_timeline){.every = every, .sink = sink, .ctx = ctx};
  return ut_outages_find(&net->faults, 0, UINT64_MAX, &timeline->outage, &timeline->outages);
}

void ut_timeline_free(struct ut_timeline *timeline) {
  free(timeline->outage);
  *timeline = (struct ut_timeline){0};
}

/* The state in the last cycle of the interval. */
static void count_outages(struct ut_timeline *timeline) {
  for (size_t i = 0; i < timeline->outages; i++) {
    const struct ut_outage *outage = &timeline->outage[i];
    if (outage->from < timeline->now.until && outage->until >= timeline->now.until)
      *(outage->kind == UT_FAULT_SWITCH ? &timeline->now.switches_down : &timeline->now.links_down) += 1;
  }
}

static void end_interval(struct ut_timeline *timeline, const struct ut_network *net) {
  const struct ut_accounts *accounts = &net->terminals.accounts, *before = &timeline->before;
  struct ut_interval *now = &timeline->now;
  now->until = net->cycle;
  now->generated = accounts->generated - before->generated;
  now->injected = accounts->injected_flits - before->injected_flits;
  now->received = net->terminals.received_flits - timeline->received;
  now->delivered = accounts->delivered - before->delivered;
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    now->discarded[i] = accounts->discarded[i] - before->discarded[i];
  now->in_flight = ut_network_outstanding(net);
  now->queued = ut_terminals_queued(&net->terminals);
  now->buffered = ut_network_buffered(net);
  count_outages(timeline);
  timeline->sink(timeline->ctx, now);
  timeline->before = *accounts;
  timeline->received = net->terminals.received_flits;
  *now = (struct ut_interval){.from = net->cycle};
}

void ut_timeline_observe(struct ut_timeline *timeline, const struct ut_network *net, const struct ut_departures *left) {
  for (size_t i = 0; i < left->count; i++) {
    const uint64_t latency = net->cycle - 1 - left->list[i].record.cycle;
    if (left->list[i].reason != UT_DELIVERED)
      continue;
    timeline->now.latency += latency;
    timeline->now.longest = latency > timeline->now.longest ? latency : timeline->now.longest;
  }
  if (net->cycle - timeline->now.from == timeline->every)
    end_interval(timeline, net);
}

void ut_timeline_end(struct ut_timeline *timeline, const struct ut_network *net) {
  if (net->cycle > timeline->now.from)
    end_interval(timeline, net);
}
