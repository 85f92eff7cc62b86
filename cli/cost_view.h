/* cost_view.h - how `uturn cost` shows a technology: the columns of its tables, and what a price is. */
#ifndef UT_COST_VIEW_H
#define UT_COST_VIEW_H

#include "cost_output.h"

struct ut_cost_column {
  const char *title;
  int width, digits;                   /* digits behind the point; 0: thousands are set apart */
  double (*value)(const json_t *cost); /* NAN: there is none.  A column without any is left out */
};

enum { UT_COST_COLUMNS = 12 };
struct ut_cost_view {
  const char *title_key;                         /* of the report: what names the technology */
  const char *price, *price_title;               /* key and unit of what is compared */
  const char *short_title;                       /* of the column with its differences */
  struct ut_cost_column column[UT_COST_COLUMNS]; /* up to one without a title */
  const char *difference[8];                     /* keys that --json compares, up to NULL */
  void (*print_one)(const struct ut_cost_row *row);
};

/* That of a report. */
const struct ut_cost_view *ut_cost_view(const json_t *cost);

/* Of reports; 0 and "" where there is none. */
double ut_cost_number(const json_t *o, const char *key);
const char *ut_cost_text(const json_t *o, const char *key);
double ut_cost_flip_flops(const json_t *cost);
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
