/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_progress.h - what is done of a sweep, and the time left (progress.h). */
#ifndef UT_SWEEP_PROGRESS_H
#define UT_SWEEP_PROGRESS_H

#include "progress.h"
#include "runner.h"

struct ut_sweep_progress {
  const char *title; /* before the figures, or NULL; without control characters */
  struct ut_progress progress;
};

/* ut_sweep_watch with a struct ut_sweep_progress, which is zero but for its title at first. */
void ut_sweep_progress_show(void *progress, const struct ut_standing *standing, unsigned running);

#endif
