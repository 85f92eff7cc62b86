/* SPDX-License-Identifier: Apache-2.0 */
/* number_file.h - files of numbers that a scenario names, a few in each line; '#' starts a comment. */
#ifndef UT_NUMBER_FILE_H
#define UT_NUMBER_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "lines.h"

enum { UT_NUMBER_COLUMNS = 6 };

struct ut_number_file {
  struct ut_lines file;
  /* What it may hold; open() sets 4 columns of whole numbers, and the reader of a file may say otherwise. */
  unsigned columns, real_columns; /* the most of them; a bit for each one that may have a fraction */
  bool titles;                    /* the first line may be the names of the columns */
  unsigned count;                 /* numbers in the current line */
  uint64_t value[UT_NUMBER_COLUMNS];
  double real[UT_NUMBER_COLUMNS];     /* of real_columns, in place of value */
  unsigned column[UT_NUMBER_COLUMNS]; /* where they start, from 1 */
};

/* what: "trace", given by the key trace_file; path NULL: the key is missing.  0, or -1 and *e (UT_BAD_INPUT); to be
 * closed when it was opened. */
int ut_number_file_open(struct ut_number_file *file, const char *path, const char *what, struct ut_error *e);
void ut_number_file_close(struct ut_number_file *file);

/* Moves to the next line that has numbers.  1: there is one, 0: end of file, -1 and *e. */
int ut_number_file_next(struct ut_number_file *file, struct ut_error *e);

/* Reads number i of the line as that of a "terminal", "group", ... below `count`.  Returns 0, or -1 and fills *e. */
int ut_number_file_unit(const struct ut_number_file *file, unsigned i, uint32_t count, const char *name, uint16_t *out,
                        struct ut_error *e);
/* Reads number i of the line as a terminal below `terminals`.  Returns 0, or -1 and fills *e. */
int ut_number_file_terminal(const struct ut_number_file *file, unsigned i, uint32_t terminals, uint16_t *out,
                            struct ut_error *e);

#endif
