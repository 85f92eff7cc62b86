/* SPDX-License-Identifier: Apache-2.0 */
/* runner.h - makes the runs of a sweep that its database does not contain yet, several at the same time. */
#ifndef UT_RUNNER_H
#define UT_RUNNER_H

#include <signal.h>
#include <stdbool.h>

#include "schedule.h"

/* Called now and then with where the sweep stands, and the runs that go on. */
typedef void ut_sweep_watch(void *ctx, const struct ut_standing *standing, unsigned running);

struct ut_runner {
  unsigned jobs;                            /* runs at the same time, where no ranks make them (ranks.h) */
  struct ut_share share;                    /* count 0: everything */
  const char *known;                        /* a database whose rows are copied; NULL: none */
  bool wait;                                /* also while another sweep writes the database */
  bool again_failed;                        /* failed runs are repeated */
  const volatile sig_atomic_t *interrupted; /* then: ends without those that go on */
  ut_sweep_watch *watch;                    /* or NULL */
  void *ctx;
};

/* Makes the missing runs of a sweep whose points have been checked, into the database `results`.  *standing: what it
 * contains then; less than all if it was interrupted.  Returns 0, or -1 and fills *e. */
int ut_sweep_run(struct ut_sweep *sweep, const char *results, const struct ut_runner *runner,
                 struct ut_standing *standing, struct ut_error *e);

#endif
