/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - see lines.h */
#define _POSIX_C_SOURCE 200809L
#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

int ut_lines_open(struct ut_lines *lines, const char *path, const char *what, size_t most, struct ut_error *e) {
  *lines = (struct ut_lines){.path = path, .most = most, .stream = ut_input_open(path, what, UT_INPUT_AGAIN, e)};
  return lines->stream ? 0 : -1;
}

void ut_lines_close(struct ut_lines *lines) {
  if (lines->stream)
    fclose(lines->stream);
  free(lines->text);
  *lines = (struct ut_lines){.path = lines->path};
}

/* Makes room for one more character behind that many, and for the end. */
static int reserve(struct ut_lines *lines, size_t length, struct ut_error *e) {
  if (length + 2 <= lines->capacity)
    return 0;
  const size_t capacity = lines->capacity ? 2 * lines->capacity : 256;
  char *text = realloc(lines->text, capacity);
  if (!text)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a line", lines->path);
  lines->text = text;
  lines->capacity = capacity;
  return 0;
}

/* Some editors begin a file in UTF-8 with this mark; YAML allows it, too. */
static void skip_byte_order_mark(struct ut_lines *lines) {
  static const char mark[] = "\xef\xbb\xbf";
  if (lines->line == 1 && !strncmp(lines->text, mark, strlen(mark)))
    memmove(lines->text, lines->text + strlen(mark), strlen(lines->text + strlen(mark)) + 1);
}

int ut_lines_next(struct ut_lines *lines, struct ut_error *e) {
  size_t length = 0;
  int c;
  if (reserve(lines, 0, e))
    return -1;
  errno = 0;
  while ((c = getc_unlocked(lines->stream)) != EOF && c != '\n') {
    if (c == '\0')
      return ut_fail(e, UT_BAD_INPUT, "%s:%u: not a text file", lines->path, lines->line + 1);
    if (length == lines->most)
      return ut_fail(e, UT_BAD_INPUT, "%s:%u: a line of more than %zu characters; is this the right file?", lines->path,
                     lines->line + 1, lines->most);
    if (reserve(lines, length, e))
      return -1;
    lines->text[length++] = (char)c;
  }
  if (ferror(lines->stream))
    return ut_input_fail(lines->path, errno, e);
  if (c == EOF && !length)
    return 0;
  lines->text[length] = '\0';
  lines->line++;
  skip_byte_order_mark(lines);
  return 1;
}

int ut_lines_fail(const struct ut_lines *lines, size_t column, struct ut_error *e, const char *format, ...) {
  char what[512];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return ut_fail(e, UT_BAD_INPUT, "%s:%u:%zu: %s\n  %.200s", lines->path, lines->line, column, what, lines->text);
}
