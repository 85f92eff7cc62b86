/* SPDX-License-Identifier: Apache-2.0 */
/* stability_watch.h - watches whether a run is stationary (stability.h), and ends its warm-up and its measurement if
 * the scenario says `run.warmup: until_stable`.
 *
 * Windows begin anew when the last fault so far begins or ends: before and after it the network is a different one.
 * Workloads and traces have no load, and are not watched.
 */
#ifndef UT_STABILITY_WATCH_H
#define UT_STABILITY_WATCH_H

#include "network.h"
#include "stability.h"

struct ut_stability_watch {
  struct ut_stability_series series;
  uint64_t next;       /* cycle in which the window ends; UINT64_MAX: the run is not watched any more */
  uint64_t next_fault; /* as it was when the series began */
  bool watched;
  bool measuring;                    /* until_stable: the warm-up is over */
  struct ut_stability_window before; /* sums until the window began */
};

/* Before the first step of a network with golden switches. */
void ut_stability_watch_start(struct ut_stability_watch *watch, struct ut_network *net);
/* A window has ended. */
void ut_stability_watch_window(struct ut_stability_watch *watch, struct ut_network *net);
/* After each step. */
static inline void ut_stability_watch_observe(struct ut_stability_watch *watch, struct ut_network *net) {
  if (net->cycle == watch->next)
    ut_stability_watch_window(watch, net);
}

/* Returns the verdict on the measurement so far.  Unknown: not watched, or too short. */
struct ut_stability_verdict ut_stability_watch_verdict(const struct ut_stability_watch *watch,
                                                       const struct ut_network *net);

#endif
