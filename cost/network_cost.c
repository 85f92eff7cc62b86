/* SPDX-License-Identifier: Apache-2.0 */
/* network_cost.c - switches, links and crosspoints of a whole network.  See cost.h. */
#include "cost.h"
#include "family.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"

static void set(json_t *j, const char *key, uint64_t value) {
  json_object_set_new(j, key, json_integer((json_int_t)value));
}

/* The topologies that the paper compares, with as many terminals and the same arity. */
static json_t *analytic_list(unsigned k, unsigned n) {
  struct ut_analytic analytic[UT_ANALYTIC];
  json_t *list = json_array();
  ut_cost_analytic(k, n, analytic);
  for (unsigned i = 0; i < UT_ANALYTIC; i++)
    json_array_append_new(list, json_pack("{s:s,s:I,s:I}", "topology", analytic[i].topology, "links",
                                          (json_int_t)analytic[i].links, "switching_elements",
                                          (json_int_t)analytic[i].switching_elements));
  return list;
}

json_t *ut_cost_network(const struct ut_scenario *scenario, json_t *const *cost, struct ut_error *e) {
  const struct ut_family *family = scenario->topology.family;
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  struct ut_shape shape;
  uint64_t links = 0, crosspoints = 0, elements = 0;
  double price = 0;
  for (uint32_t i = 0; i < topo->channels; i++)
    links += topo->peer[i].kind != UT_PEER_NONE;
  for (unsigned i = 0; i < topo->elaborations; i++) {
    const struct ut_elaboration *sw = &topo->elaboration[i];
    if (ut_scenario_shape(scenario, sw, &shape, e))
      return NULL;
    if (cost) {
      const json_t *bar = json_object_get(cost[i], "crossbar");
      crosspoints += sw->count * (uint64_t)json_integer_value(json_object_get(bar, "crosspoints"));
      price += sw->count * json_number_value(json_object_get(cost[i], ut_cost_price(cost[i])));
    }
    elements += family->switching_elements ? sw->count * (uint64_t)family->switching_elements(&shape) : 0;
  }
  json_t *j = json_object();
  set(j, "switches", topo->switches);
  set(j, "terminals", topo->terminals);
  set(j, "links", links);
  if (cost) {
    if (json_object_get(cost[0], "crossbar")) /* crosspoints are not searched for in LUTs */
      set(j, "crosspoints", crosspoints);
    json_object_set_new(j, ut_cost_price(cost[0]), json_real(price));
  }
  if (!family->switching_elements) {
    json_object_set_new(j, "switching_elements", json_null());
    return j;
  }
  set(j, "switching_elements", elements);
  json_object_set_new(j, "analytic", analytic_list(scenario->topology.k, scenario->topology.n));
  return j;
}
