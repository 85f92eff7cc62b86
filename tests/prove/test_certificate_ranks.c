/* SPDX-License-Identifier: Apache-2.0 */
/* test_certificate_ranks.c - csim/prove/certificate_ranks: ranks of clauses that are written by hand. */
#include "certificate_ranks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario.h"
#include "scenario_read.h"
#include "topology_build.h"

static const char LINE[] = "topology: {kind: mesh, sizes: [4]}\n"
                           "switch: {vcs: 1, depth_flits: 8, packet_flits: 4}\n"
                           "routing: {algorithm: dor}\n"
                           "traffic: {pattern: uniform, load_flits_per_cycle: 0.1}\n";

/* What later fault sets add is met by the ranks of the first one, or all get new ranks. */
static void later_clauses(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_topology t;
  struct ut_explorer x;
  struct ut_certificate_walk w;
  struct ut_rank_pool pool;
  bool none;
  struct ut_scenario *s = ut_scenario_parse(LINE, sizeof LINE - 1, "line.yaml", &e);
  assert_non_null(s);
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_explorer_init(&x, s, &t, &e), 0);
  ut_certificate_walk_init(&w, &x);
  w.rows.candidates = calloc(1, sizeof *w.rows.candidates);
  w.clause = calloc(1, sizeof *w.clause);
  assert_non_null(w.rows.candidates);
  assert_non_null(w.clause);
  w.rows.candidates->cand[0] = ut_bit(0); /* on, towards the last switch */
  w.clauses = 1;
  assert_true(ut_rank_pool_init(&pool, &w));

  const uint32_t begin = ut_explorer_injection(&x, 0, 0, 0);
  const uint32_t at_1 = ut_channel_behind(&x, 0, 0, 0), at_2 = ut_channel_behind(&x, 1, 0, 0);
  static const unsigned order[] = {1, 0, 1, 0}; /* the end of the way first: the beginning is not below it then */
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    w.clause->channel = order[i] ? at_1 : begin;
    assert_int_equal(ut_rank_pool_find(&pool, 0, &none), 0);
    assert_false(none);
    assert_true(pool.ranks->rank[at_1] < pool.ranks->rank[at_2]);
    assert_true(!i || pool.ranks->rank[begin] < pool.ranks->rank[at_1]);
  }
  assert_int_equal(pool.count, 1);
  assert_int_equal(pool.ranks->clauses, 2);

  ut_rank_pool_free(&pool);
  ut_certificate_walk_free(&w);
  ut_explorer_free(&x);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(later_clauses)};
  return cmocka_run_group_tests_name("certificate ranks", tests, NULL, NULL);
}
