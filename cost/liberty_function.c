/* SPDX-License-Identifier: Apache-2.0 */
/* liberty_function.c - see liberty_function.h */
#include "liberty_function.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 16 };

struct reader {
  const char *p;
  struct ut_function *f;
  unsigned depth;
};

static bool read_or(struct reader *reader);

static void skip_blanks(struct reader *reader) {
  while (isspace((unsigned char)*reader->p))
    reader->p++;
}

static bool add(struct reader *reader, enum ut_function_kind kind, const char *name, size_t length) {
  struct ut_function *function = reader->f;
  if (function->steps == UT_FUNCTION_STEPS || length >= UT_FUNCTION_NAME)
    return false;
  function->step[function->steps].kind = kind;
  snprintf(function->step[function->steps++].name, UT_FUNCTION_NAME, "%.*s", (int)length, name);
  return true;
}

static bool read_name(struct reader *reader) {
  const char *begin = reader->p;
  while (isalnum((unsigned char)*reader->p) || *reader->p == '_' || *reader->p == '[' || *reader->p == ']')
    reader->p++;
  const size_t length = (size_t)(reader->p - begin);
  if (length == 1 && (*begin == '0' || *begin == '1'))
    return add(reader, *begin == '1' ? UT_FUNCTION_ONE : UT_FUNCTION_ZERO, "", 0);
  return length && add(reader, UT_FUNCTION_PIN, begin, length);
}

static bool read_inner(struct reader *reader) {
  if (*reader->p == '!') {
    reader->p++;
    skip_blanks(reader);
    return ++reader->depth <= MAX_DEPTH && read_inner(reader) && add(reader, UT_FUNCTION_NOT, "", 0);
  }
  if (*reader->p != '(')
    return read_name(reader);
  reader->p++;
  if (++reader->depth > MAX_DEPTH || !read_or(reader))
    return false;
  skip_blanks(reader);
  return *reader->p++ == ')';
}

static bool read_factor(struct reader *reader) {
  const unsigned depth = reader->depth;
  skip_blanks(reader);
  if (!read_inner(reader))
    return false;
  reader->depth = depth;
  for (skip_blanks(reader); *reader->p == '\''; skip_blanks(reader)) {
    reader->p++;
    if (!add(reader, UT_FUNCTION_NOT, "", 0))
      return false;
  }
  return true;
}

static bool read_and(struct reader *reader) {
  if (!read_factor(reader))
    return false;
  for (;;) {
    skip_blanks(reader);
    if (*reader->p == '*' || *reader->p == '&')
      reader->p++;
    else if (!*reader->p || strchr("+|^)", *reader->p))
      return true;
    if (!read_factor(reader) || !add(reader, UT_FUNCTION_AND, "", 0))
      return false;
  }
}

static bool read_xor(struct reader *reader) {
  if (!read_and(reader))
    return false;
  for (skip_blanks(reader); *reader->p == '^'; skip_blanks(reader)) {
    reader->p++;
    if (!read_and(reader) || !add(reader, UT_FUNCTION_XOR, "", 0))
      return false;
  }
  return true;
}

static bool read_or(struct reader *reader) {
  if (!read_xor(reader))
    return false;
  for (skip_blanks(reader); *reader->p == '+' || *reader->p == '|'; skip_blanks(reader)) {
    reader->p++;
    if (!read_xor(reader) || !add(reader, UT_FUNCTION_OR, "", 0))
      return false;
  }
  return true;
}

bool ut_function_read(struct ut_function *function, const char *text) {
  struct reader reader = {.p = text, .f = function};
  function->steps = 0;
  if (!read_or(&reader))
    return false;
  skip_blanks(&reader);
  return !*reader.p;
}
