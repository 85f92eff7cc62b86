/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan.c - the planner against an independent reference: plain walks over coordinates, theorem 1, theorem 2 and
 * corollary 1 of INTERMEDIATE by their words, and every planned route walked hop by hop with every adaptive choice. */
#include "plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "paths.h"
#include "share.h"
#include "topologies.h"

enum { MAX_NODES = 128, MAX_DIRECTIONS = 8, FAR = 1000, MAX_FAULTS = 24 };

/* ---- the reference's own network: nothing of grid.c */

struct net {
  struct ut_topology topology;
  struct ut_grid grid; /* for the planner only */
  unsigned size[UT_MAX_DIMENSIONS], dimensions, directions, nodes;
  bool wrap;
  bool faulty[MAX_NODES][MAX_DIRECTIONS];
};

static int neighbour(const struct net *x, int node, unsigned direction) {
  unsigned step = 1, d = direction / 2;
  for (unsigned i = 0; i < d; i++)
    step *= x->size[i];
  int k = (int)x->size[d], here = node / (int)step % k, there = here + (direction % 2 ? -1 : 1);
  if (!x->wrap && (there < 0 || there >= k))
    return -1;
  return node + ((there + k) % k - here) * (int)step;
}

static void net_init(struct net *x, unsigned dimensions, const unsigned *size, bool wrap) {
  struct ut_error e;
  *x = (struct net){.dimensions = dimensions, .directions = 2 * dimensions, .wrap = wrap, .nodes = 1};
  for (unsigned d = 0; d < dimensions; d++) {
    x->size[d] = size[d];
    x->nodes *= size[d];
  }
  assert_true(x->nodes <= MAX_NODES);
  assert_int_equal(test_grid(&x->topology, size, dimensions, 1, wrap, &e), 0);
  assert_int_equal(ut_grid_init(&x->grid, &x->topology, &e), 0);
}

static void net_free(struct net *x) {
  ut_grid_free(&x->grid);
  ut_topology_free(&x->topology);
}

static void net_faults(struct net *x, const uint32_t *link, unsigned count) {
  memset(x->faulty, 0, sizeof x->faulty);
  for (unsigned i = 0; i < count; i++) {
    const struct ut_link *l = &x->topology.link[link[i]];
    x->faulty[l->lower][l->lower_port] = x->faulty[l->upper][l->upper_port] = true;
  }
}

/* Hops between two nodes by breadth-first search, without or with faults. */
static void breadth_first(const struct net *x, int from, bool with_faults, int hops[MAX_NODES]) {
  int queue[MAX_NODES], tail = 0;
  for (int i = 0; i < MAX_NODES; i++)
    hops[i] = FAR;
  hops[queue[tail++] = from] = 0;
  for (int head = 0; head < tail; head++)
    for (unsigned i = 0; i < x->directions; i++) {
      int next = neighbour(x, queue[head], i);
      if (next < 0 || (with_faults && x->faulty[queue[head]][i]) || hops[next] != FAR)
        continue;
      hops[next] = hops[queue[head]] + 1;
      queue[tail++] = next;
    }
}

struct truth {
  int distance[MAX_NODES][MAX_NODES], physical[MAX_NODES][MAX_NODES];
  bool adaptive[MAX_NODES][MAX_NODES];      /* no fault on any minimal path */
  bool deterministic[MAX_NODES][MAX_NODES]; /* none on the deterministic path */
  int kind[4][MAX_NODES][MAX_NODES];        /* lengths of sub-paths: adaptive, deterministic, M, D+M; FAR: none */
};
enum { A, D, M, DM };

/* Walks all minimal paths backwards from what is already known to be good: distance by distance. */
static void find_adaptive(const struct net *x, struct truth *t) {
  for (int length = 0; length < FAR; length++) {
    bool any = false;
    for (unsigned s = 0; s < x->nodes; s++)
      for (unsigned d = 0; d < x->nodes; d++) {
        if (t->distance[s][d] != length)
          continue;
        any = true;
        bool good = true;
        for (unsigned i = 0; i < x->directions; i++) {
          int next = neighbour(x, (int)s, i);
          if (next >= 0 && t->distance[next][d] == length - 1)
            good &= !x->faulty[s][i] && t->adaptive[next][d];
        }
        t->adaptive[s][d] = good;
      }
    if (!any)
      return;
  }
}

/* Direction number i of the order: X+ X- Y+ Y- ..., or X+ Y+ ... X- Y- ... */
static unsigned in_order(const struct net *x, bool direction_order, unsigned i) {
  return !direction_order ? i : i < x->dimensions ? 2 * i : 2 * (i - x->dimensions) + 1;
}

/* Where the deterministic path goes first: X+ before X- in ties, as the hardware does. */
static unsigned det_direction(const struct net *x, const struct truth *t, int s, int d, bool direction_order) {
  unsigned needed = 0;
  for (unsigned i = 0; i < x->directions; i++) {
    int next = neighbour(x, s, i);
    if (next >= 0 && t->distance[next][d] == t->distance[s][d] - 1 && !(i % 2 && needed >> (i - 1) & 1))
      needed |= 1u << i;
  }
  for (unsigned i = 0; i < x->directions; i++)
    if (needed >> in_order(x, direction_order, i) & 1)
      return in_order(x, direction_order, i);
  fail_msg("no direction from %d to %d", s, d);
  return 0;
}

static bool det_path(const struct net *x, const struct truth *t, int s, int d, bool direction_order) {
  while (s != d) {
    unsigned i = det_direction(x, t, s, d, direction_order);
    if (x->faulty[s][i])
      return false;
    s = neighbour(x, s, i);
  }
  return true;
}

/* Whether any minimal path (det: the deterministic one) from s to d takes a direction earlier than that place. */
static bool too_late(const struct net *x, const struct truth *t, int s, int d, unsigned place, bool det) {
  for (unsigned i = 0; i < place; i++) {
    unsigned direction = in_order(x, true, i);
    int next = neighbour(x, s, direction);
    bool minimal = next >= 0 && t->distance[next][d] == t->distance[s][d] - 1;
    if (minimal && det && direction % 2) { /* ties go plus */
      int other = neighbour(x, s, direction - 1);
      minimal = !(other >= 0 && t->distance[other][d] == t->distance[s][d] - 1);
    }
    if (minimal)
      return true;
  }
  return false;
}

/* Misrouting from s, tried to the end: at most three directions of ascending place, 1..8 hops each. */
static void try_misroutes(const struct net *x, struct truth *t, int s, int at, unsigned place, int hops,
                          unsigned directions) {
  if (directions == 3)
    return;
  for (unsigned p = place; p < x->directions; p++) {
    unsigned direction = in_order(x, true, p);
    int n = at;
    for (int h = 1; h <= 8; h++) {
      if (x->faulty[n][direction])
        break;
      n = neighbour(x, n, direction);
      if (n < 0)
        break;
      for (unsigned d = 0; d < x->nodes; d++)
        for (int det = 0; det < 2; det++) {
          bool good = det ? t->deterministic[n][d] : t->adaptive[n][d];
          int *length = &t->kind[det ? DM : M][s][d], l = hops + h + t->distance[n][d];
          if (good && l < *length && !too_late(x, t, n, (int)d, p, det))
            *length = l;
        }
      try_misroutes(x, t, s, n, p + 1, hops + h, directions + 1);
    }
  }
}

static void find_truth(const struct net *x, struct truth *t, const struct ut_mechanisms *m) {
  for (unsigned s = 0; s < x->nodes; s++) {
    breadth_first(x, (int)s, false, t->distance[s]);
    breadth_first(x, (int)s, true, t->physical[s]);
  }
  find_adaptive(x, t);
  for (unsigned s = 0; s < x->nodes; s++)
    for (unsigned d = 0; d < x->nodes; d++) {
      t->deterministic[s][d] = det_path(x, t, (int)s, (int)d, m->direction_order);
      t->kind[A][s][d] = t->adaptive[s][d] ? t->distance[s][d] : FAR;
      t->kind[D][s][d] = t->deterministic[s][d] ? t->distance[s][d] : FAR;
      t->kind[M][s][d] = t->kind[DM][s][d] = FAR;
    }
  if (m->misroute)
    for (unsigned s = 0; s < x->nodes; s++)
      try_misroutes(x, t, (int)s, (int)s, 0, 0, 0);
}

/* The reference's route of a class: sub-paths of those kinds, intermediate nodes other than the ends. */
static int sub_path(const struct truth *t, unsigned kinds, unsigned s, unsigned d) {
  int best = FAR;
  for (unsigned k = A; k <= DM; k++)
    if (kinds >> k & 1 && t->kind[k][s][d] < best)
      best = t->kind[k][s][d];
  return best;
}

/* One distance vector per number of sub-paths: all ways, shortest first. */
static int through(const struct net *x, const struct truth *t, unsigned kinds, unsigned intermediate, unsigned s,
                   unsigned d) {
  int now[MAX_NODES], next[MAX_NODES];
  for (unsigned i = 0; i < x->nodes; i++)
    now[i] = i == s ? FAR : sub_path(t, kinds, s, i);
  for (unsigned step = 0; step < intermediate; step++) {
    for (unsigned i = 0; i < x->nodes; i++) {
      next[i] = FAR;
      for (unsigned via = 0; via < x->nodes; via++)
        if (via != i && via != d) {
          int l = now[via] + sub_path(t, kinds, via, i);
          next[i] = l < next[i] ? l : next[i];
        }
    }
    memcpy(now, next, sizeof now);
  }
  return now[d];
}

static const struct {
  unsigned intermediate, kinds;
} class_needs[UT_PLAN_NONE] = {
    [UT_PLAN_I] = {1, 1 << A},           [UT_PLAN_I2] = {2, 1 << A},
    [UT_PLAN_I3] = {3, 1 << A},          [UT_PLAN_D] = {0, 1 << D},
    [UT_PLAN_ID] = {1, 1 << A | 1 << D}, [UT_PLAN_I2D] = {2, 1 << A | 1 << D},
    [UT_PLAN_IM] = {1, 1 << A | 1 << M}, [UT_PLAN_M] = {0, 1 << M},
    [UT_PLAN_DM] = {0, 1 << DM},         [UT_PLAN_IDM] = {1, 1 << A | 1 << D | 1 << M | 1 << DM},
};

static enum ut_plan_class true_class(const struct net *x, const struct truth *t, const struct ut_mechanisms *m,
                                     unsigned s, unsigned d, int *length) {
  enum ut_plan_class class = UT_PLAN_NONE;
  *length = t->distance[s][d];
  if (t->adaptive[s][d])
    return UT_PLAN_ADAPTIVE;
  if (t->physical[s][d] == FAR)
    return UT_PLAN_SEPARATED;
  *length = FAR;
  for (unsigned c = UT_PLAN_I; c < UT_PLAN_NONE; c++) {
    unsigned kinds = class_needs[c].kinds;
    if (class_needs[c].intermediate > m->intermediate || (kinds >> D & 1 && !m->deterministic) ||
        (kinds >> DM & 1 && !m->deterministic) || (kinds & (1 << M | 1 << DM) && !m->misroute))
      continue;
    int l = through(x, t, kinds, class_needs[c].intermediate, s, d);
    if (l < *length) {
      *length = l;
      class = c;
    }
  }
  return class;
}

/* ---- walking a planned route with every adaptive choice */

/* From `node`, all minimal choices; every one must end at the target in `distance` hops without a fault. */
static void walk_adaptive(const struct net *x, const struct truth *t, int node, int target) {
  for (unsigned i = 0; i < x->directions; i++) {
    int next = neighbour(x, node, i);
    if (next < 0 || t->distance[next][target] != t->distance[node][target] - 1)
      continue;
    assert_false(x->faulty[node][i]);
    walk_adaptive(x, t, next, target);
  }
}

/* Hops of the route; fails at the first fault that any choice can meet. */
static int walk(const struct net *x, const struct truth *t, const struct ut_mechanisms *m, int node,
                const struct ut_plan_route *r) {
  int hops = 0;
  for (unsigned i = 0; i < r->subpaths; i++) {
    const struct ut_subpath *sub = &r->subpath[i];
    int target = (int)sub->target;
    unsigned earliest = 0; /* place in direction order that may follow */
    assert_true(sub->misroutes <= (m->misroute ? 3 : 0));
    assert_true(!sub->deterministic || m->deterministic);
    for (unsigned j = 0; j < sub->misroutes; j++) {
      unsigned direction = sub->misroute[j].direction, place = direction % 2 * x->dimensions + direction / 2;
      assert_true(j == 0 ? place >= earliest : place > earliest);
      earliest = place;
      assert_in_range(sub->misroute[j].hops, 1, 8);
      for (unsigned h = 0; h < sub->misroute[j].hops; h++, hops++) {
        assert_false(x->faulty[node][direction]);
        node = neighbour(x, node, direction);
        assert_true(node >= 0);
      }
    }
    assert_false(sub->misroutes && too_late(x, t, node, target, earliest, sub->deterministic));
    if (sub->deterministic)
      assert_true(det_path(x, t, node, target, m->direction_order));
    else
      walk_adaptive(x, t, node, target);
    hops += t->distance[node][target];
    node = target;
  }
  return hops;
}

static unsigned draw(uint64_t *state, unsigned below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((*state >> 33) % below);
}

static void random_faults(const struct net *x, uint64_t *state, unsigned count, uint32_t *link) {
  for (unsigned i = 0; i < count;) {
    link[i] = draw(state, (unsigned)x->topology.links);
    bool again = false;
    for (unsigned j = 0; j < i; j++)
      again |= link[j] == link[i];
    i += !again;
  }
}

/* ---- every class and length of every pair, and every route walked */

static uint64_t seen[UT_PLAN_CLASSES];

/* Values below that many. */
static unsigned bits_of(unsigned values) {
  return values > 1 ? 1 + bits_of((values + 1) / 2) : 0;
}

/* The destination; for each sub-path D, and three directions (or none) and hops; for each stop that there is one, and
 * which. */
static unsigned entry_bits(const struct net *x, const struct ut_mechanisms *m) {
  const unsigned node = bits_of(x->nodes), step = bits_of(x->directions + 1) + bits_of(8);
  return node + (m->intermediate + 1) * (m->deterministic + (m->misroute ? 3 * step : 0)) +
         m->intermediate * (1 + node);
}

static void check_routes(struct net *x, struct truth *t, struct ut_plan *p, const struct ut_mechanisms *m) {
  struct ut_plan_counts counts, expected = {0};
  for (unsigned s = 0; s < x->nodes; s++) {
    unsigned entries = 0;
    for (unsigned d = 0; d < x->nodes; d++) {
      int length;
      unsigned classified;
      enum ut_plan_class class = true_class(x, t, m, s, d, &length);
      struct ut_plan_route r;
      ut_plan_route(p, s, d, &r);
      if (class != r.class || (class < UT_PLAN_NONE && (unsigned)length != r.length))
        fail_msg("%s, %u to %u: planned %s with %u hops, expected %s with %d", m->name, s, d,
                 ut_plan_class_name[r.class], r.length, ut_plan_class_name[class], length);
      assert_int_equal(ut_plan_classify(p, s, d, &classified), class);
      assert_true(class >= UT_PLAN_NONE || classified == r.length);
      expected.pairs[class]++;
      entries += class > UT_PLAN_ADAPTIVE && class < UT_PLAN_NONE;
      if (class < UT_PLAN_NONE) {
        assert_int_equal(r.subpaths, class_needs[class].intermediate + 1);
        assert_int_equal(walk(x, t, m, (int)s, &r), length);
        assert_int_equal(r.subpath[r.subpaths - 1].target, d);
      } else {
        assert_int_equal(r.subpaths, 0);
      }
    }
    assert_int_equal(ut_plan_table_bits(p, s), entries * entry_bits(x, m));
  }
  bool tolerated = expected.pairs[UT_PLAN_NONE] == 0;
  assert_int_equal(ut_plan_count(p, &counts), tolerated);
  if (tolerated)
    assert_memory_equal(&counts, &expected, sizeof counts);
  for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
    seen[c] += expected.pairs[c];
}

static void compare(unsigned dimensions, const unsigned *size, bool wrap, unsigned rounds, unsigned most_faults) {
  struct net x;
  struct ut_error e;
  net_init(&x, dimensions, size, wrap);
  struct truth *t = malloc(sizeof *t);
  assert_non_null(t);
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++) {
    if (x.nodes > 27 && (i + SHARE / 2) % SHARE) /* the large one takes long: M and I+D+M are every fourth */
      continue;
    const struct ut_mechanisms *m = &ut_mechanism_sets[i];
    struct ut_plan *p = ut_plan_new(&x.grid, m, &e);
    assert_non_null(p);
    uint64_t state = 7 + i;
    for (unsigned round = 0; round < rounds; round++) {
      uint32_t link[MAX_FAULTS];
      unsigned count = round * most_faults / (rounds > 1 ? rounds - 1 : 1);
      random_faults(&x, &state, count, link);
      net_faults(&x, link, count);
      find_truth(&x, t, m);
      ut_plan_set_faults(p, link, count);
      check_routes(&x, t, p, m);
    }
    ut_plan_free(p);
  }
  free(t);
  net_free(&x);
}

static void routes_in_tori(void **state) {
  (void)state;
  compare(3, (const unsigned[]){3, 3, 3}, true, 12, 20);
  compare(2, (const unsigned[]){4, 4}, true, 14, 12);
  compare(2, (const unsigned[]){5, 5}, true, 10, 14);
  compare(2, (const unsigned[]){3, 4}, true, 14, 8);
  compare(1, (const unsigned[]){6}, true, 6, 3);
  compare(1, (const unsigned[]){2}, true, 3, 2);
  compare(1, (const unsigned[]){11}, true, 4, 3);
  compare(1, (const unsigned[]){19}, true, 3, 2); /* too long for misrouting */
  compare(2, (const unsigned[]){4, 8}, true, 3, 12);
  compare(4, (const unsigned[]){3, 3, 3, 3}, true, 1, 24);
}

static void routes_in_meshes(void **state) {
  (void)state;
  compare(2, (const unsigned[]){4, 4}, false, 14, 10);
  compare(2, (const unsigned[]){5, 3}, false, 10, 8);
  compare(3, (const unsigned[]){3, 3, 2}, false, 8, 12);
  compare(3, (const unsigned[]){4, 4, 2}, false, 3, 14); /* 32 nodes, and more than 32 */
  compare(2, (const unsigned[]){7, 5}, false, 3, 9);
}

/* Two links between neighbours in a dimension of size 2. */
static void routes_between_parallel_links(void **state) {
  (void)state;
  compare(2, (const unsigned[]){2, 4}, true, 14, 8);
  compare(3, (const unsigned[]){2, 2, 2}, true, 12, 8);
}

static void every_class_was_seen(void **state) {
  (void)state;
  for (unsigned c = 0; c < UT_PLAN_CLASSES; c++)
    if (!seen[c])
      fail_msg("no route of class %s was seen", ut_plan_class_name[c]);
}

/* ---- the theorems, by their words */

/* l(S,N) + l(N,D) = l(S,D) + j */
static int j_of(const struct truth *t, unsigned s, unsigned n, unsigned d) {
  return t->distance[s][n] + t->distance[n][d] - t->distance[s][d];
}

/* The smallest j with T^j, T_RS and T_D meeting; FAR: none. */
static int theorem_1(const struct net *x, const struct truth *t, const bool reachable[MAX_NODES][MAX_NODES], unsigned s,
                     unsigned d) {
  int best = FAR;
  for (unsigned n = 0; n < x->nodes; n++)
    if (reachable[s][n] && reachable[n][d] && j_of(t, s, n, d) < best)
      best = j_of(t, s, n, d);
  return best;
}

static void theorems(unsigned dimensions, const unsigned *size, bool wrap, unsigned rounds, unsigned most_faults,
                     const char *mechanisms) {
  struct net x;
  struct ut_error e;
  const struct ut_mechanisms *m = ut_mechanisms_find(mechanisms);
  net_init(&x, dimensions, size, wrap);
  struct truth *t = malloc(sizeof *t);
  struct ut_plan *p = ut_plan_new(&x.grid, m, &e);
  assert_non_null(p);
  assert_non_null(t);
  uint64_t random = 99;
  unsigned affected = 0;
  for (unsigned round = 0; round < rounds; round++) {
    uint32_t link[MAX_FAULTS];
    unsigned count = 1 + draw(&random, most_faults);
    random_faults(&x, &random, count, link);
    net_faults(&x, link, count);
    find_truth(&x, t, m);
    ut_plan_set_faults(p, link, count);
    const bool(*reach)[MAX_NODES] = m->deterministic ? t->deterministic : t->adaptive;
    for (unsigned s = 0; s < x.nodes; s++)
      for (unsigned d = 0; d < x.nodes; d++) {
        struct ut_plan_route r;
        ut_plan_route(p, s, d, &r);
        if (r.class == UT_PLAN_ADAPTIVE || r.class == UT_PLAN_SEPARATED)
          continue;
        affected++;
        int j = theorem_1(&x, t, reach, s, d), extra = (int)r.length - t->distance[s][d];
        if (m->deterministic) { /* corollary 1: adaptive sub-paths are deterministic ones, too */
          assert_int_equal(r.class == UT_PLAN_NONE ? FAR : extra, j);
          continue;
        }
        if (r.class == UT_PLAN_I) {
          unsigned n = r.subpath[0].target;
          assert_int_equal(extra, j);
          assert_int_equal(j_of(t, s, n, d), j);
          assert_true(reach[s][n] && reach[n][d]);
        }
        if (m->intermediate == 1) {
          assert_int_equal(r.class, j == FAR ? UT_PLAN_NONE : UT_PLAN_I);
          continue;
        }
        /* theorem 2: the smallest j + k with T^j, T_RS and T^k_D1 meeting */
        int sum = FAR;
        for (unsigned n = 0; n < x.nodes; n++)
          if (reach[s][n] && n != s) {
            int k = theorem_1(&x, t, reach, n, d);
            if (k < FAR && j_of(t, s, n, d) + k < sum)
              sum = j_of(t, s, n, d) + k;
          }
        assert_int_equal(r.class == UT_PLAN_NONE ? FAR : extra, sum < j ? sum : j);
        if (r.class == UT_PLAN_I2) {
          unsigned n = r.subpath[0].target, i2 = r.subpath[1].target;
          assert_true(sum < j && reach[s][n] && reach[n][i2] && reach[i2][d]);
          assert_int_equal(j_of(t, s, n, d) + j_of(t, n, i2, d), sum);
        }
      }
  }
  assert_true(affected > 0);
  ut_plan_free(p);
  free(t);
  net_free(&x);
}

static void theorem_1_holds(void **state) {
  (void)state;
  theorems(3, (const unsigned[]){3, 3, 3}, true, 12, 14, "I");
  theorems(2, (const unsigned[]){5, 5}, true, 20, 8, "I");
  theorems(2, (const unsigned[]){4, 4}, true, 20, 8, "I");
  theorems(2, (const unsigned[]){3, 4}, true, 20, 6, "I");
  theorems(2, (const unsigned[]){4, 4}, false, 20, 6, "I");
}

static void theorem_2_holds(void **state) {
  (void)state;
  theorems(3, (const unsigned[]){3, 3, 3}, true, 12, 16, "I2");
  theorems(2, (const unsigned[]){5, 5}, true, 20, 10, "I2");
  theorems(2, (const unsigned[]){4, 4}, true, 20, 8, "I2");
  theorems(2, (const unsigned[]){6, 6}, false, 20, 8, "I2");
}

static void corollary_1_holds(void **state) {
  (void)state;
  theorems(3, (const unsigned[]){3, 3, 3}, true, 12, 16, "I+D");
  theorems(2, (const unsigned[]){5, 5}, true, 20, 10, "I+D");
  theorems(2, (const unsigned[]){5, 5}, false, 20, 8, "I+D");
}

/* ---- examples of the paper */

static uint32_t link_at(const struct net *x, unsigned a, unsigned b) {
  for (uint32_t l = 0; l < x->topology.links; l++)
    if (x->topology.link[l].lower == (a < b ? a : b) && x->topology.link[l].upper == (a < b ? b : a))
      return l;
  fail_msg("no link between %u and %u", a, b);
  return 0;
}

/* Figure 6b: X+ 1, Y+ 1, X- 1, intermediate node, Y+ 1, X- 1, then adaptive. */
static void figure_6b(void **state) {
  (void)state;
  struct net x;
  struct ut_error e;
  net_init(&x, 2, (const unsigned[]){5, 5}, false);
#define AT(column, line) ((line)*5 + (column))
  const unsigned pair[][2] = {{AT(2, 1), AT(1, 1)}, {AT(2, 1), AT(2, 2)}, {AT(2, 1), AT(2, 0)},
                              {AT(3, 2), AT(3, 3)}, {AT(2, 2), AT(1, 2)}, {AT(3, 1), AT(3, 0)}};
  uint32_t link[6];
  for (unsigned i = 0; i < 6; i++)
    link[i] = link_at(&x, pair[i][0], pair[i][1]);
  struct ut_plan *p = ut_plan_new(&x.grid, ut_mechanisms_find("I+M"), &e);
  assert_non_null(p);
  ut_plan_set_faults(p, link, 6);
  struct ut_plan_route r;
  ut_plan_route(p, AT(2, 1), AT(0, 2), &r);
  assert_int_equal(r.class, UT_PLAN_IM);
  assert_int_equal(r.length, 7);
  assert_int_equal(r.subpaths, 2);
  const struct ut_subpath *a = &r.subpath[0], *b = &r.subpath[1];
  assert_true(a->misroutes >= 1 && b->misroutes == 2);
  assert_int_equal(a->target, AT(2, 2));
  assert_int_equal(a->misroute[0].direction, 0); /* X+, and Y+ and X- adaptively or misrouted */
  assert_int_equal(a->misroute[0].hops, 1);
  assert_int_equal(b->misroute[0].direction, 2);
  assert_int_equal(b->misroute[0].hops, 1);
  assert_int_equal(b->misroute[1].direction, 1);
  assert_int_equal(b->misroute[1].hops, 1);
  ut_plan_free(p);
  net_free(&x);
}

/* "If all the minimal paths in the torus of figure 2 were blocked, the node two hops to the left of the source would
 * give the path round the ring": a ring of 6 whose link X+ is faulty; two hops to the right, D at 2. */
static void round_the_ring(void **state) {
  (void)state;
  struct net x;
  struct ut_error e;
  net_init(&x, 2, (const unsigned[]){7, 7}, true);
  struct ut_plan *p = ut_plan_new(&x.grid, ut_mechanisms_find("I"), &e);
  assert_non_null(p);
  uint32_t link = link_at(&x, 0, 1);
  ut_plan_set_faults(p, &link, 1);
  struct ut_plan_route r;
  ut_plan_route(p, 0, 3, &r);
  assert_int_equal(r.class, UT_PLAN_I);
  assert_int_equal(r.length, 3 + 1); /* the other way round is one hop longer in an odd ring */
  /* In a mesh I alone does not help: section 3.2.  Nor does M alone: after Y+ the packet needs X+, which is earlier. */
  ut_plan_free(p);
  net_free(&x);
  net_init(&x, 2, (const unsigned[]){7, 7}, false);
  link = link_at(&x, 0, 1);
  static const char *const name[] = {"I", "I3", "D", "I+D", "M", "I+M"};
  static const enum ut_plan_class class[] = {UT_PLAN_NONE, UT_PLAN_I2,   UT_PLAN_NONE,
                                             UT_PLAN_ID,   UT_PLAN_NONE, UT_PLAN_IM};
  for (unsigned i = 0; i < 6; i++) {
    p = ut_plan_new(&x.grid, ut_mechanisms_find(name[i]), &e);
    assert_non_null(p);
    ut_plan_set_faults(p, &link, 1);
    ut_plan_route(p, 0, 3, &r);
    assert_int_equal(r.class, class[i]);
    assert_int_equal(r.length, r.subpaths ? 3 + 2 : 0);
    ut_plan_free(p);
  }
  net_free(&x);
}

/* ---- the rest */

static void sizes_of_entries(void **state) {
  (void)state;
  struct net x;
  net_init(&x, 3, (const unsigned[]){3, 3, 3}, true);
  /* 5 bits of address, 1 "another one follows" per intermediate node, 1 D, 3 * (3 + 3) M per sub-path */
  assert_int_equal(ut_plan_entry_bits(&x.grid, ut_mechanisms_find("I")), 5 + 5 + 1);
  assert_int_equal(ut_plan_entry_bits(&x.grid, ut_mechanisms_find("I2")), 5 + 2 * 6);
  assert_int_equal(ut_plan_entry_bits(&x.grid, ut_mechanisms_find("D")), 5 + 1);
  assert_int_equal(ut_plan_entry_bits(&x.grid, ut_mechanisms_find("I+D+M")), 5 + 6 + 2 * (1 + 18));
  /* One fault affects 50 pairs of nodes. */
  struct ut_error e;
  uint64_t sum = 0;
  uint32_t link = 7;
  struct ut_plan *p = ut_plan_new(&x.grid, ut_mechanisms_find("I"), &e);
  assert_non_null(p);
  assert_int_equal(ut_plan_table_bits(p, 0), 0);
  ut_plan_set_faults(p, &link, 1);
  for (uint32_t s = 0; s < 27; s++)
    sum += ut_plan_table_bits(p, s);
  assert_int_equal(sum, 50 * 11);
  ut_plan_free(p);
  net_free(&x);
}

/* Of two directions that are equally long the plus one; in which dimension does not matter. */
static void ties_go_plus(void **state) {
  (void)state;
  struct net x;
  net_init(&x, 3, (const unsigned[]){4, 4, 4}, true);
  assert_int_equal(ut_grid_profitable(&x.grid, 0, 1 + 2 * 4), 1 | 3 << 2);
  assert_int_equal(ut_grid_profitable(&x.grid, 0, 2 + 3 * 4 + 2 * 16), 3 | 2 << 2 | 3 << 4);
  static const struct {
    uint32_t to, first[2]; /* in dimension order, in direction order: X+ Y+ Z+ X- Y- Z- */
  } way[] = {{1 + 2 * 4, {0, 0}}, {2 + 3 * 4 + 2 * 16, {0, 0}}, {2 * 4 + 3 * 16, {2, 2}},
             {3 + 2 * 4, {1, 2}}, {3 + 3 * 4 + 2 * 16, {1, 4}}, {3 * 4 + 3 * 16, {3, 3}}};
  for (unsigned i = 0; i < sizeof way / sizeof *way; i++)
    for (unsigned order = 0; order < 2; order++)
      assert_int_equal(ut_grid_first(&x.grid, 0, way[i].to, order), way[i].first[order]);
  net_free(&x);
}

/* 16x16, too large for tables of what each link blocks: deterministic paths are walked, from every node. */
static void without_tables(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_grid g;
  struct ut_error e;
  assert_int_equal(test_grid(&t, (const unsigned[]){16, 16}, 2, 1, true, &e), 0);
  assert_int_equal(ut_grid_init(&g, &t, &e), 0);
  struct ut_plan *p = ut_plan_new(&g, ut_mechanisms_find("D"), &e);
  assert_non_null(p);
  const uint32_t link = g.link[0]; /* X+ of node 0 */
  unsigned length;
  ut_plan_set_faults(p, &link, 1);
  for (uint32_t y = 0; y < 16; y++) { /* along X in the own row, then along Y */
    assert_int_equal(ut_plan_classify(p, 0, 1 + 16 * y, &length), UT_PLAN_NONE);
    assert_int_equal(ut_plan_classify(p, 1, 16 * y, &length), UT_PLAN_NONE);
    assert_int_equal(ut_plan_classify(p, 16 * y, 1, &length), y ? UT_PLAN_D : UT_PLAN_NONE);
    assert_int_equal(ut_plan_classify(p, 1 + 16 * y, 0, &length), y ? UT_PLAN_D : UT_PLAN_NONE);
  }
  assert_int_equal(ut_plan_classify(p, 0, 15, &length), UT_PLAN_ADAPTIVE);
  ut_plan_free(p);
  ut_grid_free(&g);
  ut_topology_free(&t);
}

/* 8x8x8, 14 faults: every pair has a route, in seconds; every sub-path's target is another node. */
static void large_torus(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_grid g;
  struct ut_error e;
  const unsigned size[] = {8, 8, 8};
  uint32_t link[14];
  for (unsigned i = 0; i < 14; i++)
    link[i] = (i * 7919 + 13) % 1536;
  assert_int_equal(test_grid(&t, size, 3, 1, true, &e), 0);
  assert_int_equal(ut_grid_init(&g, &t, &e), 0);
  struct ut_plan *p = ut_plan_new(&g, ut_mechanisms_find("I+D+M"), &e);
  assert_non_null(p);
  ut_plan_set_faults(p, link, 14);
  unsigned affected = 0;
  for (uint32_t s = 0; s < 512; s++)
    for (uint32_t d = 0; d < 512; d++) {
      struct ut_plan_route r;
      ut_plan_route(p, s, d, &r);
      assert_true(r.class < UT_PLAN_NONE);
      affected += r.class != UT_PLAN_ADAPTIVE;
      uint32_t at = s;
      for (unsigned i = 0; i < r.subpaths && s != d; at = r.subpath[i++].target)
        assert_int_not_equal(r.subpath[i].target, at);
      assert_int_equal(at, d);
    }
  assert_int_equal(affected, 112072);
  ut_plan_free(p);
  ut_grid_free(&g);
  ut_topology_free(&t);
}

/* The longest misrouting there is; then the rest of the way is as long.  In a ring of two nodes more it is too short.
 */
static void eight_hops_of_misrouting(void **state) {
  (void)state;
  for (unsigned nodes = 17; nodes <= 19; nodes += 2) {
    struct net x;
    struct ut_error e;
    struct ut_plan_route r;
    net_init(&x, 1, &nodes, true);
    struct ut_plan *p = ut_plan_new(&x.grid, ut_mechanisms_find("M"), &e);
    assert_non_null(p);
    const uint32_t link = x.grid.link[0]; /* X+ of node 0 */
    ut_plan_set_faults(p, &link, 1);
    ut_plan_route(p, 0, 1, &r);
    assert_int_equal(r.class, nodes == 17 ? UT_PLAN_M : UT_PLAN_NONE);
    if (nodes == 17) {
      assert_int_equal(r.length, 16);
      assert_int_equal(r.subpath[0].misroutes, 1);
      assert_int_equal(r.subpath[0].misroute[0].direction, 1);
      assert_int_equal(r.subpath[0].misroute[0].hops, 8);
    }
    ut_plan_free(p);
    net_free(&x);
  }
}

/* Networks that just can be planned for: the most nodes, the largest diameter. */
static void just_large_enough(void **state) {
  (void)state;
  static const struct {
    unsigned dimensions, size[3];
    uint32_t to;
    unsigned length;
  } of[] = {{3, {16, 16, 8}, 8 + 8 * 16 + 4 * 256, 20}, {1, {62}, 31, 31}};
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    struct ut_topology t;
    struct ut_grid g;
    struct ut_error e;
    unsigned length;
    assert_int_equal(test_grid(&t, of[i].size, of[i].dimensions, 1, true, &e), 0);
    assert_int_equal(ut_grid_init(&g, &t, &e), 0);
    struct ut_plan *p = ut_plan_new(&g, ut_mechanisms_find("I"), &e);
    assert_non_null(p);
    assert_int_equal(ut_plan_classify(p, 0, of[i].to, &length), UT_PLAN_ADAPTIVE);
    assert_int_equal(length, of[i].length);
    for (unsigned order = 0; order < 2; order++)
      assert_int_equal(ut_grid_first(&g, 5, 5, order), g.directions); /* it is there */
    ut_plan_free(p);
    ut_grid_free(&g);
    ut_topology_free(&t);
  }
}

/* Words are whole ones, of any order. */
static void names_of_mechanisms(void **state) {
  (void)state;
  static const char *const none[] = {"",     "+",   "I+", "+I",   "I+I",  "D+", "I+D+",
                                     "+D+I", "I2+", "2I", "I+D2", "I3+D", "++"};
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
    if (ut_mechanisms_find(none[i]))
      fail_msg("'%s' is '%s'", none[i], ut_mechanisms_find(none[i])->name);
  for (unsigned i = 0; i < UT_MECHANISM_SETS; i++)
    assert_ptr_equal(ut_mechanisms_find(ut_mechanism_sets[i].name), &ut_mechanism_sets[i]);
  assert_string_equal(ut_mechanisms_find("M+D+I")->name, "I+D+M");
}

static void too_large(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_grid g;
  struct ut_error e;
  const unsigned size[] = {16, 16, 16};
  assert_int_equal(test_grid(&t, size, 3, 1, true, &e), 0);
  assert_int_equal(ut_grid_init(&g, &t, &e), 0);
  assert_null(ut_plan_new(&g, ut_mechanisms_find("I"), &e));
  assert_non_null(strstr(e.text, "4096 nodes"));
  assert_null(ut_mechanisms_find("I+X"));
  ut_grid_free(&g);
  ut_topology_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_in_tori),
      cmocka_unit_test(routes_in_meshes),
      cmocka_unit_test(routes_between_parallel_links),
      cmocka_unit_test(every_class_was_seen),
      cmocka_unit_test(theorem_1_holds),
      cmocka_unit_test(theorem_2_holds),
      cmocka_unit_test(corollary_1_holds),
      cmocka_unit_test(figure_6b),
      cmocka_unit_test(round_the_ring),
      cmocka_unit_test(sizes_of_entries),
      cmocka_unit_test(ties_go_plus),
      cmocka_unit_test(without_tables),
      cmocka_unit_test(large_torus),
      cmocka_unit_test(eight_hops_of_misrouting),
      cmocka_unit_test(just_large_enough),
      cmocka_unit_test(names_of_mechanisms),
      cmocka_unit_test(too_large),
  };
  return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
