/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_prove.h - decides whether any state and inputs would show a fault: an output, or the next value of a flip-flop,
 * differs (one time frame, flip-flops as free inputs; decided by a SAT solver).
 *
 * A fault that nothing shows is untestable and harmless.  A fault that something shows need not be testable: the state
 * may never occur.
 */
#ifndef UT_STUCK_PROVE_H
#define UT_STUCK_PROVE_H

#include "stuck_run.h"

/* Decides on the open faults after their run; faults that the solver gives up stay open.  Returns 0, or -1 after
 * filling *e (UT_INTERRUPTED). */
int ut_stuck_prove(struct ut_stuck_faults *faults, struct ut_stuck_run *run, const struct ut_stuck_caller *caller,
                   struct ut_error *e);

#endif
