/* SPDX-License-Identifier: Apache-2.0 */
/* nonnegative.h - why a polynomial is never negative where others are not: it is a sum of products of these, with
 * factors that are not negative.  Who knows the factors only multiplies and adds.
 */
#ifndef UT_NONNEGATIVE_H
#define UT_NONNEGATIVE_H

#include "polynomial.h"

enum { UT_MOST_ASSUMPTIONS = 20, UT_MOST_PARTS = UT_MOST_MONOMIALS };

/* divisor * goal = sum of factor * (product of assumptions first, second); UT_NO_ASSUMPTION: it has fewer. */
enum { UT_NO_ASSUMPTION = UINT8_MAX };
struct ut_combination {
  int64_t divisor;
  unsigned count;
  struct {
    int64_t factor;
    uint8_t first, second;
  } part[UT_MOST_PARTS];
};

/* Looks for a combination, with single assumptions first, then with products of two.  Exact: simplex with fractions.
 * Returns false when there is none, or numbers become too large. */
bool ut_combination_find(struct ut_combination *combination, const struct ut_polynomial *goal,
                         const struct ut_polynomial *assumption, unsigned count);

#endif
