/* SPDX-License-Identifier: Apache-2.0 */
/* policy_random.h - selection: the first port from a random one on.  Twins: rtl/ut_policy_random.v,
 * spec/policy_random.c */
#ifndef UT_POLICY_RANDOM_H
#define UT_POLICY_RANDOM_H

#include "form.h"

UT_INLINE unsigned ut_random_seed(uint64_t straps, unsigned ip, const struct ut_form form) {
  (void)form;
  const unsigned seed = (unsigned)(straps ^ straps >> 16 ^ straps >> 32 ^ straps >> 48 ^ 40503 * (ip + 1)) & 0xffff;
  return seed ? seed : 1;
}

/* Eight steps at once: the bits that are shifted in follow from the upper 14 bits, and from none of each other. */
UT_INLINE unsigned ut_random_next(unsigned lfsr, unsigned port, const struct ut_form form) {
  (void)port, (void)form;
  return (lfsr << 8 | ((lfsr >> 8 ^ lfsr >> 6 ^ lfsr >> 5 ^ lfsr >> 3) & 0xff)) & 0xffff;
}

UT_INLINE unsigned ut_random_start(unsigned lfsr, const struct ut_form form) {
  return (lfsr & 0xff) * form.po >> 8;
}

#endif
