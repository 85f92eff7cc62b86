/* SPDX-License-Identifier: Apache-2.0 */
// lane_types.h - the types that Verilator declares values with, for a class that is none of Verilator's; C++, part of
// shim.cpp.
#ifndef UT_LANE_TYPES_H
#define UT_LANE_TYPES_H

#include <cstddef>
#include <cstdint>

typedef uint8_t CData;
typedef uint16_t SData;
typedef uint32_t IData, EData;
typedef uint64_t QData;

template <std::size_t N> struct VlWide {
  EData word[N];
  EData &operator[](std::size_t i) {
    return word[i];
  }
  const EData &operator[](std::size_t i) const {
    return word[i];
  }
};

#endif
