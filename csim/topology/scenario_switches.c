/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_switches.c - see scenario_switches.h */
#include "scenario_switches.h"

#include <stdio.h>
#include <string.h>

#include "family.h"
#include "nearest.h"
#include "scenario_refusal.h"
#include "scenario_schema.h"
#include "switch.h"

enum { MAX_NAMES = 64 };

/* ---- the network */

unsigned ut_scenario_switches(const struct ut_scenario *s) {
  struct ut_sizes z;
  s->topology.family->sizes(s, &z);
  return (unsigned)z.switches;
}

unsigned ut_scenario_terminals(const struct ut_scenario *s) {
  struct ut_sizes z;
  s->topology.family->sizes(s, &z);
  return (unsigned)z.terminals;
}

const char *ut_scenario_network(const struct ut_scenario *s, char text[UT_NETWORK_NAME_SIZE]) {
  s->topology.family->network_name(s, text);
  return text;
}

/* ---- the algorithm */

/* Forwarding tables are no topology's own. */
bool ut_algorithm_fits(const struct ut_algorithm *a, const struct ut_family *family) {
  return (a->tables && family->tables) || strcmp(a->family, family->routing[0]) == 0 ||
         (family->routing[1] && strcmp(a->family, family->routing[1]) == 0);
}

const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *s) {
  for (unsigned i = 0; s->routing.algorithm && i < ut_algorithm_count; i++)
    if (strcmp(ut_algorithms[i].name, s->routing.algorithm) == 0 &&
        ut_algorithm_fits(&ut_algorithms[i], s->topology.family))
      return &ut_algorithms[i];
  return NULL;
}

unsigned ut_scenario_vcs_needed(const struct ut_scenario *s) {
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  if (!a)
    return 1;
  if (a->mechanisms) /* and one for each sub-path */
    return a->min_vcs + s->routing.intermediate;
  return (a->layers > a->min_vcs ? a->layers : a->min_vcs) + (s->sw.vin1_vcs - 1) * a->vin1;
}

/* ---- what is impossible */

static int unknown_algorithm(const struct ut_check *c) {
  const char *wanted = c->s->routing.algorithm ? c->s->routing.algorithm : "";
  const struct ut_family *family = c->s->topology.family;
  const char *names[MAX_NAMES] = {0};
  const char *other = NULL; /* family */
  size_t count = 0, used = 0;
  char hint[512] = "";
  for (unsigned i = 0; i < ut_algorithm_count && count < MAX_NAMES; i++) {
    if (ut_algorithm_fits(&ut_algorithms[i], family))
      names[count++] = ut_algorithms[i].name;
    else if (strcmp(ut_algorithms[i].name, wanted) == 0)
      other = ut_algorithms[i].family;
  }
  const char *nearest = ut_nearest(wanted, names, count);
  if (nearest && !other)
    snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
  else
    for (size_t i = 0; i < count && used < sizeof hint; i++)
      used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%s", i ? ", " : "expected one of: ", names[i]);
  const char *kind = family->kind;
  if (other)
    return ut_impossible(c, "routing.algorithm", hint, "'routing.algorithm': '%.40s' is for %s, this topology is %s",
                         wanted, other, kind);
  return ut_impossible(c, "routing.algorithm", hint, "'routing.algorithm': unknown algorithm '%.40s' for %s", wanted,
                       kind);
}

/* Keys that only forwarding tables, or other knowledge that a manager renews, look at. */
static int check_table_keys(const struct ut_check *c, const struct ut_algorithm *a) {
  static const char *const keys[] = {"routing.tables", "routing.manager_delay_cycles", "routing.manager_switch_cycles"};
  const struct ut_family *f = c->s->topology.family;
  const bool written = a->tables || c->s->routing.exclusion_intervals;
  if (c->s->routing.exclusion_intervals && !a->exclusions)
    return ut_impossible(c, "routing.exclusion_intervals", "leave it away",
                         "'routing.exclusion_intervals' is for algorithm fta, this is %s", a->name);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    bool fixed = i > 0 && c->s->routing.tables == UT_TABLES_STATIC;
    if (ut_check_given(c, keys[i]) && ((!written && (i == 0 || !f->choices)) || fixed))
      return ut_impossible(c, keys[i], NULL, "'%s' is for forwarding tables%s, %s has none", keys[i],
                           fixed ? " that are reconfigured" : "", written ? "this scenario" : a->name);
  }
  static const char *const for_states[] = {"routing.purge_timeout_cycles", "routing.beyond_fault_model"};
  for (size_t i = 0; i < sizeof for_states / sizeof for_states[0]; i++)
    if (ut_check_given(c, for_states[i]) && !a->states)
      return ut_impossible(c, for_states[i], NULL, "'%s' is for algorithms that keep states of nodes, %s keeps none",
                           for_states[i], a->name);
  if (ut_check_given(c, "routing.parallel_links") && !f->parallel_links)
    return ut_impossible(c, "routing.parallel_links", NULL,
                         "'routing.parallel_links' is for networks with links side by side, a %s has none", f->kind);
  unsigned terminals = ut_scenario_terminals(c->s);
  if (a->tables && terminals > UT_MAX_DESTINATIONS)
    return ut_impossible(c, "topology", "make k or n smaller",
                         "forwarding tables have at most %d entries, this network "
                         "has %u terminals",
                         UT_MAX_DESTINATIONS, terminals);
  return 0;
}

/* Keys that only planned routes look at, and what the planner knows (INTERMEDIATE table 1). */
static int check_mechanisms(const struct ut_check *c, const struct ut_algorithm *a) {
  const struct ut_scenario *s = c->s;
  const char *key = "routing.mechanisms";
  if (ut_check_given(c, key) && !a->mechanisms)
    return ut_impossible(c, key, NULL, "'%s' is for algorithms that obey mechanisms, %s has none", key, a->name);
  if (ut_scenario_planned(s) && s->topology.terminal_links > 1)
    return ut_impossible(c, "topology.terminal_links", "leave it away, or 'routing.mechanisms'",
                         "planned routes begin at the one link of a terminal, 'topology.terminal_links' is %u",
                         s->topology.terminal_links);
  bool deterministic = s->routing.deterministic, misroute = s->routing.misroute;
  if (s->routing.intermediate > (misroute ? 1 : deterministic ? 2 : 3))
    return ut_impossible(c, key, "known combinations: I, D, M, I+D, I+M, D+M, I+D+M, I2, I3, I2+D",
                         "%u intermediate nodes do not go with %s", s->routing.intermediate,
                         misroute ? "misrouting" : "deterministic sub-paths");
  return 0;
}

/* Of a distribution of lengths. */
static int check_lengths(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const unsigned min = s->sw.shortest_packet_flits, max = s->sw.packet_flits;
  const bool bimodal = s->sw.distribution == UT_LENGTHS_BIMODAL;
  if (s->sw.distribution == UT_LENGTHS_FIXED)
    return 0;
  if (ut_check_given(c, "switch.shortest_packet_flits"))
    return ut_impossible(c, "switch.shortest_packet_flits", NULL,
                         "'switch.packet_flits' is a distribution, which says the shortest: leave "
                         "'shortest_packet_flits' away");
  const bool fits = !bimodal && c->d && !ut_check_given(c, "switch.packet_flits.max");
  const char *largest = fits ? ", the largest that fits" : "";
  if (min > max)
    return ut_impossible(c, bimodal ? "switch.packet_flits.short" : "switch.packet_flits.min",
                         fits ? "raise 'switch.depth_flits', or set 'switch.switching' to wormhole" : "exchange them",
                         "'switch.packet_flits': %s is %u, more than %s %u%s", bimodal ? "short" : "min", min,
                         bimodal ? "long" : "max", max, largest);
  if (s->sw.distribution == UT_LENGTHS_EXPONENTIAL && !(s->sw.mean_flits >= min && s->sw.mean_flits <= max))
    return ut_impossible(c, "switch.packet_flits.mean",
                         s->sw.mean_flits < min ? "lower 'min'"
                         : fits                 ? "raise 'switch.depth_flits', or set 'switch.switching' to wormhole"
                                                : "raise 'max'",
                         "'switch.packet_flits.mean' is %.15g, must be between min %u and max %u%s", s->sw.mean_flits,
                         min, max, largest);
  return 0;
}

static int check_policies(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const unsigned vcs[] = {UT_ARBITRATION_VCS(s->sw.arbitration), UT_SELECTION_VCS(s->sw.selection)};
  static const char *const key[] = {"switch.arbitration", "switch.selection"};
  for (unsigned i = 0; i < 2; i++)
    if (s->sw.vcs < vcs[i])
      return ut_impossible(c, key[i], "raise 'switch.vcs', or leave the policy away",
                           "'%s: %s' needs %u virtual channels, 'switch.vcs' is %u", key[i],
                           ut_schema_word(key[i], (int)(i ? s->sw.selection : s->sw.arbitration)), vcs[i], s->sw.vcs);
  return 0;
}

/* How the VCs are divided between the virtual networks of DETOUR, VIN1 and VIN2. */
static int check_virtual_networks(const struct ut_check *c, const struct ut_algorithm *a) {
  const struct ut_scenario *s = c->s;
  const unsigned vcs = s->sw.vin1_vcs, needed = a->min_vcs + (vcs - 1) * a->vin1;
  if (vcs > 1 && !a->vin1)
    return ut_impossible(c, "switch.vin1_vcs", "leave it away",
                         "'switch.vin1_vcs' divides VCs between two virtual networks, algorithm %s has none", a->name);
  if (s->sw.vcs < needed)
    return ut_impossible(c, "switch.vin1_vcs", "lower it, or raise 'switch.vcs'",
                         "'switch.vin1_vcs' of %u with algorithm %s needs %u virtual channels, 'switch.vcs' is %u", vcs,
                         a->name, needed, s->sw.vcs);
  return 0;
}

static int check_shape(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  if (!a)
    return unknown_algorithm(c);
  if (check_table_keys(c, a) || check_mechanisms(c, a) || check_lengths(c) || check_policies(c))
    return -1;
  unsigned sub_paths = s->routing.intermediate, longest = s->sw.packet_flits + sub_paths;
  if (s->sw.vcs >= a->min_vcs && s->sw.vcs < a->min_vcs + sub_paths)
    return ut_impossible(c, ut_check_blamed(c, "switch.vcs", "routing.mechanisms"), "raise 'switch.vcs'",
                         "algorithm %s with %u intermediate nodes needs %u virtual channels, 'switch.vcs' is %u",
                         a->name, sub_paths, a->min_vcs + sub_paths, s->sw.vcs);
  if (s->sw.vcs < a->min_vcs)
    return ut_impossible(c, ut_check_blamed(c, "switch.vcs", "routing.algorithm"), "raise 'switch.vcs'",
                         "algorithm %s needs %u virtual channels, 'switch.vcs' is %u", a->name, a->min_vcs, s->sw.vcs);
  if (check_virtual_networks(c, a))
    return -1;
  if (s->sw.switching == UT_VCT && s->sw.depth_flits < longest)
    return ut_impossible(c, ut_check_blamed(c, "switch.depth_flits", "switch.packet_flits"),
                         "virtual cut-through needs room for a whole packet: raise 'switch.depth_flits', or set "
                         "'switch.switching' to wormhole",
                         "'switch.depth_flits' is %u, less than the %u of 'switch.packet_flits'%s", s->sw.depth_flits,
                         longest, sub_paths ? " and the header words of intermediate nodes" : "");
  if (a->bubble && s->sw.switching != UT_VCT)
    return ut_impossible(c, ut_check_blamed(c, "switch.switching", "routing.algorithm"),
                         "leave 'switch.switching' away", "the bubble rule of %s needs virtual cut-through", a->name);
  if (a->bubble && s->sw.depth_flits < 2 * longest)
    return ut_impossible(
        c, ut_check_blamed(c, "switch.depth_flits", "switch.packet_flits"), "raise 'switch.depth_flits'",
        "the bubble rule of %s needs room for two packets of %u flits%s, 'switch.depth_flits' is %u", a->name, longest,
        sub_paths ? " (with the header words of intermediate nodes)" : "", s->sw.depth_flits);
  if (s->sw.shortest_packet_flits > s->sw.packet_flits)
    return ut_impossible(c, "switch.shortest_packet_flits", NULL,
                         "'switch.shortest_packet_flits' is %u, 'switch.packet_flits' %u", s->sw.shortest_packet_flits,
                         s->sw.packet_flits);
  if (a->bubble && 2 * s->sw.shortest_packet_flits <= longest)
    return ut_impossible(
        c, ut_check_blamed(c, "switch.shortest_packet_flits", sub_paths ? "routing.mechanisms" : "switch.packet_flits"),
        "a ring of packets of so different lengths can fill although there is room in it: make packets longer",
        "the bubble rule of %s needs packets that are longer than half the longest one: %u and %u flits%s", a->name,
        s->sw.shortest_packet_flits, longest, sub_paths ? " (with the header words of intermediate nodes)" : "");
  return 0;
}

int ut_scenario_check_shape(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e) {
  return check_shape(&(struct ut_check){.s = s, .d = d, .e = e});
}

/* ---- elaboration parameters */

int ut_scenario_shape(const struct ut_scenario *s, const struct ut_elaboration *sw, struct ut_shape *shape,
                      struct ut_error *e) {
  if (ut_scenario_check_shape(s, NULL, e))
    return -1;
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(s);
  /* With the header word of each sub-path.  Wormhole switches do not know how long packets are: one model for all. */
  const unsigned longest = s->sw.switching == UT_WORMHOLE ? 1 : s->sw.packet_flits + s->routing.intermediate;
#define OF_KEY(key, member, ...) .member = s->sw.key,
#define NOT_OF_KEY(key)
  *shape = (struct ut_shape){.pi = sw->pi,
                             .po = sw->po,
                             .max_packet = longest,
                             .min_packet = longest,
                             .route = algorithm->route,
                             .algorithm = algorithm->code,
                             .escapes = 1 + s->routing.intermediate,
                             .links = 1,
                             .deterministic = s->routing.deterministic &&
                                              algorithm->preferred, /* the others are deterministic anyway */
                             .misroute = s->routing.misroute,
                             .exclusions = s->routing.exclusion_intervals,
                             .destinations = algorithm->tables ? ut_scenario_terminals(s) : 0,
                             UT_SWITCH_KEYS(OF_KEY, OF_KEY, OF_KEY, NOT_OF_KEY)};
  if (algorithm->bubble) /* the only one to whom it matters: one model for all others */
    shape->min_packet = s->sw.shortest_packet_flits;
  s->topology.family->elaborate(s, sw, shape);
  const char *rule = ut_shape_rule(shape); /* a scenario that was not read from a file has not met the schema */
  return rule ? ut_fail(e, UT_BAD_INPUT, "%s: there is no such switch: %s", s->path ? s->path : "scenario", rule) : 0;
}
