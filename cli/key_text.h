/* SPDX-License-Identifier: Apache-2.0 */
/* key_text.h - what a key of a scenario takes, in words. */
#ifndef UT_KEY_TEXT_H
#define UT_KEY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "family.h"
#include "scenario_keys.h"

enum { UT_KEY_TEXT_SIZE = 1024 };

/* "1..16", "vct, wormhole", "true, false"; "" for a group.  quote: what stands around words.  family: the algorithms
 * are those that fit it; NULL: all.  Returns text. */
const char *ut_key_values(const struct ut_key *key, const char *quote, const struct ut_family *family,
                          char text[UT_KEY_TEXT_SIZE]);
/* "of this, that", "not of another": the kinds of topology that take a key; "" when all do. */
const char *ut_key_kinds(const struct ut_key *key, const char *quote, char text[UT_KEY_TEXT_SIZE]);
/* Whether some network of the family can have an algorithm of that name; family NULL: true. */
bool ut_key_algorithm(const char *name, const struct ut_family *family);

#endif
