// SPDX-License-Identifier: Apache-2.0
// output_unit_tb.cpp - rtl/ut_output_unit.v with ut_packet_space.v against spec_update_output and spec_can_take, with
// ut_output_queue.v against spec_transmit: VCs are granted, one flit crosses the crossbar, credits arrive
#include "Voutput_unit_tb.h"
#include "blocks.hpp"

enum {
  S = 28,
  IN = 10,
  OUT = 30,
  IN_RST = 0,
  IN_LINK_UP,
  IN_CREDIT,
  IN_TAKE,
  IN_VALID,
  IN_VC,
  IN_KIND,
  IN_BAD,
  IN_DATA,
  OUT_UP = 0,
  OUT_ROOM,
  OUT_ROOM2,
  OUT_SENDABLE,
  OUT_VALID,
  OUT_VC,
  OUT_KIND,
  OUT_BAD,
  OUT_ERROR,
  OUT_DATA,
  OUT_OWNED = 11,
  OUT_CREDITS,
  OUT_OFFER = 16,
  OUT_AMOUNT = 20,
  OUT_BUSY = 24,
  OUT_POINTER,
  OUT_QUEUE,
  OP = 1 // where in the switch
};

enum { VCT = UT_SWITCHING_VCT, WORMHOLE = UT_SWITCHING_WORMHOLE };

// Shapes whose algorithms obey the bubble rule, have a preferred class, or both; or let no two packets into a buffer;
// then those with output queues.
static const struct {
  unsigned v, depth, queue, longest, shortest, escapes, route, algorithm, switching, selection;
} others[16] = {{4, 21, 0, 7, 5, 2, UT_ROUTE_TORUS, UT_TORUS_DUATO, VCT, 0},
                {1, 8, 0, 4, 4, 1, UT_ROUTE_TORUS, UT_TORUS_DOR, VCT, 0},
                {2, 16, 0, 5, 4, 1, UT_ROUTE_TORUS, UT_TORUS_DUATO, VCT, 0},
                {4, 9, 0, 4, 4, 2, UT_ROUTE_MESH, UT_MESH_DUATO, VCT, 0},
                {4, 4, 0, 2, 2, 3, UT_ROUTE_MESH, UT_MESH_DUATO, WORMHOLE, 0},
                {3, 5, 0, 2, 2, 1, UT_ROUTE_MESH, UT_MESH_DUATO, WORMHOLE, 0},
                {3, 4, 0, 9, 9, 1, UT_ROUTE_DETOUR_CUBE, UT_DETOUR_CUBE_DETOUR, WORMHOLE, 0},
                {2, 6, 0, 2, 2, 1, UT_ROUTE_DETOUR_CUBE, UT_DETOUR_CUBE_DETOUR, VCT, 0},
                {1, 4, 2, 2, 2, 1, UT_ROUTE_FATTREE, UT_FATTREE_FTA, VCT, UT_SELECTION_CREDITS},
                {4, 7, 9, 5, 5, 1, UT_ROUTE_FATTREE, UT_FATTREE_FTA, VCT, UT_SELECTION_OUTPUT_SPACE},
                {2, 3, 1, 4, 4, 1, UT_ROUTE_FATTREE, UT_FATTREE_FTA, WORMHOLE, UT_SELECTION_CREDITS},
                {3, 1, 8, 3, 3, 1, UT_ROUTE_FATTREE, UT_FATTREE_FTA, WORMHOLE, UT_SELECTION_OUTPUT_SPACE},
                {1, 8, 10, 4, 4, 1, UT_ROUTE_TORUS, UT_TORUS_DOR, VCT, UT_SELECTION_CREDITS},
                {4, 21, 15, 7, 5, 2, UT_ROUTE_TORUS, UT_TORUS_DUATO, VCT, UT_SELECTION_OUTPUT_SPACE},
                {3, 5, 2, 2, 2, 1, UT_ROUTE_MESH, UT_MESH_DUATO, WORMHOLE, UT_SELECTION_CREDITS},
                {2, 4, 3, 9, 9, 1, UT_ROUTE_DETOUR_CUBE, UT_DETOUR_CUBE_DETOUR, WORMHOLE, UT_SELECTION_CREDITS}};

// What allocation is told of an output VC: whether it is free and has space for a packet, and for one more.
struct Offer {
  bool space, space2;
};
static Offer offer_of(const Spec &m, unsigned ovc) {
  const spec_output_vc &vc = m.out[OP].vc[ovc];
  const bool free = m.out[OP].up && !vc.owned;
  return {free && spec_can_take(&m, OP, ovc, false), free && m.has_bubble() && spec_can_take(&m, OP, ovc, true)};
}

// Credits that a VC with space has at least, and thresholds of the credits above them (0: more than the RTL keeps), as
// in output_unit_tb.v.
static unsigned least_of(const ut_shape &p) {
  return UT_ALG_ATOMIC(p.route, p.algorithm) ? p.depth : p.switching == UT_WORMHOLE ? 1 : p.max_packet;
}
static unsigned levels_of(const Spec &m) {
  const unsigned more = m.shape.output_depth ? 0 : m.shape.depth - least_of(m.shape);
  return more < 8 - (unsigned)m.has_bubble() ? more : 0;
}

static ut_shape shape_number(unsigned s) {
  const unsigned depths[4] = {1, 4, 7, 16}, packets[4] = {1, 2, 2, 9}, size = s / 6 * 2 + s % 2;
  if (s < 12) {
    ut_shape p = shape_of(4, s % 3 == 0 ? 1 : s % 3 == 1 ? 2 : 4, depths[size], packets[size]);
    p.switching = s / 3 % 2;
    return p;
  }
  const auto &other = others[s - 12];
  ut_shape p = shape_of(4, other.v, other.depth, other.longest, other.algorithm);
  p.output_depth = other.queue;
  p.min_packet = other.shortest;
  p.route = other.route;
  p.escapes = other.escapes;
  p.switching = other.switching;
  p.selection = other.selection;
  p.size[0] = p.route == UT_ROUTE_TORUS || p.route == UT_ROUTE_MESH ? 4 : 0;
  p.cube = p.route == UT_ROUTE_DETOUR_CUBE ? 2 : 0;
  return p;
}

// With output queues: the packet that owns a VC, on whose length VCT relies: its flits, and how many of them are left.
struct Packets {
  unsigned left[4] = {}, flits[4] = {};

  void begin(const Spec &m, Random &random, unsigned o) {
    left[o] = flits[o] = 1 + random.below(m.shape.switching == VCT ? m.shape.max_packet : 12);
  }
  // A flit of it crosses: which kind it is.
  unsigned next(unsigned o) {
    const unsigned kind = (left[o] == flits[o] ? UT_KIND_HEAD : 0) | (left[o] == 1 ? UT_KIND_TAIL : 0);
    left[o]--;
    return kind;
  }
};

// Packets that take free VCs, a flit of an owner, credits.
static void draw(const Spec &m, Random &random, unsigned credit_rate, Packets &packets, uint32_t *in) {
  const spec_output_port &port = m.out[OP];
  const unsigned v = m.shape.v;
  uint32_t ready = 0;
  in[IN_LINK_UP] = in[IN_LINK_UP] ? random.below(100) != 0 : random.chance(25);
  in[IN_CREDIT] = in[IN_TAKE] = in[IN_VALID] = in[IN_VC] = 0;
  in[IN_KIND] = random.below(4);
  in[IN_BAD] = random.below(2);
  in[IN_DATA] = random.word();
  in[IN_DATA + 1] = random.word();
  for (unsigned o = 0; o < v; o++) {
    const bool takes = offer_of(m, o).space && random.chance(40);
    in[IN_TAKE] |= (uint32_t)takes << o;
    ready |= (uint32_t)((takes || port.vc[o].owned) && port.up && spec_free_places(&m, OP, o) > 0) << o;
  }
  if (ready && random.chance(70)) { // one flit of one owner
    unsigned o = random.below(v);
    while (!(ready >> o & 1))
      o = (o + 1) % v;
    in[IN_VALID] = 1;
    in[IN_VC] = bit(o);
  }
  for (unsigned o = 0; o < v && m.shape.output_depth; o++) { // a packet that takes a VC sends its head later, or now
    if (in[IN_TAKE] >> o & 1)
      packets.begin(m, random, o);
    if (in[IN_VC] >> o & 1)
      in[IN_KIND] = packets.next(o);
  }
  const uint32_t spent = m.shape.output_depth ? 0 : in[IN_VC];
  for (unsigned o = 0; o < v; o++) // while the port is down, pulses may come and must not count
    if (!port.up || port.vc[o].credits < m.shape.depth || spent >> o & 1)
      in[IN_CREDIT] |= (uint32_t)random.chance(credit_rate) << o;
}

static void step(Spec &m, const uint32_t *in) {
  m.begin();
  m.wires.out_up = in[IN_LINK_UP] << OP;
  for (unsigned o = 0; o < m.shape.v; o++) {
    spec_decision &d = m.cycle.vc[o][0]; // of any input port
    d.granted = in[IN_TAKE] >> o & 1;
    d.port = OP;
    d.vc = o;
    m.wires.credit[OP][o] = in[IN_CREDIT] >> o & 1;
    m.cycle.sends[OP][o] = in[IN_VALID] && in[IN_VC] >> o & 1;
  }
  m.cycle.sent[OP] = flit_of(in + IN_DATA, 1, in[IN_KIND] | in[IN_BAD] << 2);
  if (m.shape.output_depth)
    spec_transmit(&m, &m.cycle);
  spec_update_output(&m, &m.cycle, OP);
}

// What is wrong with the stimulus of this cycle.
static bool error_of(Spec &m, const uint32_t *in) {
  const spec_output_port &port = m.out[OP];
  const unsigned pointer = port.link_pointer;
  bool error = false;
  spec_transmit(&m, &m.cycle);
  m.out[OP].link_pointer = pointer;
  for (unsigned o = 0; o < m.shape.v; o++) {
    const unsigned credits = port.vc[o].credits;
    const bool crosses = in[IN_VC] >> o & 1, credit = in[IN_CREDIT] >> o & 1;
    const bool spends = m.shape.output_depth ? m.cycle.transmits[OP] == (int)o : crosses;
    error |= crosses && !spec_free_places(&m, OP, o);
    error |= port.up && credit && !spends && credits == m.shape.depth;
  }
  return error;
}

int main() {
  static Bench<Voutput_unit_tb, S, IN, OUT> b("output_unit");
  Spec *spec[S];
  bool sent[S] = {};
  static Packets packets[S];
  uint32_t counts[S][4] = {}, queued[S][4] = {}; // credits that VCs had, flits that queues had: all of them must come
  for (unsigned s = 0; s < S; s++) {
    const ut_shape p = shape_number(s);
    spec[s] = new Spec(p);
    b.name(s, "V=%u DEPTH=%u OUTPUT_DEPTH=%u MAX_PACKET=%u %s%s, algorithm %u of family %u", p.v, p.depth,
           p.output_depth, p.max_packet, p.switching ? "wormhole" : "VCT",
           UT_ALG_ATOMIC(p.route, p.algorithm) ? " alone" : "", p.algorithm, p.route);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      const unsigned few = spec[s]->shape.output_depth ? 5 : 20; /* so that queues fill */
      draw(*spec[s], b.random, c / 100 % 2 ? 70 : few, packets[s], b.in(s));
      b.in(s)[IN_RST] = c == 0 || b.random.below(512) == 0;
    }
    if (c > 0 && b.random.chance(20)) { // the error flag, without a clock edge
      uint32_t saved[S][IN];
      for (unsigned s = 0; s < S; s++) {
        const unsigned v = spec[s]->shape.v;
        memcpy(saved[s], b.in(s), sizeof saved[s]);
        b.in(s)[IN_VALID] = b.random.chance(50);
        b.in(s)[IN_VC] = b.in(s)[IN_VALID] ? bit(b.random.below(v)) : 0;
        b.in(s)[IN_CREDIT] = b.random.mask() & lines(v);
      }
      b.settle();
      for (unsigned s = 0; s < S; s++) {
        b.check(s, "error_o", b.out(s)[OUT_ERROR], error_of(*spec[s], b.in(s)));
        memcpy(b.in(s), saved[s], sizeof saved[s]);
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const spec_output_port &port = m.out[OP];
      const uint32_t *in = b.in(s), *out = b.out(s);
      uint32_t space = 0, space2 = 0, sendable = 0, busy = 0;
      for (unsigned o = 0; o < m.shape.v; o++) {
        if (port.up && (!port.vc[o].owned || m.shape.output_depth))
          counts[s][o] |= bit(port.vc[o].credits);
        queued[s][o] |= bit(port.vc[o].count);
        busy |= port.vc[o].count;
        space |= (uint32_t)offer_of(m, o).space << o;
        space2 |= (uint32_t)offer_of(m, o).space2 << o;
        sendable |= (uint32_t)(port.up && (m.shape.switching == UT_VCT || spec_free_places(&m, OP, o))) << o;
      }
      if (c > 0) {
        b.check(s, "space_o", out[OUT_ROOM], space);
        b.check(s, "space2_o", out[OUT_ROOM2], space2);
        b.check(s, "sendable_o", out[OUT_SENDABLE], sendable);
        b.check(s, "error_o", out[OUT_ERROR], 0);
        b.check(s, "busy_o", out[OUT_BUSY], busy != 0);
      }
      step(m, in);
      sent[s] |= in[IN_VALID];
      if (in[IN_RST])
        spec_reset(&m, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      const Spec &m = *spec[s];
      const spec_output_port &port = m.out[OP];
      const unsigned bubble = m.has_bubble(), least = least_of(m.shape), levels = levels_of(m);
      const uint32_t *out = b.out(s);
      b.check(s, "up_q", out[OUT_UP], port.up);
      b.check(s, "valid_q", out[OUT_VALID], port.valid);
      for (unsigned o = 0; o < m.shape.v; o++) {
        const unsigned credits = port.vc[o].credits, reached = lines(credits > least ? credits - least : 0);
        const Offer offer = offer_of(m, o);
        b.check_at(s, "owned_q", o, out[OUT_OWNED] >> o & 1, port.vc[o].owned);
        b.check_at(s, "credits_q", o, out[OUT_CREDITS + o], credits);
        b.check_at(s, "offer_q", o, out[OUT_OFFER + o],
                   offer.space | offer.space2 << 1 | (levels ? reached << (1 + bubble) : 0));
        // thresholds, or the count where there are too many, or nothing where all free VCs have as many
        const unsigned amount = m.shape.selection == UT_SELECTION_OUTPUT_SPACE ? spec_free_places(&m, OP, o) : credits;
        const bool counted = m.shape.output_depth || least < m.shape.depth;
        b.check_at(s, "amount_o", o, out[OUT_AMOUNT + o], levels ? reached : counted ? amount : 0);
        if (m.shape.output_depth) {
          const spec_output_vc &vc = port.vc[o];
          const unsigned end = (vc.read + vc.count) % m.shape.output_depth;
          b.check_at(s, "queue", o, out[OUT_QUEUE + o], vc.count | vc.read << 8 | end << 16);
        }
      }
      if (m.shape.output_depth && m.shape.v > 1)
        b.check(s, "pointer_q of the link", out[OUT_POINTER], pointer_mask(port.link_pointer, m.shape.v));
      if (sent[s]) { // payload is not reset
        uint64_t word;
        memcpy(&word, out + OUT_DATA, 8);
        b.check(s, "vc_q", out[OUT_VC], port.flit_vc);
        b.check(s, "kind_q", out[OUT_KIND], tag_of(port.flit) & 3);
        b.check(s, "bad_q", out[OUT_BAD], port.flit.bad);
        b.check(s, "data_q", word, port.flit.word[0]);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    for (unsigned o = 0; o < spec[s]->shape.v; o++)
      b.check_at(s, "credits that were met", o, counts[s][o], lines(spec[s]->shape.depth + 1));
    for (unsigned o = 0; o < spec[s]->shape.v; o++)
      b.check_at(s, "flits in queues that were met", o, queued[s][o], lines(spec[s]->shape.output_depth + 1));
    delete spec[s];
  }
  return b.report();
}
