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
#include "scenario_switches.h"

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

static void seen(struct pairs *p, enum ut_simulator who, uint32_t src, uint32_t dst, uint64_t latency) {
  uint16_t *least = &p->least[who][(size_t)src * p->terminals + dst];
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
static int run_ours(struct ut_network *n, struct our_runs *o, struct pairs *p, struct ut_error *e) {
  struct ut_departures left = {0};
  bool good = true;
  if (p)
    ut_departures_watch(n);
  while (good && !ut_network_done(n) && !*o->v->interrupted) {
    ut_network_step(n);
    good = !n->failure && (!p || ut_departures_take(&left, n));
    for (size_t i = 0; i < left.count; i++)
      seen(p, UT_OURS, left.list[i].src, left.list[i].record.dst, n->cycle - 1 - left.list[i].record.cycle);
    o->v->progress(o->v->ctx, o->ended + n->cycle, o->cycles);
  }
  free(left.list);
  o->ended += n->cycle;
  if (*o->v->interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  return good ? 0 : ut_fail_memory(e);
}

static unsigned quiet_cycles(const struct ut_scenario *s) {
  return (unsigned)(PACKETS_A_PAIR * (ut_scenario_terminals(s) - 1) / QUIET_PACKETS);
}

/* Switches on the shortest way between the terminals of all pairs. */
static int count_switches(const struct ut_topology *t, struct pairs *p, struct ut_error *e) {
  uint16_t *distance = malloc(t->switches * sizeof *distance);
  bool good = distance;
  for (uint32_t src = 0; src < t->terminals && good; src++) {
    good = ut_distances(t, NULL, ut_topology_attachment(t, src).sw, distance);
    for (uint32_t dst = 0; dst < t->terminals && good; dst++)
      p->switches[(size_t)src * t->terminals + dst] = (uint16_t)(distance[ut_topology_attachment(t, dst).sw] + 1);
  }
  free(distance);
  return good ? 0 : ut_fail_memory(e);
}

static int quiet_ours(struct our_runs *o, const struct ut_scenario *s, struct pairs *p, struct ut_error *e) {
  struct ut_scenario quiet = *s;
  struct ut_network n;
  quiet.traffic.pattern = &ut_pattern_uniform; /* all pairs */
  quiet.traffic.load_flits_per_cycle = QUIET_PACKETS * s->sw.packet_flits;
  quiet.run.warmup_cycles = 0;
  quiet.run.measure_cycles = quiet_cycles(s);
  if (ut_network_init(&n, &quiet, NULL, e))
    return -1;
  const int result = count_switches(&n.topology, p, e) || run_ours(&n, o, p, e) ? -1 : 0;
  ut_network_fini(&n);
  return result;
}

static int load_ours(struct our_runs *o, const struct ut_scenario *s, struct ut_booksim_load *load,
                     struct ut_error *e) {
  struct ut_scenario loaded = *s;
  struct ut_network n;
  loaded.traffic.load_flits_per_cycle = load->load;
  if (ut_network_init(&n, &loaded, NULL, e))
    return -1;
  const int result = run_ours(&n, o, NULL, e);
  load->accepted = ut_network_throughput(&n);
  load->latency = ut_histogram_mean(&n.terminals.latency);
  ut_network_fini(&n);
  return result;
}

/* ---- BookSim */

static void seen_theirs(void *ctx, uint32_t src, uint32_t dst, unsigned latency) {
  struct pairs *p = ctx;
  if (src < p->terminals && dst < p->terminals)
    seen(p, UT_THEIRS, src, dst, latency);
}

static size_t loads_of(const struct ut_validation *v) {
  return v->over_loads ? (size_t)((v->to - v->from) / v->step + 1e-6) + 1 : 0;
}

static int run_theirs(const struct ut_validation *v, const struct ut_scenario *s, struct pairs *p,
                      struct ut_booksim_load *load, struct ut_error *e) {
  for (size_t i = 0; i < loads_of(v); i++)
    load[i].load = v->from + (double)i * v->step;
  const struct ut_booksim_runs runs = {.booksim = v->booksim,
                                       .more = v->theirs,
                                       .more_count = v->theirs_count,
                                       .interrupted = v->interrupted,
                                       .says = v->says,
                                       .quiet_cycles = v->pairs ? quiet_cycles(s) : 0,
                                       .quiet_packets = QUIET_PACKETS,
                                       .packet = seen_theirs,
                                       .ctx = p,
                                       .load = load,
                                       .loads = loads_of(v)};
  return ut_booksim_run(&runs, s, e);
}

/* ---- side by side */

static json_t *figures(const struct ut_booksim_load *l) {
  return json_pack("{so, sf}", "latency", l->latency > 0 ? json_real(l->latency) : json_null(), "accepted",
                   l->accepted);
}

/* Latency of a packet alone (docs/explanation/network.md). */
static unsigned formula(const struct ut_scenario *s, unsigned switches) {
  return s->topology.injection_cycles + switches * (1 + s->sw.route_cycles + s->sw.alloc_cycles) +
         (switches - 1) * (s->topology.link_cycles - 1) + s->topology.ejection_cycles - 1 + s->sw.packet_flits - 1;
}

struct distance {
  unsigned pairs, equal, low[UT_SIMULATORS], high[UT_SIMULATORS];
};

static void add_pair(const struct pairs *p, size_t pair, struct distance *d) {
  d->pairs++;
  d->equal += p->least[UT_OURS][pair] == p->least[UT_THEIRS][pair];
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++) {
    const unsigned least = p->least[who][pair];
    d->low[who] = d->pairs == 1 || least < d->low[who] ? least : d->low[who];
    d->high[who] = least > d->high[who] ? least : d->high[who];
  }
}

static json_t *distance_row(const struct ut_scenario *s, unsigned switches, const struct distance *d) {
  json_t *row = json_pack("{si, si, si, si}", "switches", switches, "pairs", d->pairs, "formula", formula(s, switches),
                          "equal", d->equal);
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++)
    json_object_set_new(row, ut_simulator_name[who], json_pack("{si, si}", "low", d->low[who], "high", d->high[who]));
  return row;
}

static json_t *zero_load(const struct ut_scenario *s, const struct pairs *p) {
  const size_t all = (size_t)p->terminals * p->terminals;
  unsigned unseen = 0, equal = 0, farthest = 0;
  json_t *distances = json_array();
  for (size_t i = 0; i < all; i++)
    farthest = p->switches[i] > farthest ? p->switches[i] : farthest;
  for (unsigned switches = 1; switches <= farthest; switches++) {
    struct distance d = {0};
    for (size_t i = 0; i < all; i++) {
      const bool both = p->least[UT_OURS][i] != UNSEEN && p->least[UT_THEIRS][i] != UNSEEN;
      if (p->switches[i] != switches || i / p->terminals == i % p->terminals)
        continue;
      unseen += !both;
      if (both)
        add_pair(p, i, &d);
    }
    equal += d.equal;
    if (d.pairs)
      json_array_append_new(distances, distance_row(s, switches, &d));
  }
  return json_pack("{si, si, si, so}", "pairs", (int)(all - p->terminals), "unseen", unseen, "equal", equal,
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

static int allocate(struct pairs *p, const struct ut_scenario *s, struct ut_error *e) {
  *p = (struct pairs){.terminals = ut_scenario_terminals(s)};
  const size_t size = (size_t)p->terminals * p->terminals * sizeof(uint16_t);
  p->switches = malloc(size);
  bool good = p->switches;
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++) {
    p->least[who] = malloc(size);
    if (p->least[who])
      memset(p->least[who], 0xff, size); /* UNSEEN */
    else
      good = false;
  }
  return good ? 0 : ut_fail_memory(e);
}

/* Loads with the figures of both into a list. */
static int both_loads(struct our_runs *o, const struct ut_scenario *s, const struct ut_booksim_load *theirs,
                      json_t *loads, struct ut_error *e) {
  for (size_t i = 0; i < loads_of(o->v); i++) {
    struct ut_booksim_load ours = {.load = theirs[i].load};
    if (load_ours(o, s, &ours, e))
      return -1;
    json_array_append_new(loads, json_pack("{sf, so, so}", "load", ours.load, ut_simulator_name[UT_OURS],
                                           figures(&ours), ut_simulator_name[UT_THEIRS], figures(&theirs[i])));
  }
  return 0;
}

/* Both simulators, into what is measured. */
static int measure(const struct ut_validation *v, const struct ut_scenario *s, struct pairs *p,
                   struct ut_booksim_load *theirs, json_t *result, struct ut_error *e) {
  json_t *loads = json_array();
  struct our_runs ours = {.v = v,
                          .cycles = (v->pairs ? quiet_cycles(s) : 0) +
                                    loads_of(v) * (s->run.warmup_cycles + s->run.measure_cycles)};
  if ((v->pairs && quiet_ours(&ours, s, p, e)) || run_theirs(v, s, p, theirs, e) ||
      both_loads(&ours, s, theirs, loads, e)) {
    json_decref(loads);
    return -1;
  }
  if (v->pairs)
    json_object_set_new(result, "zero_load", zero_load(s, p));
  if (v->over_loads) {
    json_object_set(result, "loads", loads);
    json_object_set_new(result, "peak", of_both(loads, true));
    json_object_set_new(result, "saturation", of_both(loads, false));
  }
  json_decref(loads);
  return 0;
}

json_t *ut_validate(const struct ut_validation *v, struct ut_scenario *s, struct ut_error *e) {
  struct pairs p;
  struct ut_booksim_load *theirs = calloc(loads_of(v) + 1, sizeof *theirs);
  json_t *result = json_object();
  s->run.warmup_cycles = s->run.measure_cycles;
  s->run.drain = false;
  if (!theirs)
    ut_fail_memory(e);
  if (allocate(&p, s, e) || !theirs || measure(v, s, &p, theirs, result, e)) {
    json_decref(result);
    result = NULL;
  }
  for (enum ut_simulator who = 0; who < UT_SIMULATORS; who++)
    free(p.least[who]);
  free(p.switches);
  free(theirs);
  return result;
}
