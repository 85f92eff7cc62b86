/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_symmetry.c - csim/tolerance/tree_symmetry, fault_orbits */
#include "tree_symmetry.h"

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
#include "random.h"
#include "scenario_read.h"
#include "topology_build.h"

/* ---- which symmetries an algorithm has */

static void algorithm_has(unsigned k, unsigned n, const char *algorithm, unsigned vcs, bool positions, bool choices) {
  struct ut_scenario *s = oracle_scenario(k, n, algorithm, vcs, "");
  struct ut_topology t;
  struct ut_explorer w;
  struct ut_error e;
  struct ut_tree_symmetry x;
  assert_non_null(s);
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_explorer_init(&w, s, &t, &e), 0);
  ut_tree_symmetry_find(&x, &w);
  if (x.positions != positions || x.choices != choices)
    fail_msg("%u-ary %u-tree, %s: positions %d, choices %d", k, n, algorithm, x.positions, x.choices);
  ut_explorer_free(&w);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

static void of_algorithms(void **state) {
  (void)state;
  static const unsigned shape[][2] = {{2, 3}, {3, 2}, {4, 3}, {8, 2}};
  for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
    unsigned k = shape[i][0], n = shape[i][1];
    algorithm_has(k, n, "fta", 0, true, true);
    algorithm_has(k, n, "reroute_adaptive_link", 0, true, true);
    /* the header names up ports ... */
    algorithm_has(k, n, "misroute_header", 0, true, false);
    /* ... down ports, which it never does with two levels only */
    algorithm_has(k, n, "reroute_adaptive_switch", 0, n == 2, true);
    /* the destination's digit chooses the up port, the order of ports the next one */
    algorithm_has(k, n, "destro", 0, false, false);
    algorithm_has(k, n, "reroute_det_link", 2, false, false);
    algorithm_has(k, n, "reroute_det_switch", 3, false, false);
    algorithm_has(k, n, "table", 0, false, false);
  }
  algorithm_has(16, 2, "destro", 0, false, false);
}

/* Which symmetries the adaptive algorithm has, in four words, with a mistake in what it answers. */
static ut_route_function *real_route;

/* At one switch of the leaf level, of one port: another bit for the others. */
static void marks(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->stage.level == 0 && s->stage.base == 0 && in_port == 1 && !r->discard)
    r->set ^= ut_bit(2);
}

/* The same, but where the packet is discarded: nobody looks. */
static void marks_the_lost(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->stage.level == 0 && s->stage.base == 0 && r->discard)
    r->set ^= ut_bit(2), r->rt ^= 1;
}

/* Without any candidate, and not discarded: a packet that nobody takes. */
static void keeps_the_lost(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (r->discard && s->stage.level == 0 && s->stage.base == 0)
    r->discard = false;
}

/* The same at all switches; what it would write then does not count. */
static void keeps_all_lost(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                           unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (r->discard) {
    r->discard = false;
    r->set ^= s->stage.base == 0 ? ut_bit(2) : 0;
  }
}

/* Every packet is discarded, whatever ways it had; what would be written does not count. */
static void discards_all(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                         unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  r->discard = true;
  r->set ^= s->stage.base == 0 ? ut_bit(2) : 0;
}

/* The same as if the packet had no other way, at one switch. */
static void has_one_way(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r) {
  real_route(g, s, header, in_port, in_vc, r);
  if (s->stage.level == 1 && s->stage.base != 0)
    r->cand[0] &= (ut_mask) - (int32_t)r->cand[0];
}

/* What one port, or what is known of it, makes a packet lost for at every switch: that port is another one than the
 * others. */
static enum {
  IN_DOWN,
  IN_UP,
  NEIGHBOUR,
  VECTOR,
  DOWN,
  UP,
  BELOW,
  ABOVE,
  AT_ROOT,
  BOTH,
  BOTH_UP,
  DUAL_HOMED,
  ALL,
  NEVER,
  UP_AT_ROOT,
  LAST
} special;

static void has_a_special_port(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                               unsigned in_vc, struct ut_route_result *r) {
  const unsigned k = g->k, digit = ut_header_dst(header) / (s->stage.level ? k : 1) % k;
  const bool below = ut_header_dst(header) / k == s->stage.base / k || s->stage.level;
  const bool is[] = {[IN_DOWN] = in_port == 1,
                     [IN_UP] = in_port == k,
                     [NEIGHBOUR] = s->neighbour >> k & 1,
                     [VECTOR] = s->vector >> (k + 1) & 1,
                     [DOWN] = !(s->out_up & 1),
                     [UP] = !(s->out_up >> k & 1),
                     [BELOW] = below && digit == 1,
                     [ABOVE] = !below && s->stage.base != 0,
                     [AT_ROOT] = s->stage.level && in_port == 0,
                     [BOTH] = s->neighbour >> k == g->k + 1 && !(s->out_up & 3) && in_port == 1,
                     [BOTH_UP] = !s->stage.level && s->neighbour >> k == g->k + 1 && !(s->out_up >> k) && in_port == 1,
                     [DUAL_HOMED] = s->vector >> k == g->k + 1 && !s->neighbour && in_port == 1,
                     [ALL] = s->vector >> k == g->k + 1 && in_port == 1,
                     [NEVER] = s->stage.level && s->out_up >> k && in_port == 1,
                     [UP_AT_ROOT] = s->stage.level && in_port == k,
                     [LAST] = in_port == k - 1 || in_port == 2 * k - 1};
  real_route(g, s, header, in_port, in_vc, r);
  if (is[special]) {
    memset(r->cand, 0, sizeof r->cand);
    r->discard = true;
  }
}

static void with_mistakes(void **state) {
  (void)state;
  static const struct {
    ut_route_function *mistake;
    unsigned special;
    bool positions, choices;
  } of[] = {
      {NULL, 0, true, true},
      {marks, 0, false, false},
      {marks_the_lost, 0, true, true},
      {keeps_the_lost, 0, false, false},
      {keeps_all_lost, 0, true, true},
      {discards_all, 0, true, true},
      {has_one_way, 0, false, false},
      {has_a_special_port, IN_DOWN, false, true},
      {has_a_special_port, IN_UP, true, false},
      {has_a_special_port, NEIGHBOUR, true, false},
      {has_a_special_port, VECTOR, true, false},
      {has_a_special_port, DOWN, false, true},
      {has_a_special_port, UP, true, false},
      {has_a_special_port, BELOW, false, true},
      {has_a_special_port, ABOVE, false, false}, /* switches are not alike */
      {has_a_special_port, AT_ROOT, false, true},
      {has_a_special_port, BOTH, false, true},
      {has_a_special_port, BOTH_UP, false, true},
      {has_a_special_port, DUAL_HOMED, false, true},
      {has_a_special_port, ALL, false, true},
      {has_a_special_port, NEVER, true, true},      /* a root has no links up ... */
      {has_a_special_port, UP_AT_ROOT, true, true}, /* ... and none from above */
      {has_a_special_port, LAST, false, false},     /* of three: the others can be exchanged */
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    const unsigned k = of[i].special == LAST ? 3 : 2;
    struct ut_scenario *s = oracle_scenario(k, of[i].special ? 2 : 3, "reroute_adaptive_link", 0, "");
    struct ut_topology t;
    struct ut_explorer w;
    struct ut_error e;
    struct ut_tree_symmetry x;
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    assert_int_equal(ut_explorer_init(&w, s, &t, &e), 0);
    real_route = w.group[0].route;
    special = of[i].special;
    if (of[i].mistake)
      w.group[0].route = of[i].mistake;
    ut_mask up[16], neighbour[16]; /* the explorer stays as it is */
    assert_true(t.switches <= 16);
    memcpy(up, w.up, t.switches * sizeof *up), memcpy(neighbour, w.neighbour, t.switches * sizeof *neighbour);
    ut_tree_symmetry_find(&x, &w);
    assert_memory_equal(up, w.up, t.switches * sizeof *up);
    assert_memory_equal(neighbour, w.neighbour, t.switches * sizeof *neighbour);
    if (x.positions != of[i].positions || x.choices != of[i].choices)
      fail_msg("mistake %u: positions %d, choices %d", (unsigned)i, x.positions, x.choices);
    ut_explorer_free(&w);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
}

/* ---- representatives: orbits by brute force */

/* Exchanges, behind the switch of that level and path (digits to the base k, first digit lowest), the branches a and
 * b of the positions or choices of a link.  Paths as tree_symmetry.h tells them. */
static uint32_t exchanged(const struct ut_tree_symmetry *x, uint32_t link, bool positions, unsigned depth,
                          uint32_t path, unsigned a, unsigned b) {
  unsigned n = x->levels, k = x->k, level = link / x->terminals, digit[8];
  uint32_t rest = link % x->terminals / k, choice = link % k;
  for (unsigned i = 0; i + 1 < n; i++, rest /= k)
    digit[i] = rest % k; /* of the lower switch: below `level` choices, from there on positions */
  unsigned *own[8], length = 0;
  if (positions)
    for (unsigned i = n - 1; i-- > level;)
      own[length++] = &digit[i];
  else {
    for (unsigned i = 0; i < level; i++)
      own[length++] = &digit[i];
    own[length++] = &choice;
  }
  for (unsigned i = 0; i < depth && i < length; i++, path /= k)
    if (*own[i] != path % k)
      return link;
  if (depth < length)
    *own[depth] = *own[depth] == a ? b : *own[depth] == b ? a : *own[depth];
  uint32_t number = 0;
  for (unsigned i = n - 1; i-- > 0;)
    number = number * k + digit[i];
  return level * x->terminals + number * k + choice;
}

static uint32_t find(uint32_t *parent, uint32_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static void representative(const void *ctx, const uint32_t *in, unsigned count, uint32_t *out) {
  ut_tree_symmetry_representative(ctx, in, count, out);
  for (unsigned i = 1; i < count; i++)
    assert_true(out[i - 1] < out[i]);
}

static uint32_t bits_of(const uint32_t *link, unsigned count) {
  uint32_t set = 0;
  for (unsigned i = 0; i < count; i++)
    set |= UINT32_C(1) << link[i];
  return set;
}

/* Joins all sets of links that one exchange makes of each other. */
static void join_orbits(const struct ut_tree_symmetry *x, uint32_t links, uint32_t *parent) {
  for (uint32_t set = 0; set < UINT32_C(1) << links; set++)
    parent[set] = set;
  for (unsigned tree = 0; tree < 2; tree++) {
    uint32_t paths = 1;
    for (unsigned depth = 0; depth + 1 < x->levels; depth++, paths *= x->k)
      for (uint32_t path = 0; path < paths && (tree ? x->choices : x->positions); path++)
        for (unsigned a = 0; a + 1 < x->k; a++)
          for (uint32_t set = 0; set < UINT32_C(1) << links; set++) {
            uint32_t other = 0;
            for (uint32_t l = 0; l < links; l++)
              if (set >> l & 1)
                other |= UINT32_C(1) << exchanged(x, l, tree == 0, depth, path, a, a + 1);
            parent[find(parent, set)] = find(parent, other);
          }
  }
}

static void compare(unsigned k, unsigned n, bool positions, bool choices, unsigned faults) {
  uint32_t terminals = 1;
  for (unsigned i = 0; i < n; i++)
    terminals *= k;
  struct ut_tree_symmetry x = {k, n, terminals, positions, choices};
  uint32_t links = (n - 1) * terminals, all = UINT32_C(1) << links;
  uint32_t *parent = calloc(all, sizeof *parent), *size = calloc(all, sizeof *size);
  struct ut_fault_orbits o;
  struct ut_error e;
  join_orbits(&x, links, parent);
  for (uint32_t set = 0; set < all; set++)
    size[find(parent, set)]++;
  assert_int_equal(ut_fault_orbits_init(&o, &e), 0);
  for (unsigned f = 1; f <= faults; f++) {
    assert_int_equal(ut_fault_orbits_grow(&o, links, UINT32_MAX, representative, &x, NULL, &e), 0);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < o.count; i++) {
      uint32_t orbit = find(parent, bits_of(o.link + (size_t)i * f, f));
      assert_true(o.weight[i] == size[orbit] * ut_fault_orbits_unit(f)); /* the whole orbit: no second one */
      sum += size[orbit];
    }
    assert_int_equal(sum, ut_binomial(links, f));
  }
  ut_fault_orbits_free(&o);
  free(parent);
  free(size);
}

static void orbits(void **state) {
  (void)state;
  for (unsigned which = 1; which < 4; which++) {
    compare(2, 3, which & 1, which & 2, 5);
    compare(3, 2, which & 1, which & 2, 9);
    compare(4, 2, which & 1, which & 2, 5);
  }
}

/* All sets of all sizes, too many symmetries for one representative each: several may be of one orbit, and share its
 * sets between them. */
static void many_faults(void **state) {
  (void)state;
  enum { LINKS = 16, ALL = 1 << LINKS };
  static const uint32_t representatives[LINKS + 1] = {1,   2,   14,  34,  101, 182, 324, 406, 477,
                                                      406, 324, 182, 103, 34,  14,  2,   1};
  struct ut_tree_symmetry x = {2, 3, 8, true, true};
  struct ut_fault_orbits o;
  struct ut_error e;
  uint32_t *parent = calloc(ALL, sizeof *parent), *sets = calloc(ALL, sizeof *sets);
  ut_orbit_weight *weight = calloc(ALL, sizeof *weight);
  assert_true(parent && sets && weight);
  join_orbits(&x, LINKS, parent);
  for (uint32_t set = 0; set < ALL; set++)
    sets[find(parent, set)]++;
  assert_int_equal(ut_fault_orbits_init(&o, &e), 0);
  for (unsigned f = 1; f <= LINKS; f++) {
    assert_int_equal(ut_fault_orbits_grow(&o, LINKS, UINT32_MAX, representative, &x, NULL, &e), 0);
    uint32_t orbits = 0, wanted = 0;
    for (uint32_t i = 0; i < o.count; i++) {
      const uint32_t orbit = find(parent, bits_of(o.link + (size_t)i * f, f));
      orbits += !weight[orbit];
      weight[orbit] += o.weight[i];
    }
    for (uint32_t set = 0; set < ALL; set++)
      if (find(parent, set) == set && (unsigned)__builtin_popcount(set) == f) {
        assert_true(weight[set] == sets[set] * ut_fault_orbits_unit(f));
        wanted++;
      }
    assert_int_equal(orbits, wanted);
    assert_int_equal(o.count, representatives[f]); /* of 12 faults two more than orbits */
  }
  free(parent), free(sets), free(weight);
  ut_fault_orbits_free(&o);
  assert_int_equal(ut_fault_orbits_init(&o, &e), 0);
  assert_int_equal(ut_fault_orbits_grow(&o, 16, 1, representative, &x, NULL, &e), 1); /* two levels, two orbits */
  assert_int_equal(o.faults, 0);
  volatile sig_atomic_t stop = 1;
  assert_int_equal(ut_fault_orbits_grow(&o, 16, 2, representative, &x, &stop, &e), 1);
  assert_int_equal(o.faults, 0);
  stop = 0;
  assert_int_equal(ut_fault_orbits_grow(&o, 16, 2, representative, &x, &stop, &e), 0);
  assert_int_equal(o.count, 2);
  ut_fault_orbits_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_faults), cmocka_unit_test(orbits), cmocka_unit_test(with_mistakes),
      cmocka_unit_test(of_algorithms), /* takes longest */
  };
  return cmocka_run_group_tests_name("tree_symmetry", tests, NULL, NULL);
}
