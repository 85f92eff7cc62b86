/* SPDX-License-Identifier: Apache-2.0 */
/* path_routes.c - see path_routes.h */
#include "path_routes.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "random.h"
#include "route_unit.h"
#include "scenario_facts.h"
#include "scenario_switches.h"

#define NOT_FED UINT32_MAX
enum { TRIES = 8 }; /* questions to each input port about faults */

static ut_mask ports_of(const struct ut_topology *topo, uint32_t sw) {
  ut_mask ports = 0;
  for (unsigned port = 0; port < topo->po; port++)
    if (topo->peer[(size_t)sw * topo->po + port].kind != UT_PEER_NONE)
      ports |= ut_bit(port);
  return ports;
}

/* Collects the routes that a terminal can name in its header in the fault-free network. */
static uint32_t choices(const struct ut_path_routes *routes, uint32_t sw, unsigned in_port, uint32_t dst) {
  const struct ut_topology *topo = routes->topology;
  const uint32_t from = routes->fed_by[(size_t)sw * topo->pi + in_port];
  if (!topo->family->choices || from == NOT_FED)
    return 0;
  return topo->family->choices(topo, NULL, from / topo->injections, from % topo->injections, dst);
}

/* Returns the output ports, of any VC to any VC, with those links up. */
static ut_mask ask(struct ut_path_routes *routes, uint32_t sw, unsigned in_port, uint32_t dst, ut_mask up) {
  const struct ut_topology *topo = routes->topology;
  struct ut_group *group = &routes->group[ut_topology_elaboration(topo, sw)];
  struct ut_switch *golden = ut_switch_of(group, sw);
  /* the route unit does not look at the sender */
  const uint64_t header = ut_header_make((uint16_t)dst, 0, 0, choices(routes, sw, in_port, dst));
  ut_mask ports = 0;
  golden->out_up = up;
  for (unsigned in_vc = 0; in_vc < group->shape.v; in_vc++) {
    struct ut_route_result answer;
    memset(&answer, 0, sizeof answer);
    group->route(group, golden, header, in_port, in_vc, &answer);
    for (unsigned vc = 0; vc < group->shape.v && !answer.discard; vc++)
      ports |= answer.cand[vc];
  }
  return ports;
}

static ut_mask next(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  struct ut_path_routes *routes = ctx;
  const struct ut_topology *topo = routes->topology;
  if (in_port >= routes->group[ut_topology_elaboration(topo, sw)].shape.pi)
    return 0; /* there is no such port */
  return ask(routes, sw, in_port, dst, routes->ports[sw]);
}

static uint32_t twin(const void *ctx, uint32_t channel) {
  uint32_t other = ut_topology_twin(((const struct ut_path_routes *)ctx)->topology, channel);
  return other == UT_NO_CHANNEL ? UT_NO_TWIN : other;
}

/* Checks that with faults a switch uses those of its paths that are left, and no others. */
static bool without_detours(struct ut_path_routes *routes) {
  const struct ut_topology *topo = routes->topology;
  struct ut_random random;
  ut_random_init(&random, 0, UT_RANDOM_SAMPLING, 0);
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    for (unsigned port = 0; port < routes->group[ut_topology_elaboration(topo, sw)].shape.pi; port++)
      for (unsigned i = 0; i < TRIES; i++) {
        ut_mask all = routes->ports[sw], up = all & ((ut_mask)ut_random_u32(&random) << 32 | ut_random_u32(&random));
        uint32_t dst = ut_random_below(&random, topo->terminals);
        if (ask(routes, sw, port, dst, up) != (ask(routes, sw, port, dst, all) & up))
          return false;
      }
  return true;
}

static int check(struct ut_path_routes *routes, const struct ut_scenario *scenario, struct ut_error *e) {
  const struct ut_form *form = &routes->group[0].form;
  if (ut_scenario_planned(scenario))
    return ut_fail(e, UT_BAD_INPUT, "%s: routes are planned; --links counts ways that switches find by themselves",
                   ut_scenario_path(scenario));
  if (form->tables)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: %s has new tables after faults; --links counts ways of a network without faults: leave it out",
                   ut_scenario_path(scenario), ut_scenario_algorithm(scenario)->name);
  if (form->rewrites || form->vector || !without_detours(routes))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: %s knows more ways than those of a network without faults; --links is for algorithms without "
                   "detours",
                   ut_scenario_path(scenario), ut_scenario_algorithm(scenario)->name);
  return 0;
}

int ut_path_routes_init(struct ut_path_routes *routes, const struct ut_scenario *scenario,
                        const struct ut_topology *topo, struct ut_error *e) {
  *routes = (struct ut_path_routes){.topology = topo};
  routes->source = (struct ut_path_source){.switches = topo->switches,
                                           .terminals = topo->terminals,
                                           .pi = topo->pi,
                                           .po = topo->po,
                                           .injections = topo->injections,
                                           .to = topo->peer,
                                           .twin = twin,
                                           .next = next,
                                           .ctx = routes};
  routes->fed_by = malloc((size_t)topo->switches * topo->pi * sizeof *routes->fed_by);
  routes->ports = malloc(topo->switches * sizeof *routes->ports);
  bool memory = routes->fed_by && routes->ports;
  int status = 0;
  for (unsigned i = 0; i < topo->elaborations && memory && !status; i++) {
    struct ut_shape shape;
    status = ut_scenario_shape(scenario, &topo->elaboration[i], &shape, e);
    memory = status || ut_group_init(&routes->group[i], &shape, topo->elaboration[i].first, topo->elaboration[i].count);
  }
  if (!status && !memory)
    status = ut_fail(e, UT_BAD_INPUT, "out of memory for the switches of the network");
  if (!status) {
    memset(routes->fed_by, 0xff, (size_t)topo->switches * topo->pi * sizeof *routes->fed_by);
    for (uint32_t i = 0; i < topo->terminals * topo->injections; i++) {
      const struct ut_peer *to = &topo->peer[ut_topology_injection(topo, 0, 0) + i];
      routes->fed_by[(size_t)to->index * topo->pi + to->port] = i;
    }
    for (uint32_t sw = 0; sw < topo->switches; sw++) {
      struct ut_group *group = &routes->group[ut_topology_elaboration(topo, sw)];
      ut_switch_reset(group, ut_switch_of(group, sw), topo->straps[sw]);
      routes->ports[sw] = ports_of(topo, sw);
    }
    status = check(routes, scenario, e);
  }
  if (status)
    ut_path_routes_free(routes);
  return status;
}

void ut_path_routes_free(struct ut_path_routes *routes) {
  for (unsigned i = 0; routes->topology && i < UT_MAX_ELABORATIONS; i++)
    ut_group_fini(&routes->group[i]);
  free(routes->fed_by), free(routes->ports);
  *routes = (struct ut_path_routes){0};
}
