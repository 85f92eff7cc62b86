/* SPDX-License-Identifier: Apache-2.0 */
/* policy_transit_first.h - arbitration: packets from other switches go before those of terminals.  Twins:
 * rtl/ut_policy_transit_first.v, spec/policy_transit_first.c */
#ifndef UT_POLICY_TRANSIT_FIRST_H
#define UT_POLICY_TRANSIT_FIRST_H

#include "block.h"

UT_INLINE unsigned ut_transit_first_rank(const struct ut_work *work, size_t n, const struct ut_form form) {
  return !(work->g->local_in >> ut_lane_port(n, form) & 1);
}

#endif
