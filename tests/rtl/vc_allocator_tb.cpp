// vc_allocator_tb.cpp - rtl/ut_vc_allocator.v and rtl/ut_vc_select.v against ut_vc_allocate and ut_vc_select
#include "Vvc_allocator_tb.h"
#include "blocks.hpp"

enum {
  S = 10,
  IN = 99,
  OUT = 73,
  IN_RST = 0,
  IN_BID,
  IN_ROOM,
  IN_ROOM2,
  IN_CREDITS,
  IN_CAND = 9,
  IN_BUBBLE = 39,
  IN_PREFERRED = 69,
  OUT_GRANT = 0,
  OUT_TAKEN,
  OUT_ANY,
  OUT_SELECT,
  OUT_CHOICE = 13,
  OUT_MASK = 43
};

// With V of 2 and more an algorithm that has both bubble candidates and a preferred class, else one that has the
// former.
static ut_shape shape_number(unsigned s) {
  const unsigned p = s < 3 ? 4 : s < 6 ? 8 : s == 9 ? 10 : 6, v = s == 6 ? 4 : s == 8 ? 1 : s == 9 ? 3 : s % 3 + 1;
  ut_shape shape = shape_of(p, v, s % 3 == 0 ? 4 : s % 3 == 1 ? 5 : 16, 2, v > 1 ? UT_TORUS_DUATO : UT_TORUS_DOR);
  shape.route = UT_ROUTE_TORUS;
  shape.size[0] = 4;
  return shape;
}

// VCs whose candidates are the same, and shapes in which nobody has two classes of VCs to choose from: as in
// vc_allocator_tb.v.
static unsigned alike_of(unsigned s) {
  return s == 1 || s == 4 || s == 5 ? 2 : s == 6 ? 3 : 1;
}
static bool single_of(unsigned s) {
  return s == 1;
}
static uint32_t all_alike(uint32_t set, unsigned alike, unsigned ports) {
  const uint32_t first = set & ut_mask_all(ports);
  set &= ~ut_mask_all(alike * ports);
  for (unsigned v = 0; v < alike; v++)
    set |= first << v * ports;
  return set;
}

int main() {
  static Bench<Vvc_allocator_tb, S, IN, OUT> b("vc_allocator");
  Golden *golden[S];
  for (unsigned s = 0; s < S; s++) {
    const ut_shape p = shape_number(s);
    const unsigned local = s == 7 || s == 8 ? 9 - s : 0;
    golden[s] = new Golden(p);
    golden[s]->put_first(local);
    b.name(s, "P=%u V=%u DEPTH=%u LOCAL=%u", p.pi, p.v, p.depth, local);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) { // a random situation; only the pointers persist
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v, ni = p * v;
      uint32_t *in = b.in(s);
      bool classes = b.random.chance(70);
      memset(in, 0, IN * 4);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_BID] = b.random.mask() & ut_mask_all(ni);
      golden_set_out_up(&m, (b.random.chance(60) ? ~0u : b.random.mask()) & m.g.all_out);
      unsigned least = b.random.below(m.g.shape.depth + 1); // ties are as likely as differences
      for (unsigned o = 0; o < v; o++) {
        const ut_mask owned = (b.random.chance(40) ? 0 : b.random.mask()) & m.g.all_out;
        for (unsigned op = 0; op < p; op++) {
          unsigned credits = least + b.random.below(m.g.shape.depth + 1 - least);
          ut_set_credits(&m.g, m.s, op, o, credits);
          ut_set_owned(&m.g, m.s, op, o, owned >> op & 1);
          const bool up = m.s->out_up & ~owned & ut_bit(op);
          in[IN_ROOM] |= (uint32_t)(up && ut_reg_enough(&m.g, m.s, op, o)) << (o * p + op);
          in[IN_ROOM2] |= (uint32_t)(up && ut_reg_enough2(&m.g, m.s, op, o)) << (o * p + op);
          for (unsigned bit = 0; bit < 5; bit++)
            in[IN_CREDITS + bit] |= (credits >> bit & 1) << (o * p + op);
        }
      }
      for (unsigned i = 0; i < ni; i++) {
        const unsigned alike = alike_of(s);
        const uint32_t set = single_of(s) ? ut_bit(b.random.below(p)) : b.random.mask();
        in[IN_CAND + i] = all_alike(set, alike, p) & ut_mask_all(ni);
        in[IN_BUBBLE + i] = classes ? b.random.mask() & in[IN_CAND + i] & ~(alike > 1 ? ut_mask_all(alike * p) : 0) : 0;
        in[IN_PREFERRED + i] =
            classes && m.g.form.preferred && !single_of(s) ? all_alike(b.random.mask(), alike, p) & in[IN_CAND + i] : 0;
        for (unsigned o = 0; o < v; o++) {
          ut_set_cand(&m.g, m.s, i % p, i / p, o, in[IN_CAND + i] >> o * p & m.g.all_out);
          ut_set_bubble(&m.g, m.s, i % p, i / p, o, in[IN_BUBBLE + i] >> o * p & m.g.all_out);
          if (m.g.form.preferred)
            ut_set_preferred(&m.g, m.s, i % p, i / p, o, in[IN_PREFERRED + i] >> o * p & m.g.all_out);
        }
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v, ni = p * v;
      const uint32_t *in = b.in(s), *out = b.out(s);
      const ut_form &x = m.g.form;
      uint64_t room[UT_SET_WORDS] = {}, full[UT_SET_WORDS];
      uint32_t grant = 0, taken = 0;
      ut_work work, *w = &work;
      golden_begin(&m, w, c % 2);
      for (unsigned o = 0; o < v; o++) {
        golden_set_ports(&m, w->bid, o, in[IN_BID] >> o * p & m.g.all_in);
        golden_set_ports(&m, golden_set(&m, UT_S_WAITING), o, in[IN_BID] >> o * p & m.g.all_in);
        golden_set_ports(&m, golden_set(&m, UT_S_ACTIVE), o, 0);
        golden_set_ports(&m, room, o, in[IN_ROOM] >> o * p & m.g.all_out);
      }
      ut_vc_full(w, full, x);
      if (c > 0)
        for (unsigned i = 0; i < ni; i++) { // the selection of every input VC, bidding or not
          unsigned lane;
          bool any = ut_vc_select(w, golden_in_block(&m, i % p, i / p), room, full, &lane, x);
          b.check_at(s, "any", i, out[OUT_ANY] >> i & 1, any);
          if (any)
            b.check_at(s, "choice_o", i, out[OUT_CHOICE + i],
                       UINT32_C(1) << (ut_lane_vc(lane, x) * p + ut_lane_port(lane, x)));
        }
      ut_vc_allocate(w, x);
      for (unsigned o = 0; o < v; o++) {
        const ut_mask active = golden_ports(&m, golden_set(&m, UT_S_ACTIVE), o);
        grant |= active << o * p;
        b.check_at(s, "still waiting", o, golden_ports(&m, golden_set(&m, UT_S_WAITING), o),
                   in[IN_BID] >> o * p & m.g.all_in & ~active);
        b.check_at(s, "may send at once", o, golden_ports(&m, w->send, o), active);
      }
      if (c > 0) {
        b.check(s, "grant_o", out[OUT_GRANT], grant);
        UT_FOR_EACH (i, grant) {
          const unsigned op = ut_reg_out_port(&m.g, m.s, i % p, i / p), ovc = ut_reg_out_vc(&m.g, m.s, i % p, i / p);
          uint32_t choice = 0;
          for (unsigned o = 0; o < v; o++)
            choice |= ut_reg_cand(&m.g, m.s, i % p, i / p, o) << o * p;
          taken |= choice;
          b.check_at(s, "choice_o of a granted VC", i, out[OUT_CHOICE + i], choice);
          b.check_at(s, "out_vc, out_port", i, out[OUT_CHOICE + i], UINT32_C(1) << (ovc * p + op));
        }
        b.check(s, "taken_o", out[OUT_TAKEN], taken);
        for (unsigned o = 0; o < p * v; o++)
          if (taken >> o & 1)
            b.check_at(s, "owned_q of a taken VC", o, ut_reg_owned(&m.g, m.s, o % p, o / p), 1);
      }
      if (in[IN_RST])
        ut_switch_reset(&m.g, m.s, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v;
      for (unsigned i = 0; i < p; i++)
        b.check_at(s, "select_q", i, b.out(s)[OUT_SELECT + i], single_of(s) ? 0 : ut_reg_select(&m.g, m.s, i));
      for (unsigned o = 0; o < p * v; o++) {
        uint32_t mask = 0;
        for (unsigned i = 0; i < v; i++)
          mask |= ut_reg_va(&m.g, m.s, o % p, o / p, i) << i * p;
        b.check_at(s, "arbiter mask", o, b.out(s)[OUT_MASK + o], mask);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++)
    delete golden[s];
  return b.report();
}
