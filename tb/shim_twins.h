/* SPDX-License-Identifier: Apache-2.0 */
// shim_twins.h - compares a pack of lanes with their golden twins, in every cycle; C++, part of shim.cpp.
//
// Control registers: those of all lanes are transposed into as few words for each switch as they have bits, in the
// order in which the golden model's registers are packed here.  The bulk of a switch - buffers, output registers,
// forwarding tables - is compared without transposing: golden vectors against the vectors of the gates.  A flit of the
// golden model enters these vectors when it has arrived or left, all flits of a cycle at once.  Differences are
// reported from images (shim_state.h).
#ifndef UT_SHIM_TWINS_H
#define UT_SHIM_TWINS_H

#include <new>
#include <vector>

#include "shim_compare.h"
#include "shim_lanes.h"

namespace {

constexpr uint32_t NO_BIT = UINT32_MAX; // of an image
constexpr unsigned CHUNK = LANES < 64 ? LANES : 64;

// Packs golden registers, one after the other, and compares them with the words of a lane.
struct Against {
  const uint64_t *word;
  const DeepBuffers &buffers;
  uint64_t now = 0, found = 0;
  unsigned at = 0;

  template <class Where> UT_ALWAYS void add(unsigned width, uint64_t value, Where &&) {
    const unsigned bit = at % 64;
    now |= value << bit;
    at += width;
    if (bit + width < 64)
      return;
    meet();
    now = bit + width > 64 ? value >> (64 - bit) : 0;
  }
  UT_ALWAYS uint64_t end() {
    if (at % 64)
      meet();
    return found;
  }
  UT_ALWAYS void meet() {
    found |= now ^ *word++;
    __asm__("" : "+r"(found)); // one after the other: there are not enough processor registers for all
  }
  template <class Where> UT_ALWAYS void keep(unsigned, Where &&) {
  }
  template <class Tag, class Data>
  UT_ALWAYS void deep(const Tag &tag, const Data &data, const View &golden, unsigned i, unsigned v) {
    found |= buffers.found(tag, data, golden, i, v);
  }
  template <class Tag, class Data>
  UT_ALWAYS void deep_queue(const Tag &tag, const Data &data, const View &golden, unsigned o, unsigned w) {
    found |= buffers.found_in_queue(tag, data, golden, o, w);
  }
};
// Which bits of an image these registers are, and which ones are kept as vectors.
struct Order {
  std::vector<uint32_t> packed, kept;

  template <class Where> void add(unsigned width, uint64_t, Where &&where) {
    for (unsigned i = 0; i < width; i++)
      packed.push_back(where(i));
  }
  template <class Where> void keep(unsigned width, Where &&where) {
    for (unsigned i = 0; i < width; i++)
      kept.push_back(where(i));
  }
  template <class Tag, class Data> void deep(const Tag &, const Data &, const View &, unsigned, unsigned) {
  }
  template <class Tag, class Data> void deep_queue(const Tag &, const Data &, const View &, unsigned, unsigned) {
  }
};

// Goes through all registers, as visit() shows them, and through rows.
template <class Sink> struct Walk {
  static constexpr bool EACH = false;
  Sink &sink;
  const Root *root;

  template <class T> UT_ALWAYS uint32_t bit_of(const T &rtl) const {
    return (uint32_t)(8 * (reinterpret_cast<const char *>(&rtl) - reinterpret_cast<const char *>(root)));
  }
  template <class T, class U> UT_ALWAYS void operator()(const char *, unsigned width, const T &rtl, const U &golden) {
    const uint32_t bit = bit_of(rtl);
    sink.add(width, (uint64_t)golden & low_bits(width), [=](unsigned i) { return bit + i; });
  }
  template <unsigned COUNT, unsigned WIDTH, class T>
  UT_ALWAYS void parts(const char *, const T &rtl, const Sets &golden) {
    const uint32_t bit = bit_of(rtl);
    UT_UNROLL
    for (unsigned n = 0; n < LANES; n += CHUNK) {
      uint64_t there = 0;
      UT_UNROLL
      for (unsigned vc = 0; vc < COUNT; vc++)
        there |= lane_of(0, vc) / 64 == n / 64 ? low_bits(WIDTH) << lane_of(0, vc) % 64 : 0;
      if (there)
        sink.add(CHUNK, golden.set.w[n / 64] & there, [=](unsigned i) {
          const unsigned port = (n + i) % PORTS, vc = (n + i) / PORTS;
          return there >> i & 1 ? bit + vc * WIDTH + port : NO_BIT;
        });
    }
  }
  template <class Tag, class Data>
  UT_ALWAYS void buffer(const char *, const char *, const Tag &tag, const Data &data, const View &golden, unsigned i,
                        unsigned v) {
    if constexpr (DEEP)
      sink.deep(tag, data, golden, i, v);
    for (unsigned d = 0; !DEEP && d < UT_DEPTH; d++) {
      sink.keep(64 * UT_WORDS, [&](unsigned i) { return bit_of(data[d]) + i; });
      sink.keep(3, [&](unsigned i) { return bit_of(tag[d]) + i; });
    }
  }
  template <class Tag, class Data>
  UT_ALWAYS void queue(const char *, const char *, const Tag &tag, const Data &data, const View &golden, unsigned o,
                       unsigned w) {
    if constexpr (QUEUE_DEEP) {
      sink.deep_queue(tag, data, golden, o, w);
      return;
    }
    const Queue queue(golden, o, w);
    for (unsigned d = 0; d < UT_OUTPUT_DEPTH; d++) {
      for (unsigned n = 0; n < UT_WORDS; n++)
        sink.add(64, queue.data(d)[n], [&](unsigned i) { return bit_of(data[d]) + 64 * n + i; });
      sink.add(3, queue.tag(d), [&](unsigned i) { return bit_of(tag[d]) + i; });
    }
  }
  template <class Table> UT_ALWAYS void table(const char *, const Table &rtl, const uint16_t *) {
    for (unsigned d = 0; d < ENTRIES; d++)
      sink.keep(TABLE_BITS, [&](unsigned i) { return bit_of(rtl[d]) + i; });
  }
  template <class Groups> UT_ALWAYS void groups(const char *, const Groups &rtl, const ut_mask *golden) {
    for (unsigned n = 0; n < UT_GROUPS; n++)
      sink.add(UT_PO, golden[n], [&](unsigned i) { return bit_of(rtl[n]) + i; });
  }
  template <class Map> UT_ALWAYS void vc_map(const char *, const Map &rtl, const ut_mask *golden) {
    for (unsigned n = 0; n < (UT_VC_MAP + UT_V) * UT_V; n++)
      sink.add(UT_PO, golden[n], [&](unsigned i) { return bit_of(rtl[n / UT_V]) + n % UT_V * UT_PO + i; });
  }
  template <class T> UT_ALWAYS void flit(const char *, const T &rtl, const uint64_t *) {
    sink.keep(64 * UT_WORDS, [&](unsigned i) { return bit_of(rtl) + i; });
  }

  // The lanes of a chunk that have a row.
  template <unsigned ROW> static constexpr uint64_t there(unsigned n) {
    uint64_t lanes = 0;
    for (unsigned i = 0; i < CHUNK; i++)
      lanes |= (uint64_t)(places.at[ROW][n + i] != 0) << i;
    return lanes;
  }
  // A row as sets, one for each bit.
  template <unsigned ROW>
  static constexpr bool IS_SETS = View::set_of(ROW) != UT_SETS || ROW == STATE || ROW == OUT_UP || ROW == VALID;
  template <unsigned ROW> UT_ALWAYS uint64_t set(const View &golden, unsigned bit, unsigned n) const {
    if (ROW == STATE)
      return (UT_VC_STATE_ROUTING >> bit & 1 ? golden.set(UT_S_ROUTING, n) : 0) |
             (UT_VC_STATE_WAITING >> bit & 1 ? golden.set(UT_S_WAITING, n) : 0) |
             (UT_VC_STATE_ACTIVE >> bit & 1 ? golden.set(UT_S_ACTIVE, n) : 0) |
             (UT_VC_STATE_DRAIN >> bit & 1 ? golden.set(UT_S_DRAIN, n) : 0);
    if (ROW == OUT_UP || ROW == VALID)
      return (ROW == OUT_UP ? golden.s->out_up : golden.ports(UT_S_VALID));
    return golden.set(View::set_of(ROW), n);
  }
  template <unsigned ROW, size_t N> UT_ALWAYS void chunk(const View &golden) {
    constexpr uint64_t lanes = there<ROW>(N);
    if constexpr (lanes && IS_SETS<ROW>) {
      UT_UNROLL
      for (unsigned bit = 0; bit < places.bits[ROW]; bit++)
        sink.add(CHUNK, set<ROW>(golden, bit, N) & lanes,
                 [=](unsigned i) { return places.at[ROW][N + i] ? 8 * places.at[ROW][N + i] + bit : NO_BIT; });
    } else if constexpr (lanes) {
      constexpr unsigned width = places.bits[ROW];
      UT_UNROLL
      for (unsigned n = 0; n < CHUNK; n += 8) {
        const uint64_t some = lanes >> n & 255, mask = View::spread(some) * low_bits(width);
        const unsigned count = (unsigned)__builtin_popcountll(some);
        if (!some)
          continue;
        sink.add(count * width, ut_extract(golden.eight(ROW, N + n), mask), [=](unsigned i) {
          unsigned lane = 0, before = i / width;
          while (!(some >> lane & 1) || before--)
            lane++;
          return 8 * places.at[ROW][N + n + lane] + i % width;
        });
      }
    }
  }
  template <unsigned ROW, size_t... N> UT_ALWAYS void row(const View &golden, std::index_sequence<N...>) {
    (chunk<ROW, CHUNK * N>(golden), ...);
  }
  template <size_t... R> UT_ALWAYS void rows(const View &golden, std::index_sequence<R...>) {
    (row<R>(golden, std::make_index_sequence<LANES / CHUNK>()), ...);
  }
  UT_ALWAYS void all_of(Root *in, const View &golden, const ut_group *g, ut_switch *s) {
    root = in;
    rows(golden, std::make_index_sequence<ROWS>());
    visit(in, golden, g, s, *this);
    visit_outputs(in, golden, *this);
  }
};

#define WIDTH_OF(path, width, rtl, golden) +width
// The registers that are kept as vectors, in the order of visit(): places of buffers, tables, output registers.
constexpr unsigned OUTPUT_BITS = 0 UT_OUTPUTS(WIDTH_OF);
#undef WIDTH_OF
constexpr unsigned PLACE_BITS = 64 * UT_WORDS + 3;
constexpr unsigned BUFFERS = UT_PI * UT_V, PLACES = DEEP ? 0 : BUFFERS * UT_DEPTH;
constexpr unsigned TABLES_AT = PLACES * PLACE_BITS;
constexpr unsigned SENT_AT = TABLES_AT + ENTRIES * TABLE_BITS;
constexpr unsigned KEPT = SENT_AT + UT_PO * 64 * UT_WORDS;

// The same for all packs: which values of the gates.
struct Values {
  struct Run {
    uint32_t kept, value, count;
  };
  std::vector<uint32_t> packed; // words of a lane, whole groups of ALONG
  std::vector<Run> kept;
  std::vector<uint32_t> sent; // of what is kept of output registers

  static uint32_t value_of(uint32_t bit) {
    return bit == NO_BIT ? UT_ZERO : ut_gates_tap[bit - 64 * UT_IN_WORDS];
  }
  void fill(Root *root, const View &golden, const ut_group *g, ut_switch *s) {
    Order order;
    Walk<Order>{order, root}.all_of(root, golden, g, s);
    bits = KEPT - OUTPUT_BITS + (DEEP ? BUFFERS * UT_DEPTH * PLACE_BITS : 0) +
           (QUEUE_DEEP ? UT_PO * UT_V * UT_OUTPUT_DEPTH * PLACE_BITS : 0);
    for (uint32_t bit : order.packed) {
      packed.push_back(value_of(bit));
      bits += bit != NO_BIT;
    }
    packed.resize((packed.size() + 64 * ALONG - 1) / (64 * ALONG) * (64 * ALONG), UT_ZERO);
    for (uint32_t i = 0; i < KEPT; i++) {
      const uint32_t value = value_of(order.kept[i]);
      if (kept.empty() || kept.back().value + kept.back().count != value)
        kept.push_back(Run{i, value, 0});
      kept.back().count++;
      if (i >= SENT_AT)
        sent.push_back(value);
    }
  }
  unsigned words() const {
    return (unsigned)packed.size() / 64;
  }
  unsigned bits; // of registers
};
Values values_of_twins;

// The golden side of a pack.
struct Twins {
  ut_lanes kept[KEPT];
  uint64_t arrived[PLACES][LANE_WORDS]; // lanes in which the flit at the port's input pins enters a place
  uint64_t sent[UT_PO][LANE_WORDS];     // or in which the flit at the port's output pins was sent
  uint64_t compared[LANE_WORDS];
  uint64_t *packed; // control registers of the gates, by lane

  void put(unsigned at, unsigned bits, unsigned lane, uint64_t value) {
    for (unsigned i = 0; i < bits; i++)
      set_lane(kept[at + i], lane, value >> i & 1);
  }
  void put_place(unsigned buffer, unsigned place, unsigned lane, const Payload &p, unsigned n) {
    const unsigned at = (buffer * UT_DEPTH + place) * PLACE_BITS;
    for (unsigned w = 0; w < UT_WORDS; w++)
      put(at + 64 * w, 64, lane, p.data[n][place * UT_WORDS + w]);
    put(at + 64 * UT_WORDS, 3, lane, p.tag[n][place]);
  }
  void put_sent(unsigned port, unsigned lane, const Payload &p) {
    for (unsigned w = 0; w < UT_WORDS; w++)
      put(SENT_AT + 64 * (port * UT_WORDS + w), 64, lane, p.sent[port][w]);
  }
  void put_table(unsigned entry, unsigned lane, uint16_t value) {
    put(TABLES_AT + entry * TABLE_BITS, TABLE_BITS, lane, value);
  }

  // Enters the flits that have arrived, and compares all lanes.  found: a bit for each lane that differs.
  bool conclude(const Pack &pack, uint64_t *found) {
    const ut_lanes *gates = pack.values[pack.now];
    for (unsigned i = 0; i < PLACES; i++)
      if (some(arrived[i])) {
        const unsigned port = i / UT_DEPTH / UT_V, at = i * PLACE_BITS, tag = at + 64 * UT_WORDS;
        const ut_lanes which = take(arrived[i]);
        for (unsigned bit = 0; bit < 64 * UT_WORDS; bit++)
          bring(which, at + bit, pack.inputs[8 * offsetof(Root, in_data_i) + 64 * UT_WORDS * port + bit]);
        for (unsigned bit = 0; bit < 2; bit++)
          bring(which, tag + bit, pack.inputs[8 * offsetof(Root, in_kind_i) + 2 * port + bit]);
        bring(which, tag + 2, pack.inputs[8 * offsetof(Root, in_bad_i) + port]);
      }
    for (unsigned port = 0; port < UT_PO; port++)
      if (some(sent[port])) {
        const ut_lanes which = take(sent[port]);
        for (unsigned bit = 64 * UT_WORDS * port; bit < 64 * UT_WORDS * (port + 1); bit++)
          bring(which, SENT_AT + bit, gates[values_of_twins.sent[bit]]);
      }
    ut_lanes differ = {};
    for (const Values::Run &run : values_of_twins.kept) {
      const ut_lanes *a = kept + run.kept, *b = gates + run.value;
      for (unsigned i = 0; i < run.count; i++)
        differ |= a[i] ^ b[i];
    }
    std::memcpy(found, &differ, sizeof differ);
    for (unsigned w = 0; w < LANE_WORDS; w++)
      found[w] &= compared[w];
    std::memset(compared, 0, sizeof compared);
    return some(found);
  }

private:
  static bool some(const uint64_t *lanes) {
    uint64_t all = 0;
    for (unsigned w = 0; w < LANE_WORDS; w++)
      all |= lanes[w];
    return all != 0;
  }
  static ut_lanes take(uint64_t *lanes) {
    ut_lanes taken;
    std::memcpy(&taken, lanes, sizeof taken);
    std::memset(lanes, 0, sizeof taken);
    return taken;
  }
  void bring(const ut_lanes &which, unsigned at, const ut_lanes &from) {
    kept[at] ^= (kept[at] ^ from) & which;
  }
};

// A lane, and its golden twin.
struct Twin : Device {
  Payload payload = {};
  Twins *twins = nullptr; // of the pack
  unsigned turn = 0;      // of the empty places of deep buffers
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
  uint16_t table[ENTRIES] = {};
#endif

  bool begin(uint64_t seed, const char *name, Twin *first) {
    if (!Device::begin(seed, name, first))
      return false;
    twins = first ? first->twins : static_cast<Twins *>(std::aligned_alloc(64, (sizeof(Twins) + 63) / 64 * 64));
    if (twins && !first)
      std::memset(static_cast<void *>(twins), 0, sizeof *twins);
    return twins != nullptr;
  }
  ~Twin() {
    if (pack && pack->members == 1 && twins) {
      std::free(twins->packed);
      std::free(twins);
    }
  }

  // For take_over(): flits of the golden switch.  A flit that is the same at the pins of the gates enters the vectors
  // from there, together with others; the registers of the gates are compared with that.
  void arrive(unsigned n, unsigned place) {
    const unsigned port = n % PORTS, buffer = port * UT_V + n / PORTS;
    const Root *t = pins();
    bool same = payload.tag[n][place] == (get(t->in_kind_i, port * 2, 2) | get(t->in_bad_i, port, 1) << 2);
    for (unsigned w = 0; w < UT_WORDS; w++)
      same &= payload.data[n][place * UT_WORDS + w] == word64(t->in_data_i, port * UT_WORDS + w);
    uint64_t &which = twins->arrived[buffer * UT_DEPTH + place][lane / 64];
    which = (which & ~(UINT64_C(1) << lane % 64)) | (uint64_t)same << lane % 64;
    if (!same)
      twins->put_place(buffer, place, lane, payload, n);
  }
  void send(unsigned port) {
    bool same = true;
    for (unsigned w = 0; w < UT_WORDS; w++)
      same &= payload.sent[port][w] == word64(pins()->out_data_o, port * UT_WORDS + w);
    uint64_t &which = twins->sent[port][lane / 64];
    which = (which & ~(UINT64_C(1) << lane % 64)) | (uint64_t)same << lane % 64;
    if (!same)
      twins->put_sent(port, lane, payload);
  }

  uint64_t compare(const ut_group *g, ut_switch *s) {
    const View golden(g, s, payload);
    const unsigned words = values_of_twins.words();
    take_over(payload, golden, *this);
    take_tables(g, s);
    twins->compared[lane / 64] |= UINT64_C(1) << lane % 64;
    if (!pack->packed)
      pack->scatter(values_of_twins.packed.data(), words, twins->packed, words);
    pack->packed = true;
    const DeepBuffers buffers(golden, turn = DeepBuffers::after(turn));
    Against against{twins->packed + (size_t)lane * words, buffers};
    Walk<Against> walk{against, nullptr};
    walk.all_of(pins(), golden, g, s);
    return against.end();
  }
  bool conclude(uint64_t *found) {
    return twins->conclude(*pack, found);
  }
  // The values that compare() and conclude() need, however they are obtained.
  unsigned bits(const ut_group *, ut_switch *) {
    return values_of_twins.bits;
  }
  // Copies payload that reset does not initialise, like adopt_registers(), into both.
  bool adopt(const ut_group *g, ut_switch *s) {
    adopt_registers(root(), payload, g, s);
    try {
      if (values_of_twins.packed.empty())
        values_of_twins.fill(pins(), View(g, s, payload), g, s);
    } catch (const std::bad_alloc &) {
      return false;
    }
    if (!twins->packed)
      twins->packed = static_cast<uint64_t *>(std::malloc(8 * (size_t)SEATS * values_of_twins.words()));
    for (unsigned port = 0; !DEEP && port < UT_PI; port++)
      for (unsigned vc = 0; vc < UT_V; vc++)
        for (unsigned place = 0; place < UT_DEPTH; place++)
          twins->put_place(port * UT_V + vc, place, lane, payload, lane_of(port, vc));
    for (unsigned port = 0; port < UT_PO; port++)
      twins->put_sent(port, lane, payload);
    forget_tables();
    take_tables(g, s);
    return twins->packed != nullptr;
  }

private:
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
  void take_tables(const ut_group *g, ut_switch *s) {
    const uint16_t *now = ut_table_of(g, s, 0, 0);
    for (unsigned i = 0; std::memcmp(table, now, sizeof table) && i < ENTRIES; i++)
      if (table[i] != now[i])
        twins->put_table(i, lane, table[i] = now[i]);
  }
  void forget_tables() {
    std::memset(table, 0, sizeof table);
    for (unsigned i = 0; i < ENTRIES; i++)
      twins->put_table(i, lane, 0);
  }
#else
  void take_tables(const ut_group *, ut_switch *) {
  }
  void forget_tables() {
  }
#endif
};

} // namespace

#endif
