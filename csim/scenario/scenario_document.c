/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_document.c - see scenario_document.h */
#include "scenario_document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input_limits.h"

enum { EXCERPT = 100 }; /* columns of a line that a message shows */

/* ---- messages ---- */

/* A place as libyaml counts it: lines and columns (in characters) from 0.  width: characters to mark. */
struct place {
  size_t line, column, width;
};

/* Returns the bytes of the line break at text[i], 0 if there is none: the breaks of YAML 1.1, as libyaml counts
 * lines. */
static size_t break_at(const char *text, size_t length, size_t i) {
  const unsigned char *c = (const unsigned char *)text + i;
  size_t left = length - i;
  if (c[0] == '\r')
    return left > 1 && c[1] == '\n' ? 2 : 1;
  if (c[0] == '\n')
    return 1;
  if (left > 1 && c[0] == 0xc2 && c[1] == 0x85)
    return 2;
  if (left > 2 && c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9))
    return 3;
  return 0;
}

/* The text of a line, without its break. */
static const char *line_text(const struct ut_document *document, size_t line, size_t *length) {
  size_t start = 0;
  for (size_t i = 0; line && i < document->length;) {
    size_t step = break_at(document->text, document->length, i);
    i += step ? step : 1;
    if (step && --line == 0)
      start = i;
  }
  *length = 0;
  if (line) /* behind the last line */
    return "";
  while (start + *length < document->length && !break_at(document->text, document->length, start + *length))
    ++*length;
  return document->text + start;
}

static bool continues(char c) {
  return ((unsigned char)c & 0xc0) == 0x80; /* not the first byte of a UTF-8 character */
}

/* Appends to a string in a buffer of `size`; what does not fit is dropped. */
static void __attribute__((format(printf, 3, 4))) append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, size - used, format, args);
  va_end(args);
}

/* Appends the line with a mark under the place; of a long line only the part around the place. */
static void append_excerpt(const struct ut_document *document, struct place place, char *out, size_t size) {
  size_t length;
  const char *line = line_text(document, place.line, &length);
  char shown[4 * EXCERPT + 8] = "", mark[EXCERPT + 8] = "";
  size_t first = place.column > EXCERPT / 2 && length > EXCERPT ? place.column - EXCERPT / 2 : 0;
  size_t column = 0, bytes = 0, marks = 0;
  bool started = false; /* the place is reached */
  for (size_t i = 0; i < length && column < first + EXCERPT; column++) {
    size_t end = i + 1;
    while (end < length && end < i + 4 && continues(line[end]))
      end++;
    if (column >= first) {
      bool tab = line[i] == '\t', control = (unsigned char)line[i] < 0x20 || line[i] == 0x7f;
      if (control && !tab)
        shown[bytes++] = '?';
      else
        for (size_t j = i; j < end; j++)
          shown[bytes++] = line[j];
      started = started || column == place.column;
      if (!started) /* the same white space, so that the mark stands below the text */
        mark[marks++] = tab ? '\t' : ' ';
      else if (column < place.column + (place.width ? place.width : 1))
        mark[marks++] = '^';
    }
    i = end;
  }
  if (bytes == 0)
    return;
  if (!started)
    mark[marks++] = '^'; /* behind the end of the line */
  shown[bytes] = mark[marks] = '\0';
  int digits = snprintf(NULL, 0, "%zu", place.line + 1);
  append(out, size, "\n  %zu | %s%s\n  %*s | %s%s", place.line + 1, first ? "..." : "", shown, digits, "",
         first ? "   " : "", mark);
}

static int __attribute__((format(printf, 5, 0)))
fail_at(const struct ut_document *document, struct place place, struct ut_error *e, const char *hint,
        const char *format, va_list args) {
  char what[512], text[sizeof e->text] = "";
  vsnprintf(what, sizeof what, format, args);
  append(text, sizeof text, "%.512s:%zu:%zu: %s", document->path, place.line + 1, place.column + 1, what);
  append_excerpt(document, place, text, sizeof text);
  if (hint)
    append(text, sizeof text, "\n%s", hint);
  return ut_fail(e, UT_BAD_INPUT, "%s", text);
}

static int __attribute__((format(printf, 5, 6)))
fail_here(const struct ut_document *document, struct place place, struct ut_error *e, const char *hint,
          const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail_at(document, place, e, hint, format, args);
  va_end(args);
  return -1;
}

int ut_document_fail(const struct ut_document *document, const yaml_node_t *node, struct ut_error *e, const char *hint,
                     const char *format, ...) {
  const yaml_mark_t *start = &node->start_mark, *end = &node->end_mark;
  struct place place = {.line = start->line, .column = start->column, .width = 1};
  if (end->line == start->line)
    place.width = end->column - start->column;
  va_list args;
  va_start(args, format);
  fail_at(document, place, e, hint, format, args);
  va_end(args);
  return -1;
}

const char *ut_document_found(const yaml_node_t *node, char text[UT_FOUND_SIZE]) {
  enum { SHOWN = 40 }; /* characters of a value */
  text[0] = '\0';
  if (node->type == YAML_SEQUENCE_NODE)
    return strcpy(text, "a list");
  if (node->type == YAML_MAPPING_NODE)
    return strcpy(text, "a group of keys");
  const char *value = (const char *)node->data.scalar.value;
  size_t length = node->data.scalar.length;
  if (length == 0)
    return strcpy(text, node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? "nothing" : "empty text");
  size_t shown = length;
  if (length > SHOWN)
    for (shown = SHOWN; continues(value[shown]);)
      shown--;
  bool quoted = node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  append(text, UT_FOUND_SIZE, "%s'%.*s%s'", quoted ? "text " : "", (int)shown, value, shown < length ? "..." : "");
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < 0x20)
      *c = ' ';
  return text;
}

/* ---- reading ---- */

/* Returns line and column of a byte, for errors of the character decoder, which counts no lines. */
static struct place place_of_byte(const struct ut_document *document, size_t offset) {
  struct place place = {0};
  for (size_t i = 0; i < offset && i < document->length;) {
    size_t step = break_at(document->text, document->length, i);
    place.column += !step && !continues(document->text[i]);
    if (step) {
      place.line++;
      place.column = 0;
    }
    i += step ? step : 1;
  }
  return place;
}

static int parser_error(const struct ut_document *document, const yaml_parser_t *parser, struct ut_error *e) {
  if (parser->error == YAML_MEMORY_ERROR)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", document->path);
  if (parser->error == YAML_READER_ERROR) {
    struct ut_document unshown = {.path = document->path, .text = ""}; /* bytes that are no text could harm a
                                                                          terminal */
    char hint[80];
    snprintf(hint, sizeof hint, "a %s is YAML, a text file in UTF-8", document->words->name);
    return fail_here(&unshown, place_of_byte(document, parser->problem_offset), e, hint, "not a text file: %s",
                     parser->problem);
  }
  const yaml_mark_t *mark = &parser->problem_mark, *context = &parser->context_mark;
  size_t length;
  const char *line = line_text(document, mark->line, &length);
  if (parser->context && length == 0) /* there is nothing to show at the end: show the beginning of what does not end */
    return fail_here(document, (struct place){.line = context->line, .column = context->column}, e, NULL,
                     "not valid YAML: the file ends %s that starts here", parser->context);
  struct place place = {.line = mark->line, .column = mark->column};
  const char *hint = memchr(line, '\t', length) ? "YAML is indented with spaces, not with tabs" : NULL;
  if (parser->context && context->line != mark->line)
    return fail_here(document, place, e, hint, "not valid YAML: %s, %s that starts in line %zu", parser->problem,
                     parser->context, context->line + 1);
  return fail_here(document, place, e, hint, "not valid YAML: %s", parser->problem);
}

/* Limits the nesting of lists and groups of keys before the tree is built: libyaml's time grows with the square of
 * their depth. */
static int check_nesting(struct ut_document *document, yaml_parser_t *parser, struct ut_error *e) {
  unsigned depth = 0;
  for (bool more = true; more;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event))
      return parser_error(document, parser, e);
    const yaml_event_type_t type = event.type;
    const struct place place = {.line = event.start_mark.line, .column = event.start_mark.column, .width = 1};
    yaml_event_delete(&event);
    more = type != YAML_STREAM_END_EVENT && type != YAML_NO_EVENT;
    depth += type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
    depth -= type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
    if (depth > UT_LIMIT_YAML_NESTING)
      return fail_here(document, place, e, NULL, "more than %d lists or groups of keys inside each other",
                       UT_LIMIT_YAML_NESTING);
  }
  return 0;
}

/* ---- aliases: a part that is written once may appear in many places, so that a small file can be a huge tree */

/* The size of a node and everything below it, with aliases followed. */
struct extent {
  size_t nodes; /* 0: not known yet */
  unsigned height;
  bool open; /* it is being measured */
};

/* The recursion is as deep as the text is nested: an alias refers to a node that has been measured before. */
static int measure(struct ut_document *document, struct extent *extent, int number, struct ut_error *e) {
  struct extent *span = &extent[number];
  yaml_node_t *node = yaml_document_get_node(&document->yaml, number);
  if (span->open)
    return ut_document_fail(document, node, e, "an alias stands for what was written before it, as in [&a {k: 2}, *a]",
                            "an alias within this names it: it would contain itself");
  const bool list = node->type == YAML_SEQUENCE_NODE, group = node->type == YAML_MAPPING_NODE;
  const size_t count = list    ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
                       : group ? 2 * (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start)
                               : 0;
  *span = (struct extent){.open = true};
  size_t nodes = 1;
  for (size_t i = 0; i < count; i++) {
    const yaml_node_pair_t *pair = group ? &node->data.mapping.pairs.start[i / 2] : NULL;
    const int below = list ? node->data.sequence.items.start[i] : i % 2 ? pair->value : pair->key;
    if (!extent[below].nodes && measure(document, extent, below, e))
      return -1;
    nodes += extent[below].nodes;
    if (extent[below].height >= span->height)
      span->height = extent[below].height + 1;
    if (span->height > UT_LIMIT_YAML_NESTING)
      return ut_document_fail(document, node, e, NULL,
                              "more than %d lists or groups of keys inside each other, with aliases",
                              UT_LIMIT_YAML_NESTING);
    if (nodes > UT_LIMIT_YAML_NODES)
      return ut_document_fail(document, node, e, NULL, "more than %d values, with those that aliases stand for",
                              UT_LIMIT_YAML_NODES);
  }
  span->open = false;
  span->nodes = nodes;
  return 0;
}

static int check_aliases(struct ut_document *document, struct ut_error *e) {
  const size_t nodes = (size_t)(document->yaml.nodes.top - document->yaml.nodes.start);
  struct extent *extent = calloc(nodes + 1, sizeof *extent); /* their numbers begin with 1 */
  const int result =
      extent ? measure(document, extent, 1, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", document->path);
  free(extent);
  return result;
}

/* A second document would be ignored silently. */
static int check_end(struct ut_document *document, yaml_parser_t *parser, struct ut_error *e) {
  yaml_document_t next;
  if (!yaml_parser_load(parser, &next))
    return parser_error(document, parser, e);
  yaml_node_t *root = yaml_document_get_root_node(&next);
  int result = 0;
  if (root)
    result = ut_document_fail(document, root, e, "remove the line '---' and what follows, or make two files of it",
                              "a second YAML document; a %s is one", document->words->name);
  yaml_document_delete(&next);
  return result;
}

static int check_root(struct ut_document *document, struct ut_error *e) {
  yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
  if (!root)
    return fail_here(document, (struct place){0}, e, document->words->root, "the %s is empty", document->words->name);
  char found[UT_FOUND_SIZE];
  if (root->type != YAML_MAPPING_NODE)
    return ut_document_fail(document, root, e, document->words->root, "a %s consists of sections, found %s",
                            document->words->name, ut_document_found(root, found));
  return 0;
}

int ut_document_load(struct ut_document *document, const char *text, size_t length, const char *path,
                     struct ut_error *e) {
  static const struct ut_document_words scenario = {
      "scenario", "expected the sections 'topology', 'routing' and 'traffic' at least"};
  return ut_document_load_as(document, text, length, path, &scenario, e);
}

static int load(struct ut_document *document, yaml_parser_t *parser, struct ut_error *e) {
  if (!yaml_parser_load(parser, &document->yaml))
    return parser_error(document, parser, e);
  if (check_root(document, e) == 0 && check_aliases(document, e) == 0 && check_end(document, parser, e) == 0)
    return 0;
  yaml_document_delete(&document->yaml);
  return -1;
}

/* Reads the text with a parser of its own. */
static int with_parser(struct ut_document *document, struct ut_error *e,
                       int (*read)(struct ut_document *document, yaml_parser_t *parser, struct ut_error *e)) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", document->path);
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING); /* places are counted in UTF-8 */
  yaml_parser_set_input_string(&parser, (const unsigned char *)document->text, document->length);
  const int result = read(document, &parser, e);
  yaml_parser_delete(&parser);
  return result;
}

int ut_document_load_as(struct ut_document *document, const char *text, size_t length, const char *path,
                        const struct ut_document_words *words, struct ut_error *e) {
  *document = (struct ut_document){.words = words, .path = path, .text = text, .length = length};
  return with_parser(document, e, check_nesting) || with_parser(document, e, load) ? -1 : 0;
}

void ut_document_free(struct ut_document *document) {
  yaml_document_delete(&document->yaml);
}

/* ---- finding ---- */

static yaml_node_t *entry(struct ut_document *document, yaml_node_t *node, size_t i) {
  if (node->type != YAML_SEQUENCE_NODE)
    return NULL;
  const yaml_node_item_t *first = node->data.sequence.items.start;
  return i < (size_t)(node->data.sequence.items.top - first) ? yaml_document_get_node(&document->yaml, first[i]) : NULL;
}

static yaml_node_t *value_of(struct ut_document *document, yaml_node_t *node, const char *key, size_t length) {
  if (node->type != YAML_MAPPING_NODE)
    return NULL;
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *name = yaml_document_get_node(&document->yaml, pair->key);
    if (name->type == YAML_SCALAR_NODE && name->data.scalar.length == length &&
        memcmp(name->data.scalar.value, key, length) == 0)
      return yaml_document_get_node(&document->yaml, pair->value);
  }
  return NULL;
}

yaml_node_t *ut_document_find(struct ut_document *document, yaml_node_t *from, const char *path) {
  yaml_node_t *node = from ? from : yaml_document_get_root_node(&document->yaml);
  while (node && *path) {
    if (*path == '[') {
      char *end;
      node = entry(document, node, strtoul(path + 1, &end, 10));
      path = end + 1;
    } else {
      size_t length = strcspn(path, ".[");
      node = value_of(document, node, path, length);
      path += length;
    }
    path += *path == '.';
  }
  return node;
}
