/* SPDX-License-Identifier: Apache-2.0 */
/* cases.h - what is measured: the scenarios below scenarios/bench/, a folder a group, and the loads of each group. */
#ifndef UT_BENCH_CASES_H
#define UT_BENCH_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* Rates: golden model, RTL alone, lockstep.  Shapes: instructions only, of every shape that has been slow or could be.
 * Memory: the same shape in four sizes, processor time of the golden model. */
enum ut_bench_group { UT_BENCH_RATES, UT_BENCH_SHAPES, UT_BENCH_MEMORY, UT_BENCH_GROUPS };
extern const char *const ut_bench_group_name[UT_BENCH_GROUPS]; /* its folder, too */

struct ut_bench_case {
  char *name; /* base name of the scenario without .yaml */
  char *path;
  enum ut_bench_group group;
  bool own_load; /* of the scenario; `load` is not set */
  double load;
};

struct ut_bench_cases {
  struct ut_bench_case *v;
  size_t n;
};

/* All cases of the groups in the set (bits 1 << group) whose names contain the shell pattern (NULL: all), by group,
 * name and load.  root_dir: the repository.  0, or -1 and *e: a folder is missing, or nothing is left. */
int ut_bench_cases_find(struct ut_bench_cases *cases, const char *root_dir, unsigned groups, const char *pattern,
                        struct ut_error *e);
/* Adds a scenario of the user's with the loads of the shapes.  0, or -1 and *e. */
int ut_bench_cases_add(struct ut_bench_cases *cases, const char *path, struct ut_error *e);
void ut_bench_cases_free(struct ut_bench_cases *cases);

#endif
