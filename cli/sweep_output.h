/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_output.h - the results of a sweep as a table, as CSV and as JSON. */
#ifndef UT_SWEEP_OUTPUT_H
#define UT_SWEEP_OUTPUT_H

#include <stdbool.h>

#include "error.h"

struct ut_sweep_print {
  const char *where, *show; /* NULL: all runs; the results that matter most */
  bool csv, json;
};

/* Prints what the database `path` has.  -1 and *e on failure. */
int ut_sweep_print(const struct ut_sweep_print *print, const char *path, struct ut_error *e);

#endif
