// SPDX-License-Identifier: Apache-2.0
// policies_tb.cpp - rtl/ut_arbitration_policy.v, ut_selection_policy.v with all policies, and ut_request_filter.v
// against spec/policies.c and spec/request_filter.c
#include "Vpolicies_tb.h"
#include "blocks.hpp"
extern "C" {
#include "policies.h"
#include "steps.h"
}

enum {
  A = UT_ARBITRATION_POLICIES,
  B = UT_SELECTION_POLICIES,
  S = A + B + 3,
  IN = 17,
  IN_RST = 0,
  IN_NONEMPTY,
  IN_COUNT,
  IN_GONE,
  IN_SEED,
  IN_GRANTED,
  IN_REQ,
  IN_RANK,
  IN_LOCAL = IN_RANK + 6,
  VC = 1,   // of 4
  PORT = 3, // input port of a switch with 5 output ports
};
static const unsigned requests[3] = {6, 10, 4}, ranks[3] = {3, 8, 0};

// A buffer from which tails leave seldom, so that a register of eight bits comes to its end.
static void draw(Bench<Vpolicies_tb, S, IN, 1> &b, unsigned s) {
  uint32_t *in = b.in(s);
  in[IN_RST] = b.cycle == 0 || b.random.below(4096) == 0;
  in[IN_COUNT] = b.random.below(8);
  in[IN_NONEMPTY] = in[IN_COUNT] > 0;
  in[IN_GONE] = in[IN_NONEMPTY] && b.random.below(b.cycle % 4096 < 2048 ? 500 : 10) == 0;
  in[IN_SEED] = b.random.word() & 0xffff;
  in[IN_GRANTED] = b.random.chance(50) ? 1u << b.random.below(5) : 0;
  in[IN_REQ] = b.random.mask() & 1023;
  for (unsigned i = 0; i < 10; i++) // often the same
    in[IN_RANK + i] = b.random.chance(50) ? b.random.below(3) * 100 : b.random.word();
}

static uint32_t kept(const uint32_t *in, unsigned n, unsigned bits) {
  bool request[10];
  unsigned rank[10];
  uint32_t left = 0;
  for (unsigned i = 0; i < n; i++) {
    request[i] = in[IN_REQ] >> i & 1;
    rank[i] = in[IN_RANK + i] & lines(bits);
  }
  spec_highest_rank_first(request, rank, n);
  for (unsigned i = 0; i < n; i++)
    left |= (uint32_t)request[i] << i;
  return left;
}

int main() {
  static Bench<Vpolicies_tb, S, IN, 1> b("policies");
  static spec_switch of[S];
  for (unsigned s = 0; s < S; s++) {
    of[s].shape.v = 4, of[s].shape.po = 5;
    of[s].shape.arbitration = s < A ? s : 0;
    of[s].shape.selection = s >= A && s < A + B ? s - A : 0;
    b.name(s,
           s < A       ? "arbitration %u"
           : s < A + B ? "selection %u"
                       : "filter %u",
           s < A       ? s
           : s < A + B ? s - A
                       : s - A - B);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++)
      draw(b, s);
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      of[s].shape.cube = b.in(s)[IN_LOCAL] & 1 ? PORT : PORT + 1; // ports of a hypercube
      const spec_selection &selection = spec_selections[of[s].shape.selection];
      const uint32_t out = *b.out(s);
      if (s >= A + B)
        b.check(s, "req_o", out, kept(b.in(s), requests[s - A - B], ranks[s - A - B]));
      else if (c > 0 && s < A)
        b.check(s, "rank_o", out, spec_rank(&of[s], PORT, VC));
      else if (c > 0 && selection.start)
        b.check(s, "mask_o", out, 31u << selection.start(&of[s], PORT) & 31);
    }
    b.clock();
    for (unsigned s = 0; s < A + B; s++) {
      const spec_arbitration &arbitration = spec_arbitrations[of[s].shape.arbitration];
      const spec_selection &selection = spec_selections[of[s].shape.selection];
      const uint32_t *in = b.in(s);
      spec_input_vc *vc = &of[s].in[PORT].vc[VC];
      vc->count = in[IN_COUNT];
      if (arbitration.next)
        vc->policy = in[IN_RST] ? 0 : arbitration.next(vc, in[IN_GONE]);
      of[s].straps = in[IN_SEED];
      if (selection.seed && in[IN_RST])
        of[s].in[PORT].policy = selection.seed(&of[s], PORT);
      else if (selection.next && in[IN_GRANTED])
        of[s].in[PORT].policy = selection.next(&of[s], PORT, (unsigned)__builtin_ctz(in[IN_GRANTED]));
      b.compared[s]++;
    }
    for (unsigned s = A + B; s < S; s++)
      b.compared[s]++;
  }
  return b.report();
}
