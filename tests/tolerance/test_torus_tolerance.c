/* SPDX-License-Identifier: Apache-2.0 */
/* test_torus_tolerance.c - counts of fault sets: lists of routes with and without symmetry against the planner set by
 * set (which test_plan.c holds against plain walks), figures by hand, the paper's region. */
#include "torus_tolerance.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <cmocka.h>

#include "combinations.h"
#include "fault_sets.h"
#include "random.h"
#include "route_lists.h"
#include "share.h"
#include "symmetry.h"
#include "topologies.h"

struct net {
  struct ut_topology topology;
  struct ut_grid grid;
};

static void net_init(struct net *x, unsigned dimensions, const unsigned *size, bool wrap) {
  struct ut_error e;
  assert_int_equal(test_grid(&x->topology, size, dimensions, 1, wrap, &e), 0);
  assert_int_equal(ut_grid_init(&x->grid, &x->topology, &e), 0);
}

static void net_free(struct net *x) {
  ut_grid_free(&x->grid);
  ut_topology_free(&x->topology);
}

static void run(const struct net *x, const struct ut_torus_request *r, unsigned workers,
                struct ut_torus_tolerance *result) {
  struct ut_error e;
  const struct ut_parallel parallel = {.workers = workers};
  if (ut_torus_tolerance_run(&x->grid, r, &parallel, result, &e))
    fail_msg("%s", e.text);
}

static void same(const char *what, const struct ut_torus_tolerance *a, const struct ut_torus_tolerance *b) {
  for (unsigned f = 0; f <= UT_TORUS_MAX_FAULTS; f++) {
    const struct ut_torus_point *p = &a->point[f], *q = &b->point[f];
    if (p->sets != q->sets || p->not_tolerated != q->not_tolerated)
      fail_msg("%s, %u faults: %llu of %llu, the other way %llu of %llu", what, f, (unsigned long long)p->not_tolerated,
               (unsigned long long)p->sets, (unsigned long long)q->not_tolerated, (unsigned long long)q->sets);
    for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
      if (p->pairs[c] != q->pairs[c])
        fail_msg("%s, %u faults: %llu pairs of class %s, the other way %llu", what, f, (unsigned long long)p->pairs[c],
                 ut_plan_class_name[c], (unsigned long long)q->pairs[c]);
  }
}

static unsigned turns; /* of three_ways: the next one takes another share of the mechanisms */

/* The tree with symmetry, without, and the planner give the same, for every set of mechanisms. */
static void three_ways(unsigned dimensions, const unsigned *size, bool wrap, enum ut_fault_model model, unsigned from,
                       unsigned to, uint64_t samples) {
  struct net x;
  struct ut_torus_tolerance *result = calloc(3, sizeof *result);
  assert_non_null(result);
  net_init(&x, dimensions, size, wrap);
  for (unsigned i = turns++ % SHARE; i <= UT_MECHANISM_SETS; i += SHARE) {
    struct ut_mechanisms m = ut_mechanism_sets[i % UT_MECHANISM_SETS];
    if (i == UT_MECHANISM_SETS) {
      m = *ut_mechanisms_find("I+D");
      m.direction_order = true;
    }
    struct ut_torus_request r = {.mechanisms = &m, .model = model, .faults = {from, to}, .samples = samples, .seed = 5};
    run(&x, &r, 1 + i % 2, &result[0]);
    r.no_symmetry = true;
    run(&x, &r, 1, &result[1]);
    r.no_lists = true;
    run(&x, &r, 1, &result[2]);
    same(m.name, &result[0], &result[1]);
    same(m.name, &result[0], &result[2]);
    for (unsigned f = from; f <= to; f++) {
      const struct ut_torus_point *p = &result[0].point[f];
      uint64_t pairs = 0;
      assert_int_equal(p->sets, ut_torus_sets(&x.grid, &r, f));
      for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
        pairs += p->pairs[c];
      assert_int_equal(pairs, (p->sets - p->not_tolerated) * x.grid.nodes * x.grid.nodes);
    }
  }
  net_free(&x);
  free(result);
}

static void all_sets_of_tori(void **state) {
  (void)state;
  three_ways(3, (const unsigned[]){3, 3, 3}, true, UT_MODEL_EXHAUSTIVE, 0, 2, 0);
  three_ways(2, (const unsigned[]){3, 3}, true, UT_MODEL_EXHAUSTIVE, 0, 5, 0);
  three_ways(2, (const unsigned[]){4, 4}, true, UT_MODEL_EXHAUSTIVE, 2, 2, 0);
  three_ways(2, (const unsigned[]){3, 4}, true, UT_MODEL_EXHAUSTIVE, 4, 4, 0);
  three_ways(1, (const unsigned[]){6}, true, UT_MODEL_EXHAUSTIVE, 0, 6, 0); /* symmetric sets, small orbits */
  three_ways(1, (const unsigned[]){7}, true, UT_MODEL_EXHAUSTIVE, 0, 7,
             0); /* the longest routes: six hops the other way */
  three_ways(1, (const unsigned[]){17}, true, UT_MODEL_EXHAUSTIVE, 0, 1, 0); /* misrouting of eight hops */
  three_ways(2, (const unsigned[]){2, 3}, true, UT_MODEL_EXHAUSTIVE, 0, 5, 0);
  three_ways(2, (const unsigned[]){2, 2}, true, UT_MODEL_EXHAUSTIVE, 0, 8, 0);
  three_ways(1, (const unsigned[]){2}, true, UT_MODEL_EXHAUSTIVE, 0, 2, 0); /* two frames */
}

static void all_sets_of_meshes(void **state) {
  (void)state;
  three_ways(2, (const unsigned[]){3, 3}, false, UT_MODEL_EXHAUSTIVE, 0, 5, 0);
  three_ways(2, (const unsigned[]){4, 4}, false, UT_MODEL_EXHAUSTIVE, 2, 3, 0);
  three_ways(3, (const unsigned[]){2, 2, 3}, false, UT_MODEL_EXHAUSTIVE, 0, 3, 0);
}

static void regions(void **state) {
  (void)state;
  three_ways(3, (const unsigned[]){3, 3, 3}, true, UT_MODEL_REGION, 0, 2, 0);
  three_ways(2, (const unsigned[]){5, 5}, true, UT_MODEL_REGION, 4, 4, 0);
  three_ways(3, (const unsigned[]){4, 4, 4}, true, UT_MODEL_REGION, 1, 1, 0);
  three_ways(3, (const unsigned[]){3, 3, 3}, true, UT_MODEL_REGION_SAMPLED, 8, 10, 300);
}

static void samples(void **state) {
  (void)state;
  three_ways(3, (const unsigned[]){3, 3, 3}, true, UT_MODEL_SAMPLED, 5, 20, 60);
  three_ways(2, (const unsigned[]){6, 6}, false, UT_MODEL_SAMPLED, 3, 6, 20);
  three_ways(4, (const unsigned[]){3, 3, 3, 3}, true, UT_MODEL_SAMPLED, 14, 14, 10); /* the planner anyway */
}

/* ---- by hand */

static struct ut_torus_tolerance *exhaustive(struct net *x, const char *mechanisms, enum ut_fault_model model,
                                             unsigned to) {
  struct ut_torus_tolerance *result = calloc(1, sizeof *result);
  assert_non_null(result);
  net_init(x, 3, (const unsigned[]){3, 3, 3}, true);
  struct ut_torus_request r = {.mechanisms = ut_mechanisms_find(mechanisms), .model = model, .faults = {0, to}};
  run(x, &r, 0, result);
  return result;
}

static void figures_by_hand(void **state) {
  (void)state;
  struct net x;
  struct ut_torus_tolerance *t = exhaustive(&x, "I", UT_MODEL_EXHAUSTIVE, 2);
  assert_int_equal(t->point[0].sets, 1);
  assert_int_equal(t->point[0].pairs[UT_PLAN_ADAPTIVE], 27 * 27);
  /* One fault: the two pairs of neighbours, 16 pairs whose square has the link and 32 whose cube has it. */
  assert_int_equal(t->point[1].not_tolerated, 0);
  assert_int_equal(t->point[1].pairs[UT_PLAN_I], 81 * (2 + 16 + 32));
  /* Two faults: two of the three links of a ring isolate its node in the ring: 27 rings, 3 pairs of links each. */
  assert_int_equal(t->point[2].sets, 3240);
  assert_int_equal(t->point[2].not_tolerated, 27 * 3);
  net_free(&x);
  free(t);
  t = exhaustive(&x, "D", UT_MODEL_EXHAUSTIVE, 1); /* the link between neighbours is their only path */
  assert_int_equal(t->point[1].not_tolerated, 81);
  assert_int_equal(t->point[1].pairs[UT_PLAN_ADAPTIVE], 0);
  net_free(&x);
  free(t);
}

/* Facts of section 5.1 that take a moment only; docs/results/torus_tolerance.md has all of them. */
static void facts_of_the_paper(void **state) {
  (void)state;
  static const struct {
    const char *mechanisms;
    uint64_t not_tolerated[5]; /* 1..4 faults */
  } fact[] = {
      {"M", {0, 0, 0, 10503}}, {"I+D", {0, 0, 0, 0}}, {"I+M", {0, 0, 0, 0}},
      {"I+D+M", {0, 0, 0, 0}}, {"I2", {0, 0, 0, 0}},  {"I3", {0, 0, 0, 0}},
  };
  for (unsigned i = 0; i < sizeof fact / sizeof *fact; i++) {
    struct net x;
    struct ut_torus_tolerance *t = exhaustive(&x, fact[i].mechanisms, UT_MODEL_EXHAUSTIVE, 4);
    for (unsigned f = 1; f <= 4; f++)
      if (t->point[f].not_tolerated != fact[i].not_tolerated[f - 1])
        fail_msg("%s, %u faults: %llu not tolerated", fact[i].mechanisms, f,
                 (unsigned long long)t->point[f].not_tolerated);
    net_free(&x);
    free(t);
  }
}

static void links_of_the_region(void **state) {
  (void)state;
  static const unsigned links[] = {33, 36, 36};
  for (unsigned k = 3; k <= 5; k++) {
    struct net x;
    uint32_t link[375];
    net_init(&x, 3, (const unsigned[]){k, k, k}, true);
    assert_int_equal(ut_torus_links(&x.grid, UT_MODEL_REGION, link), links[k - 3]);
    assert_int_equal(ut_torus_links(&x.grid, UT_MODEL_SAMPLED, link), 3 * k * k * k);
    net_free(&x);
  }
}

/* ---- symmetries */

static void symmetries(unsigned dimensions, const unsigned *size, bool wrap, bool fixed, const char *mechanisms,
                       bool direction_order, unsigned count) {
  struct net x;
  struct ut_error e;
  struct ut_symmetries all;
  struct ut_mechanisms m = *ut_mechanisms_find(mechanisms);
  m.direction_order |= direction_order;
  net_init(&x, dimensions, size, wrap);
  assert_int_equal(ut_symmetries_find(&all, &x.grid, &m, fixed, &e), 0);
  assert_int_equal(all.count, count);
  bool *hit = calloc(x.grid.links, sizeof *hit);
  assert_non_null(hit);
  for (unsigned s = 0; s < all.count; s++) { /* every one is a permutation; the first one keeps all in place */
    memset(hit, 0, x.grid.links * sizeof *hit);
    for (uint32_t l = 0; l < x.grid.links; l++) {
      uint32_t to = all.link[s * x.grid.links + l];
      assert_true(to < x.grid.links && !hit[to] && (s || to == l));
      hit[to] = true;
    }
  }
  free(hit);
  ut_symmetries_free(&all);
  net_free(&x);
}

static void numbers_of_symmetries(void **state) {
  (void)state;
  const unsigned cube[] = {3, 3, 3}, even[] = {4, 4}, mixed[] = {3, 4, 5}, odd[] = {5};
  symmetries(3, cube, true, false, "I3", false, 27 * 8 * 6);
  symmetries(3, cube, true, false, "I+D", false, 27 * 8 * 2); /* X Y Z, or Z Y X with all paths reversed */
  symmetries(3, cube, true, false, "I+D", true, 27);
  symmetries(3, cube, true, false, "M", false, 27);
  symmetries(3, cube, true, true, "I", false, 8 * 6);
  symmetries(3, cube, true, true, "I2+D", false, 8 * 2);
  symmetries(3, cube, true, true, "I+D+M", false, 1);
  symmetries(2, even, true, false, "I", false, 16 * 4 * 2);
  symmetries(2, even, true, false, "D", false, 16); /* ties go plus */
  symmetries(2, even, false, false, "I", false, 4 * 2);
  symmetries(2, even, false, false, "D", false, 4 * 2);
  symmetries(3, mixed, true, false, "I", false, 60 * 8);
  symmetries(3, mixed, true, false, "D", false, 60 * 4);
  symmetries(1, odd, true, false, "I", false, 5 * 2);
  symmetries(1, odd, true, true, "D", false, 2);
  symmetries(1, odd, false, false, "D", false, 2);
  symmetries(1, even, true, false, "I", false, 4 * 2);
  symmetries(1, even, true, false, "D", false, 4);
  symmetries(1, even, true, true, "I", false, 2);
}

/* Misrouting takes directions in their order, whatever the deterministic paths do: only translations are left. */
static void misrouting_has_one_order(void **state) {
  (void)state;
  const struct ut_mechanisms m = {.misroute = true};
  for (unsigned wrap = 0; wrap < 2; wrap++) {
    struct net x;
    struct ut_error e;
    struct ut_symmetries all;
    net_init(&x, 2, (const unsigned[]){3, 3}, wrap);
    assert_int_equal(ut_symmetries_find(&all, &x.grid, &m, false, &e), 0);
    assert_int_equal(all.count, wrap ? 9 : 1);
    ut_symmetries_free(&all);
    net_free(&x);
  }
}

/* ---- the rest */

/* Every list begins with the adaptive route, and no route's links include those of an earlier one. */
static void lists_are_in_order(void **state) {
  (void)state;
  struct net x;
  struct ut_error e;
  uint32_t link[81];
  net_init(&x, 3, (const unsigned[]){3, 3, 3}, true);
  for (unsigned i = 0; i < 81; i++)
    link[i] = i;
  struct ut_route_lists *lists = ut_route_lists_new(&x.grid, ut_mechanisms_find("I2+D"), link, 81, &e);
  assert_non_null(lists);
  for (uint32_t d = 1; d < 27; d++) {
    struct ut_route_list *l = ut_route_list(lists, 0, d);
    assert_int_equal(l->class[0], UT_PLAN_ADAPTIVE);
    while (!l->complete)
      assert_int_equal(ut_route_list_more(lists, 0, d, &e), 0);
    for (unsigned i = 0; i < l->count; i++)
      for (unsigned j = 0; j < i; j++)
        assert_true((l->links[j] & ~l->links[i]) != 0);
  }
  ut_route_lists_free(lists);
  net_free(&x);
}

static void stops_when_told(void **state) {
  (void)state;
  struct net x;
  struct ut_error e;
  const volatile sig_atomic_t stop = 1;
  const struct ut_parallel parallel = {.workers = 1, .stop = &stop};
  struct ut_torus_tolerance *t = calloc(1, sizeof *t);
  assert_non_null(t);
  net_init(&x, 3, (const unsigned[]){3, 3, 3}, true);
  struct ut_torus_request r = {.mechanisms = ut_mechanisms_find("I"), .faults = {1, 8}};
  assert_int_equal(ut_torus_tolerance_run(&x.grid, &r, &parallel, t, &e), 0);
  for (unsigned f = 1; f <= 8; f++)
    assert_int_equal(t->point[f].sets, 0);
  net_free(&x);
  free(t);
}

/* In the middle of sets that begin alike, of which there are 2^28. */
static volatile sig_atomic_t alarm_came;

static void note_alarm(int signal) {
  (void)signal;
  alarm_came = 1;
}

static void stops_on_the_way(void **state) {
  (void)state;
  struct net x;
  struct ut_error e;
  const struct ut_parallel parallel = {.workers = 1, .stop = &alarm_came};
  const struct itimerval soon = {.it_value = {.tv_usec = 30000}};
  struct ut_torus_tolerance *t = calloc(1, sizeof *t);
  assert_non_null(t);
  net_init(&x, 2, (const unsigned[]){4, 4}, true);
  struct ut_torus_request r = {.mechanisms = ut_mechanisms_find("D"), .faults = {1, 16}};
  assert_true(signal(SIGALRM, note_alarm) != SIG_ERR);
  assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
  assert_int_equal(ut_torus_tolerance_run(&x.grid, &r, &parallel, t, &e), 0);
  assert_true(t->point[16].sets < ut_torus_sets(&x.grid, &r, 16));
  net_free(&x);
  free(t);
}

/* Samples are drawn by seed, number of faults and sample alone: the planner, asked about each. */
static void samples_of_a_seed(void **state) {
  (void)state;
  enum { SAMPLES = 30, FAULTS = 5 };
  const uint64_t seed = UINT64_MAX;
  struct net x;
  struct ut_error e;
  struct ut_torus_tolerance *t = calloc(1, sizeof *t);
  struct ut_torus_point sum = {0};
  assert_non_null(t);
  net_init(&x, 2, (const unsigned[]){3, 3}, true);
  struct ut_torus_request r = {.mechanisms = ut_mechanisms_find("I+D"),
                               .model = UT_MODEL_SAMPLED,
                               .faults = {FAULTS, FAULTS},
                               .samples = SAMPLES,
                               .seed = seed};
  run(&x, &r, 1, t);
  struct ut_plan *plan = ut_plan_new(&x.grid, r.mechanisms, &e);
  assert_non_null(plan);
  for (uint32_t i = 0; i < SAMPLES; i++) {
    struct ut_random random;
    struct ut_plan_counts counts;
    uint32_t link[FAULTS];
    ut_random_init(&random, seed ^ (uint64_t)FAULTS << 40, UT_RANDOM_SAMPLING, i);
    ut_combination_draw(&random, x.grid.links, FAULTS, link);
    ut_plan_set_faults(plan, link, FAULTS);
    const bool all = ut_plan_count(plan, &counts);
    sum.not_tolerated += !all;
    for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
      sum.pairs[c] += all ? counts.pairs[c] : 0;
  }
  assert_int_equal(t->point[FAULTS].sets, SAMPLES);
  assert_int_equal(t->point[FAULTS].not_tolerated, sum.not_tolerated);
  assert_memory_equal(t->point[FAULTS].pairs, sum.pairs, sizeof sum.pairs);
  ut_plan_free(plan);
  net_free(&x);
  free(t);
}

/* The same beyond 2^32 of them: bits of the number of the sample are bits of the seed. */
static void samples_far_away(void **state) {
  (void)state;
  for (uint64_t high = 1; high < UINT64_C(1) << 16; high *= 3)
    for (uint64_t seed = 0; seed < 2; seed++) {
      struct ut_random random;
      uint32_t own[9], expected[9];
      const uint64_t all = seed ? UINT64_MAX : 0;
      ut_torus_draw(all, 9, high << 32 | 77, 100, own);
      ut_random_init(&random, all ^ 9 * (UINT64_C(1) << 40) ^ high * (UINT64_C(1) << 48), UT_RANDOM_SAMPLING, 77);
      ut_combination_draw(&random, 100, 9, expected);
      assert_memory_equal(own, expected, sizeof own);
    }
}

/* Lists are for as many nodes and links as they say, and no more; the planner does the rest, where it can. */
static struct ut_route_lists *lists_of(const struct ut_grid *g, struct ut_error *e) {
  uint32_t link[256];
  assert_true(g->links <= 256);
  for (uint32_t i = 0; i < g->links; i++)
    link[i] = i;
  return ut_route_lists_new(g, ut_mechanisms_find("D"), link, g->links, e);
}

static void limits_of_lists(void **state) {
  (void)state;
  static const struct {
    unsigned dimensions, size[2];
    bool wrap, fits;
  } of[] = {{1, {128}, true, true}, {1, {129}, false, false}, {2, {9, 8}, true, false}};
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    struct net x;
    struct ut_error e;
    net_init(&x, of[i].dimensions, of[i].size, of[i].wrap);
    struct ut_route_lists *lists = lists_of(&x.grid, &e);
    assert_int_equal(lists != NULL, of[i].fits);
    if (lists)
      for (uint32_t d = 1; d < 64; d++) { /* d links of the ring, each with its bit */
        const ut_link_set links = ut_route_list(lists, 0, d)->links[0];
        assert_int_equal(__builtin_popcountll((uint64_t)links) + __builtin_popcountll((uint64_t)(links >> 64)), d);
      }
    else
      assert_non_null(strstr(e.text, "at most 128 nodes and 128 links"));
    ut_route_lists_free(lists);
    net_free(&x);
  }
}

static void limits_of_the_planner(void **state) {
  (void)state;
  for (unsigned nodes = 62; nodes <= 64; nodes += 2) {
    struct net x;
    struct ut_error e;
    const struct ut_parallel parallel = {.workers = 1};
    struct ut_torus_tolerance *t = calloc(1, sizeof *t);
    assert_non_null(t);
    net_init(&x, 1, &nodes, true);
    struct ut_torus_request r = {.mechanisms = ut_mechanisms_find("I"), .faults = {0, 1}, .no_lists = true};
    assert_int_equal(ut_torus_tolerance_run(&x.grid, &r, &parallel, t, &e), nodes == 62 ? 0 : -1);
    if (nodes > 62)
      assert_non_null(strstr(e.text, "a diameter of 31"));
    else
      assert_int_equal(t->point[1].sets, 62);
    net_free(&x);
    free(t);
  }
}

/* A ring whose routes are longer than the planner takes: lists.  The link that has failed is on 1 + 2 + ... + 32 paths
 * of each direction; their pairs go the other way, by a node at most 32 hops from both. */
static void beyond_the_planner(void **state) {
  (void)state;
  enum { NODES = 65, PAIRS = NODES * NODES, HIT = 2 * (32 * 33 / 2) };
  struct net x;
  struct ut_torus_tolerance *t = calloc(1, sizeof *t);
  assert_non_null(t);
  net_init(&x, 1, (const unsigned[]){NODES}, true);
  run(&x, &(struct ut_torus_request){.mechanisms = ut_mechanisms_find("I"), .faults = {0, 1}}, 1, t);
  assert_int_equal(t->point[0].sets, 1);
  assert_int_equal(t->point[0].pairs[UT_PLAN_ADAPTIVE], PAIRS);
  assert_int_equal(t->point[1].sets, NODES);
  assert_int_equal(t->point[1].not_tolerated, 0);
  assert_int_equal(t->point[1].pairs[UT_PLAN_ADAPTIVE], NODES * (PAIRS - HIT));
  assert_int_equal(t->point[1].pairs[UT_PLAN_I], NODES * HIT);
  net_free(&x);
  free(t);
}

/* As many faults as may be, which are all links there are: each node is left alone. */
static void most_faults(void **state) {
  (void)state;
  enum { NODES = 32, SAMPLES = 3 };
  for (unsigned no_lists = 0; no_lists < 2; no_lists++) {
    struct net x;
    struct ut_torus_tolerance *t = calloc(1, sizeof *t);
    assert_non_null(t);
    net_init(&x, 2, (const unsigned[]){8, 4}, true);
    assert_int_equal(x.grid.links, UT_TORUS_MAX_FAULTS);
    run(&x,
        &(struct ut_torus_request){.mechanisms = ut_mechanisms_find("I+D+M"),
                                   .model = UT_MODEL_SAMPLED,
                                   .faults = {UT_TORUS_MAX_FAULTS, UT_TORUS_MAX_FAULTS},
                                   .samples = SAMPLES,
                                   .no_lists = no_lists},
        1, t);
    const struct ut_torus_point *p = &t->point[UT_TORUS_MAX_FAULTS];
    assert_int_equal(p->sets, SAMPLES);
    assert_int_equal(p->not_tolerated, 0);
    assert_int_equal(p->pairs[UT_PLAN_ADAPTIVE], SAMPLES * NODES);
    assert_int_equal(p->pairs[UT_PLAN_SEPARATED], SAMPLES * NODES * (NODES - 1));
    net_free(&x);
    free(t);
  }
}

/* Few links, but more nodes than lists are made for: the planner, though nobody has said so.  With one fault of a link
 * at node 0 its ends, and pairs along it, take another way. */
static void many_nodes(void **state) {
  (void)state;
  struct net x;
  struct ut_torus_tolerance *t = calloc(1, sizeof *t);
  assert_non_null(t);
  net_init(&x, 2, (const unsigned[]){11, 13}, true);
  run(&x, &(struct ut_torus_request){.mechanisms = ut_mechanisms_find("I"), .model = UT_MODEL_REGION, .faults = {1, 1}},
      1, t);
  assert_int_equal(t->point[1].sets, 4 + 4 * 3);
  assert_int_equal(t->point[1].not_tolerated, 0);
  assert_true(t->point[1].pairs[UT_PLAN_I] > 2 * t->point[1].sets);
  net_free(&x);
  free(t);
}

static void impossible(bool wrap, struct ut_torus_request r, const char *word) {
  struct net x;
  struct ut_error e;
  const struct ut_parallel parallel = {.workers = 1};
  struct ut_torus_tolerance *t = calloc(1, sizeof *t);
  assert_non_null(t);
  net_init(&x, 2, (const unsigned[]){8, 8}, wrap);
  r.mechanisms = ut_mechanisms_find("I");
  assert_int_equal(ut_torus_tolerance_run(&x.grid, &r, &parallel, t, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  if (!strstr(e.text, word))
    fail_msg("no '%s' in '%s'", word, e.text);
  net_free(&x);
  free(t);
}

static void bad_requests(void **state) {
  (void)state;
  impossible(false, (struct ut_torus_request){.model = UT_MODEL_REGION, .faults = {1, 2}}, "mesh");
  impossible(false, (struct ut_torus_request){.model = UT_MODEL_REGION_SAMPLED, .faults = {1, 2}, .samples = 1},
             "mesh");
  impossible(true, (struct ut_torus_request){.model = UT_MODEL_REGION, .faults = {1, 17}}, "16 links");
  impossible(true, (struct ut_torus_request){.faults = {1, 65}}, "at most 64");
  impossible(true, (struct ut_torus_request){.faults = {1, 20}}, "use samples");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_sets_of_tori),
      cmocka_unit_test(all_sets_of_meshes),
      cmocka_unit_test(regions),
      cmocka_unit_test(samples),
      cmocka_unit_test(figures_by_hand),
      cmocka_unit_test(facts_of_the_paper),
      cmocka_unit_test(links_of_the_region),
      cmocka_unit_test(numbers_of_symmetries),
      cmocka_unit_test(lists_are_in_order),
      cmocka_unit_test(stops_when_told),
      cmocka_unit_test(stops_on_the_way),
      cmocka_unit_test(samples_of_a_seed),
      cmocka_unit_test(samples_far_away),
      cmocka_unit_test(limits_of_lists),
      cmocka_unit_test(limits_of_the_planner),
      cmocka_unit_test(many_nodes),
      cmocka_unit_test(beyond_the_planner),
      cmocka_unit_test(most_faults),
      cmocka_unit_test(misrouting_has_one_order),
      cmocka_unit_test(bad_requests),
  };
  return cmocka_run_group_tests_name("torus_tolerance", tests, NULL, NULL);
}
