/* SPDX-License-Identifier: Apache-2.0 */
/* page.c - see page.h */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"
#include "output.h"

enum { MARK_SIZE = 64, NAMES_SIZE = 256 };

/* "rates, shapes" */
static const char *known(const struct ut_page_tables *tables, char text[NAMES_SIZE]) {
  text[0] = '\0';
  for (unsigned i = 0; tables->name[i]; i++)
    snprintf(text + strlen(text), NAMES_SIZE - strlen(text), "%s%s", i ? ", " : "", tables->name[i]);
  return text;
}

/* Copies a page to `out`, the tables anew if `renew`. */
static int copy(const char *path, const char *text, const struct ut_page_tables *tables, bool renew, FILE *out,
                struct ut_error *e) {
  char begin[MARK_SIZE], end_mark[MARK_SIZE], names[NAMES_SIZE];
  unsigned found = 0, written = 0;
  const char *at = text, *mark;
  snprintf(begin, sizeof begin, "<!-- %s: ", tables->command);
  snprintf(end_mark, sizeof end_mark, "<!-- %s: end -->", tables->command);
  while ((mark = strstr(at, begin))) {
    const char *name = mark + strlen(begin);
    const int length = (int)strcspn(name, " \n");
    unsigned i = 0;
    while (tables->name[i] && (strncmp(tables->name[i], name, (size_t)length) || tables->name[i][length]))
      i++;
    if (!tables->name[i])
      return ut_fail(e, UT_BAD_INPUT, "%s: `%s%.*s -->`: unknown table; known ones: %s", path, begin, length, name,
                     known(tables, names));
    const char *body = strchr(mark, '\n'), *end = body ? strstr(body, end_mark) : NULL,
               *next = body ? strstr(body, begin) : NULL;
    if (!end || end != next)
      return ut_fail(e, UT_BAD_INPUT, "%s: no `%s` after `%s%s -->`", path, end_mark, begin, tables->name[i]);
    fprintf(out, "%.*s", (int)(body + 1 - at), at);
    if (renew && tables->put(tables->ctx, out, i))
      written++;
    else
      fprintf(out, "%.*s", (int)(end - body - 1), body + 1);
    at = end + strlen(end_mark);
    fputs(end_mark, out);
    found++;
  }
  fputs(at, out);
  if (!found)
    return ut_fail(e, UT_BAD_INPUT, "%s: no line `%sNAME -->`: where should a table go?  NAME: one of %s", path, begin,
                   known(tables, names));
  if (renew && !written)
    return ut_fail(e, UT_BAD_INPUT, "%s: there is nothing to write into its tables", path);
  return 0;
}

/* The page with its tables anew; malloc'd. */
static int make(const char *path, const struct ut_page_tables *tables, bool renew, struct ut_text *out,
                struct ut_error *e) {
  size_t size;
  char *text = ut_input_read(path, "page", UT_INPUT_REPLACED, UT_LIMIT_FILE_BYTES, &size, e);
  if (!text)
    return -1;
  FILE *f = ut_text_open(out, e);
  int result = f ? copy(path, text, tables, renew, f, e) : -1;
  if (f && fclose(f) && !result)
    result = ut_fail_memory(e);
  free(text);
  return result;
}

int ut_page_check(const char *path, const struct ut_page_tables *tables, struct ut_error *e) {
  struct ut_text text = {0};
  const int result = make(path, tables, false, &text, e);
  free(text.data);
  return result ? -1 : ut_output_check(path, UT_OUTPUT_REGULAR, e);
}

int ut_page_write(const char *path, const struct ut_page_tables *tables, struct ut_error *e) {
  struct ut_text text = {0};
  struct ut_output out;
  int result = make(path, tables, true, &text, e) || ut_output_open(&out, path, UT_OUTPUT_REGULAR, e) ? -1 : 0;
  if (!result) {
    fwrite(text.data, 1, text.size, out.file);
    result = ut_output_close(&out, e);
  }
  free(text.data);
  return result;
}
