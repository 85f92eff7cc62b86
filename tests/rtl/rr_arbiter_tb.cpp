// SPDX-License-Identifier: Apache-2.0
// rr_arbiter_tb.cpp - rtl/ut_rr_arbiter.v against spec_round_robin
#include "Vrr_arbiter_tb.h"
#include "blocks.hpp"

enum { S = 37, IN = 10, OUT = 16, IN_RST = 0, IN_ADVANCE = 1, IN_REQ = 2, OUT_GNT = 0, OUT_MASK = 8 };

int main() {
  static Bench<Vrr_arbiter_tb, S, IN, OUT> b("rr_arbiter");
  const unsigned wide[5][2] = {{8, 2}, {5, 3}, {32, 2}, {10, 4}, {32, 8}};
  unsigned width[S], words[S], pointer[S] = {};
  for (unsigned s = 0; s < S; s++) {
    width[s] = s < 32 ? s + 1 : wide[s - 32][0];
    words[s] = s < 32 ? 1 : wide[s - 32][1];
    b.name(s, words[s] == 1 ? "N=%u" : "N=%ux%u", width[s], words[s]);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_ADVANCE] = b.random.chance(70);
      for (unsigned w = 0; w < words[s]; w++)
        in[IN_REQ + w] = b.random.mask() & lines(width[s]);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      const uint32_t *in = b.in(s);
      bool request[8 * 32];
      for (unsigned n = 0; n < words[s] * width[s]; n++)
        request[n] = in[IN_REQ + n / width[s]] >> n % width[s] & 1;
      const int line = spec_round_robin(request, words[s] * width[s], pointer[s]);
      for (unsigned w = 0; w < 8 && c > 0; w++) // before the first reset the mask holds nothing
        b.check_at(s, "gnt_o", w, b.out(s)[OUT_GNT + w], line >= 0 && line / width[s] == w ? bit(line % width[s]) : 0);
      if (in[IN_RST])
        pointer[s] = 0;
      else if (line >= 0 && in[IN_ADVANCE])
        pointer[s] = line + 1;
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      for (unsigned w = 0; w < words[s] && s > 0; w++)
        b.check_at(s, "mask", w, b.out(s)[OUT_MASK + w], pointer_mask(pointer[s], width[s], w));
      b.compared[s]++;
    }
  }
  return b.report();
}
