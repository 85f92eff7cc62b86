/* SPDX-License-Identifier: Apache-2.0 */
/* packet_space.h - whether an output VC has room for a packet (docs/reference/cycle-contract.md, "Room").  Twin:
 * rtl/ut_packet_space.v
 */
#ifndef UT_PACKET_SPACE_H
#define UT_PACKET_SPACE_H

#include "switch.h"

/* Sets what is derived from the credits of output VC n of a block, and from the free places of its queue.  The cycle
 * does the same for 32 at once: ut_lanes_count(). */
UT_INLINE void ut_output_space(const struct ut_group *g, struct ut_block *b, size_t n, const struct ut_form x) {
  const unsigned credits = UT_IN_BLOCK(uint8_t, b, x.at_credits)[n];
  const unsigned count = x.output_depth ? UT_IN_BLOCK(uint8_t, b, x.at_queue_count)[n] : 0;
  const unsigned places = x.output_depth ? x.output_depth - count : credits;
  const bool credited = credits >= g->send_of[n];
  const bool may = !x.output_depth || credited || !(g->empty[n / 32] >> n % 32 & 1);
  const bool able2 = x.bubble && g->able2[n / 32] >> n % 32 & 1;
  ut_assign(ut_register(b, UT_S_SPACE, x), n, may && places >= g->need_of[n], x.sets);
  ut_assign(ut_register(b, UT_S_SPACE2, x), n, may && able2 && places >= g->need2_of[n], x.sets);
  ut_assign(ut_register(b, UT_S_CREDITED, x), n, x.output_depth && credited, x.sets);
}

#endif
