/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.h - lists the mechanisms of a scenario that a run has not used.
 *
 * A run without a mismatch says nothing about a mechanism that it has not exercised.  Discarded packets, U-turns and
 * expired timers are counted in any case; whether a buffer is full is checked in every UT_EXERCISE_EVERY-th cycle,
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

/* Writes "no U-turn", "no packet was cut by a fault", ...; returns how many there are, 0: everything was exercised. */
unsigned ut_exercise_missing(const struct ut_exercise *exercise, const struct ut_network *net,
                             char text[UT_EXERCISES][UT_EXERCISE_SIZE]);

#endif
