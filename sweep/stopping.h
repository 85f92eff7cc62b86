/* SPDX-License-Identifier: Apache-2.0 */
/* stopping.h - how often a point is run: until a result is known well enough.
 *
 * Repetitions are made in stages, so that those of one stage can run at the same time and the set of runs does not
 * depend on how many do: `least`, then half as many again, up to `most`.  After each stage Student's t gives the
 * confidence interval of the mean.
 */
#ifndef UT_STOPPING_H
#define UT_STOPPING_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate.h"

struct ut_stopping {
  unsigned least, most;
  const char *result; /* NULL: always `most` repetitions */
  double within_percent, confidence;
};

/* Returns whether the interval is narrow enough.  If all values are equal, its width is 0. */
bool ut_stopping_enough(const struct ut_stopping *stopping, const double *value, size_t n);

/* Repetitions after the stage that ends with `done`; 0 before the first stage. */
unsigned ut_stopping_next_stage(const struct ut_stopping *stopping, unsigned done);

#endif
