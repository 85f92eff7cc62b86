/* SPDX-License-Identifier: Apache-2.0 */
/* cost_view.h - how `uturn cost` shows a technology: its name, and what a price is. */
#ifndef UT_COST_VIEW_H
#define UT_COST_VIEW_H

#include "cost_output.h"

struct ut_cost_view {
  const char *title_key;                 /* of the report: what names the technology */
  const char *chart;                     /* title: what its bars are */
  const char *price_title, *price_short; /* unit of ut_cost_price() */
  const char *percent;                   /* key of --json for its difference in percent */
  const char *difference[8];             /* keys that --json compares, up to NULL */
};

/* That of a report. */
const struct ut_cost_view *ut_cost_view(const json_t *cost);

/* What is at "KEY" or "KEY.KEY" of a report: a number, or the sum of an object's numbers.  NAN: nothing. */
double ut_cost_value(const json_t *cost, const char *key);
/* Of reports; "" where there is none. */
const char *ut_cost_text(const json_t *o, const char *key);

#endif
