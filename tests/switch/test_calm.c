/* test_quiet.c - the short way of csim/switch/quiet.h against the blocks: two networks of one scenario, one of which
 * never takes it, hold the same registers in every cycle. */
#include "network.h"
#include "scenario.h"
#include "scenarios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint64_t quiet, stepped; /* switch-cycles */

static void same(const struct ut_network *a, const struct ut_network *b) {
  const struct ut_group *g = a->group;
  for (uint32_t i = 0; i < a->topology.switches; i++) {
    struct ut_switch *x = ut_switch_of(g, i), copy = *ut_network_switch(b, i);
    /* not registers */
    copy.busy = x->busy;
    copy.quiet = x->quiet;
    copy.shared = x->shared;
    copy.in_fell = x->in_fell;
    /* nor what stands before the ports */
    const size_t upper = ut_transfers_begin(g->traits), lower = ut_ports_begin(g->traits);
    const unsigned char *y = (const unsigned char *)ut_network_switch(b, i);
    if (memcmp(x, &copy, sizeof copy) || memcmp(x + 1, y + sizeof *x, upper - sizeof *x) ||
        memcmp((unsigned char *)x + lower, y + lower, g->stride - lower)) {
      char name[UT_SWITCH_NAME_SIZE];
      fail_msg("cycle %llu: switch %s differs", (unsigned long long)a->cycle,
               ut_topology_switch_name(&a->topology, i, name));
    }
  }
}

static void compare(const char *text) {
  struct ut_network a, b;
  struct ut_scenario *s = test_scenario("%s", text);
  test_network(&a, s);
  test_network(&b, s);
  b.group->quiet_steps = NULL;
  assert_non_null(a.group->quiet_steps);
  while (!ut_network_done(&a)) {
    for (uint32_t i = 0; i < a.topology.switches; i++)
      quiet += ut_network_switch(&a, i)->quiet;
    stepped += a.topology.switches;
    ut_network_step(&a);
    ut_network_step(&b);
    same(&a, &b);
    assert_int_equal(a.flit_hops, b.flit_hops);
  }
  assert_int_equal(ut_network_u_turns(&a), ut_network_u_turns(&b));
  assert_int_equal(a.terminals.latency.sum, b.terminals.latency.sum);
  if (!a.terminals.latency.count)
    fail_msg("no packet in %s", text);
  ut_network_fini(&a);
  ut_network_fini(&b);
  ut_scenario_free(s);
}

/* One to four words of eight ports, radices that are and are not powers of two, buffers of any depth. */
static void equal_over_shapes_and_loads(void **state) {
  (void)state;
  const struct {
    unsigned k, n, depth, packet;
  } shape[] = {{2, 4, 4, 2}, {3, 3, 5, 2}, {4, 2, 7, 3}, {5, 2, 4, 4}, {8, 2, 16, 1}, {12, 2, 4, 2}, {16, 1, 100, 2}};
  const char *algorithm[] = {"fta", "destro", "reroute_adaptive_link", "table"};
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
    for (unsigned j = 0; j < 6; j++) {
      char text[768];
      snprintf(text, sizeof text,
               "topology: {kind: fat_tree, k: %u, n: %u}\n"
               "switch: {depth_flits: %u, packet_flits: %u, route_cycles: %u}\n"
               "routing: {algorithm: %s}\n"
               "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n"
               "run: {measure_cycles: 600, seed: %u}\n",
               shape[i].k, shape[i].n, shape[i].depth, shape[i].packet, j % 2, algorithm[(i + j) % 4],
               j < 2   ? "0.05"
               : j < 4 ? "0.3"
                       : "0.9",
               10 * i + j);
      compare(text);
    }
  assert_true(quiet * 10 > stepped * 9); /* the short way is the usual one */
}

/* Through faults of links and switches, repairs, U-turns and discards: the way is left and taken again. */
static void equal_through_faults(void **state) {
  (void)state;
  const char *algorithm[] = {"fta", "reroute_adaptive_link, reroute_clear: timer, reroute_timeout_cycles: 40",
                             "reroute_adaptive_link", "table, manager_switch_cycles: 5"};
  quiet = stepped = 0;
  for (unsigned i = 0; i < 12; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "topology: {kind: fat_tree, k: %u, n: 3, link_cycles: %u}\n"
             "routing: {algorithm: %s}\n"
             "traffic: {pattern: uniform, load_flits_per_cycle: 0.25}\n"
             "faults:\n"
             "  - {at: 200, link: {level: 0, switch: 1, port: %u}, until: 700}\n"
             "  - {at: 400, random_links: 2, until: 900}\n"
             "  - {at: 500, switch: {level: 2, switch: 0}, until: 800}\n"
             "  - {at: 1000, random_links: 1}\n"
             "run: {measure_cycles: 2000, drain: false, seed: %u}\n",
             2 + i % 3, 1 + i % 2, algorithm[i / 3], 2 + i % 3, i);
    compare(text);
  }
  assert_true(quiet * 2 > stepped && quiet < stepped);
}

/* Several VCs: sets of them in words of 8, 16 and 32 bits a VC, both crossbars, the bubble rule, preferred classes. */
static void equal_with_several_vcs(void **state) {
  (void)state;
  const struct {
    const char *topology;
    unsigned vcs, depth, packet, route_cycles;
    const char *crossbar, *algorithm;
  } shape[] = {
      {"kind: torus, k: 3, n: 3", 4, 32, 16, 1, "vc", "duato"},
      {"kind: torus, k: 4, n: 2", 2, 4, 2, 0, "port", "duato"},
      {"kind: torus, k: 3, n: 4", 4, 8, 4, 0, "vc", "duato"},
      {"kind: torus, sizes: [4, 2], local_ports: 4", 8, 6, 3, 1, "port", "duato"},
      {"kind: torus, sizes: [5], local_ports: 16", 2, 4, 1, 1, "vc", "direction_order"},
      {"kind: torus, sizes: [6, 3]", 3, 200, 20, 0, "vc", "dor"},
      {"kind: mesh, sizes: [4, 3]", 5, 5, 5, 1, "port", "direction_order"},
      {"kind: mesh, sizes: [3, 4, 2], link_cycles: 3", 4, 8, 4, 0, "vc", "duato"},
      {"kind: mesh, k: 4, n: 2", 2, 8, 3, 1, "vc", "dor"},
      {"kind: mesh, k: 4, n: 2, terminal_links: 4", 3, 8, 3, 1, "port", "duato"},
      {"kind: torus, sizes: [3, 4], local_ports: 2, terminal_links: 2", 2, 8, 3, 0, "vc", "dor"},
  };
  quiet = stepped = 0;
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
    for (unsigned j = 0; j < 6; j++) {
      char text[1024];
      snprintf(text, sizeof text,
               "topology: {%s}\n"
               "switch: {vcs: %u, depth_flits: %u, packet_flits: %u, route_cycles: %u, crossbar: %s}\n"
               "routing: {algorithm: %s}\n"
               "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n"
               "%s"
               "run: {warmup_cycles: 100, measure_cycles: 1700, drain: false, seed: %u}\n",
               shape[i].topology, shape[i].vcs, shape[i].depth, shape[i].packet, shape[i].route_cycles,
               shape[i].crossbar, shape[i].algorithm,
               j % 3 == 0   ? "0.05"
               : j % 3 == 1 ? "0.3"
                            : "1.0",
               j < 3 ? ""
                     : "faults:\n"
                       "  - {at: 200, random_links: 2, until: 600}\n"
                       "  - {at: 300, random_switches: 1, until: 500}\n"
                       "  - {at: 1000, random_links: 1}\n",
               10 * i + j);
      compare(text);
    }
  assert_true(quiet * 4 > stepped * 3 && quiet < stepped);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_over_shapes_and_loads),
      cmocka_unit_test(equal_through_faults),
      cmocka_unit_test(equal_with_several_vcs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
