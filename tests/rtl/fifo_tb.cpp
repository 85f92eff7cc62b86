// SPDX-License-Identifier: Apache-2.0
// fifo_tb.cpp - rtl/ut_fifo.v against the buffer of an input VC (spec_update_input_vc)
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
  IP = 1 // where in the switch
};

static uint64_t word64(const uint32_t *p) {
  return (uint64_t)p[1] << 32 | p[0];
}

int main() {
  static Bench<Vfifo_tb, S, IN, OUT> b("fifo");
  const unsigned depths[7] = {1, 2, 3, 4, 5, 8, 16};
  Spec *spec[S];
  uint32_t written[S] = {}; // slots that hold something: the memories are not reset
  for (unsigned s = 0; s < S; s++) {
    ut_shape p = shape_of(4, 1, depths[s % 7], 1);
    p.w = s < 7 ? 64 : 128;
    spec[s] = new Spec(p);
    b.name(s, "DEPTH=%u W=%u", p.depth, p.w);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    unsigned phase = c / 50 % 3; // filling, draining, both
    for (unsigned s = 0; s < S; s++) {
      const spec_input_vc &vc = spec[s]->in[IP].vc[0];
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_PUSH] = vc.count < spec[s]->shape.depth && b.random.chance(phase == 1 ? 40 : 90);
      in[IN_POP] = vc.count > 0 && b.random.chance(phase == 0 ? 40 : 90);
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
        const unsigned count = spec[s]->in[IP].vc[0].count;
        bool error = (b.in(s)[IN_PUSH] && count == depths[s % 7]) || (b.in(s)[IN_POP] && count == 0);
        b.check(s, "error_o", b.out(s)[OUT_ERROR], error);
        memcpy(b.in(s), saved[s], sizeof saved[s]);
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const spec_input_vc &vc = m.in[IP].vc[0];
      const uint32_t *in = b.in(s), *out = b.out(s);
      const unsigned words = m.shape.w / 64, place = (vc.read + vc.count) % m.shape.depth;
      if (c > 0) {
        b.check(s, "count_o", out[OUT_COUNT], vc.count);
        b.check(s, "nonempty_o", out[OUT_NONEMPTY], vc.count > 0);
        b.check(s, "error_o", out[OUT_ERROR], 0);
        if (vc.count) {
          b.check(s, "tag_o", out[OUT_TAG], tag_of(*spec_front(&vc)));
          for (unsigned w = 0; w < words; w++)
            b.check(s, "data_o", word64(out + OUT_DATA + 2 * w), spec_front(&vc)->word[w]);
        }
      }
      m.begin();
      m.in[IP].up = true;
      m.wires.in_up = bit(IP);
      m.wires.arrival[IP].valid = in[IN_PUSH];
      m.wires.arrival[IP].flit = flit_of(in + IN_DATA, words, in[IN_TAG]);
      m.cycle.vc[IP][0].leaves = in[IN_POP];
      spec_update_input_vc(&m, &m.cycle, IP, 0);
      written[s] |= in[IN_PUSH] << place;
      if (in[IN_RST])
        spec_reset(&m, 0);
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      const spec_input_vc &vc = spec[s]->in[IP].vc[0];
      const uint32_t *out = b.out(s);
      const unsigned words = spec[s]->shape.w / 64, depth = spec[s]->shape.depth;
      b.check(s, "rd_q", out[OUT_RD], vc.read);
      b.check(s, "wr_q", out[OUT_WR], (vc.read + vc.count) % depth);
      b.check(s, "count_q", out[OUT_COUNT], vc.count);
      for (unsigned d = 0; d < depth; d++) {
        if (!(written[s] >> d & 1))
          continue;
        b.check_at(s, "tag_q", d, out[OUT_TAGS + d], tag_of(vc.buffer[d]));
        for (unsigned w = 0; w < words; w++)
          b.check_at(s, "data_q", d, word64(out + OUT_SLOTS + 4 * d + 2 * w), vc.buffer[d].word[w]);
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++)
    delete spec[s];
  return b.report();
}
