/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h - the known name that a misspelt word most likely means, for "did you mean ...?". */
#ifndef UT_NEAREST_H
#define UT_NEAREST_H

#include <stddef.h>

/* Returns the one of names[0..count) with the least edit distance (insert, delete, replace, swap neighbours; case
 * counts) from `word`, the first of equals.  NULL if none is near enough to be a misspelling: more than a third of the
 * word's letters differ. */
const char *ut_nearest(const char *word, const char *const *names, size_t count);

#endif
