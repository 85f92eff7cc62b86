/* SPDX-License-Identifier: Apache-2.0 */
/* rt_text_detour.c - the misrouted hops of DETOUR in words. */
#include <stdio.h>

#include "layout.h"
#include "rt_text.h"

static unsigned dimensions_of(const struct ut_shape *shape) {
  unsigned dimensions = shape->cube;
  while (!shape->cube && dimensions < UT_MAX_DIMENSIONS && shape->size[dimensions])
    dimensions++;
  return dimensions;
}

struct ut_rt_words ut_rt_words_detour(const struct ut_shape *shape) {
  return shape->misroute_hops ? (struct ut_rt_words){"misrouted hops", "misrouted "} : (struct ut_rt_words){0};
}

/* A digit for each dimension from 1 on: "02" are two hops in dimension 2.  Behind it, whether the packet has taken a
 * detour. */
void ut_rt_text_detour(const struct ut_shape *shape, uint32_t rt, char *text, size_t size) {
  char digits[UT_MAX_CUBE + 1] = "";
  const unsigned dimensions = dimensions_of(shape);
  for (unsigned d = 1; d < dimensions; d++)
    snprintf(digits + d - 1, 2, "%u", (unsigned)ut_rt_away_hops(rt) >> 2 * (d - 1) & 3);
  snprintf(text, size, "%s%s", digits, ut_rt_away_detoured(rt) ? ", detour" : "");
}
