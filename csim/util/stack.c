/* SPDX-License-Identifier: Apache-2.0 */
/* stack.c - see stack.h */
#include "stack.h"

#include <sys/resource.h>

enum { WANTED_BYTES = 8 << 20, NEEDED_BYTES = 512 << 10 };

int ut_stack_start(struct ut_error *e) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= WANTED_BYTES)
    return 0;
  struct rlimit more = limit;
  more.rlim_cur = WANTED_BYTES;
  if (more.rlim_max < WANTED_BYTES)
    more.rlim_max = WANTED_BYTES; /* root may */
  if (!setrlimit(RLIMIT_STACK, &more))
    return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur >= NEEDED_BYTES)
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "the stack may grow to %llu KiB only, and uturn needs %d: raise it with `ulimit -s 8192`",
                 (unsigned long long)limit.rlim_cur >> 10, NEEDED_BYTES >> 10);
}
