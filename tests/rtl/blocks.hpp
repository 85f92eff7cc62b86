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
#include "directions.h"
#include "reports.h"
#include "steps.h"
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
  void check(unsigned s, const char *what, uint64_t rtl, uint64_t expected) {
    if (rtl == expected)
      return;
    std::printf("%s %s: cycle %llu: %s: RTL 0x%llx, expected 0x%llx\n", block, shape[s].c_str(),
                (unsigned long long)cycle, what, (unsigned long long)rtl, (unsigned long long)expected);
    std::exit(1);
  }
  void check_at(unsigned s, const char *what, unsigned index, uint64_t rtl, uint64_t expected) {
    if (rtl != expected) {
      char text[64];
      snprintf(text, sizeof text, "%s[%u]", what, index);
      check(s, text, rtl, expected);
    }
  }
  int report() {
    for (unsigned s = 0; s < S; s++)
      std::printf("%s %s: %llu cycles equal\n", block, shape[s].c_str(), (unsigned long long)compared[s]);
    top.final();
    return 0;
  }
};

// ---- sets of up to 32 lines

inline uint32_t bit(unsigned n) {
  return UINT32_C(1) << n;
}
inline uint32_t lines(unsigned count) {
  return count < 32 ? bit(count) - 1 : ~UINT32_C(0);
}
inline unsigned lowest(uint32_t set) {
  unsigned n = 0;
  while (n < 32 && !(set >> n & 1))
    n++;
  return n;
}
// The mask of a round-robin arbiter, of which the spec has the pointer: the lines from the pointer on; word: of several
// words of so many lines.
inline uint32_t pointer_mask(unsigned pointer, unsigned count, unsigned word = 0) {
  uint32_t mask = 0;
  for (unsigned n = 0; n < count; n++)
    mask |= (uint32_t)(word * count + n >= pointer) << n;
  return mask;
}

// ---- flits

inline unsigned tag_of(const spec_flit &flit) {
  return (flit.head ? UT_KIND_HEAD : 0) | (flit.tail ? UT_KIND_TAIL : 0) | flit.bad << 2;
}
inline spec_flit flit_of(const uint32_t *data, unsigned words, unsigned tag) {
  spec_flit flit = {};
  memcpy(flit.word, data, 8 * words);
  flit.head = tag & UT_KIND_HEAD;
  flit.tail = tag & UT_KIND_TAIL;
  flit.bad = tag >> 2;
  return flit;
}

// A switch of the spec, whose links' other ends are the bench's, and one cycle of it.
struct Spec : spec_switch {
  spec_inputs wires = {};
  spec_cycle cycle = {};

  explicit Spec(const ut_shape &of) {
    if (!spec_init(this, &of)) {
      std::printf("not enough memory\n");
      std::exit(1);
    }
    cycle.in = &wires;
  }
  Spec(const Spec &) = delete;
  ~Spec() {
    spec_fini(this);
  }
  // A cycle in which nothing has been decided.
  void begin() {
    for (unsigned ip = 0; ip < shape.pi; ip++)
      for (unsigned ivc = 0; ivc < shape.v; ivc++)
        cycle.vc[ip][ivc] = {};
    for (unsigned op = 0; op < shape.po; op++)
      for (unsigned ovc = 0; ovc < shape.v; ovc++)
        cycle.sends[op][ovc] = false;
    discards = 0;
  }
  uint32_t all_in() const {
    return lines(shape.pi);
  }
  uint32_t all_out() const {
    return lines(shape.po);
  }
  uint32_t up() const {
    uint32_t ports = 0;
    for (unsigned op = 0; op < shape.po; op++)
      ports |= (uint32_t)out[op].up << op;
    return ports;
  }
  void set_up(uint32_t ports) {
    for (unsigned op = 0; op < shape.po; op++)
      out[op].up = ports >> op & 1;
  }
  // A property of its algorithm (rtl/algorithms.tsv).
  bool has_vector() const {
    return UT_ALG_VECTOR(shape.route, shape.algorithm);
  }
  bool has_states() const {
    return UT_ALG_STATES(shape.route, shape.algorithm);
  }
  bool has_bubble() const {
    return UT_ALG_BUBBLE(shape.route, shape.algorithm);
  }
  bool has_preferred() const {
    return UT_ALG_PREFERRED(shape.route, shape.algorithm);
  }
  bool rewrites() const {
    return UT_ALG_REWRITES(shape.route, shape.algorithm) || shape.misroute || shape.misroute_hops;
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
  p.vin1_vcs = 1;
  p.min_packet = max_packet;
  return p;
}

#endif
