/* SPDX-License-Identifier: Apache-2.0 */
/* line_counts.h - the lines and branches of the Verilog that a class which counts them (model_cache.h) has executed.
 *
 * Verilator counts blocks of `always` blocks and functions, and both branches of each `if` and `case`; an `assign` has
 * no count.  A block is counted by its place in the source, for all instances and all switches together.
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

/* An empty list: all zero. */
struct ut_line_counts {
  struct ut_line_count *point; /* sorted by file, line, column and what */
  size_t count, room;
};

/* Adds the counts of all RTL switches.  Returns -1 and fills *e if their class does not count, when out of memory, or
 * if the temporary folder is full. */
int ut_line_counts_add(struct ut_line_counts *all, const struct ut_rtl *rtl, struct ut_error *e);
void ut_line_counts_free(struct ut_line_counts *all);

#endif
