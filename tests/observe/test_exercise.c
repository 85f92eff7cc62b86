/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what a run says that it has not exercised: it names what has not been, and nothing that has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exercise.h"
#include "scenario_read.h"
#include "scenarios.h"

/* What is missing after so many cycles, as one text. */
static void expect(uint64_t cycles, const char *timeout, const char *load, const char *faults, const char *expected) {
  struct ut_network n;
  struct ut_exercise x = {0};
  char text[UT_EXERCISES][UT_EXERCISE_SIZE], all[UT_EXERCISES * UT_EXERCISE_SIZE] = "";
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                                        "switch: {depth_flits: 4, packet_flits: 2}\n"
                                        "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: %s}\n"
                                        "traffic: {load_flits_per_cycle: %s}\nfaults: [%s]\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 5000, drain: false, seed: 3}\n",
                                        timeout, load, faults);
  test_network(&n, s);
  while (n.cycle < cycles) {
    ut_network_step(&n);
    ut_exercise_observe(&x, &n);
  }
  const unsigned count = ut_exercise_missing(&x, &n, text);
  for (unsigned i = 0; i < count; i++)
    strcat(strcat(all, i ? "; " : ""), text[i]);
  assert_string_equal(all, expected);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

#define LINK "{at: 100, until: 2000, link: {level: 0, switch: 1, port: 2}}"

static void names_what_has_not_been(void **state) {
  (void)state;
  expect(50, "40", "0.01", "", "no buffer was full (looked at every 64th cycle)");
  expect(50, "40", "0.9", LINK, "1 of 1 faults come after its end; no buffer was full (looked at every 64th cycle)");
  expect(1500, "0", "0.9", LINK, "nothing that has failed comes back");
  expect(1500, "60000", "0.9", LINK, "nothing that has failed comes back; no re-route timer expired");
}

static void is_silent_where_all_was(void **state) {
  (void)state;
  expect(3000, "8", "0.9", LINK, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_what_has_not_been),
                                     cmocka_unit_test(is_silent_where_all_was)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
