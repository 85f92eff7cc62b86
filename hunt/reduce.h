/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - what makes a case smaller, step by step; inside of shrink.c.
 *
 * Each step offers cases to ut_shrinker_try(), which keeps those that still fail in the class that is wanted.  Steps
 * return whether one was kept.  Within a time that is over nothing is kept any more.
 */
#ifndef UT_REDUCE_H
#define UT_REDUCE_H

#include "oracle.h"

struct ut_shrinker {
  struct ut_oracle oracle;
  const char *folder; /* for traces */
  struct ut_case best;
  struct ut_failure failure;          /* of the best one */
  char wanted[UT_REGISTER_NAME_SIZE]; /* the class */
  struct ut_scenario *original;       /* with its faults pinned, whose like are drawn again */
  bool may_build;                     /* models of other elaborations */
};

/* Settles and runs a case, which it takes over.  true: it fails in the class, and is the best one now. */
bool ut_shrinker_try(struct ut_shrinker *shrinker, struct ut_case *repro);

/* Packets become a trace, and chance in the list of faults is over: what follows needs both. */
bool ut_reduce_to_trace(struct ut_shrinker *shrinker);
/* Only the last packets before the failure, and at once. */
bool ut_reduce_to_window(struct ut_shrinker *shrinker);
/* Packets and faults one by one, lengths, waits, timers; until nothing helps any more. */
bool ut_reduce_events(struct ut_shrinker *shrinker);

/* Keys at their defaults, or lower, where that needs no other elaboration. */
bool ut_reduce_keys(struct ut_shrinker *shrinker);
/* The same where it needs one: all together, then one by one. */
bool ut_reduce_built_keys(struct ut_shrinker *shrinker);

/* Random traffic and faults like those of the original, in the network and with the switches of a case; so many
 * attempts. */
bool ut_reduce_by_attempts(struct ut_shrinker *shrinker, const struct ut_case *network, unsigned attempts);
/* Smaller networks, those first whose models are there, then the smallest.  Ends at that time (ut_seconds()). */
bool ut_reduce_network(struct ut_shrinker *shrinker, double until);

#endif
