/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_draw.c - see traffic_draw.h */
#include "traffic_draw.h"

void ut_traffic_draw_again(const struct ut_traffic *traffic, struct ut_traffic_source *source) {
  const bool alone = !traffic->draw; /* otherwise the pattern may draw other numbers in between */
  source->used = alone ? 0 : UT_DRAWS - 2;
  if (alone)
    ut_random_pairs(&source->random, source->bits);
  else
    ut_random_pair(&source->random, source->bits + source->used);
}

uint64_t ut_traffic_without_bias(const struct ut_traffic *traffic, struct ut_traffic_source *source) {
  uint64_t product;
  do
    product = (ut_traffic_bits(traffic, source) & 0xffffff) * traffic->others;
  while ((product & 0xffffff) < traffic->unfair);
  return product;
}
