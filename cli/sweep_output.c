/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_output.c - see sweep_output.h */
#define _GNU_SOURCE
#include "sweep_output.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"
#include "summary.h"

enum { MOST_COLUMNS = 16, CELL = 64, MOST_DIGITS = 12 };

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

static json_t *estimate_json(const struct ut_estimate *v) {
  json_t *o = json_pack("{s:f,s:I}", "mean", v->mean, "n", (json_int_t)v->n);
  if (!isnan(v->half_width))
    json_object_set_new(o, "half_width", json_real(v->half_width));
  return o;
}

static json_t *axis_json(const char *text) {
  char *end;
  const double value = strtod(text, &end);
  if (!*text || *end || !isfinite(value))
    return json_string(text);
  const bool whole = strspn(text, "-0123456789") == strlen(text) && fabs(value) < 9e15;
  return whole ? json_integer((json_int_t)value) : json_real(value);
}

static void print_json(const struct ut_summary *s) {
  json_t *points = json_array();
  for (size_t i = 0; i < s->points; i++) {
    const struct ut_point_summary *p = &s->point[i];
    json_t *axes = json_object(), *results = json_object();
    for (size_t a = 0; a < s->axes; a++)
      json_object_set_new(axes, s->axis[a], axis_json(p->value[a]));
    for (size_t n = 0; n < s->names; n++)
      if (p->estimate[n].n)
        json_object_set_new(results, s->name[n], estimate_json(&p->estimate[n]));
    json_array_append_new(points, json_pack("{s:I,s:o,s:I,s:I,s:I,s:o}", "point", (json_int_t)p->point, "axes", axes,
                                            "runs", (json_int_t)p->runs, "failed", (json_int_t)p->failed, "deadlocks",
                                            (json_int_t)p->deadlocks, "results", results));
  }
  json_t *all = json_pack("{s:s?,s:s?,s:s?,s:f,s:I,s:o}", "sweep", s->sweep, "command", s->command, "find", s->find,
                          "confidence", s->confidence, "points_wanted", (json_int_t)s->wanted, "points", points);
  json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(all);
}

/* ---- the table */

struct table {
  size_t column[MOST_COLUMNS];
  size_t columns;
};

static void add_column(struct table *t, size_t column) {
  for (size_t i = 0; i < t->columns; i++)
    if (t->column[i] == column)
      return;
  if (t->columns < MOST_COLUMNS)
    t->column[t->columns++] = column;
}

static int choose_columns(struct table *t, const struct ut_summary *s, const char *show, struct ut_error *e) {
  char *copy = show ? strdup(show) : NULL, *rest = copy;
  int status = 0;
  *t = (struct table){0};
  for (char *word; !status && rest && (word = strsep(&rest, ","));) {
    struct ut_error why;
    const size_t column = ut_summary_result(s, word, &why);
    if (column < s->names)
      add_column(t, column);
    else
      status = ut_fail(e, why.code, "--show: %s", why.text);
  }
  free(copy);
  if (!show)
    t->columns = ut_summary_usual(s, t->column, MOST_COLUMNS);
  return status;
}

/* A mean has as many digits as its interval, which has two. */
static void cell_text(const struct ut_estimate *v, char text[CELL]) {
  if (!v->n)
    snprintf(text, CELL, "-");
  else if (isnan(v->half_width) || v->half_width == 0)
    snprintf(text, CELL, "%.5g", v->mean);
  else {
    const int digits = 1 - (int)floor(log10(v->half_width));
    const int shown = digits < 0 ? 0 : digits > MOST_DIGITS ? MOST_DIGITS : digits;
    snprintf(text, CELL, "%.*f ± %.*f", shown, v->mean, shown, v->half_width);
  }
}

/* Columns that a text takes: "±" has two bytes. */
static int columns_of(const char *text) {
  int columns = 0;
  for (; *text; text++)
    columns += ((unsigned char)*text & 0xC0) != 0x80;
  return columns;
}

static void print_cell(const char *text, int width) {
  printf("%*s%s  ", width - columns_of(text), "", text);
}

/* Cells are made twice: for their widths, and to be printed. */
static const char *cell(const struct ut_summary *s, const struct table *t, const struct ut_point_summary *p, size_t i,
                        char text[CELL]) {
  if (i < s->axes)
    return p->value[i];
  cell_text(&p->estimate[t->column[i - s->axes]], text);
  return text;
}

static void print_table(const struct ut_summary *s, const struct table *t) {
  const size_t columns = s->axes + t->columns;
  char text[CELL];
  int width[columns + 1];
  for (size_t i = 0; i < columns; i++) {
    const char *name = i < s->axes ? s->axis[i] : s->name[t->column[i - s->axes]];
    width[i] = columns_of(name);
    for (size_t p = 0; p < s->points; p++) {
      const int wide = columns_of(cell(s, t, &s->point[p], i, text));
      width[i] = wide > width[i] ? wide : width[i];
    }
    print_cell(name, width[i]);
  }
  printf("runs\n");
  for (size_t p = 0; p < s->points; p++) {
    const struct ut_point_summary *point = &s->point[p];
    for (size_t i = 0; i < columns; i++)
      print_cell(cell(s, t, point, i, text), width[i]);
    printf("%4zu", point->runs);
    if (point->failed)
      printf(", %zu failed", point->failed);
    if (point->deadlocks)
      printf(", %zu with status 4", point->deadlocks);
    putchar('\n');
  }
  if (s->points < s->wanted)
    printf("%zu of %zu points\n", s->points, s->wanted);
}

int ut_sweep_print(const struct ut_sweep_print *p, const char *path, struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary = {0};
  struct table table;
  if (ut_store_read(&store, path, e))
    return -1;
  int status = p->csv ? print_csv(&store, p->where, e) : ut_summary_load(&summary, &store, p->where, e);
  if (!status && p->json)
    print_json(&summary);
  else if (!status && !p->csv && !(status = choose_columns(&table, &summary, p->show, e)))
    print_table(&summary, &table);
  ut_summary_free(&summary);
  struct ut_error ignored;
  ut_store_close(&store, &ignored);
  return status;
}
