/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_switches.c - see scenario_switches.h */
#include "scenario_switches.h"

#include <stdio.h>
#include <string.h>

#include "family.h"
#include "nearest.h"
#include "scenario.h"
#include "scenario_refusal.h"
#include "scenario_schema.h"
#include "switch.h"

enum { MAX_NAMES = 64 };

/* ---- the network */

unsigned ut_scenario_switches(const struct ut_scenario *scenario) {
  struct ut_sizes sizes;
  scenario->topology.family->sizes(scenario, &sizes);
  return (unsigned)sizes.switches;
}

unsigned ut_scenario_terminals(const struct ut_scenario *scenario) {
  struct ut_sizes sizes;
  scenario->topology.family->sizes(scenario, &sizes);
  return (unsigned)sizes.terminals;
}

const char *ut_scenario_network(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  scenario->topology.family->network_name(scenario, text);
  return text;
}

/* ---- the algorithm */

/* Forwarding tables belong to no single topology, but those whose switches go around faults do so as in a tree. */
static bool has_tables(const struct ut_algorithm *algorithm, const struct ut_family *family) {
  const bool around = algorithm->vector || algorithm->layers > 1;
  return algorithm->tables && family->tables && !(around && family->any_form);
}

bool ut_algorithm_fits(const struct ut_algorithm *algorithm, const struct ut_family *family) {
  return has_tables(algorithm, family) || strcmp(algorithm->family, family->routing[0]) == 0 ||
         (family->routing[1] && strcmp(algorithm->family, family->routing[1]) == 0);
}

const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *scenario) {
  for (unsigned i = 0; scenario->routing.algorithm && i < ut_algorithm_count; i++)
    if (strcmp(ut_algorithms[i].name, scenario->routing.algorithm) == 0 &&
        ut_algorithm_fits(&ut_algorithms[i], scenario->topology.family))
      return &ut_algorithms[i];
  return NULL;
}

unsigned ut_scenario_vcs_needed(const struct ut_scenario *scenario) {
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  if (!algorithm)
    return 1;
  if (algorithm->mechanisms) /* and one for each sub-path */
    return algorithm->min_vcs + scenario->routing.intermediate;
  return (algorithm->layers > algorithm->min_vcs ? algorithm->layers : algorithm->min_vcs) +
         (scenario->sw.vin1_vcs - 1) * algorithm->vin1;
}

/* ---- impossible combinations */

static int unknown_algorithm(const struct ut_check *check) {
  const char *wanted = check->s->routing.algorithm ? check->s->routing.algorithm : "";
  const struct ut_family *family = check->s->topology.family;
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
    return ut_impossible(check, "routing.algorithm", hint,
                         "'routing.algorithm': '%.40s' is for %s, this topology is %s", wanted, other, kind);
  return ut_impossible(check, "routing.algorithm", hint, "'routing.algorithm': unknown algorithm '%.40s' for %s",
                       wanted, kind);
}

/* Whether something is written anew when links change, so that traffic can wait for it: routes that terminals choose or
 * load, tables, intervals. */
static bool is_reconfigured(const struct ut_scenario *scenario, const struct ut_algorithm *algorithm) {
  const bool written = algorithm->tables || scenario->routing.exclusion_intervals;
  return ut_scenario_planned(scenario) || scenario->topology.family->choices ||
         (written && scenario->routing.tables == UT_TABLES_RECONFIGURED);
}

/* Whether entries of its forwarding tables name next-hop groups. */
static bool has_groups(const struct ut_algorithm *algorithm) {
  return algorithm->tables && (algorithm->code == UT_TABLE_FORWARDING || algorithm->code == UT_TABLE_FORWARDING_ESCAPE);
}

enum ut_update ut_scenario_usual_update(const struct ut_scenario *scenario) {
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  const bool goes_on = scenario->routing.tables == UT_TABLES_RECONFIGURED &&
                       scenario->routing.reconfiguration == UT_RECONFIGURATION_DYNAMIC;
  return scenario->topology.family->any_form && algorithm->tables && goes_on ? UT_UPDATE_SAFE : UT_UPDATE_MIXED;
}

/* What stands in tables while they are written matters where traffic goes on meanwhile. */
static int check_update(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  const char *key = "routing.update";
  if (!ut_check_given(check, key) || check->s->routing.update == UT_UPDATE_MIXED)
    return 0;
  if (!algorithm->tables || check->s->routing.tables == UT_TABLES_STATIC)
    return ut_impossible(check, key, "leave it away",
                         "'%s' is for forwarding tables that are reconfigured, %s has none", key,
                         algorithm->tables ? "this scenario" : algorithm->name);
  if (check->s->routing.update == UT_UPDATE_SAFE && (algorithm->layers > 1 || algorithm->vector))
    return ut_impossible(check, key, "choose mixed or two_phase",
                         "'%s: safe' is for switches that go by their tables alone, %s finds ways around faults itself",
                         key, algorithm->name);
  if (check->s->routing.reconfiguration == UT_RECONFIGURATION_STATIC)
    return ut_impossible(check, key, "leave it away",
                         "'%s' is for traffic that goes on, 'routing.reconfiguration: static' halts it", key);
  return 0;
}

static int check_reconfiguration(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  const char *key = "routing.reconfiguration";
  if (check->s->routing.reconfiguration == UT_RECONFIGURATION_STATIC && !is_reconfigured(check->s, algorithm))
    return ut_impossible(check, key, "give 'routing.mechanisms', or choose an algorithm with tables",
                         "'%s: static' is for routes that are planned and tables that are reconfigured, this scenario "
                         "has none",
                         key);
  const char *timeout = "routing.drain_timeout_cycles";
  if (ut_check_given(check, timeout) && check->s->routing.reconfiguration != UT_RECONFIGURATION_STATIC &&
      check->s->routing.update == UT_UPDATE_MIXED)
    return ut_impossible(check, timeout, "leave it away",
                         "'%s' is for 'routing.reconfiguration: static', and for updates that are not mixed", timeout);
  return check_update(check, algorithm);
}

enum { USUAL_GROUPS = 64 };

static bool planner_needs_map(const struct ut_scenario *scenario) {
  return scenario->topology.family->any_form && ut_planning_layers(&scenario->routing.planning, scenario->sw.vcs) > 0;
}

static unsigned vcs_of_first_way(const struct ut_scenario *scenario) {
  return scenario->topology.family->any_form ? ut_planning_via(&scenario->routing.planning, scenario->sw.vcs,
                                                               scenario->topology.family->keys & UT_KEY_GROUPS)
                                             : 0;
}

static unsigned places_compared(const struct ut_scenario *scenario) {
  const bool queue = UT_SELECTION_COMPARES(scenario->sw.selection) == 2;
  return queue ? scenario->sw.output_depth_flits : scenario->sw.depth_flits;
}

static unsigned ugal_of(const struct ut_scenario *scenario) {
  return scenario->sw.ugal_threshold ? scenario->sw.ugal_threshold : (places_compared(scenario) + 1) / 2;
}
static unsigned longest_packet(const struct ut_scenario *scenario) {
  return scenario->sw.switching == UT_WORMHOLE ? 1 : scenario->sw.packet_flits;
}

/* Planners with an intermediate terminal, and the threshold of UGAL. */
static int check_via(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const enum ut_planner planner = scenario->routing.planning.planner;
  const bool groups = scenario->topology.family->keys & UT_KEY_GROUPS;
  const char *key = "switch.ugal_threshold";
  if (scenario->sw.ugal_threshold && planner != UT_PLANNER_UGAL)
    return ut_impossible(check, key, "leave it away, or choose 'routing.planner: ugal'",
                         "'%s' is for 'routing.planner: ugal'", key);
  if (planner != UT_PLANNER_VALIANT && planner != UT_PLANNER_UGAL)
    return 0;
  const unsigned needed = groups && scenario->routing.planning.too_few_vcs == UT_TOO_FEW_DISCARD ? 3 : 2;
  if (scenario->sw.vcs < needed)
    return ut_impossible(check, ut_check_blamed(check, "switch.vcs", "routing.planner"), "raise 'switch.vcs'",
                         "'routing.planner: %s' needs %u VCs here, there %s %u",
                         ut_schema_word("routing.planner", (int)planner), needed, scenario->sw.vcs == 1 ? "is" : "are",
                         scenario->sw.vcs);
  if (planner == UT_PLANNER_UGAL && ugal_of(scenario) <= longest_packet(scenario))
    return ut_impossible(check, ut_check_given(check, key) ? key : "switch.depth_flits",
                         ut_check_given(check, key) ? "make it larger" : "make it larger, or give 'ugal_threshold'",
                         "'%s' is %u, it must be more than the longest packet, %u", key, ugal_of(scenario),
                         longest_packet(scenario));
  if (planner == UT_PLANNER_UGAL && !UT_SELECTION_COMPARES(scenario->sw.selection))
    return ut_impossible(check, "switch.selection", "choose credits or output_space",
                         "'routing.planner: ugal' compares credits, 'switch.selection: %s' does not",
                         ut_schema_word("switch.selection", (int)scenario->sw.selection));
  return 0;
}

static int check_next_hop_groups(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  const unsigned groups = check->s->sw.next_hop_groups;
  const char *key = "switch.next_hop_groups";
  if (groups && !has_groups(algorithm))
    return ut_impossible(check, key, "leave it away", "'%s' is for algorithm forwarding, this is %s", key,
                         algorithm->name);
  if (planner_needs_map(check->s) && !has_groups(algorithm))
    return ut_impossible(check, "routing.planner", "choose algorithm forwarding, or another planner",
                         "'routing.planner: %s' needs a VC map, algorithm %s has none",
                         ut_schema_word("routing.planner", (int)check->s->routing.planning.planner), algorithm->name);
  if (has_groups(algorithm) && algorithm->preferred && !check->s->topology.family->any_form)
    return ut_impossible(check, "routing.algorithm", "choose forwarding", "algorithm %s is for graphs, this is a %s",
                         algorithm->name, check->s->topology.family->kind);
  if (has_groups(algorithm) && algorithm->preferred && check->s->routing.planning.planner != UT_PLANNER_UPDOWN)
    return ut_impossible(check, "routing.planner", "leave it away",
                         "'routing.planner' of algorithm %s is updown, for its escape VC", algorithm->name);
  if (check->s->routing.planning.planner == UT_PLANNER_GLOBAL_HOPS &&
      !(check->s->topology.family->keys & UT_KEY_GROUPS))
    return ut_impossible(check, "routing.planner", "choose hops or layers",
                         "'routing.planner: global_hops' is for networks of groups, a %s has none",
                         check->s->topology.family->kind);
  if (check_via(check))
    return -1;
  if (groups == 1)
    return ut_impossible(check, key, "give 2 or more", "'%s' is 1, and that one is empty", key);
  return 0;
}

/* Keys that only forwarding tables, or other tables that a manager updates, use. */
static int check_table_keys(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  static const char *const keys[] = {"routing.tables", "routing.manager_delay_cycles", "routing.manager_switch_cycles"};
  const struct ut_family *family = check->s->topology.family;
  const bool written = algorithm->tables || check->s->routing.exclusion_intervals;
  if (check->s->routing.exclusion_intervals && !algorithm->exclusions)
    return ut_impossible(check, "routing.exclusion_intervals", "leave it away",
                         "'routing.exclusion_intervals' is for algorithm fta, this is %s", algorithm->name);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    bool fixed = i > 0 && check->s->routing.tables == UT_TABLES_STATIC;
    const bool told = family->choices || check->s->routing.reconfiguration == UT_RECONFIGURATION_STATIC;
    if (ut_check_given(check, keys[i]) && ((!written && (i == 0 || !told)) || fixed))
      return ut_impossible(check, keys[i], NULL, "'%s' is for forwarding tables%s, %s has none", keys[i],
                           fixed ? " that are reconfigured" : "", written ? "this scenario" : algorithm->name);
  }
  static const char *const for_states[] = {"routing.purge_timeout_cycles", "routing.beyond_fault_model"};
  for (size_t i = 0; i < sizeof for_states / sizeof for_states[0]; i++)
    if (ut_check_given(check, for_states[i]) && !algorithm->states)
      return ut_impossible(check, for_states[i], NULL,
                           "'%s' is for algorithms that keep states of nodes, %s keeps none", for_states[i],
                           algorithm->name);
  if (ut_check_given(check, "routing.parallel_links") && !family->parallel_links)
    return ut_impossible(check, "routing.parallel_links", NULL,
                         "'routing.parallel_links' is for networks with links side by side, a %s has none",
                         family->kind);
  return check_next_hop_groups(check, algorithm);
}

/* Keys that only planned routes use, and what the planner supports (INTERMEDIATE table 1). */
static int check_mechanisms(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  const struct ut_scenario *scenario = check->s;
  const char *key = "routing.mechanisms";
  if (ut_check_given(check, key) && !algorithm->mechanisms)
    return ut_impossible(check, key, NULL, "'%s' is for algorithms that obey mechanisms, %s has none", key,
                         algorithm->name);
  bool deterministic = scenario->routing.deterministic, misroute = scenario->routing.misroute;
  if (scenario->routing.intermediate > (misroute ? 1 : deterministic ? 2 : 3))
    return ut_impossible(check, key, "known combinations: I, D, M, I+D, I+M, D+M, I+D+M, I2, I3, I2+D",
                         "%u intermediate nodes do not go with %s", scenario->routing.intermediate,
                         misroute ? "misrouting" : "deterministic sub-paths");
  return 0;
}

/* Checks a distribution of lengths. */
static int check_lengths(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const unsigned min = scenario->sw.shortest_packet_flits, max = scenario->sw.packet_flits;
  const bool bimodal = scenario->sw.distribution == UT_LENGTHS_BIMODAL;
  if (scenario->sw.distribution == UT_LENGTHS_FIXED)
    return 0;
  if (ut_check_given(check, "switch.shortest_packet_flits"))
    return ut_impossible(check, "switch.shortest_packet_flits", NULL,
                         "'switch.packet_flits' is a distribution, which says the shortest: leave "
                         "'shortest_packet_flits' away");
  const bool fits = !bimodal && check->d && !ut_check_given(check, "switch.packet_flits.max");
  const char *largest = fits ? ", the largest that fits" : "";
  if (min > max)
    return ut_impossible(check, bimodal ? "switch.packet_flits.short" : "switch.packet_flits.min",
                         fits ? "raise 'switch.depth_flits', or set 'switch.switching' to wormhole" : "exchange them",
                         "'switch.packet_flits': %s is %u, more than %s %u%s", bimodal ? "short" : "min", min,
                         bimodal ? "long" : "max", max, largest);
  if (scenario->sw.distribution == UT_LENGTHS_EXPONENTIAL &&
      !(scenario->sw.mean_flits >= min && scenario->sw.mean_flits <= max))
    return ut_impossible(check, "switch.packet_flits.mean",
                         scenario->sw.mean_flits < min ? "lower 'min'"
                         : fits ? "raise 'switch.depth_flits', or set 'switch.switching' to wormhole"
                                : "raise 'max'",
                         "'switch.packet_flits.mean' is %.15g, must be between min %u and max %u%s",
                         scenario->sw.mean_flits, min, max, largest);
  return 0;
}

static int check_policies(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const unsigned vcs[] = {UT_ARBITRATION_VCS(scenario->sw.arbitration), UT_SELECTION_VCS(scenario->sw.selection)};
  static const char *const key[] = {"switch.arbitration", "switch.selection"};
  for (unsigned i = 0; i < 2; i++)
    if (scenario->sw.vcs < vcs[i])
      return ut_impossible(check, key[i], "raise 'switch.vcs', or leave the policy away",
                           "'%s: %s' needs %u virtual channels, 'switch.vcs' is %u", key[i],
                           ut_schema_word(key[i], (int)(i ? scenario->sw.selection : scenario->sw.arbitration)), vcs[i],
                           scenario->sw.vcs);
  return 0;
}

/* Divides the VCs between the virtual networks of DETOUR, VIN1 and VIN2. */
static int check_virtual_networks(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  const struct ut_scenario *scenario = check->s;
  const unsigned vcs = scenario->sw.vin1_vcs, needed = algorithm->min_vcs + (vcs - 1) * algorithm->vin1;
  if (vcs > 1 && !algorithm->vin1)
    return ut_impossible(check, "switch.vin1_vcs", "leave it away",
                         "'switch.vin1_vcs' divides VCs between two virtual networks, algorithm %s has none",
                         algorithm->name);
  if (scenario->sw.vcs < needed)
    return ut_impossible(check, "switch.vin1_vcs", "lower it, or raise 'switch.vcs'",
                         "'switch.vin1_vcs' of %u with algorithm %s needs %u virtual channels, 'switch.vcs' is %u", vcs,
                         algorithm->name, needed, scenario->sw.vcs);
  return 0;
}

static int check_misroutes(const struct ut_check *check, const struct ut_algorithm *algorithm) {
  if (check->s->sw.misroute_hops && !algorithm->misroutes)
    return ut_impossible(check, "switch.misroute_hops", "leave it away",
                         "'switch.misroute_hops' lets packets go away from their destination, algorithm %s cannot",
                         algorithm->name);
  return 0;
}

static int check_shape(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  if (!algorithm)
    return unknown_algorithm(check);
  if (check_table_keys(check, algorithm) || check_mechanisms(check, algorithm) ||
      check_reconfiguration(check, algorithm) || check_lengths(check) || check_policies(check))
    return -1;
  unsigned sub_paths = scenario->routing.intermediate, longest = scenario->sw.packet_flits + sub_paths;
  if (scenario->sw.vcs >= algorithm->min_vcs && scenario->sw.vcs < algorithm->min_vcs + sub_paths)
    return ut_impossible(check, ut_check_blamed(check, "switch.vcs", "routing.mechanisms"), "raise 'switch.vcs'",
                         "algorithm %s with %u intermediate nodes needs %u virtual channels, 'switch.vcs' is %u",
                         algorithm->name, sub_paths, algorithm->min_vcs + sub_paths, scenario->sw.vcs);
  if (scenario->sw.vcs < algorithm->min_vcs)
    return ut_impossible(check, ut_check_blamed(check, "switch.vcs", "routing.algorithm"), "raise 'switch.vcs'",
                         "algorithm %s needs %u virtual channels, 'switch.vcs' is %u", algorithm->name,
                         algorithm->min_vcs, scenario->sw.vcs);
  if (check_virtual_networks(check, algorithm) || check_misroutes(check, algorithm))
    return -1;
  if (scenario->sw.switching == UT_VCT && scenario->sw.depth_flits < longest)
    return ut_impossible(check, ut_check_blamed(check, "switch.depth_flits", "switch.packet_flits"),
                         "virtual cut-through needs space for a whole packet: raise 'switch.depth_flits', or set "
                         "'switch.switching' to wormhole",
                         "'switch.depth_flits' is %u, less than the %u of 'switch.packet_flits'%s",
                         scenario->sw.depth_flits, longest,
                         sub_paths ? " and the header words of intermediate nodes" : "");
  if (algorithm->bubble && scenario->sw.switching != UT_VCT)
    return ut_impossible(check, ut_check_blamed(check, "switch.switching", "routing.algorithm"),
                         "leave 'switch.switching' away", "the bubble rule of %s needs virtual cut-through",
                         algorithm->name);
  if (algorithm->bubble && scenario->sw.depth_flits < 2 * longest)
    return ut_impossible(
        check, ut_check_blamed(check, "switch.depth_flits", "switch.packet_flits"), "raise 'switch.depth_flits'",
        "the bubble rule of %s needs space for two packets of %u flits%s, 'switch.depth_flits' is %u", algorithm->name,
        longest, sub_paths ? " (with the header words of intermediate nodes)" : "", scenario->sw.depth_flits);
  if (scenario->sw.shortest_packet_flits > scenario->sw.packet_flits)
    return ut_impossible(check, "switch.shortest_packet_flits", NULL,
                         "'switch.shortest_packet_flits' is %u, 'switch.packet_flits' %u",
                         scenario->sw.shortest_packet_flits, scenario->sw.packet_flits);
  if (algorithm->bubble && 2 * scenario->sw.shortest_packet_flits <= longest)
    return ut_impossible(
        check,
        ut_check_blamed(check, "switch.shortest_packet_flits",
                        sub_paths ? "routing.mechanisms" : "switch.packet_flits"),
        "a ring of packets of so different lengths can fill although there is room in it: make packets longer",
        "the bubble rule of %s needs packets that are longer than half the longest one: %u and %u flits%s",
        algorithm->name, scenario->sw.shortest_packet_flits, longest,
        sub_paths ? " (with the header words of intermediate nodes)" : "");
  return 0;
}

int ut_scenario_check_shape(const struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e) {
  return check_shape(&(struct ut_check){.s = scenario, .d = document, .e = e});
}

/* ---- elaboration parameters */

int ut_scenario_shape(const struct ut_scenario *scenario, const struct ut_elaboration *sw, struct ut_shape *shape,
                      struct ut_error *e) {
  if (ut_scenario_check_shape(scenario, NULL, e))
    return -1;
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  /* Includes the header word of each sub-path.  Wormhole switches do not know how long packets are: one model for
   * all. */
  const unsigned longest =
      scenario->sw.switching == UT_WORMHOLE ? 1 : scenario->sw.packet_flits + scenario->routing.intermediate;
#define OF_KEY(key, member, ...) .member = scenario->sw.key,
#define NOT_OF_KEY(key)
  *shape = (struct ut_shape){.pi = sw->pi,
                             .po = sw->po,
                             .max_packet = longest,
                             .min_packet = longest,
                             .route = algorithm->route,
                             .algorithm = algorithm->code,
                             .escapes = 1 + scenario->routing.intermediate,
                             .links = 1,
                             .deterministic = scenario->routing.deterministic &&
                                              algorithm->preferred, /* the others are deterministic anyway */
                             .misroute = scenario->routing.misroute,
                             .exclusions = scenario->routing.exclusion_intervals,
                             .destinations = algorithm->tables ? ut_scenario_terminals(scenario) : 0,
                             UT_SWITCH_KEYS(OF_KEY, OF_KEY, OF_KEY, NOT_OF_KEY)};
  if (has_groups(algorithm) && !shape->groups)
    shape->groups = USUAL_GROUPS;
  if (has_groups(algorithm) && !algorithm->preferred && scenario->topology.family->any_form)
    shape->vc_map = ut_planning_layers(&scenario->routing.planning, scenario->sw.vcs);
  if (has_groups(algorithm))
    shape->via = vcs_of_first_way(scenario);
  if (shape->via && scenario->routing.planning.planner == UT_PLANNER_UGAL)
    shape->ugal = ugal_of(scenario);
  if (algorithm->bubble) /* only these switches depend on it: one model for all others */
    shape->min_packet = scenario->sw.shortest_packet_flits;
  scenario->topology.family->elaborate(scenario, sw, shape);
  const char *rule = ut_shape_rule(shape); /* a scenario that is not from a file was not checked by the schema */
  return rule ? ut_fail(e, UT_BAD_INPUT, "%s: there is no such switch: %s",
                        scenario->path ? scenario->path : "scenario", rule)
              : 0;
}
