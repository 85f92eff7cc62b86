/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_file.h - hits of cover points by scenario, of one run or of many; kept in a file, to which runs add.
 *
 * The file is text: a first line that names the table of points, then "POINT<tab>HITS<tab>SCENARIO" for every point
 * that applies to the scenario, in the order of the table; scenarios in the order in which they came.
 */
#ifndef UT_COVERAGE_FILE_H
#define UT_COVERAGE_FILE_H

#include "coverage.h"

struct ut_coverage_run {
  char *scenario; /* malloc'd */
  bool applies[SPEC_COVER_POINTS];
  uint64_t hits[SPEC_COVER_POINTS];
};

/* An empty table: all zero. */
struct ut_coverage_runs {
  struct ut_coverage_run *run;
  size_t count;
};

/* Adds hits to those of the scenario of that name, or as a new scenario.  Returns -1 and fills *e when out of
 * memory. */
int ut_coverage_add(struct ut_coverage_runs *all, const struct ut_coverage_run *run, struct ut_error *e);
/* Adds the contents of the file, which need not exist.  Returns -1 and fills *e: it is no such file, or it has other
 * points. */
int ut_coverage_load(struct ut_coverage_runs *all, const char *path, struct ut_error *e);
/* Writes the file, as a whole or not at all.  Returns -1 and fills *e on failure. */
int ut_coverage_save(const struct ut_coverage_runs *all, const char *path, struct ut_error *e);
void ut_coverage_free(struct ut_coverage_runs *all);

/* Returns whether the point applies to one of the runs. */
bool ut_coverage_some_applies(const struct ut_coverage_runs *all, enum spec_cover_point point);
/* Returns the first run that hits the point, as an index; all->count: none does. */
size_t ut_coverage_first(const struct ut_coverage_runs *all, enum spec_cover_point point);
/* The hits of all runs. */
uint64_t ut_coverage_hits(const struct ut_coverage_runs *all, enum spec_cover_point point);

#endif
