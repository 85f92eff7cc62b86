// fifo_tb.cpp - rtl/ut_fifo.v against what arrives in a ring of the golden model, ut_input_drop and ut_block_count
#include "Vfifo_tb.h"
#include "blocks.hpp"

enum {
  S = 14,
  IN = 8,
  OUT = 90,
  IN_RST = 0,
  IN_PUSH,
  IN_POP,
  IN_TAG,
  IN_DATA,
  OUT_DATA = 0,
  OUT_TAG = 4,
  OUT_NONEMPTY,
  OUT_COUNT,
  OUT_ERROR,
  OUT_RD,
  OUT_WR,
  OUT_TAGS,
  OUT_SLOTS = 26,
  IP = 1,
  IVC = 0 // where in the golden switch
};

static uint64_t word64(const uint32_t *p) {
  return (uint64_t)p[1] << 32 | p[0];
}

// The buffer of one input VC of the golden model.
struct Buffer {
  const Golden &m;
  explicit Buffer(const Golden &golden) : m(golden) {
  }
  unsigned count() const {
    return ut_reg_count(&m.g, m.s, IP, IVC);
  }
  unsigned rd() const {
    return ut_reg_rd(&m.g, m.s, IP, IVC);
  }
  unsigned wr() const {
    return ut_reg_wr(&m.g, m.s, IP, IVC);
  }
  const uint64_t *slot(unsigned i) const {
    return ut_reg_place(&m.g, m.s, IP, IVC, i);
  }
};

int main() {
  static Bench<Vfifo_tb, S, IN, OUT> b("fifo");
  const unsigned depths[7] = {1, 2, 3, 4, 5, 8, 16};
  Golden *golden[S];
  uint32_t written[S] = {}; // slots that hold something: the memories are not reset
  for (unsigned s = 0; s < S; s++) {
    ut_shape p = shape_of(4, 1, depths[s % 7], 1);
    p.w = s < 7 ? 64 : 128;
    golden[s] = new Golden(p);
    b.name(s, "DEPTH=%u W=%u", p.depth, p.w);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    unsigned phase = c / 50 % 3; // filling, draining, both
    for (unsigned s = 0; s < S; s++) {
      const Golden &m = *golden[s];
      const Buffer vc(m);
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_PUSH] = vc.count() < m.g.shape.depth && b.random.chance(phase == 1 ? 40 : 90);
      in[IN_POP] = vc.count() > 0 && b.random.chance(phase == 0 ? 40 : 90);
      in[IN_TAG] = b.random.below(8);
      for (unsigned w = 0; w < 4; w++)
        in[IN_DATA + w] = b.random.word();
    }
    if (c > 0 && b.random.chance(30)) { // the error flag, without a clock edge
      uint32_t saved[S][IN];
      for (unsigned s = 0; s < S; s++) {
        memcpy(saved[s], b.in(s), sizeof saved[s]);
        b.in(s)[IN_PUSH] = b.random.chance(50);
        b.in(s)[IN_POP] = b.random.chance(50);
      }
      b.settle();
      for (unsigned s = 0; s < S; s++) {
        unsigned count = Buffer(*golden[s]).count();
        bool error = (b.in(s)[IN_PUSH] && count == depths[s % 7]) || (b.in(s)[IN_POP] && count == 0);
        b.check(s, "error_o", b.out(s)[OUT_ERROR], error);
        memcpy(b.in(s), saved[s], sizeof saved[s]);
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const uint32_t *in = b.in(s), *out = b.out(s);
      const unsigned words = m.g.form.words;
      const Buffer vc(m);
      if (c > 0) {
        b.check(s, "count_o", out[OUT_COUNT], vc.count());
        b.check(s, "nonempty_o", out[OUT_NONEMPTY], vc.count() > 0);
        b.check(s, "error_o", out[OUT_ERROR], 0);
        if (vc.count()) {
          b.check(s, "tag_o", out[OUT_TAG], ut_flit_tag(vc.slot(vc.rd())[words]));
          for (unsigned w = 0; w < words; w++)
            b.check(s, "data_o", word64(out + OUT_DATA + 2 * w), vc.slot(vc.rd())[w]);
        }
      }
      ut_work work, *w = &work;
      golden_begin(&m, w, c % 2);
      if (in[IN_POP]) {
        const ut_form &x = m.g.form;
        const unsigned lane = golden_in_block(&m, IP, IVC), front = ut_flit_tag(vc.slot(vc.rd())[words]);
        b.check(s, "tag of the front", front, ut_input_tag(w, lane, ut_front_flit(w, lane, x), x));
        ut_input_drop(w, lane, x);
        b.check(s, "popped", ut_bit(IP), golden_ports(&m, w->popped, IVC));
      }
      if (in[IN_PUSH]) {
        uint64_t flit[3] = {word64(in + IN_DATA), word64(in + IN_DATA + 2)};
        flit[words] = ut_flit_meta(in[IN_TAG], IVC);
        written[s] |= ut_bit(vc.wr());
        golden_arrive(&m, IP, IVC, flit);
      }
      golden_end(&m, w);
      b.check(s, "occupied", golden_ports(&m, golden_set(&m, UT_S_OCCUPIED), IVC), vc.count() ? ut_bit(IP) : 0);
      if (in[IN_RST])
        m.reset(0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const uint32_t *out = b.out(s);
      const unsigned words = m.g.form.words;
      const Buffer vc(m);
      b.check(s, "rd_q", out[OUT_RD], vc.rd());
      b.check(s, "wr_q", out[OUT_WR], vc.wr());
      b.check(s, "count_q", out[OUT_COUNT], vc.count());
      UT_FOR_EACH (d, written[s]) {
        b.check_at(s, "tag_q", d, out[OUT_TAGS + d], ut_flit_tag(vc.slot(d)[words]));
        for (unsigned w = 0; w < words; w++)
          b.check_at(s, "data_q", d, word64(out + OUT_SLOTS + 4 * d + 2 * w), vc.slot(d)[w]);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++)
    delete golden[s];
  return b.report();
}
