/* SPDX-License-Identifier: Apache-2.0 */
/* test_plane_bypass.c - which planes are switched off, and that no fault is left. */
#define _GNU_SOURCE
#include "faults.h"
#include "plane_bypass.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "scenarios.h"
#include "topology.h"
#include "topology_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct ut_scenario *scenario(const char *topology, const char *faults, unsigned seed) {
  return test_scenario("topology: {kind: torus, %s}\nrouting: {algorithm: dor, plane_bypass: true}\n"
                       "traffic: {load_flits_per_cycle: 0.1}\nfaults:\n%srun: {seed: %u}\n",
                       topology, faults, seed);
}

/* The fault of a link in X, that of one in Y, and a switch of which both planes are in use already. */
static void one_plane_for_all_it_covers(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_scenario *s = scenario("sizes: [5, 4, 3]",
                                   "  - {at: 0, link: {level: 0, switch: 7, port: 0}}\n"  /* (2,1,0)-(3,1,0) */
                                   "  - {at: 0, link: {level: 0, switch: 27, port: 4}}\n" /* (2,1,1)-(2,1,2) */
                                   "  - {at: 0, switch: {level: 0, switch: 46}}\n",       /* (1,1,2) */
                                   1);
  assert_int_equal(ut_bypass_planes(s, &e), 0);
  assert_int_equal(s->bypass.count, 1);
  assert_int_equal(s->bypass.plane[0].dimension, 1);
  assert_int_equal(s->bypass.plane[0].coordinate, 1);
  assert_int_equal(s->bypass.nodes_off, 15);
  assert_int_equal(s->topology.size[0], 5);
  assert_int_equal(s->topology.size[1], 3);
  assert_int_equal(s->topology.size[2], 3);
  assert_int_equal(s->fault_count, 0);
  ut_scenario_free(s);
}

/* Three planes cover the fault at the same price. */
static void the_first_of_equals(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_scenario *s = scenario("sizes: [4, 4]", "  - {at: 0, link: {level: 0, switch: 5, port: 0}}\n", 1);
  assert_int_equal(ut_bypass_planes(s, &e), 0); /* (1,1)-(2,1) */
  assert_int_equal(s->bypass.count, 1);
  assert_int_equal(s->bypass.plane[0].dimension, 0);
  assert_int_equal(s->bypass.plane[0].coordinate, 1);
  ut_scenario_free(s);
}

/* Faults of links in Z that no two small planes share; a plane in X covers two of them, at four times the nodes. */
static void the_cheapest_planes(void **state) {
  (void)state;
  struct ut_error e;
  char faults[512];
  int length = 0;
  for (unsigned i = 0; i < 7; i++) /* (i mod 4, i, 2 i) */
    length += snprintf(faults + length, sizeof faults - (size_t)length,
                       "  - {at: 0, link: {level: 0, switch: %u, port: 4}}\n", i % 4 + 4 * i + 64 * i);
  struct ut_scenario *s = scenario("sizes: [4, 8, 16]", faults, 1);
  assert_int_equal(ut_bypass_planes(s, &e), 0);
  assert_int_equal(s->bypass.count, 7);
  for (unsigned i = 0; i < 7; i++)
    assert_int_equal(s->bypass.plane[i].dimension, 2);
  assert_int_equal(s->bypass.nodes_off, 7 * 32);
  ut_scenario_free(s);
}

/* Random faults: every one lies in a plane that is off or leads to one. */
static void all_are_covered(void **state) {
  (void)state;
  struct ut_error e;
  for (unsigned seed = 1; seed <= 40; seed++) {
    struct ut_scenario *s = scenario("k: 8, n: 3", "  - {at: 0, random_links: 6}\n", seed), *before;
    struct ut_topology t;
    struct ut_faults f;
    unsigned down = 0;
    before = scenario("k: 8, n: 3", "  - {at: 0, random_links: 6}\n", seed);
    assert_int_equal(ut_topology_init(&t, before, &e), 0);
    assert_int_equal(ut_faults_init(&f, before, &t, &e), 0);
    while (ut_faults_next(&f, 0))
      ;
    assert_int_equal(ut_bypass_planes(s, &e), 0);
    for (size_t i = 0; i < t.links; i++) {
      if (ut_faults_link_up(&f, t.link[i].lower, t.link[i].lower_port))
        continue;
      bool covered = false;
      for (unsigned p = 0; p < s->bypass.count; p++) {
        unsigned shift = 3 * s->bypass.plane[p].dimension, at = s->bypass.plane[p].coordinate;
        covered |= (t.link[i].lower >> shift & 7) == at || (t.link[i].upper >> shift & 7) == at;
      }
      assert_true(covered);
      down++;
    }
    assert_int_equal(down, 6);
    assert_int_equal(ut_scenario_switches(s) + s->bypass.nodes_off, 512);
    assert_true(s->bypass.count <= 6);
    ut_faults_free(&f);
    ut_topology_free(&t);
    ut_scenario_free(before);
    ut_scenario_free(s);
  }
}

/* A node whose terminal cannot receive goes off, the first one, too. */
static void links_of_terminals(void **state) {
  (void)state;
  struct ut_error e;
  for (unsigned terminal = 0; terminal < 60; terminal += 59) {
    char fault[64];
    snprintf(fault, sizeof fault, "  - {at: 0, ejection: {terminal: %u, link: 0}}\n", terminal);
    struct ut_scenario *s = scenario("sizes: [5, 4, 3]", fault, 1);
    assert_int_equal(ut_bypass_planes(s, &e), 0);
    assert_int_equal(s->bypass.count, 1);
    assert_int_equal(s->bypass.plane[0].dimension, 0); /* the fewest nodes */
    assert_int_equal(s->bypass.plane[0].coordinate, terminal % 5);
    assert_int_equal(s->bypass.nodes_off, 12);
    ut_scenario_free(s);
  }
}

static void no_torus_left(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_scenario *s = scenario("k: 3, n: 1", "  - {at: 0, random_links: 3}\n", 1);
  assert_int_equal(ut_bypass_planes(s, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_non_null(strstr(e.text, "no torus is left"));
  ut_scenario_free(s);
}

/* More faults than there are links: the scenario stays as it is. */
static void faults_without_a_place(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_scenario *s = scenario("k: 3, n: 1", "  - {at: 0, random_links: 3}\n", 1);
  s->faults[0].count = 4;
  assert_int_equal(ut_bypass_planes(s, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  assert_true(s->bypass.count == 0 && s->topology.size[0] == 3 && s->fault_count == 1);
  ut_scenario_free(s);
}

/* ---- the choice by its words, plane by plane */

enum { MAX_LINKS = 256 };

struct choice {
  unsigned end[MAX_LINKS][2]; /* nodes at the ends of faulty links */
  bool covered[MAX_LINKS];
  unsigned links, left[UT_MAX_DIMENSIONS];
};

static bool in_plane(const struct ut_topology *t, const unsigned end[2], unsigned d, unsigned c) {
  return ut_topology_coordinate(t, end[0], d) == c || ut_topology_coordinate(t, end[1], d) == c;
}

/* The plane that covers most faults for each node that it takes, then the smallest, then the first one; false: no
 * faults are left. */
static bool next_plane(struct choice *x, const struct ut_topology *t, struct ut_plane *best) {
  double most = 0;
  unsigned size = 0;
  for (unsigned d = 0; d < t->dimensions; d++)
    for (unsigned c = 0; c < t->size[d]; c++) {
      unsigned nodes = 1, count = 0;
      for (unsigned other = 0; other < t->dimensions; other++)
        nodes *= other == d ? 1 : x->left[other];
      for (unsigned i = 0; i < x->links; i++)
        count += !x->covered[i] && in_plane(t, x->end[i], d, c);
      const double worth = (double)count / nodes;
      if (worth > most + 1e-9 || (count && worth > most - 1e-9 && nodes < size)) {
        most = worth;
        size = nodes;
        *best = (struct ut_plane){(uint8_t)d, (uint8_t)c};
      }
    }
  for (unsigned i = 0; i < x->links; i++)
    x->covered[i] |= most > 0 && in_plane(t, x->end[i], best->dimension, best->coordinate);
  return most > 0;
}

/* Whether a torus is left. */
static bool choose_planes(const struct ut_topology *t, const struct ut_faults *f, struct ut_scenario *expected) {
  struct choice x = {0};
  unsigned remain = 1;
  for (size_t i = 0; i < t->links; i++)
    if (!ut_faults_link_up(f, t->link[i].lower, t->link[i].lower_port)) {
      assert_true(x.links < MAX_LINKS);
      x.end[x.links][0] = t->link[i].lower;
      x.end[x.links++][1] = t->link[i].upper;
    }
  for (uint32_t i = 0; i < t->terminals; i++) {
    const struct ut_peer at = ut_topology_sender(t, t->ejection[i]);
    if (ut_faults_link_up(f, at.index, at.port))
      continue;
    assert_true(x.links < MAX_LINKS);
    x.end[x.links][0] = x.end[x.links][1] = at.index;
    x.links++;
  }
  for (unsigned d = 0; d < t->dimensions; d++)
    x.left[d] = t->size[d];
  for (struct ut_plane plane; next_plane(&x, t, &plane);) {
    if (--x.left[plane.dimension] < 2)
      return false;
    expected->bypass.plane[expected->bypass.count++] = plane;
  }
  for (unsigned d = 0; d < t->dimensions; d++)
    remain *= expected->topology.size[d] = x.left[d];
  expected->bypass.nodes_off = t->switches - remain;
  return true;
}

/* Random faults of networks of all kinds of sizes: as the words say, also where no torus is left. */
static void planes_by_their_words(void **state) {
  (void)state;
  static const char *const sizes[] = {"[9]",       "[2, 5]",    "[3, 6]", "[6, 3]",
                                      "[3, 4, 5]", "[5, 4, 2]", "[4, 4]", "[2, 3, 2, 4]"};
  unsigned refused = 0, planes = 0;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (unsigned seed = 0; seed < 60; seed++) {
      struct ut_error e;
      struct ut_topology t;
      struct ut_faults f;
      char topology[64], faults[256];
      snprintf(topology, sizeof topology, "sizes: %s", sizes[i]);
      snprintf(faults, sizeof faults, "  - {at: 0, random_links: %u}\n%s%s", 1 + seed % 8,
               seed % 3 ? "" : "  - {at: 0, random_switches: 1}\n",
               seed % 2 ? "" : "  - {at: 0, ejection: {terminal: 3, link: 0}}\n");
      struct ut_scenario *s = scenario(topology, faults, seed), *expected = scenario(topology, faults, seed);
      assert_int_equal(ut_topology_init(&t, expected, &e), 0);
      assert_int_equal(ut_faults_init(&f, expected, &t, &e), 0);
      while (ut_faults_next(&f, 0))
        ;
      const bool possible = choose_planes(&t, &f, expected);
      assert_int_equal(ut_bypass_planes(s, &e), possible ? 0 : -1);
      refused += !possible;
      planes += possible ? s->bypass.count : 0;
      if (possible) {
        assert_memory_equal(&s->bypass, &expected->bypass, sizeof s->bypass);
        assert_memory_equal(s->topology.size, expected->topology.size, sizeof s->topology.size);
        assert_int_equal(s->fault_count, 0);
      }
      ut_faults_free(&f);
      ut_topology_free(&t);
      ut_scenario_free(expected);
      ut_scenario_free(s);
    }
  assert_true(refused > 10 && planes > 300);
}

/* As many planes as a scenario can name, and one more: nodes of a ring, every third one. */
static void most_planes(void **state) {
  (void)state;
  for (unsigned more = 0; more < 2; more++) {
    struct ut_error e;
    char faults[4096];
    int length = 0;
    for (unsigned i = 0; i < UT_MAX_PLANES + more; i++)
      length += snprintf(faults + length, sizeof faults - (size_t)length,
                         "  - {at: 0, switch: {level: 0, switch: %u}}\n", 3 * i);
    struct ut_scenario *s = scenario("sizes: [200]", faults, 1);
    assert_int_equal(ut_bypass_planes(s, &e), more ? -1 : 0);
    if (!more) {
      assert_true(s->bypass.count == UT_MAX_PLANES && s->topology.size[0] == 200 - UT_MAX_PLANES);
      for (unsigned i = 0; i < UT_MAX_PLANES; i++)
        assert_int_equal(s->bypass.plane[i].coordinate, 3 * i);
    }
    ut_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_plane_for_all_it_covers),
      cmocka_unit_test(the_first_of_equals),
      cmocka_unit_test(the_cheapest_planes),
      cmocka_unit_test(all_are_covered),
      cmocka_unit_test(links_of_terminals),
      cmocka_unit_test(no_torus_left),
      cmocka_unit_test(faults_without_a_place),
      cmocka_unit_test(planes_by_their_words),
      cmocka_unit_test(most_planes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
