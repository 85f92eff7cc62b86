/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - a file that a command writes, as a whole or not at all.
 *
 * The text goes to a file next to the target, which gets the target's name when it is complete: under that name there
 * is never half a file, and the old file stays until then.  A symbolic link is followed; owner and permissions are
 * kept.  A pipe or a character device is written directly.  Nothing but a regular file is ever replaced, and no file
 * that the command itself reads (input.h).  If the program ends in between, the file next to the target is removed,
 * unless the program was killed.
 */
#ifndef UT_OUTPUT_H
#define UT_OUTPUT_H

#include <stdio.h>

#include "error.h"

enum ut_output_kind {
  UT_OUTPUT_ANY,     /* a regular file, a pipe, a character device, standard output */
  UT_OUTPUT_REGULAR, /* a regular file only: the writer moves back and forth in it */
};

struct ut_output {
  FILE *file;          /* to write to; NULL: it is not open */
  const char *path;    /* as it was given; must outlive it */
  char *target, *part; /* its name, and that of the file beside it; NULL where it is written to directly */
};

/* -1 and *e (UT_BAD_INPUT): it cannot be written. */
int ut_output_open(struct ut_output *output, const char *path, enum ut_output_kind kind, struct ut_error *e);
/* Whether it could be opened; leaves everything as it was. */
int ut_output_check(const char *path, enum ut_output_kind kind, struct ut_error *e);
/* Completes it: the text written to output->file, or by others to the file named output->part.  Returns -1 and fills *e
 * if something could not be written; no file is left then.  If it is not open, there is nothing to do. */
int ut_output_close(struct ut_output *output, struct ut_error *e);
/* Discards it: the old file stays under its name. */
void ut_output_drop(struct ut_output *output);

#endif
