/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.h - texts of others in JSON. */
#ifndef UT_JSON_TEXT_H
#define UT_JSON_TEXT_H

#include <jansson.h>

/* A name or path as a JSON string.  JSON is UTF-8: a byte that is none becomes the four characters \xNN. */
json_t *ut_json_text(const char *text);

#endif
