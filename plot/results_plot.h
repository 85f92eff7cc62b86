/* SPDX-License-Identifier: Apache-2.0 */
/* results_plot.h - the results of a sweep as a picture: any result against any axis, one curve for each series. */
#ifndef UT_RESULTS_PLOT_H
#define UT_RESULTS_PLOT_H

#include <stdio.h>

#include "cache_caller.h"
#include "choice.h"
#include "curves.h"

/* A database of results; label: before the titles of its curves, where there are several, else NULL. */
struct ut_plot_source {
  const char *results, *label;
};

/* The curves of what the databases have, all the same results.  Points are means, bars confidence intervals. */
struct ut_results_curves {
  struct ut_curve *curve;
  size_t curves;
  bool cut;
  char title[UT_QUANTITY_TITLE], x[UT_QUANTITY_TITLE], y[UT_QUANTITY_TITLE];
};

/* What is drawn: choice.h.  0, or -1 after filling the error.  To be freed in both cases. */
int ut_results_curves(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                      struct ut_results_curves *curves, struct ut_error *e);
void ut_results_curves_free(struct ut_results_curves *curves);
/* A line for each curve whose saturation is known. */
void ut_results_put_saturation(FILE *f, const struct ut_results_curves *curves);
/* The same as a picture; strings and curves are theirs. */
struct ut_curves ut_results_picture(const struct ut_results_curves *curves, const struct ut_results_plot *what);

/* Draws them.  0, or -1 after filling the error. */
int ut_results_plot(const struct ut_plot_source *source, size_t sources, const struct ut_results_plot *what,
                    const char *file, const struct ut_caller *caller);

#endif
