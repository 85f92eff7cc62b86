/* test_every_way.c - what is computed from ways, routes and symmetries of small networks, as it was recorded: graphs of
 * ways, cuts, fault sets that are not tolerated, lists of routes, plans, symmetries, orbits. */
#include <string.h>

#include "combinations.h"
#include "drawn_ways.h"
#include "fault_orbits.h"
#include "link_classes.h"
#include "path_routes.h"
#include "path_tolerance.h"
#include "plan.h"
#include "recorded.h"
#include "route_lists.h"
#include "scenarios.h"
#include "symmetry.h"
#include "tolerance.h"
#include "torus_tolerance.h"
#include "tree_symmetry.h"
#include "up_down.h"

static struct ut_scenario *open_scenario(const char *topology, const char *algorithm, unsigned vcs,
                                         struct ut_topology *t) {
  struct ut_error e;
  struct ut_scenario *s =
      test_scenario("topology: {%s}\nswitch: {vcs: %u, depth_flits: 8, packet_flits: 4}\nrouting: {algorithm: %s}\n"
                    "traffic: {load_flits_per_cycle: 0.1}\n",
                    topology, vcs, algorithm);
  if (ut_topology_init(t, s, &e))
    fail_msg("%s", e.text);
  return s;
}

/* ---- ways as graphs */

static void record_graphs(uint64_t *hash, const struct ut_path_network *n) {
  record(hash, n->units), record(hash, n->links), record(hash, n->rows), record(hash, n->groups);
  record(hash, n->repeated), record(hash, n->entries), record(hash, n->sources), record(hash, n->pairs);
  for (uint32_t i = 0; i < n->channels; i++)
    record(hash, n->unit[i]);
  for (uint32_t i = 1; i <= n->units; i++)
    record(hash, n->unit_class[i] | (uint64_t)(i > n->links ? ut_path_network_switch(n, i) : n->channel[i]) << 8);
  for (uint32_t i = 0; i < n->source->terminals; i++)
    record(hash, (uint64_t)n->group_of[i] << 32 | n->source_of[i]);
  for (uint32_t i = 0; i < n->sources * n->source->injections; i++)
    record(hash, (uint64_t)n->start[i].unit << 32 | n->start[i].node);
  for (uint32_t i = 0; i < n->groups; i++) {
    const struct ut_ways *w = &n->ways[i];
    record(hash, w->members), record(hash, w->nodes);
    for (uint32_t j = 0; j <= w->nodes; j++)
      record(hash, w->first[j]);
    for (uint32_t j = 0; j < w->first[w->nodes]; j++)
      record(hash, (uint64_t)w->way[j].unit << 32 | w->way[j].node);
    for (uint32_t j = 0; j < n->entries; j++)
      record(hash, w->entry[j]);
  }
}

static void record_cut(uint64_t *hash, const struct ut_path_cut *cut, uint32_t more) {
  record(hash, cut->size);
  if (cut->size == UINT32_MAX)
    return;
  for (uint32_t i = 0; i < cut->size + more; i++)
    record(hash, cut->unit[i]);
  record(hash, (uint64_t)cut->from << 32 | cut->to);
}

static void record_interval(uint64_t *hash, const struct ut_path_network *n, const struct ut_path_point *p) {
  double low, high;
  ut_path_connected_interval(n, p, 0.95, &low, &high);
  record(hash, (uint64_t)(ut_path_connected(n, p) * 1e9 + 0.5));
  record(hash, (uint64_t)(low * 1e9 + 0.5)), record(hash, (uint64_t)(high * 1e9 + 0.5));
}

static void record_network(uint64_t *hash, const struct ut_path_source *source, unsigned classes, bool directed) {
  struct ut_path_network n;
  struct ut_error e;
  const uint32_t failing = source->failing[1] - source->failing[0];
  if (ut_path_network_init(&n, source, classes, directed, &e)) {
    record(hash, strlen(e.text));
    return;
  }
  record_graphs(hash, &n);
  struct ut_path_request request = {.faults = {0, 3}, .limit = 400, .samples = 300, .seed = 5};
  request.faults[1] = n.links < 3 ? n.links : 3;
  request.switches[1] = failing > 0;
  struct ut_path_point point[8];
  struct ut_parallel parallel = {.workers = 1};
  if (ut_path_tolerance_run(&n, &request, &parallel, point, &e))
    fail_msg("%s", e.text);
  for (unsigned i = 0; i < ut_path_points(&request); i++) {
    const struct ut_path_point *p = &point[i];
    record(hash, (uint64_t)p->faults << 32 | p->switches << 1 | p->exhaustive), record(hash, p->wanted);
    record(hash, p->sets), record(hash, p->not_tolerated), record(hash, p->lost), record(hash, p->batches);
    record(hash, p->lost_in_batches), record(hash, (uint64_t)p->squares);
    record_interval(hash, &n, p);
  }
  /* of more batches than these few sets are */
  const struct ut_path_point many = {
      .sets = 5 * UT_PATH_BATCH, .lost = 700, .batches = 5, .lost_in_batches = 700, .squares = 120000};
  record_interval(hash, &n, &many);
  struct ut_path_cut cut;
  for (unsigned counted = 1; counted < 16 && !n.repeated; counted++) {
    if (!(counted & (classes | UT_CLASS_SWITCH)))
      continue;
    if (ut_path_cut_find(&n, counted, &cut, &e))
      fail_msg("%s", e.text);
    record_cut(hash, &cut, 0);
    ut_path_cut_free(&cut);
    if (ut_path_cut_beside(&n, counted, &cut, &e))
      fail_msg("%s", e.text);
    record_cut(hash, &cut, 1);
    ut_path_cut_free(&cut);
  }
  ut_path_network_free(&n);
}

static void record_ways(uint64_t *hash, const struct ut_scenario *s, const struct ut_topology *t, unsigned classes,
                        bool directed) {
  struct ut_path_routes routes;
  struct ut_error e;
  if (ut_path_routes_init(&routes, s, t, &e))
    fail_msg("%s", e.text);
  routes.source.failing[0] = t->switches / 3;
  routes.source.failing[1] = t->switches;
  record_network(hash, &routes.source, classes, directed);
  ut_path_routes_free(&routes);
}

/* Of any form; what they should be, tests/tolerance/test_path_tolerance.c says. */
static void record_drawn(uint64_t *hash) {
  static struct drawn x;
  for (unsigned seed = 1; seed <= 200; seed++) {
    drawn_init(&x, seed);
    record_network(hash, &x.source, 1 + seed % 7, seed % 3 == 0);
  }
}

/* ---- plans and lists of routes */

static void record_route(uint64_t *hash, const struct ut_plan_route *r) {
  record(hash, (uint64_t)r->class << 32 | r->length << 8 | r->subpaths);
  for (unsigned i = 0; i < r->subpaths; i++) {
    record(hash, (uint64_t)r->subpath[i].target << 8 | r->subpath[i].deterministic << 4 | r->subpath[i].misroutes);
    for (unsigned j = 0; j < r->subpath[i].misroutes; j++)
      record(hash, r->subpath[i].misroute[j].direction << 8 | r->subpath[i].misroute[j].hops);
  }
}

enum { MOST_FAULTS = 16 };

static void record_plans(uint64_t *hash, const struct ut_grid *g, const struct ut_mechanisms *m, unsigned sets) {
  struct ut_error e;
  struct ut_plan *plan = ut_plan_new(g, m, &e);
  assert_non_null(plan);
  record(hash, ut_plan_entry_bits(g, m));
  struct ut_random random;
  ut_random_init(&random, g->links, UT_RANDOM_TEST, 0);
  for (unsigned set = 0; set < sets; set++) {
    uint32_t link[MOST_FAULTS] = {0, 3 % g->links, g->links - 1};
    const unsigned faults =
        set < 4 ? set : 1 + ut_random_below(&random, g->links < MOST_FAULTS ? g->links : MOST_FAULTS);
    struct ut_plan_counts counts;
    if (set >= 4)
      ut_combination_draw(&random, g->links, faults, link);
    ut_plan_set_faults(plan, link, faults);
    const bool all = ut_plan_count(plan, &counts);
    record(hash, all);
    record_words(hash, counts.pairs, all ? UT_PLAN_CLASSES : 0);
    for (uint32_t from = 0; from < g->nodes; from++) {
      record(hash, ut_plan_table_bits(plan, from));
      for (uint32_t to = 0; to < g->nodes; to++) {
        struct ut_plan_route r;
        unsigned length = 0;
        ut_plan_route(plan, from, to, &r);
        record_route(hash, &r);
        assert_int_equal(ut_plan_classify(plan, from, to, &length), r.class);
      }
    }
  }
  ut_plan_free(plan);
}

static void record_lists(uint64_t *hash, const struct ut_grid *g, const struct ut_mechanisms *m) {
  struct ut_error e;
  uint32_t link[UT_ROUTE_LISTS_LINKS];
  for (uint32_t i = 0; i < g->links; i++)
    link[i] = i;
  struct ut_route_lists *x = ut_route_lists_new(g, m, link, g->links, &e);
  assert_non_null(x);
  for (uint32_t from = 0; from < g->nodes; from += 2)
    for (uint32_t to = 0; to < g->nodes; to++) {
      struct ut_route_list *l = ut_route_list(x, from, to);
      while (!l->complete && l->length < g->diameter + 3)
        assert_int_equal(ut_route_list_more(x, from, to, &e), 0);
      for (unsigned i = 0; i < l->count; i++) {
        record(hash, (uint64_t)(l->links[i] >> 64)), record(hash, (uint64_t)l->links[i]);
        record(hash, l->class[i]);
      }
    }
  ut_route_lists_free(x);
}

static void record_symmetries(uint64_t *hash, const struct ut_grid *g, const struct ut_mechanisms *m) {
  for (unsigned fixed = 0; fixed < 1u + g->wrap; fixed++) {
    struct ut_symmetries x;
    struct ut_error e;
    assert_int_equal(ut_symmetries_find(&x, g, m, fixed, &e), 0);
    record(hash, x.count);
    for (size_t i = 0; i < (size_t)x.count * g->links; i++)
      record(hash, x.link[i]);
    ut_symmetries_free(&x);
  }
}

static void record_points(uint64_t *hash, const struct ut_grid *g, const struct ut_torus_request *request) {
  struct ut_parallel parallel = {.workers = 1};
  struct ut_torus_tolerance *result = calloc(1, sizeof *result);
  struct ut_error e;
  uint32_t *link = calloc(g->links, sizeof *link);
  assert_true(result && link);
  record(hash, ut_torus_links(g, request->model, link)), record(hash, ut_torus_sets(g, request, 2));
  if (ut_torus_tolerance_run(g, request, &parallel, result, &e))
    fail_msg("%s", e.text);
  for (unsigned f = request->faults[0]; f <= request->faults[1]; f++) {
    const struct ut_torus_point *p = &result->point[f];
    record(hash, p->sets), record(hash, p->not_tolerated);
    record_words(hash, p->pairs, UT_PLAN_CLASSES);
  }
  free(result), free(link);
}

static void record_counts(uint64_t *hash, const struct ut_grid *g, const struct ut_mechanisms *m) {
  for (unsigned model = 0; model < UT_FAULT_MODELS; model++) {
    const bool region = model == UT_MODEL_REGION || model == UT_MODEL_REGION_SAMPLED;
    if (region && !g->wrap)
      continue;
    record_points(hash, g,
                  &(struct ut_torus_request){
                      .mechanisms = m, .model = model, .faults = {0, region ? 1 : 2}, .samples = 8, .seed = 9});
  }
}

static void record_grid(uint64_t *hash, const struct ut_topology *t) {
  struct ut_grid g;
  struct ut_error e;
  assert_int_equal(ut_grid_init(&g, t, &e), 0);
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++)
    for (unsigned order = 0; order < 2; order++) {
      struct ut_mechanisms m = ut_mechanism_sets[i];
      if (m.direction_order && !order)
        continue;
      m.direction_order = order;
      record_plans(hash, &g, &m, 10);
      record_lists(hash, &g, &m);
      record_symmetries(hash, &g, &m);
      if (!order || m.misroute)
        record_counts(hash, &g, &m);
    }
  ut_grid_free(&g);
}

/* What is planned, where lists of all routes would take too long. */
static void record_all_plans(uint64_t *hash, const struct ut_topology *t) {
  struct ut_grid g;
  struct ut_error e;
  assert_int_equal(ut_grid_init(&g, t, &e), 0);
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++)
    record_plans(hash, &g, &ut_mechanism_sets[i], 40);
  ut_grid_free(&g);
}

/* A grid with more links than lists are made for: the planner looks at every set. */
static void record_large(uint64_t *hash, const struct ut_topology *t) {
  struct ut_grid g;
  struct ut_error e;
  assert_int_equal(ut_grid_init(&g, t, &e), 0);
  assert_true(g.links > UT_ROUTE_LISTS_LINKS);
  struct ut_mechanisms m = ut_mechanism_sets[UT_MECHANISM_SETS - 1];
  m.direction_order = true;
  record_points(hash, &g,
                &(struct ut_torus_request){
                    .mechanisms = &m, .model = UT_MODEL_SAMPLED, .faults = {0, 3}, .samples = 4, .seed = 9});
  ut_grid_free(&g);
}

/* ---- orbits of fault sets, and what they do to a tree */

static void representative(const void *ctx, const uint32_t *in, unsigned count, uint32_t *out) {
  ut_tree_symmetry_representative(ctx, in, count, out);
}

static void record_tree(uint64_t *hash, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_explorer w;
  struct ut_tree_symmetry x;
  struct ut_fault_orbits o;
  struct ut_error e;
  if (ut_explorer_init(&w, s, t, &e))
    fail_msg("%s", e.text);
  ut_tree_symmetry_find(&x, &w);
  record(hash, x.positions), record(hash, x.choices), record(hash, x.terminals);
  assert_int_equal(ut_fault_orbits_init(&o, &e), 0);
  struct ut_tolerance_test *test = ut_tolerance_test_new(s, t, &e);
  assert_non_null(test);
  for (unsigned faults = 1; faults <= 3; faults++) {
    if (ut_fault_orbits_grow(&o, t->links, 400, representative, &x, NULL, &e))
      break;
    for (uint32_t i = 0; i < o.count; i++) {
      struct ut_fault_set set = {.links = faults};
      bool fails[UT_METHODS];
      memcpy(set.link, o.link + (size_t)i * faults, faults * sizeof *set.link);
      record(hash, (uint64_t)o.weight[i]);
      if (i % (faults * faults) == 0) {
        assert_int_equal(ut_tolerance_test_set(test, &set, fails, &e), 0);
        for (unsigned m = 0; m < UT_METHODS; m++)
          record(hash, fails[m]);
      }
      for (unsigned j = 0; j < faults; j++)
        record(hash, set.link[j]);
    }
  }
  ut_tolerance_test_free(test);
  ut_fault_orbits_free(&o);
  ut_explorer_free(&w);
}

/* Which leaf switches ways up and down lead to, with ever fewer links. */
static void record_up_down(uint64_t *hash, const struct ut_topology *t) {
  struct ut_up_down x;
  ut_mask *up = calloc(t->switches, sizeof *up);
  assert_true(up && ut_up_down_init(&x, t));
  for (unsigned round = 0; round < 4; round++) {
    for (size_t i = 0; i < t->links; i++) {
      const bool works = !round || (i * 7 + round) % (64 >> 2 * round);
      const ut_mask lower = ut_bit(t->link[i].lower_port), upper = ut_bit(t->link[i].upper_port);
      up[t->link[i].lower] = works ? up[t->link[i].lower] | lower : up[t->link[i].lower] & ~lower;
      up[t->link[i].upper] = works ? up[t->link[i].upper] | upper : up[t->link[i].upper] & ~upper;
    }
    ut_up_down_survey(&x, up);
    record(hash, ut_up_down_connected(&x));
    record_words(hash, x.below, (size_t)t->switches * x.words);
    record_words(hash, x.reach, (size_t)t->switches * x.words);
  }
  ut_up_down_fini(&x);
  free(up);
}

static const struct {
  const char *topology, *algorithm;
  unsigned vcs;
  char what; /* w: ways; d: of networks of any form; g: grid; p: plans of one; l: a large one; t: tree; u: ways up and
                down */
  unsigned classes;
  bool directed;
  uint64_t hash;
} recorded[] = {
    {"kind: ruft, k: 2, n: 3", "ruft", 1, 'w', UT_CLASS_NETWORK, false, 0xda02699420d1d1ff},
    {"kind: ruft_pl, k: 2, n: 2", "ruft", 1, 'w', 7, false, 0x25c9390b87a2930d},
    {"kind: ft_ruft_212, k: 2, n: 3", "ruft", 1, 'w', 7, false, 0x64f5a8585e62b184},
    {"kind: ft_ruft_212, k: 4, n: 2", "ruft", 1, 'w', UT_CLASS_NETWORK, false, 0xeafe16305a2639d2},
    {"kind: ft_ruft_222, k: 2, n: 3", "ruft", 1, 'w', 7, false, 0x0dff7e8e75d5477a},
    {"kind: ft_ruft_222, k: 2, n: 2", "ruft", 1, 'w', UT_CLASS_INJECTION | UT_CLASS_EJECTION, false,
     0x41710e9fc841dfcf},
    {"kind: fat_tree, k: 2, n: 3", "fta", 1, 'w', UT_CLASS_NETWORK, false, 0x1d943b887847414f},
    {"kind: fat_tree, k: 3, n: 2", "destro", 1, 'w', UT_CLASS_NETWORK, true, 0xfa6b1cb1b9b4d039},
    {"kind: mesh, sizes: [3, 3]", "dor", 1, 'w', UT_CLASS_NETWORK, false, 0xeac7fbfa27852430},
    {"kind: mesh, sizes: [3, 2, 2]", "duato", 2, 'w', UT_CLASS_NETWORK, true, 0x3dbed5ee47df56df},
    {"kind: torus, sizes: [4, 3]", "duato", 2, 'w', UT_CLASS_NETWORK, false, 0x0144d3b2d1dfdfb0},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "direction_order", 1, 'w', UT_CLASS_NETWORK, false,
     0xd4206aaac811dd64},
    {"kind: mesh, sizes: [2]", "dor", 1, 'd', 0, false, 0x28d7398c7f216d56},
    {"kind: hypercube, n: 3", "ecube", 1, 'w', UT_CLASS_NETWORK, false, 0x5e4912ef03b8be8c},
    {"kind: torus, sizes: [4, 3]", "duato", 2, 'g', 0, false, 0x4919390faf16d641},
    {"kind: torus, sizes: [5]", "duato", 2, 'g', 0, false, 0x4f77d5ae89bac559},
    {"kind: torus, sizes: [2, 3]", "duato", 2, 'g', 0, false, 0xdc56d447fea781f5},
    {"kind: mesh, sizes: [3, 4]", "duato", 2, 'g', 0, false, 0x98cba4a25c977319},
    {"kind: mesh, sizes: [2, 2, 3]", "duato", 2, 'g', 0, false, 0x06d749cc04557c88},
    {"kind: torus, sizes: [3, 3]", "duato", 2, 'g', 0, false, 0x1e455dbb1205487c},
    {"kind: torus, sizes: [4, 4]", "duato", 2, 'g', 0, false, 0x46678207f42a5122},
    {"kind: mesh, sizes: [3, 3]", "duato", 2, 'g', 0, false, 0x25f764f99133daec},
    {"kind: torus, sizes: [2, 4, 3]", "duato", 2, 'p', 0, false, 0xff397a86f52ea539},
    {"kind: torus, sizes: [3, 3, 4]", "duato", 2, 'p', 0, false, 0x546c090c6af499a6},
    {"kind: mesh, sizes: [3, 2, 4]", "duato", 2, 'p', 0, false, 0xc8d1b635edbc20c7},
    {"kind: torus, sizes: [9, 8]", "duato", 2, 'l', 0, false, 0xf42812f0026312ff},
    {"kind: fat_tree, k: 2, n: 4", "reroute_adaptive_link", 1, 't', 0, false, 0xd19bf29adfe498fb},
    {"kind: fat_tree, k: 2, n: 3", "misroute_header", 1, 't', 0, false, 0x34271107966979b3},
    {"kind: fat_tree, k: 3, n: 2", "fta", 1, 't', 0, false, 0xd7edb27b2d8ed106},
    {"kind: fat_tree, k: 2, n: 3", "reroute_adaptive_switch", 1, 't', 0, false, 0xe188703fc22dc89b},
    {"kind: fat_tree, k: 3, n: 5", "fta", 1, 'u', 0, false, 0xb24f0e7ea5223b85},
    {"kind: fat_tree, k: 4, n: 4", "fta", 1, 'u', 0, false, 0xcdf55a54c128fcf3},
    {"kind: fat_tree, k: 3, n: 3", "fta", 1, 'u', 0, false, 0x8dbd7bcc834fc927},
    {"kind: fat_tree, k: 2, n: 2", "reroute_det_link", 2, 't', 0, false, 0xccf0019f17867def},
};

static void ways_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    struct ut_topology t;
    struct ut_scenario *s = open_scenario(recorded[i].topology, recorded[i].algorithm, recorded[i].vcs, &t);
    uint64_t hash = 0;
    switch (recorded[i].what) {
    case 'w': record_ways(&hash, s, &t, recorded[i].classes, recorded[i].directed); break;
    case 'd': record_drawn(&hash); break;
    case 'g': record_grid(&hash, &t); break;
    case 'p': record_all_plans(&hash, &t); break;
    case 'l': record_large(&hash, &t); break;
    case 'u': record_up_down(&hash, &t); break;
    default: record_tree(&hash, s, &t);
    }
    recorded_is(recorded[i].topology, hash, recorded[i].hash, &differences);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ways_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
