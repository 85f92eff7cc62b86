/* SPDX-License-Identifier: Apache-2.0 */
/* transition_replay.h - a transition as a scenario that ends in a deadlock. */
#ifndef UT_TRANSITION_REPLAY_H
#define UT_TRANSITION_REPLAY_H

#include "replay.h"
#include "transitions.h"

/* Tries runs of the golden model with transitions, each of which has a cycle, at several loads and paces of the
 * manager, until one ends in a deadlock; *number receives its place in the list.  Writes that run as a scenario to
 * `path`, or else the first one.  Returns -1 and fills *e on failure. */
int ut_transition_replay(const struct ut_scenario *scenario, const struct ut_topology *topo,
                         const struct ut_transition *transition, unsigned count, const char *path,
                         const volatile sig_atomic_t *stop, unsigned *number, struct ut_replay_report *report,
                         struct ut_error *e);

#endif
