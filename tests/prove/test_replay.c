/* SPDX-License-Identifier: Apache-2.0 */
/* test_replay.c - counter-examples as scenarios: the network is the one that was examined, with the faults of the set,
 * and a run of it shows the failure, or the text says that none did. */
#include "replay.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "deadlock.h"
#include "prove.h"
#include "scenario.h"
#include "scenario_facts.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "scenario_values.h"
#include "scenarios.h"
#include "topology_build.h"

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches;
  enum ut_failure kind;
  bool shown;
  const char *says;
} cases[] = {
    {"kind: torus, k: 4, n: 1", "vcs: 1, depth_flits: 8, packet_flits: 3, shortest_packet_flits: 2", "algorithm: dor",
     1, 0, UT_FAILURE_DISCARD, true, "as unreachable"},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: fta", 1, 0, UT_FAILURE_DISCARD, true, "as unreachable"},
    {"kind: fat_tree, k: 2, n: 3, link_cycles: 2", "vcs: 1",
     "algorithm: reroute_adaptive_link, reroute_clear: timer, reroute_timeout_cycles: 300", 2, 0, UT_FAILURE_DISCARD,
     true, "as unreachable"},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1", "algorithm: reroute_det_link", 2, 0, UT_FAILURE_LOOP, true,
     "go round for ever"},
    {"kind: torus, k: 4, n: 1, terminal_links: 2", "vcs: 1, depth_flits: 4, packet_flits: 2",
     "algorithm: dor_without_bubble", 0, 0, UT_FAILURE_CYCLE, true, "ends with a deadlock"},
    {"kind: torus, k: 4, n: 1, local_ports: 2", "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0",
     "algorithm: dor_without_bubble", 0, 0, UT_FAILURE_CYCLE, true, "ends with a deadlock"},
    {"kind: torus, k: 8, n: 1", "vcs: 1, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: dor_without_bubble", 0, 0, UT_FAILURE_CYCLE, true, "ends with a deadlock"},
    {"kind: mesh, sizes: [3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: ecube", 1,
     0, UT_FAILURE_DISCARD, true, "as unreachable"},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: ecube", 0, 1, UT_FAILURE_DISCARD, true, "as unreachable"},
    /* outside the fault model of the network: blocks that reach across it */
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 4, UT_FAILURE_LOOP, true, "go round for ever"},
};

/* An empty folder with an apostrophe in its name. */
static char *folder(void) {
  char *name = strdup("/tmp/test_replay's.XXXXXX");
  assert_true(name && mkdtemp(name));
  return name;
}

static void drop(char *name) {
  DIR *d = opendir(name);
  assert_non_null(d);
  for (const struct dirent *e; (e = readdir(d));) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", name, e->d_name);
    unlink(path);
  }
  closedir(d);
  assert_int_equal(rmdir(name), 0);
  free(name);
}

struct bench {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_prover prover;
  struct ut_fault_space *space;
  struct ut_counter_example example;
};

/* A counter-example of that kind. */
static void open_bench(struct bench *b, unsigned i) {
  struct ut_parallel parallel = {.workers = 1};
  struct ut_proof proof;
  struct ut_error e;
  b->scenario = test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                              cases[i].topology, cases[i].sw, cases[i].routing);
  b->space = calloc(1, sizeof *b->space);
  const unsigned total = cases[i].links + cases[i].switches;
  const struct ut_fault_request request = {.links = {cases[i].links, cases[i].links},
                                           .switches = {cases[i].switches, cases[i].switches},
                                           .total = {total, total},
                                           .limit = UINT64_MAX,
                                           .seed = 7};
  if (ut_topology_init(&b->topology, b->scenario, &e) || ut_prover_init(&b->prover, b->scenario, &b->topology, &e) ||
      ut_fault_space_init(b->space, &b->topology, &request, &e) ||
      ut_prove(b->scenario, &b->topology, b->space, NULL, &parallel, &proof, &e))
    fail_msg("case %u: %s", i, e.text);
  if (proof.first[cases[i].kind] == UINT64_MAX)
    fail_msg("case %u: no failure of that kind", i);
  if (ut_counter_example_find(&b->example, &b->prover, b->space, proof.first[cases[i].kind], cases[i].kind, &e))
    fail_msg("case %u: %s", i, e.text);
}

static void close_bench(struct bench *b) {
  ut_counter_example_free(&b->example);
  ut_prover_free(&b->prover);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
  free(b->space);
}

/* What the file describes is what was examined. */
static void same_network(const struct bench *b, const struct ut_scenario *s, const struct ut_network *n) {
  const struct ut_topology *t = &b->topology, *u = n->topology;
  assert_string_equal(u->kind, t->kind);
  assert_true(u->switches == t->switches && u->terminals == t->terminals && u->po == t->po && u->pi == t->pi);
  assert_true(u->injections == t->injections && u->ejections == t->ejections && u->channels == t->channels);
  for (size_t i = 0; i < (size_t)t->switches * t->po; i++)
    assert_true(u->peer[i].kind == t->peer[i].kind && u->peer[i].index == t->peer[i].index &&
                u->peer[i].port == t->peer[i].port);
  assert_string_equal(s->routing.algorithm, b->scenario->routing.algorithm);
  assert_int_equal(s->routing.reroute_clear, b->scenario->routing.reroute_clear);
  assert_int_equal(s->routing.reroute_timeout_cycles, b->scenario->routing.reroute_timeout_cycles);
  assert_int_equal(s->topology.link_cycles, b->scenario->topology.link_cycles);
  assert_int_equal(s->sw.vcs, b->scenario->sw.vcs);
  assert_int_equal(s->sw.switching, b->scenario->sw.switching);
  assert_int_equal(n->shape->min_packet, b->prover.explorer.group[0].shape.min_packet);
  assert_int_equal(s->sw.route_cycles, b->scenario->sw.route_cycles);
  assert_int_equal(s->fault_count, b->example.set.links + b->example.set.switches);
  for (uint32_t sw = 0; sw < t->switches; sw++) { /* in cycle 0 */
    bool failed = false;
    for (unsigned i = 0; i < b->example.set.switches; i++)
      failed |= b->example.set.sw[i] == sw;
    assert_int_equal(ut_faults_switch_up(&n->faults, sw), !failed);
  }
  for (unsigned i = 0; i < b->example.set.links; i++) {
    const struct ut_link *l = &t->link[b->example.set.link[i]];
    assert_false(ut_faults_link_up(&n->faults, l->lower, l->lower_port));
    assert_false(ut_faults_link_up(&n->faults, l->upper, l->upper_port));
  }
}

static bool fails(enum ut_failure kind, struct ut_network *n) {
  struct ut_watchdog w = {0};
  bool deadlock = false;
  while (!ut_network_done(n) && !deadlock) {
    ut_network_step(n);
    deadlock = ut_watchdog_check(&w, n);
  }
  ut_watchdog_free(&w);
  if (kind == UT_FAILURE_CYCLE)
    return deadlock;
  assert_false(deadlock);
  return kind == UT_FAILURE_LOOP ? ut_network_in_flight(n) > 0
                                 : n->terminals.accounts.discarded[UT_DISCARD_UNREACHABLE] > 0;
}

static void replays(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench b;
    struct ut_replay_report report;
    struct ut_network n;
    struct ut_error e;
    char *name = folder(), path[64];
    open_bench(&b, i);
    snprintf(path, sizeof path, "%s/r.yaml", name);
    if (ut_replay_write(&b.prover, &b.example, path, NULL, &report, &e))
      fail_msg("case %u: %s", i, e.text);
    if (report.shown != cases[i].shown || !strstr(report.text, cases[i].says))
      fail_msg("case %u: %s", i, report.text);
    struct ut_scenario *s = ut_scenario_load(path, &e);
    if (!s)
      fail_msg("case %u: %s", i, e.text);
    test_network(&n, s);
    ut_network_step(&n);
    same_network(&b, s, &n);
    assert_int_equal(fails(cases[i].kind, &n), cases[i].shown);
    ut_network_fini(&n);
    ut_scenario_free(s);
    drop(name);
    close_bench(&b);
  }
}

/* What no run shows: the scenario is there nevertheless, with the packet alone in its trace.  Its name has no dot. */
static void nothing_to_show(void **state) {
  (void)state;
  static const enum ut_failure kinds[] = {UT_FAILURE_NUMBERING, UT_FAILURE_ESCAPE, UT_FAILURE_BUBBLE,
                                          UT_FAILURE_LOOP /* which this network has not */};
  for (unsigned k = 0; k < 2 * (sizeof kinds / sizeof *kinds); k++) {
    const unsigned i = k / 2, network = k % 2; /* with the bubble rule, and without it */
    struct bench b;
    struct ut_replay_report report;
    struct ut_network n;
    struct ut_error e;
    char *name = folder(), path[64], trace[64], says[128], line[64] = "", expected[64];
    open_bench(&b, network);
    b.example.kind = kinds[i];
    if (network)
      b.scenario->sw.depth_flits = b.scenario->sw.packet_flits; /* no smaller buffers to try */
    snprintf(path, sizeof path, "%s/r", name);
    snprintf(trace, sizeof trace, "%s/r.trace", name);
    snprintf(says, sizeof says, "'%s' is nothing that a simulation shows; the packet is in the trace",
             ut_failure_name[kinds[i]]);
    if (ut_replay_write(&b.prover, &b.example, path, NULL, &report, &e))
      fail_msg("%s", e.text);
    if (report.shown)
      fail_msg("%s", report.text);
    if (kinds[i] == UT_FAILURE_LOOP)
      assert_non_null(strstr(report.text, "runs of the golden model showed the failure: it needs rarer choices"));
    else
      assert_string_equal(report.text, says);
    FILE *f = fopen(trace, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    snprintf(expected, sizeof expected, "20 %u %u %u\n", (unsigned)b.example.src, (unsigned)b.example.dst,
             b.scenario->sw.packet_flits);
    assert_string_equal(line, expected);
    struct ut_scenario *s = ut_scenario_load(path, &e);
    if (!s)
      fail_msg("%s", e.text);
    test_network(&n, s);
    ut_network_step(&n);
    same_network(&b, s, &n);
    ut_network_fini(&n);
    ut_scenario_free(s);
    drop(name);
    close_bench(&b);
  }
}

/* ---- templates */

static unsigned replayed;

/* All that a scenario says of its switches, and the elaborations that follow from it. */
static void same_switches(const char *path, const struct ut_scenario *first, const struct ut_topology *t,
                          const struct ut_scenario *s) {
  struct ut_topology u;
  struct ut_error e;
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++) {
    const bool examined = !strncmp(key->path, "topology.", 9) || !strncmp(key->path, "switch.", 7);
    if (examined && key->size && ut_value_whole(s, key) != ut_value_whole(first, key))
      fail_msg("%s: '%s' is %" PRIu64 ", in the replay %" PRIu64, path, key->path, ut_value_whole(first, key),
               ut_value_whole(s, key));
  }
  if (ut_topology_init(&u, s, &e))
    fail_msg("%s: %s", path, e.text);
  assert_int_equal(u.elaborations, t->elaborations);
  for (unsigned i = 0; i < u.elaborations; i++) {
    struct ut_shape expected, shape;
    assert_int_equal(ut_scenario_shape(first, &t->elaboration[i], &expected, &e), 0);
    assert_int_equal(ut_scenario_shape(s, &u.elaboration[i], &shape, &e), 0);
#define SAME(parameter, member)                                                                                        \
  if (shape.member != expected.member)                                                                                 \
    fail_msg("%s, elaboration %u: " #parameter " is %u, in the replay %u", path, i, expected.member, shape.member);
    UT_FOR_EACH_PARAMETER(SAME)
#undef SAME
  }
  ut_topology_free(&u);
}

/* Of packets of one length: a trace has no other ones. */
static void replay_of(const char *path) {
  struct bench b = {.example = {.kind = UT_FAILURE_ESCAPE, .src = 0, .dst = 1}}; /* one run is enough */
  struct ut_replay_report report;
  struct ut_error e;
  b.scenario = ut_scenario_load(path, &e);
  if (!b.scenario)
    fail_msg("%s", e.text);
  const bool can = !ut_scenario_planned(b.scenario) && !b.scenario->sw.local_first;
  if (can && b.scenario->sw.distribution == UT_LENGTHS_FIXED) {
    char *name = folder(), to[64];
    snprintf(to, sizeof to, "%s/r.yaml", name);
    if (ut_topology_init(&b.topology, b.scenario, &e) || ut_prover_init(&b.prover, b.scenario, &b.topology, &e) ||
        ut_replay_write(&b.prover, &b.example, to, NULL, &report, &e))
      fail_msg("%s: %s", path, e.text);
    struct ut_scenario *s = ut_scenario_load(to, &e);
    if (!s)
      fail_msg("%s: %s", path, e.text);
    same_switches(path, b.scenario, &b.topology, s);
    ut_scenario_free(s);
    drop(name);
    ut_prover_free(&b.prover);
    ut_topology_free(&b.topology);
    replayed++;
  }
  ut_scenario_free(b.scenario);
}

static void templates(void **state) {
  (void)state;
  DIR *d = opendir("scenarios/templates");
  assert_non_null(d);
  for (const struct dirent *entry; (entry = readdir(d));) {
    char path[300];
    snprintf(path, sizeof path, "scenarios/templates/%s", entry->d_name);
    if (strstr(path, ".yaml"))
      replay_of(path);
  }
  closedir(d);
  assert_in_range(replayed, 8, 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(replays), cmocka_unit_test(nothing_to_show),
                                     cmocka_unit_test(templates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
