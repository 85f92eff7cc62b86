/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_output.h - the report of a mismatch, as text and as JSON. */
#ifndef UT_MISMATCH_OUTPUT_H
#define UT_MISMATCH_OUTPUT_H

#include <stdio.h>

#include "mismatch.h"

struct json_t;

/* again: the command that repeats it. */
void ut_mismatch_print(const struct ut_mismatch *m, const char *again, FILE *f);
struct json_t *ut_mismatch_json(const struct ut_mismatch *m, const char *again);

#endif
