/* SPDX-License-Identifier: Apache-2.0 */
/* registers_json.h - a record of registers as the player of a page reads it (docs/reference/report.md, The recording).
 */
#ifndef UT_REGISTERS_JSON_H
#define UT_REGISTERS_JSON_H

#include <jansson.h>

#include "register_record.h"

/* NULL: out of memory. */
json_t *ut_registers_json(const struct ut_register_record *record);

#endif
