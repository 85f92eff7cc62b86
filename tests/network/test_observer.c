/* SPDX-License-Identifier: Apache-2.0 */
/* test_observer.c - every figure of a run, counted a second time from what is on the wires (observer.h), must be the
 * same; and traffic must be what docs/reference/traffic.md says, as it is seen on the wires. */
#include <math.h>

#include "departures.h"
#include "observer.h"
#include "packet_log.h"
#include "scenario_read.h"
#include "timeline.h"

/* ---- runs of all families */

enum { MOST_OUTAGES = 3, EVERY = 50 };
struct look {
  const char *name, *text;
  unsigned need, choices; /* of terminals with one link: see observer.h */
  unsigned outages;
  struct outage outage[MOST_OUTAGES]; /* as the text says; of a link one of its ends */
  bool drains, discards;
  const char *pattern, *file; /* of traffic from a file, which the text does not have then */
};

/* Due before, in, and after the window; lines out of order; to itself. */
#define TRACE                                                                                                          \
  "0 0 3 5\n19 1 2 4\n20 2 1 3\n300 3 0 2\n20 2 0 5\n319 0 0 1\n320 1 3 4\n999 2 3 1\n# 4 1 1 1\n" TRACE_ROW(3)        \
      TRACE_ROW(4) TRACE_ROW(5) TRACE_ROW(6) TRACE_ROW(7) TRACE_ROW(8) TRACE_ROW(9)
#define TRACE_ROW(n)                                                                                                   \
#n "0 0 1 5\n" #n "0 1 0 5\n" #n "1 2 0 4\n" #n "3 3 1 3\n" #n "4 0 3 1\n" #n "4 1 3 2\n" #n "5 2 2 4\n" #n          \
     "5 3 2 5\n" #n "5 0 2 5\n" #n "6 1 2 5\n" #n "6 2 1 5\n" #n "6 3 0 5\n" #n "7 0 1 3\n" #n "7 1 0 3\n" #n          \
     "7 2 3 3\n" #n "7 3 1 3\n"

static const struct look looks[] = {
    {"fat tree, no drain",
     "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: fta}\n"
     "traffic: {load_flits_per_cycle: 0.6}\nrun: {warmup_cycles: 100, measure_cycles: 733, drain: false, seed: 3}\n",
     2,
     1,
     0,
     {{0}},
     false,
     false,
     NULL,
     NULL},
    {"fat tree, links down, bimodal",
     "topology: {kind: fat_tree, k: 3, n: 3}\n"
     "switch: {vcs: 2, depth_flits: 6, packet_flits: {distribution: bimodal, short: 1, long: 6, long_fraction: 0.3}}\n"
     "routing: {algorithm: reroute_adaptive_switch, reroute_timeout_cycles: 100}\n"
     "traffic: {load_flits_per_cycle: 0.5}\n"
     "faults:\n  - {at: 150, until: 400, link: {level: 0, switch: 1, port: 4}}\n"
     "  - {at: 300, until: 301, link: {level: 1, switch: 2, port: 1}}\n"
     "run: {warmup_cycles: 120, measure_cycles: 600, drain: true, seed: 5}\n",
     6,
     2,
     2,
     {{150, 400, 1, 4}, {300, 301, 11, 1}},
     true,
     true,
     NULL,
     NULL},
    {"fat tree, unreachable, long links",
     "topology: {kind: fat_tree, k: 2, n: 3, link_cycles: 3}\nswitch: {depth_flits: 8, packet_flits: 3}\n"
     "routing: {algorithm: fta}\ntraffic: {pattern: hot_spot, hot_spot_fraction: 0.3, load_flits_per_cycle: 0.2}\n"
     "faults:\n  - {at: 200, until: 450, link: {level: 2, switch: 0, port: 0}}\n"
     "run: {warmup_cycles: 0, measure_cycles: 600, drain: true, seed: 7}\n",
     3,
     1,
     1,
     {{200, 450, 8, 0}},
     true,
     true,
     NULL,
     NULL},
    {"fat tree, a switch fails",
     "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 2, route_cycles: 2}\n"
     "routing: {algorithm: reroute_adaptive_switch}\ntraffic: {load_flits_per_cycle: 0.5}\n"
     "faults:\n  - {at: 250, until: 500, switch: {level: 1, switch: 2}}\n"
     "run: {warmup_cycles: 200, measure_cycles: 400, drain: true, seed: 2}\n",
     2,
     1,
     1,
     {{250, 500, 6, UNKNOWN}},
     true,
     true,
     NULL,
     NULL},
    {"two layers of VCs, no faults, wormhole",
     "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {vcs: 4, depth_flits: 3, packet_flits: 5, switching: wormhole}\n"
     "routing: {algorithm: reroute_det_link}\ntraffic: {load_flits_per_cycle: 0.7}\n"
     "run: {warmup_cycles: 50, measure_cycles: 500, drain: true, seed: 2}\n",
     1,
     3,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
    {"torus, wires of two cycles, transpose",
     "topology: {kind: torus, sizes: [4, 4], link_cycles: 2, injection_cycles: 3}\n"
     "switch: {vcs: 3, depth_flits: 8, packet_flits: 4}\nrouting: {algorithm: duato}\n"
     "traffic: {pattern: transpose, load_flits_per_cycle: 0.4}\n"
     "run: {warmup_cycles: 77, measure_cycles: 400, drain: true, seed: 4}\n",
     4,
     3,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
    {"torus, saturated, Poisson, no drain",
     "topology: {kind: torus, sizes: [4, 3]}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 4}\n"
     "routing: {algorithm: dor}\ntraffic: {process: poisson, load_flits_per_cycle: 1}\n"
     "run: {warmup_cycles: 200, measure_cycles: 301, drain: false, seed: 4}\n",
     4,
     2,
     0,
     {{0}},
     false,
     false,
     NULL,
     NULL},
    {"mesh, two links a terminal",
     "topology: {kind: mesh, sizes: [3, 3], terminal_links: 2}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 2}\n"
     "routing: {algorithm: duato}\ntraffic: {load_flits_per_cycle: 0.5}\n"
     "run: {warmup_cycles: 60, measure_cycles: 500, drain: true, seed: 9}\n",
     0,
     0,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
    {"hypercube, wormhole",
     "topology: {kind: hypercube, n: 4}\nswitch: {vcs: 2, depth_flits: 2, packet_flits: 6, switching: wormhole}\n"
     "routing: {algorithm: adaptive_vin}\ntraffic: {pattern: complement, load_flits_per_cycle: 0.3}\n"
     "run: {warmup_cycles: 100, measure_cycles: 500, drain: true, seed: 9}\n",
     0,
     0,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
    {"hypercube, alone in a buffer",
     "topology: {kind: hypercube, n: 3}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 3}\n"
     "routing: {algorithm: detour}\ntraffic: {load_flits_per_cycle: 0.2}\n"
     "run: {warmup_cycles: 100, measure_cycles: 500, drain: true, seed: 9}\n",
     4,
     2,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
    {"ruft",
     "topology: {kind: ruft, k: 2, n: 4}\nswitch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: ruft}\n"
     "traffic: {pattern: shuffle, load_flits_per_cycle: 0.3}\n"
     "run: {warmup_cycles: 40, measure_cycles: 500, drain: true, seed: 9}\n",
     0,
     0,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
    {"ft_ruft_222",
     "topology: {kind: ft_ruft_222, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: "
     "ruft}\n"
     "traffic: {load_flits_per_cycle: 1.1}\nrun: {warmup_cycles: 40, measure_cycles: 500, drain: false, seed: 9}\n",
     0,
     0,
     0,
     {{0}},
     false,
     false,
     NULL,
     NULL},
    {"torus, links down",
     "topology: {kind: torus, sizes: [4, 4]}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 3}\n"
     "routing: {algorithm: duato}\ntraffic: {load_flits_per_cycle: 0.3}\n"
     "faults:\n  - {at: 150, until: 400, link: {level: 0, switch: 5, port: 0}}\n"
     "  - {at: 300, until: 320, link: {level: 0, switch: 9, port: 2}}\n"
     "run: {warmup_cycles: 120, measure_cycles: 500, drain: true, seed: 5}\n",
     3,
     2,
     2,
     {{150, 400, 5, 0}, {300, 320, 9, 2}},
     true,
     true,
     NULL,
     NULL},
    {"mesh, a trace, wormhole",
     "topology: {kind: mesh, sizes: [2, 2], ejection_cycles: 2}\n"
     "switch: {depth_flits: 2, packet_flits: 5, switching: wormhole}\nrouting: {algorithm: dor}\n"
     "run: {warmup_cycles: 20, measure_cycles: 300, drain: true}\n",
     1,
     1,
     0,
     {{0}},
     true,
     false,
     "trace",
     TRACE},
    {"fat tree, a permutation",
     "topology: {kind: fat_tree, k: 2, n: 2}\nswitch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: destro}\n"
     "run: {warmup_cycles: 100, measure_cycles: 800, drain: true, seed: 8}\n",
     2,
     1,
     0,
     {{0}},
     true,
     false,
     "permutation",
     "2\n0\n1\n1\n"},
    {"a collective",
     "topology: {kind: fat_tree, k: 2, n: 3}\nswitch: {depth_flits: 4, packet_flits: 4}\nrouting: {algorithm: fta}\n"
     "traffic: {pattern: all_reduce_ring, message_bytes: 2000}\n"
     "run: {warmup_cycles: 0, measure_cycles: 20000, drain: true, seed: 9}\n",
     4,
     1,
     0,
     {{0}},
     true,
     false,
     NULL,
     NULL},
};

struct intervals {
  struct observer *w;
  struct sums before;
  uint64_t count;
};

/* An interval of the timeline has ended: what the observer has seen since the last one, latencies of these apart. */
static void compare_interval(void *ctx, const struct ut_interval *i) {
  struct intervals *l = ctx;
  const struct sums *now = &l->w->all, *before = &l->before;
  assert_int_equal(i->from, l->count++ * EVERY);
  assert_int_equal(i->generated, now->generated - before->generated);
  assert_int_equal(i->injected, now->injected_flits - before->injected_flits);
  assert_int_equal(i->received, now->received - before->received);
  assert_int_equal(i->delivered, now->delivered - before->delivered);
  assert_int_equal(i->latency, now->latency - before->latency);
  assert_int_equal(i->longest, now->longest);
  assert_int_equal(i->discarded[UT_DISCARD_CUT_BY_FAULT], now->cut - before->cut);
  assert_int_equal(i->discarded[UT_DISCARD_UNREACHABLE], now->unreachable - before->unreachable);
  assert_int_equal(i->discarded[UT_DISCARD_IN_FAILED_SWITCH], now->in_switch - before->in_switch);
  assert_int_equal(i->in_flight, now->injected - now->delivered - now->cut - now->unreachable - now->in_switch);
  assert_int_equal(i->queued, now->generated - now->injected);
  l->w->all.longest = 0;
  l->before = *now;
}

/* A line of --packets. */
static void compare_packet(void *ctx, const struct ut_packet *line) {
  struct observer *w = ctx;
  assert_true(line->sequence < w->source[line->src].count);
  const struct sighting *p = &w->source[line->src].packet[line->sequence];
  assert_int_equal(line->generated, p->generated);
  assert_int_equal(line->injected, p->injected == UINT64_MAX ? UT_NEVER : p->injected + 1); /* then it is on the wire */
  assert_int_equal(line->hops, p->hops);
  assert_int_equal(line->u_turns, p->u_turns);
  assert_int_equal(line->detours, p->detours);
  assert_int_equal(line->fate == UT_DELIVERED, p->arrived != UINT64_MAX);
  assert_true(p->injected == UINT64_MAX || line->dst == p->dst);
  if (line->fate == UT_DELIVERED) {
    assert_int_equal(line->ended, p->arrived);
    assert_int_equal(line->flits, p->flits);
  }
  w->lines++;
}

/* Runs it to its end, with an observer, a timeline and lines of packets. */
static void run(struct observer *w, struct ut_network *n) {
  struct ut_timeline t;
  struct ut_departures left = {0};
  struct intervals list = {.w = w};
  struct ut_packet_log log;
  ut_departures_watch(n);
  assert_true(ut_timeline_init(&t, n, EVERY, compare_interval, &list));
  assert_true(ut_packet_log_init(&log, n, compare_packet, w));
  while (!ut_network_done(n)) {
    observer_step(w, n);
    assert_true(ut_departures_take(&left, n));
    ut_timeline_observe(&t, n, &left);
    assert_true(ut_packet_log_observe(&log, n, &left));
  }
  ut_packet_log_end(&log, n);
  assert_int_equal(w->lines, w->all.generated);
  ut_timeline_end(&t, n);
  assert_int_equal(list.count, (n->cycle + EVERY - 1) / EVERY);
  free(left.list);
  ut_timeline_free(&t);
  ut_packet_log_free(&log);
  observer_compare(w);
}

/* What a trace has in the window, and behind its end. */
static void compare_trace(const struct look *l, const struct observer *w) {
  uint64_t flits = 0, after = 0;
  for (const char *line = l->file; *line; line = strchr(line, '\n') + 1) {
    unsigned cycle, src, dst, length;
    if (sscanf(line, "%u %u %u %u", &cycle, &src, &dst, &length) != 4)
      continue;
    flits += cycle >= w->start && cycle < w->end ? length : 0;
    after += cycle >= w->end;
  }
  assert_int_equal(ut_traffic_flits(&w->n->traffic, w->start, w->end), flits);
  assert_int_equal(ut_traffic_packets_from(&w->n->traffic, w->end), after);
}

static struct ut_scenario *scenario_of(const struct look *l, char path[UT_TEST_TRACE_PATH]) {
  if (!l->file)
    return test_scenario("%s", l->text);
  test_write_trace(path, l->file);
  const bool loaded = !strcmp(l->pattern, "permutation");
  struct ut_scenario *s = test_scenario("%straffic: {pattern: %s, %s_file: %s%s}\n", l->text, l->pattern, l->pattern,
                                        path, loaded ? ", load_flits_per_cycle: 0.4" : "");
  return s;
}

static void every_figure_is_seen_on_the_wires(void **state) {
  unsigned changes = 0;
  (void)state;
  for (const struct look *l = looks; l != looks + sizeof looks / sizeof *looks; l++) {
    char path[UT_TEST_TRACE_PATH];
    struct ut_scenario *s = scenario_of(l, path);
    struct ut_network n;
    struct observer w;
    print_message("%s\n", l->name);
    test_network(&n, s);
    observer_init(&w, &n, l->outage, l->outages, l->need, l->choices);
    run(&w, &n);
    assert_true(w.all.delivered > 100 && (w.start == 0 || n.workload || w.latencies < w.all.delivered));
    assert_int_equal(l->discards, w.all.cut + w.all.unreachable + w.all.in_switch > 0);
    assert_int_equal(l->drains, w.all.injected == w.all.delivered + w.all.cut + w.all.unreachable + w.all.in_switch);
    assert_true(n.workload || l->drains || n.cycle == w.end);
    if (n.workload)
      assert_int_equal(n.workload->start + n.workload->completion, w.last + 1);
    if (n.traffic.pattern->trace)
      compare_trace(l, &w);
    if (l->file)
      remove(path);
    changes += w.changes;
    observer_fini(&w);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_true(changes >= 4); /* of what switches report, by links that go down and come back */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_figure_is_seen_on_the_wires)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
