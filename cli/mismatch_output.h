/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_output.h - the report of a mismatch, as text and as JSON. */
#ifndef UT_MISMATCH_OUTPUT_H
#define UT_MISMATCH_OUTPUT_H

#include "mismatch.h"
#include "result.h"

/* again: the command that repeats it. */
json_t *ut_mismatch_json(const struct ut_mismatch *mismatch, const char *again);
extern const char ut_mismatch_layout[];

#endif
