/* SPDX-License-Identifier: Apache-2.0 */
/* chart.h - a cost comparison as a picture, drawn by gnuplot. */
#ifndef UT_CHART_H
#define UT_CHART_H

#include <jansson.h>

#include "cache_caller.h"

struct ut_chart_bar {
  const char *label;
  const json_t *cost; /* of ut_cost_get() */
  const json_t *reference;
};

struct ut_chart {
  const char *title;
  const struct ut_chart_bar *bar;
  size_t bars;
};

/* Stacked bars, areas of the blocks or LUTs and flip-flops of an FPGA; the file's name as ut_gnuplot_check() wants it.
 * Nothing is left behind on failure.  0, or -1 after filling the error. */
int ut_chart_draw(const struct ut_chart *chart, const char *file, const struct ut_caller *caller);

#endif
