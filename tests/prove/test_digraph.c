/* SPDX-License-Identifier: Apache-2.0 */
/* test_digraph.c - csim/prove/digraph: cycles of graphs that are drawn by hand. */
#include "digraph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Vertices first, first + 1, ... and back to the first. */
static void add_ring(struct ut_digraph *g, uint32_t first, uint32_t length) {
  for (uint32_t i = 0; i < length; i++)
    ut_digraph_add(g, first + i, first + (i + 1) % length);
}

/* Each vertex of the cycle stands once, and an arc leads to the next one. */
static void shortest_is(struct ut_digraph *g, const bool *among, uint32_t first, size_t length) {
  uint32_t *cycle, seen = 0;
  assert_int_equal(ut_digraph_shortest_cycle(g, among, &cycle), length);
  for (size_t i = 0; i < length; i++) {
    assert_in_range(cycle[i], first, first + length - 1);
    assert_int_equal(cycle[(i + 1) % length], first + (cycle[i] - first + 1) % length);
    seen |= UINT32_C(1) << (cycle[i] - first);
  }
  assert_int_equal(seen, (UINT32_C(1) << length) - 1);
  free(cycle);
}

/* Neither the first one nor the last one is the shortest. */
static void shortest_of_three(void **state) {
  (void)state;
  struct ut_digraph g;
  bool among[9] = {0};
  assert_true(ut_digraph_init(&g, 9));
  add_ring(&g, 0, 4);
  add_ring(&g, 4, 2);
  add_ring(&g, 6, 3);
  ut_digraph_add(&g, 3, 4); /* no way back */
  assert_true(ut_digraph_cyclic(&g));
  shortest_is(&g, NULL, 4, 2);
  for (unsigned i = 0; i < 9; i++)
    among[i] = i != 5;
  shortest_is(&g, among, 6, 3);
  for (unsigned i = 4; i < 9; i++)
    among[i] = false;
  shortest_is(&g, among, 0, 4);
  ut_digraph_free(&g);
}

static void no_cycle(void **state) {
  (void)state;
  struct ut_digraph g;
  uint32_t *cycle;
  assert_true(ut_digraph_init(&g, 4));
  ut_digraph_add(&g, 0, 1), ut_digraph_add(&g, 0, 2), ut_digraph_add(&g, 1, 3), ut_digraph_add(&g, 2, 3);
  assert_false(ut_digraph_cyclic(&g));
  assert_int_equal(ut_digraph_shortest_cycle(&g, NULL, &cycle), 0);
  assert_null(cycle);
  ut_digraph_add(&g, 2, 2);
  assert_true(ut_digraph_cyclic(&g));
  ut_digraph_clear(&g);
  assert_false(ut_digraph_cyclic(&g));
  ut_digraph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shortest_of_three),
      cmocka_unit_test(no_cycle),
  };
  return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
