/* SPDX-License-Identifier: Apache-2.0 */
/* number_file.c - see number_file.h */
#include "number_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input_limits.h"

int ut_number_file_open(struct ut_number_file *f, const char *path, const char *what, struct ut_error *e) {
  *f = (struct ut_number_file){.count = 0};
  if (!path)
    return ut_fail(e, UT_BAD_INPUT, "traffic: this pattern needs a file; add the key %s_file", what);
  return ut_lines_open(&f->file, path, what, UT_LIMIT_NUMBER_LINE_BYTES, e);
}

void ut_number_file_close(struct ut_number_file *f) {
  ut_lines_close(&f->file);
}

/* Behind a number: the next one, with at most one comma between them; NULL: there is none behind a comma. */
static char *next_number(char *c) {
  c += strspn(c, " \t\r");
  if (*c != ',')
    return c;
  c += 1 + strspn(c + 1, " \t\r");
  return *c >= '0' && *c <= '9' ? c : NULL;
}

/* Splits the current line.  0 or -1. */
static int parse_numbers(struct ut_number_file *f, struct ut_error *e) {
  f->count = 0;
  for (char *c = f->file.text + strspn(f->file.text, " \t\r"); *c != '\0' && *c != '#';) {
    unsigned column = (unsigned)(c - f->file.text) + 1;
    if (*c < '0' || *c > '9')
      return ut_lines_fail(&f->file, column, e, "expected a number");
    if (f->count == UT_NUMBER_COLUMNS)
      return ut_lines_fail(&f->file, column, e, "more than %d numbers", UT_NUMBER_COLUMNS);
    errno = 0;
    char *end;
    f->value[f->count] = strtoull(c, &end, 10);
    if (errno || !strchr(" \t\r,#", *end)) /* the string's end is one of them */
      return ut_lines_fail(&f->file, column, e, errno ? "number too large" : "expected a number");
    f->column[f->count++] = column;
    c = next_number(end);
    if (!c)
      return ut_lines_fail(&f->file, (size_t)(end - f->file.text) + 1, e, "expected a number behind the comma");
  }
  return 0;
}

int ut_number_file_next(struct ut_number_file *f, struct ut_error *e) {
  int more;
  while ((more = ut_lines_next(&f->file, e)) > 0) {
    if (parse_numbers(f, e))
      return -1;
    if (f->count)
      break;
  }
  return more;
}

int ut_number_file_terminal(const struct ut_number_file *f, unsigned i, uint32_t terminals, uint16_t *out,
                            struct ut_error *e) {
  if (f->value[i] >= terminals)
    return ut_lines_fail(&f->file, f->column[i], e, "terminal %llu does not exist, this network has 0..%u",
                         (unsigned long long)f->value[i], (unsigned)terminals - 1);
  *out = (uint16_t)f->value[i];
  return 0;
}
