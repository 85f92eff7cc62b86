/* table.c - see table.h */
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

bool ut_table_is_named(const char *path) {
  return ends_with(path, ".csv") || ends_with(path, ".json");
}

static int fail(struct ut_error *e, const char *path, int error) {
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(error));
}

/* A file beside the target, with the rights that a new one gets. */
static FILE *open_part(struct ut_table *t) {
  t->part = malloc(strlen(t->target) + sizeof ".XXXXXX");
  if (!t->part)
    return NULL;
  strcat(strcpy(t->part, t->target), ".XXXXXX");
  const int descriptor = mkstemp(t->part);
  if (descriptor < 0) {
    free(t->part);
    t->part = NULL;
    return NULL;
  }
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  return fdopen(descriptor, "w");
}

static void forget(struct ut_table *t) {
  free(t->target);
  free(t->part);
  *t = (struct ut_table){0};
}

int ut_table_open(struct ut_table *t, const char *path, const char *const *column, unsigned columns,
                  struct ut_error *e) {
  struct stat there;
  *t = (struct ut_table){.path = path, .column = column, .columns = columns, .json = ends_with(path, ".json")};
  const bool exists = stat(path, &there) == 0;
  t->target = exists ? realpath(path, NULL) : strdup(path); /* what a symbolic link leads to */
  if (exists && S_ISDIR(there.st_mode))
    errno = EISDIR;
  else if (t->target)
    t->file = exists && !S_ISREG(there.st_mode) ? fopen(path, "w") : open_part(t);
  if (!t->file) {
    const int error = errno;
    if (t->part)
      remove(t->part);
    forget(t);
    return fail(e, path, error);
  }
  if (t->json)
    fputs("[", t->file);
  for (unsigned i = 0; !t->json && i < columns; i++)
    fprintf(t->file, "%s%s", i ? "," : "", column[i]);
  return 0;
}

/* ---- cells */

static void put(FILE *f, const char *text) {
  fwrite_unlocked(text, 1, strlen(text), f);
}

/* What stands before a cell. */
static void begin(struct ut_table *t) {
  FILE *f = t->file;
  if (!t->json) {
    putc_unlocked(t->at ? ',' : '\n', f);
  } else {
    put(f, t->at ? ", \"" : t->rows ? "},\n{\"" : "\n{\"");
    put(f, t->column[t->at]);
    put(f, "\": ");
  }
  if (++t->at == t->columns) {
    t->at = 0;
    t->rows++;
  }
}

void ut_table_integer(struct ut_table *t, uint64_t value) {
  char digit[20];
  unsigned i = sizeof digit;
  do
    digit[--i] = (char)('0' + value % 10);
  while (value /= 10);
  begin(t);
  fwrite_unlocked(digit + i, 1, sizeof digit - i, t->file);
}

void ut_table_real(struct ut_table *t, double value) {
  begin(t);
  fprintf(t->file, "%.9g", value);
}

void ut_table_word(struct ut_table *t, const char *word) {
  begin(t);
  if (t->json)
    putc_unlocked('"', t->file);
  put(t->file, word);
  if (t->json)
    putc_unlocked('"', t->file);
}

void ut_table_nothing(struct ut_table *t) {
  begin(t);
  if (t->json)
    put(t->file, "null");
}

void ut_table_integer_if(struct ut_table *t, bool there, uint64_t value) {
  if (there)
    ut_table_integer(t, value);
  else
    ut_table_nothing(t);
}

/* ---- the end */

bool ut_table_good(const struct ut_table *t) {
  return !t->file || !ferror(t->file);
}

void ut_table_drop(struct ut_table *t) {
  if (!t->file)
    return;
  fclose(t->file);
  if (t->part)
    remove(t->part);
  forget(t);
}

int ut_table_close(struct ut_table *t, struct ut_error *e) {
  if (!t->file)
    return 0;
  if (t->json)
    fputs(t->rows ? "}\n]" : "]", t->file);
  putc('\n', t->file);
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
