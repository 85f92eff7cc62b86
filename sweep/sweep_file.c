/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_file.c - see sweep_file.h */
#define _GNU_SOURCE
#include "sweep_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"
#include "scenario_schema.h"
#include "sweep_keys.h"
#include "yaml_edit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
enum { MOST_VALUES = 100000 };

/* ---- values ---- */

static int __attribute__((cold)) out_of_memory(const struct ut_sweep *sweep, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", sweep->path);
}

static const char *scalar(const yaml_node_t *node) {
  return (const char *)node->data.scalar.value;
}

/* Of a key that has been checked; `otherwise` where it is not there. */
static double number_at(struct ut_sweep *sweep, yaml_node_t *from, const char *key, double otherwise) {
  const yaml_node_t *node = ut_document_find(&sweep->document, from, key);
  return node ? strtod(scalar(node), NULL) : otherwise;
}
static uint64_t whole_at(struct ut_sweep *sweep, yaml_node_t *from, const char *key, uint64_t otherwise) {
  const yaml_node_t *node = ut_document_find(&sweep->document, from, key);
  return node ? strtoull(scalar(node), NULL, 10) : otherwise;
}

/* The numbers of a group whose keys are right are within their ranges.  path: of the group in messages. */
static int check_ranges(struct ut_sweep *sweep, yaml_node_t *node, const char *group, const char *path,
                        struct ut_error *e) {
  char key[160], shown[160], range[UT_SWEEP_RANGE_SIZE];
  for (const cyaml_schema_field_t *f = ut_sweep_fields(group); f->key; f++) {
    yaml_node_t *value = ut_document_find(&sweep->document, node, f->key);
    snprintf(key, sizeof key, "%s%s%s", group, *group ? "." : "", f->key);
    snprintf(shown, sizeof shown, "%.120s%s%s", path, *path ? "." : "", f->key);
    if (value && f->value.type == CYAML_MAPPING && check_ranges(sweep, value, key, shown, e))
      return -1;
    const bool number = f->value.type == CYAML_UINT || f->value.type == CYAML_FLOAT;
    const struct ut_sweep_key *sweep_key = ut_sweep_key_find(key);
    if (value && number && !ut_sweep_key_takes(sweep_key, strtod(scalar(value), NULL)))
      return ut_document_fail(&sweep->document, value, e, NULL, "'%s' is %.40s, must be %s", shown, scalar(value),
                              ut_sweep_key_range(sweep_key, range));
  }
  return 0;
}

/* A group of keys of a sweep. */
static int check_group(struct ut_sweep *sweep, yaml_node_t *node, const char *group, const char *path,
                       struct ut_error *e) {
  return ut_schema_check(&sweep->document, node, ut_sweep_fields(group), path, e) ||
                 check_ranges(sweep, node, group, path, e)
             ? -1
             : 0;
}

static int fail_at(struct ut_sweep *sweep, yaml_node_t *from, const char *key, struct ut_error *e, const char *hint,
                   const char *what) {
  yaml_node_t *node = ut_document_find(&sweep->document, from, key);
  return ut_document_fail(&sweep->document, node ? node : from, e, hint, "%s", what);
}

/* A node as one line of text (malloc'd); NULL: out of memory. */
static char *text_of(struct ut_sweep *sweep, const yaml_node_t *node) {
  if (node->type == YAML_SCALAR_NODE)
    return strdup(scalar(node));
  yaml_document_t d;
  struct ut_error e;
  size_t length;
  if (!yaml_document_initialize(&d, NULL, NULL, NULL, 1, 1))
    return NULL;
  if (!ut_yaml_copy(&d, &sweep->document.yaml, node)) {
    yaml_document_delete(&d);
    return NULL;
  }
  for (yaml_node_t *n = d.nodes.start; n < d.nodes.top; n++) /* on one line */
    if (n->type == YAML_SEQUENCE_NODE)
      n->data.sequence.style = YAML_FLOW_SEQUENCE_STYLE;
    else if (n->type == YAML_MAPPING_NODE)
      n->data.mapping.style = YAML_FLOW_MAPPING_STYLE;
  char *text = ut_yaml_text(&d, &length, &e);
  if (text)
    text[strcspn(text, "\n")] = '\0';
  return text;
}

/* ---- axes ---- */

const struct ut_axis *ut_sweep_axis(const struct ut_sweep *sweep, const char *key) {
  for (size_t i = 0; i < sweep->axes; i++)
    if (!strcmp(sweep->axis[i].key, key))
      return &sweep->axis[i];
  return NULL;
}

static struct ut_axis *new_axis(struct ut_sweep *sweep, const char *key, size_t values) {
  struct ut_axis *more = realloc(sweep->axis, (sweep->axes + 1) * sizeof *more);
  if (!more)
    return NULL;
  sweep->axis = more;
  struct ut_axis *axis = &sweep->axis[sweep->axes];
  *axis = (struct ut_axis){.key = strdup(key), .text = calloc(values, sizeof *axis->text), .values = values};
  sweep->axes++; /* from here on ut_sweep_free() frees it */
  return axis->key && axis->text ? axis : NULL;
}

/* {from, to, step} or {from, to, factor}. */
static int read_range(struct ut_sweep *sweep, const char *key, yaml_node_t *node, struct ut_error *e) {
  if (check_group(sweep, node, "axes.KEY", key, e))
    return -1;
  const double from = number_at(sweep, node, "from", 0), to = number_at(sweep, node, "to", 0);
  const double step = number_at(sweep, node, "step", 0), factor = number_at(sweep, node, "factor", 1);
  const bool steps = step > 0 && factor == 1, factors = step == 0 && factor > 1 && from > 0;
  if (steps == factors)
    return ut_document_fail(&sweep->document, node, e,
                            "as in {from: 0.1, to: 0.5, step: 0.1} or {from: 2, to: 64, factor: 2}",
                            "'%s' needs either a 'step' above 0 or a 'factor' above 1", key);
  if (to < from)
    return ut_document_fail(&sweep->document, node, e, NULL, "'%s' ends below its start", key);
  const double count = floor((steps ? (to - from) / step : log(to / from) / log(factor)) + 1e-9) + 1;
  if (count > MOST_VALUES)
    return ut_document_fail(&sweep->document, node, e, NULL, "'%s' has %.0f values, more than %d", key, count,
                            MOST_VALUES);
  struct ut_axis *axis = new_axis(sweep, key, (size_t)count);
  for (size_t i = 0; axis && i < axis->values; i++) {
    const double value = steps ? from + step * (double)i : from * pow(factor, (double)i);
    if (asprintf(&axis->text[i], "%.10g", value) < 0)
      axis->text[i] = NULL, axis = NULL;
  }
  return axis ? 0 : out_of_memory(sweep, e);
}

static int read_list(struct ut_sweep *sweep, const char *key, yaml_node_t *node, struct ut_error *e) {
  const yaml_node_item_t *item = node->data.sequence.items.start;
  const size_t values = (size_t)(node->data.sequence.items.top - item);
  if (!values)
    return ut_document_fail(&sweep->document, node, e, NULL, "'%s' has no values", key);
  struct ut_axis *axis = new_axis(sweep, key, values);
  if (axis)
    axis->node = axis->nodes = calloc(values, sizeof *axis->nodes);
  for (size_t i = 0; axis && axis->nodes && i < values; i++) {
    axis->nodes[i] = item[i];
    axis->text[i] = text_of(sweep, yaml_document_get_node(&sweep->document.yaml, item[i]));
    if (!axis->text[i])
      return out_of_memory(sweep, e);
  }
  return axis && axis->nodes ? 0 : out_of_memory(sweep, e);
}

/* The user must not change the seed nor, with a search, the load. */
static const char *reserved(const struct ut_sweep *sweep, const char *key) {
  static const char *const own[] = {"--seed", "--load", "--json"};
  if (!strcmp(key, "run.seed"))
    return "repetitions have seeds of their own: 'seed' is the first one, 'repeat' their number";
  if (sweep->find.what && !strcmp(key, UT_LOAD_KEY))
    return "'find' searches the load: leave this axis away";
  for (size_t i = 0; i < COUNT(own); i++)
    if (!strncmp(key, own[i], strlen(own[i])) && (!key[strlen(own[i])] || key[strlen(own[i])] == '='))
      return "the sweep itself sets --seed, --load and --json";
  return NULL;
}

static int read_axis(struct ut_sweep *sweep, const char *key, yaml_node_t *place, yaml_node_t *value,
                     struct ut_error *e) {
  const char *why = reserved(sweep, key);
  if (why)
    return ut_document_fail(&sweep->document, place, e, why, "'%s' cannot be an axis", key);
  if (!*key)
    return ut_document_fail(&sweep->document, place, e, "as in traffic.load_flits_per_cycle: [0.1, 0.2]",
                            "an axis has no name");
  if (sweep->axes == UT_MOST_AXES)
    return ut_document_fail(&sweep->document, place, e, NULL, "more than %d axes", UT_MOST_AXES);
  if (ut_sweep_axis(sweep, key))
    return ut_document_fail(&sweep->document, place, e, NULL, "'%s' is an axis twice", key);
  if (value->type == YAML_MAPPING_NODE)
    return read_range(sweep, key, value, e);
  if (value->type == YAML_SEQUENCE_NODE)
    return read_list(sweep, key, value, e);
  return ut_document_fail(&sweep->document, value, e, "as in [1, 2, 4] or {from: 0.1, to: 0.5, step: 0.1}",
                          "'%s': expected a list of values or a range", key);
}

/* Returns whether two steps of the axes from `first` on are equal. */
static bool same_step(const struct ut_sweep *sweep, size_t first, size_t i, size_t j) {
  size_t a = first;
  while (a < sweep->axes && !strcmp(sweep->axis[a].text[i], sweep->axis[a].text[j]))
    a++;
  return a == sweep->axes;
}

/* A value of an axis may be repeated next to another value of an axis that steps with it, but no step may be
 * repeated. */
static int check_steps(struct ut_sweep *sweep, size_t first, struct ut_error *e) {
  const struct ut_axis *axis = &sweep->axis[first];
  for (size_t i = 1; axis->nodes && i < axis->values; i++)
    for (size_t j = 0; j < i; j++)
      if (same_step(sweep, first, i, j))
        return ut_document_fail(&sweep->document, yaml_document_get_node(&sweep->document.yaml, axis->nodes[i]), e,
                                NULL, "'%s' has the value %.60s twice", axis->key, axis->text[i]);
  return 0;
}

static int new_group(struct ut_sweep *sweep, size_t first, struct ut_error *e) {
  if (check_steps(sweep, first, e))
    return -1;
  struct ut_axis_group *more = realloc(sweep->group, (sweep->groups + 1) * sizeof *more);
  if (!more)
    return out_of_memory(sweep, e);
  sweep->group = more;
  sweep->group[sweep->groups++] =
      (struct ut_axis_group){.first = first, .count = sweep->axes - first, .values = sweep->axis[first].values};
  return 0;
}

/* The axes of `zip`: as many values each. */
static int read_zip(struct ut_sweep *sweep, yaml_node_t *zip, struct ut_error *e) {
  const size_t first = sweep->axes;
  if (zip->type != YAML_MAPPING_NODE || zip->data.mapping.pairs.start == zip->data.mapping.pairs.top)
    return ut_document_fail(&sweep->document, zip, e, "as in zip: {topology.k: [2, 4], topology.n: [6, 3]}",
                            "'zip' holds the keys that step together, each with a list of values");
  for (yaml_node_pair_t *p = zip->data.mapping.pairs.start; p < zip->data.mapping.pairs.top; p++) {
    yaml_node_t *key = yaml_document_get_node(&sweep->document.yaml, p->key);
    yaml_node_t *value = yaml_document_get_node(&sweep->document.yaml, p->value);
    if (key->type != YAML_SCALAR_NODE || read_axis(sweep, scalar(key), key, value, e))
      return key->type == YAML_SCALAR_NODE ? -1 : fail_at(sweep, key, "", e, NULL, "expected the name of a key");
    if (sweep->axis[sweep->axes - 1].values != sweep->axis[first].values)
      return ut_document_fail(&sweep->document, value, e, NULL, "'%s' has %zu values, '%s' beside it in 'zip' has %zu",
                              scalar(key), sweep->axis[sweep->axes - 1].values, sweep->axis[first].key,
                              sweep->axis[first].values);
  }
  return new_group(sweep, first, e);
}

static int read_axes(struct ut_sweep *sweep, struct ut_error *e) {
  static const char hint[] = "as in\naxes:\n  - traffic.load_flits_per_cycle: {from: 0.1, to: 0.5, step: 0.1}\n"
                             "  - routing.algorithm: [fta, destro]";
  yaml_node_t *list = ut_document_find(&sweep->document, NULL, "axes");
  if (!list)
    return 0;
  if (list->type != YAML_SEQUENCE_NODE)
    return ut_document_fail(&sweep->document, list, e, hint, "'axes' is a list, one entry a key");
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
    yaml_node_t *entry = yaml_document_get_node(&sweep->document.yaml, *i);
    const yaml_node_pair_t *pair = entry->type == YAML_MAPPING_NODE ? entry->data.mapping.pairs.start : NULL;
    if (!pair || entry->data.mapping.pairs.top - pair != 1)
      return ut_document_fail(&sweep->document, entry, e, hint,
                              "an entry of 'axes' is one key with its values; keys that step together stand in 'zip'");
    yaml_node_t *key = yaml_document_get_node(&sweep->document.yaml, pair->key);
    yaml_node_t *value = yaml_document_get_node(&sweep->document.yaml, pair->value);
    if (key->type != YAML_SCALAR_NODE)
      return fail_at(sweep, key, "", e, NULL, "expected the name of a key");
    const size_t first = sweep->axes;
    if (!strcmp(scalar(key), "zip") ? read_zip(sweep, value, e)
                                    : read_axis(sweep, scalar(key), key, value, e) || new_group(sweep, first, e))
      return -1;
  }
  return 0;
}

/* Numbers of faults: axes of their own, with one value if there is one. */
static int read_faults(struct ut_sweep *sweep, struct ut_error *e) {
  static const struct {
    const char *key, *axis;
  } kinds[] = {{"links", UT_AXIS_FAULTY_LINKS}, {"switches", UT_AXIS_FAULTY_SWITCHES}};
  yaml_node_t *faults = ut_document_find(&sweep->document, NULL, "faults");
  if (!faults)
    return 0;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    yaml_node_t *value = ut_document_find(&sweep->document, faults, kinds[i].key);
    if (!value)
      continue;
    const size_t first = sweep->axes;
    if (read_axis(sweep, kinds[i].axis, value, value, e) || new_group(sweep, first, e))
      return -1;
    *(i ? &sweep->faults.switches : &sweep->faults.links) = true;
    for (size_t v = 0; v < sweep->axis[first].values; v++) {
      const char *text = sweep->axis[first].text[v];
      if (!*text || strlen(text) > 6 || strspn(text, "0123456789") != strlen(text))
        return ut_document_fail(&sweep->document, value, e, NULL, "'%s': expected numbers of faults, found '%.40s'",
                                kinds[i].axis, text);
    }
  }
  if (!sweep->faults.links && !sweep->faults.switches)
    return ut_document_fail(&sweep->document, faults, e, "as in faults: {links: [0, 1, 2, 4]}",
                            "'faults' says neither how many 'links' nor how many 'switches' fail");
  sweep->faults.at = whole_at(sweep, faults, "at", (uint64_t)ut_sweep_key_number("faults.at"));
  sweep->faults.until = whole_at(sweep, faults, "until", 0);
  const yaml_node_t *model = ut_document_find(&sweep->document, faults, "model");
  sweep->faults.model = model ? scalar(model) : NULL;
  if (sweep->faults.until && sweep->faults.until <= sweep->faults.at)
    return fail_at(sweep, faults, "until", e, NULL, "'faults.until' must be later than 'faults.at'");
  return 0;
}

/* ---- repetitions and searches ---- */

static int read_repeat(struct ut_sweep *sweep, struct ut_error *e) {
  yaml_node_t *repeat = ut_document_find(&sweep->document, NULL, "repeat");
  static const char hint[] = "as in repeat: 5, or repeat: {least: 3, most: 20, until: {result: latency.mean, "
                             "within_percent: 2}}";
  const uint64_t fixed = (uint64_t)ut_sweep_key_number("repeat");
  uint64_t least = fixed, most = fixed;
  const double confidence = ut_sweep_key_number("repeat.until.confidence");
  sweep->stopping = (struct ut_stopping){.confidence = confidence};
  if (repeat && repeat->type == YAML_SCALAR_NODE) {
    char *end;
    least = most = strtoull(scalar(repeat), &end, 10);
    if (*end || scalar(repeat)[0] < '0' || scalar(repeat)[0] > '9')
      return ut_document_fail(&sweep->document, repeat, e, hint, "'repeat': expected a number of repetitions");
  } else if (repeat) {
    if (check_group(sweep, repeat, "repeat", "repeat", e))
      return -1;
    const uint64_t usual = (uint64_t)ut_sweep_key_number("repeat.most");
    least = whole_at(sweep, repeat, "least", (uint64_t)ut_sweep_key_number("repeat.least"));
    most = whole_at(sweep, repeat, "most", least > usual ? least : usual);
    yaml_node_t *until = ut_document_find(&sweep->document, repeat, "until");
    sweep->stopping.result = scalar(ut_document_find(&sweep->document, until, "result"));
    sweep->stopping.within_percent = number_at(sweep, until, "within_percent", 0);
    sweep->stopping.confidence = number_at(sweep, until, "confidence", confidence);
  }
  const struct ut_sweep_key *key = ut_sweep_key_find("repeat");
  if (!ut_sweep_key_takes(key, (double)least) || !ut_sweep_key_takes(key, (double)most) || most < least)
    return ut_document_fail(&sweep->document, repeat, e, hint, "'repeat': expected %.0f <= least <= most <= %.0f",
                            key->min, key->max);
  sweep->stopping.least = (unsigned)least;
  sweep->stopping.most = (unsigned)most;
  return 0;
}

static int read_find(struct ut_sweep *sweep, struct ut_error *e) {
  yaml_node_t *find = ut_document_find(&sweep->document, NULL, "find"), *word = find;
  sweep->find = (struct ut_find){.from = ut_sweep_key_number("find.from"),
                                 .to = ut_sweep_key_number("find.to"),
                                 .precision = ut_sweep_key_number("find.precision"),
                                 .accepted = ut_sweep_key_number("find.accepted")};
  if (!find)
    return 0;
  if (find->type != YAML_SCALAR_NODE) {
    if (check_group(sweep, find, "find", "find", e))
      return -1;
    word = ut_document_find(&sweep->document, find, "what");
    sweep->find.from = number_at(sweep, find, "from", sweep->find.from);
    sweep->find.to = number_at(sweep, find, "to", sweep->find.to);
    sweep->find.precision = number_at(sweep, find, "precision", sweep->find.precision);
    sweep->find.accepted = number_at(sweep, find, "accepted", sweep->find.accepted);
    sweep->find.latency = number_at(sweep, find, "latency", 0);
  }
  const cyaml_schema_field_t *what = ut_sweep_fields("find"); /* its first key */
  const char *names[UT_MAX_WORDS];
  char hint[160];
  for (uint32_t i = 0; i < what->value.enumeration.count; i++) {
    names[i] = what->value.enumeration.strings[i].str;
    if (!strcmp(names[i], scalar(word)))
      sweep->find.what = (enum ut_find_what)what->value.enumeration.strings[i].val;
  }
  if (!sweep->find.what)
    return ut_document_fail(&sweep->document, find, e,
                            ut_schema_hint(scalar(word), names, what->value.enumeration.count, hint, sizeof hint),
                            "'find': unknown value '%.40s'", scalar(word));
  if (sweep->find.to <= sweep->find.from)
    return ut_document_fail(&sweep->document, find, e, NULL, "'find.to' must be above 'find.from'");
  if (strcmp(sweep->command, "run") && strcmp(sweep->command, "cosim"))
    return ut_document_fail(&sweep->document, find, e, NULL, "'find' is for run and cosim, not for %s", sweep->command);
  return 0;
}

/* ---- the base ---- */

/* Of the file `name`, seen from the folder of the sweep; or of the group of keys that stands there. */
static int read_base(struct ut_sweep *sweep, struct ut_error *e) {
  yaml_node_t *base = ut_document_find(&sweep->document, NULL, "base");
  if (base->type == YAML_MAPPING_NODE) {
    yaml_document_t d;
    if (!yaml_document_initialize(&d, NULL, NULL, NULL, 1, 1))
      return out_of_memory(sweep, e);
    if (!ut_yaml_copy(&d, &sweep->document.yaml, base)) {
      yaml_document_delete(&d);
      return out_of_memory(sweep, e);
    }
    sweep->base_path = strdup(sweep->path);
    sweep->base = ut_yaml_text(&d, &sweep->base_length, e);
    return !sweep->base ? -1 : sweep->base_path ? 0 : out_of_memory(sweep, e);
  }
  if (base->type != YAML_SCALAR_NODE || !*scalar(base))
    return ut_document_fail(&sweep->document, base, e, NULL, "'base': expected a scenario, or the name of its file");
  const char *slash = sweep->base_name || *scalar(base) == '/' ? NULL : strrchr(sweep->path, '/');
  const char *name = sweep->base_name ? sweep->base_name : scalar(base);
  if (asprintf(&sweep->base_path, "%.*s%s", slash ? (int)(slash - sweep->path) + 1 : 0, sweep->path, name) < 0) {
    sweep->base_path = NULL;
    return out_of_memory(sweep, e);
  }
  struct ut_error why;
  sweep->base =
      ut_input_read(sweep->base_path, "scenario", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &sweep->base_length, &why);
  return sweep->base ? 0
                     : ut_document_fail(&sweep->document, base, e, "file names are seen from the folder of the sweep",
                                        "'base': %.400s", why.text);
}

/* Checks that it is a YAML document at all; whether it is a scenario depends on the values of the axes. */
static int check_base(struct ut_sweep *sweep, struct ut_error *e) {
  struct ut_document document;
  if (ut_document_load(&document, sweep->base, sweep->base_length, sweep->base_path, e))
    return -1;
  const yaml_node_t *seed = ut_document_find(&document, NULL, "run.seed");
  sweep->seed = seed && seed->type == YAML_SCALAR_NODE ? strtoull(scalar(seed), NULL, 10) : 1;
  ut_document_free(&document);
  sweep->seed = whole_at(sweep, NULL, "seed", sweep->seed);
  return 0;
}

/* ---- all of it ---- */

static int read_command(struct ut_sweep *sweep, struct ut_error *e) {
  const yaml_node_t *run = ut_document_find(&sweep->document, NULL, "run");
  yaml_node_t *list = ut_document_find(&sweep->document, NULL, "options");
  const yaml_node_item_t *item = list ? list->data.sequence.items.start : NULL;
  const size_t options = list ? (size_t)(list->data.sequence.items.top - item) : 0;
  sweep->command = strdup(run ? scalar(run) : "run");
  sweep->options = calloc(options + 1, sizeof *sweep->options);
  if (!sweep->command || !sweep->options)
    return out_of_memory(sweep, e);
  for (size_t i = 0; i < options; i++) {
    yaml_node_t *node = yaml_document_get_node(&sweep->document.yaml, item[i]);
    const char *why = reserved(sweep, scalar(node));
    if (why)
      return ut_document_fail(&sweep->document, node, e, why, "'%.40s' cannot be an option", scalar(node));
    sweep->options[i] = strdup(scalar(node));
    if (!sweep->options[i])
      return out_of_memory(sweep, e);
  }
  return 0;
}

static int read_sweep(struct ut_sweep *sweep, struct ut_error *e) {
  return check_group(sweep, yaml_document_get_root_node(&sweep->document.yaml), "", "", e) || read_command(sweep, e) ||
                 read_find(sweep, e) || read_axes(sweep, e) || read_faults(sweep, e) || read_repeat(sweep, e) ||
                 read_base(sweep, e) || check_base(sweep, e)
             ? -1
             : 0;
}

struct ut_sweep *ut_sweep_read(const char *path, const char *text, size_t length, struct ut_error *e) {
  return ut_sweep_read_over(path, text, length, NULL, e);
}

struct ut_sweep *ut_sweep_read_over(const char *path, const char *text, size_t length, const char *base,
                                    struct ut_error *e) {
  static const struct ut_document_words words = {"sweep",
                                                 "expected 'base' at least: a scenario, or the name of its file"};
  struct ut_sweep *sweep = calloc(1, sizeof *sweep);
  if (sweep) {
    sweep->path = strdup(path);
    sweep->text = malloc(length + 1);
    sweep->length = length;
    sweep->base_name = base;
  }
  if (!sweep || !sweep->path || !sweep->text) {
    ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  } else {
    memcpy(sweep->text, text, length);
    sweep->text[length] = '\0';
    if (ut_document_load_as(&sweep->document, sweep->text, sweep->length, sweep->path, &words, e) == 0) {
      if (read_sweep(sweep, e) == 0)
        return sweep;
      ut_document_free(&sweep->document);
    }
    sweep->document.path = NULL; /* there is none */
  }
  ut_sweep_free(sweep);
  return NULL;
}

struct ut_sweep *ut_sweep_load(const char *path, struct ut_error *e) {
  size_t length;
  char *text = ut_input_read(path, "sweep", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &length, e);
  if (!text)
    return NULL;
  struct ut_sweep *sweep = ut_sweep_read(path, text, length, e);
  free(text);
  return sweep;
}

void ut_sweep_free(struct ut_sweep *sweep) {
  if (!sweep)
    return;
  if (sweep->document.path)
    ut_document_free(&sweep->document);
  for (size_t i = 0; i < sweep->axes; i++) {
    for (size_t v = 0; sweep->axis[i].text && v < sweep->axis[i].values; v++)
      free(sweep->axis[i].text[v]);
    free(sweep->axis[i].text);
    free(sweep->axis[i].nodes);
    free(sweep->axis[i].key);
  }
  for (size_t i = 0; sweep->options && sweep->options[i]; i++)
    free(sweep->options[i]);
  free(sweep->axis);
  free(sweep->group);
  free(sweep->options);
  free(sweep->command);
  free(sweep->base);
  free(sweep->base_path);
  free(sweep->text);
  free(sweep->path);
  free(sweep);
}
