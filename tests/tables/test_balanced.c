/* SPDX-License-Identifier: Apache-2.0 */
/* test_balanced.c - tables of networks of any form: every entry is followed to its end, paths obey up*-down*, and the
 * busiest channel is as idle as it can be. */
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

#include "balanced.h"
#include "distance.h"
#include "links_up.h"
#include "next_hops.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

static struct ut_scenario *scenario_of(const char *topology, const char *planner) {
  struct ut_error e;
  char text[512];
  snprintf(text, sizeof text, "topology: {%s}\nrouting: {algorithm: table, %s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
           topology, planner);
  struct ut_scenario *scenario = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  if (!scenario)
    fail_msg("%s: %s", topology, e.text);
  return scenario;
}

static void cut(const struct ut_topology *topo, const struct ut_link *link, ut_mask *up) {
  up[link->lower] &= ~ut_bit(link->lower_port);
  if (topo->bidirectional)
    up[link->upper] &= ~ut_bit(link->upper_port);
}

/* Follows the entries from every terminal to every other: they arrive, over links that work, and no channel up follows
 * one down.  Returns the pairs over the busiest channel; counts pairs that are lost. */
static unsigned follow_all(const struct ut_balanced *balanced, const ut_mask *up, unsigned *lost) {
  const struct ut_topology *topo = balanced->topology;
  unsigned *load = calloc(topo->switches * topo->po, sizeof *load), most = 0;
  *lost = 0;
  for (uint32_t src = 0; src < topo->terminals; src++)
    for (uint32_t dst = 0; dst < topo->terminals; dst++) {
      const struct ut_attachment from = ut_topology_attachment(topo, src), to = ut_topology_attachment(topo, dst);
      uint32_t sw = from.sw;
      unsigned in_port = from.in_port, hops = 0;
      bool down = false;
      while (src != dst) {
        const unsigned bank = ut_hop_search_bank(&balanced->hops, sw, in_port),
                       port = ut_balanced_port(balanced, sw, bank, dst);
        if (port == UT_NO_PORT) {
          ++*lost;
          break;
        }
        assert_true(up[sw] & ut_bit(port));
        const struct ut_peer peer = topo->peer[sw * topo->po + port];
        if (peer.kind == UT_PEER_TERMINAL) {
          assert_int_equal(peer.index, dst);
          assert_int_equal(sw, to.sw);
          break;
        }
        const bool goes_down = ut_hop_search_down(&balanced->hops, sw, peer.index);
        assert_false(balanced->hops.planner == UT_PLANNER_UPDOWN && down && !goes_down);
        down |= goes_down;
        load[sw * topo->po + port]++;
        sw = peer.index;
        in_port = peer.port;
        assert_true(hops++ < topo->switches);
      }
    }
  for (uint32_t i = 0; i < topo->switches * topo->po; i++)
    most = load[i] > most ? load[i] : most;
  assert_int_equal(most, ut_balanced_busiest(balanced));
  free(load);
  return most;
}

/* The 4-ary 3-tree: no channel carries more than the 60 pairs that it must; with one link out, its pairs are spread
 * over the others: at most 80 for a link of a leaf, which has three others, and 64 for the other links. */
static void busiest_channel(void **state) {
  (void)state;
  struct ut_scenario *scenario = scenario_of("kind: xgft, down: [4, 4, 4], up: [1, 4, 4]", "planner: updown");
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  struct ut_balanced balanced;
  ut_mask up[48];
  unsigned lost;
  assert_true(ut_balanced_init(&balanced, topo, &scenario->routing.planning));
  all_up(topo, up);
  ut_balanced_survey(&balanced, up);
  assert_int_equal(follow_all(&balanced, up, &lost), 60);
  assert_int_equal(lost, 0);
  for (size_t i = 0; i < topo->links; i++) {
    const bool leaf = !strncmp(topo->switch_label[topo->link[i].lower], "s0.", 3) ||
                      !strncmp(topo->switch_label[topo->link[i].upper], "s0.", 3);
    all_up(topo, up);
    cut(topo, &topo->link[i], up);
    ut_balanced_survey(&balanced, up);
    const unsigned most = follow_all(&balanced, up, &lost);
    if (most > (leaf ? 80u : 64u) || lost)
      fail_msg("without link %zu: the busiest channel has %u pairs, %u are lost", i, most, lost);
  }
  ut_balanced_fini(&balanced);
  ut_scenario_free(scenario);
}

/* Every link of some networks fails, alone: no pair is lost that is connected, and a repair brings the first plan back.
 */
static void single_faults(void **state) {
  (void)state;
  static const char *const networks[] = {"kind: dragonfly, routers: 4, global_links: 2", "kind: hyperx, sizes: [3, 3]",
                                         "kind: slim_fly, q: 5",
                                         "kind: xgft, down: [2, 3], up: [1, 2], cables: [1, 2]"};
  static const char *const planners[] = {"planner: updown", "planner: minimal"};
  for (size_t n = 0; n < 8; n++) {
    struct ut_scenario *scenario = scenario_of(networks[n / 2], planners[n % 2]);
    const struct ut_topology *topo = ut_scenario_topology(scenario);
    struct ut_balanced balanced;
    ut_mask up[64];
    unsigned lost;
    assert_true(ut_balanced_init(&balanced, topo, &scenario->routing.planning));
    for (size_t i = 0; i < topo->links; i += 1 + topo->links / 20) {
      all_up(topo, up);
      cut(topo, &topo->link[i], up);
      ut_balanced_survey(&balanced, up);
      follow_all(&balanced, up, &lost);
      assert_int_equal(lost, 0);
    }
    all_up(topo, up);
    ut_balanced_survey(&balanced, up);
    follow_all(&balanced, up, &lost);
    assert_int_equal(lost, 0);
    assert_memory_equal(balanced.now, balanced.first, (size_t)topo->terminals * balanced.states);
    ut_balanced_fini(&balanced);
    ut_scenario_free(scenario);
  }
}

/* ---- D-mod-K */

/* Ways of all pairs by a planner that answers with one port: they arrive.  Returns pairs over the busiest channel. */
static unsigned follow_one(const struct ut_next_hop_planner *by, void *planner, const struct ut_topology *topo,
                           const ut_mask *up) {
  unsigned *load = calloc(topo->switches * topo->po, sizeof *load), most = 0;
  for (uint32_t src = 0; src < topo->terminals; src++)
    for (uint32_t dst = 0; dst < topo->terminals; dst++) {
      const struct ut_attachment from = ut_topology_attachment(topo, src);
      struct ut_peer at = {.kind = UT_PEER_SWITCH, .index = from.sw, .port = from.in_port};
      for (unsigned hops = 0; at.kind == UT_PEER_SWITCH && src != dst; hops++) {
        const uint32_t sw = at.index;
        const ut_mask ports = by->next_hops(planner, sw, by->bank(planner, sw, at.port), dst);
        assert_int_equal(__builtin_popcountll(ports), 1);
        assert_true(ports & up[sw]);
        assert_true(hops < 2 * topo->switches);
        at = topo->peer[sw * topo->po + ut_first(ports)];
        load[sw * topo->po + ut_first(ports)] += at.kind == UT_PEER_SWITCH;
      }
      assert_true(src == dst || at.index == dst);
    }
  for (uint32_t i = 0; i < topo->switches * topo->po; i++)
    most = load[i] > most ? load[i] : most;
  free(load);
  return most;
}

/* The port up of Zahavi's D-mod-K, from the numbers of the XGFT: cable by cable, in each of these parent by parent. */
static unsigned port_up(const struct ut_scenario *scenario, unsigned level, uint32_t dst) {
  const struct ut_list *down = &scenario->topology.down, *up = &scenario->topology.up;
  const struct ut_list *cables = &scenario->topology.cables;
  unsigned below = 1;
  for (unsigned l = 0; l <= level; l++)
    below *= up->value[l];
  const unsigned parents = up->value[level + 1], p = cables->count ? cables->value[level + 1] : 1;
  const unsigned q = dst / below % (parents * p);
  return down->value[level] * (cables->count ? cables->value[level] : 1) + q % parents * p + q / parents;
}

/* Without faults every port up is that of the formula.  With any one link out all pairs arrive.  In the 4-ary 3-tree
 * the busiest channel carries 60 pairs, 84 with a link of a leaf out and 80 with another one; with balanced tables 60,
 * 80 and 64. */
static void dmodk(void **state) {
  (void)state;
  static const struct {
    const char *network;
    unsigned most, most_leaf, most_other;
  } cases[] = {{"kind: xgft, down: [4, 4, 4], up: [1, 4, 4]", 60, 84, 80},
               {"kind: xgft, down: [4, 4, 3], up: [1, 2, 3], cables: [1, 2, 1]", 0, 0, 0}};
  for (size_t n = 0; n < 2; n++) {
    struct ut_scenario *scenario = scenario_of(cases[n].network, "planner: dmodk");
    const struct ut_topology *topo = ut_scenario_topology(scenario);
    const struct ut_next_hop_planner *by = &ut_next_hops_by_search;
    void *planner = by->open(topo, &scenario->routing.planning, 1);
    ut_mask up[64];
    all_up(topo, up);
    by->survey(planner, up);
    for (uint32_t sw = 0; sw < topo->switches; sw++)
      for (uint32_t dst = 0; dst < topo->terminals; dst++) {
        const unsigned level = (unsigned)(topo->switch_label[sw][1] - '0'),
                       port = ut_first(by->next_hops(planner, sw, 0, dst));
        const struct ut_peer *peer = &topo->peer[sw * topo->po + port];
        if (peer->kind == UT_PEER_SWITCH && topo->switch_label[peer->index][1] > topo->switch_label[sw][1])
          assert_int_equal(port, port_up(scenario, level, dst));
      }
    const unsigned most = follow_one(by, planner, topo, up);
    assert_true(!cases[n].most || most == cases[n].most);
    for (size_t i = 0; i < topo->links; i++) {
      const bool leaf =
          topo->switch_label[topo->link[i].lower][1] == '0' || topo->switch_label[topo->link[i].upper][1] == '0';
      all_up(topo, up);
      cut(topo, &topo->link[i], up);
      by->survey(planner, up);
      const unsigned busiest = follow_one(by, planner, topo, up);
      if (cases[n].most && busiest > (leaf ? cases[n].most_leaf : cases[n].most_other))
        fail_msg("without link %zu: the busiest channel has %u pairs", i, busiest);
    }
    by->close(planner);
    ut_scenario_free(scenario);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(busiest_channel),
      cmocka_unit_test(single_faults),
      cmocka_unit_test(dmodk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
