/* SPDX-License-Identifier: Apache-2.0 */
/* path_routes.c - see path_routes.h */
#include "path_routes.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "random.h"
#include "route_unit.h"
#include "scenario_switches.h"

#define NOT_FED UINT32_MAX
enum { TRIES = 8 }; /* questions to each input port about faults */

static ut_mask ports_of(const struct ut_topology *t, uint32_t sw) {
  ut_mask ports = 0;
  for (unsigned port = 0; port < t->po; port++)
    if (t->peer[(size_t)sw * t->po + port].kind != UT_PEER_NONE)
      ports |= ut_bit(port);
  return ports;
}

/* The ways that a terminal names in its header while nothing has failed. */
static uint32_t choices(const struct ut_path_routes *r, uint32_t sw, unsigned in_port, uint32_t dst) {
  const struct ut_topology *t = r->topology;
  const uint32_t from = r->fed_by[(size_t)sw * t->pi + in_port];
  if (!t->family->choices || from == NOT_FED)
    return 0;
  return t->family->choices(t, NULL, from / t->injections, from % t->injections, dst);
}

/* Output ports, of any VC to any VC, with those links up. */
static ut_mask ask(struct ut_path_routes *r, uint32_t sw, unsigned in_port, uint32_t dst, ut_mask up) {
  const struct ut_topology *t = r->topology;
  struct ut_group *g = &r->group[ut_topology_elaboration(t, sw)];
  struct ut_switch *s = ut_switch_of(g, sw);
  /* From whom, no route unit asks. */
  const uint64_t header = ut_header_make((uint16_t)dst, 0, 0, choices(r, sw, in_port, dst));
  ut_mask ports = 0;
  s->out_up = up;
  for (unsigned in_vc = 0; in_vc < g->shape.v; in_vc++) {
    struct ut_route_result answer;
    memset(&answer, 0, sizeof answer);
    g->route(g, s, header, in_port, in_vc, &answer);
    for (unsigned vc = 0; vc < g->shape.v && !answer.discard; vc++)
      ports |= answer.cand[vc];
  }
  return ports;
}

static ut_mask next(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  struct ut_path_routes *r = ctx;
  const struct ut_topology *t = r->topology;
  if (in_port >= r->group[ut_topology_elaboration(t, sw)].shape.pi)
    return 0; /* there is no such port */
  return ask(r, sw, in_port, dst, r->ports[sw]);
}

static uint32_t twin(const void *ctx, uint32_t channel) {
  uint32_t other = ut_topology_twin(((const struct ut_path_routes *)ctx)->topology, channel);
  return other == UT_NO_CHANNEL ? UT_NO_TWIN : other;
}

/* With faults a switch takes those of its ways that are left, and no others. */
static bool without_detours(struct ut_path_routes *r) {
  const struct ut_topology *t = r->topology;
  struct ut_random random;
  ut_random_init(&random, 0, UT_RANDOM_SAMPLING, 0);
  for (uint32_t sw = 0; sw < t->switches; sw++)
    for (unsigned port = 0; port < r->group[ut_topology_elaboration(t, sw)].shape.pi; port++)
      for (unsigned i = 0; i < TRIES; i++) {
        ut_mask all = r->ports[sw], up = all & ut_random_u32(&random);
        uint32_t dst = ut_random_below(&random, t->terminals);
        if (ask(r, sw, port, dst, up) != (ask(r, sw, port, dst, all) & up))
          return false;
      }
  return true;
}

static int check(struct ut_path_routes *r, const struct ut_scenario *s, struct ut_error *e) {
  const struct ut_form *form = &r->group[0].form;
  if (ut_scenario_planned(s))
    return ut_fail(e, UT_BAD_INPUT, "%s: routes are planned; --links counts ways that switches find by themselves",
                   s->path);
  if (form->tables || form->rewrites || form->vector || !without_detours(r))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: %s knows more ways than those of a network without faults; --links is for algorithms without "
                   "detours",
                   s->path, s->routing.algorithm);
  return 0;
}

int ut_path_routes_init(struct ut_path_routes *r, const struct ut_scenario *s, const struct ut_topology *t,
                        struct ut_error *e) {
  *r = (struct ut_path_routes){.topology = t};
  r->source = (struct ut_path_source){.switches = t->switches,
                                      .terminals = t->terminals,
                                      .pi = t->pi,
                                      .po = t->po,
                                      .injections = t->injections,
                                      .to = t->peer,
                                      .twin = twin,
                                      .next = next,
                                      .ctx = r};
  r->fed_by = malloc((size_t)t->switches * t->pi * sizeof *r->fed_by);
  r->ports = malloc(t->switches * sizeof *r->ports);
  bool memory = r->fed_by && r->ports;
  int status = 0;
  for (unsigned i = 0; i < t->elaborations && memory && !status; i++) {
    struct ut_shape shape;
    status = ut_scenario_shape(s, &t->elaboration[i], &shape, e);
    memory = status || ut_group_init(&r->group[i], &shape, t->elaboration[i].first, t->elaboration[i].count);
  }
  if (!status && !memory)
    status = ut_fail(e, UT_BAD_INPUT, "out of memory for the switches of the network");
  if (!status) {
    memset(r->fed_by, 0xff, (size_t)t->switches * t->pi * sizeof *r->fed_by);
    for (uint32_t i = 0; i < t->terminals * t->injections; i++) {
      const struct ut_peer *to = &t->peer[ut_topology_injection(t, 0, 0) + i];
      r->fed_by[(size_t)to->index * t->pi + to->port] = i;
    }
    for (uint32_t sw = 0; sw < t->switches; sw++) {
      struct ut_group *g = &r->group[ut_topology_elaboration(t, sw)];
      ut_switch_reset(g, ut_switch_of(g, sw), t->straps[sw]);
      r->ports[sw] = ports_of(t, sw);
    }
    status = check(r, s, e);
  }
  if (status)
    ut_path_routes_free(r);
  return status;
}

void ut_path_routes_free(struct ut_path_routes *r) {
  for (unsigned i = 0; r->topology && i < UT_MAX_ELABORATIONS; i++)
    ut_group_fini(&r->group[i]);
  free(r->fed_by), free(r->ports);
  *r = (struct ut_path_routes){0};
}
