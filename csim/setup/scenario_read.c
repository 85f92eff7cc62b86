/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_read.c - see scenario_read.h
 *
 * A scenario goes through three steps: the text as a YAML document with places (scenario_document), the document by the
 * schema (scenario_schema), the values with each other (scenario_check).
 */
#define _POSIX_C_SOURCE 200809L
#include "scenario_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "fault_text.h"
#include "graph.h"
#include "input.h"
#include "input_limits.h"
#include "path_layers.h"
#include "paths.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_check.h"
#include "scenario_document.h"
#include "scenario_keys.h"
#include "scenario_schema.h"
#include "scenario_switches.h"
#include "scenario_values.h"
#include "switch.h"
#include "switch_tables.h"
#include "topology_build.h"

/* ---- values from libcyaml */

/* Returns the value of a word in the file, or the default of its key. */
static int word(const int *value, const char *key) {
  return value ? *value : ut_schema_default(key);
}
/* Returns a value of the file, or the one derived from others. */
static uint64_t number_or(const uint64_t *value, uint64_t otherwise) {
  return value ? *value : otherwise;
}

static int __attribute__((cold)) out_of_memory(const char *path, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
}

/* Returns the file's name without folder and without .yaml; NULL: out of memory. */
static char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  bool yaml = dot && dot != name && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
  return strndup(name, yaml ? (size_t)(dot - name) : strlen(name));
}

/* Returns the path of a file that the scenario names, relative to the scenario's folder; NULL: out of memory. */
static char *resolve(const char *scenario, const char *file) {
  const char *slash = strrchr(scenario, '/');
  size_t folder = slash && file[0] != '/' ? (size_t)(slash - scenario) + 1 : 0;
  char *path = malloc(folder + strlen(file) + 1);
  if (path) {
    memcpy(path, scenario, folder);
    strcpy(path + folder, file);
  }
  return path;
}

/* The same of a file that need not be given. */
static bool resolve_given(char **to, const char *scenario, const char *file) {
  *to = file ? resolve(scenario, file) : NULL;
  return !file || *to;
}

static void fill_list(struct ut_list *list, const uint64_t *value, uint32_t count) {
  for (uint32_t i = 0; value && i < count && i < UT_MAX_LIST; i++)
    list->value[list->count++] = (unsigned)value[i];
}

static void fill_hot_spots(struct ut_list *spots, const struct ut_raw_traffic *raw) {
  if (raw->hot_spots)
    fill_list(spots, raw->hot_spots, raw->hot_spots_count);
  else
    *spots = (struct ut_list){.count = 1, .value = {(unsigned)number_or(raw->hot_spot_node, 0)}};
}

/* Reads numbers and words; no key that needs memory. */
static void fill_values(struct ut_scenario *scenario, const struct ut_raw_scenario *raw) {
  scenario->topology.family = ut_families[*raw->topology.kind];
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->size)
      ut_value_fill(scenario, key, ut_schema_value(raw, key->path));

  const int *pattern = raw->traffic.pattern;
  scenario->traffic.pattern = ut_patterns[pattern ? *pattern : ut_schema_default("traffic.pattern")];
  const struct ut_raw_topology *topology = &raw->topology;
  for (unsigned i = 0; topology->sizes && i < topology->sizes_count && i < UT_MAX_DIMENSIONS; i++)
    scenario->topology.size[scenario->topology.sizes++] = (unsigned)topology->sizes[i];
  fill_list(&scenario->topology.down, topology->down, topology->down_count);
  fill_list(&scenario->topology.up, topology->up, topology->up_count);
  fill_list(&scenario->topology.cables, topology->cables, topology->cables_count);
  fill_hot_spots(&scenario->traffic.hot_spots, &raw->traffic);
  if (scenario->topology.family->keys & UT_KEY_FILE && !topology->local_ports) /* the file has terminals */
    scenario->topology.local_ports = 0;
  if (!topology->sizes && scenario->topology.family->derive)
    scenario->topology.family->derive(scenario);
  if (!topology->global_cycles)
    scenario->topology.global_cycles = scenario->topology.link_cycles;
  if (!topology->injection_cycles)
    scenario->topology.injection_cycles = scenario->topology.link_cycles;
  if (!topology->ejection_cycles)
    scenario->topology.ejection_cycles = scenario->topology.link_cycles;
  if (!raw->sw.vcs) /* provisional, until the algorithm is known */
    scenario->sw.vcs = 1;
  if (ut_pattern_is_workload(scenario->traffic.pattern)) { /* begins in cycle 0, and ends by itself */
    scenario->run.warmup_cycles = number_or(raw->run.warmup_cycles, 0);
    scenario->run.measure_cycles = number_or(raw->run.measure_cycles, UT_WORKLOAD_CYCLES);
  }
}

/* Returns the longest packet that fits into a buffer, with the header words of its sub-paths, if it must fit. */
static unsigned longest_that_fits(const struct ut_scenario *scenario, const struct ut_algorithm *algorithm) {
  if (scenario->sw.switching == UT_WORMHOLE)
    return UT_MAX_PACKET;
  const unsigned room = algorithm && algorithm->bubble ? scenario->sw.depth_flits / 2 : scenario->sw.depth_flits;
  return room > scenario->routing.intermediate ? room - scenario->routing.intermediate : 1;
}

static void fill_lengths(struct ut_scenario *scenario, const struct ut_raw_scenario *raw,
                         const struct ut_algorithm *algorithm) {
  const struct ut_raw_lengths *lengths = &raw->sw.packet_flits;
  scenario->sw.distribution = lengths->kind;
  scenario->sw.mean_flits = lengths->mean;
  scenario->sw.long_fraction = lengths->long_fraction;
  if (lengths->kind == UT_LENGTHS_FIXED) {
    scenario->sw.packet_flits = lengths->max ? lengths->max : (unsigned)ut_key_number("switch.packet_flits");
    scenario->sw.shortest_packet_flits = (unsigned)number_or(
        raw->sw.shortest_packet_flits, algorithm && !algorithm->bubble ? 1 : scenario->sw.packet_flits);
  } else {
    scenario->sw.packet_flits = lengths->max ? lengths->max : longest_that_fits(scenario, algorithm);
    scenario->sw.shortest_packet_flits = lengths->min ? lengths->min : 2; /* head and tail */
  }
}

/* Refuses a planner that the network, or a key, is not for. */
static int check_planner(const struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e) {
  const struct ut_planning *planning = &scenario->routing.planning;
  const bool file = planning->planner == UT_PLANNER_FILE;
  if (planning->planner == UT_PLANNER_DMODK && !(scenario->topology.family->keys & UT_KEY_CHILDREN))
    return ut_document_fail(document, ut_document_find(document, NULL, "routing.planner"), e, "take updown",
                            "'routing.planner': dmodk is for networks with 'down' and 'up'");
  if (file && !planning->tables_file)
    return ut_document_fail(document, ut_document_find(document, NULL, "routing"), e,
                            "as in tables_file: opensm-lfts.dump", "missing key 'tables_file' in 'routing'");
  if (!file && planning->tables_file)
    return ut_document_fail(document, ut_document_find(document, NULL, "routing.tables_file"), e, "add 'planner: file'",
                            "'routing.tables_file' has no meaning: the planner is another one");
  if (planning->sl_file && !file)
    return ut_document_fail(document, ut_document_find(document, NULL, "routing.sl_file"), e, "add 'planner: file'",
                            "'routing.sl_file' has no meaning: the planner is another one");
  if (planning->sl2vl_file && !planning->sl_file)
    return ut_document_fail(document, ut_document_find(document, NULL, "routing.sl2vl_file"), e,
                            "as in sl_file: psl.txt", "'routing.sl2vl_file' without 'sl_file'");
  return 0;
}

/* Reads the files of planner file. */
static int read_tables(struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_planning *planning = &scenario->routing.planning;
  const struct ut_graph *graph = scenario->topology.graph;
  if (planning->tables_file && !(planning->tables = ut_switch_tables_read(planning->tables_file, graph, e)))
    return -1;
  if (planning->sl_file && !(planning->layers = ut_path_layers_read(planning->sl_file, planning->sl2vl_file, graph, e)))
    return -1;
  if (planning->layers && planning->layers->most >= scenario->sw.vcs)
    return ut_fail(e, UT_BAD_INPUT, "%s: a packet on VC %u: give 'switch' so many, vcs: %u", planning->sl_file,
                   planning->layers->most, planning->layers->most + 1);
  return 0;
}

/* Makes the graph of a family that has one: reads its file, or generates it. */
static int make_graph(struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e) {
  const struct ut_planning *planning = &scenario->routing.planning;
  if (!scenario->topology.family->graph)
    return 0;
  if (ut_scenario_check_topology(scenario, document, e))
    return -1;
  scenario->topology.graph = scenario->topology.family->graph(scenario, e);
  for (uint32_t i = 0; scenario->topology.graph && i < planning->roots; i++)
    if (!ut_graph_has_switch(scenario->topology.graph, planning->root[i]))
      return ut_document_fail(document, ut_document_find(document, NULL, "routing.roots"), e,
                              "`uturn net` prints the names", "'routing.roots': there is no switch '%s'",
                              planning->root[i]);
  if (!scenario->topology.graph || check_planner(scenario, document, e))
    return -1;
  return read_tables(scenario, e);
}

static int fill_names(struct ut_scenario *scenario, const struct ut_raw_scenario *raw, const char *path,
                      struct ut_error *e) {
  const char *const files[] = {raw->traffic.permutation_file, raw->traffic.trace_file, raw->traffic.rates_file,
                               raw->traffic.dependency_file,
                               raw->traffic.goal_file}; /* must be given exactly one of them: scenario_check.c */
  const char *file = NULL;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    file = files[i] ? files[i] : file;
  scenario->path = strdup(path);
  scenario->name = base_name(path);
  scenario->routing.algorithm = strdup(raw->routing.algorithm);
  scenario->traffic.file = file ? resolve(path, file) : NULL;
  scenario->traffic.terminal_loads_file =
      raw->traffic.terminal_loads_file ? resolve(path, raw->traffic.terminal_loads_file) : NULL;
  scenario->topology.file = raw->topology.file ? resolve(path, raw->topology.file) : NULL;
  bool complete = scenario->path && scenario->name && scenario->routing.algorithm &&
                  (!file || scenario->traffic.file) &&
                  (!raw->traffic.terminal_loads_file || scenario->traffic.terminal_loads_file) &&
                  (!raw->topology.file || scenario->topology.file);
  struct ut_planning *planning = &scenario->routing.planning;
  complete &= resolve_given(&planning->tables_file, path, raw->routing.tables_file) &&
              resolve_given(&planning->sl_file, path, raw->routing.sl_file) &&
              resolve_given(&planning->sl2vl_file, path, raw->routing.sl2vl_file);
  complete &= ut_planning_name_roots(&scenario->routing.planning, raw->routing.roots, raw->routing.roots_count);
  if (!complete)
    return out_of_memory(path, e);
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  if (!raw->sw.vcs && algorithm)
    scenario->sw.vcs = ut_scenario_vcs_needed(scenario);
  if (!raw->routing.update && algorithm)
    scenario->routing.update = ut_scenario_usual_update(scenario);
  fill_lengths(scenario, raw, algorithm);
  return 0;
}

static int read_fault_text(struct ut_fault *fault, const struct ut_topology *topo, struct ut_document *document,
                           const yaml_node_t *node, struct ut_error *e) {
  struct ut_error problem;
  const int result = ut_fault_read(fault, topo, (const char *)node->data.scalar.value, &problem);
  fault->line = (unsigned)node->start_mark.line + 1;
  return result ? ut_document_fail(document, node, e, NULL, "%s", problem.text) : 0;
}

/* The switch of entry i, where it is given by its name, or of its number in a level if there is one; NULL: it has none.
 */
static const yaml_node_t *switch_of(struct ut_document *document, const struct ut_fault *fault, size_t i, bool *named) {
  char path[48];
  snprintf(path, sizeof path, "faults[%zu].%s", i, fault->kind == UT_FAULT_LINK ? "link" : "switch");
  yaml_node_t *component = ut_document_find(document, NULL, path);
  if ((fault->kind != UT_FAULT_LINK && fault->kind != UT_FAULT_SWITCH) || !component)
    return NULL;
  *named = !ut_document_find(document, component, "level");
  return ut_document_find(document, component, "switch");
}

/* Puts the switch of that name into a fault whose port is counted as commands print it. */
static int place_fault(struct ut_fault *fault, const struct ut_topology *topo, struct ut_document *document,
                       const yaml_node_t *node, struct ut_error *e) {
  const char *name = (const char *)node->data.scalar.value;
  const uint32_t sw = ut_topology_switch_named(topo, name);
  if (sw == UINT32_MAX)
    return ut_document_fail(document, node, e, "`uturn net` prints the names; a number goes with a level",
                            "there is no switch '%s' in this network", name);
  if (fault->kind == UT_FAULT_LINK && fault->port < topo->first_port)
    return ut_document_fail(document, node, e, NULL, "port %u: the ports of '%s' are counted from %u", fault->port,
                            name, topo->first_port);
  fault->level = topo->level[sw];
  fault->index = topo->position[sw];
  fault->port -= fault->kind == UT_FAULT_LINK ? topo->first_port : 0;
  return 0;
}

/* Entries that name what the topology has, as a text or by the name of a switch, so that it must be right before. */
static int read_fault_names(struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e) {
  struct ut_topology topo = {0};
  int result = 0;
  for (size_t i = 0; i < scenario->fault_count && !result; i++) {
    char path[32];
    snprintf(path, sizeof path, "faults[%zu]", i);
    const yaml_node_t *node = ut_document_find(document, NULL, path);
    struct ut_fault *fault = &scenario->faults[i];
    const bool text = node->type == YAML_SCALAR_NODE;
    bool named = false;
    const yaml_node_t *name = text ? NULL : switch_of(document, fault, i, &named);
    if (!text && !named)
      continue;
    if (!topo.switches && (ut_scenario_check_topology(scenario, document, e) || ut_topology_init(&topo, scenario, e)))
      return -1;
    result = text ? read_fault_text(fault, &topo, document, node, e) : place_fault(fault, &topo, document, name, e);
  }
  ut_topology_free(&topo);
  return result;
}

/* The number of a faulty switch in its level; 0: it has a name, read_fault_names(). */
static unsigned index_of(struct ut_document *document, const struct ut_fault *fault, size_t i) {
  bool named = false;
  const yaml_node_t *node = switch_of(document, fault, i, &named);
  return node && !named ? (unsigned)strtoul((const char *)node->data.scalar.value, NULL, 10) : 0;
}

/* Entry i of the list; what it breaks down must be said exactly once. */
static int fill_fault(struct ut_fault *fault, const struct ut_raw_fault *raw, struct ut_document *document, size_t i,
                      struct ut_error *e) {
  char path[32];
  snprintf(path, sizeof path, "faults[%zu]", i);
  const yaml_node_t *node = ut_document_find(document, NULL, path);
  if (node->type == YAML_SCALAR_NODE)
    return 0; /* read_fault_names() */
  const struct ut_raw_component *const component[] = {[UT_FAULT_LINK] = raw->link,
                                                      [UT_FAULT_SWITCH] = raw->sw,
                                                      [UT_FAULT_INJECTION] = raw->injection,
                                                      [UT_FAULT_EJECTION] = raw->ejection};
  const uint64_t *const count[] = {[UT_FAULT_RANDOM_LINKS] = raw->random_links,
                                   [UT_FAULT_RANDOM_SWITCHES] = raw->random_switches,
                                   [UT_FAULT_RANDOM_TERMINAL_LINKS] = raw->random_terminal_links,
                                   [UT_FAULT_RANDOM_SUBCUBE] = raw->random_subcube};
  unsigned kinds = 0;
  *fault = (struct ut_fault){.at_cycle = number_or(raw->at, 0),
                             .until_cycle = number_or(raw->until, UINT64_MAX),
                             .every_cycles = number_or(raw->every, 0),
                             .times = (unsigned)number_or(raw->times, 1),
                             .direction = (enum ut_direction)word(raw->direction, "faults.direction"),
                             .apart = (unsigned)number_or(raw->apart, 0),
                             .half_of = (unsigned)number_or(raw->half_of, UT_NO_DIMENSION),
                             .line = (unsigned)node->start_mark.line + 1};
  for (unsigned kind = 0; kind < sizeof count / sizeof count[0]; kind++) {
    const struct ut_raw_component *raw_component = kind < UT_FAULT_RANDOM_LINKS ? component[kind] : NULL;
    if (!raw_component && (kind < UT_FAULT_RANDOM_LINKS || !count[kind]))
      continue;
    kinds++;
    fault->kind = (enum ut_fault_kind)kind;
    fault->level = raw_component ? (unsigned)number_or(raw_component->level, 0) : 0;
    fault->index = raw_component ? index_of(document, fault, i) : 0;
    fault->port = raw_component ? (unsigned)number_or(raw_component->port, 0) : 0;
    fault->terminal = raw_component ? (unsigned)number_or(raw_component->terminal, 0) : 0;
    fault->link = raw_component ? (unsigned)number_or(raw_component->link, 0) : 0;
    fault->count = (unsigned)number_or(count[kind], 0);
  }
  const bool link = fault->kind == UT_FAULT_LINK || fault->kind == UT_FAULT_RANDOM_LINKS;
  if (kinds != 1)
    return ut_document_fail(document, node, e,
                            "expected one of: link, switch, injection, ejection, random_links, random_switches, "
                            "random_terminal_links, random_subcube",
                            kinds ? "'%s' says more than one thing that fails" : "'%s' does not say what fails", path);
  if (raw->direction && !link)
    return ut_document_fail(document, node, e, NULL, "'direction' in '%s' goes with link and random_links", path);
  if (raw->apart && fault->kind != UT_FAULT_RANDOM_SWITCHES)
    return ut_document_fail(document, node, e, NULL, "'apart' in '%s' goes with random_switches", path);
  if (raw->half_of && fault->kind != UT_FAULT_RANDOM_SUBCUBE)
    return ut_document_fail(document, node, e, NULL, "'half_of' in '%s' goes with random_subcube", path);
  return 0;
}

static int fill_faults(struct ut_scenario *scenario, const struct ut_raw_scenario *raw, struct ut_document *document,
                       struct ut_error *e) {
  if (raw->faults_count == 0)
    return 0;
  if (raw->faults_count > UT_LIMIT_FAULTS)
    return ut_document_fail(document, ut_document_find(document, NULL, "faults"), e,
                            "random_links and random_switches draw many in one entry",
                            "%u entries of 'faults', at most %d are read", (unsigned)raw->faults_count,
                            UT_LIMIT_FAULTS);
  scenario->faults = calloc(raw->faults_count, sizeof *scenario->faults);
  if (!scenario->faults)
    return out_of_memory(document->path, e);
  scenario->fault_count = raw->faults_count;
  for (size_t i = 0; i < scenario->fault_count; i++)
    if (fill_fault(&scenario->faults[i], &raw->faults[i], document, i, e))
      return -1;
  return 0;
}

static struct ut_scenario *from_document(struct ut_document *document, struct ut_error *e) {
  struct ut_raw_scenario *raw = ut_schema_load(document, e);
  if (!raw)
    return NULL;
  struct ut_scenario *scenario = calloc(1, sizeof *scenario);
  int result = scenario ? 0 : out_of_memory(document->path, e);
  if (!result)
    fill_values(scenario, raw);
  if (!result)
    result = fill_names(scenario, raw, document->path, e);
  if (!result)
    result = make_graph(scenario, document, e);
  if (!result)
    result = fill_faults(scenario, raw, document, e);
  ut_schema_free(raw);
  if (!result)
    result = read_fault_names(scenario, document, e);
  if (!result)
    result = ut_scenario_check(scenario, document, e);
  if (!result)
    return scenario;
  ut_scenario_free(scenario);
  return NULL;
}

struct ut_scenario *ut_scenario_parse(const char *text, size_t length, const char *path, struct ut_error *e) {
  static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};
  if (length >= sizeof byte_order_mark && memcmp(text, byte_order_mark, sizeof byte_order_mark) == 0) {
    text += sizeof byte_order_mark;
    length -= sizeof byte_order_mark;
  }
  struct ut_document document;
  if (ut_document_load(&document, text, length, path, e))
    return NULL;
  struct ut_scenario *scenario = from_document(&document, e);
  ut_document_free(&document);
  return scenario;
}

struct ut_scenario *ut_scenario_load(const char *path, struct ut_error *e) {
  size_t length = 0;
  char *text = ut_input_read(path, "scenario", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &length, e);
  struct ut_scenario *scenario = text ? ut_scenario_parse(text, length, path, e) : NULL;
  free(text);
  return scenario;
}

void ut_scenario_free(struct ut_scenario *scenario) {
  if (!scenario)
    return;
  free(scenario->path);
  free(scenario->name);
  free(scenario->routing.algorithm);
  free(scenario->traffic.file);
  free(scenario->traffic.terminal_loads_file);
  free(scenario->faults);
  free(scenario->topology.file);
  ut_path_layers_free(scenario->routing.planning.layers);
  ut_switch_tables_free(scenario->routing.planning.tables);
  ut_graph_free(scenario->topology.graph);
  ut_planning_free(&scenario->routing.planning);
  ut_scenario_unbuild(scenario);
  ut_paths_free(scenario->paths);
  if (scenario->replanner.free)
    scenario->replanner.free(scenario->replanner.self);
  free(scenario);
}
