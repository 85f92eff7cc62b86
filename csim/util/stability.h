/* SPDX-License-Identifier: Apache-2.0 */
/* stability.h - is a run stationary?  A pure function of what was counted in windows of equal length.
 *
 * Steady: nothing has a trend.  Growing: the packets that wait become more, so the load is not sustained; a mean
 * latency is then that of a transient.  Collapsed: beyond that, fewer flits arrive than arrived before.
 *
 * - Where the warm-up ends: MSER (White 1997; White, Cobb and Spratt 2000), the truncation that makes the standard
 *   error of the mean of what is left smallest; of the second half of a series it is no answer, the series is too
 * short.
 * - Trend: slope of the regression line through means of batches, Student's t.
 * - Intervals: batch means, Student's t (Law, Simulation Modeling and Analysis, section 9.5.3).
 * Why these, and their limits: docs/reference/steady.md.
 */
#ifndef UT_STABILITY_H
#define UT_STABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "estimate.h"

enum ut_stability { UT_STABILITY_UNKNOWN, UT_STABILITY_STEADY, UT_STABILITY_GROWING, UT_STABILITY_COLLAPSED };
/* "unknown", "steady", "growing", "collapsed" */
const char *ut_stability_name(enum ut_stability state);

/* Counts of some cycles. */
struct ut_stability_window {
  uint64_t generated, left;    /* packets; left: delivered or discarded */
  uint64_t accepted;           /* flits that terminals have received */
  uint64_t delivered, latency; /* packets; sum of their cycles since generation */
  uint64_t waiting;            /* packets at its end: in the network or in source queues */
};

/* Windows from cycle `begin` on.  Their number stays between limits: when there is no more room, two windows become
 * one. */
enum { UT_STABILITY_WINDOWS = 128, UT_STABILITY_FIRST_CYCLES = 16 };
struct ut_stability_series {
  struct ut_stability_window window[UT_STABILITY_WINDOWS];
  size_t count;
  uint64_t begin, cycles; /* cycles: of each window */
  double quiet;           /* least mean latency of a window of the series before: INFINITY, there is none */
};
void ut_stability_begin(struct ut_stability_series *series, uint64_t cycle);
/* Begins anew in a run that goes on.  The latency of a quiet network is remembered: what waits already makes all
 * windows to come slow ones. */
void ut_stability_begin_anew(struct ut_stability_series *series, uint64_t cycle);
/* The window that ends `cycles` after the last one.  The next one may have to be twice as long: series->cycles. */
void ut_stability_add(struct ut_stability_series *series, const struct ut_stability_window *window);
/* Cycle behind the last window; the first window that begins in that cycle or later. */
uint64_t ut_stability_end(const struct ut_stability_series *series);
size_t ut_stability_from(const struct ut_stability_series *series, uint64_t cycle);

/* Returns whether clearly more is offered than the network delivers: in the second half of the series the queues have
 * grown by more than chance explains, and by so much that delivering it takes many latencies of a quiet network. */
bool ut_stability_overloaded(const struct ut_stability_series *series);

/* Windows before *first are warm-up: of what is accepted where it is overloaded, else of the packets that wait.
 * false: the series is too short to say so. */
bool ut_stability_warmup(const struct ut_stability_series *series, bool overloaded, size_t *first);

/* Of the windows from..count-1. */
struct ut_stability_verdict {
  enum ut_stability state;     /* unknown: fewer than 16 windows, or fewer packets wait as time goes on */
  struct ut_estimate accepted; /* flits per cycle, of all terminals; 95 % */
  struct ut_estimate latency;  /* cycles, of the packets that were delivered; 95 % */
  bool accepted_level;         /* what is accepted has no trend */
  double growth;               /* of the packets that wait, as a share of those generated */
};
struct ut_stability_verdict ut_stability_judge(const struct ut_stability_series *series, size_t from);

#endif
