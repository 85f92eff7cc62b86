/* SPDX-License-Identifier: Apache-2.0 */
/* schedule.h - decides which run comes next, and processes its outcome.
 *
 * A unit of work is a repetition of a point: one run, or the runs of a search one after the other.  All first
 * repetitions come first, then all second ones.  A run whose row is stored is taken from there.  The set of runs
 * depends neither on how many run at the same time nor on their order.
 */
#ifndef UT_SCHEDULE_H
#define UT_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "points.h"
#include "store.h"
#include "sweep_file.h"

struct ut_schedule;

/* One of `count` processes that make a sweep together, each into a database of its own, makes every count'th unit of
 * work; with a stopping rule every count'th point, since the rule looks at all its repetitions. */
struct ut_share {
  unsigned index, count; /* count 1: everything */
};

/* The database has the sweep's points already (ut_store_plan()).  again_failed: failed runs are repeated.  Both are
 * borrowed.  NULL and *e on failure. */
struct ut_schedule *ut_schedule_make(struct ut_sweep *sweep, struct ut_store *store, struct ut_share share,
                                     bool again_failed, struct ut_error *e);
void ut_schedule_free(struct ut_schedule *schedule);

/* Returns a run to make, which the caller frees.  1: here it is; 0: none until another one ends, or none at all any
 * more (ut_schedule_complete()); -1 and *e. */
int ut_schedule_next(struct ut_schedule *schedule, struct ut_run *run, struct ut_error *e);
/* Stores its outcome.  Returns -1 and fills *e on failure. */
int ut_schedule_take(struct ut_schedule *schedule, const struct ut_run *run, const struct ut_outcome *outcome,
                     struct ut_error *e);
/* Puts it back without an outcome: it is to be made again. */
void ut_schedule_drop(struct ut_schedule *schedule, const struct ut_run *run);

bool ut_schedule_complete(const struct ut_schedule *schedule);

/* Progress, in units; planned: as far as is known, because a stopping rule may want more or end earlier. */
struct ut_standing {
  size_t planned, done, failed;
  size_t stored;     /* of those done: were there before */
  size_t made;       /* runs, with those of searches */
  char message[256]; /* of the first failed one */
};
void ut_schedule_standing(const struct ut_schedule *schedule, struct ut_standing *standing);

#endif
