/* SPDX-License-Identifier: Apache-2.0 */
// shim_memories.h - memories of the lanes of a netlist; C++, part of shim.cpp.
//
// The places of a memory are stored in the image of each lane.  The gates see the front of a memory as inputs: vectors
// that change only in lanes that have advanced, or whose front was written.  For many such lanes whole words are
// transposed, a few lanes are updated bit by bit.
#ifndef UT_SHIM_MEMORIES_H
#define UT_SHIM_MEMORIES_H

#include "shim_transpose.h"

namespace {

constexpr unsigned MEMORIES_AT = UT_IN_WORDS + UT_OUT_WORDS + UT_REGISTER_WORDS;
constexpr unsigned IMAGE_WORDS = MEMORIES_AT + UT_MEMORY_WORDS;

struct Memories {
  uint64_t (*image)[IMAGE_WORDS];
  const ut_lanes *values; // values of flip-flops, followed by the data that is written
  ut_lanes *fronts;

  // One clock of some lanes: writes what the gates write, and shows the fronts that the flip-flops point at now.
  void clock(const ut_lanes *before, const ut_lanes &clocked) const {
    for (unsigned i = 0; i < UT_MEMORIES; i++) {
      const ut_gates_memory &m = ut_gates_memories[i];
      const ut_lanes wrote = values[m.write] & clocked;
      ut_lanes moved = {}, elsewhere = {};
      for (unsigned a = 0; a < m.address; a++) {
        moved |= values[m.read[a]] ^ before[m.read[a]];
        elsewhere |= values[m.read[a]] ^ values[m.write + 1 + a];
      }
      write(m, Lanes(wrote));
      show(m, Lanes(moved | (wrote & ~elsewhere)));
    }
  }
  // Shows all fronts of some lanes.
  void show(const ut_lanes &lanes) const {
    for (unsigned i = 0; i < UT_MEMORIES; i++)
      show(ut_gates_memories[i], Lanes(lanes));
  }
  // Random values, as at power-on.
  static void fill(uint64_t *image, uint64_t seed) {
    for (unsigned i = 0; i < UT_MEMORIES; i++) {
      const ut_gates_memory &m = ut_gates_memories[i];
      for (unsigned place = 0; place < 1u << m.address; place++)
        for (unsigned bit = 0; bit < m.width; bit += 64) {
          seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
          const uint64_t value = (seed ^ seed >> 32) & low_bits(m.width - bit);
          std::memcpy(at(image, m, place) + bit / 8, &value, bytes(m, bit));
        }
    }
  }

private:
  // Up to this many bits of a lane are moved one by one.
  static constexpr unsigned FEW = 256;

  static char *at(uint64_t *image, const ut_gates_memory &m, unsigned place) {
    return reinterpret_cast<char *>(image) + m.at + place * m.size;
  }
  static unsigned bytes(const ut_gates_memory &m, unsigned bit) {
    return m.size - bit / 8 < 8 ? m.size - bit / 8 : 8;
  }
  // Returns the number that a lane has in several vectors.
  static uint64_t number(const ut_lanes *from, unsigned bits, unsigned lane) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
      value |= (uint64_t)has_lane(from[i], lane) << i;
    return value;
  }
  unsigned front(const ut_gates_memory &m, unsigned lane) const {
    unsigned place = 0;
    for (unsigned i = 0; i < m.address; i++)
      place |= (unsigned)has_lane(values[m.read[i]], lane) << i;
    return place;
  }

  // Calls f(word, lanes) for groups of words that contain selected lanes, if there are more than a few.
  template <class F> static void each_group(const ut_gates_memory &m, const Lanes &lanes, F &&f) {
    for (unsigned w = 0; w < LANE_WORDS; w += ACROSS) {
      unsigned count = 0;
      for (unsigned a = 0; a < ACROSS; a++)
        count += (unsigned)__builtin_popcountll(lanes.word[w + a]);
      if (count)
        f(w, count * (m.width < 64 ? m.width : 64) > FEW);
    }
  }
  template <class F> static void each_lane(const Lanes &lanes, unsigned w, F &&f) {
    for (unsigned a = 0; a < ACROSS; a++)
      for (uint64_t rest = lanes.word[w + a]; rest; rest &= rest - 1)
        f(64 * (w + a) + (unsigned)__builtin_ctzll(rest));
  }
  // Of a row or column of Four: which of the words of lanes it is.
  static char *part(Four &x, unsigned a) {
    return reinterpret_cast<char *>(&x) + 8 * ALONG * a;
  }

  void write(const ut_gates_memory &m, const Lanes &lanes) const {
    const ut_lanes *data = values + m.write + 1 + m.address;
    each_group(m, lanes, [&](unsigned w, bool many) {
      for (unsigned bit = 0; bit < m.width; bit += 64) {
        const unsigned bits = m.width - bit < 64 ? m.width - bit : 64;
        Four x[64];
        for (unsigned b = 0; many && b < bits; b++)
          for (unsigned a = 0; a < ACROSS; a++)
            std::memcpy(part(x[b], a), reinterpret_cast<const char *>(&data[bit + b]) + 8 * (w + a), 8);
        if (many) {
          std::memset(static_cast<void *>(x + bits), 0, (64 - bits) * sizeof *x);
          transpose(x);
        }
        each_lane(lanes, w, [&](unsigned lane) {
          uint64_t value;
          if (many)
            std::memcpy(&value, part(x[lane % 64], lane / 64 - w), 8);
          else
            value = number(data + bit, bits, lane);
          const unsigned place = (unsigned)number(values + m.write + 1, m.address, lane);
          std::memcpy(at(image[lane], m, place) + bit / 8, &value, bytes(m, bit));
        });
      }
    });
  }
  void show(const ut_gates_memory &m, const Lanes &lanes) const {
    each_group(m, lanes, [&](unsigned w, bool many) {
      for (unsigned bit = 0; bit < m.width; bit += 64) {
        const unsigned bits = m.width - bit < 64 ? m.width - bit : 64;
        ut_lanes *to = fronts + m.front + bit;
        Four x[64];
        if (many)
          std::memset(static_cast<void *>(x), 0, sizeof x);
        each_lane(lanes, w, [&](unsigned lane) {
          uint64_t value = 0;
          std::memcpy(&value, at(image[lane], m, front(m, lane)) + bit / 8, bytes(m, bit));
          if (many) {
            std::memcpy(part(x[lane % 64], lane / 64 - w), &value, 8);
            return;
          }
          for (unsigned b = 0; b < bits; b++)
            set_lane(to[b], lane, value >> b & 1);
        });
        if (!many)
          continue;
        transpose(x);
        for (unsigned b = 0; b < bits; b++) {
          Lanes words(to[b]);
          for (unsigned a = 0; a < ACROSS; a++) {
            uint64_t value;
            std::memcpy(&value, part(x[b], a), 8);
            words.word[w + a] = (words.word[w + a] & ~lanes.word[w + a]) | (value & lanes.word[w + a]);
          }
          to[b] = words;
        }
      }
    });
  }
};

} // namespace

#endif
