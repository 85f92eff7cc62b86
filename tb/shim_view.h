// shim_view.h - the golden registers of a switch as the RTL has them; C++, part of shim.cpp.
#ifndef UT_SHIM_VIEW_H
#define UT_SHIM_VIEW_H

#include <cstring>

#include "registers.h"
#include "shape_gen.h"
#include "shim.h"
#include "shim_bits.h"

#define UT_ALWAYS inline __attribute__((always_inline))

namespace {

constexpr ut_form form = ut_form_of(UT_SHAPE); // what the golden registers' places depend on

constexpr unsigned PORTS = 1u << form.port_bits, LANES = 1u << form.each_bits;
constexpr unsigned lane_of(unsigned port, unsigned vc) {
  return vc << form.port_bits | port;
}

// Parts of a deep buffer, see UT_WHOLE_BUFFER.
constexpr unsigned WHOLE = UT_WHOLE_BUFFER, TURNS = (UT_DEPTH + WHOLE - 1) / WHOLE;
constexpr bool DEEP = UT_DEPTH > WHOLE;

// Registers of a byte that every lane has, or every port (lanes of VC 0): of input VCs, then of output VCs.
enum Row {
  STATE,
  OPEN,
  CREDIT,
  OWED,
  RD,
  WR,
  COUNT,
  IN_UP,
  CUT,
  DEPENDS,
  OLD,
  PROMOTED,
  WAIT,
  ROUTE_TURN,
  SWITCH_TURN,
  CAND, // where BYTE_SETS
  INPUT_ROWS,
  OWNED = INPUT_ROWS,
  CREDITS,
  OUT_UP,
  VALID,
  KIND,
  BAD,
  SENT_VC,
  VC_TURN, // mask of the VC allocator's arbiter, where BYTE_SETS
  ROWS
};
// Sets of ports, one for each VC, are the same byte in the RTL and in the golden model.
constexpr bool BYTE_SETS = form.each_bits <= 3 && (UT_V == 1 || (UT_PO == PORTS && UT_PI == PORTS));

// What the golden model has in rings only, as the RTL has it: buffers that are not deep, where a flit is taken over
// when it has arrived, and output registers, when one is sent.
struct Payload {
  static constexpr unsigned BUFFERS = DEEP ? 0 : LANES;
  uint64_t data[BUFFERS][UT_DEPTH * UT_WORDS];
  uint8_t tag[BUFFERS][UT_DEPTH];
  uint8_t write[(BUFFERS + 7) / 8 * 8]; // positions up to which flits have been taken over
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

  // A row of the eight lanes from n on.  What stands in lanes that do not have the register does not matter.
  UT_ALWAYS uint64_t eight(unsigned row, unsigned n) const {
    switch (row) {
    case STATE:
      return bits(UT_S_ROUTING, n) * UT_VC_STATE_ROUTING | bits(UT_S_WAITING, n) * UT_VC_STATE_WAITING |
             bits(UT_S_ACTIVE, n) * UT_VC_STATE_ACTIVE | bits(UT_S_DRAIN, n) * UT_VC_STATE_DRAIN;
    case OPEN: return bits(UT_S_OPEN, n);
    case CREDIT: return bits(UT_S_CREDIT, n);
    case OWED: return load(UT_IN_BLOCK(uint8_t, b, form.at_owed) + base + n);
    case RD:
    case WR:
    case COUNT: return form.wide ? wide_pointers(row, n) : pointers(row, n);
    case IN_UP: return bits(UT_S_IN_UP, n);
    case CUT: return bits(UT_S_CUT, n);
    case DEPENDS: return bits(UT_S_DEPENDS, n);
    case OLD: return bits(UT_S_OLD, n);
    case PROMOTED: return bits(UT_S_PROMOTED, n);
    case WAIT: return load(UT_IN_BLOCK(uint8_t, b, form.at_wait) + base + n);
    case CAND: return load(UT_IN_BLOCK(uint8_t, b, form.at_cand) + base + n) & spread(255) * ut_mask_all(UT_V * UT_PO);
    case OWNED: return bits(UT_S_OWNED, n);
    case CREDITS: return load(UT_IN_BLOCK(uint8_t, b, form.at_credits) + base + n);
    case VC_TURN: /* ports that are not there have a lane, too */
      return load(UT_IN_BLOCK(uint8_t, b, form.at_va) + base + n) & spread(255) * ut_mask_all(UT_V * UT_PI);
    }
    if (n >= PORTS)
      return 0;
    switch (row) {
    case ROUTE_TURN: return load(UT_IN_BLOCK(uint8_t, b, form.at_route_turn) + gate + n);
    case SWITCH_TURN: return load(UT_IN_BLOCK(uint8_t, b, form.at_switch_turn) + gate + n);
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
  // Positions of bytes: where the next flit is written.
  uint64_t written(unsigned n) const {
    return load(static_cast<const uint8_t *>(wires->write) + b->lane + base + n);
  }

  // Eight bytes, or as many as a switch has.
  static uint64_t load(const uint8_t *bytes) {
    uint64_t x = 0;
    std::memcpy(&x, bytes, LANES < 8 ? LANES : 8);
    return x;
  }
  // Eight bits as bytes.
  static uint64_t spread(uint64_t bits) {
#ifdef __BMI2__
    return __builtin_ia32_pdep_di(bits, UINT64_C(0x0101010101010101));
#else
    const uint64_t each = (bits & 255) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
#endif
  }

private:
  uint64_t bits(enum ut_register r, unsigned n) const {
    return spread(ut_register(b, r, form)[(base + n) / 64] >> (base + n) % 64);
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

// Takes over what has arrived and what was sent since the switch was compared last.
UT_ALWAYS void take_over(Payload &p, const View &at) {
  for (unsigned n = 0; n < Payload::BUFFERS; n += 8)
    for (uint64_t news = at.written(n) ^ View::load(p.write + n); news;) {
      const unsigned i = (unsigned)__builtin_ctzll(news) / 8, lane = n + i;
      const unsigned to = ut_position_at(at.wires->write, at.b->lane + at.base + lane, form.wide);
      for (unsigned from = p.write[lane]; from != to; from = ut_position_next(from, UT_DEPTH))
        p.arrive(lane, from < UT_DEPTH ? from : from - UT_DEPTH,
                 ut_wires_flit(at.wires, at.b->lane + at.base + lane, from));
      p.write[lane] = (uint8_t)to;
      news &= ~(UINT64_C(255) << 8 * i);
    }
  UT_FOR_EACH(op, at.ports(UT_S_VALID)) p.send(op, ut_at_flit(at, op, form));
}

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

} // namespace

#endif
