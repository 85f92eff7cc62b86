/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind.h - instructions that a program executes, counted by valgrind's callgrind: free of noise. */
#ifndef UT_BENCH_CALLGRIND_H
#define UT_BENCH_CALLGRIND_H

#include <limits.h>

#include "cache_tools.h"

struct ut_callgrind {
  char valgrind[PATH_MAX];
  const volatile sig_atomic_t *interrupted; /* as in struct ut_caller */
};

/* 0, or -1 and *e: valgrind is missing. */
int ut_callgrind_find(struct ut_callgrind *callgrind, const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* A run of a program under callgrind. */
struct ut_counted {
  struct ut_args command; /* to be filled by the caller, who frees all of it with ut_counted_free() */
  bool any_status;        /* the program's exit status says nothing */
  double instructions;
  char *output; /* of standard output and standard error */
};
enum { UT_LONGER, UT_SHORTER, UT_RUNS };

/* Runs both at the same time.  What start-up costs is in both, so that the difference is free of it.  0, or -1 and *e.
 */
int ut_callgrind_run(const struct ut_callgrind *callgrind, struct ut_counted run[UT_RUNS], struct ut_error *e);
void ut_counted_free(struct ut_counted run[UT_RUNS]);

/* Cycles of the shorter run, for a network of so many switches; the longer one has twice as many.  Both take seconds
 * in any size, and the shorter one has left the empty network behind. */
unsigned ut_counted_cycles(unsigned switches);

#endif
