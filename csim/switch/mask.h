/* SPDX-License-Identifier: Apache-2.0 */
/* mask.h - sets of ports as bit masks, bit p = port p. */
#ifndef UT_MASK_H
#define UT_MASK_H

#include <stdint.h>

/* Blocks are inlined into the step of each elaborated shape, so that the number of VCs is a constant in them. */
#define UT_INLINE static inline __attribute__((always_inline))
/* Put into a branch, keeps it a branch: compilers would otherwise compute both sides, and more, when one side is
 * cheap. */
#define UT_BRANCH __asm__ volatile("")

/* Conditions that the RTL's error_q and the flow control rule out; checked in builds with sanitizers. */
#ifdef UTURN_CHECKS
#include <assert.h>
#define UT_CHECK(condition) assert(condition)
#else
#define UT_CHECK(condition) ((void)0)
#endif

typedef uint64_t ut_mask; /* UT_MAX_PORTS bits */

/* Ports 0..n-1, n 0..64. */
static inline ut_mask ut_mask_all(unsigned n) {
  return n >= 64 ? ~(ut_mask)0 : ((ut_mask)1 << n) - 1;
}

static inline ut_mask ut_bit(unsigned port) {
  return (ut_mask)1 << port;
}

/* Lowest port of a set that is not empty. */
static inline unsigned ut_first(ut_mask m) {
  return (unsigned)__builtin_ctzll(m);
}

/* The ports above `port`. */
static inline ut_mask ut_above(unsigned port) {
  return ~(ut_mask)1 << port;
}

/* The loop body sees each port of the set m, in ascending order, and UT_BIT_OF(port) as its bit. */
#define UT_FOR_EACH(port, m)                                                                                           \
  for (ut_mask port##_rest = (m), port; port##_rest && (port = ut_first(port##_rest), 1);                              \
       port##_rest &= port##_rest - 1)
#define UT_BIT_OF(port) (port##_rest & -port##_rest)

/* The lowest bit. */
static inline ut_mask ut_mask_lowest(ut_mask m) {
  return m & (~m + 1);
}

/* Returns the first bit at or after `first`, otherwise the lowest: so deterministic algorithms replace a port that is
 * down.
 * Twin: rtl/first_from.vh */
static inline ut_mask ut_mask_first_from(ut_mask m, unsigned first) {
  ut_mask behind = m & ~(ut_bit(first) - 1);
  return ut_mask_lowest(behind ? behind : m);
}

#endif
