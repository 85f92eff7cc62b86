/* SPDX-License-Identifier: Apache-2.0 */
/* cache_caller.h - whoever asked for an entry of the cache: what it is told while it waits, and whether it still wants
 * it. */
#ifndef UT_CACHE_CALLER_H
#define UT_CACHE_CALLER_H

#include <signal.h>

#include "error.h"

/* Progress of a build, one short line without a line feed; never called when the entry is ready. */
typedef void ut_cache_progress(void *ctx, const char *message);

struct ut_caller {
  ut_cache_progress *progress; /* or NULL */
  void *ctx;
  /* NULL, or set by the caller's handler of SIGINT, or another thread: the build then stops.  Without it, Ctrl-C works
   * through the caller's default action: the caller dies, the tools die with it, the next call removes the temporary
   * folder. */
  const volatile sig_atomic_t *interrupted;
  struct ut_error *e;
  char what[96]; /* what is built, in words: begins every line of progress */
};

/* One line of progress. */
void ut_caller_say(const struct ut_caller *caller, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 0: go on.  -1 after filling the error: the caller was interrupted. */
int ut_caller_check(const struct ut_caller *caller);

#endif
