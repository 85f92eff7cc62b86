/* output.c - see output.h */
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"

static int fail(struct ut_error *e, const char *path, int error) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(error));
}

static int refuse(struct ut_error *e, const char *path, const char *what) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s; give the name of a regular file", path, what);
}

/* ---- files that are being written when the program ends */

enum { MOST_OPEN = 16, MOST_NAMES = 100 };
static struct {
  char *part[MOST_OPEN];
  pid_t owner; /* what it forks owns none of them */
} being_written;

static void remove_parts(void) {
  for (unsigned i = 0; i < MOST_OPEN && getpid() == being_written.owner; i++)
    if (being_written.part[i])
      unlink(being_written.part[i]);
}

/* Notes a part, or that it is none any more. */
static void note(char *part, bool open) {
  char *const before = open ? NULL : part;
  if (open && !being_written.owner && atexit(remove_parts) == 0)
    being_written.owner = getpid();
  for (unsigned i = 0; part && i < MOST_OPEN; i++)
    if (being_written.part[i] == before) {
      being_written.part[i] = open ? part : NULL;
      return;
    }
}

/* The name of a part up to its number; NULL: no memory. */
static char *part_prefix(const char *target) {
  char *prefix;
  return asprintf(&prefix, "%s.%ld.", target, (long)getpid()) < 0 ? NULL : prefix;
}

/* Whether this process has opened the target, and not closed it: what is closed last would replace the other. */
static bool is_being_written(const char *prefix) {
  for (unsigned i = 0; i < MOST_OPEN; i++)
    if (being_written.part[i] && !strncmp(being_written.part[i], prefix, strlen(prefix)))
      return true;
  return false;
}

static void forget(struct ut_output *o) {
  note(o->part, false);
  free(o->target);
  free(o->part);
  *o = (struct ut_output){0};
}

/* The owner and permissions of what it replaces. */
static void inherit(const struct ut_output *o) {
  struct stat there;
  if (stat(o->target, &there) == 0 && (chown(o->part, there.st_uid, there.st_gid) == 0 || errno == EPERM))
    chmod(o->part, there.st_mode & 07777);
}

/* A file beside the target, which nobody else writes. */
static int open_numbered(struct ut_output *o, const char *prefix, struct ut_error *e) {
  const char *path = o->path;
  if (is_being_written(prefix))
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written twice at the same time; give each output a name of its own",
                   path);
  /* one that was killed may have left its own, and in a container numbers of processes come back soon */
  for (unsigned i = 0; i < MOST_NAMES && !o->file; i++) {
    free(o->part);
    if (asprintf(&o->part, "%s%u.part", prefix, i) < 0) {
      o->part = NULL;
      return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
    }
    o->file = fopen(o->part, "wxe");
    if (!o->file && errno != EEXIST)
      break;
  }
  if (!o->file)
    return fail(e, path, errno);
  note(o->part, true);
  inherit(o);
  return 0;
}
static int open_part(struct ut_output *o, bool exists, struct ut_error *e) {
  if (exists && access(o->target, W_OK))
    return fail(e, o->path, errno);
  char *prefix = part_prefix(o->target);
  const int status = prefix ? open_numbered(o, prefix, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", o->path);
  free(prefix);
  return status;
}

/* A pipe or a character device. */
static int open_directly(struct ut_output *o, struct ut_error *e) {
  const int fd = open(o->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0 && errno == ENXIO)
    return refuse(e, o->path, "nobody reads what goes into it");
  if (fd >= 0)
    fcntl(fd, F_SETFL, O_WRONLY);
  o->file = fd < 0 ? NULL : fdopen(fd, "w");
  return o->file ? 0 : fail(e, o->path, errno);
}

/* /dev/stdout, while that is a file: a file beside it would take its name, and what is printed be lost. */
static bool is_standard_output(const struct stat *there) {
  struct stat out;
  return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == there->st_dev && out.st_ino == there->st_ino;
}

static int open_standard_output(struct ut_output *o, struct ut_error *e) {
  fflush(stdout);
  const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  o->file = fd < 0 ? NULL : fdopen(fd, "w");
  return o->file ? 0 : fail(e, o->path, errno);
}

static int open_it(struct ut_output *o, enum ut_output_kind kind, struct ut_error *e) {
  struct stat there, name;
  const char *path = o->path;
  /* The name first: a file that another run makes in between is no link that leads nowhere. */
  const bool is_link = lstat(path, &name) == 0 && S_ISLNK(name.st_mode);
  const bool exists = stat(path, &there) == 0;
  if (!exists && errno != ENOENT)
    return fail(e, path, errno);
  if (!exists && is_link)
    return refuse(e, path, "this is a symbolic link that leads nowhere");
  const char *what = exists ? ut_input_irregular(&there) : NULL;
  if (exists && is_standard_output(&there))
    return kind == UT_OUTPUT_ANY ? open_standard_output(o, e) : refuse(e, path, "this is standard output");
  if (what &&
      (kind == UT_OUTPUT_REGULAR || S_ISDIR(there.st_mode) || S_ISBLK(there.st_mode) || S_ISSOCK(there.st_mode)))
    return refuse(e, path, what);
  if (what)
    return open_directly(o, e);
  if (exists && ut_input_is_read(&there))
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: this command reads it; give another name", path);
  o->target = exists ? realpath(path, NULL) : strdup(path);
  return o->target ? open_part(o, exists, e) : fail(e, path, errno);
}

int ut_output_open(struct ut_output *o, const char *path, enum ut_output_kind kind, struct ut_error *e) {
  *o = (struct ut_output){.path = path};
  if (open_it(o, kind, e) == 0)
    return 0;
  forget(o);
  return -1;
}

int ut_output_check(const char *path, enum ut_output_kind kind, struct ut_error *e) {
  struct ut_output o;
  if (ut_output_open(&o, path, kind, e))
    return -1;
  ut_output_drop(&o);
  return 0;
}

/* Whether the disk has taken it. */
static bool is_stored(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const bool stored = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
  if (fd >= 0)
    close(fd);
  return stored;
}

void ut_output_drop(struct ut_output *o) {
  if (!o->file)
    return;
  fclose(o->file);
  if (o->part)
    remove(o->part);
  forget(o);
}

/* What has taken the name since it was opened, and may not be replaced; NULL: nothing. */
static const char *came_between(const struct ut_output *o) {
  struct stat there;
  if (!o->part || lstat(o->target, &there))
    return NULL;
  return S_ISLNK(there.st_mode) ? "this is a symbolic link since the command began" : ut_input_irregular(&there);
}

int ut_output_close(struct ut_output *o, struct ut_error *e) {
  if (!o->file)
    return 0;
  const char *path = o->path, *what = came_between(o);
  if (what) {
    ut_output_drop(o);
    return refuse(e, path, what);
  }
  const bool before = ferror(o->file);
  if (o->part)
    inherit(o); /* who writes it by its name may have made it anew */
  errno = 0;
  const bool closed = !fclose(o->file) && !before;
  const bool done = closed && (!o->part || (is_stored(o->part) && !rename(o->part, o->target)));
  const int error = errno ? errno : ENOSPC; /* the first error is no longer known */
  if (o->part && !done)
    remove(o->part);
  forget(o);
  return done ? 0 : fail(e, path, error);
}
