// SPDX-License-Identifier: Apache-2.0
// switch_allocator_tb.cpp - rtl/ut_switch_allocator.v against spec_allocate_switch
#include "Vswitch_allocator_tb.h"
#include "blocks.hpp"

enum {
  S = 14,
  IN = 34,
  OUT = 27,
  IN_RST = 0,
  IN_REQUEST,
  IN_TARGET,
  OUT_POP = 0,
  OUT_PICK,
  OUT_VALID,
  OUT_SELECT,
  OUT_FIRST = 11,
  OUT_MASK = 19
};

static ut_shape shape_number(unsigned s) {
  ut_shape p = shape_of(s < 6 ? 4 : s < 12 ? 8 : 6, s % 3 == 0 ? 1 : s % 3 == 1 ? 2 : 4, 4, 2);
  p.xbar = s / 3 % 2;
  p.switching = s % 2; // a second reason not to send: no credit
  if (s >= 12) {       // ports behind those of the dimensions go first
    p.v = 2 * (s - 11);
    p.xbar = s - 12;
    p.local_first = 1;
    p.size[0] = 4;
    p.size[1] = s == 12 ? 4 : 0;
  }
  return p;
}

// Packets at random, each of which owns an output VC, in random states; only the pointers persist.
static void draw(Spec &m, Random &random, uint32_t *in) {
  const unsigned p = m.shape.po, v = m.shape.v, favourite = random.below(p), crowd = random.below(100);
  uint32_t taken = 0, active[UT_MAX_VCS], occupied[UT_MAX_VCS];
  m.set_up(random.chance(60) ? ~0u : random.mask());
  for (unsigned i = 0; i < v; i++) {
    active[i] = random.mask();
    occupied[i] = random.chance(50) ? ~0u : random.mask();
    for (unsigned op = 0; op < p; op++)
      m.out[op].vc[i].credits = m.shape.switching && random.chance(20) ? 0 : 4;
  }
  for (unsigned i = 0; i < p * v; i++) {
    const unsigned ip = i % p, ivc = i / p;
    spec_input_vc &vc = m.in[ip].vc[ivc];
    unsigned out_vc = random.below(v), out_port = v == 1                 ? (ip + favourite) % p
                                                  : random.chance(crowd) ? favourite
                                                                         : random.below(p);
    for (unsigned n = 0; taken >> (out_port * v + out_vc) & 1; n++) { // an output VC has one owner
      out_vc = (out_vc + 1) % v;
      out_port = (out_port + (n % v == v - 1)) % p;
    }
    taken |= bit(out_port * v + out_vc);
    vc.state = active[ivc] >> ip & 1 ? UT_VC_STATE_ACTIVE : UT_VC_STATE_WAITING;
    vc.count = occupied[ivc] >> ip & 1 ? 1 + random.below(4) : 0;
    vc.out_port = out_port;
    vc.out_vc = out_vc;
    const bool credit = !m.shape.switching || m.out[out_port].vc[out_vc].credits;
    const bool ready = vc.state == UT_VC_STATE_ACTIVE && vc.count && m.out[out_port].up && credit;
    in[IN_TARGET + i] = bit(out_port);
    in[IN_REQUEST] |= (uint32_t)ready << i;
  }
}

// The VCs that stand for their input ports, before the pointers move.
static uint32_t picks(const Spec &m, uint32_t requests) {
  const unsigned p = m.shape.pi, v = m.shape.v;
  uint32_t pick = 0;
  if (v == 1 || m.shape.xbar == UT_XBAR_VC)
    return requests;
  for (unsigned ip = 0; ip < p; ip++) {
    bool request[UT_MAX_VCS];
    for (unsigned i = 0; i < v; i++)
      request[i] = requests >> (i * p + ip) & 1;
    const int i = spec_round_robin(request, v, m.in[ip].switch_pointer);
    pick |= i >= 0 ? bit(i * p + ip) : 0;
  }
  return pick;
}

int main() {
  static Bench<Vswitch_allocator_tb, S, IN, OUT> b("switch_allocator");
  Spec *spec[S];
  for (unsigned s = 0; s < S; s++) {
    const ut_shape p = shape_number(s);
    spec[s] = new Spec(p);
    b.name(s, "P=%u V=%u XBAR=%u LOCAL=%u", p.pi, p.v, p.xbar, s < 12 ? 0 : 2 * (s - 11));
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      uint32_t *in = b.in(s);
      memset(in, 0, IN * 4);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      draw(*spec[s], b.random, in);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const unsigned p = m.shape.po, ni = p * m.shape.v;
      const uint32_t *in = b.in(s), *out = b.out(s), pick = picks(m, in[IN_REQUEST]);
      uint32_t pop = 0, valid = 0, select[8] = {};
      m.begin();
      spec_allocate_switch(&m, &m.cycle);
      for (unsigned i = 0; i < ni; i++) {
        const spec_decision &d = m.cycle.vc[i % p][i / p];
        b.check_at(s, "request_i", i, in[IN_REQUEST] >> i & 1, d.requests);
        if (!d.wins)
          continue;
        pop |= bit(i);
        valid |= bit(d.port);
        select[d.port] |= bit(m.shape.xbar == UT_XBAR_VC ? i : i % p);
      }
      if (c > 0) {
        b.check(s, "pick_o", out[OUT_PICK], pick);
        b.check(s, "pop_o", out[OUT_POP], pop);
        b.check(s, "valid_o", out[OUT_VALID], valid);
        for (unsigned o = 0; o < p; o++)
          b.check_at(s, "select_o", o, out[OUT_SELECT + o], select[o]);
      }
      if (in[IN_RST])
        spec_reset(&m, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      const Spec &m = *spec[s];
      const unsigned p = m.shape.po, v = m.shape.v, words = m.shape.xbar == UT_XBAR_VC ? v : 1;
      for (unsigned o = 0; o < p && v > 1; o++) {
        uint32_t mask = 0;
        for (unsigned w = 0; w < words; w++)
          mask |= pointer_mask(m.out[o].pointer, p, w) << w * p;
        b.check_at(s, "output arbiter mask", o, b.out(s)[OUT_MASK + o], mask);
      }
      for (unsigned i = 0; i < p && v > 1 && words == 1; i++)
        b.check_at(s, "input arbiter mask", i, b.out(s)[OUT_FIRST + i], pointer_mask(m.in[i].switch_pointer, v));
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++)
    delete spec[s];
  return b.report();
}
