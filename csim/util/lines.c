/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - see lines.h */
#define _POSIX_C_SOURCE 200809L
#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

int ut_lines_open(struct ut_lines *f, const char *path, const char *what, size_t most, struct ut_error *e) {
  *f = (struct ut_lines){.path = path, .most = most, .stream = ut_input_open(path, what, UT_INPUT_AGAIN, e)};
  return f->stream ? 0 : -1;
}

void ut_lines_close(struct ut_lines *f) {
  if (f->stream)
    fclose(f->stream);
  free(f->text);
  *f = (struct ut_lines){.path = f->path};
}

/* Room for a character behind so many, and for the end. */
static int reserve(struct ut_lines *f, size_t length, struct ut_error *e) {
  if (length + 2 <= f->capacity)
    return 0;
  const size_t capacity = f->capacity ? 2 * f->capacity : 256;
  char *text = realloc(f->text, capacity);
  if (!text)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a line", f->path);
  f->text = text;
  f->capacity = capacity;
  return 0;
}

/* Some editors begin a file in UTF-8 with this mark; YAML allows it, too. */
static void skip_byte_order_mark(struct ut_lines *f) {
  static const char mark[] = "\xef\xbb\xbf";
  if (f->line == 1 && !strncmp(f->text, mark, strlen(mark)))
    memmove(f->text, f->text + strlen(mark), strlen(f->text + strlen(mark)) + 1);
}

int ut_lines_next(struct ut_lines *f, struct ut_error *e) {
  size_t length = 0;
  int c;
  if (reserve(f, 0, e))
    return -1;
  errno = 0;
  while ((c = getc_unlocked(f->stream)) != EOF && c != '\n') {
    if (c == '\0')
      return ut_fail(e, UT_BAD_INPUT, "%s:%u: not a text file", f->path, f->line + 1);
    if (length == f->most)
      return ut_fail(e, UT_BAD_INPUT, "%s:%u: a line of more than %zu characters; is this the right file?", f->path,
                     f->line + 1, f->most);
    if (reserve(f, length, e))
      return -1;
    f->text[length++] = (char)c;
  }
  if (ferror(f->stream))
    return ut_input_fail(f->path, errno, e);
  if (c == EOF && !length)
    return 0;
  f->text[length] = '\0';
  f->line++;
  skip_byte_order_mark(f);
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
