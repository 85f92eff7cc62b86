/* SPDX-License-Identifier: Apache-2.0 */
/* shares.h - a sweep in shares, each made by a process of its own into a database of its own: the tasks of a Slurm
 * array.  What they have made is collected into the sweep's database later. */
#ifndef UT_SHARES_H
#define UT_SHARES_H

#include <signal.h>
#include <stddef.h>

#include "error.h"
#include "schedule.h"
#include "sweep_file.h"

/* So many shares at most have something to do in the first stage. */
size_t ut_shares_most(const struct ut_sweep *sweep);

/* Where share number `share.index` of the sweep with these results keeps its own (malloc'd), in a folder
 * beside them that is made if it is not there.  NULL and *e on failure. */
char *ut_share_results(const char *results, struct ut_share share, struct ut_error *e);

/* Writes the script of an array of `tasks` tasks.  Its path (malloc'd); NULL and *e on failure. */
char *ut_shares_write_job(const char *sweep, const char *results, unsigned tasks, struct ut_error *e);
/* Gives it to sbatch, which says the number of the job on stdout.  -1 and *e (UT_BAD_INPUT): it cannot, or does not. */
int ut_shares_submit(const char *job, struct ut_error *e);

struct ut_collected {
  size_t databases;   /* that were collected */
  size_t busy;        /* that are still written, and were left out */
  size_t no_database; /* tasks without one, as far as the others say how many there are */
  size_t missing;     /* runs, or searches, that are to be made next */
  struct ut_standing standing;
};
/* Brings all shares' rows into `results`.  Shares stay as they are.  -1 and *e on failure. */
int ut_shares_collect(struct ut_sweep *sweep, const char *results, const volatile sig_atomic_t *interrupted,
                      struct ut_collected *collected, struct ut_error *e);

#endif
