// vc_allocator_tb.cpp - rtl/ut_vc_allocator.v and rtl/ut_vc_select.v against ut_vc_allocate and ut_vc_select
#include "Vvc_allocator_tb.h"
#include "blocks.hpp"

enum {
  S = 9,
  IN = 81,
  OUT = 59,
  IN_RST = 0,
  IN_BID,
  IN_ROOM,
  IN_ROOM2,
  IN_CREDITS,
  IN_CAND = 9,
  IN_BUBBLE = 33,
  IN_PREFERRED = 57,
  OUT_GRANT = 0,
  OUT_TAKEN,
  OUT_ANY,
  OUT_SELECT,
  OUT_CHOICE = 11,
  OUT_MASK = 35
};

int main() {
  static Bench<Vvc_allocator_tb, S, IN, OUT> b("vc_allocator");
  Golden *golden[S];
  for (unsigned s = 0; s < S; s++) {
    unsigned p = s < 3 ? 4 : s < 6 ? 8 : 6, v = s == 6 ? 4 : s == 8 ? 1 : s % 3 + 1;
    unsigned depth = s % 3 == 0 ? 4 : s % 3 == 1 ? 5 : 16, local = s < 7 ? 0 : 9 - s;
    golden[s] = new Golden(shape_of(p, v, depth, 2));
    golden[s]->add_classes();
    golden[s]->put_first(local);
    b.name(s, "P=%u V=%u DEPTH=%u LOCAL=%u", p, v, depth, local);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) { // a random situation; only the pointers persist
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v, ni = p * v;
      uint32_t *in = b.in(s), rows[3] = {IN_CAND, IN_BUBBLE, IN_PREFERRED};
      bool classes = b.random.chance(70);
      memset(in, 0, IN * 4);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_BID] = b.random.mask() & ut_mask_all(ni);
      m.s->out_up = (b.random.chance(60) ? ~0u : b.random.mask()) & m.g.all_out;
      unsigned least = b.random.below(m.g.shape.depth + 1); // ties are as likely as differences
      for (unsigned o = 0; o < v; o++) {
        ut_masks(&m.g, m.s, UT_M_OWNED, v)[o] = (b.random.chance(40) ? 0 : b.random.mask()) & m.g.all_out;
        for (unsigned op = 0; op < p; op++) {
          unsigned credits = least + b.random.below(m.g.shape.depth + 1 - least);
          *ut_credits_at(&m.g, m.s, op, o) = (uint8_t)credits;
          credits_changed(m, op, o);
          for (unsigned bit = 0; bit < 5; bit++)
            in[IN_CREDITS + bit] |= (credits >> bit & 1) << (o * p + op);
        }
        ut_mask up = m.s->out_up & ~ut_masks(&m.g, m.s, UT_M_OWNED, v)[o];
        in[IN_ROOM] |= (up & ut_masks(&m.g, m.s, UT_M_ENOUGH, v)[o]) << o * p;
        in[IN_ROOM2] |= (up & ut_masks(&m.g, m.s, UT_M_ENOUGH2, v)[o]) << o * p;
      }
      for (unsigned i = 0; i < ni; i++) {
        in[IN_CAND + i] = b.random.mask() & ut_mask_all(ni);
        in[IN_BUBBLE + i] = classes ? b.random.mask() & in[IN_CAND + i] : 0;
        in[IN_PREFERRED + i] = classes ? b.random.mask() & in[IN_CAND + i] : 0;
        ut_mask *to[3] = {ut_cand_at(&m.g, m.s, i % p, i / p),
                          UT_AT(ut_mask, &m.g, m.s, bubble) + (i % p * v + i / p) * v,
                          UT_AT(ut_mask, &m.g, m.s, preferred) + (i % p * v + i / p) * v};
        for (unsigned r = 0; r < 3; r++)
          for (unsigned o = 0; o < v; o++)
            to[r][o] = in[rows[r] + i] >> o * p & m.g.all_out;
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v, ni = p * v;
      const uint32_t *in = b.in(s), *out = b.out(s);
      ut_mask bid[UT_MAX_VCS], granted[UT_MAX_VCS] = {}, room[UT_MAX_VCS];
      uint32_t grant = 0, taken = 0;
      for (unsigned o = 0; o < v; o++) {
        bid[o] = in[IN_BID] >> o * p & m.g.all_in;
        room[o] = in[IN_ROOM] >> o * p & m.g.all_out;
      }
      if (c > 0)
        for (unsigned i = 0; i < ni; i++) { // the selection of every input VC, bidding or not
          unsigned op, ovc;
          bool any = ut_vc_select(&m.g, m.s, i % p, i / p, room, &op, &ovc, m.g.traits);
          b.check_at(s, "any", i, out[OUT_ANY] >> i & 1, any);
          if (any)
            b.check_at(s, "choice_o", i, out[OUT_CHOICE + i], UINT32_C(1) << (ovc * p + op));
        }
      ut_vc_allocate(&m.g, m.s, bid, granted, m.g.traits);
      for (unsigned o = 0; o < v; o++)
        grant |= granted[o] << o * p;
      if (c > 0) {
        b.check(s, "grant_o", out[OUT_GRANT], grant);
        UT_FOR_EACH(i, grant) {
          const unsigned name = *ut_vc_at(&m.g, m.s, UT_B_OUT, i % p, i / p);
          uint32_t choice = 0;
          for (unsigned o = 0; o < v; o++)
            choice |= ut_cand_at(&m.g, m.s, i % p, i / p)[o] << o * p;
          taken |= choice;
          b.check_at(s, "choice_o of a granted VC", i, out[OUT_CHOICE + i], choice);
          b.check_at(s, "out_vc, out_port", i, out[OUT_CHOICE + i],
                     UINT32_C(1) << (ut_out_vc(name, v) * p + ut_out_port(name, v)));
        }
        b.check(s, "taken_o", out[OUT_TAKEN], taken);
      }
      if (in[IN_RST])
        ut_switch_reset(&m.g, m.s, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v;
      for (unsigned i = 0; i < p; i++)
        b.check_at(s, "select_q", i, b.out(s)[OUT_SELECT + i], ut_port_at(&m.g, m.s, i)->select);
      for (unsigned o = 0; o < p * v; o++) {
        uint32_t mask = 0;
        for (unsigned i = 0; i < v; i++)
          mask |= ut_va_of(m.s, o % p, o / p, m.g.traits)[i] << i * p;
        b.check_at(s, "arbiter mask_q", o, b.out(s)[OUT_MASK + o], mask);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++)
    delete golden[s];
  return b.report();
}
