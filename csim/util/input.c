/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - see input.h */
#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_limits.h"
#include "nearest_file.h"

/* ---- pipes: a stream whose reads time out */

static ssize_t read_pipe(void *cookie, char *text, size_t size) {
  const int fd = (int)(intptr_t)cookie;
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  const int ready = poll(&wait, 1, 1000 * UT_LIMIT_PIPE_SECONDS);
  if (ready == 0)
    errno = ETIMEDOUT;
  return ready > 0 ? read(fd, text, size) : -1;
}

static int close_pipe(void *cookie) {
  return close((int)(intptr_t)cookie);
}

/* ---- files that have been read: the first ones, which the user has named */

enum { MOST_READ = 256 };
static struct {
  dev_t dev;
  ino_t ino;
} opened[MOST_READ];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;

static void note(const struct stat *stat) {
  pthread_mutex_lock(&lock);
  if (count < MOST_READ) {
    opened[count].dev = stat->st_dev;
    opened[count++].ino = stat->st_ino;
  }
  pthread_mutex_unlock(&lock);
}

bool ut_input_is_read(const struct stat *there) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < count && !found; i++)
    found = opened[i].dev == there->st_dev && opened[i].ino == there->st_ino;
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- any file */

int ut_input_fail(const char *path, int error, struct ut_error *e) {
  if (error == ETIMEDOUT)
    return ut_fail(e, UT_BAD_INPUT, "%s: this is a pipe, and nobody has written to it for %d seconds", path,
                   UT_LIMIT_PIPE_SECONDS);
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be read: %s", path, strerror(error ? error : EIO));
}

const char *ut_input_irregular(const struct stat *stat) {
  switch (stat->st_mode & S_IFMT) {
  case S_IFREG: return NULL;
  case S_IFIFO: return "this is a pipe";
  case S_IFCHR: return "this is a device";
  case S_IFBLK: return "this is a disk";
  case S_IFDIR: return "this is a folder";
  default: return "this is a socket";
  }
}

static int refuse(const char *path, const char *what, const struct stat *stat, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: %s, expected a %s file%s", path, ut_input_irregular(stat), what,
                 S_ISFIFO(stat->st_mode) ? ", which is read more than once" : "");
}

int ut_input_fail_open(const char *path, const char *what, int error, struct ut_error *e) {
  char near[PATH_MAX];
  if (!*path)
    return ut_fail(e, UT_BAD_INPUT, "the name of the %s file is empty: give one", what);
  if ((error == ENOENT || error == ENOTDIR) && ut_nearest_file(path, strstr(what, "scenario"), near))
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot open the %s file: %s; did you mean '%s'?", path, what, strerror(error),
                   near);
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot open the %s file: %s", path, what, strerror(error));
}

FILE *ut_input_open(const char *path, const char *what, enum ut_input_kind kind, struct ut_error *e) {
  struct stat status;
  const int error = stat(path, &status) ? errno : 0; /* before it is opened, because opening alone moves some devices */
  if (!error && !S_ISREG(status.st_mode) && !(S_ISFIFO(status.st_mode) && kind != UT_INPUT_AGAIN)) {
    refuse(path, what, &status, e);
    return NULL;
  }
  const int fd = error ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  FILE *stream = NULL;
  if (fd >= 0 && S_ISFIFO(status.st_mode))
    stream = fopencookie((void *)(intptr_t)fd, "r", (cookie_io_functions_t){.read = read_pipe, .close = close_pipe});
  else if (fd >= 0)
    stream = fdopen(fd, "r");
  if (stream && S_ISREG(status.st_mode) && kind != UT_INPUT_REPLACED)
    note(&status);
  if (stream)
    return stream;
  ut_input_fail_open(path, what, errno, e);
  if (fd >= 0)
    close(fd);
  return NULL;
}

/* Everything in the stream. */
static char *read_all(FILE *stream, const char *path, size_t most, size_t *length, struct ut_error *e) {
  size_t capacity = 1 << 14, used = 0;
  char *text = NULL;
  for (;;) {
    char *larger = realloc(text, capacity + 1);
    if (!larger) {
      ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for this file", path);
      break;
    }
    text = larger;
    errno = 0;
    used += fread(text + used, 1, capacity - used, stream);
    if (ferror(stream)) {
      ut_input_fail(path, errno, e);
      break;
    }
    if (used > most) {
      ut_fail(e, UT_BAD_INPUT, "%s: too large: more than %zu MiB", path, most >> 20);
      break;
    }
    if (used < capacity) {
      text[used] = '\0';
      *length = used;
      return text;
    }
    capacity *= 2;
  }
  free(text);
  return NULL;
}

char *ut_input_read(const char *path, const char *what, enum ut_input_kind kind, size_t most, size_t *length,
                    struct ut_error *e) {
  FILE *stream = ut_input_open(path, what, kind, e);
  if (!stream)
    return NULL;
  char *text = read_all(stream, path, most, length, e);
  fclose(stream);
  return text;
}
