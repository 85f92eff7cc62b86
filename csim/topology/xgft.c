/* SPDX-License-Identifier: Apache-2.0 */
/* xgft.c - extended generalized fat trees, XGFT(h; m1,...,mh; w1,...,wh) (Ohring and others, 1995), and those with
 * parallel cables, PGFT (Zahavi, 2010).
 *
 * A node of level l has down[l-1] children and up[l] parents; level 0 is the terminals, which have one link each, so
 * up[0] is 1.  cables[l] is the number of cables between a node of level l and each of its parents.  Switch i of level
 * l is "sL.I" with L = l - 1, so leaf switches are s0.*.  Its ports: those down, child by child, then those up.
 *
 * A node of level l is numbered by the digits (a_h ... a_{l+1}, b_l ... b_1), a_j below down[j-1], b_j below up[j-1],
 * b_1 the least.  Its parents have the same digits, but b_{l+1} in the place of a_{l+1}.
 */
#include <stdio.h>

#include "generated_graph.h"
#include "graph_families.h"
#include "scenario.h"
#include "scenario_refusal.h"

/* Numbers of level l: of nodes; of those below one combination of the digits a. */
struct level {
  uint64_t nodes, low; /* low: product of up[0..l-1] */
  unsigned down, up;   /* ports */
};

struct xgft {
  unsigned levels; /* of switches */
  struct level level[UT_MAX_SIZE_LIST + 1];
};

static unsigned cables_of(const struct ut_scenario *scenario, unsigned level) {
  return scenario->topology.cables.count ? scenario->topology.cables.value[level] : 1;
}

static struct xgft xgft_of(const struct ut_scenario *scenario) {
  const struct ut_list *down = &scenario->topology.down, *up = &scenario->topology.up;
  struct xgft tree = {.levels = down->count};
  uint64_t low = 1;
  for (unsigned l = 0; l <= tree.levels; l++) {
    struct level *level = &tree.level[l];
    low *= l ? up->value[l - 1] : 1;
    *level = (struct level){.nodes = low, .low = low};
    for (unsigned j = l; j < tree.levels; j++)
      level->nodes *= down->value[j];
    level->down = l ? down->value[l - 1] * cables_of(scenario, l - 1) : 0;
    level->up = l < tree.levels ? up->value[l] * cables_of(scenario, l) : 0;
  }
  return tree;
}

static int check(const struct ut_check *check) {
  const struct ut_list *down = &check->s->topology.down, *up = &check->s->topology.up,
                       *cables = &check->s->topology.cables;
  if (!down->count || !up->count)
    return ut_impossible(check, "topology", "as in down: [4, 4, 4], up: [1, 4, 4]", "missing key '%s' in 'topology'",
                         down->count ? "up" : "down");
  if (up->count != down->count)
    return ut_impossible(check, "topology.up", "give one number for each level",
                         "'topology.up' has %u levels, 'down' %u", up->count, down->count);
  if (up->value[0] != 1)
    return ut_impossible(check, "topology.up", "let 'up' begin with 1",
                         "terminals with %u links, a terminal of an XGFT has one", up->value[0]);
  if (cables->count && cables->count != down->count)
    return ut_impossible(check, "topology.cables", "give one number for each level",
                         "'topology.cables' has %u levels, 'down' %u", cables->count, down->count);
  if (cables->count && cables->value[0] != 1)
    return ut_impossible(check, "topology.cables", "let 'cables' begin with 1",
                         "terminals with %u cables, a terminal of an XGFT has one", cables->value[0]);
  const struct xgft tree = xgft_of(check->s);
  if (ut_graph_check_terminals(check, "topology.down", tree.level[0].nodes))
    return -1;
  for (unsigned l = 1; l <= tree.levels; l++)
    if (ut_graph_check_ports(check, "topology.down", (uint64_t)tree.level[l].down + tree.level[l].up))
      return -1;
  return 0;
}

/* Lays the cables of node `index` of level l to its parents; first: the first switch of that level and of the next. */
static void lay_up(struct ut_generation *generation, const struct ut_scenario *scenario, const struct xgft *tree,
                   unsigned l, uint32_t index, const uint32_t first[2]) {
  const struct level *level = &tree->level[l];
  const unsigned parents = scenario->topology.up.value[l], cables = cables_of(scenario, l);
  const uint32_t low = index % (uint32_t)level->low, high = index / (uint32_t)level->low;
  const unsigned child = high % scenario->topology.down.value[l];
  const uint32_t rest = high / scenario->topology.down.value[l];
  for (unsigned b = 0; b < parents; b++)
    for (unsigned i = 0; i < cables; i++) {
      const uint32_t parent = first[1] + (rest * parents + b) * (uint32_t)level->low + low;
      if (l == 0)
        ut_generation_terminal(generation, parent, child, child);
      else
        ut_generation_cable(generation, first[0] + index, level->down + b * cables + i, parent, child * cables + i);
    }
}

static struct ut_graph *generate(const struct ut_scenario *scenario, struct ut_error *e) {
  const struct xgft tree = xgft_of(scenario);
  struct ut_generation generation = ut_generation_begin(scenario, e);
  for (unsigned l = 1; l <= tree.levels; l++)
    for (uint32_t i = 0; i < tree.level[l].nodes; i++) {
      char name[40];
      snprintf(name, sizeof name, "s%u.%u", l - 1, (unsigned)i);
      ut_generation_switch(&generation, name, tree.level[l].down + tree.level[l].up);
    }
  uint32_t first[2] = {0, 0};
  for (unsigned l = 0; l < tree.levels; l++) {
    for (uint32_t i = 0; i < tree.level[l].nodes; i++)
      lay_up(&generation, scenario, &tree, l, i, first);
    first[0] = first[1];
    first[1] += (uint32_t)tree.level[l + 1].nodes;
  }
  return ut_generation_end(&generation);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  const struct ut_list *list[] = {&scenario->topology.down, &scenario->topology.up};
  int end = snprintf(text, UT_NETWORK_NAME_SIZE, "XGFT(%u", list[0]->count);
  for (unsigned which = 0; which < 2; which++)
    for (unsigned i = 0; i < list[which]->count && end < UT_NETWORK_NAME_SIZE; i++)
      end += snprintf(text + end, (size_t)(UT_NETWORK_NAME_SIZE - end), "%s%u", i ? "," : "; ", list[which]->value[i]);
  if (end < UT_NETWORK_NAME_SIZE)
    snprintf(text + end, (size_t)(UT_NETWORK_NAME_SIZE - end), ")");
}

/* The level that it leads up from. */
static unsigned link_class(const struct ut_topology *topo, const struct ut_link *link, char text[UT_LINK_CLASS_SIZE]) {
  unsigned lower[2], upper[2];
  ut_topology_name_numbers(topo, link->lower, lower, 2);
  ut_topology_name_numbers(topo, link->upper, upper, 2);
  const unsigned level = lower[0] < upper[0] ? lower[0] : upper[0];
  snprintf(text, UT_LINK_CLASS_SIZE, "level %u to %u", level, level + 1);
  return level;
}

const struct ut_family ut_family_xgft = {
    UT_GRAPH_FAMILY,         .kind = "xgft",    .keys = UT_KEY_CHILDREN | UT_KEY_CABLES | UT_KEY_PLANNER,
    .check = check,          .graph = generate, .network_name = network_name,
    .link_class = link_class};
