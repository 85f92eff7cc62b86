/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_cover.h - finds the smallest set of scenarios that shows all faults that any of them shows. */
#ifndef UT_STUCK_COVER_H
#define UT_STUCK_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stuck_faults.h"

/* The sets to be hit: for each fault, or for many with the same one, the set of scenarios that show it.  A set that
 * contains a smaller one adds nothing and is left out. */
struct ut_stuck_cover {
  uint64_t *set; /* [sets] */
  size_t sets, room;
};

/* false: out of memory.  Free in both cases; begins with zeroes. */
bool ut_stuck_cover_add(struct ut_stuck_cover *cover, uint64_t scenarios);
/* The same of all chosen faults of a netlist. */
bool ut_stuck_cover_add_faults(struct ut_stuck_cover *cover, const struct ut_stuck_faults *faults);
void ut_stuck_cover_free(struct ut_stuck_cover *cover);

/* A set of scenarios that hits all of them.  No set of less than `least` does: that is its own size, unless the search
 * was given up after that many steps. */
struct ut_stuck_choice {
  uint64_t scenarios;
  unsigned count, least;
};
struct ut_stuck_choice ut_stuck_cover_solve(const struct ut_stuck_cover *cover, uint64_t steps);

#endif
