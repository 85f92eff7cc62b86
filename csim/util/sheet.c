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

static void flush(struct ut_sheet *sheet) {
  fwrite(sheet->text, 1, sheet->used, sheet->out.file);
  sheet->used = 0;
}

static inline void put(struct ut_sheet *sheet, const char *text, size_t length) {
  if (length > TEXT - sheet->used)
    flush(sheet);
  memcpy(sheet->text + sheet->used, text, length);
  sheet->used += length;
}
static void put_word(struct ut_sheet *sheet, const char *word) {
  put(sheet, word, strlen(word));
}

static void forget(struct ut_sheet *sheet) {
  free(sheet->text);
  *sheet = (struct ut_sheet){0};
}

int ut_sheet_open(struct ut_sheet *sheet, const char *path, const char *const *column, unsigned columns,
                  struct ut_error *e) {
  *sheet = (struct ut_sheet){.column = column, .columns = columns, .json = ends_with(path, ".json")};
  sheet->text = malloc(TEXT);
  if (!sheet->text)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  if (ut_output_open(&sheet->out, path, UT_OUTPUT_ANY, e)) {
    forget(sheet);
    return -1;
  }
  put_word(sheet, sheet->json ? "[" : column[0]);
  for (unsigned i = 1; !sheet->json && i < columns; i++) {
    put(sheet, ",", 1);
    put_word(sheet, column[i]);
  }
  return 0;
}

/* ---- cells */

/* Writes the separator before a cell. */
static void begin(struct ut_sheet *sheet) {
  if (!sheet->json) {
    put(sheet, sheet->at ? "," : "\n", 1);
  } else {
    put_word(sheet, sheet->at ? ", \"" : sheet->rows ? "},\n{\"" : "\n{\"");
    put_word(sheet, sheet->column[sheet->at]);
    put(sheet, "\": ", 3);
  }
  if (++sheet->at == sheet->columns) {
    sheet->at = 0;
    sheet->rows++;
  }
}

void ut_sheet_integer(struct ut_sheet *sheet, uint64_t value) {
  char digit[20];
  unsigned i = sizeof digit;
  do
    digit[--i] = (char)('0' + value % 10);
  while (value /= 10);
  begin(sheet);
  put(sheet, digit + i, sizeof digit - i);
}

void ut_sheet_real(struct ut_sheet *sheet, double value) {
  char text[32];
  begin(sheet);
  put(sheet, text, (size_t)snprintf(text, sizeof text, "%.9g", value));
}

void ut_sheet_word(struct ut_sheet *sheet, const char *word) {
  begin(sheet);
  if (sheet->json)
    put(sheet, "\"", 1);
  put_word(sheet, word);
  if (sheet->json)
    put(sheet, "\"", 1);
}

void ut_sheet_nothing(struct ut_sheet *sheet) {
  begin(sheet);
  if (sheet->json)
    put(sheet, "null", 4);
}

void ut_sheet_integer_if(struct ut_sheet *sheet, bool there, uint64_t value) {
  if (there)
    ut_sheet_integer(sheet, value);
  else
    ut_sheet_nothing(sheet);
}

/* ---- the end */

bool ut_sheet_is_open(const struct ut_sheet *sheet) {
  return sheet->out.file;
}

bool ut_sheet_good(const struct ut_sheet *sheet) {
  return !sheet->out.file || !ferror(sheet->out.file);
}

void ut_sheet_drop(struct ut_sheet *sheet) {
  ut_output_drop(&sheet->out);
  forget(sheet);
}

int ut_sheet_close(struct ut_sheet *sheet, struct ut_error *e) {
  if (!sheet->out.file)
    return 0;
  put_word(sheet, !sheet->json ? "\n" : sheet->rows ? "}\n]\n" : "]\n");
  flush(sheet);
  const int result = ut_output_close(&sheet->out, e);
  forget(sheet);
  return result;
}
