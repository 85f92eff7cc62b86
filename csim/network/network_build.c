/* SPDX-License-Identifier: Apache-2.0 */
/* network_build.c - makes a network of a scenario, and frees it. */
#include "network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "switches.h"
#include "topology_build.h"

static inline size_t words_of(size_t bits) {
  return (bits + 63) / 64;
}

void ut_network_fini(struct ut_network *n) {
  if (n->switches)
    n->switches->fini(n);
  ut_wires_fini(&n->wires);
  free(n->in_up), free(n->out_up), free(n->report), free(n->failed), free(n->stepped), free(n->reported),
      free(n->notice), free(n->changed), free(n->resumed);
  free(n->link_flits);
  ut_network_free_partitions(n->piece, n->pieces);
  ut_terminals_fini(&n->terminals);
  ut_manager_fini(&n->manager);
  ut_source_routes_fini(&n->source_routes);
  ut_availability_fini(&n->availability);
  ut_faults_free(&n->faults);
  if (n->workload)
    ut_workload_run_fini(n->workload);
  free(n->workload);
  ut_traffic_free(&n->traffic);
  ut_topology_free(&n->topology);
  memset(n, 0, sizeof *n);
}

/* Joins both ends of every channel. */
static void join(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  for (uint32_t i = 0; i < t->channels; i++) {
    const struct ut_peer sender = ut_topology_sender(t, i);
    for (unsigned v = 0; v < n->v && t->peer[i].kind != UT_PEER_NONE; v++)
      ut_wires_join(&n->wires, ut_network_lane(n, &sender, v), ut_network_lane(n, &t->peer[i], v), v);
  }
}

static bool allocate(struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  const size_t switches = t->switches;
  uint32_t lanes = UT_LANES; /* the first ones are nobody's */
  for (unsigned i = 0; i < t->elaborations; i++) {
    n->form[i] = ut_form_of(n->shape[i]);
    n->lane[i] = lanes;
    lanes += ut_shape_lanes(&n->shape[i], t->elaboration[i].count);
  }
  const uint32_t all = (lanes + t->terminals * n->terminals.links * n->v + UT_LANES - 1) / UT_LANES * UT_LANES;
  n->in_up = calloc(switches, sizeof *n->in_up);
  n->out_up = calloc(switches, sizeof *n->out_up);
  n->report = calloc(switches * n->reports, sizeof *n->report);
  n->failed = calloc(words_of(switches), 8);
  n->stepped = calloc(words_of(8 * switches), 8);
  n->reported = calloc(switches, sizeof *n->reported);
  n->changed = calloc(t->channels, sizeof *n->changed);
  n->resumed = calloc(t->channels, sizeof *n->resumed);
  n->wires = (struct ut_wires){.terminals = lanes,
                               .words = n->words,
                               .depth = n->shape->depth,
                               .link_cycles = n->link_cycles,
                               .injection_cycles = n->injection_cycles,
                               .ejection_cycles = n->ejection_cycles};
  return ut_wires_init(&n->wires, all) && n->in_up && n->out_up && n->report && n->failed && n->stepped &&
         n->reported && n->changed && n->resumed;
}

/* Exclusion intervals avoid the faults of cycle 0 from the start, tables are those of the network without faults. */
static bool survey_first(struct ut_network *n) {
  ut_mask *up = calloc(n->topology.switches, sizeof *up);
  while (n->shape->exclusions && ut_faults_next(&n->faults, 0))
    ;
  for (uint32_t sw = 0; up && sw < n->topology.switches; sw++)
    up[sw] = (ut_mask)ut_faults_out_up(&n->faults, sw);
  ut_faults_rewind(&n->faults);
  if (up)
    ut_manager_survey(&n->manager, up);
  free(up);
  return up != NULL;
}

/* Gives every switch its first tables, or exclusion intervals. */
static bool load_tables(struct ut_network *n, const struct ut_scenario *s) {
  struct ut_manager *m = &n->manager;
  if (!n->shape->destinations && !n->shape->exclusions)
    return true;
  if (!ut_manager_init(m, &n->topology, n->shape, s->routing.tables == UT_TABLES_RECONFIGURED,
                       s->routing.manager_delay_cycles, s->routing.manager_switch_cycles) ||
      !survey_first(n))
    return false;
  for (uint32_t sw = 0; sw < n->topology.switches; sw++)
    for (uint32_t i = 0; i < m->entries; i++) {
      const uint64_t word = ut_manager_boot(m, sw, i);
      n->switches->configure(n, sw, word);
    }
  return true;
}

/* What terminals know.  Faults of cycle 0 are there before it. */
static int inform_terminals(struct ut_network *n, const struct ut_scenario *s, struct ut_error *e) {
  const bool choices = n->topology.family->choices, states = UT_ALG_STATES(n->shape->route, n->shape->algorithm);
  if (choices && !ut_source_routes_init(&n->source_routes, &n->topology, s->routing.manager_delay_cycles,
                                        s->routing.manager_switch_cycles))
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for what terminals know", s->path);
  if (states && ut_availability_init(&n->availability, &n->topology, s->run.seed, e))
    return -1;
  while (ut_faults_next(&n->faults, 0))
    ;
  if (choices) {
    ut_source_routes_begin(&n->source_routes, &n->faults);
    n->terminals.source_routes = &n->source_routes;
  }
  if (states) {
    ut_availability_survey(&n->availability, &n->faults);
    n->terminals.availability = &n->availability;
    ut_purge_init(&n->purge_protocol, &n->availability, n->link_cycles, s->routing.purge_timeout_cycles);
  }
  ut_faults_rewind(&n->faults);
  return 0;
}

/* The workload, which takes part in every cycle from now on. */
static int begin_workload(struct ut_network *n, const struct ut_scenario *s, struct ut_error *e) {
  struct ut_workload_run *run = calloc(1, sizeof *run);
  if (!run)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the workload", s->path);
  if (ut_workload_run_init(run, s, &n->topology, ut_network_ready_cycle(n), e)) {
    free(run);
    return -1;
  }
  n->workload = run;
  n->terminals.releases = &run->releases;
  n->terminals.watched = true;
  return 0;
}

void ut_network_follow(struct ut_network *n, const struct ut_network *leader) {
  n->terminals.releases = leader->terminals.releases;
}

int ut_network_init(struct ut_network *n, const struct ut_scenario *s, const struct ut_backend *backend,
                    struct ut_error *e) {
  memset(n, 0, sizeof *n);
  n->scenario = s;
  n->purge_protocol.next_cycle = UINT64_MAX;
  n->backend = backend;
  n->switches = backend ? &ut_switches_backend : &ut_switches_model;
  n->together = backend ? backend->together : 1;
  if (ut_scenario_planned(s) && !s->paths)
    return ut_fail(e, UT_INTERNAL, "%s: the routes have not been planned", s->path);
  if (ut_topology_init(&n->topology, s, e))
    return -1;
  const struct ut_topology *t = &n->topology;
  for (unsigned i = 0; i < t->elaborations; i++)
    if (ut_scenario_shape(s, &t->elaboration[i], &n->shape[i], e)) {
      ut_network_fini(n);
      return -1;
    }
  n->v = n->shape->v;
  n->words = n->shape->w / 64;
  n->link_cycles = s->topology.link_cycles;
  n->injection_cycles = s->topology.injection_cycles ? s->topology.injection_cycles : n->link_cycles;
  n->ejection_cycles = s->topology.ejection_cycles ? s->topology.ejection_cycles : n->link_cycles;
  if (ut_traffic_init(&n->traffic, s, t->terminals, e) || ut_faults_init(&n->faults, s, t, e)) {
    ut_network_fini(n);
    return -1;
  }
  n->reports = ut_shape_reports(n->shape);
  if (!ut_terminals_init(&n->terminals, &n->traffic, t, n->shape, s->paths, backend == NULL) || !allocate(n) ||
      !n->switches->init(n) || !ut_network_divide(n, 1)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a network of %u switches; try a smaller one", s->path,
                   ut_scenario_switches(s));
  }
  if (inform_terminals(n, s, e) ||
      (!backend && ut_pattern_is_workload(s->traffic.pattern) && begin_workload(n, s, e))) {
    ut_network_fini(n);
    return -1;
  }
  n->terminals.window_start =
      ut_pattern_is_workload(s->traffic.pattern) ? ut_network_ready_cycle(n) : s->run.warmup_cycles;
  n->terminals.window_end = ut_network_planned(s);
  for (uint32_t i = 0; i < t->switches; i++) {
    n->in_up[i] = (ut_mask)ut_faults_in_up(&n->faults, i);
    n->out_up[i] = (ut_mask)ut_faults_out_up(&n->faults, i);
    n->switches->reset(n, i);
    n->switches->disturb(n, i);
  }
  if (!load_tables(n, s)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for forwarding tables; try a smaller network", s->path);
  }
  join(n);
  ut_terminals_join(&n->terminals, &n->wires);
  if (n->switches->begin && !n->switches->begin(n)) {
    ut_network_fini(n);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the spec", s->path);
  }
  return 0;
}
