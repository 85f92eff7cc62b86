/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_schema.h - the keys of sweeps as a JSON schema, as tables of a page, and in words. */
#ifndef UT_SWEEP_SCHEMA_H
#define UT_SWEEP_SCHEMA_H

#include <jansson.h>
#include <stdio.h>

#include "key_text.h"
#include "sweep_keys.h"

/* Draft 7, which editors read. */
json_t *ut_sweep_schema_json(void);

/* A row for each key of a group and what is below it; of the whole file ("") without those of `find`. */
void ut_sweep_schema_put_keys(FILE *out, const char *group);

/* "run, cosim", "1..100000", "list"; "" for a group.  quote: what stands around words.  Returns text. */
const char *ut_sweep_key_values(const struct ut_sweep_key *key, const char *quote, char text[UT_KEY_TEXT_SIZE]);

#endif
