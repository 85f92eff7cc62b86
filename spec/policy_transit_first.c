/* SPDX-License-Identifier: Apache-2.0 */
/* policy_transit_first.c - arbitration: packets from other switches go before those of terminals.
 * Twin: rtl/ut_policy_transit_first.v */
#include "policies.h"
#include "steps.h"

unsigned spec_transit_first_rank(const struct spec_switch *sw, unsigned ip, unsigned ivc) {
  (void)ivc;
  return !spec_is_local(&sw->shape, ip);
}
