// selectors_tb.cpp - rtl/ut_lines_from.v and ut_first_in_turn.v against csim/switch/mask.h and rr_arbiter.h;
// ut_or_reduce.v, ut_one_hot_mux.v, ut_transpose.v and ut_crossbar.v against loops and indices
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
  const unsigned lines[S] = {1, 1, 2, 3, 3, 4, 5, 8, 8, 12, 12, 6}, items[S] = {1, 3, 4, 1, 8, 4, 3, 8, 2, 8, 1, 5},
                 bits[S] = {1, 2, 1, 5, 4, 8, 3, 1, 4, 2, 1, 5};
  uint32_t at[S][8] = {}; // inputs that the outputs of the crossbar are set to; none: what is not there
  for (unsigned s = 0; s < S; s++)
    b.name(s, "N=%u C=%u I=%u", lines[s], items[s], bits[s]);
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      const unsigned n = lines[s];
      uint32_t *in = b.in(s);
      // all pairs of sets where they are few, all selections, else at random
      in[IN_SET] = c < 4096 && n <= 6 ? c & ut_mask_all(n) : b.random.mask() & ut_mask_all(n);
      // a mask of turns is a tail
      in[IN_MASK] =
          (uint32_t)((uint64_t)ut_mask_all(n) << (c < 4096 ? c >> n : b.random.mask()) % (n + 1)) & ut_mask_all(n);
      in[IN_SELECT] = c % (n + 1) < n ? ut_bit(c % (n + 1)) : 0;
      for (unsigned o = 0; o < items[s]; o++) {
        at[s][o] = b.random.below(n + 1);
        in[IN_SETTING + o] = at[s][o] < n ? ut_bit(at[s][o]) : 0;
      }
      for (unsigned r = 0; r < n; r++)
        in[IN_ROWS + r] = b.random.mask() & ut_mask_all(items[s] * bits[s]);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      const unsigned n = lines[s], width = bits[s];
      const uint32_t *in = b.in(s), *out = b.out(s), *rows = in + IN_ROWS, set = in[IN_SET], all = ut_mask_all(n);
      const unsigned first = set ? ut_rr_pick(set, in[IN_MASK]) : 0;
      b.check(s, "lines_from", out[OUT_FROM], set ? all & (ut_bit(ut_first(set)) | ut_above(ut_first(set))) : 0);
      b.check(s, "first_in_turn", out[OUT_FIRST], set ? ut_bit(first) : 0);
      uint32_t either = 0, row = 0;
      for (unsigned r = 0; r < n; r++) {
        either |= rows[r];
        row = in[IN_SELECT] == ut_bit(r) ? rows[r] : row;
      }
      b.check(s, "or_reduce", out[OUT_OR], either);
      b.check(s, "one_hot_mux", out[OUT_ROW], row);
      for (unsigned o = 0; o < items[s]; o++) {
        uint32_t column = 0;
        for (unsigned r = 0; r < n; r++)
          column |= (rows[r] >> o * width & ut_mask_all(width)) << r * width;
        b.check_at(s, "transpose", o, out[OUT_COLUMNS + o], column);
        b.check_at(s, "crossbar", o, out[OUT_CROSSED + o], at[s][o] < n ? rows[at[s][o]] : 0);
      }
      b.compared[s]++;
    }
    b.cycle++;
  }
  return b.report();
}
