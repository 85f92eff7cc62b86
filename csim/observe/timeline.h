/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.h - a run divided into intervals of some cycles: what happened in each, and the state at its end. */
#ifndef UT_TIMELINE_H
#define UT_TIMELINE_H

#include "departures.h"
#include "outages.h"

struct ut_interval {
  uint64_t from, until; /* cycles from..until-1 */
  /* in these cycles */
  uint64_t generated;        /* packets */
  uint64_t injected;         /* flits that terminals have sent, header words included, */
  uint64_t received;         /* and received */
  uint64_t delivered;        /* packets */
  uint64_t latency, longest; /* of these: sum and greatest latency, in cycles */
  uint64_t discarded[UT_DISCARD_REASONS];
  /* at their end */
  uint64_t in_flight, queued;         /* packets in the network; packets in source queues */
  uint64_t buffered;                  /* flits in buffers of switches */
  uint32_t links_down, switches_down; /* that have faults */
};
typedef void ut_interval_sink(void *ctx, const struct ut_interval *i);

struct ut_timeline {
  uint64_t every;
  ut_interval_sink *sink;
  void *ctx;
  struct ut_interval now;
  struct ut_accounts before; /* the interval */
  uint64_t received;
  struct ut_outage *outage;
  size_t outages;
};

/* Before the first step.  false: out of memory. */
bool ut_timeline_init(struct ut_timeline *timeline, const struct ut_network *net, uint64_t every,
                      ut_interval_sink *sink, void *ctx);
void ut_timeline_free(struct ut_timeline *timeline);
/* To be called after each step, with the packets that have left. */
void ut_timeline_observe(struct ut_timeline *timeline, const struct ut_network *net, const struct ut_departures *left);
/* It looks when the network is in that cycle: there an interval ends. */
static inline uint64_t ut_timeline_next(const struct ut_timeline *timeline) {
  return timeline->now.from + timeline->every;
}
/* Reports the last interval, which may be shorter. */
void ut_timeline_end(struct ut_timeline *timeline, const struct ut_network *net);

#endif
