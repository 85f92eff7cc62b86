/* SPDX-License-Identifier: Apache-2.0 */
// shim_view.h - the golden registers of a switch in the form that the RTL has; C++, part of shim.cpp.
#ifndef UT_SHIM_VIEW_H
#define UT_SHIM_VIEW_H

#include <cstring>
#include <type_traits>

#include "registers.h"
#include "shape_gen.h"
#include "shim.h"
#include "shim_bits.h"
#if UT_SLICED
extern "C" {
#include "gates.h"
}
#endif

#define UT_ALWAYS inline __attribute__((always_inline))

namespace {

constexpr ut_form form = ut_form_of(UT_SHAPE); // parameters that determine where golden registers are

constexpr unsigned PORTS = 1u << form.port_bits, LANES = 1u << form.each_bits;
constexpr unsigned lane_of(unsigned port, unsigned vc) {
  return vc << form.port_bits | port;
}

// Compared parts of a deep buffer, see UT_WHOLE_BUFFER.
constexpr unsigned WHOLE = UT_WHOLE_BUFFER, TURNS = (UT_DEPTH + WHOLE - 1) / WHOLE;
#if UT_SLICED // gates in lanes compare all places at once, except those of memories
constexpr bool MEMORIES = UT_MEMORIES > 0;
#else
constexpr bool MEMORIES = true;
#endif
constexpr bool DEEP = MEMORIES && UT_DEPTH > WHOLE;
// The same of output queues.
constexpr unsigned QUEUE_CHUNKS = UT_OUTPUT_DEPTH ? (UT_OUTPUT_DEPTH + WHOLE - 1) / WHOLE : 1;
constexpr bool QUEUE_DEEP = MEMORIES && UT_OUTPUT_DEPTH > WHOLE;

// Registers of a byte that every lane has, or every port (lanes of VC 0): of input VCs, then of output VCs.
enum Row {
  STATE,
  OPEN,
  CREDIT,
  PENDING_CREDITS,
  RD,
  WR,
  COUNT,
  IN_UP,
  CUT,
  DEPENDS,
  OLD,
  CROSS,
  STRIPPED,
  WAIT,
  POLICY, // the register of the arbitration policy
  ROUTE_POINTER,
  SWITCH_POINTER,
  CAND,   // where BYTE_SETS
  BESIDE, // fill up the vector
  INPUT_ROWS,
  OWNED = INPUT_ROWS,
  CREDITS,
  OUT_UP,
  VALID,
  KIND,
  BAD,
  SENT_VC,
  QUEUE_RD,
  QUEUE_WR,
  QUEUE_COUNT,
  LINK_POINTER,
  VC_POINTER, // mask of the VC allocator's arbiter, where BYTE_SETS
  ROWS
};
// Sets of ports, one for each VC, are the same byte in the RTL and in the golden model.
constexpr bool BYTE_SETS = form.each_bits <= 3 && (UT_V == 1 || (UT_PO == PORTS && UT_PI == PORTS));
// The offer of an output VC: in the row of the missing mask, or where vectors are longer anyway.
constexpr unsigned OFFER = BYTE_SETS ? BESIDE : VC_POINTER;

typedef std::conditional_t<form.wide, uint16_t, uint8_t> ut_place; // a position in a ring

// Registers that the golden model has in rings only, in the form of the RTL: shallow buffers, which take over a flit
// when it has arrived, and output registers, when a flit is sent.
struct Payload {
  static constexpr unsigned BUFFERS = DEEP ? 0 : LANES;
  uint64_t data[BUFFERS][UT_DEPTH * UT_WORDS];
  uint8_t tag[BUFFERS][UT_DEPTH];
  ut_place write[(BUFFERS + 7) / 8 * 8]; // positions up to which flits have been taken over
  uint64_t sent[PORTS][UT_WORDS];
  uint8_t kind[(PORTS + 7) / 8 * 8], bad[sizeof kind], vc[sizeof kind];

  void arrive(unsigned lane, unsigned place, const uint64_t *flit) {
    std::memcpy(data[lane] + place * UT_WORDS, flit, 8 * UT_WORDS);
    tag[lane][place] = (uint8_t)ut_flit_tag(flit[UT_WORDS]);
  }
  void send(unsigned port, const uint64_t *flit) {
    const unsigned flags = ut_flit_tag(flit[UT_WORDS]);
    std::memcpy(sent[port], flit, 8 * UT_WORDS);
    kind[port] = flags & UT_KIND_MASK;
    bad[port] = (flags & UT_BAD) != 0;
    vc[port] = (uint8_t)ut_flit_vc(flit[UT_WORDS]);
  }
};

struct View : ut_site {
  const Payload &payload;

  View(const ut_group *g, const ut_switch *s, const Payload &p) : ut_site(ut_site_of(g, s)), payload(p) {
  }

  // The set of a row; UT_SETS: the row is no set.
  static constexpr unsigned set_of(unsigned row) {
    switch (row) {
    case OPEN: return UT_S_OPEN;
    case CREDIT: return UT_S_CREDIT;
    case IN_UP: return UT_S_IN_UP;
    case CUT: return UT_S_CUT;
    case DEPENDS: return UT_S_DEPENDS;
    case OLD: return UT_S_OLD;
    case CROSS: return UT_S_CROSS;
    case STRIPPED: return UT_S_STRIPPED;
    case OWNED: return UT_S_OWNED;
    default: return UT_SETS;
    }
  }
  // A row of the eight lanes from n on.  The values of lanes that do not have the register do not matter.
  UT_ALWAYS uint64_t eight(unsigned row, unsigned n) const {
    if (set_of(row) != UT_SETS)
      return bits((enum ut_register)set_of(row), n);
    if (row == OFFER)
      return offer(n);
    switch (row) {
    case STATE:
      return bits(UT_S_ROUTING, n) * UT_VC_STATE_ROUTING | bits(UT_S_WAITING, n) * UT_VC_STATE_WAITING |
             bits(UT_S_ACTIVE, n) * UT_VC_STATE_ACTIVE | bits(UT_S_DRAIN, n) * UT_VC_STATE_DRAIN;
    case PENDING_CREDITS: return load(UT_IN_BLOCK(uint8_t, b, form.at_pending_credits) + base + n);
    case RD:
    case WR:
    case COUNT: return form.wide ? wide_pointers(row, n) : pointers(row, n);
    case POLICY: return load(UT_IN_BLOCK(uint8_t, b, form.at_policy) + base + n);
    case WAIT: return load(UT_IN_BLOCK(uint8_t, b, form.at_wait) + base + n);
    case CAND: return load(UT_IN_BLOCK(uint8_t, b, form.at_cand) + base + n) & spread(255) * ut_mask_all(UT_V * UT_PO);
    case CREDITS: return load(UT_IN_BLOCK(uint8_t, b, form.at_credits) + base + n);
    case QUEUE_RD: return load(UT_IN_BLOCK(uint8_t, b, form.at_queue_read) + base + n);
    case QUEUE_COUNT: return load(UT_IN_BLOCK(uint8_t, b, form.at_queue_count) + base + n);
    case QUEUE_WR: return queue_end(n);
    case VC_POINTER: /* ports that do not exist have a lane, too */
      return load(UT_IN_BLOCK(uint8_t, b, form.at_va) + base + n) & spread(255) * ut_mask_all(UT_V * UT_PI);
    }
    if (n >= PORTS)
      return 0;
    switch (row) {
    case ROUTE_POINTER: return load(UT_IN_BLOCK(uint8_t, b, form.at_route_pointer) + port_index + n);
    case SWITCH_POINTER: return load(UT_IN_BLOCK(uint8_t, b, form.at_switch_pointer) + port_index + n);
    case LINK_POINTER: return load(UT_IN_BLOCK(uint8_t, b, form.at_link_pointer) + port_index + n);
    case OUT_UP: return spread(s->out_up >> n);
    case VALID: return spread(ports(UT_S_VALID) >> n);
    case KIND: return load(payload.kind + n);
    case BAD: return load(payload.bad + n);
    default: return load(payload.vc + n);
    }
  }
  // For reports.
  __attribute__((noinline)) uint8_t byte(unsigned row, unsigned lane) const {
    return (uint8_t)(eight(row, lane / 8 * 8) >> lane % 8 * 8);
  }
  ut_mask ports(enum ut_register r) const { // any of their VCs
    return ut_at_ports(*this, r, form);
  }
  // Positions, in bytes, at which the next flit is written.
  uint64_t written(unsigned n) const {
    return load(static_cast<const uint8_t *>(wires->write) + b->lane + base + n);
  }

  // Eight bytes, or as many as a switch has.
  static uint64_t load(const uint8_t *bytes) {
    uint64_t x = 0;
    std::memcpy(&x, bytes, LANES < 8 ? LANES : 8);
    return x;
  }
  // Eight bits expanded to bytes.
  static uint64_t spread(uint64_t bits) {
    const uint64_t each = (bits & 255) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
  }

  // A set of the lanes from n on; behind those of the switch are lanes of others.
  UT_ALWAYS uint64_t set(unsigned r, unsigned n) const {
    return ut_register(b, (enum ut_register)r, form)[(base + n) / 64] >> (base + n) % 64;
  }

private:
  uint64_t bits(enum ut_register r, unsigned n) const {
    return spread(set(r, n));
  }
  // ut_at_offer() of eight lanes.
  uint64_t offer(unsigned n) const {
    typedef uint8_t Eight __attribute__((vector_size(8)));
    const uint64_t is_free = bits(UT_S_OUT_UP, n) & ~bits(UT_S_OWNED, n);
    const Eight credits = (Eight)load(UT_IN_BLOCK(uint8_t, b, form.at_credits) + base + n);
    Eight x = (Eight)(is_free & bits(UT_S_SPACE, n));
    if (form.bubble)
      x |= (Eight)(is_free & bits(UT_S_SPACE2, n)) << 1;
    for (unsigned i = 1; i <= form.levels; i++)
      x |= (Eight)(credits >= (uint8_t)(form.least + i)) & (uint8_t)(1u << (form.bubble + i));
    return (uint64_t)x;
  }
  // ut_at_queue_wr() of eight lanes.
  uint64_t queue_end(unsigned n) const {
    typedef uint8_t Eight __attribute__((vector_size(8)));
    const Eight rd = (Eight)eight(QUEUE_RD, n), count = (Eight)eight(QUEUE_COUNT, n);
    const Eight around = (Eight)(rd >= (uint8_t)UT_OUTPUT_DEPTH - count) & (uint8_t)UT_OUTPUT_DEPTH;
    return (uint64_t)(rd + count - around);
  }
  uint64_t pointers(unsigned row, unsigned n) const {
    typedef uint8_t Eight __attribute__((vector_size(8)));
    const uint64_t read = load(UT_IN_BLOCK(uint8_t, b, form.at_rd) + base + n);
    const Eight rd = (Eight)read, wr = (Eight)written(n), at = row == RD ? rd : wr;
    return (uint64_t)(row == COUNT ? wr - rd + ((Eight)(rd > wr) & (uint8_t)(2 * UT_DEPTH))
                                   : at - ((Eight)(at >= (uint8_t)UT_DEPTH) & (uint8_t)UT_DEPTH));
  }
  uint64_t wide_pointers(unsigned row, unsigned n) const {
    uint64_t x = 0;
    for (unsigned i = 0; i < 8 && n + i < LANES; i++) {
      const unsigned port = (n + i) % PORTS, vc = (n + i) / PORTS;
      x |= (uint64_t)(row == RD   ? ut_at_rd(*this, port, vc, form)
                      : row == WR ? ut_at_wr(*this, port, vc, form)
                                  : ut_at_count(*this, port, vc, form))
           << 8 * i;
    }
    return x;
  }
};

// Takes over the flits that have arrived and that were sent since the last comparison of the switch; reports them to
// `heard`: arrive(lane, place) and send(port).
template <class Heard> UT_ALWAYS void take_over(Payload &p, const View &at, Heard &&heard) {
  constexpr unsigned AT_ONCE = 8 / sizeof(ut_place);
  for (unsigned n = 0; n < Payload::BUFFERS; n += AT_ONCE) {
    uint64_t now = 0, before;
    std::memcpy(&now, static_cast<const ut_place *>(at.wires->write) + at.b->lane + at.base + n,
                LANES < AT_ONCE ? LANES * sizeof(ut_place) : 8);
    std::memcpy(&before, p.write + n, 8);
    for (uint64_t news = now ^ before; news;) {
      const unsigned i = (unsigned)__builtin_ctzll(news) / (64 / AT_ONCE), lane = n + i;
      const unsigned to = ut_position_at(at.wires->write, at.b->lane + at.base + lane, form.wide);
      for (unsigned from = p.write[lane]; from != to; from = ut_position_next(from, UT_DEPTH)) {
        const unsigned place = from < UT_DEPTH ? from : from - UT_DEPTH;
        p.arrive(lane, place, ut_wires_flit(at.wires, at.b->lane + at.base + lane, from));
        heard.arrive(lane, place);
      }
      p.write[lane] = (ut_place)to;
      news &= ~((~UINT64_C(0) >> (64 - 64 / AT_ONCE)) << 64 / AT_ONCE * i);
    }
  }
  UT_FOR_EACH (op, at.ports(UT_S_VALID)) {
    p.send(op, ut_at_flit(at, op, form));
    heard.send(op);
  }
}
struct Nobody {
  void arrive(unsigned, unsigned) {
  }
  void send(unsigned) {
  }
};

// The n-th set of an array of the golden model: one mask over ports for each VC.
struct Sets {
  ut_set set;
  ut_mask operator[](unsigned n) const {
    return (ut_mask)(set.w[lane_of(0, n) / 64] >> lane_of(0, n) % 64) & ut_mask_all(PORTS);
  }
};
#define UT_SETS_OF(array, n)                                                                                           \
  Sets {                                                                                                               \
    ut_set_load(UT_IN_BLOCK(void, AT.b, form.array), n, form)                                                          \
  }

// The places of a buffer.
struct Buffer {
  const Payload &payload;
  const uint64_t *half[2]; // of the ring: places below and from `turn` on
  const unsigned lane, turn;
  Buffer(const View &at, unsigned i, unsigned v)
      : payload(at.payload), lane(lane_of(i, v)), turn(ut_at_wr(at, i, v, form)) {
    const size_t whole = UT_DEPTH * (UT_WORDS + 1), late = ut_at_write(at, i, v, form) < UT_DEPTH ? 0 : whole;
    const uint64_t *ring = ut_wires_flit(at.wires, at.b->lane + ut_at_lane(at, i, v, form), 0);
    half[0] = ring + late;
    half[1] = ring + (whole - late);
  }
  const uint64_t *data(unsigned place) const {
    return DEEP ? half[place >= turn] + place * (UT_WORDS + 1) : payload.data[lane] + place * UT_WORDS;
  }
  uint8_t tag(unsigned place) const {
    return DEEP ? (uint8_t)ut_flit_tag(data(place)[UT_WORDS]) : payload.tag[lane][place];
  }
};

// The places of an output queue.
struct Queue {
  const uint64_t *flits;
  Queue(const View &at, unsigned o, unsigned w) : flits(ut_at_queue_place(at, o, w, 0, form)) {
  }
  const uint64_t *data(unsigned place) const {
    return flits + place * (UT_WORDS + 1);
  }
  uint8_t tag(unsigned place) const {
    return (uint8_t)ut_flit_tag(data(place)[UT_WORDS]);
  }
};

} // namespace

#endif
