/* SPDX-License-Identifier: Apache-2.0 */
/* validate.c - see validate.h
 *
 * The latency of a pair is the least of some packets, so that what another packet has cost does not count.
 */
#include "validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "booksim_runs.h"
#include "cache_files.h"
#include "departures.h"
#include "distance.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "topology_build.h"

/* Packets rare enough that most are alone, and so many that hardly a pair goes without one. */
#define QUIET_PACKETS 0.005
enum { PACKETS_A_PAIR = 16, UNSEEN = UINT16_MAX };
#define ACCEPTED 0.95

const char *const ut_simulator_name[UT_SIMULATORS] = {"uturn", "booksim"};

struct pairs {
  uint32_t terminals;
  uint16_t *least[UT_SIMULATORS]; /* [terminals * terminals]: latency */
  uint16_t *switches;             /* the same: on the way */
};

static void seen(struct pairs *pairs, enum ut_simulator who, uint32_t src, uint32_t dst, uint64_t latency) {
  uint16_t *least = &pairs->least[who][(size_t)src * pairs->terminals + dst];
  if (latency < *least)
    *least = (uint16_t)latency;
}

/* ---- ours */

/* Our runs: how many cycles they have together, and how many of these those had that have ended. */
struct our_runs {
  const struct ut_validation *v;
  uint64_t cycles, ended;
};

/* Moves the network through all of its cycles. */
static int run_ours(struct ut_network *net, struct our_runs *runs, struct pairs *pairs, struct ut_error *e) {
  struct ut_departures left = {0};
  bool good = true;
  if (pairs)
    ut_departures_watch(net);
  while (good && !ut_network_done(net) && !*runs->v->interrupted) {
    ut_network_step(net);
    good = !net->failure && (!pairs || ut_departures_take(&left, net));
    for (size_t i = 0; i < left.count; i++)
      seen(pairs, UT_OURS, left.list[i].src, left.list[i].record.dst, net->cycle - 1 - left.list[i].record.cycle);
    runs->v->progress(runs->v->ctx, runs->ended + net->cycle, runs->cycles);
  }
  free(left.list);
  runs->ended += net->cycle;
  if (*runs->v->interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  return good ? 0 : ut_fail_memory(e);
}

static unsigned quiet_cycles(const struct ut_scenario *scenario) {
  return (unsigned)(PACKETS_A_PAIR * (ut_scenario_terminals(scenario) - 1) / QUIET_PACKETS);
}

/* Switches on the shortest way between the terminals of all pairs. */
static int count_switches(const struct ut_topology *topo, struct pairs *pairs, struct ut_error *e) {
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  bool good = distance;
  for (uint32_t src = 0; src < topo->terminals && good; src++) {
    good = ut_distances(topo, NULL, ut_topology_attachment(topo, src).sw, distance);
    for (uint32_t dst = 0; dst < topo->terminals && good; dst++)
      pairs->switches[(size_t)src * topo->terminals + dst] =
          (uint16_t)(distance[ut_topology_attachment(topo, dst).sw] + 1);
  }
  free(distance);
  return good ? 0 : ut_fail_memory(e);
}

static int quiet_ours(struct our_runs *runs, const struct ut_scenario *scenario, struct pairs *pairs,
                      struct ut_error *e) {
  struct ut_scenario quiet = *scenario;
  struct ut_network net;
  quiet.traffic.pattern = &ut_pattern_uniform; /* all pairs */
  quiet.traffic.load_flits_per_cycle = QUIET_PACKETS * scenario->sw.packet_flits;
  quiet.run.warmup_cycles = 0;
  quiet.run.measure_cycles = quiet_cycles(scenario);
  if (ut_network_init(&net, &quiet, NULL, e))
    return -1;
  const int result = count_switches(net.topology, pairs, e) || run_ours(&net, runs, pairs, e) ? -1 : 0;
  ut_network_fini(&net);
  return result;
}

static int load_ours(struct our_runs *runs, const struct ut_scenario *scenario, struct ut_booksim_load *load,
                     struct ut_error *e) {
  struct ut_scenario loaded = *scenario;
  struct ut_network net;
  loaded.traffic.load_flits_per_cycle = load->load;
  if (ut_network_init(&net, &loaded, NULL, e))
    return -1;
  const int result = run_ours(&net, runs, NULL, e);
  load->accepted = ut_network_throughput(&net);
  load->latency = ut_histogram_mean(&net.terminals.latency);
  ut_network_fini(&net);
  return result;
}

/* ---- BookSim */

static void seen_theirs(void *ctx, uint32_t src, uint32_t dst, unsigned latency) {
  struct pairs *pairs = ctx;
  if (src < pairs->terminals && dst < pairs->terminals)
    seen(pairs, UT_THEIRS, src, dst, latency);
}

static size_t loads_of(const struct ut_validation *validation) {
  return validation->over_loads ? (size_t)((validation->to - validation->from) / validation->step + 1e-6) + 1 : 0;
}

static int run_theirs(const struct ut_validation *validation, const struct ut_scenario *scenario, struct pairs *pairs,
                      struct ut_booksim_load *load, struct ut_error *e) {
  for (size_t i = 0; i < loads_of(validation); i++)
    load[i].load = validation->from + (double)i * validation->step;
  const struct ut_booksim_runs runs = {.booksim = validation->booksim,
                                       .more = validation->theirs,
                                       .more_count = validation->theirs_count,
                                       .interrupted = validation->interrupted,
                                       .says = validation->says,
                                       .quiet_cycles = validation->pairs ? quiet_cycles(scenario) : 0,
                                       .quiet_packets = QUIET_PACKETS,
                                       .packet = seen_theirs,
                                       .ctx = pairs,
                                       .load = load,
                                       .loads = loads_of(validation)};
  return ut_booksim_run(&runs, scenario, e);
}

/* ---- side by side */

static json_t *figures(const struct ut_booksim_load *load) {
  return json_pack("{so, sf}", "latency", load->latency > 0 ? json_real(load->latency) : json_null(), "accepted",
                   load->accepted);
}

/* Latency of a packet alone (docs/explanation/network.md); null where some links are longer than others. */
static json_t *formula(const struct ut_scenario *scenario, unsigned switches) {
  if (ut_scenario_topology(scenario)->extra_cycles)
    return json_null();
  return json_integer(scenario->topology.injection_cycles +
                      switches * (1 + scenario->sw.route_cycles + scenario->sw.alloc_cycles) +
                      (switches - 1) * (scenario->topology.link_cycles - 1) + scenario->topology.ejection_cycles - 1 +
                      scenario->sw.packet_flits - 1);
}

struct distance {
  unsigned pairs, equal, low[UT_SIMULATORS], high[UT_SIMULATORS];
};

static void add_pair(const struct pairs *pairs, size_t pair, struct distance *distance) {
  distance->pairs++;
  distance->equal += pairs->least[UT_OURS][pair] == pairs->least[UT_THEIRS][pair];
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++) {
    const unsigned least = pairs->least[who][pair];
    distance->low[who] = distance->pairs == 1 || least < distance->low[who] ? least : distance->low[who];
    distance->high[who] = least > distance->high[who] ? least : distance->high[who];
  }
}

static json_t *distance_row(const struct ut_scenario *scenario, unsigned switches, const struct distance *distance) {
  json_t *row = json_pack("{si, si, so, si}", "switches", switches, "pairs", distance->pairs, "formula",
                          formula(scenario, switches), "equal", distance->equal);
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++)
    json_object_set_new(row, ut_simulator_name[who],
                        json_pack("{si, si}", "low", distance->low[who], "high", distance->high[who]));
  return row;
}

static json_t *zero_load(const struct ut_scenario *scenario, const struct pairs *pairs) {
  const size_t all = (size_t)pairs->terminals * pairs->terminals;
  unsigned unseen = 0, equal = 0, farthest = 0;
  json_t *distances = json_array();
  for (size_t i = 0; i < all; i++)
    farthest = pairs->switches[i] > farthest ? pairs->switches[i] : farthest;
  for (unsigned switches = 1; switches <= farthest; switches++) {
    struct distance distance = {0};
    for (size_t i = 0; i < all; i++) {
      const bool both = pairs->least[UT_OURS][i] != UNSEEN && pairs->least[UT_THEIRS][i] != UNSEEN;
      if (pairs->switches[i] != switches || i / pairs->terminals == i % pairs->terminals)
        continue;
      unseen += !both;
      if (both)
        add_pair(pairs, i, &distance);
    }
    equal += distance.equal;
    if (distance.pairs)
      json_array_append_new(distances, distance_row(scenario, switches, &distance));
  }
  return json_pack("{si, si, si, so}", "pairs", (int)(all - pairs->terminals), "unseen", unseen, "equal", equal,
                   "distances", distances);
}

/* The most accepted, or the highest load up to which nearly all was. */
static double over_loads(const json_t *loads, enum ut_simulator who, bool peak) {
  const json_t *row;
  size_t i;
  double most = 0, saturation = 0;
  bool below = true;
  json_array_foreach(loads, i, row) {
    const double load = json_number_value(json_object_get(row, "load")),
                 accepted =
                     json_number_value(json_object_get(json_object_get(row, ut_simulator_name[who]), "accepted"));
    most = fmax(most, accepted);
    below = below && accepted >= ACCEPTED * load;
    saturation = below ? load : saturation;
  }
  return peak ? most : saturation;
}

static json_t *of_both(const json_t *loads, bool peak) {
  return json_pack("{sf, sf}", ut_simulator_name[UT_OURS], over_loads(loads, UT_OURS, peak),
                   ut_simulator_name[UT_THEIRS], over_loads(loads, UT_THEIRS, peak));
}

static int allocate(struct pairs *pairs, const struct ut_scenario *scenario, struct ut_error *e) {
  *pairs = (struct pairs){.terminals = ut_scenario_terminals(scenario)};
  const size_t size = (size_t)pairs->terminals * pairs->terminals * sizeof(uint16_t);
  pairs->switches = malloc(size);
  bool good = pairs->switches;
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++) {
    pairs->least[who] = malloc(size);
    if (pairs->least[who])
      memset(pairs->least[who], 0xff, size); /* UNSEEN */
    else
      good = false;
  }
  return good ? 0 : ut_fail_memory(e);
}

/* Loads with the figures of both into a list. */
static int both_loads(struct our_runs *runs, const struct ut_scenario *scenario, const struct ut_booksim_load *theirs,
                      json_t *loads, struct ut_error *e) {
  for (size_t i = 0; i < loads_of(runs->v); i++) {
    struct ut_booksim_load ours = {.load = theirs[i].load};
    if (load_ours(runs, scenario, &ours, e))
      return -1;
    json_array_append_new(loads, json_pack("{sf, so, so}", "load", ours.load, ut_simulator_name[UT_OURS],
                                           figures(&ours), ut_simulator_name[UT_THEIRS], figures(&theirs[i])));
  }
  return 0;
}

/* Both simulators, into what is measured. */
static int measure(const struct ut_validation *validation, const struct ut_scenario *scenario, struct pairs *pairs,
                   struct ut_booksim_load *theirs, json_t *result, struct ut_error *e) {
  json_t *loads = json_array();
  struct our_runs ours = {.v = validation,
                          .cycles =
                              (validation->pairs ? quiet_cycles(scenario) : 0) +
                              loads_of(validation) * (scenario->run.warmup_cycles + scenario->run.measure_cycles)};
  if ((validation->pairs && quiet_ours(&ours, scenario, pairs, e)) ||
      run_theirs(validation, scenario, pairs, theirs, e) || both_loads(&ours, scenario, theirs, loads, e)) {
    json_decref(loads);
    return -1;
  }
  if (validation->pairs)
    json_object_set_new(result, "zero_load", zero_load(scenario, pairs));
  if (validation->over_loads) {
    json_object_set(result, "loads", loads);
    json_object_set_new(result, "peak", of_both(loads, true));
    json_object_set_new(result, "saturation", of_both(loads, false));
  }
  json_decref(loads);
  return 0;
}

json_t *ut_validate(const struct ut_validation *validation, struct ut_scenario *scenario, struct ut_error *e) {
  struct pairs pairs;
  struct ut_booksim_load *theirs = calloc(loads_of(validation) + 1, sizeof *theirs);
  json_t *result = json_object();
  scenario->run.warmup_cycles = scenario->run.measure_cycles;
  scenario->run.drain = false;
  if (!theirs)
    ut_fail_memory(e);
  if (allocate(&pairs, scenario, e) || !theirs || measure(validation, scenario, &pairs, theirs, result, e)) {
    json_decref(result);
    result = NULL;
  }
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++)
    free(pairs.least[who]);
  free(pairs.switches);
  free(theirs);
  return result;
}
