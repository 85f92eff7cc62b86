/* SPDX-License-Identifier: Apache-2.0 */
/* line_counts.h - which lines and branches of the Verilog a class that counts them (model_cache.h) has executed.
 *
 * Verilator counts blocks of `always` blocks and functions, and both ways of each `if` and `case`; an `assign` has no
 * line.  A block is counted for its source, whichever instance and whichever switch has executed it.
 */
#ifndef UT_LINE_COUNTS_H
#define UT_LINE_COUNTS_H

#include "lockstep.h"

struct ut_line_count {
  char *file; /* base name: "ut_input_vc.v"; malloc'd */
  char *what; /* "block", "if", "else", "case", ...; malloc'd */
  unsigned line, column;
  uint64_t count;
};

/* Nothing in it: all zero. */
struct ut_line_counts {
  struct ut_line_count *point; /* sorted by file, line, column and what */
  size_t count, room;
};

/* Adds the counts of all RTL switches.  -1 and *e: they are of a class that does not count; no memory, no room in the
 * temporary folder. */
int ut_line_counts_add(struct ut_line_counts *all, const struct ut_rtl *rtl, struct ut_error *e);
void ut_line_counts_free(struct ut_line_counts *all);

#endif
