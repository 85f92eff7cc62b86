/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - see progress.h */
#include "progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "steady.h"

bool ut_quiet;

/* Seconds until the first line, and from one line to the next: on a terminal, else. */
static const double FIRST_S = 2, TERMINAL_S = 0.5, PIPE_S = 10;

void ut_progress_start(struct ut_progress *progress) {
  *progress = (struct ut_progress){.start = ut_seconds(), .stride = 1};
}

static char within[64]; /* what all that is shown is part of */

void ut_progress_within(const char *what, size_t i, size_t count) {
  within[0] = '\0';
  if (count > 1)
    snprintf(within, sizeof within, "%s %zu of %zu: ", what, i + 1, count);
}

/* Whether a line is to be shown now. */
static bool is_due(struct ut_progress *progress) {
  const double now = ut_seconds();
  if (!progress->stride)
    ut_progress_start(progress);
  if (ut_quiet)
    return false;
  const bool terminal = isatty(STDERR_FILENO);
  if (now - progress->start < (terminal ? FIRST_S : PIPE_S) || now - progress->last < (terminal ? TERMINAL_S : PIPE_S))
    return false;
  progress->last = now;
  return true;
}

/* A terminal's line goes past the stream that escapes control characters, and names nothing of the user's. */
static void put(const char *text) {
  char line[sizeof within + 256];
  snprintf(line, sizeof line, "%s%s", within, text);
  if (isatty(STDERR_FILENO))
    dprintf(STDERR_FILENO, "\r%-*s", 78, line);
  else
    fprintf(stderr, "uturn: %s\n", line);
}

const char *ut_progress_left(double spent, double done, double all, char text[UT_LEFT_SIZE]) {
  const double seconds = done > 0 ? spent / done * (all - done) : -1;
  text[0] = '\0';
  if (seconds >= 0 && seconds < 120)
    snprintf(text, UT_LEFT_SIZE, ", %.0f s left", seconds);
  else if (seconds >= 0)
    snprintf(text, UT_LEFT_SIZE, seconds < 7200 ? ", %.0f min left" : ", %.1f h left",
             seconds / (seconds < 7200 ? 60 : 3600));
  return text;
}

void ut_progress_line(struct ut_progress *progress, const char *format, ...) {
  char text[256];
  va_list ap;
  if (!is_due(progress))
    return;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  put(text);
}

void ut_progress_show(struct ut_progress *progress, uint64_t cycle, uint64_t planned) {
  enum { MOST_STRIDE = 4096 };
  const double NEAR_S = 0.05, FAR_S = 0.2; /* between two looks at the clock */
  if (progress->wait && --progress->wait)
    return;
  const double now = ut_seconds(), passed = now - progress->looked;
  progress->stride = passed < NEAR_S && progress->stride < MOST_STRIDE ? progress->stride * 2
                     : passed > FAR_S                                  ? progress->stride / 2 + 1
                                                                       : progress->stride;
  progress->wait = progress->stride;
  progress->looked = now;
  char left[UT_LEFT_SIZE];
  const double spent = now - progress->start;
  if (cycle >= planned)
    ut_progress_line(progress, "100 %%  cycle %" PRIu64 ", draining since cycle %" PRIu64 ", %.0f cycles/s", cycle,
                     planned, (double)cycle / spent);
  else
    ut_progress_line(progress, "%3.0f %%  cycle %" PRIu64 " of %" PRIu64 ", %.0f cycles/s%s",
                     100.0 * (double)cycle / (double)planned, cycle, planned, (double)cycle / spent,
                     ut_progress_left(spent, (double)cycle, (double)planned, left));
}

void ut_progress_items(struct ut_progress *progress, uint64_t done, uint64_t items, const char *what) {
  const double spent = ut_seconds() - progress->start, rate = (double)done / spent;
  char left[UT_LEFT_SIZE];
  ut_progress_line(progress, "%3.0f %%  %" PRIu64 " of %" PRIu64 " %s, %.*f a second%s",
                   100.0 * (double)done / (double)items, done, items, what, rate < 10, rate,
                   ut_progress_left(spent, (double)done, (double)items, left));
}

void ut_progress_fault_sets(void *progress, uint64_t done, uint64_t items) {
  ut_progress_items(progress, done, items, "fault sets");
}

void ut_progress_end(struct ut_progress *progress) {
  if (progress->last > 0 && isatty(STDERR_FILENO))
    dprintf(STDERR_FILENO, "\r%78s\r", "");
}

/* Of several builds in a row one line every ten seconds, where no terminal watches. */
static void show_build(void *ctx, const char *message) {
  static struct ut_progress all; /* since the first message */
  (void)ctx;
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "uturn: %s\n", message);
  else
    ut_progress_line(&all, "%s", message);
}

ut_cache_progress *ut_build_progress(void) {
  return ut_quiet ? NULL : show_build;
}
