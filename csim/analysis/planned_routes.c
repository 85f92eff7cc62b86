/* planned_routes.c - see planned_routes.h */
#include "planned_routes.h"

#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "layout.h"
#include "paths.h"
#include "plan.h"
#include "scenario_check.h"
#include "topology.h"

/* Everything that one plan needs. */
struct work {
  struct ut_topology topology;
  struct ut_faults faults;
  struct ut_grid grid;
  struct ut_plan *plan;
  uint32_t *down; /* numbers of links */
  unsigned count;
};

static void finish(struct work *w) {
  ut_plan_free(w->plan);
  ut_grid_free(&w->grid);
  ut_faults_free(&w->faults);
  ut_topology_free(&w->topology);
  free(w->down);
}

/* The mechanisms that the routes may use.  Where all routing is deterministic, mechanism D costs nothing. */
static struct ut_mechanisms mechanisms_of(const struct ut_scenario *s) {
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  struct ut_mechanisms m = {.name = "", .intermediate = s->routing.intermediate, .misroute = s->routing.misroute};
  m.deterministic = s->routing.deterministic || (!a->preferred && m.intermediate < 3);
  m.direction_order = m.misroute || !strcmp(a->name, "direction_order");
  return m;
}

/* The links that are down in cycle 0. */
static int find_faults(struct work *w, struct ut_error *e) {
  const struct ut_topology *t = &w->topology;
  w->down = malloc((t->links ? t->links : 1) * sizeof *w->down);
  if (!w->down)
    return ut_fail(e, UT_INTERNAL, "not enough memory for planned routes; try a smaller network");
  while (ut_faults_next(&w->faults, 0))
    ;
  for (size_t i = 0; i < t->links; i++)
    if (!ut_faults_link_up(&w->faults, t->link[i].lower, t->link[i].lower_port))
      w->down[w->count++] = (uint32_t)i;
  return 0;
}

/* The header words of a route. */
static struct ut_path path_of(const struct ut_plan_route *route, unsigned local) {
  struct ut_path path = {.headers = (uint8_t)route->subpaths};
  for (unsigned i = 0; i < route->subpaths; i++) {
    const struct ut_subpath *p = &route->subpath[i];
    unsigned list = 0;
    for (unsigned m = 0; m < p->misroutes; m++)
      list |= (p->misroute[m].direction | (p->misroute[m].hops - 1u) << 3) << 6 * m;
    path.stop[i] = (uint16_t)(p->target * local);
    path.rt[i] = (uint32_t)ut_rt_torus_make((uint8_t)i, i + 1 < route->subpaths, p->deterministic, p->misroutes,
                                            list & 7, list >> 3 & 7, (uint16_t)(list >> 6));
  }
  return path;
}

static int plan_pairs(struct work *w, struct ut_paths *paths, struct ut_error *e) {
  struct ut_plan_route route;
  for (uint32_t from = 0; from < paths->nodes; from++)
    for (uint32_t to = 0; to < paths->nodes; to++) {
      unsigned length;
      enum ut_plan_class class = ut_plan_classify(w->plan, from, to, &length);
      if (class == UT_PLAN_ADAPTIVE)
        continue;
      ut_plan_route(w->plan, from, to, &route);
      struct ut_path path = path_of(&route, paths->local);
      paths->separated += class == UT_PLAN_SEPARATED;
      paths->without_route += class == UT_PLAN_NONE;
      if (!ut_paths_add(paths, from, to, &path))
        return ut_fail(e, UT_INTERNAL, "not enough memory for planned routes; try a smaller network");
    }
  return 0;
}

static int plan(struct work *w, struct ut_scenario *s, struct ut_error *e) {
  const struct ut_mechanisms m = mechanisms_of(s);
  struct ut_error why;
  if (ut_topology_init(&w->topology, s, e) || ut_faults_init(&w->faults, s, &w->topology, e) || find_faults(w, e) ||
      ut_grid_init(&w->grid, &w->topology, s->topology.size, s->topology.dimensions, s->topology.kind == UT_TORUS, e))
    return -1;
  w->plan = ut_plan_new(&w->grid, &m, &why);
  if (!w->plan)
    return ut_fail(e, why.code, "%s: %s", s->path, why.text);
  ut_plan_set_faults(w->plan, w->down, w->count);
  s->paths = ut_paths_new(w->grid.nodes, s->topology.local_ports);
  if (!s->paths)
    return ut_fail(e, UT_INTERNAL, "not enough memory for planned routes; try a smaller network");
  s->paths->entry_bits = ut_plan_entry_bits(&w->grid, &m);
  return plan_pairs(w, s->paths, e);
}

int ut_plan_scenario(struct ut_scenario *s, struct ut_error *e) {
  struct work w = {0};
  struct ut_algorithm const *a = ut_scenario_algorithm(s);
  if (!ut_scenario_planned(s) || !a)
    return 0;
  ut_paths_free(s->paths);
  s->paths = NULL;
  int result = plan(&w, s, e);
  finish(&w);
  return result;
}
