/* SPDX-License-Identifier: Apache-2.0 */
// shim_state.h - the registers of the Verilated switch next to those of the golden one: visited, reported, copied,
// flipped; C++, part of shim.cpp.  Which registers there are: state_map.h.  How they are compared: shim_compare.h.
#ifndef UT_SHIM_STATE_H
#define UT_SHIM_STATE_H

#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "shim_view.h"
#include "state_map.h"
#if UT_SLICED
#include "root_gen.h"
#else
#include "Vut_switch___024root.h"
#endif

namespace {

#if !UT_SLICED
using Root = Vut_switch___024root;
#endif

constexpr unsigned UT_CW = clog2(UT_DEPTH + 1);
constexpr unsigned UT_AW = UT_DEPTH > 1 ? clog2(UT_DEPTH) : 1;
constexpr unsigned UT_QW = clog2(UT_OUTPUT_DEPTH + 1), UT_QA = UT_OUTPUT_DEPTH > 1 ? clog2(UT_OUTPUT_DEPTH) : 1;
constexpr unsigned VW = UT_V > 1 ? clog2(UT_V) : 1;
constexpr unsigned TABLE_BITS = // of an entry
    UT_GROUPS ? clog2(UT_GROUPS) : 1 + clog2(UT_PO) + (UT_V > 1 ? clog2(UT_V) : 0);
// Entries of the forwarding table; the parts that are compared in turn.
constexpr unsigned ENTRIES = (UT_GROUPS ? 2 + UT_ESCAPE_TABLE : 2 * UT_V) * UT_DESTINATIONS;
constexpr unsigned TABLE_PARTS = (ENTRIES + UT_WHOLE_TABLE - 1) / UT_WHOLE_TABLE;
#if UT_V > 1
constexpr unsigned NX = UT_XBAR ? UT_V : 1; // words of an output's requests at the switch allocator
#endif

#if UT_SLICED
// The words of a memory (tb/state_map.h).
template <unsigned N, class T> inline const T (&one_after_the_other(const T &first))[N] {
  return reinterpret_cast<const T(&)[N]>(first);
}
#elif UT_GATE
template <class T> struct Memory {
  const T *const *wire;
  const T &operator[](unsigned d) const {
    return *wire[d];
  }
};
template <class T> Memory(const T *const *) -> Memory<T>;
#endif

// Every register of the table, by B() and X() as they are defined where this macro is used.
#define PER_INTERVAL(n) UT_STATE_INTERVAL(X, n)
#define PER_IN(i) UT_STATE_IN(B, X, i)
#define PER_IN_ARBITER(i) UT_STATE_IN_ARBITERS(B, i)
#define PER_IN_XBAR(i) UT_STATE_IN_XBAR(B, i)
#define PER_VC(i, v) UT_STATE_VC(B, i, v)
#define PER_VC_CUT(i, v) UT_STATE_VC_CUT(B, i, v)
#define PER_VC_STRIP(i, v) UT_STATE_VC_STRIP(B, i, v)
#define PER_VC_WAIT(i, v) UT_STATE_VC_WAIT(B, i, v)
#define PER_VC_DEPENDS(i, v) UT_STATE_VC_DEPENDS(B, i, v)
#define PER_VC_PURGE(i, v) UT_STATE_VC_PURGE(B, i, v)
#define PER_VC_CROSS(i, v) UT_STATE_VC_CROSS(B, i, v)
#define PER_VC_POLICY(i, v) UT_STATE_VC_POLICY(B, i, v)
#define PER_VC_REWRITE(i, v) UT_STATE_VC_REWRITE(X, i, v)
#define PER_OUT(o) UT_STATE_OUT(B, o)
#define PER_OVC(o, w) UT_STATE_OVC(B, o, w)
#define PER_QUEUE(o, w) UT_STATE_QUEUE(B, o, w)
#define PER_LINK(o) UT_STATE_LINK(B, o)
#define PER_FLIT(o) UT_STATE_FLIT(B, o)
#define EVERY_REGISTER                                                                                                 \
  UT_STATE_SWITCH(X)                                                                                                   \
  UT_STATE_FAMILY(X)                                                                                                   \
  UT_STATE_BANKS(X)                                                                                                    \
  UT_FOR_IP(PER_IN)                                                                                                    \
  UT_FOR_IP(PER_IN_ARBITER)                                                                                            \
  UT_FOR_IP(PER_IN_XBAR)                                                                                               \
  UT_FOR_IP_IVC(PER_VC)                                                                                                \
  UT_FOR_IP_IVC(PER_VC_CUT)                                                                                            \
  UT_FOR_IP_IVC(PER_VC_STRIP)                                                                                          \
  UT_FOR_IP_IVC(PER_VC_WAIT)                                                                                           \
  UT_FOR_IP_IVC(PER_VC_DEPENDS)                                                                                        \
  UT_FOR_IP_IVC(PER_VC_PURGE)                                                                                          \
  UT_FOR_IP_IVC(PER_VC_POLICY)                                                                                         \
  UT_FOR_IP_IVC(PER_VC_CROSS)                                                                                          \
  UT_FOR_IP_IVC(PER_VC_REWRITE)                                                                                        \
  UT_FOR_OP(PER_OUT)                                                                                                   \
  UT_FOR_OP_OVC(PER_OVC)                                                                                               \
  UT_FOR_OP_OVC(PER_QUEUE)                                                                                             \
  UT_FOR_OP(PER_LINK)                                                                                                  \
  UT_FOR_OP(PER_FLIT)                                                                                                  \
  UT_STATE_ERROR(X)

// A round-robin pointer over COUNT words of WIDTH lines, whose mask the golden model stores word by word, in the
// encoding of rtl/ut_rr_pointer.v.
template <unsigned COUNT, unsigned WIDTH, class F, class T>
UT_ALWAYS void visit_pointer(F &&f, const char *path, const T &rtl, const Sets &golden) {
  if constexpr (COUNT == 1 || COUNT * WIDTH <= 8) {
    f.template parts<COUNT, WIDTH>(path, rtl, golden);
  } else {
    constexpr unsigned IN_SET = 64 / PORTS; // words of lines, of a word of the set
    uint64_t first = 0, lines = 0;
    UT_UNROLL
    for (unsigned n = 0; n < COUNT; n += IN_SET) {
      const unsigned words = COUNT - n < IN_SET ? COUNT - n : IN_SET;
      const uint64_t each = ut_set_columns(form) & low_bits(words * PORTS), top = each << (PORTS - 1),
                     below = top - each;
      const uint64_t mask = golden.set.w[n / IN_SET], lacks = ~mask & each * ut_mask_all(WIDTH);
      const uint64_t parted = (((lacks & below) + below) | lacks) & top; // words that are not entirely in front
      first |= ut_extract(~parted, top) << n;
      lines |= mask & (parted | (parted - (parted >> (PORTS - 1))));
    }
    UT_UNROLL
    for (unsigned n = IN_SET / 2; n; n /= 2)
      lines |= lines >> n * PORTS;
    // All lines are in front: no request has been granted yet.
    lines = first == ut_mask_all(COUNT) ? ut_mask_all(WIDTH) : lines & ut_mask_all(WIDTH);
    if constexpr (COUNT + WIDTH > 64) {
      f(path, WIDTH, get(rtl, 0, WIDTH), lines);
      f(path, COUNT, get(rtl, WIDTH, COUNT), first);
    } else {
      f(path, COUNT + WIDTH, rtl, first << WIDTH | lines);
    }
  }
}

// Calls f(path, width, rtl, golden) for every register, f.parts() for one that holds a mask for each VC, f.buffer() for
// the places of a buffer, f.queue() for those of an output queue, f.table() for a forwarding table and f.flit() for the
// data of an output register; those of Row only if F looks at EACH of them.
template <class F> UT_ALWAYS void visit(Root *root, const View &AT, const ut_group *G, ut_switch *S, F &&f) {
  constexpr bool each = std::decay_t<F>::EACH;
#define X(path, width, rtl, golden) f(path, width, rtl, golden);
#define B(path, width, name, row, port, vc)                                                                            \
  if constexpr (each)                                                                                                  \
    f(path, width, UT_R(name), AT.byte(row, lane_of(port, vc)));
  EVERY_REGISTER
#undef B
#undef X
  // Vectors over (ovc,op) and (ivc,ip), buffers and output registers: compared word by word.
#define PER_CAND(i, v)                                                                                                 \
  f.template parts<UT_V, UT_PO>("in" #i ".vc" #v ".cand_q", UT_R(UT_INPUT_VC(i, v, cand_q)),                           \
                                UT_SETS_OF(at_cand, ut_at_lane(AT, i, v, form)));
  if constexpr (each || !BYTE_SETS) {
    UT_FOR_IP_IVC(PER_CAND)
  }
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
    f.buffer("in" #i ".vc" #v ".fifo.tag_q", "in" #i ".vc" #v ".fifo.data_q", tag, data, AT, i, v);                    \
  }
  UT_FOR_IP_IVC(PER_FIFO)
#if UT_OUTPUT_DEPTH
#define PER_QUEUE_FIFO(o, w)                                                                                           \
  {                                                                                                                    \
    UT_MEMORY(tag, UT_QUEUE_SLOTS, UT_QUEUE(o, w, tag_q))                                                              \
    UT_MEMORY(data, UT_QUEUE_SLOTS, UT_QUEUE(o, w, data_q))                                                            \
    f.queue("out" #o ".vc" #w ".queue.tag_q", "out" #o ".vc" #w ".queue.data_q", tag, data, AT, o, w);                 \
  }
  UT_FOR_OP_OVC(PER_QUEUE_FIFO)
#endif
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
  {
    UT_MEMORY(table, UT_ENTRIES, UT_TABLES(table_q))
    f.table("u_tables.table_q", table, ut_table_of(G, S, 0, 0));
  }
#endif
#if UT_GROUPS
  {
    UT_MEMORY(group, UT_GROUP_WORDS, UT_TABLES(UT_IN(g_entry, group_q)))
    f.groups("u_tables.group_q", group, ut_groups_of(G, S));
  }
#endif
#if UT_VC_MAP
  {
    UT_MEMORY(map, UT_VC_ROWS, UT_TABLES(UT_IN(g_map, map_q)))
    f.vc_map("u_tables.map_q", map, ut_vc_row_of(G, S, 0));
  }
#endif
#define PER_DATA(o) f.flit("out" #o ".data_q", UT_R(UT_OUTPUT(o, data_q)), AT.payload.sent[o]);
  UT_FOR_OP(PER_DATA)
#if UT_V > 1
#define PER_OUT_ARBITER(o)                                                                                             \
  visit_pointer<NX, UT_PI>(f, "out" #o ".switch_arbiter.pointer_q",                                                    \
                           UT_R(UT_SWITCH_OUT(o, UT_IN(g_owner, UT_IN(u_arbiter, UT_ARBITER_POINTER)))),               \
                           UT_SETS_OF(at_sa, AT.port_index + (o)));
  UT_FOR_OP(PER_OUT_ARBITER)
#endif
#define PER_ARBITER(n)                                                                                                 \
  visit_pointer<UT_V, UT_PI>(f, "vc_arbiter" #n ".pointer_q", UT_R(UT_VC_OUT(n, UT_IN(u_pointer, pointer_q))),         \
                             UT_SETS_OF(at_va, ut_at_lane(AT, (n) % UT_PO, (n) / UT_PO, form)));
  if constexpr (each || !BYTE_SETS) {
    UT_FOR_OVC_OP_FLAT(PER_ARBITER)
  }
}

// The same for the switch's status outputs.
template <class F> UT_ALWAYS void visit_outputs(Root *root, const View &AT, F &&f) {
#define X(path, width, rtl, golden) f(path, width, rtl, golden);
  UT_OUTPUTS(X)
#undef X
}

// A visitor that is called for each part and place by itself.
template <class F> struct Each : F {
  static constexpr bool EACH = true;
  template <class T, class U> void operator()(const char *path, unsigned width, const T &rtl, const U &golden) {
    static_cast<F &> (*this)(path, width, all(rtl, width), golden);
  }
  template <unsigned COUNT, unsigned WIDTH, class T> void parts(const char *path, const T &rtl, const Sets &golden) {
    for (unsigned n = 0; n < COUNT; n++)
      static_cast<F &> (*this)(path, WIDTH, part<COUNT, WIDTH>(rtl, n), golden[n] & ut_mask_all(WIDTH));
  }
  // Tags first, so that places of one path are counted through.
  template <class Tag, class Data, class Golden>
  void places(const char *tags, const char *flits, const Tag &tag, const Data &data, const Golden &golden,
              unsigned depth) {
    for (unsigned d = 0; d < depth; d++)
      static_cast<F &> (*this)(tags, 3, tag[d], golden.tag(d));
    for (unsigned d = 0; d < depth * UT_WORDS; d++)
      static_cast<F &> (*this)(flits, 64, word64(data[d / UT_WORDS], d % UT_WORDS),
                               golden.data(d / UT_WORDS)[d % UT_WORDS]);
  }
  template <class Tag, class Data>
  void buffer(const char *tags, const char *flits, const Tag &tag, const Data &data, const View &at, unsigned i,
              unsigned v) {
    places(tags, flits, tag, data, Buffer(at, i, v), UT_DEPTH);
  }
  template <class Tag, class Data>
  void queue(const char *tags, const char *flits, const Tag &tag, const Data &data, const View &at, unsigned o,
             unsigned w) {
    places(tags, flits, tag, data, Queue(at, o, w), UT_OUTPUT_DEPTH);
  }
  template <class Table> void table(const char *path, const Table &rtl, const uint16_t *golden) {
    for (unsigned d = 0; d < ENTRIES; d++)
      static_cast<F &> (*this)(path, TABLE_BITS, rtl[d], golden[d]);
  }
  template <class Groups> void groups(const char *path, const Groups &rtl, const ut_mask *golden) {
    for (unsigned i = 0; i < UT_GROUPS; i++)
      static_cast<F &> (*this)(path, UT_PO, rtl[i], golden[i]);
  }
  template <class Map> void vc_map(const char *path, const Map &rtl, const ut_mask *golden) {
    for (unsigned i = 0; i < (UT_VC_MAP + UT_V) * UT_V; i++)
      static_cast<F &> (*this)(path, UT_PO, part<UT_V, UT_PO>(rtl[i / UT_V], i % UT_V), golden[i]);
  }
  template <class T> void flit(const char *path, const T &rtl, const uint64_t *golden) {
    for (unsigned w = 0; w < UT_WORDS; w++)
      static_cast<F &> (*this)(path, 64, word64(rtl, w), golden[w]);
  }
};
template <class F> Each(F) -> Each<F>;

void report_registers(Root *root, const Payload &p, const ut_group *g, ut_switch *s, ut_model_register *f, void *ctx) {
  const char *last = "";
  unsigned index = 0;
  Each each{[&](const char *path, unsigned width, auto rtl, auto golden) {
    const uint64_t a = (uint64_t)rtl, b = (uint64_t)golden & (width == 1 ? 1 : ~UINT64_C(0));
    char full[160];
    index = std::strcmp(last, path) ? 0 : index + 1;
    last = path;
    if (index)
      std::snprintf(full, sizeof full, "%s[%u]", path, index);
    f(ctx, index ? full : path, width, a, b);
  }};
  visit(root, View(g, s, p), g, s, each);
  visit_outputs(root, View(g, s, p), each);
}

void adopt_registers(Root *root, Payload &p, const ut_group *G, ut_switch *S) {
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
      flit[UT_WORDS] = ut_flit_meta((unsigned)tag[d], v);                                                              \
      for (unsigned w = 0; w < UT_WORDS; w++)                                                                          \
        flit[w] = word64(data[d], w);                                                                                  \
      if (!DEEP)                                                                                                       \
        p.arrive(lane_of(i, v), d, flit);                                                                              \
    }                                                                                                                  \
    if (!DEEP)                                                                                                         \
      p.write[lane_of(i, v)] = (ut_place)ut_at_write(AT, i, v, form);                                                  \
  }
  UT_FOR_IP_IVC(ADOPT_VC)
#if UT_ALG_REWRITES(UT_ROUTE, UT_ALGORITHM) || UT_MISROUTE || UT_MISROUTE_HOPS
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
    p.send(o, flit);                                                                                                   \
  }
  UT_FOR_OP(ADOPT_OUT)
#if UT_OUTPUT_DEPTH
#define ADOPT_QUEUE(o, w)                                                                                              \
  {                                                                                                                    \
    UT_MEMORY(tag, UT_QUEUE_SLOTS, UT_QUEUE(o, w, tag_q))                                                              \
    UT_MEMORY(data, UT_QUEUE_SLOTS, UT_QUEUE(o, w, data_q))                                                            \
    for (unsigned d = 0; d < UT_OUTPUT_DEPTH; d++) {                                                                   \
      uint64_t *flit = ut_at_queue_place(AT, o, w, d, form);                                                           \
      flit[UT_WORDS] = ut_flit_meta((unsigned)tag[d], w);                                                              \
      for (unsigned n = 0; n < UT_WORDS; n++)                                                                          \
        flit[n] = word64(data[d], n);                                                                                  \
    }                                                                                                                  \
  }
  UT_FOR_OP_OVC(ADOPT_QUEUE)
#endif
}

// Every register of which bits can be flipped, by FLIPPED(path, bits, where) as it is defined where this macro is used;
// of buffers, queues and tables the first word.
#define X(path, width, rtl, golden) FLIPPED(path, width, rtl)
#define B(path, width, name, row, port, vc) X(path, width, UT_R(name), 0)
#define FLIPPED_DATA(path, slots, name)                                                                                \
  {                                                                                                                    \
    UT_MEMORY(data, slots, name)                                                                                       \
    FLIPPED(path, 32, const_cast<uint32_t &>(reinterpret_cast<const uint32_t &>(data[0])))                             \
  }
#define FLIPPED_BUFFER(i, v)                                                                                           \
  FLIPPED_DATA("in" #i ".vc" #v ".fifo.data_q", UT_SLOTS, UT_INPUT_VC(i, v, UT_IN(u_fifo, data_q)))
#if UT_OUTPUT_DEPTH
#define FLIPPED_QUEUE(o, w) FLIPPED_DATA("out" #o ".vc" #w ".queue.data_q", UT_QUEUE_SLOTS, UT_QUEUE(o, w, data_q))
#else
#define FLIPPED_QUEUE(o, w)
#endif
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
#define FLIPPED_TABLE                                                                                                  \
  {                                                                                                                    \
    UT_MEMORY(table, UT_ENTRIES, UT_TABLES(table_q))                                                                   \
    FLIPPED("u_tables.table_q", TABLE_BITS,                                                                            \
            const_cast<std::remove_const_t<std::remove_reference_t<decltype(table[0])>> &>(table[0]))                  \
  }
#else
#define FLIPPED_TABLE
#endif
#if UT_VC_MAP
#define FLIPPED_MAP                                                                                                    \
  {                                                                                                                    \
    UT_MEMORY(map, UT_VC_ROWS, UT_TABLES(UT_IN(g_map, map_q)))                                                         \
    FLIPPED("u_tables.map_q", UT_PO,                                                                                   \
            const_cast<std::remove_const_t<std::remove_reference_t<decltype(map[0])>> &>(map[0]))                      \
  }
#else
#define FLIPPED_MAP
#endif
#if UT_GATE && !UT_SLICED // the names seen there are wires
#define EVERY_FLIPPED
#else
#define EVERY_FLIPPED                                                                                                  \
  EVERY_REGISTER                                                                                                       \
  UT_FOR_IP_IVC(FLIPPED_BUFFER)                                                                                        \
  UT_FOR_OP_OVC(FLIPPED_QUEUE)                                                                                         \
  FLIPPED_TABLE                                                                                                        \
  FLIPPED_MAP
#endif

bool flip_register(Root *root, const char *path, unsigned bit) {
#define FLIPPED(name, width, where)                                                                                    \
  if (!std::strcmp(path, name) && bit < (width)) {                                                                     \
    flip_bit(where, bit);                                                                                              \
    return true;                                                                                                       \
  }
  EVERY_FLIPPED
#undef FLIPPED
  return false;
}

void list_flippable(Root *root, ut_model_flippable *f, void *ctx) {
#define FLIPPED(name, width, where) f(ctx, name, width);
  EVERY_FLIPPED
#undef FLIPPED
}
#undef B
#undef X

unsigned count_bits(Root *root, const Payload &p, const ut_group *g, ut_switch *s) {
  unsigned bits = 0;
  visit(root, View(g, s, p), g, s, Each{[&](const char *, unsigned width, auto, auto) { bits += width; }});
  return bits;
}

} // namespace

#endif
