// shim_state.h - the registers of the Verilated switch beside those of the golden one: compared, reported, copied,
// flipped; C++, part of shim.cpp.  Which registers there are: state_map.h.
#ifndef UT_SHIM_STATE_H
#define UT_SHIM_STATE_H

#include <cstdio>
#include <cstring>
#include <string>

#include "Vut_switch___024root.h"
#include "registers.h"
#include "shape_gen.h"
#include "shim.h"
#include "shim_bits.h"
#include "state_map.h"

#define UT_REWRITES (UT_ALG_REWRITES(UT_ROUTE, UT_ALGORITHM) || UT_MISROUTE)

namespace {

using Root = Vut_switch___024root;

constexpr unsigned UT_CW = clog2(UT_DEPTH + 1);
constexpr unsigned UT_AW = UT_DEPTH > 1 ? clog2(UT_DEPTH) : 1;
constexpr unsigned VW = UT_V > 1 ? clog2(UT_V) : 1;
constexpr unsigned TABLE_BITS = 1 + clog2(UT_PO) + (UT_V > 1 ? clog2(UT_V) : 0); // of an entry
#if UT_V > 1
constexpr unsigned NX = UT_XBAR ? UT_V : 1; // words of an output's requests at the switch allocator
#endif

#if UT_GATE
// The words of a memory (tb/state_map.h).
template <class T> struct Memory {
  const T *const *wire;
  const T &operator[](unsigned d) const {
    return *wire[d];
  }
};
template <class T> Memory(const T *const *) -> Memory<T>;
#endif

// Parts of a deep buffer, see UT_WHOLE_BUFFER.
constexpr unsigned WHOLE = UT_WHOLE_BUFFER, TURNS = (UT_DEPTH + WHOLE - 1) / WHOLE;

constexpr ut_form form = ut_form_of(UT_SHAPE); // what the golden registers' places depend on

// Golden registers of a switch as the RTL has them, bytes by lane from its first one on: what the golden model derives
// from its positions and sets.
struct View : ut_site {
  static constexpr unsigned LANES = 1u << form.each_bits, SPACE = (LANES + 7) / 8 * 8;
  uint8_t bits[UT_SETS][SPACE]; // 0 or 1, of those that has_bits() names
  uint8_t state[SPACE], rd[LANES], wr[LANES], count[LANES];
  const uint8_t *owed, *credits, *wait;
  const uint64_t *ring; // of its first lane

  inline __attribute__((always_inline)) View(const ut_group *g, const ut_switch *s) : ut_site(ut_site_of(g, s)) {
    for (unsigned n = 0; n < SPACE; n += 8) { // a number of three bits for each of eight lanes
      const uint64_t states = eight(UT_S_ROUTING, n) * UT_VC_STATE_ROUTING |
                              eight(UT_S_WAITING, n) * UT_VC_STATE_WAITING |
                              eight(UT_S_ACTIVE, n) * UT_VC_STATE_ACTIVE | eight(UT_S_DRAIN, n) * UT_VC_STATE_DRAIN;
      std::memcpy(state + n, &states, 8);
      for (unsigned r = 0; r < UT_SETS; r++)
        if (has_bits(r)) {
          const uint64_t ones = eight(r, n);
          std::memcpy(bits[r] + n, &ones, 8);
        }
    }
    for (unsigned n = 0; n < LANES; n++) {
      const unsigned from = ut_position_at(UT_IN_BLOCK(void, b, form.at_rd), base + n, form.wide);
      const unsigned to = ut_position_at(wires->write, b->lane + base + n, form.wide);
      rd[n] = (uint8_t)(from < UT_DEPTH ? from : from - UT_DEPTH);
      wr[n] = (uint8_t)(to < UT_DEPTH ? to : to - UT_DEPTH);
      count[n] = (uint8_t)ut_position_count(from, to, UT_DEPTH);
    }
    owed = UT_IN_BLOCK(uint8_t, b, form.at_owed) + base;
    credits = UT_IN_BLOCK(uint8_t, b, form.at_credits) + base;
    wait = UT_IN_BLOCK(uint8_t, b, form.at_wait) + base;
    ring = wires->ring + (b->lane + base) * (size_t)form.ring;
  }
  // Sets of registers of one bit for each VC.
  static constexpr bool has_bits(unsigned r) {
    return r == UT_S_OPEN || r == UT_S_CREDIT || r == UT_S_IN_UP || r == UT_S_OWNED ||
           (r == UT_S_CUT && UT_SWITCHING) || (r == UT_S_DEPENDS && form.vector) ||
           (r == UT_S_PROMOTED && form.strips) || (r == UT_S_OLD && form.states);
  }
  uint64_t from(unsigned r, unsigned n) const {
    return ut_register(b, (enum ut_register)r, form)[(base + n) / 64] >> (base + n) % 64;
  }
  // Bits of eight lanes as bytes.
  uint64_t eight(unsigned r, unsigned n) const {
    const uint64_t each = (from(r, n) & 255) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
  }
  static constexpr unsigned lane(unsigned port, unsigned vc) {
    return vc << form.port_bits | port;
  }
  ut_mask ports(unsigned r) const { // any of their VCs
    ut_mask any = 0;
    for (unsigned v = 0; v < UT_V; v++)
      any |= (ut_mask)from(r, lane(0, v)) & ut_mask_all(1u << form.port_bits);
    return any;
  }
};

// The n-th set of an array of the golden model: one mask over ports for each VC.
struct Sets {
  ut_set set;
  ut_mask operator[](unsigned n) const {
    const unsigned lane = n << form.port_bits;
    return (ut_mask)(set.w[lane / 64] >> lane % 64) & ut_mask_all(1u << form.port_bits);
  }
};
#define UT_SETS_OF(array, n)                                                                                           \
  Sets {                                                                                                               \
    ut_set_load(UT_IN_BLOCK(void, AT.b, form.array), n, form)                                                          \
  }

// The places of a buffer of the golden model: words, then tag and VC.
struct Ring {
  const uint64_t *half[2]; // places below and from `turn` on
  unsigned turn;
  inline __attribute__((always_inline)) Ring(const View &at, unsigned i, unsigned v) {
    const uint64_t *ring = at.ring + View::lane(i, v) * (size_t)form.ring;
    const size_t whole = UT_DEPTH * (UT_WORDS + 1), late = ut_at_write(at, i, v, form) < UT_DEPTH ? 0 : whole;
    turn = at.wr[View::lane(i, v)];
    half[0] = ring + late;
    half[1] = ring + (whole - late);
  }
  const uint64_t *operator[](unsigned place) const {
    return half[place >= turn] + place * (UT_WORDS + 1);
  }
};

// Calls f(path, width, rtl, golden) for every register, f.parts() for one that holds a mask for each VC, and f.buffer()
// for the places of a buffer.  The golden side of an absent mechanism is never read.
template <class F>
inline __attribute__((always_inline)) void visit(Root *root, const ut_group *G, ut_switch *S, F &&f) {
  const View AT(G, S);
#define X(path, width, rtl, golden) f(path, width, all(rtl, width), golden);
  UT_STATE_SWITCH(X)
  UT_STATE_FAMILY(X)
#define PER_IN(i) UT_STATE_IN(X, i)
  UT_FOR_IP(PER_IN)
#if UT_V > 1
#define PER_IN_ARBITER(i) UT_STATE_IN_ARBITERS(X, i)
  UT_FOR_IP(PER_IN_ARBITER)
#if UT_XBAR == 0
#define PER_IN_XBAR(i) UT_STATE_IN_XBAR(X, i)
  UT_FOR_IP(PER_IN_XBAR)
#endif
#endif
#define PER_VC(i, v) UT_STATE_VC(X, i, v)
  UT_FOR_IP_IVC(PER_VC)
#if UT_SWITCHING
#define PER_VC_CUT(i, v) UT_STATE_VC_CUT(X, i, v)
  UT_FOR_IP_IVC(PER_VC_CUT)
#endif
#if UT_ESCAPES > 1
#define PER_VC_STRIP(i, v) UT_STATE_VC_STRIP(X, i, v)
  UT_FOR_IP_IVC(PER_VC_STRIP)
#endif
#if UT_ROUTE_CYCLES > 2
#define PER_VC_WAIT(i, v) UT_STATE_VC_WAIT(X, i, v)
  UT_FOR_IP_IVC(PER_VC_WAIT)
#endif
#if UT_ALG_VECTOR(UT_ROUTE, UT_ALGORITHM)
#define PER_VC_DEPENDS(i, v) UT_STATE_VC_DEPENDS(X, i, v)
  UT_FOR_IP_IVC(PER_VC_DEPENDS)
#endif
#if UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM)
#define PER_VC_PURGE(i, v) UT_STATE_VC_PURGE(X, i, v)
  UT_FOR_IP_IVC(PER_VC_PURGE)
#endif
#if UT_REWRITES
#define PER_VC_REWRITE(i, v) UT_STATE_VC_REWRITE(X, i, v)
  UT_FOR_IP_IVC(PER_VC_REWRITE)
#endif
#define PER_OUT(o) UT_STATE_OUT(X, o)
  UT_FOR_OP(PER_OUT)
#define PER_OVC(o, w) UT_STATE_OVC(X, o, w)
  UT_FOR_OP_OVC(PER_OVC)
#undef X
  // Vectors over (ovc,op) and (ivc,ip), buffers and output registers: compared word by word.
#define PER_CAND(i, v)                                                                                                 \
  f.template parts<UT_V, UT_PO>("in" #i ".vc" #v ".cand_q", UT_R(UT_INPUT_VC(i, v, cand_q)),                           \
                                UT_SETS_OF(at_cand, ut_at_lane(AT, i, v, form)));
  UT_FOR_IP_IVC(PER_CAND)
#if UT_ALG_BUBBLE(UT_ROUTE, UT_ALGORITHM)
#define PER_BUBBLE(i, v)                                                                                               \
  f.template parts<UT_V, UT_PO>("in" #i ".vc" #v ".bubble_q", UT_R(UT_INPUT_VC(i, v, UT_IN(g_bubble, bubble_q))),      \
                                UT_SETS_OF(at_bubble, ut_at_lane(AT, i, v, form)));
  UT_FOR_IP_IVC(PER_BUBBLE)
#endif
#if UT_ALG_PREFERRED(UT_ROUTE, UT_ALGORITHM)
#define PER_PREFERRED(i, v)                                                                                            \
  f.template parts<UT_V, UT_PO>("in" #i ".vc" #v ".preferred_q",                                                       \
                                UT_R(UT_INPUT_VC(i, v, UT_IN(g_preferred, preferred_q))),                              \
                                UT_SETS_OF(at_preferred, ut_at_lane(AT, i, v, form)));
  UT_FOR_IP_IVC(PER_PREFERRED)
#endif
#define PER_FIFO(i, v)                                                                                                 \
  {                                                                                                                    \
    UT_MEMORY(tag, UT_SLOTS, UT_INPUT_VC(i, v, UT_IN(u_fifo, tag_q)))                                                  \
    UT_MEMORY(data, UT_SLOTS, UT_INPUT_VC(i, v, UT_IN(u_fifo, data_q)))                                                \
    f.buffer("in" #i ".vc" #v ".fifo.tag_q", "in" #i ".vc" #v ".fifo.data_q", tag, data, Ring(AT, i, v),               \
             (i)*UT_V + (v), UT_BYTE(rd, i, v), UT_BYTE(count, i, v));                                                 \
  }
  UT_FOR_IP_IVC(PER_FIFO)
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
#define PER_TABLE(i)                                                                                                   \
  {                                                                                                                    \
    UT_MEMORY(table, UT_ENTRIES, UT_ROUTE_UNIT(i, table_q))                                                            \
    for (unsigned d = 0; d < UT_V * UT_DESTINATIONS; d++)                                                              \
      f("in" #i ".table_q", TABLE_BITS, table[d], ut_table_of(G, S, i, 0)[d]);                                         \
  }
  UT_FOR_IP(PER_TABLE)
#endif
#define PER_REGISTER(o)                                                                                                \
  {                                                                                                                    \
    const uint64_t *flit = ut_at_flit(AT, o, form);                                                                    \
    f("out" #o ".tag_q", 3, (uint8_t)(UT_R(UT_OUTPUT(o, kind_q)) | UT_R(UT_OUTPUT(o, bad_q)) << 2),                    \
      (uint8_t)flit[UT_WORDS]);                                                                                        \
    f("out" #o ".vc_q", VW, (uint8_t)UT_R(UT_OUTPUT(o, vc_q)), (uint8_t)ut_flit_vc(flit[UT_WORDS]));                   \
    for (unsigned w = 0; w < UT_WORDS; w++)                                                                            \
      f("out" #o ".data_q", 64, word64(UT_R(UT_OUTPUT(o, data_q)), w), flit[w]);                                       \
  }
  UT_FOR_OP(PER_REGISTER)
#if UT_V > 1
#define PER_OUT_ARBITER(o)                                                                                             \
  f.template parts<NX, UT_PI>("out" #o ".switch_arbiter.mask_q",                                                       \
                              UT_R(UT_SWITCH_OUT(o, UT_IN(g_owner, UT_IN(u_arbiter, UT_IN(g_mask, mask_q))))),         \
                              UT_SETS_OF(at_sa, AT.gate + (o)));
  UT_FOR_OP(PER_OUT_ARBITER)
#endif
#define PER_ARBITER(n)                                                                                                 \
  f.template parts<UT_V, UT_PI>("vc_arbiter" #n ".mask_q",                                                             \
                                UT_R(UT_VC_OUT(n, UT_IN(u_arbiter, UT_IN(g_mask, mask_q)))),                           \
                                UT_SETS_OF(at_va, ut_at_lane(AT, (n) % UT_PO, (n) / UT_PO, form)));
  UT_FOR_OVC_OP_FLAT(PER_ARBITER)
}

// Calls f(path of tags, path of flits, ...) for every place of a buffer: tags first, so that places of one path are
// counted through.
template <class F, class Tag, class Data>
inline __attribute__((always_inline)) void every_place(const char *tags, const char *flits, const Tag &tag,
                                                       const Data &data, const Ring &golden, F &&f) {
  for (unsigned d = 0; d < UT_DEPTH; d++)
    f(tags, 3, tag[d], (uint8_t)golden[d][UT_WORDS]);
  for (unsigned d = 0; d < UT_DEPTH * UT_WORDS; d++)
    f(flits, 64, word64(data[d / UT_WORDS], d % UT_WORDS), golden[d / UT_WORDS][d % UT_WORDS]);
}

// A visitor of each part and place by itself.
template <class F> struct Each : F {
  template <unsigned COUNT, unsigned WIDTH, class T> void parts(const char *path, const T &rtl, const Sets &golden) {
    for (unsigned n = 0; n < COUNT; n++)
      static_cast<F &> (*this)(path, WIDTH, part<COUNT, WIDTH>(rtl, n), golden[n] & ut_mask_all(WIDTH));
  }
  template <class Tag, class Data>
  void buffer(const char *tags, const char *flits, const Tag &tag, const Data &data, const Ring &golden, unsigned,
              unsigned, unsigned) {
    every_place(tags, flits, tag, data, golden, static_cast<F &>(*this));
  }
};
template <class F> Each(F) -> Each<F>;

// Accumulates differences, bits of one-bit registers apart.
struct Comparison {
  uint64_t longs = 0;
  uint8_t bytes = 0;
  unsigned bits = 0, turn = 0;
  template <class A, class B>
  inline __attribute__((always_inline)) void operator()(const char *, unsigned width, const A &rtl, const B &golden) {
    if (sizeof rtl == 1 && sizeof golden == 1)
      add(bytes, (uint8_t)(rtl ^ golden));
    else if (width == 1)
      add(bits, (unsigned)rtl ^ (unsigned)golden);
    else
      add(longs, (uint64_t)rtl ^ (uint64_t)golden);
  }
  // One after the other: else the compiler loads hundreds of registers first, and has no room for them.
  template <class T> static inline __attribute__((always_inline)) void add(T &found, T difference) {
    found |= difference;
    __asm__("" : "+r"(found));
  }
  // Out of line, because there are many of them and together they would be more than the instruction cache holds.
  template <unsigned COUNT, unsigned WIDTH, class T>
  inline __attribute__((always_inline)) void parts(const char *path, const T &rtl, const Sets &golden) {
    if constexpr (COUNT == 1)
      (*this)(path, WIDTH, part<1, WIDTH>(rtl, 0), golden[0] & ut_mask_all(WIDTH));
    else
      longs |= parts_differ<COUNT, WIDTH>(rtl, golden);
  }
  template <unsigned COUNT, unsigned WIDTH, class T>
  static __attribute__((noinline)) uint64_t parts_differ(const T &rtl, const Sets &golden) {
    uint64_t found = 0;
    if constexpr (COUNT * WIDTH <= 64) {
      for (unsigned n = 0; n < COUNT; n++) /* ports that are not there have a lane, too */
        found |= (uint64_t)(golden[n] & ut_mask_all(WIDTH)) << n * WIDTH;
      return found ^ all(rtl, COUNT * WIDTH);
    }
    for (unsigned n = 0; n < COUNT; n++)
      found |= part<COUNT, WIDTH>(rtl, n) ^ (golden[n] & ut_mask_all(WIDTH));
    return found;
  }
  template <class Tag, class Data>
  inline __attribute__((always_inline)) void buffer(const char *tags, const char *flits, const Tag &tag,
                                                    const Data &data, const Ring &golden, unsigned number,
                                                    unsigned first, unsigned count) {
    if (UT_DEPTH <= WHOLE) {
      every_place(tags, flits, tag, data, golden, *this);
      return;
    }
    if (count)
      longs |= places_differ(tag, data, golden, first, count);
    if (number == turn / TURNS)
      longs |= places_differ(tag, data, golden, turn % TURNS * WHOLE, WHOLE);
  }
  template <class Tag, class Data>
  static __attribute__((noinline)) uint64_t places_differ(const Tag &tag, const Data &data, const Ring &golden,
                                                          unsigned first, unsigned count) {
    uint64_t found = 0;
    for (unsigned d = first; count; count--, d = d + 1 == UT_DEPTH ? 0 : d + 1) {
      const uint64_t *flit = golden[d];
      found |= tag[d] ^ (uint8_t)flit[UT_WORDS];
      for (unsigned w = 0; w < UT_WORDS; w++)
        found |= word64(data[d], w) ^ flit[w];
    }
    return found;
  }
  uint64_t found() const {
    return bytes | (bits & 1) | longs;
  }
};

// 0: all registers equal.  turn: of the empty places, over buffers and TURNS; moves on.
uint64_t compare_registers(Root *root, unsigned &turn, const ut_group *g, ut_switch *s) {
  Comparison c;
  if (UT_DEPTH > WHOLE) {
    c.turn = turn = turn + 1 == UT_PI * UT_V * TURNS ? 0 : turn + 1;
  }
  visit(root, g, s, c);
  return c.found();
}

void report_differences(Root *root, const ut_group *g, ut_switch *s, ut_model_difference *f, void *ctx) {
  std::string last;
  unsigned index = 0;
  visit(root, g, s, Each{[&](const char *path, unsigned width, auto rtl, auto golden) {
          uint64_t a = (uint64_t)rtl, b = (uint64_t)golden & (width == 1 ? 1 : ~UINT64_C(0));
          index = last == path ? index + 1 : 0;
          last = path;
          if (a != b) {
            char full[160];
            std::snprintf(full, sizeof full, index ? "%s[%u]" : "%s", path, index);
            f(ctx, full, a, b);
          }
        }});
}

void adopt_registers(Root *root, const ut_group *G, ut_switch *S) {
  const ut_site AT = ut_site_of(G, S);
#define ADOPT_PARTS(rtl, array, n)                                                                                     \
  for (unsigned w = 0; w < UT_V; w++)                                                                                  \
    ut_at_set_part(AT, form.array, n, w, (ut_mask)part<UT_V, UT_PO>(rtl, w), form);
#define ADOPT_VC(i, v)                                                                                                 \
  ADOPT_PARTS(UT_R(UT_INPUT_VC(i, v, cand_q)), at_cand, ut_at_lane(AT, i, v, form)) {                                  \
    UT_MEMORY(tag, UT_SLOTS, UT_INPUT_VC(i, v, UT_IN(u_fifo, tag_q)))                                                  \
    UT_MEMORY(data, UT_SLOTS, UT_INPUT_VC(i, v, UT_IN(u_fifo, data_q)))                                                \
    for (unsigned d = 0; d < UT_DEPTH; d++) {                                                                          \
      uint64_t *flit = ut_at_place(AT, i, v, d, form);                                                                 \
      flit[UT_WORDS] = tag[d];                                                                                         \
      for (unsigned w = 0; w < UT_WORDS; w++)                                                                          \
        flit[w] = word64(data[d], w);                                                                                  \
    }                                                                                                                  \
  }
  UT_FOR_IP_IVC(ADOPT_VC)
#if UT_REWRITES
#define ADOPT_RT(i, v)                                                                                                 \
  UT_IN_BLOCK(uint32_t, AT.b, form.at_rt)                                                                              \
  [ut_at_lane(AT, i, v, form)] = (uint32_t)UT_R(UT_INPUT_VC(i, v, UT_IN(g_rewrite, rt_q)));
  UT_FOR_IP_IVC(ADOPT_RT)
#endif
#if UT_ALG_BUBBLE(UT_ROUTE, UT_ALGORITHM)
#define ADOPT_BUBBLE(i, v)                                                                                             \
  ADOPT_PARTS(UT_R(UT_INPUT_VC(i, v, UT_IN(g_bubble, bubble_q))), at_bubble, ut_at_lane(AT, i, v, form))
  UT_FOR_IP_IVC(ADOPT_BUBBLE)
#endif
#if UT_ALG_PREFERRED(UT_ROUTE, UT_ALGORITHM)
#define ADOPT_PREFERRED(i, v)                                                                                          \
  ADOPT_PARTS(UT_R(UT_INPUT_VC(i, v, UT_IN(g_preferred, preferred_q))), at_preferred, ut_at_lane(AT, i, v, form))
  UT_FOR_IP_IVC(ADOPT_PREFERRED)
#endif
#define ADOPT_OUT(o)                                                                                                   \
  {                                                                                                                    \
    uint64_t *flit = ut_at_set_flit(AT, o, form);                                                                      \
    flit[UT_WORDS] =                                                                                                   \
        ut_flit_meta(UT_R(UT_OUTPUT(o, kind_q)) | UT_R(UT_OUTPUT(o, bad_q)) << 2, UT_R(UT_OUTPUT(o, vc_q)));           \
    for (unsigned w = 0; w < UT_WORDS; w++)                                                                            \
      flit[w] = word64(UT_R(UT_OUTPUT(o, data_q)), w);                                                                 \
  }
  UT_FOR_OP(ADOPT_OUT)
}

#if UT_GATE // what is seen there are wires
bool flip_register(Root *, const char *, unsigned) {
  return false;
}
#else
bool flip_register(Root *root, const char *path, unsigned bit) {
#define X(name, width, rtl, golden)                                                                                    \
  if (!std::strcmp(path, name) && bit < (width)) {                                                                     \
    rtl ^= (decltype(rtl + 0))1 << bit;                                                                                \
    return true;                                                                                                       \
  }
  UT_FOR_IP_IVC(PER_VC)
  UT_FOR_OP_OVC(PER_OVC)
#if UT_ESCAPES > 1
  UT_FOR_IP_IVC(PER_VC_STRIP)
#endif
  UT_STATE_FAMILY(X)
#if UT_REWRITES
  UT_FOR_IP_IVC(PER_VC_REWRITE)
#endif
#undef X
#define FLIP_DATA(i, v)                                                                                                \
  if (!std::strcmp(path, "in" #i ".vc" #v ".fifo.data_q") && bit < 32) {                                               \
    reinterpret_cast<uint32_t &>(UT_R(UT_INPUT_VC(i, v, UT_IN(u_fifo, data_q)))[0]) ^= 1u << bit;                      \
    return true;                                                                                                       \
  }
  UT_FOR_IP_IVC(FLIP_DATA)
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
#define FLIP_TABLE(i)                                                                                                  \
  if (!std::strcmp(path, "in" #i ".table_q") && bit < TABLE_BITS) {                                                    \
    UT_R(UT_ROUTE_UNIT(i, table_q))[0] ^= 1u << bit;                                                                   \
    return true;                                                                                                       \
  }
  UT_FOR_IP(FLIP_TABLE)
#endif
  return false;
}
#endif

unsigned count_bits(Root *root, const ut_group *g, ut_switch *s) {
  unsigned bits = 0;
  visit(root, g, s, Each{[&](const char *, unsigned width, auto, auto) { bits += width; }});
  return bits;
}

} // namespace

#endif
