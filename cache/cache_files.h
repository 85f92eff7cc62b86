/* SPDX-License-Identifier: Apache-2.0 */
/* cache_files.h - paths, whole files and folders of the model cache, and errors that name the remedy. */
#ifndef UT_CACHE_FILES_H
#define UT_CACHE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "error.h"

/* Each fills *e and returns -1.  `error` is an errno, of an operation on `path`. */
int ut_fail_os(struct ut_error *e, int error, const char *operation, const char *path);
int ut_fail_source(struct ut_error *e, int error, const char *operation, const char *path); /* a file the user named */

/* Formats into `out` (PATH_MAX bytes).  Returns 0, or -1 when the path would be too long. */
int ut_path_set(struct ut_error *e, char *out, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool ut_path_ends(const char *path, const char *end);

/* "FOLDER/uturn-NAME", where temporary files belong: $TMPDIR, else /tmp.  0, or -1 and *e. */
int ut_path_temporary(struct ut_error *e, char *out, const char *name);

/* Reads a whole regular file into a malloc'd buffer, followed by a NUL that *size does not count.  Returns 0, an errno
 * otherwise. */
int ut_file_read(const char *path, char **data, size_t *size);
/* Creates or replaces a file.  Returns 0, or -1 after filling *e. */
int ut_file_write(const char *path, const char *data, size_t size, struct ut_error *e);

/* Creates the folder `path` and those above it.  Returns 0, or -1 after filling *e. */
int ut_folders_make(const char *path, mode_t mode, struct ut_error *e);
/* Removes a folder with its contents, as far as it can. */
void ut_folder_remove(const char *path);

/* mkdtemp() and mkstemp() of what is removed when the program is ended (ending.h): a folder, 0 or -1 with errno; a
 * file, open, or -1 with errno.  ut_folder_remove() and ut_file_remove() are for them. */
int ut_folder_temporary(char *template);
int ut_file_temporary(char *template);
void ut_file_remove(const char *path);

/* A text that is printed into memory and then written as one file. */
struct ut_text {
  char *data;
  size_t size;
};
/* The stream to print to; NULL after filling *e. */
FILE *ut_text_open(struct ut_text *text, struct ut_error *e);
/* Closes the stream, writes the text to `path` and frees it.  Returns 0, or -1 after filling *e. */
int ut_text_write(struct ut_text *text, FILE *stream, const char *path, struct ut_error *e);

#endif
