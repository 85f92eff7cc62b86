/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_write.c - see scenario_write.h
 *
 * The keys are those of scenario_keys.h, and their values come from scenario_values.h: a new key needs no change here.
 * Written by hand are the keys without a value of their own: kind, sizes, algorithm, pattern, lengths, files and
 * faults.  A key is left out if a scenario that has it would be refused.
 */
#include "scenario_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "graph.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_schema.h"
#include "scenario_switches.h"
#include "scenario_values.h"
#include "topology_build.h"

static bool in_group(const char *path, const char *group) {
  const size_t length = strlen(group);
  return strncmp(path, group, length) == 0 && path[length] == '.' && !strchr(path + length + 1, '.');
}

/* Writes text in single quotes, with each quote in it doubled: a name may have any character. */
static void put_quoted(FILE *f, const char *text) {
  fputc('\'', f);
  for (; *text; text++)
    fputs(*text == '\'' ? "''" : (const char[]){*text, 0}, f);
  fputc('\'', f);
}

/* Writes the fewest digits that give exactly this number. */
static void put_real(FILE *f, double value) {
  char text[32];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  fputs(text, f);
}

static void put_value(FILE *f, const struct ut_scenario *scenario, const struct ut_key *key) {
  const char *words[UT_MAX_WORDS];
  switch (ut_schema_type(key->path)) {
  case UT_VALUE_REAL: put_real(f, ut_value_real(scenario, key)); break;
  case UT_VALUE_BOOL: fputs(ut_value_whole(scenario, key) ? "true" : "false", f); break;
  default:
    if (ut_schema_words(key->path, words))
      fputs(ut_schema_word(key->path, (int)ut_value_whole(scenario, key)), f);
    else
      fprintf(f, "%" PRIu64, ut_value_whole(scenario, key));
    break;
  }
}

/* ---- keys without a value of their own */

/* Returns whether k and n determine the sizes: they do until one of these is changed. */
static bool is_k_ary(const struct ut_scenario *scenario) {
  bool alike = scenario->topology.k && scenario->topology.n == scenario->topology.sizes;
  for (unsigned i = 0; i < scenario->topology.sizes; i++)
    alike &= scenario->topology.size[i] == scenario->topology.k;
  return alike || !scenario->topology.sizes;
}

static void put_sizes(FILE *f, const struct ut_scenario *scenario) {
  for (unsigned i = 0; i < scenario->topology.sizes; i++)
    fprintf(f, "%s%u", i ? ", " : "[", scenario->topology.size[i]);
  fputc(']', f);
}

static void put_roots(FILE *f, const struct ut_planning *planning) {
  for (uint32_t i = 0; i < planning->roots; i++) {
    fputs(i ? ", " : "[", f);
    put_quoted(f, planning->root[i]);
  }
  fputc(']', f);
}

static const struct ut_list *list_of(const struct ut_scenario *scenario, const struct ut_key *key) {
  return !strcmp(key->path, "topology.down")       ? &scenario->topology.down
         : !strcmp(key->path, "topology.up")       ? &scenario->topology.up
         : !strcmp(key->path, "topology.cables")   ? &scenario->topology.cables
         : !strcmp(key->path, "traffic.hot_spots") ? &scenario->traffic.hot_spots
                                                   : NULL;
}

static void put_list(FILE *f, const struct ut_list *list) {
  for (unsigned i = 0; i < list->count; i++)
    fprintf(f, "%s%u", i ? ", " : "[", list->value[i]);
  fputc(']', f);
}

static void put_lengths(FILE *f, const struct ut_scenario *scenario) {
  const unsigned min = scenario->sw.shortest_packet_flits, max = scenario->sw.packet_flits;
  switch (scenario->sw.distribution) {
  case UT_LENGTHS_FIXED: fprintf(f, "%u", max); return;
  case UT_LENGTHS_EXPONENTIAL:
    fputs("{distribution: exponential, mean: ", f);
    put_real(f, scenario->sw.mean_flits);
    fprintf(f, ", min: %u, max: %u}", min, max);
    return;
  case UT_LENGTHS_UNIFORM: fprintf(f, "{distribution: uniform, min: %u, max: %u}", min, max); return;
  case UT_LENGTHS_BIMODAL:
    fprintf(f, "{distribution: bimodal, short: %u, long: %u, long_fraction: ", min, max);
    put_real(f, scenario->sw.long_fraction);
    fputc('}', f);
    return;
  }
}

/* A file, as seen from the scenario's folder: what lies elsewhere by its whole path. */
static void put_file(FILE *f, const struct ut_scenario *scenario, const char *file) {
  const char *slash = scenario->path ? strrchr(scenario->path, '/') : NULL;
  const size_t folder = slash ? (size_t)(slash - scenario->path) + 1 : 0;
  const bool below = !strncmp(file, scenario->path, folder);
  char *whole = below || *file == '/' ? NULL : realpath(file, NULL);
  put_quoted(f, whole ? whole : file + (below ? folder : 0));
  free(whole);
}

static bool is(const struct ut_key *key, const char *path) {
  return strcmp(key->path, path) == 0;
}

/* Writes the keys without a value of their own, of groups that are no lists; false: this is none of them. */
static bool put_own(FILE *f, const struct ut_scenario *scenario, const struct ut_key *key) {
  if (is(key, "topology.kind"))
    fputs(scenario->topology.family->kind, f);
  else if (is(key, "topology.sizes"))
    put_sizes(f, scenario);
  else if (is(key, "routing.algorithm"))
    fputs(scenario->routing.algorithm, f);
  else if (is(key, "traffic.pattern"))
    fputs(scenario->traffic.pattern->name, f);
  else if (is(key, "switch.packet_flits"))
    put_lengths(f, scenario);
  else if (is(key, "switch.shortest_packet_flits"))
    fprintf(f, "%u", scenario->sw.shortest_packet_flits);
  else if (is(key, "traffic.hot_spot_node"))
    fprintf(f, "%u", scenario->traffic.hot_spots.value[0]);
  else if (list_of(scenario, key))
    put_list(f, list_of(scenario, key));
  else if (is(key, "topology.file"))
    put_file(f, scenario, scenario->topology.file);
  else if (is(key, "traffic.terminal_loads_file"))
    put_file(f, scenario, scenario->traffic.terminal_loads_file);
  else if (is(key, "routing.roots"))
    put_roots(f, &scenario->routing.planning);
  else if (is(key, "routing.sl_file"))
    put_file(f, scenario, scenario->routing.planning.sl_file);
  else if (is(key, "routing.sl2vl_file"))
    put_file(f, scenario, scenario->routing.planning.sl2vl_file);
  else if (is(key, "routing.tables_file"))
    put_file(f, scenario, scenario->routing.planning.tables_file);
  else if (ut_key_names_file(key))
    put_file(f, scenario, scenario->traffic.file);
  else
    return false;
  return true;
}

/* ---- which keys */

static bool has_default(const struct ut_scenario *scenario, const struct ut_key *key) {
  struct ut_scenario other = *scenario;
  ut_value_fill(&other, key, NULL);
  return memcmp((const char *)&other + key->offset, (const char *)scenario + key->offset, key->size) == 0;
}

/* Routing keys that only some algorithms accept are written if they have an effect. */
static bool is_due(const struct ut_scenario *scenario, const struct ut_key *key);
static bool group_is_due(const struct ut_scenario *scenario, const char *group) {
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (in_group(key->path, group) && is_due(scenario, key))
      return true;
  return false;
}
static bool is_due(const struct ut_scenario *scenario, const struct ut_key *key) {
  if (key->takers && !(scenario->topology.family->keys & key->takers))
    return false;
  if (is(key, "topology.sizes"))
    return !is_k_ary(scenario);
  if ((is(key, "topology.local_ports") || is(key, "topology.groups")) && !ut_value_whole(scenario, key))
    return false; /* not given */
  if (is(key, "traffic.hot_spot_node") || is(key, "traffic.hot_spots"))
    if ((scenario->traffic.hot_spots.count == 1) != is(key, "traffic.hot_spot_node"))
      return false;
  if (is(key, "traffic.terminal_loads_file") && !scenario->traffic.terminal_loads_file)
    return false;
  if (in_group(key->path, "topology") && list_of(scenario, key))
    return list_of(scenario, key)->count > 0;
  if (is(key, "routing.sl_file"))
    return scenario->routing.planning.sl_file != NULL;
  if (is(key, "routing.sl2vl_file"))
    return scenario->routing.planning.sl2vl_file != NULL;
  if (is(key, "routing.tables_file"))
    return scenario->routing.planning.tables_file != NULL;
  if (is(key, "routing.roots"))
    return scenario->routing.planning.roots > 0;
  if (is(key, "topology.k") || is(key, "topology.n"))
    return is_k_ary(scenario);
  if (is(key, "switch.shortest_packet_flits")) {
    const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
    const bool fixed = scenario->sw.distribution == UT_LENGTHS_FIXED;
    return fixed &&
           scenario->sw.shortest_packet_flits != (algorithm && !algorithm->bubble ? 1 : scenario->sw.packet_flits);
  }
  if (is(key, "run.warmup_cycles"))
    return !ut_pattern_is_workload(scenario->traffic.pattern);
  if (is(key, "run.precision") || is(key, "run.max_cycles"))
    return scenario->run.warmup == UT_WARMUP_UNTIL_STABLE;
  for (const struct ut_pattern_key *of = ut_pattern_keys; of->path; of++)
    if (is(key, of->path))
      return ut_pattern_takes(scenario->traffic.pattern, of);
  if (is(key, "routing.update"))
    return scenario->routing.update != ut_scenario_usual_update(scenario);
  if (strncmp(key->path, "routing.", 8) == 0 && key->size)
    return !has_default(scenario, key);
  return ut_schema_type(key->path) != UT_VALUE_GROUP || group_is_due(scenario, key->path);
}

/* Returns whether a key has its default: the value it would have if the file did not say it. */
static bool goes_without_saying(const struct ut_scenario *scenario, const struct ut_key *key) {
  if (is(key, "topology.injection_cycles") || is(key, "topology.ejection_cycles") || is(key, "topology.global_cycles"))
    return ut_value_whole(scenario, key) == scenario->topology.link_cycles;
  if (is(key, "switch.vcs"))
    return scenario->sw.vcs == ut_scenario_vcs_needed(scenario);
  if (is(key, "run.measure_cycles") && ut_pattern_is_workload(scenario->traffic.pattern))
    return false;
  if (is(key, "switch.packet_flits"))
    return scenario->sw.distribution == UT_LENGTHS_FIXED && scenario->sw.packet_flits == ut_key_number(key->path);
  return key->size && key->otherwise && has_default(scenario, key);
}

static void put_group(FILE *f, const struct ut_scenario *scenario, const char *group, bool complete) {
  const char *before = "{";
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++) {
    if (!in_group(key->path, group) || !is_due(scenario, key) || (!complete && goes_without_saying(scenario, key)))
      continue;
    fprintf(f, "%s%s: ", before, strrchr(key->path, '.') + 1);
    before = ", ";
    if (key->size)
      put_value(f, scenario, key);
    else if (!put_own(f, scenario, key))
      put_group(f, scenario, key->path, complete);
  }
  fputs(*before == '{' ? "{}" : "}", f);
}

/* ---- faults */

/* The switch of a fault, by its name in a network of any form, and the number of its first port there. */
static unsigned put_switch(FILE *f, const struct ut_scenario *scenario, const struct ut_fault *fault) {
  const struct ut_topology *topo = scenario->topology.graph ? ut_scenario_topology(scenario) : NULL;
  if (!topo) {
    fprintf(f, "level: %u, switch: %u", fault->level, fault->index);
    return 0;
  }
  fputs("switch: ", f);
  put_quoted(f, topo->switch_label[ut_topology_switch(topo, fault->level, fault->index)]);
  return topo->first_port;
}

static void put_component(FILE *f, const struct ut_scenario *scenario, const struct ut_fault *fault) {
  switch (fault->kind) {
  case UT_FAULT_LINK:
    fputs("link: {", f);
    fprintf(f, ", port: %u}", put_switch(f, scenario, fault) + fault->port);
    break;
  case UT_FAULT_SWITCH:
    fputs("switch: {", f);
    put_switch(f, scenario, fault);
    fputc('}', f);
    break;
  case UT_FAULT_INJECTION: fprintf(f, "injection: {terminal: %u, link: %u}", fault->terminal, fault->link); break;
  case UT_FAULT_EJECTION: fprintf(f, "ejection: {terminal: %u, link: %u}", fault->terminal, fault->link); break;
  case UT_FAULT_RANDOM_LINKS: fprintf(f, "random_links: %u", fault->count); break;
  case UT_FAULT_RANDOM_SWITCHES: fprintf(f, "random_switches: %u", fault->count); break;
  case UT_FAULT_RANDOM_TERMINAL_LINKS: fprintf(f, "random_terminal_links: %u", fault->count); break;
  case UT_FAULT_RANDOM_SUBCUBE: fprintf(f, "random_subcube: %u", fault->count); break;
  }
}

static void put_fault(FILE *f, const struct ut_scenario *scenario, const struct ut_fault *fault) {
  fprintf(f, "  - {at: %" PRIu64, fault->at_cycle);
  if (fault->until_cycle != UINT64_MAX)
    fprintf(f, ", until: %" PRIu64, fault->until_cycle);
  if (fault->times > 1)
    fprintf(f, ", every: %" PRIu64 ", times: %u", fault->every_cycles, fault->times);
  fputs(", ", f);
  put_component(f, scenario, fault);
  if (fault->direction != UT_DIRECTION_BOTH)
    fprintf(f, ", direction: %s", ut_schema_word("faults.direction", (int)fault->direction));
  if (fault->apart)
    fprintf(f, ", apart: %u", fault->apart);
  if (fault->half_of != UT_NO_DIMENSION && fault->kind == UT_FAULT_RANDOM_SUBCUBE)
    fprintf(f, ", half_of: %u", fault->half_of);
  fputs("}\n", f);
}

static void put_scenario(FILE *f, const struct ut_scenario *scenario, bool complete) {
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++) {
    if (strchr(key->path, '.'))
      continue;
    const bool faults = ut_schema_type(key->path) == UT_VALUE_LIST;
    if (faults && !scenario->fault_count)
      continue;
    fprintf(f, "%s:%s", key->path, faults ? "\n" : " ");
    for (size_t i = 0; faults && i < scenario->fault_count; i++)
      put_fault(f, scenario, &scenario->faults[i]);
    if (!faults) {
      put_group(f, scenario, key->path, complete);
      fputc('\n', f);
    }
  }
}

void ut_scenario_write(FILE *f, const struct ut_scenario *scenario) {
  put_scenario(f, scenario, true);
}

void ut_scenario_write_short(FILE *f, const struct ut_scenario *scenario) {
  put_scenario(f, scenario, false);
}
