/* SPDX-License-Identifier: Apache-2.0 */
/* packets.c - see packets.h */
#include "packets.h"

#include <stdlib.h>

#include "scenario_facts.h"

/* Lists the first terminal of each switch.  false: out of memory. */
static bool list_via(struct ut_packet_list *list) {
  const struct ut_topology *topo = list->topology;
  bool *seen = calloc(topo->switches, sizeof *seen);
  list->via = calloc(topo->terminals, sizeof *list->via);
  for (uint32_t i = 0; seen && list->via && i < topo->terminals; i++) {
    const uint32_t sw = ut_topology_attachment(topo, i).sw;
    if (!seen[sw])
      list->via[list->vias++] = (uint16_t)i;
    seen[sw] = true;
  }
  free(seen);
  return list->vias > 0;
}

int ut_packet_list_init(struct ut_packet_list *list, const struct ut_scenario *scenario, const struct ut_topology *topo,
                        struct ut_error *e) {
  *list = (struct ut_packet_list){.scenario = scenario,
                                  .topology = topo,
                                  .planned = ut_scenario_planned(scenario),
                                  .told = ut_terminals_know_ways(topo)};
  if (list->told && !ut_reachability_init(&list->ways, topo))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of %u terminals", (unsigned)topo->terminals);
  if (ut_scenario_has_via(scenario) && !list_via(list))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the intermediate terminals");
  return list->planned ? ut_route_planner_init(&list->planner, scenario, topo, e) : 0;
}

void ut_packet_list_ask_tables(struct ut_packet_list *list, const struct ut_explorer *explorer) {
  list->hops = explorer->forwarding.hops.layer ? &explorer->forwarding.hops : NULL;
}

bool ut_packet_list_alike(const struct ut_packet_list *list, uint32_t dst, uint32_t other) {
  for (uint32_t src = 0; list->hops && src < list->topology->terminals; src++)
    if (src != dst && src != other && ut_next_hops_rt(list->hops, src, dst) != ut_next_hops_rt(list->hops, src, other))
      return false;
  return true;
}

static void forget(struct ut_packet_list *list) {
  ut_paths_free(list->paths);
  free(list->entry);
}

void ut_packet_list_free(struct ut_packet_list *list) {
  forget(list);
  free(list->via);
  if (list->planned)
    ut_route_planner_free(&list->planner);
  ut_reachability_free(&list->ways);
}

/* Returns the links that are down, the caller frees them; NULL: out of memory. */
static uint32_t *find_down(const struct ut_topology *topo, const struct ut_fault_set *set, uint32_t *count) {
  uint32_t *down = malloc((topo->links ? topo->links : 1) * sizeof *down);
  *count = 0;
  for (uint32_t i = 0; down && i < topo->links; i++) {
    bool dead = false;
    for (unsigned f = 0; f < set->links; f++)
      dead |= set->link[f] == i;
    for (unsigned f = 0; f < set->switches; f++)
      dead |= set->sw[f] == topo->link[i].lower || set->sw[f] == topo->link[i].upper;
    if (dead)
      down[(*count)++] = i;
  }
  return down;
}

int ut_packet_list_plan(struct ut_packet_list *list, const struct ut_fault_set *set, const uint64_t *up,
                        struct ut_error *e) {
  struct ut_error why = {0};
  const struct ut_topology *topo = list->topology;
  if (list->told && !ut_reachability_survey(&list->ways, up))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of %u terminals", (unsigned)topo->terminals);
  if (list->told || !list->planned)
    return 0;
  forget(list);
  uint32_t count, *down = find_down(topo, set, &count);
  list->paths = down ? ut_route_planner_plan(&list->planner, down, count, &why) : NULL;
  list->entry = list->paths ? malloc((list->paths->count + 1) * sizeof *list->entry) : NULL;
  free(down);
  if (down && !list->paths)
    return ut_fail(e, why.code, "%s: %s", ut_scenario_path(list->scenario), why.text);
  if (!list->entry)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the routes of %u links", (unsigned)topo->links);
  for (uint32_t i = 0; i < topo->switches * topo->switches; i++)
    if (list->paths->of[i])
      list->entry[list->paths->of[i] - 1] = i;
  return 0;
}

static void add_source(struct ut_packets *packets, uint32_t src, unsigned links) {
  packets->source[packets->sources] = src;
  packets->link[packets->sources++] = (uint8_t)links;
}

/* Begins packets with one header word, without sources. */
static void begin(const struct ut_packet_list *list, uint32_t dst, uint32_t rt, struct ut_packets *packets) {
  packets->dst = dst;
  packets->headers = 1;
  packets->header[0] = ut_header_make((uint16_t)dst, (uint16_t)((dst + 1) % list->topology->terminals), 0, rt);
  packets->sources = 0;
}

/* Sets the plain header with that rt field, from all terminals that use it. */
static void plain(const struct ut_packet_list *list, uint32_t dst, uint32_t rt, struct ut_packets *packets) {
  const struct ut_topology *topo = list->topology;
  begin(list, dst, rt, packets);
  for (uint32_t src = 0; src < topo->terminals; src++)
    if (src != dst && !(list->paths && ut_paths_find(list->paths, src, dst)))
      add_source(packets, src, (1u << topo->injections) - 1);
}

/* Sets headers that name these routes, from all terminals that know them. */
static void told(const struct ut_packet_list *list, uint32_t dst, uint32_t choices, struct ut_packets *packets) {
  const struct ut_topology *topo = list->topology;
  begin(list, dst, choices, packets);
  for (uint32_t src = 0; src < topo->terminals; src++) {
    unsigned links = 0;
    for (unsigned link = 0; link < topo->injections; link++)
      links |= (unsigned)(ut_reachability_of(&list->ways, src, link, dst) == choices) << link;
    if (links)
      add_source(packets, src, links);
  }
}

/* Sets the header of a layer, from all terminals whose packets to the destination are of that layer. */
static void layered(const struct ut_packet_list *list, uint32_t dst, unsigned layer, struct ut_packets *packets) {
  const struct ut_topology *topo = list->topology;
  const uint32_t rt = ut_rt_graph_make((uint8_t)layer, 0);
  begin(list, dst, rt, packets);
  for (uint32_t src = 0; src < topo->terminals; src++)
    if (src != dst && ut_next_hops_rt(list->hops, src, dst) == rt)
      add_source(packets, src, (1u << topo->injections) - 1);
}

/* Sets the packets of one planned entry, for one of the terminals of its destination. */
static void planned(const struct ut_packet_list *list, uint64_t number, struct ut_packets *packets) {
  const unsigned local = list->paths->local;
  const struct ut_path *path = &list->paths->path[number / local];
  const uint32_t pair = list->entry[number / local], from = pair / list->paths->nodes * local;
  packets->dst = pair % list->paths->nodes * local + (uint32_t)(number % local);
  packets->headers = path->headers;
  packets->sources = 0;
  for (unsigned i = 0; i < path->headers; i++) {
    uint32_t stop = i + 1 < path->headers ? path->stop[i] : packets->dst;
    packets->header[i] = ut_header_set_rt(ut_header_make((uint16_t)stop, (uint16_t)from, 0, 0), path->rt[i]);
  }
  for (unsigned i = 0; i < local && path->headers; i++)
    add_source(packets, from + i, (1u << list->topology->injections) - 1);
}

bool ut_packet_list_get(const struct ut_packet_list *list, uint64_t number, struct ut_packets *packets) {
  const uint32_t terminals = list->topology->terminals;
  if (list->hops && number / terminals < UT_MAX_VC_MAP)
    layered(list, (uint32_t)(number % terminals), (unsigned)(number / terminals), packets);
  else if (list->hops)
    return false;
  else if (list->told && number / terminals < list->ways.values)
    told(list, (uint32_t)(number % terminals), list->ways.value[number / terminals], packets);
  else if (list->told)
    return false;
  else if (list->vias && number < (uint64_t)list->vias * terminals)
    plain(list, (uint32_t)(number % terminals), (uint32_t)ut_rt_graph_make(0, list->via[number / terminals]), packets);
  else if (!list->vias && number < terminals)
    plain(list, (uint32_t)number, 0, packets);
  else if (list->paths && number - terminals < (uint64_t)list->paths->count * list->paths->local)
    planned(list, number - terminals, packets);
  else
    return false;
  return true;
}

uint64_t ut_packet_list_count(const struct ut_packet_list *list) {
  const uint64_t each = list->hops ? UT_MAX_VC_MAP : list->told ? list->ways.values : list->vias ? list->vias : 1;
  return each * list->topology->terminals;
}

void ut_packets_leave_out(struct ut_packets *packets, const struct ut_explorer *explorer) {
  const struct ut_topology *topo = explorer->topology;
  uint32_t kept = 0;
  bool served = false;
  for (unsigned link = 0; link < topo->ejections; link++)
    served |= ut_explorer_serves(explorer, ut_explorer_home(explorer, packets->dst, link));
  for (uint32_t i = 0; served && i < packets->sources; i++) {
    unsigned links = packets->link[i];
    for (unsigned link = 0; link < topo->injections; link++)
      if (!ut_explorer_serves(explorer, topo->peer[ut_topology_injection(topo, packets->source[i], link)].index))
        links &= ~(1u << link);
    packets->link[kept] = (uint8_t)links;
    packets->source[kept] = packets->source[i];
    kept += links != 0;
  }
  packets->sources = kept;
}
