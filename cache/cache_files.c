/* SPDX-License-Identifier: Apache-2.0 */
/* cache_files.c - see cache_files.h */
#define _GNU_SOURCE
#include "cache_files.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ending.h"
#include "memory_text.h"

/* ---- errors ---- */

int ut_fail_os(struct ut_error *e, int error, const char *operation, const char *path) {
  const char *remedy = NULL;
  switch (error) {
  case EACCES:
  case EPERM: remedy = "correct its owner and permissions, or set UTURN_CACHE to a folder of your own"; break;
  case EROFS: remedy = "the file system is read-only: set UTURN_CACHE to a writable folder"; break;
  case ENOSPC:
  case EDQUOT: remedy = "make room (about 20 MB for one entry), or set UTURN_CACHE to a folder on another disk"; break;
  case EFBIG: remedy = "files may not be that large here: see `ulimit -f`"; break;
  case ENOTDIR:
  case EEXIST:
    remedy = "a file stands where a folder is needed: remove it, or set UTURN_CACHE to another folder";
    break;
  case ENOENT: remedy = "check the spelling of the path"; break;
  case ELOOP:
  case ENAMETOOLONG: remedy = "set UTURN_CACHE to a simpler path"; break;
  default: return ut_fail(e, UT_INTERNAL, "cache: cannot %s %.900s: %s", operation, path, strerror(error));
  }
  return ut_fail(e, UT_BAD_INPUT, "cache: cannot %s %.900s: %s; %s", operation, path, strerror(error), remedy);
}

int ut_fail_source(struct ut_error *e, int error, const char *operation, const char *path) {
  return ut_fail(e, UT_BAD_INPUT, "cannot %s %.900s: %s; check its %s", operation, path, strerror(error),
                 error == EACCES ? "permissions" : "name");
}

/* ---- paths ---- */

int ut_path_set(struct ut_error *e, char *out, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(out, PATH_MAX, format, ap);
  va_end(ap);
  if (n < 0 || n >= PATH_MAX)
    return ut_fail(e, UT_BAD_INPUT,
                   "the path %.200s... is too long (%d characters, limit %d): use a shorter folder name", out, n,
                   PATH_MAX - 1);
  return 0;
}

int ut_path_temporary(struct ut_error *e, char *out, const char *name) {
  const char *folder = getenv("TMPDIR");
  return ut_path_set(e, out, "%s/uturn-%s", folder && *folder ? folder : "/tmp", name);
}

bool ut_path_ends(const char *path, const char *end) {
  size_t n = strlen(path), m = strlen(end);
  return n >= m && !strcmp(path + n - m, end);
}

/* ---- files ---- */

int ut_file_read(const char *path, char **data, size_t *size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return errno;
  struct stat st;
  int error = fstat(fd, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : !S_ISREG(st.st_mode) ? EINVAL : 0;
  size_t capacity = error ? 0 : (size_t)st.st_size + 1, n = 0;
  char *buffer = error ? NULL : malloc(capacity + 1);
  if (!error && !buffer)
    error = ENOMEM;
  while (!error) {
    ssize_t got = read(fd, buffer + n, capacity - n);
    if (got == 0)
      break;
    if (got < 0) {
      error = errno == EINTR ? 0 : errno;
      continue;
    }
    n += (size_t)got;
    if (n == capacity) { /* it grows while it is read */
      char *larger = realloc(buffer, capacity * 2 + 1);
      error = larger ? 0 : ENOMEM;
      buffer = larger ? larger : buffer;
      capacity *= 2;
    }
  }
  close(fd);
  if (error) {
    free(buffer);
    return error;
  }
  buffer[n] = '\0';
  *data = buffer;
  *size = n;
  return 0;
}

int ut_file_write(const char *path, const char *data, size_t size, struct ut_error *e) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return ut_fail_os(e, errno, "write", path);
  int error = 0;
  for (size_t n = 0; n < size && !error;) {
    ssize_t put = write(fd, data + n, size - n);
    if (put >= 0)
      n += (size_t)put;
    else if (errno != EINTR)
      error = errno;
  }
  if (close(fd) && !error)
    error = errno;
  return error ? ut_fail_os(e, error, "write", path) : 0;
}

/* ---- folders ---- */

int ut_folders_make(const char *path, mode_t mode, struct ut_error *e) {
  char part[PATH_MAX];
  if (ut_path_set(e, part, "%s", path))
    return -1;
  for (char *p = part + 1;; p++) {
    char end = *p;
    if (end != '/' && end != '\0')
      continue;
    *p = '\0';
    struct stat st;
    int error = mkdir(part, mode) ? errno : 0;
    if (stat(part, &st))
      return ut_fail_os(e, error ? error : errno, "create the folder", part);
    if (!S_ISDIR(st.st_mode))
      return ut_fail_os(e, ENOTDIR, "use as a folder", part);
    if (end == '\0')
      return 0;
    *p = end;
  }
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
  (void)st, (void)flag, (void)ftw;
  remove(path);
  return 0;
}

void ut_folder_remove(const char *path) {
  struct stat st;
  for (int tries = 0; tries < 3 && !lstat(path, &st); tries++) {
    if (tries)
      usleep(20000); /* a killed compiler may still be closing its files */
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
  ut_temporary_forget(path);
}

/* ---- temporary ones ---- */

int ut_folder_temporary(char *template) {
  if (!mkdtemp(template))
    return -1;
  ut_temporary_add(template);
  return 0;
}

int ut_file_temporary(char *template) {
  const int fd = mkstemp(template);
  if (fd >= 0)
    ut_temporary_add(template);
  return fd;
}

void ut_file_remove(const char *path) {
  remove(path);
  ut_temporary_forget(path);
}

/* ---- texts ---- */

FILE *ut_text_open(struct ut_text *text, struct ut_error *e) {
  *text = (struct ut_text){0};
  FILE *stream = ut_memory_open(&text->data, &text->size);
  if (!stream)
    ut_fail_memory(e);
  return stream;
}

int ut_text_write(struct ut_text *text, FILE *stream, const char *path, struct ut_error *e) {
  int status =
      ut_memory_close(stream, &text->data) ? ut_fail_memory(e) : ut_file_write(path, text->data, text->size, e);
  free(text->data);
  return status;
}
