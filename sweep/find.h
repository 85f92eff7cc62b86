/* SPDX-License-Identifier: Apache-2.0 */
/* find.h - searches for a load: where a network saturates, or where it delivers most.
 *
 * A search is a pure function of the answers so far.  It asks for one load at a time; a load that is stored is answered
 * again without a run.
 */
#ifndef UT_FIND_H
#define UT_FIND_H

#include <stdbool.h>
#include <stddef.h>

#define UT_LOAD_KEY "traffic.load_flits_per_cycle"

enum ut_find_what { UT_FIND_NOTHING, UT_FIND_SATURATION, UT_FIND_PEAK };

struct ut_find {
  enum ut_find_what what;
  double from, to;  /* loads */
  double precision; /* the search ends when the load is known to that */
  /* Saturation: the highest load that is sustained, and of which at least that share of what is offered is accepted,
   * measured against the share at load `from` (a pattern may have terminals that do not send); or, if that is not 0, at
   * which the mean latency is at most that many times the one at load `from`. */
  double accepted, latency;
};

/* One run.  unsustained: its queues grow, or its throughput has collapsed (stability.h).  deadlock: accepted and
 * latency are meaningless.  latency: infinite if none of the measured packets has arrived. */
struct ut_answer {
  double load, throughput, latency;
  bool deadlock, unsustained;
};

/* The load to try next; false: the search is over. */
bool ut_find_next(const struct ut_find *find, const struct ut_answer *answer, size_t answers, double *load);

/* Returns the result when the search is over: one of the answers.  Saturation: an answer that is not sustained, or
 * deadlocks, is that of the lowest load; then no load was found. */
const struct ut_answer *ut_find_result(const struct ut_find *find, const struct ut_answer *answer, size_t answers);

#endif
