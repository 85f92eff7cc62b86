/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h - the contents of a database of results for each point: mean and confidence interval of every number. */
#ifndef UT_SUMMARY_H
#define UT_SUMMARY_H

#include <stddef.h>

#include "error.h"
#include "stopping.h"
#include "store.h"

struct ut_point_summary {
  size_t point;                 /* its number in the sweep */
  char **value;                 /* [axes]: as text */
  struct ut_estimate *estimate; /* [names]; n 0: no run of the point has it */
  size_t runs, failed, deadlocks;
};

struct ut_summary {
  char *sweep, *command, *find; /* the sweep file, what it runs, "saturation", "peak" or "" */
  double confidence;
  size_t wanted; /* points of the sweep file, with those that have no run yet */
  char **axis, **name;
  size_t axes, names, points;
  struct ut_point_summary *point;
};

/* Of all points that have runs; where: only of runs for which that SQL expression is true, NULL: all.  It may say
 * names as names.h does.  -1 and *e on failure.  To be freed in both cases. */
int ut_summary_load(struct ut_summary *summary, struct ut_store *store, const char *where, struct ut_error *e);
void ut_summary_free(struct ut_summary *summary);

/* The columns of the view `sweep` (made for this connection) for which `where` is true, as a statement to step through;
 * NULL and *e on failure. */
struct sqlite3_stmt *ut_summary_rows(struct ut_store *store, const char *where, struct ut_error *e);
/* Fills *e with the reason why a step has failed, which may be `where` (NULL: there is none).  Always -1. */
int ut_summary_fail(const struct ut_store *store, const char *where, struct ut_error *e);

/* Returns the result that a word names (names.h); summary->names and *e: none. */
size_t ut_summary_result(const struct ut_summary *summary, const char *word, struct ut_error *e);
/* The same of an axis. */
size_t ut_summary_axis(const struct ut_summary *summary, const char *word, struct ut_error *e);

/* Results that are looked at first: those that matter most of each command; else some of those that differ between
 * points.  Writes at most `most` indices, returns how many. */
size_t ut_summary_usual(const struct ut_summary *summary, size_t *index, size_t most);

#endif
