/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_reach.h - the states that a switch can reach: an invariant, clauses over flip-flops, that is proven.
 *
 * Candidates come from states that were seen, in all of which they hold.  Those are kept that hold after every reset,
 * whatever the state before it, and after every clock from a state in which all of them hold, with inputs that obey the
 * rules (induction; the greatest set of candidates for which both is true).
 */
#ifndef UT_STUCK_REACH_H
#define UT_STUCK_REACH_H

#include "stuck_faults.h"
#include "stuck_rules.h"
#include "stuck_vector.h"

struct ut_stuck_reach;

enum { UT_STUCK_CONFLICTS = 3000 }; /* after which the solver gives up, where nothing else is asked for */

/* The rules must outlive it.  Returns NULL after filling *e. */
struct ut_stuck_reach *ut_stuck_reach_open(const struct ut_stuck_faults *faults, const struct ut_stuck_rules *rules,
                                           struct ut_error *e);
void ut_stuck_reach_close(struct ut_stuck_reach *reach);

/* To be called with patterns of a run: all operations, `valid` of the patterns.  Keeps some of the states; once there
 * is an invariant, checks whether they obey it.  Returns the first violation of a rule or of the invariant, which is
 * remembered; NULL: none. */
void ut_stuck_reach_see(struct ut_stuck_reach *reach, const ut_stuck_vector *op, const ut_stuck_vector *valid);
const char *ut_stuck_reach_broken(const struct ut_stuck_reach *reach);

/* Finds the invariant, and decides with it on faults that are testable: those that no state of the invariant shows,
 * with inputs that obey the rules, become unreachable.  Gives up a fault after that many conflicts.  Returns 0, or -1
 * after filling *e (UT_INTERRUPTED). */
int ut_stuck_reach_prove(struct ut_stuck_reach *reach, struct ut_stuck_faults *faults, unsigned conflicts,
                         const struct ut_stuck_caller *caller, struct ut_error *e);

/* Clauses of the invariant. */
size_t ut_stuck_reach_clauses(const struct ut_stuck_reach *reach);

#endif
