/* SPDX-License-Identifier: Apache-2.0 */
/* planned_routes.c - see planned_routes.h */
#include "planned_routes.h"

#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "layout.h"
#include "paths.h"
#include "plan.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"

/* The mechanisms that the routes may use.  Where all routing is deterministic, mechanism D costs nothing. */
static struct ut_mechanisms mechanisms_of(const struct ut_scenario *s) {
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  struct ut_mechanisms m = {.name = "", .intermediate = s->routing.intermediate, .misroute = s->routing.misroute};
  m.deterministic = s->routing.deterministic || (!a->preferred && m.intermediate < 3);
  m.direction_order = m.misroute || !strcmp(a->name, "direction_order");
  return m;
}

int ut_route_planner_init(struct ut_route_planner *p, const struct ut_scenario *s, const struct ut_topology *t,
                          struct ut_error *e) {
  const struct ut_mechanisms m = mechanisms_of(s);
  struct ut_error why;
  *p = (struct ut_route_planner){.local = s->topology.local_ports, .one_way = !ut_scenario_algorithm(s)->preferred};
  if (ut_grid_init(&p->grid, t, e))
    return -1;
  p->entry_bits = ut_plan_entry_bits(&p->grid, &m);
  p->plan = ut_plan_new(&p->grid, &m, &why);
  if (p->plan)
    return 0;
  ut_route_planner_free(p);
  return ut_fail(e, why.code, "%s: %s", s->path, why.text);
}

void ut_route_planner_free(struct ut_route_planner *p) {
  ut_plan_free(p->plan);
  ut_grid_free(&p->grid);
  *p = (struct ut_route_planner){0};
}

/* The header words of a route. */
static struct ut_path path_of(const struct ut_plan_route *route, unsigned local) {
  struct ut_path path = {.headers = (uint8_t)route->subpaths};
  for (unsigned i = 0; i < route->subpaths; i++) {
    const struct ut_subpath *p = &route->subpath[i];
    struct ut_leg leg = {
        .sub_path = i, .more = i + 1 < route->subpaths, .deterministic = p->deterministic, .misroutes = p->misroutes};
    for (unsigned m = 0; m < p->misroutes; m++) {
      leg.misroute[m].port = p->misroute[m].direction;
      leg.misroute[m].hops = p->misroute[m].hops;
    }
    path.stop[i] = (uint16_t)(p->target * local);
    path.rt[i] = ut_leg_rt(&leg);
  }
  return path;
}

/* Adds the entry of a pair if it needs one.  false: out of memory. */
static bool plan_pair(struct ut_route_planner *p, struct ut_paths *paths, uint32_t from, uint32_t to) {
  unsigned length;
  enum ut_plan_class class = ut_plan_classify(p->plan, from, to, &length);
  if (class == UT_PLAN_ADAPTIVE || (p->one_way && ut_plan_one_way_works(p->plan, from, to)))
    return true;
  struct ut_plan_route route;
  ut_plan_route(p->plan, from, to, &route);
  struct ut_path path = path_of(&route, p->local);
  paths->separated += class == UT_PLAN_SEPARATED;
  if (class == UT_PLAN_NONE && !paths->without_route++) {
    paths->lost[0] = from;
    paths->lost[1] = to;
  }
  return ut_paths_add(paths, from, to, &path);
}

struct ut_paths *ut_route_planner_plan(struct ut_route_planner *p, const uint32_t *down, unsigned count) {
  const uint32_t nodes = p->grid.nodes;
  struct ut_paths *paths = ut_paths_new(nodes, p->local);
  if (!paths)
    return NULL;
  paths->entry_bits = p->entry_bits;
  ut_plan_set_faults(p->plan, down, count);
  for (uint32_t i = 0; i < nodes * nodes; i++)
    if (!plan_pair(p, paths, i / nodes, i % nodes)) {
      ut_paths_free(paths);
      return NULL;
    }
  return paths;
}

/* ---- a scenario */

/* The numbers of the links that are down in cycle 0, of which *count are there already; NULL: out of memory. */
static uint32_t *find_faults(const struct ut_topology *t, struct ut_faults *f, unsigned *count) {
  uint32_t *down = malloc((t->links ? t->links : 1) * sizeof *down);
  while (ut_faults_next(f, 0))
    ;
  for (size_t i = 0; down && i < t->links; i++)
    if (!ut_faults_link_up(f, t->link[i].lower, t->link[i].lower_port))
      down[(*count)++] = (uint32_t)i;
  return down;
}

static int plan_for(struct ut_scenario *s, const struct ut_topology *t, struct ut_faults *f, struct ut_error *e) {
  struct ut_route_planner p;
  unsigned count = 0;
  if (ut_route_planner_init(&p, s, t, e))
    return -1;
  uint32_t *down = find_faults(t, f, &count);
  s->paths = down ? ut_route_planner_plan(&p, down, count) : NULL;
  free(down);
  ut_route_planner_free(&p);
  return s->paths ? 0
                  : ut_fail(e, UT_BAD_INPUT, "%s: not enough memory to plan routes; try a smaller network", s->path);
}

int ut_plan_scenario(struct ut_scenario *s, struct ut_error *e) {
  struct ut_topology t;
  struct ut_faults f;
  if (!ut_scenario_planned(s))
    return 0;
  ut_paths_free(s->paths);
  s->paths = NULL;
  if (ut_topology_init(&t, s, e))
    return -1;
  int result = ut_faults_init(&f, s, &t, e);
  if (!result) {
    result = plan_for(s, &t, &f, e);
    ut_faults_free(&f);
  }
  ut_topology_free(&t);
  return result;
}
