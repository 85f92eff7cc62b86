// SPDX-License-Identifier: Apache-2.0
// node_states_tb.cpp - rtl/ut_node_states.v against spec_update_node_states
#include "Vnode_states_tb.h"
#include "blocks.hpp"

enum {
  S = 10,
  IN = 16,
  OUT = 5,
  IN_RST = 0,
  IN_STRAPS,
  IN_LINK_UP = 3,
  IN_REPORT,
  IN_ORDER = 15,
  OUT_NODE = 0,
  OUT_REPORT = 2,
  OUT_STALE,
  OUT_PURGE
};

static const unsigned cubes[4] = {1, 4, 6, 12};
static const unsigned sizes[6][4] = {{5, 4}, {5, 5}, {4, 4, 3}, {3, 3, 3}, {3, 4, 3, 2}, {3, 3, 2, 2}};

static ut_shape shape_number(unsigned s) {
  unsigned dimensions = 0;
  if (s < 4) {
    ut_shape p = shape_of(cubes[s] + 1, 2, 4, 2, UT_DETOUR_CUBE_DETOUR);
    p.route = UT_ROUTE_DETOUR_CUBE;
    p.cube = cubes[s];
    return p;
  }
  while (dimensions < 4 && sizes[s - 4][dimensions])
    dimensions++;
  ut_shape p = shape_of(2 * dimensions + 1, 4, 4, 2,
                        s == 8 ? UT_DETOUR_MESH_DETOUR_LOW_HIGH : UT_DETOUR_MESH_DETOUR); // it does not ask for borders
  p.route = s % 2 ? UT_ROUTE_DETOUR_TORUS : UT_ROUTE_DETOUR_MESH;
  memcpy(p.size, sizes[s - 4], sizeof p.size);
  return p;
}

// Anywhere; in grids often at a border.
static uint64_t place(const ut_shape &shape, Random &random) {
  uint8_t at[4] = {0};
  if (shape.cube)
    return ut_cube_strap_make((uint16_t)random.below(1u << shape.cube));
  for (unsigned d = 0; d < spec_dimensions(&shape); d++)
    at[d] = (uint8_t)(random.chance(30) ? shape.size[d] - 1 : random.below(shape.size[d]));
  return ut_grid_strap_make(at[0], at[1], at[2], at[3]);
}

int main() {
  static Bench<Vnode_states_tb, S, IN, OUT> b("node_states");
  Spec *spec[S];
  unsigned met[S] = {}; // what has been seen: safe, unsafe, disabled, a border
  unsigned few[S];      // percent of reports that come, drawn at each reset
  for (unsigned s = 0; s < S; s++) {
    spec[s] = new Spec(shape_number(s));
    const ut_shape &p = spec[s]->shape;
    b.name(s, "%s, %u ports, shape %u", p.cube ? "hypercube" : s % 2 ? "torus" : "mesh", p.po, s);
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      const Spec &m = *spec[s];
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(20) == 0;
      if (in[IN_RST]) { // straps hold until the next reset
        const uint64_t straps = place(m.shape, b.random);
        memcpy(in + IN_STRAPS, &straps, 8);
        few[s] = b.random.below(40);
      }
      in[IN_LINK_UP] = m.all_out();
      // mostly none; states are rarely stopped, and soon go on
      const unsigned kind = m.nodes.restart      ? UT_ORDER_KIND_RESUME
                            : b.random.below(20) ? b.random.below(UT_ORDER_KIND_RESTART)
                                                 : UT_ORDER_KIND_RESTART;
      in[IN_ORDER] = b.random.chance(20) ? (uint32_t)ut_order_make((uint16_t)b.random.below(1000), (uint8_t)kind) : 0;
      for (unsigned i = 0; i < SPEC_REPORT_BITS; i++)
        in[IN_REPORT + i] = b.random.chance(60) ? in[IN_REPORT + i] : 0;
      for (unsigned p = 0; p < m.shape.po; p++) {
        if (b.random.chance(few[s] / 4))
          in[IN_LINK_UP] &= ~bit(p);
        for (unsigned i = 0; i < SPEC_REPORT_BITS; i++)
          if (b.random.chance(few[s] / 2))
            in[IN_REPORT + i] |= bit(p);
      }
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const uint32_t *in = b.in(s);
      m.wires.out_up = in[IN_LINK_UP];
      for (unsigned i = 0; i < SPEC_REPORT_BITS; i++)
        m.wires.report[i] = in[IN_REPORT + i];
      m.wires.config = in[IN_ORDER];
      spec_update_node_states(&m, &m.cycle);
      if (in[IN_RST]) {
        uint64_t straps;
        memcpy(&straps, in + IN_STRAPS, 8);
        spec_reset(&m, straps);
      }
    }
    b.clock();
    b.settle(); // the falling edge
    for (unsigned s = 0; s < S; s++) {
      const spec_node_states &n = spec[s]->nodes;
      const uint32_t *out = b.out(s);
      uint64_t node;
      memcpy(&node, out + OUT_NODE, 8);
      b.check(s, "node_o", node,
              (uint64_t)n.bad | (uint64_t)n.diagonal << 12 | (uint64_t)n.border << 36 | (uint64_t)n.corner << 38 |
                  (uint64_t)n.unsafe << 42 | (uint64_t)n.disabled << 43 | (uint64_t)n.refuses << 44 |
                  (uint64_t)n.refused << 45);
      b.check(s, "report_o", out[OUT_REPORT], spec_report(spec[s]));
      b.check(s, "stale_o", out[OUT_STALE], n.stale);
      b.check(s, "purge_o", out[OUT_PURGE], n.purge);
      met[s] |= (n.unsafe ? 2 : 1) | (n.disabled ? 4 : 0) | (n.border ? 8 : 0);
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    b.check(s, "states that were met", met[s], s == 0 ? 1 : s < 4 ? 3 : s % 2 || s == 8 ? 7 : 15);
    delete spec[s];
  }
  return b.report();
}
