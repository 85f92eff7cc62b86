/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h - what queries see of the sweeps of an experiment (docs/reference/reproduce.md): two tables in memory,
 *
 *   run   a row for each run that ended: sweep, point, repetition, seed, status, json, and a column for each axis and
 *         result
 *   mean  a row for each point: sweep, point, n runs, the axes, the means of the results
 */
#ifndef UT_MEASURE_H
#define UT_MEASURE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* -1 and *e on failure; *db is to be closed in both cases. */
int ut_measure_open(sqlite3 **db, struct ut_error *e);
/* Adds the runs of the database of a sweep. */
int ut_measure_add(sqlite3 *db, const char *sweep, const char *results, struct ut_error *e);
/* When all are there: makes `mean`. */
int ut_measure_finish(sqlite3 *db, struct ut_error *e);
/* The numbers of all repetitions, to be freed; NULL and *e on failure. */
int64_t *ut_measure_repetitions(sqlite3 *db, size_t *count, struct ut_error *e);
/* From now on queries see all runs but those of this repetition. */
int ut_measure_leave_out(sqlite3 *db, int64_t repetition, struct ut_error *e);
/* The one number that a SELECT gives; NaN: none.  -1 and *e (UT_BAD_INPUT): it is no query of these tables. */
int ut_measure_query(sqlite3 *db, const char *query, double *value, struct ut_error *e);

#endif
