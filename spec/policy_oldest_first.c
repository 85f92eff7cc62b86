/* SPDX-License-Identifier: Apache-2.0 */
/* policy_oldest_first.c - arbitration: the packet that has been at the front of its buffer longest goes first.
 * Twin: rtl/ut_policy_oldest_first.v
 *
 * The register is an age: the number of cycles, since the head came to the front, in which a flit of the packet was in
 * the buffer.
 */
#include "policies.h"

unsigned spec_oldest_first_rank(const struct spec_switch *sw, unsigned ip, unsigned ivc) {
  return sw->in[ip].vc[ivc].policy;
}

unsigned spec_oldest_first_next(const struct spec_input_vc *vc, bool tail_leaves) {
  const unsigned age = vc->policy, most = (1u << UT_ARBITRATION_BITS(UT_ARBITRATION_OLDEST_FIRST)) - 1;
  if (tail_leaves)
    return 0;
  return vc->count && age < most ? age + 1 : age;
}
