/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_output.c - see coverage_output.h */
#include "coverage_output.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "html_page.h"
#include "result.h"

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

static unsigned hits_of_run(const struct ut_coverage_runs *runs, size_t run) {
  unsigned count = 0;
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    count += runs->run[run].hits[point] > 0;
  return count;
}

/* ---- lines and branches of the RTL */

/* The source of a line, without what it begins and ends with; false: it cannot be read. */
static bool read_source(const struct ut_coverage_view *view, const struct ut_line_count *point, char *text, int size) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s%s/%s", view->rtl_dir ? view->rtl_dir : view->root_dir, view->rtl_dir ? "" : "/rtl",
           point->file);
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

static void add_lines(json_t *o, const struct ut_coverage_view *view) {
  char source[256];
  json_t *list = json_array(), *missed = json_array();
  for (size_t i = 0; i < view->lines->count; i++) {
    const struct ut_line_count *count = &view->lines->point[i];
    json_t *line = UT_OBJECT({"file", ut_string(count->file)}, {"line", ut_int(count->line)},
                             {"what", ut_string(count->what)}, {"count", ut_int(count->count)});
    json_array_append_new(list, line);
    if (!count->count && !view->json) {
      UT_ADD(line, {"_source", ut_string(read_source(view, count, source, sizeof source) ? source : "")});
      json_array_append(missed, line);
    }
  }
  UT_ADD(o, {"lines", list}, {"_lines", ut_int(view->lines->count)}, {"_lines_hit", ut_int(lines_hit(view->lines))},
         {"_lines_missed", missed});
}

/* ---- text and JSON */

static const char layout[] =
    "{points_hit} of {points_that_apply} points hit, in {_scenarios} scenario{_scenarios+s}; {_others} others do not "
    "apply\n"
    "{?_all}\n"
    "{|_groups}"
    "<group|hit|of\n"
    "{name}|{hit}|{applies}\n"
    "{/}{/}{?_missed}\n"
    "not hit:\n"
    "{|_missed}"
    "  <|<\n"
    "{name}|{meaning} ({source})\n"
    "{/}{/}{?_all}\n"
    "what each scenario adds to those before it:\n"
    "{|scenarios}"
    "  <||\n"
    "{scenario}|{_new} new|of {hit} hit\n"
    "{|_hits}"
    "    <|\n"
    "{name}|{hits} hits\n"
    "{/}{/}{/}{?lines}\n"
    "{_lines_hit} of {_lines} lines and branches of the RTL executed\n"
    "{#_lines_missed}"
    "  {file}:{line}: {what}: {_source}\n"
    "{/}{/}";

static json_t *groups_json(const struct ut_coverage_runs *runs) {
  json_t *list = json_array();
  for (unsigned first = 0, count; first < SPEC_COVER_POINTS; first += count) {
    count = group_size(first);
    const struct sum sum = sum_of(runs, first, count);
    if (sum.applies)
      json_array_append_new(list, UT_OBJECT({"name", ut_string(spec_cover_texts[first].group)},
                                            {"hit", ut_int(sum.hit)}, {"applies", ut_int(sum.applies)}));
  }
  return list;
}

static json_t *point_json(const struct ut_coverage_runs *runs, unsigned point) {
  const struct spec_cover_text *text = &spec_cover_texts[point];
  const size_t first = ut_coverage_first(runs, point);
  return UT_OBJECT({"name", ut_string(text->name)}, {"group", ut_string(text->group)},
                   {"meaning", ut_string(text->meaning)}, {"source", ut_string(text->source)},
                   {"where", ut_string(text->where)}, {"applies", json_boolean(ut_coverage_some_applies(runs, point))},
                   {"hits", ut_int(ut_coverage_hits(runs, point))},
                   {"first", ut_string(first < runs->count ? runs->run[first].scenario : NULL)});
}

static json_t *run_json(const struct ut_coverage_view *view, size_t run) {
  const struct ut_coverage_runs *runs = view->runs;
  json_t *fresh = json_array(), *hits = json_array();
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++) {
    const char *name = spec_cover_texts[point].name;
    if (ut_coverage_first(runs, point) != run)
      continue;
    json_array_append_new(fresh, ut_string(name));
    if (view->verbose)
      json_array_append_new(hits, UT_OBJECT({"name", ut_string(name)}, {"hits", ut_int(runs->run[run].hits[point])}));
  }
  return UT_OBJECT({"scenario", ut_string(runs->run[run].scenario)}, {"hit", ut_int(hits_of_run(runs, run))},
                   {"new", fresh}, {"_new", ut_int(json_array_size(fresh))}, {"_hits", hits});
}

static json_t *results_json(const struct ut_coverage_view *view) {
  const struct sum all = sum_of(view->runs, 0, SPEC_COVER_POINTS);
  json_t *points = json_array(), *missed = json_array(), *scenarios = json_array();
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++) {
    if (is_missed(view->runs, point))
      json_array_append_new(missed, point_json(view->runs, point));
    if (!view->missing || is_missed(view->runs, point))
      json_array_append_new(points, point_json(view->runs, point));
  }
  for (size_t run = 0; run < view->runs->count; run++)
    json_array_append_new(scenarios, run_json(view, run));
  json_t *o =
      UT_OBJECT({"points_hit", ut_int(all.hit)}, {"points_that_apply", ut_int(all.applies)},
                {"points_of_all", ut_int(SPEC_COVER_POINTS)}, {"scenarios", scenarios}, {"points", points},
                {"_scenarios", ut_int(view->runs->count)}, {"_others", ut_int(SPEC_COVER_POINTS - all.applies)},
                {"_all", json_boolean(!view->missing)}, {"_groups", groups_json(view->runs)}, {"_missed", missed});
  if (view->lines)
    add_lines(o, view);
  return o;
}

void ut_coverage_print(const struct ut_coverage_view *view) {
  ut_result_print(results_json(view), view->json, 17, layout);
}

/* ---- a page */

int ut_coverage_write_page(const struct ut_coverage_view *view, const char *path, const char *command,
                           struct ut_error *e) {
  struct ut_html_page page;
  json_t *data = results_json(&(struct ut_coverage_view){.runs = view->runs});
  ut_result_strip(data);
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
