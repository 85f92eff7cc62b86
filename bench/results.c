/* SPDX-License-Identifier: Apache-2.0 */
/* results.c - see results.h */
#define _GNU_SOURCE
#include "results.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cache_tools.h"
#include "input.h"
#include "input_limits.h"
#include "tool.h"

const struct ut_figure ut_figures[UT_FIGURES] = {
    {"golden", "instructions_per_flit_hop", false},
    {"golden", "switch_cycles_per_s", true},
    {"golden", "flit_hops_per_s", true},
    {"rtl", "switch_cycles_per_s", true},
    {"lockstep", "switch_cycles_per_s", true},
    {"lockstep", "ratio_to_rtl", true},
    {"golden", "cpu_ns_per_flit_hop", false},
    {"lanes", "rtl_verilator_switch_cycles_per_cpu_s", true},
    {"lanes", "rtl_switch_cycles_per_cpu_s", true},
    {"lanes", "rtl_ratio_to_verilator", true},
    {"lanes", "gates_verilator_switch_cycles_per_cpu_s", true},
    {"lanes", "gates_switch_cycles_per_cpu_s", true},
    {"lanes", "gates_ratio_to_verilator", true},
    {"booksim", "instructions_per_flit_hop", true},
    {"booksim", "ratio_to_golden", true},
};

/* ---- what was measured, where, when ---- */

/* The processor's name, without what its maker adds. */
static void put_machine(char *text, size_t size) {
  char line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  snprintf(text, size, "unknown processor");
  while (f && fgets(line, sizeof line, f)) {
    char *name = strchr(line, ':');
    if (strncmp(line, "model name", 10) || !name)
      continue;
    line[strcspn(line, "\n")] = '\0';
    snprintf(text, size, "%s", name + 1 + strspn(name + 1, " "));
    break;
  }
  if (f)
    fclose(f);
}

/* false: no git, or the folder is none of git's. */
static bool describe(const char *root_dir, char *text, size_t size) {
  char git[PATH_MAX];
  struct ut_error e;
  const struct ut_caller caller = {.e = &e};
  struct ut_job job = {.log_fd = -1, .has_home = true}; /* where git is told which folders to trust */
  int status = 0;
  if (!ut_tool_find("git", git))
    return false;
  ut_args_add_all(&job.command, (const char *const[]){git, "-C", root_dir, "describe", "--always", "--dirty", NULL});
  const bool done = ut_jobs_run(&caller, &job, 1, "/", &status) == UT_JOBS_DONE;
  ssize_t n = done ? pread(job.log_fd, text, size - 1, 0) : 0;
  while (n > 0 && isspace((unsigned char)text[n - 1]))
    n--;
  text[n > 0 ? n : 0] = '\0';
  ut_jobs_free(&job, 1);
  return n > 0;
}

json_t *ut_results_new(const char *root_dir, const char *version) {
  char machine[256], date[32], described[128];
  const time_t now = time(NULL);
  put_machine(machine, sizeof machine);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  return json_pack("{s:s, s:i, s:s, s:s, s:[]}", "machine", machine, "processors", (int)sysconf(_SC_NPROCESSORS_ONLN),
                   "date", date, "version", describe(root_dir, described, sizeof described) ? described : version,
                   "cases");
}

/* ---- cases ---- */

json_t *ut_results_add(json_t *results, const char *group, const char *scenario, double load) {
  json_t *c = json_pack("{s:s, s:s, s:f}", "group", group, "scenario", scenario, "load", load);
  json_array_append_new(json_object_get(results, "cases"), c);
  return c;
}

void ut_figure_set(json_t *c, enum ut_figure_index f, double value) {
  json_t *of = json_object_get(c, ut_figures[f].of);
  if (!of)
    json_object_set_new(c, ut_figures[f].of, of = json_object());
  json_object_set_new(of, ut_figures[f].key, json_real(value));
}

double ut_figure_get(const json_t *c, enum ut_figure_index f) {
  const json_t *value = json_object_get(json_object_get(c, ut_figures[f].of), ut_figures[f].key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

json_t *ut_results_load(const char *path, struct ut_error *e) {
  json_error_t wrong;
  size_t i, length;
  char *text = ut_input_read(path, "JSON", UT_INPUT_ONCE, UT_LIMIT_FILE_BYTES, &length, e);
  if (!text)
    return NULL;
  json_t *results = json_loadb(text, length, 0, &wrong), *cases = json_object_get(results, "cases"), *c;
  free(text);
  if (!results) {
    char place[32] = "";
    if (wrong.line > 0)
      snprintf(place, sizeof place, ":%d:%d", wrong.line, wrong.column);
    ut_fail(e, UT_BAD_INPUT, "%s%s: %s; expected what `uturn bench --json` prints", path, place, wrong.text);
    return NULL;
  }
  bool good = json_is_array(cases);
  json_array_foreach(cases, i, c) {
    good = good && json_is_string(json_object_get(c, "scenario")) && json_is_number(json_object_get(c, "load"));
  }
  if (good)
    return results;
  json_decref(results);
  ut_fail(e, UT_BAD_INPUT, "%s: no list `cases` with `scenario` and `load`; expected what `uturn bench --json` prints",
          path);
  return NULL;
}

/* ---- comparison ---- */

static bool same_case(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"group", "scenario"};
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
    const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
    if (x && y && !json_equal(x, y)) /* results of old versions have no groups */
      return false;
  }
  return fabs(json_number_value(json_object_get(a, "load")) - json_number_value(json_object_get(b, "load"))) < 1e-9;
}

static void compare_case(const json_t *old, const json_t *new, double percent, json_t *list) {
  for (enum ut_figure_index f = 0; f < UT_FIGURES; f++) {
    const double before = ut_figure_get(old, f), after = ut_figure_get(new, f), ratio = after / before;
    if (isnan(ratio) || isinf(ratio) || f == UT_BOOKSIM_INSTRUCTIONS) /* that one is not ours */
      continue;
    const double worse = ut_figures[f].more_is_better ? 1 / ratio : ratio;
    json_t *row = json_pack("{s:O, s:O, s:s+++}", "scenario", json_object_get(new, "scenario"), "load",
                            json_object_get(new, "load"), "figure", ut_figures[f].of, ".", ut_figures[f].key, "");
    json_object_set_new(row, "old", json_real(before));
    json_object_set_new(row, "new", json_real(after));
    json_object_set_new(row, "ratio", json_real(ratio));
    json_object_set_new(row, "slower", json_boolean(worse > 1 + percent / 100));
    json_array_append_new(list, row);
  }
}

json_t *ut_results_compare(const json_t *old, const json_t *new, double percent) {
  json_t *list = json_array(), *of_new = json_object_get(new, "cases"), *of_old = json_object_get(old, "cases"), *a, *b;
  size_t i, j;
  json_array_foreach(of_new, i, a) {
    json_array_foreach(of_old, j, b) {
      if (same_case(a, b)) {
        compare_case(b, a, percent, list);
        break;
      }
    }
  }
  return list;
}
