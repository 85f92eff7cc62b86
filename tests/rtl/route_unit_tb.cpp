// route_unit_tb.cpp - rtl/ut_route_unit.v with the families of trees and tables against the golden route functions
#include "Vroute_unit_tb.h"
#include "blocks.hpp"

#ifndef ALGORITHMS
#define ALGORITHMS 7 // lines of family fattree in rtl/algorithms.tsv
#define TABLES 2     // of family table
#endif
enum {
  S = 6 * (ALGORITHMS + TABLES),
  IN = 11,
  VCS = 3,
  DESTINATIONS = 27,
  OUT = 13,
  IN_HEADER = 0,
  IN_PORT = 2,
  IN_STRAPS,
  IN_UP = 5,
  IN_VECTOR,
  IN_NEIGHBOUR,
  IN_VC,
  IN_CONFIG,
  OUT_CAND = 0,
  OUT_BUBBLE = 3,
  OUT_PREFERRED = 6,
  OUT_RT = 9,
  OUT_DISCARD,
  OUT_USES_STATE,
  OUT_SET
};

// Writes an entry at random; at first one entry after the other, so that all are known.  The RTL of one route unit has
// the table of its input port only, which here changes: the golden entries of all input ports are the same.
static uint64_t configure(Golden &m, Random &random, unsigned cycle, unsigned port) {
  bool first = cycle < VCS * DESTINATIONS;
  uint64_t word =
      ut_config_make((uint16_t)(first ? cycle % DESTINATIONS : random.below(DESTINATIONS)),
                     (uint8_t)(first || random.chance(50) ? port : random.below(m.g.shape.pi)),
                     (uint8_t)(first ? cycle / DESTINATIONS : random.below(VCS)), (uint8_t)random.below(m.g.shape.po),
                     (uint8_t)random.below(VCS), random.chance(95), first || random.chance(50));
  if (ut_config_in_port(word) == port)
    for (unsigned i = 0; i < m.g.shape.pi; i++)
      ut_switch_configure(&m.g, m.s, ut_config_set_in_port(word, (uint8_t)i));
  return word;
}

int main() {
  static Bench<Vroute_unit_tb, S, IN, OUT> b("route_unit");
  const unsigned sizes[6] = {2, 3, 4, 5, 8, 16};
  const ut_algorithm *algorithm[S] = {};
  Golden *golden[S];
  unsigned port[S], vc[S], seen[S] = {}; // seen: levels
  bool tables[S];
  for (unsigned s = 0; s < S; s++) {
    for (unsigned a = 0; a < ut_algorithm_count; a++)
      if (s / 6 < ALGORITHMS ? ut_algorithms[a].route == UT_ROUTE_FATTREE && ut_algorithms[a].code == s / 6
                             : ut_algorithms[a].route == UT_ROUTE_TABLE && ut_algorithms[a].code == s / 6 - ALGORITHMS)
        algorithm[s] = &ut_algorithms[a];
    tables[s] = algorithm[s]->tables;
    ut_shape shape = shape_of(2 * sizes[s % 6], VCS, 4, 2, algorithm[s]->code);
    shape.route = algorithm[s]->route;
    shape.destinations = tables[s] ? DESTINATIONS : 0;
    golden[s] = new Golden(shape);
    b.name(s, "%s K=%u", algorithm[s]->name, sizes[s % 6]);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const unsigned k = m.g.k;
      unsigned levels = 0, step = 1;
      for (unsigned n = k; n <= 65536; n *= k)
        levels++;
      unsigned level = b.random.below(levels);
      seen[s] |= ut_bit(level);
      for (unsigned i = 0; i < level; i++)
        step *= k;
      unsigned end = step * k; // destinations of the subtree
      unsigned base = b.random.below(65536 / end) * end;
      unsigned dst = b.random.chance(60) ? base + b.random.below(end) : b.random.below(65536);
      if (b.random.chance(10)) // the borders of the subtree
        dst = b.random.chance(50) ? base + end : base - 1;
      if (tables[s])
        dst = b.random.below(DESTINATIONS);
      uint64_t header = ut_header_set_dst(b.random.word64(), (uint16_t)dst);
      if (b.random.chance(80)) // what other switches write: a port field, or a misroute vector
        header =
            ut_header_set_rt(header, b.random.chance(50) ? b.random.below(k + 2) : b.random.mask() & ut_mask_all(k));
      uint64_t straps = ut_level_strap_make((uint8_t)level, base, step, (uint16_t)b.random.word(), b.random.below(2));
      ut_switch_reset(&m.g, m.s, straps);
      port[s] = b.random.below(2 * k);
      vc[s] = b.random.below(m.g.shape.v);
      ut_mask above = m.g.all_out & ~ut_mask_all(k);
      m.s->out_up = (b.random.chance(40) ? ~0u : b.random.mask()) & m.g.all_out;
      m.s->vector = b.random.mask() & (m.g.traits.vector ? above : 0);
      m.s->neighbour = b.random.mask() & (m.g.traits.vector ? above : 0);
      uint32_t *in = b.in(s);
      memcpy(in + IN_HEADER, &header, 8);
      memcpy(in + IN_STRAPS, &straps, 8);
      in[IN_PORT] = ut_bit(port[s]);
      in[IN_VC] = ut_bit(vc[s]);
      in[IN_UP] = m.s->out_up;
      in[IN_VECTOR] = m.s->vector;
      in[IN_NEIGHBOUR] = m.s->neighbour;
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      if (tables[s] && c < VCS * DESTINATIONS)
        continue;
      Golden &m = *golden[s];
      const uint32_t *out = b.out(s);
      uint64_t header;
      ut_route_result r = {};
      memcpy(&header, b.in(s) + IN_HEADER, 8);
      m.g.route(&m.g, m.s, header, port[s], vc[s], &r);
      for (unsigned v = 0; v < VCS; v++) {
        b.check_at(s, "cand_o", v, out[OUT_CAND + v], r.cand[v]);
        b.check_at(s, "bubble_o", v, out[OUT_BUBBLE + v], algorithm[s]->bubble ? r.bubble[v] : 0);
        b.check_at(s, "preferred_o", v, out[OUT_PREFERRED + v], algorithm[s]->preferred ? r.preferred[v] : 0);
      }
      b.check(s, "rt_o", out[OUT_RT], algorithm[s]->rewrites ? r.rt : ut_header_rt(header));
      b.check(s, "discard_o", out[OUT_DISCARD], r.discard);
      b.check(s, "uses_state_o", out[OUT_USES_STATE], r.uses_state);
      b.check(s, "set_o", out[OUT_SET], r.set);
      b.compared[s]++;
    }
    for (unsigned s = 0; s < S; s++) { // written at the end of the cycle
      uint64_t word = tables[s] ? configure(*golden[s], b.random, c, port[s]) : b.random.word64();
      memcpy(b.in(s) + IN_CONFIG, &word, 8);
    }
    b.clock();
  }
  for (unsigned s = 0; s < S; s++) {
    unsigned levels = 0;
    for (unsigned n = golden[s]->g.k; n <= 65536; n *= golden[s]->g.k)
      levels++;
    b.check(s, "levels that were tried", seen[s], ut_mask_all(levels));
    delete golden[s];
  }
  return b.report();
}
