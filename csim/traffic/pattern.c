/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c - see pattern.h */
#include "pattern.h"

#include <stdio.h>
#include <string.h>

#include "family.h"
#include "scenario.h"
#include "scenario_refusal.h"

#define ADDRESS(name) &ut_pattern_##name,
const struct ut_pattern *const ut_patterns[UT_PATTERNS] = {UT_FOR_EACH_PATTERN(ADDRESS)};

/* ---- keys */

const struct ut_pattern_key ut_pattern_keys[] = {
    {"traffic.load_flits_per_cycle", UT_TAKEN_WITH_LOAD, true, "add it, as in load_flits_per_cycle: 0.3", false},
    {"traffic.process", UT_TAKEN_WITH_LOAD, false, NULL, false},
    {"traffic.hot_spot_fraction", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.hot_spot_node", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.hot_spots", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.shift", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.over", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.member", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.permutation_file", UT_TAKEN_BY_NAME, true, NULL, true},
    {"traffic.trace_file", UT_TAKEN_BY_NAME, true, NULL, true},
    {"traffic.rates_file", UT_TAKEN_BY_NAME, true, NULL, true},
    {"traffic.terminal_loads_file", UT_TAKEN_WITH_LOAD, false, NULL, false},
    {"traffic.message_bytes", UT_TAKEN_BY_NAME, true, "add it, as in message_bytes: 4096", false},
    {"traffic.root", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.compute_cycles", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.dependency_file", UT_TAKEN_BY_NAME, true, NULL, true},
    {"traffic.goal_file", UT_TAKEN_BY_NAME, true, NULL, true},
    {"traffic.cycles_per_calc", UT_TAKEN_BY_NAME, false, NULL, false},
    {"traffic.repeat", UT_TAKEN_BY_WORKLOADS, false, NULL, false},
    {"traffic.resend_stop_cycles", UT_TAKEN_WITHOUT_TASKS, false, NULL, false},
    {.path = NULL},
};

bool ut_pattern_takes(const struct ut_pattern *pattern, const struct ut_pattern_key *key) {
  if (key->takers == UT_TAKEN_WITH_LOAD)
    return ut_pattern_has_load(pattern);
  if (key->takers == UT_TAKEN_WITHOUT_TASKS)
    return !ut_pattern_is_workload(pattern);
  if (key->takers == UT_TAKEN_BY_WORKLOADS)
    return ut_pattern_is_workload(pattern);
  for (size_t i = 0; i < sizeof pattern->keys / sizeof *pattern->keys && pattern->keys[i]; i++)
    if (strcmp(pattern->keys[i], key->path) == 0)
      return true;
  return false;
}

/* ---- destinations */

bool ut_pattern_is_fixed(const struct ut_pattern *pattern) {
  return pattern->permute_bits || pattern->move || pattern->move_coordinate;
}

struct ut_pattern_units ut_pattern_units(const struct ut_scenario *scenario, uint32_t terminals) {
  const struct ut_family *family = scenario->topology.family;
  switch (scenario->traffic.over) {
  case UT_OVER_GROUPS: {
    const uint32_t size = family->group_terminals ? family->group_terminals(scenario) : 0;
    return (struct ut_pattern_units){size ? terminals / size : 0, size, "group"};
  }
  case UT_OVER_SWITCHES: {
    const unsigned takes = UT_KEY_TERMINALS | UT_KEY_LOCAL_PORTS;
    const uint32_t size = family->keys & takes ? scenario->topology.local_ports : 0;
    return (struct ut_pattern_units){size ? terminals / size : 0, size, "switch"};
  }
  default: return (struct ut_pattern_units){terminals, 1, "terminal"};
  }
}

static unsigned bits_of(uint32_t terminals) {
  return (unsigned)__builtin_ctz(terminals);
}

static bool is_power_of_two(uint32_t terminals) {
  return (terminals & (terminals - 1)) == 0;
}

/* The number of a terminal is that of its node times the terminals of a node, plus which of them it is; the number of a
 * node has its coordinates as digits, the first one lowest. */
static uint32_t moved(const struct ut_scenario *scenario, uint32_t terminals, uint32_t source) {
  unsigned size[UT_MAX_COORDINATES];
  const unsigned coordinates = scenario->topology.family->coordinates(scenario, size);
  uint32_t nodes = 1, destination = 0;
  for (unsigned i = 0; i < coordinates; i++)
    nodes *= size[i];
  uint32_t left = source / (terminals / nodes), weight = terminals / nodes;
  for (unsigned i = 0; i < coordinates; weight *= size[i], left /= size[i], i++)
    destination += weight * scenario->traffic.pattern->move_coordinate(left % size[i], size[i]);
  return destination + source % (terminals / nodes);
}

void ut_pattern_fill(const struct ut_scenario *scenario, uint32_t terminals, uint16_t *map) {
  const struct ut_pattern *pattern = scenario->traffic.pattern;
  const struct ut_pattern_units units = ut_pattern_units(scenario, terminals);
  for (uint32_t source = 0; source < units.count; source++)
    map[source] = (uint16_t)(pattern->permute_bits ? pattern->permute_bits(source, bits_of(units.count))
                             : pattern->move       ? pattern->move(scenario, source, units.count)
                                                   : moved(scenario, terminals, source));
}

/* ---- conditions of patterns */

/* Lists the topologies that have groups, or whose nodes have coordinates, separated by commas. */
static const char *list_topologies(bool groups, char text[UT_PATTERN_NEEDS_SIZE]) {
  size_t used = 0;
  *text = '\0';
  for (unsigned i = 0; ut_families[i] && used < UT_PATTERN_NEEDS_SIZE; i++)
    if (groups ? ut_families[i]->group_terminals != NULL : ut_families[i]->coordinates != NULL)
      used +=
          (size_t)snprintf(text + used, UT_PATTERN_NEEDS_SIZE - used, "%s%s", used ? ", " : "", ut_families[i]->kind);
  return text;
}

static int check_coordinates(const struct ut_check *check) {
  const struct ut_pattern *pattern = check->s->traffic.pattern;
  const struct ut_family *family = check->s->topology.family;
  char kinds[UT_PATTERN_NEEDS_SIZE], hint[UT_PATTERN_NEEDS_SIZE + 32];
  unsigned size[UT_MAX_COORDINATES];
  if (!family->coordinates) {
    snprintf(hint, sizeof hint, "choose a topology that has: %s", list_topologies(false, kinds));
    return ut_impossible(check, "traffic.pattern", hint, "pattern %s goes by the coordinates of nodes: a %s has none",
                         pattern->name, family->kind);
  }
  const unsigned coordinates = family->coordinates(check->s, size);
  for (unsigned i = 0; i < coordinates; i++)
    for (unsigned x = 0; x < size[i]; x++)
      if (pattern->move_coordinate(x, size[i]) != x)
        return 0;
  return ut_impossible(check, "traffic.pattern", "choose a larger network",
                       "with pattern %s every terminal of this network sends to itself", pattern->name);
}

static int check_units(const struct ut_check *check, const struct ut_pattern_units *units) {
  if (units->terminals)
    return 0;
  const char *kind = check->s->topology.family->kind, *name = units->name;
  char kinds[UT_PATTERN_NEEDS_SIZE], hint[UT_PATTERN_NEEDS_SIZE + 32];
  snprintf(hint, sizeof hint, "choose a topology that has: %s", list_topologies(true, kinds));
  if (check->s->traffic.over == UT_OVER_GROUPS)
    return ut_impossible(check, "traffic.over", hint, "a %s has no groups", kind);
  return ut_impossible(check, "traffic.over", "choose a network whose switches all have 'local_ports' terminals",
                       "not each %s of this %s is known to have as many terminals", name, kind);
}

int ut_pattern_check(const struct ut_check *check, uint32_t terminals) {
  const struct ut_pattern *pattern = check->s->traffic.pattern;
  const struct ut_pattern_units units = ut_pattern_units(check->s, terminals);
  if (check_units(check, &units))
    return -1;
  if (pattern->permute_bits && !is_power_of_two(units.count) && check->s->traffic.over)
    return ut_impossible(check, "traffic.over", "choose pattern shift, or over: terminals",
                         "pattern %s works on address bits: %u of unit '%s' are no power of two", pattern->name,
                         (unsigned)units.count, units.name);
  if (pattern->permute_bits && !is_power_of_two(units.count))
    return ut_impossible(check, "traffic.pattern", "choose k as a power of two",
                         "pattern %s works on address bits: %u terminals are no power of two", pattern->name,
                         (unsigned)terminals);
  if (pattern->move_coordinate && check_coordinates(check))
    return -1;
  return pattern->check ? pattern->check(check, units.count) : 0;
}

const char *ut_pattern_needs(const struct ut_pattern *pattern, char text[UT_PATTERN_NEEDS_SIZE]) {
  *text = '\0';
  if (pattern->permute_bits)
    snprintf(text, UT_PATTERN_NEEDS_SIZE, "a power of two of terminals");
  return pattern->move_coordinate ? list_topologies(false, text) : text;
}
