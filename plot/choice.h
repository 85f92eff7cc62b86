/* SPDX-License-Identifier: Apache-2.0 */
/* choice.h - what of a sweep's results is drawn over what, and which axes make the curves: as asked for, or what suits
 * the sweep. */
#ifndef UT_CHOICE_H
#define UT_CHOICE_H

#include <stdbool.h>
#include <stdio.h>

#include "summary.h"

/* What is drawn.  NULL: what suits the sweep. */
struct ut_results_plot {
  const char *title, *x_title, *y_title;
  const char *x, *y;  /* an axis of the sweep or a result, by name */
  const char *series; /* the axis, or several with commas between, whose values make the curves */
  const char *where;  /* a condition of SQL on the points */
  bool log_x, log_y;
};

/* An axis of the sweep, or a result. */
struct ut_quantity {
  bool axis;
  size_t index;
};

struct ut_choice {
  struct ut_quantity x, y;
  bool *series; /* [axes]: makes the curves */
};

/* Where x and y are not given: latency over throughput where the load is an axis; what a search has found, or
 * throughput, over the first axis with numbers where it is not; for other commands the result that the sweep's table
 * shows first.  Curves: all axes that are not x, and have several values.  results: the database, for messages.  -1 and
 * *e on failure.  To be freed in both cases. */
int ut_choice_make(struct ut_choice *choice, const struct ut_summary *summary, const struct ut_results_plot *what,
                   const char *results, struct ut_error *e);
void ut_choice_free(struct ut_choice *choice);

const char *ut_quantity_name(const struct ut_summary *summary, struct ut_quantity quantity);
/* The value at a point; of an axis without interval.  Mean NaN: it has none. */
struct ut_estimate ut_quantity_value(const struct ut_point_summary *summary, struct ut_quantity quantity);

/* What an axis or a result is called in pictures: "mean latency, cycles". */
enum { UT_QUANTITY_TITLE = 160 };
char *ut_quantity_title(const char *name, char title[UT_QUANTITY_TITLE]);
/* A value of an axis in the title of a curve: words speak for themselves, numbers stand behind the first word of their
 * key's last part. */
void ut_quantity_put_value(FILE *f, const char *axis, const char *value);
/* A result that shoots up at saturation (struct ut_curves, cut). */
bool ut_quantity_shoots_up(const char *name);

#endif
