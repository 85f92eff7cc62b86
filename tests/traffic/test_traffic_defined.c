/* SPDX-License-Identifier: Apache-2.0 */
/* test_traffic_defined.c - csim/traffic/traffic: packets of every pattern and process against their definition, in the
 * arithmetic of the C library where its last bits do not matter; traces against all their lines. */
#include "traffic.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "scenario.h"
#include "scenario_read.h"
#include "scenario_schema.h"
#include "scenarios.h"
#include "topology_build.h"

/* A source, by its definition: one draw for each packet. */
struct defined {
  const struct ut_traffic *t;
  const struct ut_scenario *s;
  struct ut_random random, lengths;
  uint64_t pair[2], cycle;
  unsigned left, terminal, terminals;
  double fraction, unit; /* Poisson: of a cycle; the last draw that has decided about the hot spot */
};

static void begin(struct defined *d, const struct ut_traffic *t, const struct ut_scenario *s, unsigned terminal,
                  unsigned terminals) {
  *d = (struct defined){.t = t, .s = s, .terminal = terminal, .terminals = terminals};
  ut_random_init(&d->random, s->run.seed, UT_RANDOM_TRAFFIC, terminal);
  ut_random_init(&d->lengths, s->run.seed, UT_RANDOM_LENGTHS, terminal);
}

static uint64_t draw(struct defined *d) {
  if (!d->left) {
    ut_random_pair(&d->random, d->pair);
    d->left = 2;
  }
  return d->pair[2 - d->left--];
}

static uint64_t words(struct ut_random *r) {
  const uint64_t high = ut_random_u32(r);
  return high << 32 | ut_random_u32(r);
}

static unsigned any_other(struct defined *d, uint64_t bits) {
  const uint64_t others = d->terminals - 1;
  if (!others)
    return 0;
  while (bits * others % (1 << 24) < (1 << 24) % others)
    bits = draw(d) % (1 << 24);
  const unsigned other = (unsigned)(bits * others >> 24);
  return other < d->terminal ? other : other + 1;
}

/* Patterns of address bits: bit i of the destination's b bits is that bit of the source, inverted or not. */
static unsigned same(unsigned i, unsigned b) {
  (void)b;
  return i;
}
static unsigned below(unsigned i, unsigned b) {
  return (i + b - 1) % b;
}
static unsigned above(unsigned i, unsigned b) {
  return (i + 1) % b;
}
static unsigned half_way(unsigned i, unsigned b) {
  return (i + b / 2) % b;
}
static unsigned opposite(unsigned i, unsigned b) {
  return b - 1 - i;
}
static const struct {
  const struct ut_pattern *pattern;
  unsigned (*bit)(unsigned i, unsigned b);
  bool inverted;
} bit_patterns[] = {
    {&ut_pattern_complement, same, true},     {&ut_pattern_shuffle, below, false},
    {&ut_pattern_transpose, half_way, false}, {&ut_pattern_bit_reverse, opposite, false},
    {&ut_pattern_bit_rotation, above, false},
};

static unsigned permuted(const struct defined *d) {
  unsigned b = 0, to = 0, row = 0;
  while (1u << b < d->terminals)
    b++;
  while (row < sizeof bit_patterns / sizeof *bit_patterns && bit_patterns[row].pattern != d->s->traffic.pattern)
    row++;
  if (row == sizeof bit_patterns / sizeof *bit_patterns)
    fail_msg("pattern %s: no row in bit_patterns, which defines it a second time", d->s->traffic.pattern->name);
  for (unsigned i = 0; i < b; i++)
    to |= ((d->terminal >> bit_patterns[row].bit(i, b) & 1) ^ bit_patterns[row].inverted) << i;
  return to;
}

static unsigned destination(struct defined *d, uint64_t bits) {
  const struct ut_pattern *pattern = d->s->traffic.pattern;
  if (pattern->permute_bits)
    return permuted(d);
  if (pattern == &ut_pattern_shift)
    return (d->terminal + d->s->traffic.shift) % d->terminals;
  if (pattern == &ut_pattern_permutation)
    return (3 * d->terminal + 1) % d->terminals;
  if (pattern == &ut_pattern_hot_spot && d->terminal != d->s->traffic.hot_spots.value[0]) {
    d->unit = (double)((words(&d->random) >> 11) + 1) * 0x1p-53;
    return d->unit <= d->s->traffic.hot_spot_fraction ? d->s->traffic.hot_spots.value[0] : any_other(d, bits);
  }
  if (pattern != &ut_pattern_uniform && pattern != &ut_pattern_hot_spot)
    fail_msg("pattern %s is not defined a second time here", pattern->name);
  return any_other(d, bits);
}

static struct ut_packet_request next(struct defined *d) {
  const struct ut_lengths *l = &d->t->lengths;
  const double rate = d->s->traffic.load_flits_per_cycle / l->mean;
  const bool poisson = d->s->traffic.process == UT_POISSON;
  const double mean = poisson ? 1 / rate : rate < 1 ? 1 / ut_minus_log(1 - rate) : 0;
  const uint64_t bits = draw(d);
  const double gap = d->fraction - log((double)((bits >> 24) + 1) * 0x1p-40) * mean;
  struct ut_packet_request p = {.cycle = d->cycle + (uint64_t)gap, .flits = (uint16_t)d->s->sw.packet_flits};
  d->cycle = poisson ? p.cycle : p.cycle + 1;
  d->fraction = poisson ? gap - floor(gap) : 0;
  p.dst = (uint16_t)destination(d, bits % (1 << 24));
  if (l->at_most) {
    const uint64_t length = words(&d->lengths) >> 24;
    for (p.flits = (uint16_t)l->min; length >= l->at_most[p.flits - l->min];)
      p.flits++;
  }
  return p;
}

static void must_init(struct ut_traffic *t, const struct ut_scenario *s, unsigned terminals) {
  struct ut_error e;
  if (ut_traffic_init(t, s, terminals, &e))
    fail_msg("%s", e.text);
}

/* Some packets of some terminals.  Returns the draw for the hot spot of the first packet of terminal 0. */
static double compare(const struct ut_scenario *s, unsigned terminals) {
  enum { PACKETS = 60 };
  struct ut_traffic t;
  double unit = 0;
  must_init(&t, s, terminals);
  const unsigned some[] = {0, terminals / 3, terminals - 1};
  for (unsigned i = 0; i < 3; i++) {
    struct ut_packet_request list[PACKETS];
    struct ut_traffic_source source;
    struct defined d;
    ut_traffic_source_init(&source, &t, some[i]);
    begin(&d, &t, s, some[i], terminals);
    assert_int_equal(ut_traffic_draw(&t, &source, PACKETS, list), PACKETS);
    for (unsigned k = 0; k < PACKETS; k++) {
      const struct ut_packet_request p = next(&d);
      if (p.cycle != list[k].cycle || p.dst != list[k].dst || p.flits != list[k].flits)
        fail_msg("pattern %s, process %d, load %g, %u terminals, %u: packet %u in cycle %llu to %u, expected %llu, %u",
                 s->traffic.pattern->name, (int)s->traffic.process, s->traffic.load_flits_per_cycle, terminals, some[i],
                 k, (unsigned long long)list[k].cycle, list[k].dst, (unsigned long long)p.cycle, p.dst);
      if (i == 0 && k == 0)
        unit = d.unit;
    }
  }
  ut_traffic_free(&t);
  return unit;
}

/* With so many terminals, and without more of a network. */
static bool possible(const struct ut_pattern *pattern, unsigned terminals) {
  const unsigned bits = (unsigned)__builtin_ctz(terminals);
  return !pattern->move_coordinate && (pattern != &ut_pattern_shift || terminals > 3) &&
         (!pattern->permute_bits || (terminals == 1u << bits && (pattern != &ut_pattern_transpose || bits % 2 == 0)));
}

static void write_permutation(char path[UT_TEST_TRACE_PATH], unsigned terminals, bool pairs) {
  char text[8192] = "";
  size_t used = 0;
  for (unsigned i = 0; i < terminals; i++) {
    const unsigned src = pairs ? terminals - 1 - i : i, dst = (3 * src + 1) % terminals;
    used += (size_t)(pairs ? snprintf(text + used, sizeof text - used, "%u %u\n", src, dst)
                           : snprintf(text + used, sizeof text - used, "%u\n", dst));
  }
  assert_true(used < sizeof text);
  test_write_trace(path, text);
}

static void packets_are_those_of_the_definition(void **state) {
  (void)state;
  static const unsigned terminals[] = {1, 2, 3, 4, 5, 16, 64, 128, 200, 50000, 65536};
  static const double load[] = {1e-6, 0.01, 0.5, 1, 1.7, 2, 7.5};
  static const struct {
    enum ut_distribution kind;
    unsigned shortest, longest;
  } lengths[] = {
      {UT_LENGTHS_FIXED, 0, 1}, {UT_LENGTHS_FIXED, 0, 3}, {UT_LENGTHS_UNIFORM, 2, 8}, {UT_LENGTHS_BIMODAL, 1, 6}};
  unsigned turn = 0;
  for (unsigned number = 0; number < UT_PATTERNS; number++)
    for (unsigned i = 0; i < sizeof terminals / sizeof *terminals; i++)
      for (unsigned j = 0; j < sizeof load / sizeof *load; j++, turn++) {
        const struct ut_pattern *pattern = ut_patterns[number];
        const unsigned n = terminals[i], l = turn % 4;
        char path[UT_TEST_TRACE_PATH];
        struct ut_scenario s = {
            .sw = {.packet_flits = lengths[l].longest,
                   .shortest_packet_flits = lengths[l].shortest,
                   .distribution = lengths[l].kind,
                   .long_fraction = 0.4},
            .traffic = {.pattern = pattern,
                        .load_flits_per_cycle = load[j],
                        .process = turn / 4 % 3 ? UT_BERNOULLI : UT_POISSON,
                        .hot_spots = {1, {n - 1}},
                        .shift = 3,
                        .hot_spot_fraction = turn % 3 * 0.5},
            .run = {.seed = 100 + turn},
        };
        if (!ut_pattern_has_load(pattern) || pattern->read_rates || !possible(pattern, n) ||
            (pattern != &ut_pattern_uniform && n > 200))
          continue;
        if (pattern == &ut_pattern_permutation) {
          write_permutation(path, n, turn % 2);
          s.traffic.file = path;
        }
        const double unit = compare(&s, n);
        if (pattern == &ut_pattern_permutation)
          unlink(path);
        if (pattern != &ut_pattern_hot_spot || n == 1)
          continue;
        assert_true(unit > 0 && unit <= 1);
        for (unsigned more = 0; more < 2; more++) { /* the first packet just goes there, or just does not */
          s.traffic.hot_spot_fraction = unit - more * 0x1p-53;
          compare(&s, n);
        }
      }
}

/* ---- coordinates */

/* Of patterns of coordinates: hops towards higher coordinates in a dimension of that size, around its ring. */
static unsigned one_hop(unsigned size) {
  (void)size;
  return 1;
}
static unsigned less_than_half_a_ring(unsigned size) { /* as many as can be */
  unsigned hops = 0;
  while (2 * (hops + 1) < size)
    hops++;
  return hops;
}
static const struct {
  const struct ut_pattern *pattern;
  unsigned (*hops)(unsigned size);
} coordinate_patterns[] = {
    {&ut_pattern_tornado, less_than_half_a_ring},
    {&ut_pattern_neighbour, one_hop},
};

/* The first terminal of the switch that so many hops lead to, in each dimension d through port `step` * d. */
static unsigned walk(const struct ut_topology *t, uint32_t sw, unsigned step, const unsigned *size, unsigned sizes,
                     unsigned (*hops)(unsigned size)) {
  for (unsigned d = 0; d < sizes; d++)
    for (unsigned i = hops(size[d]); i > 0; i--)
      sw = t->peer[sw * t->po + step * d].index;
  unsigned terminal = 0;
  while (ut_topology_attachment(t, terminal).sw != sw)
    terminal++;
  return terminal;
}

/* Each terminal of `network` against hops on the links of `links`, which has the same nodes and closes its rings. */
static void compare_walks(unsigned row, const char *network, const char *links, unsigned step, const unsigned *size,
                          unsigned sizes) {
  struct ut_scenario *s = test_scenario("topology: {%s}\nrouting: {algorithm: %s}\n"
                                        "traffic: {pattern: %s, load_flits_per_cycle: 0.3}\n",
                                        network, step == 1 ? "detour" : "dor", coordinate_patterns[row].pattern->name);
  struct ut_scenario *ring = test_scenario("topology: {%s}\nrouting: {algorithm: %s}\n"
                                           "traffic: {load_flits_per_cycle: 0.3}\n",
                                           links, step == 1 ? "detour" : "dor");
  struct ut_topology t;
  struct ut_traffic traffic;
  struct ut_error e;
  assert_int_equal(ut_topology_init(&t, ring, &e), 0);
  must_init(&traffic, s, t.terminals);
  const unsigned each = t.terminals / t.switches;
  for (unsigned terminal = 0; terminal < t.terminals; terminal++) {
    struct ut_traffic_source source;
    struct ut_packet_request p;
    const uint32_t sw = ut_topology_attachment(&t, terminal).sw;
    unsigned among = 0; /* which of the terminals of its switch it is */
    while (among < terminal && ut_topology_attachment(&t, terminal - among - 1).sw == sw)
      among++;
    const unsigned expected = walk(&t, sw, step, size, sizes, coordinate_patterns[row].hops) + among;
    ut_traffic_source_init(&source, &traffic, terminal);
    assert_true(ut_traffic_next(&traffic, &source, &p));
    if (p.dst != expected)
      fail_msg("%s, pattern %s, %u terminals a switch: %u sends to %u, expected %u", network,
               coordinate_patterns[row].pattern->name, each, terminal, p.dst, expected);
  }
  ut_traffic_free(&traffic);
  ut_topology_free(&t);
  ut_scenario_free(s);
  ut_scenario_free(ring);
}

static void coordinates_move_as_defined(void **state) {
  (void)state;
  for (unsigned i = 0; i < UT_PATTERNS; i++) {
    unsigned row = 0;
    if (!ut_patterns[i]->move_coordinate)
      continue;
    while (row < sizeof coordinate_patterns / sizeof *coordinate_patterns &&
           coordinate_patterns[row].pattern != ut_patterns[i])
      row++;
    if (row == sizeof coordinate_patterns / sizeof *coordinate_patterns)
      fail_msg("pattern %s: no row in coordinate_patterns, which defines it a second time", ut_patterns[i]->name);
    compare_walks(row, "kind: torus, k: 8, n: 1", "kind: torus, k: 8, n: 1", 2, (const unsigned[]){8}, 1);
    compare_walks(row, "kind: torus, sizes: [5, 2, 4], local_ports: 3", "kind: torus, sizes: [5, 2, 4], local_ports: 3",
                  2, (const unsigned[]){5, 2, 4}, 3);
    compare_walks(row, "kind: mesh, sizes: [3, 4, 2, 7]", "kind: torus, sizes: [3, 4, 2, 7]", 2,
                  (const unsigned[]){3, 4, 2, 7}, 4);
    if (ut_patterns[i] != &ut_pattern_tornado) /* half of a ring of two is the node itself */
      compare_walks(row, "kind: hypercube, n: 4, local_ports: 2", "kind: hypercube, n: 4, local_ports: 2", 1,
                    (const unsigned[]){2, 2, 2, 2}, 4);
  }
}

/* ---- groups and switches */

/* The number that a switch's name begins with, "g3.r1": of the group in a dragonfly. */
static unsigned group_of(const struct ut_topology *t, uint32_t terminal) {
  unsigned group = UINT_MAX;
  char name[UT_SWITCH_NAME_SIZE];
  const char *shown = ut_topology_switch_name(t, ut_topology_attachment(t, terminal).sw, name);
  assert_int_equal(sscanf(shown, "g%u.", &group), 1);
  return group;
}

/* Over groups of a dragonfly: packets go to the group that the pattern says, by names of switches; at random to each of
 * its terminals about equally often, or to that of the same place. */
static void groups_are_those_of_the_network(void **state) {
  (void)state;
  enum { PACKETS = 4000, GROUP = 8 };
  for (unsigned same = 0; same < 2; same++) {
    struct ut_scenario *s = test_scenario("topology: {kind: dragonfly, routers: 4, local_ports: 2, global_links: 2}\n"
                                          "routing: {algorithm: forwarding}\ntraffic: {pattern: shift, shift: 2, "
                                          "over: groups, member: %s, load_flits_per_cycle: 0.3}\n",
                                          same ? "same" : "random");
    struct ut_topology t;
    struct ut_traffic traffic;
    struct ut_error e;
    unsigned hits[72] = {0}, least = PACKETS, most = 0;
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    must_init(&traffic, s, t.terminals);
    for (uint32_t terminal = 0; terminal < t.terminals; terminal += 7) {
      struct ut_traffic_source source;
      struct ut_packet_request p;
      ut_traffic_source_init(&source, &traffic, terminal);
      for (unsigned i = 0; i < PACKETS; i++) {
        assert_true(ut_traffic_next(&traffic, &source, &p));
        assert_int_equal(group_of(&t, p.dst), (group_of(&t, terminal) + 2) % 9);
        assert_true(!same || p.dst % GROUP == terminal % GROUP);
        hits[p.dst] += terminal == 70;
      }
    }
    for (unsigned i = 8; i < 16; i++) { /* group 8 sends to group 1 */
      least = hits[i] < least ? hits[i] : least;
      most = hits[i] > most ? hits[i] : most;
    }
    if (same ? most != PACKETS || least : least < 400 || most > 600)
      fail_msg("member %s: a terminal of the group gets %u to %u of %u packets", same ? "same" : "random", least, most,
               PACKETS);
    ut_traffic_free(&traffic);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

/* Bits and files number switches: switch s, with 3 terminals, sends to the complement of s, or to 3 s + 1. */
static void switches_are_permuted(void **state) {
  (void)state;
  char path[UT_TEST_TRACE_PATH];
  write_permutation(path, 16, true);
  for (unsigned file = 0; file < 2; file++) {
    struct ut_scenario *s = test_scenario("topology: {kind: hyperx, sizes: [4, 4], local_ports: 3}\n"
                                          "routing: {algorithm: forwarding}\n"
                                          "traffic: {pattern: %s%s, over: switches, member: same, "
                                          "load_flits_per_cycle: 0.3}\n",
                                          file ? "permutation, permutation_file: " : "complement", file ? path : "");
    struct ut_traffic traffic;
    must_init(&traffic, s, 48);
    for (unsigned i = 0; i < 48; i++)
      assert_int_equal(traffic.map[i], 3 * (file ? (i / 3 * 3 + 1) % 16 : 15 - i / 3) + i % 3);
    ut_traffic_free(&traffic);
    ut_scenario_free(s);
  }
  unlink(path);
}

/* ---- what a network cannot have */

static void must_refuse_more(const struct ut_pattern *pattern, const char *network, const char *more,
                             const char *expected) {
  char text[512];
  struct ut_error e = {.text = ""};
  snprintf(text, sizeof text,
           "topology: {%s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.3, pattern: %s%s}\n", network,
           strstr(network, "tree")   ? "fta"
           : strstr(network, "cube") ? "detour"
                                     : "dor",
           pattern->name, more);
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "x.yaml", &e);
  if (s || !strstr(e.text, expected))
    fail_msg("%s, pattern %s: '%s', expected '%s'", network, pattern->name, s ? "accepted" : e.text, expected);
}

static void must_refuse(const struct ut_pattern *pattern, const char *network, const char *expected) {
  must_refuse_more(pattern, network, "", expected);
}

static void other_networks_are_refused(void **state) {
  (void)state;
  char expected[256];
  for (unsigned i = 0; i < UT_PATTERNS; i++) {
    const struct ut_pattern *p = ut_patterns[i];
    assert_string_equal(p->name, ut_schema_word("traffic.pattern", (int)i));
    if (p->permute_bits) {
      snprintf(expected, sizeof expected, "pattern %s works on address bits: 27 terminals are no power of two",
               p->name);
      must_refuse(p, "kind: torus, k: 3, n: 3", expected);
    }
    if (p->move_coordinate) {
      snprintf(expected, sizeof expected, "pattern %s goes by the coordinates of nodes: a fat_tree has none", p->name);
      must_refuse(p, "kind: fat_tree, k: 4, n: 2", expected);
    }
  }
  must_refuse_more(&ut_pattern_shift, "kind: fat_tree, k: 4, n: 2", ", over: groups", "a fat_tree has no groups");
  must_refuse_more(&ut_pattern_shift, "kind: torus, k: 4, n: 2", ", shift: 32",
                   "'traffic.shift' is 32: each of the 16");
  must_refuse_more(&ut_pattern_complement, "kind: torus, k: 3, n: 2, local_ports: 2", ", over: switches",
                   "pattern complement works on address bits: 9 of unit 'switch' are no power of two");
  must_refuse_more(&ut_pattern_uniform, "kind: torus, k: 4, n: 2", ", over: switches",
                   "'traffic.over' is for pattern complement, ");
  must_refuse(&ut_pattern_tornado, "kind: torus, sizes: [2, 2]",
              "with pattern tornado every terminal of this network sends to itself");
  must_refuse(&ut_pattern_tornado, "kind: hypercube, n: 5",
              "with pattern tornado every terminal of this network sends to itself");
}

/* ---- traces */

struct line {
  uint64_t cycle;
  unsigned src, dst, flits;
};

/* Each terminal has its lines in order of time, and those of one cycle in the order of the file. */
static void compare_trace(const struct line *line, unsigned lines, unsigned terminals) {
  static char text[1 << 17];
  char path[UT_TEST_TRACE_PATH];
  struct ut_traffic t;
  const struct ut_scenario s = {.sw = {.packet_flits = 4}, .traffic = {.pattern = &ut_pattern_trace, .file = path}};
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < lines; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%llu %u %u %u\n", (unsigned long long)line[i].cycle,
                             line[i].src, line[i].dst, line[i].flits);
  assert_true(used < sizeof text);
  test_write_trace(path, text);
  must_init(&t, &s, terminals);
  unlink(path);
  bool *seen = calloc(lines + 1, sizeof *seen);
  assert_non_null(seen);
  unsigned packets = 0;
  for (unsigned src = 0; src < terminals; src++) {
    struct ut_traffic_source source;
    struct ut_packet_request p;
    ut_traffic_source_init(&source, &t, src);
    for (; ut_traffic_next(&t, &source, &p); packets++) {
      unsigned first = lines;
      for (unsigned i = lines; i-- > 0;)
        if (!seen[i] && line[i].src == src && (first == lines || line[i].cycle <= line[first].cycle))
          first = i;
      assert_true(first < lines);
      seen[first] = true;
      assert_true(p.cycle == line[first].cycle && p.dst == line[first].dst && p.flits == line[first].flits);
    }
  }
  assert_int_equal(packets, lines);
  for (unsigned src = 0; src < terminals; src++) { /* as many at a time as wanted, while there are some */
    enum { COUNT = 4 };
    struct ut_traffic_source one, several;
    struct ut_packet_request p, list[COUNT];
    ut_traffic_source_init(&one, &t, src), ut_traffic_source_init(&several, &t, src);
    for (unsigned more = COUNT; more == COUNT;) {
      more = ut_traffic_draw(&t, &several, COUNT, list);
      for (unsigned i = 0; i < more; i++)
        assert_true(ut_traffic_next(&t, &one, &p) && p.cycle == list[i].cycle && p.dst == list[i].dst);
    }
    assert_false(ut_traffic_next(&t, &one, &p));
  }
  for (uint64_t from = 0; from < 12; from++) {
    uint64_t later = 0;
    for (unsigned i = 0; i < lines; i++)
      later += line[i].cycle >= from;
    assert_int_equal(ut_traffic_packets_from(&t, from), later);
    for (uint64_t until = 0; until < 12; until++) {
      uint64_t flits = 0;
      for (unsigned i = 0; i < lines; i++)
        flits += line[i].cycle >= from && line[i].cycle < until ? line[i].flits : 0;
      assert_int_equal(ut_traffic_flits(&t, from, until), flits);
    }
  }
  ut_traffic_free(&t);
  free(seen);
}

static void traces(void **state) {
  (void)state;
  enum { MOST = 2100 };
  static struct line line[MOST];
  struct ut_random random;
  ut_random_init(&random, 3, UT_RANDOM_TEST, 0);
  static const unsigned lines[] = {0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 20, 40, 1023, 1024, 1025, 2048, 2049, MOST};
  for (unsigned i = 0; i < 60; i++) {
    const unsigned count = i < sizeof lines / sizeof *lines ? lines[i] : i % 11, terminals = 1 + i % 7;
    for (unsigned k = 0; k < count; k++)
      line[k] = (struct line){ut_random_below(&random, count < 100 ? 11 : 900), ut_random_below(&random, terminals),
                              ut_random_below(&random, terminals), 1 + ut_random_below(&random, 4)};
    compare_trace(line, count, terminals);
  }
}

/* ---- limits */

static void limits(void **state) {
  (void)state;
  struct ut_traffic t;
  struct ut_error e;
  struct ut_scenario s = {
      .sw = {.packet_flits = 2},
      .traffic = {.pattern = &ut_pattern_hot_spot, .load_flits_per_cycle = 0.5, .hot_spots = {1, {7}}, .shift = 1}};
  must_init(&t, &s, 8); /* a fraction of 0, and the last terminal */
  ut_traffic_free(&t);
  s.traffic.hot_spot_fraction = 1;
  must_init(&t, &s, 8);
  ut_traffic_free(&t);
  assert_int_equal(ut_traffic_init(&t, &s, 7, &e), -1);
  assert_string_equal(e.text, "scenario: terminal 7 does not exist, this network has 0..6");
  s.traffic.load_flits_per_cycle = UT_MAX_TERMINAL_LINKS;
  must_init(&t, &s, 8);
  ut_traffic_free(&t);
  s.traffic.load_flits_per_cycle = UT_MAX_TERMINAL_LINKS + 0.5;
  assert_int_equal(ut_traffic_init(&t, &s, 8, &e), -1);
  assert_string_equal(e.text, "traffic: load_flits_per_cycle is 8.5, must be 0..8");
  s.traffic.load_flits_per_cycle = 0; /* nothing, of nobody */
  for (unsigned number = 0; number < UT_PATTERN_permutation; number++)
    for (s.traffic.process = UT_BERNOULLI; s.traffic.process <= UT_POISSON; s.traffic.process++) {
      struct ut_traffic_source source;
      struct ut_packet_request p;
      s.traffic.pattern = ut_patterns[number];
      if (!possible(s.traffic.pattern, 16))
        continue;
      must_init(&t, &s, 16);
      ut_traffic_source_init(&source, &t, 3);
      assert_int_equal(ut_traffic_draw(&t, &source, 1, &p), 0);
      assert_true(ut_traffic_flits(&t, 0, UINT64_MAX) == 0 && ut_traffic_packets_from(&t, 0) == 0);
      ut_traffic_free(&t);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_are_those_of_the_definition),
      cmocka_unit_test(coordinates_move_as_defined),
      cmocka_unit_test(groups_are_those_of_the_network),
      cmocka_unit_test(switches_are_permuted),
      cmocka_unit_test(other_networks_are_refused),
      cmocka_unit_test(traces),
      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
