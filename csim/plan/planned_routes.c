/* SPDX-License-Identifier: Apache-2.0 */
/* planned_routes.c - see planned_routes.h */
#include "planned_routes.h"

#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "layout.h"
#include "paths.h"
#include "plan.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "topology.h"
#include "topology_build.h"

/* Returns the mechanisms that the routes may use.  If all routing is deterministic, mechanism D costs nothing. */
static struct ut_mechanisms mechanisms_of(const struct ut_scenario *scenario) {
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(scenario);
  struct ut_mechanisms mechanisms = {
      .name = "", .intermediate = scenario->routing.intermediate, .misroute = scenario->routing.misroute};
  mechanisms.deterministic = scenario->routing.deterministic || (!algorithm->preferred && mechanisms.intermediate < 3);
  mechanisms.direction_order = mechanisms.misroute || !strcmp(algorithm->name, "direction_order");
  return mechanisms;
}

int ut_route_planner_init(struct ut_route_planner *planner, const struct ut_scenario *scenario,
                          const struct ut_topology *topo, struct ut_error *e) {
  const struct ut_mechanisms mechanisms = mechanisms_of(scenario);
  struct ut_error why;
  *planner = (struct ut_route_planner){.local = scenario->topology.local_ports,
                                       .one_way = !ut_scenario_algorithm(scenario)->preferred};
  planner->grid = malloc(sizeof *planner->grid);
  if (!planner->grid || ut_grid_init(planner->grid, topo, e)) {
    free(planner->grid);
    return planner->grid ? -1 : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", scenario->path);
  }
  planner->entry_bits = ut_plan_entry_bits(planner->grid, &mechanisms);
  if (ut_plan_fits(planner->grid))
    planner->plan = ut_plan_new(planner->grid, &mechanisms, &why);
  else
    planner->pair_plan = ut_pair_plan_new(planner->grid, &mechanisms, &why);
  if (planner->plan || planner->pair_plan)
    return 0;
  ut_route_planner_free(planner);
  return ut_fail(e, why.code, "%s: %s", scenario->path, why.text);
}

void ut_route_planner_free(struct ut_route_planner *planner) {
  ut_plan_free(planner->plan);
  ut_pair_plan_free(planner->pair_plan);
  if (planner->grid)
    ut_grid_free(planner->grid);
  free(planner->grid);
  *planner = (struct ut_route_planner){0};
}

/* Writes the header words of a route. */
static struct ut_path path_of(const struct ut_plan_route *route, unsigned local) {
  struct ut_path path = {.headers = (uint8_t)route->subpaths};
  for (unsigned i = 0; i < route->subpaths; i++) {
    const struct ut_subpath *subpath = &route->subpath[i];
    struct ut_leg leg = {.sub_path = i,
                         .more = i + 1 < route->subpaths,
                         .deterministic = subpath->deterministic,
                         .misroutes = subpath->misroutes};
    for (unsigned m = 0; m < subpath->misroutes; m++) {
      leg.misroute[m].port = subpath->misroute[m].direction;
      leg.misroute[m].hops = subpath->misroute[m].hops;
    }
    path.stop[i] = (uint16_t)(subpath->target * local);
    path.rt[i] = ut_leg_rt(&leg);
  }
  return path;
}

/* Returns whether terminals need an entry for the pair. */
static bool is_affected(const struct ut_route_planner *planner, uint32_t from, uint32_t to) {
  unsigned length;
  if (planner->pair_plan)
    return ut_pair_plan_affected(planner->pair_plan, planner->one_way, from, to);
  return ut_plan_classify(planner->plan, from, to, &length) != UT_PLAN_ADAPTIVE &&
         !(planner->one_way && ut_plan_one_way_works(planner->plan, from, to));
}

/* Adds the entry of a pair if it needs one.  Returns false when out of memory. */
static bool plan_pair(struct ut_route_planner *planner, struct ut_paths *paths, uint32_t from, uint32_t to) {
  struct ut_plan_route route;
  if (!is_affected(planner, from, to))
    return true;
  if (planner->plan)
    ut_plan_route(planner->plan, from, to, &route);
  else
    ut_pair_plan_route(planner->pair_plan, from, to, &route);
  struct ut_path path = path_of(&route, planner->local);
  paths->separated += route.class == UT_PLAN_SEPARATED;
  if (route.class == UT_PLAN_NONE && !paths->without_route++) {
    paths->lost[0] = from;
    paths->lost[1] = to;
  }
  return ut_paths_add(paths, from, to, &path);
}

static struct ut_paths *list_all(struct ut_route_planner *planner, struct ut_error *e) {
  const uint32_t nodes = planner->grid->nodes;
  struct ut_paths *paths = ut_paths_new(nodes, planner->local);
  bool there = paths;
  for (uint32_t i = 0; there && i < nodes * nodes; i++)
    there = plan_pair(planner, paths, i / nodes, i % nodes);
  if (there)
    return paths;
  ut_paths_free(paths);
  ut_fail(e, UT_BAD_INPUT, "not enough memory to plan routes; try a smaller network");
  return NULL;
}

/* ---- routes of a large network */

static bool affects(const void *ctx, uint32_t from, uint32_t to) {
  return is_affected(ctx, from, to);
}

static void plan_asked(const void *ctx, uint32_t from, uint32_t to, struct ut_path *path) {
  const struct ut_route_planner *planner = ctx;
  struct ut_plan_route route;
  ut_pair_plan_route(planner->pair_plan, from, to, &route);
  *path = path_of(&route, planner->local);
}

static void free_asked(void *ctx) {
  ut_route_planner_free(ctx);
  free(ctx);
}

/* Hands the planner over to the paths. */
static struct ut_paths *ask_later(struct ut_route_planner *planner, struct ut_error *e) {
  struct ut_route_planner *own = malloc(sizeof *own);
  const struct ut_path_planner asked = {own, affects, plan_asked, free_asked};
  struct ut_paths *paths = own ? ut_paths_new_asking(planner->grid->nodes, planner->local, &asked) : NULL;
  if (!paths) {
    free(own);
    ut_fail(e, UT_BAD_INPUT, "not enough memory for routes; try a smaller network");
    return NULL;
  }
  *own = *planner;
  *planner = (struct ut_route_planner){0};
  return paths;
}

static struct ut_paths *count_all(struct ut_route_planner *planner, struct ut_error *e) {
  struct ut_pair_plan_tally tally;
  struct ut_paths *paths =
      ut_pair_plan_tally(planner->pair_plan, planner->one_way, &tally, e) ? NULL : ask_later(planner, e);
  if (!paths)
    return NULL;
  paths->entries = (uint64_t)paths->nodes * paths->nodes - tally.counts.pairs[UT_PLAN_ADAPTIVE];
  paths->most_entries = tally.most_entries;
  paths->separated = tally.counts.pairs[UT_PLAN_SEPARATED];
  paths->without_route = tally.counts.pairs[UT_PLAN_NONE];
  memcpy(paths->lost, tally.lost, sizeof paths->lost);
  return paths;
}

struct ut_paths *ut_route_planner_plan(struct ut_route_planner *planner, const uint32_t *down, unsigned count,
                                       struct ut_error *e) {
  const unsigned entry_bits = planner->entry_bits;
  if (planner->plan)
    ut_plan_set_faults(planner->plan, down, count);
  else if (ut_pair_plan_set_faults(planner->pair_plan, down, count, e))
    return NULL;
  struct ut_paths *paths = planner->grid->nodes > UT_PLAN_MAX_NODES ? count_all(planner, e) : list_all(planner, e);
  if (paths)
    paths->entry_bits = entry_bits;
  return paths;
}

/* ---- a scenario */

/* Returns the numbers of the links that are down, in addition to *count given ones; NULL: out of memory. */
static uint32_t *find_faults(const struct ut_topology *topo, const struct ut_faults *faults, unsigned *count) {
  uint32_t *down = malloc((topo->links ? topo->links : 1) * sizeof *down);
  for (size_t i = 0; down && i < topo->links; i++)
    if (!ut_faults_link_up(faults, topo->link[i].lower, topo->link[i].lower_port))
      down[(*count)++] = (uint32_t)i;
  return down;
}

/* ---- routes that are planned during a run */

/* Routes for a set of links that were down. */
struct made {
  struct made *next;
  uint32_t *down;
  unsigned count;
  struct ut_paths *paths;
};
struct plans {
  struct ut_route_planner planner;
  const struct ut_topology *topology;
  struct made *made;
};

static void free_made(struct made *made) {
  free(made->down);
  ut_paths_free(made->paths);
  free(made);
}

static void free_plans(void *self) {
  struct plans *plans = self;
  for (struct made *made = plans->made, *next; made; made = next) {
    next = made->next;
    free_made(made);
  }
  ut_route_planner_free(&plans->planner);
  free(plans);
}

static const struct ut_paths *plan_again(void *self, const struct ut_faults *faults) {
  struct plans *plans = self;
  unsigned count = 0;
  uint32_t *down = find_faults(plans->topology, faults, &count);
  struct made *made = down ? plans->made : NULL;
  while (made && (made->count != count || memcmp(made->down, down, count * sizeof *down)))
    made = made->next;
  if (made || !down) {
    free(down);
    return made ? made->paths : NULL;
  }
  made = malloc(sizeof *made);
  struct ut_error ignored;
  struct ut_paths *paths = made ? ut_route_planner_plan(&plans->planner, down, count, &ignored) : NULL;
  if (!paths) {
    free(down);
    free(made);
    return NULL;
  }
  *made = (struct made){plans->made, down, count, paths};
  plans->made = made;
  return paths;
}

static int prepare_plans(struct ut_scenario *scenario, const struct ut_topology *topo, struct ut_error *e) {
  struct plans *plans = calloc(1, sizeof *plans);
  if (!plans)
    return ut_fail_memory(e);
  if (ut_route_planner_init(&plans->planner, scenario, topo, e)) {
    free(plans);
    return -1;
  }
  if (!plans->planner.plan) {
    free_plans(plans);
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: 'routing.reconfiguration: static' with mechanisms lists all routes: up to 2048 switches and 31 "
                   "hops between two; choose a smaller network, or dynamic",
                   scenario->path);
  }
  plans->topology = topo;
  scenario->replanner = (struct ut_replanner){plans, plan_again, free_plans};
  return 0;
}

/* ---- the faults of cycle 0 */

static int plan_for(struct ut_scenario *scenario, const struct ut_topology *topo, struct ut_faults *faults,
                    struct ut_error *e) {
  struct ut_route_planner planner;
  struct ut_error why;
  unsigned count = 0;
  if (ut_route_planner_init(&planner, scenario, topo, e))
    return -1;
  while (ut_faults_next(faults, 0))
    ;
  uint32_t *down = find_faults(topo, faults, &count);
  if (down)
    scenario->paths = ut_route_planner_plan(&planner, down, count, &why);
  else
    ut_fail(&why, UT_BAD_INPUT, "out of memory for %u links", (unsigned)topo->links);
  free(down);
  ut_route_planner_free(&planner);
  return scenario->paths ? 0 : ut_fail(e, why.code, "%s: %s", scenario->path, why.text);
}

int ut_plan_scenario(struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_faults faults;
  if (!ut_scenario_planned(scenario))
    return 0;
  ut_paths_free(scenario->paths);
  scenario->paths = NULL;
  if (scenario->replanner.free)
    scenario->replanner.free(scenario->replanner.self);
  scenario->replanner = (struct ut_replanner){0};
  if (scenario->routing.reconfiguration == UT_RECONFIGURATION_STATIC &&
      prepare_plans(scenario, ut_scenario_topology(scenario), e))
    return -1;
  if (ut_faults_init(&faults, scenario, ut_scenario_topology(scenario), e))
    return -1;
  const int result = plan_for(scenario, ut_scenario_topology(scenario), &faults, e);
  ut_faults_free(&faults);
  return result;
}
