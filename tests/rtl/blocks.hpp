// blocks.hpp - what the block tests share: one Verilated wrapper that holds a block in S shapes, random stimulus,
// comparison.
//
// Every shape has IN words of 32 bits of stimulus and OUT words of results; a field starts at a word of its own.
// A cycle: set in(s), settle(), compare combinational outputs, clock(), compare registers.
#ifndef UT_BLOCKS_HPP
#define UT_BLOCKS_HPP

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "verilated.h"

extern "C" {
#include "algorithms.h"
#include "golden.h"
#include "route_unit.h"
}

enum { CYCLES = 20000 };

// xorshift64*, with its published multiplier; the first state may be any but 0.
struct Random {
  uint64_t state = 0x9e3779b97f4a7c15;
  uint32_t word() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state * 0x2545f4914f6cdd1d) >> 32);
  }
  uint64_t word64() {
    uint64_t high = word();
    return high << 32 | word();
  }
  unsigned below(unsigned n) {
    return (unsigned)((uint64_t)word() * n >> 32);
  }
  bool chance(unsigned percent) {
    return below(100) < percent;
  }
  // A mask in which each bit is set at 0, 1/4, 1/2, 3/4 or 1.
  uint32_t mask() {
    switch (below(8)) {
    case 0: return 0;
    case 1: return ~0u;
    case 2:
    case 3: return word() & word();
    case 4:
    case 5: return word() | word();
    default: return word();
    }
  }
};

template <class Top, unsigned S, unsigned IN, unsigned OUT> struct Bench {
  Top top;
  Random random;
  const char *block;
  std::string shape[S];
  uint64_t compared[S] = {}, cycle = 0;

  explicit Bench(const char *name) : block(name) {
    static_assert(sizeof top.in_i == S * IN * 4 && sizeof top.out_o == S * OUT * 4, "the wrapper has other widths");
    top.clk_i = 0;
    std::memset(&top.in_i[0], 0, sizeof top.in_i);
  }
  uint32_t *in(unsigned s) {
    return &top.in_i[s * IN];
  }
  const uint32_t *out(unsigned s) {
    return &top.out_o[s * OUT];
  }
  void settle() {
    top.eval();
  }
  void clock() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    cycle++;
  }
  void name(unsigned s, const char *format, ...) {
    char text[96];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    shape[s] = text;
  }
  void check(unsigned s, const char *what, uint64_t rtl, uint64_t golden) {
    if (rtl == golden)
      return;
    std::printf("%s %s: cycle %llu: %s: RTL 0x%llx, golden model 0x%llx\n", block, shape[s].c_str(),
                (unsigned long long)cycle, what, (unsigned long long)rtl, (unsigned long long)golden);
    std::exit(1);
  }
  void check_at(unsigned s, const char *what, unsigned index, uint64_t rtl, uint64_t golden) {
    if (rtl != golden) {
      char text[64];
      snprintf(text, sizeof text, "%s[%u]", what, index);
      check(s, text, rtl, golden);
    }
  }
  int report() {
    for (unsigned s = 0; s < S; s++)
      std::printf("%s %s: %llu cycles equal\n", block, shape[s].c_str(), (unsigned long long)compared[s]);
    top.final();
    return 0;
  }
};

// A golden switch; its links' other ends are the bench's.
struct Golden : golden {
  explicit Golden(const ut_shape &shape) {
    if (ut_shape_rule(&shape) || !golden_start(this, &shape)) {
      std::printf("illegal shape: %s\n", ut_shape_rule(&shape));
      std::exit(1);
    }
  }
  Golden(const Golden &) = delete;
  ~Golden() {
    golden_stop(this);
  }
  // A reset leaves the memories alone, but not where they are in a ring: the golden model takes them over from the RTL
  // (adopt in tb/shim.h), here from itself.
  void reset(uint64_t straps) {
    const unsigned v = g.shape.v, depth = g.shape.depth, size = g.form.words + 1;
    uint64_t *flits = new uint64_t[g.shape.pi * v * depth * size], *f = flits;
    for (unsigned i = 0; i < g.shape.pi * v * depth; i++, f += size)
      memcpy(f, ut_reg_place(&g, s, i / (v * depth), i / depth % v, i % depth), size * sizeof *f);
    golden_reset(this, straps);
    f = flits;
    for (unsigned i = 0; i < g.shape.pi * v * depth; i++, f += size)
      ut_set_place(&g, s, i / (v * depth), i / depth % v, i % depth, f);
    delete[] flits;
  }
  // The last input ports go first in allocation.
  void put_first(unsigned local) {
    g.form.local_first = local;
    g.local_in = g.all_in & ~ut_mask_all(g.shape.pi - local);
  }
};

// Fat-tree shape with 2k ports.
inline ut_shape shape_of(unsigned ports, unsigned v, unsigned depth, unsigned max_packet, unsigned algorithm = 0) {
  ut_shape p = {};
  p.pi = p.po = ports;
  p.v = v;
  p.depth = depth;
  p.w = 64;
  p.max_packet = max_packet;
  p.algorithm = algorithm;
  p.alloc_cycles = 1;
  p.escapes = 1;
  p.links = 1;
  p.min_packet = max_packet;
  return p;
}

#endif
