/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the lines about all packets: each is what a journey that follows the packet says, for every packet of runs
 * of all families with faults while they run; all together are what the network has counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "deadlock.h"
#include "distance.h"
#include "journey.h"
#include "packet_log.h"
#include "planned_routes.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

enum { MOST = 20000 };

/* The lines of a run, in their order. */
struct lines {
  struct ut_packet line[MOST];
  size_t count;
};

static void keep(void *ctx, const struct ut_packet *p) {
  struct lines *l = ctx;
  assert_true(l->count < MOST);
  l->line[l->count++] = *p;
}

struct run {
  struct ut_scenario *scenario;
  struct ut_network n;
  struct ut_threads *threads;
  struct ut_watchdog watchdog;
  struct ut_departures left;
  struct ut_packet_log log;
};

static void begin(struct run *r, const char *text, unsigned threads, struct lines *lines) {
  struct ut_error e;
  *r = (struct run){.scenario = test_scenario("%s", text)};
  if (ut_plan_scenario(r->scenario, &e))
    fail_msg("%s", e.text);
  test_network(&r->n, r->scenario);
  if (threads > 1) {
    assert_non_null(r->threads = ut_threads_start(threads));
    assert_true(ut_network_use(&r->n, r->threads));
  }
  lines->count = 0;
  ut_departures_watch(&r->n);
  assert_true(ut_packet_log_init(&r->log, &r->n, keep, lines));
}

static bool step(struct run *r) {
  if (ut_network_done(&r->n) || ut_watchdog_check(&r->watchdog, &r->n))
    return false;
  ut_network_step(&r->n);
  assert_true(ut_departures_take(&r->left, &r->n));
  assert_true(ut_packet_log_observe(&r->log, &r->n, &r->left));
  return true;
}

static void end(struct run *r) {
  assert_int_equal(r->log.strays, 0);
  ut_packet_log_free(&r->log);
  free(r->left.list);
  ut_watchdog_free(&r->watchdog);
  ut_network_fini(&r->n);
  ut_threads_end(r->threads);
  ut_scenario_free(r->scenario);
}

/* ---- against journeys */

/* The same by a search through the network. */
static unsigned detours(const struct ut_journey *j, const struct ut_topology *t) {
  uint16_t *distance = malloc(t->switches * sizeof *distance);
  unsigned count = 0;
  assert_non_null(distance);
  assert_true(ut_distances(t, NULL, ut_topology_attachment(t, j->dst).sw, distance));
  for (size_t i = 0; i < j->hops && t->levels == 1 && !t->up_ports; i++) {
    const struct ut_peer *to = &t->peer[(size_t)j->hop[i].sw * t->po + j->hop[i].out_port];
    count += j->hop[i].gone && to->kind == UT_PEER_SWITCH && distance[to->index] >= distance[j->hop[i].sw];
  }
  free(distance);
  return count;
}

static void compare(const struct ut_packet *p, const struct ut_journey *j, const struct ut_topology *t) {
  const bool over = ut_journey_over(j);
  unsigned hops = 0;
  assert_int_not_equal(j->state, UT_JOURNEY_LOST_SIGHT);
  if (p->fate == UT_PACKET_QUEUED) {
    assert_int_equal(j->state, UT_JOURNEY_QUEUED);
    assert_true(p->injected == UT_NEVER && p->ended == UT_NEVER && !p->hops);
    return;
  }
  for (size_t i = 0; i < j->hops; i++)
    hops += j->hop[i].gone;
  assert_int_equal(p->dst, j->dst);
  assert_int_equal(p->flits, j->flits);
  assert_int_equal(p->generated, j->generated);
  assert_int_equal(p->injected, j->headers ? j->injected : UT_NEVER);
  assert_int_equal(p->fate, j->state == UT_JOURNEY_DELIVERED   ? (unsigned)UT_DELIVERED
                            : j->state == UT_JOURNEY_DISCARDED ? (unsigned)j->reason
                                                               : UT_PACKET_IN_FLIGHT);
  assert_int_equal(p->ended, over ? j->ended : UT_NEVER);
  assert_int_equal(p->hops, hops);
  assert_int_equal(p->u_turns, ut_journey_u_turns(j));
  assert_int_equal(p->detours, detours(j, t));
}

/* What all runs together have shown. */
struct totals {
  uint64_t fate[UT_PACKET_QUEUED + 1], u_turns, detours, unsent;
};

static void compare_all(const char *text, struct lines *lines, struct totals *totals) {
  struct run r;
  begin(&r, text, 1, lines);
  const uint32_t terminals = r.n.topology->terminals;
  struct ut_journey *journey = calloc(MOST, sizeof *journey);
  uint64_t *next = calloc(terminals, sizeof *next);
  uint32_t *first = calloc(MOST, sizeof *first); /* those that may still change */
  size_t count = 0, active = 0;
  for (uint32_t i = 0; i < terminals; i++) {
    ut_journey_init(&journey[count], i, next[i]++);
    first[active++] = (uint32_t)count++;
  }
  while (step(&r))
    for (size_t i = 0; i < active; i++) {
      struct ut_journey *j = &journey[first[i]];
      const bool queued = j->state == UT_JOURNEY_QUEUED;
      ut_journey_observe(j, &r.n);
      assert_false(j->failure);
      if (queued && j->state != UT_JOURNEY_QUEUED) {
        assert_true(count < MOST);
        ut_journey_init(&journey[count], j->src, next[j->src]++);
        first[active++] = (uint32_t)count++;
      }
      if (ut_journey_over(j))
        first[i--] = first[--active];
    }
  const size_t left = lines->count;
  ut_packet_log_end(&r.log, &r.n);
  assert_int_equal(lines->count, r.n.terminals.accounts.generated);
  uint64_t hops = 0, u_turns = 0, fate[UT_PACKET_QUEUED + 1] = {0};
  for (size_t i = 0; i < lines->count; i++) {
    const struct ut_packet *p = &lines->line[i];
    struct ut_journey queued;
    ut_journey_init(&queued, p->src, p->sequence);
    const struct ut_journey *j = NULL;
    for (size_t k = 0; k < count && !j; k++)
      if (journey[k].src == p->src && journey[k].sequence == p->sequence)
        j = &journey[k];
    compare(p, j ? j : &queued, r.n.topology);
    /* in their order */
    if (i > 0 && i != left) {
      const struct ut_packet *before = p - 1;
      assert_true(before->ended < p->ended ||
                  (before->ended == p->ended &&
                   (before->src < p->src || (before->src == p->src && before->sequence < p->sequence))));
    }
    assert_int_equal(p->ended == UT_NEVER, i >= left);
    fate[p->fate]++;
    hops += p->hops;
    u_turns += p->u_turns;
    totals->detours += p->detours;
    totals->unsent += p->fate < UT_DISCARD_REASONS && p->injected == UT_NEVER;
  }
  const struct ut_accounts *a = &r.n.terminals.accounts;
  assert_int_equal(fate[UT_DELIVERED], a->delivered);
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    assert_int_equal(fate[i], a->discarded[i]);
  assert_int_equal(fate[UT_PACKET_IN_FLIGHT], ut_network_in_flight(&r.n));
  assert_int_equal(fate[UT_PACKET_QUEUED], ut_terminals_queued(&r.n.terminals));
  assert_int_equal(u_turns, ut_network_u_turns(&r.n));
  if (r.scenario->sw.packet_flits == 1)
    assert_int_equal(hops, r.n.flit_hops);
  for (unsigned i = 0; i <= UT_PACKET_QUEUED; i++)
    totals->fate[i] += fate[i];
  totals->u_turns += u_turns;
  for (size_t i = 0; i < count; i++)
    ut_journey_free(&journey[i]);
  free(journey);
  free(next);
  free(first);
  end(&r);
}

/* Faults of the beginning, short ones, overlapping ones; links that carry much come back. */
#define TREE_FAULTS                                                                                                    \
  "faults:\n"                                                                                                          \
  "  - {at: 0, random_links: 1}\n"                                                                                     \
  "  - {at: 100, until: 101, random_links: 3}\n"                                                                       \
  "  - {at: 150, until: 300, random_switches: 1}\n"                                                                    \
  "  - {at: 200, until: 350, switch: {level: 0, switch: 2}}\n"                                                         \
  "  - {at: 250, until: 280, link: {level: 0, switch: 4, port: 1}}\n"                                                  \
  "  - {at: 300, until: 301, link: {level: 0, switch: 5, port: 0}}\n"
#define GRID_FAULTS                                                                                                    \
  "faults:\n"                                                                                                          \
  "  - {at: 0, random_links: 2}\n"                                                                                     \
  "  - {at: 0, link: {level: 0, switch: 1, port: 1}}\n"                                                                \
  "  - {at: 150, until: 151, random_links: 2}\n"                                                                       \
  "  - {at: 200, until: 300, random_switches: 1}\n"                                                                    \
  "  - {at: 250, until: 330, link: {level: 0, switch: 4, port: 0}}\n"
#define NODE_FAULTS                                                                                                    \
  "faults:\n  - {at: 100, switch: {level: 0, switch: 6}}\n  - {at: 200, until: 400, switch: {level: 0, switch: 9}}\n"
#define RUFT_FAULTS                                                                                                    \
  "faults:\n"                                                                                                          \
  "  - {at: 0, link: {level: 0, switch: 1, port: 1}}\n"                                                                \
  "  - {at: 100, until: 300, link: {level: 1, switch: 3, port: 1}}\n"                                                  \
  "  - {at: 200, until: 250, injection: {terminal: 9, link: 0}}\n"                                                     \
  "  - {at: 250, until: 400, ejection: {terminal: 4, link: 0}}\n"
#define PURGES                                                                                                         \
  "faults:\n"                                                                                                          \
  "  - {at: 30, random_switches: 3}\n"                                                                                 \
  "  - {at: 200, until: 320, random_switches: 3}\n"                                                                    \
  "  - {at: 210, until: 300, random_switches: 2}\n"
#define RUN "run: {warmup_cycles: 0, measure_cycles: 400, watchdog_cycles: 200, drain_limit_cycles: 200, seed: %u}\n"
#define LOAD(x) "traffic: {pattern: uniform, load_flits_per_cycle: " x "}\n"

static const char *const texts[] = {
    "topology: {kind: fat_tree, k: 3, n: 3}\nswitch: {vcs: 1, depth_flits: 1, packet_flits: 1}\n"
    "routing: {algorithm: reroute_adaptive_link}\n" LOAD("0.2") TREE_FAULTS RUN,
    "topology: {kind: fat_tree, k: 3, n: 3, link_cycles: 4}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 2}\n"
    "routing: {algorithm: misroute_header}\n" LOAD("0.3") TREE_FAULTS RUN,
    "topology: {kind: fat_tree, k: 3, n: 3}\nswitch: {vcs: 3, depth_flits: 4, packet_flits: 4, crossbar: vc}\n"
    "routing: {algorithm: reroute_adaptive_switch}\n" LOAD("0.9") TREE_FAULTS RUN,
    "topology: {kind: fat_tree, k: 2, n: 4}\nswitch: {vcs: 1, depth_flits: 4, packet_flits: 4}\n"
    "routing: {algorithm: table, tables: reconfigured, manager_delay_cycles: 50, manager_switch_cycles: 3}\n" LOAD(
        "0.3") TREE_FAULTS RUN,
    "topology: {kind: torus, k: 4, n: 2, local_ports: 2}\n"
    "switch: {vcs: 3, depth_flits: 12, packet_flits: 4, route_cycles: 1}\n"
    "routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}}\n" LOAD("0.2")
        GRID_FAULTS RUN,
    "topology: {kind: torus, k: 3, n: 3, link_cycles: 3}\n"
    "switch: {vcs: 5, depth_flits: 16, packet_flits: 5, route_cycles: 0, alloc_cycles: 2, crossbar: vc}\n"
    "routing: {algorithm: dor, mechanisms: {intermediate: 3}}\n" LOAD("0.2") GRID_FAULTS RUN,
    "topology: {kind: mesh, sizes: [3, 2, 2, 2]}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 4}\n"
    "routing: {algorithm: direction_order, mechanisms: {misroute: true}}\n" LOAD("0.2") GRID_FAULTS RUN,
    "topology: {kind: mesh, sizes: [4, 4], terminal_links: 2}\nswitch: {vcs: 3, depth_flits: 150, packet_flits: 1}\n"
    "routing: {algorithm: duato}\n" LOAD("0.6") GRID_FAULTS RUN,
    "topology: {kind: mesh, sizes: [5, 5], link_cycles: 2}\nrouting: {algorithm: detour, purge_timeout_cycles: 100, "
    "beyond_fault_model: true}\n"
    "switch: {vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole}\n" LOAD("0.2") NODE_FAULTS RUN,
    "topology: {kind: torus, sizes: [5, 5]}\nrouting: {algorithm: detour, purge_timeout_cycles: 100, "
    "beyond_fault_model: "
    "true}\n"
    "switch: {vcs: 4, depth_flits: 4, packet_flits: 6, switching: wormhole}\n" LOAD("0.2") NODE_FAULTS RUN,
    "topology: {kind: hypercube, n: 5}\nrouting: {algorithm: detour, purge_timeout_cycles: 100, beyond_fault_model: "
    "true}\n"
    "switch: {vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole}\n" LOAD("0.3") NODE_FAULTS RUN,
    "topology: {kind: ruft, k: 4, n: 2, link_cycles: 3, injection_cycles: 2, ejection_cycles: 5}\n"
    "routing: {algorithm: ruft, manager_delay_cycles: 50, manager_switch_cycles: 2}\n"
    "switch: {vcs: 2, depth_flits: 8, packet_flits: 4}\n" LOAD("0.4") RUFT_FAULTS RUN,
    "topology: {kind: ft_ruft_212, k: 4, n: 2, injection_cycles: 1, ejection_cycles: 4}\n"
    "routing: {algorithm: ruft, manager_delay_cycles: 50, manager_switch_cycles: 2}\n"
    "switch: {vcs: 1, depth_flits: 8, packet_flits: 4, route_cycles: 1}\n" LOAD("0.4") RUFT_FAULTS RUN,
    "topology: {kind: ft_ruft_222, k: 4, n: 2, injection_cycles: 6}\n"
    "routing: {algorithm: ruft, manager_delay_cycles: 50, manager_switch_cycles: 2}\n"
    "switch: {vcs: 2, depth_flits: 8, packet_flits: 1}\n" LOAD("0.8") RUFT_FAULTS RUN,
    "topology: {kind: hypercube, n: 4}\nrouting: {algorithm: detour, purge_timeout_cycles: 10, beyond_fault_model: "
    "true}\n"
    "switch: {vcs: 2, depth_flits: 2, packet_flits: 8, switching: wormhole}\n" LOAD("1") PURGES RUN,
};
enum { TEXTS = sizeof texts / sizeof *texts };

static void every_line_is_a_journey(void **state) {
  (void)state;
  struct lines *lines = malloc(sizeof *lines);
  struct totals totals = {0};
  char text[2048];
  assert_non_null(lines);
  for (unsigned i = 0; i < TEXTS; i++) {
    snprintf(text, sizeof text, texts[i], i + 3);
    compare_all(text, lines, &totals);
  }
  free(lines);
  assert_true(totals.fate[UT_DELIVERED] > 15000 && totals.u_turns > 50 && totals.detours > 50 && totals.unsent > 20);
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    assert_true(totals.fate[i] > (i == UT_DISCARD_PURGED ? 3 : 20));
  assert_true(totals.fate[UT_PACKET_IN_FLIGHT] > 20 && totals.fate[UT_PACKET_QUEUED] > 20);
}

/* A tag is the packet's number modulo 256.  Packet 0 waits behind three long ones while 257 others of its source go:
 * packets with the same tag are in one buffer, in one switch, and in two; they differ in where they go to. */
struct same_tag {
  const char *topology, *algorithm;
  unsigned long_src[3];
  unsigned dst, other, way; /* of packet 0, of the others, of packet 256 */
  bool behind;              /* packet 256 takes the VC of packet 0: two others take the rest, and wait, too */
};

static void follow_one_tag(const struct same_tag *c, struct lines *lines) {
  char text[1024], name[UT_TEST_TRACE_PATH], *trace = malloc(8192), *at = trace;
  struct totals totals = {0};
  assert_non_null(trace);
  for (unsigned i = 0; i < 3; i++)
    at += sprintf(at, "10 %u %u 225\n", c->long_src[i], c->dst);
  at += sprintf(at, "255 0 %u 1\n", c->dst);
  for (unsigned i = 1; i < 258; i++) {
    const bool waits = c->behind && (i == 254 || i == 255);
    at += sprintf(at, "260 0 %u %u\n", waits ? c->dst : i == 256 ? c->way : c->other, waits ? 20 : 1);
  }
  assert_true(at < trace + 8192);
  test_write_trace(name, trace);
  snprintf(text, sizeof text,
           "topology: {%s}\nswitch: {vcs: 3, depth_flits: 250, packet_flits: 225}\nrouting: {algorithm: %s}\n"
           "traffic: {pattern: trace, trace_file: %s}\nrun: {warmup_cycles: 0, measure_cycles: 2000}\n",
           c->topology, c->algorithm, name);
  compare_all(text, lines, &totals);
  remove(name);
  free(trace);
  assert_int_equal(totals.fate[UT_DELIVERED], 261);
  const struct ut_packet *packet[2] = {NULL, NULL};
  for (size_t i = 0; i < lines->count; i++)
    if (!lines->line[i].src && lines->line[i].sequence % 256 == 0)
      packet[lines->line[i].sequence / 256] = &lines->line[i];
  assert_true(packet[0] && packet[1] && packet[0]->dst == c->dst && packet[1]->dst == c->way);
  assert_true(packet[1]->injected + 300 < packet[0]->ended); /* they are in the network together */
  assert_int_equal(packet[1]->ended > packet[0]->ended, c->behind || c->way == c->dst);
}

static void packets_with_one_tag(void **state) {
  (void)state;
  struct lines *lines = malloc(sizeof *lines);
  static const struct same_tag cases[] = {
      {"kind: fat_tree, k: 5, n: 1, ejection_cycles: 12", "fta", {2, 3, 4}, 1, 2, 2, true},
      {"kind: fat_tree, k: 5, n: 1", "fta", {2, 3, 4}, 1, 2, 2, false},
      {"kind: mesh, sizes: [3], local_ports: 4", "dor", {9, 10, 11}, 8, 4, 4, false},
      {"kind: mesh, sizes: [3], local_ports: 4", "dor", {9, 10, 11}, 8, 4, 9, true},
      {"kind: mesh, sizes: [3], local_ports: 4", "dor", {9, 10, 11}, 8, 4, 8, false}, /* to the same one */
  };
  assert_non_null(lines);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    follow_one_tag(&cases[i], lines);
  free(lines);
}

/* Two packets with one tag and one destination, in a tree of one switch, number 0. */
static void follow_twins(const char *trace, const char *faults, struct lines *lines, const struct ut_packet *twin[2]) {
  char text[1024], name[UT_TEST_TRACE_PATH];
  struct totals totals = {0};
  test_write_trace(name, trace);
  snprintf(text, sizeof text,
           "topology: {kind: fat_tree, k: 6, n: 1}\nswitch: {vcs: 3, depth_flits: 250, packet_flits: 245}\n"
           "routing: {algorithm: fta}\ntraffic: {pattern: trace, trace_file: %s}\nfaults: [%s]\n"
           "run: {warmup_cycles: 0, measure_cycles: 2000}\n",
           name, faults);
  compare_all(text, lines, &totals);
  remove(name);
  for (size_t i = 0; i < lines->count; i++)
    for (unsigned k = 0; k < 2; k++)
      if (lines->line[i].src == 1 && lines->line[i].dst == twin[k]->dst && lines->line[i].sequence == twin[k]->sequence)
        twin[k] = &lines->line[i];
}

/* The older one is at its terminal, whose number is that of the switch, which the newer one leaves.  Three long packets
 * share the terminal's link; the first one of them ends early, and leaves its VC to the newer one. */
static void twin_of_one_that_arrives(struct lines *lines) {
  char *trace = malloc(8192), *at = trace;
  const struct ut_packet a = {.dst = 0, .sequence = 0}, b = {.dst = 0, .sequence = 256}, *twin[2] = {&a, &b};
  assert_non_null(trace);
  at += sprintf(at, "10 2 0 245\n130 1 0 245\n130 3 0 245\n");
  for (unsigned i = 1; i < 257; i++)
    at += sprintf(at, "140 1 %u 1\n", i < 256 ? 4 : 0);
  assert_true(at < trace + 8192);
  follow_twins(trace, "", lines, twin);
  free(trace);
  assert_true(twin[0] != &a && twin[1] != &b && twin[0]->fate == UT_DELIVERED && twin[1]->ended < twin[0]->ended);
}

/* The older one was discarded where the newer one goes on; an even older one is still there. */
static void twin_of_one_that_is_lost(struct lines *lines) {
  char *trace = malloc(8192), *at = trace;
  const struct ut_packet a = {.dst = 5, .sequence = 1}, b = {.dst = 5, .sequence = 257}, *twin[2] = {&a, &b};
  assert_non_null(trace);
  for (unsigned i = 0; i < 3; i++)
    at += sprintf(at, "10 %u 0 245\n", 2 + i);
  at += sprintf(at, "255 1 0 1\n");
  for (unsigned i = 1; i < 258; i++)
    at += sprintf(at, "260 1 %u 1\n", i % 256 == 1 ? 5 : 2);
  assert_true(at < trace + 8192);
  follow_twins(trace, "{at: 200, until: 300, link: {level: 0, switch: 0, port: 5}}", lines, twin);
  free(trace);
  assert_true(twin[0] != &a && twin[1] != &b && twin[0]->fate == UT_DISCARD_UNREACHABLE &&
              twin[1]->fate == UT_DELIVERED);
  for (size_t i = 0; i < lines->count; i++)
    if (lines->line[i].src == 1 && !lines->line[i].sequence)
      assert_true(lines->line[i].ended > twin[1]->ended);
}

static void twins(void **state) {
  (void)state;
  struct lines *lines = malloc(sizeof *lines);
  assert_non_null(lines);
  twin_of_one_that_arrives(lines);
  twin_of_one_that_is_lost(lines);
  free(lines);
}

/* The same lines in the same order. */
static void threads_change_nothing(void **state) {
  (void)state;
  struct lines *lines = malloc(2 * sizeof *lines);
  char text[2048];
  assert_non_null(lines);
  for (unsigned i = 0; i < TEXTS; i++) {
    snprintf(text, sizeof text, texts[i], i + 4);
    for (unsigned threads = 0; threads < 2; threads++) {
      struct run r;
      begin(&r, text, 1 + 2 * threads, &lines[threads]);
      while (step(&r))
        ;
      ut_packet_log_end(&r.log, &r.n);
      end(&r);
    }
    assert_int_equal(lines[0].count, lines[1].count);
    for (size_t k = 0; k < lines->count; k++) {
      const struct ut_packet *a = &lines[0].line[k], *b = &lines[1].line[k];
      assert_true(a->src == b->src && a->sequence == b->sequence && a->ended == b->ended && a->hops == b->hops &&
                  a->fate == b->fate && a->injected == b->injected && a->detours == b->detours &&
                  a->u_turns == b->u_turns);
    }
  }
  free(lines);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_line_is_a_journey),
      cmocka_unit_test(packets_with_one_tag),
      cmocka_unit_test(twins),
      cmocka_unit_test(threads_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
