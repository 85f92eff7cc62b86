/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_schema.c - see scenario_schema.h
 *
 * One set of tables serves two readers: libcyaml, which makes structs of a file, and the check before it, which words
 * the errors (libcyaml stops at the first one too, but its messages know neither column nor what was meant).
 */
#include "scenario_schema.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "families.h"
#include "input_limits.h"
#include "nearest.h"
#include "patterns.h"
#include "scenario.h"
#include "scenario_keys.h"

/* ---- keys ---- */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OPTIONAL CYAML_FLAG_OPTIONAL
#define MANDATORY CYAML_FLAG_DEFAULT
#define UINT(key, need, type, member) CYAML_FIELD_UINT_PTR(key, need, struct type, member)
#define REAL(key, need, type, member) CYAML_FIELD_FLOAT_PTR(key, (need) | CYAML_FLAG_STRICT, struct type, member)
#define TEXT(key, need, type, member) CYAML_FIELD_STRING_PTR(key, need, struct type, member, 1, CYAML_UNLIMITED)
#define WORD(key, need, type, member, words)                                                                           \
  CYAML_FIELD_ENUM_PTR(key, (need) | CYAML_FLAG_STRICT, struct type, member, words, COUNT(words))

#define STRVAL(text, value) {text, value},
#define NO_WORDS(...)
#define SWITCH_WORDS(key, ...) static const cyaml_strval_t words_of_##key[] = {UT_WORDS_OF_##key(STRVAL)};
UT_SWITCH_KEYS(NO_WORDS, SWITCH_WORDS, NO_WORDS, NO_WORDS)
static const cyaml_strval_t resend_causes[] = {{"any", UT_RESEND_ANY}, {"notice", UT_RESEND_NOTICE}};
static const cyaml_strval_t clears[] = {{"timer", UT_CLEAR_TIMER}, {"repair", UT_CLEAR_REPAIR}};
static const cyaml_strval_t planners[] = {{"updown", UT_PLANNER_UPDOWN},
                                          {"minimal", UT_PLANNER_MINIMAL},
                                          {"layers", UT_PLANNER_LAYERS},
                                          {"hops", UT_PLANNER_HOPS},
                                          {"global_hops", UT_PLANNER_GLOBAL_HOPS},
                                          {"valiant", UT_PLANNER_VALIANT},
                                          {"ugal", UT_PLANNER_UGAL},
                                          {"dmodk", UT_PLANNER_DMODK},
                                          {"file", UT_PLANNER_FILE}};
static const cyaml_strval_t arrangements[] = {{"relative", UT_ARRANGEMENT_RELATIVE},
                                              {"absolute", UT_ARRANGEMENT_ABSOLUTE}};
static const cyaml_strval_t too_few[] = {{"discard", UT_TOO_FEW_DISCARD}, {"share", UT_TOO_FEW_SHARE}};
static const cyaml_strval_t tables[] = {{"reconfigured", UT_TABLES_RECONFIGURED}, {"static", UT_TABLES_STATIC}};
static const cyaml_strval_t reconfigurations[] = {{"dynamic", UT_RECONFIGURATION_DYNAMIC},
                                                  {"static", UT_RECONFIGURATION_STATIC}};
static const cyaml_strval_t updates[] = {
    {"mixed", UT_UPDATE_MIXED}, {"two_phase", UT_UPDATE_TWO_PHASE}, {"safe", UT_UPDATE_SAFE}};
static const cyaml_strval_t parallel[] = {{"dynamic", UT_LINKS_DYNAMIC}, {"static", UT_LINKS_STATIC}};
static const cyaml_strval_t warmups[] = {
    {"cycles", UT_WARMUP_CYCLES},
    {"until_stable", UT_WARMUP_UNTIL_STABLE},
};
static const cyaml_strval_t directions[] = {
    {"both", UT_DIRECTION_BOTH}, {"out", UT_DIRECTION_OUT}, {"in", UT_DIRECTION_IN}};
#define PATTERN(name) {#name, UT_PATTERN_##name},
static const cyaml_strval_t patterns[] = {UT_FOR_EACH_PATTERN(PATTERN)};
_Static_assert((int)UT_PATTERNS <= (int)UT_MAX_WORDS, "all words of a key are listed at once");
static const cyaml_strval_t distributions[] = {
    {"exponential", UT_LENGTHS_EXPONENTIAL}, {"uniform", UT_LENGTHS_UNIFORM}, {"bimodal", UT_LENGTHS_BIMODAL}};
static const cyaml_strval_t overs[] = {
    {"terminals", UT_OVER_TERMINALS}, {"groups", UT_OVER_GROUPS}, {"switches", UT_OVER_SWITCHES}};
static const cyaml_strval_t members[] = {{"random", UT_MEMBER_RANDOM}, {"same", UT_MEMBER_SAME}};
static const cyaml_strval_t processes[] = {{"bernoulli", UT_BERNOULLI}, {"poisson", UT_POISSON}};

#define FAMILY(name) {#name, UT_FAMILY_##name},
static const cyaml_strval_t families[] = {UT_FOR_EACH_FAMILY(FAMILY)};

static const cyaml_schema_value_t size_entry = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint64_t)};

#define NUMBERS(key, member)                                                                                           \
  CYAML_FIELD_SEQUENCE(key, OPTIONAL | CYAML_FLAG_POINTER, struct ut_raw_topology, member, &size_entry, 1,             \
                       UT_MAX_SIZE_LIST)
static const cyaml_schema_field_t topology_keys[] = {
    WORD("kind", MANDATORY, ut_raw_topology, kind, families),
    UINT("k", OPTIONAL, ut_raw_topology, k),
    UINT("n", OPTIONAL, ut_raw_topology, n),
    CYAML_FIELD_SEQUENCE("sizes", OPTIONAL | CYAML_FLAG_POINTER, struct ut_raw_topology, sizes, &size_entry, 1,
                         UT_MAX_DIMENSIONS),
    UINT("local_ports", OPTIONAL, ut_raw_topology, local_ports),
    UINT("groups", OPTIONAL, ut_raw_topology, groups),
    UINT("routers", OPTIONAL, ut_raw_topology, routers),
    UINT("global_links", OPTIONAL, ut_raw_topology, global_links),
    UINT("global_cycles", OPTIONAL, ut_raw_topology, global_cycles),
    WORD("global_arrangement", OPTIONAL, ut_raw_topology, global_arrangement, arrangements),
    UINT("q", OPTIONAL, ut_raw_topology, q),
    NUMBERS("down", down),
    NUMBERS("up", up),
    NUMBERS("cables", cables),
    TEXT("file", OPTIONAL, ut_raw_topology, file),
    UINT("terminal_links", OPTIONAL, ut_raw_topology, terminal_links),
    UINT("link_cycles", OPTIONAL, ut_raw_topology, link_cycles),
    UINT("injection_cycles", OPTIONAL, ut_raw_topology, injection_cycles),
    UINT("ejection_cycles", OPTIONAL, ut_raw_topology, ejection_cycles),
    CYAML_FIELD_END,
};

#define NUMBER_FIELD(key, ...) UINT(#key, OPTIONAL, ut_raw_switch, key),
#define WORD_FIELD(key, ...) WORD(#key, OPTIONAL, ut_raw_switch, key, words_of_##key),
#define TRUTH_FIELD(key, ...) CYAML_FIELD_BOOL_PTR(#key, OPTIONAL, struct ut_raw_switch, key),
#define OWN_FIELD(key) FIELD_OF_##key,
/* a number or a group of keys, which libcyaml has no type for */
#define FIELD_OF_packet_flits CYAML_FIELD_IGNORE("packet_flits", OPTIONAL)
#define FIELD_OF_shortest_packet_flits UINT("shortest_packet_flits", OPTIONAL, ut_raw_switch, shortest_packet_flits)
static const cyaml_schema_field_t switch_keys[] = {
    UT_SWITCH_KEYS(NUMBER_FIELD, WORD_FIELD, TRUTH_FIELD, OWN_FIELD) CYAML_FIELD_END,
};

/* Keys of `packet_flits`.  Only the check uses them, and read_lengths(), which interprets them. */
static const cyaml_schema_field_t length_keys[] = {
    {.key = "distribution",
     .value = {.type = CYAML_ENUM,
               .flags = OPTIONAL | CYAML_FLAG_STRICT,
               .enumeration = {.strings = distributions, .count = COUNT(distributions)}}},
    {.key = "mean", .value = {.type = CYAML_FLOAT, .flags = OPTIONAL}},
    {.key = "min", .value = {.type = CYAML_UINT, .flags = OPTIONAL}},
    {.key = "max", .value = {.type = CYAML_UINT, .flags = OPTIONAL}},
    {.key = "short", .value = {.type = CYAML_UINT, .flags = OPTIONAL}},
    {.key = "long", .value = {.type = CYAML_UINT, .flags = OPTIONAL}},
    {.key = "long_fraction", .value = {.type = CYAML_FLOAT, .flags = OPTIONAL}},
    CYAML_FIELD_END,
};

const struct ut_length_keys ut_length_keys[] = {
    {"exponential", {"mean"}, {"min", "max"}, "as in {distribution: exponential, mean: 20}"},
    {"uniform", {"min", "max"}, {NULL}, "as in {distribution: uniform, min: 1, max: 39}"},
    {"bimodal",
     {"short", "long", "long_fraction"},
     {NULL},
     "as in {distribution: bimodal, short: 2, long: 18, long_fraction: 0.5}"},
    {.word = NULL},
};

static const cyaml_schema_field_t mechanism_keys[] = {
    UINT("intermediate", OPTIONAL, ut_raw_mechanisms, intermediate),
    CYAML_FIELD_BOOL_PTR("deterministic", OPTIONAL, struct ut_raw_mechanisms, deterministic),
    CYAML_FIELD_BOOL_PTR("misroute", OPTIONAL, struct ut_raw_mechanisms, misroute),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t root_entry = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED)};

static const cyaml_schema_field_t routing_keys[] = {
    TEXT("algorithm", MANDATORY, ut_raw_routing, algorithm),
    UINT("reroute_timeout_cycles", OPTIONAL, ut_raw_routing, reroute_timeout_cycles),
    WORD("reroute_clear", OPTIONAL, ut_raw_routing, reroute_clear, clears),
    UINT("exclusion_intervals", OPTIONAL, ut_raw_routing, exclusion_intervals),
    WORD("planner", OPTIONAL, ut_raw_routing, planner, planners),
    WORD("too_few_vcs", OPTIONAL, ut_raw_routing, too_few_vcs, too_few),
    CYAML_FIELD_SEQUENCE("roots", OPTIONAL | CYAML_FLAG_POINTER, struct ut_raw_routing, roots, &root_entry, 1, 4096),
    TEXT("tables_file", OPTIONAL, ut_raw_routing, tables_file),
    TEXT("sl_file", OPTIONAL, ut_raw_routing, sl_file),
    TEXT("sl2vl_file", OPTIONAL, ut_raw_routing, sl2vl_file),
    WORD("tables", OPTIONAL, ut_raw_routing, tables, tables),
    WORD("reconfiguration", OPTIONAL, ut_raw_routing, reconfiguration, reconfigurations),
    WORD("update", OPTIONAL, ut_raw_routing, update, updates),
    WORD("parallel_links", OPTIONAL, ut_raw_routing, parallel_links, parallel),
    UINT("manager_delay_cycles", OPTIONAL, ut_raw_routing, manager_delay_cycles),
    UINT("manager_switch_cycles", OPTIONAL, ut_raw_routing, manager_switch_cycles),
    UINT("drain_timeout_cycles", OPTIONAL, ut_raw_routing, drain_timeout_cycles),
    CYAML_FIELD_BOOL_PTR("beyond_fault_model", OPTIONAL, struct ut_raw_routing, beyond_fault_model),
    UINT("purge_timeout_cycles", OPTIONAL, ut_raw_routing, purge_timeout_cycles),
    CYAML_FIELD_MAPPING_PTR("mechanisms", OPTIONAL, struct ut_raw_routing, mechanisms, mechanism_keys),
    CYAML_FIELD_BOOL_PTR("plane_bypass", OPTIONAL, struct ut_raw_routing, plane_bypass),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t traffic_keys[] = {
    WORD("pattern", OPTIONAL, ut_raw_traffic, pattern, patterns),
    REAL("load_flits_per_cycle", OPTIONAL, ut_raw_traffic, load_flits_per_cycle),
    WORD("process", OPTIONAL, ut_raw_traffic, process, processes),
    REAL("hot_spot_fraction", OPTIONAL, ut_raw_traffic, hot_spot_fraction),
    UINT("hot_spot_node", OPTIONAL, ut_raw_traffic, hot_spot_node),
    CYAML_FIELD_SEQUENCE("hot_spots", OPTIONAL | CYAML_FLAG_POINTER, struct ut_raw_traffic, hot_spots, &size_entry, 1,
                         UT_MAX_LIST),
    UINT("shift", OPTIONAL, ut_raw_traffic, shift),
    WORD("over", OPTIONAL, ut_raw_traffic, over, overs),
    WORD("member", OPTIONAL, ut_raw_traffic, member, members),
    TEXT("permutation_file", OPTIONAL, ut_raw_traffic, permutation_file),
    TEXT("trace_file", OPTIONAL, ut_raw_traffic, trace_file),
    TEXT("rates_file", OPTIONAL, ut_raw_traffic, rates_file),
    TEXT("terminal_loads_file", OPTIONAL, ut_raw_traffic, terminal_loads_file),
    UINT("message_bytes", OPTIONAL, ut_raw_traffic, message_bytes),
    UINT("root", OPTIONAL, ut_raw_traffic, root),
    UINT("compute_cycles", OPTIONAL, ut_raw_traffic, compute_cycles),
    TEXT("dependency_file", OPTIONAL, ut_raw_traffic, dependency_file),
    TEXT("goal_file", OPTIONAL, ut_raw_traffic, goal_file),
    REAL("cycles_per_calc", OPTIONAL, ut_raw_traffic, cycles_per_calc),
    UINT("repeat", OPTIONAL, ut_raw_traffic, repeat),
    UINT("resend_after_cycles", OPTIONAL, ut_raw_traffic, resend_after_cycles),
    UINT("resend_limit", OPTIONAL, ut_raw_traffic, resend_limit),
    UINT("resend_stop_cycles", OPTIONAL, ut_raw_traffic, resend_stop_cycles),
    WORD("resend_cause", OPTIONAL, ut_raw_traffic, resend_cause, resend_causes),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t link_keys[] = {
    UINT("level", OPTIONAL, ut_raw_component, level),
    CYAML_FIELD_IGNORE("switch", MANDATORY),
    UINT("port", MANDATORY, ut_raw_component, port),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t faulty_switch_keys[] = {
    UINT("level", OPTIONAL, ut_raw_component, level),
    CYAML_FIELD_IGNORE("switch", MANDATORY),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t terminal_link_keys[] = {
    UINT("terminal", MANDATORY, ut_raw_component, terminal),
    UINT("link", OPTIONAL, ut_raw_component, link),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t fault_keys[] = {
    UINT("at", MANDATORY, ut_raw_fault, at),
    UINT("until", OPTIONAL, ut_raw_fault, until),
    UINT("every", OPTIONAL, ut_raw_fault, every),
    UINT("times", OPTIONAL, ut_raw_fault, times),
    CYAML_FIELD_MAPPING_PTR("link", OPTIONAL, struct ut_raw_fault, link, link_keys),
    CYAML_FIELD_MAPPING_PTR("switch", OPTIONAL, struct ut_raw_fault, sw, faulty_switch_keys),
    CYAML_FIELD_MAPPING_PTR("injection", OPTIONAL, struct ut_raw_fault, injection, terminal_link_keys),
    CYAML_FIELD_MAPPING_PTR("ejection", OPTIONAL, struct ut_raw_fault, ejection, terminal_link_keys),
    WORD("direction", OPTIONAL, ut_raw_fault, direction, directions),
    UINT("random_links", OPTIONAL, ut_raw_fault, random_links),
    UINT("random_switches", OPTIONAL, ut_raw_fault, random_switches),
    UINT("apart", OPTIONAL, ut_raw_fault, apart),
    UINT("random_subcube", OPTIONAL, ut_raw_fault, random_subcube),
    UINT("half_of", OPTIONAL, ut_raw_fault, half_of),
    UINT("random_terminal_links", OPTIONAL, ut_raw_fault, random_terminal_links),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t fault_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ut_raw_fault, fault_keys),
};

static const cyaml_schema_field_t run_keys[] = {
    WORD("warmup", OPTIONAL, ut_raw_run, warmup, warmups),
    UINT("warmup_cycles", OPTIONAL, ut_raw_run, warmup_cycles),
    UINT("measure_cycles", OPTIONAL, ut_raw_run, measure_cycles),
    REAL("precision", OPTIONAL, ut_raw_run, precision),
    UINT("max_cycles", OPTIONAL, ut_raw_run, max_cycles),
    CYAML_FIELD_BOOL_PTR("drain", OPTIONAL, struct ut_raw_run, drain),
    UINT("drain_limit_cycles", OPTIONAL, ut_raw_run, drain_limit_cycles),
    UINT("watchdog_cycles", OPTIONAL, ut_raw_run, watchdog_cycles),
    UINT("seed", OPTIONAL, ut_raw_run, seed),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t sections[] = {
    CYAML_FIELD_MAPPING("topology", MANDATORY, struct ut_raw_scenario, topology, topology_keys),
    CYAML_FIELD_MAPPING("switch", OPTIONAL, struct ut_raw_scenario, sw, switch_keys),
    CYAML_FIELD_MAPPING("routing", MANDATORY, struct ut_raw_scenario, routing, routing_keys),
    CYAML_FIELD_MAPPING("traffic", MANDATORY, struct ut_raw_scenario, traffic, traffic_keys),
    CYAML_FIELD_SEQUENCE("faults", OPTIONAL | CYAML_FLAG_POINTER, struct ut_raw_scenario, faults, &fault_entry, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING("run", OPTIONAL, struct ut_raw_scenario, run, run_keys),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct ut_raw_scenario, sections),
};

/* ---- the check ---- */

/* Checks the range of a number; files other than scenarios have keys without a range. */
static const struct ut_key unlimited = {.max = UINT64_MAX, .multiple = 1};
static const struct ut_key *range_of(const char *path) {
  const struct ut_key *key = ut_key_find(path);
  return key && key->multiple ? key : &unlimited;
}

enum { PATH_SIZE = 64, MAX_NAMES = 24 };

static int check_value(struct ut_document *document, const yaml_node_t *node, const cyaml_schema_value_t *value,
                       const char *path, struct ut_error *e);

static int expected(const struct ut_document *document, const yaml_node_t *node, const char *path, const char *what,
                    const char *hint, struct ut_error *e) {
  char found[UT_FOUND_SIZE];
  return ut_document_fail(document, node, e, hint, "'%s': expected %s, found %s", path, what,
                          ut_document_found(node, found));
}

const char *ut_schema_hint(const char *word, const char *const *names, size_t count, char *text, size_t size) {
  const char *nearest = ut_nearest(word, names, count);
  if (nearest) {
    snprintf(text, size, "did you mean '%s'?", nearest);
    return text;
  }
  size_t used = (size_t)snprintf(text, size, "expected %s%s", count > 1 ? "one of: " : "", names[0]);
  for (size_t i = 1; i < count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, ", %s", names[i]);
  return text;
}

static const cyaml_schema_field_t *find_key(const cyaml_schema_field_t *keys, const char *name) {
  for (; keys->key; keys++)
    if (strcmp(keys->key, name) == 0)
      return keys;
  return NULL;
}

static int unknown_key(const struct ut_document *document, const yaml_node_t *node, const cyaml_schema_field_t *keys,
                       const char *path, struct ut_error *e) {
  const char *word = (const char *)node->data.scalar.value;
  const char *names[MAX_NAMES];
  char hint[256], found[UT_FOUND_SIZE], place[PATH_SIZE + 8] = "";
  size_t count = 0;
  for (; keys[count].key && count < MAX_NAMES; count++)
    names[count] = keys[count].key;
  ut_schema_hint(word, names, count, hint, sizeof hint);
  if (!ut_nearest(word, names, count)) /* the right name in the wrong section? */
    for (const cyaml_schema_field_t *section = sections; section->key; section++)
      if (section->value.type == CYAML_MAPPING && find_key(section->value.mapping.fields, word))
        snprintf(hint, sizeof hint, "the key '%s' belongs to '%s'", word, section->key);
  if (*path)
    snprintf(place, sizeof place, " in '%s'", path);
  return ut_document_fail(document, node, e, hint, "unknown key %s%s", ut_document_found(node, found), place);
}

static int check_keys(struct ut_document *document, const yaml_node_t *node, const cyaml_schema_field_t *keys,
                      const char *path, struct ut_error *e) {
  const yaml_node_t *seen[MAX_NAMES] = {0};
  char below[PATH_SIZE];
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *name = yaml_document_get_node(&document->yaml, pair->key);
    if (name->type != YAML_SCALAR_NODE)
      return expected(document, name, path, "the name of a key", NULL, e);
    const cyaml_schema_field_t *key = find_key(keys, (const char *)name->data.scalar.value);
    if (!key || strlen(key->key) != name->data.scalar.length)
      return unknown_key(document, name, keys, path, e);
    const yaml_node_t **first = &seen[key - keys];
    if (*first)
      return ut_document_fail(document, name, e, NULL, "duplicate key '%s', already in line %zu", key->key,
                              (*first)->start_mark.line + 1);
    *first = name;
    snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key->key);
    if (check_value(document, yaml_document_get_node(&document->yaml, pair->value), &key->value, below, e))
      return -1;
  }
  for (size_t i = 0; keys[i].key; i++)
    if (!seen[i] && !(keys[i].value.flags & CYAML_FLAG_OPTIONAL))
      return *path ? ut_document_fail(document, node, e, NULL, "missing key '%s' in '%s'", keys[i].key, path)
                   : ut_document_fail(document, node, e, NULL, "missing section '%s'", keys[i].key);
  return 0;
}

static int check_entries(struct ut_document *document, const yaml_node_t *node, const cyaml_schema_value_t *value,
                         const char *path, struct ut_error *e) {
  size_t i = 0;
  for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++, i++) {
    char below[PATH_SIZE];
    snprintf(below, sizeof below, "%s[%zu]", path, i);
    if (check_value(document, yaml_document_get_node(&document->yaml, *item), value, below, e))
      return -1;
  }
  return 0;
}

/* Whether a text is decimal digits without leading zeros, with an optional sign: libcyaml would read a leading zero as
 * octal. */
static bool is_whole(const char *text) {
  text += *text == '-';
  size_t digits = strspn(text, "0123456789");
  return digits > 0 && text[digits] == '\0' && (digits == 1 || text[0] != '0');
}

static bool is_number(const char *text) {
  text += *text == '-';
  size_t whole = strspn(text, "0123456789");
  text += whole;
  size_t fraction = 0;
  if (*text == '.') {
    fraction = strspn(++text, "0123456789");
    text += fraction;
  }
  if (whole + fraction == 0)
    return false;
  if (*text == 'e' || *text == 'E') {
    text++;
    text += *text == '-' || *text == '+';
    if (strspn(text, "0123456789") == 0)
      return false;
    text += strspn(text, "0123456789");
  }
  return *text == '\0';
}

static int check_range(const struct ut_document *document, const yaml_node_t *node, const char *path, bool inside,
                       struct ut_error *e) {
  const struct ut_key *range = range_of(path);
  if (inside)
    return 0;
  char found[UT_FOUND_SIZE], multiple[48] = "";
  snprintf(found, sizeof found, "%.40s", (const char *)node->data.scalar.value);
  if (range->multiple > 1)
    snprintf(multiple, sizeof multiple, "a multiple of %" PRIu64 ", ", range->multiple);
  return ut_document_fail(document, node, e, NULL, "'%s' is %s, must be %s%" PRIu64 "..%" PRIu64, path, found, multiple,
                          range->min, range->max);
}

static int check_whole(const struct ut_document *document, const yaml_node_t *node, const char *path,
                       struct ut_error *e) {
  const char *text = (const char *)node->data.scalar.value;
  if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !is_whole(text))
    return expected(document, node, path, "a whole number", "write decimal digits only, as in 5000", e);
  const struct ut_key *range = range_of(path);
  errno = 0;
  uint64_t number = strtoull(text, NULL, 10);
  bool inside = !errno && *text != '-' && number >= range->min && number <= range->max;
  return check_range(document, node, path, inside && number % range->multiple == 0, e);
}

static int check_real(const struct ut_document *document, const yaml_node_t *node, const char *path,
                      struct ut_error *e) {
  const char *text = (const char *)node->data.scalar.value;
  if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !is_number(text))
    return expected(document, node, path, "a number", "write decimal digits with a point, as in 0.25", e);
  const struct ut_key *range = range_of(path);
  errno = 0;
  double number = strtod(text, NULL);
  if (errno == ERANGE && fabs(number) < 1) /* libcyaml refuses what a double rounds to zero or nearly so */
    return expected(document, node, path, "a number", "too near to zero, write 0", e);
  if (range == &unlimited)
    return isfinite(number) ? 0 : expected(document, node, path, "a number", "too large for a computer's numbers", e);
  return check_range(document, node, path, number >= (double)range->min && number <= (double)range->max, e);
}

/* Copies small letters and digits, those that are large as small ones. */
static void simplify(const char *word, char *simple, size_t size) {
  size_t length = 0;
  for (; *word && length + 1 < size; word++)
    if (isalnum((unsigned char)*word))
      simple[length++] = (char)tolower((unsigned char)*word);
  simple[length] = '\0';
}

/* What to write for a kind of network that has another name here; NULL: nothing like it is known. */
static const char *other_kind(const char *path, const char *word, char *text, size_t size) {
  static const char *const kinds[][2] = {
#define OTHER_KIND(name, keys) {name, keys},
      UT_FOR_EACH_OTHER_KIND(OTHER_KIND)
#undef OTHER_KIND
  };
  char simple[40];
  simplify(word, simple, sizeof simple);
  for (size_t i = 0; !strcmp(path, "topology.kind") && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i][0], simple)) {
      snprintf(text, size, "write %s", kinds[i][1]);
      return text;
    }
  return NULL;
}

static int check_word(const struct ut_document *document, const yaml_node_t *node, const cyaml_schema_value_t *value,
                      const char *path, struct ut_error *e) {
  const char *word = (const char *)node->data.scalar.value;
  const char *names[UT_MAX_WORDS];
  size_t count = 0;
  for (; count < value->enumeration.count; count++) {
    names[count] = value->enumeration.strings[count].str;
    if (strcmp(names[count], word) == 0 && strlen(word) == node->data.scalar.length)
      return 0;
  }
  char hint[1024], found[UT_FOUND_SIZE];
  if (!other_kind(path, word, hint, sizeof hint))
    ut_schema_hint(word, names, count, hint, sizeof hint);
  return ut_document_fail(document, node, e, hint, "'%s': unknown value %s", path, ut_document_found(node, found));
}

static int check_bool(const struct ut_document *document, const yaml_node_t *node, const char *path,
                      struct ut_error *e) {
  const char *text = (const char *)node->data.scalar.value;
  bool plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  return plain && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
             ? 0
             : expected(document, node, path, "true or false", NULL, e);
}

static int check_text(const struct ut_document *document, const yaml_node_t *node, const char *path,
                      struct ut_error *e) {
  const char *text = (const char *)node->data.scalar.value;
  bool usable = *text && strlen(text) == node->data.scalar.length && !strchr(text, '\n');
  return usable ? 0 : expected(document, node, path, "a name", NULL, e);
}

static int check_scalar(const struct ut_document *document, const yaml_node_t *node, const cyaml_schema_value_t *value,
                        const char *path, struct ut_error *e) {
  switch (value->type) {
  case CYAML_UINT: return check_whole(document, node, path, e);
  case CYAML_FLOAT: return check_real(document, node, path, e);
  case CYAML_BOOL: return check_bool(document, node, path, e);
  case CYAML_ENUM: return check_word(document, node, value, path, e);
  default: return check_text(document, node, path, e);
  }
}

/* What stands in the place of a fault that is a text, when libcyaml reads the file: it knows one type of an entry. */
static const char fault_group[] = "{at: 0}";

/* The name of a fault; what there is of that name, the reader of faults knows. */
static int check_fault_text(const struct ut_document *document, const yaml_node_t *node, const char *path,
                            struct ut_error *e) {
  const char *text = (const char *)node->data.scalar.value;
  if ((!strncmp(text, "link ", 5) || !strncmp(text, "switch ", 7)) && strlen(text) >= strlen(fault_group))
    return check_text(document, node, path, e);
  return expected(document, node, path, "a group of keys, or a name",
                  "as in 'link 0.6-1.5' or 'switch 2.9 in cycles 5-99'", e);
}

static bool among(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count && names[i]; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

/* Checks that a distribution has all keys that it needs, and none of another one. */
static int check_distribution(struct ut_document *document, yaml_node_t *node, const char *path, struct ut_error *e) {
  const yaml_node_t *word = ut_document_find(document, node, "distribution");
  if (!word)
    return ut_document_fail(document, node, e, ut_length_keys[0].example, "missing key 'distribution' in '%s'", path);
  size_t rule = 0;
  while (strcmp(ut_length_keys[rule].word, (const char *)word->data.scalar.value))
    rule++;
  const char *name = ut_length_keys[rule].word, *example = ut_length_keys[rule].example;
  for (size_t i = 0; i < COUNT(ut_length_keys[0].needs) && ut_length_keys[rule].needs[i]; i++)
    if (!ut_document_find(document, node, ut_length_keys[rule].needs[i]))
      return ut_document_fail(document, node, e, example, "missing key '%s' in '%s', distribution %s needs it",
                              ut_length_keys[rule].needs[i], path, name);
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *key = yaml_document_get_node(&document->yaml, pair->key);
    const char *text = (const char *)key->data.scalar.value;
    if (key != word && strcmp(text, "distribution") &&
        !among(ut_length_keys[rule].needs, COUNT(ut_length_keys[0].needs), text) &&
        !among(ut_length_keys[rule].may, COUNT(ut_length_keys[0].may), text))
      return ut_document_fail(document, key, e, example, "'%s.%s' is not for distribution %s", path, text, name);
  }
  return 0;
}

static int check_lengths(struct ut_document *document, const yaml_node_t *node, const char *path, struct ut_error *e) {
  if (node->type == YAML_SCALAR_NODE)
    return check_whole(document, node, path, e);
  if (node->type != YAML_MAPPING_NODE)
    return expected(document, node, path, "a whole number or a distribution", ut_length_keys[0].example, e);
  return check_keys(document, node, length_keys, path, e) ||
                 check_distribution(document, ut_document_find(document, NULL, path), path, e)
             ? -1
             : 0;
}

static int check_length(const struct ut_document *document, const yaml_node_t *node, const cyaml_schema_value_t *value,
                        const char *path, struct ut_error *e) {
  const size_t entries = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
  if (entries >= value->sequence.min && entries <= value->sequence.max)
    return 0;
  return ut_document_fail(document, node, e, NULL, "'%s' has %zu entr%s, must have %u..%u", path, entries,
                          entries == 1 ? "y" : "ies", (unsigned)value->sequence.min, (unsigned)value->sequence.max);
}

/* A switch is its number beside a level, or else its name: what the network calls so, the reader of faults knows. */
static int check_switch(struct ut_document *document, const yaml_node_t *node, const char *path, struct ut_error *e) {
  char level[PATH_SIZE];
  if (node->type != YAML_SCALAR_NODE)
    return expected(document, node, path, "one value", NULL, e);
  snprintf(level, sizeof level, "%.*s.level", (int)(strrchr(path, '.') - path), path);
  return ut_document_find(document, NULL, level) ? check_whole(document, node, path, e)
                                                 : check_text(document, node, path, e);
}

/* A key that libcyaml has no type for; those of other files their readers check. */
static int check_own(struct ut_document *document, const yaml_node_t *node, const char *path, struct ut_error *e) {
  const size_t length = strlen(path);
  if (!strcmp(path, "switch.packet_flits"))
    return check_lengths(document, node, path, e);
  return length > 7 && !strncmp(path, "faults[", 7) && !strcmp(path + length - 7, ".switch")
             ? check_switch(document, node, path, e)
             : 0;
}

static int check_value(struct ut_document *document, const yaml_node_t *node, const cyaml_schema_value_t *value,
                       const char *path, struct ut_error *e) {
  if (value->type == CYAML_IGNORE)
    return check_own(document, node, path, e);
  if (value == &fault_entry && node->type == YAML_SCALAR_NODE)
    return check_fault_text(document, node, path, e);
  bool mapping = value->type == CYAML_MAPPING, list = value->type == CYAML_SEQUENCE;
  if (mapping && node->type != YAML_MAPPING_NODE)
    return expected(document, node, path, "a group of keys", NULL, e);
  if (list && node->type != YAML_SEQUENCE_NODE)
    return expected(document, node, path, "a list", NULL, e);
  if (mapping)
    return check_keys(document, node, value->mapping.fields, path, e);
  if (list)
    return check_length(document, node, value, path, e) || check_entries(document, node, value->sequence.entry, path, e)
               ? -1
               : 0;
  if (node->type != YAML_SCALAR_NODE)
    return expected(document, node, path, "one value", NULL, e);
  return check_scalar(document, node, value, path, e);
}

/* ---- loading ---- */

/* Keeps libcyaml's first error message; later ones are a backtrace. */
static void __attribute__((format(printf, 3, 0)))
keep_log(cyaml_log_t level, void *ctx, const char *format, va_list args) {
  struct ut_error *kept = ctx;
  if (level == CYAML_LOG_ERROR && kept->text[0] == '\0')
    vsnprintf(kept->text, sizeof kept->text, format, args);
}

static const cyaml_config_t config = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};

/* Returns a number at a place that has been checked; 0: there is none. */
static double number_at(struct ut_document *document, yaml_node_t *from, const char *key) {
  const yaml_node_t *node = ut_document_find(document, from, key);
  return node ? strtod((const char *)node->data.scalar.value, NULL) : 0;
}

/* Reads what libcyaml has ignored. */
static void read_lengths(struct ut_document *document, struct ut_raw_lengths *lengths) {
  static const char path[] = "switch.packet_flits";
  yaml_node_t *node = ut_document_find(document, NULL, path);
  *lengths = (struct ut_raw_lengths){.kind = UT_LENGTHS_FIXED};
  if (!node || node->type != YAML_MAPPING_NODE) {
    lengths->max = (unsigned)number_at(document, NULL, path);
    return;
  }
  const char *word = (const char *)ut_document_find(document, node, "distribution")->data.scalar.value;
  for (size_t i = 0; i < COUNT(distributions); i++)
    if (strcmp(distributions[i].str, word) == 0)
      lengths->kind = (enum ut_distribution)distributions[i].val;
  const bool bimodal = lengths->kind == UT_LENGTHS_BIMODAL;
  lengths->min = (unsigned)number_at(document, node, bimodal ? "short" : "min");
  lengths->max = (unsigned)number_at(document, node, bimodal ? "long" : "max");
  lengths->mean = number_at(document, node, "mean");
  lengths->long_fraction = number_at(document, node, "long_fraction");
}

int ut_schema_check(struct ut_document *document, const yaml_node_t *node, const cyaml_schema_field_t *keys,
                    const char *path, struct ut_error *e) {
  if (node->type != YAML_MAPPING_NODE)
    return expected(document, node, path, "a group of keys", NULL, e);
  return check_keys(document, node, keys, path, e);
}

static bool continues(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

/* A place in the text. */
struct cursor {
  size_t byte, characters; /* before it */
};

/* Moves to a mark, which counts characters; marks come in the order of the text, but for those of aliases. */
static size_t move_to(struct cursor *cursor, const struct ut_document *document, const yaml_mark_t *mark) {
  if (mark->index < cursor->characters)
    *cursor = (struct cursor){0};
  while (cursor->byte < document->length && cursor->characters < mark->index) {
    cursor->byte++;
    while (cursor->byte < document->length && continues(document->text[cursor->byte]))
      cursor->byte++;
    cursor->characters++;
  }
  return cursor->byte;
}

/* The text without those of faults, which are read from the document.  NULL: out of memory. */
static char *without_fault_texts(struct ut_document *document) {
  char *text = malloc(document->length + 1);
  const yaml_node_t *list = ut_document_find(document, NULL, "faults");
  struct cursor cursor = {0};
  if (!text)
    return NULL;
  memcpy(text, document->text, document->length);
  text[document->length] = '\0';
  const size_t entries = list ? (size_t)(list->data.sequence.items.top - list->data.sequence.items.start) : 0;
  for (size_t i = 0; i < entries && entries <= UT_LIMIT_FAULTS; i++) { /* more are refused */
    const yaml_node_t *node = yaml_document_get_node(&document->yaml, list->data.sequence.items.start[i]);
    if (node->type != YAML_SCALAR_NODE)
      continue;
    size_t from = move_to(&cursor, document, &node->start_mark);
    const size_t to = move_to(&cursor, document, &node->end_mark);
    if (text[from] == '&') /* an anchor stays: aliases name it */
      from += strcspn(text + from, " \t\r\n") + 1;
    for (size_t at = from; at < to; at++)
      text[at] = text[at] == '\n' ? '\n' : ' ';
    if (to >= from + strlen(fault_group))
      memcpy(text + from, fault_group, strlen(fault_group));
  }
  return text;
}

struct ut_raw_scenario *ut_schema_load(struct ut_document *document, struct ut_error *e) {
  if (check_keys(document, yaml_document_get_root_node(&document->yaml), sections, "", e))
    return NULL;
  struct ut_error log = {.text = ""};
  cyaml_config_t logging = config;
  logging.log_fn = keep_log;
  logging.log_ctx = &log;
  cyaml_data_t *data = NULL;
  char *text = without_fault_texts(document);
  cyaml_err_t error =
      text ? cyaml_load_data((const uint8_t *)text, document->length, &logging, &schema, &data, NULL) : CYAML_ERR_OOM;
  free(text);
  if (error == CYAML_OK) {
    struct ut_raw_scenario *raw = data;
    read_lengths(document, &raw->sw.packet_flits);
    return raw;
  }
  /* libcyaml reads what has passed the check; if it does not, its own message is better than none */
  log.text[strcspn(log.text, "\n")] = '\0';
  ut_fail(e, UT_BAD_INPUT, "%s: %s (%.200s)", document->path, cyaml_strerror(error), log.text);
  return NULL;
}

void ut_schema_free(struct ut_raw_scenario *raw) {
  cyaml_free(&config, &schema, raw, 0);
}

/* ---- descriptions of the schema ---- */

/* Of the keys that libcyaml ignores the other ones are those of faulty switches. */
static bool is_lengths(const cyaml_schema_field_t *key) {
  return key->value.type == CYAML_IGNORE && !strcmp(key->key, "packet_flits");
}

const cyaml_schema_field_t *ut_schema_keys(const char *path) {
  const cyaml_schema_field_t *keys = sections;
  while (*path) {
    const size_t length = strcspn(path, ".");
    while (keys->key && (strncmp(keys->key, path, length) || keys->key[length]))
      keys++;
    const cyaml_schema_value_t *value = &keys->value;
    if (!keys->key)
      return NULL;
    if (value->type == CYAML_SEQUENCE)
      value = value->sequence.entry;
    keys = value->type == CYAML_MAPPING ? value->mapping.fields : is_lengths(keys) ? length_keys : NULL;
    path += length + (path[length] == '.');
    if (!keys)
      return NULL;
  }
  return keys;
}

const void *ut_schema_value(const struct ut_raw_scenario *raw, const char *path) {
  const cyaml_schema_field_t *keys = sections;
  const char *at = (const char *)raw;
  for (;; path++) {
    const size_t length = strcspn(path, ".");
    while (keys->key && (strncmp(keys->key, path, length) || keys->key[length]))
      keys++;
    if (!keys->key || keys->value.type == CYAML_IGNORE || keys->value.type == CYAML_SEQUENCE)
      return NULL;
    at += keys->data_offset;
    if (keys->value.flags & CYAML_FLAG_POINTER) {
      const char *pointed;
      memcpy(&pointed, at, sizeof pointed);
      at = pointed;
    }
    if (!at || !path[length])
      return at;
    path += length;
    keys = keys->value.mapping.fields;
  }
}

/* The schema of the key of that path; NULL: there is none. */
static const cyaml_schema_value_t *value_of(const char *path) {
  const char *dot = strrchr(path, '.');
  char group[PATH_SIZE];
  snprintf(group, sizeof group, "%.*s", dot ? (int)(dot - path) : 0, path);
  const cyaml_schema_field_t *keys = ut_schema_keys(group);
  const cyaml_schema_field_t *key = keys ? find_key(keys, dot ? dot + 1 : path) : NULL;
  return key ? &key->value : NULL;
}

enum ut_value_type ut_schema_type(const char *path) {
  const char *dot = strrchr(path, '.');
  switch (value_of(path)->type) {
  case CYAML_UINT: return UT_VALUE_WHOLE;
  case CYAML_FLOAT: return UT_VALUE_REAL;
  case CYAML_BOOL: return UT_VALUE_BOOL;
  case CYAML_MAPPING: return UT_VALUE_GROUP;
  case CYAML_SEQUENCE: return UT_VALUE_LIST;
  case CYAML_IGNORE: return strcmp(dot, ".switch") ? UT_VALUE_LENGTHS : UT_VALUE_SWITCH;
  default: return UT_VALUE_TEXT;
  }
}

/* The names of the algorithms, each once; those that other tables know. */
static size_t other_words(const char *path, const char **names) {
  size_t count = 0;
  if (strcmp(path, "routing.algorithm") == 0)
    for (unsigned i = 0; i < ut_algorithm_count && count < UT_MAX_WORDS; i++)
      if (!among(names, count, ut_algorithms[i].name))
        names[count++] = ut_algorithms[i].name;
  return count;
}

size_t ut_schema_words(const char *path, const char *names[UT_MAX_WORDS]) {
  const cyaml_schema_value_t *value = value_of(path);
  if (value->type != CYAML_ENUM)
    return other_words(path, names);
  for (uint32_t i = 0; i < value->enumeration.count; i++)
    names[i] = value->enumeration.strings[i].str;
  return value->enumeration.count;
}

const char *ut_schema_word(const char *path, int value) {
  const cyaml_schema_value_t *words = value_of(path);
  for (uint32_t i = 0; words && words->type == CYAML_ENUM && i < words->enumeration.count; i++)
    if (words->enumeration.strings[i].val == value)
      return words->enumeration.strings[i].str;
  return "?";
}

int ut_schema_default(const char *path) {
  const char *word = ut_key_find(path)->otherwise;
  const cyaml_schema_value_t *words = value_of(path);
  uint32_t i = 0;
  while (strcmp(words->enumeration.strings[i].str, word))
    i++;
  return (int)words->enumeration.strings[i].val;
}
