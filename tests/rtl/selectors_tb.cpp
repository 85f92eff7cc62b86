// SPDX-License-Identifier: Apache-2.0
// selectors_tb.cpp - rtl/ut_rr_select.v against spec_round_robin; ut_lines_from.v, ut_or_reduce.v,
// ut_one_hot_mux.v, ut_transpose.v and ut_crossbar.v against loops and indices
#include "Vselectors_tb.h"
#include "blocks.hpp"

enum {
  S = 12,
  IN = 23,
  OUT = 20,
  IN_SET = 0,
  IN_MASK,
  IN_SELECT,
  IN_SETTING,
  IN_ROWS = 11,
  OUT_FROM = 0,
  OUT_FIRST,
  OUT_OR,
  OUT_ROW,
  OUT_COLUMNS,
  OUT_CROSSED = 12
};

int main() {
  static Bench<Vselectors_tb, S, IN, OUT> b("selectors");
  const unsigned count[S] = {1, 1, 2, 3, 3, 4, 5, 8, 8, 12, 12, 6}, items[S] = {1, 3, 4, 1, 8, 4, 3, 8, 2, 8, 1, 5},
                 bits[S] = {1, 2, 1, 5, 4, 8, 3, 1, 4, 2, 1, 5};
  uint32_t at[S][8] = {}; // inputs that the outputs of the crossbar are set to; none: what is not there
  for (unsigned s = 0; s < S; s++)
    b.name(s, "N=%u C=%u I=%u", count[s], items[s], bits[s]);
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      const unsigned n = count[s];
      uint32_t *in = b.in(s);
      // all pairs of sets where they are few, all selections, else at random
      in[IN_SET] = c < 4096 && n <= 6 ? c & lines(n) : b.random.mask() & lines(n);
      // a mask of turns is a tail
      in[IN_MASK] = (uint32_t)((uint64_t)lines(n) << (c < 4096 ? c >> n : b.random.mask()) % (n + 1)) & lines(n);
      in[IN_SELECT] = c % (n + 1) < n ? bit(c % (n + 1)) : 0;
      for (unsigned o = 0; o < items[s]; o++) {
        at[s][o] = b.random.below(n + 1);
        in[IN_SETTING + o] = at[s][o] < n ? bit(at[s][o]) : 0;
      }
      for (unsigned r = 0; r < n; r++)
        in[IN_ROWS + r] = b.random.mask() & lines(items[s] * bits[s]);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      const unsigned n = count[s], width = bits[s];
      const uint32_t *in = b.in(s), *out = b.out(s), *rows = in + IN_ROWS, set = in[IN_SET], all = lines(n);
      bool request[12];
      for (unsigned r = 0; r < n; r++)
        request[r] = set >> r & 1;
      const int first = spec_round_robin(request, n, lowest(in[IN_MASK]));
      b.check(s, "lines_from", out[OUT_FROM], set ? all & ~lines(lowest(set)) : 0);
      b.check(s, "rr_select", out[OUT_FIRST], first >= 0 ? bit(first) : 0);
      uint32_t either = 0, row = 0;
      for (unsigned r = 0; r < n; r++) {
        either |= rows[r];
        row = in[IN_SELECT] == bit(r) ? rows[r] : row;
      }
      b.check(s, "or_reduce", out[OUT_OR], either);
      b.check(s, "one_hot_mux", out[OUT_ROW], row);
      for (unsigned o = 0; o < items[s]; o++) {
        uint32_t column = 0;
        for (unsigned r = 0; r < n; r++)
          column |= (rows[r] >> o * width & lines(width)) << r * width;
        b.check_at(s, "transpose", o, out[OUT_COLUMNS + o], column);
        b.check_at(s, "crossbar", o, out[OUT_CROSSED + o], at[s][o] < n ? rows[at[s][o]] : 0);
      }
      b.compared[s]++;
    }
    b.cycle++;
  }
  return b.report();
}
