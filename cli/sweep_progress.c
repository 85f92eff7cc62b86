/* sweep_progress.c - see sweep_progress.h */
#include "sweep_progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "steady.h"

enum { WIDTH = 30 };

static void print_left(const struct ut_standing *s, double spent) {
  const size_t made = s->done - s->stored;
  if (!made)
    return;
  const double seconds = spent / (double)made * (double)(s->planned - s->done);
  if (seconds < 120)
    dprintf(STDERR_FILENO, ", %.0f s left", seconds);
  else
    dprintf(STDERR_FILENO, seconds < 7200 ? ", %.0f min left" : ", %.1f h left",
            seconds / (seconds < 7200 ? 60 : 3600));
}

void ut_sweep_progress_show(void *progress, const struct ut_standing *s, unsigned running) {
  struct ut_sweep_progress *p = progress;
  const double now = ut_seconds();
  char bar[WIDTH + 1] = "";
  if (!p->start)
    p->start = now;
  if (!isatty(STDERR_FILENO) || now - p->last < 0.5 || now - p->start < 1)
    return;
  p->last = now;
  p->shown = true;
  memset(bar, '.', WIDTH);
  memset(bar, '#', s->planned ? s->done * WIDTH / s->planned : WIDTH);
  dprintf(STDERR_FILENO, "\r%s%s[%s] %zu of %zu, %u running", p->title ? p->title : "", p->title ? " " : "", bar,
          s->done, s->planned, running);
  if (s->failed)
    dprintf(STDERR_FILENO, ", %zu failed", s->failed);
  print_left(s, now - p->start);
  dprintf(STDERR_FILENO, "   ");
}

void ut_sweep_progress_end(struct ut_sweep_progress *p) {
  if (p->shown)
    dprintf(STDERR_FILENO, "\r%110s\r", "");
  p->shown = false;
}
