/* SPDX-License-Identifier: Apache-2.0 */
/* result_text.c - the text of a result, by its layout.  See result.h */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "result.h"

enum { MOST_CELLS = 96 };

static bool lacking;

void ut_result_lack(void) {
  lacking = true;
}

bool ut_result_lacks(void) {
  return lacking;
}

/* What keys are looked for in: the innermost element first. */
struct scope {
  const json_t *value;
  const char *name; /* its key in an object */
  bool last;        /* of its array or object */
  bool table;       /* what is not there is left empty */
  const struct scope *outer;
};

static void put(FILE *out, const char *at, const char *end, const struct scope *scope);

/* ---- values */

static const json_t *find(const struct scope *scope, const char *key, size_t length) {
  if (length == 1 && *key == '.')
    return scope->value;
  for (; scope; scope = scope->outer) {
    const json_t *value = scope->value;
    for (size_t from = 0; value && !json_is_null(value) && from < length;) {
      const char *dot = memchr(key + from, '.', length - from);
      const size_t to = dot ? (size_t)(dot - key) : length;
      value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key + from))
                                   : json_object_getn(value, key + from, to - from);
      from = to + 1;
    }
    if (value)
      return value;
  }
  return NULL;
}

static bool is_something(const json_t *value) {
  return json_is_string(value)    ? *json_string_value(value)
         : json_is_number(value)  ? json_number_value(value) != 0
         : json_is_boolean(value) ? json_is_true(value)
                                  : json_array_size(value) + json_object_size(value) > 0;
}

/* An object of numbers stands for their sum. */
static double number_of(const json_t *value) {
  double sum = 0;
  const char *key;
  json_t *each;
  json_object_foreach((json_t *)(uintptr_t)value, key, each) {
    sum += json_number_value(each);
  }
  return json_is_object(value) ? sum : json_number_value(value);
}

/* 1234567 as 1,234,567 */
static void group(double value, char text[64]) {
  char digits[48];
  const int n = snprintf(digits, sizeof digits, "%.0f", value);
  int used = 0;
  for (int i = 0; i < n; i++) {
    text[used++] = digits[i];
    if ((n - 1 - i) % 3 == 0 && i < n - 1 && digits[i] != '-')
      text[used++] = ',';
  }
  text[used] = '\0';
}

/* format: that of printf, without its %, of `length` characters; none: the usual one. */
static void put_value(FILE *out, const json_t *value, const char *format, int length) {
  const char last = length ? format[length - 1] : '\0';
  const int width = atoi(format);
  char text[64], whole[32];
  if (json_is_string(value)) {
    fprintf(out, "%*s", last == 's' ? width : 0, json_string_value(value));
  } else if (!json_is_number(value) && !json_is_object(value)) {
    fprintf(out, "%*s", width, json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-");
  } else if (last == ',') {
    group(number_of(value), text);
    fprintf(out, "%*s", width, text);
  } else if (!last || last == 'd') {
    snprintf(whole, sizeof whole, json_is_integer(value) ? "%%%.*slld" : "%%%.*sg", length ? length - 1 : 0, format);
    if (json_is_integer(value))
      fprintf(out, whole, (long long)json_integer_value(value));
    else
      fprintf(out, whole, number_of(value));
  } else {
    snprintf(whole, sizeof whole, "%%%.*s", length, format);
    fprintf(out, whole, number_of(value));
  }
}

/* "KEY", "KEY:FORMAT" or "KEY+MANY/ONE" */
static void put_field(FILE *out, const char *field, size_t length, const struct scope *scope) {
  const char *end = field + length, *key_end = field + strcspn(field, ":+}"), *rest = key_end + (key_end < end);
  const json_t *value = find(scope, field, (size_t)(key_end - field));
  if (*key_end == '+') {
    const char *slash = memchr(rest, '/', (size_t)(end - rest)), *many_end = slash ? slash : end;
    const bool one = json_number_value(value) == 1;
    if (!one)
      fprintf(out, "%.*s", (int)(many_end - rest), rest);
    else if (slash)
      fprintf(out, "%.*s", (int)(end - slash - 1), slash + 1);
  } else if (*field == '@') {
    fputs(scope->name, out);
  } else if (value) {
    put_value(out, value, rest, (int)(end - rest));
  } else if (!scope->table) {
    fprintf(out, "{%.*s}", (int)length, field);
  }
}

/* ---- parts of a layout */

/* The end of what begins at `at`: the {/} that belongs to it, or, if *middle is not NULL, its {:} in *middle. */
static const char *end_of(const char *at, const char **middle) {
  unsigned depth = 0;
  for (*middle = NULL; *at; at++)
    if (*at != '{')
      continue;
    else if (at[1] == '?' || at[1] == '#' || at[1] == '|')
      depth++;
    else if (at[1] == ':' && !depth)
      *middle = at;
    else if (at[1] == '/' && !depth--)
      return at;
  abort(); /* a layout without an end */
}

static bool holds(const struct scope *scope, const char *question, size_t length) {
  const char *equal = memchr(question, '=', length);
  const size_t key = equal ? (size_t)(equal - question) : length;
  const json_t *value = find(scope, question, key);
  if (!equal)
    return is_something(value);
  const char *text = json_is_string(value) ? json_string_value(value) : "";
  return strlen(text) == length - key - 1 && !strncmp(text, equal + 1, length - key - 1);
}

/* ---- tables */

struct table {
  unsigned columns;
  const char *title[MOST_CELLS], *title_end[MOST_CELLS], *cell[MOST_CELLS], *cell_end[MOST_CELLS];
  int indent, width[MOST_CELLS]; /* width 0: the column is left out */
};

/* Cuts a line at each '|' that is in no part of it; returns how many cells there are. */
static unsigned cut(const char *at, const char **cell, const char **cell_end) {
  unsigned count = 0, depth = 0;
  cell[0] = at;
  for (;; at++)
    if (*at == '{' && strchr("?#", at[1]))
      depth++;
    else if (*at == '{' && at[1] == '/')
      depth--;
    else if (*at == '\n' || (*at == '|' && !depth)) {
      cell_end[count++] = at;
      if (*at == '\n' || count == MOST_CELLS)
        return count;
      cell[count] = at + 1;
    }
}

/* Columns that a text takes: "±" has two bytes. */
static int width_of(const char *text) {
  int columns = 0;
  for (; *text; text++)
    columns += ((unsigned char)*text & 0xC0) != 0x80;
  return columns;
}

/* The row of an element; its cells, one behind the other, each with a 0 behind it; malloc'd.  NULL: out of memory. */
static char *row_of(const struct table *table, bool titles, const struct scope *element) {
  char *text;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  for (unsigned i = 0; f && i < table->columns; i++) {
    if (titles)
      put(f, table->title[i] + (*table->title[i] == '<'), table->title_end[i], element);
    else
      put(f, table->cell[i], table->cell_end[i], element);
    fputc('\0', f);
  }
  if (f && !ut_memory_close(f, &text))
    return text;
  ut_result_lack();
  return NULL;
}

static void put_row(FILE *out, const struct table *table, const char *cell) {
  int gap = table->indent; /* spaces before the next cell: none stand at the end of a line */
  for (unsigned i = 0; i < table->columns; i++, cell += strlen(cell) + 1) {
    if (!table->width[i])
      continue;
    const bool left = *table->title[i] == '<';
    const int rest = table->width[i] - width_of(cell);
    if (*cell)
      fprintf(out, "%*s%s", gap + (left ? 0 : rest), "", cell);
    gap = (*cell ? left ? rest : 0 : gap + table->width[i]) + 2;
  }
  fputc('\n', out);
}

/* The elements of an array or an object, one after the other: the next one, false: there was none. */
struct walk {
  const json_t *all;
  size_t index;
  void *at;
};
static bool next(struct walk *walk, struct scope *element) {
  const size_t count = json_is_array(walk->all) ? json_array_size(walk->all) : json_object_size(walk->all);
  if (walk->index == count)
    return false;
  if (json_is_array(walk->all)) {
    element->value = json_array_get(walk->all, walk->index);
  } else {
    json_t *object = (json_t *)(uintptr_t)walk->all;
    walk->at = walk->at ? json_object_iter_next(object, walk->at) : json_object_iter(object);
    element->value = json_object_iter_value(walk->at);
    element->name = json_object_iter_key(walk->at);
  }
  element->last = ++walk->index == count;
  return true;
}

/* As wide as the cells of all rows; titles make columns wider that have cells. */
static bool widen(struct table *table, const char *cell, bool titles) {
  bool some = false;
  for (unsigned i = 0; i < table->columns; i++, cell += strlen(cell) + 1) {
    const int wide = width_of(cell);
    some |= wide > 0;
    if (wide > table->width[i] && (!titles || table->width[i]))
      table->width[i] = wide;
  }
  return some;
}

static void put_table(FILE *out, const char *at, const char *end, const json_t *list, const struct scope *scope) {
  struct table table = {0};
  struct scope element = {.table = true, .outer = scope};
  struct walk first = {.all = list}, second = first;
  const size_t most = json_array_size(list) + json_object_size(list);
  char **row = calloc(most + 1, sizeof *row);
  if (!row)
    ut_result_lack();
  size_t rows = 0;
  table.columns = cut(at + (*at == '\n'), table.title, table.title_end);
  cut(table.title_end[table.columns - 1] + 1, table.cell, table.cell_end);
  table.indent = (int)strspn(table.title[0], " ");
  table.title[0] += table.indent;
  while (row && next(&first, &element) && (row[rows] = row_of(&table, false, &element)))
    widen(&table, row[rows++], false);
  char *titles = rows ? row_of(&table, true, &(struct scope){.table = true, .outer = scope}) : NULL;
  if (titles && widen(&table, titles, true))
    put_row(out, &table, titles);
  for (size_t r = 0; r < rows && next(&second, &element); r++) {
    put_row(out, &table, row[r]);
    put(out, table.cell_end[table.columns - 1] + 1, end, &element);
    free(row[r]);
  }
  free(titles);
  free(row);
}

/* ---- the layout */

static void put_each(FILE *out, const char *at, const char *end, const json_t *list, const struct scope *scope) {
  struct scope element = {.table = scope->table, .outer = scope};
  struct walk walk = {.all = list};
  while (next(&walk, &element))
    put(out, at, end, &element);
}

/* A part that has an end of its own; returns what is behind that. */
static const char *put_part(FILE *out, const char *open, const char *close, const struct scope *scope) {
  const char *middle, *begin = close + 1, *end = end_of(begin, &middle);
  const size_t length = (size_t)(close - open - 2);
  if (open[1] == '?') {
    const bool yes = holds(scope, open + 2, length);
    if (yes || middle)
      put(out, yes ? begin : middle + strlen("{:}"), yes && middle ? middle : end, scope);
  } else {
    (open[1] == '|' ? put_table : put_each)(out, begin, end, find(scope, open + 2, length), scope);
  }
  return end + strlen("{/}");
}

static void put(FILE *out, const char *at, const char *end, const struct scope *scope) {
  while (at < end) {
    const char *open = memchr(at, '{', (size_t)(end - at));
    fwrite(at, 1, (size_t)((open ? open : end) - at), out);
    if (!open)
      return;
    const char *close = strchr(open, '}');
    at = close + 1;
    if (strchr("?#|", open[1]))
      at = put_part(out, open, close, scope);
    else if (!strchr(",; \n", open[1]))
      put_field(out, open + 1, (size_t)(close - open - 1), scope);
    else if (!scope->last)
      fwrite(open + 1, 1, (size_t)(close - open - 1), out);
  }
}

void ut_result_put(const json_t *result, const char *layout, FILE *out) {
  const struct scope scope = {.value = result};
  put(out, layout, layout + strlen(layout), &scope);
}
