/* SPDX-License-Identifier: Apache-2.0 */
/* bench_output.c - see bench_output.h */
#include "bench_output.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *const ut_bench_view_name[UT_VIEWS + 1] = {"rates", "shapes", "memory", "booksim", "lanes", NULL};

enum {
  RATES = 1 << UT_VIEW_RATES,
  SHAPES = 1 << UT_VIEW_SHAPES,
  MEMORY = 1 << UT_VIEW_MEMORY,
  BOOKSIM = 1 << UT_VIEW_BOOKSIM,
  LANES = 1 << UT_VIEW_LANES
};

static const struct column {
  enum ut_figure_index figure;
  unsigned views;
  const char *title, *heading; /* on a terminal, in a page */
  double unit;
  const char *format;
} columns[] = {
    {UT_INSTRUCTIONS, RATES | SHAPES | BOOKSIM, "instr/hop", "instructions a flit-hop", 1, "%.0f"},
    {UT_GOLDEN_RATE, RATES, "golden sc/s", "golden, switch-cycles/s", 1e6, "%.3g M"},
    {UT_HOP_RATE, RATES, "flit-hops/s", "flit-hops/s", 1e6, "%.3g M"},
    {UT_RTL_RATE, RATES, "RTL sc/s", "RTL, switch-cycles/s", 1e6, "%.3g M"},
    {UT_LOCKSTEP_RATE, RATES, "lockstep sc/s", "lockstep, switch-cycles/s", 1e6, "%.3g M"},
    {UT_LOCKSTEP_RATIO, RATES, "lockstep/RTL", "lockstep / RTL", 1, "%.2f"},
    {UT_CPU_NS, MEMORY, "ns/hop", "ns for a flit-hop", 1, "%.1f"},
    {UT_BOOKSIM_INSTRUCTIONS, BOOKSIM, "BookSim", "of BookSim 2", 1, "%.0f"},
    {UT_BOOKSIM_RATIO, BOOKSIM, "ratio", "ratio", 1, "%.1f"},
    {UT_RTL_IN_VERILATOR, LANES, "RTL sc/s", "RTL in Verilator, switch-cycles/s", 1e6, "%.3g M"},
    {UT_RTL_IN_LANES, LANES, "in lanes", "in lanes", 1e6, "%.3g M"},
    {UT_RTL_LANES_RATIO, LANES, "ratio", "ratio", 1, "%.1f"},
    {UT_GATES_IN_VERILATOR, LANES, "gates sc/s", "gates in Verilator, switch-cycles/s", 1e6, "%.3g M"},
    {UT_GATES_IN_LANES, LANES, "in lanes", "in lanes", 1e6, "%.3g M"},
    {UT_GATES_LANES_RATIO, LANES, "ratio", "ratio", 1, "%.1f"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], FIGURE_SIZE = 32 };

static const char *text_of(const json_t *c, const char *key) {
  const char *text = json_string_value(json_object_get(c, key));
  return text ? text : "?";
}

static double load_of(const json_t *c) {
  return json_number_value(json_object_get(c, "load"));
}

static const char *figure_text(const json_t *c, const struct column *column, char text[FIGURE_SIZE]) {
  const double value = ut_figure_get(c, column->figure);
  if (isnan(value))
    return "-";
  snprintf(text, FIGURE_SIZE, column->format, value / column->unit);
  return text;
}

/* ---- on a terminal */

void ut_bench_print_head(unsigned views) {
  printf("%-20s %5s", "scenario", "load");
  for (unsigned i = 0; i < COLUMNS; i++)
    if (columns[i].views & views)
      printf("  %13s", columns[i].title);
  putchar('\n');
}

void ut_bench_print_case(const json_t *c, unsigned views) {
  char text[FIGURE_SIZE];
  printf("%-20s %5.2f", text_of(c, "scenario"), load_of(c));
  for (unsigned i = 0; i < COLUMNS; i++)
    if (columns[i].views & views)
      printf("  %13s", figure_text(c, &columns[i], text));
  putchar('\n');
  fflush(stdout);
}

void ut_bench_print_results(const json_t *results) {
  const json_t *c;
  size_t i;
  unsigned views = 0;
  json_array_foreach(json_object_get(results, "cases"), i, c) {
    for (enum ut_bench_view v = 0; v < UT_VIEWS; v++)
      views |= (unsigned)!strcmp(text_of(c, "group"), ut_bench_view_name[v]) << v;
  }
  ut_bench_print_head(views);
  json_array_foreach(json_object_get(results, "cases"), i, c) {
    ut_bench_print_case(c, views);
  }
}

void ut_bench_print_comparison(const json_t *old, const json_t *results, const json_t *comparison, double percent) {
  const json_t *row;
  size_t i, slower = 0;
  printf("\nold: %s of %s on %s\nnew: %s of %s on %s\n\n", text_of(old, "version"), text_of(old, "date"),
         text_of(old, "machine"), text_of(results, "version"), text_of(results, "date"), text_of(results, "machine"));
  printf("%-20s %5s  %-32s %12s %12s %7s\n", "scenario", "load", "figure", "old", "new", "new/old");
  json_array_foreach(comparison, i, row) {
    const bool worse = json_is_true(json_object_get(row, "slower"));
    slower += worse;
    printf("%-20s %5.2f  %-32s %12.4g %12.4g %7.3f%s\n", text_of(row, "scenario"), load_of(row), text_of(row, "figure"),
           json_number_value(json_object_get(row, "old")), json_number_value(json_object_get(row, "new")),
           json_number_value(json_object_get(row, "ratio")), worse ? "  SLOWER" : "");
  }
  printf("\n%zu of %zu figures worse by more than %g %%\n", slower, json_array_size(comparison), percent);
}

/* ---- in a page */

/* A row a scenario, a column a load: there is one figure. */
static void put_by_load(FILE *f, const json_t *const *c, size_t n, const struct column *column) {
  char text[FIGURE_SIZE];
  size_t loads = 1;
  while (loads < n && !strcmp(text_of(c[loads], "scenario"), text_of(c[0], "scenario")))
    loads++;
  fprintf(f, "| scenario |");
  for (size_t i = 0; i < loads; i++)
    fprintf(f, " load %g |", load_of(c[i]));
  fprintf(f, "\n|---|");
  for (size_t i = 0; i < loads; i++)
    fprintf(f, "---|");
  for (size_t i = 0; i < n; i++) {
    if (!i || strcmp(text_of(c[i], "scenario"), text_of(c[i - 1], "scenario")))
      fprintf(f, "\n| `%s` |", text_of(c[i], "scenario"));
    fprintf(f, " %s |", figure_text(c[i], column, text));
  }
  fputc('\n', f);
}

/* The figure by that of the first case whose name begins alike, up to the first underscore. */
static double times_the_first(const json_t *const *c, size_t n, const struct column *column) {
  const char *name = text_of(c[n], "scenario");
  size_t first = 0;
  while (strncmp(name, text_of(c[first], "scenario"), strcspn(name, "_") + 1))
    first++;
  return ut_figure_get(c[n], column->figure) / ut_figure_get(c[first], column->figure);
}

static void put_rows(FILE *f, const json_t *const *c, size_t n, enum ut_bench_view view) {
  char text[FIGURE_SIZE];
  unsigned count = 0;
  fprintf(f, "| scenario | load |");
  for (unsigned i = 0; i < COLUMNS; i++)
    if (columns[i].views & 1u << view)
      fprintf(f, " %s |", columns[i].heading), count++;
  fprintf(f, "%s\n|---|---|", view == UT_VIEW_MEMORY ? " times the smallest |" : "");
  for (unsigned i = 0; i < count + (view == UT_VIEW_MEMORY); i++)
    fprintf(f, "---|");
  for (size_t j = 0; j < n; j++) {
    fprintf(f, "\n| `%s` | %g |", text_of(c[j], "scenario"), load_of(c[j]));
    for (unsigned i = 0; i < COLUMNS; i++)
      if (columns[i].views & 1u << view)
        fprintf(f, " %s |", figure_text(c[j], &columns[i], text));
    if (view == UT_VIEW_MEMORY)
      fprintf(f, " %.2f |", times_the_first(c, j, &columns[UT_CPU_NS]));
  }
  fputc('\n', f);
}

bool ut_bench_put_table(FILE *f, const json_t *results, enum ut_bench_view view) {
  enum { MOST = 1024 };
  const json_t *c, *of_view[MOST];
  size_t i, n = 0;
  json_array_foreach(json_object_get(results, "cases"), i, c) {
    if (!strcmp(text_of(c, "group"), ut_bench_view_name[view]) && n < MOST)
      of_view[n++] = c;
  }
  if (!n)
    return false;
  fprintf(f, "\nMeasured on %s, %lld processors, %s, version %s.\n\n", text_of(results, "machine"),
          (long long)json_integer_value(json_object_get(results, "processors")), text_of(results, "date"),
          text_of(results, "version"));
  if (view == UT_VIEW_SHAPES)
    put_by_load(f, of_view, n, &columns[UT_INSTRUCTIONS]);
  else
    put_rows(f, of_view, n, view);
  fputc('\n', f);
  return true;
}
