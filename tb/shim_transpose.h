/* SPDX-License-Identifier: Apache-2.0 */
// shim_transpose.h - transposes lanes, which are rows of bits, to vectors with a bit for each lane, and back; C++, part
// of shim.cpp.
#ifndef UT_SHIM_TRANSPOSE_H
#define UT_SHIM_TRANSPOSE_H

#include <cstring>

#include "shim_view.h"

namespace {

constexpr unsigned LANE_WORDS = UT_SLICE_WORDS, SEATS = 64 * LANE_WORDS;

// The words of a vector.
struct Lanes {
  uint64_t word[LANE_WORDS];

  Lanes(const ut_lanes &lanes) {
    std::memcpy(word, &lanes, sizeof word);
  }
  operator ut_lanes() const {
    ut_lanes lanes;
    std::memcpy(&lanes, word, sizeof word);
    return lanes;
  }
  bool any() const {
    uint64_t all = 0;
    for (uint64_t w : word)
      all |= w;
    return all != 0;
  }
};

// One lane of a vector: the word that it is in, and its bit.
inline uint64_t word_of(const ut_lanes &lanes, unsigned lane) {
  uint64_t word;
  std::memcpy(&word, reinterpret_cast<const char *>(&lanes) + lane / 64 * 8, 8);
  return word;
}
inline bool has_lane(const ut_lanes &lanes, unsigned lane) {
  return word_of(lanes, lane) >> lane % 64 & 1;
}
inline void set_lane(ut_lanes &lanes, unsigned lane, bool value) {
  const uint64_t word = (word_of(lanes, lane) & ~(UINT64_C(1) << lane % 64)) | (uint64_t)value << lane % 64;
  std::memcpy(reinterpret_cast<char *>(&lanes) + lane / 64 * 8, &word, 8);
}

// Transposes 64 rows of 64 bits, four times at once: bits change places with those 32, 16, ..., 1 rows away.  It works
// on eight rows at a time, three such steps, because there are registers for no more.
typedef uint64_t Four __attribute__((vector_size(32)));
template <unsigned BY> UT_ALWAYS void transpose_eight(Four *x) {
  Four row[8];
  UT_UNROLL
  for (unsigned i = 0; i < 8; i++)
    row[i] = x[i * BY];
  UT_UNROLL
  for (unsigned step = 4; step; step /= 2) {
    const unsigned shift = step * BY;
    const uint64_t low = ~UINT64_C(0) / ((UINT64_C(1) << shift) + 1); // of each pair of `shift` bits
    UT_UNROLL
    for (unsigned i = 0; i < 8; i++)
      if (!(i & step)) {
        const Four t = (row[i] >> shift ^ row[i | step]) & low;
        row[i] ^= t << shift;
        row[i | step] ^= t;
      }
  }
  UT_UNROLL
  for (unsigned i = 0; i < 8; i++)
    x[i * BY] = row[i];
}
UT_ALWAYS void transpose(Four *x) {
  for (unsigned i = 0; i < 8; i++)
    transpose_eight<8>(x + i);
  for (unsigned i = 0; i < 64; i += 8)
    transpose_eight<1>(x + i);
}

// The four blocks: lanes of words of 64, in each of several words of the image.
constexpr unsigned ACROSS = LANE_WORDS < 4 ? LANE_WORDS : 4, ALONG = 4 / ACROSS;

} // namespace

#endif
