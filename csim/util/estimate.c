/* estimate.c - see estimate.h */
#include "estimate.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

struct ut_estimate ut_estimate_of(const double *value, size_t n, double confidence) {
  struct ut_estimate e = {.mean = NAN, .half_width = NAN, .n = n};
  if (n)
    e.mean = gsl_stats_mean(value, 1, n);
  if (n > 1) {
    const double deviation = gsl_stats_sd_m(value, 1, n, e.mean);
    e.half_width = gsl_cdf_tdist_Pinv((1 + confidence) / 2, (double)n - 1) * deviation / sqrt((double)n);
  }
  return e;
}
