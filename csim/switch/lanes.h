/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - sets and bytes over the VCs of a block of switches.
 *
 * Switches are stepped in blocks, so that what the cycle does for every port is done for 32 at once.  A lane is a VC of
 * a port: of an input port where registers of input VCs are meant, of an output port where those of output VCs are.
 * Within a switch, lane = VC * P + port, with P ports and V' VCs, powers of two: the order in which the arbiters of the
 * RTL count.  A block fills a word: several switches, where one has less.
 *
 * Registers of one bit are sets, words of 64 lanes; others are bytes by lane.  Plain C over vectors of 32 bytes; only
 * what C cannot say (bytes to bits and back) is written for a processor.
 */
#ifndef UT_LANES_H
#define UT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mask.h"
#include "shape.h"

/* Vectors are handed to inlined functions only, so that it does not matter how a call would pass them. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { UT_LANES = 32 /* of a vector */, UT_MAX_LANES = UT_MAX_PORTS * UT_MAX_VCS, UT_SET_WORDS = UT_MAX_LANES / 64 };

typedef uint8_t ut_vector __attribute__((vector_size(UT_LANES), may_alias));
/* One in a structure that stands anywhere. */
typedef uint8_t ut_vector_anywhere __attribute__((vector_size(UT_LANES), may_alias, aligned(1)));
typedef int8_t ut_signed __attribute__((vector_size(UT_LANES)));

/* The lanes of one switch, of which x.locals words count; where the shape is known, there are no others. */
#ifndef UT_LOCAL_WORDS
#define UT_LOCAL_WORDS UT_SET_WORDS
#endif
typedef struct {
  uint64_t w[UT_LOCAL_WORDS];
} ut_set;

/* Loops over VCs and words are short: written out, what they read and write need not be in memory. */
#ifdef __clang__
#define UT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define UT_UNROLL _Pragma("GCC unroll 8")
#endif

/* ---- bytes and bits */

/* The compiler's own names, not those of immintrin.h: reading that takes as long as half of a block's cycle. */
typedef char ut_bytes16 __attribute__((vector_size(16)));
typedef char ut_bytes32 __attribute__((vector_size(32)));

/* Bit i is the top bit of byte i. */
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

/* Byte i is 0xff if bit i is set, else 0. */
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

/* The bits of x at those of a mask, side by side.  A loop, not the processor's instruction (pext): on AMD processors
 * before Zen 3 that is microcode, of up to 300 cycles. */
UT_INLINE uint64_t ut_extract(uint64_t x, uint64_t mask) {
  uint64_t bits = 0;
  for (unsigned i = 0; mask; mask &= mask - 1, i++)
    bits |= (x >> __builtin_ctzll(mask) & 1) << i;
  return bits;
}

/* ---- sets
 *
 * The loop body sees the index of each of that many words.  Where there is one, the compiler is told that it is 0: else
 * it finds out when it has decided already what must be kept in memory. */
#define UT_FOR_EACH_WORD(i, words)                                                                                     \
  for (unsigned i##_th = 0, i = 0; i##_th < (words); i##_th++, i = (words) == 1 ? 0 : i##_th)

/*
 * The loop body sees each member of a set of `words` words, in ascending order. */
#define UT_FOR_EACH_LANE(n, set, words)                                                                                \
  for (unsigned n##_word = 0; n##_word < (words); n##_word++)                                                          \
    for (uint64_t n##_rest = (set)[(words) == 1 ? 0 : n##_word], n;                                                    \
         n##_rest && (n = ((words) == 1 ? 0 : 64 * n##_word) + (unsigned)__builtin_ctzll(n##_rest), 1);                \
         n##_rest &= n##_rest - 1)

/* The half of a word that has the lanes of a vector. */
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
/* Of a set of that many words. */
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
