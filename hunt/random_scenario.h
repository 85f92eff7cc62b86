/* SPDX-License-Identifier: Apache-2.0 */
/* random_scenario.h - a random scenario: a network of switches of a shape of shapes.h, traffic, and temporary faults.
 * It is a pure function of shape and seed: the same on every machine. */
#ifndef UT_HUNT_RANDOM_SCENARIO_H
#define UT_HUNT_RANDOM_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

struct ut_hunt_scenario {
  char *text;        /* YAML, to be freed */
  bool may_deadlock; /* its faults, VCs or switching exceed what its algorithm claims */
};

/* -1 and *e on failure. */
int ut_hunt_scenario_make(struct ut_hunt_scenario *scenario, unsigned shape, uint64_t seed, struct ut_error *e);

#endif
