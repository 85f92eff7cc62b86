/* SPDX-License-Identifier: Apache-2.0 */
/* lines.h - a text file that is read line by line, and errors that name the place. */
#ifndef UT_LINES_H
#define UT_LINES_H

#include <stddef.h>
#include <stdio.h>

#include "error.h"

struct ut_lines {
  FILE *stream;
  const char *path;
  char *text; /* the current line, without newline; it may be written on */
  size_t most;
  unsigned line; /* its number, from 1 */
  char *block;   /* [capacity]: a part of the file, with this line and what is behind it, next..end */
  size_t capacity, next, end;
  int zeros; /* there are NULs in the blocks so far */
};

/* what: "trace", for messages; most: bytes of a line.  A regular file, for it is read more than once.  0, or -1 and *e
 * (UT_BAD_INPUT); to be closed in both cases. */
int ut_lines_open(struct ut_lines *lines, const char *path, const char *what, size_t most, struct ut_error *e);
void ut_lines_close(struct ut_lines *lines);

/* Moves to the next line.  1: there is one, 0: end of the file, -1 and *e. */
int ut_lines_next(struct ut_lines *lines, struct ut_error *e);

/* "file:line:column: ..." and the current line below it; columns count from 1.  Always -1. */
int ut_lines_fail(const struct ut_lines *lines, size_t column, struct ut_error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
