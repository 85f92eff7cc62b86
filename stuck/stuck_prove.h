/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_prove.h - whether anything at all would show a fault: a state and inputs for which an output, or what a
 * flip-flop takes over, differs (one time frame, flip-flops as free inputs; decided by a SAT solver).
 *
 * What nothing shows is untestable, and does no harm.  What something shows need not be testable: the state may never
 * occur.
 */
#ifndef UT_STUCK_PROVE_H
#define UT_STUCK_PROVE_H

#include "stuck_run.h"

/* Decides on the open faults, after their run; those stay open that the solver gives up.  Returns 0, or -1 after
 * filling *e (UT_INTERRUPTED). */
int ut_stuck_prove(struct ut_stuck_faults *faults, struct ut_stuck_run *run, const struct ut_stuck_caller *caller,
                   struct ut_error *e);

#endif
