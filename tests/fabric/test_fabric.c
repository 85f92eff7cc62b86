/* SPDX-License-Identifier: Apache-2.0 */
/* test_fabric.c - routes by tables of others, against packets that are walked one by one, and transitions against all
 * mixtures of old and new entries; and the verdicts that other checkers have given about tables of OpenSM. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric_transition.h"
#include "graph_read.h"
#include "random.h"

enum { SWITCHES = 6, PORTS = 8, TERMINALS = 12, NODES = SWITCHES + TERMINALS, VLS = 3, FABRICS = 300 };
enum { SLOTS = SWITCHES * PORTS, CHANNELS = SLOTS * VLS };

/* ---- random fabrics */

struct made {
  struct ut_graph *graph;
  struct ut_switch_tables *tables, *old;
  struct ut_path_sls sls;
  struct ut_sl_vls vls;
  uint32_t number[NODES], node[TERMINALS];
  uint8_t sl[NODES * TERMINALS];
};

static unsigned below(struct ut_random *random, unsigned most) {
  return ut_random_below(random, most);
}

/* Switches 0..n-1 and terminals behind them: a ring or a tree, and further cables, some of them side by side. */
static struct ut_graph *draw_graph(struct ut_random *random) {
  struct ut_error e;
  struct ut_graph *graph = ut_graph_new("drawn");
  assert_non_null(graph);
  const unsigned switches = 2 + below(random, SWITCHES - 1), terminals = 2 + below(random, TERMINALS - 1);
  const bool ring = below(random, 2);
  unsigned used[SWITCHES] = {0};
  char name[16];
  for (unsigned i = 0; i < switches; i++) {
    snprintf(name, sizeof name, "s%u", i);
    assert_int_equal(ut_graph_add(graph, &(struct ut_graph_node){.name = name, .ports = 1}, &e), i);
  }
  for (unsigned i = 1; i < 2 * switches; i++) {
    const unsigned from = i < switches    ? i
                          : i == switches ? switches - 1
                                          : below(random, switches),
                   to = i < switches    ? (ring ? i - 1 : below(random, i))
                        : i == switches ? 0
                                        : i % 2;
    if (from == to || used[from] + 3 > PORTS || used[to] + 3 > PORTS)
      continue;
    assert_int_equal(
        ut_graph_join(graph,
                      &(struct ut_graph_channel){
                          .from = from, .to = to, .from_port = (uint8_t)used[from]++, .to_port = (uint8_t)used[to]++},
                      &e),
        0);
  }
  for (unsigned i = 0; i < terminals; i++) {
    const unsigned sw = i % switches;
    if (used[sw] < PORTS)
      assert_int_equal(ut_graph_add_terminal(graph, sw, used[sw]++, i, &e), 0);
  }
  return graph;
}

static uint32_t terminals_of(const struct ut_graph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->nodes; i++)
    count += graph->node[i].terminal;
  return count;
}

/* The channel that leaves a port; NULL: none. */
static const struct ut_graph_channel *leaves(const struct ut_graph *graph, uint32_t node, unsigned port) {
  for (uint32_t i = 0; i < graph->channels; i++)
    if (graph->channel[i].from == node && graph->channel[i].from_port == port)
      return &graph->channel[i];
  return NULL;
}

/* Which port leads from a switch towards a node, by shortest paths; some are wrong, and some are missing. */
static void draw_tables(struct ut_switch_tables *tables, struct ut_random *random, unsigned wrong) {
  const struct ut_graph *graph = tables->graph;
  for (uint32_t to = 0; to < graph->nodes; to++) {
    unsigned distance[NODES];
    for (uint32_t i = 0; i < graph->nodes; i++)
      distance[i] = i == to ? 0 : NODES;
    for (unsigned round = 0; round < NODES; round++)
      for (uint32_t i = 0; i < graph->channels; i++)
        if (distance[graph->channel[i].to] + 1 < distance[graph->channel[i].from])
          distance[graph->channel[i].from] = distance[graph->channel[i].to] + 1;
    for (uint32_t sw = 0; sw < graph->nodes; sw++) {
      if (graph->node[sw].terminal || sw == to)
        continue;
      uint8_t *entry = &tables->of[sw].port[to];
      const unsigned ports = graph->node[sw].ports, first = below(random, ports);
      for (unsigned i = 0; i < ports; i++) {
        const struct ut_graph_channel *way = leaves(graph, sw, (first + i) % ports);
        if (way && distance[way->to] < distance[sw])
          *entry = (uint8_t)((first + i) % ports);
      }
      if (below(random, 100) < wrong)
        *entry = below(random, 4) ? (uint8_t)below(random, ports) : UT_NO_TABLE_PORT;
      if (*entry != UT_NO_TABLE_PORT && !leaves(graph, sw, *entry))
        *entry = UT_NO_TABLE_PORT;
    }
  }
}

static void draw_lanes(struct made *made, struct ut_random *random) {
  const struct ut_graph *graph = made->graph;
  made->sls = (struct ut_path_sls){.graph = graph, .number = made->number, .node = made->node, .sl = made->sl};
  for (uint32_t i = 0; i < graph->nodes; i++) {
    made->number[i] = graph->node[i].terminal ? made->sls.terminals : UT_NO_NODE;
    if (graph->node[i].terminal)
      made->node[made->sls.terminals++] = i;
  }
  for (size_t i = 0; i < sizeof made->sl; i++)
    made->sl[i] = (uint8_t)below(random, VLS);
  made->vls = (struct ut_sl_vls){.graph = graph, .of = calloc(graph->nodes, sizeof *made->vls.of)};
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const size_t size = (size_t)graph->node[i].ports * graph->node[i].ports * UT_SLS;
    made->vls.of[i] = graph->node[i].terminal ? NULL : malloc(size + 1);
    for (size_t j = 0; made->vls.of[i] && j < size; j++)
      made->vls.of[i][j] = (uint8_t)below(random, VLS);
  }
}

static void draw(struct made *made, unsigned number) {
  struct ut_random random;
  ut_random_init(&random, 44, UT_RANDOM_TEST, number);
  const unsigned wrong = number % 3 * 8;
  do {
    made->graph = draw_graph(&random);
    if (terminals_of(made->graph) >= 2)
      break;
    ut_graph_free(made->graph);
  } while (true);
  made->tables = ut_switch_tables_new(made->graph);
  made->old = ut_switch_tables_new(made->graph);
  assert_true(made->tables && made->old);
  draw_tables(made->tables, &random, wrong);
  draw_tables(made->old, &random, wrong);
  draw_lanes(made, &random);
}

static void unmake(struct made *made) {
  for (uint32_t i = 0; i < made->graph->nodes; i++)
    free(made->vls.of[i]);
  free(made->vls.of);
  ut_switch_tables_free(made->tables);
  ut_switch_tables_free(made->old);
  ut_graph_free(made->graph);
}

/* ---- packets, one by one */

struct walked {
  uint64_t pairs, unreachable, looping, hops_sum, hops_max;
  bool lost_pair[NODES][NODES], looping_pair[NODES][NODES];
  uint64_t load[SLOTS];
  bool used[CHANNELS];
  bool waits[CHANNELS][CHANNELS];
};

/* Walks a packet; at the switches of `old` it meets the old entry.  Returns its hops, -1: lost, -2: it loops. */
static int walk(const struct made *made, const struct ut_fabric *fabric, uint32_t from, uint32_t to, unsigned old,
                struct walked *walked) {
  const struct ut_graph *graph = made->graph;
  const struct ut_graph_channel *came = leaves(graph, from, 0);
  int channel = -1;
  for (int hops = 0; hops <= 2 * SWITCHES; hops++) {
    const uint32_t sw = came->to;
    const struct ut_switch_tables *tables = old >> sw & 1 ? fabric->old : fabric->tables;
    if (sw == to)
      return hops;
    const unsigned port = ut_switch_tables_port(tables, sw, to);
    const struct ut_graph_channel *way = port == UT_NO_TABLE_PORT ? NULL : leaves(graph, sw, port);
    if (!way || (graph->node[way->to].terminal && way->to != to))
      return -1;
    if (way->to == to && graph->node[to].terminal)
      return hops;
    const unsigned sl = fabric->sls ? made->sl[(size_t)to * made->sls.terminals + made->number[from]] : 0,
                   vl = fabric->vls ? ut_sl_vl(fabric->vls, sw, came->to_port, port, sl) : sl;
    const int next = (int)((sw * PORTS + port) * VLS + vl);
    walked->used[next] = true;
    if (channel >= 0)
      walked->waits[channel][next] = true;
    if (hops < SWITCHES) /* a loop has at most so many switches, and is passed once here */
      walked->load[sw * PORTS + port]++;
    channel = next;
    came = way;
  }
  return -2;
}

/* All pairs, in that mixture of entries. */
static void walk_all(const struct made *made, const struct ut_fabric *fabric, unsigned old, struct walked *walked) {
  const struct ut_graph *graph = made->graph;
  for (uint32_t from = 0; from < graph->nodes; from++)
    for (uint32_t to = 0; to < graph->nodes; to++) {
      if (from == to || !graph->node[from].terminal || !(graph->node[to].terminal || fabric->switches))
        continue;
      const int hops = walk(made, fabric, from, to, old, walked);
      walked->pairs++;
      walked->unreachable += hops < 0;
      walked->looping += hops == -2;
      walked->lost_pair[from][to] |= hops == -1;
      walked->looping_pair[from][to] |= hops == -2;
      walked->hops_sum += hops > 0 ? (uint64_t)hops : 0;
      walked->hops_max = hops > 0 && (uint64_t)hops > walked->hops_max ? (uint64_t)hops : walked->hops_max;
    }
}

/* Counts what walked packets say of waiting channels: components of all channels that reach themselves (Warshall). */
static void count_waits(const struct walked *walked, struct ut_fabric_cycles *counts) {
  static bool reaches[CHANNELS][CHANNELS];
  memcpy(reaches, walked->waits, sizeof reaches);
  *counts = (struct ut_fabric_cycles){0};
  for (int k = 0; k < CHANNELS; k++)
    for (int i = 0; walked->used[k] && i < CHANNELS; i++)
      for (int j = 0; reaches[i][k] && j < CHANNELS; j++)
        reaches[i][j] |= reaches[k][j];
  for (int i = 0; i < CHANNELS; i++) {
    bool first = reaches[i][i];
    counts->channels += walked->used[i];
    counts->channels_in_cycles += reaches[i][i];
    for (int j = 0; j < CHANNELS; j++) {
      counts->dependencies += walked->waits[i][j];
      first &= !(j < i && reaches[i][j] && reaches[j][i]);
    }
    counts->cycles += first;
  }
}

#define SAME(number, what, found, expected)                                                                            \
  do {                                                                                                                 \
    if ((uint64_t)(found) != (uint64_t)(expected))                                                                     \
      fail_msg("fabric %u: %s is %llu, by single packets %llu", number, what, (unsigned long long)(found),             \
               (unsigned long long)(expected));                                                                        \
  } while (0)

static void same_waits(unsigned number, const struct ut_fabric_cycles *found, const struct walked *walked) {
  struct ut_fabric_cycles counts;
  count_waits(walked, &counts);
  SAME(number, "channels", found->channels, counts.channels);
  SAME(number, "dependencies", found->dependencies, counts.dependencies);
  SAME(number, "cycles", found->cycles, counts.cycles);
  SAME(number, "channels in cycles", found->channels_in_cycles, counts.channels_in_cycles);
}

static uint32_t channel_of(const struct ut_graph *graph, const struct ut_fabric_hop *hop) {
  const struct ut_graph_channel *channel = &graph->channel[hop->channel];
  return (channel->from * PORTS + channel->from_port) * VLS + hop->vl;
}

/* Each hop of the cycle waits for the next one, and the packet named does so. */
static void check_cycle(unsigned number, const struct made *made, const struct ut_fabric *fabric,
                        const struct ut_fabric_cycles *found) {
  static struct walked one;
  for (size_t i = 0; i < found->hops; i++) {
    const struct ut_fabric_hop *hop = &found->hop[i];
    const uint32_t here = channel_of(made->graph, hop),
                   next = channel_of(made->graph, &found->hop[(i + 1) % found->hops]);
    bool waits = false;
    assert_true(hop->source != UT_NO_NODE && hop->destination != UT_NO_NODE);
    for (unsigned old = 0; old < (fabric->old ? 1u << SWITCHES : 1u) && !waits; old++) {
      memset(&one, 0, sizeof one);
      walk(made, fabric, hop->source, hop->destination, old, &one);
      waits = one.waits[here][next];
    }
    if (!waits)
      fail_msg("fabric %u: the packet of hop %zu of the cycle does not wait there", number, i);
  }
  if (found->cycles && found->hops < 2)
    fail_msg("fabric %u: no cycle is shown", number);
}

static struct ut_fabric fabric_of(const struct made *made, unsigned number) {
  return (struct ut_fabric){.graph = made->graph,
                            .tables = made->tables,
                            .sls = number & 1 ? &made->sls : NULL,
                            .vls = (number & 3) == 3 ? &made->vls : NULL,
                            .switches = number & 4};
}

static void routes_of_random_fabrics(void **state) {
  (void)state;
  static struct walked walked;
  for (unsigned number = 0; number < FABRICS; number++) {
    struct made made;
    struct ut_fabric_routes routes;
    struct ut_error e;
    draw(&made, number);
    const struct ut_fabric fabric = fabric_of(&made, number);
    memset(&walked, 0, sizeof walked);
    walk_all(&made, &fabric, 0, &walked);
    assert_int_equal(ut_fabric_routes_find(&routes, &fabric, &e), 0);
    SAME(number, "pairs", routes.pairs, walked.pairs);
    SAME(number, "unreachable", routes.unreachable, walked.unreachable);
    SAME(number, "looping", routes.looping, walked.looping);
    SAME(number, "hops_sum", routes.hops_sum, walked.hops_sum);
    SAME(number, "hops_max", routes.hops_max, walked.hops_max);
    same_waits(number, &routes.waits, &walked);
    check_cycle(number, &made, &fabric, &routes.waits);
    uint64_t most = 0;
    for (int i = 0; i < SLOTS; i++)
      most = walked.load[i] > most ? walked.load[i] : most;
    if (!walked.looping)
      SAME(number, "load_max", routes.load_max, most);
    assert_int_equal(routes.loss.source != UT_NO_NODE, walked.unreachable > 0);
    ut_fabric_routes_free(&routes);
    unmake(&made);
  }
}

/* At most as many switches as there are bits: every mixture, in which each switch has its old or its new entries. */
static void transitions_of_random_fabrics(void **state) {
  (void)state;
  static struct walked walked;
  unsigned looping = 0, cyclic = 0;
  for (unsigned number = 0; number < FABRICS; number++) {
    struct made made;
    struct ut_fabric_transition transition;
    struct ut_error e;
    draw(&made, number);
    struct ut_fabric fabric = fabric_of(&made, number);
    fabric.old = made.old;
    memset(&walked, 0, sizeof walked);
    for (unsigned old = 0; old < 1u << SWITCHES; old++)
      walk_all(&made, &fabric, old, &walked);
    uint64_t lost = 0, loops = 0;
    for (int i = 0; i < NODES * NODES; i++) {
      lost += walked.lost_pair[i / NODES][i % NODES];
      loops += walked.looping_pair[i / NODES][i % NODES];
    }
    assert_int_equal(ut_fabric_transition_find(&transition, &fabric, &e), 0);
    SAME(number, "pairs", transition.pairs, walked.pairs >> SWITCHES);
    SAME(number, "lost", transition.lost, lost);
    SAME(number, "looping", transition.looping, loops);
    if (!loops) {
      same_waits(number, &transition.waits, &walked);
      check_cycle(number, &made, &fabric, &transition.waits);
      cyclic += transition.waits.cycles > 0;
    }
    looping += loops > 0;
    ut_fabric_transition_free(&transition);
    unmake(&made);
  }
  if (looping < FABRICS / 10 || cyclic < 10)
    fail_msg("%u fabrics can loop, %u others have cycles: the drawn tables are too harmless", looping, cyclic);
}

/* ---- tables of OpenSM */

static void opensm_tables(void **state) {
  (void)state;
  static const struct {
    const char *tables, *sl, *sl2vl;
    unsigned vls, channels, dependencies, cycles, in_cycles;
  } cases[] = {
      {"ring5.lfts", NULL, NULL, 1, 10, 10, 2, 10},
      {"ring5_lash.lfts", "ring5_lash.sl", "ring5_lash.sl2vl", 2, 20, 10, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_error e = {0};
    char path[64];
    struct ut_graph *graph = ut_graph_read("scenarios/ring5.net", 0, &e);
    snprintf(path, sizeof path, "scenarios/%s", cases[i].tables);
    struct ut_switch_tables *tables = ut_switch_tables_read(path, graph, &e);
    struct ut_fabric fabric = {.graph = graph, .tables = tables};
    if (cases[i].sl) {
      snprintf(path, sizeof path, "scenarios/%s", cases[i].sl);
      fabric.sls = ut_path_sls_read(path, graph, &e);
      snprintf(path, sizeof path, "scenarios/%s", cases[i].sl2vl);
      fabric.vls = ut_sl_vls_read(path, graph, &e);
      assert_true(fabric.sls && fabric.vls);
      assert_int_equal(ut_path_sls_complete(fabric.sls, false, path, &e), 0);
      assert_int_equal(ut_sl_vls_complete(fabric.vls, path, &e), 0);
    }
    struct ut_fabric_routes routes;
    assert_int_equal(ut_fabric_routes_find(&routes, &fabric, &e), 0);
    assert_int_equal(routes.pairs, 90);
    assert_int_equal(routes.unreachable, 0);
    assert_int_equal(routes.hops_sum, 120);
    assert_int_equal(routes.hops_max, 2);
    assert_int_equal(routes.vls, cases[i].vls);
    assert_int_equal(routes.waits.channels, cases[i].channels);
    assert_int_equal(routes.waits.dependencies, cases[i].dependencies);
    assert_int_equal(routes.waits.cycles, cases[i].cycles);
    assert_int_equal(routes.waits.channels_in_cycles, cases[i].in_cycles);
    ut_fabric_routes_free(&routes);
    ut_path_sls_free((struct ut_path_sls *)(uintptr_t)fabric.sls);
    ut_sl_vls_free((struct ut_sl_vls *)(uintptr_t)fabric.vls);
    ut_switch_tables_free(tables);
    ut_graph_free(graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_of_random_fabrics),
      cmocka_unit_test(transitions_of_random_fabrics),
      cmocka_unit_test(opensm_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
