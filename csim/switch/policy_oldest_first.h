/* SPDX-License-Identifier: Apache-2.0 */
/* policy_oldest_first.h - arbitration: the packet that has been at the front of its buffer longest goes first.  Twins:
 * rtl/ut_policy_oldest_first.v, spec/policy_oldest_first.c */
#ifndef UT_POLICY_OLDEST_FIRST_H
#define UT_POLICY_OLDEST_FIRST_H

#include "block.h"

UT_INLINE unsigned ut_oldest_first_rank(const struct ut_work *work, size_t n, const struct ut_form form) {
  return UT_REG(uint8_t, at_policy)[n];
}

/* Updates the ages of 32 lanes; an age counts while a flit is in the buffer. */
UT_INLINE void ut_oldest_first_update(const struct ut_work *work, const uint64_t *gone, const struct ut_form form) {
  const uint8_t most = (uint8_t)((1u << form.policy_bits) - 1);
  for (unsigned i = 0; i < form.all; i += UT_LANES) {
    ut_vector *age = (ut_vector *)(UT_REG(uint8_t, at_policy) + i);
    const ut_vector there = ut_spread((uint32_t)(ut_register(work->b, UT_S_OCCUPIED, form)[i / 64] >> i % 64));
    const ut_vector grows = (ut_vector)(*age < most) & there; /* 255, which is -1, where it does */
    *age = (*age - grows) & ~ut_spread((uint32_t)(gone[i / 64] >> i % 64));
  }
}

#endif
