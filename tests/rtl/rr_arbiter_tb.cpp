// rr_arbiter_tb.cpp - rtl/ut_rr_arbiter.v against csim/switch/rr_arbiter.h
#include "Vrr_arbiter_tb.h"
#include "blocks.hpp"

enum { S = 37, IN = 10, OUT = 16, IN_RST = 0, IN_ADVANCE = 1, IN_REQ = 2, OUT_GNT = 0, OUT_MASK = 8 };

int main() {
  static Bench<Vrr_arbiter_tb, S, IN, OUT> b("rr_arbiter");
  static ut_mask mask[S][8];
  const unsigned wide[5][2] = {{8, 2}, {5, 3}, {32, 2}, {10, 4}, {32, 8}};
  unsigned lines[S], words[S];
  for (unsigned s = 0; s < S; s++) {
    lines[s] = s < 32 ? s + 1 : wide[s - 32][0];
    words[s] = s < 32 ? 1 : wide[s - 32][1];
    b.name(s, words[s] == 1 ? "N=%u" : "N=%ux%u", lines[s], words[s]);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_ADVANCE] = b.random.chance(70);
      for (unsigned w = 0; w < words[s]; w++)
        in[IN_REQ + w] = b.random.mask() & ut_mask_all(lines[s]);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      const uint32_t *in = b.in(s), *req = in + IN_REQ;
      ut_mask all = ut_mask_all(lines[s]), moved[8], gnt[8] = {}, any = 0;
      memcpy(moved, mask[s], sizeof moved);
      for (unsigned w = 0; w < words[s]; w++)
        any |= req[w];
      if (any) {
        unsigned word, line = ut_rr_grant_words(req, moved, words[s], all, &word);
        gnt[word] = ut_bit(line);
        if (words[s] == 1) { // the plain functions are the same arbiter
          b.check(s, "ut_rr_pick", gnt[0], ut_bit(ut_rr_pick(req[0], mask[s][0])));
          b.check(s, "ut_rr_after", moved[0], ut_rr_after(line, all));
        }
      }
      if (c > 0) { // before the first reset the mask holds nothing
        for (unsigned w = 0; w < 8; w++)
          b.check_at(s, "gnt_o", w, b.out(s)[OUT_GNT + w], gnt[w]);
      }
      if (in[IN_RST]) {
        for (unsigned w = 0; w < words[s]; w++)
          mask[s][w] = all;
      } else if (any && in[IN_ADVANCE]) {
        memcpy(mask[s], moved, sizeof moved);
      }
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      for (unsigned w = 0; w < words[s] && s > 0; w++)
        b.check_at(s, "mask", w, b.out(s)[OUT_MASK + w], mask[s][w]);
      b.compared[s]++;
    }
  }
  return b.report();
}
