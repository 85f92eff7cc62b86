/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_output.c - see sweep_output.h */
#define _GNU_SOURCE
#include "sweep_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "store.h"
#include "summary.h"

enum { MOST_COLUMNS = 16, MOST_DIGITS = 12 };

/* ---- CSV */

static void print_csv_cell(const char *text) {
  if (!text[strcspn(text, "\",\r\n")]) {
    fputs(text, stdout);
    return;
  }
  putchar('"');
  for (; *text; text++)
    fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, stdout);
  putchar('"');
}

static int print_csv(struct ut_store *store, const char *where, struct ut_error *e) {
  enum { FIRST = 1 }; /* behind the row's number in the database */
  sqlite3_stmt *rows = ut_store_view(store, true, e) ? NULL : ut_summary_rows(store, where, e);
  if (!rows)
    return -1;
  const int columns = sqlite3_column_count(rows);
  int step;
  for (int i = FIRST; i < columns; i++) {
    fputs(i > FIRST ? "," : "", stdout);
    print_csv_cell(sqlite3_column_name(rows, i));
  }
  putchar('\n');
  while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
    for (int i = FIRST; i < columns; i++) {
      const char *text = (const char *)sqlite3_column_text(rows, i);
      fputs(i > FIRST ? "," : "", stdout);
      print_csv_cell(text ? text : "");
    }
    putchar('\n');
  }
  const int status = step == SQLITE_DONE ? 0 : ut_summary_fail(store, where, e);
  sqlite3_finalize(rows);
  return status;
}

/* ---- JSON */

static json_t *estimate_json(const struct ut_estimate *estimate) {
  return UT_OBJECT({"mean", ut_real(estimate->mean)}, {"n", ut_int(estimate->n)},
                   {"half_width", isnan(estimate->half_width) ? NULL : ut_real(estimate->half_width)});
}

static json_t *axis_json(const char *text) {
  char *end;
  const double value = strtod(text, &end);
  if (!*text || *end || !isfinite(value))
    return json_string(text);
  const bool whole = strspn(text, "-0123456789") == strlen(text) && fabs(value) < 9e15;
  return whole ? json_integer((json_int_t)value) : json_real(value);
}

static void print_json(const struct ut_summary *stats) {
  json_t *points = json_array();
  for (size_t i = 0; i < stats->points; i++) {
    const struct ut_point_summary *summary = &stats->point[i];
    json_t *axes = json_object(), *results = json_object();
    for (size_t a = 0; a < stats->axes; a++)
      UT_ADD(axes, {stats->axis[a], axis_json(summary->value[a])});
    for (size_t n = 0; n < stats->names; n++)
      UT_ADD(results, {stats->name[n], summary->estimate[n].n ? estimate_json(&summary->estimate[n]) : NULL});
    json_array_append_new(points, UT_OBJECT({"point", ut_int(summary->point)}, {"axes", axes},
                                            {"runs", ut_int(summary->runs)}, {"failed", ut_int(summary->failed)},
                                            {"deadlocks", ut_int(summary->deadlocks)}, {"results", results}));
  }
  ut_result_print(UT_OBJECT({"sweep", ut_string(stats->sweep)}, {"command", ut_string(stats->command)},
                            {"find", ut_string(stats->find)}, {"confidence", ut_real(stats->confidence)},
                            {"points_wanted", ut_int(stats->wanted)}, {"points", points}),
                  true, 9, NULL);
}

/* ---- the table */

struct table {
  size_t column[MOST_COLUMNS];
  size_t columns;
};

static void add_column(struct table *table, size_t column) {
  for (size_t i = 0; i < table->columns; i++)
    if (table->column[i] == column)
      return;
  if (table->columns < MOST_COLUMNS)
    table->column[table->columns++] = column;
}

static int choose_columns(struct table *table, const struct ut_summary *summary, const char *show, struct ut_error *e) {
  char *copy = show ? strdup(show) : NULL, *rest = copy;
  int status = 0;
  *table = (struct table){0};
  for (char *word; !status && rest && (word = strsep(&rest, ","));) {
    struct ut_error why;
    const size_t column = ut_summary_result(summary, word, &why);
    if (column < summary->names)
      add_column(table, column);
    else
      status = ut_fail(e, why.code, "--show: %s", why.text);
  }
  free(copy);
  if (!show)
    table->columns = ut_summary_usual(summary, table->column, MOST_COLUMNS);
  return status;
}

/* A mean has as many digits as its interval, which has two. */
static json_t *cell_json(const struct ut_estimate *estimate) {
  if (!estimate->n)
    return json_null();
  if (isnan(estimate->half_width) || estimate->half_width == 0)
    return ut_format("%.5g", estimate->mean);
  const int digits = 1 - (int)floor(log10(estimate->half_width));
  const int shown = digits < 0 ? 0 : digits > MOST_DIGITS ? MOST_DIGITS : digits;
  return ut_format("%.*f ± %.*f", shown, estimate->mean, shown, estimate->half_width);
}

static json_t *point_json(const struct ut_summary *stats, const struct table *table,
                          const struct ut_point_summary *summary) {
  json_t *cells = json_array();
  for (size_t i = 0; i < stats->axes; i++)
    json_array_append_new(cells, ut_string(summary->value[i]));
  for (size_t i = 0; i < table->columns; i++)
    json_array_append_new(cells, cell_json(&summary->estimate[table->column[i]]));
  return UT_OBJECT({"cells", cells}, {"runs", ut_int(summary->runs)}, {"failed", ut_int(summary->failed)},
                   {"deadlocks", ut_int(summary->deadlocks)});
}

/* Its columns: the axes, the results that were chosen, and the runs. */
static void print_table(const struct ut_summary *summary, const struct table *table) {
  char layout[4096], cells[2048] = "";
  json_t *titles = json_array(), *points = json_array();
  int used = snprintf(layout, sizeof layout, "{|points}"), cell = 0;
  for (size_t i = 0; i < summary->axes + table->columns; i++) {
    json_array_append_new(
        titles, ut_string(i < summary->axes ? summary->axis[i] : summary->name[table->column[i - summary->axes]]));
    used += snprintf(layout + used, sizeof layout - (size_t)used, "{titles.%zu}|", i);
    cell += snprintf(cells + cell, sizeof cells - (size_t)cell, "{cells.%zu}|", i);
  }
  snprintf(layout + used, sizeof layout - (size_t)used,
           "runs|<\n%s{runs}|{?failed}{failed} failed{/}{?deadlocks}{?failed}, {/}{deadlocks} with status 4{/}\n{/}"
           "{?missing}{points_there} of {points_wanted} points\n{/}",
           cells);
  for (size_t p = 0; p < summary->points; p++)
    json_array_append_new(points, point_json(summary, table, &summary->point[p]));
  ut_result_print(UT_OBJECT({"titles", titles}, {"points", points}, {"points_there", ut_int(summary->points)},
                            {"points_wanted", ut_int(summary->wanted)},
                            {"missing", json_boolean(summary->points < summary->wanted)}),
                  false, 9, layout);
}

int ut_sweep_print(const struct ut_sweep_print *print, const char *path, struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary = {0};
  struct table table;
  if (ut_store_read(&store, path, e))
    return -1;
  int status = print->csv ? print_csv(&store, print->where, e) : ut_summary_load(&summary, &store, print->where, e);
  if (!status && print->json)
    print_json(&summary);
  else if (!status && !print->csv && !(status = choose_columns(&table, &summary, print->show, e)))
    print_table(&summary, &table);
  ut_summary_free(&summary);
  struct ut_error ignored;
  ut_store_close(&store, &ignored);
  return status;
}
