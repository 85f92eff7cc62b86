/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_progress.c - see sweep_progress.h */
#include "sweep_progress.h"

#include <stdio.h>

#include "steady.h"

void ut_sweep_progress_show(void *progress, const struct ut_standing *standing, unsigned running) {
  struct ut_sweep_progress *sweep_progress = progress;
  char failed[32] = "", left[UT_LEFT_SIZE];
  if (!sweep_progress->progress.start)
    ut_progress_start(&sweep_progress->progress);
  if (standing->failed)
    snprintf(failed, sizeof failed, ", %zu failed", standing->failed);
  const double made = (double)(standing->done - standing->stored),
               wanted = (double)(standing->planned - standing->stored);
  ut_progress_line(&sweep_progress->progress, "%s%s%3.0f %%  %zu of %zu runs, %u running%s%s",
                   sweep_progress->title ? sweep_progress->title : "", sweep_progress->title ? ": " : "",
                   standing->planned ? 100.0 * (double)standing->done / (double)standing->planned : 100, standing->done,
                   standing->planned, running, failed,
                   ut_progress_left(ut_seconds() - sweep_progress->progress.start, made, wanted, left));
}
