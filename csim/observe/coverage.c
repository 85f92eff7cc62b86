/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.c - see coverage.h */
#include "coverage.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "scenario.h"

bool ut_coverage_start(struct ut_network *net) {
  for (unsigned i = 0; i < net->topology->elaborations; i++)
    if (!ut_spec_cover(&net->group[i]))
      return false;
  return true;
}

void ut_coverage_read(const struct ut_network *net, uint64_t hits[SPEC_COVER_POINTS]) {
  const uint64_t *discarded = net->terminals.accounts.discarded;
  memset(hits, 0, SPEC_COVER_POINTS * sizeof *hits);
  for (unsigned i = 0; i < net->topology->elaborations; i++)
    ut_spec_covered(&net->group[i], hits);
  hits[COVER_DISCARD_CUT] = discarded[UT_DISCARD_CUT_BY_FAULT];
  hits[COVER_DISCARD_IN_SWITCH] = discarded[UT_DISCARD_IN_FAILED_SWITCH];
  hits[COVER_DISCARD_UNREACHABLE] = discarded[UT_DISCARD_UNREACHABLE];
  hits[COVER_DISCARD_PURGED] = discarded[UT_DISCARD_PURGED];
}

/* ---- faults of a scenario that happen within its time */

static bool is_of_terminals(const struct ut_fault *fault) {
  return fault->kind == UT_FAULT_INJECTION || fault->kind == UT_FAULT_EJECTION ||
         fault->kind == UT_FAULT_RANDOM_TERMINAL_LINKS;
}

static bool has_faults(const struct ut_scenario *scenario, bool of_terminals, bool of_others) {
  for (size_t i = 0; i < scenario->fault_count; i++)
    if (scenario->faults[i].at_cycle < ut_network_planned(scenario) &&
        (is_of_terminals(&scenario->faults[i]) ? of_terminals : of_others))
      return true;
  return false;
}

static bool faults(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return has_faults(scenario, true, true);
}
static bool network_faults(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return has_faults(scenario, false, true);
}
static bool terminal_faults(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return has_faults(scenario, true, false);
}
static bool switch_faults(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  for (size_t i = 0; i < scenario->fault_count; i++)
    if (scenario->faults[i].at_cycle < ut_network_planned(scenario) &&
        ut_fault_is_of_switches(scenario->faults[i].kind))
      return true;
  return false;
}
static bool failing(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  for (size_t i = 0; i < scenario->fault_count; i++) {
    const struct ut_fault *fault = &scenario->faults[i];
    const uint64_t first = fault->at_cycle > 0 || fault->times <= 1 ? fault->at_cycle : fault->every_cycles;
    if (first > 0 && first < ut_network_planned(scenario))
      return true;
  }
  return false;
}
static bool repairs(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  for (size_t i = 0; i < scenario->fault_count; i++)
    if (scenario->faults[i].until_cycle < ut_network_planned(scenario))
      return true;
  return false;
}

/* ---- keys of a scenario */

static bool timeout(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  const unsigned cycles = scenario->routing.reroute_timeout_cycles;
  return cycles && cycles < ut_network_planned(scenario);
}
static bool timer(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return scenario->routing.reroute_timeout_cycles > 0;
}
static bool repair_clears(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return scenario->routing.reroute_clear == UT_CLEAR_REPAIR;
}
static bool manager(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return scenario->routing.tables == UT_TABLES_RECONFIGURED;
}
static bool purge_timeout(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return scenario->routing.purge_timeout_cycles &&
         scenario->routing.purge_timeout_cycles < ut_network_planned(scenario);
}
static bool long_packets(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  return scenario->sw.packet_flits > 1;
}
/* Packets of traces and workloads, which have no load, have their own lengths. */
static bool short_packets(const struct ut_scenario *scenario, const struct ut_shape *shape) {
  (void)shape;
  const struct ut_length_rule lengths = ut_scenario_lengths(scenario);
  const bool all_alike = lengths.kind == UT_LENGTHS_FIXED && scenario->traffic.load_flits_per_cycle > 0;
  return all_alike ? lengths.max == 1 : lengths.min == 1;
}

/* ---- properties of an algorithm, and parameters of a switch */

static bool has_even_size(const struct ut_shape *shape) {
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++)
    if (shape->size[i] && shape->size[i] % 2 == 0)
      return true;
  return false;
}

#define PROPERTY(name, expression)                                                                                     \
  static bool name(const struct ut_scenario *scenario, const struct ut_shape *shape) {                                 \
    (void)scenario;                                                                                                    \
    return expression;                                                                                                 \
  }
PROPERTY(vector, UT_ALG_VECTOR(shape->route, shape->algorithm))
PROPERTY(far, UT_ALG_FAR(shape->route, shape->algorithm))
PROPERTY(states, UT_ALG_STATES(shape->route, shape->algorithm))
PROPERTY(blocks, UT_ALG_STATES(shape->route, shape->algorithm) && !shape->cube)
PROPERTY(border, UT_ALG_BORDER(shape->route, shape->algorithm))
PROPERTY(bubble, UT_ALG_BUBBLE(shape->route, shape->algorithm))
PROPERTY(preferred, UT_ALG_PREFERRED(shape->route, shape->algorithm))
PROPERTY(choice, shape->v > UT_ALG_SINGLE(shape->route, shape->algorithm))
PROPERTY(even_ring, has_even_size(shape))
PROPERTY(exclusions, shape->exclusions > 0)
PROPERTY(vc_map, shape->vc_map > 0)
PROPERTY(intermediate, shape->escapes > 1)
PROPERTY(deterministic, shape->deterministic)
PROPERTY(misroute, shape->misroute)
PROPERTY(misroute_hops, shape->misroute_hops > 0)
PROPERTY(parallel_static, shape->parallel == UT_PARALLEL_STATIC)
PROPERTY(parallel_dynamic, shape->parallel == UT_PARALLEL_DYNAMIC)
PROPERTY(dual_homed, shape->dual_homed)
PROPERTY(vcs, shape->v > 1)
PROPERTY(three_inputs, shape->pi * shape->v >= 3)
PROPERTY(route_cycles, shape->route_cycles > 1)
PROPERTY(xbar_register, shape->xbar_cycles > 0)
PROPERTY(queues, shape->output_depth > 0)
PROPERTY(wormhole, shape->switching == UT_WORMHOLE)
PROPERTY(ranked, UT_ARBITRATION_RANK(shape->arbitration) > 0)
PROPERTY(local_first, shape->local_first)
#undef PROPERTY

const struct ut_coverage_word ut_coverage_words[] = {
    {"faults", "a fault of any kind, in the time of the run", faults},
    {"network_faults", "a fault of a link between switches, or of a switch", network_faults},
    {"terminal_faults", "a fault of a terminal's link", terminal_faults},
    {"switch_faults", "a fault of a switch", switch_faults},
    {"failing", "a fault that comes after cycle 0", failing},
    {"repairs", "a fault that ends in the time of the run", repairs},
    {"timer", "`reroute_timeout_cycles` above 0", timer},
    {"timeout", "`reroute_timeout_cycles` that are shorter than the run", timeout},
    {"repair_clears", "`reroute_clear: repair`", repair_clears},
    {"manager", "`tables: reconfigured`", manager},
    {"purge_timeout", "`purge_timeout_cycles` that are shorter than the run", purge_timeout},
    {"long_packets", "packets of two or more flits", long_packets},
    {"short_packets", "packets of one flit", short_packets},
    {"vector", "an algorithm with a re-route vector", vector},
    {"far", "an algorithm whose switches hear of faults two levels up", far},
    {"states", "an algorithm that keeps the states of nodes", states},
    {"blocks", "the same, where bad nodes form blocks: not in hypercubes", blocks},
    {"border", "the same, where switches learn which blocks reach the right border", border},
    {"bubble", "an algorithm that obeys the bubble rule", bubble},
    {"preferred", "an algorithm with a preferred class of VCs", preferred},
    {"choice", "an algorithm that offers several output ports", choice},
    {"even_ring", "a dimension with an even number of nodes", even_ring},
    {"exclusions", "exclusion intervals", exclusions},
    {"vc_map", "a VC map", vc_map},
    {"intermediate", "routes over intermediate nodes", intermediate},
    {"deterministic", "mechanism D", deterministic},
    {"misroute", "mechanism M", misroute},
    {"misroute_hops", "`misroute_hops` of one or more", misroute_hops},
    {"parallel_static", "two links side by side, chosen by the destination", parallel_static},
    {"parallel_dynamic", "two links side by side, chosen by free space", parallel_dynamic},
    {"dual_homed", "two ejection links of a terminal, from different switches", dual_homed},
    {"vcs", "two or more VCs", vcs},
    {"three_inputs", "three or more input VCs", three_inputs},
    {"route_cycles", "`route_cycles` of two or more", route_cycles},
    {"xbar_register", "`xbar_cycles: 1`", xbar_register},
    {"queues", "output queues", queues},
    {"wormhole", "`switching: wormhole`", wormhole},
    {"ranked", "an arbitration policy with ranks", ranked},
    {"local_first", "`local_first: true`", local_first},
};
const size_t ut_coverage_word_count = sizeof ut_coverage_words / sizeof ut_coverage_words[0];

/* ---- the column `where` */

enum { WORD_SIZE = 64 };

static const struct ut_coverage_word *find_word(const char *word) {
  for (size_t i = 0; i < ut_coverage_word_count; i++)
    if (!strcmp(word, ut_coverage_words[i].name))
      return &ut_coverage_words[i];
  return NULL;
}

/* Whether FAMILY:ALGORITHM, with * for any letters, is the algorithm of that shape; shape NULL: of any shape. */
static bool is_algorithm(const char *word, const struct ut_shape *shape) {
  char name[WORD_SIZE];
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *algorithm = &ut_algorithms[i];
    snprintf(name, sizeof name, "%s:%s", algorithm->family, algorithm->name);
    if ((!shape || (algorithm->route == shape->route && algorithm->code == shape->algorithm)) &&
        !fnmatch(word, name, 0))
      return true;
  }
  return false;
}

/* Takes the word at the beginning of the text, up to one of these letters; returns its length. */
static size_t take_word(const char *text, const char *ends, char word[WORD_SIZE]) {
  const size_t length = strcspn(text, ends);
  snprintf(word, WORD_SIZE, "%.*s", (int)length, text);
  return length;
}

/* One of the words at the beginning of the text, between which stands '|', holds. */
static bool any_holds(const char *text, const struct ut_scenario *scenario, const struct ut_shape *shape) {
  char name[WORD_SIZE];
  do {
    text += *text == '|';
    text += take_word(text, "| ", name);
    const struct ut_coverage_word *word = find_word(name);
    if (word ? word->holds(scenario, shape) : is_algorithm(name, shape))
      return true;
  } while (*text == '|');
  return false;
}

static bool applies_to_shape(const struct ut_scenario *scenario, const struct ut_shape *shape, const char *where) {
  for (; *where; where += strcspn(where, " "), where += *where == ' ')
    if (!any_holds(where, scenario, shape))
      return false;
  return true;
}

bool ut_coverage_applies(const struct ut_scenario *scenario, const struct ut_shape *shape, unsigned shapes,
                         enum spec_cover_point point) {
  for (unsigned i = 0; i < shapes; i++)
    if (applies_to_shape(scenario, &shape[i], spec_cover_texts[point].where))
      return true;
  return false;
}

const char *ut_coverage_unknown_word(void) {
  char word[WORD_SIZE];
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    for (const char *at = spec_cover_texts[point].where; *at; at += strspn(at, " |")) {
      const size_t length = take_word(at, " |", word);
      if (!find_word(word) && !is_algorithm(word, NULL))
        return at;
      at += length;
    }
  return NULL;
}
