/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_refusal.h - refuses a scenario whose keys together are impossible, with the place in its file. */
#ifndef UT_SCENARIO_REFUSAL_H
#define UT_SCENARIO_REFUSAL_H

#include <stdbool.h>

#include "error.h"

struct ut_document;
struct ut_scenario;

/* What the checks of one scenario pass on. */
struct ut_check {
  const struct ut_scenario *s;
  struct ut_document *d; /* or NULL */
  struct ut_error *e;
};

/* Whether the file has that key. */
bool ut_check_given(const struct ut_check *check, const char *path);
/* The first of two keys that the file has, to blame it for what follows from both. */
const char *ut_check_blamed(const struct ut_check *check, const char *path, const char *other);
/* The error at the value of the key `path`, or, when it has its default value, at what it would belong to. -1 */
int ut_impossible(const struct ut_check *check, const char *path, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
