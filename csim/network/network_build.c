/* SPDX-License-Identifier: Apache-2.0 */
/* network_build.c - builds the network of a scenario, and frees it. */
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

void ut_network_fini(struct ut_network *net) {
  if (net->switches)
    net->switches->fini(net);
  ut_wires_fini(&net->wires);
  ut_link_delays_fini(&net->delays);
  free(net->in_up), free(net->out_up), free(net->report), free(net->failed), free(net->stepped), free(net->reported),
      free(net->notice), free(net->changed), free(net->resumed);
  free(net->link_flits);
  ut_network_free_partitions(net->partition, net->partitions);
  ut_terminals_fini(&net->terminals);
  ut_manager_fini(&net->manager);
  ut_drain_fini(&net->drain);
  ut_source_routes_fini(&net->source_routes);
  ut_availability_fini(&net->availability);
  ut_faults_free(&net->faults);
  if (net->workload)
    ut_workload_run_fini(net->workload);
  free(net->workload);
  if (net->resends)
    ut_resends_fini(net->resends);
  free(net->resends);
  ut_traffic_free(&net->traffic);
  memset(net, 0, sizeof *net);
}

/* Joins both ends of every channel. */
static void join(struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  for (uint32_t i = 0; i < topo->channels; i++) {
    const struct ut_peer sender = ut_topology_sender(topo, i);
    for (unsigned v = 0; v < net->v && topo->peer[i].kind != UT_PEER_NONE; v++)
      ut_wires_join(&net->wires, ut_network_lane(net, &sender, v), ut_network_lane(net, &topo->peer[i], v), v);
  }
}

static bool allocate(struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  const size_t switches = topo->switches;
  uint32_t lanes = UT_LANES; /* the first lanes are unused */
  for (unsigned i = 0; i < topo->elaborations; i++) {
    net->form[i] = ut_form_of(net->shape[i]);
    net->lane[i] = lanes;
    lanes += ut_shape_lanes(&net->shape[i], topo->elaboration[i].count);
  }
  const uint32_t all = (lanes + topo->terminals * net->terminals.links * net->v + UT_LANES - 1) / UT_LANES * UT_LANES;
  net->in_up = calloc(switches, sizeof *net->in_up);
  net->out_up = calloc(switches, sizeof *net->out_up);
  net->report = calloc(switches * net->reports, sizeof *net->report);
  net->failed = calloc(words_of(switches), 8);
  net->stepped = calloc(words_of(8 * switches), 8);
  net->reported = calloc(switches, sizeof *net->reported);
  net->changed = calloc(2 * (size_t)topo->channels, sizeof *net->changed);
  net->resumed = calloc(topo->channels, sizeof *net->resumed);
  net->wires = (struct ut_wires){.terminals = lanes,
                                 .words = net->words,
                                 .depth = net->shape->depth,
                                 .link_cycles = net->link_cycles,
                                 .injection_cycles = net->injection_cycles,
                                 .ejection_cycles = net->ejection_cycles};
  return ut_wires_init(&net->wires, all) && ut_link_delays_init(&net->delays, net) && net->in_up && net->out_up &&
         net->report && net->failed && net->stepped && net->reported && net->changed && net->resumed;
}

/* Exclusion intervals avoid the faults of cycle 0 from the start; forwarding tables are those of the fault-free
 * network, unless faults are known before the network starts (reconfiguration.h). */
static bool survey_first(struct ut_network *net) {
  ut_mask *up = calloc(net->topology->switches, sizeof *up);
  const bool known = net->shape->exclusions || net->reconfiguration.active;
  while (known && ut_faults_next(&net->faults, 0))
    ;
  for (uint32_t sw = 0; up && sw < net->topology->switches; sw++)
    up[sw] = (ut_mask)ut_faults_out_up(&net->faults, sw);
  ut_faults_rewind(&net->faults);
  if (up)
    ut_manager_survey(&net->manager, up);
  free(up);
  return up != NULL;
}

/* Returns the cycles from a survey until the manager begins to write: a static reconfiguration surveys the network when
 * it knows of the change. */
static uint64_t waiting(const struct ut_network *net) {
  return net->reconfiguration.active ? 0 : net->scenario->routing.manager_delay_cycles;
}

/* Writes the first tables, or exclusion intervals, of every switch. */
static bool load_tables(struct ut_network *net, const struct ut_scenario *scenario) {
  struct ut_manager *manager = &net->manager;
  if (!net->shape->destinations && !net->shape->exclusions)
    return true;
  const struct ut_manager_rule rule = {.active = scenario->routing.tables == UT_TABLES_RECONFIGURED,
                                       .update = scenario->routing.update,
                                       .delay = waiting(net),
                                       .pace = scenario->routing.manager_switch_cycles};
  if (!ut_manager_init(manager, net->topology, net->shape, &scenario->routing.planning, &rule) || !survey_first(net) ||
      (rule.update != UT_UPDATE_MIXED && !ut_drain_init(&net->drain, net->topology->terminals)))
    return false;
  for (uint32_t sw = 0; sw < net->topology->switches; sw++)
    for (uint32_t i = 0; i < manager->entries; i++) {
      const uint64_t word = ut_manager_boot(manager, sw, i);
      net->switches->configure(net, sw, word);
    }
  ut_manager_tell_terminals(manager);
  if (manager->forwarding.hops.layer)
    net->terminals.next_hops = &manager->forwarding.hops;
  return true;
}

/* Builds the terminals' source route tables, which include the faults of cycle 0. */
static int inform_terminals(struct ut_network *net, const struct ut_scenario *scenario, struct ut_error *e) {
  const bool choices = net->topology->family->choices, states = UT_ALG_STATES(net->shape->route, net->shape->algorithm);
  if (choices &&
      !ut_source_routes_init(&net->source_routes, net->topology, waiting(net), scenario->routing.manager_switch_cycles))
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for what terminals know", scenario->path);
  if (states && ut_availability_init(&net->availability, net->topology, scenario->run.seed, e))
    return -1;
  if (net->shape->via && !ut_terminals_draw_via(&net->terminals, scenario->run.seed))
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for intermediate terminals", scenario->path);
  while (ut_faults_next(&net->faults, 0))
    ;
  if (choices) {
    ut_source_routes_begin(&net->source_routes, &net->faults);
    net->terminals.source_routes = &net->source_routes;
  }
  if (states) {
    ut_availability_survey(&net->availability, &net->faults);
    net->terminals.availability = &net->availability;
    ut_purge_init(&net->purge_protocol, &net->availability, net->link_cycles, scenario->routing.purge_timeout_cycles);
  }
  ut_faults_rewind(&net->faults);
  return 0;
}

/* Starts the workload, which takes part in every cycle from now on. */
static int begin_workload(struct ut_network *net, const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_workload_run *run = calloc(1, sizeof *run);
  if (!run)
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the workload", scenario->path);
  if (ut_workload_run_init(run, scenario, net->topology, ut_network_ready_cycle(net), e)) {
    free(run);
    return -1;
  }
  net->workload = run;
  net->terminals.releases = &run->releases;
  net->terminals.watched = true;
  return 0;
}

/* Lets packets that were discarded be sent again, from now on. */
static int begin_resends(struct ut_network *net, const struct ut_scenario *scenario, struct ut_error *e) {
  if (!scenario->traffic.resend_after_cycles || ut_pattern_is_workload(scenario->traffic.pattern) || net->backend)
    return 0;
  net->resends = malloc(sizeof *net->resends);
  if (!net->resends || !ut_resends_init(net->resends, scenario, net->topology->terminals))
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for packets that are sent again", scenario->path);
  net->terminals.resends = net->resends->now;
  net->terminals.stops = net->resends->stops;
  net->terminals.watched = true;
  return 0;
}

void ut_network_follow(struct ut_network *net, const struct ut_network *leader) {
  net->terminals.releases = leader->terminals.releases;
  net->terminals.resends = leader->terminals.resends;
  net->terminals.stops = leader->terminals.stops;
  if (net->reconfiguration.active || net->manager.rule.update != UT_UPDATE_MIXED)
    net->leader = leader;
  if (net->reconfiguration.active)
    net->reconfiguration.next_cycle = 0;
}

int ut_network_init(struct ut_network *net, const struct ut_scenario *scenario, const struct ut_backend *backend,
                    struct ut_error *e) {
  memset(net, 0, sizeof *net);
  net->scenario = scenario;
  net->purge_protocol.next_cycle = UINT64_MAX;
  net->reconfiguration.next_cycle = net->reconfiguration.reset_cycle = UINT64_MAX;
  net->reconfiguration.active = scenario->routing.reconfiguration == UT_RECONFIGURATION_STATIC;
  net->backend = backend;
  net->switches = backend ? &ut_switches_backend : &ut_switches_model;
  net->together = backend ? backend->together : 1;
  if (ut_scenario_planned(scenario) && !scenario->paths)
    return ut_fail(e, UT_INTERNAL, "%s: the routes have not been planned", scenario->path);
  const struct ut_topology *topo = net->topology = ut_scenario_topology(scenario);
  for (unsigned i = 0; i < topo->elaborations; i++)
    if (ut_scenario_shape(scenario, &topo->elaboration[i], &net->shape[i], e)) {
      ut_network_fini(net);
      return -1;
    }
  net->v = net->shape->v;
  net->words = net->shape->w / 64;
  net->link_cycles = scenario->topology.link_cycles;
  net->injection_cycles = scenario->topology.injection_cycles ? scenario->topology.injection_cycles : net->link_cycles;
  net->ejection_cycles = scenario->topology.ejection_cycles ? scenario->topology.ejection_cycles : net->link_cycles;
  if (ut_traffic_init(&net->traffic, scenario, topo->terminals, e) || ut_faults_init(&net->faults, scenario, topo, e)) {
    ut_network_fini(net);
    return -1;
  }
  net->reports = ut_shape_reports(net->shape);
  if (!ut_terminals_init(&net->terminals, &net->traffic, topo, net->shape, scenario->paths, backend == NULL) ||
      !allocate(net) || !net->switches->init(net) || !ut_network_divide(net, 1)) {
    ut_network_fini(net);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for a network of %u switches; try a smaller one",
                   scenario->path, ut_scenario_switches(scenario));
  }
  net->terminals.halts = net->reconfiguration.active;
  if (inform_terminals(net, scenario, e) || begin_resends(net, scenario, e) ||
      (!backend && ut_pattern_is_workload(scenario->traffic.pattern) && begin_workload(net, scenario, e))) {
    ut_network_fini(net);
    return -1;
  }
  net->terminals.window_start =
      ut_pattern_is_workload(scenario->traffic.pattern) ? ut_network_ready_cycle(net) : scenario->run.warmup_cycles;
  net->terminals.window_end = ut_network_planned(scenario);
  for (uint32_t i = 0; i < topo->switches; i++) {
    net->in_up[i] = (ut_mask)ut_faults_in_up(&net->faults, i);
    net->out_up[i] = (ut_mask)ut_faults_out_up(&net->faults, i);
    net->switches->reset(net, i);
    net->switches->disturb(net, i);
  }
  if (!load_tables(net, scenario)) {
    ut_network_fini(net);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for forwarding tables; try a smaller network",
                   scenario->path);
  }
  if (ut_forwarding_check(&net->manager.forwarding, scenario->path, &scenario->routing.planning, e)) {
    ut_network_fini(net);
    return -1;
  }
  join(net);
  ut_terminals_join(&net->terminals, &net->wires);
  if (net->switches->begin && !net->switches->begin(net)) {
    ut_network_fini(net);
    return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for the spec", scenario->path);
  }
  return 0;
}
