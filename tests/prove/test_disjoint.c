/* SPDX-License-Identifier: Apache-2.0 */
/* test_disjoint.c - csim/prove/disjoint: ways without a common link are as many as the fewest links that cut all ways,
 * in networks that are drawn: each set of links is tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "disjoint.h"
#include "random.h"

enum { TERMINALS = 3, LINKS = 2 /* into the network, of each terminal */, CHANNELS = 8, NODES = 5, MANY = UINT16_MAX };

/* A channel leads to one node, and several nodes may have it: they are states of one switch. */
struct drawn {
  struct ut_topology topology;
  uint32_t to[CHANNELS], first[NODES + 1], entry[TERMINALS * LINKS];
  struct ut_way_on way[NODES * CHANNELS];
  struct ut_way_graph graph[TERMINALS];
  struct ut_pair_ways ways;
};

static void draw(struct drawn *d, struct ut_random *random) {
  uint32_t ways = 0;
  for (unsigned c = 0; c < CHANNELS; c++) { /* a third of them to the terminal */
    const uint32_t to = ut_random_below(random, NODES + 2);
    d->to[c] = to < NODES - 1 ? to : UT_NO_NODE;
  }
  for (uint32_t n = 0; n < NODES; n++) {
    d->first[n] = ways;
    for (uint32_t c = 0; c < CHANNELS; c++)
      if ((d->to[c] == UT_NO_NODE || d->to[c] < n) && ut_random_below(random, 5) < 2)
        d->way[ways++] = (struct ut_way_on){d->to[c], c};
  }
  d->first[NODES] = ways;
  for (unsigned i = 0; i < TERMINALS * LINKS; i++)
    d->entry[i] = ut_random_below(random, 4) ? ut_random_below(random, NODES) : UT_NO_NODE;
  d->topology = (struct ut_topology){.switches = CHANNELS, .po = 1, .terminals = TERMINALS, .injections = LINKS};
  d->topology.channels = CHANNELS + TERMINALS * LINKS;
  for (uint32_t dst = 0; dst < TERMINALS; dst++) /* all the same */
    d->graph[dst] = (struct ut_way_graph){.nodes = NODES, .first = d->first, .way = d->way, .entry = d->entry};
  d->ways = (struct ut_pair_ways){.topology = &d->topology, .graph = d->graph, .most_nodes = NODES};
}

/* The packets get to the terminal without those channels; bits behind the channels: links of the source. */
static bool arrives(const struct drawn *d, uint32_t src, unsigned without) {
  bool at[NODES] = {false};
  for (unsigned i = 0; i < LINKS; i++) {
    const uint32_t node = d->entry[src * LINKS + i];
    if (node != UT_NO_NODE && !(without >> (CHANNELS + i) & 1))
      at[node] = true;
  }
  for (uint32_t n = NODES; n--;) /* ways lead to nodes before it */
    for (uint32_t j = d->first[n]; j < d->first[n + 1] && at[n]; j++)
      if (!(without >> d->way[j].channel & 1)) {
        if (d->way[j].node == UT_NO_NODE)
          return true;
        at[d->way[j].node] = true;
      }
  return false;
}

static uint32_t fewest(const struct drawn *d, uint32_t src, bool terminals) {
  uint32_t least = UINT32_MAX;
  for (unsigned without = 0; without < 1u << (CHANNELS + LINKS); without++) {
    uint32_t links = 0;
    for (unsigned i = 0; i < CHANNELS + LINKS; i++)
      if (without >> i & 1)
        links += !terminals && (i >= CHANNELS || d->to[i] == UT_NO_NODE) ? MANY : 1;
    if (links < least && !arrives(d, src, without))
      least = links;
  }
  return least;
}

static void as_many_as_cut_them(void **state) {
  (void)state;
  struct ut_random random;
  unsigned found[4] = {0};
  ut_random_init(&random, 5, UT_RANDOM_TEST, 0);
  for (unsigned i = 0; i < 60; i++) {
    struct drawn d;
    struct ut_disjoint disjoint;
    draw(&d, &random);
    assert_true(ut_disjoint_init(&disjoint, &d.ways));
    for (uint32_t src = 0; src < TERMINALS; src++)
      for (unsigned terminals = 0; terminals < 2; terminals++) {
        const uint32_t ways = ut_disjoint_ways(&disjoint, src, (src + 1) % TERMINALS, terminals);
        assert_int_equal(ways, fewest(&d, src, terminals));
        assert_false(disjoint.bad_memory);
        found[ways < 3 ? ways : 3]++;
      }
    ut_disjoint_free(&disjoint);
  }
  for (unsigned i = 0; i < 4; i++)
    assert_true(found[i] > 20);
}

/* Two bundles, one behind the other: more arcs than there was room for. */
static void many_links(void **state) {
  (void)state;
  enum { BUNDLE = 300 };
  static struct ut_way_on way[2 * BUNDLE];
  uint32_t first[] = {0, BUNDLE, 2 * BUNDLE}, entry[] = {1};
  for (uint32_t i = 0; i < 2 * BUNDLE; i++)
    way[i] = (struct ut_way_on){i < BUNDLE ? UT_NO_NODE : 0, i};
  const struct ut_topology t = {
      .switches = 2, .po = BUNDLE, .terminals = 1, .injections = 1, .channels = 2 * BUNDLE + 1};
  struct ut_way_graph graph = {.nodes = 2, .first = first, .way = way, .entry = entry};
  const struct ut_pair_ways ways = {.topology = &t, .graph = &graph, .most_nodes = 2};
  struct ut_disjoint d;
  assert_true(ut_disjoint_init(&d, &ways));
  assert_int_equal(ut_disjoint_ways(&d, 0, 0, false), BUNDLE);
  assert_int_equal(ut_disjoint_ways(&d, 0, 0, true), 1);
  ut_disjoint_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_as_cut_them), cmocka_unit_test(many_links)};
  return cmocka_run_group_tests_name("disjoint ways", tests, NULL, NULL);
}
