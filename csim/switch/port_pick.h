/* SPDX-License-Identifier: Apache-2.0 */
/* port_pick.h - of the VCs of a port that ask, one is let through. */
#ifndef UT_PORT_PICK_H
#define UT_PORT_PICK_H

#include "known_policies.h"

/* Whether no port has two lanes in the set. */
UT_INLINE bool ut_lane_word_has_no_contention(const ut_set s, const struct ut_form x) {
  unsigned lanes = 0;
  UT_FOR_EACH_WORD (i, x.locals)
    lanes += (unsigned)__builtin_popcountll(s.w[i]);
  return lanes == (unsigned)__builtin_popcountll(ut_lane_word_ports(s, x));
}

/* Of these VCs of a port, whose lane of VC 0 is `port_lane`, those whose packets have the highest rank. */
UT_INLINE ut_mask ut_highest_vcs(const struct ut_work *w, unsigned port_lane, ut_mask vcs, const struct ut_form x) {
  ut_mask kept = 0;
  unsigned highest = 0;
  UT_FOR_EACH (ivc, vcs) {
    const unsigned rank = ut_policy_rank(w, ivc << x.port_bits | port_lane, x);
    if (rank < highest)
      continue;
    kept = (rank > highest ? 0 : kept) | ut_bit(ivc);
    highest = rank;
  }
  return kept;
}

/* Each port that has several VCs in the set picks one of them.  turns: by port, which come first; ranks: those whose
 * packets have the highest rank are left. */
UT_INLINE ut_set ut_pick_vcs(const struct ut_work *w, const ut_set ready, const uint8_t *turns, bool ranks,
                             const struct ut_form x) {
  uint64_t once = 0, twice = 0;
  ut_set picked = ready;
  if (ut_lane_word_has_no_contention(ready, x))
    return ready;
  UT_UNROLL
  for (unsigned i = 0; i < x.v; i++) {
    const uint64_t ports = ready.w[(i << x.port_bits) / 64] >> (i << x.port_bits) % 64 & ut_lane_word_all_ports(x);
    twice |= once & ports;
    once |= ports;
  }
  for (; twice; twice &= twice - 1) {
    const unsigned port_lane = (unsigned)__builtin_ctzll(twice);
    const ut_mask all = ut_set_vcs(ready, port_lane, x), vcs = ranks ? ut_highest_vcs(w, port_lane, all, x) : all;
    const unsigned ivc = ut_rr_pick(vcs, turns[ut_lane_port_index(port_lane, x)]);
    UT_FOR_EACH_WORD (i, x.locals)
      picked.w[i] &= ~(ut_set_columns(x) << port_lane);
    ut_put(picked.w, ivc << x.port_bits | port_lane, x.locals);
  }
  return picked;
}

#endif
