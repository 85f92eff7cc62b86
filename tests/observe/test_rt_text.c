/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the words that are printed for the rt field of a packet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "network.h"
#include "rt_text.h"
#include "scenario_read.h"
#include "scenarios.h"

/* The field of REROUTE as the paper numbers it; the vector of MISROUTE, up port k first. */
static void values_of_rt(void **state) {
  (void)state;
  static const struct {
    unsigned k;
    const char *algorithm, *title;
    uint32_t rt;
    const char *text;
  } cases[] = {
      {3, "reroute_det_switch", "port field", 0, "field -1"},
      {3, "reroute_det_switch", "port field", 1, "field -2"},
      {3, "reroute_adaptive_switch", "port field", 2, "field 0"},
      {3, "reroute_adaptive_switch", "port field", 4, "field 2"},
      {3, "misroute_header", "misroute vector", 0, "000"},
      {3, "misroute_header", "misroute vector", 1, "100"},
      {3, "misroute_header", "misroute vector", 6, "011"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_network n;
    char text[64];
    struct ut_scenario *s =
        test_scenario("topology: {kind: fat_tree, k: %u, n: 2}\nswitch: {vcs: 3}\nrouting: {algorithm: %s}\n"
                      "traffic: {load_flits_per_cycle: 0.1}\n",
                      cases[i].k, cases[i].algorithm);
    test_network(&n, s);
    assert_string_equal(ut_rt_words(n.shape).title, cases[i].title);
    assert_string_equal(ut_rt_text(n.shape, cases[i].rt, text, sizeof text), cases[i].text);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* Misrouted hops of DETOUR, dimension 1 first. */
static void misrouted_hops(void **state) {
  (void)state;
  static const struct {
    const char *topology;
    uint32_t rt;
    const char *text;
  } cases[] = {
      {"kind: mesh, sizes: [4, 3, 3]", 0, "00"},
      {"kind: mesh, sizes: [4, 3, 3]", 1 << 2 | 2 << 4, "12"},
      {"kind: hypercube, n: 4", 3 << 6 | 1, "003, detour"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_network n;
    char text[64];
    struct ut_scenario *s = test_scenario("topology: {%s}\nswitch: {vcs: 2, switching: wormhole, misroute_hops: 3}\n"
                                          "routing: {algorithm: detour}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                                          cases[i].topology);
    test_network(&n, s);
    assert_string_equal(ut_rt_words(n.shape).title, "misrouted hops");
    assert_string_equal(ut_rt_text(n.shape, cases[i].rt, text, sizeof text), cases[i].text);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_rt),
      cmocka_unit_test(misrouted_hops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
