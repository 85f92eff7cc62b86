/* SPDX-License-Identifier: Apache-2.0 */
/* line_counts.c - see line_counts.h
 *
 * Verilator writes a line for a point: C 'KEYS' COUNT, in KEYS pairs of \001NAME\002VALUE.
 */
#define _GNU_SOURCE
#include "line_counts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"
#include "number.h"
#include "rtl.h"

/* ---- points */

static int compare(const void *a, const void *b) {
  const struct ut_line_count *x = a, *y = b;
  const int file = strcmp(x->file, y->file);
  if (file || x->line != y->line)
    return file ? file : x->line < y->line ? -1 : 1;
  return x->column != y->column ? (x->column < y->column ? -1 : 1) : strcmp(x->what, y->what);
}

/* Adds a count to its point; makes the point, with copies of its texts, if it is new. */
static int add(struct ut_line_counts *all, const struct ut_line_count *new, struct ut_error *e) {
  size_t from = 0, to = all->count;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    const int order = compare(&all->point[middle], new);
    if (!order) {
      all->point[middle].count += new->count;
      return 0;
    }
    if (order < 0)
      from = middle + 1;
    else
      to = middle;
  }
  if (all->count == all->room) {
    const size_t room = all->room ? 2 * all->room : 256;
    struct ut_line_count *point = realloc(all->point, room * sizeof *point);
    if (!point)
      return ut_fail_memory(e);
    all->point = point;
    all->room = room;
  }
  struct ut_line_count copy = *new;
  copy.file = strdup(new->file);
  copy.what = strdup(new->what);
  memmove(all->point + from + 1, all->point + from, (all->count++ - from) * sizeof *all->point);
  all->point[from] = copy;
  return copy.file && copy.what ? 0 : ut_fail_memory(e);
}

void ut_line_counts_free(struct ut_line_counts *all) {
  for (size_t i = 0; i < all->count; i++)
    free(all->point[i].file), free(all->point[i].what);
  free(all->point);
  *all = (struct ut_line_counts){0};
}

/* ---- what Verilator writes */

/* Copies the value of a key of that letter in "\001NAME\002VALUE..." up to `end`; "": there is none. */
static void value_of(const char *keys, const char *end, char letter, char *value, size_t size) {
  const char name[] = {'\001', letter, '\002', '\0'};
  const char *at = memmem(keys, (size_t)(end - keys), name, 3);
  size_t length = 0;
  for (at = at ? at + 3 : end; at + length < end && at[length] != '\001';)
    length++;
  snprintf(value, size, "%.*s", (int)length, at);
}

/* Reads a line of the file; lines that are no points are skipped. */
static int read_point(struct ut_line_counts *all, const char *text, struct ut_error *e) {
  char file[512], line[16], column[16], what[64];
  const char *end = strrchr(text, '\'');
  uint64_t count, number, place;
  if (strncmp(text, "C '", 3) || end <= text + 3 || end[1] != ' ')
    return 0;
  value_of(text + 3, end, 'f', file, sizeof file);
  value_of(text + 3, end, 'l', line, sizeof line);
  value_of(text + 3, end, 'n', column, sizeof column);
  value_of(text + 3, end, 'o', what, sizeof what);
  const char *digits = end + 2;
  if (!ut_number_read(&digits, UINT64_MAX, &count) || !ut_number_is(line, UINT32_MAX, &number) ||
      !ut_number_is(column, UINT32_MAX, &place))
    return 0;
  char *slash = strrchr(file, '/');
  return add(all,
             &(struct ut_line_count){.file = slash ? slash + 1 : file,
                                     .what = what,
                                     .line = (unsigned)number,
                                     .column = (unsigned)place,
                                     .count = count},
             e);
}

static int read_file(struct ut_line_counts *all, const char *path, struct ut_error *e) {
  FILE *f = fopen(path, "r");
  char *text = NULL;
  size_t room = 0;
  int status = f ? 0 : ut_fail_os(e, errno, "read", path);
  while (!status && getline(&text, &room, f) > 0)
    status = read_point(all, text, e);
  free(text);
  if (f)
    fclose(f);
  return status;
}

int ut_line_counts_add(struct ut_line_counts *all, const struct ut_rtl *rtl, struct ut_error *e) {
  const char *folder = getenv("TMPDIR");
  char path[PATH_MAX];
  if (ut_path_set(e, path, "%s/uturn-lines-XXXXXX", folder ? folder : "/tmp"))
    return -1;
  const int file = ut_file_temporary(path);
  if (file < 0)
    return ut_fail_os(e, errno, "write", path);
  close(file);
  int status = 0;
  for (uint32_t i = 0; i < rtl->count && !status; i++) {
    const struct ut_model_api *api = ut_rtl_api(rtl, i);
    if (api->lines)
      api->lines(rtl->model[i], path);
    status = api->lines ? read_file(all, path, e) : ut_fail(e, UT_INTERNAL, "the switch model does not count lines");
  }
  ut_file_remove(path);
  return status;
}
