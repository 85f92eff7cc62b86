// shim_toggles.h - counts how often each net of a netlist toggles; C++, part of shim.cpp.
#ifndef UT_SHIM_TOGGLES_H
#define UT_SHIM_TOGGLES_H

#include <cstdint>
#include <cstring>

#include "shape_gen.h"

namespace {

// Of values that have settled, one set a cycle: a net that rises and falls within a cycle (a glitch) is not seen.
//
// A counter for each bit, in planes: bit i of plane[p] is digit p of the counter of net i.  A word of 64 nets is added
// with two operations a digit, and hardly ever more than two digits change.
template <unsigned WORDS> struct Toggles {
  enum { PLANES = 16, FULL = (1 << PLANES) - 1 };
  uint64_t last[WORDS] = {}, plane[PLANES][WORDS] = {}, sum[WORDS * 64] = {};
  uint64_t cycles = 0;
  unsigned added = 0; // since the planes were empty
  bool known = false; // last[] holds what was before

  void add(unsigned w, uint64_t changed) {
    for (unsigned p = 0; changed; p++) {
      const uint64_t carry = plane[p][w] & changed;
      plane[p][w] ^= changed;
      changed = carry;
    }
  }
  template <class Nets> void sample(const Nets &nets) {
    if (added == FULL)
      empty();
    for (unsigned w = 0; w < WORDS; w++) {
      if (known && nets[w] != last[w])
        add(w, nets[w] ^ last[w]);
      last[w] = nets[w];
    }
    added++;
    cycles += known;
    known = true;
  }
  void empty() {
    for (unsigned p = 0; p < PLANES; p++)
      for (unsigned w = 0; w < WORDS; w++)
        for (uint64_t bits = plane[p][w]; bits; bits &= bits - 1)
          sum[w * 64 + (unsigned)__builtin_ctzll(bits)] += UINT64_C(1) << p;
    std::memset(plane, 0, sizeof plane);
    added = 0;
  }
  void forget() {
    empty();
    std::memset(sum, 0, sizeof sum);
    cycles = 0;
  }
};

} // namespace

#endif
