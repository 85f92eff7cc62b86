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

/* SWITCH_CYCLES: switches times cycles of a scenario, so that each takes about as long; within these limits of
 * cycles. */
enum { SWITCH_CYCLES = 120000, LEAST_CYCLES = 600, MOST_CYCLES = 5000, ATTEMPTS = 50, NETWORK_SIZE = 96 };

/* Situations that are rare in scenarios drawn without them. */
struct bias {
  bool crowded;      /* as many packets as links can carry, or many to one terminal: full buffers, few credits */
  bool sparse;       /* so few packets that timers expire, and that a switch has only one packet */
  bool brief_faults; /* faults of one to a few cycles, again and again */
  bool brief_timers; /* timers of the re-route vector and of the manager */
  bool many_faults;  /* more faults than the algorithm tolerates: a packet meets several of them */
};

struct draw {
  FILE *f;
  const struct ut_hunt_shape *shape;
  const struct ut_hunt_family *family;
  struct bias bias;
  struct ut_random random;
  char network[NETWORK_SIZE]; /* of `topology:`, with n */
  struct ut_scenario *base;   /* the same shape, without faults */
  const struct ut_topology *topology;
  unsigned cycles;
  unsigned entries; /* of faults */
  unsigned weight;  /* of all links: share of failed ones, as the algorithm counts them */
};

static unsigned below(struct draw *draw, unsigned n) {
  return ut_random_below(&draw->random, n);
}
static unsigned between(struct draw *draw, unsigned least, unsigned most) {
  return least + below(draw, most - least + 1);
}
static bool one_in(struct draw *draw, unsigned n) {
  return below(draw, n) == 0;
}

static bool has(const char *text, const char *word) {
  return strstr(text, word) != NULL;
}

/* ---- the network */

/* Draws the levels of a tree whose shape leaves them open: small numbers more often. */
static unsigned draw_levels(struct draw *draw, unsigned k) {
  static const unsigned of_2[] = {1, 2, 3, 3, 4, 4, 5}, of_3[] = {2, 2, 3}, of_4[] = {1, 2, 2, 3}, of_more[] = {1, 2};
  return k == 2   ? of_2[below(draw, 7)]
         : k == 3 ? of_3[below(draw, 3)]
         : k == 4 ? of_4[below(draw, 4)]
                  : of_more[below(draw, 2)];
}

static void draw_network(struct draw *draw) {
  const char *text = draw->shape->topology;
  unsigned k;
  if (draw->family->levels && !has(text, " n: ") && sscanf(text, "kind: %*[a-z_], k: %u", &k) == 1)
    snprintf(draw->network, sizeof draw->network, "%s, n: %u", text, draw_levels(draw, k));
  else
    snprintf(draw->network, sizeof draw->network, "%s", text);
}

/* Makes the scenario without the parts that are drawn later, for the numbers that follow from it. */
static int read_base(struct draw *draw, struct ut_error *e) {
  char text[1024];
  const int size =
      snprintf(text, sizeof text,
               "topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {pattern: uniform, load_flits_per_cycle: 0.1}\n",
               draw->network, draw->shape->sw, draw->shape->routing);
  draw->base = ut_scenario_parse(text, (size_t)size, "hunt", e);
  if (!draw->base)
    return -1;
  draw->topology = ut_scenario_topology(draw->base);
  const unsigned cycles = SWITCH_CYCLES / draw->topology->switches;
  draw->cycles = cycles < LEAST_CYCLES ? LEAST_CYCLES : cycles > MOST_CYCLES ? MOST_CYCLES : cycles;
  return 0;
}

static void write_topology(struct draw *draw) {
  fprintf(draw->f, "topology: {%s, link_cycles: %u", draw->network, one_in(draw, 2) ? between(draw, 1, 3) : 1);
  if (draw->family->terminal_links) {
    fprintf(draw->f, ", injection_cycles: %u", between(draw, 1, 4));
    fprintf(draw->f, ", ejection_cycles: %u", between(draw, 1, 2 * draw->topology->levels));
  }
  fprintf(draw->f, "}\n");
}

/* Wormhole switches of nodes accept packets of any length. */
static void write_switch(struct draw *draw) {
  static const char *const lengths[] = {"1",
                                        "2",
                                        "4",
                                        "16",
                                        "64",
                                        "{distribution: exponential, mean: 8, max: 64}",
                                        "{distribution: bimodal, short: 1, long: 32, long_fraction: 0.25}"};
  fprintf(draw->f, "switch: {%s", draw->shape->sw);
  if (draw->family->nodes)
    fprintf(draw->f, ", packet_flits: %s", lengths[below(draw, sizeof lengths / sizeof *lengths)]);
  fprintf(draw->f, "}\n");
}

/* ---- faults: how many, then what and when */

static bool plans(const struct draw *draw) {
  return has(draw->shape->routing, "mechanisms");
}
/* Only DETOUR's algorithms tolerate failed nodes. */
static bool tolerates_nothing(const struct draw *draw) {
  return draw->family->nodes && !has(draw->shape->routing, "algorithm: detour");
}

static unsigned draw_entries(struct draw *draw) {
  if (tolerates_nothing(draw) || one_in(draw, 8))
    return 0;
  return draw->bias.many_faults ? between(draw, 4, 8) : between(draw, 1, draw->family->nodes ? 3 : 5);
}

static enum ut_fault_kind draw_kind(struct draw *draw) {
  const struct {
    enum ut_fault_kind kind;
    unsigned share;
  } kinds[] = {{UT_FAULT_LINK, draw->family->share.link},
               {UT_FAULT_SWITCH, draw->family->share.node},
               {UT_FAULT_INJECTION, draw->family->share.injection},
               {UT_FAULT_EJECTION, draw->family->share.ejection},
               {UT_FAULT_RANDOM_LINKS, draw->family->share.random_links},
               {UT_FAULT_RANDOM_SWITCHES, draw->family->share.random_nodes},
               {UT_FAULT_RANDOM_TERMINAL_LINKS, draw->family->share.random_terminal_links}};
  unsigned sum = 0, i = 0;
  for (unsigned j = 0; j < sizeof kinds / sizeof *kinds; j++)
    sum += kinds[j].share;
  unsigned drawn = below(draw, sum);
  while (drawn >= kinds[i].share)
    drawn -= kinds[i++].share;
  return kinds[i].kind;
}

/* Lets both directions of a link fail, or one of them. */
static void write_direction(struct draw *draw, bool random) {
  if (draw->topology->bidirectional && one_in(draw, 2))
    fprintf(draw->f, ", direction: %s", random || one_in(draw, 2) ? "out" : "in");
}

/* Draws a link that leaves a switch. */
static void write_link(struct draw *draw) {
  const struct ut_topology *topo = draw->topology;
  uint32_t channel;
  do
    channel = below(draw, topo->switches * topo->po);
  while (topo->peer[channel].kind == UT_PEER_NONE);
  const uint32_t sw = channel / topo->po;
  fprintf(draw->f, "link: {level: %u, switch: %" PRIu32 ", port: %u}", topo->level[sw], topo->position[sw],
          channel % topo->po);
  write_direction(draw, false);
  draw->weight++;
}

/* Returns how many links fail at once: an eighth of those that leave a switch. */
static unsigned most_links(const struct draw *draw) {
  const unsigned eighth = draw->topology->switches * draw->topology->po / 8;
  return eighth > 3 ? eighth : 3;
}

static void write_what(struct draw *draw) {
  const struct ut_topology *topo = draw->topology;
  const unsigned of_switch = has(draw->shape->routing, "_switch") ? 1 : draw->base->topology.k;
  const uint32_t sw = below(draw, topo->switches);
  unsigned count = 1;
  switch (draw_kind(draw)) {
  case UT_FAULT_SWITCH:
    fprintf(draw->f, "switch: {level: %u, switch: %" PRIu32 "}", topo->level[sw], topo->position[sw]);
    draw->weight += of_switch;
    break;
  case UT_FAULT_INJECTION:
    fprintf(draw->f, "injection: {terminal: %u, link: %u}", below(draw, topo->terminals),
            below(draw, topo->injections));
    break;
  case UT_FAULT_EJECTION:
    fprintf(draw->f, "ejection: {terminal: %u, link: %u}", below(draw, topo->terminals), below(draw, topo->ejections));
    break;
  case UT_FAULT_RANDOM_LINKS:
    count = between(draw, 1, draw->bias.many_faults ? most_links(draw) : 3);
    fprintf(draw->f, "random_links: %u", count);
    write_direction(draw, true);
    draw->weight += count;
    break;
  case UT_FAULT_RANDOM_SWITCHES:
    fprintf(draw->f, "random_switches: 1");
    draw->weight += of_switch;
    break;
  case UT_FAULT_RANDOM_TERMINAL_LINKS: fprintf(draw->f, "random_terminal_links: 1"); break;
  default: write_link(draw);
  }
}

/* Draws the times of a fault: for good, for a cycle, for a short or a long time, or several times. */
static void write_when(struct draw *draw) {
  const bool brief = draw->bias.brief_faults;
  const unsigned at = one_in(draw, 4) ? below(draw, 30) : below(draw, draw->cycles * 9 / 10);
  const unsigned choice = below(draw, 10);
  unsigned lasts = between(draw, 1, draw->cycles / 3);
  fprintf(draw->f, "at: %u, ", at);
  if (!brief && choice < 3)
    return;
  if (brief || choice < 7)
    lasts = one_in(draw, 2) ? 1 : between(draw, 2, brief ? 6 : 40);
  fprintf(draw->f, "until: %u, ", at + lasts);
  if (brief || one_in(draw, 4))
    fprintf(draw->f, "every: %u, times: %u, ", lasts + between(draw, 1, one_in(draw, 2) ? 8 : 300),
            between(draw, 2, brief ? 40 : 5));
}

/* Keeps a node down long enough for the manager to react. */
static void write_when_of_node(struct draw *draw) {
  const unsigned at = one_in(draw, 2) ? 0 : below(draw, draw->cycles / 2);
  fprintf(draw->f, "at: %u, ", at);
  if (at && one_in(draw, 2))
    fprintf(draw->f, "until: %u, ", at + between(draw, 100, 900));
}

static void write_faults(struct draw *draw) {
  const unsigned planned = plans(draw) ? below(draw, 4) : 0; /* links that routes are planned around */
  if (planned + draw->entries)
    fprintf(draw->f, "faults:\n");
  if (planned)
    fprintf(draw->f, "  - {at: 0, random_links: %u}\n", planned);
  for (unsigned i = 0; i < draw->entries; i++) {
    fprintf(draw->f, "  - {");
    (draw->family->nodes ? write_when_of_node : write_when)(draw);
    write_what(draw);
    fprintf(draw->f, "}\n");
  }
}

/* ---- routing, traffic, run */

/* Nodes: several faults together may be outside the fault model. */
static bool beyond(const struct draw *draw) {
  return draw->family->nodes && draw->entries > 1;
}

static void write_manager(struct draw *draw) {
  const bool brief = draw->bias.brief_timers;
  fprintf(draw->f, ", manager_delay_cycles: %u, manager_switch_cycles: %u", below(draw, brief ? 4 : 300),
          below(draw, brief ? 2 : 60));
}

/* Of a network that halts to be reconfigured: often enough it is reset, because it does not empty in time. */
static void write_halt(struct draw *draw) {
  write_manager(draw);
  fprintf(draw->f, ", drain_timeout_cycles: %u", draw->bias.brief_timers ? between(draw, 1, 60) : 2000);
}

static void write_routing(struct draw *draw) {
  const char *text = draw->shape->routing;
  const bool halts = has(text, "reconfiguration: static");
  const bool tables =
      has(text, "algorithm: table") || has(text, "algorithm: forwarding") || has(text, "exclusion_intervals");
  fprintf(draw->f, "routing: {%s", text);
  if (draw->family->vectors)
    fprintf(draw->f, ", reroute_timeout_cycles: %u, reroute_clear: %s",
            draw->bias.brief_timers ? between(draw, 1, 12)
            : one_in(draw, 4)       ? 0
                                    : below(draw, 201),
            one_in(draw, 2) ? "timer" : "repair");
  if (halts)
    write_halt(draw);
  else if (tables && one_in(draw, 6))
    fprintf(draw->f, ", tables: static");
  else if (tables || draw->family->manager)
    write_manager(draw);
  if (beyond(draw))
    fprintf(draw->f, ", beyond_fault_model: true");
  if (draw->family->nodes && !tolerates_nothing(draw))
    fprintf(draw->f, ", purge_timeout_cycles: %u", one_in(draw, 2) ? 300 : 600);
  fprintf(draw->f, "}\n");
}

/* Flits per cycle and terminal. */
static double draw_load(struct draw *draw) {
  const double most = draw->topology->injections;
  if (draw->bias.crowded)
    return most;
  if (draw->bias.sparse)
    return 0.01 + below(draw, 60) / 1000.0;
  return one_in(draw, 5) ? most : 0.02 + below(draw, one_in(draw, 2) ? 200 : (unsigned)(980 * most)) / 1000.0;
}

static const char *draw_pattern(struct draw *draw) {
  static const char *const of_powers[] = {"complement", "shuffle", "transpose"};
  const unsigned terminals = draw->topology->terminals;
  unsigned bits = 0;
  while (terminals >> bits > 1)
    bits++;
  if (one_in(draw, draw->bias.crowded ? 2 : 4))
    return "hot_spot";
  if (terminals == 1u << bits && one_in(draw, 3))
    return of_powers[below(draw, bits % 2 ? 2 : 3)];
  return "uniform";
}

static void write_traffic(struct draw *draw) {
  const double load = draw_load(draw);
  const char *pattern = draw_pattern(draw);
  fprintf(draw->f, "traffic: {pattern: %s, load_flits_per_cycle: %.3f, process: %s", pattern, load,
          load > draw->base->sw.packet_flits || draw->family->nodes || one_in(draw, 2) ? "poisson" : "bernoulli");
  if (!strcmp(pattern, "hot_spot"))
    fprintf(draw->f, ", hot_spot_fraction: %.2f, hot_spot_node: %u", below(draw, 60) / 100.0,
            below(draw, draw->topology->terminals));
  fprintf(draw->f, "}\n");
}

/* Whether packets may deadlock, by the rule of the family. */
static bool may_deadlock(const struct draw *draw) {
  const bool one_layer = (has(draw->shape->routing, "reroute_det_link") && draw->base->sw.vcs == 1) ||
                         has(draw->shape->routing, "_one_fault");
  switch (draw->family->deadlock) {
  case UT_HUNT_NEVER: return false;
  case UT_HUNT_FROM_K_FAULTS_ON:
    return draw->weight >= draw->base->topology.k || has(draw->shape->sw, "wormhole") || one_layer;
  case UT_HUNT_WITH_FAULTS: return draw->entries > 0 || has(draw->shape->routing, "without_bubble");
  default: return beyond(draw) || has(draw->shape->routing, "literal");
  }
}

static void write_scenario(struct draw *draw, uint64_t seed) {
  draw->bias = (struct bias){.crowded = one_in(draw, 3),
                             .sparse = one_in(draw, 3),
                             .brief_faults = one_in(draw, 3),
                             .brief_timers = one_in(draw, 3),
                             .many_faults = one_in(draw, 3)};
  draw->entries = draw_entries(draw);
  draw->weight = 0;
  write_topology(draw);
  write_switch(draw);
  write_routing(draw);
  write_traffic(draw);
  write_faults(draw);
  fprintf(draw->f, "run: {warmup_cycles: 0, measure_cycles: %u, drain: %s, watchdog_cycles: %u, seed: %" PRIu64 "}\n",
          draw->cycles, draw->family->drains && one_in(draw, 4) ? "true" : "false", draw->family->nodes ? 3700 : 500,
          seed);
}

/* Makes one attempt; if the scenario is impossible, text is NULL and *e says why. */
static int attempt(struct draw *draw, uint64_t seed, struct ut_hunt_scenario *scenario, struct ut_error *e) {
  size_t size;
  draw_network(draw);
  if (read_base(draw, e))
    return -1;
  draw->f = ut_memory_open(&scenario->text, &size);
  if (!draw->f)
    return ut_fail_memory(e);
  write_scenario(draw, seed);
  if (ut_memory_close(draw->f, &scenario->text))
    return ut_fail_memory(e);
  struct ut_scenario *read = ut_scenario_parse(scenario->text, strlen(scenario->text), "hunt", e);
  if (!read) {
    free(scenario->text);
    scenario->text = NULL;
  }
  ut_scenario_free(read);
  scenario->may_deadlock = may_deadlock(draw);
  return 0;
}

int ut_hunt_scenario_make(struct ut_hunt_scenario *scenario, unsigned shape, uint64_t seed, struct ut_error *e) {
  struct draw draw = {.shape = &ut_hunt_shapes[shape], .family = &ut_hunt_families[ut_hunt_shapes[shape].family]};
  int status = 0;
  *scenario = (struct ut_hunt_scenario){0};
  ut_random_init(&draw.random, seed, UT_RANDOM_HUNT, shape);
  for (unsigned i = 0; i < ATTEMPTS && !status && !scenario->text; i++) {
    status = attempt(&draw, seed, scenario, e);
    ut_scenario_free(draw.base);
    draw.base = NULL;
  }
  return scenario->text ? 0 : -1;
}
