/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_output.h - the report of a hunt. */
#ifndef UT_HUNT_OUTPUT_H
#define UT_HUNT_OUTPUT_H

#include "hunt.h"
#include "shrink_print.h"

struct ut_hunt_view {
  const struct ut_hunt_result *result;
  const char *keep, *rtl_dir;             /* where what was found stands; rtl_dir NULL: our RTL */
  bool spec;                              /* the golden side */
  const struct ut_shrink_result *smaller; /* fails: there is one */
  const struct ut_shrink_search *search;
};

/* On standard output, as text or as one JSON object. */
void ut_hunt_print(const struct ut_hunt_view *view, bool json);

#endif
