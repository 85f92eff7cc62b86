/* chart.c - see chart.h */
#define _GNU_SOURCE
#include "chart.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_files.h"
#include "cache_tools.h"

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

int ut_chart_check(const char *file, struct ut_error *e) {
  char folder[PATH_MAX], tool[PATH_MAX];
  if (!ut_path_ends(file, ".png") && !ut_path_ends(file, ".svg"))
    return ut_fail(e, UT_BAD_INPUT, "--chart %.900s: the name must end in .png or .svg", file);
  if (ut_tool_need("gnuplot", "gnuplot-nox", "--chart", tool, e))
    return -1;
  if (ut_path_set(e, folder, "%s", file))
    return -1;
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = '\0';
  if (access(slash ? folder : ".", W_OK | X_OK))
    return ut_fail(e, UT_BAD_INPUT, "--chart %.900s: cannot write there: %s", file, strerror(errno));
  struct stat there;
  if (!stat(file, &there) && (!S_ISREG(there.st_mode) || access(file, W_OK)))
    return ut_fail(e, UT_BAD_INPUT, "--chart %.900s: cannot write there: %s", file,
                   S_ISREG(there.st_mode) ? strerror(errno) : "it is no file");
  return 0;
}

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

/* A text of gnuplot's, between quotes. */
static void print_text(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

/* A bar's label: quotes cannot be had in a datablock, and a long one would leave no room for the bars. */
enum { LABEL = 48 };
static size_t label_size(const char *text) {
  size_t n = strlen(text);
  return n < LABEL ? n : LABEL;
}
static void print_label(FILE *f, const char *text) {
  fputc('"', f);
  for (size_t i = 0; i < label_size(text); i++)
    fputc(strchr("\"\\", text[i]) ? '\'' : text[i], f);
  fputs(text[label_size(text)] ? "...\"" : "\"", f);
}

static void print_data(FILE *f, const struct ut_chart *chart) {
  fprintf(f, "$data << EOD\n");
  for (size_t i = 0; i < chart->bars; i++) {
    const struct ut_chart_bar *b = &chart->bar[i];
    double here = area(b->cost), there = b->reference ? area(b->reference) : here;
    print_label(f, b->label);
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

static void print_frame(FILE *f, const struct ut_chart *chart, const char *output) {
  size_t n = chart->bars, label = 8;
  bool png = ut_path_ends(output, ".png");
  for (size_t i = 0; i < n; i++)
    label = label_size(chart->bar[i].label) > label ? label_size(chart->bar[i].label) : label;
  fprintf(f, "set terminal %s size 1100,%zu font \"%s\"\nset output ",
          png ? "pngcairo" : "svg dynamic background \"white\"",
          230 + 34 * (n < 3 ? 3 : n), /* lower, the legend loses a column */

          png ? "DejaVu Sans,11" : "sans-serif,12");
  print_text(f, output);
  fprintf(f, "\nset title ");
  print_text(f, chart->title);
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

/* Runs gnuplot on a script in a folder of its own, and moves the picture's bytes to `file`. */
static int draw_in(const char *folder, const struct ut_chart *chart, const char *file, const struct ut_caller *c) {
  char output[PATH_MAX], script[PATH_MAX], *data = NULL;
  struct ut_job j = {.does = "drawing", .log_fd = -1};
  struct ut_text t;
  size_t size;
  int tool_status = 0;
  char gnuplot[PATH_MAX];
  if (!ut_tool_find("gnuplot", gnuplot) ||
      ut_path_set(c->e, output, "%s/chart%s", folder, ut_path_ends(file, ".png") ? ".png" : ".svg") ||
      ut_path_set(c->e, script, "%s/chart.gp", folder))
    return -1;
  FILE *f = ut_text_open(&t, c->e);
  if (!f)
    return -1;
  print_data(f, chart);
  print_frame(f, chart, output);
  print_bars(f);
  if (ut_text_write(&t, f, script, c->e))
    return -1;
  ut_args_add(&j.command, "%s", gnuplot);
  ut_args_add(&j.command, "%s", script);
  int result = ut_jobs_run(c, &j, 1, folder, &tool_status);
  char said[512] = "";
  if (result >= 0 && pread(j.log_fd, said, sizeof said - 1, 0) < 0)
    said[0] = '\0';
  ut_jobs_free(&j, 1);
  if (result >= 0)
    return ut_fail(c->e, UT_INTERNAL, "gnuplot fails with status %d: %s", tool_status, said);
  if (result == UT_JOBS_ERROR)
    return -1;
  int error = ut_file_read(output, &data, &size);
  if (error)
    return ut_fail(c->e, UT_INTERNAL, "gnuplot made no picture: %s", strerror(error));
  int status = ut_file_write(file, data, size, c->e);
  free(data);
  return status;
}

int ut_chart_draw(const struct ut_chart *chart, const char *file, const struct ut_caller *c) {
  char folder[] = "/tmp/uturn-chart.XXXXXX";
  if (ut_chart_check(file, c->e))
    return -1;
  if (!mkdtemp(folder))
    return ut_fail_os(c->e, errno, "create a folder in", "/tmp");
  int status = draw_in(folder, chart, file, c);
  ut_folder_remove(folder);
  return status;
}
