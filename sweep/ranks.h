/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - a sweep on many machines: this program, started by mpirun (Open MPI).
 *
 * Rank 0 has the schedule and the database.  The other ranks, the helpers, make runs as child processes and send the
 * outcomes back.  A rank that is silent for too long is given up: its runs are given to other ranks.  If it comes back,
 * its outcomes of these runs are ignored, and it gets runs again.
 */
#ifndef UT_RANKS_H
#define UT_RANKS_H

#include <signal.h>
#include <stdbool.h>

#include "crew.h"
#include "error.h"

/* Joins the MPI job if mpirun has started this process as one of several.  patience: seconds of silence after which a
 * rank is given up.  Returns -1 and fills *e (UT_BAD_INPUT): built without MPI. */
int ut_ranks_join(double patience, struct ut_error *e);
/* Returns whether this process is a rank other than 0: then it only calls ut_ranks_help(). */
bool ut_ranks_helper(void);
/* Makes runs, that many at the same time, until rank 0 has no more, is silent for ten minutes, or *interrupted.
 * Returns -1 and fills *e on failure. */
int ut_ranks_help(unsigned jobs, const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* The helpers as a crew; false: there are none.  In rank 0 only. */
bool ut_crew_of_ranks(struct ut_crew *crew, const volatile sig_atomic_t *interrupted);
/* Ends the helpers; called by rank 0 before it ends.  Does nothing if no rank has joined. */
void ut_ranks_leave(void);

#endif
