/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.c - see estimate.h */
#include "estimate.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

struct ut_estimate ut_estimate_of(const double *value, size_t n, double confidence) {
  struct ut_estimate estimate = {.mean = NAN, .half_width = NAN, .n = n};
  if (n)
    estimate.mean = gsl_stats_mean(value, 1, n);
  if (n > 1) {
    const double deviation = gsl_stats_sd_m(value, 1, n, estimate.mean);
    estimate.half_width = gsl_cdf_tdist_Pinv((1 + confidence) / 2, (double)n - 1) * deviation / sqrt((double)n);
  }
  return estimate;
}

/* Where the beta distribution function reaches p; halving an interval always ends, which GSL's inverse does not. */
static double beta_quantile(double p, double a, double b) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    if (gsl_cdf_beta_P(middle, a, b) < p)
      low = middle;
    else
      high = middle;
  }
  return high;
}

struct ut_bounds ut_estimate_share(uint64_t some, uint64_t all, double confidence) {
  const double outside = (1 - confidence) / 2, hits = (double)some, misses = (double)(all - some);
  return (struct ut_bounds){.low = some ? beta_quantile(outside, hits, misses + 1) : 0,
                            .high = some < all ? beta_quantile(1 - outside, hits + 1, misses) : 1};
}
