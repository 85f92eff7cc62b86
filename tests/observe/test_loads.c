/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the loads of links in a window of a run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "loads.h"
#include "network.h"
#include "scenario_read.h"
#include "scenarios.h"

/* A run that ends before its measurement window has no loads, and one that ends in it those of what it has seen. */
static void loads_of_a_short_run(void **state) {
  (void)state;
  for (unsigned cycles = 50; cycles <= 200; cycles += 50) {
    struct ut_network n;
    struct ut_loads w = {0};
    uint64_t flits = 0;
    double sum = 0;
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                          "traffic: {load_flits_per_cycle: 0.5}\n"
                                          "run: {warmup_cycles: 100, measure_cycles: 500}\n");
    test_network(&n, s);
    ut_loads_window(&w, &n, NULL);
    assert_true(w.from == 100 && w.until == 600);
    for (unsigned i = 0; i < cycles; i++) {
      if (n.cycle == w.from || cycles == 50)
        assert_true(n.link_flits || ut_network_count_links(&n));
      ut_network_step(&n);
    }
    assert_true(ut_loads_take(&w, &n));
    assert_int_equal(w.until, cycles);
    assert_int_equal(w.from, cycles < 100 ? cycles : 100);
    for (size_t i = 0; i < (size_t)n.topology->switches * n.topology->po; i++) {
      flits += n.link_flits ? n.link_flits[i] : 0;
      sum += w.load[i];
    }
    if (cycles <= 100)
      assert_true(sum == 0);
    else
      assert_true(flits > 0 && fabs(sum * (cycles - 100) - (double)flits) < 1e-6);
    free(w.load);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* At a cycle of the measurement window, its first one as well, the window is meant; before it, what was before. */
static void windows_at_a_cycle(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0.5}\n"
                                        "run: {warmup_cycles: 100, measure_cycles: 500}\n");
  test_network(&n, s);
  for (uint64_t at = 99; at <= 101; at++) {
    struct ut_loads w = {0};
    ut_loads_window(&w, &n, &at);
    assert_int_equal(w.from, at < 100 ? 0 : 100);
    assert_int_equal(w.until, at < 100 ? 100 : 600);
  }
  struct ut_loads w = {.from = 0, .until = 5}; /* nobody has counted */
  for (unsigned i = 0; i < 20; i++)
    ut_network_step(&n);
  assert_true(!n.link_flits && ut_loads_take(&w, &n));
  assert_true(w.from == 0 && w.until == 5);
  for (size_t i = 0; i < (size_t)n.topology->switches * n.topology->po; i++)
    assert_true(w.load[i] == 0);
  free(w.load);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Around a cycle with faults, those in which none fails or is repaired. */
static void windows_between_faults(void **state) {
  (void)state;
  static const uint64_t edges[] = {0, 20, 100, 150, 300, 600}; /* a fault, the window, a fault, its repair, the end */
  struct ut_network n;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0.5}\n"
                                        "faults: [{at: 20, random_links: 1}, {at: 150, until: 300, random_links: 1}]\n"
                                        "run: {warmup_cycles: 100, measure_cycles: 500}\n");
  test_network(&n, s);
  for (uint64_t at = 0; at < 600; at++) {
    struct ut_loads w = {0};
    unsigned i = 0;
    while (edges[i + 1] <= at)
      i++;
    ut_loads_window(&w, &n, &at);
    if (w.from != edges[i] || w.until != edges[i + 1])
      fail_msg("around %u: %u..%u, expected %u..%u", (unsigned)at, (unsigned)w.from, (unsigned)w.until,
               (unsigned)edges[i], (unsigned)edges[i + 1]);
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* The busiest of what is left and carries anything, again and again; of equal ones the first. */
static void busiest_first(const struct ut_loads *w, const struct ut_topology *t) {
  const size_t ports = (size_t)t->switches * t->po;
  size_t busy = 0;
  for (size_t i = 0; i < ports; i++)
    busy += t->peer[i].kind == UT_PEER_SWITCH && w->load[i] > 0;
  for (unsigned most = 1; most < busy + 3; most++) {
    size_t *port = calloc(ports, sizeof *port);
    bool *taken = calloc(ports, sizeof *taken);
    assert_true(port && taken);
    const unsigned count = ut_loads_busiest(w, t, port, most);
    assert_int_equal(count, most < busy ? most : busy);
    for (unsigned i = 0; i < count; i++) {
      size_t best = ports;
      for (size_t j = 0; j < ports; j++)
        if (t->peer[j].kind == UT_PEER_SWITCH && !taken[j] && (best == ports || w->load[j] > w->load[best]))
          best = j;
      assert_int_equal(port[i], best);
      taken[best] = true;
    }
    free(port), free(taken);
  }
}

/* Of the switches of a level and some of their ports: what the links there carry; none carry nothing. */
static void summaries_of(const char *topology, const char *algorithm) {
  struct ut_network n;
  struct ut_scenario *s = test_scenario("topology: {%s}\nrouting: {algorithm: %s}\n"
                                        "traffic: {load_flits_per_cycle: 0.5}\n",
                                        topology, algorithm);
  test_network(&n, s);
  const struct ut_topology *t = n.topology;
  struct ut_loads w = {.load = calloc((size_t)t->switches * t->po, sizeof *w.load)}, none = {0};
  assert_non_null(w.load);
  for (size_t i = 0; i < (size_t)t->switches * t->po; i++)
    w.load[i] = (double)((i * 7 + 5) % 11) / 16; /* sums are exact */
  for (unsigned level = 0; level < t->levels + 1; level++)
    for (uint64_t ports = 0; ports < 16; ports++) {
      unsigned switches = 0, links = 0;
      double sum = 0, most = 0;
      for (uint32_t sw = 0; sw < t->switches; sw++) {
        switches += t->level[sw] == level;
        for (unsigned port = 0; port < t->po && t->level[sw] == level; port++)
          if (ports >> port & 1 && t->peer[sw * t->po + port].kind != UT_PEER_NONE) {
            const double load = w.load[sw * t->po + port];
            links++;
            sum += load;
            most = load > most ? load : most;
          }
      }
      const struct ut_load_summary a = ut_loads_summarize(&w, t, level, UT_LOADS_ALL, ports),
                                   b = ut_loads_summarize(&none, t, level, UT_LOADS_ALL, ports);
      assert_true(a.switches == switches && a.links == links && a.most == most);
      assert_true(b.switches == switches && b.links == links && b.most == 0 && b.mean == 0);
      assert_true(a.mean == (links ? sum / links : 0));
    }
  busiest_first(&w, t);
  free(w.load);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void summaries(void **state) {
  (void)state;
  summaries_of("kind: fat_tree, k: 2, n: 3", "fta");
  summaries_of("kind: torus, sizes: [4]", "dor");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_of_a_short_run),
      cmocka_unit_test(windows_at_a_cycle),
      cmocka_unit_test(windows_between_faults),
      cmocka_unit_test(summaries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
