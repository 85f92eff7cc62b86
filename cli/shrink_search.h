/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_search.h - a search for a smaller scenario, as a command makes it: models from the cache, a line of progress
 * for each larger step, two files. */
#ifndef UT_SHRINK_SEARCH_H
#define UT_SHRINK_SEARCH_H

#include "cli.h"
#include "shrink.h"

struct ut_shrink_search {
  const struct ut_scenario *scenario; /* that is to be made smaller */
  struct ut_device *device;
  bool spec;           /* the golden side */
  uint64_t seconds;    /* 0: 120 */
  const char *prefix;  /* writes PREFIX.yaml and PREFIX.trace */
  const char *command; /* that shows the mismatch of the smaller scenario */
};

/* -1 and *e.  *result is to be freed in both cases. */
int ut_shrink_search(const struct ut_shrink_search *search, struct ut_shrink_result *result, struct ut_error *e);

#endif
