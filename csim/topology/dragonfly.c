/* SPDX-License-Identifier: Apache-2.0 */
/* dragonfly.c - the dragonfly (Kim, Dally, Scott and Abts, 2008): groups of `routers` routers, all of which are joined
 * to each other; each router has `local_ports` terminals and `global_links` links to other groups.
 *
 * Router r of group g is "gG.rR".  Its ports: terminals, the other routers of the group in their order, global links.
 * Global link q of a group, q = r * global_links + i, leads to group g + 1 + q (mod groups), where it is the link that
 * leads back as far; or, in the absolute arrangement, to the q-th of the other groups, where it is the link to g.  If
 * there are more links than other groups they begin again.  Links of the last round that find no partner are left out.
 */
#include <stdio.h>
#include <stdlib.h>

#include "generated_graph.h"
#include "graph_families.h"
#include "scenario.h"
#include "scenario_refusal.h"

struct dragonfly {
  unsigned groups, routers, local, global;
  bool absolute;
};

static struct dragonfly dragonfly_of(const struct ut_scenario *scenario) {
  struct dragonfly fly = {.groups = scenario->topology.groups,
                          .routers = scenario->topology.routers,
                          .local = scenario->topology.local_ports,
                          .global = scenario->topology.global_links,
                          .absolute = scenario->topology.global_arrangement == UT_ARRANGEMENT_ABSOLUTE};
  if (!fly.groups)
    fly.groups = fly.routers * fly.global + 1;
  return fly;
}

static int check(const struct ut_check *check) {
  const struct dragonfly fly = dragonfly_of(check->s);
  if (!fly.routers)
    return ut_impossible(check, "topology", "as in routers: 4", "missing key 'routers' in 'topology'");
  if (check->s->topology.global_cycles < check->s->topology.link_cycles)
    return ut_impossible(check, "topology.global_cycles", "raise it, or lower 'link_cycles'",
                         "%u cycles between groups are less than the %u of 'link_cycles' within",
                         check->s->topology.global_cycles, check->s->topology.link_cycles);
  if (fly.groups > 1 && fly.groups - 1 > fly.routers * fly.global)
    return ut_impossible(check, "topology.groups", "make groups fewer, or raise 'global_links'",
                         "%u groups, but a group has %u global links only", fly.groups, fly.routers * fly.global);
  return ut_graph_check_ports(check, "topology.routers", (uint64_t)fly.local + fly.routers - 1 + fly.global) ||
                 ut_graph_check_terminals(check, "topology.groups", (uint64_t)fly.groups * fly.routers * fly.local)
             ? -1
             : 0;
}

/* Returns the place of another group among those that a group's global links lead to in turn. */
static unsigned place_of(const struct dragonfly *fly, unsigned group, unsigned other) {
  if (fly->absolute)
    return other - (other > group);
  return (other + fly->groups - group) % fly->groups - 1;
}

/* Returns the group that global links in a place lead to. */
static unsigned group_in(const struct dragonfly *fly, unsigned group, unsigned place) {
  if (fly->absolute)
    return place + (place >= group);
  return (group + place + 1) % fly->groups;
}

/* Lays the global links of a group to groups with higher numbers. */
static void lay_global(struct ut_generation *generation, const struct dragonfly *fly, unsigned group) {
  const unsigned links = fly->routers * fly->global, others = fly->groups - 1;
  const unsigned first = fly->local + fly->routers - 1; /* port */
  for (unsigned q = 0; others && q < links; q++) {
    const unsigned to = group_in(fly, group, q % others);
    const unsigned back = q / others * others + place_of(fly, to, group);
    if (to > group && back < links)
      ut_generation_cable(generation, group * fly->routers + q / fly->global, first + q % fly->global,
                          to * fly->routers + back / fly->global, first + back % fly->global);
  }
}

static struct ut_graph *generate(const struct ut_scenario *scenario, struct ut_error *e) {
  const struct dragonfly fly = dragonfly_of(scenario);
  struct ut_generation generation = ut_generation_begin(scenario, e);
  const uint32_t switches = fly.groups * fly.routers;
  for (uint32_t sw = 0; sw < switches; sw++) {
    char name[40];
    snprintf(name, sizeof name, "g%u.r%u", (unsigned)(sw / fly.routers), (unsigned)(sw % fly.routers));
    ut_generation_switch(&generation, name, fly.local + fly.routers - 1 + fly.global);
  }
  for (uint32_t sw = 0; sw < switches; sw++)
    for (unsigned i = 0; i < fly.local; i++)
      ut_generation_terminal(&generation, sw, i, i);
  for (uint32_t sw = 0; sw < switches; sw++) {
    const uint32_t group = sw / fly.routers * fly.routers;
    for (uint32_t other = sw + 1; other < group + fly.routers; other++)
      ut_generation_cable(&generation, sw, fly.local + (other - group) - 1, other, fly.local + (sw - group));
  }
  generation.cycles = scenario->topology.global_cycles;
  for (unsigned group = 0; group < fly.groups; group++)
    lay_global(&generation, &fly, group);
  return ut_generation_end(&generation);
}

static uint32_t group_terminals(const struct ut_scenario *scenario) {
  return scenario->topology.routers * scenario->topology.local_ports;
}

/* The group of a switch is in its name. */
static int build(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e) {
  if (ut_graph_topology(topo, scenario, e))
    return -1;
  topo->group = calloc(topo->switches, sizeof *topo->group);
  for (uint32_t sw = 0; topo->group && sw < topo->switches; sw++)
    topo->group[sw] = (uint32_t)strtoul(topo->switch_label[sw] + 1, NULL, 10);
  if (topo->group)
    return 0;
  ut_topology_free(topo);
  return ut_fail_memory(e);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  const struct dragonfly fly = dragonfly_of(scenario);
  snprintf(text, UT_NETWORK_NAME_SIZE, "dragonfly of %u groups of %u", fly.groups, fly.routers);
}

/* Within a group, "local", or between two. */
static unsigned link_class(const struct ut_topology *topo, const struct ut_link *link, char text[UT_LINK_CLASS_SIZE]) {
  unsigned lower[2], upper[2];
  ut_topology_name_numbers(topo, link->lower, lower, 2);
  ut_topology_name_numbers(topo, link->upper, upper, 2);
  snprintf(text, UT_LINK_CLASS_SIZE, lower[0] == upper[0] ? "within a group" : "between groups");
  return lower[0] != upper[0];
}

const struct ut_family ut_family_dragonfly = {UT_GRAPH_FAMILY_BUILT_BY(build),
                                              .kind = "dragonfly",
                                              .keys = UT_KEY_GROUPS | UT_KEY_TERMINALS | UT_KEY_PLANNER,
                                              .check = check,
                                              .graph = generate,
                                              .network_name = network_name,
                                              .link_class = link_class,
                                              .group_terminals = group_terminals};
