/* SPDX-License-Identifier: Apache-2.0 */
/* number.h - numbers of command lines: only digits, whereas strtoull and sscanf accept blanks, signs and numbers that
 * do not fit. */
#ifndef UT_NUMBER_H
#define UT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The decimal number at *text, which it moves behind; false: there is none, or it is greater than `most`. */
bool ut_number_read(const char **text, uint64_t most, uint64_t *number);
/* The same of a whole text. */
bool ut_number_is(const char *text, uint64_t most, uint64_t *number);
/* A whole text as a finite number that is not negative: "3", "0.25", ".5", "1e-3". */
bool ut_real_is(const char *text, double *number);

#endif
