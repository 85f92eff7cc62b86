/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - sets and byte vectors over the virtual channels of a block of switches.
 *
 * Purpose: switches are stepped in blocks, so that the cycle does the work of 32 VCs with one instruction.  A lane is
 * one VC of one port: of an input port in registers of input VCs, of an output port in registers of output VCs.
 *
 * Layout: within a switch, lane = VC * P + port, with the numbers of ports and VCs rounded up to powers of two.  This
 * is the order in which the arbiters of the RTL count.  A block has at least one word of 64 lanes (32 for the smallest
 * switches): several switches, where one switch has fewer lanes.  A register of one bit is a set, in words of 64 lanes;
 * a wider register is an array of bytes by lane.
 *
 * Invariants: lanes that a switch does not have (ports or VCs above its own) never hold a flit.  Vectors are loaded
 * only from addresses that are multiples of 32, unless their type is ut_vector_anywhere.
 *
 * Mistakes that a caller can make: a loop with the wrong number of words.  A set of a whole block has form.sets words,
 * a set of one switch has form.locals words.
 *
 * Everything is plain C over vectors of 32 bytes; only the conversions between bytes and bits, which C cannot express,
 * are written for a processor.
 */
#ifndef UT_LANES_H
#define UT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mask.h"
#include "shape.h"

/* Vectors are passed to inlined functions only, so the calling convention for them does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum {
  UT_LANES = 32 /* bytes in a vector */,
  UT_MAX_LANES = UT_MAX_PORTS * UT_MAX_VCS,
  UT_SET_WORDS = UT_MAX_LANES / 64
};

typedef uint8_t ut_vector __attribute__((vector_size(UT_LANES), may_alias));
/* A vector at an address that need not be a multiple of 32. */
typedef uint8_t ut_vector_anywhere __attribute__((vector_size(UT_LANES), may_alias, aligned(1)));
typedef int8_t ut_signed __attribute__((vector_size(UT_LANES)));

/* The lanes of one switch; only the first form.locals words are used.  Where the shape is a constant, or known to
 * have few lanes, the set has no other words. */
#ifndef UT_LOCAL_WORDS
#define UT_LOCAL_WORDS UT_SET_WORDS
#endif
typedef struct {
  uint64_t w[UT_LOCAL_WORDS];
} ut_set;

/* Loops over VCs and words have few iterations.  The compiler unrolls them, so that it can keep their variables in
 * registers. */
#ifdef __clang__
#define UT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define UT_UNROLL _Pragma("GCC unroll 8")
#endif

/* ---- bytes and bits */

/* The compiler's built-in functions instead of immintrin.h: parsing that header takes half as long as compiling the
 * cycle of a block. */
typedef char ut_bytes16 __attribute__((vector_size(16)));
typedef char ut_bytes32 __attribute__((vector_size(32)));

/* Bit i of the result is the top bit of byte i. */
UT_INLINE uint32_t ut_gather(const ut_vector bytes) {
#ifdef __AVX2__
  return (uint32_t)__builtin_ia32_pmovmskb256((ut_bytes32)bytes);
#elif defined __SSE2__
  ut_bytes16 half[2];
  __builtin_memcpy(half, &bytes, sizeof half);
  return (uint32_t)__builtin_ia32_pmovmskb128(half[0]) | (uint32_t)__builtin_ia32_pmovmskb128(half[1]) << 16;
#else
  uint64_t part[4];
  uint32_t set = 0;
  __builtin_memcpy(part, &bytes, sizeof part);
  for (unsigned i = 0; i < 4; i++)
    set |= (uint32_t)((part[i] >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << 8 * i;
  return set;
#endif
}

/* Byte i of the result is 0xff if bit i is set, otherwise 0. */
UT_INLINE ut_vector ut_spread(uint32_t bits) {
#ifdef __AVX2__
  typedef uint64_t words __attribute__((vector_size(UT_LANES)));
  typedef uint32_t halves __attribute__((vector_size(UT_LANES)));
  const words of_lane = {0, UINT64_C(0x0101010101010101), UINT64_C(0x0202020202020202), UINT64_C(0x0303030303030303)};
  const words bit = (words){0} + UINT64_C(0x8040201008040201);
  const words x = (words)__builtin_ia32_pshufb256((ut_bytes32)((halves){0} + bits), (ut_bytes32)of_lane) & bit;
  return (ut_vector)((ut_vector)x == (ut_vector)bit);
#else
  uint64_t part[4];
  ut_vector bytes;
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t each = (bits >> 8 * i & 255) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    part[i] = ((each + UINT64_C(0x7f7f7f7f7f7f7f7f)) | each) >> 7 & UINT64_C(0x0101010101010101);
    part[i] *= 255;
  }
  __builtin_memcpy(&bytes, part, sizeof bytes);
  return bytes;
#endif
}

/* Returns the bits of x at the positions of `mask`, packed together.  It is a loop instead of the instruction pext,
 * because AMD processors before Zen 3 run pext as microcode that takes up to 300 cycles. */
UT_INLINE uint64_t ut_extract(uint64_t x, uint64_t mask) {
  uint64_t bits = 0;
  for (unsigned i = 0; mask; mask &= mask - 1, i++)
    bits |= (x >> __builtin_ctzll(mask) & 1) << i;
  return bits;
}

/* ---- sets
 *
 * The loop body sees the indices 0..words-1.  For one word the index is a constant 0: otherwise the compiler finds that
 * out only after it has decided which variables stay in memory. */
#define UT_FOR_EACH_WORD(i, words)                                                                                     \
  for (unsigned i##_th = 0, i = 0; i##_th < (words); i##_th++, i = (words) == 1 ? 0 : i##_th)

/* The loop body sees each member of a set of `words` words, in ascending order. */
#define UT_FOR_EACH_LANE(n, set, words)                                                                                \
  for (unsigned n##_word = 0; n##_word < (words); n##_word++)                                                          \
    for (uint64_t n##_rest = (set)[(words) == 1 ? 0 : n##_word], n;                                                    \
         n##_rest && (n = ((words) == 1 ? 0 : 64 * n##_word) + (unsigned)__builtin_ctzll(n##_rest), 1);                \
         n##_rest &= n##_rest - 1)

/* The half of a word that covers the 32 lanes of a vector. */
typedef uint32_t ut_half_word __attribute__((may_alias));
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "lanes 0 to 31 of a word must stand first"
#endif
UT_INLINE ut_half_word *ut_half(uint64_t *set, size_t lane) {
  return (ut_half_word *)set + lane / 32;
}
UT_INLINE uint64_t ut_lane_bit(size_t n) {
  return UINT64_C(1) << n % 64;
}
/* The following functions work on a set of `words` words. */
UT_INLINE bool ut_has(const uint64_t *set, size_t n, unsigned words) {
  return set[words == 1 ? 0 : n / 64] >> n % 64 & 1;
}
UT_INLINE void ut_put(uint64_t *set, size_t n, unsigned words) {
  set[words == 1 ? 0 : n / 64] |= ut_lane_bit(n);
}
UT_INLINE void ut_take(uint64_t *set, size_t n, unsigned words) {
  set[words == 1 ? 0 : n / 64] &= ~ut_lane_bit(n);
}
UT_INLINE void ut_assign(uint64_t *set, size_t n, bool value, unsigned words) {
  uint64_t *w = set + (words == 1 ? 0 : n / 64);
  *w = (*w & ~ut_lane_bit(n)) | (uint64_t)value << n % 64;
}

#endif
