// route_torus_tb.cpp - rtl/ut_route_torus.v against csim/switch/route_torus.c
#include "Vroute_torus_tb.h"
#include "blocks.hpp"

enum { SHAPES = 8, S = SHAPES * 3, IN = 7, OUT = 14, VCS = 4 };
enum {
  IN_HEADER = 0,
  IN_STRAPS = 2,
  IN_PORT = 4,
  IN_VC,
  IN_UP,
  OUT_CAND = 0,
  OUT_BUBBLE = 4,
  OUT_PREFERRED = 8,
  OUT_RT = 12,
  OUT_VERDICT
};

static const struct {
  unsigned size[4], local, escapes, deterministic, misroute;
} shapes[SHAPES] = {{{3, 3, 3}, 1, 1, 0, 0}, {{4, 6}, 1, 2, 1, 0}, {{8, 8, 8}, 1, 3, 0, 0},
                    {{5, 2, 3}, 4, 1, 1, 0}, {{9}, 1, 2, 1, 1},    {{3, 2, 2, 4}, 2, 3, 0, 1},
                    {{2, 253}, 3, 2, 1, 1},  {{2}, 1, 1, 1, 1}};

int main() {
  static Bench<Vroute_torus_tb, S, IN, OUT> b("route_torus");
  Golden *golden[S];
  unsigned port[S], vc[S];
  for (unsigned s = 0; s < S; s++) {
    const unsigned shape = s / 3, *size = shapes[shape].size;
    unsigned dimensions = 0;
    while (dimensions < 4 && size[dimensions])
      dimensions++;
    ut_shape p = shape_of(2 * dimensions + shapes[shape].local, VCS, 4, 2, s % 3);
    p.route = shape % 2 ? UT_ROUTE_MESH : UT_ROUTE_TORUS;
    for (unsigned d = 0; d < 4; d++)
      p.size[d] = size[d];
    p.escapes = shapes[shape].escapes;
    p.deterministic = shapes[shape].deterministic;
    p.misroute = shapes[shape].misroute;
    golden[s] = new Golden(p);
    b.name(s, "%s %ux%ux%ux%u, algorithm %u", shape % 2 ? "mesh" : "torus", size[0], size[1], size[2], size[3], s % 3);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const ut_shape &p = m.g.shape;
      uint8_t at[4] = {0};
      unsigned nodes = 1;
      for (unsigned d = 0; d < m.g.dimensions; d++) {
        at[d] = (uint8_t)b.random.below(p.size[d]);
        nodes *= p.size[d];
      }
      uint64_t straps = ut_grid_strap_make(at[0], at[1], at[2], at[3]);
      uint64_t header = ut_header_set_dst(b.random.word64(), (uint16_t)b.random.below(nodes * shapes[s / 3].local));
      ut_switch_reset(&m.g, m.s, straps);
      port[s] = b.random.below(p.pi);
      vc[s] = b.random.below(VCS);
      m.s->out_up = (b.random.chance(60) ? ~0u : b.random.mask()) & m.g.all_out;
      uint32_t *in = b.in(s);
      memcpy(in + IN_HEADER, &header, 8);
      memcpy(in + IN_STRAPS, &straps, 8);
      in[IN_PORT] = ut_bit(port[s]);
      in[IN_VC] = ut_bit(vc[s]);
      in[IN_UP] = m.s->out_up;
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const uint32_t *out = b.out(s);
      uint64_t header;
      ut_route_result r = {};
      memcpy(&header, b.in(s) + IN_HEADER, 8);
      m.g.route(&m.g, m.s, header, port[s], vc[s], &r);
      for (unsigned v = 0; v < VCS; v++) {
        b.check_at(s, "cand_o", v, out[OUT_CAND + v], r.cand[v]);
        b.check_at(s, "bubble_o", v, out[OUT_BUBBLE + v], r.bubble[v]);
        b.check_at(s, "preferred_o", v, out[OUT_PREFERRED + v], r.preferred[v]);
      }
      b.check(s, "rt_o", out[OUT_RT], r.rt);
      b.check(s, "verdict", out[OUT_VERDICT], r.strip * 2 + r.discard);
      b.compared[s]++;
    }
    b.cycle++;
  }
  for (unsigned s = 0; s < S; s++)
    delete golden[s];
  return b.report();
}
