/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.c - see timeline.h */
#include "timeline.h"

#include <stdlib.h>

#include "scenario.h"

bool ut_timeline_init(struct ut_timeline *t, const struct ut_network *n, uint64_t every, ut_interval_sink *sink,
                      void *ctx) {
  *t = (struct ut_timeline){.every = every, .sink = sink, .ctx = ctx};
  return ut_outages_find(&n->faults, 0, UINT64_MAX, &t->outage, &t->outages);
}

void ut_timeline_free(struct ut_timeline *t) {
  free(t->outage);
  *t = (struct ut_timeline){0};
}

/* What was there in the last cycle of the interval. */
static void count_outages(struct ut_timeline *t) {
  for (size_t i = 0; i < t->outages; i++) {
    const struct ut_outage *o = &t->outage[i];
    if (o->from < t->now.until && o->until >= t->now.until)
      *(o->kind == UT_FAULT_SWITCH ? &t->now.switches_down : &t->now.links_down) += 1;
  }
}

static void end_interval(struct ut_timeline *t, const struct ut_network *n) {
  const struct ut_accounts *a = &n->terminals.accounts, *before = &t->before;
  struct ut_interval *now = &t->now;
  now->until = n->cycle;
  now->generated = a->generated - before->generated;
  now->injected = a->injected_flits - before->injected_flits;
  now->received = n->terminals.received_flits - t->received;
  now->delivered = a->delivered - before->delivered;
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    now->discarded[i] = a->discarded[i] - before->discarded[i];
  now->in_flight = ut_network_outstanding(n);
  now->queued = ut_terminals_queued(&n->terminals);
  now->buffered = ut_network_buffered(n);
  count_outages(t);
  t->sink(t->ctx, now);
  t->before = *a;
  t->received = n->terminals.received_flits;
  *now = (struct ut_interval){.from = n->cycle};
}

void ut_timeline_observe(struct ut_timeline *t, const struct ut_network *n, const struct ut_departures *left) {
  for (size_t i = 0; i < left->count; i++) {
    const uint64_t latency = n->cycle - 1 - left->list[i].record.cycle;
    if (left->list[i].reason != UT_DELIVERED)
      continue;
    t->now.latency += latency;
    t->now.longest = latency > t->now.longest ? latency : t->now.longest;
  }
  if (n->cycle - t->now.from == t->every)
    end_interval(t, n);
}

void ut_timeline_end(struct ut_timeline *t, const struct ut_network *n) {
  if (n->cycle > t->now.from)
    end_interval(t, n);
}
