// switch_allocator_tb.cpp - rtl/ut_switch_allocator.v against ut_switch_allocate
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

int main() {
  static Bench<Vswitch_allocator_tb, S, IN, OUT> b("switch_allocator");
  static ut_mask active[S][UT_MAX_VCS];
  Golden *golden[S];
  unsigned calm[S] = {};
  for (unsigned s = 0; s < S; s++) {
    ut_shape p = shape_of(s < 6 ? 4 : s < 12 ? 8 : 6, s % 3 == 0 ? 1 : s % 3 == 1 ? 2 : 4, 4, 2);
    const unsigned local = s < 12 ? 0 : s - 11;
    if (local)
      p.v = 2 * local;
    p.xbar = local ? local - 1 : s / 3 % 2;
    p.switching = s % 2; // a second reason not to send: no credit
    golden[s] = new Golden(p);
    golden[s]->put_first(local);
    b.name(s, "P=%u V=%u XBAR=%u LOCAL=%u", p.pi, p.v, p.xbar, local);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) { // random packets in random states; only the pointers persist
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v;
      uint32_t *in = b.in(s);
      memset(in, 0, IN * 4);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      golden_set_out_up(&m, (b.random.chance(60) ? ~0u : b.random.mask()) & m.g.all_out);
      ut_mask occupied[UT_MAX_VCS];
      for (unsigned i = 0; i < v; i++) {
        active[s][i] = b.random.mask() & m.g.all_in;
        occupied[i] = (b.random.chance(50) ? ~0u : b.random.mask()) & m.g.all_in;
        for (unsigned op = 0; op < p; op++)
          ut_set_credits(&m.g, m.s, op, i, m.g.shape.switching && b.random.chance(20) ? 0 : 4);
      }
      unsigned favourite = b.random.below(p), crowd = b.random.below(100);
      uint32_t taken = 0;
      for (unsigned i = 0; i < p * v; i++) {
        unsigned ip = i % p, ivc = i / p;
        const bool full = occupied[ivc] & ut_bit(ip);
        const unsigned count = 1 + b.random.below(4), rd = b.random.below(4);
        unsigned out_vc = b.random.below(v), out_port = v == 1                   ? (ip + favourite) % p
                                                        : b.random.chance(crowd) ? favourite
                                                                                 : b.random.below(p);
        for (unsigned n = 0; taken >> (out_port * v + out_vc) & 1; n++) { // an output VC has one owner
          out_vc = (out_vc + 1) % v;
          out_port = (out_port + (n % v == v - 1)) % p;
        }
        taken |= UINT32_C(1) << (out_port * v + out_vc);
        ut_set_owned(&m.g, m.s, out_port, out_vc, active[s][ivc] >> ip & 1);
        const uint64_t flit[2] = {0, ut_flit_meta(b.random.below(8), ivc)};
        ut_set_state(&m.g, m.s, ip, ivc, UT_VC_STATE_ACTIVE);
        ut_set_buffer(&m.g, m.s, ip, ivc, rd, full ? count : 0);
        ut_set_out(&m.g, m.s, ip, ivc, out_port, out_vc);
        ut_set_place(&m.g, m.s, ip, ivc, rd, flit);
        in[IN_TARGET + i] = ut_bit(out_port);
        bool ready = full && active[s][ivc] & ut_bit(ip) && m.s->out_up & ut_bit(out_port) &&
                     (!m.g.shape.switching || ut_reg_credits(&m.g, m.s, out_port, out_vc));
        in[IN_REQUEST] |= (uint32_t)ready << i;
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v;
      const bool first_stage = v > 1 && m.g.shape.xbar == UT_XBAR_PORT;
      const uint32_t *in = b.in(s), *out = b.out(s);
      uint32_t pick = in[IN_REQUEST], pop = 0, select[8] = {};
      if (first_stage)
        for (unsigned ip = 0; ip < p; ip++) {
          ut_mask vcs = 0;
          for (unsigned i = 0; i < v; i++)
            vcs |= (in[IN_REQUEST] >> (i * p + ip) & 1) << i;
          if (vcs) {
            unsigned i = ut_rr_pick(vcs, ut_reg_switch_turn(&m.g, m.s, ip));
            for (unsigned other = 0; other < v; other++)
              if (other != i)
                pick &= ~(UINT32_C(1) << (other * p + ip));
          }
        }
      ut_work work, *w = &work;
      bool all_up = true; // what is active in a calm cycle has an output that is up
      for (unsigned i = 0; i < p * v; i++)
        all_up &= !(active[s][i / p] >> i % p & 1) || m.s->out_up >> ut_reg_out_port(&m.g, m.s, i % p, i / p) & 1;
      golden_begin(&m, w, all_up);
      calm[s] += all_up;
      for (unsigned i = 0; i < v; i++)
        golden_set_ports(&m, w->send, i, active[s][i]);
      ut_switch_allocate(w, m.g.form);
      for (unsigned i = 0; i < p * v; i++)
        if (golden_ports(&m, w->popped, i / p) >> i % p & 1) {
          pop |= UINT32_C(1) << i;
          select[ut_reg_out_port(&m.g, m.s, i % p, i / p)] |= UINT32_C(1) << (m.g.shape.xbar == UT_XBAR_VC ? i : i % p);
        }
      if (c > 0) {
        b.check(s, "pick_o", out[OUT_PICK], pick);
        b.check(s, "pop_o", out[OUT_POP], pop);
        ut_mask valid = 0;
        for (unsigned o = 0; o < v; o++)
          valid |= golden_ports(&m, w->left, o);
        b.check(s, "valid_o", out[OUT_VALID], valid);
        for (unsigned o = 0; o < p; o++)
          b.check_at(s, "select_o", o, out[OUT_SELECT + o], select[o]);
      }
      if (in[IN_RST])
        ut_switch_reset(&m.g, m.s, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned p = m.g.shape.po, v = m.g.shape.v, lines = m.g.shape.xbar == UT_XBAR_VC ? v : 1;
      for (unsigned o = 0; o < p && v > 1; o++) {
        uint32_t mask = 0;
        for (unsigned w = 0; w < lines; w++)
          mask |= ut_reg_sa(&m.g, m.s, o, w) << w * p;
        b.check_at(s, "output arbiter mask", o, b.out(s)[OUT_MASK + o], mask);
      }
      for (unsigned i = 0; i < p && v > 1 && lines == 1; i++)
        b.check_at(s, "input arbiter mask", i, b.out(s)[OUT_FIRST + i], ut_reg_switch_turn(&m.g, m.s, i));
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    b.check(s, "calm cycles are many", calm[s] > CYCLES / 4 && calm[s] < CYCLES, true);
    delete golden[s];
  }
  return b.report();
}
