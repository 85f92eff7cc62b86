/* SPDX-License-Identifier: Apache-2.0 */
// shim_compare.h - compares a Verilated switch with its golden twin, in every cycle; C++, part of shim.cpp.
//
// Registers of one byte, which are most of all, are compared many at a time.  The golden model stores such a register
// of all lanes consecutively, Verilator stores all registers of a lane consecutively.  So the registers of eight golden
// lanes are transposed, and the RTL's bytes that belong to a vector of 16 are picked from between the others.
#ifndef UT_SHIM_COMPARE_H
#define UT_SHIM_COMPARE_H

#include <utility>

#include "shim_state.h"

namespace {

typedef uint8_t Bytes __attribute__((vector_size(16)));
typedef uint8_t Line __attribute__((vector_size(32), aligned(1), may_alias));

// Where the RTL stores the registers of Row; 0: nowhere.
struct Places {
  uint32_t at[ROWS][LANES];
  unsigned bits[ROWS];
};
constexpr Places places = [] {
  Places p{};
#define X(path, width, rtl, golden)
#define B(path, width, name, row, port, vc)                                                                            \
  static_assert(sizeof(Root::UT_MEMBER(name)) == 1, path);                                                             \
  p.at[row][lane_of(port, vc)] = offsetof(Root, UT_MEMBER(name));                                                      \
  p.bits[row] = width;
  EVERY_REGISTER
#undef X
#define PLACE_CAND(i, v) p.at[CAND][lane_of(i, v)] = offsetof(Root, UT_MEMBER(UT_INPUT_VC(i, v, cand_q)));
#define PLACE_TURN(n)                                                                                                  \
  p.at[VC_POINTER][lane_of((n) % UT_PO, (n) / UT_PO)] =                                                                \
      offsetof(Root, UT_MEMBER(UT_VC_OUT(n, UT_IN(u_pointer, pointer_q))));
  if (BYTE_SETS) {
    p.bits[CAND] = UT_V * UT_PO;
    p.bits[VC_POINTER] = UT_V * UT_PI;
    UT_FOR_IP_IVC(PLACE_CAND)
    UT_FOR_OVC_OP_FLAT(PLACE_TURN)
  }
#undef B
  return p;
}();

// The rows from FIRST to END that this elaboration has.  Eight lanes of them are SIZE / 2 vectors, lane after lane.
template <unsigned FIRST, unsigned END> struct Matrix {
  struct Rows {
    unsigned count, row[ROWS];
  };
  static constexpr Rows rows = [] {
    Rows found{};
    for (unsigned r = FIRST; r < END; r++) {
      bool there = false;
      for (uint32_t at : places.at[r])
        there |= at != 0;
      if (there)
        found.row[found.count++] = r;
    }
    return found;
  }();
  static constexpr unsigned SIZE = rows.count <= 8 ? 8 : 16;
  static_assert(rows.count <= 16, "a vector has 16 bytes");

  static UT_ALWAYS uint64_t eight(const View &golden, unsigned i, unsigned lane) {
    return i < rows.count ? golden.eight(rows.row[i], lane) : 0;
  }

  // How the bytes of a vector are fetched from the RTL: the bytes needed of several windows of 16 bytes.
  struct Plan {
    unsigned windows;
    uint32_t at[16];
    uint8_t pick[16][16]; // 0x80: none
    bool holes;           // a lane lacks a register that others have
    uint8_t there[16];
  };
  static constexpr Plan plan(unsigned lane, unsigned vector) {
    Plan p{};
    uint32_t open[16] = {};
    for (unsigned i = 0; i < 16; i++) {
      const unsigned n = lane + (16 * vector + i) / SIZE, row = i % SIZE;
      open[i] = row < rows.count && n < LANES ? places.at[rows.row[row]][n] : 0;
      p.there[i] = open[i] ? 255 : 0;
      p.holes |= !open[i] && row < rows.count;
    }
    for (;; p.windows++) {
      uint32_t at = UINT32_MAX;
      for (uint32_t o : open)
        at = o && o < at ? o : at;
      if (at == UINT32_MAX)
        return p;
      p.at[p.windows] = at = at > sizeof(Root) - 16 ? sizeof(Root) - 16 : at;
      for (unsigned i = 0; i < 16; i++) {
        const bool inside = open[i] && open[i] < at + 16;
        p.pick[p.windows][i] = inside ? open[i] - at : 0x80;
        open[i] = inside ? 0 : open[i];
      }
    }
  }
};

UT_ALWAYS Bytes load16(const uint8_t *bytes) {
  Bytes x;
  std::memcpy(&x, bytes, 16);
  return x;
}
UT_ALWAYS Bytes pick(const uint8_t *window, const uint8_t *which) {
#ifdef __SSSE3__
  typedef char Chars __attribute__((vector_size(16)));
  return (Bytes)__builtin_ia32_pshufb128((Chars)load16(window), (Chars)load16(which));
#else
  Bytes x = {};
  for (unsigned i = 0; i < 16; i++)
    x[i] = which[i] & 0x80 ? 0 : window[which[i]];
  return x;
#endif
}
// Interleaves bytes of x and y: of their lower halves, of their higher halves.
UT_ALWAYS Bytes zip_low(Bytes x, Bytes y) {
  return __builtin_shufflevector(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
UT_ALWAYS Bytes zip_high(Bytes x, Bytes y) {
  return __builtin_shufflevector(x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

template <class M, unsigned LANE, unsigned VECTOR>
UT_ALWAYS void compare_vector(const uint8_t *root, const Bytes &golden, Bytes &found) {
  static constexpr auto plan = M::plan(LANE, VECTOR);
  if constexpr (plan.windows > 0) {
    Bytes rtl = pick(root + plan.at[0], plan.pick[0]);
    for (unsigned w = 1; w < plan.windows; w++)
      rtl |= pick(root + plan.at[w], plan.pick[w]);
    found |= rtl ^ (plan.holes ? golden & load16(plan.there) : golden);
  }
}
template <class M, unsigned LANE, size_t... N>
UT_ALWAYS void compare_eight(const uint8_t *root, const View &golden, Bytes &found, std::index_sequence<N...>) {
  constexpr unsigned HALF = sizeof...(N);
  typedef uint64_t Pair __attribute__((vector_size(16)));
  // Pairs of rows, then pairs of pairs, ...
  Bytes x[HALF] = {zip_low((Bytes)Pair{M::eight(golden, N, LANE)}, (Bytes)Pair{M::eight(golden, N + HALF, LANE)})...};
  UT_UNROLL
  for (unsigned n = 1; n < HALF; n *= 2) {
    Bytes y[HALF];
    UT_UNROLL
    for (unsigned i = 0; i < HALF; i++)
      y[i] = i % 2 ? zip_high(x[i / 2], x[(HALF + i) / 2]) : zip_low(x[i / 2], x[(HALF + i) / 2]);
    std::memcpy(x, y, sizeof x);
  }
  (compare_vector<M, LANE, N>(root, x[N], found), ...);
}
template <class M, size_t... N>
UT_ALWAYS void compare_rows(const uint8_t *root, const View &golden, Bytes &found, std::index_sequence<N...>) {
  (compare_eight<M, 8 * N>(root, golden, found, std::make_index_sequence<M::SIZE / 2>()), ...);
}

// Buffers and queues that are not compared as a whole (UT_WHOLE_BUFFER): places with flits, and empty places in turn.
struct DeepBuffers {
  static constexpr unsigned CHUNKS_IN_ALL = UT_PI * UT_V * TURNS, QUEUE_CHUNKS_IN_ALL = UT_PO * UT_V * QUEUE_CHUNKS;
  unsigned turn, queue_chunk;
  uint8_t look[DEEP ? (LANES + 7) / 8 * 8 : 0]; // not 0: something of this buffer is to be compared

  // turn: position among the empty places, over buffers and TURNS, and over queues and QUEUE_CHUNKS.
  DeepBuffers(const View &golden, unsigned turn) : turn(turn % CHUNKS_IN_ALL), queue_chunk(turn % QUEUE_CHUNKS_IN_ALL) {
    if (!DEEP)
      return;
    for (unsigned n = 0; n < LANES; n += 8) {
      const uint64_t counts = golden.eight(COUNT, n);
      std::memcpy(look + n, &counts, 8);
    }
    look[lane_of(this->turn / TURNS / UT_V, this->turn / TURNS % UT_V)] = 1;
  }
  static unsigned after(unsigned turn) {
    constexpr unsigned chunks = CHUNKS_IN_ALL > QUEUE_CHUNKS_IN_ALL ? CHUNKS_IN_ALL : QUEUE_CHUNKS_IN_ALL;
    return turn + 1 == (chunks > TABLE_PARTS ? chunks : TABLE_PARTS) ? 0 : turn + 1;
  }
  template <class Tag, class Data>
  UT_ALWAYS uint64_t found(const Tag &tag, const Data &data, const View &golden, unsigned i, unsigned v) const {
    return look[lane_of(i, v)] ? look_into(tag, data, golden, i, v) : 0;
  }
  template <class Tag, class Data>
  uint64_t found_in_queue(const Tag &tag, const Data &data, const View &golden, unsigned o, unsigned w) const {
    constexpr unsigned depth = UT_OUTPUT_DEPTH;
    const Queue queue(golden, o, w);
    if (!QUEUE_DEEP)
      return differ<depth>(tag, data, queue, 0, depth);
    uint64_t found =
        differ<depth>(tag, data, queue, ut_at_queue_rd(golden, o, w, form), ut_at_queue_count(golden, o, w, form));
    if (o * UT_V + w == queue_chunk / QUEUE_CHUNKS)
      found |= differ<depth>(tag, data, queue, queue_chunk % QUEUE_CHUNKS * WHOLE, WHOLE);
    return found;
  }
  template <unsigned DEPTH, class Tag, class Data, class Golden>
  static uint64_t differ(const Tag &tag, const Data &data, const Golden &golden, unsigned first, unsigned count) {
    uint64_t found = 0;
    for (unsigned d = first; count; count--, d = d + 1 == DEPTH ? 0 : d + 1) {
      found |= tag[d] ^ golden.tag(d);
      for (unsigned w = 0; w < UT_WORDS; w++)
        found |= word64(data[d], w) ^ golden.data(d)[w];
    }
    return found;
  }

private:
  template <class Tag, class Data>
  __attribute__((noinline)) uint64_t look_into(const Tag &tag, const Data &data, const View &golden, unsigned i,
                                               unsigned v) const {
    const Buffer buffer(golden, i, v);
    uint64_t found = differ<UT_DEPTH>(tag, data, buffer, ut_at_rd(golden, i, v, form), ut_at_count(golden, i, v, form));
    if (i * UT_V + v == turn / TURNS)
      found |= differ<UT_DEPTH>(tag, data, buffer, turn % TURNS * WHOLE, WHOLE);
    return found;
  }
};

// Accumulates differences of all registers that are no Row; bits of one-bit registers separately.
struct Comparison {
  static constexpr bool EACH = false;
  DeepBuffers deep;
  unsigned table_part, written; // of a large table (UT_WHOLE_TABLE): what is compared, and the entry that was written
  unsigned bits = 0;
  uint64_t longs = 0;
  Bytes bytes = {};
  Line lines = {};

  Comparison(const View &golden, unsigned turn, uint64_t word)
      : deep(golden, turn), table_part(TABLE_PARTS ? turn % TABLE_PARTS : 0),
        written(ut_config_write(word) && ut_config_kind(word) == UT_CONFIG_KIND_ENTRY
                    ? ut_table_row(UT_SHAPE, ut_config_bank(word), ut_config_in_vc(word)) * UT_DESTINATIONS +
                          ut_config_dst(word)
                    : ENTRIES) {
  }
  uint64_t found() const {
    uint64_t words[6], all = (bits & 1) | longs;
    std::memcpy(words, &lines, 32);
    std::memcpy(words + 4, &bytes, 16);
    for (uint64_t word : words)
      all |= word;
    return all;
  }

  template <class T, class U> UT_ALWAYS void operator()(const char *, unsigned width, const T &rtl, const U &golden) {
    if (width == 1)
      add(bits, (unsigned)all(rtl, width) ^ (unsigned)golden);
    else
      add(longs, (uint64_t)all(rtl, width) ^ (uint64_t)golden);
  }
  template <class T> UT_ALWAYS void flit(const char *, const T &rtl, const uint64_t *golden) {
    for (unsigned w = 0; w < UT_WORDS; w++)
      add(longs, word64(rtl, w) ^ golden[w]);
  }
  template <unsigned COUNT, unsigned WIDTH, class T>
  UT_ALWAYS void parts(const char *, const T &rtl, const Sets &golden) {
    constexpr unsigned WORDS = (COUNT * WIDTH + 63) / 64;
    uint64_t packed[WORDS] = {};
    pack<COUNT, WIDTH>(golden.set, packed);
    for (unsigned w = 0; w < WORDS; w++)
      add(longs, word(rtl, w) ^ packed[w]);
  }
  template <class Table> UT_ALWAYS void table(const char *, const Table &rtl, const uint16_t *golden) {
    const unsigned first = TABLE_PARTS > 1 ? table_part * UT_WHOLE_TABLE : 0;
    const unsigned end = TABLE_PARTS > 1 && ENTRIES - first > UT_WHOLE_TABLE ? first + UT_WHOLE_TABLE : ENTRIES;
    uint16_t found = 0;
    for (unsigned d = first; d < end; d++)
      found |= rtl[d] ^ golden[d];
    if (TABLE_PARTS > 1 && written < ENTRIES)
      found |= rtl[written] ^ golden[written];
    add(longs, (uint64_t)found);
  }
  template <class Groups> UT_ALWAYS void groups(const char *, const Groups &rtl, const ut_mask *golden) {
    uint64_t found = 0;
    for (unsigned i = 0; i < UT_GROUPS; i++)
      found |= (uint64_t)rtl[i] ^ golden[i];
    add(longs, found);
  }
  template <class Map> UT_ALWAYS void vc_map(const char *, const Map &rtl, const ut_mask *golden) {
    uint64_t found = 0;
    for (unsigned i = 0; i < (UT_VC_MAP + UT_V) * UT_V; i++)
      found |= (uint64_t)part<UT_V, UT_PO>(rtl[i / UT_V], i % UT_V) ^ golden[i];
    add(longs, found);
  }
  template <class Tag, class Data>
  UT_ALWAYS void buffer(const char *, const char *, const Tag &tag, const Data &data, const View &golden, unsigned i,
                        unsigned v) {
    if constexpr (DEEP) {
      longs |= deep.found(tag, data, golden, i, v);
    } else if constexpr (UT_GATE && !UT_SLICED) {
      longs |= DeepBuffers::differ<UT_DEPTH>(tag, data, Buffer(golden, i, v), 0, UT_DEPTH);
    } else {
      memory<sizeof data>(&data, golden.payload.data[lane_of(i, v)]);
      memory<sizeof tag>(&tag, golden.payload.tag[lane_of(i, v)]);
    }
  }
  template <class Tag, class Data>
  UT_ALWAYS void queue(const char *, const char *, const Tag &tag, const Data &data, const View &golden, unsigned o,
                       unsigned w) {
    longs |= deep.found_in_queue(tag, data, golden, o, w);
  }

private:
  // One after the other: otherwise the compiler loads hundreds of registers first, and runs out of processor registers.
  template <class T> static UT_ALWAYS void add(T &found, T difference) {
    found |= difference;
    __asm__("" : "+r"(found));
  }

  // The first COUNT masks of a set, each of WIDTH of PORTS ports, packed together.
  template <unsigned COUNT, unsigned WIDTH, unsigned WORDS>
  static UT_ALWAYS void pack(const ut_set &set, uint64_t (&packed)[WORDS]) {
    constexpr unsigned IN_WORD = 64 / PORTS;
    UT_UNROLL
    for (unsigned first = 0; first < COUNT; first += IN_WORD) {
      const unsigned masks = COUNT - first < IN_WORD ? COUNT - first : IN_WORD, at = first * WIDTH;
      const uint64_t bits = side_by_side<WIDTH>(set.w[first / IN_WORD], masks);
      packed[at / 64] |= bits << at % 64;
      if (at % 64 + masks * WIDTH > 64)
        packed[at / 64 + 1] |= bits >> (64 - at % 64);
    }
  }
  template <unsigned WIDTH> static UT_ALWAYS uint64_t side_by_side(uint64_t set, unsigned masks) {
    uint64_t bits = 0;
    UT_UNROLL
    for (unsigned n = 0; n < masks; n++)
      bits |= (set >> n * PORTS & ut_mask_all(WIDTH)) << n * WIDTH;
    return bits;
  }

  template <unsigned SIZE> UT_ALWAYS void memory(const void *rtl, const void *golden) {
    const uint8_t *a = static_cast<const uint8_t *>(rtl), *b = static_cast<const uint8_t *>(golden);
    unsigned n = 0;
    for (; n + 32 <= SIZE; n += 32)
      lines |= *(const Line *)(a + n) ^ *(const Line *)(b + n);
    for (; n < SIZE; n += 8) {
      uint64_t x = 0, y = 0;
      std::memcpy(&x, a + n, SIZE - n < 8 ? SIZE % 8 : 8);
      std::memcpy(&y, b + n, SIZE - n < 8 ? SIZE % 8 : 8);
      add(longs, x ^ y);
    }
  }
};

// Returns 0 if all registers are equal; advances `turn`.
uint64_t compare_registers(Root *root, Payload &p, unsigned &turn, const ut_group *g, ut_switch *s) {
  const View golden(g, s, p);
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(root);
  constexpr auto eights = std::make_index_sequence<(LANES + 7) / 8>();
  take_over(p, golden, Nobody());
  turn = DeepBuffers::after(turn);
  Comparison c(golden, turn, root->config_i);
  compare_rows<Matrix<0, INPUT_ROWS>>(bytes, golden, c.bytes, eights);
  compare_rows<Matrix<INPUT_ROWS, ROWS>>(bytes, golden, c.bytes, eights);
  visit(root, golden, g, s, c);
  visit_outputs(root, golden, c);
  return c.found();
}

} // namespace

#endif
