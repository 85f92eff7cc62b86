/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - how far a long command is, and what is left, on standard error: where a terminal watches one line that
 * is replaced twice a second, else a line every ten seconds.  Nothing with --quiet. */
#ifndef UT_PROGRESS_H
#define UT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cache_caller.h"

/* --quiet: no progress, and no notes on standard error; errors and results are printed all the same. */
extern bool ut_quiet;

struct ut_progress {
  double start, last;    /* seconds; last 0: nothing has been shown */
  double looked;         /* when somebody looked at the clock */
  unsigned wait, stride; /* calls until the next look: steps of a small network are shorter than a look */
};
void ut_progress_start(struct ut_progress *progress);
/* After each step of a simulation.  planned: the cycle in which generation ends; behind it the network drains. */
void ut_progress_show(struct ut_progress *progress, uint64_t cycle, uint64_t planned);
/* done of items: "runs" or another plural. */
void ut_progress_items(struct ut_progress *progress, uint64_t done, uint64_t items, const char *what);
/* The same of fault sets, for struct ut_parallel; progress: a struct ut_progress. */
void ut_progress_fault_sets(void *progress, uint64_t done, uint64_t items);
/* Any other text.  Not started: it starts now. */
void ut_progress_line(struct ut_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* From now on lines begin with "scenario 2 of 5: ", i from 0 on; nothing where there is one. */
void ut_progress_within(const char *what, size_t i, size_t count);
/* Takes the line of a terminal away. */
void ut_progress_end(struct ut_progress *progress);

/* ", 40 s left" of work that has taken `spent` seconds for `done` of `all` items; "" where nothing is known yet. */
enum { UT_LEFT_SIZE = 32 };
const char *ut_progress_left(double spent, double done, double all, char text[UT_LEFT_SIZE]);

/* Shows what a build of an entry of the cache is doing, a line each; NULL with --quiet. */
ut_cache_progress *ut_build_progress(void);

#endif
