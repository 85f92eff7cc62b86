/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_schema.c - see sweep_schema.h */
#include "sweep_schema.h"

#include <math.h>
#include <string.h>

#include "find.h"
#include "schema_output.h"

enum { PATH_SIZE = 128 };
/* Repetitions, seeds and so on are the sweep's own: neither an axis nor an option sets them. */
#define OWN_OPTIONS "(seed|load|json)(=|$)"

static void below(char path[PATH_SIZE], const char *group, const char *key) {
  snprintf(path, PATH_SIZE, "%s%s%s", group, *group ? "." : "", key);
}

/* ---- the base, and what axes change in it */

/* What a scenario says, where every key may be missing: axes put the others there, and may change what does not go
 * together.  Edits a schema of whole scenarios, or a part of one. */
static void make_partial(json_t *schema) {
  const char *name;
  json_t *value, *several = json_object_get(schema, "oneOf");
  size_t i;
  json_object_del(schema, "required");
  json_object_del(schema, "allOf");
  if (several && !json_object_get(json_array_get(several, 0), "type")) /* which keys there must be */
    json_object_del(schema, "oneOf");
  else if (several) {
    json_array_foreach(several, i, value) make_partial(value);
    json_object_set(schema, "anyOf", several);
    json_object_del(schema, "oneOf");
  }
  json_object_foreach(json_object_get(schema, "properties"), name, value) make_partial(value);
  if (json_object_get(schema, "items"))
    make_partial(json_object_get(schema, "items"));
}

static json_t *partial_scenario(void) {
  json_t *schema = ut_schema_json();
  make_partial(schema);
  json_object_del(schema, "$schema");
  json_object_del(schema, "title");
  return schema;
}

static json_t *group_of(const char *path);

/* A list of at least one value, or a range of numbers. */
static json_t *values_of(json_t *value) {
  return json_pack("{s:[{s:s,s:i,s:o},{s:s}]}", "anyOf", "type", "array", "minItems", 1, "items", value, "$ref",
                   "#/definitions/range");
}

static json_t *range_of(void) {
  json_t *range = group_of("axes.KEY");
  json_object_set_new(range, "oneOf", json_pack("[{s:[s]},{s:[s]}]", "required", "step", "required", "factor"));
  return range;
}

/* All keys of a schema of scenarios by their paths. */
static void add_axes(json_t *axes, const char *group, const json_t *schema) {
  const char *name;
  json_t *value;
  char path[PATH_SIZE];
  json_object_foreach(json_object_get(schema, "properties"), name, value) {
    below(path, group, name);
    json_t *axis = values_of(json_deep_copy(value));
    json_object_set(axis, "description", json_object_get(value, "description"));
    json_object_set_new(axes, path, axis);
    add_axes(axes, path, value);
  }
}

static json_t *axes_of(void) {
  const char *name;
  json_t *scenario = partial_scenario(), *keys = json_object(), *together = json_object(), *value;
  add_axes(keys, "", scenario);
  json_decref(scenario);
  json_object_set_new(keys, "run.seed", json_false());
  json_object_foreach(keys, name, value) {
    (void)value;
    json_object_set_new(together, name, json_pack("{s:s+}", "$ref", "#/properties/axes/items/properties/", name));
  }
  json_t *others = json_pack("{s:o,s:o,s:o}", "^--(?!" OWN_OPTIONS ")", values_of(json_object()), "\\[[0-9]+\\]",
                             values_of(json_object()), "^switch\\.packet_flits\\.", values_of(json_object()));
  json_t *zip =
      json_pack("{s:s,s:s,s:b,s:i,s:o,s:O}", "description", ut_sweep_key_find("axes.zip")->text, "type", "object",
                "additionalProperties", 0, "minProperties", 1, "properties", together, "patternProperties", others);
  json_object_set_new(keys, "zip", zip);
  json_t *entry = json_pack("{s:s,s:b,s:i,s:i,s:o,s:o}", "type", "object", "additionalProperties", 0, "minProperties",
                            1, "maxProperties", 1, "properties", keys, "patternProperties", others);
  return json_pack("{s:s,s:o}", "type", "array", "items", entry);
}

/* ---- the other keys */

static json_t *constant(double number) {
  return number == floor(number) && fabs(number) <= 1e15 ? json_integer((json_int_t)number) : json_real(number);
}

static json_t *number_of(const struct ut_sweep_key *key, const char *type) {
  json_t *o = json_pack("{s:s}", "type", type);
  if (key->min > -HUGE_VAL)
    json_object_set_new(o, key->above ? "exclusiveMinimum" : "minimum", constant(key->min));
  if (key->max < HUGE_VAL)
    json_object_set_new(o, key->below ? "exclusiveMaximum" : "maximum", constant(key->max));
  return o;
}

static json_t *words_of(const cyaml_schema_value_t *value) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < value->enumeration.count; i++)
    json_array_append_new(list, json_string(value->enumeration.strings[i].str));
  return json_pack("{s:o}", "enum", list);
}

/* Of a key whose value has several types. */
static json_t *several_of(const char *path) {
  if (!strcmp(path, "base"))
    return json_pack("{s:[{s:s,s:i},o]}", "anyOf", "type", "string", "minLength", 1, partial_scenario());
  if (!strcmp(path, "axes"))
    return axes_of();
  if (!strcmp(path, "find")) /* the words of its first key */
    return json_pack("{s:[o,o]}", "anyOf", words_of(&ut_sweep_fields(path)->value), group_of(path));
  json_t *number = number_of(ut_sweep_key_find(path), "integer");
  return strcmp(path, "repeat") ? values_of(number) : json_pack("{s:[o,o]}", "anyOf", number, group_of(path));
}

static json_t *value_of(const char *path, const cyaml_schema_value_t *value) {
  const struct ut_sweep_key *key = ut_sweep_key_find(path);
  json_t *o;
  switch (value->type) {
  case CYAML_UINT: o = number_of(key, "integer"); break;
  case CYAML_FLOAT: o = number_of(key, "number"); break;
  case CYAML_ENUM: o = words_of(value); break;
  case CYAML_MAPPING: o = group_of(path); break;
  case CYAML_SEQUENCE:
    o = json_pack("{s:s,s:{s:[s,s],s:s}}", "type", "array", "items", "type", "string", "number", "pattern",
                  "^(?!--" OWN_OPTIONS ")");
    break;
  case CYAML_STRING: o = json_pack("{s:s,s:i}", "type", "string", "minLength", 1); break;
  default: o = several_of(path); break;
  }
  json_object_set_new(o, "description",
                      key->follows ? json_sprintf("%s (default: %s)", key->text, key->follows)
                                   : json_string(key->text));
  if (key->otherwise)
    json_object_set_new(o, "default",
                        key->max == 0 ? json_string(key->otherwise) : constant(ut_sweep_key_number(path)));
  return o;
}

static json_t *group_of(const char *path) {
  json_t *required = json_array(), *properties = json_object();
  char key[PATH_SIZE];
  for (const cyaml_schema_field_t *f = ut_sweep_fields(path); f->key; f++) {
    below(key, path, f->key);
    json_object_set_new(properties, f->key, value_of(key, &f->value));
    if (!(f->value.flags & CYAML_FLAG_OPTIONAL))
      json_array_append_new(required, json_string(f->key));
  }
  json_t *group = json_pack("{s:s,s:b,s:o}", "type", "object", "additionalProperties", 0, "properties", properties);
  if (json_array_size(required))
    json_object_set(group, "required", required);
  json_decref(required);
  return group;
}

json_t *ut_sweep_schema_json(void) {
  json_t *schema = json_pack("{s:s,s:s,s:s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
                             "uturn sweep", "description", "what uturn runs how often: docs/reference/sweep.md");
  json_object_update_new(schema, group_of(""));
  json_object_set_new(schema, "definitions", json_pack("{s:o}", "range", range_of()));
  json_object_set_new(json_object_get(json_object_get(schema, "properties"), "faults"), "anyOf",
                      json_pack("[{s:[s]},{s:[s]}]", "required", "links", "required", "switches"));
  /* a search is for commands that simulate, and sets the load itself */
  json_object_set_new(schema, "allOf",
                      json_pack("[{s:{s:[s]},s:{s:{s:{s:[s,s]},s:{s:{s:{s:b}}}}}}]", "if", "required", "find", "then",
                                "properties", "run", "enum", "run", "cosim", "axes", "items", "properties", UT_LOAD_KEY,
                                0));
  return schema;
}

/* ---- words, and tables of a page */

static const cyaml_schema_value_t *schema_of(const char *path) {
  const char *dot = strrchr(path, '.');
  char group[PATH_SIZE];
  snprintf(group, sizeof group, "%.*s", dot ? (int)(dot - path) : 0, path);
  const cyaml_schema_field_t *f = ut_sweep_fields(group);
  while (strcmp(f->key, dot ? dot + 1 : path))
    f++;
  return &f->value;
}

const char *ut_sweep_key_values(const struct ut_sweep_key *key, const char *quote, char text[UT_KEY_TEXT_SIZE]) {
  const cyaml_schema_value_t *value = schema_of(key->path);
  text[0] = '\0';
  for (uint32_t i = 0; value->type == CYAML_ENUM && i < value->enumeration.count; i++)
    snprintf(text + strlen(text), UT_KEY_TEXT_SIZE - strlen(text), "%s%s%s%s", i ? ", " : "", quote,
             value->enumeration.strings[i].str, quote);
  if (key->values)
    snprintf(text, UT_KEY_TEXT_SIZE, "%s", key->values);
  else if (key->max != 0)
    ut_sweep_key_range(key, text);
  return text;
}

void ut_sweep_schema_put_keys(FILE *out, const char *group) {
  char path[PATH_SIZE], values[UT_KEY_TEXT_SIZE];
  for (const cyaml_schema_field_t *f = ut_sweep_fields(group); f->key; f++) {
    below(path, group, f->key);
    const struct ut_sweep_key *key = ut_sweep_key_find(path);
    fprintf(out, "| `%s` |", path);
    if (key->otherwise)
      fprintf(out, " `%s`", key->otherwise);
    else
      fprintf(out, " %s", key->follows ? key->follows : f->value.flags & CYAML_FLAG_OPTIONAL ? "-" : "must be given");
    fprintf(out, " | %s | %s |\n", ut_sweep_key_values(key, "`", values), key->text);
    if (ut_sweep_fields(path) && strcmp(path, "find"))
      ut_sweep_schema_put_keys(out, path);
  }
}
