/* SPDX-License-Identifier: Apache-2.0 */
/* tally.h - the sums over the scenarios of a hunt. */
#ifndef UT_HUNT_TALLY_H
#define UT_HUNT_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "shapes.h"

/* Numbers of one scenario, as its results name them (uturn cosim --json); or their sums. */
struct ut_hunt_numbers {
  double cycles, switch_cycles, states, bits; /* compared */
  double delivered, corrupt, cut_by_fault, in_failed_switch, unreachable, purged, u_turns, deadlocks;
};

/* Returns -1 if the JSON is not that of a lockstep. */
int ut_hunt_numbers_read(struct ut_hunt_numbers *numbers, const char *json);

struct ut_hunt_tally {
  uint64_t scenarios, of_family[UT_HUNT_FAMILIES];
  unsigned shapes;  /* with at least one scenario */
  bool *seen_shape; /* [ut_hunt_shape_count] */
  struct ut_hunt_numbers sum;
};

/* false: out of memory. */
bool ut_hunt_tally_start(struct ut_hunt_tally *tally);
void ut_hunt_tally_end(struct ut_hunt_tally *tally);
void ut_hunt_tally_add(struct ut_hunt_tally *tally, unsigned shape, const struct ut_hunt_numbers *numbers);

#endif
