/* SPDX-License-Identifier: Apache-2.0 */
/* ruft.c - RUFT and its fault-tolerant relatives (RUFT sections 3.2 and 4): unidirectional multistage networks.
 *
 * k^n terminals, k a power of two, n levels of k^(n-1) switches; level 0 takes the terminals' packets.  Switch (s, o):
 * o is read as n-1 digits of base k.  Output d of (s, o) leads to the o' of level s+1 whose digit s is d and whose
 * other digits are those of o, and arrives there at input (digit s of o): the way up of a k-ary n-tree.  From the last
 * level long links lead to the terminals.
 *
 *   kind         injection      between levels   ejection
 *   ruft         1              1                1
 *   ruft_pl      2, parallel       2, parallel      2, parallel
 *   ft_ruft_212  2, dual-homed     1                2, dual-homed
 *   ft_ruft_222  2, dual-homed     2, parallel      2, dual-homed
 *
 * Of two parallel links, at ports d and k + d, the second one is the upper one.  Dual-homed: terminal p injects at
 * switch p / k, and its second link leads to the switch of terminal p xor N/2; it receives from switch p mod k^(n-1) at
 * output (highest digit of p), and its second link comes from where the first one of p xor 1 does, at output k + that
 * digit.  A way through the second ejection link is the way to p xor 1; level 0 decides (section 4.2.1).
 *
 * Of two parallel links a switch takes the one with more free space or, with static selection (section 4.1.1), the one
 * that the lowest bit of the destination's next digit selects; terminals do the same if their links are parallel.  Then
 * the inputs of one half of a switch serve one half of the digits.
 */
#include <stdio.h>

#include "family.h"
#include "family_check.h"
#include "layout.h"
#include "scenario.h"
#include "scenario_refusal.h"

/* The properties by which the four kinds differ. */
struct variant {
  unsigned ends;   /* injection and ejection links of a terminal */
  bool dual_homed; /* they lead to different switches */
  unsigned links;  /* between two switches */
};

enum { MAX_K = UT_MAX_PORTS / 2 };

static const struct variant *variant_of(const struct ut_family *family) {
  static const struct variant ruft = {1, false, 1}, pl = {2, false, 2}, ft212 = {2, true, 1}, ft222 = {2, true, 2};
  return family == &ut_family_ruft          ? &ruft
         : family == &ut_family_ruft_pl     ? &pl
         : family == &ut_family_ft_ruft_212 ? &ft212
                                            : &ft222;
}

static int check(const struct ut_check *checker) {
  const unsigned k = checker->s->topology.k, n = checker->s->topology.n;
  if (ut_check_levels(checker, MAX_K, checker->s->topology.family->kind))
    return -1;
  if (k & (k - 1))
    return ut_impossible(checker, "topology.k", "choose 2, 4, 8, 16 or 32",
                         "'topology.k' is %u: links are chosen by bits of the terminals' numbers, so k must be a power "
                         "of two",
                         k);
  if (n < 2)
    return ut_impossible(checker, "topology.n", NULL, "'topology.n' is %u, must be at least 2 for %s", n,
                         checker->s->topology.family->kind);
  return 0;
}

static void sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  const struct variant *variant = variant_of(scenario->topology.family);
  const uint64_t terminals = ut_power(scenario->topology.k, scenario->topology.n);
  *given = (struct ut_sizes){.switches = scenario->topology.n * (terminals / scenario->topology.k),
                             .terminals = terminals,
                             .levels = scenario->topology.n,
                             .ports = variant->ends * scenario->topology.k,
                             .terminal_links = variant->ends};
}

/* The switches of the first level, the last one and those in between differ in ports or, if inputs serve half of the
 * destinations (below), those of the first level from the others. */
static void set_elaborations(struct ut_topology *topo, const struct variant *variant, unsigned k, uint32_t width) {
  const uint8_t ends = (uint8_t)(variant->ends * k), links = (uint8_t)(variant->links * k);
  const uint32_t between = (topo->levels - 2) * width;
  const bool alike = ends == links, same = alike && !(variant->dual_homed && topo->static_links);
  if (same) {
    topo->elaboration[topo->elaborations++] = (struct ut_elaboration){0, topo->switches, ends, ends};
    return;
  }
  topo->elaboration[topo->elaborations++] = (struct ut_elaboration){0, width, ends, links};
  if (alike)
    topo->elaboration[topo->elaborations++] = (struct ut_elaboration){width, between + width, ends, ends};
  if (!alike && between)
    topo->elaboration[topo->elaborations++] = (struct ut_elaboration){width, between, links, links};
  if (!alike)
    topo->elaboration[topo->elaborations++] = (struct ut_elaboration){width + between, width, links, ends};
}

/* Lays the links between a level and the next one; returns the end of the list. */
static struct ut_link *connect_level(struct ut_topology *topo, struct ut_link *link, const struct variant *variant,
                                     unsigned k, unsigned level, uint32_t width, uint32_t step) {
  for (uint32_t o = 0; o < width; o++) {
    const unsigned digit = o / step % k;
    const uint32_t from = level * width + o, first = from + width - digit * step; /* the switch above with digit 0
                                                                                     there */
    for (unsigned port = 0; port < variant->links * k; port++) {
      const uint32_t to = first + port % k * step;
      const unsigned to_port = port / k * k + digit;
      ut_topology_connect(topo, from, port, to, to_port);
      *link++ = (struct ut_link){from, to, (uint8_t)port, (uint8_t)to_port};
    }
  }
  return link;
}

static void connect_terminals(struct ut_topology *topo, const struct variant *variant, unsigned k, uint32_t width) {
  const uint32_t last = (topo->levels - 1) * width;
  for (uint32_t p = 0; p < topo->terminals; p++)
    for (unsigned j = 0; j < variant->ends; j++) {
      const uint32_t in = variant->dual_homed && j ? p ^ topo->terminals / 2 : p,
                     out = variant->dual_homed && j ? p ^ 1 : p;
      ut_topology_inject(topo, p, j, in / k, j * k + p % k);
      ut_topology_eject(topo, last + out % width, j * k + p / width, p, j);
    }
}

static int build(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  const struct variant *variant = variant_of(scenario->topology.family);
  const unsigned k = scenario->topology.k, n = scenario->topology.n;
  const uint32_t terminals = (uint32_t)ut_power(k, n), width = terminals / k;
  *topo =
      (struct ut_topology){.family = scenario->topology.family,
                           .switches = n * width,
                           .terminals = terminals,
                           .pi = variant->ends * k,
                           .po = variant->ends * k,
                           .injections = variant->ends,
                           .ejections = variant->ends,
                           .levels = n,
                           .static_links = variant->links > 1 && scenario->routing.parallel_links == UT_LINKS_STATIC,
                           .links = (size_t)(n - 1) * terminals * variant->links};
  set_elaborations(topo, variant, k, width);
  if (ut_topology_allocate(topo, e))
    return -1;
  struct ut_link *link = topo->link;
  const unsigned bits = (unsigned)__builtin_ctz(k);
  uint32_t step = 1; /* k^level */
  for (unsigned level = 0; level < n; level++, step *= k) {
    for (uint32_t o = 0; o < width; o++) {
      const uint32_t sw = level * width + o;
      topo->level[sw] = (uint8_t)level;
      topo->position[sw] = o;
      topo->straps[sw] = ut_ruft_strap_make((uint8_t)(level * bits), level == 0, level + 1 == n, (uint8_t)(o % k));
    }
    if (level + 1 < n)
      link = connect_level(topo, link, variant, k, level, width, step);
  }
  connect_terminals(topo, variant, k, width);
  return 0;
}

static void elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                      struct ut_shape *shape) {
  const struct variant *variant = variant_of(scenario->topology.family);
  shape->radix = scenario->topology.k;
  shape->parallel = variant->links == 1                                   ? UT_PARALLEL_NONE
                    : scenario->routing.parallel_links == UT_LINKS_STATIC ? UT_PARALLEL_STATIC
                                                                          : UT_PARALLEL_DYNAMIC;
  shape->dual_homed = variant->dual_homed;
  /* A switch of the first level gets packets through any injection link, unless that is chosen statically, too. */
  shape->half_crossbar = shape->parallel == UT_PARALLEL_STATIC && (elaboration->first > 0 || !variant->dual_homed);
}

/* Every input may request every output, or each half of the inputs one half of them. */
static unsigned switching_elements(const struct ut_shape *shape) {
  return shape->pi * shape->po / (shape->half_crossbar ? 2 : 1);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "%u-ary %u-stage %s", scenario->topology.k, scenario->topology.n,
           scenario->topology.family->kind);
}

static void switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  ut_topology_digits(topo, sw, topo->po / topo->injections, text);
}

static void port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  snprintf(text, UT_DIRECTION_SIZE, "on %u%s", port % (topo->po / topo->injections),
           port >= topo->po / topo->injections ? "b" : "");
}

/* Returns whether a switch has a working link to the next level's switch, or the terminal, behind outputs `digit` (and
 * k + digit). */
static bool link_up(const struct ut_topology *topo, const uint64_t *up, uint32_t sw, unsigned port) {
  const uint32_t channel = sw * topo->po + port;
  return up[channel / 64] >> channel % 64 & 1;
}

/* Returns whether the path from a switch of level 0 to dst through its ejection link(s) `eject` works.  Of parallel
 * links one is enough; with static selection the one that the next digit selects must work. */
static bool way_works(const struct ut_topology *topo, const struct variant *variant, const uint64_t *up, uint32_t sw,
                      uint32_t dst, unsigned eject) {
  const unsigned k = topo->po / variant->ends;
  uint32_t rest = eject ? dst ^ 1 : dst; /* the terminal with this number, except for the last link */
  for (unsigned level = 0; level + 1 < topo->levels; level++, rest /= k) {
    const unsigned digit = rest % k, chosen = rest / k % 2;
    bool works = false;
    for (unsigned half = 0; half < variant->links; half++)
      works |= (!topo->static_links || half == chosen) && link_up(topo, up, sw, half * k + digit);
    if (!works)
      return false;
    sw = topo->peer[(size_t)sw * topo->po + digit].index;
  }
  const uint32_t channel = topo->ejection[(size_t)dst * topo->ejections + eject];
  if (variant->dual_homed)
    return link_up(topo, up, sw, channel % topo->po);
  return link_up(topo, up, sw, rest % k) || (variant->ends > 1 && link_up(topo, up, sw, k + rest % k));
}

/* Bit j: ejection link j (dual-homed), or any of them (parallel links: bit 0). */
static unsigned choices(const struct ut_topology *topo, const uint64_t *up, uint32_t src, unsigned link, uint32_t dst) {
  const struct variant *variant = variant_of(topo->family);
  const uint32_t channel = ut_topology_injection(topo, src, link);
  const unsigned ways = variant->dual_homed ? variant->ends : 1;
  unsigned found = 0;
  if (topo->static_links && !variant->dual_homed && link != dst % 2)
    return 0;
  if (!up)
    return (1u << ways) - 1;
  if (!(up[channel / 64] >> channel % 64 & 1))
    return 0;
  for (unsigned j = 0; j < ways; j++)
    found |= (unsigned)way_works(topo, variant, up, topo->peer[channel].index, dst, j) << j;
  return found;
}

#define RUFT(name, parallel)                                                                                           \
  {                                                                                                                    \
    .kind = name, .routing = {"ruft"}, .parallel_links = parallel, .keys = UT_KEY_K | UT_KEY_N, .check = check,        \
    .sizes = sizes, .build = build, .elaborate = elaborate, .switching_elements = switching_elements,                  \
    .network_name = network_name, .switch_tuple = switch_tuple, .port_name = port_name, .choices = choices,            \
  }
const struct ut_family ut_family_ruft = RUFT("ruft", false);
const struct ut_family ut_family_ruft_pl = RUFT("ruft_pl", true);
const struct ut_family ut_family_ft_ruft_212 = RUFT("ft_ruft_212", false);
const struct ut_family ut_family_ft_ruft_222 = RUFT("ft_ruft_222", true);
