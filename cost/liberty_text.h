/* SPDX-License-Identifier: Apache-2.0 */
/* liberty_text.h - the syntax of Liberty files: groups, attributes and lists, for readers of any of their contents. */
#ifndef UT_LIBERTY_TEXT_H
#define UT_LIBERTY_TEXT_H

#include <stddef.h>

#include "error.h"

enum { UT_LIBERTY_DEPTH = 18 }; /* groups in groups, at most */

struct ut_liberty_list {
  const char *begin, *end; /* the text between ( and ) */
  const char *word[2];     /* the first two arguments, without quotes; "" where there is none */
  unsigned words;
};

/* Functions return 0, or -1 after filling the error that the reader knows of: that ends the walk. */
struct ut_liberty_reader {
  void *ctx;
  int (*attribute)(void *ctx, const char *name, const char *value);         /* name : value ; */
  int (*list)(void *ctx, const char *name, const struct ut_liberty_list *); /* name (arguments) ; */
  /* name (argument, second) {; "" where there is none */
  int (*open)(void *ctx, const char *name, const char *argument, const char *second);
  int (*close)(void *ctx); /* } */
};

/* Parses a text that ends with a NUL: first open() of the library, its close() last.  Returns 0, or -1 after filling *e
 * with the line of the syntax error. */
int ut_liberty_walk(const char *text, size_t size, const char *path, const struct ut_liberty_reader *reader,
                    struct ut_error *e);

/* "10ps" with names and what one of each is worth; `otherwise` for a name that is not among them. */
double ut_liberty_unit(const char *text, const char *const names[], const double worth[], double otherwise);

#endif
