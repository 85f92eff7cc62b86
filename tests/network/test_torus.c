/* SPDX-License-Identifier: Apache-2.0 */
/* test_torus.c - tori and meshes: terminals with several links, every hop of the routing against plain arithmetic. */
#define _GNU_SOURCE
#include "network.h"
#include "route_unit.h"
#include "scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "grid.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "scenarios.h"
#include "topologies.h"
#include "topology_build.h"

static struct ut_scenario *scenario(const char *topology, const char *sw, const char *algorithm, const char *traffic) {
  return test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {algorithm: %s}\ntraffic: {%s}\n", topology, sw,
                       algorithm, traffic);
}

/* Packets take the links that work; where none does they wait, or are discarded at the last switch. */
static void one_link_is_enough(void **state) {
  (void)state;
  static const char *const faults[] = {
      "faults: [{at: 0, injection: {terminal: 4, link: 0}}, {at: 0, ejection: {terminal: 4, link: 1}}]\n",
      "faults: [{at: 0, injection: {terminal: 4, link: 0}}, {at: 0, injection: {terminal: 4, link: 1}}]\n",
      "faults: [{at: 0, ejection: {terminal: 4, link: 0}}, {at: 0, ejection: {terminal: 4, link: 1}}]\n"};
  for (unsigned i = 0; i < 3; i++) {
    struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [3, 3], terminal_links: 2}\n"
                                          "switch: {vcs: 2, switching: wormhole, packet_flits: {distribution: "
                                          "exponential, mean: 6}}\n"
                                          "routing: {algorithm: duato}\n"
                                          "traffic: {load_flits_per_cycle: 0.2, process: poisson}\n%s"
                                          "run: {warmup_cycles: 0, measure_cycles: 3000}\n",
                                          faults[i]);
    struct ut_network n;
    test_network(&n, s);
    while (!ut_network_done(&n))
      ut_network_step(&n);
    const struct ut_accounts *a = &n.terminals.accounts;
    const uint64_t left = a->generated - a->injected, unreachable = a->discarded[UT_DISCARD_UNREACHABLE];
    assert_int_equal(a->corrupt, 0);
    assert_int_equal(a->injected, a->delivered + ut_accounts_discarded(a));
    assert_int_equal(unreachable, ut_accounts_discarded(a));
    assert_int_equal(left > 0, i == 1);
    assert_int_equal(unreachable > 0, i == 2);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* What the route function must offer, from coordinates alone. */
struct expected {
  ut_mask minimal, in_order, direction_order;
};
static struct expected expect(const struct ut_scenario *s, uint32_t node, uint32_t dst, unsigned local) {
  bool wrap = s->topology.family == &ut_family_torus;
  struct expected x = {0};
  int plus = -1, minus = -1;
  uint32_t from = node, to = dst / local;
  for (unsigned d = 0; d < s->topology.sizes; d++) {
    int size = (int)s->topology.size[d], a = (int)from % size, b = (int)to % size;
    from /= (uint32_t)size, to /= (uint32_t)size;
    int up = b - a, down = a - b; /* hops */
    if (wrap && up < 0)
      up += size;
    if (wrap && down < 0)
      down += size;
    bool go_up = a != b && (wrap ? up <= down : up > 0), go_down = a != b && (wrap ? down <= up : down > 0);
    x.minimal |= (ut_mask)go_up << 2 * d | (ut_mask)go_down << (2 * d + 1);
    if (!x.in_order && (go_up || go_down))
      x.in_order = go_up ? ut_bit(2 * d) : ut_bit(2 * d + 1);
    if (go_up && plus < 0)
      plus = (int)(2 * d);
    if (go_down && minus < 0)
      minus = (int)(2 * d + 1);
  }
  if (plus >= 0 || minus >= 0)
    x.direction_order = ut_bit((unsigned)(plus >= 0 ? plus : minus));
  else
    x.minimal = x.in_order = x.direction_order = ut_mask_all(s->topology.terminal_links)
                                                 << (2 * s->topology.sizes + dst % local * s->topology.terminal_links);
  return x;
}

static void every_hop_is_the_right_one(void **state) {
  (void)state;
  static const char *const topologies[] = {"kind: torus, k: 3, n: 3",
                                           "kind: torus, sizes: [4, 6]",
                                           "kind: torus, sizes: [5, 2, 3], local_ports: 4",
                                           "kind: torus, k: 9, n: 1",
                                           "kind: mesh, k: 4, n: 2",
                                           "kind: mesh, sizes: [3, 2, 2, 4], local_ports: 2",
                                           "kind: torus, sizes: [4, 3], terminal_links: 8",
                                           "kind: mesh, sizes: [5, 4], local_ports: 3, terminal_links: 2"};
  static const char *const algorithms[] = {"dor", "direction_order", "duato"};
  for (unsigned i = 0; i < sizeof topologies / sizeof topologies[0]; i++)
    for (unsigned a = 0; a < 3; a++) {
      struct ut_scenario *s = scenario(topologies[i], "vcs: 3", algorithms[a], "load_flits_per_cycle: 0.1");
      struct ut_network n;
      test_network(&n, s);
      ut_network_step(&n); /* the links are up */
      bool wrap = s->topology.family == &ut_family_torus;
      for (uint32_t node = 0; node < n.topology->switches; node++)
        for (uint32_t dst = 0; dst < n.topology->terminals; dst++)
          for (unsigned port = 0; port < n.topology->pi; port++)
            for (unsigned vc = 0; vc < 3; vc++) {
              struct expected x = expect(s, node, dst, s->topology.local_ports);
              ut_mask one = a == 1 ? x.direction_order : x.in_order, ring = ut_mask_all(2 * s->topology.sizes);
              struct ut_route_result r;
              memset(&r, 0, sizeof r);
              n.group->route(n.group, ut_network_switch(&n, node), ut_header_make((uint16_t)dst, 0, 0, 0), port, vc,
                             &r);
              assert_false(r.discard);
              for (unsigned o = 0; o < 3; o++) {
                bool escape = a < 2 || o == 2;
                ut_mask stays = o == vc && port < 2 * s->topology.sizes ? ut_bit(port ^ 1) : 0;
                assert_int_equal(r.cand[o], escape ? one : x.minimal);
                assert_int_equal(r.bubble[o], escape && wrap ? one & ring & ~stays : 0);
                if (a == 2)
                  assert_int_equal(r.preferred[o], escape ? 0 : x.minimal);
              }
            }
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

/* Datelines, by walking to the wrap link: a packet that will cross it is offered class 0 only; one that comes from it,
 * or in class 1, class 1 only; others both.  `class`: of a VC of dor_dateline, its parity. */
static void classes_change_at_the_wrap_link(void **state) {
  (void)state;
  struct ut_scenario *s = scenario("kind: torus, sizes: [7, 4]", "vcs: 5, switching: wormhole", "dor_dateline",
                                   "load_flits_per_cycle: 0.1");
  struct ut_network n;
  test_network(&n, s);
  ut_network_step(&n);
  for (uint32_t node = 0; node < 28; node++)
    for (uint32_t dst = 0; dst < 28; dst++)
      for (unsigned port = 0; port < 5; port++)
        for (unsigned vc = 0; vc < 5; vc++) {
          const unsigned size = node % 7 == dst % 7 ? 4 : 7, x = size == 7 ? node % 7 : node / 7,
                         to = size == 7 ? dst % 7 : dst / 7;
          const ut_mask one = expect(s, node, dst, 1).in_order;
          const int step = one & 5 ? 1 : -1;
          bool will = false;
          for (int at = (int)x; node != dst && at != (int)to; at = (at + step + (int)size) % (int)size)
            will |= at + step < 0 || at + step == (int)size;
          const bool straight = port < 4 && one == ut_bit(port ^ 1),
                     from_wrap = (int)x == (step > 0 ? 0 : (int)size - 1);
          const bool has = straight && (vc % 2 || from_wrap);
          struct ut_route_result r;
          memset(&r, 0, sizeof r);
          n.group->route(n.group, ut_network_switch(&n, node), ut_header_make((uint16_t)dst, 0, 0, 0), port, vc, &r);
          for (unsigned o = 0; o < 5; o++)
            assert_int_equal(r.cand[o], node == dst ? 16 : (o % 2 ? !will : will || !has) ? one : 0);
        }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Coordinates, directions, distances; the grid of the planner, made by other code, says the same. */
static void names_and_distances(void **state) {
  (void)state;
  const unsigned size[] = {5, 2, 3, 4};
  for (unsigned dimensions = 1; dimensions <= 4; dimensions++)
    for (unsigned wrap = 0; wrap < 2; wrap++) {
      struct ut_topology t;
      struct ut_grid grid;
      struct ut_error e;
      assert_int_equal(test_grid(&t, size, dimensions, 2, wrap, &e), 0);
      assert_int_equal(ut_grid_init(&grid, &t, &e), 0);
      for (uint32_t a = 0; a < t.switches; a++) {
        unsigned x[UT_MAX_DIMENSIONS];
        ut_grid_coordinates(&grid, a, x);
        for (unsigned d = 0; d < dimensions; d++)
          assert_int_equal(ut_topology_coordinate(&t, a, d), x[d]);
        for (uint32_t b = 0; b < t.switches; b++) { /* apart: the farthest dimension, the shorter way around */
          unsigned y[UT_MAX_DIMENSIONS], most = 0, sum = 0;
          ut_grid_coordinates(&grid, b, y);
          for (unsigned d = 0; d < dimensions; d++) {
            const unsigned on = (y[d] + size[d] - x[d]) % size[d], back = (x[d] + size[d] - y[d]) % size[d];
            const unsigned inside = x[d] < y[d] ? y[d] - x[d] : x[d] - y[d],
                           hops = wrap ? (on < back ? on : back) : inside;
            most = hops > most ? hops : most;
            sum += hops;
          }
          assert_int_equal(t.family->apart(&t, a, b), most);
          assert_int_equal(t.family->distance(&t, a, b), sum);
        }
      }
      ut_grid_free(&grid);
      if (dimensions == 4) {
        char tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
        assert_string_equal(ut_topology_switch_tuple(&t, 4 + 5 * (1 + 2 * (0 + 3 * 3)), tuple), "(4,1,0,3)");
        assert_string_equal(ut_topology_direction(&t, 0, way), "+x");
        assert_string_equal(ut_topology_direction(&t, 3, way), "-y");
        assert_string_equal(ut_topology_direction(&t, 7, way), "-t");
        assert_string_equal(ut_topology_direction(&t, 9, way), "local 1");
      }
      ut_topology_free(&t);
    }
}

/* Another k, another number of dimensions: as --vary of `cost` wants them. */
static void other_sizes(void **state) {
  (void)state;
  struct ut_scenario *s = scenario("kind: torus, sizes: [4, 3]", "vcs: 3", "dor", "load_flits_per_cycle: 0.1");
  s->topology.family->resize(s, 5, 0);
  assert_int_equal(s->topology.sizes, 2);
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++)
    assert_int_equal(s->topology.size[i], i < 2 ? 5 : 0);
  s->topology.family->resize(s, 0, 3);
  assert_int_equal(s->topology.sizes, 3);
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++)
    assert_int_equal(s->topology.size[i], i < 3 ? 5 : 0);
  s->topology.family->resize(s, 0, UT_MAX_DIMENSIONS + 1); /* left to the check */
  assert_int_equal(s->topology.sizes, 3);
  for (unsigned n = 1; n <= UT_MAX_DIMENSIONS; n += UT_MAX_DIMENSIONS - 1) { /* the fewest, the most */
    s->topology.family->resize(s, 2, n);
    assert_int_equal(s->topology.sizes, n);
    for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++)
      assert_int_equal(s->topology.size[i], i < n ? 2 : 0);
  }
  ut_scenario_free(s);
  s = scenario("kind: hypercube, n: 4", "vcs: 1", "ecube", "load_flits_per_cycle: 0.1");
  s->topology.family->resize(s, 3, 0);
  assert_int_equal(s->topology.n, 4);
  s->topology.family->resize(s, 0, 5);
  assert_int_equal(s->topology.n, 5);
  struct ut_sizes z;
  s->topology.family->resize(s, 0, 40); /* left to the check, but no shift is too long */
  s->topology.family->sizes(s, &z);
  assert_true(z.switches == UINT64_C(1) << 32);
  ut_scenario_free(s);
  s = scenario("kind: hypercube, n: 3, terminal_links: 2", "vcs: 1", "ecube", "load_flits_per_cycle: 0.1");
  struct ut_topology t;
  struct ut_shape shape;
  struct ut_error e;
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_scenario_shape(s, &t.elaboration[0], &shape, &e), 0);
  assert_true(shape.cube == 3 && shape.links == 2);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

static void names_of_networks(void **state) {
  (void)state;
  static const struct {
    const char *topology, *name;
  } cases[] = {
      {"kind: torus, k: 7, n: 1", "7-node torus"},
      {"kind: mesh, sizes: [12]", "12-node mesh"},
      {"kind: mesh, sizes: [4, 3]", "4x3 mesh"},
      {"kind: torus, k: 2, n: 4", "2x2x2x2 torus"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_scenario *s = scenario(cases[i].topology, "vcs: 3", "dor", "load_flits_per_cycle: 0.1");
    char text[UT_NETWORK_NAME_SIZE];
    assert_string_equal(ut_scenario_network(s, text), cases[i].name);
    ut_scenario_free(s);
  }
}

/* The smallest and the largest that there may be; beyond them there is nothing, and the message says why. */
static void limits(void **state) {
  (void)state;
  static const struct {
    const char *topology, *message; /* NULL: it is possible */
  } cases[] = {
      {"kind: torus, k: 2, n: 1", NULL},
      {"kind: mesh, k: 256, n: 1", NULL},
      {"kind: mesh, k: 256, n: 2", NULL},
      {"kind: mesh, k: 16, n: 4", NULL},
      {"kind: mesh, k: 2, n: 3, local_ports: 26", NULL},
      {"kind: mesh, k: 1, n: 1", "'topology.k' is 1, must be 2..256"},
      {"kind: mesh, k: 257, n: 1", "'topology.k' is 257, must be 2..256"},
      {"kind: mesh, sizes: [256, 257]", "'topology.sizes[1]' is 257, must be 2..256"},
      {"kind: mesh, sizes: [256, 1]", "'topology.sizes[1]' is 1, must be 2..256"},
      {"kind: mesh, k: 2, n: 5", "'topology.n' is 5, must be 1..4"},
      {"kind: mesh, sizes: [256, 256, 2]", "131072 terminals are more than 65536"},
      {"kind: mesh, sizes: [256, 128], local_ports: 3", "98304 terminals are more than 65536"},
      {"kind: mesh, k: 2, n: 3, local_ports: 59", "65 ports, a switch has at most 64"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    struct ut_error e = {0};
    snprintf(text, sizeof text, "topology: {%s}\nrouting: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n",
             cases[i].topology);
    struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
    if (!s != !!cases[i].message || (!s && !strstr(e.text, cases[i].message)))
      fail_msg("%s: %s", cases[i].topology, e.text);
    ut_scenario_free(s);
  }
  struct ut_topology none;
  struct ut_error no_terminals = {0};
  const unsigned four[] = {4, 4};
  assert_int_equal(test_grid(&none, four, 2, 0, false, &no_terminals), -1);
  static const unsigned sizes[][2] = {{4, 1}, {257, 2}, {2, 257}, {256, 256}}; /* without a file */
  for (size_t i = 0; i < 4; i++) {
    struct ut_topology t;
    struct ut_error e = {0};
    assert_int_equal(test_grid(&t, sizes[i], 2, 1 + (i == 3), false, &e), -1);
    assert_non_null(strstr(e.text, i == 3 ? "131072 terminals are more" : i ? "size 257, must" : "size 1, must"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_distances),
      cmocka_unit_test(every_hop_is_the_right_one),
      cmocka_unit_test(classes_change_at_the_wrap_link),
      cmocka_unit_test(one_link_is_enough),
      cmocka_unit_test(other_sizes),
      cmocka_unit_test(names_of_networks),
      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
