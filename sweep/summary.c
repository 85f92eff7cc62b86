/* SPDX-License-Identifier: Apache-2.0 */
/* summary.c - see summary.h */
#define _GNU_SOURCE
#include "summary.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "names.h"

static int __attribute__((cold)) out_of_memory(const struct ut_store *store, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", store->path);
}

/* Returns a name as messages show it (malloc'd): it may contain bytes that are no UTF-8, are not allowed in JSON, or
 * control a terminal. */
static char *shown(const char *text) {
  const size_t size = 4 * strlen(text) + 5;
  char *escaped = malloc(size);
  if (escaped)
    ut_escape_controls(escaped, size, text);
  return escaped;
}

static char *column_text(sqlite3_stmt *q, int column) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  if (!text && sqlite3_errcode(sqlite3_db_handle(q)) == SQLITE_NOMEM)
    return NULL;
  return shown(text ? text : "");
}

static char *meta_text(const struct ut_store *store, const char *name) {
  char *text = ut_store_meta(store, name), *escaped = text ? shown(text) : NULL;
  free(text);
  return escaped;
}

/* ---- expressions */

/* The columns of the view. */
static size_t column_names(sqlite3_stmt *all, const char ***names) {
  const int n = sqlite3_column_count(all);
  *names = calloc((size_t)n + 1, sizeof **names);
  for (int i = 0; *names && i < n; i++)
    (*names)[i] = sqlite3_column_name(all, i);
  return *names ? (size_t)n : 0;
}

static bool is_part(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '[' || c == ']';
}

#define EXAMPLE "as in --where \"load < 0.3 and algorithm = 'fta'\""

/* Replaces names of columns, whole or short, by quoted ones; copies everything else. */
static char *translate(const char *where, const char *const *names, size_t count) {
  char *sql = NULL;
  size_t size;
  FILE *f = ut_memory_open(&sql, &size);
  if (!f)
    return NULL;
  for (const char *c = where; *c;) {
    char word[256];
    size_t length = 0;
    if (*c == '\'' || *c == '"') {
      const char *end = strchr(c + 1, *c);
      length = end ? (size_t)(end - c) + 1 : strlen(c);
    } else if (isalpha((unsigned char)*c) || *c == '_') {
      while (is_part(c[length]))
        length++;
      snprintf(word, sizeof word, "%.*s", (int)length, c);
      const size_t i = ut_name_find(names, count, word, NULL);
      if (i < count) {
        fprintf(f, "\"%s\"", names[i]);
        c += length;
        continue;
      }
    } else {
      length = 1;
      if (isdigit((unsigned char)*c))
        while (is_part(c[length]))
          length++;
    }
    fwrite(c, 1, length, f);
    c += length;
  }
  return ut_memory_close(f, &sql) ? NULL : sql;
}

/* Limit on an expression of the user, which might never end, in SQLite's steps, about 30 million a second: a column of
 * a run takes some hundred, so the limit is far above any real use. */
enum { STEPS_AT_ONCE = 1000000, TIMES_AT_LEAST = 20, TIMES_A_RUN = 1 };

static int count_down(void *left) {
  return --*(int64_t *)left < 0;
}

static void limit_steps(struct ut_store *store) {
  sqlite3_stmt *q = NULL;
  store->steps = TIMES_AT_LEAST;
  if (sqlite3_prepare_v2(store->db, "SELECT count(*) FROM runs", -1, &q, NULL) == SQLITE_OK &&
      sqlite3_step(q) == SQLITE_ROW)
    store->steps += TIMES_A_RUN * sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  sqlite3_progress_handler(store->db, STEPS_AT_ONCE, count_down, &store->steps);
}

/* Of a statement with an expression of the user's: 0 where all in it has a value. */
static int check_parameters(const char *where, sqlite3_stmt **rows, struct ut_error *e) {
  if (!*rows || !sqlite3_bind_parameter_count(*rows))
    return 0;
  const char *name = sqlite3_bind_parameter_name(*rows, 1);
  ut_fail(e, UT_BAD_INPUT, "--where %.300s: '%s' stands for no value\n" EXAMPLE, where, name ? name : "?");
  sqlite3_finalize(*rows);
  *rows = NULL;
  return -1;
}

sqlite3_stmt *ut_summary_rows(struct ut_store *store, const char *where, struct ut_error *e) {
  sqlite3_stmt *all = ut_store_prepare(store, "SELECT * FROM temp.sweep", e), *rows = NULL;
  const char **names = NULL;
  if (!all || !where)
    return all;
  const size_t count = column_names(all, &names);
  char *sql = names ? translate(where, names, count) : NULL, *query = NULL;
  if (!sql || asprintf(&query, "SELECT * FROM temp.sweep WHERE (%s\n)", sql) < 0) {
    query = NULL;
    out_of_memory(store, e);
  } else if (sqlite3_prepare_v2(store->db, query, -1, &rows, NULL) != SQLITE_OK) {
    ut_summary_fail(store, where, e);
  } else if (check_parameters(where, &rows, e) == 0) {
    limit_steps(store);
  }
  free(names);
  free(query);
  free(sql);
  sqlite3_finalize(all);
  return rows;
}

int ut_summary_fail(const struct ut_store *store, const char *where, struct ut_error *e) {
  const int code = sqlite3_errcode(store->db) & 0xff;
  if (where && code == SQLITE_INTERRUPT)
    return ut_fail(e, UT_BAD_INPUT, "--where %.300s: it does not end, or takes too long\n" EXAMPLE, where);
  if (!where || (code != SQLITE_ERROR && code != SQLITE_TOOBIG && code != SQLITE_MISMATCH))
    return ut_store_fail(store, "read it", e);
  return ut_fail(e, UT_BAD_INPUT, "--where %.300s: %.300s\n" EXAMPLE, where, sqlite3_errmsg(store->db));
}

/* ---- reading the database */

static int read_text_list(struct ut_store *store, const char *sql, char ***list, size_t *count, struct ut_error *e) {
  sqlite3_stmt *q = ut_store_prepare(store, sql, e);
  int step, status = 0;
  if (!q)
    return -1;
  while (!status && (step = sqlite3_step(q)) == SQLITE_ROW) {
    char **more = realloc(*list, (*count + 1) * sizeof *more);
    if (more)
      *list = more;
    if (!more || !(more[*count] = column_text(q, 0)))
      status = out_of_memory(store, e);
    else
      ++*count;
  }
  if (!status && step != SQLITE_DONE)
    status = ut_store_fail(store, "read it", e);
  sqlite3_finalize(q);
  return status;
}

static int read_axis_values(struct ut_summary *stats, struct ut_store *store, struct ut_point_summary *summary,
                            struct ut_error *e) {
  sqlite3_stmt *q = ut_store_prepare(store, "SELECT value FROM axes WHERE point = ? ORDER BY axis", e);
  if (!q)
    return -1;
  sqlite3_bind_int64(q, 1, (int64_t)summary->point);
  int status = 0;
  for (size_t i = 0; !status && i < stats->axes; i++) {
    sqlite3_step(q);
    summary->value[i] = column_text(q, 0);
    status = summary->value[i] ? 0 : out_of_memory(store, e);
  }
  sqlite3_finalize(q);
  return status;
}

static struct ut_point_summary *new_point(struct ut_summary *stats, struct ut_store *store, size_t point,
                                          struct ut_error *e) {
  struct ut_point_summary *more = realloc(stats->point, (stats->points + 1) * sizeof *more);
  if (!more) {
    out_of_memory(store, e);
    return NULL;
  }
  stats->point = more;
  struct ut_point_summary *summary = &stats->point[stats->points++];
  *summary = (struct ut_point_summary){.point = point,
                                       .value = calloc(stats->axes + 1, sizeof *summary->value),
                                       .estimate = calloc(stats->names + 1, sizeof *summary->estimate)};
  if (!summary->value || !summary->estimate) {
    out_of_memory(store, e);
    return NULL;
  }
  for (size_t i = 0; i < stats->names; i++)
    summary->estimate[i] = (struct ut_estimate){.mean = NAN, .half_width = NAN};
  return read_axis_values(stats, store, summary, e) ? NULL : summary;
}

/* Returns the columns of a row that are results, in the order of summary->name; -1: not in the view. */
static int *result_columns(const struct ut_summary *summary, sqlite3_stmt *rows) {
  int *column = malloc((summary->names + 1) * sizeof *column);
  for (size_t i = 0; column && i < summary->names; i++) {
    column[i] = -1;
    for (int c = 0; c < sqlite3_column_count(rows); c++)
      if (!strcmp(sqlite3_column_name(rows, c), summary->name[i]))
        column[i] = c;
  }
  return column;
}

struct values {
  double *of; /* [names][runs of a point] */
  size_t *n;  /* [names] */
  size_t room;
};

static bool make_room(struct values *values, size_t names, size_t runs) {
  if (!values->n)
    values->n = calloc(names + 1, sizeof *values->n);
  if (runs <= values->room)
    return values->n != NULL;
  const size_t room = 2 * runs;
  double *more = malloc((names + 1) * room * sizeof *more);
  if (!more)
    return false;
  for (size_t i = 0; values->of && i < names; i++)
    memcpy(more + i * room, values->of + i * values->room, values->n[i] * sizeof *more);
  free(values->of);
  values->of = more;
  values->room = room;
  return values->n != NULL;
}

/* Adds a row's numbers to point summary->points - 1; returns how many it has.  A network in a deadlock delivers
 * nothing: of such a run only the deadlock counts. */
static size_t take_row(const struct ut_summary *summary, sqlite3_stmt *row, const int *column, struct values *values) {
  size_t found = 0;
  bool deadlock = false;
  for (size_t i = 0; i < summary->names && !deadlock; i++)
    deadlock =
        column[i] >= 0 && !strcmp(summary->name[i], UT_DEADLOCK_RESULT) && sqlite3_column_double(row, column[i]) != 0;
  for (size_t i = 0; i < summary->names; i++) {
    if (column[i] < 0 || sqlite3_column_type(row, column[i]) == SQLITE_NULL)
      continue;
    found++;
    if (!deadlock || !strcmp(summary->name[i], UT_DEADLOCK_RESULT))
      values->of[i * values->room + values->n[i]++] = sqlite3_column_double(row, column[i]);
  }
  return found;
}

static void estimate(struct ut_summary *summary, struct values *values) {
  for (size_t i = 0; summary->points && i < summary->names; i++) {
    if (values->n[i])
      summary->point[summary->points - 1].estimate[i] =
          ut_estimate_of(values->of + i * values->room, values->n[i], summary->confidence);
    values->n[i] = 0;
  }
}

/* Rows come point by point. */
static int read_rows(struct ut_summary *stats, struct ut_store *store, sqlite3_stmt *rows, const char *where,
                     const int *column, struct values *values, struct ut_error *e) {
  enum { POINT = 1, STATUS = 4 }; /* of the view */
  struct ut_point_summary *summary = NULL;
  int step;
  while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
    const size_t point = (size_t)sqlite3_column_int64(rows, POINT);
    const int status = sqlite3_column_int(rows, STATUS);
    if (!summary || summary->point != point) {
      if (summary)
        estimate(stats, values);
      summary = new_point(stats, store, point, e);
      if (!summary)
        return -1;
    }
    summary->runs++;
    summary->deadlocks += status == UT_DEADLOCK;
    if (!make_room(values, stats->names, summary->runs))
      return out_of_memory(store, e);
    summary->failed += !take_row(stats, rows, column, values);
  }
  if (summary)
    estimate(stats, values);
  return step == SQLITE_DONE ? 0 : ut_summary_fail(store, where, e);
}

static const char result_names[] =
    "SELECT DISTINCT name FROM results WHERE run IN (SELECT id FROM runs WHERE point IS NOT NULL AND NOT probe) "
    "ORDER BY name LIMIT 1900";

int ut_summary_load(struct ut_summary *summary, struct ut_store *store, const char *where, struct ut_error *e) {
  char *confidence = ut_store_meta(store, "confidence"), *points = ut_store_meta(store, "points");
  *summary = (struct ut_summary){.sweep = meta_text(store, "sweep"),
                                 .command = meta_text(store, "command"),
                                 .find = meta_text(store, "find"),
                                 .confidence = confidence ? strtod(confidence, NULL) : 0.95,
                                 .wanted = points ? strtoul(points, NULL, 10) : 0};
  free(confidence);
  free(points);
  if (ut_store_view(store, true, e) ||
      read_text_list(store, "SELECT DISTINCT name FROM axes WHERE point = 0 ORDER BY axis", &summary->axis,
                     &summary->axes, e) ||
      read_text_list(store, result_names, &summary->name, &summary->names, e))
    return -1;
  sqlite3_stmt *rows = ut_summary_rows(store, where, e);
  if (!rows)
    return -1;
  struct values values = {0};
  int *column = result_columns(summary, rows);
  const int status = column ? read_rows(summary, store, rows, where, column, &values, e) : out_of_memory(store, e);
  free(column);
  free(values.of);
  free(values.n);
  sqlite3_finalize(rows);
  return status;
}

void ut_summary_free(struct ut_summary *summary) {
  for (size_t i = 0; i < summary->points; i++) {
    for (size_t a = 0; summary->point[i].value && a < summary->axes; a++)
      free(summary->point[i].value[a]);
    free(summary->point[i].value);
    free(summary->point[i].estimate);
  }
  for (size_t i = 0; i < summary->axes; i++)
    free(summary->axis[i]);
  for (size_t i = 0; i < summary->names; i++)
    free(summary->name[i]);
  free(summary->axis);
  free(summary->name);
  free(summary->point);
  free(summary->sweep);
  free(summary->command);
  free(summary->find);
  *summary = (struct ut_summary){0};
}

size_t ut_summary_result(const struct ut_summary *summary, const char *word, struct ut_error *e) {
  return ut_name_find((const char *const *)summary->name, summary->names, word, e);
}

size_t ut_summary_axis(const struct ut_summary *summary, const char *word, struct ut_error *e) {
  return ut_name_find((const char *const *)summary->axis, summary->axes, word, e);
}

/* ---- results that are looked at first */

static bool varies(const struct ut_summary *summary, size_t name) {
  double first = NAN;
  for (size_t i = 0; i < summary->points; i++) {
    const double mean = summary->point[i].estimate[name].mean;
    if (!isnan(mean) && !isnan(first) && mean != first)
      return true;
    first = isnan(first) ? mean : first;
  }
  return false;
}

size_t ut_summary_usual(const struct ut_summary *summary, size_t *index, size_t most) {
  static const char *const usual[] = {"saturation.load_flits_per_cycle",
                                      "saturation.throughput_flits_per_cycle_per_terminal",
                                      "peak.throughput_flits_per_cycle_per_terminal",
                                      "peak.load_flits_per_cycle",
                                      "throughput_flits_per_cycle_per_terminal",
                                      "latency_cycles.mean",
                                      "latency_cycles.p99",
                                      "stability.steady",
                                      "fault_sets",
                                      "fault_sets_connected",
                                      "fault_sets_with_cycle",
                                      "nand2_equivalents",
                                      "cells",
                                      "area_um2",
                                      "flip_flops",
                                      "longest_path_ns"};
  enum { ENOUGH = 5 };
  size_t n = 0;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    for (size_t j = 0; j < summary->names && n < most; j++)
      if (!strcmp(summary->name[j], usual[i]))
        index[n++] = j;
  for (size_t i = 0, some = n; !some && i < summary->names && n < most && n < ENOUGH; i++)
    if (varies(summary, i) && !strstr(summary->name[i], "wall_s"))
      index[n++] = i;
  for (size_t i = 0, some = n; !some && i < summary->names && n < most && n < ENOUGH; i++)
    index[n++] = i;
  return n;
}
