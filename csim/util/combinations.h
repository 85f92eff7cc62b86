/* SPDX-License-Identifier: Apache-2.0 */
/* combinations.h - sets of r out of n things: their number, the i-th of them, a random one.  Members in ascending
 * order. */
#ifndef UT_COMBINATIONS_H
#define UT_COMBINATIONS_H

#include <stdint.h>

#include "random.h"

/* n over r, UINT64_MAX where that is too small. */
uint64_t ut_binomial(uint64_t n, uint64_t r);

/* Combination number `index`, below ut_binomial(n, r), in lexicographic order. */
void ut_combination_get(uint64_t index, uint32_t n, unsigned r, uint32_t *out);

/* Draws a random combination, without repetition (Floyd). */
void ut_combination_draw(struct ut_random *random, uint32_t n, unsigned r, uint32_t *out);

#endif
