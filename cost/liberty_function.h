/* SPDX-License-Identifier: Apache-2.0 */
/* liberty_function.h - a boolean function as a Liberty file spells it, as the steps of a stack machine.
 *
 * ! before or ' behind inverts; * & or nothing is and; + | is or; ^ is exclusive or, which binds tighter than or.
 */
#ifndef UT_LIBERTY_FUNCTION_H
#define UT_LIBERTY_FUNCTION_H

#include <stdbool.h>

enum { UT_FUNCTION_STEPS = 64, UT_FUNCTION_NAME = 64 };

enum ut_function_kind {
  UT_FUNCTION_PIN, /* or an inner state */
  UT_FUNCTION_ZERO,
  UT_FUNCTION_ONE,
  UT_FUNCTION_NOT, /* of what is on top of the stack */
  UT_FUNCTION_AND, /* of the two on top */
  UT_FUNCTION_OR,
  UT_FUNCTION_XOR
};
struct ut_function_step {
  enum ut_function_kind kind;
  char name[UT_FUNCTION_NAME]; /* of a pin */
};
struct ut_function {
  struct ut_function_step step[UT_FUNCTION_STEPS];
  unsigned steps;
};

/* false: it cannot be read, or is too long. */
bool ut_function_read(struct ut_function *function, const char *text);

#endif
