/* SPDX-License-Identifier: Apache-2.0 */
/* test_layered.c - shortest paths in virtual layers: how many layers networks need; every path is followed to its end,
 * is a shortest one, and the dependencies of each layer are taken away from their ends until none is left. */
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
#include <unistd.h>

#include "balanced.h"
#include "distance.h"
#include "layered.h"
#include "links_up.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

/* Writes a mesh or torus with a terminal at each router. */
static void write_grid(char *path, unsigned k, unsigned n, bool wraps) {
  strcpy(path, "/tmp/uturn-grid-XXXXXX");
  FILE *f = fdopen(mkstemp(path), "w");
  unsigned routers = 1;
  for (unsigned d = 0; d < n; d++)
    routers *= k;
  for (unsigned i = 0; i < routers; i++) {
    fprintf(f, "router %u node %u", i, i);
    for (unsigned d = 0, step = 1; d < n; d++, step *= k)
      if (i / step % k + 1 < k || wraps)
        fprintf(f, " router %u", i / step % k + 1 < k ? i + step : i - (k - 1) * step);
    fputc('\n', f);
  }
  fclose(f);
}

static struct ut_scenario *scenario_of(const char *topology, const char *routing) {
  struct ut_error e;
  char text[512];
  snprintf(text, sizeof text, "topology: {%s}\nswitch: {vcs: 8}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
           topology, routing);
  struct ut_scenario *scenario = ut_scenario_parse(text, strlen(text), "/test.yaml", &e);
  if (!scenario)
    fail_msg("%s: %s", topology, e.text);
  return scenario;
}

/* Follows the packets of all pairs of a layer and notes their dependencies, [channels][po].  Returns the pairs. */
static unsigned note(const struct ut_layered *layers, const ut_mask *up, unsigned layer, bool *needs) {
  const struct ut_topology *topo = layers->topology;
  uint16_t distance[128];
  unsigned pairs = 0;
  for (uint32_t src = 0; src < topo->terminals; src++) {
    const uint32_t from = ut_topology_attachment(topo, src).sw;
    assert_true(ut_distances(topo, up, from, distance));
    for (uint32_t dst = 0; dst < topo->terminals; dst++) {
      const struct ut_attachment to = ut_topology_attachment(topo, dst);
      unsigned hops = 0;
      uint32_t sw = from, last = UINT32_MAX;
      if (src == dst || ut_layered_of(layers, from, dst) != layer)
        continue;
      for (; sw != to.sw; hops++) {
        const unsigned port = ut_layered_port(layers, sw, dst);
        const uint32_t channel = sw * topo->po + port;
        assert_true(up[sw] >> port & 1);
        if (last != UINT32_MAX)
          needs[last * topo->po + port] = true;
        last = channel;
        sw = topo->peer[channel].index;
      }
      assert_int_equal(ut_layered_port(layers, sw, dst), to.out_port);
      assert_int_equal(hops, distance[to.sw]);
      pairs++;
    }
  }
  return pairs;
}

/* Takes away channels behind which nothing is needed, until there are none left, or only cycles. */
static bool is_acyclic(const struct ut_topology *topo, bool *needs) {
  const uint32_t channels = topo->switches * topo->po;
  bool *gone = calloc(channels, 1), more = true;
  uint32_t left = channels;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < channels; i++) {
      bool waits = false;
      for (unsigned port = 0; port < topo->po && !gone[i]; port++)
        waits |= needs[i * topo->po + port] && !gone[topo->peer[i].index * topo->po + port];
      if (!gone[i] && !waits) {
        gone[i] = more = true;
        left--;
      }
    }
  }
  free(gone);
  return left == 0;
}

/* Returns the pairs that have a layer. */
static unsigned check_layers(const struct ut_layered *layers, const ut_mask *up, const char *name) {
  const struct ut_topology *topo = layers->topology;
  unsigned pairs = 0;
  for (unsigned layer = 0; layer < layers->vcs; layer++) {
    bool *needs = calloc((size_t)topo->switches * topo->po, topo->po);
    pairs += note(layers, up, layer, needs);
    if (!is_acyclic(topo, needs))
      fail_msg("%s: a cycle of dependencies in layer %u of %u", name, layer, layers->vcs);
    free(needs);
  }
  return pairs;
}

/* As many layers as OpenSM's best engine needs, or fewer; with so many all pairs have one, also without any one link.
 */
static void layers_of(const char *topology, unsigned most, unsigned busiest) {
  struct ut_scenario *scenario = scenario_of(topology, "algorithm: forwarding, planner: layers");
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  const unsigned all = topo->terminals * (topo->terminals - 1);
  for (unsigned vcs = 1; vcs <= 8; vcs *= 2) {
    struct ut_layered layers;
    ut_mask up[128];
    assert_true(ut_layered_init(&layers, topo, &scenario->routing.planning, vcs));
    all_up(topo, up);
    ut_layered_survey(&layers, up);
    if (layers.needed > most)
      fail_msg("%s: %u layers, expected at most %u", topology, layers.needed, most);
    const unsigned pairs = check_layers(&layers, up, topology);
    if ((pairs == all) != (vcs >= layers.needed))
      fail_msg("%s: %u of %u pairs with %u of %u layers", topology, pairs, all, vcs, layers.needed);
    if (vcs == 8 && layers.plan.busiest > busiest)
      fail_msg("%s: the busiest channel has %u pairs, expected at most %u", topology, layers.plan.busiest, busiest);
    const struct ut_link *link = &topo->link[topo->links / 2];
    up[link->lower] &= ~ut_bit(link->lower_port);
    up[link->upper] &= ~ut_bit(link->upper_port);
    ut_layered_survey(&layers, up);
    const unsigned without = check_layers(&layers, up, topology);
    if (vcs == 8 && without != all)
      fail_msg("%s without a link: %u of %u pairs", topology, without, all);
    ut_layered_fini(&layers);
  }
  ut_scenario_free(scenario);
}

static void known_networks(void **state) {
  (void)state;
  layers_of("kind: dragonfly, routers: 4, local_ports: 1, global_links: 2", 2, 24);
  layers_of("kind: slim_fly, q: 5", 2, 16);
  layers_of("kind: hyperx, sizes: [4, 4]", 1, 4);
  layers_of("kind: xgft, down: [4, 4], up: [1, 4]", 1, 12);
}

static void grids(void **state) {
  (void)state;
  static const struct {
    unsigned k, n, wraps, layers, busiest;
  } grid[] = {{8, 2, false, 1, 176}, {4, 3, true, 5, 48}, {5, 2, true, 3, 15}};
  for (unsigned i = 0; i < sizeof grid / sizeof *grid; i++) {
    char path[40], topology[80];
    write_grid(path, grid[i].k, grid[i].n, grid[i].wraps);
    snprintf(topology, sizeof topology, "kind: graph, file: %s", path);
    layers_of(topology, grid[i].layers, grid[i].busiest);
    unlink(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_networks),
      cmocka_unit_test(grids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
