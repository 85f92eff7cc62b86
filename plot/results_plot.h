/* results_plot.h - the results of a sweep as a picture: any result against any axis, one curve for each series. */
#ifndef UT_RESULTS_PLOT_H
#define UT_RESULTS_PLOT_H

#include <stdbool.h>

#include "cache_caller.h"

/* What is drawn.  NULL: what suits the sweep. */
struct ut_results_plot {
  const char *title, *x_title, *y_title;
  const char *x, *y;  /* an axis of the sweep or a result, by name */
  const char *series; /* the axis, or several with commas between, whose values make the curves */
  const char *where;  /* a condition of SQL on the points */
  bool log_x, log_y;
};

/* A database of results; label: before the titles of its curves, where there are several, else NULL. */
struct ut_plot_source {
  const char *results, *label;
};

/* Draws what the databases have, all the same results.  Where x and y are not given: latency over throughput where the
 * load is an axis; what a search has found, or throughput, over the first axis with numbers where it is not; for other
 * commands the result that the sweep's table shows first.  Curves: all axes that are not x, and have several values.
 * Points are means, bars confidence intervals.  0, or -1 after filling the error. */
int ut_results_plot(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                    const char *file, const struct ut_caller *caller);

#endif
