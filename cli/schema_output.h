/* SPDX-License-Identifier: Apache-2.0 */
/* schema_output.h - the keys of scenarios as a JSON schema. */
#ifndef UT_SCHEMA_OUTPUT_H
#define UT_SCHEMA_OUTPUT_H

#include <jansson.h>

/* Draft 7, which editors read; NULL: out of memory. */
json_t *ut_schema_json(void);

#endif
