/* model_caller.h - whoever asked for a model: what it is told while it waits, and whether it still wants it. */
#ifndef UT_MODEL_CALLER_H
#define UT_MODEL_CALLER_H

#include "model_cache.h"

struct ut_caller {
  ut_model_progress *progress; /* or NULL */
  void *ctx;
  const volatile sig_atomic_t *interrupted; /* or NULL */
  struct ut_error *e;
  char what[96]; /* the class in words: begins every line of progress */
};

/* One line of progress. */
void ut_caller_say(const struct ut_caller *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 0: go on.  -1 after filling the error: the caller was interrupted. */
int ut_caller_check(const struct ut_caller *c);

#endif
