/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a run in intervals: against what is counted here cycle by cycle, and against the network's accounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "registers.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "timeline.h"

enum { MOST = 200 };
struct list {
  struct ut_interval interval[MOST];
  size_t count;
};

static void keep(void *ctx, const struct ut_interval *i) {
  struct list *l = ctx;
  assert_true(l->count < MOST);
  l->interval[l->count++] = *i;
}

static const char text[] = "topology: {kind: fat_tree, k: 3, n: 3}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 4}\n"
                           "routing: {algorithm: reroute_adaptive_link}\n"
                           "traffic: {pattern: uniform, load_flits_per_cycle: 0.4}\n"
                           "faults:\n"
                           "  - {at: 0, link: {level: 0, switch: 1, port: 4}}\n"
                           "  - {at: 100, until: 200, switch: {level: 0, switch: 2}}\n"
                           "  - {at: 150, until: 151, link: {level: 0, switch: 4, port: 1}}\n"
                           "  - {at: 249, until: 250, link: {level: 0, switch: 5, port: 3}}\n"
                           "  - {at: 250, until: 300, link: {level: 0, switch: 5, port: 0}}\n"
                           "  - {at: 260, until: 400, link: {level: 0, switch: 5, port: 0}}\n"
                           "run: {warmup_cycles: %u, measure_cycles: 400, seed: 3, drain: %s}\n";

/* The flits in all buffers, one by one. */
static uint64_t buffered(const struct ut_network *n) {
  uint64_t flits = 0;
  for (uint32_t s = 0; s < n->topology->switches; s++)
    for (unsigned ip = 0; ip < n->topology->pi; ip++)
      for (unsigned v = 0; v < n->v; v++)
        flits += ut_reg_count(ut_network_group(n, s), ut_network_switch(n, s), ip, v);
  return flits;
}

static void sums(const struct list *l, const struct ut_network *n, uint64_t every) {
  const struct ut_accounts *a = &n->terminals.accounts;
  struct ut_interval sum = {0};
  uint64_t window = 0;
  for (size_t i = 0; i < l->count; i++) {
    const struct ut_interval *t = &l->interval[i];
    assert_int_equal(t->from, i * every);
    assert_int_equal(t->until, i + 1 < l->count || n->cycle % every == 0 ? (i + 1) * every : n->cycle);
    sum.generated += t->generated;
    sum.injected += t->injected;
    sum.delivered += t->delivered;
    sum.latency += t->latency;
    sum.longest = t->longest > sum.longest ? t->longest : sum.longest;
    for (unsigned r = 0; r < UT_DISCARD_REASONS; r++)
      sum.discarded[r] += t->discarded[r];
    window += t->from >= n->terminals.window_start && t->until <= n->terminals.window_end ? t->received : 0;
  }
  assert_int_equal(sum.generated, a->generated);
  assert_int_equal(sum.injected, a->injected_flits);
  assert_int_equal(sum.delivered, a->delivered);
  for (unsigned r = 0; r < UT_DISCARD_REASONS; r++)
    assert_int_equal(sum.discarded[r], a->discarded[r]);
  assert_true(sum.discarded[UT_DISCARD_CUT_BY_FAULT] && sum.discarded[UT_DISCARD_IN_FAILED_SWITCH]);
  if (n->terminals.window_start % every == 0 && 100 % every == 0)
    assert_int_equal(window, n->terminals.window_flits);
  const struct ut_histogram *h = &n->terminals.latency;
  assert_true(sum.longest >= h->max && sum.latency >= h->sum);
  if (n->terminals.window_start == 0) /* all packets are counted */
    assert_true(sum.longest == h->max && sum.latency == h->sum && sum.delivered == h->count);
}

static void run(uint64_t every, unsigned warmup, const char *drain) {
  struct ut_scenario *s = test_scenario(text, warmup, drain);
  struct ut_network n;
  struct ut_timeline t;
  struct ut_departures left = {0};
  struct list list = {.count = 0};
  test_network(&n, s);
  ut_departures_watch(&n);
  assert_true(ut_timeline_init(&t, &n, every, keep, &list));
  while (!ut_network_done(&n)) {
    const size_t before = list.count;
    ut_network_step(&n);
    assert_true(ut_departures_take(&left, &n));
    ut_timeline_observe(&t, &n, &left);
    if (list.count == before)
      continue;
    const struct ut_interval *i = &list.interval[before];
    const uint64_t last = n.cycle - 1; /* the faults of that cycle are there at its end */
    assert_int_equal(i->until, n.cycle);
    assert_int_equal(i->buffered, buffered(&n));
    assert_int_equal(i->buffered, ut_network_buffered(&n));
    assert_int_equal(i->in_flight, ut_network_in_flight(&n));
    assert_int_equal(i->queued, ut_terminals_queued(&n.terminals));
    assert_int_equal(i->switches_down, last >= 100 && last < 200);
    assert_int_equal(i->links_down, 1 + (last == 150) + (last == 249) + (last >= 250 && last < 400));
  }
  ut_timeline_end(&t, &n);
  assert_int_equal(list.count, (n.cycle + every - 1) / every);
  sums(&list, &n, every);
  free(left.list);
  ut_timeline_free(&t);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

static void intervals_add_up(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++)
    for (uint64_t every = 5; every <= 600; every += every % 10 == 5 && every < 60 ? 5 : 37)
      run(every, i == 2 ? 0 : 100, i ? "true" : "false");
}

/* Of packets that are all counted: the same latencies as the report's. */
static void latencies_are_those_of_the_report(void **state) {
  (void)state;
  struct ut_scenario *s = test_scenario("topology: {kind: hypercube, n: 4}\nrouting: {algorithm: detour}\n"
                                        "switch: {vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole}\n"
                                        "traffic: {load_flits_per_cycle: 0.2}\n"
                                        "run: {warmup_cycles: 0, measure_cycles: 300}\n");
  struct ut_network n;
  struct ut_timeline t;
  struct ut_departures left = {0};
  struct list list = {.count = 0};
  uint64_t sum = 0, longest = 0, count = 0;
  test_network(&n, s);
  ut_departures_watch(&n);
  assert_true(ut_timeline_init(&t, &n, 50, keep, &list));
  while (!ut_network_done(&n)) {
    ut_network_step(&n);
    assert_true(ut_departures_take(&left, &n));
    ut_timeline_observe(&t, &n, &left);
  }
  ut_timeline_end(&t, &n);
  for (size_t i = 0; i < list.count; i++) {
    sum += list.interval[i].latency;
    count += list.interval[i].delivered;
    longest = list.interval[i].longest > longest ? list.interval[i].longest : longest;
  }
  assert_true(count > 100);
  assert_int_equal(count, n.terminals.latency.count);
  assert_int_equal(sum, n.terminals.latency.sum);
  assert_int_equal(longest, n.terminals.latency.max);
  assert_int_equal(list.interval[list.count - 1].in_flight, 0);
  assert_int_equal(list.interval[list.count - 1].buffered, 0);
  free(left.list);
  ut_timeline_free(&t);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_add_up),
      cmocka_unit_test(latencies_are_those_of_the_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
