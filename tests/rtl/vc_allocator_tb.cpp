// SPDX-License-Identifier: Apache-2.0
// vc_allocator_tb.cpp - rtl/ut_vc_allocator.v and rtl/ut_vc_select.v against spec_allocate_vcs
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
// former.  Where some input ports go first, they are those behind the ports of the dimensions.
static ut_shape shape_number(unsigned s) {
  const unsigned p = s < 3 ? 4 : s < 6 ? 8 : s == 9 ? 10 : 6, v = s == 6 ? 4 : s == 8 ? 1 : s == 9 ? 3 : s % 3 + 1;
  ut_shape shape = shape_of(p, v, s % 3 == 0 ? 4 : s % 3 == 1 ? 5 : 16, 2, v > 1 ? UT_TORUS_DUATO : UT_TORUS_DOR);
  shape.route = UT_ROUTE_TORUS;
  shape.size[0] = 4;
  shape.size[1] = s == 7 ? 4 : 0;
  shape.local_first = s == 7 || s == 8;
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
  const uint32_t first = set & lines(ports);
  set &= ~lines(alike * ports);
  for (unsigned v = 0; v < alike; v++)
    set |= first << v * ports;
  return set;
}

// Output VCs at random, and what the RTL is told of them.
static void draw_outputs(Spec &m, Random &random, uint32_t *in) {
  const unsigned p = m.shape.po, depth = m.shape.depth;
  const unsigned least = random.below(depth + 1); // ties are as likely as differences
  m.set_up(random.chance(60) ? ~0u : random.mask());
  for (unsigned o = 0; o < m.shape.v; o++) {
    const uint32_t owned = random.chance(40) ? 0 : random.mask();
    for (unsigned op = 0; op < p; op++) {
      spec_output_vc &vc = m.out[op].vc[o];
      vc.credits = least + random.below(depth + 1 - least);
      vc.owned = owned >> op & 1;
      const bool free = m.out[op].up && !vc.owned;
      in[IN_ROOM] |= (uint32_t)(free && spec_has_space(&m.shape, m.shape.depth, op, o, vc.credits, false))
                     << (o * p + op);
      in[IN_ROOM2] |= (uint32_t)(free && spec_has_space(&m.shape, m.shape.depth, op, o, vc.credits, true))
                      << (o * p + op);
      for (unsigned n = 0; n < 5; n++)
        in[IN_CREDITS + n] |= (vc.credits >> n & 1) << (o * p + op);
    }
  }
}

// Candidates of all input VCs at random.
static void draw_candidates(Spec &m, unsigned s, Random &random, uint32_t *in) {
  const unsigned p = m.shape.po, v = m.shape.v, ni = p * v, alike = alike_of(s);
  const bool classes = random.chance(70);
  for (unsigned i = 0; i < ni; i++) {
    spec_answer &a = m.in[i % p].vc[i / p].answer;
    const uint32_t set = single_of(s) ? bit(random.below(p)) : random.mask();
    in[IN_CAND + i] = all_alike(set, alike, p) & lines(ni);
    in[IN_BUBBLE + i] = classes ? random.mask() & in[IN_CAND + i] & ~(alike > 1 ? lines(alike * p) : 0) : 0;
    in[IN_PREFERRED + i] =
        classes && m.has_preferred() && !single_of(s) ? all_alike(random.mask(), alike, p) & in[IN_CAND + i] : 0;
    for (unsigned o = 0; o < v; o++) {
      a.cand[o] = in[IN_CAND + i] >> o * p & lines(p);
      a.bubble[o] = in[IN_BUBBLE + i] >> o * p & lines(p);
      a.preferred[o] = in[IN_PREFERRED + i] >> o * p & lines(p);
    }
  }
}

// One allocation in which those input VCs wait.
static void allocate(Spec &m, uint32_t waiting) {
  const unsigned p = m.shape.pi;
  for (unsigned i = 0; i < p * m.shape.v; i++)
    m.in[i % p].vc[i / p].state = waiting >> i & 1 ? UT_VC_STATE_WAITING : UT_VC_STATE_IDLE;
  m.begin();
  spec_allocate_vcs(&m, &m.cycle);
}

// The output VC for which it bids; none: 0.
static uint32_t choice_of(const Spec &m, unsigned i) {
  const spec_decision &d = m.cycle.vc[i % m.shape.pi][i / m.shape.pi];
  return d.bids ? bit(d.vc * m.shape.po + d.port) : 0;
}

int main() {
  static Bench<Vvc_allocator_tb, S, IN, OUT> b("vc_allocator");
  Spec *spec[S];
  for (unsigned s = 0; s < S; s++) {
    const ut_shape p = shape_number(s);
    spec[s] = new Spec(p);
    b.name(s, "P=%u V=%u DEPTH=%u LOCAL=%u", p.pi, p.v, p.depth, s == 7 ? 2 : s == 8 ? 4 : 0);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) { // a random situation; only the pointers persist
      Spec &m = *spec[s];
      uint32_t *in = b.in(s);
      memset(in, 0, IN * 4);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_BID] = b.random.mask() & lines(m.shape.pi * m.shape.v);
      draw_outputs(m, b.random, in);
      draw_candidates(m, s, b.random, in);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const unsigned p = m.shape.pi, ni = p * m.shape.v;
      const uint32_t *in = b.in(s), *out = b.out(s);
      uint32_t grant = 0, taken = 0;
      if (c > 0) { // the selection of every input VC, bidding or not
        static spec_switch before;
        before = m;
        allocate(m, ~0u);
        for (unsigned i = 0; i < ni; i++) {
          b.check_at(s, "any", i, out[OUT_ANY] >> i & 1, choice_of(m, i) != 0);
          b.check_at(s, "choice_o", i, out[OUT_CHOICE + i], choice_of(m, i));
        }
        static_cast<spec_switch &>(m) = before;
      }
      allocate(m, in[IN_BID]);
      for (unsigned i = 0; i < ni; i++)
        if (m.cycle.vc[i % p][i / p].granted) {
          grant |= bit(i);
          taken |= choice_of(m, i);
        }
      if (c > 0) {
        b.check(s, "grant_o", out[OUT_GRANT], grant);
        b.check(s, "taken_o", out[OUT_TAKEN], taken);
      }
      if (in[IN_RST])
        spec_reset(&m, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      const Spec &m = *spec[s];
      const unsigned p = m.shape.po, v = m.shape.v;
      for (unsigned i = 0; i < p; i++)
        b.check_at(s, "select_q", i, b.out(s)[OUT_SELECT + i],
                   single_of(s) ? 0 : pointer_mask(m.in[i].select_pointer, p));
      for (unsigned o = 0; o < p * v; o++) {
        uint32_t mask = 0;
        for (unsigned i = 0; i < v; i++)
          mask |= pointer_mask(m.out[o % p].vc[o / p].pointer, p, i) << i * p;
        b.check_at(s, "arbiter mask", o, b.out(s)[OUT_MASK + o], mask);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++)
    delete spec[s];
  return b.report();
}
