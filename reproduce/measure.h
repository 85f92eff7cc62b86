/* measure.h - what queries see of the sweeps of an experiment (docs/reproduce.md): two tables in memory,
 *
 *   run   a row for each run that ended: sweep, point, repetition, seed, status, json, and a column for each axis and
 *         result
 *   mean  a row for each point: sweep, point, n runs, the axes, the means of the results
 */
#ifndef UT_MEASURE_H
#define UT_MEASURE_H

#include <sqlite3.h>

#include "error.h"

/* -1 and *e on failure; *db is to be closed in both cases. */
int ut_measure_open(sqlite3 **db, struct ut_error *e);
/* Adds the runs of the database of a sweep. */
int ut_measure_add(sqlite3 *db, const char *sweep, const char *results, struct ut_error *e);
/* When all are there: makes `mean`. */
int ut_measure_finish(sqlite3 *db, struct ut_error *e);
/* The one number that a SELECT gives; NaN: none.  -1 and *e (UT_BAD_INPUT): it is no query of these tables. */
int ut_measure_query(sqlite3 *db, const char *query, double *value, struct ut_error *e);

#endif
