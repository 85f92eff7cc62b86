/* SPDX-License-Identifier: Apache-2.0 */
/* cases.c - see cases.h */
#define _GNU_SOURCE
#include "cases.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"

const char *const ut_bench_group_name[UT_BENCH_GROUPS] = {"rates", "shapes", "memory"};

/* Flits per cycle and terminal. */
static const struct {
  unsigned count; /* 0: each scenario has its own */
  double load[3];
} loads[UT_BENCH_GROUPS] = {{3, {0.05, 0.2, 0.4}}, {2, {0.05, 0.2}}, {0, {0}}};

static int add(struct ut_bench_cases *cases, const char *path, enum ut_bench_group group, const char *pattern,
               struct ut_error *e) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const int length = (int)strlen(name) - (ut_path_ends(name, ".yaml") ? 5 : 0);
  const unsigned count = loads[group].count ? loads[group].count : 1;
  char base[NAME_MAX + 1];
  snprintf(base, sizeof base, "%.*s", length, name);
  if (pattern && fnmatch(pattern, base, 0))
    return 0;
  struct ut_bench_case *bench_case = realloc(cases->v, (cases->n + count) * sizeof *bench_case);
  if (!bench_case)
    return ut_fail_memory(e);
  cases->v = bench_case;
  for (unsigned i = 0; i < count; i++) {
    struct ut_bench_case *added = &bench_case[cases->n++];
    *added = (struct ut_bench_case){.name = strdup(base),
                                    .path = strdup(path),
                                    .group = group,
                                    .own_load = !loads[group].count,
                                    .load = loads[group].load[i]};
    if (!added->name || !added->path)
      return ut_fail_memory(e);
  }
  return 0;
}

int ut_bench_cases_add(struct ut_bench_cases *cases, const char *path, struct ut_error *e) {
  return add(cases, path, UT_BENCH_SHAPES, NULL, e);
}

static int add_folder(struct ut_bench_cases *cases, const char *root_dir, enum ut_bench_group group,
                      const char *pattern, struct ut_error *e) {
  char files[PATH_MAX];
  glob_t found;
  if (ut_path_set(e, files, "%s/scenarios/bench/%s/*.yaml", root_dir, ut_bench_group_name[group]))
    return -1;
  if (glob(files, 0, NULL, &found))
    return ut_fail(e, UT_BAD_INPUT, "%s: no scenarios there; is the repository complete?", files);
  int result = 0;
  for (size_t i = 0; i < found.gl_pathc && !result; i++)
    result = add(cases, found.gl_pathv[i], group, pattern, e);
  globfree(&found);
  return result;
}

int ut_bench_cases_find(struct ut_bench_cases *cases, const char *root_dir, unsigned groups, const char *pattern,
                        struct ut_error *e) {
  char within[256];
  snprintf(within, sizeof within, "*%.200s*", pattern ? pattern : "");
  for (enum ut_bench_group g = 0; g < UT_BENCH_GROUPS; g++)
    if (groups >> g & 1 && add_folder(cases, root_dir, g, within, e))
      return -1;
  if (!cases->n)
    return ut_fail(e, UT_BAD_INPUT,
                   "no case has a name with '%s' in it; the names are those of scenarios/bench/*/*.yaml", pattern);
  return 0;
}

void ut_bench_cases_free(struct ut_bench_cases *cases) {
  for (size_t i = 0; i < cases->n; i++) {
    free(cases->v[i].name);
    free(cases->v[i].path);
  }
  free(cases->v);
  *cases = (struct ut_bench_cases){0};
}
