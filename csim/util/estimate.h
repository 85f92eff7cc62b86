/* estimate.h - the mean of some values, and how well it is known. */
#ifndef UT_ESTIMATE_H
#define UT_ESTIMATE_H

#include <stddef.h>

struct ut_estimate {
  double mean, half_width; /* half_width NaN: one value has none */
  size_t n;
};

/* Mean and confidence interval, by Student's t, of n values (n 0: NaN).  confidence: 0.95. */
struct ut_estimate ut_estimate_of(const double *value, size_t n, double confidence);

#endif
