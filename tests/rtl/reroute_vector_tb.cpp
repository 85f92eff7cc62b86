// reroute_vector_tb.cpp - rtl/ut_reroute_vector.v against ut_reroute_vector_update
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
  Golden *golden[S];
  unsigned expired[S] = {};
  bool waited[S] = {};
  for (unsigned s = 0; s < S; s++) {
    golden[s] = new Golden(shape_of(s % 5 < 4 ? 2 * (s % 5) + 4 : 32, 1, 4, 2,
                                    s < 5 ? UT_FATTREE_REROUTE_ADAPTIVE_LINK : UT_FATTREE_REROUTE_ADAPTIVE_SWITCH));
    b.name(s, "K=%u%s", golden[s]->g.k, s < 5 ? "" : " far");
  }
  // In the end a vector of all ports waits for the longest timer, and nothing disturbs it.
  for (unsigned c = 0; c < CYCLES + LONGEST + 3; c++) {
    const bool waits = c >= CYCLES;
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      ut_mask above = m.g.all_out & ~ut_mask_all(m.g.k);
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || c == CYCLES || (!waits && b.random.below(200) == 0);
      if (in[IN_RST]) { // straps hold until the next reset
        const unsigned timeouts[8] = {0, 1, 2, 3, 5, 17, 40, LONGEST};
        uint64_t straps = waits ? ut_level_strap_make(0, 0, 1, LONGEST, 0)
                                : ut_level_strap_make(b.random.below(2), 0, 1, (uint16_t)timeouts[b.random.below(8)],
                                                      b.random.below(2));
        memcpy(in + IN_STRAPS, &straps, 8);
      }
      in[IN_UP] = m.s->out_up;
      in[IN_LINK_UP] = (b.random.chance(80) ? ~0u : b.random.mask()) & m.g.all_out;
      in[IN_FAULT] = b.random.chance(70) ? in[IN_FAULT] : b.random.mask() & m.g.all_out;
      in[IN_FAR] = b.random.chance(70) ? in[IN_FAR] : b.random.mask() & m.g.all_out;
      in[IN_SET] = b.random.chance(85) ? 0 : b.random.mask() & above;
      if (waits) {
        in[IN_LINK_UP] = m.g.all_out;
        in[IN_SET] = c == CYCLES + 1 ? above : 0;
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const uint32_t *in = b.in(s);
      ut_mask before = m.s->vector;
      ut_switch_in wires = {};
      wires.out_up = in[IN_LINK_UP];
      const ut_mask report[2] = {in[IN_FAULT], in[IN_FAR]}; // UT_REPORT_FAULT, UT_REPORT_FAR
      wires.report = report;
      ut_reroute_vector_update(&m.g, m.s, &wires, in[IN_SET]);
      m.s->out_up = wires.out_up;
      expired[s] += before && !m.s->vector && !m.s->stage.repair;
      waited[s] |= waits && before && !m.s->vector;
      if (in[IN_RST]) {
        uint64_t straps;
        memcpy(&straps, in + IN_STRAPS, 8);
        ut_switch_reset(&m.g, m.s, straps);
      }
    }
    b.clock();
    b.settle(); // the falling edge
    for (unsigned s = 0; s < S; s++) {
      const Golden &m = *golden[s];
      const uint32_t *out = b.out(s);
      b.check(s, "vector_q", out[OUT_VECTOR], m.s->vector);
      b.check(s, "neighbour_q", out[OUT_NEIGHBOUR], m.s->neighbour);
      b.check(s, "fault_q", out[OUT_FAULT], m.s->fault);
      b.check(s, "far_o", out[OUT_FAR], m.s->far);
      b.check(s, "stale_q", out[OUT_STALE], m.s->stale_state);
      b.check(s, "timer_q", out[OUT_TIMER], m.s->timer);
      b.check(s, "busy_o", out[OUT_BUSY], m.s->stale_state || (m.s->vector && m.s->stage.timeout));
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    b.check(s, "the timer has expired often", expired[s] > 100, true);
    b.check(s, "the longest timer has expired", waited[s], true);
    delete golden[s];
  }
  return b.report();
}
