/* SPDX-License-Identifier: Apache-2.0 */
/* cache_caller.c - see cache_caller.h */
#include "cache_caller.h"

#include <stdarg.h>
#include <stdio.h>

void ut_caller_say(const struct ut_caller *caller, const char *format, ...) {
  if (!caller->progress)
    return;
  char text[256];
  int n = snprintf(text, sizeof text, "%s: ", caller->what);
  va_list ap;
  va_start(ap, format);
  vsnprintf(text + n, sizeof text - (size_t)n, format, ap);
  va_end(ap);
  caller->progress(caller->ctx, text);
}

int ut_caller_check(const struct ut_caller *caller) {
  if (!caller->interrupted ||
      !__atomic_load_n(caller->interrupted, __ATOMIC_RELAXED)) /* it may be another thread that sets it */
    return 0;
  return ut_fail(caller->e, UT_INTERRUPTED, "interrupted while building: %s; the next call builds it anew",
                 caller->what);
}
