/* SPDX-License-Identifier: Apache-2.0 */
/* cosim.h - the run of `cosim`, for its wave dump and others, too. */
#ifndef UT_COSIM_H
#define UT_COSIM_H

#include "cli.h"
#include "deadlock.h"
#include "exercise.h"
#include "inside.h"

struct ut_cosim_outcome {
  bool ok, deadlock;
  double wall_s;
  struct ut_stability_watch stability; /* of a run from cycle 0 on */
  struct ut_exercise exercise;
};

/* Runs until the scenario, the first failure or cycle `last` ends it.  inside NULL: nobody looks. */
struct ut_cosim_outcome ut_cosim_run(struct ut_lockstep *lockstep, struct ut_elaborator *elaborator, uint64_t last,
                                     struct ut_watchdog *watchdog, struct ut_inside *inside);

/* 0: it ended well.  -1 after filling *e: interrupted, a mismatch, a deadlock, or no memory. */
int ut_cosim_check(const struct ut_lockstep *lockstep, const struct ut_cosim_outcome *outcome, const char *label,
                   struct ut_error *e);

#endif
