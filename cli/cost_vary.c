/* SPDX-License-Identifier: Apache-2.0 */
/* cost_vary.c - see cost_vary.h */
#define _GNU_SOURCE
#include "cost_vary.h"

#include "family.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "number.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_check.h"
#include "scenario_schema.h"
#include "scenario_switches.h"
#include "scenario_values.h"

/* As in a scenario, without the section; load in short.  Those of the switch: rtl/parameters.tsv. */
#define PARAMETER(key, ...) {#key, "switch." #key},
#define OF_PACKETS(key) VARIED_##key
#define VARIED_packet_flits {"packet_flits", "switch.packet_flits"},
#define VARIED_shortest_packet_flits /* follows */
static const struct {
  const char *name, *path;
} keys[] = {
    {"algorithm", "routing.algorithm"},
    {"k", "topology.k"},
    {"n", "topology.n"},
    UT_SWITCH_KEYS(PARAMETER, PARAMETER, PARAMETER, OF_PACKETS) /* each with its comma */
    {"planner", "routing.planner"},
    {"intermediate", "routing.mechanisms.intermediate"},
    {"deterministic", "routing.mechanisms.deterministic"},
    {"misroute", "routing.mechanisms.misroute"},
    {"load", "traffic.load_flits_per_cycle"},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* The path of the key; NULL: it is none that varies. */
static const char *path_of(const char *name) {
  for (size_t k = 0; k < KEYS; k++)
    if (!strcmp(keys[k].name, name))
      return keys[k].path;
  return NULL;
}

static bool is_key(const struct ut_vary *vary, const char *name) {
  return !strcmp(vary->key, name);
}

const char *ut_vary_key(size_t i) {
  return i < KEYS ? keys[i].name : NULL;
}

size_t ut_vary_words(const char *key, const char **words) {
  const char *path = path_of(key);
  size_t count = 0;
  if (ut_schema_type(path) == UT_VALUE_BOOL) {
    words[count++] = "no";
    words[count++] = "yes";
    return count;
  }
  count = ut_schema_words(path, words);
  if (!strcmp(key, "algorithm"))
    words[count++] = "all";
  return count;
}

static int fail_key(const char *name, struct ut_error *e) {
  const char *names[KEYS];
  char list[256] = "";
  for (size_t k = 0; k < KEYS; k++) {
    names[k] = keys[k].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", keys[k].name);
  }
  const char *near = ut_nearest(name, names, KEYS);
  return ut_fail(e, UT_BAD_INPUT, "--vary: unknown key '%.60s'; %s%s%sknown ones: %s", name,
                 near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
}

int ut_vary_parse(struct ut_vary *vary, const char *text, struct ut_error *e) {
  *vary = (struct ut_vary){.text = strdup(text)};
  if (!vary->text)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  char *rest = strchr(vary->text, '=');
  if (!rest || !rest[1])
    return ut_fail(e, UT_BAD_INPUT, "--vary wants KEY=VALUE,VALUE,..., as in k=4,8, not '%.200s'", text);
  *rest++ = '\0';
  vary->key = vary->text;
  if (!path_of(vary->key))
    return fail_key(vary->key, e);
  for (char *value; (value = strsep(&rest, ","));) {
    if (!*value || vary->values == UT_VARY_VALUES)
      return ut_fail(e, UT_BAD_INPUT, "--vary %s: %s", vary->key,
                     *value ? "too many values" : "there is nothing between two commas");
    vary->value[vary->values++] = value;
  }
  vary->all = is_key(vary, "algorithm") && vary->values == 1 && !strcmp(vary->value[0], "all");
  return 0;
}

void ut_vary_free(struct ut_vary *vary) {
  free(vary->text);
  *vary = (struct ut_vary){0};
}

void ut_vary_expand(struct ut_vary *vary, const struct ut_scenario *scenario) {
  if (!vary->all)
    return;
  struct ut_scenario other = *scenario;
  vary->values = 0;
  for (unsigned i = 0; i < ut_algorithm_count && vary->values < UT_VARY_VALUES; i++) {
    /* Several families have algorithms of the same name: each once. */
    other.routing.algorithm = (char *)(uintptr_t)ut_algorithms[i].name;
    if (ut_scenario_algorithm(&other) == &ut_algorithms[i])
      vary->value[vary->values++] = ut_algorithms[i].name;
  }
}

static int fail_value(const struct ut_vary *vary, const char *text, const char *const *words, size_t count,
                      struct ut_error *e) {
  char list[256] = "give a whole number";
  size_t used = 0;
  for (size_t w = 0; w < count && used < sizeof list; w++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                             !w              ? ""
                             : w + 1 < count ? ", "
                                             : " or ",
                             words[w]);
  return ut_fail(e, UT_BAD_INPUT, "--vary %s: '%.60s' is no value of it; %s", vary->key, text, list);
}

/* Value i, a word as its place among the words of its key: that is what an enumeration of parameters.tsv stands for. */
static int number_of(const struct ut_vary *vary, size_t i, unsigned *out, struct ut_error *e) {
  const char *words[UT_MAX_WORDS], *text = vary->value[i];
  const size_t count = ut_vary_words(vary->key, words);
  uint64_t number;
  for (unsigned w = 0; w < count; w++)
    if (!strcmp(text, words[w])) {
      *out = w;
      return 0;
    }
  if (count || !ut_number_is(text, UINT16_MAX, &number))
    return fail_value(vary, text, words, count, e);
  *out = (unsigned)number;
  return 0;
}

static int set_algorithm(struct ut_scenario *scenario, const char *name, struct ut_error *e) {
  char *copy = strdup(name);
  if (!copy)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  free(scenario->routing.algorithm);
  scenario->routing.algorithm = copy;
  return 0;
}

static int set_load(struct ut_scenario *scenario, const char *text, struct ut_error *e) {
  if (!ut_real_is(text, &scenario->traffic.load_flits_per_cycle))
    return ut_fail(e, UT_BAD_INPUT, "--vary load: '%.60s' is no load; give flits per cycle and terminal, as in 0.3",
                   text);
  return 0;
}

/* k or n; the other one 0. */
static void resize(struct ut_scenario *scenario, unsigned k, unsigned n) {
  if (k)
    scenario->topology.k = k;
  if (n)
    scenario->topology.n = n;
  if (scenario->topology.family->resize)
    scenario->topology.family->resize(scenario, k, n);
}

int ut_vary_apply(const struct ut_vary *vary, size_t i, struct ut_scenario *scenario, struct ut_error *e) {
  unsigned x = 0; /* not every compiler sees that it is set */
  if (is_key(vary, "algorithm"))
    return set_algorithm(scenario, vary->value[i], e);
  if (is_key(vary, "load"))
    return set_load(scenario, vary->value[i], e);
  if (number_of(vary, i, &x, e))
    return -1;
  if (is_key(vary, "planner") && x == UT_PLANNER_FILE)
    return ut_fail(e, UT_BAD_INPUT, "--vary planner: 'file' needs 'routing.tables_file': give a scenario that has it");
  const bool k = is_key(vary, "k"), n = is_key(vary, "n");
  if ((k || n) && !x)
    return ut_fail(e, UT_BAD_INPUT, "--vary %s: 0 is too small, the least is %d", vary->key, k ? 2 : 1);
  if (k || n)
    resize(scenario, k ? x : 0, n ? x : 0);
  else if (is_key(vary, "packet_flits")) {
    scenario->sw.packet_flits = scenario->sw.shortest_packet_flits = x;
    scenario->sw.distribution = UT_LENGTHS_FIXED;
  } else
    ut_value_set(scenario, ut_key_find(path_of(vary->key)), x);
  return 0;
}

bool ut_vary_of_traffic(const struct ut_vary *vary) {
  return is_key(vary, "load");
}

int ut_vary_finish(const struct ut_vary *vary, size_t n, struct ut_scenario *scenario, bool run, struct ut_error *e) {
  bool routing = false, vcs = false;
  for (size_t i = 0; i < n; i++) {
    vcs |= is_key(&vary[i], "vcs");
    routing |= is_key(&vary[i], "algorithm") || is_key(&vary[i], "intermediate");
  }
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  if (routing && algorithm) {
    unsigned needed = algorithm->min_vcs + scenario->routing.intermediate;
    needed = needed > algorithm->layers ? needed : algorithm->layers;
    if (!vcs && scenario->sw.vcs < needed)
      scenario->sw.vcs = needed;
    if (algorithm->bubble)
      scenario->sw.shortest_packet_flits = scenario->sw.packet_flits;
  }
  if (!run) { /* a switch has no faults and no traffic */
    scenario->fault_count = 0;
    scenario->traffic.pattern = &ut_pattern_uniform;
  }
  return ut_scenario_check(scenario, NULL, e);
}
