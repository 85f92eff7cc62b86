/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_keys.c - see sweep_keys.h */
#include "sweep_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- types ---- */

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define MANDATORY CYAML_FLAG_DEFAULT
#define SEVERAL(name, need, keys)                                                                                      \
  {                                                                                                                    \
    .key = name, .value = {.type = CYAML_IGNORE, .flags = need, .mapping = {.fields = keys} }                          \
  }
#define GROUP(name, need, keys)                                                                                        \
  {                                                                                                                    \
    .key = name, .value = {.type = CYAML_MAPPING, .flags = need, .mapping = {.fields = keys} }                         \
  }
#define NUMBER(name, need)                                                                                             \
  {                                                                                                                    \
    .key = name, .value = {.type = CYAML_FLOAT, .flags = need }                                                        \
  }
#define WHOLE(name, need)                                                                                              \
  {                                                                                                                    \
    .key = name, .value = {.type = CYAML_UINT, .flags = need }                                                         \
  }
#define WORD(name, need, words)                                                                                        \
  {                                                                                                                    \
    .key = name, .value = {                                                                                            \
      .type = CYAML_ENUM,                                                                                              \
      .flags = (need) | CYAML_FLAG_STRICT,                                                                             \
      .enumeration = {.strings = words, .count = COUNT(words)}                                                         \
    }                                                                                                                  \
  }
#define TEXT(name, need)                                                                                               \
  {                                                                                                                    \
    .key = name, .value = {.type = CYAML_STRING, .flags = need }                                                       \
  }

static const cyaml_strval_t commands[] = {{"run", 0},   {"cosim", 1}, {"tolerance", 2},
                                          {"prove", 3}, {"cost", 4},  {"route", 5}};
static const cyaml_strval_t searches[] = {{"saturation", UT_FIND_SATURATION}, {"peak", UT_FIND_PEAK}};

static const cyaml_schema_value_t option_entry = {.type = CYAML_STRING};
static const cyaml_schema_field_t range_fields[] = {NUMBER("from", MANDATORY), NUMBER("to", MANDATORY),
                                                    NUMBER("step", OPTIONAL), NUMBER("factor", OPTIONAL),
                                                    CYAML_FIELD_END};
static const cyaml_schema_field_t axis_fields[] = {SEVERAL("KEY", OPTIONAL, range_fields),
                                                   SEVERAL("zip", OPTIONAL, NULL), CYAML_FIELD_END};
static const cyaml_schema_field_t until_fields[] = {TEXT("result", MANDATORY), NUMBER("within_percent", MANDATORY),
                                                    NUMBER("confidence", OPTIONAL), CYAML_FIELD_END};
static const cyaml_schema_field_t repeat_fields[] = {WHOLE("least", OPTIONAL), WHOLE("most", OPTIONAL),
                                                     GROUP("until", MANDATORY, until_fields), CYAML_FIELD_END};
static const cyaml_schema_field_t fault_fields[] = {SEVERAL("links", OPTIONAL, NULL),
                                                    SEVERAL("switches", OPTIONAL, NULL),
                                                    WHOLE("at", OPTIONAL),
                                                    WHOLE("until", OPTIONAL),
                                                    TEXT("model", OPTIONAL),
                                                    CYAML_FIELD_END};
static const cyaml_schema_field_t find_fields[] = {WORD("what", MANDATORY, searches),
                                                   NUMBER("from", OPTIONAL),
                                                   NUMBER("to", OPTIONAL),
                                                   NUMBER("precision", OPTIONAL),
                                                   NUMBER("accepted", OPTIONAL),
                                                   NUMBER("latency", OPTIONAL),
                                                   CYAML_FIELD_END};

static const cyaml_schema_field_t fields[] = {
    SEVERAL("base", MANDATORY, NULL),
    WORD("run", OPTIONAL, commands),
    {.key = "options",
     .value = {.type = CYAML_SEQUENCE,
               .flags = OPTIONAL,
               .sequence = {.entry = &option_entry, .max = CYAML_UNLIMITED}}},
    SEVERAL("axes", OPTIONAL, axis_fields),
    SEVERAL("repeat", OPTIONAL, repeat_fields),
    WHOLE("seed", OPTIONAL),
    GROUP("faults", OPTIONAL, fault_fields),
    SEVERAL("find", OPTIONAL, find_fields),
    CYAML_FIELD_END,
};

const cyaml_schema_field_t *ut_sweep_fields(const char *path) {
  const cyaml_schema_field_t *keys = fields;
  while (keys && *path) {
    const size_t length = strcspn(path, ".");
    while (keys->key && (strncmp(keys->key, path, length) || keys->key[length]))
      keys++;
    if (!keys->key)
      return NULL;
    const enum cyaml_type type = keys->value.type;
    keys = type == CYAML_MAPPING || type == CYAML_IGNORE ? keys->value.mapping.fields : NULL;
    path += length + (path[length] == '.');
  }
  return keys;
}

/* ---- meanings ---- */

#define ABOVE(limit) .min = (limit), .max = HUGE_VAL, .above = true
#define RANGE(from, to) .min = (from), .max = (to)
#define FROM(from) RANGE(from, HUGE_VAL)
enum { MOST_REPETITIONS = 100000 };

const struct ut_sweep_key ut_sweep_keys[] = {
    {"base", .values = "scenario, file", .text = "what is varied; a file's name is seen from the sweep's folder"},
    {"run", .otherwise = "run", .text = "the command"},
    {"options", .follows = "none", .values = "list of words",
     .text = "of that command; the sweep itself sets --seed, --load and --json"},
    {"axes", .follows = "none", .values = "list",
     .text = "what changes: points are all combinations, the last entry changes fastest"},
    {"axes.KEY", .values = "list, or a range",
     .text = "a key of a scenario by its path (`faults[0].link.port`), or an option (`--faults`)"},
    {"axes.KEY.from", FROM(-HUGE_VAL), .values = "number", .text = "of a range: its first value"},
    {"axes.KEY.to", FROM(-HUGE_VAL), .values = "number", .text = "no value is beyond"},
    {"axes.KEY.step", ABOVE(0), .text = "from one value to the next"},
    {"axes.KEY.factor", ABOVE(1), .text = "in place of `step`: from one value to the next"},
    {"axes.zip", .values = "keys with lists, or ranges",
     .text = "in place of a key: keys with as many values each, that step together"},
    {"repeat", RANGE(1, MOST_REPETITIONS), .otherwise = "1", .values = "number, or a group",
     .text = "repetitions of each point, each with a seed of its own"},
    {"repeat.least", RANGE(2, MOST_REPETITIONS), .otherwise = "3", .text = "repetitions in any case"},
    {"repeat.most", RANGE(2, MOST_REPETITIONS), .otherwise = "20", .text = "repetitions at most"},
    {"repeat.until", .text = "when it is enough"},
    {"repeat.until.result", .values = "name", .text = "a number of the JSON"},
    {"repeat.until.within_percent", ABOVE(0), .text = "half width of its confidence interval, of its mean"},
    {"repeat.until.confidence", RANGE(0, 1), .above = true, .below = true, .otherwise = "0.95",
     .text = "of that interval"},
    {"seed", FROM(0), .follows = "`run.seed` of the base, else 1",
     .text = "of the first repetition, one more for each next; the same at all points"},
    {"faults", .follows = "none", .text = "faults drawn for each repetition, the same ones at all points"},
    {"faults.links", RANGE(0, 999999), .values = "list, or a range",
     .text = "how many links fail: an axis, the last one, named `faults.links`"},
    {"faults.switches", RANGE(0, 999999), .values = "list, or a range",
     .text = "how many switches fail: an axis, the last one, named `faults.switches`"},
    /* the limits of these two are those of the same keys of a scenario */
    {"faults.at", RANGE(0, 1e15), .otherwise = "0", .values = "from 0", .text = "cycle in which they fail"},
    {"faults.until", RANGE(1, 1e15), .follows = "for ever", .values = "from 1",
     .text = "cycle in which they come back"},
    {"faults.model", .follows = "none", .values = "algorithm",
     .text = "faults are drawn until its fault model takes them, whatever algorithm is run"},
    {"find", .follows = "none", .values = "what to find, or a group",
     .text = "each repetition is a search over traffic.load_flits_per_cycle, which is no axis then"},
    {"find.what", .text = "the highest load that is sustained; the most that the network delivers"},
    {"find.from", ABOVE(0), .otherwise = "0.05", .text = "the least load; the others are compared with it"},
    {"find.to", ABOVE(0), .otherwise = "1", .text = "the highest load"},
    {"find.precision", RANGE(1e-6, HUGE_VAL), .otherwise = "0.005", .values = "from 0.000001",
     .text = "the load is searched to that"},
    {"find.accepted", RANGE(0, 1), .above = true, .otherwise = "0.95",
     .text = "saturation: and of which that share is accepted"},
    {"find.latency", ABOVE(1), .follows = "`accepted` counts",
     .text = "saturation: in place of it, highest mean latency, as a multiple of the one at `from`"},
};
const size_t ut_sweep_key_count = COUNT(ut_sweep_keys);

const struct ut_sweep_key *ut_sweep_key_find(const char *path) {
  for (size_t i = 0; i < ut_sweep_key_count; i++)
    if (!strcmp(ut_sweep_keys[i].path, path))
      return &ut_sweep_keys[i];
  return NULL;
}

double ut_sweep_key_number(const char *path) {
  return strtod(ut_sweep_key_find(path)->otherwise, NULL);
}

bool ut_sweep_key_takes(const struct ut_sweep_key *key, double number) {
  return (key->above ? number > key->min : number >= key->min) && (key->below ? number < key->max : number <= key->max);
}

const char *ut_sweep_key_range(const struct ut_sweep_key *key, char text[UT_SWEEP_RANGE_SIZE]) {
  const bool limited = key->max < HUGE_VAL;
  if (limited && !key->above && !key->below)
    snprintf(text, UT_SWEEP_RANGE_SIZE, "%.10g..%.10g", key->min, key->max);
  else
    snprintf(text, UT_SWEEP_RANGE_SIZE, "%s %.10g", key->above ? "above" : "from", key->min);
  if (limited && (key->above || key->below))
    snprintf(text + strlen(text), UT_SWEEP_RANGE_SIZE - strlen(text), ", %s %.10g", key->below ? "below" : "to",
             key->max);
  return text;
}
