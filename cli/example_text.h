/* SPDX-License-Identifier: Apache-2.0 */
/* example_text.h - a counter-example in words: lines of text, an object of JSON (docs/reference/prove.md). */
#ifndef UT_EXAMPLE_TEXT_H
#define UT_EXAMPLE_TEXT_H

#include "counter_example.h"
#include "result.h"

extern const char ut_example_layout[];
json_t *ut_example_json(const struct ut_explorer *explorer, const struct ut_counter_example *example);

#endif
