/* SPDX-License-Identifier: Apache-2.0 */
/* packet_space.h - whether an output VC has space for a packet (docs/reference/cycle-contract.md, "Space").  Twin:
 * rtl/ut_packet_space.v
 */
#ifndef UT_PACKET_SPACE_H
#define UT_PACKET_SPACE_H

#include "switch.h"

/* Updates what is derived from the credits of output VC n of a block, and from the free places of its queue.  The cycle
 * does the same for 32 VCs at once: ut_lanes_count(). */
UT_INLINE void ut_output_space(const struct ut_group *group, struct ut_block *block, size_t n,
                               const struct ut_form form) {
  const unsigned credits = UT_IN_BLOCK(uint8_t, block, form.at_credits)[n];
  const unsigned count = form.output_depth ? UT_IN_BLOCK(uint8_t, block, form.at_queue_count)[n] : 0;
  const unsigned places = form.output_depth ? form.output_depth - count : credits;
  const bool credited = credits >= group->send_of[n];
  const bool may = !form.output_depth || credited || !(group->empty[n / 32] >> n % 32 & 1);
  const bool able2 = form.bubble && group->able2[n / 32] >> n % 32 & 1;
  ut_assign(ut_register(block, UT_S_SPACE, form), n, may && places >= group->need_of[n], form.sets);
  ut_assign(ut_register(block, UT_S_SPACE2, form), n, may && able2 && places >= group->need2_of[n], form.sets);
  ut_assign(ut_register(block, UT_S_CREDITED, form), n, form.output_depth && credited, form.sets);
}

#endif
