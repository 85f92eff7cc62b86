// output_unit_tb.cpp - rtl/ut_output_unit.v with ut_room.v against whole cycles of a golden switch, in which nothing is
// routed or allocated: one flit crosses the crossbar, credits arrive; and the needs of a group of switches
#include "Voutput_unit_tb.h"
#include "blocks.hpp"

enum {
  S = 20,
  IN = 10,
  OUT = 24,
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
  IP = 1, // where in the golden switch
  OP = 1
};

// Shapes whose algorithms obey the bubble rule, have a preferred class, or both; or let no two packets into a buffer.
static const struct {
  unsigned v, depth, longest, shortest, escapes, route, algorithm;
} rings[8] = {{4, 21, 7, 5, 2, UT_ROUTE_TORUS, UT_TORUS_DUATO},
              {1, 8, 4, 4, 1, UT_ROUTE_TORUS, UT_TORUS_DOR},
              {2, 16, 5, 4, 1, UT_ROUTE_TORUS, UT_TORUS_DUATO},
              {4, 9, 4, 4, 2, UT_ROUTE_MESH, UT_MESH_DUATO},
              {4, 4, 2, 2, 3, UT_ROUTE_MESH, UT_MESH_DUATO},
              {3, 5, 2, 2, 1, UT_ROUTE_MESH, UT_MESH_DUATO},
              {3, 4, 9, 9, 1, UT_ROUTE_DETOUR_CUBE, UT_DETOUR_CUBE_DETOUR},
              {2, 6, 2, 2, 1, UT_ROUTE_DETOUR_CUBE, UT_DETOUR_CUBE_DETOUR}};

int main() {
  static Bench<Voutput_unit_tb, S, IN, OUT> b("output_unit");
  const unsigned depths[4] = {1, 4, 7, 16}, packets[4] = {1, 2, 2, 9};
  Golden *golden[S];
  bool sent[S] = {};
  unsigned calm[S] = {};
  uint32_t counts[S][4] = {}; // credits that free VCs had: all of them must come
  for (unsigned s = 0; s < S; s++) {
    unsigned size = s / 6 * 2 + s % 2;
    ut_shape p;
    if (s < 12) {
      p = shape_of(4, s % 3 == 0 ? 1 : s % 3 == 1 ? 2 : 4, depths[size], packets[size]);
      p.switching = s / 3 % 2;
    } else {
      const auto &ring = rings[s - 12];
      p = shape_of(4, ring.v, ring.depth, ring.longest, ring.algorithm);
      p.min_packet = ring.shortest;
      p.route = ring.route;
      p.escapes = ring.escapes;
      p.switching = s >= 16 && s < 19;
      p.size[0] = s < 18 ? 4 : 0;
      p.cube = s < 18 ? 0 : 2;
    }
    golden[s] = new Golden(p);
    ut_form &x =
        golden[s]->g.form; // all thresholds that there can be, also where the algorithm leaves nothing to compare
    x.levels = p.depth - x.least < 8 - x.bubble ? p.depth - x.least : 0;
    b.name(s, "V=%u DEPTH=%u MAX_PACKET=%u %s%s, algorithm %u of family %u", p.v, p.depth, p.max_packet,
           p.switching ? "wormhole" : "VCT", golden[s]->g.form.alone ? " alone" : "", p.algorithm, p.route);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    unsigned credit_rate = c / 100 % 2 ? 70 : 20;
    bool probe = c > 0 && b.random.chance(20);
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned v = m.g.shape.v;
      uint32_t *in = b.in(s);
      bool up = m.s->out_up >> OP & 1;
      uint32_t owned = 0, sendable = 0;
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_LINK_UP] = in[IN_LINK_UP] ? b.random.below(100) != 0 : b.random.chance(25);
      in[IN_CREDIT] = in[IN_TAKE] = in[IN_VALID] = in[IN_VC] = 0;
      in[IN_KIND] = b.random.below(4);
      in[IN_BAD] = b.random.below(2);
      in[IN_DATA] = b.random.word();
      in[IN_DATA + 1] = b.random.word();
      for (unsigned o = 0; o < v; o++) {
        bool own = ut_reg_owned(&m.g, m.s, OP, o);
        bool room = up && !own && ut_reg_enough(&m.g, m.s, OP, o);
        in[IN_TAKE] |= (uint32_t)(room && b.random.chance(40)) << o;
        owned |= (uint32_t)own << o;
        sendable |= (uint32_t)(up && ut_reg_credits(&m.g, m.s, OP, o) > 0) << o;
      }
      uint32_t ready = (owned | in[IN_TAKE]) & sendable;
      if (ready && b.random.chance(70)) { // one flit of one owner
        unsigned o = b.random.below(v);
        while (!(ready >> o & 1))
          o = (o + 1) % v;
        in[IN_VALID] = 1;
        in[IN_VC] = ut_bit(o);
      }
      for (unsigned o = 0; o < v; o++) // while the port is down, pulses may come and must not count
        if (!up || ut_reg_credits(&m.g, m.s, OP, o) < m.g.shape.depth || in[IN_VC] >> o & 1)
          in[IN_CREDIT] |= (uint32_t)b.random.chance(credit_rate) << o;
    }
    if (probe) { // the error flag, without a clock edge
      uint32_t saved[S][IN];
      for (unsigned s = 0; s < S; s++) {
        memcpy(saved[s], b.in(s), sizeof saved[s]);
        b.in(s)[IN_VALID] = b.random.chance(50);
        b.in(s)[IN_VC] = b.in(s)[IN_VALID] ? ut_bit(b.random.below(golden[s]->g.shape.v)) : 0;
        b.in(s)[IN_CREDIT] = b.random.mask() & ut_mask_all(golden[s]->g.shape.v);
      }
      b.settle();
      for (unsigned s = 0; s < S; s++) {
        const Golden &m = *golden[s];
        bool error = false;
        for (unsigned o = 0; o < m.g.shape.v; o++) {
          unsigned credits = ut_reg_credits(&m.g, m.s, OP, o);
          bool send = b.in(s)[IN_VC] >> o & 1;
          error |= send && !credits;
          error |= m.s->out_up >> OP & 1 && b.in(s)[IN_CREDIT] >> o & 1 && !send && credits == m.g.shape.depth;
        }
        b.check(s, "error_o", b.out(s)[OUT_ERROR], error);
        memcpy(b.in(s), saved[s], sizeof saved[s]);
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned v = m.g.shape.v;
      const uint32_t *in = b.in(s), *out = b.out(s);
      uint32_t room = 0, room2 = 0, sendable = 0;
      for (unsigned o = 0; o < v; o++) {
        const bool up = m.s->out_up >> OP & 1, free = up && !ut_reg_owned(&m.g, m.s, OP, o);
        const unsigned credits = ut_reg_credits(&m.g, m.s, OP, o);
        if (free)
          counts[s][o] |= ut_bit(credits);
        room |= (uint32_t)(free && ut_reg_enough(&m.g, m.s, OP, o)) << o;
        room2 |= (uint32_t)(m.g.form.bubble && free && ut_reg_enough2(&m.g, m.s, OP, o)) << o;
        sendable |= (uint32_t)(up && (!m.g.shape.switching || credits)) << o;
      }
      if (c > 0) {
        b.check(s, "room_o", out[OUT_ROOM], room);
        b.check(s, "room2_o", out[OUT_ROOM2], room2);
        b.check(s, "sendable_o", out[OUT_SENDABLE], sendable);
        b.check(s, "error_o", out[OUT_ERROR], 0);
      }
      for (unsigned o = 0; o < v; o++) // as ut_vc_allocate does
        if (in[IN_TAKE] >> o & 1)
          ut_set_owned(&m.g, m.s, OP, o, true);
      ut_set_state(&m.g, m.s, IP, 0, UT_VC_STATE_IDLE); // whatever the last flit was
      ut_set_buffer(&m.g, m.s, IP, 0, 0, 0);
      if (in[IN_VALID]) { // a flit of some active packet
        const unsigned vc = ut_first(in[IN_VC]);
        uint64_t flit[2] = {0, ut_flit_meta(in[IN_KIND] | (in[IN_BAD] ? UT_BAD : 0), m.g.shape.v > 1 ? 0 : vc)};
        memcpy(flit, in + IN_DATA, 8);
        ut_set_state(&m.g, m.s, IP, 0, UT_VC_STATE_ACTIVE);
        ut_set_buffer(&m.g, m.s, IP, 0, 0, 1);
        ut_set_out(&m.g, m.s, IP, 0, OP, vc);
        ut_set_place(&m.g, m.s, IP, 0, 0, flit);
        sent[s] = true;
      }
      const bool up = m.s->out_up >> OP & 1;
      for (unsigned o = 0; o < v; o++)
        if (in[IN_CREDIT] >> o & 1)
          golden_credit(&m, OP, o);
      if (!up && in[IN_CREDIT]) // a network takes them off the wires (flush_wires())
        ut_switch_disturb(&m.g, m.s);
      golden_see(&m, 0, in[IN_LINK_UP] << OP, NULL);
      calm[s] += !ut_block_of(&m.g, m.s)->unusual;
      golden_step(&m);
      if (in[IN_RST])
        ut_switch_reset(&m.g, m.s, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned v = m.g.shape.v;
      const uint32_t *out = b.out(s);
      b.check(s, "up_q", out[OUT_UP], m.s->out_up >> OP & 1);
      b.check(s, "valid_q", out[OUT_VALID], ut_reg_valid(&m.g, m.s) >> OP & 1);
      for (unsigned o = 0; o < v; o++) {
        b.check_at(s, "owned_q", o, out[OUT_OWNED] >> o & 1, ut_reg_owned(&m.g, m.s, OP, o));
        const unsigned credits = ut_reg_credits(&m.g, m.s, OP, o), levels = m.g.form.levels;
        b.check_at(s, "credits_q", o, out[OUT_CREDITS + o], credits);
        b.check_at(s, "offer_q", o, out[OUT_OFFER + o], ut_reg_offer(&m.g, m.s, OP, o));
        // thresholds, or the count where there are too many, or nothing where all free VCs have as many
        unsigned reached = credits > m.g.form.least ? credits - m.g.form.least : 0;
        b.check_at(s, "amount_o", o, out[OUT_AMOUNT + o],
                   levels                              ? ut_mask_all(reached)
                   : m.g.form.least == m.g.shape.depth ? 0
                                                       : credits);
      }
      if (sent[s]) { // payload is not reset
        const uint64_t *flit = ut_reg_flit(&m.g, m.s, OP);
        uint64_t word;
        memcpy(&word, out + OUT_DATA, 8);
        b.check(s, "vc_q", out[OUT_VC], ut_flit_vc(flit[1]));
        b.check(s, "kind_q", out[OUT_KIND], ut_flit_tag(flit[1]) & UT_KIND_MASK);
        b.check(s, "bad_q", out[OUT_BAD], ut_flit_tag(flit[1]) / UT_BAD);
        b.check(s, "data_q", word, flit[0]);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    for (unsigned o = 0; o < golden[s]->g.shape.v; o++)
      b.check_at(s, "credits that were met", o, counts[s][o], ut_mask_all(golden[s]->g.shape.depth + 1));
    b.check(s, "calm cycles are many", calm[s] > CYCLES / 4 && calm[s] < CYCLES, true);
    delete golden[s];
  }
  return b.report();
}
