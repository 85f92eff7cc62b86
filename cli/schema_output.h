/* SPDX-License-Identifier: Apache-2.0 */
/* schema_output.h - the keys of scenarios as a JSON schema, and as tables of pages. */
#ifndef UT_SCHEMA_OUTPUT_H
#define UT_SCHEMA_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

/* Draft 7, which editors read; NULL: out of memory. */
json_t *ut_schema_json(void);

/* The tables: one for each section, that of the algorithms, and those of sweeps. */
extern const char *const ut_schema_table_name[]; /* ended by NULL */
void ut_schema_put_table(FILE *out, unsigned table);

#endif
