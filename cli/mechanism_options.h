/* SPDX-License-Identifier: Apache-2.0 */
/* mechanism_options.h - `uturn tolerance --mechanisms`: what cli/tolerance.c read from the command line. */
#ifndef UT_MECHANISM_OPTIONS_H
#define UT_MECHANISM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct ut_scenario;
struct ut_topology;

struct ut_mechanism_options {
  const char *path, *mechanisms, *model, *order; /* NULL: not given */
  bool faults_given, json;
  unsigned faults[2], workers;
  uint64_t samples, seed; /* samples 0: not given */
};

/* Counts and prints; returns the exit status. */
int ut_tolerance_of_mechanisms(const struct ut_mechanism_options *options, const struct ut_scenario *scenario,
                               const struct ut_topology *topo);

#endif
