/* SPDX-License-Identifier: Apache-2.0 */
/* prove_transitions.h - `uturn prove --transitions`: what packets can meet while a manager changes tables. */
#ifndef UT_PROVE_TRANSITIONS_H
#define UT_PROVE_TRANSITIONS_H

#include "transitions.h"

struct ut_transitions_request {
  const char *svg, *replay, *certificate; /* files; NULL: not asked for */
  bool json;
  unsigned workers;
  enum ut_failure show; /* UT_FAILURES: the worst one with fewest faults */
};

/* Examines the transitions of all sets of the space and prints what was found.  Returns the exit status; UT_DEADLOCK:
 * in one of them packets can wait for each other, or go round. */
int ut_prove_transitions_print(const struct ut_scenario *scenario, const struct ut_topology *topo,
                               const struct ut_fault_space *space, const struct ut_transitions_request *request);

#endif
