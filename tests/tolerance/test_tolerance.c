/* SPDX-License-Identifier: Apache-2.0 */
/* test_tolerance.c - csim/tolerance/tolerance, up_down, parallel */
#include "tolerance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fault_orbits.h"
#include "oracle.h"
#include "scenario_read.h"
#include "topologies.h"
#include "topology_build.h"
#include "up_down.h"

static bool broken(const struct ut_topology *t, const struct ut_fault_set *set, uint32_t sw, unsigned port) {
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *l = &t->link[set->link[i]];
    if ((l->lower == sw && l->lower_port == port) || (l->upper == sw && l->upper_port == port))
      return true;
  }
  return false;
}

/* A path by plain recursion: any hops, or only up, then down. */
static bool path(const struct ut_topology *t, const struct ut_fault_set *set, uint32_t from, uint32_t to, bool any,
                 bool going_down, bool *seen) {
  if (from == to)
    return true;
  if (seen[2 * from + going_down])
    return false;
  seen[2 * from + going_down] = true;
  for (unsigned port = 0; port < t->po; port++) {
    const struct ut_peer *p = &t->peer[(size_t)from * t->po + port];
    bool up = t->up_ports >> port & 1;
    if (p->kind != UT_PEER_SWITCH || broken(t, set, from, port) || (going_down && up && !any))
      continue;
    if (path(t, set, p->index, to, any, !any && !up, seen))
      return true;
  }
  return false;
}

static bool all_paths(const struct ut_topology *t, const struct ut_fault_set *set, bool any) {
  bool seen[2 * 64];
  for (uint32_t a = 0; a < t->switches && t->level[a] == 0; a++)
    for (uint32_t b = 0; b < t->switches && t->level[b] == 0; b++) {
      memset(seen, 0, sizeof seen);
      if (!path(t, set, a, b, any, false, seen))
        return false;
    }
  return true;
}

static void make_space(struct ut_fault_space *space, const struct ut_topology *t, unsigned from, unsigned to,
                       uint64_t limit, uint64_t samples) {
  struct ut_error e;
  struct ut_fault_request request = {
      .links = {from, to}, .total = {from, to}, .limit = limit, .samples = samples, .seed = 3};
  assert_int_equal(ut_fault_space_init(space, t, &request, &e), 0);
}

/* A tree of one level: each switch is a leaf, and there is no other one to reach. */
static void one_level(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_up_down x;
  struct ut_error e;
  struct ut_scenario *s = oracle_scenario(2, 1, "fta", 0, "");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_true(ut_up_down_init(&x, &t));
  assert_int_equal(x.leaves, 1);
  ut_up_down_survey(&x, (const ut_mask[]){3});
  assert_true(ut_up_down_connected(&x));
  ut_up_down_fini(&x);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* Every switch that a way down (with `rises`: up and then down) over links that are up leads to; seen:
 * [switches][rises]. */
static void visit(const struct ut_topology *t, const ut_mask *up, uint32_t sw, bool rises, bool (*seen)[2]) {
  if (seen[sw][rises])
    return;
  seen[sw][rises] = true;
  UT_FOR_EACH (port, up[sw]) {
    const bool upwards = t->up_ports >> port & 1;
    const struct ut_peer *to = &t->peer[(size_t)sw * t->po + port];
    if (to->kind == UT_PEER_SWITCH && (rises || !upwards))
      visit(t, up, to->index, upwards, seen);
  }
}

static void compare_survey(struct ut_up_down *x, const ut_mask *up) {
  const struct ut_topology *t = x->topology;
  bool connected = true, (*down)[2] = malloc(t->switches * sizeof *down), (*any)[2] = malloc(t->switches * sizeof *any);
  ut_up_down_survey(x, up);
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    memset(down, 0, t->switches * sizeof *down), memset(any, 0, t->switches * sizeof *any);
    visit(t, up, sw, false, down), visit(t, up, sw, true, any);
    for (uint32_t leaf = 0; leaf < x->leaves; leaf++) {
      const bool reaches = any[leaf][0] || any[leaf][1];
      assert_int_equal(ut_up_down_below(x, sw, leaf), down[leaf][0]);
      assert_int_equal(ut_up_down_reaches(x, sw, leaf), reaches);
      connected &= t->level[sw] > 0 || reaches;
    }
  }
  assert_int_equal(ut_up_down_connected(x), connected);
  free(down), free(any);
}

/* With ever fewer links; 81 leaf switches are more than a word of a set has, 64 just as many. */
static void leaves_of_several_words(void **state) {
  (void)state;
  static const unsigned tree[][2] = {{3, 5}, {4, 4}, {3, 3}};
  for (unsigned i = 0; i < 3; i++) {
    struct ut_topology t;
    struct ut_up_down x;
    struct ut_error e;
    assert_int_equal(test_fat_tree(&t, tree[i][0], tree[i][1], 0, false, &e), 0);
    ut_mask *up = calloc(t.switches, sizeof *up);
    assert_true(up && ut_up_down_init(&x, &t));
    for (unsigned round = 0; round < 4; round++) {
      for (size_t l = 0; l < t.links; l++) {
        const bool works = !round || (l * 7 + round) % (64 >> 2 * round);
        const ut_mask lower = ut_bit(t.link[l].lower_port), upper = ut_bit(t.link[l].upper_port);
        up[t.link[l].lower] = works ? up[t.link[l].lower] | lower : up[t.link[l].lower] & ~lower;
        up[t.link[l].upper] = works ? up[t.link[l].upper] | upper : up[t.link[l].upper] & ~upper;
      }
      compare_survey(&x, up);
    }
    ut_up_down_fini(&x), free(up);
    ut_topology_free(&t);
  }
}

/* More than there are, of classes of links. */
static void too_many(void **state) {
  (void)state;
  static struct ut_fault_space space;
  struct ut_topology t;
  struct ut_error e;
  struct ut_scenario *s = oracle_scenario(2, 2, "fta", 0, "");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  for (unsigned classes = 0; classes <= UT_CLASS_NETWORK; classes += UT_CLASS_NETWORK) {
    const struct ut_fault_request request = {.links = {1, 5}, .total = {1, 5}, .classes = classes, .limit = UINT64_MAX};
    assert_int_equal(ut_fault_space_init(&space, &t, &request, &e), -1);
    assert_non_null(strstr(e.text, "this fat_tree has 4 links between switches"));
  }
  struct ut_fault_request all = {.links = {1, 5}, .total = {1, 5}, .limit = UINT64_MAX};
  all.classes = UT_CLASS_NETWORK | UT_CLASS_INJECTION | UT_CLASS_EJECTION;
  assert_int_equal(ut_fault_space_init(&space, &t, &all, &e), 0);
  all.links[1] = 99;
  assert_int_equal(ut_fault_space_init(&space, &t, &all, &e), -1);
  assert_non_null(strstr(e.text, " links that may fail"));
  ut_topology_free(&t);
  ut_scenario_free(s);
}

/* A network, and every fault set of a space by itself. */
struct trial {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_fault_space space;
};

static struct trial *trial_new(unsigned k, unsigned n, const char *algorithm, unsigned vcs) {
  struct trial *x = calloc(1, sizeof *x);
  struct ut_error e;
  x->scenario = oracle_scenario(k, n, algorithm, vcs, "");
  assert_non_null(x->scenario);
  assert_int_equal(ut_topology_init(&x->topology, x->scenario, &e), 0);
  return x;
}

/* Asks about each set, shows it to `look` (NULL: to nobody), and compares the sums with those of ut_tolerance_run. */
static void every_set(struct trial *x, void (*look)(const struct trial *x, const struct ut_fault_set *set,
                                                    const bool fails[UT_METHODS])) {
  struct ut_tolerance *result = calloc(1, sizeof *result);
  struct ut_parallel parallel = {.workers = 2};
  struct ut_error e;
  struct ut_tolerance_test *test = ut_tolerance_test_new(x->scenario, &x->topology, &e);
  assert_non_null(test);
  uint64_t sum[UT_MAX_BLOCKS][UT_METHODS] = {{0}};
  for (uint64_t i = 0; i < x->space.count; i++) {
    struct ut_fault_set set;
    bool fails[UT_METHODS];
    size_t block = (size_t)(ut_fault_space_get(&x->space, i, &set) - x->space.block);
    assert_int_equal(ut_tolerance_test_set(test, &set, fails, &e), 0);
    if (look)
      look(x, &set, fails);
    for (unsigned m = 0; m < UT_METHODS; m++)
      sum[block][m] += fails[m];
  }
  assert_int_equal(ut_tolerance_run(x->scenario, &x->topology, &x->space, &parallel, result, &e), 0);
  for (unsigned b = 0; b < x->space.blocks; b++) {
    assert_int_equal(result->sets[b], x->space.block[b].count);
    for (unsigned m = 0; m < UT_METHODS; m++)
      assert_int_equal(result->not_tolerated[b][m], sum[b][m]);
  }
  ut_tolerance_test_free(test);
  ut_topology_free(&x->topology);
  ut_scenario_free(x->scenario);
  free(result);
  free(x);
}

static void like_recursion(const struct trial *x, const struct ut_fault_set *set, const bool fails[UT_METHODS]) {
  struct oracle *o = oracle_new();
  assert_int_equal(fails[UT_RECONFIGURATION], !all_paths(&x->topology, set, false));
  assert_int_equal(fails[UT_PHYSICAL], !all_paths(&x->topology, set, true));
  for (unsigned shared = 0; shared < 2; shared++) {
    assert_true(oracle_run(o, x->scenario, set, shared));
    assert_int_equal(fails[shared ? UT_LOCAL_SHARED : UT_LOCAL], o->discards || o->loops || o->wrong);
    oracle_free(o);
  }
  free(o);
}

static void compare(unsigned k, unsigned n, const char *algorithm, unsigned from, unsigned to, uint64_t limit,
                    uint64_t samples) {
  struct trial *x = trial_new(k, n, algorithm, 0);
  make_space(&x->space, &x->topology, from, to, limit, samples);
  every_set(x, like_recursion);
}

static void like_the_oracle(void **state) {
  (void)state;
  compare(2, 3, "reroute_adaptive_link", 0, 3, 300, 60);
  compare(2, 3, "reroute_det_link", 2, 4, 130, 60);
  compare(3, 2, "reroute_adaptive_link", 3, 5, 10, 40);
  compare(3, 2, "misroute_header", 3, 4, 10, 40);
  compare(2, 3, "fta", 0, 1, 300, 60);
}

/* Counting by orbits gives what every set by itself gives. */
static void orbits(unsigned k, unsigned n, const char *algorithm, unsigned vcs, unsigned faults) {
  struct trial *x = trial_new(k, n, algorithm, vcs);
  make_space(&x->space, &x->topology, 1, faults, UINT64_MAX, 0);
  every_set(x, NULL);
}

/* Switch faults beside them: only sets of links alone go by orbits. */
static void orbits_beside_switches(unsigned k, unsigned n, const char *algorithm, unsigned from, unsigned to) {
  struct trial *x = trial_new(k, n, algorithm, 0);
  struct ut_error e;
  const struct ut_fault_request request = {
      .links = {0, to}, .switches = {0, 2}, .total = {from, to}, .limit = 3000, .samples = 50, .seed = 3};
  assert_int_equal(ut_fault_space_init(&x->space, &x->topology, &request, &e), 0);
  every_set(x, NULL);
}

/* Nearly all links: few sets, but of too many orders for the weights of orbits. */
static void nearly_all_links(void) {
  struct trial *x = trial_new(2, 4, "reroute_adaptive_link", 0);
  make_space(&x->space, &x->topology, 46, 46, 2000, 100);
  assert_true(x->space.block[0].exhaustive && x->space.block[0].count == 1128);
  every_set(x, NULL);
}

/* Of four links all sets, by orbits; of five some that are drawn, which are no orbits. */
static void samples_beside_orbits(void) {
  struct trial *x = trial_new(2, 3, "reroute_adaptive_link", 0);
  make_space(&x->space, &x->topology, 4, 5, 3000, 50);
  assert_true(x->space.block[0].exhaustive && x->space.block[0].count == 1820);
  assert_true(!x->space.block[1].exhaustive && x->space.block[1].count == 50);
  every_set(x, NULL);
}

/* On the way to 12 of 16 links there are more orbits, of 6, than half the sets of 12: each set by itself. */
static void more_orbits_than_worth(void) {
  struct trial *x = trial_new(2, 3, "misroute_header", 0);
  make_space(&x->space, &x->topology, 12, 12, UINT64_MAX, 0);
  assert_int_equal(x->space.block[0].count, 1820);
  every_set(x, NULL);
}

static void orbits_like_every_set(void **state) {
  (void)state;
  orbits(2, 3, "reroute_adaptive_link", 0, 5);
  orbits(3, 2, "reroute_adaptive_link", 0, 4);
  orbits(4, 2, "reroute_adaptive_link", 0, 4);
  orbits(2, 4, "reroute_adaptive_link", 0, 3);
  orbits(2, 3, "fta", 0, 4);
  orbits(2, 3, "destro", 0, 4);
  orbits(2, 3, "misroute_header", 0, 5);
  orbits(2, 3, "reroute_adaptive_switch", 0, 5);
  orbits(2, 3, "reroute_det_link", 2, 4);
  orbits(2, 3, "reroute_det_switch", 3, 4);
  orbits(3, 3, "misroute_header", 0, 2);
  orbits(3, 3, "reroute_adaptive_switch", 0, 2);
  orbits_beside_switches(2, 3, "reroute_adaptive_link", 2, 4);
  orbits_beside_switches(3, 2, "fta", 0, 3);
  nearly_all_links();
  samples_beside_orbits();
  more_orbits_than_worth();
}

/* Sets of so many faults, in all their orders, are fewer than 10^38: by whole numbers. */
static void weights_that_fit(void **state) {
  (void)state;
  const ut_orbit_weight most = (ut_orbit_weight)UINT64_C(10000000000000000000) * UINT64_C(10000000000000000000);
  unsigned too_large = 0;
  for (unsigned links = 1; links <= 200; links++) {
    ut_orbit_weight orders = 1;
    bool fits = true;
    for (unsigned faults = 0; faults < links; faults++) {
      assert_int_equal(ut_fault_orbits_fit(links, faults), fits);
      fits &= orders <= (most - 1) / (links - faults);
      orders *= links - faults;
      too_large += !fits;
    }
  }
  assert_true(too_large > 0);
  /* 10^38 itself, as near as a double comes to it, and a little less */
  assert_false(ut_fault_orbits_fit(UINT64_C(10000000000000000000), 2));
  assert_true(ut_fault_orbits_fit(UINT64_C(9999999999999990000), 2));
}

/* 2-ary 3-tree, counted by hand. */
static void by_hand(void **state) {
  (void)state;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_tolerance *r = calloc(1, sizeof *r);
  struct ut_parallel parallel = {.workers = 1};
  struct ut_topology t;
  struct ut_error e;
  struct ut_scenario *s = oracle_scenario(2, 3, "reroute_adaptive_link", 0, "");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  make_space(space, &t, 0, 2, UINT64_MAX, 0);
  assert_int_equal(ut_tolerance_run(s, &t, space, &parallel, r, &e), 0);
  assert_int_equal(r->sets[0], 1);
  assert_int_equal(r->sets[1], 16);
  assert_int_equal(r->sets[2], 120);
  for (unsigned m = 0; m < UT_METHODS; m++)
    assert_int_equal(r->not_tolerated[0][m] + r->not_tolerated[1][m], 0);
  /* only the two up links of one of the four leaf switches cut the graph */
  assert_int_equal(r->not_tolerated[2][UT_PHYSICAL], 4);
  /* A group of two upper and two lower switches has 4 links: 6 pairs, 2 with the lower switch in common, 2 with the
   * upper one, 2 disjoint ones.  Local rerouting fails with all 6 in the two groups above the leaf switches, and in the
   * two groups below the roots with all but those of a root (which nobody can enter any more): 12 + 8. */
  assert_int_equal(r->not_tolerated[2][UT_LOCAL], 20);
  assert_int_equal(r->not_tolerated[2][UT_LOCAL_SHARED], 20);
  /* Up, then down: 2 + 2 in each of the two groups above the leaf switches; 2 x 2 x 2 where a leaf switch on the left
   * has only one half of the tree and a leaf switch on the right only the other one. */
  assert_int_equal(r->not_tolerated[2][UT_RECONFIGURATION], 16);
  ut_topology_free(&t);
  ut_scenario_free(s);
  free(space);
  free(r);
}

static void close_to(double a, double b) {
  if (fabs(a - b) > 1e-6)
    fail_msg("%.9f is not %.9f", a, b);
}

/* Clopper-Pearson intervals: closed forms at the ends, a published value in the middle. */
static void intervals(void **state) {
  (void)state;
  double low, high;
  ut_confidence(0, 20000, 0.95, &low, &high);
  close_to(low, 0);
  close_to(high, 1 - pow(0.025, 1.0 / 20000));
  ut_confidence(20000, 20000, 0.95, &low, &high);
  close_to(low, pow(0.025, 1.0 / 20000));
  close_to(high, 1);
  ut_confidence(5, 10, 0.95, &low, &high);
  close_to(low, 0.187086);
  close_to(high, 0.812914);
  ut_confidence(1, 10, 0.95, &low, &high); /* 1 - 0.975^(1/10) */
  close_to(low, 0.0025286);
}

/* ---- processes */

struct sum {
  uint64_t items, total;
};

static int add(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  struct sum *sum = result;
  uint64_t from, to;
  while (ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to; i++) {
      if (ctx && i == *(uint64_t *)ctx)
        return ut_fail(e, UT_INTERNAL, "item %d", (int)i);
      sum->items++;
      sum->total += i;
    }
  return 0;
}

static void processes(void **state) {
  (void)state;
  struct sum part[8];
  struct ut_error e;
  for (unsigned workers = 1; workers < 6; workers++) {
    struct ut_parallel p = {.workers = workers, .items = 1001, .chunk = 10, .result_size = sizeof *part};
    struct sum sum = {0};
    assert_int_equal(ut_parallel_workers(&p), workers);
    assert_int_equal(ut_parallel_run(&p, add, part, &e), 0);
    for (unsigned i = 0; i < workers; i++) {
      sum.items += part[i].items;
      sum.total += part[i].total;
    }
    assert_int_equal(sum.items, 1001);
    assert_int_equal(sum.total, 500500);
    uint64_t bad = 77;
    p.ctx = &bad;
    assert_int_equal(ut_parallel_run(&p, add, part, &e), -1); /* the error comes back from its process */
    assert_string_equal(e.text, "item 77");
  }
}

/* ---- networks of any form, each switch with a terminal */

/* Hops between all switches without faults, by Floyd and Warshall: [64][64]. */
static void hops_of(const struct ut_topology *t, unsigned hops[64][64]) {
  for (uint32_t a = 0; a < t->switches; a++)
    for (uint32_t b = 0; b < t->switches; b++)
      hops[a][b] = a == b ? 0 : 1000;
  for (size_t i = 0; i < t->links; i++)
    hops[t->link[i].lower][t->link[i].upper] = hops[t->link[i].upper][t->link[i].lower] = 1;
  for (uint32_t via = 0; via < t->switches; via++)
    for (uint32_t a = 0; a < t->switches; a++)
      for (uint32_t b = 0; b < t->switches; b++)
        if (hops[a][via] + hops[via][b] < hops[a][b])
          hops[a][b] = hops[a][via] + hops[via][b];
}

/* Whether a packet that takes any link that works towards `to`, a hop nearer each time, always finds one. */
static bool arrives(const struct ut_topology *t, const struct ut_fault_set *set, unsigned hops[64][64], uint32_t at,
                    uint32_t to) {
  bool one = at == to, all = true;
  for (unsigned port = 0; port < t->po && at != to; port++) {
    const struct ut_peer *p = &t->peer[(size_t)at * t->po + port];
    if (p->kind != UT_PEER_SWITCH || broken(t, set, at, port) || hops[p->index][to] + 1 != hops[at][to])
      continue;
    one = true;
    all &= arrives(t, set, hops, p->index, to);
  }
  return one && all;
}

/* Switches by the tables without faults, new tables and the links themselves, each against a computation of its own. */
static void like_shortest_paths(const struct trial *x, const struct ut_fault_set *set, const bool fails[UT_METHODS]) {
  const struct ut_topology *t = &x->topology;
  static unsigned hops[64][64];
  bool local = true;
  hops_of(t, hops);
  for (uint32_t a = 0; a < t->switches; a++)
    for (uint32_t b = 0; b < t->switches; b++)
      local &= arrives(t, set, hops, a, b);
  const bool connected = all_paths(t, set, true);
  if (fails[UT_LOCAL] == local || fails[UT_LOCAL_SHARED] == local || fails[UT_RECONFIGURATION] == connected ||
      fails[UT_PHYSICAL] == connected)
    fail_msg("%u links: local %d, reconfiguration %d, physical %d; expected %d, %d, %d", set->links, fails[UT_LOCAL],
             fails[UT_RECONFIGURATION], fails[UT_PHYSICAL], !local, !connected, !connected);
}

static void any_form(void **state) {
  (void)state;
  static const char *const networks[] = {"kind: dragonfly, routers: 2, global_links: 1",
                                         "kind: hyperx, sizes: [3, 3], cables: [1, 2]", "kind: slim_fly, q: 3",
                                         "kind: hyperx, sizes: [2, 2, 2]"};
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    struct trial *x = calloc(1, sizeof *x);
    struct ut_error e;
    char text[256];
    snprintf(
        text, sizeof text,
        "topology: {%s}\nrouting: {algorithm: forwarding, planner: minimal}\ntraffic: {load_flits_per_cycle: 0.1}\n",
        networks[i]);
    x->scenario = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
    if (!x->scenario)
      fail_msg("%s: %s", networks[i], e.text);
    assert_int_equal(ut_topology_init(&x->topology, x->scenario, &e), 0);
    make_space(&x->space, &x->topology, 0, 4, 400, 100);
    every_set(x, like_shortest_paths);
  }
}

/* Up*-down* tables: whatever is connected they connect; and a single link of a router with terminals at both ends is
 * lost until there are new tables. */
static void updown_connects(const struct trial *x, const struct ut_fault_set *set, const bool fails[UT_METHODS]) {
  const bool connected = all_paths(&x->topology, set, true);
  assert_int_equal(fails[UT_PHYSICAL], !connected);
  assert_int_equal(fails[UT_RECONFIGURATION], !connected);
  assert_true(fails[UT_LOCAL] || connected);
  if (set->links == 1)
    assert_true(fails[UT_LOCAL]);
}

static void by_up_down(void **state) {
  (void)state;
  static const char text[] = "topology: {kind: dragonfly, routers: 2, global_links: 1}\n"
                             "routing: {algorithm: table}\ntraffic: {load_flits_per_cycle: 0.1}\n";
  struct trial *x = calloc(1, sizeof *x);
  struct ut_error e;
  x->scenario = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  assert_non_null(x->scenario);
  assert_int_equal(ut_topology_init(&x->topology, x->scenario, &e), 0);
  make_space(&x->space, &x->topology, 0, 6, 400, 100);
  every_set(x, updown_connects);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_form),
      cmocka_unit_test(by_up_down),
      cmocka_unit_test(like_the_oracle),
      cmocka_unit_test(orbits_like_every_set),
      cmocka_unit_test(by_hand),
      cmocka_unit_test(intervals),
      cmocka_unit_test(processes),
      cmocka_unit_test(one_level),
      cmocka_unit_test(too_many),
      cmocka_unit_test(weights_that_fit),
      cmocka_unit_test(leaves_of_several_words),
  };
  return cmocka_run_group_tests_name("tolerance", tests, NULL, NULL);
}
