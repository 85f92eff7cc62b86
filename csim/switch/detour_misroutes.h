/* SPDX-License-Identifier: Apache-2.0 */
/* detour_misroutes.h - the misrouted hops of a packet (DETOUR section 3), counted in its header.  Twin:
 * rtl/ut_detour_misroutes.v
 */
#ifndef UT_DETOUR_MISROUTES_H
#define UT_DETOUR_MISROUTES_H

#include "switch.h"

/* What keeps misrouted hops free of deadlock and livelock, as bits of a group's readings; the tests take them back. */
enum ut_misroute_reading {
  READ_ABOVE = 1 << 16, /* they lead into dimensions above the lowest one that is left */
  READ_COUNT = 1 << 17, /* their number in each dimension is bounded */
  READ_ONCE = 1 << 18,  /* a packet that has taken a detour is not misrouted any more */
  READ_MISROUTES = READ_ABOVE | READ_COUNT | READ_ONCE
};

struct ut_misroutes {
  ut_mask may; /* dimensions in which the packet may take a misrouted hop */
  uint32_t rt; /* the rt field behind this switch, unless the packet takes a detour here */
};

/* Counts the last hop of a packet, which led away from the destination in the dimensions `away`, one or none.  Only
 * with misroute_hops. */
UT_INLINE struct ut_misroutes ut_misroutes_of(const struct ut_group *group, uint64_t header, unsigned dimensions,
                                              ut_mask away) {
  const uint32_t before = ut_header_rt(header);
  const bool detoured = ut_rt_away_detoured(before), ends = detoured && group->readings & READ_ONCE;
  struct ut_misroutes misroutes = {0};
  uint32_t counts = 0;
  for (unsigned d = 1; d < dimensions; d++) {
    unsigned hops = ut_rt_away_hops(before) >> 2 * (d - 1) & 3;
    hops += (away >> d & 1) && hops < group->shape.misroute_hops;
    if (!ends && (hops < group->shape.misroute_hops || !(group->readings & READ_COUNT)))
      misroutes.may |= ut_bit(d);
    counts |= (uint32_t)hops << 2 * (d - 1);
  }
  misroutes.rt = (uint32_t)ut_rt_away_make(detoured, counts);
  return misroutes;
}

/* Returns the rt field of a packet that takes a detour around bad nodes. */
UT_INLINE uint32_t ut_rt_of_detour(const struct ut_group *group, uint32_t rt) {
  return group->shape.misroute_hops ? (uint32_t)ut_rt_away_make(true, ut_rt_away_hops(rt)) : rt;
}

#endif
