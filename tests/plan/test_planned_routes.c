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

#include "paths.h"
#include "scenarios.h"
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
  for (unsigned what = 0; what < 3; what++) {
    struct ut_error e;
    struct ut_scenario *s = planned("3, 3", "load_flits_per_cycle: 0.1", "{at: 0, random_links: 1}");
    assert_int_equal(ut_plan_scenario(s, &e), 0);
    assert_non_null(s->paths);
    if (what == 0)
      s->topology.size[0] = 100; /* a diameter of 51 */
    else if (what == 1)
      s->topology.size[0] = 0; /* no topology */
    else
      s->faults[0].count = 100; /* more than there are links */
    assert_int_equal(ut_plan_scenario(s, &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    assert_null(s->paths);
    ut_scenario_free(s);
  }
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_what_cannot_be_planned),
                                     cmocka_unit_test(what_faults_have_cost)};
  return cmocka_run_group_tests_name("planned_routes", tests, NULL, NULL);
}
