/* test_calm.c - calm blocks against unusual ones (csim/switch/cycle.h), and against elaborated ones
 * (csim/switch/elaborated.c): networks of one scenario hold the same registers in every cycle.  One steps as a run
 * does, one has each block unusual in every cycle, so that it leaves out nothing and skips nothing; some of a third
 * have the cycle with their shape as constants. */
#include "elaborate.h"
#include "network.h"
#include "planned_routes.h"
#include "registers_equal.h"
#include "scenario.h"
#include "scenarios.h"
#include "share.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Of the networks that step as a run does. */
static struct {
  uint64_t blocks;  /* times cycles */
  uint64_t unusual; /* that looked at everything */
  uint64_t timed;   /* in which timers run, and nothing moves */
  uint64_t idle;    /* calm ones that were skipped */
} seen;

/* Equal memory is equal registers; where it is not, each register is looked at, for memory also holds what is none. */
static void same(const struct ut_network *a, const struct ut_network *b, const char *what) {
  const struct ut_wires *w = &a->wires;
  bool equal = memcmp(w->ring, b->wires.ring, w->lanes * w->ring_words * sizeof *w->ring) == 0 &&
               memcmp(w->write, b->wires.write, (size_t)w->lanes << w->wide) == 0 &&
               memcmp(w->send, b->wires.send, (size_t)w->lanes << w->wide) == 0;
  for (unsigned i = 0; i < a->topology.elaborations && equal; i++) {
    const struct ut_group *g = &a->group[i];
    equal = memcmp(g->block, b->group[i].block, (size_t)g->form.stride * g->blocks) == 0 &&
            memcmp(g->memory, b->group[i].memory, (size_t)g->form.switch_stride * g->count) == 0;
  }
  for (uint32_t i = 0; i < a->topology.switches && !equal; i++) {
    const char *reg = differing_register(ut_network_group(a, i), ut_network_switch(a, i), ut_network_group(b, i),
                                         ut_network_switch(b, i));
    char name[UT_SWITCH_NAME_SIZE];
    if (reg)
      fail_msg("cycle %llu: %s: switch %s differs in %s", (unsigned long long)a->cycle, what,
               ut_topology_switch_name(&a->topology, i, name), reg);
  }
  for (unsigned slot = 0; slot < w->slots; slot++) {
    assert_memory_equal(w->flits[slot], b->wires.flits[slot], w->lanes);
    assert_memory_equal(w->credits[slot], b->wires.credits[slot], w->lanes);
  }
  assert_int_equal(a->flit_hops, b->flit_hops);
}

static void count(const struct ut_network *n) {
  for (unsigned i = 0; i < n->topology.elaborations; i++) {
    const struct ut_group *g = &n->group[i];
    for (uint32_t j = 0; j < g->blocks; j++) {
      const struct ut_block *b = ut_block_at(g, j, g->form);
      seen.unusual += b->unusual;
      uint64_t any = b->unusual | (b->unsettled & ~b->timed);
      for (unsigned s = 0; s < g->form.sets; s++)
        any |= ut_register(b, UT_S_OCCUPIED, g->form)[s] | ut_register(b, UT_S_VALID, g->form)[s] |
               ut_register(b, UT_S_CREDIT, g->form)[s];
      seen.timed += !any && b->timed;
      seen.idle += !any && !b->timed;
    }
    seen.blocks += g->blocks;
  }
}

static void disturb(const struct ut_network *n) {
  for (uint32_t i = 0; i < n->topology.switches; i++)
    ut_switch_disturb(ut_network_group(n, i), ut_network_switch(n, i));
}

/* Gives a network its elaborated cycles; false: there is no compiler. */
static bool elaborate(struct ut_network *n, void **library) {
  for (unsigned i = 0; i < n->topology.elaborations; i++) {
    struct ut_error e;
    char *path = ut_elaborate(&n->shape[i], false, NULL, NULL, NULL, &e);
    const struct ut_terminal_steps *terminals = NULL;
    ut_block_steps *steps = path ? ut_elaborated_load(path, &library[i], &terminals, &e) : NULL;
    free(path);
    if (!steps && e.code == UT_BAD_INPUT) {
      print_message("not elaborated: %s\n", e.text);
      return false;
    }
    if (!steps)
      fail_msg("%s", e.text);
    assert_ptr_not_equal(n->group[i].steps, steps);
    n->group[i].steps = steps;
    n->terminals.steps = terminals;
  }
  return true;
}

static void finish(struct ut_network *n, const struct ut_network *of, const char *text) {
  assert_int_equal(ut_network_u_turns(of), ut_network_u_turns(n));
  assert_int_equal(of->terminals.latency.sum, n->terminals.latency.sum);
  assert_memory_equal(&of->terminals.accounts, &n->terminals.accounts, sizeof n->terminals.accounts);
  if (!n->terminals.latency.count)
    fail_msg("no packet in %s", text);
  assert_int_equal(n->terminals.accounts.corrupt, 0);
}

static void compare(const char *text, bool elaborated) {
  struct ut_network a, b, c;
  struct ut_error e;
  void *library[UT_MAX_ELABORATIONS] = {NULL};
  struct ut_scenario *s = test_scenario("%s", text);
  if (ut_plan_scenario(s, &e))
    fail_msg("%s", e.text);
  test_network(&a, s);
  test_network(&b, s);
  if (elaborated) {
    test_network(&c, s);
    elaborated = elaborate(&c, library) || (ut_network_fini(&c), false);
  }
  while (!ut_network_done(&a)) {
    count(&a);
    ut_network_step(&a);
    disturb(&b);
    ut_network_step(&b);
    same(&a, &b, "calm and unusual");
    if (elaborated) {
      ut_network_step(&c);
      same(&a, &c, "any shape and elaborated");
    }
  }
  finish(&b, &a, text);
  if (elaborated) {
    finish(&c, &a, text);
    ut_network_fini(&c);
  }
  for (unsigned i = 0; i < UT_MAX_ELABORATIONS; i++)
    if (library[i])
      dlclose(library[i]);
  ut_network_fini(&a);
  ut_network_fini(&b);
  ut_scenario_free(s);
}

/* Blocks of several switches and of one, of one word and more; radices that are and are not powers of two, buffers of
 * any depth. */
static void equal_over_shapes_and_loads(void **state) {
  (void)state;
  const struct {
    unsigned k, n, depth, packet;
  } shape[] = {{2, 4, 4, 2}, {3, 3, 5, 2}, {4, 2, 7, 3}, {5, 2, 4, 4}, {8, 2, 16, 1}, {12, 2, 4, 2}, {16, 1, 200, 2}};
  const char *algorithm[] = {"fta", "destro", "reroute_adaptive_link", "table"};
  memset(&seen, 0, sizeof seen);
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
    for (unsigned j = i % SHARE; j < 6; j += SHARE) {
      char text[768];
      snprintf(text, sizeof text,
               "topology: {kind: fat_tree, k: %u, n: %u}\n"
               "switch: {depth_flits: %u, packet_flits: %u, route_cycles: %u}\n"
               "routing: {algorithm: %s}\n"
               "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n"
               "run: {measure_cycles: 300, seed: %u}\n",
               shape[i].k, shape[i].n, shape[i].depth, shape[i].packet, j % 2, algorithm[(i + j) % 4],
               j < 2   ? "0.05"
               : j < 4 ? "0.3"
                       : "0.9",
               10 * i + j);
      compare(text, false);
    }
  assert_true(seen.unusual * 10 < seen.blocks); /* calm is the usual way */
}

/* Through faults of links and switches, repairs, U-turns and discards: blocks become unusual, and calm again. */
static void equal_through_faults(void **state) {
  (void)state;
  const char *algorithm[] = {"fta", "reroute_adaptive_link, reroute_clear: timer, reroute_timeout_cycles: 40",
                             "reroute_adaptive_switch", "table, manager_switch_cycles: 5"};
  memset(&seen, 0, sizeof seen);
  for (unsigned i = 0; i < 12; i += SHARE) {
    char text[1024];
    snprintf(text, sizeof text,
             "topology: {kind: fat_tree, k: %u, n: 3, link_cycles: %u}\n"
             "switch: {vcs: %u}\n"
             "routing: {algorithm: %s}\n"
             "traffic: {pattern: uniform, load_flits_per_cycle: 0.25}\n"
             "faults:\n"
             "  - {at: 200, link: {level: 0, switch: 1, port: %u}, until: 700}\n"
             "  - {at: 400, random_links: 2, until: 900}\n"
             "  - {at: 500, switch: {level: 2, switch: 0}, until: 800}\n"
             "  - {at: 1000, random_links: 1}\n"
             "run: {measure_cycles: 1400, drain: false, seed: %u}\n",
             2 + i % 3, 1 + i % 2, i / 3 == 2 ? 3 : 1, algorithm[i / 3], 2 + i % 3, i);
    compare(text, SHARE == 1 && i % 6 == 1);
  }
  assert_true(seen.unusual * 2 < seen.blocks && seen.unusual > 0);
}

/* Timers of re-route vectors run on where nothing else moves. */
static void equal_with_timers_alone(void **state) {
  (void)state;
  memset(&seen, 0, sizeof seen);
  compare("topology: {kind: fat_tree, k: 4, n: 3}\n"
          "routing: {algorithm: reroute_adaptive_link, reroute_clear: timer, reroute_timeout_cycles: 400}\n"
          "traffic: {pattern: uniform, load_flits_per_cycle: 0.002}\n"
          "faults:\n"
          "  - {at: 10, switch: {level: 1, switch: 0}}\n"
          "run: {measure_cycles: 6000, drain: false}\n",
          false);
  assert_true(seen.timed > 100);
}

/* Several VCs, both crossbars, the bubble rule, preferred classes. */
static void equal_with_several_vcs(void **state) {
  (void)state;
  const struct {
    const char *topology;
    unsigned vcs, depth, packet, route_cycles;
    const char *crossbar, *algorithm;
  } shape[] = {
      {"kind: torus, k: 3, n: 3", 4, 32, 16, 1, "vc", "duato"},
      {"kind: torus, k: 4, n: 2", 2, 4, 2, 0, "port", "duato"},
      {"kind: torus, k: 3, n: 4", 4, 8, 4, 0, "vc", "duato"},
      {"kind: torus, sizes: [4, 2], local_ports: 4", 8, 6, 3, 1, "port", "duato"},
      {"kind: torus, sizes: [5], local_ports: 16", 2, 4, 1, 1, "vc", "direction_order"},
      {"kind: torus, sizes: [6, 3]", 3, 200, 20, 0, "vc", "dor"},
      {"kind: mesh, sizes: [4, 3]", 5, 5, 5, 1, "port", "direction_order"},
      {"kind: mesh, sizes: [3, 4, 2], link_cycles: 3", 4, 8, 4, 0, "vc", "duato"},
      {"kind: mesh, k: 4, n: 2", 2, 8, 3, 1, "vc", "dor"},
      {"kind: mesh, k: 4, n: 2, terminal_links: 4", 3, 8, 3, 1, "port", "duato"},
      {"kind: torus, sizes: [3, 4], local_ports: 2, terminal_links: 2", 2, 8, 3, 0, "vc", "dor"},
  };
  memset(&seen, 0, sizeof seen);
  for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
    for (unsigned j = i % SHARE; j < 6; j += SHARE) {
      char text[1024];
      snprintf(text, sizeof text,
               "topology: {%s}\n"
               "switch: {vcs: %u, depth_flits: %u, packet_flits: %u, route_cycles: %u, crossbar: %s}\n"
               "routing: {algorithm: %s}\n"
               "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n"
               "%s"
               "run: {warmup_cycles: 100, measure_cycles: 1100, drain: false, seed: %u}\n",
               shape[i].topology, shape[i].vcs, shape[i].depth, shape[i].packet, shape[i].route_cycles,
               shape[i].crossbar, shape[i].algorithm,
               j % 3 == 0   ? "0.05"
               : j % 3 == 1 ? "0.3"
                            : "1.0",
               j < 3 ? ""
                     : "faults:\n"
                       "  - {at: 200, random_links: 2, until: 600}\n"
                       "  - {at: 300, random_switches: 1, until: 500}\n"
                       "  - {at: 1000, random_links: 1}\n",
               10 * i + j);
      compare(text, SHARE == 1 && j == 5 && i % 4 == 0);
    }
  assert_true(seen.unusual * 4 < seen.blocks && seen.unusual > 0);
}

/* What the short ways of single shapes once left out: wormhole, long pipelines, wide flits, two allocation cycles,
 * header words that are stripped, misrouted hops, terminals first; and the other families. */
static void equal_in_all_families(void **state) {
  (void)state;
  static const char *const networks[] = {
      "topology: {kind: hypercube, n: 4}\nrouting: {algorithm: detour}\n"
      "switch: {vcs: 3, depth_flits: 4, packet_flits: 4, route_cycles: 2}\n",
      "topology: {kind: mesh, sizes: [5, 4]}\nrouting: {algorithm: detour}\n"
      "switch: {vcs: 4, depth_flits: 8, packet_flits: 4, switching: wormhole, local_first: true}\n",
      "topology: {kind: torus, sizes: [5, 5]}\nrouting: {algorithm: detour}\n"
      "switch: {vcs: 6, depth_flits: 4, packet_flits: 4, crossbar: vc, alloc_cycles: 2}\n",
      "topology: {kind: ft_ruft_222, k: 4, n: 2}\nrouting: {algorithm: ruft, parallel_links: dynamic}\n"
      "switch: {vcs: 2, depth_flits: 4, packet_flits: 2, flit_bits: 256}\n",
      "topology: {kind: ft_ruft_212, k: 2, n: 3}\nrouting: {algorithm: ruft}\n"
      "switch: {vcs: 1, depth_flits: 4, packet_flits: 4, route_cycles: 4}\n",
      "topology: {kind: fat_tree, k: 4, n: 2}\nrouting: {algorithm: misroute_header}\n"
      "switch: {vcs: 2, depth_flits: 3, packet_flits: 7, switching: wormhole, route_cycles: 3}\n",
      "topology: {kind: fat_tree, k: 3, n: 3}\nrouting: {algorithm: reroute_det_switch}\n"
      "switch: {vcs: 8, depth_flits: 2, packet_flits: 2, flit_bits: 512, alloc_cycles: 2}\n",
      "topology: {kind: torus, k: 4, n: 2}\nrouting: {algorithm: duato, mechanisms: {intermediate: 2}}\n"
      "switch: {vcs: 4, depth_flits: 16, packet_flits: 4}\n",
      "topology: {kind: torus, k: 4, n: 2}\nrouting: {algorithm: duato, mechanisms: {intermediate: 1, misroute: "
      "true}}\n"
      "switch: {vcs: 4, depth_flits: 16, packet_flits: 4, route_cycles: 1, crossbar: vc}\n",
      "topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: table}\n"
      "switch: {vcs: 2, depth_flits: 8, packet_flits: 4, switching: wormhole}\n",
  };
  memset(&seen, 0, sizeof seen);
  for (unsigned i = 0; i < sizeof networks / sizeof networks[0]; i++)
    for (unsigned j = i % SHARE; j < 4; j += SHARE) {
      char text[1024];
      snprintf(text, sizeof text,
               "%s"
               "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n"
               "%s"
               "run: {warmup_cycles: 100, measure_cycles: 1100, drain: false, seed: %u}\n",
               networks[i], j % 2 ? "0.6" : "0.1",
               j < 2 ? ""
               : strstr(networks[i], "detour") /* nodes fail, links do not */
                   ? "faults:\n"
                     "  - {at: 300, random_switches: 1, until: 700}\n"
                     "  - {at: 900, random_switches: 2}\n"
                   : "faults:\n"
                     "  - {at: 200, random_links: 1, until: 600}\n"
                     "  - {at: 300, random_switches: 1, until: 500}\n"
                     "  - {at: 1000, random_links: 1}\n",
               10 * i + j);
      compare(text, SHARE == 1 && j == 3);
    }
  assert_true(seen.unusual > 0);
  assert_true(seen.idle > 0 && seen.idle < seen.blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_over_shapes_and_loads), cmocka_unit_test(equal_through_faults),
      cmocka_unit_test(equal_with_timers_alone),     cmocka_unit_test(equal_with_several_vcs),
      cmocka_unit_test(equal_in_all_families),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
