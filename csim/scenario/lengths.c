/* SPDX-License-Identifier: Apache-2.0 */
/* lengths.c - see lengths.h */
#include "lengths.h"

#include <stdlib.h>

#include "random.h"

static const uint64_t all = UINT64_C(1) << UT_LENGTH_BITS;

/* Returns how many draws have an exponential that, times the mean, is below `limit`.  It never increases with the draw,
 * so they are the last draws.  The search calls the function that draws, so that the table agrees with it exactly. */
static uint64_t draws_below(double limit, double mean) {
  uint64_t from = 0, to = all; /* the first of them is in from..to */
  while (from < to) {
    const uint64_t middle = from + (to - from) / 2;
    if (ut_exponential_of(middle) * mean < limit)
      to = middle;
    else
      from = middle + 1;
  }
  return all - from;
}

static uint64_t count(const struct ut_length_rule *rule, unsigned flits) {
  if (flits == rule->max)
    return all;
  switch (rule->kind) {
  case UT_LENGTHS_EXPONENTIAL: return draws_below(flits + 0.5, rule->mean);
  case UT_LENGTHS_UNIFORM: return all / (rule->max - rule->min + 1) * (flits - rule->min + 1);
  default: return all - (uint64_t)(rule->long_fraction * (double)all);
  }
}

int ut_lengths_init(struct ut_lengths *lengths, const struct ut_length_rule *rule, struct ut_error *e) {
  *lengths = (struct ut_lengths){
      .min = rule->kind == UT_LENGTHS_FIXED ? rule->max : rule->min, .max = rule->max, .mean = rule->max};
  if (rule->kind == UT_LENGTHS_FIXED)
    return 0;
  lengths->at_most = calloc(rule->max - rule->min + 1, sizeof *lengths->at_most);
  if (!lengths->at_most)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the lengths of packets");
  uint64_t before = 0, sum = 0; /* below 2^50 */
  for (unsigned flits = rule->min; flits <= rule->max; flits++) {
    const uint64_t here = count(rule, flits);
    lengths->at_most[flits - rule->min] = here;
    sum += flits * (here - before);
    before = here;
  }
  lengths->mean = (double)sum / (double)all;
  return 0;
}

void ut_lengths_free(struct ut_lengths *lengths) {
  free(lengths->at_most);
  *lengths = (struct ut_lengths){0};
}
