/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - see output.h */
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ending.h"
#include "input.h"

static int fail(struct ut_error *e, const char *path, int error) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(error));
}

static int refuse(struct ut_error *e, const char *path, const char *what) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s; give the name of a regular file", path, what);
}

/* ---- files that are being written */

enum { MOST_OPEN = 16, MOST_NAMES = 100 };
static const char *being_written[MOST_OPEN]; /* targets */

/* Replaces an entry of that list by another one. */
static void exchange(const char *before, const char *after) {
  for (unsigned i = 0; i < MOST_OPEN; i++)
    if (being_written[i] == before) {
      being_written[i] = after;
      return;
    }
}

/* Returns whether this process has opened the target and not closed it: the file that is closed last would replace the
 * other. */
static bool is_being_written(const char *target) {
  for (unsigned i = 0; i < MOST_OPEN; i++)
    if (being_written[i] && !strcmp(being_written[i], target))
      return true;
  return false;
}

/* "TARGET.PROCESS.N.part" (malloc'd); of a name that would be too long its first characters.  NULL: no memory. */
static char *part_name(const char *target, unsigned n) {
  const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
  char end[48], *part;
  const size_t room = NAME_MAX - (size_t)snprintf(end, sizeof end, ".%ld.%u.part", (long)getpid(), n);
  size_t length = strlen(name);
  if (length > room)
    for (length = room; length && ((unsigned char)name[length] & 0xc0) == 0x80;) /* no half of a character */
      length--;
  return asprintf(&part, "%.*s%s", (int)((size_t)(name - target) + length), target, end) < 0 ? NULL : part;
}

static void forget(struct ut_output *output) {
  if (output->part) {
    ut_temporary_forget(output->part);
    exchange(output->target, NULL);
  }
  free(output->target);
  free(output->part);
  *output = (struct ut_output){0};
}

/* Copies owner and permissions of the file that it replaces. */
static void inherit(const struct ut_output *output) {
  struct stat there;
  if (stat(output->target, &there) == 0 && (chown(output->part, there.st_uid, there.st_gid) == 0 || errno == EPERM))
    chmod(output->part, there.st_mode & 07777);
}

/* Creates a file next to the target that no other process writes. */
static int open_numbered(struct ut_output *output, struct ut_error *e) {
  const char *path = output->path;
  if (is_being_written(output->target))
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written twice at the same time; give each output a name of its own",
                   path);
  /* a killed process may have left its own, and in a container process numbers are reused soon */
  for (unsigned i = 0; i < MOST_NAMES && !output->file; i++) {
    char *part = part_name(output->target, i);
    if (!part)
      return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
    output->file = fopen(part, "wxe");
    const int error = output->file ? 0 : errno;
    if (output->file)
      output->part = part;
    else
      free(part);
    if (error && error != EEXIST)
      return fail(e, path, error);
  }
  if (!output->file)
    return fail(e, path, EEXIST);
  ut_temporary_add(output->part);
  exchange(NULL, output->target);
  inherit(output);
  return 0;
}

static int open_part(struct ut_output *output, bool exists, struct ut_error *e) {
  return exists && access(output->target, W_OK) ? fail(e, output->path, errno) : open_numbered(output, e);
}

/* A pipe or a character device. */
static int open_directly(struct ut_output *output, struct ut_error *e) {
  const int fd = open(output->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0 && errno == ENXIO)
    return refuse(e, output->path, "nobody reads what goes into it");
  if (fd >= 0)
    fcntl(fd, F_SETFL, O_WRONLY);
  output->file = fd < 0 ? NULL : fdopen(fd, "w");
  return output->file ? 0 : fail(e, output->path, errno);
}

/* /dev/stdout, while it is a file: a file next to it would take its name, and the printed text would be lost. */
static bool is_standard_output(const struct stat *there) {
  struct stat out;
  return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == there->st_dev && out.st_ino == there->st_ino;
}

static int open_standard_output(struct ut_output *output, struct ut_error *e) {
  fflush(stdout);
  const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  output->file = fd < 0 ? NULL : fdopen(fd, "w");
  return output->file ? 0 : fail(e, output->path, errno);
}

static int open_it(struct ut_output *output, enum ut_output_kind kind, struct ut_error *e) {
  struct stat there, name;
  const char *path = output->path;
  if (!*path)
    return ut_fail(e, UT_BAD_INPUT, "a file to write has an empty name: give it one");
  /* The name is taken first: then a file that another run creates in between is not a dangling link. */
  const bool is_link = lstat(path, &name) == 0 && S_ISLNK(name.st_mode);
  const bool exists = stat(path, &there) == 0;
  if (!exists && errno != ENOENT)
    return fail(e, path, errno);
  if (!exists && is_link)
    return refuse(e, path, "this is a symbolic link that leads nowhere");
  const char *what = exists ? ut_input_irregular(&there) : NULL;
  if (exists && is_standard_output(&there))
    return kind == UT_OUTPUT_ANY ? open_standard_output(output, e) : refuse(e, path, "this is standard output");
  if (what &&
      (kind == UT_OUTPUT_REGULAR || S_ISDIR(there.st_mode) || S_ISBLK(there.st_mode) || S_ISSOCK(there.st_mode)))
    return refuse(e, path, what);
  if (what)
    return open_directly(output, e);
  if (exists && ut_input_is_read(&there))
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: this command reads it; give another name", path);
  output->target = exists ? realpath(path, NULL) : strdup(path);
  return output->target ? open_part(output, exists, e) : fail(e, path, errno);
}

int ut_output_open(struct ut_output *output, const char *path, enum ut_output_kind kind, struct ut_error *e) {
  *output = (struct ut_output){.path = path};
  if (open_it(output, kind, e) == 0)
    return 0;
  forget(output);
  return -1;
}

int ut_output_check(const char *path, enum ut_output_kind kind, struct ut_error *e) {
  struct ut_output output;
  if (ut_output_open(&output, path, kind, e))
    return -1;
  ut_output_drop(&output);
  return 0;
}

/* Returns whether the disk has stored it. */
static bool is_stored(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const bool stored = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
  if (fd >= 0)
    close(fd);
  return stored;
}

void ut_output_drop(struct ut_output *output) {
  if (!output->file)
    return;
  fclose(output->file);
  if (output->part)
    remove(output->part);
  forget(output);
}

/* Returns what has taken the name since it was opened, and must not be replaced; NULL: nothing. */
static const char *came_between(const struct ut_output *output) {
  struct stat there;
  if (!output->part || lstat(output->target, &there))
    return NULL;
  return S_ISLNK(there.st_mode) ? "this is a symbolic link since the command began" : ut_input_irregular(&there);
}

int ut_output_close(struct ut_output *output, struct ut_error *e) {
  if (!output->file)
    return 0;
  const char *path = output->path, *what = came_between(output);
  if (what) {
    ut_output_drop(output);
    return refuse(e, path, what);
  }
  const bool before = ferror(output->file);
  if (output->part)
    inherit(output); /* a program that writes it by its name may have created it anew */
  errno = 0;
  const bool closed = !fclose(output->file) && !before;
  const bool done = closed && (!output->part || (is_stored(output->part) && !rename(output->part, output->target)));
  const int error = errno ? errno : ENOSPC; /* the first error is no longer known */
  if (output->part && !done)
    remove(output->part);
  forget(output);
  return done ? 0 : fail(e, path, error);
}
