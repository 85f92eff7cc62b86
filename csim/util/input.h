/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - a file that the user gives us to read: a regular file or a pipe, also by the names that a shell makes of
 * <(command).
 *
 * A folder, a device or a socket is refused; so is a pipe whose other end stays silent for UT_LIMIT_PIPE_SECONDS: a
 * FIFO without a writer would block for ever.
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
/* Returns whether this process has opened that file so, and does not write it anew: no other file may take its
 * place. */
bool ut_input_is_read(const struct stat *there);
/* After a read that has failed: the message.  Always -1. */
int ut_input_fail(const char *path, int error, struct ut_error *e);
/* That a file cannot be opened, and which one may be meant.  what: as for ut_input_open().  Always -1. */
int ut_input_fail_open(const char *path, const char *what, int error, struct ut_error *e);

/* Reads the whole file, with a NUL behind it that *length does not count; malloc'd.  NULL and *e: it cannot be read, or
 * has more than `most` bytes. */
char *ut_input_read(const char *path, const char *what, enum ut_input_kind kind, size_t most, size_t *length,
                    struct ut_error *e);

#endif
