/* chart.c - see chart.h */
#include "chart.h"

#include <stdio.h>
#include <string.h>

#include "cache_gnuplot.h"

enum { SERIES = 9 };

/* From the bottom of a bar to its top. */
static const struct {
  const char *block, *title, *colour;
} series[SERIES] = {
    {"input_port", "input ports (with buffers)", "#4477aa"},
    {"output_unit", "output units", "#88bbdd"},
    {"crossbar", "crossbar", "#ccbb44"},
    {"vc_allocator", "VC allocator", "#228833"},
    {"switch_allocator", "switch allocator", "#aadd88"},
    {"route_unit", "route units", "#ee8866"},
    {"reroute_vector", "re-route vector", "#aa3377"},
    {"node_states", "states of nodes", "#332288"},
    {"rest", "rest", "#bbbbbb"},
};

/* NAND2 equivalents of a block, 0 when the switch has none. */
static double block_area(const json_t *cost, const char *name) {
  size_t i;
  json_t *block;
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    if (!strcmp(json_string_value(json_object_get(block, "name")), name))
      return json_number_value(json_object_get(block, "nand2_equivalents"));
  }
  return 0;
}

static double area(const json_t *cost) {
  return json_number_value(json_object_get(cost, "nand2_equivalents"));
}

/* A bar's label: a long one would leave no room for the bars. */
enum { LABEL = 48 };
static size_t label_size(const char *text) {
  size_t n = strlen(text);
  return n < LABEL ? n : LABEL;
}
static void print_data(FILE *f, const struct ut_chart *chart) {
  fprintf(f, "$data << EOD\n");
  for (size_t i = 0; i < chart->bars; i++) {
    const struct ut_chart_bar *b = &chart->bar[i];
    double here = area(b->cost), there = b->reference ? area(b->reference) : here;
    ut_gnuplot_label(f, b->label, LABEL);
    for (int s = 0; s < SERIES; s++)
      fprintf(f, " %.3f", block_area(b->cost, series[s].block) / 1000);
    fprintf(f, " %.3f ", here / 1000);
    if (b->reference && b->reference != b->cost)
      fprintf(f, "\"whole %.1f k (%+.1f %%)\"\n", here / 1000, 100 * (here - there) / there);
    else
      fprintf(f, "\"whole %.1f k\"\n", here / 1000);
  }
  fprintf(f, "EOD\n");
}

/* The right end of the longest bar. */
static double longest_bar(const struct ut_chart *chart) {
  double longest = 1;
  for (size_t i = 0; i < chart->bars; i++) {
    double sum = 0;
    for (int s = 0; s < SERIES; s++)
      sum += block_area(chart->bar[i].cost, series[s].block) / 1000;
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
          " font \",13\" noenhanced\n"
          "set xlabel 'area in thousands of two-input NANDs (blocks: each mapped on its own)'\n"
          "set style fill solid 1 noborder\nset xrange [0:%g]\nset yrange [%g:-0.6]\n"
          "set border 1 lc rgb '#888888'\nset xtics nomirror textcolor rgb '#222222'\nset ytics scale 0 noenhanced "
          "textcolor rgb '#222222'\n"
          "set grid xtics lc rgb '#dddddd' lw 1\n"
          "set key at screen 0.5, screen 0.01 center bottom vertical maxrows 3 Left reverse samplen 1.5 spacing 1.3\n"
          "set lmargin %zu\nset rmargin 4\nset bmargin 8.5\n",
          longest_bar(chart) * 1.34, (double)n - 0.4, label + 2);
}

/* The sum of the first columns of blocks. */
static void print_sum(FILE *f, int columns) {
  fprintf(f, "(0");
  for (int i = 0; i < columns; i++)
    fprintf(f, "+$%d", i + 2);
  fprintf(f, ")");
}

/* Bars that lie, the first one on top: long labels stay readable. */
static void print_bars(FILE *f) {
  fprintf(f, "plot ");
  for (int s = 0; s < SERIES; s++) {
    fprintf(f, "$data using ");
    print_sum(f, s);
    fprintf(f, ":0:");
    print_sum(f, s);
    fprintf(f, ":");
    print_sum(f, s + 1);
    fprintf(f, ":($0-0.34):($0+0.34):ytic(1) with boxxyerror lc rgb '%s' title '%s', \\\n", series[s].colour,
            series[s].title);
  }
  fprintf(f, "  $data using %d:0 with points pt 13 ps 1.1 lc rgb '#222222' title 'whole switch', \\\n  $data using ",
          SERIES + 2);
  print_sum(f, SERIES);
  fprintf(f, ":0:%d with labels left offset 1,0 noenhanced textcolor rgb '#222222' notitle\n", SERIES + 3);
}

static void print_chart(FILE *f, const void *what) {
  const struct ut_chart *chart = what;
  print_data(f, chart);
  print_frame(f, chart);
  print_bars(f);
}

int ut_chart_draw(const struct ut_chart *chart, const char *file, const struct ut_caller *c) {
  const size_t n = chart->bars;
  return ut_gnuplot_draw(file, 1100, (unsigned)(230 + 34 * (n < 3 ? 3 : n)), print_chart, chart, c);
}
