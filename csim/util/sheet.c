/* sheet.c - see sheet.h */
#include "sheet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

bool ut_sheet_is_named(const char *path) {
  return ends_with(path, ".csv") || ends_with(path, ".json");
}

static int fail(struct ut_error *e, const char *path, int error) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(error));
}

enum { TEXT = 1 << 16 };

static void flush(struct ut_sheet *t) {
  fwrite(t->text, 1, t->used, t->file);
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

/* A file beside the target, which nobody else writes. */
static FILE *open_part(struct ut_sheet *t) {
  const size_t size = strlen(t->target) + 32;
  t->part = malloc(size);
  if (!t->part)
    return NULL;
  snprintf(t->part, size, "%s.%ld.part", t->target, (long)getpid());
  FILE *f = fopen(t->part, "wx");
  if (!f) {
    free(t->part);
    t->part = NULL;
  }
  return f;
}

static void forget(struct ut_sheet *t) {
  free(t->target);
  free(t->part);
  free(t->text);
  *t = (struct ut_sheet){0};
}

int ut_sheet_open(struct ut_sheet *t, const char *path, const char *const *column, unsigned columns,
                  struct ut_error *e) {
  struct stat there;
  *t = (struct ut_sheet){.path = path, .column = column, .columns = columns, .json = ends_with(path, ".json")};
  const bool exists = stat(path, &there) == 0;
  t->target = exists ? realpath(path, NULL) : strdup(path); /* what a symbolic link leads to */
  t->text = malloc(TEXT);
  if (exists && S_ISDIR(there.st_mode))
    errno = EISDIR;
  else if (t->target && t->text)
    t->file = exists && !S_ISREG(there.st_mode) ? fopen(path, "w") : open_part(t);
  if (!t->file) {
    const int error = errno;
    if (t->part)
      remove(t->part);
    forget(t);
    return fail(e, path, error);
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

bool ut_sheet_good(const struct ut_sheet *t) {
  return !t->file || !ferror(t->file);
}

void ut_sheet_drop(struct ut_sheet *t) {
  if (!t->file)
    return;
  fclose(t->file);
  if (t->part)
    remove(t->part);
  forget(t);
}

int ut_sheet_close(struct ut_sheet *t, struct ut_error *e) {
  if (!t->file)
    return 0;
  put_word(t, !t->json ? "\n" : t->rows ? "}\n]\n" : "]\n");
  flush(t);
  const bool before = ferror(t->file);
  errno = 0;
  const bool closed = !fclose(t->file) && !before, named = closed && (!t->part || !rename(t->part, t->target));
  const int error = errno ? errno : ENOSPC; /* the first error, of a row, is no longer known */
  const char *path = t->path;
  if (t->part && !named)
    remove(t->part);
  forget(t);
  return named ? 0 : fail(e, path, error);
}
