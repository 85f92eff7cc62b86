/* SPDX-License-Identifier: Apache-2.0 */
/* number_file.c - see number_file.h */
#include "number_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input_limits.h"
#include "number.h"

int ut_number_file_open(struct ut_number_file *file, const char *path, const char *what, struct ut_error *e) {
  *file = (struct ut_number_file){.columns = 4};
  if (!path)
    return ut_fail(e, UT_BAD_INPUT, "traffic: this pattern needs a file; add the key %s_file", what);
  return ut_lines_open(&file->file, path, what, UT_LIMIT_NUMBER_LINE_BYTES, e);
}

void ut_number_file_close(struct ut_number_file *file) {
  ut_lines_close(&file->file);
}

/* Returns the next number, after at most one comma; NULL: there is none behind a comma. */
static char *next_number(char *c) {
  c += strspn(c, " \t\r");
  if (*c != ',')
    return c;
  c += 1 + strspn(c + 1, " \t\r");
  return (*c >= '0' && *c <= '9') || *c == '.' ? c : NULL;
}

/* Reads the number of a column at *c and moves behind it. */
static int parse_number(struct ut_number_file *file, char **c, struct ut_error *e) {
  const bool real = file->count < file->columns && file->real_columns >> file->count & 1;
  const size_t column = (size_t)(*c - file->file.text) + 1, length = strcspn(*c, " \t\r,#");
  char text[32];
  if (real) {
    snprintf(text, sizeof text, "%.*s", (int)length, *c);
    if (length >= sizeof text || !ut_real_is(text, &file->real[file->count]))
      return ut_lines_fail(&file->file, column, e, "expected a number that is not negative, as 0.25");
    *c += length;
  } else {
    if (**c < '0' || **c > '9')
      return ut_lines_fail(&file->file, column, e, "expected a number"); /* behind the last column, too */
    errno = 0;
    file->value[file->count] = strtoull(*c, c, 10);
    if (errno || !strchr(" \t\r,#", **c)) /* the string's end is one of them */
      return ut_lines_fail(&file->file, column, e, errno ? "number too large" : "expected a number");
  }
  file->column[file->count++] = (unsigned)column;
  return 0;
}

/* Splits the current line.  0 or -1. */
static int parse_numbers(struct ut_number_file *file, struct ut_error *e) {
  file->count = 0;
  char *c = file->file.text + strspn(file->file.text, " \t\r");
  if (file->titles && file->file.line == 1 && isalpha((unsigned char)*c))
    return 0;
  while (*c != '\0' && *c != '#') {
    if (file->count == file->columns && *c >= '0' && *c <= '9')
      return ut_lines_fail(&file->file, (size_t)(c - file->file.text) + 1, e, "more than %u numbers", file->columns);
    if (parse_number(file, &c, e))
      return -1;
    char *next = next_number(c);
    if (!next)
      return ut_lines_fail(&file->file, (size_t)(c - file->file.text) + 1, e, "expected a number behind the comma");
    c = next;
  }
  return 0;
}

int ut_number_file_next(struct ut_number_file *file, struct ut_error *e) {
  int more;
  while ((more = ut_lines_next(&file->file, e)) > 0) {
    if (parse_numbers(file, e))
      return -1;
    if (file->count)
      break;
  }
  return more;
}

int ut_number_file_unit(const struct ut_number_file *file, unsigned i, uint32_t count, const char *name, uint16_t *out,
                        struct ut_error *e) {
  if (file->value[i] >= count)
    return ut_lines_fail(&file->file, file->column[i], e, "%s %llu does not exist, this network has 0..%u", name,
                         (unsigned long long)file->value[i], (unsigned)count - 1);
  *out = (uint16_t)file->value[i];
  return 0;
}

int ut_number_file_terminal(const struct ut_number_file *file, unsigned i, uint32_t terminals, uint16_t *out,
                            struct ut_error *e) {
  return ut_number_file_unit(file, i, terminals, "terminal", out, e);
}
