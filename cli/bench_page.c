/* bench_page.c - see bench_page.h */
#include "bench_page.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_output.h"
#include "cache_files.h"

static const char begin_mark[] = "<!-- bench: ", end_mark[] = "<!-- bench: end -->";

/* The table that a line names: from the start of its name on. */
static int view_of(const char *path, const char *name, enum ut_bench_view *view, struct ut_error *e) {
  const int length = (int)strcspn(name, " \n");
  for (*view = 0; *view < UT_VIEWS; ++*view)
    if (!strncmp(ut_bench_view_name[*view], name, (size_t)length) && !ut_bench_view_name[*view][length])
      return 0;
  return ut_fail(e, UT_BAD_INPUT, "%s: `%s%.*s -->`: unknown table; known ones: rates, shapes, memory, booksim", path,
                 begin_mark, length, name);
}

/* Copies a page to `out`, the tables anew if there are results (else NULL). */
static int copy(const char *path, const char *text, const json_t *results, FILE *out, struct ut_error *e) {
  unsigned tables = 0, written = 0;
  const char *at = text, *mark;
  while ((mark = strstr(at, begin_mark))) {
    enum ut_bench_view view;
    if (view_of(path, mark + strlen(begin_mark), &view, e))
      return -1;
    const char *body = strchr(mark, '\n'), *end = body ? strstr(body, end_mark) : NULL,
               *next = body ? strstr(body, begin_mark) : NULL;
    if (!end || end != next)
      return ut_fail(e, UT_BAD_INPUT, "%s: no `%s` after `%s%s -->`", path, end_mark, begin_mark,
                     ut_bench_view_name[view]);
    fprintf(out, "%.*s", (int)(body + 1 - at), at);
    if (results && ut_bench_put_table(out, results, view))
      written++;
    else
      fprintf(out, "%.*s", (int)(end - body - 1), body + 1);
    at = end + strlen(end_mark);
    fputs(end_mark, out);
    tables++;
  }
  fputs(at, out);
  if (!tables)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: no line `%sNAME -->`: where should a table go?  NAME: rates, shapes, memory or booksim", path,
                   begin_mark);
  if (results && !written)
    return ut_fail(e, UT_BAD_INPUT, "%s: there are no figures for its tables", path);
  return 0;
}

/* The page with its tables anew; malloc'd. */
static int renew(const char *path, const json_t *results, struct ut_text *out, struct ut_error *e) {
  char *text;
  size_t size;
  const int error = ut_file_read(path, &text, &size);
  if (error)
    return ut_fail(e, UT_BAD_INPUT, "%s: %s", path, strerror(error));
  FILE *f = ut_text_open(out, e);
  int result = f ? copy(path, text, results, f, e) : -1;
  if (f && fclose(f) && !result)
    result = ut_fail_memory(e);
  free(text);
  return result;
}

int ut_bench_page_check(const char *path, struct ut_error *e) {
  struct ut_text text = {0};
  const int result = renew(path, NULL, &text, e);
  free(text.data);
  return result;
}

int ut_bench_page_write(const char *path, const json_t *results, struct ut_error *e) {
  struct ut_text text = {0};
  char other[PATH_MAX];
  int result = renew(path, results, &text, e) || ut_path_set(e, other, "%s.new", path) ? -1 : 0;
  if (!result) {
    FILE *f = fopen(other, "w");
    const bool good = f && fwrite(text.data, 1, text.size, f) == text.size;
    if ((f && fclose(f)) || !good || rename(other, path)) {
      result = ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
      remove(other);
    }
  }
  free(text.data);
  return result;
}
