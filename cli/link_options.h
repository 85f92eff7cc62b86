/* SPDX-License-Identifier: Apache-2.0 */
/* link_options.h - `uturn tolerance --links`: what cli/tolerance.c read from the command line. */
#ifndef UT_LINK_OPTIONS_H
#define UT_LINK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "topology.h"

struct ut_scenario;

struct ut_link_options {
  const char *path, *links;
  bool directed, exhaustive, json;
  bool switches_fail, levels_given;
  unsigned faults[2], switches[2], levels[2], workers; /* switches: faults of them; levels: of those that can fail */
  uint64_t samples, seed;                              /* samples 0: not given */
};

/* Counts and prints; returns the exit status. */
int ut_tolerance_of_links(const struct ut_link_options *options, const struct ut_scenario *scenario,
                          const struct ut_topology *topo);

#endif
