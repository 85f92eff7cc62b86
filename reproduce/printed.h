/* printed.h - values that a paper prints, and what a measured one is beside them.
 *
 * A table of lines with tabs between six columns, the first line their names: name, printed, unit, tolerance, source,
 * query.  printed: "0.35", "<0.1", ">5", "10..12".  tolerance: "0", "0.02", "5%".  query: the SELECT that gives the
 * measured value (docs/reproduce.md).
 */
#ifndef UT_PRINTED_H
#define UT_PRINTED_H

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
int ut_printed_load(struct ut_printed_table *t, const char *path, struct ut_error *e);
void ut_printed_free(struct ut_printed_table *t);

/* EQUAL: the measured value, rounded to as many digits, is what is printed, or within printed bounds. */
enum ut_verdict { UT_EQUAL, UT_WITHIN, UT_DIFFERS, UT_NOT_MEASURED };
enum ut_verdict ut_printed_verdict(const struct ut_printed *p, double measured);
/* How far it is from what is printed; 0 within bounds, NaN: not measured. */
double ut_printed_difference(const struct ut_printed *p, double measured);

#endif
