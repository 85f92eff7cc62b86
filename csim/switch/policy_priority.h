/* SPDX-License-Identifier: Apache-2.0 */
/* policy_priority.h - arbitration: packets of lower-numbered VCs go first.  Twins: rtl/ut_policy_priority.v,
 * spec/policy_priority.c */
#ifndef UT_POLICY_PRIORITY_H
#define UT_POLICY_PRIORITY_H

#include "block.h"

UT_INLINE unsigned ut_priority_rank(const struct ut_work *work, size_t n, const struct ut_form form) {
  (void)work; /* the same at all ports of all switches */
  return form.v - 1 - ut_lane_vc(n, form);
}

#endif
