/* SPDX-License-Identifier: Apache-2.0 */
/* stopping.c - see stopping.h */
#include "stopping.h"

#include <math.h>

bool ut_stopping_enough(const struct ut_stopping *stopping, const double *value, size_t n) {
  const struct ut_estimate estimate = ut_estimate_of(value, n, stopping->confidence);
  return n > 1 && estimate.half_width <= fabs(estimate.mean) * stopping->within_percent / 100;
}

unsigned ut_stopping_next_stage(const struct ut_stopping *stopping, unsigned done) {
  const unsigned next = !stopping->result ? stopping->most : done ? done + (done > 1 ? done / 2 : 1) : stopping->least;
  return next < stopping->most ? next : stopping->most;
}
