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
#include "scenario_check.h"
#include "scenario_schema.h"

enum key {
  KEY_ALGORITHM,
  KEY_K,
  KEY_N,
  KEY_VCS,
  KEY_DEPTH,
  KEY_FLIT_BITS,
  KEY_PACKET,
  KEY_SWITCHING,
  KEY_ROUTE_CYCLES,
  KEY_ALLOC_CYCLES,
  KEY_XBAR_CYCLES,
  KEY_CROSSBAR,
  KEY_INTERMEDIATE,
  KEY_DETERMINISTIC,
  KEY_MISROUTE,
  KEY_LOAD,
  KEYS
};
/* As in a scenario; words: what stands for 0 and 1. */
static const struct {
  const char *name, *words[2];
} keys[KEYS] = {
    {"algorithm", {NULL, NULL}},
    {"k", {NULL, NULL}},
    {"n", {NULL, NULL}},
    {"vcs", {NULL, NULL}},
    {"depth_flits", {NULL, NULL}},
    {"flit_bits", {NULL, NULL}},
    {"packet_flits", {NULL, NULL}},
    {"switching", {"vct", "wormhole"}},
    {"route_cycles", {NULL, NULL}},
    {"alloc_cycles", {NULL, NULL}},
    {"xbar_cycles", {NULL, NULL}},
    {"crossbar", {"port", "vc"}},
    {"intermediate", {NULL, NULL}},
    {"deterministic", {"no", "yes"}},
    {"misroute", {"no", "yes"}},
    {"load", {NULL, NULL}},
};

static enum key key_of(const char *name) {
  enum key k = 0;
  while (k < KEYS && strcmp(keys[k].name, name))
    k++;
  return k;
}

const char *ut_vary_key(size_t i) {
  return i < KEYS ? keys[i].name : NULL;
}

size_t ut_vary_words(const char *key, const char **words) {
  const enum key k = key_of(key);
  if (k == KEY_ALGORITHM) {
    const size_t count = ut_schema_words("routing.algorithm", words);
    words[count] = "all";
    return count + 1;
  }
  words[0] = keys[k].words[0];
  words[1] = keys[k].words[1];
  return words[0] ? 2 : 0;
}

static int fail_key(const char *name, struct ut_error *e) {
  const char *names[KEYS];
  char list[256] = "";
  for (int k = 0; k < KEYS; k++) {
    names[k] = keys[k].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", keys[k].name);
  }
  const char *near = ut_nearest(name, names, KEYS);
  return ut_fail(e, UT_BAD_INPUT, "--vary: unknown key '%.60s'; %s%s%sknown ones: %s", name,
                 near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
}

int ut_vary_parse(struct ut_vary *v, const char *text, struct ut_error *e) {
  *v = (struct ut_vary){.text = strdup(text)};
  if (!v->text)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  char *rest = strchr(v->text, '=');
  if (!rest || !rest[1])
    return ut_fail(e, UT_BAD_INPUT, "--vary wants KEY=VALUE,VALUE,..., as in k=4,8, not '%.200s'", text);
  *rest++ = '\0';
  v->key = v->text;
  if (key_of(v->key) == KEYS)
    return fail_key(v->key, e);
  for (char *value; (value = strsep(&rest, ","));) {
    if (!*value || v->values == UT_VARY_VALUES)
      return ut_fail(e, UT_BAD_INPUT, "--vary %s: %s", v->key,
                     *value ? "too many values" : "there is nothing between two commas");
    v->value[v->values++] = value;
  }
  v->all = key_of(v->key) == KEY_ALGORITHM && v->values == 1 && !strcmp(v->value[0], "all");
  return 0;
}

void ut_vary_free(struct ut_vary *v) {
  free(v->text);
  *v = (struct ut_vary){0};
}

void ut_vary_expand(struct ut_vary *v, const struct ut_scenario *s) {
  if (!v->all)
    return;
  struct ut_scenario other = *s;
  v->values = 0;
  for (unsigned i = 0; i < ut_algorithm_count && v->values < UT_VARY_VALUES; i++) {
    /* Several families have algorithms of the same name: each once. */
    other.routing.algorithm = (char *)(uintptr_t)ut_algorithms[i].name;
    if (ut_scenario_algorithm(&other) == &ut_algorithms[i])
      v->value[v->values++] = ut_algorithms[i].name;
  }
}

static int number_of(const struct ut_vary *v, size_t i, unsigned *out, struct ut_error *e) {
  enum key k = key_of(v->key);
  const char *text = v->value[i];
  uint64_t number;
  for (unsigned w = 0; keys[k].words[0] && w < 2; w++)
    if (!strcmp(text, keys[k].words[w])) {
      *out = w;
      return 0;
    }
  if (keys[k].words[0] || !ut_number_is(text, UINT16_MAX, &number))
    return ut_fail(e, UT_BAD_INPUT, "--vary %s: '%.60s' is no value of it; %s%s%s", v->key, text,
                   keys[k].words[0] ? keys[k].words[0] : "give a whole number", keys[k].words[0] ? " or " : "",
                   keys[k].words[0] ? keys[k].words[1] : "");
  *out = (unsigned)number;
  return 0;
}

static int set_algorithm(struct ut_scenario *s, const char *name, struct ut_error *e) {
  char *copy = strdup(name);
  if (!copy)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  free(s->routing.algorithm);
  s->routing.algorithm = copy;
  return 0;
}

static int set_load(struct ut_scenario *s, const char *text, struct ut_error *e) {
  if (!ut_real_is(text, &s->traffic.load_flits_per_cycle))
    return ut_fail(e, UT_BAD_INPUT, "--vary load: '%.60s' is no load; give flits per cycle and terminal, as in 0.3",
                   text);
  return 0;
}

/* k or n; the other one 0. */
static void resize(struct ut_scenario *s, unsigned k, unsigned n) {
  if (k)
    s->topology.k = k;
  if (n)
    s->topology.n = n;
  if (s->topology.family->resize)
    s->topology.family->resize(s, k, n);
}

int ut_vary_apply(const struct ut_vary *v, size_t i, struct ut_scenario *s, struct ut_error *e) {
  unsigned x = 0; /* not every compiler sees that it is set */
  enum key k = key_of(v->key);
  if (k == KEY_ALGORITHM)
    return set_algorithm(s, v->value[i], e);
  if (k == KEY_LOAD)
    return set_load(s, v->value[i], e);
  if (number_of(v, i, &x, e))
    return -1;
  switch (k) {
  case KEY_K:
  case KEY_N:
    if (!x)
      return ut_fail(e, UT_BAD_INPUT, "--vary %s: 0 is too small, the least is %d", v->key, k == KEY_K ? 2 : 1);
    resize(s, k == KEY_K ? x : 0, k == KEY_N ? x : 0);
    break;
  case KEY_VCS: s->sw.vcs = x; break;
  case KEY_DEPTH: s->sw.depth_flits = x; break;
  case KEY_FLIT_BITS: s->sw.flit_bits = x; break;
  case KEY_PACKET:
    s->sw.packet_flits = s->sw.shortest_packet_flits = x;
    s->sw.distribution = UT_LENGTHS_FIXED;
    break;
  case KEY_SWITCHING: s->sw.switching = x; break;
  case KEY_ROUTE_CYCLES: s->sw.route_cycles = x; break;
  case KEY_ALLOC_CYCLES: s->sw.alloc_cycles = x; break;
  case KEY_XBAR_CYCLES: s->sw.xbar_cycles = x; break;
  case KEY_CROSSBAR: s->sw.crossbar = x; break;
  case KEY_INTERMEDIATE: s->routing.intermediate = x; break;
  case KEY_DETERMINISTIC: s->routing.deterministic = x; break;
  case KEY_MISROUTE: s->routing.misroute = x; break;
  default: break;
  }
  return 0;
}

bool ut_vary_of_traffic(const struct ut_vary *v) {
  return key_of(v->key) == KEY_LOAD;
}

int ut_vary_finish(const struct ut_vary *v, size_t n, struct ut_scenario *s, bool run, struct ut_error *e) {
  bool routing = false, vcs = false;
  for (size_t i = 0; i < n; i++) {
    enum key k = key_of(v[i].key);
    vcs |= k == KEY_VCS;
    routing |= k == KEY_ALGORITHM || k == KEY_INTERMEDIATE;
  }
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  if (routing && a) {
    unsigned needed = a->min_vcs + s->routing.intermediate;
    needed = needed > a->layers ? needed : a->layers;
    if (!vcs && s->sw.vcs < needed)
      s->sw.vcs = needed;
    if (a->bubble)
      s->sw.shortest_packet_flits = s->sw.packet_flits;
  }
  if (!run) { /* a switch has no faults and no traffic */
    s->fault_count = 0;
    s->traffic.pattern = &ut_pattern_uniform;
  }
  return ut_scenario_check(s, NULL, e);
}
