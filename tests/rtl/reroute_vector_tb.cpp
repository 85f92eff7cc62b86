// SPDX-License-Identifier: Apache-2.0
// reroute_vector_tb.cpp - rtl/ut_reroute_vector.v against spec_update_reroute_vector
#include "Vreroute_vector_tb.h"
#include "blocks.hpp"

enum {
  S = 10, // 5 sizes, each without and with reports of faults two levels up
  IN = 8,
  OUT = 7,
  IN_RST = 0,
  IN_STRAPS,
  IN_LINK_UP = 3,
  IN_UP,
  IN_FAULT,
  IN_SET,
  IN_FAR,
  OUT_VECTOR = 0,
  OUT_NEIGHBOUR,
  OUT_FAULT,
  OUT_STALE,
  OUT_BUSY,
  OUT_TIMER,
  OUT_FAR,
  LONGEST = 65535
};

int main() {
  static Bench<Vreroute_vector_tb, S, IN, OUT> b("reroute_vector");
  Spec *spec[S];
  unsigned expired[S] = {};
  bool waited[S] = {};
  for (unsigned s = 0; s < S; s++) {
    spec[s] = new Spec(shape_of(s % 5 < 4 ? 2 * (s % 5) + 4 : 32, 1, 4, 2,
                                s < 5 ? UT_FATTREE_REROUTE_ADAPTIVE_LINK : UT_FATTREE_REROUTE_ADAPTIVE_SWITCH));
    b.name(s, "K=%u%s", spec[s]->shape.po / 2, s < 5 ? "" : " far");
  }
  // In the end a vector of all ports waits for the longest timer, and nothing disturbs it.
  for (unsigned c = 0; c < CYCLES + LONGEST + 3; c++) {
    const bool waits = c >= CYCLES;
    for (unsigned s = 0; s < S; s++) {
      const Spec &m = *spec[s];
      const uint32_t all = m.all_out(), above = all & ~lines(m.shape.po / 2);
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || c == CYCLES || (!waits && b.random.below(200) == 0);
      if (in[IN_RST]) { // straps hold until the next reset
        const unsigned timeouts[8] = {0, 1, 2, 3, 5, 17, 40, LONGEST};
        uint64_t straps = waits ? ut_level_strap_make(0, 0, 1, LONGEST, 0)
                                : ut_level_strap_make(b.random.below(2), 0, 1, (uint16_t)timeouts[b.random.below(8)],
                                                      b.random.below(2));
        memcpy(in + IN_STRAPS, &straps, 8);
      }
      in[IN_UP] = m.up();
      in[IN_LINK_UP] = (b.random.chance(80) ? ~0u : b.random.mask()) & all;
      in[IN_FAULT] = b.random.chance(70) ? in[IN_FAULT] : b.random.mask() & all;
      in[IN_FAR] = b.random.chance(70) ? in[IN_FAR] : b.random.mask() & all;
      in[IN_SET] = b.random.chance(85) ? 0 : b.random.mask() & above;
      if (waits) {
        in[IN_LINK_UP] = all;
        in[IN_SET] = c == CYCLES + 1 ? above : 0;
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const uint32_t *in = b.in(s);
      const bool before = m.reroute.vector;
      m.begin();
      m.wires.out_up = in[IN_LINK_UP];
      m.wires.report[SPEC_REPORT_FAULT] = in[IN_FAULT];
      m.wires.report[SPEC_REPORT_FAR] = in[IN_FAR];
      m.cycle.vc[0][0].routed = true;
      m.cycle.vc[0][0].answer.set = in[IN_SET];
      spec_update_reroute_vector(&m, &m.cycle);
      m.set_up(in[IN_LINK_UP]);
      expired[s] += before && !m.reroute.vector && !ut_level_strap_repair(m.straps);
      waited[s] |= waits && before && !m.reroute.vector;
      if (in[IN_RST]) {
        uint64_t straps;
        memcpy(&straps, in + IN_STRAPS, 8);
        spec_reset(&m, straps);
      }
    }
    b.clock();
    b.settle(); // the falling edge
    for (unsigned s = 0; s < S; s++) {
      const spec_reroute_vector &r = spec[s]->reroute;
      const uint32_t *out = b.out(s);
      b.check(s, "vector_q", out[OUT_VECTOR], r.vector);
      b.check(s, "neighbour_q", out[OUT_NEIGHBOUR], r.neighbour);
      b.check(s, "fault_q", out[OUT_FAULT], r.fault);
      b.check(s, "far_o", out[OUT_FAR], r.far);
      b.check(s, "stale_q", out[OUT_STALE], r.stale);
      b.check(s, "timer_q", out[OUT_TIMER], r.timer);
      b.check(s, "busy_o", out[OUT_BUSY], r.stale || (r.vector && ut_level_strap_timeout(spec[s]->straps)));
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    b.check(s, "the timer has expired often", expired[s] > 100, true);
    b.check(s, "the longest timer has expired", waited[s], true);
    delete spec[s];
  }
  return b.report();
}
