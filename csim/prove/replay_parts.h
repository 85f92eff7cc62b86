/* SPDX-License-Identifier: Apache-2.0 */
/* replay_parts.h - what scenarios that show counter-examples have in common. */
#ifndef UT_REPLAY_PARTS_H
#define UT_REPLAY_PARTS_H

#include "fault_sets.h"
#include "scenario.h"

/* Resets the keys of that section to their defaults. */
void ut_replay_forget(struct ut_scenario *scenario, const char *section);

/* Sets the faults of a set as faults of a scenario, from cycle 0 on, for ever: its links, then its switches. */
void ut_replay_faults(struct ut_fault *fault, const struct ut_topology *topo, const struct ut_fault_set *set);

#endif
