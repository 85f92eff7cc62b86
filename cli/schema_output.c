/* SPDX-License-Identifier: Apache-2.0 */
/* schema_output.c - see schema_output.h */
#include "schema_output.h"

#include <string.h>

#include "key_text.h"
#include "pattern.h"
#include "scenario_schema.h"
#include "scenario_switches.h"

enum { PATH_SIZE = 128 };

/* ---- JSON: a key by itself */

static json_t *value_of(const char *path, const cyaml_schema_value_t *value);

static void below(char path[PATH_SIZE], const char *group, const char *key) {
  snprintf(path, PATH_SIZE, "%s%s%s", group, *group ? "." : "", key);
}

/* The keys of a group; `only`: these, ended by NULL. */
static json_t *properties_of(const char *group, const cyaml_schema_field_t *keys, json_t *required) {
  json_t *properties = json_object();
  char path[PATH_SIZE];
  for (; keys->key; keys++) {
    below(path, group, keys->key);
    json_object_set_new(properties, keys->key, value_of(path, &keys->value));
    if (!(keys->value.flags & CYAML_FLAG_OPTIONAL))
      json_array_append_new(required, json_string(keys->key));
  }
  return properties;
}

static json_t *group_of(const char *path) {
  json_t *required = json_array();
  json_t *properties = properties_of(path, ut_schema_keys(path), required);
  json_t *group = json_pack("{s:s,s:b,s:o}", "type", "object", "additionalProperties", 0, "properties", properties);
  if (json_array_size(required))
    json_object_set(group, "required", required);
  json_decref(required);
  return group;
}

static json_t *number_of(const struct ut_key *key, const char *type) {
  json_t *o = json_pack("{s:s,s:I}", "type", type, "minimum", (json_int_t)key->min);
  if (key->max <= INT64_MAX)
    json_object_set_new(o, "maximum", json_integer((json_int_t)key->max));
  if (key->multiple > 1)
    json_object_set_new(o, "multipleOf", json_integer((json_int_t)key->multiple));
  return o;
}

/* A distribution of lengths with its own keys. */
static json_t *distribution_of(const char *path, const struct ut_length_keys *keys) {
  json_t *properties = json_pack("{s:{s:s}}", "distribution", "const", keys->word);
  json_t *required = json_pack("[s]", "distribution");
  char key[PATH_SIZE];
  for (size_t i = 0; i < sizeof keys->needs / sizeof *keys->needs && keys->needs[i]; i++) {
    below(key, path, keys->needs[i]);
    json_array_append_new(required, json_string(keys->needs[i]));
    json_object_set_new(properties, keys->needs[i], value_of(key, NULL));
  }
  for (size_t i = 0; i < sizeof keys->may / sizeof *keys->may && keys->may[i]; i++) {
    below(key, path, keys->may[i]);
    json_object_set_new(properties, keys->may[i], value_of(key, NULL));
  }
  return json_pack("{s:s,s:b,s:o,s:o}", "type", "object", "additionalProperties", 0, "properties", properties,
                   "required", required);
}

static json_t *lengths_of(const struct ut_key *key) {
  json_t *choice = json_pack("[o]", number_of(key, "integer"));
  for (const struct ut_length_keys *keys = ut_length_keys; keys->word; keys++)
    json_array_append_new(choice, distribution_of(key->path, keys));
  return json_pack("{s:o}", "oneOf", choice);
}

/* Entries of a list of groups name one component each: those of its keys that are groups, or draw some. */
static void one_component(json_t *entry, const char *path) {
  json_t *choice = json_array();
  char key[PATH_SIZE];
  for (const cyaml_schema_field_t *keys = ut_schema_keys(path); keys->key; keys++) {
    below(key, path, keys->key);
    if (ut_schema_type(key) == UT_VALUE_GROUP || !strncmp(keys->key, "random_", 7))
      json_array_append_new(choice, json_pack("{s:[s]}", "required", keys->key));
  }
  json_object_set_new(entry, "oneOf", choice);
}

static json_t *list_of(const struct ut_key *key, const cyaml_schema_value_t *value) {
  json_t *entry = ut_schema_keys(key->path) ? group_of(key->path) : number_of(key, "integer");
  if (ut_schema_keys(key->path)) { /* or its name as a text */
    one_component(entry, key->path);
    entry = json_pack("{s:[{s:s,s:i},o]}", "oneOf", "type", "string", "minLength", 1, entry);
  }
  json_t *list = json_pack("{s:s,s:o,s:i}", "type", "array", "items", entry, "minItems", (int)value->sequence.min);
  if (value->sequence.max != CYAML_UNLIMITED)
    json_object_set_new(list, "maxItems", json_integer(value->sequence.max));
  return list;
}

static json_t *words_of(const char *const *words, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_string(words[i]));
  return list;
}

static json_t *text_of(const struct ut_key *key) {
  const char *words[UT_MAX_WORDS];
  const size_t count = ut_schema_words(key->path, words);
  return count ? json_pack("{s:o}", "enum", words_of(words, count))
               : json_pack("{s:s,s:i}", "type", "string", "minLength", 1);
}

static json_t *default_of(const struct ut_key *key, enum ut_value_type type) {
  if (type == UT_VALUE_BOOL)
    return json_boolean(!strcmp(key->otherwise, "true"));
  if (!key->multiple)
    return json_string(key->otherwise);
  return type == UT_VALUE_REAL ? json_real(ut_key_real(key->path)) : json_integer((json_int_t)ut_key_number(key->path));
}

/* value: of a list, else NULL will do. */
static json_t *value_of(const char *path, const cyaml_schema_value_t *value) {
  const struct ut_key *key = ut_key_find(path);
  const enum ut_value_type type = ut_schema_type(path);
  json_t *o = NULL;
  switch (type) {
  case UT_VALUE_WHOLE: o = number_of(key, "integer"); break;
  case UT_VALUE_REAL: o = number_of(key, "number"); break;
  case UT_VALUE_BOOL: o = json_pack("{s:s}", "type", "boolean"); break;
  case UT_VALUE_TEXT: o = text_of(key); break;
  case UT_VALUE_GROUP: o = group_of(path); break;
  case UT_VALUE_LIST: o = list_of(key, value); break;
  case UT_VALUE_LENGTHS: o = lengths_of(key); break;
  case UT_VALUE_SWITCH: o = json_pack("{s:[o,o]}", "oneOf", number_of(key, "integer"), text_of(key)); break;
  }
  json_object_set_new(o, "description",
                      key->follows ? json_sprintf("%s (default: %s)", key->text, key->follows)
                                   : json_string(key->text));
  if (key->otherwise)
    json_object_set_new(o, "default", default_of(key, type));
  return o;
}

/* ---- JSON: keys together */

/* {"properties": {SECTION: {"properties": {KEY: value}, "required": [KEY]}}} */
static json_t *that(const char *section, const char *key, json_t *value, bool required) {
  json_t *o = json_pack("{s:{s:o}}", "properties", key, value);
  if (required)
    json_object_set_new(o, "required", json_pack("[s]", key));
  json_t *all = json_pack("{s:{s:o}}", "properties", section, o);
  if (required)
    json_object_set_new(all, "required", json_pack("[s]", section));
  return all;
}

static void add_rule(json_t *rules, json_t *condition, json_t *consequence, json_t *otherwise) {
  json_t *rule = json_pack("{s:o,s:o}", "if", condition, "then", consequence);
  if (otherwise)
    json_object_set_new(rule, "else", otherwise);
  json_array_append_new(rules, rule);
}

static json_t *forbidden(const char *path) {
  char section[PATH_SIZE];
  snprintf(section, sizeof section, "%s", path);
  char *dot = strchr(section, '.');
  *dot = '\0';
  return that(section, dot + 1, json_false(), false);
}

/* What a family takes: keys, algorithms. */
static json_t *family_rules(const struct ut_family *family) {
  const char *words[UT_MAX_WORDS];
  const size_t count = ut_schema_words("routing.algorithm", words);
  json_t *algorithms = json_array(), *rules = json_array();
  for (size_t i = 0; i < count; i++)
    if (ut_key_algorithm(words[i], family))
      json_array_append_new(algorithms, json_string(words[i]));
  json_array_append_new(rules, that("routing", "algorithm", json_pack("{s:o}", "enum", algorithms), false));
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->takers && !(family->keys & key->takers))
      json_array_append_new(rules, forbidden(key->path));
  if (!family->parallel_links)
    json_array_append_new(rules, forbidden("routing.parallel_links"));
  if (!family->bypass)
    json_array_append_new(rules, that("routing", "plane_bypass", json_pack("{s:b}", "const", 0), false));
  json_t *k_and_n = json_array();
  if (family->keys & UT_KEY_K)
    json_array_append_new(k_and_n, json_string("k"));
  if (family->keys & UT_KEY_N)
    json_array_append_new(k_and_n, json_string("n"));
  json_t *size = json_pack("{s:o}", "required", k_and_n);
  if (family->keys & UT_KEY_SIZES && json_array_size(k_and_n)) /* in place of k and n */
    size = json_pack("{s:[o,{s:[s],s:{s:b,s:b}}]}", "oneOf", size, "required", "sizes", "properties", "k", 0, "n", 0);
  json_array_append_new(rules, json_pack("{s:{s:o}}", "properties", "topology", size));
  return json_pack("{s:o}", "allOf", rules);
}

/* The least VCs that an algorithm of that name has in some family. */
static unsigned least_vcs(const char *name) {
  unsigned least = UT_MAX_VCS;
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (!strcmp(ut_algorithms[i].name, name) && ut_algorithms[i].min_vcs < least)
      least = ut_algorithms[i].min_vcs;
  return least;
}

static bool has_tables(const struct ut_algorithm *algorithm) {
  return algorithm->tables || algorithm->exclusions;
}
static bool has_exclusions(const struct ut_algorithm *algorithm) {
  return algorithm->exclusions;
}
static bool has_virtual_networks(const struct ut_algorithm *algorithm) {
  return algorithm->vin1;
}
static bool has_misroutes(const struct ut_algorithm *algorithm) {
  return algorithm->misroutes;
}
static bool has_states(const struct ut_algorithm *algorithm) {
  return algorithm->states;
}
static bool has_mechanisms(const struct ut_algorithm *algorithm) {
  return algorithm->mechanisms;
}
static bool has_next_hop_groups(const struct ut_algorithm *algorithm) {
  return algorithm->tables && (algorithm->code == UT_TABLE_FORWARDING || algorithm->code == UT_TABLE_FORWARDING_ESCAPE);
}
/* Keys of some algorithms only. */
static const struct {
  const char *section, *name;
  bool (*takes)(const struct ut_algorithm *a);
  int usual; /* the value that others take, too; -1: there is none */
} algorithm_keys[] = {{"switch", "vin1_vcs", has_virtual_networks, 1},
                      {"switch", "misroute_hops", has_misroutes, 0},
                      {"switch", "next_hop_groups", has_next_hop_groups, 0},
                      {"routing", "exclusion_intervals", has_exclusions, 0},
                      {"routing", "tables", has_tables, -1},
                      {"routing", "purge_timeout_cycles", has_states, -1},
                      {"routing", "beyond_fault_model", has_states, -1},
                      {"routing", "mechanisms", has_mechanisms, -1}};

/* What a key may be where it has no effect: that number, or, if it is -1, nothing. */
static json_t *other_values(int usual) {
  return usual >= 0 ? json_pack("{s:i}", "const", usual) : json_false();
}

static void algorithm_rules(json_t *rules) {
  const char *words[UT_MAX_WORDS];
  const size_t count = ut_schema_words("routing.algorithm", words);
  for (size_t i = 0; i < count; i++)
    if (least_vcs(words[i]) > 1)
      add_rule(rules, that("routing", "algorithm", json_pack("{s:s}", "const", words[i]), true),
               that("switch", "vcs", json_pack("{s:i}", "minimum", (int)least_vcs(words[i])), false), NULL);
  for (size_t k = 0; k < sizeof algorithm_keys / sizeof *algorithm_keys; k++) {
    json_t *takers = json_array();
    for (unsigned i = 0; i < ut_algorithm_count; i++)
      if (algorithm_keys[k].takes(&ut_algorithms[i]))
        json_array_append_new(takers, json_string(ut_algorithms[i].name));
    add_rule(rules, that("routing", "algorithm", json_pack("{s:o}", "enum", takers), true), json_object(),
             that(algorithm_keys[k].section, algorithm_keys[k].name, other_values(algorithm_keys[k].usual), false));
  }
}

/* Who takes a key of `traffic:`, and who needs it; the default pattern is not named. */
static void pattern_rules(json_t *rules, const struct ut_pattern_key *key) {
  json_t *takers = json_array(), *others = json_array();
  const bool usual = ut_pattern_takes(ut_patterns[ut_schema_default("traffic.pattern")], key);
  for (unsigned i = 0; i < UT_PATTERNS; i++)
    json_array_append_new(ut_pattern_takes(ut_patterns[i], key) ? takers : others, json_string(ut_patterns[i]->name));
  if (key->mandatory) {
    json_t *needed = that("traffic", strchr(key->path, '.') + 1, json_true(), true);
    add_rule(rules, that("traffic", "pattern", json_pack("{s:O}", "enum", usual ? others : takers), true),
             usual ? json_object() : needed, usual ? needed : NULL);
  }
  add_rule(rules, that("traffic", "pattern", json_pack("{s:O}", "enum", usual ? others : takers), true),
           usual ? forbidden(key->path) : json_object(), usual ? NULL : forbidden(key->path));
  json_decref(takers);
  json_decref(others);
}

static json_t *rules_of(void) {
  json_t *rules = json_array();
  for (unsigned i = 0; ut_families[i]; i++)
    add_rule(rules, that("topology", "kind", json_pack("{s:s}", "const", ut_families[i]->kind), true),
             family_rules(ut_families[i]), NULL);
  algorithm_rules(rules);
  for (const struct ut_pattern_key *key = ut_pattern_keys; key->path; key++)
    pattern_rules(rules, key);
  return rules;
}

json_t *ut_schema_json(void) {
  json_t *schema = json_pack("{s:s,s:s,s:s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
                             "uturn scenario", "description", "what uturn simulates: docs/reference/scenario.md");
  json_object_update_new(schema, group_of(""));
  json_object_set_new(schema, "allOf", rules_of());
  return schema;
}
