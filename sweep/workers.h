/* SPDX-License-Identifier: Apache-2.0 */
/* workers.h - runs as child processes: this program with other arguments, so that a crash costs its run only.
 *
 * A child reads its scenario from its standard input, which is memory; it leaves no file behind.  It leads a process
 * group of its own, so that Ctrl-C in a terminal does not reach it, and dies with this process.
 */
#ifndef UT_WORKERS_H
#define UT_WORKERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "points.h"
#include "store.h"

struct ut_worker { /* all zero: idle */
  struct ut_run run;
  pid_t pid; /* 0: idle */
  int out, err;
  double started, clock; /* seconds since 1970, of the steady clock */
};

/* Starts a run, which the worker then owns.  Returns -1 and fills *e on failure; the caller keeps the run then. */
int ut_worker_start(struct ut_worker *worker, const struct ut_run *run, struct ut_error *e);
/* Returns true and fills *outcome (to be freed) when the run has ended; the worker is idle then, and the caller owns
 * *run again. */
bool ut_worker_ended(struct ut_worker *worker, struct ut_run *run, struct ut_outcome *outcome);
/* Stops it without an outcome. */
void ut_worker_stop(struct ut_worker *worker);

/* To be called once: blocks SIGCHLD, so that the following function can wait for it. */
void ut_workers_init(void);
/* Waits until a child ends, a signal arrives, or that many seconds have passed. */
void ut_workers_wait(double seconds);

#endif
