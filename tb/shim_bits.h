/* SPDX-License-Identifier: Apache-2.0 */
// shim_bits.h - fields of the values that Verilator declares; C++, part of shim.cpp.
#ifndef UT_SHIM_BITS_H
#define UT_SHIM_BITS_H

#include <cstdint>
#include <cstring>

#if UT_SLICED
#include "lane_types.h"
#else
#include "verilated.h"
#endif

namespace {

constexpr unsigned clog2(unsigned n) {
  unsigned bits = 0;
  while ((1u << bits) < n)
    bits++;
  return bits;
}

constexpr uint64_t low_bits(unsigned n) { // of a word; ut_mask_all() is for ports
  return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

// Verilator's types: up to 64 bits a plain integer, above an array of 32-bit words.
template <class T> inline uint64_t get(const T &x, unsigned lo, unsigned width) {
  return (uint64_t)x >> lo & low_bits(width);
}
template <std::size_t N> inline uint64_t get(const VlWide<N> &x, unsigned lo, unsigned width) {
  uint64_t v = 0;
  unsigned word = lo / 32, shift = lo % 32;
  v = x[word] >> shift;
  for (unsigned have = 32 - shift; have < width && word + 1 < N; have += 32)
    v |= (uint64_t)x[++word] << have;
  return v & low_bits(width);
}
// The same for a whole register, in its own type; Verilator keeps the bits above its width 0.
template <class T> inline T all(const T &x, unsigned) {
  return x;
}
template <std::size_t N> inline uint64_t all(const VlWide<N> &x, unsigned width) {
  return get(x, 0, width);
}
// Part n of a register of COUNT parts.
template <unsigned COUNT, unsigned WIDTH, class T> inline auto part(const T &x, unsigned n) {
  if constexpr (COUNT == 1)
    return all(x, WIDTH);
  else
    return get(x, n * WIDTH, WIDTH);
}
template <class T> inline void put(T &x, unsigned lo, unsigned width, uint64_t value) {
  T mask = (T)(((UINT64_C(1) << width) - 1) << lo);
  x = (T)((x & ~mask) | (T)(value << lo));
}
template <std::size_t N> inline void flip_bit(VlWide<N> &x, unsigned bit) {
  x[bit / 32] ^= UINT32_C(1) << bit % 32;
}
template <typename T> inline void flip_bit(T &x, unsigned bit) {
  x = (T)(x ^ (decltype(x + 0))1 << bit);
}
template <std::size_t N> inline void put(VlWide<N> &x, unsigned lo, unsigned width, uint64_t value) {
  for (unsigned b = 0; b < width; b++) {
    EData bit = 1u << (lo + b) % 32;
    x[(lo + b) / 32] = (value >> b & 1) ? x[(lo + b) / 32] | bit : x[(lo + b) / 32] & ~bit;
  }
}
template <std::size_t N> inline void put64(VlWide<N> &x, unsigned word, uint64_t value) {
  std::memcpy(&x[2 * word], &value, 8);
}
inline uint64_t word64(const QData &x, unsigned) {
  return x;
}
template <std::size_t N> inline uint64_t word64(const VlWide<N> &x, unsigned w) {
  uint64_t v;
  std::memcpy(&v, &x[2 * w], 8);
  return v;
}
// The same for a register that need not end with a word.
template <class T> inline uint64_t word(const T &x, unsigned) {
  return x;
}
template <std::size_t N> inline uint64_t word(const VlWide<N> &x, unsigned w) {
  return x[2 * w] | (2 * w + 1 < N ? (uint64_t)x[2 * w + 1] << 32 : 0);
}

} // namespace

#endif
