/* SPDX-License-Identifier: Apache-2.0 */
/* chart.c - see chart.h */
#include "chart.h"

#include <stdio.h>
#include <string.h>

#include "cache_gnuplot.h"
#include "cost.h"

enum { SERIES = 9 };

struct series {
  const char *key, *title, *colour; /* key: of a report, or a block of it */
};

/* The parts of the bars of a technology, from the bottom of a bar to its top; lengths in thousands. */
struct style {
  double (*part)(const json_t *cost, const char *key);
  const char *axis, *mark; /* the quantity that is measured; the label's number */
  const char *point;       /* title of the whole's points; NULL: none, the parts are no more and no less than it */
  struct series series[SERIES];
};

/* NAND2 equivalents of a block, 0 when the switch has none. */
static double block_area(const json_t *cost, const char *name) {
  size_t i;
  json_t *block;
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    if (!strcmp(json_string_value(json_object_get(block, "name")), name))
      return ut_cost_number(block, "nand2_equivalents");
  }
  return 0;
}

/* LUTs that hold bits, the other LUTs, or flip-flops by what they are for. */
static double fpga_cells(const json_t *cost, const char *key) {
  if (!strcmp(key, "luts"))
    return ut_cost_number(cost, key) - ut_cost_number(cost, "luts_as_ram");
  return ut_cost_number(json_object_get(cost, key) ? cost : json_object_get(cost, "flip_flops"), key);
}

static double whole(const json_t *cost) {
  return ut_cost_number(cost, ut_cost_price(cost));
}

static const struct style cells_style = {
    block_area,
    "area in thousands of two-input NANDs (blocks: each mapped on its own)",
    "whole",
    "whole switch",
    {{"input_port", "input ports (with buffers)", "#4477aa"},
     {"output_unit", "output units", "#88bbdd"},
     {"crossbar", "crossbar", "#ccbb44"},
     {"vc_allocator", "VC allocator", "#228833"},
     {"switch_allocator", "switch allocator", "#aadd88"},
     {"route_unit", "route units", "#ee8866"},
     {"reroute_vector", "re-route vector", "#aa3377"},
     {"node_states", "states of nodes", "#332288"},
     {"rest", "rest", "#bbbbbb"}},
};

static const struct style fpga_style = {
    fpga_cells,
    "thousands of LUTs and of flip-flops",
    "LUTs",
    NULL,
    {{"luts_as_ram", "LUTs: RAM", "#4477aa"},
     {"luts", "LUTs: logic", "#ccbb44"},
     {"buffers", "flip-flops: buffers", "#88bbdd"},
     {"control", "flip-flops: control", "#228833"},
     {"reroute", "flip-flops: re-route", "#aa3377"}},
};

static const struct style *style_of(const struct ut_chart *chart) {
  return ut_cost_of_fpga(chart->bar[0].cost) ? &fpga_style : &cells_style;
}

/* Series s of a bar, in thousands. */
static double part(const struct ut_chart *chart, size_t bar, int s) {
  const struct style *style = style_of(chart);
  return style->part(chart->bar[bar].cost, style->series[s].key) / 1000;
}

static int series_of(const struct style *style) {
  int n = 0;
  while (n < SERIES && style->series[n].key)
    n++;
  return n;
}

/* Returns a bar's label, shortened: a long one would leave no space for the bars. */
enum { LABEL = 48 };
static size_t label_size(const char *text) {
  size_t n = strlen(text);
  return n < LABEL ? n : LABEL;
}

static void print_data(FILE *f, const struct ut_chart *chart) {
  const struct style *style = style_of(chart);
  fprintf(f, "$data << EOD\n");
  for (size_t i = 0; i < chart->bars; i++) {
    const struct ut_chart_bar *bar = &chart->bar[i];
    double here = whole(bar->cost), there = bar->reference ? whole(bar->reference) : here;
    fprintf(f, "%zu", i);
    for (int s = 0; s < series_of(style); s++)
      fprintf(f, " %.3f", part(chart, i, s));
    fprintf(f, " %.3f ", here / 1000);
    if (bar->reference && bar->reference != bar->cost)
      fprintf(f, "\"%s %.1f k (%+.1f %%)\"\n", style->mark, here / 1000, 100 * (here - there) / there);
    else
      fprintf(f, "\"%s %.1f k\"\n", style->mark, here / 1000);
  }
  fprintf(f, "EOD\n");
}

/* The right end of the longest bar. */
static double longest_bar(const struct ut_chart *chart) {
  double longest = 1;
  for (size_t i = 0; i < chart->bars; i++) {
    double sum = 0;
    for (int s = 0; s < series_of(style_of(chart)); s++)
      sum += part(chart, i, s);
    longest = sum > longest ? sum : longest;
  }
  return longest;
}

static void print_frame(FILE *f, const struct ut_chart *chart) {
  size_t n = chart->bars, label = 8;
  for (size_t i = 0; i < n; i++)
    label = label_size(chart->bar[i].label) > label ? label_size(chart->bar[i].label) : label;
  fprintf(f, "set title ");
  ut_gnuplot_text(f, chart->title);
  fprintf(f,
          " font ',13' noenhanced\n"
          "set xlabel '%s'\n"
          "set style fill solid 1 noborder\nset xrange [0:%g]\nset yrange [%g:-0.6]\n"
          "set border 1 lc rgb '#888888'\nset xtics nomirror textcolor rgb '#222222'\nset ytics scale 0 noenhanced "
          "textcolor rgb '#222222'\n"
          "set grid xtics lc rgb '#dddddd' lw 1\n"
          "set key at screen 0.5, screen 0.01 center bottom vertical maxrows 3 Left reverse samplen 1.5 spacing 1.3\n"
          "set lmargin %zu\nset rmargin 4\nset bmargin 8.5\n",
          style_of(chart)->axis, longest_bar(chart) * 1.34, (double)n - 0.4, label + 2);
}

/* Writes each bar's label next to it. */
static void print_labels(FILE *f, const struct ut_chart *chart) {
  for (size_t i = 0; i < chart->bars; i++) {
    fputs(i ? ", " : "set ytics (", f);
    ut_gnuplot_label(f, chart->bar[i].label, LABEL);
    fprintf(f, " %zu", i);
  }
  fputs(")\n", f);
}

/* The sum of the first columns of blocks. */
static void print_sum(FILE *f, int columns) {
  fprintf(f, "(0");
  for (int i = 0; i < columns; i++)
    fprintf(f, "+$%d", i + 2);
  fprintf(f, ")");
}

/* Bars that lie, the first one on top: long labels stay readable. */
static void print_bars(FILE *f, const struct style *style) {
  const int n = series_of(style);
  fprintf(f, "plot ");
  for (int s = 0; s < n; s++) {
    fprintf(f, "$data using ");
    print_sum(f, s);
    fprintf(f, ":0:");
    print_sum(f, s);
    fprintf(f, ":");
    print_sum(f, s + 1);
    fprintf(f, ":($0-0.34):($0+0.34) with boxxyerror lc rgb '%s' title '%s', \\\n", style->series[s].colour,
            style->series[s].title);
  }
  if (style->point)
    fprintf(f, "  $data using %d:0 with points pt 13 ps 1.1 lc rgb '#222222' title '%s', \\\n", n + 2, style->point);
  fprintf(f, "  $data using ");
  print_sum(f, n);
  fprintf(f, ":0:%d with labels left offset 1,0 noenhanced textcolor rgb '#222222' notitle\n", n + 3);
}

static void print_chart(FILE *f, const void *what) {
  const struct ut_chart *chart = what;
  print_data(f, chart);
  print_frame(f, chart);
  print_labels(f, chart);
  print_bars(f, style_of(chart));
}

int ut_chart_draw(const struct ut_chart *chart, const char *file, const struct ut_caller *caller) {
  const size_t n = chart->bars;
  return ut_gnuplot_draw(file, 1100, (unsigned)(230 + 34 * (n < 3 ? 3 : n)), print_chart, chart, caller);
}
