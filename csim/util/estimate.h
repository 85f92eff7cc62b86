/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.h - the mean of several values, or a probability, with its confidence interval. */
#ifndef UT_ESTIMATE_H
#define UT_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

struct ut_estimate {
  double mean, half_width; /* half_width is NaN for a single value */
  size_t n;
};

/* Mean and confidence interval, by Student's t, of n values (n 0: NaN).  confidence: 0.95. */
struct ut_estimate ut_estimate_of(const double *value, size_t n, double confidence);

/* Confidence interval of a probability of which `some` of `all` (at least 1) independent trials were successes (Clopper
 * and Pearson). */
struct ut_bounds {
  double low, high;
};
struct ut_bounds ut_estimate_share(uint64_t some, uint64_t all, double confidence);

#endif
