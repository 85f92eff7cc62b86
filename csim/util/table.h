/* table.h - rows of named columns, written to a file as they come: CSV, or JSON (an array with an object a row), as the
 * file's name says.
 *
 * The rows go to a file beside it, which takes the name when the table is complete: under that name there is never half
 * a table.  What is no plain file, a pipe or a device, is written to directly.
 */
#ifndef UT_TABLE_H
#define UT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

struct ut_table {
  FILE *file;          /* NULL: it is not open */
  char *target, *part; /* its name, and that of the file beside it, NULL if there is none */
  const char *path;    /* as it was given */
  const char *const *column;
  unsigned columns, at; /* at: of the next cell */
  uint64_t rows;
  char *text; /* that is not in the file yet */
  size_t used;
  bool json;
};

/* Whether the name ends as a table's must: .csv or .json. */
bool ut_table_is_named(const char *path);

/* path, and the names of the columns, must outlive it.  -1 and *e: it cannot be written. */
int ut_table_open(struct ut_table *t, const char *path, const char *const *column, unsigned columns,
                  struct ut_error *e);

/* The next cell; behind the last one of a row a new row begins. */
void ut_table_integer(struct ut_table *t, uint64_t value);
void ut_table_real(struct ut_table *t, double value);
void ut_table_word(struct ut_table *t, const char *word); /* needs no quotes within it */
void ut_table_nothing(struct ut_table *t);                /* an empty cell; null in JSON */
void ut_table_integer_if(struct ut_table *t, bool there, uint64_t value);

/* False when something could not be written: there is no use in going on. */
bool ut_table_good(const struct ut_table *t);

/* Completes it.  -1 and *e: something could not be written; nothing is left then.  Not open: nothing to do. */
int ut_table_close(struct ut_table *t, struct ut_error *e);
/* Gives it up: what stood under its name before still does. */
void ut_table_drop(struct ut_table *t);

#endif
