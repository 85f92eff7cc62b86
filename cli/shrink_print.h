/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_print.h - the report of a search for a smaller scenario. */
#ifndef UT_SHRINK_PRINT_H
#define UT_SHRINK_PRINT_H

#include "shrink_search.h"

/* On standard output, as text or as one JSON object. */
void ut_shrink_print(const struct ut_shrink_result *result, const struct ut_shrink_search *search, bool json);
/* The same object, for a larger one. */
struct json_t *ut_shrink_json(const struct ut_shrink_result *result, const struct ut_shrink_search *search);

#endif
