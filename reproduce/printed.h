/* SPDX-License-Identifier: Apache-2.0 */
/* printed.h - values that a paper prints, and what a measured one is beside them.
 *
 * A table of lines with tabs between six columns, the first line their names: name, printed, unit, tolerance, source,
 * query.  printed: "0.35", "<0.1", ">5", "10..12".  tolerance: "0", "0.02", "5%".  query: the SELECT that gives the
 * measured value (docs/reference/reproduce.md).
 */
#ifndef UT_PRINTED_H
#define UT_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct ut_printed {
  const char *name, *text, *unit, *tolerance_text, *source, *query; /* text: as it is printed */
  double low, high;                                                 /* what is printed; bounds may be infinite */
  double tolerance;                                                 /* absolute */
  double digit;  /* of a number: half a unit of its last digit, so far it may have been rounded */
  unsigned line; /* of the file */
};

struct ut_printed_table {
  char *text; /* owns all strings */
  struct ut_printed *value;
  size_t values;
};

/* Reads a file.  -1 and *e (UT_BAD_INPUT: file, line and remedy) on failure; nothing is to be freed then. */
int ut_printed_load(struct ut_printed_table *table, const char *path, struct ut_error *e);
void ut_printed_free(struct ut_printed_table *table);

/* What is said of a measured value whose 95 % interval is measured +- half: 0, nothing in it is drawn at random;
 * INFINITY, one run tells nothing about it.
 *   EQUAL           exact: rounded to as many digits it is what is printed, or it is within printed bounds; drawn: the
 *                   number lies in the interval, which is not wider than the tolerance, or all of the interval lies
 *                   within the bounds
 *   WITHIN          as far as the tolerance, or what rounding hides
 *   NOT_SIGNIFICANT the interval reaches both sides of a bound, or of the end of the tolerance
 *   DIFFERS         none of these */
enum ut_verdict { UT_EQUAL, UT_WITHIN, UT_NOT_SIGNIFICANT, UT_DIFFERS, UT_NOT_MEASURED };
enum ut_verdict ut_printed_verdict(const struct ut_printed *printed, double measured, double half);
/* "<", ">" and "a..b". */
bool ut_printed_is_inequality(const struct ut_printed *printed);
/* How far it is from what is printed; 0 within bounds, NaN: not measured. */
double ut_printed_difference(const struct ut_printed *printed, double measured);

#endif
