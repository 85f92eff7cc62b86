/* SPDX-License-Identifier: Apache-2.0 */
/* stopping.c - see stopping.h */
#include "stopping.h"

#include <math.h>

bool ut_stopping_enough(const struct ut_stopping *s, const double *value, size_t n) {
  const struct ut_estimate e = ut_estimate_of(value, n, s->confidence);
  return n > 1 && e.half_width <= fabs(e.mean) * s->within_percent / 100;
}

unsigned ut_stopping_next_stage(const struct ut_stopping *s, unsigned done) {
  const unsigned next = !s->result ? s->most : done ? done + (done > 1 ? done / 2 : 1) : s->least;
  return next < s->most ? next : s->most;
}
