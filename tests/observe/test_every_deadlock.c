/* test_every_deadlock.c - a search in each cycle: what it finds never moves again, and has just come to a stand; where
 * there can be no deadlock it finds none.  The cycles and texts are as they were recorded. */
#include "deadlock.h"

#include <string.h>

#include "recorded.h"
#include "registers.h"
#include "scenarios.h"

enum { CYCLES = 400, AFTER = 60, MOST = 256 };

/* A channel as it stands: the flit at its front, its state, what it needs. */
struct channel {
  uint32_t sw;
  unsigned port, vc, state, count;
  uint64_t front[2];
};

static void look(struct channel *c, const struct ut_network *n) {
  const struct ut_group *g = ut_network_group(n, c->sw);
  const struct ut_switch *s = ut_network_switch(n, c->sw);
  const uint64_t *front = ut_reg_peek(g, s, c->port, c->vc, 0);
  c->state = ut_reg_state(g, s, c->port, c->vc);
  c->count = ut_reg_count(g, s, c->port, c->vc);
  memcpy(c->front, front, sizeof c->front);
}

/* The channels of a text, one a line. */
static unsigned read_channels(const char *text, const struct ut_network *n, struct channel *list) {
  unsigned count = 0;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
    unsigned level, index;
    struct channel *c = &list[count++];
    assert_true(count <= MOST);
    assert_int_equal(sscanf(line, "\n  switch %u.%u port %u VC %u", &level, &index, &c->port, &c->vc), 4);
    c->sw = ut_topology_switch(&n->topology, level, index);
    look(c, n);
    assert_true(c->count > 0 && (c->state == UT_VC_STATE_WAITING || c->state == UT_VC_STATE_ACTIVE));
  }
  return count;
}

static const struct {
  const char *name, *text; /* a scenario without its seed */
  unsigned seeds;
  bool finds;
  uint64_t hash;
} recorded[] = {
#define ALGORITHM(name) "routing: {algorithm: " name "}\ntraffic: {load_flits_per_cycle: 1.0}\n"
#define FAULTS(count) "faults: [{at: 20, random_links: " count "}]\n"
    {"ring",
     "topology: {kind: torus, sizes: [8]}\nswitch: {vcs: 1, depth_flits: 10, packet_flits: 4}\n" ALGORITHM(
         "dor_without_bubble"),
     4, true, 0x6034d54286e889f6},
    {"ring, long wires",
     "topology: {kind: torus, sizes: [7], link_cycles: 3}\nswitch: {vcs: 1, depth_flits: 11, packet_flits: "
     "3}\n" ALGORITHM("dor_without_bubble"),
     4, true, 0x0fe573aba2f9efcd},
    {"torus",
     "topology: {kind: torus, sizes: [4, 5], local_ports: 2}\n"
     "switch: {vcs: 2, depth_flits: 5, packet_flits: 2, route_cycles: 0}\n" ALGORITHM("dor_without_bubble"),
     3, true, 0x1baec505ee5d6e3b},
    {"torus, wormhole",
     "topology: {kind: torus, sizes: [6, 5], link_cycles: 2}\n"
     "switch: {vcs: 1, depth_flits: 3, packet_flits: 6, switching: wormhole}\n" ALGORITHM("dor_without_bubble"),
     3, true, 0xe0bbd8063840b28b},
    {"tree, long wires",
     "topology: {kind: fat_tree, k: 2, n: 4, link_cycles: 2}\nswitch: {vcs: 1, depth_flits: 10, packet_flits: "
     "4}\n" ALGORITHM("reroute_adaptive_link") FAULTS("9"),
     6, true, 0x59bb2d8d622b8c58},
    {"tree, two VCs",
     "topology: {kind: fat_tree, k: 2, n: 4}\nswitch: {vcs: 2, depth_flits: 5, packet_flits: 3}\n" ALGORITHM(
         "reroute_adaptive_link") FAULTS("9"),
     3, true, 0xee6b583609a8369d},
    {"tree, deterministic",
     "topology: {kind: fat_tree, k: 3, n: 2}\nswitch: {vcs: 1, depth_flits: 2, route_cycles: 0}\n" ALGORITHM(
         "reroute_det_link") FAULTS("4"),
     6, true, 0x7c60a8f438b23c2a},
    /* nothing can wait for ever here */
    {"tree without faults",
     "topology: {kind: fat_tree, k: 3, n: 2}\nswitch: {vcs: 2, depth_flits: 5, packet_flits: 4}\n" ALGORITHM("destro"),
     2, false, 0x0000000000000000},
    {"ring of three with bubbles",
     "topology: {kind: torus, sizes: [3]}\nswitch: {vcs: 1, depth_flits: 8, packet_flits: 4}\n" ALGORITHM("dor"), 4,
     false, 0x0000000000000000},
    {"ring with bubbles",
     "topology: {kind: torus, sizes: [6], link_cycles: 2}\nswitch: {vcs: 1, depth_flits: 11, packet_flits: "
     "4}\n" ALGORITHM("dor"),
     4, false, 0x0000000000000000},
    {"adaptive torus with bubbles",
     "topology: {kind: torus, sizes: [3, 3]}\nswitch: {vcs: 2, depth_flits: 9, packet_flits: 3}\n" ALGORITHM("duato"),
     2, false, 0x0000000000000000},
    {"mesh, wormhole",
     "topology: {kind: mesh, sizes: [3, 2]}\n"
     "switch: {vcs: 1, depth_flits: 2, packet_flits: 6, switching: wormhole}\n" ALGORITHM("dor"),
     2, false, 0x0000000000000000},
};

static void searches_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof recorded / sizeof *recorded; i++) {
    uint64_t hash = 0;
    unsigned deadlocks = 0;
    for (unsigned seed = 1; seed <= recorded[i].seeds; seed++) {
      struct ut_network n;
      struct channel list[MOST];
      unsigned channels = 0;
      uint64_t until = CYCLES, found = 0;
      struct ut_scenario *s = test_scenario("%srun: {warmup_cycles: 0, measure_cycles: %u, seed: %u}\n",
                                            recorded[i].text, 2 * CYCLES, seed);
      test_network(&n, s);
      while (n.cycle < until) {
        struct ut_watchdog w = {0};
        ut_network_step(&n);
        const bool now = ut_deadlock_search(&w, &n);
        assert_true(now == w.found && now == (w.text != NULL));
        record(&hash, now);
        for (const char *c = w.text; now && *c; c++)
          record(&hash, (unsigned char)*c);
        if (now && !found) {
          found = n.cycle, until = n.cycle + AFTER, deadlocks++;
          channels = read_channels(w.text, &n, list);
          assert_true(channels > 1);
        }
        assert_true(now == (found > 0)); /* it stays */
        for (unsigned k = 0; k < channels; k++) {
          struct channel c = list[k];
          look(&c, &n);
          assert_true(c.state == list[k].state && c.count >= list[k].count);
          assert_memory_equal(c.front, list[k].front, sizeof c.front);
        }
        ut_watchdog_free(&w);
      }
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
    if ((deadlocks > 0) != recorded[i].finds)
      fail_msg("%u deadlocks in %s", deadlocks, recorded[i].name);
    recorded_is(recorded[i].name, hash, recorded[i].hash, &differences);
  }
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(searches_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
