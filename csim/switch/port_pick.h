/* SPDX-License-Identifier: Apache-2.0 */
/* port_pick.h - lets one of the requesting VCs of a port through. */
#ifndef UT_PORT_PICK_H
#define UT_PORT_PICK_H

#include "known_policies.h"

/* Returns whether no port has two lanes in the set. */
UT_INLINE bool ut_lane_word_has_no_contention(const ut_set s, const struct ut_form form) {
  unsigned lanes = 0;
  UT_FOR_EACH_WORD (i, form.locals)
    lanes += (unsigned)__builtin_popcountll(s.w[i]);
  return lanes == (unsigned)__builtin_popcountll(ut_lane_word_ports(s, form));
}

/* Returns those of these VCs of a port whose packets have the highest rank; `port_lane`: the port's lane of VC 0. */
UT_INLINE ut_mask ut_highest_vcs(const struct ut_work *work, unsigned port_lane, ut_mask vcs,
                                 const struct ut_form form) {
  ut_mask kept = 0;
  unsigned highest = 0;
  UT_FOR_EACH (ivc, vcs) {
    const unsigned rank = ut_policy_rank(work, ivc << form.port_bits | port_lane, form);
    if (rank < highest)
      continue;
    kept = (rank > highest ? 0 : kept) | ut_bit(ivc);
    highest = rank;
  }
  return kept;
}

/* Each port with several VCs in the set picks one of them.  turns: by port, which VCs come first; ranks: only packets
 * of the highest rank are kept. */
UT_INLINE ut_set ut_pick_vcs(const struct ut_work *work, const ut_set ready, const uint8_t *turns, bool ranks,
                             const struct ut_form form) {
  uint64_t once = 0, twice = 0;
  ut_set picked = ready;
  if (ut_lane_word_has_no_contention(ready, form))
    return ready;
  UT_UNROLL
  for (unsigned i = 0; i < form.v; i++) {
    const uint64_t ports =
        ready.w[(i << form.port_bits) / 64] >> (i << form.port_bits) % 64 & ut_lane_word_all_ports(form);
    twice |= once & ports;
    once |= ports;
  }
  for (; twice; twice &= twice - 1) {
    const unsigned port_lane = (unsigned)__builtin_ctzll(twice);
    const ut_mask all = ut_set_vcs(ready, port_lane, form),
                  vcs = ranks ? ut_highest_vcs(work, port_lane, all, form) : all;
    const unsigned ivc = ut_rr_pick(vcs, turns[ut_lane_port_index(port_lane, form)]);
    UT_FOR_EACH_WORD (i, form.locals)
      picked.w[i] &= ~(ut_set_columns(form) << port_lane);
    ut_put(picked.w, ivc << form.port_bits | port_lane, form.locals);
  }
  return picked;
}

#endif
