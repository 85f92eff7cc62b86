/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - a file that somebody gave us to read.
 *
 * A regular file or a pipe, also by the names that a shell makes of <(command).  A folder, a device or a socket is
 * refused; and so is a pipe, when its other end stays silent for UT_LIMIT_PIPE_SECONDS: a FIFO that nobody writes to
 * would block for ever.
 */
#ifndef UT_INPUT_H
#define UT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "error.h"

enum ut_input_kind {
  UT_INPUT_ONCE,     /* a pipe will do */
  UT_INPUT_AGAIN,    /* it is read again later: regular files only */
  UT_INPUT_REPLACED, /* as ONCE; the command may write it anew */
};

/* what: "scenario", for messages.  NULL and *e (UT_BAD_INPUT): it cannot be opened. */
FILE *ut_input_open(const char *path, const char *what, enum ut_input_kind kind, struct ut_error *e);
/* "this is a pipe"; NULL: a regular file. */
const char *ut_input_irregular(const struct stat *stat);
/* Whether it is a file that this process has opened so, and does not write anew: nothing may take its place. */
bool ut_input_is_read(const struct stat *there);
/* After a read that has failed: the message.  Always -1. */
int ut_input_fail(const char *path, int error, struct ut_error *e);
/* That a file cannot be opened, and which one may be meant.  what: as for ut_input_open().  Always -1. */
int ut_input_fail_open(const char *path, const char *what, int error, struct ut_error *e);

/* All of it, with a NUL behind that *length does not count; malloc'd.  NULL and *e: it cannot be read, or has more than
 * `most` bytes. */
char *ut_input_read(const char *path, const char *what, enum ut_input_kind kind, size_t most, size_t *length,
                    struct ut_error *e);

#endif
