/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_progress.c - see sweep_progress.h */
#include "sweep_progress.h"

#include <stdio.h>

#include "steady.h"

void ut_sweep_progress_show(void *progress, const struct ut_standing *s, unsigned running) {
  struct ut_sweep_progress *p = progress;
  char failed[32] = "", left[UT_LEFT_SIZE];
  if (!p->progress.start)
    ut_progress_start(&p->progress);
  if (s->failed)
    snprintf(failed, sizeof failed, ", %zu failed", s->failed);
  const double made = (double)(s->done - s->stored), wanted = (double)(s->planned - s->stored);
  ut_progress_line(&p->progress, "%s%s%3.0f %%  %zu of %zu runs, %u running%s%s", p->title ? p->title : "",
                   p->title ? ": " : "", s->planned ? 100.0 * (double)s->done / (double)s->planned : 100, s->done,
                   s->planned, running, failed, ut_progress_left(ut_seconds() - p->progress.start, made, wanted, left));
}
