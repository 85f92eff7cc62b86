/* sweep_progress.h - a bar on stderr: what is done of a sweep, and the time left; if a terminal watches. */
#ifndef UT_SWEEP_PROGRESS_H
#define UT_SWEEP_PROGRESS_H

#include <stdbool.h>

#include "runner.h"

struct ut_sweep_progress {
  const char *title; /* before the bar, or NULL */
  double start, last;
  bool shown;
};

/* ut_sweep_watch with a struct ut_sweep_progress, which is zero but for its title at first.  Shows at most twice a
 * second. */
void ut_sweep_progress_show(void *progress, const struct ut_standing *s, unsigned running);
/* Takes the bar away. */
void ut_sweep_progress_end(struct ut_sweep_progress *p);

#endif
