/* whole_file.c - see whole_file.h */
#include "whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct ut_error *e, const char *path, int error) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(error));
}

/* A file beside the target, which nobody else writes. */
static FILE *open_part(struct ut_whole_file *f) {
  const size_t size = strlen(f->target) + 32;
  f->part = malloc(size);
  if (!f->part)
    return NULL;
  snprintf(f->part, size, "%s.%ld.part", f->target, (long)getpid());
  FILE *file = fopen(f->part, "wx");
  if (!file) {
    free(f->part);
    f->part = NULL;
  }
  return file;
}

static void forget(struct ut_whole_file *f) {
  free(f->target);
  free(f->part);
  *f = (struct ut_whole_file){0};
}

int ut_whole_file_open(struct ut_whole_file *f, const char *path, struct ut_error *e) {
  struct stat there;
  const bool exists = stat(path, &there) == 0;
  *f = (struct ut_whole_file){.path = path};
  f->target = exists ? realpath(path, NULL) : strdup(path); /* what a symbolic link leads to */
  if (exists && S_ISDIR(there.st_mode))
    errno = EISDIR;
  else if (f->target)
    f->file = exists && !S_ISREG(there.st_mode) ? fopen(path, "w") : open_part(f);
  if (f->file)
    return 0;
  const int error = errno;
  forget(f);
  return fail(e, path, error);
}

void ut_whole_file_drop(struct ut_whole_file *f) {
  if (!f->file)
    return;
  fclose(f->file);
  if (f->part)
    remove(f->part);
  forget(f);
}

int ut_whole_file_close(struct ut_whole_file *f, struct ut_error *e) {
  const bool before = ferror(f->file);
  errno = 0;
  const bool closed = !fclose(f->file) && !before, named = closed && (!f->part || !rename(f->part, f->target));
  const int error = errno ? errno : ENOSPC; /* the first error, of a write before, is no longer known */
  const char *path = f->path;
  if (f->part && !named)
    remove(f->part);
  forget(f);
  return named ? 0 : fail(e, path, error);
}
