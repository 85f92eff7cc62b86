/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the outages of a scenario: which faults are one, when, and what they are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "network.h"
#include "outages.h"
#include "scenario_read.h"
#include "scenarios.h"

struct expected {
  const char *name;
  uint64_t from, until;
};

/* Those of a scenario in a window, in their order. */
static void expect(const char *scenario, uint64_t first, uint64_t last, const struct expected *e, size_t count) {
  struct ut_network n;
  struct ut_outage *list;
  size_t found;
  char text[UT_OUTAGE_NAME_SIZE];
  struct ut_scenario *s = test_scenario("%s", scenario);
  test_network(&n, s);
  assert_true(ut_outages_find(&n.faults, first, last, &list, &found));
  assert_int_equal(found, count);
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(ut_outage_name(n.topology, &list[i], text), e[i].name);
    assert_int_equal(list[i].from, e[i].from);
    assert_true(list[i].until == e[i].until);
  }
  free(list);
  ut_network_fini(&n);
  ut_scenario_free(s);
}
#define EXPECT(scenario, first, last, ...)                                                                             \
  expect(scenario, first, last, (const struct expected[]){__VA_ARGS__},                                                \
         sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

/* A tree of one level has levels, too, and no coordinates. */
static void outages_of_one_level(void **state) {
  (void)state;
  static const char text[] = "topology: {kind: fat_tree, k: 4, n: 1}\n"
                             "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0.1}\n"
                             "faults:\n"
                             "  - {at: 10, until: 20, switch: {level: 0, switch: 0}}\n"
                             "  - {at: 30, until: 40, link: {level: 0, switch: 0, port: 2}}\n";
  const struct expected dead = {"switch 0.0", 10, 20}, link = {"link 0.0-terminal 2", 30, 40};
  EXPECT(text, 0, 100, dead, link);
}

/* Faults of one link that overlap are one outage, from whichever end they are named. */
static void outages_in_windows(void **state) {
  (void)state;
  static const char text[] = "topology: {kind: fat_tree, k: 2, n: 2}\n"
                             "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0.1}\n"
                             "faults:\n"
                             "  - {at: 10, until: 20, link: {level: 0, switch: 1, port: 3}}\n"
                             "  - {at: 15, until: 30, link: {level: 1, switch: 1, port: 1}}\n" /* the same one */
                             "  - {at: 40, until: 50, link: {level: 0, switch: 1, port: 3}}\n"
                             "  - {at: 45, switch: {level: 1, switch: 0}}\n"
                             "  - {at: 60, until: 61, link: {level: 0, switch: 0, port: 1}}\n";
  const struct expected link = {"link 0.1-1.1", 10, 30}, again = {"link 0.1-1.1", 40, 50},
                        dead = {"switch 1.0", 45, UINT64_MAX}, terminal = {"link 0.0-terminal 1", 60, 61};
  EXPECT(text, 0, 100, link, again, dead, terminal);
  expect(text, 30, 39, NULL, 0);
  EXPECT(text, 29, 40, link, again);
  EXPECT(text, 1000, 1000, dead);
}

/* One direction is another component than both: neither ends the outage of the other. */
static void directions(void **state) {
  (void)state;
  EXPECT("topology: {kind: fat_tree, k: 2, n: 2}\n"
         "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0.1}\n"
         "faults:\n"
         "  - {at: 10, until: 50, link: {level: 0, switch: 1, port: 3}}\n"
         "  - {at: 20, until: 30, link: {level: 0, switch: 1, port: 3}, direction: out}\n",
         0, 100, {"link 0.1-1.1", 10, 50}, {"link 0.1-1.1, from 0.1 only", 20, 30});
}

/* Levels without ports that lead up: no coordinates either. */
static void between_levels(void **state) {
  (void)state;
  EXPECT("topology: {kind: ruft, k: 2, n: 3}\n"
         "routing: {algorithm: ruft}\ntraffic: {load_flits_per_cycle: 0.1}\n"
         "faults:\n"
         "  - {at: 10, link: {level: 0, switch: 1, port: 1}}\n"
         "  - {at: 11, switch: {level: 1, switch: 2}}\n"
         "  - {at: 12, injection: {terminal: 5, link: 0}}\n"
         "  - {at: 13, ejection: {terminal: 6, link: 0}}\n",
         0, 100, {"link 0.1-1.1, port 1", 10, UINT64_MAX}, {"switch 1.2", 11, UINT64_MAX},
         {"link terminal 5-0.2", 12, UINT64_MAX}, {"link 2.2-terminal 6", 13, UINT64_MAX});
}

static void in_a_torus(void **state) {
  (void)state;
  EXPECT("topology: {kind: torus, sizes: [4, 2], local_ports: 2}\n"
         "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n"
         "faults:\n"
         "  - {at: 10, link: {level: 0, switch: 1, port: 2}}\n"
         "  - {at: 10, link: {level: 0, switch: 1, port: 3}}\n" /* both lead to 0.5 */
         "  - {at: 11, switch: {level: 0, switch: 6}}\n"
         "  - {at: 12, link: {level: 0, switch: 3, port: 5}}\n",
         0, 100, {"link 0.1-0.5, +y of (1,0)", 10, UINT64_MAX}, {"link 0.1-0.5, -y of (1,0)", 10, UINT64_MAX},
         {"switch 0.6 (2,1)", 11, UINT64_MAX}, {"link 0.3-terminal 7", 12, UINT64_MAX});
}

/* Of several links the number, from the terminal's side; of one direction where it begins. */
static void several_links_of_a_terminal(void **state) {
  (void)state;
  EXPECT("topology: {kind: mesh, sizes: [2, 2], terminal_links: 2}\n"
         "routing: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n"
         "faults:\n"
         "  - {at: 10, link: {level: 0, switch: 1, port: 4}}\n"
         "  - {at: 11, link: {level: 0, switch: 1, port: 5}}\n"
         "  - {at: 12, injection: {terminal: 2, link: 1}}\n"
         "  - {at: 13, ejection: {terminal: 3, link: 1}}\n"
         "  - {at: 14, link: {level: 0, switch: 0, port: 0}, direction: out}\n"
         "  - {at: 15, link: {level: 0, switch: 1, port: 1}, direction: out}\n",
         0, 100, {"link 0.1-terminal 1 (link 0)", 10, UINT64_MAX}, {"link 0.1-terminal 1 (link 1)", 11, UINT64_MAX},
         {"link 0.2-terminal 2 (link 1), from the terminal only", 12, UINT64_MAX},
         {"link 0.3-terminal 3 (link 1), from 0.3 only", 13, UINT64_MAX},
         {"link 0.0-0.1, +x of (0,0), from 0.0 only", 14, UINT64_MAX},
         {"link 0.1-0.0, -x of (1,0), from 0.1 only", 15, UINT64_MAX});
  EXPECT("topology: {kind: ft_ruft_222, k: 4, n: 2}\n"
         "routing: {algorithm: ruft}\ntraffic: {load_flits_per_cycle: 0.1}\n"
         "faults:\n"
         "  - {at: 12, injection: {terminal: 5, link: 0}}\n"
         "  - {at: 13, injection: {terminal: 5, link: 1}}\n"
         "  - {at: 14, ejection: {terminal: 6, link: 0}}\n"
         "  - {at: 15, ejection: {terminal: 6, link: 1}}\n",
         0, 100, {"link terminal 5-0.1 (link 0)", 12, UINT64_MAX}, {"link terminal 5-0.3 (link 1)", 13, UINT64_MAX},
         {"link 1.2-terminal 6 (link 0)", 14, UINT64_MAX}, {"link 1.3-terminal 6 (link 1)", 15, UINT64_MAX});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outages_in_windows), cmocka_unit_test(outages_of_one_level),
      cmocka_unit_test(directions),         cmocka_unit_test(between_levels),
      cmocka_unit_test(in_a_torus),         cmocka_unit_test(several_links_of_a_terminal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
