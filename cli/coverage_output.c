/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_output.c - see coverage_output.h */
#include "coverage_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "html_page.h"
#include "json_text.h"

/* ---- sums */

struct sum {
  unsigned hit, applies;
};

/* Of the points first..first + count - 1. */
static struct sum sum_of(const struct ut_coverage_runs *runs, unsigned first, unsigned count) {
  struct sum sum = {0, 0};
  for (unsigned point = first; point < first + count; point++) {
    const bool applies = ut_coverage_some_applies(runs, point);
    sum.applies += applies;
    sum.hit += applies && ut_coverage_first(runs, point) < runs->count;
  }
  return sum;
}

/* Points of the group that begins there. */
static unsigned group_size(unsigned first) {
  unsigned count = 1;
  while (first + count < SPEC_COVER_POINTS &&
         !strcmp(spec_cover_texts[first + count].group, spec_cover_texts[first].group))
    count++;
  return count;
}

static bool is_missed(const struct ut_coverage_runs *runs, unsigned point) {
  return ut_coverage_some_applies(runs, point) && ut_coverage_first(runs, point) == runs->count;
}

/* Points that a run hits; fresh: only those that no run before it hits. */
static unsigned hits_of_run(const struct ut_coverage_runs *runs, size_t run, bool fresh) {
  unsigned count = 0;
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    count += fresh ? ut_coverage_first(runs, point) == run : runs->run[run].hits[point] > 0;
  return count;
}

/* ---- text */

static void print_groups(const struct ut_coverage_runs *runs) {
  printf("%-32s  hit  of\n", "group");
  for (unsigned first = 0, count; first < SPEC_COVER_POINTS; first += count) {
    count = group_size(first);
    const struct sum sum = sum_of(runs, first, count);
    if (sum.applies)
      printf("%-32s  %3u %3u\n", spec_cover_texts[first].group, sum.hit, sum.applies);
  }
}

static void print_missed(const struct ut_coverage_runs *runs) {
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    if (is_missed(runs, point))
      printf("  %-30s %s (%s)\n", spec_cover_texts[point].name, spec_cover_texts[point].meaning,
             spec_cover_texts[point].source);
}

static void print_runs(const struct ut_coverage_view *v) {
  for (size_t run = 0; run < v->runs->count; run++) {
    printf("  %-48s %3u new of %3u hit\n", v->runs->run[run].scenario, hits_of_run(v->runs, run, true),
           hits_of_run(v->runs, run, false));
    for (unsigned point = 0; v->verbose && point < SPEC_COVER_POINTS; point++)
      if (ut_coverage_first(v->runs, point) == run)
        printf("    %-28s %12" PRIu64 " hits\n", spec_cover_texts[point].name, v->runs->run[run].hits[point]);
  }
}

/* ---- lines and branches of the RTL, as text */

/* The source of a line, without what it begins and ends with; false: it cannot be read. */
static bool read_source(const struct ut_coverage_view *v, const struct ut_line_count *point, char *text, int size) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s%s/%s", v->rtl_dir ? v->rtl_dir : v->root_dir, v->rtl_dir ? "" : "/rtl", point->file);
  FILE *f = fopen(path, "r");
  unsigned line = 0;
  while (f && line < point->line && fgets(text, size, f))
    line++;
  if (f)
    fclose(f);
  if (line < point->line)
    return false;
  const size_t indent = strspn(text, " ");
  memmove(text, text + indent, strlen(text) + 1 - indent);
  text[strcspn(text, "\n")] = '\0';
  return true;
}

static unsigned lines_hit(const struct ut_line_counts *lines) {
  unsigned count = 0;
  for (size_t i = 0; i < lines->count; i++)
    count += lines->point[i].count > 0;
  return count;
}

static void print_lines(const struct ut_coverage_view *v) {
  char source[256];
  printf("\n%u of %zu lines and branches of the RTL executed\n", lines_hit(v->lines), v->lines->count);
  for (size_t i = 0; i < v->lines->count; i++) {
    const struct ut_line_count *point = &v->lines->point[i];
    if (!point->count)
      printf("  %s:%u: %s: %s\n", point->file, point->line, point->what,
             read_source(v, point, source, sizeof source) ? source : "");
  }
}

void ut_coverage_print_text(const struct ut_coverage_view *v) {
  const struct sum all = sum_of(v->runs, 0, SPEC_COVER_POINTS);
  printf("%u of %u points hit, in %zu scenario%s; %u others do not apply\n", all.hit, all.applies, v->runs->count,
         v->runs->count == 1 ? "" : "s", SPEC_COVER_POINTS - all.applies);
  if (!v->missing) {
    putchar('\n');
    print_groups(v->runs);
  }
  if (all.hit < all.applies) {
    printf("\nnot hit:\n");
    print_missed(v->runs);
  }
  if (!v->missing) {
    printf("\nwhat each scenario adds to those before it:\n");
    print_runs(v);
  }
  if (v->lines)
    print_lines(v);
}

/* ---- JSON */

static json_t *point_json(const struct ut_coverage_runs *runs, unsigned point) {
  const struct spec_cover_text *text = &spec_cover_texts[point];
  const size_t first = ut_coverage_first(runs, point);
  return json_pack("{s:s,s:s,s:s,s:s,s:s,s:b,s:I,s:o}", "name", text->name, "group", text->group, "meaning",
                   text->meaning, "source", text->source, "where", text->where, "applies",
                   ut_coverage_some_applies(runs, point), "hits", (json_int_t)ut_coverage_hits(runs, point), "first",
                   first < runs->count ? ut_json_text(runs->run[first].scenario) : json_null());
}

static json_t *run_json(const struct ut_coverage_runs *runs, size_t run) {
  json_t *fresh = json_array();
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    if (ut_coverage_first(runs, point) == run)
      json_array_append_new(fresh, json_string(spec_cover_texts[point].name));
  return json_pack("{s:o,s:i,s:o}", "scenario", ut_json_text(runs->run[run].scenario), "hit",
                   (int)hits_of_run(runs, run, false), "new", fresh);
}

static json_t *lines_json(const struct ut_line_counts *lines) {
  json_t *list = json_array();
  for (size_t i = 0; i < lines->count; i++)
    json_array_append_new(list, json_pack("{s:s,s:i,s:s,s:I}", "file", lines->point[i].file, "line",
                                          (int)lines->point[i].line, "what", lines->point[i].what, "count",
                                          (json_int_t)lines->point[i].count));
  return list;
}

static json_t *results_json(const struct ut_coverage_view *v) {
  const struct sum all = sum_of(v->runs, 0, SPEC_COVER_POINTS);
  json_t *points = json_array(), *scenarios = json_array();
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    if (!v->missing || is_missed(v->runs, point))
      json_array_append_new(points, point_json(v->runs, point));
  for (size_t run = 0; run < v->runs->count; run++)
    json_array_append_new(scenarios, run_json(v->runs, run));
  json_t *o = json_pack("{s:i,s:i,s:i,s:o,s:o}", "points_hit", (int)all.hit, "points_that_apply", (int)all.applies,
                        "points_of_all", (int)SPEC_COVER_POINTS, "scenarios", scenarios, "points", points);
  if (v->lines)
    json_object_set_new(o, "lines", lines_json(v->lines));
  return o;
}

void ut_coverage_print_json(const struct ut_coverage_view *v) {
  json_t *o = results_json(v);
  json_dumpf(o, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(o);
}

/* ---- a page */

int ut_coverage_write_page(const struct ut_coverage_view *v, const char *path, const char *command,
                           struct ut_error *e) {
  struct ut_html_page page;
  json_t *data = results_json(&(struct ut_coverage_view){.runs = v->runs});
  const struct ut_html_section section = {.type = "coverage",
                                          .title = "Coverage",
                                          .lead = "A point is a rule of a routing paper, or a situation of a switch. "
                                                  "A run without a mismatch says nothing of those that it has not hit.",
                                          .data = data};
  int status = ut_html_page_open(&page, path, NULL, UTURN_VERSION, command, e);
  if (!status && ut_html_page_add(&page, &section, e)) {
    ut_html_page_drop(&page);
    status = -1;
  }
  json_decref(data);
  return status ? -1 : ut_html_page_close(&page, e);
}
