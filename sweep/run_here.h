/* run_here.h - the runs of a schedule as processes of this machine. */
#ifndef UT_RUN_HERE_H
#define UT_RUN_HERE_H

#include <signal.h>

#include "error.h"
#include "schedule.h"

struct ut_watch {
  const volatile sig_atomic_t *interrupted; /* set: the runs in progress are stopped, without a result */
  /* NULL, or called twice a second and after each run. */
  void (*progress)(void *ctx, const struct ut_standing *standing, unsigned running);
  void *ctx;
};

/* `jobs` runs at a time, until all are made, or interrupted.  0, also when interrupted; -1 and *e when a result cannot
 * be stored, or a run not be started. */
int ut_run_here(struct ut_schedule *s, unsigned jobs, const struct ut_watch *watch, struct ut_error *e);

#endif
