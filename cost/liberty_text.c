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

static int fail_at(const struct parser *parser, const char *what) {
  return ut_fail(parser->e, UT_BAD_INPUT, "%.900s:%u: %s; is this a Liberty file?", parser->path, parser->line, what);
}

/* Blanks, comments and continued lines. */
static void skip(struct parser *parser) {
  while (parser->p < parser->end) {
    if (*parser->p == '\n')
      parser->line++;
    if (isspace((unsigned char)*parser->p) || *parser->p == '\\') {
      parser->p++;
    } else if (parser->end - parser->p > 1 && parser->p[0] == '/' && parser->p[1] == '*') {
      const char *close = strstr(parser->p + 2, "*/");
      const char *next = close ? close + 2 : parser->end;
      for (; parser->p < next; parser->p++)
        parser->line += *parser->p == '\n';
    } else if (parser->end - parser->p > 1 && parser->p[0] == '/' && parser->p[1] == '/') {
      while (parser->p < parser->end && *parser->p != '\n')
        parser->p++;
    } else {
      return;
    }
  }
}

/* A word or a quoted text, cut to `size`.  Returns false when there is none. */
static bool word(struct parser *parser, char *out, size_t size) {
  size_t n = 0;
  skip(parser);
  bool quoted = parser->p < parser->end && *parser->p == '"';
  if (quoted)
    parser->p++;
  const char *begin = parser->p;
  while (parser->p < parser->end &&
         (quoted ? *parser->p != '"' : !isspace((unsigned char)*parser->p) && !strchr("(){}:;,\"", *parser->p))) {
    parser->line += *parser->p == '\n';
    if (n + 1 < size)
      out[n++] = *parser->p;
    parser->p++;
  }
  out[n] = '\0';
  bool found = quoted || parser->p > begin;
  if (quoted && parser->p < parser->end)
    parser->p++;
  return found;
}

static bool take(struct parser *parser, char c) {
  skip(parser);
  if (parser->p == parser->end || *parser->p != c)
    return false;
  parser->p++;
  return true;
}

/* Reads the value of an attribute: the rest up to the semicolon or the end of the line, without quotes. */
static void value(struct parser *parser, char *out, size_t size) {
  if (!word(parser, out, size))
    out[0] = '\0';
  while (parser->p < parser->end && *parser->p != ';' && *parser->p != '\n' && *parser->p != '}')
    parser->p++;
  take(parser, ';');
}

double ut_liberty_unit(const char *text, const char *const names[], const double worth[], double otherwise) {
  char *name;
  double n = strtod(text, &name);
  for (unsigned i = 0; names[i]; i++)
    if (!strcasecmp(name, names[i]))
      return (n > 0 ? n : 1) * worth[i];
  return otherwise;
}

static int statements(struct parser *parser, unsigned depth);

/* A statement whose name was read: `name : value ;`, `name (arguments) ;` or `name (arguments) { ... }`. */
static int statement(struct parser *parser, const char *name, unsigned depth) {
  char argument[2][WORD_SIZE] = {"", ""}, *first = argument[0];
  if (take(parser, ':')) {
    value(parser, first, WORD_SIZE);
    return parser->r->attribute(parser->r->ctx, name, first);
  }
  if (!take(parser, '('))
    return fail_at(parser, "expected ':' or '(' after a name");
  struct ut_liberty_list list = {.begin = parser->p, .word = {argument[0], argument[1]}};
  for (;;) {
    skip(parser);
    list.end = parser->p;
    if (take(parser, ')'))
      break;
    if (parser->p == parser->end)
      return fail_at(parser, "a '(' is not closed");
    if (take(parser, ','))
      continue;
    if (!word(parser, argument[list.words > 0], WORD_SIZE))
      return fail_at(parser, "an argument cannot be read");
    list.words++;
  }
  if (!take(parser, '{')) {
    take(parser, ';');
    return parser->r->list(parser->r->ctx, name, &list);
  }
  if (depth + 2 > UT_LIBERTY_DEPTH)
    return fail_at(parser, "groups are nested too deep");
  return parser->r->open(parser->r->ctx, name, first, argument[1]) || statements(parser, depth + 1) ? -1 : 0;
}

/* Up to the brace that closes the group. */
static int statements(struct parser *parser, unsigned depth) {
  char name[WORD_SIZE];
  while (!take(parser, '}')) {
    if (take(parser, ';'))
      continue;
    if (parser->p == parser->end)
      return fail_at(parser, "a '{' is not closed");
    if (!word(parser, name, sizeof name))
      return fail_at(parser, "expected a name");
    if (statement(parser, name, depth))
      return -1;
  }
  return parser->r->close(parser->r->ctx);
}

int ut_liberty_walk(const char *text, size_t size, const char *path, const struct ut_liberty_reader *reader,
                    struct ut_error *e) {
  char name[WORD_SIZE], library[WORD_SIZE];
  struct parser parser = {.r = reader, .path = path, .p = text, .end = text + size, .line = 1, .e = e};
  if (!word(&parser, name, sizeof name) || strcmp(name, "library") || !take(&parser, '(') ||
      !word(&parser, library, sizeof library) || !take(&parser, ')') || !take(&parser, '{'))
    return fail_at(&parser, "expected 'library (NAME) {'");
  return reader->open(reader->ctx, name, library, "") || statements(&parser, 0) ? -1 : 0;
}
