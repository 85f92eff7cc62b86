/* SPDX-License-Identifier: Apache-2.0 */
/* results_json.h - results in the form that the charts and tables of a page need: columns; means and intervals are
 * computed here. */
#ifndef UT_RESULTS_JSON_H
#define UT_RESULTS_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "html_page.h"
#include "results_plot.h"
#include "store.h"
#include "summary.h"

/* How much of a sweep is stored in a page: all results and scenarios; or, if a page is too small for that, the results
 * that are looked at first. */
enum ut_results_extent { UT_RESULTS_ALL, UT_RESULTS_USUAL, UT_RESULTS_EXTENTS };

/* A sweep: axes, results, points, the runs behind them, what is drawn first (choice.h).  Needs the view `sweep`.  NULL
 * and *e on failure. */
json_t *ut_results_json(struct ut_store *store, const struct ut_summary *summary, enum ut_results_extent extent,
                        struct ut_error *e);
/* A picture: curves with their points. */
json_t *ut_picture_json(const struct ut_curves *curves);

/* Makes data of this extent.  NULL and *e on failure. */
typedef json_t *ut_results_maker(void *ctx, enum ut_results_extent extent, struct ut_error *e);
/* Adds a section with as much data as fits into the page; `source` is named in the error if even the least does not
 * fit. */
int ut_results_section(struct ut_html_page *page, const char *source, struct ut_html_section *section,
                       ut_results_maker *make, void *ctx, struct ut_error *e);

#endif
