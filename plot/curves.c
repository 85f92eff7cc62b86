/* SPDX-License-Identifier: Apache-2.0 */
/* curves.c - see curves.h */
#define _GNU_SOURCE
#include "curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cache_gnuplot.h"

enum { WIDTH = 900, HEIGHT = 540, ROW = 20, LOOKS = 8, TITLE = 72 };

/* Colours by Okabe and Ito, which people of any colour vision can tell apart, the darkest first; a mark and a dash of
 * its own for each, so that none is needed. */
static const struct {
  const char *colour, *dash;
  unsigned mark;
} looks[LOOKS] = {
    {"#0072B2", "1", 7},     {"#D55E00", "'-'", 5},   {"#009E73", "'_'", 9},   {"#000000", "'.'", 11},
    {"#CC79A7", "'-.'", 13}, {"#E69F00", "'_.'", 15}, {"#56B4E9", "'-..'", 6}, {"#882255", "'__.'", 4},
};

/* From where to where an axis goes; bars of what cannot be below 0 are cut there. */
struct span {
  double low, high;
};

static struct span span_of(const struct ut_curves *curves, bool of_y) {
  struct span span = {INFINITY, -INFINITY};
  double least = INFINITY;
  for (size_t i = 0; i < curves->curves; i++)
    for (size_t j = 0; j < curves->curve[i].points; j++) {
      const struct ut_curve_point *point = &curves->curve[i].point[j];
      const double at = of_y ? point->y : point->x, half = of_y ? point->half : 0;
      least = fmin(least, at);
      span.low = fmin(span.low, at - half);
      span.high = fmax(span.high, at + half);
    }
  span.low = least >= 0 ? fmax(span.low, 0) : span.low;
  return span;
}

static void print_range(FILE *f, const char *axis, struct span span, bool log) {
  if (log) {
    fprintf(f, "set logscale %s\n", axis);
    return;
  }
  if (span.low >= 0 && span.low <= 0.5 * span.high)
    span.low = 0;
  else if (span.high <= 0 && span.high >= 0.5 * span.low)
    span.high = 0;
  double room = 0.05 * (span.high - span.low);
  room = room > 0 ? room : span.high != 0 ? 0.1 * fabs(span.high) : 1;
  fprintf(f, "set %srange [%.9g:%.9g]\n", axis, span.low == 0 ? 0 : span.low - room,
          span.high == 0 && span.low < 0 ? 0 : span.high + room);
}

static void print_axis(FILE *f, const char *axis, const char *label) {
  fprintf(f, "set %slabel ", axis);
  ut_gnuplot_text(f, label);
  fputs(" noenhanced textcolor rgb '#222222'\n", f);
}

static void print_points(FILE *f, const struct ut_curves *curves) {
  for (size_t i = 0; i < curves->curves; i++) {
    fprintf(f, "$curve%zu << EOD\n", i);
    for (size_t j = 0; j < curves->curve[i].points; j++)
      fprintf(f, "%.9g %.9g %.9g %d\n", curves->curve[i].point[j].x, curves->curve[i].point[j].y,
              curves->curve[i].point[j].half, curves->curve[i].point[j].unsustained);
    fputs("EOD\n", f);
  }
}

static void print_title(FILE *f, const char *title) {
  fputs(" title ", f);
  ut_gnuplot_label(f, title, TITLE);
  fputs(" noenhanced", f);
}

static bool has_bars(const struct ut_curve *curve) {
  for (size_t i = 0; i < curve->points; i++)
    if (curve->point[i].half > 0)
      return true;
  return false;
}

static bool has_rings(const struct ut_curve *curve) {
  for (size_t i = 0; i < curve->points; i++)
    if (curve->point[i].unsustained)
      return true;
  return false;
}

static void print_curves(FILE *f, const struct ut_curves *curves) {
  size_t look = 0;
  fputs("plot", f);
  for (size_t i = 0; i < curves->curves; i++) {
    const struct ut_curve *curve = &curves->curve[i];
    look += i > 0 && !curve->printed;
    const size_t other = (look + look / LOOKS) % LOOKS; /* where colours come again, they have other marks and dashes */
    const char *colour = looks[look % LOOKS].colour;
    fputs(i ? ", \\\n  " : " ", f);
    if (curve->printed) {
      fprintf(f, "$curve%zu using 1:2 with points pt 3 ps 1.3 lw 1.8 lc rgb '%s'", i, colour);
      print_title(f, curve->title);
      continue;
    }
    if (has_bars(curve))
      fprintf(f, "$curve%zu using 1:2:3 with yerrorbars pt 0 lw 1 lc rgb '%s' notitle, \\\n  ", i, colour);
    if (has_rings(curve))
      fprintf(f, "$curve%zu using 1:($4 > 0 ? $2 : NaN) with points pt 6 ps 1.8 lw 1 lc rgb '%s' notitle, \\\n  ", i,
              colour);
    fprintf(f, "$curve%zu using 1:2 with linespoints pt %u ps 0.8 lw 1.8 dt %s lc rgb '%s'", i, looks[other].mark,
            looks[other].dash, colour);
    print_title(f, curve->title);
  }
  fputc('\n', f);
}

/* Columns of the key, as many as its longest title leaves room for, and its rows. */
static void arrange_key(const struct ut_curves *curves, unsigned *columns, unsigned *rows) {
  size_t longest = 1;
  for (size_t i = 0; i < curves->curves; i++) {
    const size_t size = strnlen(curves->curve[i].title, TITLE);
    longest = size > longest ? size : longest;
  }
  *columns = (unsigned)((WIDTH - 40) / (70 + 8 * longest));
  *columns = *columns ? *columns : 1;
  *rows = (unsigned)(curves->curves + *columns - 1) / *columns;
}

static void print_key(FILE *f, const struct ut_curves *curves) {
  unsigned columns, rows;
  if (curves->curves == 1) {
    fputs("set key off\n", f);
    return;
  }
  arrange_key(curves, &columns, &rows);
  fprintf(f,
          "set key at screen 0.5, screen 0.015 center bottom horizontal maxcols %u Left reverse samplen 3 spacing 1.1\n"
          "set bmargin %.2f\n",
          columns, 4 + 1.3 * rows);
}

static void print_script(FILE *f, const void *what) {
  const struct ut_curves *curves = what;
  const struct span x = span_of(curves, false);
  struct span y = span_of(curves, true);
  if (curves->cut && !curves->log_y && y.low > 0 && y.high > UT_CURVES_CUT_ABOVE * y.low)
    y.high = UT_CURVES_CUT_AT * y.low;
  print_points(f, curves);
  bool rings = false;
  for (size_t i = 0; i < curves->curves; i++)
    rings |= has_rings(&curves->curve[i]);
  char title[256];
  snprintf(title, sizeof title, "%s%s", curves->title, rings ? " (rings: the load is not sustained)" : "");
  fputs("set title ", f);
  ut_gnuplot_text(f, title);
  fputs(" font ',13' noenhanced\n", f);
  print_axis(f, "x", curves->x);
  print_axis(f, "y", curves->y);
  print_range(f, "x", x, curves->log_x);
  print_range(f, "y", y, curves->log_y);
  fputs("set border 3 lc rgb '#888888'\nset tics nomirror textcolor rgb '#222222'\nset bars 0.6\n"
        "set grid lt 1 lc rgb '#e4e4e4' lw 1\n",
        f);
  print_key(f, curves);
  print_curves(f, curves);
}

int ut_curves_draw(const struct ut_curves *curves, const char *file, const struct ut_caller *caller) {
  unsigned columns, rows;
  arrange_key(curves, &columns, &rows);
  return ut_gnuplot_draw(file, WIDTH, HEIGHT + rows * ROW, print_script, curves, caller);
}
