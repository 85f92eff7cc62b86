/* SPDX-License-Identifier: Apache-2.0 */
/* store_check.c - see store_check.h */
#define _GNU_SOURCE
#include "store_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_file.h"

/* ---- the file */

static int64_t number_of(const struct ut_store *store, const char *sql, int64_t otherwise) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
    otherwise = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return otherwise;
}

/* The first value of a statement (malloc'd), "" if there is no row or it is NULL; NULL after filling *e.  So a
 * statement that looks for what is wrong has some text in each row. */
static char *text_of(const struct ut_store *store, const char *sql, const char *name, struct ut_error *e) {
  sqlite3_stmt *q = ut_store_prepare(store, sql, e);
  if (!q)
    return NULL;
  if (name)
    sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
  const int step = sqlite3_step(q);
  const char *text = step == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
  char *copy = step == SQLITE_ROW || step == SQLITE_DONE ? strdup(text ? text : "") : NULL;
  if (!copy)
    ut_store_fail(store, "read it", e);
  sqlite3_finalize(q);
  return copy;
}

static int check_owner(const struct ut_store *store, bool *empty, struct ut_error *e) {
  const int64_t id = number_of(store, "PRAGMA application_id", -1),
                format = number_of(store, "PRAGMA user_version", -1);
  if (*empty && id == 0)
    return 0;
  *empty = false;
  if (id != UT_STORE_ID)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: a database of another program; nothing was changed\nchoose another file with --results",
                   store->path);
  if (format != UT_STORE_FORMAT)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: results of another version of uturn (format %d, this one knows %d)\nchoose another file with "
                   "--results",
                   store->path, (int)format, UT_STORE_FORMAT);
  return 0;
}

static int check_pages(const struct ut_store *store, struct ut_error *e) {
  char *found = text_of(store, "PRAGMA quick_check(1)", NULL, e);
  const int status = !found ? -1 : !strcmp(found, "ok") ? 0 : ut_store_damaged(store, e);
  free(found);
  return status;
}

/* ---- the contents */

static int __attribute__((format(printf, 3, 4)))
refuse(const struct ut_store *store, struct ut_error *e, const char *format, ...) {
  char what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return ut_fail(
      e, UT_BAD_INPUT,
      "%s: no results as a sweep writes them: %s; nothing was changed\nmove it away and run the sweep again, "
      "or choose another file with --results",
      store->path, what);
}

/* Tables with just these columns, of which none is computed. */
static int check_tables(const struct ut_store *store, struct ut_error *e) {
  static const char type[] = "SELECT CASE WHEN type <> 'table' THEN 'a ' || type WHEN rootpage = 0 THEN 'a virtual "
                             "table' ELSE 'a plain table' "
                             "END FROM sqlite_master WHERE name = ?";
  static const char columns[] =
      "SELECT group_concat(name || CASE hidden WHEN 0 THEN '' ELSE ' (computed)' END) FROM pragma_table_xinfo(?)";
  static const struct {
    const char *name, *type, *columns; /* NULL: whatever they are */
  } ours[] = {{"meta", "a plain table", "name,value"},
              {"axes", "a plain table", "point,axis,name,value"},
              {"runs", "a plain table",
               "id,key,point,repetition,probe,load,seed,status,message,started,wall_s,cpu_s,version,command,scenario,"
               "json"},
              {"results", "a plain table", "run,name,value"},
              {"sweep", "a view", NULL}};
  int status = 0;
  for (size_t i = 0; i < sizeof ours / sizeof *ours && !status; i++) {
    char *found = text_of(store, type, ours[i].name, e), *has = NULL;
    if (!found)
      return -1;
    if (!*found && ours[i].columns)
      status = refuse(store, e, "there is no table '%s'", ours[i].name);
    else if (*found && strcmp(found, ours[i].type))
      status = refuse(store, e, "'%s' is %.40s, and not %s", ours[i].name, found, ours[i].type);
    else if (ours[i].columns && !(has = text_of(store, columns, ours[i].name, e)))
      status = -1;
    else if (has && strcmp(has, ours[i].columns))
      status = refuse(store, e, "the columns of '%s' are %.200s, and not %s", ours[i].name, has, ours[i].columns);
    free(has);
    free(found);
  }
  return status;
}

/* Values that can be neither drawn nor printed: infinite, or not a number. */
#define NO_NUMBER(column) "(typeof(" column ") NOT IN ('real', 'integer', 'null') OR abs(" column ") > 1.797e308)"
#define NO_INTEGER(column) "typeof(" column ") NOT IN ('integer', 'null')"
#define QUOTED(column) " || '''' || " column " || ''''"

/* The first value that is none. */
static int check_values(const struct ut_store *store, struct ut_error *e) {
  static const char *const wrong[] = {
      /* results and axes */
      "SELECT 'no text: the name of a result' FROM results WHERE typeof(name) <> 'text' OR name = ''",
      "SELECT 'no finite number: a value of the result '" QUOTED("name") " FROM results WHERE " NO_NUMBER("value"),
      "SELECT 'no text: the name of an axis' FROM axes WHERE typeof(name) <> 'text' OR name = ''",
      "SELECT 'neither a text nor a finite number: a value of the axis '" QUOTED(
          "name") " FROM axes WHERE "
                  "typeof(value) <> 'text' AND (value IS NULL OR " NO_NUMBER("value") ")",
      "SELECT 'no whole number: a point or place of the axis '" QUOTED("name") " FROM axes WHERE " NO_INTEGER(
          "point") " OR " NO_INTEGER("axis"),
      /* runs */
      "SELECT 'no whole number: the status, point, repetition, probe or seed of run ' || id FROM runs "
      "WHERE " NO_INTEGER("status") " OR " NO_INTEGER("point") " OR " NO_INTEGER("repetition") " OR " NO_INTEGER(
          "probe") " OR " NO_INTEGER("seed"),
      "SELECT 'no finite number: the load, wall_s or cpu_s of run ' || id FROM runs WHERE " NO_NUMBER(
          "load") " OR " NO_NUMBER("wall_s") " OR " NO_NUMBER("cpu_s"),
      /* the sweep */
      "SELECT 'no text: the value of '" QUOTED("name") " FROM meta WHERE typeof(value) <> 'text'",
      "SELECT 'not between 0 and 1: the confidence '" QUOTED(
          "value") " FROM meta WHERE name = 'confidence' AND NOT "
                   "(CAST(value AS REAL) > 0 AND CAST(value AS REAL) < 1)",
      "SELECT 'no number of points: '" QUOTED("value") " FROM meta WHERE name = 'points' AND (value GLOB '*[^0-9]*' OR "
                                                       "length(value) NOT BETWEEN 1 AND 9)",
  };
  int status = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong && !status; i++) {
    char *found = text_of(store, wrong[i], NULL, e);
    if (!found)
      return -1;
    if (*found)
      status = refuse(store, e, "%.160s", found);
    free(found);
  }
  const int64_t axes = status ? 0 : number_of(store, "SELECT count(DISTINCT name) FROM axes", 0);
  return axes > UT_MOST_AXES ? refuse(store, e, "it has %lld axes, more than %d", (long long)axes, UT_MOST_AXES)
                             : status;
}

int ut_store_check(const struct ut_store *store, bool *empty, struct ut_error *e) {
  char *objects = text_of(store, "SELECT count(*) FROM sqlite_master", NULL, e); /* the first that reads the file */
  if (!objects)
    return -1;
  *empty = !strcmp(objects, "0");
  free(objects);
  /* a trigger is foreign code */
  sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  if (check_owner(store, empty, e))
    return -1;
  return *empty ? 0 : check_pages(store, e) || check_tables(store, e) || check_values(store, e) ? -1 : 0;
}
