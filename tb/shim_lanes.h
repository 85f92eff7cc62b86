/* SPDX-License-Identifier: Apache-2.0 */
// shim_lanes.h - switches as lanes of a netlist that was compiled to C (slice/slice.h); C++, part of shim.cpp.
//
// A pack holds as many switches as a vector has bits.  Each switch has an image (struct Root) with its ports and
// registers as Verilator would have them.  A clock of a pack transposes the inputs of all images into vectors,
// evaluates the gates, and transposes the outputs back; registers are transposed only when they are read.  Lanes that
// are not clocked keep the state of their flip-flops.
#ifndef UT_SHIM_LANES_H
#define UT_SHIM_LANES_H

#include <cstdlib>

#include "shim_memories.h"
#include "shim_state.h"

namespace {

static_assert(sizeof(Root) == 8 * IMAGE_WORDS, "an image is its parts");

struct Upset {
  unsigned flip_flop, lane;
};
struct Pack {
  uint64_t image[SEATS][IMAGE_WORDS];
  ut_lanes values[2][UT_VALUES], inputs[64 * UT_IN_WORDS + UT_FRONTS], temporaries[UT_TEMPORARIES];
  ut_lanes held;             // lanes that are not clocked: in reset, or between a reset and their first cycle
  ut_lanes aside;            // lanes whose memories have changed without a clock
  ut_model_watcher *watcher; // or nullptr
  void *watcher_ctx;
  uint32_t first; // argument of the watcher: the number of the switch in lane 0
  unsigned now;   // index into values[]
  unsigned members;
  bool holding;       // any
  bool shown;         // the images' registers are up to date
  bool packed;        // so are those in the comparison (shim_twins.h)
  Upset upset[SEATS]; // of the next clock
  unsigned upsets;

  // Transposes `words` words of each lane into vectors, one for each bit.  stride: words from lane to lane.
  static void gather(const uint64_t *from, unsigned stride, unsigned words, ut_lanes *to) {
    Four x[64];
    for (unsigned at = 0; at < words; at += ALONG)
      for (unsigned w = 0; w < LANE_WORDS; w += ACROSS) {
        for (unsigned i = 0; i < 64; i++)
          for (unsigned a = 0; a < ACROSS; a++)
            std::memcpy(reinterpret_cast<char *>(&x[i]) + 8 * ALONG * a,
                        from + (size_t)(64 * (w + a) + i) * stride + at, 8 * ALONG);
        transpose(x);
        for (unsigned b = 0; b < 64; b++)
          for (unsigned a = 0; a < ACROSS; a++)
            for (unsigned l = 0; l < ALONG; l++)
              std::memcpy(reinterpret_cast<char *>(&to[64 * (at + l) + b]) + 8 * (w + a),
                          reinterpret_cast<char *>(&x[b]) + 8 * (ALONG * a + l), 8);
      }
  }
  // Transposes outputs of the gates back into images; tap: which values.
  void scatter(const uint32_t *tap, unsigned words, uint64_t *to, unsigned stride) const {
    const ut_lanes *v = values[now];
    Four x[64];
    for (unsigned at = 0; at < words; at += ALONG, tap += 64 * ALONG)
      for (unsigned w = 0; w < LANE_WORDS; w += ACROSS) {
        for (unsigned b = 0; b < 64; b++)
          for (unsigned a = 0; a < ACROSS; a++)
            for (unsigned l = 0; l < ALONG; l++)
              std::memcpy(reinterpret_cast<char *>(&x[b]) + 8 * (ALONG * a + l),
                          reinterpret_cast<const char *>(&v[tap[64 * l + b]]) + 8 * (w + a), 8);
        transpose(x);
        for (unsigned i = 0; i < 64; i++)
          for (unsigned a = 0; a < ACROSS; a++)
            std::memcpy(to + (size_t)(64 * (w + a) + i) * stride + at, reinterpret_cast<char *>(&x[i]) + 8 * ALONG * a,
                        8 * ALONG);
      }
  }
  // Updates words first..end-1 of the images, of their outputs and registers.
  void show(unsigned first, unsigned end) {
    scatter(ut_gates_tap + 64 * (first - UT_IN_WORDS), end - first, &image[0][first], IMAGE_WORDS);
  }
  void show_watcher(const ut_lanes &held, bool holding) {
    uint64_t word[LANE_WORDS];
    std::memcpy(word, &held, sizeof word);
    for (unsigned w = 0; w < LANE_WORDS; w++) {
      const unsigned there = members < 64 * w ? 0 : members - 64 * w;
      word[w] = (holding ? ~word[w] : ~UINT64_C(0)) & (there < 64 ? (UINT64_C(1) << there) - 1 : ~UINT64_C(0));
    }
    watcher(watcher_ctx, first, LANE_WORDS, reinterpret_cast<const uint64_t *>(inputs),
            reinterpret_cast<const uint64_t *>(values[now]), word);
  }
  // One clock of all lanes but those in `held`.
  void clock(const ut_lanes &held, bool holding) {
    const ut_lanes *before = values[now];
    ut_lanes *after = values[1 - now];
    gather(image[0], IMAGE_WORDS, UT_IN_WORDS, inputs);
    if (watcher)
      show_watcher(held, holding);
    if (UT_MEMORIES && Lanes(aside).any()) {
      const Memories memories{image, before, inputs + 64 * UT_IN_WORDS};
      memories.show(aside);
      aside = ut_lanes{};
    }
    ut_gates_clock(before, inputs, after, temporaries);
    for (unsigned i = 0; holding && i < UT_FLIP_FLOPS; i++)
      after[i] = (after[i] & ~held) | (before[i] & held);
    for (unsigned i = 0; i < upsets; i++) {
      ut_lanes flip = {};
      set_lane(flip, upset[i].lane, true);
      after[upset[i].flip_flop] ^= flip;
    }
    upsets = 0;
    now = 1 - now;
    if (UT_MEMORIES) {
      const Memories memories{image, after, inputs + 64 * UT_IN_WORDS};
      memories.clock(before, holding ? ~held : ~ut_lanes{});
    }
    ut_gates_show(after, inputs, after + UT_ZERO, temporaries);
    show(UT_IN_WORDS, UT_IN_WORDS + UT_OUT_WORDS);
    shown = packed = false;
  }
  // Sets the lanes whose flip-flops or memories differ from those of lane 0.
  void find_differing(uint64_t *lanes) const {
    ut_lanes found = {};
    for (unsigned i = 0; i < UT_FLIP_FLOPS; i++) {
      uint64_t word;
      std::memcpy(&word, &values[now][i], sizeof word);
      found |= values[now][i] ^ -(word & 1);
    }
    for (unsigned lane = 0; UT_MEMORIES && lane < members; lane++)
      if (std::memcmp(image[lane] + MEMORIES_AT, image[0] + MEMORIES_AT, 8 * UT_MEMORY_WORDS))
        set_lane(found, lane, true);
    std::memcpy(lanes, &found, sizeof found);
  }
};

struct Device {
  static constexpr unsigned TOGETHER = SEATS;
  Pack *pack;
  unsigned lane;

  // The next lane of the pack of `first`, or of a new one.
  bool begin(uint64_t seed, const char *, Device *first) {
    pack = first ? first->pack : static_cast<Pack *>(std::aligned_alloc(64, (sizeof(Pack) + 63) / 64 * 64));
    if (!pack)
      return false;
    if (!first)
      std::memset(static_cast<void *>(pack), 0, sizeof *pack);
    lane = pack->members++;
    for (unsigned i = 0; i < UT_FLIP_FLOPS; i++) { // registers that reset does not initialise start with random values
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      set_lane(pack->values[pack->now][i], lane, seed >> 63);
    }
    if (UT_MEMORIES)
      Memories::fill(pack->image[lane], seed);
    set_lane(pack->aside, lane, true);
    pack->shown = pack->packed = false;
    return true;
  }
  ~Device() {
    if (pack && --pack->members == 0)
      std::free(pack);
  }
  void watch(uint32_t number, ut_model_watcher *f, void *ctx) {
    pack->first = number;
    pack->watcher = f;
    pack->watcher_ctx = ctx;
  }
  void upset(unsigned flip_flop) {
    pack->upset[pack->upsets++] = {flip_flop, lane};
  }
  void restore() {
    for (ut_lanes &value : pack->values[pack->now]) {
      uint64_t word;
      std::memcpy(&word, &value, sizeof word);
      set_lane(value, lane, word & 1);
    }
    std::memcpy(pack->image[lane] + MEMORIES_AT, pack->image[0] + MEMORIES_AT, 8 * UT_MEMORY_WORDS);
    set_lane(pack->aside, lane, true);
    pack->shown = pack->packed = false;
  }
  Root *pins() {
    return reinterpret_cast<Root *>(pack->image[lane]);
  }
  Root *root() {
    if (!pack->shown)
      pack->show(UT_IN_WORDS + UT_OUT_WORDS, MEMORIES_AT);
    pack->shown = true;
    return pins();
  }
  // Flips a bit of a register that an image shows.
  bool flip(const char *path, unsigned bit) {
    Root before = *root(), after = before;
    uint64_t x[IMAGE_WORDS], y[IMAGE_WORDS];
    if (!flip_register(&after, path, bit))
      return false;
    std::memcpy(x, &before, sizeof x);
    std::memcpy(y, &after, sizeof y);
    unsigned w = 0;
    while (x[w] == y[w])
      w++;
    if (w >= MEMORIES_AT) {
      pack->image[lane][w] = y[w];
      set_lane(pack->aside, lane, true);
      return true;
    }
    const uint32_t value = ut_gates_tap[64 * (w - UT_IN_WORDS) + (unsigned)__builtin_ctzll(x[w] ^ y[w])];
    if (value >= UT_FLIP_FLOPS) // synthesis has not made it a flip-flop
      return false;
    set_lane(pack->values[pack->now][value], lane, y[w] >> __builtin_ctzll(x[w] ^ y[w]) & 1);
    pack->shown = pack->packed = false;
    return true;
  }
  void clock_in_reset() {
    ut_lanes others = {};
    others = ~others;
    set_lane(others, lane, false);
    pack->clock(others, true);
    set_lane(pack->held, lane, true);
    pack->holding = true;
  }
  // One clock of a pack, with inputs for these switches.  Inputs of the others stay as they are, except those that last
  // for one cycle.
  static void clock_all(Device *const *devices, unsigned count) {
    Pack *pack = devices[0]->pack;
    for (unsigned i = 0; pack->holding && i < count; i++)
      set_lane(pack->held, devices[i]->lane, false);
    pack->holding = pack->holding && Lanes(pack->held).any();
    pack->clock(pack->held, pack->holding);
    for (unsigned i = 0; i < count; i++) {
      Root *pins = devices[i]->pins();
      pins->in_valid_i = 0;
      pins->config_i = 0;
      std::memset(&pins->out_credit_i, 0, sizeof pins->out_credit_i);
    }
  }
};

} // namespace

#endif
