/* SPDX-License-Identifier: Apache-2.0 */
/* crew.h - makes the runs of a sweep: child processes of this one, or the ranks of an MPI job (ranks.h). */
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
  /* Returns whether some worker is idle. */
  bool (*idle)(void *ctx);
  /* Starts a run on an idle worker; the crew owns the run then.  Only after idle().  Returns -1 and fills *e on
   * failure; the caller keeps the run then. */
  int (*give)(void *ctx, const struct ut_run *run, struct ut_error *e);
  /* Returns a run that has ended, and its ownership: with its outcome (to be freed), or without one because the worker
   * is gone. */
  enum ut_crew_event (*take)(void *ctx, struct ut_run *run, struct ut_outcome *o);
  /* Waits until something may have happened, or that many seconds have passed.  Returns -1 and fills *e: no worker is
   * left. */
  int (*wait)(void *ctx, double seconds, struct ut_error *e);
  /* Ends the running runs without an outcome. */
  void (*end)(void *ctx);
};

/* Uses that many child processes at the same time.  Returns -1 and fills *e on failure. */
int ut_crew_of_processes(struct ut_crew *crew, unsigned jobs, struct ut_error *e);

#endif
