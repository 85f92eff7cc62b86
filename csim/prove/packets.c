/* SPDX-License-Identifier: Apache-2.0 */
/* packets.c - see packets.h */
#include "packets.h"

#include <stdlib.h>

#include "scenario.h"

int ut_packet_list_init(struct ut_packet_list *l, const struct ut_scenario *s, const struct ut_topology *t,
                        struct ut_error *e) {
  *l = (struct ut_packet_list){.topology = t, .planned = ut_scenario_planned(s), .told = ut_terminals_know_ways(t)};
  if (l->told && !ut_reachability_init(&l->ways, t))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the ways of %u terminals", (unsigned)t->terminals);
  return l->planned ? ut_route_planner_init(&l->planner, s, t, e) : 0;
}

static void forget(struct ut_packet_list *l) {
  ut_paths_free(l->paths);
  free(l->entry);
}

void ut_packet_list_free(struct ut_packet_list *l) {
  forget(l);
  if (l->planned)
    ut_route_planner_free(&l->planner);
  ut_reachability_free(&l->ways);
}

bool ut_packet_list_plan(struct ut_packet_list *l, const struct ut_fault_set *set, const uint64_t *up) {
  const struct ut_topology *t = l->topology;
  if (l->told)
    return ut_reachability_survey(&l->ways, up);
  if (!l->planned)
    return true;
  forget(l);
  uint32_t *down = malloc((t->links ? t->links : 1) * sizeof *down), count = 0;
  for (uint32_t i = 0; down && i < t->links; i++) {
    bool dead = false;
    for (unsigned f = 0; f < set->links; f++)
      dead |= set->link[f] == i;
    for (unsigned f = 0; f < set->switches; f++)
      dead |= set->sw[f] == t->link[i].lower || set->sw[f] == t->link[i].upper;
    if (dead)
      down[count++] = i;
  }
  l->paths = down ? ut_route_planner_plan(&l->planner, down, count) : NULL;
  free(down);
  l->entry = l->paths ? malloc((l->paths->count + 1) * sizeof *l->entry) : NULL;
  if (!l->entry)
    return false;
  for (uint32_t i = 0; i < t->switches * t->switches; i++)
    if (l->paths->of[i])
      l->entry[l->paths->of[i] - 1] = i;
  return true;
}

static void add_source(struct ut_packets *p, uint32_t src, unsigned links) {
  p->source[p->sources] = src;
  p->link[p->sources++] = (uint8_t)links;
}

/* No sources yet of packets with one header word. */
static void begin(const struct ut_packet_list *l, uint32_t dst, uint32_t rt, struct ut_packets *p) {
  p->dst = dst;
  p->headers = 1;
  p->header[0] = ut_header_make((uint16_t)dst, (uint16_t)((dst + 1) % l->topology->terminals), 0, rt);
  p->sources = 0;
}

/* The plain header, from all terminals that use it. */
static void plain(const struct ut_packet_list *l, uint32_t dst, struct ut_packets *p) {
  const struct ut_topology *t = l->topology;
  begin(l, dst, 0, p);
  for (uint32_t src = 0; src < t->terminals; src++)
    if (src != dst && !(l->paths && ut_paths_find(l->paths, src, dst)))
      add_source(p, src, (1u << t->injections) - 1);
}

/* Headers that name those ways, from all terminals that have been told so. */
static void told(const struct ut_packet_list *l, uint32_t dst, uint32_t choices, struct ut_packets *p) {
  const struct ut_topology *t = l->topology;
  begin(l, dst, choices, p);
  for (uint32_t src = 0; src < t->terminals; src++) {
    unsigned links = 0;
    for (unsigned link = 0; link < t->injections; link++)
      links |= (unsigned)(ut_reachability_of(&l->ways, src, link, dst) == choices) << link;
    if (links)
      add_source(p, src, links);
  }
}

/* The packets of one entry for one of the terminals of its destination. */
static void planned(const struct ut_packet_list *l, uint64_t number, struct ut_packets *p) {
  const unsigned local = l->paths->local;
  const struct ut_path *path = &l->paths->path[number / local];
  const uint32_t pair = l->entry[number / local], from = pair / l->paths->nodes * local;
  p->dst = pair % l->paths->nodes * local + (uint32_t)(number % local);
  p->headers = path->headers;
  p->sources = 0;
  for (unsigned i = 0; i < path->headers; i++) {
    uint32_t stop = i + 1 < path->headers ? path->stop[i] : p->dst;
    p->header[i] = ut_header_set_rt(ut_header_make((uint16_t)stop, (uint16_t)from, 0, 0), path->rt[i]);
  }
  for (unsigned i = 0; i < local && path->headers; i++)
    add_source(p, from + i, (1u << l->topology->injections) - 1);
}

bool ut_packet_list_get(const struct ut_packet_list *l, uint64_t number, struct ut_packets *p) {
  const uint32_t terminals = l->topology->terminals;
  if (l->told && number / terminals < l->ways.values)
    told(l, (uint32_t)(number % terminals), l->ways.value[number / terminals], p);
  else if (l->told)
    return false;
  else if (number < terminals)
    plain(l, (uint32_t)number, p);
  else if (l->paths && number - terminals < (uint64_t)l->paths->count * l->paths->local)
    planned(l, number - terminals, p);
  else
    return false;
  return true;
}

void ut_packets_leave_out(struct ut_packets *p, const struct ut_explorer *x) {
  const struct ut_topology *t = x->topology;
  uint32_t kept = 0;
  bool served = false;
  for (unsigned link = 0; link < t->ejections; link++)
    served |= ut_explorer_serves(x, ut_explorer_home(x, p->dst, link));
  for (uint32_t i = 0; served && i < p->sources; i++) {
    unsigned links = p->link[i];
    for (unsigned link = 0; link < t->injections; link++)
      if (!ut_explorer_serves(x, t->peer[ut_topology_injection(t, p->source[i], link)].index))
        links &= ~(1u << link);
    p->link[kept] = (uint8_t)links;
    p->source[kept] = p->source[i];
    kept += links != 0;
  }
  p->sources = kept;
}
