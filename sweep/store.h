/* SPDX-License-Identifier: Apache-2.0 */
/* store.h - the results of a sweep, a SQLite database (docs/reference/sweep.md has the tables).
 *
 * One process writes at a time, others may read meanwhile.  A row is stored as a whole or not at all: the row and its
 * numbers are one transaction, and on the disk when ut_store_add() returns.
 */
#ifndef UT_STORE_H
#define UT_STORE_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "error.h"
#include "points.h"
#include "sweep_file.h"

struct ut_store {
  sqlite3 *db;
  char *path;
  int lock_fd; /* of the writer; -1 */
  sqlite3_stmt *find, *assign, *add, *number;
  int64_t steps; /* left of an expression of the user's */
};

/* The end of a run. */
struct ut_outcome {
  int status;           /* exit status; 128 + n: killed by signal n */
  double wall_s, cpu_s; /* of the process */
  double started;       /* seconds since 1970 */
  char *json;           /* its standard output; NULL: it was not JSON */
  char *message;        /* the end of its standard error, or why there is none; may be NULL */
};
void ut_outcome_free(struct ut_outcome *outcome);
/* The result, 1, of a run of the network that has ended in a deadlock: no other number of it counts in means. */
#define UT_DEADLOCK_RESULT "deadlock"

/* Returns whether the status stands for a result: success, a difference of RTL and model, a deadlock or a
 * counter-example. */
bool ut_outcome_is_result(const struct ut_outcome *outcome);

/* Opens for writing, creates it if it is not there.  Another writer: waits if `wait` (until *interrupted is set), else
 * fails.  -1 and *e (UT_BAD_INPUT: cannot be used, UT_INTERNAL) on failure. */
int ut_store_open(struct ut_store *store, const char *path, bool wait, const volatile sig_atomic_t *interrupted,
                  struct ut_error *e);
/* Opens for reading. */
int ut_store_read(struct ut_store *store, const char *path, struct ut_error *e);
/* Brings everything into the one file, and makes the view `sweep`.  Returns 0, or -1 and *e. */
int ut_store_close(struct ut_store *store, struct ut_error *e);

/* Where a sweep file has its results: beside it, .sqlite in place of .yaml; a database is its own.  -1 and *e: the path
 * is too long. */
int ut_store_path(const char *sweep, char path[PATH_MAX], struct ut_error *e);

/* Replaces the points of the database by those of the sweep file.  Rows of earlier points stay, without a point. */
int ut_store_plan(struct ut_store *store, struct ut_sweep *sweep, struct ut_error *e);

/* The row with the run's key: becomes one of the run's point, fills *outcome (to be freed).  1: it is there, 0: it is
 * not, -1 and *e. */
int ut_store_get(struct ut_store *store, const struct ut_run *run, struct ut_outcome *outcome, struct ut_error *e);
/* Adds the row, or replaces a failed one. */
int ut_store_add(struct ut_store *store, const struct ut_run *run, const struct ut_outcome *outcome,
                 struct ut_error *e);

/* Copies all rows of the database `path` that are missing here, or have failed here and not there; they have no point
 * until ut_store_get() asks for them. */
int ut_store_merge(struct ut_store *store, const char *path, struct ut_error *e);
/* Returns whether another process is writing it. */
bool ut_store_busy(const char *path);

/* Returns one number of the JSON: "latency_cycles.mean", "points[3].faults"; true is 1. */
typedef int ut_store_number(void *ctx, const char *name, double value);
/* All of them, until one call returns non-zero, which is returned. */
int ut_store_numbers(const char *json, ut_store_number *call, void *ctx);

/* Makes the view `sweep`: a line a run that is a result of its point or has failed; a column for each axis and each
 * number, by its full name.  Temporary: for this connection. */
int ut_store_view(struct ut_store *store, bool temporary, struct ut_error *e);

/* For other modules of this room: fills *e from SQLite's last error, returns -1. */
int ut_store_fail(const struct ut_store *store, const char *doing, struct ut_error *e);
/* The same for a file whose pages do not fit together. */
int ut_store_damaged(const struct ut_store *store, struct ut_error *e);
/* A prepared statement with the words bound in order (NULL-terminated); NULL and *e on failure. */
sqlite3_stmt *ut_store_prepare(const struct ut_store *store, const char *sql, struct ut_error *e);
/* A value of the table `meta` (malloc'd); NULL: it is not there. */
char *ut_store_meta(const struct ut_store *store, const char *name);

#endif
