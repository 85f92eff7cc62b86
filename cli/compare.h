/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - `uturn run A.yaml B.yaml --compare`: scenarios side by side, several seeds each. */
#ifndef UT_COMPARE_H
#define UT_COMPARE_H

#include "cli.h"

enum { UT_MAX_COMPARED = 26 }; /* A to Z */

struct ut_compare_options {
  const struct ut_scenario_options *scenario; /* what holds for all of them */
  const char *const *path;
  unsigned paths, seeds;
  enum ut_elaborate_when elaborate;
  unsigned workers; /* runs at once; 0: as many as there are cores */
};

/* Runs and prints; returns the exit status. */
int ut_compare(const struct ut_compare_options *options);

#endif
