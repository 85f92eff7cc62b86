// SPDX-License-Identifier: Apache-2.0
// route_unit_tb.cpp - rtl/ut_route_unit.v with one family against spec_route
#include "Vroute_unit_tb.h"
#include "blocks.hpp"

#ifndef FAMILY
#define FAMILY 0 // fat trees, forwarding tables, tori and meshes, RUFT, hypercubes and grids around bad nodes
#endif
enum {
  ALGORITHMS = 11, // lines of family fattree in rtl/algorithms.tsv
  TABLES = 8,      // of family table, forwarding_escape last, then forwarding with a VC map, intermediate terminals, a
                   // choice of them
  GRIDS = 15,
  DATELINES = 11, // grids from here on are tori whose algorithms have no bubble rule
  DIGITS = 10,
  CUBES = 5,
  AROUND = 8,                              // grids
  ALGORITHMS_AROUND = FAMILY == 4 ? 5 : 6, // of family detour_cube and of detour_mesh; tori have four
  S = FAMILY == 0   ? 6 * ALGORITHMS
      : FAMILY == 1 ? 6 * TABLES
      : FAMILY == 2 ? 3 * GRIDS
      : FAMILY == 3 ? DIGITS
      : FAMILY == 4 ? ALGORITHMS_AROUND * CUBES
                    : ALGORITHMS_AROUND * AROUND,
  TRIES = CYCLES / 4, // a route is one cycle: no state but tables
  DESTINATIONS = 27,
  MOST_PORTS = 32,
  GROUPS = 13, // next-hop groups, of algorithm forwarding
  LAYERS = 2,
  VC_ROWS = 3 * (LAYERS + 3),                                    // of the VC map, for each VC
  WRITES = MOST_PORTS + GROUPS + VC_ROWS + 2 * 3 * DESTINATIONS, // cycles until all that is written once
  IN = 13,
  OUT = 29,
  IN_HEADER = 0,
  IN_PORT = 2,
  IN_STRAPS,
  IN_UP = 5,
  IN_VECTOR,
  IN_NEIGHBOUR,
  IN_VC,
  IN_CONFIG,
  IN_NODE = 11,
  OUT_CAND = 0,
  OUT_BUBBLE = 8,
  OUT_PREFERRED = 16,
  OUT_RT = 24,
  OUT_VERDICT,
  OUT_USES_STATE,
  OUT_SET,
  OUT_EVER
};

static const unsigned sizes[6] = {2, 3, 4, 5, 8, 16};
static const struct {
  unsigned size[4], local, v, escapes, deterministic, misroute, links;
} grids[GRIDS] = {{{3, 3, 3}, 1, 4, 1, 0, 0, 1}, {{4, 6}, 1, 4, 2, 1, 0, 1},       {{8, 8, 8}, 1, 4, 3, 0, 0, 1},
                  {{5, 2, 3}, 4, 4, 1, 1, 0, 1}, {{9}, 1, 4, 2, 1, 1, 1},          {{3, 2, 2, 4}, 2, 4, 3, 0, 1, 1},
                  {{2, 253}, 3, 4, 2, 1, 1, 1},  {{2}, 1, 4, 1, 1, 1, 1},          {{4, 4}, 8, 4, 1, 0, 0, 8},
                  {{3, 5}, 6, 4, 1, 0, 0, 2},    {{3, 3, 2, 2}, 4, 8, 3, 1, 1, 1}, {{4, 6}, 1, 3, 1, 0, 0, 1},
                  {{3, 5, 2}, 2, 5, 2, 1, 0, 1}, {{9}, 1, 8, 3, 1, 0, 1},          {{8, 8, 8}, 2, 4, 1, 1, 0, 2}};
static const struct {
  unsigned pi, po, radix, parallel, dual_homed, half_crossbar;
} digits[DIGITS] = {{2, 2, 2, 0, 0, 0},    {4, 4, 2, 2, 0, 0}, {4, 4, 2, 1, 0, 1},   {8, 4, 4, 0, 1, 0},
                    {4, 4, 4, 0, 1, 0},    {4, 8, 4, 0, 1, 0}, {16, 16, 8, 1, 1, 0}, {8, 8, 4, 1, 0, 0},
                    {32, 32, 16, 2, 0, 0}, {8, 8, 4, 1, 1, 1}};

static const struct {
  unsigned cube, local, v, vin1;
} cubes[CUBES] = {{1, 1, 2, 1}, {3, 2, 3, 1}, {4, 1, 4, 2}, {6, 3, 2, 1}, {12, 1, 3, 1}};
static const struct {
  unsigned size[4], local, v, vin1;
} around[AROUND] = {{{4, 4}, 1, 4, 1}, {{5, 4}, 1, 3, 1}, {{5, 3, 2}, 2, 6, 2},    {{4, 4, 4}, 1, 3, 2},
                    {{2, 3}, 1, 5, 1}, {{2, 2}, 3, 3, 1}, {{3, 2, 2, 4}, 2, 4, 1}, {{3, 3, 2, 2}, 1, 4, 2}};

// Misrouted hops of adaptive_vin and detour, of hypercubes and meshes.
static unsigned misroutes_around(unsigned algorithm, unsigned number) {
  return (FAMILY == 4 || number % 2) && (algorithm == 1 || algorithm == 2) ? (number / 2 + algorithm) % 4 : 0;
}

static ut_shape shape_around(unsigned s) {
  const unsigned algorithm = s % ALGORITHMS_AROUND, number = s / ALGORITHMS_AROUND;
  if (FAMILY == 4) {
    const auto &cube = cubes[number % CUBES];
    ut_shape p = shape_of(cube.cube + cube.local, cube.v, 4, 2, algorithm);
    p.route = UT_ROUTE_DETOUR_CUBE;
    p.cube = cube.cube;
    p.vin1_vcs = cube.vin1;
    p.misroute_hops = misroutes_around(algorithm, number);
    return p;
  }
  const auto &grid = around[number % AROUND];
  unsigned dimensions = 0;
  while (dimensions < 4 && grid.size[dimensions])
    dimensions++;
  ut_shape p = shape_of(2 * dimensions + grid.local, grid.v, 4, 2, number % 2 ? algorithm : algorithm % 4);
  p.route = number % 2 ? UT_ROUTE_DETOUR_MESH : UT_ROUTE_DETOUR_TORUS;
  memcpy(p.size, grid.size, sizeof p.size);
  p.vin1_vcs = grid.vin1;
  p.misroute_hops = misroutes_around(algorithm, number);
  return p;
}

static ut_shape shape_number(unsigned s) {
  if (FAMILY >= 4)
    return shape_around(s);
  if (FAMILY < 2) {
    const unsigned again = FAMILY == 1 && s / 6 > TABLES - 4 ? s / 6 - TABLES + 4 : 0;
    ut_shape p = shape_of(2 * sizes[s % 6], 3, 4, 2, s / 6 - (again ? again + 1 : 0));
    p.route = FAMILY == 0 ? UT_ROUTE_FATTREE : UT_ROUTE_TABLE;
    p.destinations = FAMILY == 1 ? DESTINATIONS : 0;
    p.groups = FAMILY == 1 && s / 6 >= TABLES - 5 ? GROUPS : 0;
    p.vc_map = again ? LAYERS : 0;
    p.via = again > 1;
    p.ugal = again > 2 ? p.max_packet + 1 : 0;
    p.exclusions = FAMILY == 0 && s < 6 ? 2 : 0; // of fta
    return p;
  }
  if (FAMILY == 2) {
    const auto &grid = grids[s / 3];
    unsigned dimensions = 0;
    while (dimensions < 4 && grid.size[dimensions])
      dimensions++;
    const bool datelines = s / 3 >= DATELINES;
    ut_shape p = shape_of(2 * dimensions + grid.local, grid.v, 4, 2, datelines ? 3 + s % 3 : s % 3);
    p.route = !datelines && s / 3 % 2 ? UT_ROUTE_MESH : UT_ROUTE_TORUS;
    memcpy(p.size, grid.size, sizeof p.size);
    p.escapes = grid.escapes;
    p.deterministic = grid.deterministic;
    p.misroute = grid.misroute;
    p.links = grid.links;
    return p;
  }
  const auto &d = digits[s % DIGITS];
  ut_shape p = shape_of(d.pi, 2, 4, 2, UT_RUFT_RUFT);
  p.po = d.po;
  p.route = UT_ROUTE_RUFT;
  p.radix = d.radix;
  p.parallel = d.parallel;
  p.dual_homed = d.dual_homed;
  p.half_crossbar = d.half_crossbar;
  return p;
}

// Levels of the largest tree that a header can address.
static unsigned levels_of(unsigned k) {
  unsigned levels = 0;
  for (unsigned n = k; n <= 65536; n *= k)
    levels++;
  return levels;
}

// Where the switch stands, and a header that can reach it: straps and header.  seen: levels.
static void place_in_levels(const Spec &m, Random &random, uint64_t *straps, uint64_t *header, unsigned *seen) {
  const unsigned k = m.shape.po / 2, level = random.below(levels_of(k));
  unsigned step = 1;
  *seen |= bit(level);
  for (unsigned i = 0; i < level; i++)
    step *= k;
  unsigned end = step * k; // destinations of the subtree
  unsigned base = random.below(65536 / end) * end;
  unsigned dst = random.chance(60) ? base + random.below(end) : random.below(65536);
  if (random.chance(10)) // the borders of the subtree
    dst = random.chance(50) ? base + end : base - 1;
  if (m.shape.exclusions && random.chance(20)) { // the borders of an exclusion interval
    const spec_interval &interval = m.exclusion[random.below(k)][random.below(m.shape.exclusions)];
    dst = random.chance(50) ? interval.first : interval.last;
  }
  if (m.shape.destinations)
    dst = random.below(DESTINATIONS);
  *header = ut_header_set_dst(random.word64(), (uint16_t)dst);
  if (random.chance(80)) // what other switches write: a port field, or a misroute vector
    *header = ut_header_set_rt(*header, random.chance(50) ? random.below(k + 2) : random.mask() & lines(k));
  *straps = ut_level_strap_make((uint8_t)level, base, step, (uint16_t)random.word(), random.below(2));
}
static void place_in_grid(const Spec &m, Random &random, uint64_t *straps, uint64_t *header) {
  uint8_t at[4] = {0};
  unsigned nodes = 1;
  const unsigned dimensions = spec_dimensions(&m.shape);
  for (unsigned d = 0; d < dimensions; d++) {
    at[d] = (uint8_t)random.below(m.shape.size[d]);
    nodes *= m.shape.size[d];
  }
  *straps = ut_grid_strap_make(at[0], at[1], at[2], at[3]);
  *header =
      ut_header_set_dst(random.word64(), (uint16_t)random.below(nodes * (m.shape.po - 2 * dimensions) / m.shape.links));
}
static void place_in_cube(const Spec &m, Random &random, uint64_t *straps, uint64_t *header) {
  const unsigned cube = m.shape.cube, local = m.shape.po - cube, node = random.below(1u << cube);
  const unsigned far = random.mask() & lines(cube), near = bit(random.below(cube));
  const unsigned dst = node ^ (random.chance(70) ? far : near);
  *straps = ut_cube_strap_make((uint16_t)node);
  *header = ut_header_set_dst(random.word64(), (uint16_t)(dst * local + random.below(local)));
}
// What the switch may know of the nodes around it, and the vector of rtl/node_states.vh.
static uint64_t know(Spec &m, Random &random, uint64_t header) {
  const unsigned d = spec_dimensions(&m.shape);
  const uint32_t links = m.shape.cube ? lines(m.shape.cube) : spec_grid_links(&m.shape, m.straps);
  spec_node_states *n = &m.nodes;
  n->bad = links & random.mask() & (random.chance(70) ? random.mask() : ~0u);
  n->unsafe = random.chance(20);
  n->refuses = random.chance(20);
  n->refused = random.chance(50) ? ut_header_dst(header) : (uint16_t)random.word();
  if (!m.shape.cube) {
    n->diagonal = random.mask() & random.mask() & lines(2 * d * (d - 1));
    const bool borders = UT_ALG_BORDER(m.shape.route, m.shape.algorithm);
    n->border = borders ? random.below(4) : 0;
    n->corner = borders ? random.below(16) : 0;
    n->disabled = n->unsafe && random.chance(20);
  }
  return (uint64_t)n->bad | (uint64_t)n->diagonal << 12 | (uint64_t)n->border << 36 | (uint64_t)n->corner << 38 |
         (uint64_t)n->unsafe << 42 | (uint64_t)n->disabled << 43 | (uint64_t)n->refuses << 44 |
         (uint64_t)n->refused << 45;
}
static void place_in_stages(const Spec &m, Random &random, uint64_t *straps, uint64_t *header) {
  const unsigned digit_bits = lowest(m.shape.radix), stage = random.below(16 / digit_bits);
  *straps = ut_ruft_strap_make((uint8_t)(stage * digit_bits), stage == 0, random.chance(30), (uint8_t)random.below(16));
  *header = random.word64();
}

// Writes a row of the VC map for one VC; row: in the order of all of them, or at random.
static uint64_t allow(Random &random, bool first, unsigned row, bool writes) {
  const unsigned name = first ? row / 3 : random.below(32);
  return ut_vc_row_make((uint8_t)(!first || name < LAYERS ? name : UT_MAX_VC_MAP + name - LAYERS),
                        !first && random.chance(10), (uint8_t)(first ? row % 3 : random.below(8)),
                        random.mask() | random.mask(), UT_CONFIG_KIND_VCS, writes);
}

// Writes an entry, the bank of an input port, a next-hop group or a row of the VC map at random; at first one after the
// other, so that all are known.
static uint64_t configure(Spec &m, Random &random, unsigned cycle) {
  const bool first = cycle < WRITES, bank = first ? cycle < MOST_PORTS : random.chance(20);
  const bool group = m.shape.groups && !bank && (first ? cycle < MOST_PORTS + GROUPS : random.chance(20));
  const unsigned row = cycle - MOST_PORTS - GROUPS, entry = row - VC_ROWS;
  const bool writes = first || random.chance(50);
  const bool map = !bank && !group && (first ? cycle < MOST_PORTS + GROUPS + VC_ROWS : random.chance(20));
  uint64_t word = group ? ut_hop_group_make((uint8_t)(first ? cycle - MOST_PORTS : random.below(256)),
                                            !first && random.chance(10), random.mask(), UT_CONFIG_KIND_GROUP, writes)
                        : ut_config_make((uint16_t)(first ? entry % DESTINATIONS : random.below(DESTINATIONS)),
                                         (uint8_t)(first && !bank ? entry / DESTINATIONS / 3 : random.below(2)),
                                         (uint8_t)(first ? entry / DESTINATIONS % 3 : random.below(3)),
                                         (uint8_t)(bank ? first ? cycle : random.below(64) : random.below(m.shape.po)),
                                         (uint8_t)random.below(3), random.chance(95), (uint8_t)random.below(256),
                                         bank ? UT_CONFIG_KIND_BANK : UT_CONFIG_KIND_ENTRY, writes);
  if (map && m.shape.vc_map)
    word = allow(random, first, row, writes);
  if (first && cycle >= MOST_PORTS && cycle < MOST_PORTS + GROUPS + VC_ROWS && !group && !(map && m.shape.vc_map))
    word = 0; // no groups, no map
  spec_update_tables(&m, word);
  return word;
}

// The same of an exclusion interval.
static uint64_t exclude(Spec &m, Random &random, unsigned cycle) {
  const bool first = cycle < WRITES;
  const unsigned from = random.below(65536), port = first ? cycle / 2 % (m.shape.po / 2) : random.below(16);
  const uint64_t word =
      ut_exclusion_make((uint16_t)from, (uint16_t)(random.chance(50) ? from : random.below(65536)), (uint8_t)port,
                        (uint8_t)(first ? cycle % 2 : random.below(4)), first || random.chance(50));
  spec_update_exclusions(&m, word);
  return word;
}

int main() {
  static Bench<Vroute_unit_tb, S, IN, OUT> b("route_unit");
  Spec *spec[S];
  unsigned port[S], vc[S], seen[S] = {}; // seen: levels
  unsigned known = 0, driven = 0;        // algorithms of the routes of the shapes
  for (unsigned a = 0; a < ut_algorithm_count; a++) {
    bool route = false, algorithm = false;
    for (unsigned s = 0; s < S; s++) {
      const ut_shape p = shape_number(s);
      route |= p.route == ut_algorithms[a].route;
      algorithm |= p.route == ut_algorithms[a].route && p.algorithm == ut_algorithms[a].code;
    }
    known += route;
    driven += algorithm;
  }
  b.check(0, "algorithms of rtl/algorithms.tsv that are driven", driven, known);
  for (unsigned s = 0; s < S; s++) {
    const ut_shape p = shape_number(s);
    spec[s] = new Spec(p);
    for (unsigned a = 0; a < ut_algorithm_count; a++)
      if (ut_algorithms[a].route == p.route && ut_algorithms[a].code == p.algorithm)
        b.name(s, "%s %s, %u x %u ports, shape %u", ut_algorithms[a].family, ut_algorithms[a].name, p.pi, p.po, s);
  }
  for (unsigned c = 0; c < TRIES; c++) {
    for (unsigned s = 0; s < S; s++) {
      Spec &m = *spec[s];
      const ut_shape &p = m.shape;
      uint64_t straps, header;
      if (FAMILY < 2)
        place_in_levels(m, b.random, &straps, &header, &seen[s]);
      else if (FAMILY == 4)
        place_in_cube(m, b.random, &straps, &header);
      else if (FAMILY == 2 || FAMILY == 5)
        place_in_grid(m, b.random, &straps, &header);
      else
        place_in_stages(m, b.random, &straps, &header);
      if (p.via) /* some that do not exist */
        header = ut_header_set_rt(
            header, (uint32_t)ut_rt_graph_make((uint8_t)b.random.below(3), (uint16_t)b.random.below(DESTINATIONS + 4)));
      spec_reset(&m, straps);
      port[s] = b.random.below(p.pi);
      vc[s] = b.random.below(p.v);
      const uint32_t up_ports = m.has_vector() ? m.all_out() & ~lines(p.po / 2) : 0;
      m.set_up(b.random.chance(50) ? ~0u : b.random.mask());
      m.reroute.vector = b.random.mask() & up_ports;
      m.reroute.neighbour = b.random.mask() & up_ports;
      const uint64_t node = m.has_states() ? know(m, b.random, header) : b.random.word64();
      uint32_t *in = b.in(s);
      memcpy(in + IN_NODE, &node, 8);
      memcpy(in + IN_HEADER, &header, 8);
      memcpy(in + IN_STRAPS, &straps, 8);
      in[IN_PORT] = bit(port[s]);
      in[IN_VC] = bit(vc[s]);
      in[IN_UP] = m.up();
      in[IN_VECTOR] = m.reroute.vector;
      in[IN_NEIGHBOUR] = m.reroute.neighbour;
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      if ((FAMILY == 1 || spec[s]->shape.exclusions) && c < WRITES)
        continue;
      const Spec &m = *spec[s];
      const uint32_t *out = b.out(s);
      uint64_t header;
      spec_answer r;
      uint32_t any = 0;
      memcpy(&header, b.in(s) + IN_HEADER, 8);
      spec_route(&m, header, port[s], vc[s], &r);
      for (unsigned v = 0; v < m.shape.v; v++) {
        any |= r.cand[v];
        b.check_at(s, "cand_o", v, out[OUT_CAND + v], r.cand[v]);
        if (UT_ALG_BUBBLE(m.shape.route, m.shape.algorithm)) // else ut_input_vc does not look (BUBBLE)
          b.check_at(s, "bubble_o", v, out[OUT_BUBBLE + v], r.bubble[v]);
        b.check_at(s, "preferred_o", v, out[OUT_PREFERRED + v], r.preferred[v]);
      }
      b.check(s, "rt_o", out[OUT_RT], m.rewrites() ? r.rt : ut_header_rt(header));
      b.check(s, "verdict", out[OUT_VERDICT], r.strip * 2 + r.discard);
      b.check(s, "uses_state_o", out[OUT_USES_STATE], m.has_states() || r.uses_state); // always stale with the states
      b.check(s, "set_o", out[OUT_SET], r.set);
      b.check(s, "candidates that ever_o denies", any & ~out[OUT_EVER], 0);
      b.compared[s]++;
    }
    for (unsigned s = 0; s < S; s++) { // written at the end of the cycle
      uint64_t word = FAMILY == 1                 ? configure(*spec[s], b.random, c)
                      : spec[s]->shape.exclusions ? exclude(*spec[s], b.random, c)
                                                  : b.random.word64();
      memcpy(b.in(s) + IN_CONFIG, &word, 8);
    }
    b.clock();
  }
  for (unsigned s = 0; s < S; s++) {
    if (FAMILY < 2)
      b.check(s, "levels that were tried", seen[s], lines(levels_of(spec[s]->shape.po / 2)));
    delete spec[s];
  }
  return b.report();
}
