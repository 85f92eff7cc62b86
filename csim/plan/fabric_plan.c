/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_plan.c - see fabric_plan.h */
#include "fabric_plan.h"

#include <stdlib.h>
#include <string.h>

#include "balanced.h"
#include "families.h"
#include "family.h"
#include "graph_topology.h"
#include "layered.h"
#include "scenario.h"
#include "topology.h"

struct making {
  struct ut_fabric_plan *plan;
  const struct ut_graph *graph;
  struct ut_topology topo;
  uint32_t *sw;       /* [nodes]: the number of a switch in the topology */
  uint32_t *terminal; /* [nodes]: that of a terminal */
};

bool ut_fabric_plan_knows(enum ut_planner planner) {
  return planner == UT_PLANNER_UPDOWN || planner == UT_PLANNER_MINIMAL || planner == UT_PLANNER_LAYERS;
}

/* ---- nodes and their numbers */

/* Makes the topology, which sorts switches by their ports, and finds the numbers of the nodes there. */
static int build(struct making *making, struct ut_graph *graph, struct ut_error *e) {
  const struct ut_scenario scenario = {.topology = {.family = ut_families[UT_FAMILY_graph],
                                                    .graph = graph,
                                                    .link_cycles = 1,
                                                    .injection_cycles = 1,
                                                    .ejection_cycles = 1}};
  if (ut_graph_topology(&making->topo, &scenario, e))
    return -1;
  making->sw = malloc(graph->nodes * sizeof *making->sw);
  making->terminal = malloc(graph->nodes * sizeof *making->terminal);
  if (!making->sw || !making->terminal)
    return ut_fail_memory(e);
  for (uint32_t i = 0; i < making->topo.switches; i++)
    making->sw[ut_graph_find(graph, making->topo.switch_label[i])] = i;
  for (uint32_t i = 0; i < making->topo.terminals; i++)
    making->terminal[ut_graph_find(graph, making->topo.terminal_label[i])] = i;
  return 0;
}

/* ---- tables */

static int make_tables(struct making *making, struct ut_error *e) {
  const struct ut_graph *graph = making->graph;
  struct ut_switch_tables *tables = making->plan->tables = calloc(1, sizeof *tables);
  if (!tables)
    return ut_fail_memory(e);
  tables->graph = graph;
  tables->of = calloc(graph->nodes, sizeof *tables->of);
  for (uint32_t i = 0; tables->of && i < graph->nodes; i++) {
    if (graph->node[i].terminal)
      continue;
    tables->of[i].port = malloc(graph->nodes);
    if (!tables->of[i].port)
      return ut_fail_memory(e);
    memset(tables->of[i].port, UT_NO_TABLE_PORT, graph->nodes);
  }
  return tables->of ? 0 : ut_fail_memory(e);
}

/* The port of a switch to a terminal: of a packet that has come down, if it has a way then; any other packet may take
 * the same, and so no packet goes up that has come down. */
static unsigned balanced_port(const struct ut_balanced *balanced, uint32_t sw, uint32_t terminal) {
  const unsigned down = ut_balanced_port(balanced, sw, UT_BANK_DOWN, terminal);
  return down != UT_NO_PORT ? down : ut_balanced_port(balanced, sw, UT_BANK_FREE, terminal);
}

static void keep_balanced(struct making *making, const struct ut_balanced *balanced) {
  const struct ut_graph *graph = making->graph;
  for (uint32_t sw = 0; sw < graph->nodes; sw++)
    for (uint32_t to = 0; to < graph->nodes && !graph->node[sw].terminal; to++)
      if (graph->node[to].terminal)
        making->plan->tables->of[sw].port[to] = (uint8_t)balanced_port(balanced, making->sw[sw], making->terminal[to]);
}

/* Plans balanced paths; keeps them if no channel is as busy as `busiest`, which it lowers then. */
static int try_balanced(struct making *making, const struct ut_planning *planning, uint32_t *busiest, bool *kept,
                        struct ut_error *e) {
  struct ut_balanced balanced;
  if (!ut_balanced_init(&balanced, &making->topo, planning))
    return ut_fail_memory(e);
  ut_balanced_survey(&balanced, balanced.hops.all);
  *kept = ut_balanced_busiest(&balanced) < *busiest;
  if (*kept) {
    *busiest = ut_balanced_busiest(&balanced);
    keep_balanced(making, &balanced);
  }
  ut_balanced_fini(&balanced);
  return 0;
}

/* Tries each switch as the only root. */
static int try_roots(struct making *making, struct ut_planning *planning, uint32_t *busiest, struct ut_error *e) {
  int status = 0;
  for (uint32_t sw = 0; sw < making->graph->nodes && !status; sw++) {
    char *name = making->graph->node[sw].name;
    bool kept = false;
    if (making->graph->node[sw].terminal)
      continue;
    planning->root = &name;
    planning->roots = 1;
    status = try_balanced(making, planning, busiest, &kept, e);
    making->plan->root = kept ? sw : making->plan->root;
  }
  return status;
}

static int plan_balanced(struct making *making, const struct ut_planning *planning, struct ut_error *e) {
  struct ut_planning one_table = *planning;
  uint32_t busiest = UINT32_MAX;
  bool kept;
  one_table.one_table = true;
  if (try_balanced(making, &one_table, &busiest, &kept, e))
    return -1;
  const bool choice = planning->planner == UT_PLANNER_UPDOWN && !planning->roots && making->topo.bidirectional;
  return choice && making->topo.switches <= UT_FABRIC_ROOTS ? try_roots(making, &one_table, &busiest, e) : 0;
}

/* ---- layers */

/* SLs of all pairs, 0 for now. */
static struct ut_path_sls *make_sls(const struct making *making) {
  const struct ut_graph *graph = making->graph;
  const size_t terminals = making->topo.terminals;
  struct ut_path_sls *sls = calloc(1, sizeof *sls);
  if (!sls)
    return NULL;
  sls->graph = graph;
  sls->number = malloc(graph->nodes * sizeof *sls->number);
  sls->node = malloc(terminals * sizeof *sls->node);
  sls->sl = calloc(graph->nodes, terminals);
  if (sls->number && sls->node && sls->sl)
    return sls;
  ut_path_sls_free(sls);
  return NULL;
}

/* The SL of a pair is the layer of its packets, which is that of the source's switch. */
static int keep_layers(struct making *making, const struct ut_layered *layered, struct ut_error *e) {
  const struct ut_topology *topo = &making->topo;
  struct ut_path_sls *sls = making->plan->sls = make_sls(making);
  if (!sls)
    return ut_fail_memory(e);
  sls->terminals = topo->terminals;
  for (uint32_t node = 0; node < making->graph->nodes; node++) {
    const bool terminal = making->graph->node[node].terminal;
    sls->number[node] = terminal ? making->terminal[node] : UT_NO_NODE;
    if (terminal)
      sls->node[making->terminal[node]] = node;
    for (uint32_t from = 0; from < topo->terminals && terminal; from++) {
      const unsigned layer = ut_layered_of(layered, ut_topology_attachment(topo, from).sw, making->terminal[node]);
      sls->sl[(size_t)node * topo->terminals + from] = layer == UT_NO_LAYER ? 0 : (uint8_t)layer;
      making->plan->vls = layer != UT_NO_LAYER && layer >= making->plan->vls ? layer + 1 : making->plan->vls;
    }
  }
  return 0;
}

static void keep_ports(struct making *making, const struct ut_layered *layered) {
  const struct ut_graph *graph = making->graph;
  for (uint32_t sw = 0; sw < graph->nodes; sw++)
    for (uint32_t to = 0; to < graph->nodes && !graph->node[sw].terminal; to++)
      if (graph->node[to].terminal)
        making->plan->tables->of[sw].port[to] = (uint8_t)ut_layered_port(layered, making->sw[sw], making->terminal[to]);
}

/* Offers the paths of planner minimal, which are balanced better than most.  0, or -1 when out of memory. */
static int offer_balanced(struct making *making, struct ut_layered *layered) {
  const struct ut_planning minimal = {.planner = UT_PLANNER_MINIMAL};
  const struct ut_topology *topo = &making->topo;
  uint8_t *port = malloc((size_t)topo->terminals * topo->switches);
  struct ut_balanced balanced;
  if (!port || !ut_balanced_init(&balanced, topo, &minimal)) {
    free(port);
    return -1;
  }
  ut_balanced_survey(&balanced, balanced.hops.all);
  for (uint32_t to = 0; to < topo->terminals; to++)
    for (uint32_t sw = 0; sw < topo->switches; sw++)
      port[(size_t)to * topo->switches + sw] = (uint8_t)ut_balanced_port(&balanced, sw, UT_BANK_FREE, to);
  ut_layered_offer(layered, port);
  ut_balanced_fini(&balanced);
  free(port);
  return 0;
}

static int plan_layers(struct making *making, const struct ut_planning *planning, unsigned vls, struct ut_error *e) {
  struct ut_layered layered;
  if (!ut_layered_init(&layered, &making->topo, planning, vls))
    return ut_fail_memory(e);
  ut_layered_survey(&layered, layered.hops.all);
  if (offer_balanced(making, &layered)) {
    ut_layered_fini(&layered);
    return ut_fail_memory(e);
  }
  making->plan->vls_needed = layered.needed;
  keep_ports(making, &layered);
  const int result = keep_layers(making, &layered, e);
  ut_layered_fini(&layered);
  return result;
}

/* ---- the addresses of switches */

/* Switches have addresses, too, of which no packet of the lossless lanes goes to: the shortest path, by the first port.
 * distance, queue: [switches]. */
static void lead_to_switch(struct making *making, uint32_t to, const struct ut_hop_search *hops) {
  const struct ut_graph *graph = making->graph;
  for (uint32_t sw = 0; sw < graph->nodes; sw++) {
    const ut_mask ports = graph->node[sw].terminal ? 0 : hops->ports[making->sw[sw] * UT_BANKS + UT_BANK_FREE];
    if (ports)
      making->plan->tables->of[sw].port[to] = (uint8_t)ut_first(ports);
  }
}

static int plan_switches(struct making *making, struct ut_error *e) {
  const struct ut_planning minimal = {.planner = UT_PLANNER_MINIMAL};
  struct ut_hop_search hops;
  if (!ut_hop_search_init(&hops, &making->topo, &minimal))
    return ut_fail_memory(e);
  ut_hop_search_survey(&hops, hops.all);
  for (uint32_t to = 0; to < making->graph->nodes; to++) {
    if (making->graph->node[to].terminal)
      continue;
    ut_hop_search_towards(&hops, making->sw[to]);
    lead_to_switch(making, to, &hops);
  }
  ut_hop_search_fini(&hops);
  return 0;
}

int ut_fabric_plan_make(struct ut_fabric_plan *plan, struct ut_graph *graph, const struct ut_planning *planning,
                        unsigned vls, struct ut_error *e) {
  struct making making = {.plan = plan, .graph = graph};
  *plan = (struct ut_fabric_plan){.vls = 1, .vls_needed = 1, .root = UT_NO_NODE};
  int result = build(&making, graph, e) || make_tables(&making, e) ? -1 : 0;
  if (!result)
    result = planning->planner == UT_PLANNER_LAYERS ? plan_layers(&making, planning, vls, e)
                                                    : plan_balanced(&making, planning, e);
  if (!result)
    result = plan_switches(&making, e);
  free(making.sw);
  free(making.terminal);
  ut_topology_free(&making.topo);
  if (result)
    ut_fabric_plan_free(plan);
  return result;
}

void ut_fabric_plan_free(struct ut_fabric_plan *plan) {
  ut_switch_tables_free(plan->tables);
  ut_path_sls_free(plan->sls);
  *plan = (struct ut_fabric_plan){.vls = 0};
}
