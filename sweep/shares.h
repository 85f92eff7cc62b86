/* SPDX-License-Identifier: Apache-2.0 */
/* shares.h - a sweep in shares, each made by a process of its own into a database of its own: the tasks of a Slurm
 * array.  The shares are collected into the sweep's database later. */
#ifndef UT_SHARES_H
#define UT_SHARES_H

#include <signal.h>
#include <stddef.h>

#include "error.h"
#include "schedule.h"
#include "sweep_file.h"

/* Returns how many shares at most have work in the first stage. */
size_t ut_shares_most(const struct ut_sweep *sweep);

/* Returns where share number `share.index` of the sweep with these results keeps its own (malloc'd), in a folder next
 * to them that is made if necessary.  NULL and *e on failure. */
char *ut_share_results(const char *results, struct ut_share share, struct ut_error *e);

/* Writes the script of an array of `tasks` tasks.  Its path (malloc'd); NULL and *e on failure. */
char *ut_shares_write_job(const char *sweep, const char *results, unsigned tasks, struct ut_error *e);
/* Submits it with sbatch, which prints the number of the job on stdout.  Returns -1 and fills *e (UT_BAD_INPUT) on
 * failure. */
int ut_shares_submit(const char *job, struct ut_error *e);

struct ut_collected {
  size_t databases;   /* that were collected */
  size_t busy;        /* that are still written, and were left out */
  size_t no_database; /* tasks without one, as far as the others say how many there are */
  size_t missing;     /* runs, or searches, that are to be made next */
  struct ut_standing standing;
};
/* Copies all shares' rows into `results`.  The shares do not change.  Returns -1 and fills *e on failure. */
int ut_shares_collect(struct ut_sweep *sweep, const char *results, const volatile sig_atomic_t *interrupted,
                      struct ut_collected *collected, struct ut_error *e);

#endif
