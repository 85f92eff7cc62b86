/* SPDX-License-Identifier: Apache-2.0 */
/* liberty_text.c - see liberty_text.h */
#define _GNU_SOURCE
#include "liberty_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_SIZE = 512 };

struct parser {
  const struct ut_liberty_reader *r;
  const char *path, *p, *end;
  unsigned line;
  struct ut_error *e;
};

static int fail_at(const struct parser *p, const char *what) {
  return ut_fail(p->e, UT_BAD_INPUT, "%.900s:%u: %s; is this a Liberty file?", p->path, p->line, what);
}

/* Blanks, comments and continued lines. */
static void skip(struct parser *p) {
  while (p->p < p->end) {
    if (*p->p == '\n')
      p->line++;
    if (isspace((unsigned char)*p->p) || *p->p == '\\') {
      p->p++;
    } else if (p->end - p->p > 1 && p->p[0] == '/' && p->p[1] == '*') {
      const char *close = strstr(p->p + 2, "*/");
      const char *next = close ? close + 2 : p->end;
      for (; p->p < next; p->p++)
        p->line += *p->p == '\n';
    } else if (p->end - p->p > 1 && p->p[0] == '/' && p->p[1] == '/') {
      while (p->p < p->end && *p->p != '\n')
        p->p++;
    } else {
      return;
    }
  }
}

/* A word or a quoted text, cut to `size`.  Returns false when there is none. */
static bool word(struct parser *p, char *out, size_t size) {
  size_t n = 0;
  skip(p);
  bool quoted = p->p < p->end && *p->p == '"';
  if (quoted)
    p->p++;
  const char *begin = p->p;
  while (p->p < p->end && (quoted ? *p->p != '"' : !isspace((unsigned char)*p->p) && !strchr("(){}:;,\"", *p->p))) {
    p->line += *p->p == '\n';
    if (n + 1 < size)
      out[n++] = *p->p;
    p->p++;
  }
  out[n] = '\0';
  bool found = quoted || p->p > begin;
  if (quoted && p->p < p->end)
    p->p++;
  return found;
}

static bool take(struct parser *p, char c) {
  skip(p);
  if (p->p == p->end || *p->p != c)
    return false;
  p->p++;
  return true;
}

/* What an attribute is worth: the rest up to the semicolon or the end of the line, without quotes. */
static void value(struct parser *p, char *out, size_t size) {
  if (!word(p, out, size))
    out[0] = '\0';
  while (p->p < p->end && *p->p != ';' && *p->p != '\n' && *p->p != '}')
    p->p++;
  take(p, ';');
}

double ut_liberty_unit(const char *text, const char *const names[], const double worth[], double otherwise) {
  char *name;
  double n = strtod(text, &name);
  for (unsigned i = 0; names[i]; i++)
    if (!strcasecmp(name, names[i]))
      return (n > 0 ? n : 1) * worth[i];
  return otherwise;
}

static int statements(struct parser *p, unsigned depth);

/* A statement whose name was read: `name : value ;`, `name (arguments) ;` or `name (arguments) { ... }`. */
static int statement(struct parser *p, const char *name, unsigned depth) {
  char argument[2][WORD_SIZE] = {"", ""}, *first = argument[0];
  if (take(p, ':')) {
    value(p, first, WORD_SIZE);
    return p->r->attribute(p->r->ctx, name, first);
  }
  if (!take(p, '('))
    return fail_at(p, "expected ':' or '(' after a name");
  struct ut_liberty_list list = {.begin = p->p, .word = {argument[0], argument[1]}};
  for (;;) {
    skip(p);
    list.end = p->p;
    if (take(p, ')'))
      break;
    if (p->p == p->end)
      return fail_at(p, "a '(' is not closed");
    if (take(p, ','))
      continue;
    if (!word(p, argument[list.words > 0], WORD_SIZE))
      return fail_at(p, "an argument cannot be read");
    list.words++;
  }
  if (!take(p, '{')) {
    take(p, ';');
    return p->r->list(p->r->ctx, name, &list);
  }
  if (depth + 2 > UT_LIBERTY_DEPTH)
    return fail_at(p, "groups are nested too deep");
  return p->r->open(p->r->ctx, name, first, argument[1]) || statements(p, depth + 1) ? -1 : 0;
}

/* Up to the brace that closes the group. */
static int statements(struct parser *p, unsigned depth) {
  char name[WORD_SIZE];
  while (!take(p, '}')) {
    if (take(p, ';'))
      continue;
    if (p->p == p->end)
      return fail_at(p, "a '{' is not closed");
    if (!word(p, name, sizeof name))
      return fail_at(p, "expected a name");
    if (statement(p, name, depth))
      return -1;
  }
  return p->r->close(p->r->ctx);
}

int ut_liberty_walk(const char *text, size_t size, const char *path, const struct ut_liberty_reader *r,
                    struct ut_error *e) {
  char name[WORD_SIZE], library[WORD_SIZE];
  struct parser p = {.r = r, .path = path, .p = text, .end = text + size, .line = 1, .e = e};
  if (!word(&p, name, sizeof name) || strcmp(name, "library") || !take(&p, '(') || !word(&p, library, sizeof library) ||
      !take(&p, ')') || !take(&p, '{'))
    return fail_at(&p, "expected 'library (NAME) {'");
  return r->open(r->ctx, name, library, "") || statements(&p, 0) ? -1 : 0;
}
