/* lines.c - see lines.h */
#define _POSIX_C_SOURCE 200809L
#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int ut_lines_open(struct ut_lines *f, const char *path, const char *key, struct ut_error *e) {
  *f = (struct ut_lines){.path = path, .stream = fopen(path, "r")};
  return f->stream ? 0 : ut_fail(e, UT_BAD_INPUT, "%s: %s (key %s)", path, strerror(errno), key);
}

void ut_lines_close(struct ut_lines *f) {
  if (f->stream)
    fclose(f->stream);
  free(f->text);
  *f = (struct ut_lines){.path = f->path};
}

int ut_lines_next(struct ut_lines *f, struct ut_error *e) {
  errno = 0;
  const ssize_t length = getline(&f->text, &f->capacity, f->stream);
  if (length < 0)
    return errno || ferror(f->stream) ? ut_fail(e, UT_BAD_INPUT, "%s: %s", f->path, strerror(errno)) : 0;
  f->line++;
  if (strlen(f->text) != (size_t)length)
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: not a text file", f->path, f->line);
  f->text[strcspn(f->text, "\n")] = '\0';
  return 1;
}

int ut_lines_fail(const struct ut_lines *f, size_t column, struct ut_error *e, const char *format, ...) {
  char what[512];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return ut_fail(e, UT_BAD_INPUT, "%s:%u:%zu: %s\n  %.200s", f->path, f->line, column, what, f->text);
}
