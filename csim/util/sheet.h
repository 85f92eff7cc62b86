/* SPDX-License-Identifier: Apache-2.0 */
/* sheet.h - rows of named columns, written to a file one by one: CSV, or JSON (an array with one object for each row),
 * as the file's name says.  The file is written as a whole or not at all (output.h).
 */
#ifndef UT_SHEET_H
#define UT_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "output.h"

struct ut_sheet {
  struct ut_output out;
  const char *const *column;
  unsigned columns, at; /* at: of the next cell */
  uint64_t rows;
  char *text; /* that is not in the file yet */
  size_t used;
  bool json;
};

/* Whether the name ends as a sheet's must: .csv or .json. */
bool ut_sheet_is_named(const char *path);

/* path, and the names of the columns, must outlive it.  -1 and *e: it cannot be written. */
int ut_sheet_open(struct ut_sheet *sheet, const char *path, const char *const *column, unsigned columns,
                  struct ut_error *e);

/* Writes the next cell; after the last cell of a row a new row begins. */
void ut_sheet_integer(struct ut_sheet *sheet, uint64_t value);
void ut_sheet_real(struct ut_sheet *sheet, double value);
void ut_sheet_word(struct ut_sheet *sheet, const char *word); /* needs no quotes within it */
void ut_sheet_nothing(struct ut_sheet *sheet);                /* an empty cell; null in JSON */
void ut_sheet_integer_if(struct ut_sheet *sheet, bool there, uint64_t value);

bool ut_sheet_is_open(const struct ut_sheet *sheet);
/* False if something could not be written: then there is no use in continuing. */
bool ut_sheet_good(const struct ut_sheet *sheet);

/* Completes it.  Returns -1 and fills *e if something could not be written; no file is left then.  If it is not open,
 * there is nothing to do. */
int ut_sheet_close(struct ut_sheet *sheet, struct ut_error *e);
/* Discards it: the old file stays under its name. */
void ut_sheet_drop(struct ut_sheet *sheet);

#endif
