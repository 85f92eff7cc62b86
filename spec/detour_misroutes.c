/* SPDX-License-Identifier: Apache-2.0 */
/* detour_misroutes.c - the misrouted hops of a packet (DETOUR section 3).  Twin: rtl/ut_detour_misroutes.v
 *
 * The switch that a hop led to counts it: the packet needs the way back.  Two bits for each dimension but 0, in which
 * no hop is misrouted. */
#include "directions.h"

struct spec_misroutes spec_misroutes_of(const struct spec_route_query *query, unsigned dimensions, uint32_t away) {
  const unsigned most = query->shape->misroute_hops;
  const uint32_t before = ut_header_rt(query->header);
  const bool detoured = ut_rt_away_detoured(before);
  struct spec_misroutes misroutes = {0};
  uint32_t counts = 0;
  for (unsigned d = 1; most && d < dimensions; d++) {
    unsigned hops = ut_rt_away_hops(before) >> 2 * (d - 1) & 3;
    if (spec_has_port(away, d) && hops < most) {
      spec_cover(query->cover, COVER_MISROUTED_HOP);
      hops++;
    }
    if (!detoured && hops < most)
      misroutes.may |= spec_port(d);
    counts |= (uint32_t)hops << 2 * (d - 1);
  }
  misroutes.rt = most ? (uint32_t)ut_rt_away_make(detoured, counts) : 0;
  return misroutes;
}

uint32_t spec_rt_of_detour(const struct ut_shape *shape, uint32_t rt) {
  return shape->misroute_hops ? (uint32_t)ut_rt_away_make(true, ut_rt_away_hops(rt)) : rt;
}
