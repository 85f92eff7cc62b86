/* SPDX-License-Identifier: Apache-2.0 */
/* policy_priority.c - arbitration: packets of lower-numbered VCs go first.  Twin: rtl/ut_policy_priority.v */
#include "policies.h"

unsigned spec_priority_rank(const struct spec_switch *sw, unsigned ip, unsigned ivc) {
  (void)ip; /* the VCs of all ports have the same ranks */
  return sw->shape.v - 1 - ivc;
}
