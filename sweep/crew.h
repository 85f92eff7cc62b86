/* SPDX-License-Identifier: Apache-2.0 */
/* crew.h - who makes the runs of a sweep: child processes of this one, or the ranks of an MPI job (ranks.h). */
#ifndef UT_CREW_H
#define UT_CREW_H

#include <signal.h>
#include <stdbool.h>

#include "error.h"
#include "points.h"
#include "store.h"

enum ut_crew_event { UT_CREW_NOTHING, UT_CREW_ENDED, UT_CREW_LOST };

struct ut_crew {
  void *ctx;
  /* Somebody has nothing to do. */
  bool (*idle)(void *ctx);
  /* Somebody makes the run, which belongs to the crew then.  Only after idle().  -1 and *e; the run is the caller's
   * then. */
  int (*give)(void *ctx, const struct ut_run *run, struct ut_error *e);
  /* A run that has ended, which is the caller's again: with its outcome (to be freed), or without one because who made
   * it is gone. */
  enum ut_crew_event (*take)(void *ctx, struct ut_run *run, struct ut_outcome *o);
  /* Until something may have happened, or so many seconds have passed.  -1 and *e: nobody is left. */
  int (*wait)(void *ctx, double seconds, struct ut_error *e);
  /* Runs that go on end without an outcome. */
  void (*end)(void *ctx);
};

/* So many child processes at the same time.  -1 and *e on failure. */
int ut_crew_of_processes(struct ut_crew *crew, unsigned jobs, struct ut_error *e);

#endif
