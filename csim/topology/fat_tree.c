/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree.c - the k-ary n-tree (RUFT section 3.1; REROUTE Definition 1, where tier = n-1-level).
 *
 * k^n terminals, n levels of k^(n-1) switches with k ports down (0..k-1) and k ports up (k..2k-1).  Switch (s, o) is at
 * level s, its index o is read as n-1 digits of base k.  (s, o) and (s+1, o') are connected if and only if o and o'
 * agree in all digits but digit s: up port k + j of (s, o) leads to the o' whose digit s is j, and arrives there at
 * down port (digit s of o).  Terminal p is at port p mod k of leaf switch p / k.  Root switches have no links at their
 * up ports.  Switch number = level * k^(n-1) + o.
 *
 * The m-port n-tree (Lin, Chung and Huang, 2004; REROUTE section II), m = 2k, is the same with all m ports of a root
 * down: the highest digit of a terminal, and of the o of the levels below the roots, has 2k values.  2k^n terminals,
 * n-1 levels of 2k^(n-1) switches and half as many roots (MISROUTE section 3: "use the extra ports to halve the number
 * of top stage switches").
 */
#include <stdio.h>

#include "family.h"
#include "family_check.h"
#include "layout.h"
#include "scenario.h"
#include "scenario_refusal.h"
#include "scenario_switches.h"
#include "shape.h"

enum { MAX_K = UT_MAX_PORTS / 2 };

/* The sizes of a tree.  The levels below the roots have `width` switches each. */
struct tree {
  unsigned k, n;
  bool m_port;
  uint64_t terminals, width, roots;
};

static struct tree tree_of(const struct ut_scenario *scenario) {
  const bool m_port = scenario->topology.family == &ut_family_m_port_tree;
  struct tree tree = {.k = scenario->topology.k, .n = scenario->topology.n, .m_port = m_port};
  const uint64_t power = ut_power(tree.k, tree.n);
  tree.terminals = m_port && power < UINT64_MAX / 2 ? 2 * power : power;
  tree.width = tree.terminals / tree.k;
  tree.roots = m_port ? tree.width / 2 : tree.width;
  return tree;
}

static int check(const struct ut_check *checker) {
  if (checker->s->routing.reroute_timeout_cycles > 65535)
    return ut_impossible(checker, "routing.reroute_timeout_cycles", NULL,
                         "the re-route timeout is %u cycles, must be 0..65535",
                         checker->s->routing.reroute_timeout_cycles);
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(checker->s);
  if (ut_check_levels(checker, MAX_K, "a fat tree"))
    return -1;
  if (checker->s->topology.k > UT_RT_MISROUTE_VECTOR_WIDTH && algorithm && algorithm->route == UT_ROUTE_FATTREE &&
      algorithm->code == UT_FATTREE_MISROUTE_HEADER)
    return ut_impossible(checker, "topology.k", "make k smaller, or choose another algorithm",
                         "'topology.k' is %u, the misroute vector of %s has a bit for each of %d up ports",
                         checker->s->topology.k, algorithm->name, UT_RT_MISROUTE_VECTOR_WIDTH);
  return 0;
}

static int check_m_port(const struct ut_check *checker) {
  const unsigned k = checker->s->topology.k, n = checker->s->topology.n;
  if (check(checker))
    return -1;
  if (n < 2)
    return ut_impossible(checker, "topology.n", "one level is a single switch",
                         "'topology.n' is %u, must be at least 2 for an m-port tree", n);
  if (tree_of(checker->s).terminals > UT_MAX_TERMINALS)
    return ut_impossible(checker, "topology.n", "make k or n smaller", "2 k^n = 2 * %u^%u is more than %d terminals", k,
                         n, UT_MAX_TERMINALS);
  return 0;
}

static void sizes(const struct ut_scenario *scenario, struct ut_sizes *given) {
  const struct tree tree = tree_of(scenario);
  *given = (struct ut_sizes){.switches = tree.n * tree.width - (tree.width - tree.roots),
                             .terminals = tree.terminals,
                             .levels = tree.n,
                             .ports = 2 * tree.k,
                             .terminal_links = 1};
}

/* Lays the links between `level` and the level above; step = k^level.  Returns the end of the list. */
static struct ut_link *connect_level(struct ut_topology *topo, struct ut_link *link, const struct tree *tree,
                                     unsigned level, uint32_t step) {
  const uint32_t width = (uint32_t)tree->width;
  const unsigned k = tree->k, values = tree->m_port && level + 2 == tree->n ? 2 * k : k;
  for (uint32_t o = 0; o < width; o++) {
    unsigned digit = o / step % values;
    uint32_t lower = level * width + o;
    uint32_t first = lower + width - digit * step; /* the switch above with digit `level` = 0 */
    for (unsigned j = 0; j < k; j++) {
      uint32_t upper = first + j * step;
      *link = (struct ut_link){
          .lower = lower, .upper = upper, .lower_port = (uint8_t)(k + j), .upper_port = (uint8_t)digit};
      ut_topology_connect(topo, lower, k + j, upper, digit);
      ut_topology_connect(topo, upper, digit, lower, k + j);
      link++;
    }
  }
  return link;
}

static int build(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  const struct tree tree = tree_of(scenario);
  const unsigned k = tree.k, n = tree.n;
  const uint32_t terminals = (uint32_t)tree.terminals, width = (uint32_t)tree.width, roots = (uint32_t)tree.roots;
  *topo = (struct ut_topology){.family = scenario->topology.family,
                               .bidirectional = true,
                               .switches = (n - 1) * width + roots,
                               .terminals = terminals,
                               .pi = 2 * k,
                               .po = 2 * k,
                               .injections = 1,
                               .ejections = 1,
                               .levels = n,
                               .up_ports = ((UINT64_C(1) << k) - 1) << k,
                               .links = (size_t)(n - 1) * terminals};
  if (tree.m_port) {
    topo->elaboration[topo->elaborations++] =
        (struct ut_elaboration){0, (n - 1) * width, (uint8_t)(2 * k), (uint8_t)(2 * k)};
    topo->elaboration[topo->elaborations++] =
        (struct ut_elaboration){(n - 1) * width, roots, (uint8_t)(2 * k), (uint8_t)(2 * k)};
  }
  if (ut_topology_allocate(topo, e))
    return -1;
  for (uint32_t p = 0; p < terminals; p++) {
    ut_topology_inject(topo, p, 0, p / k, p % k);
    ut_topology_eject(topo, p / k, p % k, p, 0);
  }
  struct ut_link *link = topo->link;
  uint32_t step = 1; /* k^level */
  for (unsigned level = 0; level < n; level++, step *= k) {
    for (uint32_t o = 0; o < (level + 1 < n ? width : roots); o++) {
      uint32_t sw = level * width + o;
      topo->level[sw] = (uint8_t)level;
      if (tree.m_port && level + 1 == n)
        topo->up[sw] = 0;
      topo->position[sw] = o;
      topo->straps[sw] = ut_level_strap_make((uint8_t)level, o / step * step * k, step,
                                             (uint16_t)scenario->routing.reroute_timeout_cycles,
                                             scenario->routing.reroute_clear == UT_CLEAR_REPAIR);
    }
    if (level + 1 < n)
      link = connect_level(topo, link, &tree, level, step);
  }
  return 0;
}

static void elaborate(const struct ut_scenario *scenario, const struct ut_elaboration *elaboration,
                      struct ut_shape *shape) {
  shape->root = scenario->topology.family == &ut_family_m_port_tree && elaboration->first > 0;
  if (shape->root) /* no up ports */
    shape->exclusions = 0;
}

/* The adaptive algorithm's (RUFT section 3.1.1): up k multiplexers of k inputs, down k of 2k. */
static unsigned switching_elements(const struct ut_shape *shape) {
  if (shape->root) /* down 2k of 2k */
    return shape->pi * shape->po;
  return 3 * (shape->po / 2) * (shape->po / 2);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "%u-ary %u-tree", scenario->topology.k, scenario->topology.n);
}

static void m_port_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "%u-port %u-tree", 2 * scenario->topology.k, scenario->topology.n);
}

static void switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  ut_topology_digits(topo, sw, topo->po / 2, text);
}

static void port_name(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  snprintf(text, UT_DIRECTION_SIZE, "%s", topo->up_ports >> port & 1 ? "up" : "down");
}

const struct ut_family ut_family_fat_tree = {
    .kind = "fat_tree",
    .routing = {"fattree"},
    .tables = true,
    .keys = UT_KEY_K | UT_KEY_N,
    .check = check,
    .sizes = sizes,
    .build = build,
    .elaborate = elaborate,
    .switching_elements = switching_elements,
    .network_name = network_name,
    .switch_tuple = switch_tuple,
    .port_name = port_name,
};

const struct ut_family ut_family_m_port_tree = {
    .kind = "m_port_tree",
    .routing = {"fattree"},
    .keys = UT_KEY_K | UT_KEY_N,
    .check = check_m_port,
    .sizes = sizes,
    .build = build,
    .elaborate = elaborate,
    .switching_elements = switching_elements,
    .network_name = m_port_name,
    .switch_tuple = switch_tuple,
    .port_name = port_name,
};
