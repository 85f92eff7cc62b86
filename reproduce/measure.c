/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c - see measure.h */
#define _GNU_SOURCE
#include "measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

/* What a run has besides axes and results (docs/reference/sweep.md), none of which has such a name. */
static const char *const own[] = {"run", "point", "repetition", "seed", "status", "json"};

static int fail(sqlite3 *db, const char *doing, struct ut_error *e) {
  return ut_fail(e, UT_INTERNAL, "cannot %s: %s", doing, db ? sqlite3_errmsg(db) : "out of memory");
}

static int run_sql(sqlite3 *db, char *sql, const char *doing, struct ut_error *e) {
  const int status = sql && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(db, doing, e);
  sqlite3_free(sql);
  return status;
}

int ut_measure_open(sqlite3 **db, struct ut_error *e) {
  if (sqlite3_open(":memory:", db) != SQLITE_OK)
    return fail(*db, "make a table in memory", e);
  sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "a name that is misspelt" is an error, not a text */
  return run_sql(*db,
                 sqlite3_mprintf("CREATE TABLE every(sweep, repetition); CREATE TABLE axis(name PRIMARY KEY);"
                                 "CREATE TABLE out(repetition); CREATE VIEW run AS SELECT * FROM every "
                                 "WHERE repetition NOT IN (SELECT repetition FROM out)"),
                 "make a table in memory", e);
}

static bool has_column(sqlite3 *db, const char *name) {
  return sqlite3_table_column_metadata(db, "main", "every", name, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* The columns of a statement's rows as a list, each of them also one of `every`; NULL and *e on failure. */
static char *columns_of(sqlite3 *db, sqlite3_stmt *rows, struct ut_error *e) {
  sqlite3_str *list = sqlite3_str_new(db);
  for (int i = 0; i < sqlite3_column_count(rows); i++) {
    const char *name = sqlite3_column_name(rows, i);
    sqlite3_str_appendf(list, i ? ", \"%w\"" : "\"%w\"", name);
    if (!has_column(db, name) &&
        run_sql(db, sqlite3_mprintf("ALTER TABLE every ADD COLUMN \"%w\"", name), "add a column", e)) {
      sqlite3_free(sqlite3_str_finish(list));
      return NULL;
    }
  }
  char *text = sqlite3_str_finish(list);
  if (!text)
    fail(db, "read the results", e);
  return text;
}

/* One row, as it is. */
static int copy_row(sqlite3_stmt *into, const char *sweep, sqlite3_stmt *row, struct ut_error *e) {
  sqlite3 *db = sqlite3_db_handle(into);
  bool bound = sqlite3_bind_text(into, 1, sweep, -1, SQLITE_STATIC) == SQLITE_OK;
  for (int i = 0; i < sqlite3_column_count(row); i++)
    bound &= sqlite3_bind_value(into, i + 2, sqlite3_column_value(row, i)) == SQLITE_OK;
  const int step = bound ? sqlite3_step(into) : SQLITE_ERROR;
  return sqlite3_reset(into) == SQLITE_OK && step == SQLITE_DONE ? 0 : fail(db, "copy the results", e);
}

static int copy_rows(sqlite3 *db, const char *sweep, struct ut_store *store, sqlite3_stmt *rows, struct ut_error *e) {
  sqlite3_stmt *into = NULL;
  int step = SQLITE_ERROR;
  char *columns = columns_of(db, rows, e);
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, "INSERT INTO every(sweep, %s) VALUES(?", columns ? columns : "");
  for (int i = 0; i < sqlite3_column_count(rows); i++)
    sqlite3_str_appendall(sql, ", ?");
  sqlite3_str_appendall(sql, ")");
  char *text = sqlite3_str_finish(sql);
  int status = columns ? 0 : -1;
  if (!status && (!text || sqlite3_prepare_v2(db, text, -1, &into, NULL) != SQLITE_OK))
    status = fail(db, "copy the results", e);
  while (!status && (step = sqlite3_step(rows)) == SQLITE_ROW)
    status = copy_row(into, sweep, rows, e);
  if (!status && step != SQLITE_DONE)
    status = ut_store_fail(store, "read it", e);
  sqlite3_finalize(into);
  sqlite3_free(text);
  sqlite3_free(columns);
  return status;
}

/* Which columns are axes. */
static int copy_axes(sqlite3 *db, struct ut_store *store, struct ut_error *e) {
  sqlite3_stmt *names = ut_store_prepare(store, "SELECT DISTINCT name FROM axes", e);
  int status = names ? 0 : -1;
  while (!status && sqlite3_step(names) == SQLITE_ROW)
    status = run_sql(db, sqlite3_mprintf("INSERT OR IGNORE INTO axis VALUES(%Q)", sqlite3_column_text(names, 0)),
                     "copy the axes", e);
  sqlite3_finalize(names);
  return status;
}

int ut_measure_add(sqlite3 *db, const char *sweep, const char *results, struct ut_error *e) {
  static const char all[] = "SELECT s.*, r.json FROM temp.sweep s JOIN main.runs r ON r.id = s.run";
  struct ut_store store;
  if (ut_store_read(&store, results, e))
    return -1;
  sqlite3_stmt *rows = ut_store_view(&store, true, e) ? NULL : ut_store_prepare(&store, all, e);
  int status = rows ? copy_rows(db, sweep, &store, rows, e) : -1;
  sqlite3_finalize(rows);
  if (!status)
    status = copy_axes(db, &store, e);
  return ut_store_close(&store, status ? NULL : e) || status ? -1 : 0;
}

static bool is_own(const char *name) {
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!strcmp(name, own[i]))
      return true;
  return false;
}

/* `every` has all runs; `run` those that are not left out.  `mean`: the means of all columns of `run` but its own; axes
 * are the same in all runs of a point. */
int ut_measure_finish(sqlite3 *db, struct ut_error *e) {
  sqlite3_stmt *names;
  if (run_sql(db, sqlite3_mprintf("DROP TABLE IF EXISTS mean"), "make the means", e))
    return -1;
  if (sqlite3_prepare_v2(db, "SELECT name, name IN (SELECT name FROM axis) FROM pragma_table_info('every')", -1, &names,
                         NULL) != SQLITE_OK)
    return fail(db, "list the columns", e);
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendall(sql, "CREATE TABLE mean AS SELECT sweep, point, count(*) AS n");
  while (sqlite3_step(names) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(names, 0);
    if (strcmp(name, "sweep") && !is_own(name))
      sqlite3_str_appendf(sql, ", %s(\"%w\") AS \"%w\"", sqlite3_column_int(names, 1) ? "max" : "avg", name, name);
  }
  sqlite3_finalize(names);
  sqlite3_str_appendall(sql, " FROM run GROUP BY sweep, point");
  return run_sql(db, sqlite3_str_finish(sql), "make the means", e);
}

int64_t *ut_measure_repetitions(sqlite3 *db, size_t *count, struct ut_error *e) {
  static const char all[] =
      "SELECT repetition, count(*) OVER () FROM (SELECT DISTINCT repetition FROM every) ORDER BY 1";
  sqlite3_stmt *q;
  int64_t *list = NULL;
  *count = 0;
  if (sqlite3_prepare_v2(db, all, -1, &q, NULL) != SQLITE_OK) {
    fail(db, "list the repetitions", e);
    return NULL;
  }
  while (sqlite3_step(q) == SQLITE_ROW && (list || (list = malloc((size_t)sqlite3_column_int64(q, 1) * sizeof *list))))
    list[(*count)++] = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  if (!list && !(list = malloc(sizeof *list)))
    ut_fail_memory(e);
  return list;
}

int ut_measure_leave_out(sqlite3 *db, int64_t repetition, struct ut_error *e) {
  return run_sql(db, sqlite3_mprintf("DELETE FROM out; INSERT INTO out VALUES(%lld)", (long long)repetition),
                 "leave out a repetition", e) ||
                 ut_measure_finish(db, e)
             ? -1
             : 0;
}

int ut_measure_query(sqlite3 *db, const char *query, double *value, struct ut_error *e) {
  sqlite3_stmt *q;
  *value = NAN;
  if (sqlite3_prepare_v2(db, query, -1, &q, NULL) != SQLITE_OK)
    return ut_fail(e, UT_BAD_INPUT, "the query %s: %s", query, sqlite3_errmsg(db));
  const int step = sqlite3_step(q);
  if (step == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
    *value = sqlite3_column_double(q, 0);
  const int status = step == SQLITE_ROW || step == SQLITE_DONE
                         ? 0
                         : ut_fail(e, UT_BAD_INPUT, "the query %s: %s", query, sqlite3_errmsg(db));
  sqlite3_finalize(q);
  return status;
}
