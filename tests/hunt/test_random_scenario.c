/* SPDX-License-Identifier: Apache-2.0 */
/* test_random_scenario.c - the scenarios of a hunt, and the order in which they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hunt_plan.h"
#include "random_scenario.h"
#include "scenario.h"
#include "scenario_read.h"
#include "shapes.h"

enum { SEEDS = 12 };

static bool is_of(unsigned shape, const char *family) {
  return !strcmp(ut_hunt_families[ut_hunt_shapes[shape].family].name, family);
}

static struct ut_hunt_scenario make(unsigned shape, uint64_t seed) {
  struct ut_hunt_scenario s;
  struct ut_error e;
  if (ut_hunt_scenario_make(&s, shape, seed, &e))
    fail_msg("shape %u, seed %u: %s", shape, (unsigned)seed, e.text);
  return s;
}

static struct ut_scenario *read_back(const char *text) {
  struct ut_error e;
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "hunt", &e);
  if (!s)
    fail_msg("%s\n%s", e.text, text);
  return s;
}

static void every_shape_has_scenarios(void **state) {
  (void)state;
  for (unsigned shape = 0; shape < ut_hunt_shape_count; shape++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      struct ut_hunt_scenario s = make(shape, seed), again = make(shape, seed);
      assert_string_equal(s.text, again.text);
      struct ut_scenario *read = read_back(s.text);
      ut_scenario_free(read);
      free(s.text);
      free(again.text);
    }
}

static void other_seeds_are_other_scenarios(void **state) {
  (void)state;
  struct ut_hunt_scenario a = make(0, 1), b = make(0, 2);
  assert_string_not_equal(a.text, b.text);
  free(a.text);
  free(b.text);
}

/* Links that fail, as REROUTE counts them: a failed switch is k of them where the algorithm is for links. */
static unsigned failed_links(const struct ut_scenario *s) {
  const bool for_switches = strstr(s->routing.algorithm, "_switch") != NULL;
  unsigned links = 0;
  for (size_t i = 0; i < s->fault_count; i++) {
    const struct ut_fault *f = &s->faults[i];
    if (f->kind == UT_FAULT_LINK)
      links++;
    else if (f->kind == UT_FAULT_RANDOM_LINKS)
      links += f->count;
    else if (ut_fault_is_of_switches(f->kind))
      links += for_switches ? 1 : s->topology.k;
  }
  return links;
}

/* Below k faults, with packets that are never apart and a VC for each layer, the papers claim that nothing deadlocks.
 */
static void trees_may_deadlock_from_k_faults_on(void **state) {
  unsigned safe = 0;
  (void)state;
  for (unsigned shape = 0; shape < ut_hunt_shape_count; shape++)
    for (uint64_t seed = 1; seed <= SEEDS && is_of(shape, "trees"); seed++) {
      struct ut_hunt_scenario s = make(shape, seed);
      struct ut_scenario *read = read_back(s.text);
      if (failed_links(read) >= read->topology.k && !s.may_deadlock)
        fail_msg("%u failed links, k = %u, and no deadlock expected:\n%s", failed_links(read), read->topology.k,
                 s.text);
      safe += !s.may_deadlock;
      ut_scenario_free(read);
      free(s.text);
    }
  if (safe < 50)
    fail_msg("%u scenarios of trees below k faults; expected at least 50", safe);
}

/* What is rare is there. */
static void all_kinds_of_events_are_drawn(void **state) {
  static const char *const words[] = {"link: {level",
                                      "switch: {level",
                                      "random_links",
                                      "random_switches",
                                      "random_terminal_links",
                                      "direction: out",
                                      "direction: in",
                                      "injection: {terminal",
                                      "ejection: {terminal",
                                      "times: ",
                                      "hot_spot",
                                      "reroute_timeout_cycles: 0",
                                      "reroute_clear: repair",
                                      "tables: static",
                                      "kind: m_port_tree",
                                      "reconfiguration: static",
                                      "beyond_fault_model",
                                      "distribution: bimodal",
                                      "load_flits_per_cycle: 1.000",
                                      "load_flits_per_cycle: 2.000",
                                      "bernoulli",
                                      "link_cycles: 3"};
  unsigned count[sizeof words / sizeof *words] = {0};
  (void)state;
  for (unsigned shape = 0; shape < ut_hunt_shape_count; shape++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      struct ut_hunt_scenario s = make(shape, seed);
      for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        count[i] += strstr(s.text, words[i]) != NULL;
      free(s.text);
    }
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (count[i] < 5)
      fail_msg("'%s' is in %u of %u scenarios; expected in at least 5", words[i], count[i],
               ut_hunt_shape_count * SEEDS);
}

static void each_shape_has_its_turn(void **state) {
  enum { EACH = 3, LEFT_OUT = 4 };
  struct ut_hunt_plan plan;
  struct ut_hunt_ticket t;
  unsigned *had = calloc(ut_hunt_shape_count, sizeof *had);
  (void)state;
  assert_non_null(had);
  assert_true(ut_hunt_plan_start(&plan, (1 << UT_HUNT_FAMILIES) - 1, 2, 0, EACH));
  ut_hunt_plan_leave_out(&plan, LEFT_OUT);
  while (ut_hunt_plan_next(&plan, &t)) {
    assert_int_equal(t.number, had[t.shape]);
    had[t.shape]++;
  }
  for (unsigned shape = 0; shape < ut_hunt_shape_count; shape++)
    assert_int_equal(had[shape], shape == LEFT_OUT ? 0 : EACH);
  ut_hunt_plan_end(&plan);
  free(had);
}

static void without_an_end_it_begins_anew_with_other_seeds(void **state) {
  struct ut_hunt_plan plan;
  struct ut_hunt_ticket first, t;
  (void)state;
  assert_true(ut_hunt_plan_start(&plan, 2, 1, 1, 0));
  assert_true(ut_hunt_plan_next(&plan, &first));
  assert_true(is_of(first.shape, "ruft"));
  for (unsigned i = 1; i < 100; i++) {
    assert_true(ut_hunt_plan_next(&plan, &t));
    assert_int_equal(t.shape, first.shape);
    assert_int_equal(t.number, i);
  }
  ut_hunt_plan_end(&plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_has_scenarios),
      cmocka_unit_test(other_seeds_are_other_scenarios),
      cmocka_unit_test(trees_may_deadlock_from_k_faults_on),
      cmocka_unit_test(all_kinds_of_events_are_drawn),
      cmocka_unit_test(each_shape_has_its_turn),
      cmocka_unit_test(without_an_end_it_begins_anew_with_other_seeds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
