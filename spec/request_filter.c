/* SPDX-License-Identifier: Apache-2.0 */
/* request_filter.c - removes requests that an arbiter must not see.  Twins: rtl/ut_request_filter.v,
 * rtl/ut_local_first.v */
#include "policies.h"
#include "steps.h"

unsigned spec_rank(const struct spec_switch *sw, unsigned ip, unsigned ivc) {
  const struct spec_arbitration *policy = &spec_arbitrations[sw->shape.arbitration];
  return policy->rank ? policy->rank(sw, ip, ivc) : 0;
}

void spec_highest_rank_first(bool *request, const unsigned *rank, unsigned lines) {
  unsigned highest = 0;
  for (unsigned line = 0; line < lines; line++)
    if (request[line] && rank[line] > highest)
      highest = rank[line];
  for (unsigned line = 0; line < lines; line++)
    request[line] &= rank[line] == highest;
}

void spec_local_first(const struct ut_shape *shape, bool *request, unsigned lines) {
  bool terminal_asks = false;
  for (unsigned line = 0; line < lines; line++)
    terminal_asks |= request[line] && spec_is_local(shape, line % shape->pi);
  for (unsigned line = 0; shape->local_first && terminal_asks && line < lines; line++)
    request[line] &= spec_is_local(shape, line % shape->pi);
}
