/* SPDX-License-Identifier: Apache-2.0 */
/* cost_view.h - how `uturn cost` shows a technology: the columns of its tables, and what a price is. */
#ifndef UT_COST_VIEW_H
#define UT_COST_VIEW_H

#include "cost_output.h"

struct ut_cost_column {
  const char *title;
  int width, digits; /* digits behind the point; 0: thousands are set apart */
  const char *key;   /* for ut_cost_value(); a column without any value is left out */
};

enum { UT_COST_COLUMNS = 12 };
struct ut_cost_view {
  const char *title_key;                         /* of the report: what names the technology */
  const char *chart;                             /* title: what its bars are */
  const char *price_title, *price_short;         /* unit of ut_cost_price() */
  const char *percent;                           /* key of --json for its difference in percent */
  struct ut_cost_column column[UT_COST_COLUMNS]; /* up to one without a title */
  const char *difference[8];                     /* keys that --json compares, up to NULL */
  void (*print_one)(const struct ut_cost_row *row);
};

/* That of a report. */
const struct ut_cost_view *ut_cost_view(const json_t *cost);

/* What is at "KEY" or "KEY.KEY" of a report: a number, or the sum of an object's numbers.  NAN: nothing. */
double ut_cost_value(const json_t *cost, const char *key);
/* Of reports; "" where there is none. */
const char *ut_cost_text(const json_t *o, const char *key);
bool ut_cost_timed(const json_t *cost);
/* 1234567 as 1,234,567. */
const char *ut_cost_grouped(double value, char out[32]);

/* One switch at length. */
void ut_cost_print_cells(const struct ut_cost_row *row);
void ut_cost_print_fpga(const struct ut_cost_row *row);
/* The network around it. */
void ut_cost_print_links(const struct ut_cost_row *row);
void ut_cost_print_network(const struct ut_cost_row *row);

#endif
