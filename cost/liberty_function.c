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

static bool read_or(struct reader *r);

static void skip_blanks(struct reader *r) {
  while (isspace((unsigned char)*r->p))
    r->p++;
}

static bool add(struct reader *r, enum ut_function_kind kind, const char *name, size_t length) {
  struct ut_function *f = r->f;
  if (f->steps == UT_FUNCTION_STEPS || length >= UT_FUNCTION_NAME)
    return false;
  f->step[f->steps].kind = kind;
  snprintf(f->step[f->steps++].name, UT_FUNCTION_NAME, "%.*s", (int)length, name);
  return true;
}

static bool read_name(struct reader *r) {
  const char *begin = r->p;
  while (isalnum((unsigned char)*r->p) || *r->p == '_' || *r->p == '[' || *r->p == ']')
    r->p++;
  const size_t length = (size_t)(r->p - begin);
  if (length == 1 && (*begin == '0' || *begin == '1'))
    return add(r, *begin == '1' ? UT_FUNCTION_ONE : UT_FUNCTION_ZERO, "", 0);
  return length && add(r, UT_FUNCTION_PIN, begin, length);
}

static bool read_inner(struct reader *r) {
  if (*r->p == '!') {
    r->p++;
    skip_blanks(r);
    return ++r->depth <= MAX_DEPTH && read_inner(r) && add(r, UT_FUNCTION_NOT, "", 0);
  }
  if (*r->p != '(')
    return read_name(r);
  r->p++;
  if (++r->depth > MAX_DEPTH || !read_or(r))
    return false;
  skip_blanks(r);
  return *r->p++ == ')';
}

static bool read_factor(struct reader *r) {
  const unsigned depth = r->depth;
  skip_blanks(r);
  if (!read_inner(r))
    return false;
  r->depth = depth;
  for (skip_blanks(r); *r->p == '\''; skip_blanks(r)) {
    r->p++;
    if (!add(r, UT_FUNCTION_NOT, "", 0))
      return false;
  }
  return true;
}

static bool read_and(struct reader *r) {
  if (!read_factor(r))
    return false;
  for (;;) {
    skip_blanks(r);
    if (*r->p == '*' || *r->p == '&')
      r->p++;
    else if (!*r->p || strchr("+|^)", *r->p))
      return true;
    if (!read_factor(r) || !add(r, UT_FUNCTION_AND, "", 0))
      return false;
  }
}

static bool read_xor(struct reader *r) {
  if (!read_and(r))
    return false;
  for (skip_blanks(r); *r->p == '^'; skip_blanks(r)) {
    r->p++;
    if (!read_and(r) || !add(r, UT_FUNCTION_XOR, "", 0))
      return false;
  }
  return true;
}

static bool read_or(struct reader *r) {
  if (!read_xor(r))
    return false;
  for (skip_blanks(r); *r->p == '+' || *r->p == '|'; skip_blanks(r)) {
    r->p++;
    if (!read_xor(r) || !add(r, UT_FUNCTION_OR, "", 0))
      return false;
  }
  return true;
}

bool ut_function_read(struct ut_function *f, const char *text) {
  struct reader r = {.p = text, .f = f};
  f->steps = 0;
  if (!read_or(&r))
    return false;
  skip_blanks(&r);
  return !*r.p;
}
