/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - a file that a command writes: whole or not at all.
 *
 * What is written goes to a file beside it, which takes the name when it is complete: under that name there is never
 * half a file, and what stood there stays until then.  A symbolic link is followed, owner and permissions are kept.  A
 * pipe or a character device is written to directly; nothing that is no regular file is ever replaced, and no file
 * that the command itself reads (input.h).  When the program ends in between, the file beside it is removed, unless it
 * was killed.
 */
#ifndef UT_OUTPUT_H
#define UT_OUTPUT_H

#include <stdio.h>

#include "error.h"

enum ut_output_kind {
  UT_OUTPUT_ANY,     /* a regular file, a pipe, a character device, standard output */
  UT_OUTPUT_REGULAR, /* a regular file only: who writes it goes back and forth in it */
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
/* Completes it: what was written to output->file, or by others to the file named output->part.  -1 and *e: something
 * could not be written; nothing is left then.  Not open: nothing to do. */
int ut_output_close(struct ut_output *output, struct ut_error *e);
/* Gives it up: what stood under its name still does. */
void ut_output_drop(struct ut_output *output);

#endif
