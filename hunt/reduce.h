/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - the steps that make a case smaller; private to shrink.c.
 *
 * Each step offers cases to ut_shrinker_try(), which keeps those that still fail in the wanted class.  A step returns
 * whether a case was kept.  When the time is over, no case is kept any more.
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
  struct ut_scenario *original;       /* the original with its faults pinned; similar faults are drawn */
  bool may_build;                     /* models of other elaborations */
};

/* Settles and runs a case, and takes ownership of it.  Returns true if it fails in the class; it is the best case
 * then. */
bool ut_shrinker_try(struct ut_shrinker *shrinker, struct ut_case *repro);

/* Turns packets into a trace and pins random faults; the following steps need both. */
bool ut_reduce_to_trace(struct ut_shrinker *shrinker);
/* Keeps only the last packets before the failure, and lets them begin at once. */
bool ut_reduce_to_window(struct ut_shrinker *shrinker);
/* Removes packets and faults one by one, shortens lengths, waits and timers, until nothing helps any more. */
bool ut_reduce_events(struct ut_shrinker *shrinker);

/* Sets keys to their defaults, or lower, if that needs no other elaboration. */
bool ut_reduce_keys(struct ut_shrinker *shrinker);
/* Does the same for keys that need another elaboration: all together, then one by one. */
bool ut_reduce_built_keys(struct ut_shrinker *shrinker);

/* Tries random traffic and faults like those of the original, in the network and with the switches of a case, this
 * often. */
bool ut_reduce_by_attempts(struct ut_shrinker *shrinker, const struct ut_case *network, unsigned attempts);
/* Tries smaller networks: first those whose models exist, then the smallest.  Ends at that time (ut_seconds()). */
bool ut_reduce_network(struct ut_shrinker *shrinker, double until);

#endif
