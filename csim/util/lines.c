/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - see lines.h */
#define _POSIX_C_SOURCE 200809L
#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

enum { BLOCK_SIZE = 1 << 16 };

int ut_lines_open(struct ut_lines *lines, const char *path, const char *what, size_t most, struct ut_error *e) {
  *lines = (struct ut_lines){.path = path, .most = most, .stream = ut_input_open(path, what, UT_INPUT_AGAIN, e)};
  if (lines->stream)
    setvbuf(lines->stream, NULL, _IONBF, 0); /* blocks are read, once each */
  return lines->stream ? 0 : -1;
}

void ut_lines_close(struct ut_lines *lines) {
  if (lines->stream)
    fclose(lines->stream);
  free(lines->block);
  *lines = (struct ut_lines){.path = lines->path};
}

/* Makes room for another block behind a line that has begun, and for the end. */
static int reserve(struct ut_lines *lines, struct ut_error *e) {
  if (lines->end + BLOCK_SIZE + 1 <= lines->capacity)
    return 0;
  const size_t capacity = lines->end + 2 * BLOCK_SIZE;
  char *block = realloc(lines->block, capacity);
  if (!block)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a line", lines->path);
  lines->block = block;
  lines->capacity = capacity;
  return 0;
}

/* Reads another block behind what is left of the one before.  1: there is one, 0: end of the file, -1 and *e. */
static int read_block(struct ut_lines *lines, struct ut_error *e) {
  const size_t rest = lines->next < lines->end ? lines->end - lines->next : 0;
  if (rest && lines->next)
    memmove(lines->block, lines->block + lines->next, rest);
  lines->next = 0;
  lines->end = rest;
  if (reserve(lines, e))
    return -1;
  errno = 0;
  const size_t size = fread(lines->block + lines->end, 1, BLOCK_SIZE, lines->stream);
  if (ferror(lines->stream))
    return ut_input_fail(lines->path, errno, e);
  lines->zeros |= memchr(lines->block + lines->end, '\0', size) != NULL;
  lines->end += size;
  return size > 0;
}

/* Some editors begin a file in UTF-8 with this mark; YAML allows it, too. */
static void skip_byte_order_mark(struct ut_lines *lines) {
  static const char mark[] = "\xef\xbb\xbf";
  if (lines->line == 1 && !strncmp(lines->text, mark, strlen(mark)))
    lines->text += strlen(mark);
}

/* What is no line: it has a NUL, or is too long.  Always -1. */
static int refuse(const struct ut_lines *lines, size_t length, struct ut_error *e) {
  if (memchr(lines->block + lines->next, '\0', length))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: not a text file", lines->path, lines->line + 1);
  return ut_fail(e, UT_BAD_INPUT, "%s:%u: a line of more than %zu characters; is this the right file?", lines->path,
                 lines->line + 1, lines->most);
}

/* Ends the line of that length.  1, or -1 and *e. */
static int take(struct ut_lines *lines, size_t length, struct ut_error *e) {
  lines->text = lines->block + lines->next;
  if (length > lines->most || (lines->zeros && memchr(lines->text, '\0', length)))
    return refuse(lines, length, e);
  lines->text[length] = '\0';
  lines->next += length + 1;
  lines->line++;
  skip_byte_order_mark(lines);
  return 1;
}

int ut_lines_next(struct ut_lines *lines, struct ut_error *e) {
  for (size_t searched = 0;;) {
    const size_t length = lines->next < lines->end ? lines->end - lines->next : 0;
    const char *begin = length ? lines->block + lines->next : NULL,
               *newline = length > searched ? memchr(begin + searched, '\n', length - searched) : NULL;
    if (newline)
      return take(lines, (size_t)(newline - begin), e);
    if (length > lines->most)
      return refuse(lines, length, e);
    const int more = read_block(lines, e);
    if (more <= 0)
      return more < 0 || !length ? more : take(lines, length, e);
    searched = length;
  }
}

int ut_lines_fail(const struct ut_lines *lines, size_t column, struct ut_error *e, const char *format, ...) {
  char what[512];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return ut_fail(e, UT_BAD_INPUT, "%s:%u:%zu: %s\n  %.200s", lines->path, lines->line, column, what,
                 lines->text ? lines->text : "");
}
