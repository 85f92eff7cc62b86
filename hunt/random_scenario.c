/* SPDX-License-Identifier: Apache-2.0 */
/* random_scenario.c - see random_scenario.h */
#include "random_scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "random.h"
#include "scenario.h"
#include "scenario_read.h"
#include "shapes.h"
#include "topology.h"
#include "topology_build.h"

/* SWITCH_CYCLES: of a scenario, so that each takes about as long; within these many cycles. */
enum { SWITCH_CYCLES = 120000, LEAST_CYCLES = 600, MOST_CYCLES = 5000, ATTEMPTS = 50, NETWORK_SIZE = 96 };

/* What is rare among scenarios that are drawn without it. */
struct bias {
  bool crowded;      /* as many packets as links can take, or many to one terminal: full buffers, few credits */
  bool sparse;       /* so few packets that timers end, and that a switch has only one of them */
  bool brief_faults; /* of one to a few cycles, again and again */
  bool brief_timers; /* of the re-route vector and of the manager */
  bool many_faults;  /* beyond what the algorithm tolerates: a packet meets several of them */
};

struct draw {
  FILE *f;
  const struct ut_hunt_shape *shape;
  const struct ut_hunt_family *family;
  struct bias bias;
  struct ut_random random;
  char network[NETWORK_SIZE]; /* of `topology:`, with n */
  struct ut_scenario *base;   /* the same shape, without faults */
  struct ut_topology topology;
  unsigned cycles;
  unsigned entries; /* of faults */
  unsigned weight;  /* of all of them: failed links, as the algorithm counts them */
};

static unsigned below(struct draw *d, unsigned n) {
  return ut_random_below(&d->random, n);
}
static unsigned between(struct draw *d, unsigned least, unsigned most) {
  return least + below(d, most - least + 1);
}
static bool one_in(struct draw *d, unsigned n) {
  return below(d, n) == 0;
}

static bool has(const char *text, const char *word) {
  return strstr(text, word) != NULL;
}

/* ---- the network */

/* Levels of a tree whose shape leaves them open: small ones more often. */
static unsigned draw_levels(struct draw *d, unsigned k) {
  static const unsigned of_2[] = {1, 2, 3, 3, 4, 4, 5}, of_3[] = {2, 2, 3}, of_4[] = {1, 2, 2, 3}, of_more[] = {1, 2};
  return k == 2 ? of_2[below(d, 7)] : k == 3 ? of_3[below(d, 3)] : k == 4 ? of_4[below(d, 4)] : of_more[below(d, 2)];
}

static void draw_network(struct draw *d) {
  const char *text = d->shape->topology;
  unsigned k;
  if (d->family->levels && !has(text, " n: ") && sscanf(text, "kind: %*[a-z_], k: %u", &k) == 1)
    snprintf(d->network, sizeof d->network, "%s, n: %u", text, draw_levels(d, k));
  else
    snprintf(d->network, sizeof d->network, "%s", text);
}

/* The scenario without what is drawn further, for the numbers that follow from it. */
static int read_base(struct draw *d, struct ut_error *e) {
  char text[1024];
  const int size =
      snprintf(text, sizeof text,
               "topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {pattern: uniform, load_flits_per_cycle: 0.1}\n",
               d->network, d->shape->sw, d->shape->routing);
  d->base = ut_scenario_parse(text, (size_t)size, "hunt", e);
  if (!d->base || ut_topology_init(&d->topology, d->base, e))
    return -1;
  const unsigned cycles = SWITCH_CYCLES / d->topology.switches;
  d->cycles = cycles < LEAST_CYCLES ? LEAST_CYCLES : cycles > MOST_CYCLES ? MOST_CYCLES : cycles;
  return 0;
}

static void write_topology(struct draw *d) {
  fprintf(d->f, "topology: {%s, link_cycles: %u", d->network, one_in(d, 2) ? between(d, 1, 3) : 1);
  if (d->family->terminal_links) {
    fprintf(d->f, ", injection_cycles: %u", between(d, 1, 4));
    fprintf(d->f, ", ejection_cycles: %u", between(d, 1, 2 * d->topology.levels));
  }
  fprintf(d->f, "}\n");
}

/* Wormhole switches of nodes take packets of any length. */
static void write_switch(struct draw *d) {
  static const char *const lengths[] = {"1",
                                        "2",
                                        "4",
                                        "16",
                                        "64",
                                        "{distribution: exponential, mean: 8, max: 64}",
                                        "{distribution: bimodal, short: 1, long: 32, long_fraction: 0.25}"};
  fprintf(d->f, "switch: {%s", d->shape->sw);
  if (d->family->nodes)
    fprintf(d->f, ", packet_flits: %s", lengths[below(d, sizeof lengths / sizeof *lengths)]);
  fprintf(d->f, "}\n");
}

/* ---- faults: how many, then what and when */

static bool plans(const struct draw *d) {
  return has(d->shape->routing, "mechanisms");
}
/* Only DETOUR's algorithms know failed nodes. */
static bool tolerates_nothing(const struct draw *d) {
  return d->family->nodes && !has(d->shape->routing, "algorithm: detour");
}

static unsigned draw_entries(struct draw *d) {
  if (tolerates_nothing(d) || one_in(d, 8))
    return 0;
  return d->bias.many_faults ? between(d, 4, 8) : between(d, 1, d->family->nodes ? 3 : 5);
}

static enum ut_fault_kind draw_kind(struct draw *d) {
  const struct {
    enum ut_fault_kind kind;
    unsigned share;
  } kinds[] = {{UT_FAULT_LINK, d->family->share.link},
               {UT_FAULT_SWITCH, d->family->share.node},
               {UT_FAULT_INJECTION, d->family->share.injection},
               {UT_FAULT_EJECTION, d->family->share.ejection},
               {UT_FAULT_RANDOM_LINKS, d->family->share.random_links},
               {UT_FAULT_RANDOM_SWITCHES, d->family->share.random_nodes},
               {UT_FAULT_RANDOM_TERMINAL_LINKS, d->family->share.random_terminal_links}};
  unsigned sum = 0, i = 0;
  for (unsigned j = 0; j < sizeof kinds / sizeof *kinds; j++)
    sum += kinds[j].share;
  unsigned drawn = below(d, sum);
  while (drawn >= kinds[i].share)
    drawn -= kinds[i++].share;
  return kinds[i].kind;
}

/* Both directions of a link fail, or one of them. */
static void write_direction(struct draw *d, bool random) {
  if (d->topology.bidirectional && one_in(d, 2))
    fprintf(d->f, ", direction: %s", random || one_in(d, 2) ? "out" : "in");
}

/* A link that leaves a switch. */
static void write_link(struct draw *d) {
  const struct ut_topology *t = &d->topology;
  uint32_t channel;
  do
    channel = below(d, t->switches * t->po);
  while (t->peer[channel].kind == UT_PEER_NONE);
  const uint32_t sw = channel / t->po;
  fprintf(d->f, "link: {level: %u, switch: %" PRIu32 ", port: %u}", t->level[sw], t->position[sw], channel % t->po);
  write_direction(d, false);
  d->weight++;
}

/* That fail at once: an eighth of those that leave a switch. */
static unsigned most_links(const struct draw *d) {
  const unsigned eighth = d->topology.switches * d->topology.po / 8;
  return eighth > 3 ? eighth : 3;
}

static void write_what(struct draw *d) {
  const struct ut_topology *t = &d->topology;
  const unsigned of_switch = has(d->shape->routing, "_switch") ? 1 : d->base->topology.k;
  const uint32_t sw = below(d, t->switches);
  unsigned count = 1;
  switch (draw_kind(d)) {
  case UT_FAULT_SWITCH:
    fprintf(d->f, "switch: {level: %u, switch: %" PRIu32 "}", t->level[sw], t->position[sw]);
    d->weight += of_switch;
    break;
  case UT_FAULT_INJECTION:
    fprintf(d->f, "injection: {terminal: %u, link: %u}", below(d, t->terminals), below(d, t->injections));
    break;
  case UT_FAULT_EJECTION:
    fprintf(d->f, "ejection: {terminal: %u, link: %u}", below(d, t->terminals), below(d, t->ejections));
    break;
  case UT_FAULT_RANDOM_LINKS:
    count = between(d, 1, d->bias.many_faults ? most_links(d) : 3);
    fprintf(d->f, "random_links: %u", count);
    write_direction(d, true);
    d->weight += count;
    break;
  case UT_FAULT_RANDOM_SWITCHES:
    fprintf(d->f, "random_switches: 1");
    d->weight += of_switch;
    break;
  case UT_FAULT_RANDOM_TERMINAL_LINKS: fprintf(d->f, "random_terminal_links: 1"); break;
  default: write_link(d);
  }
}

/* For good, for a cycle, for a short or a long while, or several times. */
static void write_when(struct draw *d) {
  const bool brief = d->bias.brief_faults;
  const unsigned at = one_in(d, 4) ? below(d, 30) : below(d, d->cycles * 9 / 10);
  const unsigned choice = below(d, 10);
  unsigned lasts = between(d, 1, d->cycles / 3);
  fprintf(d->f, "at: %u, ", at);
  if (!brief && choice < 3)
    return;
  if (brief || choice < 7)
    lasts = one_in(d, 2) ? 1 : between(d, 2, brief ? 6 : 40);
  fprintf(d->f, "until: %u, ", at + lasts);
  if (brief || one_in(d, 4))
    fprintf(d->f, "every: %u, times: %u, ", lasts + between(d, 1, one_in(d, 2) ? 8 : 300),
            between(d, 2, brief ? 40 : 5));
}

/* A node is down long enough for the manager to be told of it. */
static void write_when_of_node(struct draw *d) {
  const unsigned at = one_in(d, 2) ? 0 : below(d, d->cycles / 2);
  fprintf(d->f, "at: %u, ", at);
  if (at && one_in(d, 2))
    fprintf(d->f, "until: %u, ", at + between(d, 100, 900));
}

static void write_faults(struct draw *d) {
  const unsigned planned = plans(d) ? below(d, 4) : 0; /* links that routes are planned around */
  if (planned + d->entries)
    fprintf(d->f, "faults:\n");
  if (planned)
    fprintf(d->f, "  - {at: 0, random_links: %u}\n", planned);
  for (unsigned i = 0; i < d->entries; i++) {
    fprintf(d->f, "  - {");
    (d->family->nodes ? write_when_of_node : write_when)(d);
    write_what(d);
    fprintf(d->f, "}\n");
  }
}

/* ---- routing, traffic, run */

/* Nodes: several faults may together be outside the fault model. */
static bool beyond(const struct draw *d) {
  return d->family->nodes && d->entries > 1;
}

static void write_manager(struct draw *d) {
  const bool brief = d->bias.brief_timers;
  fprintf(d->f, ", manager_delay_cycles: %u, manager_switch_cycles: %u", below(d, brief ? 4 : 300),
          below(d, brief ? 2 : 60));
}

static void write_routing(struct draw *d) {
  const char *text = d->shape->routing;
  const bool tables = has(text, "algorithm: table") || has(text, "exclusion_intervals");
  fprintf(d->f, "routing: {%s", text);
  if (d->family->vectors)
    fprintf(d->f, ", reroute_timeout_cycles: %u, reroute_clear: %s",
            d->bias.brief_timers ? between(d, 1, 12)
            : one_in(d, 4)       ? 0
                                 : below(d, 201),
            one_in(d, 2) ? "timer" : "repair");
  if (tables && one_in(d, 6))
    fprintf(d->f, ", tables: static");
  else if (tables || d->family->manager)
    write_manager(d);
  if (beyond(d))
    fprintf(d->f, ", beyond_fault_model: true");
  if (d->family->nodes && !tolerates_nothing(d))
    fprintf(d->f, ", purge_timeout_cycles: %u", one_in(d, 2) ? 300 : 600);
  fprintf(d->f, "}\n");
}

/* Flits per cycle and terminal. */
static double draw_load(struct draw *d) {
  const double most = d->topology.injections;
  if (d->bias.crowded)
    return most;
  if (d->bias.sparse)
    return 0.01 + below(d, 60) / 1000.0;
  return one_in(d, 5) ? most : 0.02 + below(d, one_in(d, 2) ? 200 : (unsigned)(980 * most)) / 1000.0;
}

static const char *draw_pattern(struct draw *d) {
  static const char *const of_powers[] = {"complement", "shuffle", "transpose"};
  const unsigned terminals = d->topology.terminals;
  unsigned bits = 0;
  while (terminals >> bits > 1)
    bits++;
  if (one_in(d, d->bias.crowded ? 2 : 4))
    return "hot_spot";
  if (terminals == 1u << bits && one_in(d, 3))
    return of_powers[below(d, bits % 2 ? 2 : 3)];
  return "uniform";
}

static void write_traffic(struct draw *d) {
  const double load = draw_load(d);
  const char *pattern = draw_pattern(d);
  fprintf(d->f, "traffic: {pattern: %s, load_flits_per_cycle: %.3f, process: %s", pattern, load,
          load > d->base->sw.packet_flits || d->family->nodes || one_in(d, 2) ? "poisson" : "bernoulli");
  if (!strcmp(pattern, "hot_spot"))
    fprintf(d->f, ", hot_spot_fraction: %.2f, hot_spot_node: %u", below(d, 60) / 100.0,
            below(d, d->topology.terminals));
  fprintf(d->f, "}\n");
}

/* By the rule of its family. */
static bool may_deadlock(const struct draw *d) {
  const bool one_layer = has(d->shape->routing, "reroute_det_link") && d->base->sw.vcs == 1;
  switch (d->family->deadlock) {
  case UT_HUNT_NEVER: return false;
  case UT_HUNT_FROM_K_FAULTS_ON: return d->weight >= d->base->topology.k || has(d->shape->sw, "wormhole") || one_layer;
  case UT_HUNT_WITH_FAULTS: return d->entries > 0 || has(d->shape->routing, "without_bubble");
  default: return beyond(d) || has(d->shape->routing, "literal");
  }
}

static void write_scenario(struct draw *d, uint64_t seed) {
  d->bias = (struct bias){.crowded = one_in(d, 3),
                          .sparse = one_in(d, 3),
                          .brief_faults = one_in(d, 3),
                          .brief_timers = one_in(d, 3),
                          .many_faults = one_in(d, 3)};
  d->entries = draw_entries(d);
  d->weight = 0;
  write_topology(d);
  write_switch(d);
  write_routing(d);
  write_traffic(d);
  write_faults(d);
  fprintf(d->f, "run: {warmup_cycles: 0, measure_cycles: %u, drain: %s, watchdog_cycles: %u, seed: %" PRIu64 "}\n",
          d->cycles, d->family->drains && one_in(d, 4) ? "true" : "false", d->family->nodes ? 3700 : 500, seed);
}

/* One attempt; the scenario may be impossible: text NULL, *e says why. */
static int attempt(struct draw *d, uint64_t seed, struct ut_hunt_scenario *s, struct ut_error *e) {
  size_t size;
  draw_network(d);
  if (read_base(d, e))
    return -1;
  d->f = ut_memory_open(&s->text, &size);
  if (!d->f)
    return ut_fail_memory(e);
  write_scenario(d, seed);
  if (ut_memory_close(d->f, &s->text))
    return ut_fail_memory(e);
  struct ut_scenario *read = ut_scenario_parse(s->text, strlen(s->text), "hunt", e);
  if (!read) {
    free(s->text);
    s->text = NULL;
  }
  ut_scenario_free(read);
  s->may_deadlock = may_deadlock(d);
  return 0;
}

int ut_hunt_scenario_make(struct ut_hunt_scenario *s, unsigned shape, uint64_t seed, struct ut_error *e) {
  struct draw d = {.shape = &ut_hunt_shapes[shape], .family = &ut_hunt_families[ut_hunt_shapes[shape].family]};
  int status = 0;
  *s = (struct ut_hunt_scenario){0};
  ut_random_init(&d.random, seed, UT_RANDOM_HUNT, shape);
  for (unsigned i = 0; i < ATTEMPTS && !status && !s->text; i++) {
    status = attempt(&d, seed, s, e);
    ut_topology_free(&d.topology);
    ut_scenario_free(d.base);
    d.base = NULL;
  }
  return s->text ? 0 : -1;
}
