/* SPDX-License-Identifier: Apache-2.0 */
/* validate_output.h - the results of `validate` as tables, for a terminal and in pages, and as pictures. */
#ifndef UT_VALIDATE_OUTPUT_H
#define UT_VALIDATE_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include "cache_caller.h"

/* The tables of a scenario: c is what ut_validate() says, and `scenario`, its name.  Markdown, which a terminal shows
 * as well. */
void ut_validate_put(FILE *f, const json_t *c);

/* Latency over what is accepted, a curve for each simulator, into folder/validation_NAME.svg.  0, or -1 after filling
 * the error. */
int ut_validate_draw(const json_t *c, const char *folder, const struct ut_caller *caller);

#endif
