/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_families.c - networks that are generated as graphs: their numbers are those of their papers, and those
 * that are other families by another name are isomorphic to these. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <igraph/igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "distance.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

static struct ut_scenario *scenario_of(const char *topology) {
  struct ut_error e;
  char text[512];
  const char *algorithm = strstr(topology, "hypercube") ? "ecube" : strstr(topology, "m_port_tree") ? "fta" : "table";
  snprintf(text, sizeof text, "topology: {%s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
           topology, algorithm);
  struct ut_scenario *scenario = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  if (!scenario)
    fail_msg("%s: %s", topology, e.text);
  return scenario;
}

/* Switches, cables between them, diameter; hops between two switches, summed over all ordered pairs. */
static void numbers(const char *topology, unsigned switches, unsigned cables, unsigned diameter, unsigned hops) {
  struct ut_scenario *scenario = scenario_of(topology);
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  unsigned farthest = 0, sum = 0;
  for (uint32_t from = 0; from < topo->switches; from++) {
    assert_true(ut_distances(topo, NULL, from, distance));
    for (uint32_t to = 0; to < topo->switches; to++) {
      farthest = distance[to] > farthest ? distance[to] : farthest;
      sum += distance[to];
    }
  }
  if (topo->switches != switches || topo->links != cables || farthest != diameter || sum != hops)
    fail_msg("%s: %u switches, %zu cables, diameter %u, %u hops; expected %u, %u, %u, %u", topology,
             (unsigned)topo->switches, topo->links, farthest, sum, switches, cables, diameter, hops);
  free(distance);
  ut_scenario_free(scenario);
}

static void known_numbers(void **state) {
  (void)state;
  /* dragonfly: each router has 3 neighbours in its group and 2 in others, at distance 2 the 3 beside each of these and
   * the 2 behind each of those; one of the other 18 is behind two global links, at distance 2, too */
  numbers("kind: dragonfly, routers: 4, local_ports: 2, global_links: 2", 36, 90, 3, 36 * (5 + 2 * 13 + 3 * 17));
  numbers("kind: dragonfly, groups: 2, routers: 2, local_ports: 1, global_links: 1", 4, 2 + 2, 2, 4 * (2 + 2));
  /* HyperX: hops are the coordinates that differ */
  numbers("kind: hyperx, sizes: [4, 3]", 12, 4 * 3 + 3 * 6, 2, 12 * (3 + 2 + 2 * 6));
  numbers("kind: hyperx, sizes: [5]", 5, 10, 1, 20);
  numbers("kind: hyperx, sizes: [3, 2], cables: [2, 1]", 6, 2 * 6 + 3, 2, 6 * (2 + 1 + 2 * 2));
  /* Slim Fly: of diameter 2, so the sum follows from the degree (3q - delta) / 2 */
  static const int q[][2] = {{3, -1}, {4, 0}, {5, 1}, {7, -1}, {8, 0}, {9, 1}, {11, -1}, {13, 1}};
  for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
    char topology[64];
    const unsigned switches = (unsigned)(2 * q[i][0] * q[i][0]), degree = (unsigned)(3 * q[i][0] - q[i][1]) / 2;
    snprintf(topology, sizeof topology, "kind: slim_fly, q: %d", q[i][0]);
    numbers(topology, switches, switches * degree / 2, 2, switches * (degree + 2 * (switches - 1 - degree)));
  }
  /* XGFT of two levels: leaves are 2 apart by way of a top switch, tops 2 by way of a leaf */
  numbers("kind: xgft, down: [2, 3], up: [1, 2]", 5, 6, 2, 2 * 6 + 2 * (3 * 2 + 2 * 1));
  numbers("kind: xgft, down: [2, 3], up: [1, 2], cables: [1, 2]", 5, 12, 2, 2 * 6 + 2 * (3 * 2 + 2 * 1));
}

/* The switches and terminals of a network as a graph of igraph, terminals in another colour. */
static void to_igraph(const struct ut_topology *topo, igraph_t *graph, igraph_vector_int_t *colour) {
  igraph_vector_int_t edges;
  igraph_vector_int_init(&edges, 0);
  igraph_vector_int_init(colour, topo->switches + topo->terminals);
  for (size_t i = 0; i < topo->links; i++) {
    igraph_vector_int_push_back(&edges, topo->link[i].lower);
    igraph_vector_int_push_back(&edges, topo->link[i].upper);
  }
  for (uint32_t i = 0; i < topo->terminals; i++) {
    igraph_vector_int_push_back(&edges, ut_topology_attachment(topo, i).sw);
    igraph_vector_int_push_back(&edges, topo->switches + i);
    VECTOR(*colour)[topo->switches + i] = 1;
  }
  igraph_create(graph, &edges, topo->switches + topo->terminals, IGRAPH_UNDIRECTED);
  igraph_vector_int_destroy(&edges);
}

static void same_network(const char *one, const char *other) {
  const char *name[] = {one, other};
  struct ut_scenario *scenario[2];
  igraph_t graph[2];
  igraph_vector_int_t colour[2];
  igraph_bool_t same = false;
  for (unsigned i = 0; i < 2; i++) {
    scenario[i] = scenario_of(name[i]);
    to_igraph(ut_scenario_topology(scenario[i]), &graph[i], &colour[i]);
  }
  igraph_isomorphic_bliss(&graph[0], &graph[1], &colour[0], &colour[1], &same, NULL, NULL, IGRAPH_BLISS_FL, NULL, NULL);
  if (!same)
    fail_msg("%s and %s are not isomorphic", one, other);
  for (unsigned i = 0; i < 2; i++) {
    igraph_destroy(&graph[i]);
    igraph_vector_int_destroy(&colour[i]);
    ut_scenario_free(scenario[i]);
  }
}

static void other_names(void **state) {
  (void)state;
  same_network("kind: xgft, down: [2, 2, 2], up: [1, 2, 2]", "kind: fat_tree, k: 2, n: 3");
  same_network("kind: xgft, down: [4, 4], up: [1, 4]", "kind: fat_tree, k: 4, n: 2");
  same_network("kind: xgft, down: [3, 3, 6], up: [1, 3, 3]", "kind: m_port_tree, k: 3, n: 3");
  same_network("kind: dragonfly, groups: 1, routers: 5, global_links: 0", "kind: hyperx, sizes: [5]");
  same_network("kind: hyperx, sizes: [2, 2, 2, 2]", "kind: hypercube, n: 4");
}

/* ---- what does not fit */

static char path[] = "/tmp/uturn-families-XXXXXX";

/* A chain of routers, router i with first + i * step ports: nodes fill what the chain leaves. */
static void write_chain(unsigned routers, unsigned first, unsigned step) {
  FILE *f = fopen(path, "w");
  unsigned node = 0;
  assert_non_null(f);
  for (unsigned i = 0; i < routers; i++) {
    const unsigned used = (i > 0) + (i + 1 < routers);
    fprintf(f, "router %u", i);
    if (i + 1 < routers)
      fprintf(f, " router %u", i + 1);
    for (unsigned port = used; port < first + i * step; port++)
      fprintf(f, " node %u", node++);
    fputc('\n', f);
  }
  assert_int_equal(fclose(f), 0);
}

static struct ut_scenario *read_chain(const char *keys, struct ut_error *e) {
  char text[512];
  snprintf(text, sizeof text,
           "topology: {kind: graph, file: %s%s}\nrouting: {algorithm: table}\ntraffic: {load_flits_per_cycle: 0.1}\n",
           path, keys);
  return ut_scenario_parse(text, strlen(text), "test.yaml", e);
}

static void refuses(const char *keys, const char *message) {
  struct ut_error e = {0};
  char expected[256];
  snprintf(expected, sizeof expected, "%s%s", path, message);
  struct ut_scenario *scenario = read_chain(keys, &e);
  if (scenario || e.code != UT_BAD_INPUT || strncmp(e.text, expected, strlen(expected)))
    fail_msg("status %d: %s\nexpected: %s", (int)e.code, scenario ? "is read" : e.text, expected);
}

static void limits(void **state) {
  (void)state;
  struct ut_error e = {0};
  write_chain(16, 3, 1); /* as many kinds of switches as there may be */
  struct ut_scenario *scenario = read_chain("", &e);
  if (!scenario)
    fail_msg("%s", e.text);
  assert_int_equal(ut_scenario_topology(scenario)->elaborations, 16);
  ut_scenario_free(scenario);
  write_chain(17, 3, 1);
  refuses("", ": switches with more than 16 different numbers of ports");
  write_chain(2, 64, 0);
  scenario = read_chain("", &e);
  if (!scenario)
    fail_msg("%s", e.text);
  assert_int_equal(ut_scenario_topology(scenario)->po, 64);
  ut_scenario_free(scenario);
  write_chain(2, 64, 1);
  refuses("", ":2: 'router1' has 65 ports, a switch has at most 64");
  write_chain(2, 3, 0);
  refuses(", link_cycles: 2",
          ":1: a channel of 1 cycles, 'link_cycles' is 2, the least; give 'link_cycles: 1' in 'topology'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_numbers),
      cmocka_unit_test(other_names),
      cmocka_unit_test(limits),
  };
  const int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
