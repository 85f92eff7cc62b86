/* SPDX-License-Identifier: Apache-2.0 */
/* test_zero_load.c - the latency of a packet alone, for every pair of terminals of every family: what
 * docs/explanation/network.md says, exactly.
 *
 * Packets follow each other so slowly that each finds the network empty.  The switches on its way are counted three
 * times: by the arithmetic of its family, written again here; by a search through the links; by what the switches say
 * that they have sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "distance.h"
#include "network.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "scenarios.h"

enum { START = 200, MOST_SWITCHES = 64 }; /* by then every terminal has been told of the room in front of it */

struct cycles {
  unsigned route, alloc, xbar, link, injection, ejection; /* of terminals' links; 0: the default, as between switches */
  unsigned flits;
};
static const struct cycles speeds[] = {
    {0, 1, 0, 1, 0, 0, 1}, {1, 1, 1, 1, 0, 0, 2}, {0, 2, 0, 1, 0, 0, 4},  {4, 2, 0, 3, 0, 0, 4},  {2, 1, 0, 8, 3, 0, 3},
    {3, 2, 1, 2, 5, 1, 2}, {0, 1, 1, 1, 0, 7, 1}, {1, 2, 0, 4, 2, 32, 5}, {0, 1, 0, 16, 0, 0, 2},
};
enum { SPEEDS = sizeof speeds / sizeof speeds[0] };

static const struct way {
  const char *topology, *algorithm;
  unsigned vcs;
  bool wormhole;
} ways[] = {
    {"kind: fat_tree, k: 2, n: 3", "fta", 1, false},
    {"kind: fat_tree, k: 2, n: 3", "destro", 2, true},
    {"kind: fat_tree, k: 2, n: 3", "reroute_adaptive_link", 1, false},
    {"kind: fat_tree, k: 2, n: 3", "reroute_adaptive_switch", 1, false},
    {"kind: fat_tree, k: 2, n: 3", "reroute_det_link", 2, false},
    {"kind: fat_tree, k: 2, n: 3", "reroute_det_switch", 3, false},
    {"kind: fat_tree, k: 2, n: 3", "misroute_header", 1, false},
    {"kind: fat_tree, k: 3, n: 2", "table", 1, true},
    {"kind: fat_tree, k: 3, n: 2", "table_reroute_det_link", 2, false},
    {"kind: fat_tree, k: 3, n: 2", "table_reroute_adaptive_link", 1, false},
    {"kind: fat_tree, k: 2, n: 3", "reroute_adaptive_switch_one_fault", 1, false},
    {"kind: torus, sizes: [4, 3]", "dor", 1, false},
    {"kind: torus, sizes: [4, 3]", "direction_order", 2, false},
    {"kind: torus, sizes: [2, 5]", "duato", 2, false},
    {"kind: torus, sizes: [4, 3]", "ecube", 2, false},
    {"kind: torus, sizes: [4, 3]", "adaptive_vin", 3, false},
    {"kind: torus, sizes: [4, 3]", "detour", 4, false},
    {"kind: torus, k: 2, n: 4", "duato", 3, false},
    {"kind: mesh, sizes: [5], local_ports: 2", "dor", 1, false},
    {"kind: mesh, sizes: [4, 3], terminal_links: 2", "duato", 2, true},
    {"kind: mesh, sizes: [2, 3, 2]", "direction_order", 1, false},
    {"kind: mesh, sizes: [4, 3]", "detour_literal", 2, true},
    {"kind: hypercube, n: 4", "ecube", 1, true},
    {"kind: hypercube, n: 3, local_ports: 2", "adaptive_vin", 2, false},
    {"kind: hypercube, n: 3", "detour", 2, false},
    {"kind: ruft, k: 2, n: 4", "ruft", 1, false},
    {"kind: ruft_pl, k: 2, n: 3", "ruft", 2, false},
    {"kind: ruft_pl, k: 4, n: 2", "ruft, parallel_links: static", 1, true},
    {"kind: ft_ruft_212, k: 4, n: 2", "ruft", 1, false},
    {"kind: ft_ruft_222, k: 2, n: 3", "ruft", 1, false},
};

/* ---- the switches between two terminals */

static unsigned digits_above_the_common_ones(const struct ut_scenario *s, uint32_t src, uint32_t dst) {
  unsigned differ = 0;
  for (unsigned digit = 0; digit < s->topology.n; digit++, src /= s->topology.k, dst /= s->topology.k)
    if (src % s->topology.k != dst % s->topology.k)
      differ = digit;
  return differ;
}

static unsigned hops_in_a_grid(const struct ut_topology *t, uint32_t from, uint32_t to) {
  unsigned hops = 0;
  for (unsigned d = 0; d < t->dimensions; from /= t->size[d], to /= t->size[d], d++) {
    const int apart = abs((int)(from % t->size[d]) - (int)(to % t->size[d])), round = (int)t->size[d] - apart;
    hops += (unsigned)(t->wrap && round < apart ? round : apart);
  }
  return hops;
}

static unsigned switches_by_arithmetic(const struct ut_scenario *s, const struct ut_topology *t, uint32_t src,
                                       uint32_t dst) {
  const unsigned local = s->topology.local_ports ? s->topology.local_ports : 1;
  if (t->dimensions)
    return hops_in_a_grid(t, src / local, dst / local) + 1;
  if (t->cube)
    return (unsigned)__builtin_popcount(src / local ^ dst / local) + 1;
  if (t->bidirectional) /* up to a switch that both stand below, and down again */
    return 2 * digits_above_the_common_ones(s, src, dst) + 1;
  return s->topology.n; /* packets go through every level */
}

/* From any of the source's links to any of the destination's. */
static unsigned switches_by_search(const struct ut_topology *t, uint32_t src, uint32_t dst) {
  unsigned least = UT_NO_WAY;
  for (unsigned in = 0; in < t->injections; in++) {
    uint16_t distance[MOST_SWITCHES];
    assert_true(ut_distances(t, NULL, t->peer[ut_topology_injection(t, src, in)].index, distance));
    for (unsigned out = 0; out < t->ejections; out++) {
      const uint16_t links = distance[ut_topology_sender(t, t->ejection[dst * t->ejections + out]).index];
      least = links < least ? links : least;
    }
  }
  return least + 1;
}

/* ---- the formula */

static unsigned formula(const struct cycles *c, unsigned switches) {
  const unsigned injection = c->injection ? c->injection : c->link, ejection = c->ejection ? c->ejection : c->link;
  const unsigned general = switches * (1 + c->route + c->alloc + c->xbar) + (switches - 1) * (c->link - 1) + injection +
                           (ejection - 1) + c->flits - 1;
  if (injection == c->link && ejection == c->link)
    assert_int_equal(general, 1 + switches * (1 + c->route + c->alloc + c->xbar) + (switches + 1) * (c->link - 1) +
                                  c->flits - 1);
  return general;
}

/* More than any packet here needs until its last credit is back. */
static unsigned gap(const struct cycles *c) {
  return 9 * (1 + c->route + c->alloc + c->xbar) + 12 * c->link + 2 * c->injection + 2 * c->ejection + c->flits + 20;
}

/* A packet from every terminal to every other and to itself, one after the other. */
static struct ut_scenario *scenario(const struct way *w, const struct cycles *c, unsigned terminals,
                                    char path[UT_TEST_TRACE_PATH]) {
  char *trace, ends[80] = "";
  size_t size;
  FILE *f = open_memstream(&trace, &size);
  assert_non_null(f);
  for (unsigned i = 0; i < terminals * terminals; i++)
    fprintf(f, "%u %u %u %u\n", START + i * gap(c), i / terminals, i % terminals, c->flits);
  assert_int_equal(fclose(f), 0);
  test_write_trace(path, trace);
  free(trace);
  if (c->injection)
    snprintf(ends, sizeof ends, ", injection_cycles: %u", c->injection);
  if (c->ejection)
    snprintf(ends + strlen(ends), sizeof ends - strlen(ends), ", ejection_cycles: %u", c->ejection);
  return test_scenario("topology: {%s, link_cycles: %u%s}\n"
                       "switch: {vcs: %u, packet_flits: %u, depth_flits: %u, route_cycles: %u, alloc_cycles: %u, "
                       "xbar_cycles: %u, switching: %s}\n"
                       "routing: {algorithm: %s}\n"
                       "traffic: {pattern: trace, trace_file: %s}\n"
                       "run: {warmup_cycles: 0, measure_cycles: %u}\n",
                       w->topology, c->link, ends, w->vcs, c->flits, 2 * c->flits, c->route, c->alloc, c->xbar,
                       w->wormhole ? "wormhole" : "vct", w->algorithm, path, START + terminals * terminals * gap(c));
}

static unsigned terminals_of(const struct way *w) {
  struct ut_scenario *s = test_scenario("topology: {%s}\nswitch: {vcs: %u}\nrouting: {algorithm: %s}\n"
                                        "traffic: {load_flits_per_cycle: 0.1}\n",
                                        w->topology, w->vcs, w->algorithm);
  const unsigned terminals = ut_scenario_terminals(s);
  ut_scenario_free(s);
  return terminals;
}

/* Steps until one more packet has arrived. */
static void until_delivered(struct ut_network *n, uint64_t packets) {
  while (n->terminals.accounts.delivered < packets && !ut_network_done(n))
    ut_network_step(n);
  assert_int_equal(n->terminals.accounts.delivered, packets);
  assert_int_equal(n->terminals.accounts.generated, packets);
}

static void every_pair(const struct way *w, const struct cycles *c) {
  char path[UT_TEST_TRACE_PATH];
  const unsigned terminals = terminals_of(w);
  struct ut_scenario *s = scenario(w, c, terminals, path);
  struct ut_network n;
  test_network(&n, s);
  assert_true(n.topology->switches <= MOST_SWITCHES);
  for (unsigned i = 0; i < terminals * terminals; i++) {
    const uint32_t src = i / terminals, dst = i % terminals;
    const uint64_t latency = n.terminals.latency.sum, hops = n.flit_hops;
    until_delivered(&n, i + 1);
    const unsigned switches = switches_by_arithmetic(s, n.topology, src, dst);
    assert_int_equal(switches_by_search(n.topology, src, dst), switches);
    assert_int_equal(n.flit_hops - hops, c->flits * switches);
    if (n.terminals.latency.sum - latency != formula(c, switches))
      fail_msg("%s, %s, route %u, alloc %u, xbar %u, links %u, %u, %u, %u flits: from %u to %u over %u switches in %u "
               "cycles, "
               "the formula says %u",
               w->topology, w->algorithm, c->route, c->alloc, c->xbar, c->injection, c->link, c->ejection, c->flits,
               src, dst, switches, (unsigned)(n.terminals.latency.sum - latency), formula(c, switches));
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
  remove(path);
}

static void every_pair_of_every_family(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
    for (unsigned j = 0; j < SPEEDS; j++)
      every_pair(&ways[i], &speeds[j]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_of_every_family)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
