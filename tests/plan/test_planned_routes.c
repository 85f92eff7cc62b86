/* SPDX-License-Identifier: Apache-2.0 */
/* test_planned_routes.c - plans of a scenario that are made anew, also where that fails; a workload without its faults.
 */
#include "planned_routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "faults.h"
#include "paths.h"
#include "plan.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topology_build.h"
#include "without_faults.h"

static struct ut_scenario *planned(const char *sizes, const char *pattern, const char *faults) {
  return test_scenario("topology: {kind: torus, sizes: [%s]}\nswitch: {vcs: 3, depth_flits: 10, packet_flits: 4}\n"
                       "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}}\n"
                       "traffic: {%s}\nfaults: [%s]\nrun: {warmup_cycles: 0, measure_cycles: 5000}\n",
                       sizes, pattern, faults);
}

/* What was planned before is gone, whatever is wrong with the scenario now. */
static void of_what_cannot_be_planned(void **state) {
  (void)state;
  for (unsigned what = 0; what < 2; what++) {
    struct ut_error e;
    struct ut_scenario *s = planned("3, 3", "load_flits_per_cycle: 0.1", "{at: 0, random_links: 1}");
    assert_int_equal(ut_plan_scenario(s, &e), 0);
    assert_non_null(s->paths);
    if (what == 0)
      s->topology.size[0] = 100, s->routing.misroute = true; /* a diameter of 51 */
    else
      s->faults[0].count = 100; /* more than there are links */
    assert_int_equal(ut_scenario_build(s, &e), 0);
    assert_int_equal(ut_plan_scenario(s, &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    assert_null(s->paths);
    ut_scenario_free(s);
  }
}

/* ---- every route of a scenario is that of the planner, in header words */

static void check_path(const struct ut_path *path, const struct ut_plan_route *r, unsigned local) {
  assert_int_equal(path->headers, r->subpaths);
  for (unsigned i = 0; i < r->subpaths; i++) {
    const struct ut_leg leg = ut_leg_of(path->rt[i]);
    const struct ut_subpath *sub = &r->subpath[i];
    assert_int_equal(path->stop[i], sub->target * local);
    assert_int_equal(leg.sub_path, i);
    assert_int_equal(leg.more, i + 1 < r->subpaths);
    assert_int_equal(leg.deterministic, sub->deterministic);
    assert_int_equal(leg.misroutes, sub->misroutes);
    for (unsigned m = 0; m < sub->misroutes; m++)
      assert_true(leg.misroute[m].port == sub->misroute[m].direction && leg.misroute[m].hops == sub->misroute[m].hops);
  }
}

/* Whether the one path that the network has without a plan is free of faults. */
static bool one_path_works(const struct ut_grid *g, uint32_t from, uint32_t to, bool direction_order,
                           const uint32_t *down, unsigned count) {
  bool works = true;
  for (uint32_t n = from; n != to;) {
    const uint32_t i = n * g->directions + ut_grid_first(g, n, to, direction_order);
    for (unsigned k = 0; k < count; k++)
      works &= g->link[i] != down[k];
    n = g->next[i];
  }
  return works;
}

/* By these mechanisms, around the links that are down in cycle 0. */
static void check_paths(const struct ut_scenario *s, const struct ut_mechanisms *m, unsigned seen[UT_PLAN_CLASSES]) {
  struct ut_error e;
  struct ut_topology t;
  struct ut_faults f;
  struct ut_grid g;
  struct ut_plan_route r;
  uint32_t down[64], lost[2] = {0, 0};
  unsigned count = 0, separated = 0, without = 0;
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_faults_init(&f, s, &t, &e), 0);
  while (ut_faults_next(&f, 0))
    ;
  for (uint32_t i = 0; i < t.links; i++)
    if (!ut_faults_link_up(&f, t.link[i].lower, t.link[i].lower_port))
      down[count++] = i;
  assert_int_equal(ut_grid_init(&g, &t, &e), 0);
  struct ut_plan *plan = ut_plan_new(&g, m, &e);
  assert_non_null(plan);
  ut_plan_set_faults(plan, down, count);
  for (uint32_t from = 0; from < g.nodes; from++)
    for (uint32_t to = 0; to < g.nodes; to++) {
      const unsigned local = s->topology.local_ports;
      const struct ut_path *path = ut_paths_find(s->paths, from * local + local - 1, to * local);
      ut_plan_route(plan, from, to, &r);
      seen[r.class]++;
      if (strcmp(s->routing.algorithm, "duato") && one_path_works(&g, from, to, m->direction_order, down, count)) {
        assert_null(path); /* it is not affected, whatever other minimal paths are */
        continue;
      }
      separated += r.class == UT_PLAN_SEPARATED;
      if (r.class == UT_PLAN_NONE && !without++)
        lost[0] = from, lost[1] = to;
      assert_int_equal(path == NULL, r.class == UT_PLAN_ADAPTIVE);
      if (path)
        check_path(path, &r, local);
    }
  assert_true(s->paths->separated == separated && s->paths->without_route == without);
  assert_true(s->paths->lost[0] == lost[0] && s->paths->lost[1] == lost[1]);
  assert_int_equal(s->paths->entry_bits, ut_plan_entry_bits(&g, m));
  ut_plan_free(plan);
  ut_grid_free(&g);
  ut_faults_free(&f);
  ut_topology_free(&t);
}

/* What is deterministic anyway has mechanism D for nothing, unless it has three intermediate nodes already. */
static void routes_of_scenarios(void **state) {
  (void)state;
  static const char *const algorithm[] = {"dor", "direction_order", "duato"};
  unsigned seen[UT_PLAN_CLASSES] = {0};
  for (unsigned a = 0; a < 3; a++)
    for (unsigned set = 0; set < UT_MECHANISM_SETS; set++)
      for (unsigned k = 0; k < 12; k++) {
        struct ut_error e;
        struct ut_mechanisms m = ut_mechanism_sets[set];
        struct ut_scenario *s = test_scenario(
            "topology: {kind: %s, sizes: [%s], local_ports: %u}\nswitch: {depth_flits: 20, packet_flits: 4}\n"
            "routing: {algorithm: %s, mechanisms: {intermediate: %u, deterministic: %s, misroute: %s}}\n"
            "traffic: {load_flits_per_cycle: 0.1}\nrun: {seed: %u}\n"
            "faults: [{at: 0, random_links: 7}, %s{at: 1, random_links: 5}]\n",
            k % 2 ? "mesh" : "torus", k % 2 ? "5, 3" : "4, 4", 1 + k % 3 % 2, algorithm[a], m.intermediate,
            m.deterministic ? "true" : "false", m.misroute ? "true" : "false", k + 1,
            k % 3 == 2 ? "{at: 0, random_switches: 1}, " : "");
        m.deterministic = m.deterministic || (a < 2 && m.intermediate < 3);
        m.direction_order = m.misroute || a == 1;
        assert_int_equal(ut_plan_scenario(s, &e), 0);
        check_paths(s, &m, seen);
        ut_scenario_free(s);
      }
  for (unsigned i = 0; i < UT_PLAN_CLASSES; i++)
    if (!seen[i] && i != UT_PLAN_DM && i != UT_PLAN_IDM) /* rare in small networks */
      fail_msg("no route of class %s was seen", ut_plan_class_name[i]);
}

/* ---- without faults */

struct seen {
  unsigned runs;
  size_t faults;
  bool planned, fails;
};

static int complete(void *ctx, const struct ut_scenario *s, uint64_t *completion, struct ut_error *e) {
  struct seen *x = ctx;
  x->runs++;
  x->faults = s->fault_count;
  x->planned = s->paths != NULL;
  *completion = 77;
  return x->fails ? ut_fail(e, UT_BAD_INPUT, "no") : 0;
}

/* The run once more only where something has failed in it; with plans of its own, and those of the scenario stay. */
static void what_faults_have_cost(void **state) {
  (void)state;
  static const char *const faults[] = {"", "{at: 0, link: {level: 0, switch: 0, port: 0}}",
                                       "{at: 4999, random_links: 1}"};
  for (unsigned i = 0; i < 3; i++) {
    struct ut_error e;
    struct ut_network n;
    struct seen seen = {0};
    uint64_t completion = 0;
    struct ut_scenario *s = planned("3, 3", "pattern: all_to_all, message_bytes: 64", faults[i]);
    assert_int_equal(ut_plan_scenario(s, &e), 0);
    test_network(&n, s);
    while (!ut_network_done(&n))
      ut_network_step(&n);
    assert_true(n.workload->completion > 0 && n.workload->completion < 4999);
    const bool again = i == 1;
    assert_int_equal(ut_without_faults(&n, complete, &seen, &completion, &e), 0);
    assert_int_equal(seen.runs, again);
    assert_int_equal(completion, again ? 77 : n.workload->completion);
    assert_int_equal(seen.faults, 0);
    assert_int_equal(seen.planned, again);
    assert_int_equal(ut_paths_find(s->paths, 0, 1) != NULL, again);
    seen.fails = true;
    assert_int_equal(ut_without_faults(&n, complete, &seen, &completion, &e), again ? -1 : 0);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- routes that are planned during a run */

/* Entries of a node that differ, field by field. */
static uint32_t differing(const struct ut_paths *a, const struct ut_paths *b, uint32_t from) {
  uint32_t sum = 0;
  for (uint32_t to = 0; to < a->nodes; to++) {
    const struct ut_path *p = ut_paths_find(a, from, to), *q = ut_paths_find(b, from, to);
    bool same = !p == !q && (!p || p->headers == q->headers);
    for (unsigned i = 0; p && same && i < p->headers; i++)
      same = p->rt[i] == q->rt[i] && p->stop[i] == q->stop[i];
    sum += !same;
  }
  return sum;
}

/* For the same links the same routes, and those that a scenario with these faults from the start has. */
static void planned_again(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_faults faults;
  struct ut_scenario *of[2];
  for (unsigned i = 0; i < 2; i++) {
    of[i] =
        test_scenario("topology: {kind: torus, sizes: [5, 4]}\nswitch: {vcs: 3, depth_flits: 10, packet_flits: 4}\n"
                      "routing: {algorithm: duato, mechanisms: {intermediate: 1}, reconfiguration: static}\n"
                      "traffic: {load_flits_per_cycle: 0.1}\nfaults: [{at: 0, link: {level: 0, switch: 3, port: 0}},\n"
                      "  {at: %u, until: 500, switch: {level: 0, switch: 9}}]\n",
                      i ? 0 : 100);
    assert_int_equal(ut_plan_scenario(of[i], &e), 0);
  }
  const struct ut_replanner *r = &of[0]->replanner;
  const struct ut_paths *made[3];
  assert_int_equal(ut_faults_init(&faults, of[0], ut_scenario_topology(of[0]), &e), 0);
  for (unsigned i = 0; i < 3; i++) {
    while (ut_faults_next(&faults, 250 * i))
      ;
    made[i] = r->plan(r->self, &faults);
  }
  assert_ptr_equal(made[0], made[2]);
  uint32_t changes = 0;
  for (uint32_t node = 0; node < made[0]->nodes; node++) {
    assert_int_equal(differing(made[0], of[0]->paths, node), 0);
    assert_int_equal(differing(made[1], of[1]->paths, node), 0);
    assert_int_equal(ut_paths_changes(made[0], made[1], node), differing(made[0], made[1], node));
    changes += differing(made[0], made[1], node);
  }
  assert_true(changes > 0);
  ut_faults_free(&faults);
  ut_scenario_free(of[0]);
  ut_scenario_free(of[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_what_cannot_be_planned), cmocka_unit_test(routes_of_scenarios),
                                     cmocka_unit_test(what_faults_have_cost), cmocka_unit_test(planned_again)};
  return cmocka_run_group_tests_name("planned_routes", tests, NULL, NULL);
}
