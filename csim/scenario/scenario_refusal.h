/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_refusal.h - refuses a scenario whose keys contradict each other, with the place in its file. */
#ifndef UT_SCENARIO_REFUSAL_H
#define UT_SCENARIO_REFUSAL_H

#include <stdbool.h>

#include "error.h"

struct ut_document;
struct ut_scenario;

/* The arguments that the checks of one scenario pass on. */
struct ut_check {
  const struct ut_scenario *s;
  struct ut_document *d; /* or NULL */
  struct ut_error *e;
};

/* Returns whether the file has that key. */
bool ut_check_given(const struct ut_check *check, const char *path);
/* Returns the first of two keys that the file has; the error is attributed to it. */
const char *ut_check_blamed(const struct ut_check *check, const char *path, const char *other);
/* Reports an error at the value of the key `path` or, if it has its default value, at the key to which it would belong.
 * Always -1. */
int ut_impossible(const struct ut_check *check, const char *path, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
