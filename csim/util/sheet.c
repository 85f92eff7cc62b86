/* SPDX-License-Identifier: Apache-2.0 */
/* sheet.c - see sheet.h */
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

bool ut_sheet_is_named(const char *path) {
  return ends_with(path, ".csv") || ends_with(path, ".json");
}

enum { TEXT = 1 << 16 };

static void flush(struct ut_sheet *t) {
  fwrite(t->text, 1, t->used, t->out.file);
  t->used = 0;
}

static inline void put(struct ut_sheet *t, const char *text, size_t length) {
  if (length > TEXT - t->used)
    flush(t);
  memcpy(t->text + t->used, text, length);
  t->used += length;
}
static void put_word(struct ut_sheet *t, const char *word) {
  put(t, word, strlen(word));
}

static void forget(struct ut_sheet *t) {
  free(t->text);
  *t = (struct ut_sheet){0};
}

int ut_sheet_open(struct ut_sheet *t, const char *path, const char *const *column, unsigned columns,
                  struct ut_error *e) {
  *t = (struct ut_sheet){.column = column, .columns = columns, .json = ends_with(path, ".json")};
  t->text = malloc(TEXT);
  if (!t->text)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  if (ut_output_open(&t->out, path, UT_OUTPUT_ANY, e)) {
    forget(t);
    return -1;
  }
  put_word(t, t->json ? "[" : column[0]);
  for (unsigned i = 1; !t->json && i < columns; i++) {
    put(t, ",", 1);
    put_word(t, column[i]);
  }
  return 0;
}

/* ---- cells */

/* What stands before a cell. */
static void begin(struct ut_sheet *t) {
  if (!t->json) {
    put(t, t->at ? "," : "\n", 1);
  } else {
    put_word(t, t->at ? ", \"" : t->rows ? "},\n{\"" : "\n{\"");
    put_word(t, t->column[t->at]);
    put(t, "\": ", 3);
  }
  if (++t->at == t->columns) {
    t->at = 0;
    t->rows++;
  }
}

void ut_sheet_integer(struct ut_sheet *t, uint64_t value) {
  char digit[20];
  unsigned i = sizeof digit;
  do
    digit[--i] = (char)('0' + value % 10);
  while (value /= 10);
  begin(t);
  put(t, digit + i, sizeof digit - i);
}

void ut_sheet_real(struct ut_sheet *t, double value) {
  char text[32];
  begin(t);
  put(t, text, (size_t)snprintf(text, sizeof text, "%.9g", value));
}

void ut_sheet_word(struct ut_sheet *t, const char *word) {
  begin(t);
  if (t->json)
    put(t, "\"", 1);
  put_word(t, word);
  if (t->json)
    put(t, "\"", 1);
}

void ut_sheet_nothing(struct ut_sheet *t) {
  begin(t);
  if (t->json)
    put(t, "null", 4);
}

void ut_sheet_integer_if(struct ut_sheet *t, bool there, uint64_t value) {
  if (there)
    ut_sheet_integer(t, value);
  else
    ut_sheet_nothing(t);
}

/* ---- the end */

bool ut_sheet_is_open(const struct ut_sheet *t) {
  return t->out.file;
}

bool ut_sheet_good(const struct ut_sheet *t) {
  return !t->out.file || !ferror(t->out.file);
}

void ut_sheet_drop(struct ut_sheet *t) {
  ut_output_drop(&t->out);
  forget(t);
}

int ut_sheet_close(struct ut_sheet *t, struct ut_error *e) {
  if (!t->out.file)
    return 0;
  put_word(t, !t->json ? "\n" : t->rows ? "}\n]\n" : "]\n");
  flush(t);
  const int result = ut_output_close(&t->out, e);
  forget(t);
  return result;
}
