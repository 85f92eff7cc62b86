/* SPDX-License-Identifier: Apache-2.0 */
/* test_fabric_plan.c - tables planned for networks from files, written and read again: every pair is followed through
 * what was read, and channels are taken away that wait for no other until none is left. */
#include <inttypes.h>
#include <math.h>

#include "fabric_plan.h"
#include "fabric_routes.h"
#include "random.h"
#include "scenario.h"
#include "scenarios.h"
#include "switch_tables_write.h"

enum { SWITCHES = 12, NETWORKS = 40, VLS = 4, MOST_PORTS = 64 };

/* ---- networks */

static uint32_t add_node(struct ut_graph *graph, bool terminal, bool lids) {
  struct ut_error e;
  char name[32];
  snprintf(name, sizeof name, "%s %u", terminal ? "host" : "sw", graph->nodes);
  const struct ut_graph_node node = {.name = name,
                                     .terminal = terminal,
                                     .lid = lids ? (uint16_t)(200 - graph->nodes) : 0,
                                     .guid = lids ? 0x100000u + graph->nodes : 0};
  const uint32_t number = ut_graph_add(graph, &node, &e);
  if (number == UT_NO_NODE)
    fail_msg("%s", e.text);
  return number;
}

static void join(struct ut_graph *graph, uint32_t a, uint32_t b) {
  struct ut_error e;
  struct ut_graph_channel channel = {.from = a, .to = b};
  channel.from_port = (uint8_t)graph->node[a].ports;
  channel.to_port = (uint8_t)graph->node[b].ports;
  if (channel.from_port < 16 && channel.to_port < 16 && a != b)
    assert_int_equal(ut_graph_join(graph, &channel, &e), 0);
}

/* A tree, and as many links more, also side by side; some switches have no terminals. */
static struct ut_graph *random_graph(struct ut_random *random, bool lids) {
  struct ut_graph *graph = ut_graph_new("random");
  struct ut_error e;
  const uint32_t switches = 2 + (uint32_t)ut_random_below(random, SWITCHES - 1);
  assert_non_null(graph);
  graph->first_port = lids;
  for (uint32_t i = 0; i < switches; i++)
    add_node(graph, false, lids);
  for (uint32_t i = 1; i < switches; i++)
    join(graph, i, (uint32_t)ut_random_below(random, i));
  for (uint32_t i = 0; i < switches; i++)
    join(graph, (uint32_t)ut_random_below(random, switches), (uint32_t)ut_random_below(random, switches));
  for (uint32_t i = 0; i < switches; i++)
    for (uint64_t left = i < 2 ? 1 : ut_random_below(random, 4); left--;)
      join(graph, add_node(graph, true, lids), i);
  if (ut_graph_check(graph, &e))
    fail_msg("%s", e.text);
  return graph;
}

/* ---- what stands in tables */

struct walk {
  const struct ut_graph *graph;
  const struct ut_switch_tables *tables;
  const struct ut_path_sls *sls;
  uint32_t *link; /* [nodes * MOST_PORTS]: the channel out of a port */
  bool *waits;    /* [(channels * VLS)^2] */
  unsigned *load; /* [channels] */
  unsigned lost, most;
};

static uint32_t number_of(uint32_t channel, unsigned vl) {
  return channel * VLS + vl;
}

/* Follows a pair; channels between switches on the way wait for the next one. */
static void follow(struct walk *walk, uint32_t from, uint32_t to) {
  const struct ut_graph *graph = walk->graph;
  const unsigned vl = walk->sls ? ut_path_sl(walk->sls, walk->sls->number[from], to) : 0;
  uint32_t at = graph->channel[walk->link[from * MOST_PORTS]].to, before = UT_NO_NODE;
  for (unsigned hops = 0; at != to; hops++) {
    const unsigned port = ut_switch_tables_port(walk->tables, at, to);
    if (port == UT_NO_TABLE_PORT || hops > graph->nodes) {
      walk->lost++;
      return;
    }
    const uint32_t channel = walk->link[at * MOST_PORTS + port];
    assert_true(channel != UT_NO_NODE);
    at = graph->channel[channel].to;
    if (at == to)
      return;
    const unsigned load = ++walk->load[channel];
    walk->most = load > walk->most ? load : walk->most;
    if (before != UT_NO_NODE)
      walk->waits[(size_t)number_of(before, vl) * graph->channels * VLS + number_of(channel, vl)] = true;
    before = channel;
  }
}

/* Whether all channels can be taken away, one that waits for none that is left after the other. */
static bool is_free_of_cycles(const struct walk *walk) {
  const uint32_t count = walk->graph->channels * VLS;
  bool *gone = calloc(count, sizeof *gone), more = true;
  uint32_t left = count;
  assert_non_null(gone);
  while (more) {
    more = false;
    for (uint32_t a = 0; a < count; a++) {
      bool waits = gone[a];
      for (uint32_t b = 0; b < count && !waits; b++)
        waits = walk->waits[(size_t)a * count + b] && !gone[b];
      if (waits)
        continue;
      gone[a] = more = true;
      left--;
    }
  }
  free(gone);
  return left == 0;
}

static void start(struct walk *walk, const struct ut_graph *graph, const struct ut_switch_tables *tables,
                  const struct ut_path_sls *sls) {
  *walk = (struct walk){.graph = graph, .tables = tables, .sls = sls};
  walk->link = malloc(graph->nodes * MOST_PORTS * sizeof *walk->link);
  walk->waits = calloc((size_t)graph->channels * VLS, (size_t)graph->channels * VLS);
  walk->load = calloc(graph->channels, sizeof *walk->load);
  assert_true(walk->link && walk->waits && walk->load);
  memset(walk->link, 0xff, graph->nodes * MOST_PORTS * sizeof *walk->link);
  for (uint32_t i = 0; i < graph->channels; i++)
    walk->link[graph->channel[i].from * MOST_PORTS + graph->channel[i].from_port] = i;
  for (uint32_t from = 0; from < graph->nodes; from++)
    for (uint32_t to = 0; to < graph->nodes && graph->node[from].terminal; to++)
      if (from != to && graph->node[to].terminal)
        follow(walk, from, to);
}

static void end(struct walk *walk) {
  free(walk->link);
  free(walk->waits);
  free(walk->load);
}

/* ---- plans */

static void make(struct ut_fabric_plan *plan, struct ut_graph *graph, enum ut_planner planner) {
  const struct ut_planning planning = {.planner = planner};
  struct ut_error e;
  if (ut_fabric_plan_make(plan, graph, &planning, VLS, &e))
    fail_msg("%s", e.text);
}

static struct ut_switch_tables *written_and_read(const struct ut_fabric_plan *plan, const struct ut_graph *graph) {
  char path[] = "/tmp/test_fabric_plan.XXXXXX";
  struct ut_error e;
  FILE *f = fdopen(mkstemp(path), "w");
  assert_non_null(f);
  assert_int_equal(ut_switch_tables_check_form(graph, &e), 0);
  assert_int_equal(ut_switch_tables_write(plan->tables, f, &e), 0);
  fclose(f);
  struct ut_switch_tables *tables = ut_switch_tables_read(path, graph, &e);
  if (!tables)
    fail_msg("%s", e.text);
  unlink(path);
  for (uint32_t sw = 0; sw < graph->nodes; sw++)
    for (uint32_t to = 0; to < graph->nodes && !graph->node[sw].terminal; to++)
      if (sw != to && ut_switch_tables_port(tables, sw, to) != ut_switch_tables_port(plan->tables, sw, to))
        fail_msg("'%s' to '%s': port %u, read again %u", graph->node[sw].name, graph->node[to].name,
                 ut_switch_tables_port(plan->tables, sw, to), ut_switch_tables_port(tables, sw, to));
  return tables;
}

static struct ut_path_sls *sls_written_and_read(const struct ut_fabric_plan *plan, const struct ut_graph *graph) {
  char path[] = "/tmp/test_fabric_plan.XXXXXX";
  struct ut_error e;
  FILE *f = fdopen(mkstemp(path), "w");
  assert_non_null(f);
  ut_path_sls_write(plan->sls, f);
  fclose(f);
  struct ut_path_sls *sls = ut_path_sls_read(path, graph, &e);
  if (!sls || ut_path_sls_complete(sls, false, path, &e))
    fail_msg("%s", e.text);
  unlink(path);
  return sls;
}

/* The prover of fabrics says what the walk has found. */
static void same_as_prover(const struct walk *walk, bool safe) {
  const struct ut_fabric fabric = {.graph = walk->graph, .tables = walk->tables, .sls = walk->sls};
  struct ut_fabric_routes routes;
  struct ut_error e;
  if (ut_fabric_routes_find(&routes, &fabric, &e))
    fail_msg("%s", e.text);
  if (routes.unreachable != walk->lost || routes.load_max != walk->most || !routes.waits.cycles != safe)
    fail_msg("prover: %" PRIu64 " lost, busiest %" PRIu64 ", %" PRIu64 " cycles; walk: %u lost, busiest %u, %s",
             routes.unreachable, routes.load_max, routes.waits.cycles, walk->lost, walk->most,
             safe ? "no cycle" : "cycles");
  ut_fabric_routes_free(&routes);
}

static bool try(struct ut_graph *graph, enum ut_planner planner, bool lids) {
  struct ut_fabric_plan plan;
  struct walk walk;
  make(&plan, graph, planner);
  struct ut_switch_tables *tables = written_and_read(&plan, graph);
  struct ut_path_sls *sls = plan.sls && lids ? sls_written_and_read(&plan, graph) : NULL;
  start(&walk, graph, tables, sls ? sls : plan.sls);
  const bool fits = plan.vls_needed <= VLS, safe = is_free_of_cycles(&walk);
  if (walk.lost)
    fail_msg("planner %u: %u pairs are lost", planner, walk.lost);
  if (planner != UT_PLANNER_MINIMAL && fits && !safe)
    fail_msg("planner %u: a cycle", planner);
  same_as_prover(&walk, safe);
  end(&walk);
  ut_switch_tables_free(tables);
  ut_path_sls_free(sls);
  ut_fabric_plan_free(&plan);
  return safe;
}

static void random_networks(void **state) {
  (void)state;
  struct ut_random random;
  unsigned with_cycle = 0;
  ut_random_init(&random, 44, UT_RANDOM_TEST, 0);
  for (unsigned i = 0; i < NETWORKS; i++) {
    const bool lids = i % 2;
    struct ut_graph *graph = random_graph(&random, lids);
    with_cycle += !try(graph, UT_PLANNER_MINIMAL, lids);
    try(graph, UT_PLANNER_UPDOWN, lids);
    try(graph, UT_PLANNER_LAYERS, lids);
    ut_graph_free(graph);
  }
  assert_true(with_cycle > 0); /* else nothing has been told apart */
}

/* 4-ary 3-tree: no channel carries more than 60 pairs, which is as few as there can be. */
static void tree_is_balanced(void **state) {
  (void)state;
  static const enum ut_planner planner[] = {UT_PLANNER_MINIMAL, UT_PLANNER_UPDOWN};
  struct ut_scenario *s = test_scenario("topology: {kind: xgft, down: [4, 4, 4], up: [1, 4, 4]}\n"
                                        "routing: {algorithm: table}\ntraffic: {load_flits_per_cycle: 0.1}\n");
  struct ut_graph *graph = s->topology.graph;
  for (size_t i = 0; i < sizeof planner / sizeof *planner; i++) {
    struct ut_fabric_plan plan;
    struct walk walk;
    make(&plan, graph, planner[i]);
    start(&walk, graph, plan.tables, NULL);
    if (walk.most != 60 || walk.lost || !is_free_of_cycles(&walk))
      fail_msg("planner %u: %u pairs over the busiest channel, expected 60; %u are lost", planner[i], walk.most,
               walk.lost);
    end(&walk);
    ut_fabric_plan_free(&plan);
  }
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks), cmocka_unit_test(tree_is_balanced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
