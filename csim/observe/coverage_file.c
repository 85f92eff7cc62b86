/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_file.c - see coverage_file.h */
#define _GNU_SOURCE
#include "coverage_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "number.h"
#include "output.h"

enum { LARGEST_FILE = 1 << 28, FIRST_LINE_SIZE = 64 };

/* ---- runs */

static struct ut_coverage_run *find_or_append(struct ut_coverage_runs *all, const char *scenario, struct ut_error *e) {
  for (size_t i = 0; i < all->count; i++)
    if (!strcmp(all->run[i].scenario, scenario))
      return &all->run[i];
  struct ut_coverage_run *more = realloc(all->run, (all->count + 1) * sizeof *more);
  char *name = more ? strdup(scenario) : NULL;
  if (more)
    all->run = more;
  if (!name) {
    ut_fail_memory(e);
    return NULL;
  }
  more[all->count] = (struct ut_coverage_run){.scenario = name};
  return &more[all->count++];
}

int ut_coverage_add(struct ut_coverage_runs *all, const struct ut_coverage_run *run, struct ut_error *e) {
  struct ut_coverage_run *to = find_or_append(all, run->scenario, e);
  if (!to)
    return -1;
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++) {
    to->applies[point] |= run->applies[point];
    to->hits[point] += run->hits[point];
  }
  return 0;
}

void ut_coverage_free(struct ut_coverage_runs *all) {
  for (size_t i = 0; i < all->count; i++)
    free(all->run[i].scenario);
  free(all->run);
  *all = (struct ut_coverage_runs){0};
}

bool ut_coverage_some_applies(const struct ut_coverage_runs *all, enum spec_cover_point point) {
  for (size_t i = 0; i < all->count; i++)
    if (all->run[i].applies[point])
      return true;
  return false;
}

size_t ut_coverage_first(const struct ut_coverage_runs *all, enum spec_cover_point point) {
  size_t i = 0;
  while (i < all->count && !all->run[i].hits[point])
    i++;
  return i;
}

uint64_t ut_coverage_hits(const struct ut_coverage_runs *all, enum spec_cover_point point) {
  uint64_t sum = 0;
  for (size_t i = 0; i < all->count; i++)
    sum += all->run[i].hits[point];
  return sum;
}

/* ---- the file */

/* A number that follows from the names and meanings of all points (FNV-1a). */
static uint64_t table_number(void) {
  uint64_t number = UINT64_C(0xcbf29ce484222325);
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++) {
    const char *text[] = {spec_cover_texts[point].name, spec_cover_texts[point].meaning};
    for (unsigned i = 0; i < 2; i++)
      for (const char *c = text[i]; *c; c++)
        number = (number ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  }
  return number;
}

static const char *first_line(char text[FIRST_LINE_SIZE]) {
  snprintf(text, FIRST_LINE_SIZE, "uturn coverage, %d points, table %016" PRIx64, SPEC_COVER_POINTS, table_number());
  return text;
}

static int find_point(const char *name, size_t length) {
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    if (strlen(spec_cover_texts[point].name) == length && !memcmp(spec_cover_texts[point].name, name, length))
      return (int)point;
  return -1;
}

/* A line of the file; number: which one, for messages. */
static int read_line(struct ut_coverage_runs *all, const char *path, unsigned number, const char *line,
                     struct ut_error *e) {
  const size_t name = strcspn(line, "\t");
  const int point = find_point(line, name);
  const char *at = line + name;
  uint64_t hits;
  if (point < 0 || *at++ != '\t' || !ut_number_read(&at, UINT64_MAX, &hits) || *at++ != '\t' || !*at)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s:%u: expected a cover point, its hits and a scenario, with tabs between them; mend the line, or "
                   "name another file",
                   path, number);
  struct ut_coverage_run *run = find_or_append(all, at, e);
  if (!run)
    return -1;
  run->applies[point] = true;
  run->hits[point] += hits;
  return 0;
}

/* text: all of the file, which it takes apart. */
static int read_text(struct ut_coverage_runs *all, const char *path, char *text, struct ut_error *e) {
  char expected[FIRST_LINE_SIZE];
  char *rest = text, *line = strsep(&rest, "\n");
  if (strncmp(line, "uturn coverage, ", 16))
    return ut_fail(e, UT_BAD_INPUT, "%s: this is no file of `uturn coverage`; name another one, and nothing is lost",
                   path);
  if (strcmp(line, first_line(expected)))
    return ut_fail(e, UT_BAD_INPUT, "%s: it counts other points, of another version; remove it, or name another file",
                   path);
  for (unsigned number = 2; (line = strsep(&rest, "\n")); number++)
    if (*line && read_line(all, path, number, line, e))
      return -1;
  return 0;
}

int ut_coverage_load(struct ut_coverage_runs *all, const char *path, struct ut_error *e) {
  size_t length;
  if (access(path, F_OK))
    return 0;
  char *text = ut_input_read(path, "coverage", UT_INPUT_REPLACED, LARGEST_FILE, &length, e);
  const int status = text ? read_text(all, path, text, e) : -1;
  free(text);
  return status;
}

int ut_coverage_save(const struct ut_coverage_runs *all, const char *path, struct ut_error *e) {
  struct ut_output output;
  char text[FIRST_LINE_SIZE];
  if (ut_output_open(&output, path, UT_OUTPUT_REGULAR, e))
    return -1;
  fprintf(output.file, "%s\n", first_line(text));
  for (size_t i = 0; i < all->count; i++)
    for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
      if (all->run[i].applies[point] || all->run[i].hits[point])
        fprintf(output.file, "%s\t%" PRIu64 "\t%s\n", spec_cover_texts[point].name, all->run[i].hits[point],
                all->run[i].scenario);
  return ut_output_close(&output, e);
}
