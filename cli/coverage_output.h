/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_output.h - the results of `coverage` as text, JSON, or a page. */
#ifndef UT_COVERAGE_OUTPUT_H
#define UT_COVERAGE_OUTPUT_H

#include "coverage_file.h"
#include "line_counts.h"

struct ut_coverage_view {
  const struct ut_coverage_runs *runs;
  const struct ut_line_counts *lines; /* of the RTL; NULL: nobody has counted them */
  const char *rtl_dir, *root_dir;     /* where the RTL is: rtl_dir, or if that is NULL rtl/ of the other */
  bool json;
  bool missing; /* only the points that are not hit */
  bool verbose; /* names the points that each scenario adds */
};

void ut_coverage_print(const struct ut_coverage_view *view);
/* A self-contained page; command: what has made it.  -1 and *e: it cannot be written. */
int ut_coverage_write_page(const struct ut_coverage_view *view, const char *path, const char *command,
                           struct ut_error *e);

#endif
