/* SPDX-License-Identifier: Apache-2.0 */
/* sheet.h - rows of named columns, written to a file as they come: CSV, or JSON (an array with an object a row), as the
 * file's name says.
 *
 * The file is whole or not there (output.h).
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

/* The next cell; behind the last one of a row a new row begins. */
void ut_sheet_integer(struct ut_sheet *sheet, uint64_t value);
void ut_sheet_real(struct ut_sheet *sheet, double value);
void ut_sheet_word(struct ut_sheet *sheet, const char *word); /* needs no quotes within it */
void ut_sheet_nothing(struct ut_sheet *sheet);                /* an empty cell; null in JSON */
void ut_sheet_integer_if(struct ut_sheet *sheet, bool there, uint64_t value);

bool ut_sheet_is_open(const struct ut_sheet *sheet);
/* False when something could not be written: there is no use in going on. */
bool ut_sheet_good(const struct ut_sheet *sheet);

/* Completes it.  -1 and *e: something could not be written; nothing is left then.  Not open: nothing to do. */
int ut_sheet_close(struct ut_sheet *sheet, struct ut_error *e);
/* Gives it up: what stood under its name before still does. */
void ut_sheet_drop(struct ut_sheet *sheet);

#endif
