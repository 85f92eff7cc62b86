/* SPDX-License-Identifier: Apache-2.0 */
/* test_network_rest.c - csim/network/network_rest.c, terminal_rest.c: a run that jumps cycles in which nothing happens
 * is the run that makes all of them, in every register of every switch and in all that is counted; how many cycles are
 * made does not depend on how long nothing happens. */
#include "deadlock.h"
#include "planned_routes.h"
#include "registers_equal.h"
#include "scenario_facts.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "stability_watch.h"
#include "threads.h"
#include "timeline.h"

enum { MOST_INTERVALS = 4096 };

/* A run, and who looks at it: as `run` does it. */
struct run {
  const char *name;
  struct ut_network n;
  struct ut_threads *threads;
  struct ut_stability_watch stability;
  struct ut_watchdog watchdog;
  struct ut_timeline timeline;
  struct ut_departures left;
  struct ut_interval interval[MOST_INTERVALS];
  size_t intervals;
  uint64_t steps, departed;
  bool deadlock;
};

static void keep(void *ctx, const struct ut_interval *i) {
  struct run *r = ctx;
  assert_true(r->intervals < MOST_INTERVALS);
  r->interval[r->intervals++] = *i;
}

enum { ATOMIC, THREADS, SPEC_STEPS, SPEC_CHECKS };
static void begin(struct run *r, const struct ut_scenario *s, const char *name, uint64_t every, int how) {
  memset(r, 0, sizeof *r);
  r->name = name;
  test_network(&r->n, s);
  if (how == THREADS) {
    assert_non_null(r->threads = ut_threads_start(3));
    assert_true(ut_network_use(&r->n, r->threads));
  } else if (how != ATOMIC) {
    assert_true(ut_network_use_spec(&r->n, how == SPEC_STEPS ? UT_SPEC_STEPS : UT_SPEC_CHECKS));
  }
  ut_departures_watch(&r->n);
  ut_stability_watch_start(&r->stability, &r->n);
  assert_true(ut_timeline_init(&r->timeline, &r->n, every, keep, r));
}

static void step(struct run *r) {
  ut_network_step(&r->n);
  r->steps++;
  ut_stability_watch_observe(&r->stability, &r->n);
  assert_true(ut_departures_take(&r->left, &r->n));
  for (size_t i = 0; i < r->left.count; i++) /* who has left, and when, whatever the order */
    r->departed += (r->left.list[i].sequence + 1) * (r->left.list[i].src + 1) * r->n.cycle;
  ut_timeline_observe(&r->timeline, &r->n, &r->left);
  r->deadlock |= ut_watchdog_check(&r->watchdog, &r->n);
  assert_true(!r->n.group->spec || ut_network_spec_differing(&r->n) == UINT32_MAX);
}

static void jump_and_step(struct run *r) {
  ut_network_skip(&r->n, ut_earlier(r->stability.next, ut_timeline_next(&r->timeline)));
  step(r);
}

static void end(struct run *r) {
  ut_watchdog_free(&r->watchdog);
  ut_timeline_free(&r->timeline);
  free(r->left.list);
  ut_network_fini(&r->n);
  ut_threads_end(r->threads);
}

/* ---- the same in all that will come, and in all that was */

#define SAME(member)                                                                                                   \
  if (a->member != b->member)                                                                                          \
  fail_msg("%s, cycle %llu: " #member " is %llu with all cycles, %llu with jumps", a->name,                            \
           (unsigned long long)a->n.cycle, (unsigned long long)a->member, (unsigned long long)b->member)

static void same_books(const struct run *a, const struct run *b) {
  SAME(n.terminals.accounts.generated);
  SAME(n.terminals.accounts.injected);
  SAME(n.terminals.accounts.delivered);
  SAME(n.terminals.accounts.latency);
  SAME(n.terminals.accounts.corrupt);
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    SAME(n.terminals.accounts.discarded[i]);
  SAME(n.terminals.window_flits);
  SAME(n.terminals.received_flits);
  SAME(n.flit_hops);
  SAME(departed);
  SAME(n.terminals.window_start);
  SAME(n.terminals.window_end);
  SAME(n.terminals.stop_generation);
  SAME(n.settling.since);
  SAME(n.settling.longest);
  SAME(watchdog.last);
  SAME(deadlock);
}

/* Terminals will do the same; when they look whether a packet is due that is far away is nobody's business. */
static bool terminals_agree(struct ut_network *a, struct ut_network *b) {
  const size_t size = a->terminals.rolls * sizeof *a->terminals.roll;
  void *rolls[2] = {malloc(size), malloc(size)};
  assert_true(rolls[0] && rolls[1]);
  memcpy(rolls[0], a->terminals.roll, size), memcpy(rolls[1], b->terminals.roll, size);
  ut_terminals_jump(&a->terminals, a->cycle), ut_terminals_jump(&b->terminals, b->cycle);
  const bool agree = ut_terminals_agree(&a->terminals, &b->terminals);
  memcpy(a->terminals.roll, rolls[0], size), memcpy(b->terminals.roll, rolls[1], size);
  free(rolls[0]), free(rolls[1]);
  return agree;
}

static void same_state(struct run *a, struct run *b) {
  struct ut_network *n = &a->n, *m = &b->n;
  for (uint32_t i = 0; i < n->topology->switches; i++) {
    const struct ut_group *g = ut_network_group(n, i), *h = ut_network_group(m, i);
    const struct ut_switch *x = ut_network_switch(n, i), *y = ut_network_switch(m, i);
    /* the spec has other words where no flit has been yet */
    const char *differs = h->spec ? differing_state(g, x, h, y) : differing_register(g, x, h, y);
    if (differs)
      fail_msg("%s, cycle %llu: switch %u: %s differs", a->name, (unsigned long long)n->cycle, (unsigned)i, differs);
  }
  if (!ut_network_wires_agree(n, m) || !terminals_agree(n, m))
    fail_msg("%s, cycle %llu: wires or terminals differ", a->name, (unsigned long long)n->cycle);
}

static void same_results(const struct run *a, const struct run *b) {
  SAME(n.cycle);
  SAME(intervals);
  for (size_t i = 0; i < a->intervals; i++)
    assert_memory_equal(&a->interval[i], &b->interval[i], sizeof a->interval[i]);
  const struct ut_stability_verdict v = ut_stability_watch_verdict(&a->stability, &a->n),
                                    w = ut_stability_watch_verdict(&b->stability, &b->n);
  assert_memory_equal(&v, &w, sizeof v);
  SAME(n.terminals.latency.count);
  SAME(n.terminals.latency.max);
  assert_memory_equal(a->n.terminals.latency.low, b->n.terminals.latency.low, sizeof a->n.terminals.latency.low);
  if (a->n.workload) {
    SAME(n.workload->completion);
    SAME(n.workload->resent);
    SAME(n.workload->open);
  }
}

/* Runs it twice.  least: cycles that are jumped at least, of 100. */
static void check(const char *name, const struct ut_scenario *s, uint64_t every, int how, unsigned least) {
  static struct run stepped, jumping;
  struct run *a = &stepped, *b = &jumping;
  begin(a, s, name, every, ATOMIC), begin(b, s, name, every, how);
  while (!ut_network_done(&b->n)) {
    const uint64_t jumped = b->n.jumped;
    jump_and_step(b);
    while (a->n.cycle < b->n.cycle && !ut_network_done(&a->n))
      step(a);
    SAME(n.cycle);
    same_books(a, b);
    if (b->n.jumped != jumped || b->steps % 16 == 0)
      same_state(a, b);
  }
  assert_true(ut_network_done(&a->n));
  assert_true(ut_network_use(&b->n, NULL)); /* all latencies in one place */
  ut_timeline_end(&a->timeline, &a->n), ut_timeline_end(&b->timeline, &b->n);
  same_results(a, b);
  assert_int_equal(a->n.jumped, 0);
  assert_int_equal(b->n.jumped + b->steps, b->n.cycle);
  if (b->n.jumped * 100 < least * b->n.cycle)
    fail_msg("%s: %llu of %llu cycles are jumped, expected %u %%", name, (unsigned long long)b->n.jumped,
             (unsigned long long)b->n.cycle, least);
  end(a), end(b);
}

/* ---- networks of all kinds */

struct kind {
  const char *name, *topology, *sw, *routing;
  const char *traffic; /* what begins with @ is a file's text: see check_kind() */
  const char *faults, *run;
  unsigned least;
};

static const struct kind kinds[] = {
    {"a trace around outages of links and of a switch", "kind: fat_tree, k: 2, n: 3, link_cycles: 16",
     "depth_flits: 8, packet_flits: 4",
     "algorithm: reroute_adaptive_link, reroute_timeout_cycles: 100, reroute_clear: timer",
     "trace @0 1 6 4\n5 2 7 4\n1200 0 5 1\n2003 0 7 4\n3000 2 6 4\n7300 0 6 2\n",
     "{at: 0, until: 100, link: {level: 0, switch: 1, port: 2}}, {at: 2000, until: 4000, random_links: 2}, "
     "{at: 2005, until: 5000, switch: {level: 1, switch: 1}}",
     "warmup_cycles: 0, measure_cycles: 12000", 60},
    {"terminals whose links are down", "kind: fat_tree, k: 2, n: 2", "depth_flits: 8, packet_flits: 4",
     "algorithm: fta", "trace @0 1 2 4\n1205 2 3 4\n1210 0 3 4\n1300 3 0 4\n2003 0 2 4\n5000 2 1 2\n",
     "{at: 1200, until: 1900, link: {level: 0, switch: 1, port: 0}}, {at: 100, link: {level: 0, switch: 0, port: 0}}",
     "warmup_cycles: 0, measure_cycles: 9000", 60},
    {"few packets in a torus, Bernoulli", "kind: torus, sizes: [3, 4]", "vcs: 2, depth_flits: 8, packet_flits: 4",
     "algorithm: duato", "load 0.0005", "{at: 3000, until: 9000, random_links: 2}",
     "warmup_cycles: 1000, measure_cycles: 15000", 30},
    {"the same, Poisson, until stable", "kind: torus, sizes: [3, 3]", "vcs: 2, depth_flits: 8, packet_flits: 4",
     "algorithm: duato", "load 0.0005, process: poisson", "",
     "warmup: until_stable, measure_cycles: 3000, max_cycles: 20000", 30},
    {"no load at all", "kind: mesh, sizes: [3, 3]", "vcs: 2, switching: wormhole, packet_flits: 20", "algorithm: duato",
     "load 0", "{at: 900, until: 1800, random_links: 2}", "warmup_cycles: 1000, measure_cycles: 15000", 70},
    {"tables that are written anew", "kind: fat_tree, k: 2, n: 3", "depth_flits: 8, packet_flits: 4",
     "algorithm: table, manager_delay_cycles: 700, manager_switch_cycles: 90",
     "trace @0 1 6 4\n5 2 7 4\n1200 0 5 1\n2003 0 7 4\n4000 2 6 4\n9300 0 6 2\n",
     "{at: 2000, until: 6000, link: {level: 0, switch: 1, port: 2}}", "warmup_cycles: 0, measure_cycles: 12000", 50},
    {"ways that terminals choose", "kind: ft_ruft_212, k: 2, n: 3, injection_cycles: 2, ejection_cycles: 4",
     "depth_flits: 6, packet_flits: 2", "algorithm: ruft, manager_delay_cycles: 500, manager_switch_cycles: 60",
     "trace @0 1 6 2\n5 2 7 2\n1200 0 5 1\n2003 0 7 2\n2600 0 7 2\n2800 5 7 2\n4000 2 6 2\n9300 0 6 2\n",
     "{at: 2000, until: 6000, random_links: 3}", "warmup_cycles: 0, measure_cycles: 12000", 50},
    {"nodes that fail and come back", "kind: hypercube, n: 4", "vcs: 2, packet_flits: 4, switching: wormhole",
     "algorithm: detour, purge_timeout_cycles: 300", "load 0.0005",
     "{at: 2000, until: 6000, switch: {level: 0, switch: 3}}, {at: 2000, switch: {level: 0, switch: 9}}, "
     "{at: 0, until: 800, switch: {level: 0, switch: 5}}",
     "warmup_cycles: 0, measure_cycles: 12000", 30},
    {"planned routes", "kind: torus, sizes: [4, 4]", "vcs: 3, depth_flits: 10, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", "load 0.0005", "{at: 0, random_links: 2}",
     "warmup_cycles: 0, measure_cycles: 12000", 30},
    {"routes that are planned anew", "kind: torus, sizes: [4, 4]", "vcs: 3, depth_flits: 10, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}, reconfiguration: static, manager_delay_cycles: 700, "
     "manager_switch_cycles: 40",
     "load 0.0005", "{at: 0, random_links: 1}, {at: 3000, until: 6000, random_links: 2}",
     "warmup_cycles: 0, measure_cycles: 12000", 30},
    {"tables for which traffic halts", "kind: fat_tree, k: 2, n: 3", "depth_flits: 8, packet_flits: 4",
     "algorithm: table, reconfiguration: static, manager_delay_cycles: 700, manager_switch_cycles: 90",
     "trace @0 1 6 4\n5 2 7 4\n1200 0 5 1\n2003 0 7 4\n4000 2 6 4\n9300 0 6 2\n",
     "{at: 2000, until: 6000, link: {level: 0, switch: 1, port: 2}}", "warmup_cycles: 0, measure_cycles: 12000", 50},
    {"computing, and lost messages sent again", "kind: torus, sizes: [3, 3]", "vcs: 2, depth_flits: 8, packet_flits: 4",
     "algorithm: duato",
     "goal @num_ranks 9\nrank 0 {\na: send 40b to 4\nb: calc 3000\nc: send 90b to 4\nb requires a\nc requires b\n}\n"
     "rank 4 {\na: recv 40b from 0\nb: calc 777\nc: recv 90b from 0\nd: calc 5\nc requires b\nd requires c\n}\n",
     "{at: 3300, until: 3900, switch: {level: 0, switch: 4}}", "measure_cycles: 90000", 80},
    {"messages with delays", "kind: fat_tree, k: 4, n: 2", "depth_flits: 16, packet_flits: 8", "algorithm: destro",
     "dependencies @a 0 9 100 delay 1500\nb 9 0 10 after a delay 2500\nc 5 3 900 delay 1\nd 3 0 8 after c delay 9000\n",
     "", "measure_cycles: 90000", 80},
    {"a workload that never ends", "kind: fat_tree, k: 2, n: 2", "depth_flits: 8, packet_flits: 4", "algorithm: fta",
     "dependencies @a 0 3 100 delay 1500\nb 3 0 10 after a delay 2500\n",
     "{at: 1000, link: {level: 0, switch: 0, port: 0}}", "measure_cycles: 50000", 0},
};

static struct ut_scenario *scenario_of(const struct kind *k, const char *path) {
  char traffic[256];
  const char *file = strchr(k->traffic, '@');
  const size_t word = strcspn(k->traffic, " ");
  if (file)
    snprintf(traffic, sizeof traffic, "pattern: %.*s, %.*s_file: %s%s", (int)word, k->traffic, (int)word,
             !strncmp(k->traffic, "dep", 3) ? "dependency" : k->traffic, path,
             !strncmp(k->traffic, "trace", 5) ? "" : ", resend_after_cycles: 400");
  else
    snprintf(traffic, sizeof traffic, "load_flits_per_cycle: %s", k->traffic + word + 1);
  return test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {%s}\nfaults: [%s]\nrun: {%s}\n",
                       k->topology, k->sw, k->routing, traffic, k->faults, k->run);
}

static void check_kind(const struct kind *k, uint64_t every, int how) {
  char path[UT_TEST_TRACE_PATH];
  const char *file = strchr(k->traffic, '@');
  test_write_trace(path, file ? file + 1 : "");
  struct ut_scenario *s = scenario_of(k, path);
  struct ut_error e;
  if (ut_scenario_planned(s) && ut_plan_scenario(s, &e))
    fail_msg("%s", e.text);
  check(k->name, s, every, how, every > 1000 ? k->least : 0);
  ut_scenario_free(s);
  remove(path);
}

static void all_kinds(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    check_kind(&kinds[i], 10000, ATOMIC);
    check_kind(&kinds[i], 97, ATOMIC + (int)i % 4);
  }
}

/* ---- how long nothing happens */

/* Cycles that are made of a run in which a terminal computes so long between two messages. */
static uint64_t steps_of(uint64_t gap, uint64_t *completion) {
  char path[UT_TEST_TRACE_PATH], text[400];
  static struct run one;
  struct run *r = &one;
  snprintf(text, sizeof text,
           "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: calc %llu\nc: send 8b to 1\nb requires a\nc requires b\n}\n"
           "rank 1 {\na: recv 8b from 0\nb: recv 8b from 0\n}\n",
           (unsigned long long)gap);
  test_write_trace(path, text);
  struct ut_scenario *s =
      test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                    "traffic: {pattern: goal, goal_file: %s}\nrun: {measure_cycles: 10000000000000}\n",
                    path);
  begin(r, s, "a gap", UINT64_MAX, ATOMIC);
  while (!ut_network_done(&r->n))
    jump_and_step(r);
  const uint64_t steps = r->steps;
  *completion = r->n.workload->completion;
  end(r);
  ut_scenario_free(s);
  remove(path);
  return steps;
}

static void steps_do_not_depend_on_the_gap(void **state) {
  (void)state;
  uint64_t shortest, completion;
  const uint64_t steps = steps_of(1000, &shortest);
  static const uint64_t gaps[] = {1001, 10000, 1000000, 1000000000, 1000000000000};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    assert_int_equal(steps_of(gaps[i], &completion), steps);
    assert_int_equal(completion - shortest, gaps[i] - 1000);
  }
}

/* ---- what is still to be done in a later cycle */

/* No packet, flit or credit is under way, and all switches are idle: each of these alone keeps the network awake. */
static void what_is_to_be_done_keeps_it_awake(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\n"
                                        "traffic: {load_flits_per_cycle: 0}\nrun: {measure_cycles: 1000}\n");
  test_network(&n, s);
  for (unsigned i = 0; i < 100; i++)
    ut_network_step(&n);
  const struct {
    const char *what;
    size_t *count;
  } later[] = {{"a channel that has changed is to be flushed once more", &n.changes},
               {"the ends of a channel that came back are to agree on a place", &n.resumes},
               {"a report of a switch is on its way to its neighbours", &n.notices}};
  for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
    assert_true(ut_network_is_at_rest(&n));
    *later[i].count = 1;
    if (ut_network_is_at_rest(&n))
      fail_msg("the network is at rest, expected: not, because %s", later[i].what);
    *later[i].count = 0;
  }
  ut_network_fini(&n);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_kinds), cmocka_unit_test(steps_do_not_depend_on_the_gap),
                                     cmocka_unit_test(what_is_to_be_done_keeps_it_awake)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
