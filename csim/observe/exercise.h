/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.h - what a run has not exercised of what its scenario could: mechanisms that no cycle of it has used.
 *
 * A run without a mismatch says nothing of a mechanism that it has not exercised.  Counted in any case are discarded
 * packets, U-turns, and timers that end; whether buffers are full is looked at in every UT_EXERCISE_EVERY-th cycle,
 * until one is.
 */
#ifndef UT_EXERCISE_H
#define UT_EXERCISE_H

#include "network.h"

enum { UT_EXERCISE_EVERY = 64, UT_EXERCISES = 8, UT_EXERCISE_SIZE = 80 };

struct ut_exercise {
  bool full; /* some buffer of a switch was */
};

void ut_exercise_look(struct ut_exercise *exercise, const struct ut_network *net);
/* After each step of a golden network. */
static inline void ut_exercise_observe(struct ut_exercise *exercise, const struct ut_network *net) {
  if (!exercise->full && net->cycle % UT_EXERCISE_EVERY == 0)
    ut_exercise_look(exercise, net);
}

/* "no U-turn", "no packet was cut by a fault", ...; returns how many there are, 0: all was exercised. */
unsigned ut_exercise_missing(const struct ut_exercise *exercise, const struct ut_network *net,
                             char text[UT_EXERCISES][UT_EXERCISE_SIZE]);

#endif
