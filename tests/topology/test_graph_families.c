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
#include "families.h"
#include "graph.h"
#include "graph_read.h"
#include "graph_topology.h"
#include "graph_write.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

static struct ut_scenario *scenario_of(const char *topology) {
  struct ut_error e;
  char text[512];
  static const char *const algorithms[][2] = {{"hypercube", "ecube"}, {"m_port_tree", "fta"}, {"torus", "dor"},
                                              {"mesh", "dor"},        {"ruft", "ruft"},       {"", "table"}};
  const char *algorithm = NULL;
  for (size_t i = 0; !algorithm; i++)
    algorithm = strstr(topology, algorithms[i][0]) ? algorithms[i][1] : NULL;
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

/* In the absolute arrangement group g's link to group h leaves the router that has global link number h, g not counted;
 * links between groups, and no others, take global_cycles. */
static void absolute_dragonfly(void **state) {
  enum { GROUPS = 9, ROUTERS = 4, GLOBAL = 2, GLOBAL_CYCLES = 101, LINK_CYCLES = 11 };
  struct ut_scenario *scenario = scenario_of("kind: dragonfly, routers: 4, local_ports: 2, global_links: 2, "
                                             "global_arrangement: absolute, global_cycles: 101, link_cycles: 11");
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  unsigned between = 0;
  (void)state;
  for (size_t i = 0; i < topo->links; i++) {
    const struct ut_link *link = &topo->link[i];
    const unsigned group = link->lower / ROUTERS, other = link->upper / ROUTERS;
    const unsigned extra = topo->extra_cycles[link->lower * topo->po + link->lower_port];
    if (extra != (group == other ? 0 : GLOBAL_CYCLES - LINK_CYCLES))
      fail_msg("link of switches %u and %u: %u cycles longer than the others of a group", (unsigned)link->lower,
               (unsigned)link->upper, extra);
    if (group == other)
      continue;
    between++;
    if (link->lower % ROUTERS != (other - 1) / GLOBAL || link->upper % ROUTERS != group / GLOBAL)
      fail_msg("groups %u and %u are joined by routers %u and %u, expected %u and %u", group, other,
               (unsigned)link->lower % ROUTERS, (unsigned)link->upper % ROUTERS, (other - 1) / GLOBAL, group / GLOBAL);
  }
  assert_int_equal(between, GROUPS * (GROUPS - 1) / 2);
  ut_scenario_free(scenario);
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

/* ---- names of others */

/* What is to be written for a name of others is said, and is a network. */
static void kinds_of_others(void **state) {
  static const char *const kinds[][2] = {
#define OTHER_KIND(name, keys) {name, keys},
      UT_FOR_EACH_OTHER_KIND(OTHER_KIND)
#undef OTHER_KIND
          {"Flattened_Butterfly", "kind: hyperx, sizes: [4, 4], local_ports: 4"},
      {"dragonfyl", "did you mean 'dragonfly'?"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct ut_error e = {0};
    char text[256];
    snprintf(text, sizeof text, "topology: {kind: %s}\nrouting: {algorithm: dor}\n", kinds[i][0]);
    if (ut_scenario_parse(text, strlen(text), "test.yaml", &e) || !strstr(e.text, kinds[i][1]))
      fail_msg("%s: %s\nexpected: %s", kinds[i][0], e.text, kinds[i][1]);
    if (!strstr(kinds[i][1], "file:") && strstr(kinds[i][1], "kind:"))
      ut_scenario_free(scenario_of(kinds[i][1]));
  }
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

/* ---- written and read again */

enum { LINE = 160 };

static int by_text(const void *a, const void *b) {
  return strcmp(a, b);
}

/* A line for each node and each channel, sorted; names and ports, or only numbers.  Terminals count from 0. */
static char (*lines_of(const struct ut_graph *graph, bool names, bool cycles, size_t *count))[LINE] {
  char(*line)[LINE] = calloc(graph->nodes + graph->channels, LINE), end[2][72];
  uint32_t *number = malloc(graph->nodes * sizeof *number), seen[2] = {0};
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    number[i] = seen[node->terminal]++;
    snprintf(line[i], LINE, "%s %u %s %u", node->terminal ? "terminal" : "switch", number[i], names ? node->name : "",
             names && !node->terminal ? node->ports : 0);
  }
  for (uint32_t i = 0; i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    const uint32_t node[] = {channel->from, channel->to};
    const unsigned port[] = {channel->from_port, channel->to_port};
    for (unsigned e = 0; e < 2; e++)
      if (names)
        snprintf(end[e], sizeof end[e], "%s port %u", graph->node[node[e]].name, port[e]);
      else
        snprintf(end[e], sizeof end[e], "%c%u", graph->node[node[e]].terminal ? 't' : 's', number[node[e]]);
    snprintf(line[graph->nodes + i], LINE, "%s to %s, %u cycles", end[0], end[1],
             cycles && channel->cycles > 1 ? channel->cycles : 1);
  }
  free(number);
  *count = graph->nodes + graph->channels;
  qsort(line, *count, LINE, by_text);
  return line;
}

static void same_lines(const char *topology, const struct ut_graph *written, const struct ut_graph *read,
                       enum ut_graph_form form) {
  size_t count[2];
  const bool names = form != UT_GRAPH_ANYNET, cycles = form != UT_GRAPH_NODE_LIST;
  char(*before)[LINE] = lines_of(written, names, cycles, &count[0]),
  (*after)[LINE] = lines_of(read, names, cycles, &count[1]);
  if (count[0] != count[1])
    fail_msg("%s, form %d: %zu nodes and channels, read again %zu", topology, (int)form, count[0], count[1]);
  for (size_t i = 0; i < count[0]; i++)
    if (strcmp(before[i], after[i]))
      fail_msg("%s, form %d: '%s', read again '%s'", topology, (int)form, before[i], after[i]);
  free(before);
  free(after);
}

/* Writes the network in a form and reads it.  cannot: the beginning of why the form cannot hold it; NULL: it can. */
static void write_and_read(const char *topology, const struct ut_graph *graph, enum ut_graph_form form,
                           const char *cannot) {
  struct ut_error e = {0};
  const int refused = ut_graph_check_form(graph, form, &e);
  if (cannot ? !refused || strncmp(e.text, cannot, strlen(cannot)) : refused)
    fail_msg("%s, form %d: %s, expected %s", topology, (int)form, refused ? e.text : "is written", cannot);
  if (cannot)
    return;
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(ut_graph_write(graph, form, f, &e), 0);
  assert_int_equal(fclose(f), 0);
  struct ut_graph *read = ut_graph_read(path, 0, &e);
  if (!read)
    fail_msg("%s, form %d: %s", topology, (int)form, e.text);
  same_lines(topology, graph, read, form);
  ut_graph_free(read);
}

static struct ut_graph *graph_of(const struct ut_scenario *scenario) {
  struct ut_error e = {0};
  struct ut_graph *graph = ut_topology_graph(scenario, ut_scenario_topology(scenario), &e);
  if (!graph)
    fail_msg("%s", e.text);
  return graph;
}

/* Nodes in their order, ports, names and latencies stay, as far as the form can hold them. */
static void written_and_read(void **state) {
  static const char *const one_way[UT_GRAPH_FORMS] = {"a node list cannot hold links of one direction",
                                                      "anynet cannot hold links of one direction", NULL};
  static const struct {
    const char *topology;
    bool one_way;
  } cases[] = {{"kind: fat_tree, k: 2, n: 3", false},
               {"kind: m_port_tree, k: 3, n: 2", false},
               {"kind: mesh, sizes: [3, 2], local_ports: 2", false}, /* ports at the edges have no link */
               {"kind: torus, sizes: [2, 4]", false},                /* two cables between the same two */
               {"kind: hypercube, n: 3, link_cycles: 3, injection_cycles: 2, ejection_cycles: 2", false},
               {"kind: xgft, down: [2, 3], up: [1, 2], cables: [1, 2]", false},
               {"kind: dragonfly, routers: 4, local_ports: 2, global_links: 2", false},
               {"kind: hyperx, sizes: [3, 2], cables: [2, 1]", false},
               {"kind: slim_fly, q: 4, link_cycles: 2", false},
               {"kind: ruft, k: 2, n: 3", true}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_scenario *scenario = scenario_of(cases[i].topology);
    struct ut_graph *graph = graph_of(scenario);
    for (enum ut_graph_form form = 0; form < UT_GRAPH_FORMS; form++)
      write_and_read(cases[i].topology, graph, form, cases[i].one_way ? one_way[form] : NULL);
    ut_graph_free(graph);
    ut_scenario_free(scenario);
  }
}

/* A terminal of a file has one link. */
static void several_links(void **state) {
  struct ut_error e = {0};
  struct ut_scenario *scenario = scenario_of("kind: ruft_pl, k: 2, n: 2");
  (void)state;
  assert_null(ut_topology_graph(scenario, ut_scenario_topology(scenario), &e));
  if (e.code != UT_BAD_INPUT || strncmp(e.text, "terminals with 2 links in and 2 out", 35))
    fail_msg("status %d: %s", (int)e.code, e.text);
  ut_scenario_free(scenario);
}

/* Names that the forms write in another way, or cannot hold; LIDs and GUIDs of a node list. */
static void written_names(void **state) {
  static const char nodes[] = "Switch 8 \"S-00ff\" # \"a <b> & 'lid 7'\" base port 0 lid 9 lmc 0\n"
                              "[3] \"H-01\"[1](2a) # \"lid 4\"\n[4] \"H-02\"[1]\n"
                              "Ca 2 \"H-01\" # \"h\xc3\xa9\"\n[1](2a) \"S-00ff\"[3] # lid 5 lmc 0\n"
                              "Ca 1 \"H-02\" # \"\xff\"\n";
  struct ut_error e = {0};
  (void)state;
  FILE *f = fopen(path, "w");
  fputs(nodes, f);
  assert_int_equal(fclose(f), 0);
  struct ut_graph *graph = ut_graph_read(path, 0, &e);
  if (!graph)
    fail_msg("%s", e.text);
  write_and_read("names", graph, UT_GRAPH_NODE_LIST, NULL);
  write_and_read("names", graph, UT_GRAPH_GRAPHML, "GraphML cannot hold the name");
  strcpy(graph->node[ut_graph_find(graph, "\xff")].name, "<");
  write_and_read("names", graph, UT_GRAPH_GRAPHML, NULL);
  strcpy(graph->node[ut_graph_find(graph, "H-02")].name, "\"");
  write_and_read("names", graph, UT_GRAPH_NODE_LIST, "a node list cannot hold the name '\"'");
  f = fopen(path, "w");
  strcpy(graph->node[ut_graph_find(graph, "H-02")].name, "x");
  assert_int_equal(ut_graph_write(graph, UT_GRAPH_NODE_LIST, f, &e), 0);
  assert_int_equal(fclose(f), 0);
  struct ut_graph *read = ut_graph_read(path, 0, &e);
  assert_non_null(read);
  const struct ut_graph_node *sw = &read->node[ut_graph_find(read, "S-00ff")],
                             *host = &read->node[ut_graph_find(read, "H-01")];
  if (sw->lid != 9 || sw->guid != 0xff || host->lid != 5 || host->guid != 0x2a)
    fail_msg("LID %u and GUID %llx, of the host %u and %llx; expected 9, ff, 5 and 2a", sw->lid,
             (unsigned long long)sw->guid, host->lid, (unsigned long long)host->guid);
  ut_graph_free(read);
  ut_graph_free(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_numbers), cmocka_unit_test(absolute_dragonfly),
      cmocka_unit_test(other_names),   cmocka_unit_test(kinds_of_others),
      cmocka_unit_test(limits),        cmocka_unit_test(written_and_read),
      cmocka_unit_test(several_links), cmocka_unit_test(written_names),
  };
  const int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
