/* SPDX-License-Identifier: Apache-2.0 */
/* curves.h - results as curves with error bars, drawn by gnuplot: to be told apart by colour, by mark, and in print. */
#ifndef UT_CURVES_H
#define UT_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "cache_caller.h"

struct ut_curve_point {
  double x, y;
  double half;      /* of the confidence interval of y; 0: no bar */
  size_t runs;      /* whose mean y is; not drawn */
  bool unsustained; /* in some of the runs queues grew, or throughput collapsed: in a ring */
};

/* Where a curve over loads saturates: the highest load that is sustained, the lowest that is not (0: there is none),
 * and the most that is delivered, flits per cycle and terminal.  Not drawn. */
struct ut_saturation {
  bool known; /* loads vary, and runs were watched */
  double sustained, unsustained, delivered;
};

/* Points are joined in their order, which need not be that of x: throughput may fall when the load rises. */
struct ut_curve {
  const char *title;
  struct ut_curve_point *point;
  size_t points;
  struct ut_saturation saturation;
  bool printed; /* values that a paper prints: marks without a line, in the colour of the curve before */
};

/* A cut picture ends at so many times the lowest value, if the highest is above so many times it. */
enum { UT_CURVES_CUT_ABOVE = 8, UT_CURVES_CUT_AT = 5 };

struct ut_curves {
  const char *title, *x, *y; /* of the picture and its axes */
  const struct ut_curve *curve;
  size_t curves;
  bool log_x, log_y;
  bool cut; /* y shoots up, as latency does at saturation: leaves the picture at the top rather than press the rest flat
             */
};

/* Draws a picture, .png or .svg (ut_gnuplot_check()).  Axes begin at 0 where that leaves no more than half of them
 * empty.  0, or -1 after filling the error. */
int ut_curves_draw(const struct ut_curves *curves, const char *file, const struct ut_caller *caller);

#endif
